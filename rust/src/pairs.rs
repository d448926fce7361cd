//! Sums over the differences of all pairs of systems.

use numpy::ndarray::{Array2, ArrayView1, ArrayView2};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::columns::workers::shared;

/// Systems whose pairs are summed together: their sums stay in the cache while the values pass once.
const BLOCK: usize = 16;

/// The sums of a pair: of weighted differences, of their squares, and of both weights times differences.
type Sums<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The sums over queries of each later system's (S, Q) values less those of each system, one system behind the other.
///
/// Differences up to `least` are rounding and count as 0. Queries are added in order, so a sum does not depend on the
/// number of threads; those in which no two systems differ add nothing and are passed over. The last sums are empty
/// without weights.
#[pyfunction]
#[pyo3(signature = (values, weights, least))]
pub fn pair_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    least: f64,
) -> PyResult<Sums<'py>> {
    let values = values.as_array();
    let weights = weights.as_ref().map(PyReadonlyArray1::as_array);
    if weights.is_some_and(|weights| weights.len() != values.ncols()) {
        return Err(PyValueError::new_err("one weight for each query"));
    }
    let (systems, weighted) = (values.nrows(), weights.is_some());
    let pairs = systems * systems.saturating_sub(1) / 2;
    let mut sums = vec![0.0; pairs];
    let mut squares = vec![0.0; pairs];
    let mut mixed = vec![0.0; if weighted { pairs } else { 0 }];
    py.detach(|| {
        let (apart, each) = apart(values, |query| weights.map_or(1.0, |one| one[query]), least);
        let (mut left, mut left_squares, mut left_mixed) =
            (&mut sums[..], &mut squares[..], &mut mixed[..]);
        let mut blocks = Vec::new();
        for first in (0..systems.saturating_sub(1)).step_by(BLOCK) {
            let many = (first..systems.min(first + BLOCK)).map(|one| systems - 1 - one).sum();
            blocks.push((
                first,
                split(&mut left, many),
                split(&mut left_squares, many),
                split(&mut left_mixed, if weighted { many } else { 0 }),
            ));
        }
        shared(|| {
            blocks.into_par_iter().for_each(|(first, sums, squares, mixed)| {
                for (row, &weight) in apart.rows().into_iter().zip(&each) {
                    let row = row.as_slice().unwrap_or_default();
                    let mut at = 0;
                    for one in first..systems.min(first + BLOCK) {
                        let later = &row[one + 1..];
                        let here = at..at + later.len();
                        at = here.end;
                        let (sums, squares) = (&mut sums[here.clone()], &mut squares[here.clone()]);
                        for ((sum, square), other) in sums.iter_mut().zip(squares).zip(later) {
                            let part = difference(*other, row[one], least) * weight;
                            *sum += part;
                            *square += part * part;
                        }
                        if weighted {
                            for (sum, other) in mixed[here].iter_mut().zip(later) {
                                *sum += difference(*other, row[one], least) * weight * weight;
                            }
                        }
                    }
                }
            });
        });
    });
    let array = |sums| PyArray1::from_vec(py, sums);
    Ok((array(sums), array(squares), array(mixed)))
}

/// Takes so many numbers from the front of those that are left.
fn split<'a>(left: &mut &'a mut [f64], many: usize) -> &'a mut [f64] {
    let (taken, rest) = std::mem::take(left).split_at_mut(many);
    *left = rest;
    taken
}

/// The queries in which some systems differ, a row each, and their weights.
fn apart(
    values: ArrayView2<'_, f64>,
    weight: impl Fn(usize) -> f64,
    least: f64,
) -> (Array2<f64>, Vec<f64>) {
    let systems = values.nrows();
    let (mut rows, mut each) = (Vec::new(), Vec::new());
    for (query, column) in values.columns().into_iter().enumerate() {
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if difference(high, low, least) != 0.0 {
            rows.extend(column);
            each.push(weight(query));
        }
    }
    // As many numbers as rows times systems, by the loop above.
    (Array2::from_shape_vec((each.len(), systems), rows).unwrap_or_default(), each)
}

fn difference(one: f64, other: f64, least: f64) -> f64 {
    let difference = one - other;
    if difference.abs() <= least { 0.0 } else { difference }
}

/// How many times the middle scale that of a pair is which counts as one of two systems much alike.
const ALIKE: f64 = 2.0;

