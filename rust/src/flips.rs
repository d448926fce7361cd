//! Sums under flips of signs.

use numpy::ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::columns::workers::shared;

/// Queries whose sums under all their signs are made at once and then looked up: a byte of signs.
const GROUP: usize = 8;
const PATTERNS: usize = 1 << GROUP;

/// Rows of signs that are summed together: their sums, and the words that are read, stay in the cache.
const BLOCK: usize = 2048;

/// (rows, H) sums of (Q, H) numbers under each row of signs.
///
/// `signs` has a bit a query, 1 for plus, in (rows, W) numbers: those of queries 8g to 8g + 7 are byte g from the lowest
/// byte on, the first query its highest bit. A sum does not depend on the number of threads or of rows.
#[pyfunction]
pub fn signed_sums<'py>(
    py: Python<'py>,
    signs: PyReadonlyArray2<'py, u64>,
    numbers: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (signs, numbers) = (signs.as_array(), numbers.as_array());
    if signs.ncols() != numbers.nrows().div_ceil(64) {
        return Err(PyValueError::new_err("as many words of signs as queries need"));
    }
    let mut sums = Array2::<f64>::zeros((signs.nrows(), numbers.ncols()));
    py.detach(|| {
        let groups = groups(numbers);
        shared(|| {
            let signs = signs.axis_chunks_iter(Axis(0), BLOCK);
            let blocks: Vec<_> = sums.axis_chunks_iter_mut(Axis(0), BLOCK).zip(signs).collect();
            blocks.into_par_iter().for_each(|(sums, signs)| block(signs, numbers, &groups, sums));
        });
    });
    Ok(PyArray2::from_owned_array(py, sums))
}

/// The queries of a group.
fn queries(numbers: ArrayView2<'_, f64>, group: usize) -> std::ops::Range<usize> {
    GROUP * group..numbers.nrows().min(GROUP * (group + 1))
}

/// The groups that add something: systems may all have answered a few of the judged queries.
fn groups(numbers: ArrayView2<'_, f64>) -> Vec<usize> {
    let some = |&group: &usize| {
        let numbers = numbers.slice(s![queries(numbers, group), ..]);
        numbers.iter().any(|&number| number != 0.0)
    };
    (0..numbers.nrows().div_ceil(GROUP)).filter(some).collect()
}

/// As many columns at a time as there are left, at most eight.
fn block(
    signs: ArrayView2<'_, u64>,
    numbers: ArrayView2<'_, f64>,
    groups: &[usize],
    mut sums: ArrayViewMut2<'_, f64>,
) {
    let mut first = 0;
    while first < numbers.ncols() {
        first += match numbers.ncols() - first {
            1 => columns::<1>(signs, numbers, groups, &mut sums, first),
            2 => columns::<2>(signs, numbers, groups, &mut sums, first),
            3..8 => columns::<4>(signs, numbers, groups, &mut sums, first),
            _ => columns::<8>(signs, numbers, groups, &mut sums, first),
        };
    }
}

/// Adds up to N columns, and says how many.
fn columns<const N: usize>(
    signs: ArrayView2<'_, u64>,
    numbers: ArrayView2<'_, f64>,
    groups: &[usize],
    sums: &mut ArrayViewMut2<'_, f64>,
    first: usize,
) -> usize {
    let count = N.min(numbers.ncols() - first);
    let mut totals = vec![[0.0; N]; signs.nrows()];
    let mut patterns = vec![[0.0; N]; PATTERNS];
    for &group in groups {
        sum_patterns(&mut patterns, numbers, group, first, count);
        let (word, shift) = (group / 8, 8 * (group % 8));
        for (total, &word) in totals.iter_mut().zip(signs.column(word)) {
            let sum = &patterns[(word >> shift) as u8 as usize];
            for (total, sum) in total.iter_mut().zip(sum) {
                *total += sum;
            }
        }
    }
    for (mut row, total) in sums.rows_mut().into_iter().zip(&totals) {
        for (at, &total) in total.iter().enumerate().take(count) {
            row[first + at] = total;
        }
    }
    count
}

/// The sums of the queries of a group under each pattern of their signs.
fn sum_patterns<const N: usize>(
    patterns: &mut [[f64; N]],
    numbers: ArrayView2<'_, f64>,
    group: usize,
    first: usize,
    count: usize,
) {
    let queries = queries(numbers, group);
    let value = |query: usize, at: usize| numbers[(query, first + at)];
    patterns[0] = [0.0; N];
    for (at, sum) in patterns[0].iter_mut().enumerate().take(count) {
        *sum = -queries.clone().map(|query| value(query, at)).sum::<f64>();
    }
    for bit in 0..GROUP {
        // The highest bit is the first query's; where there is none, its bit says nothing.
        let query = GROUP * group + GROUP - 1 - bit;
        let mut move_by = [0.0; N];
        for (at, by) in move_by.iter_mut().enumerate().take(count) {
            *by = if query < queries.end { 2.0 * value(query, at) } else { 0.0 };
        }
        let (known, next) = patterns[..2 << bit].split_at_mut(1 << bit);
        for (next, known) in next.iter_mut().zip(known) {
            for at in 0..N {
                next[at] = known[at] + move_by[at];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numpy::ndarray::array;

    #[test]
    fn sums_have_the_signs_of_the_bits() {
        let value = |(q, h)| if (8..32).contains(&q) { 0.0 } else { (q * 3 + h) as f64 };
        let numbers = Array2::from_shape_fn((70, 3), value);
        let signs = array![[0x0102_0304_0506_0708_u64, 0x41], [u64::MAX, u64::MAX]];
        let mut sums = Array2::zeros((2, 3));
        let groups = groups(numbers.view());
        assert_eq!(groups, [0, 4, 5, 6, 7, 8]);
        block(signs.view(), numbers.view(), &groups, sums.view_mut());
        let sign = |row: usize, q: usize| {
            let byte = (signs[(row, q / 64)] >> (8 * (q / 8 % 8))) as u8;
            if byte >> (7 - q % 8) & 1 == 1 { 1.0 } else { -1.0 }
        };
        for row in 0..2 {
            for h in 0..3 {
                let by_hand: f64 = (0..70).map(|q| sign(row, q) * numbers[(q, h)]).sum();
                assert_eq!(sums[(row, h)], by_hand);
            }
        }
    }
}
