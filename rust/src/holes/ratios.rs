//! The greatest ratio that grades of unjudged documents allow.

use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::arrays::segments;

/// One ratio: see `max_ratios`.
struct Ratio<'a> {
    certain: f64,
    height: ArrayView1<'a, f64>,
    above: ArrayView1<'a, i64>,
    ideal_sums: &'a [f64],
    depth: i64,
    /// What the first holes add to one unit of height, for each number of them.
    taken: &'a [f64],
}

/// What stands above and below.
#[derive(Clone, Copy)]
struct Parts {
    above: f64,
    below: f64,
}

impl Parts {
    fn value(self) -> Option<f64> {
        (self.below > 0.0).then(|| self.above / self.below)
    }
}

impl Ratio<'_> {
    /// What a level adds below with so many holes at or above it.
    fn ideal(&self, level: usize, holes: usize) -> f64 {
        let place = (self.above[level] + holes as i64).min(self.depth).max(0) as usize;
        self.height[level] * self.ideal_sums[place.min(self.ideal_sums.len() - 1)]
    }

    /// The greatest ratio over all counts of holes at or above each level; NaN where nothing ever stands below.
    ///
    /// Dinkelbach, Management Science 13(7), 1967: while "above minus value times below" can be positive, the counts
    /// that make it greatest give a greater value.
    fn greatest(&self, height: f64, parts: &mut Vec<Parts>, next: &mut Vec<Parts>) -> f64 {
        let holes = self.taken.len() - 1;
        let below = (0..self.height.len()).fold(0.0, |sum, level| sum + self.ideal(level, holes));
        let all = Parts { above: self.certain + height * self.taken[holes], below };
        let Some(mut value) = all.value() else {
            return f64::NAN;
        };
        while let Some(better) = self.best(value, parts, next).value().filter(|&one| one > value) {
            value = better;
        }
        value
    }

    /// Above and below for the counts that make "above minus value times below" greatest, found level by level: a
    /// count never falls from a level to the next below it.
    fn best(&self, value: f64, parts: &mut Vec<Parts>, next: &mut Vec<Parts>) -> Parts {
        let surplus = |one: Parts| one.above - value * one.below;
        parts.clear();
        parts.resize(self.taken.len(), Parts { above: self.certain, below: 0.0 });
        for level in 0..self.height.len() {
            if level > 0 {
                next.clear();
                let mut best = parts[0];
                for &one in parts.iter() {
                    if surplus(one) >= surplus(best) {
                        best = one;
                    }
                    next.push(best);
                }
                std::mem::swap(parts, next);
            }
            for (holes, one) in parts.iter_mut().enumerate() {
                one.above += self.height[level] * self.taken[holes];
                one.below += self.ideal(level, holes);
            }
        }
        let mut best = parts[0];
        for &one in parts.iter() {
            if surplus(one) > surplus(best) {
                best = one;
            }
        }
        best
    }
}

/// The greatest of each of R ratios over all choices of grades under which something stands below; NaN if there is none.
///
/// `certain` (R,) stands above for certain; `weight` is what one unit of the worth of each hole adds, those of ratio r at
/// `start[r]..start[r + 1]`; `height` and `above` (R, L) say how far each level of worth lies above the next, the highest first,
/// and how many judged documents reach it; `whole` (R,) is the sum of the heights; `ideal_sums` (T,) the sum of the
/// weights of the first ranks of the ideal list, and `depth` (R,) where this list ends.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the fields of a ratio")]
pub fn max_ratios<'py>(
    py: Python<'py>,
    certain: PyReadonlyArray1<'py, f64>,
    weight: PyReadonlyArray1<'py, f64>,
    start: PyReadonlyArray1<'py, i64>,
    height: PyReadonlyArray2<'py, f64>,
    above: PyReadonlyArray2<'py, i64>,
    whole: PyReadonlyArray1<'py, f64>,
    ideal_sums: PyReadonlyArray1<'py, f64>,
    depth: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (certain, weight, height) = (certain.as_array(), weight.as_slice()?, height.as_array());
    let holes = segments(start.as_slice()?, weight.len())?;
    let (above, whole, depth) = (above.as_array(), whole.as_array(), depth.as_array());
    let ideal_sums = ideal_sums.as_slice()?;
    let rows = certain.len();
    let alike = [holes.len(), height.nrows(), above.nrows(), whole.len(), depth.len()];
    if alike.iter().any(|&size| size != rows) || height.ncols() != above.ncols() {
        return Err(PyIndexError::new_err("as many rows and levels of each kind"));
    }
    if ideal_sums.is_empty() {
        return Err(PyIndexError::new_err("at least the sum of no weights"));
    }
    let (mut taken, mut parts, mut next) = (Vec::new(), Vec::new(), Vec::new());
    let mut found = Vec::with_capacity(rows);
    for (row, holes) in holes.into_iter().enumerate() {
        taken.clear();
        taken.extend_from_slice(&weight[holes]);
        taken.sort_by(|a: &f64, b| b.total_cmp(a));
        let mut sum = 0.0;
        for one in &mut taken {
            sum += *one;
            *one = sum;
        }
        taken.insert(0, 0.0);
        let ratio = Ratio {
            certain: certain[row],
            height: height.row(row),
            above: above.row(row),
            ideal_sums,
            depth: depth[row],
            taken: &taken,
        };
        found.push(ratio.greatest(whole[row], &mut parts, &mut next));
    }
    Ok(PyArray1::from_vec(py, found))
}