/// For each row of (rows, S) totals the largest |difference| of two of them times the scale of the pair.
///
/// `scales` are those of the pairs, in the order of `pair_sums`.
#[pyfunction]
pub fn largest_scaled<'py>(
    py: Python<'py>,
    totals: PyReadonlyArray2<'py, f64>,
    scales: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (totals, scales) = (totals.as_array(), scales.as_slice()?);
    let systems = totals.ncols();
    if scales.len() != systems * systems.saturating_sub(1) / 2 {
        return Err(PyValueError::new_err("one scale for each pair"));
    }
    let largest: Vec<f64> = py.detach(|| {
        let scaled = Scaled::new(systems, scales);
        shared(|| {
            let rows: Vec<_> = totals.rows().into_iter().collect();
            let with = |order: &mut Vec<usize>, row: &ArrayView1<'_, f64>| {
                scaled.largest(&row.to_vec(), order)
            };
            rows.par_iter().map_init(Vec::new, with).collect()
        })
    });
    Ok(PyArray1::from_vec(py, largest))
}

/// The scales of all pairs, and what bounds them.
struct Scaled<'a> {
    systems: usize,
    scales: &'a [f64],
    /// By system the highest scale of its pairs with systems that are not much like it.
    highest: Vec<f64>,
    /// The pairs of systems much alike, the highest scale first.
    alike: Vec<(f64, usize, usize)>,
}

impl Scaled<'_> {
    fn new(systems: usize, scales: &[f64]) -> Scaled<'_> {
        let mut sorted = scales.to_vec();
        let middle = sorted.len() / 2;
        let steep = match sorted.is_empty() {
            true => 0.0,
            false => ALIKE * *sorted.select_nth_unstable_by(middle, f64::total_cmp).1,
        };
        let (mut highest, mut alike) = (vec![0.0_f64; systems], Vec::new());
        let mut scale = scales.iter();
        for one in 0..systems {
            for (other, &scale) in (one + 1..systems).zip(&mut scale) {
                if scale > steep {
                    alike.push((scale, one, other));
                } else {
                    highest[one] = highest[one].max(scale);
                    highest[other] = highest[other].max(scale);
                }
            }
        }
        alike.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        Scaled { systems, scales, highest, alike }
    }

    fn scale(&self, one: usize, other: usize) -> f64 {
        let (first, second) = (one.min(other), one.max(other));
        self.scales[first * (2 * self.systems - first - 1) / 2 + second - first - 1]
    }

    /// Pairs that cannot be beyond the largest so far are not looked at: from the lowest total on, only the highest are
    /// far enough away, and of systems much alike only those with high scales.
    fn largest(&self, totals: &[f64], order: &mut Vec<usize>) -> f64 {
        order.clear();
        order.extend(0..totals.len());
        order.sort_unstable_by(|&a, &b| totals[a].total_cmp(&totals[b]));
        let mut largest = 0.0_f64;
        for &low in order.iter() {
            for &high in order.iter().rev() {
                let apart = totals[high] - totals[low];
                if apart * self.highest[low] <= largest {
                    break;
                }
                largest = largest.max(apart * self.scale(low, high));
            }
        }
        let (first, last) = (order.first(), order.last());
        let range = first.zip(last).map_or(0.0, |(&low, &high)| totals[high] - totals[low]);
        for &(scale, one, other) in &self.alike {
            if range * scale <= largest {
                break;
            }
            largest = largest.max((totals[one] - totals[other]).abs() * scale);
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numpy::ndarray::array;

    #[test]
    fn the_largest_is_that_of_all_pairs() {
        // Systems 1 and 2 are much alike: their scale is far beyond the others.
        let scales = [1.0, 1.5, 0.5, 90.0, 1.25, 0.75];
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let scaled = Scaled::new(4, &scales);
        assert_eq!(scaled.alike, [(90.0, 1, 2)]);
        let all: [[f64; 4]; 4] =
            [[3.0, -1.0, -1.0, 9.0], [0.0, 1.0, 1.5, 2.0], [0.0; 4], [5.0, 5.0, -4.0, 0.0]];
        for totals in all {
            let each = pairs.iter().zip(&scales);
            let each = each.map(|(&(a, b), &scale)| (totals[a] - totals[b]).abs() * scale);
            assert_eq!(scaled.largest(&totals, &mut Vec::new()), each.fold(0.0, f64::max));
        }
    }

    #[test]
    fn queries_without_a_difference_are_passed_over() {
        let values = array![[0.5, 1.0, 0.25], [0.5, 0.0, 0.25 + 1e-13]];
        let (rows, each) = apart(values.view(), |query| query as f64, 1e-12);
        assert_eq!((rows, each), (array![[1.0, 0.0]], vec![1.0]));
    }
}
