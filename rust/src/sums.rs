//! Exactly rounded sums.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::columns::scan::PIECE;
use crate::columns::workers::{self, shared};

/// Adds finite numbers without loss: the parts overlap nowhere, the largest last.
///
/// Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", Discrete & Computational Geometry 18, 1997, grow-expansion.
fn grow(parts: &mut Vec<f64>, mut value: f64) {
    let mut kept = 0;
    for at in 0..parts.len() {
        let (large, small) =
            if value.abs() < parts[at].abs() { (parts[at], value) } else { (value, parts[at]) };
        let sum = large + small;
        let lost = small - (sum - large);
        if lost != 0.0 {
            parts[kept] = lost;
            kept += 1;
        }
        value = sum;
    }
    parts.truncate(kept);
    parts.push(value);
}

/// The sum of numbers, in parts.
fn sum(values: &[f64]) -> Vec<f64> {
    let mut parts = Vec::new();
    values.iter().for_each(|&value| grow(&mut parts, value));
    parts
}

fn together(mut parts: Vec<f64>, others: Vec<f64>) -> Vec<f64> {
    others.into_iter().for_each(|part| grow(&mut parts, part));
    parts
}

/// The number nearest to the sum of the parts.
fn rounded(parts: &[f64]) -> f64 {
    let mut rest = parts.iter().rev();
    let Some(&first) = rest.next() else {
        return 0.0;
    };
    let (mut sum, mut lost) = (first, 0.0);
    while lost == 0.0 {
        let Some(&part) = rest.next() else {
            return sum;
        };
        let before = sum;
        sum = before + part;
        lost = part - (sum - before);
    }
    // Half-way cases go where the next part pulls.
    let pulls = rest.next().is_some_and(|next| (lost < 0.0) == (*next < 0.0));
    let doubled = lost * 2.0;
    let beyond = sum + doubled;
    if pulls && doubled == beyond - sum { beyond } else { sum }
}

/// The sum of `values`, rounded once, whatever their order.
#[pyfunction]
pub fn exact_sum(py: Python<'_>, values: PyReadonlyArray1<'_, f64>) -> PyResult<f64> {
    let values = values.as_array();
    let parts = py.detach(|| match values.as_slice() {
        // Waking the threads takes longer than adding a few numbers, by far on a busy machine.
        Some(values) if values.len() <= PIECE => sum(values),
        Some(values) => shared(|| values.par_chunks(PIECE).map(sum).reduce(Vec::new, together)),
        None => together(Vec::new(), values.to_vec()),
    });
    if parts.iter().all(|part| part.is_finite()) {
        return Ok(rounded(&parts));
    }
    Err(PyValueError::new_err("the sum is beyond the range of numbers"))
}

/// The sum of each segment's values up to and with each of them, added in order; segment i is
/// `values[start[i]..start[i + 1]]`.
#[pyfunction]
pub fn running_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    start: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (mut sums, start) = (values.as_array().to_vec(), start.as_array().to_vec());
    for bounds in start.windows(2) {
        let segment = sums
            .get_mut(bounds[0] as usize..bounds[1] as usize)
            .ok_or_else(|| PyIndexError::new_err(format!("no values {bounds:?}")))?;
        let mut total = 0.0;
        for value in segment {
            total += *value;
            *value = total;
        }
    }
    Ok(PyArray1::from_vec(py, sums))
}

/// How many threads the core works with.
#[pyfunction]
pub fn threads() -> usize {
    workers::threads()
}
