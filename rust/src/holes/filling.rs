//! Judgments that hold grades for documents nobody judged.

use std::cmp::Ordering;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::arrays::segments;

type Merged<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

/// The grades and entries of the judgments of each query together with those of further documents, highest grade first.
///
/// Those of query q are `start[q]..start[q + 1]` of the judgments, which have the highest grade first, and
/// `more_start[q]..more_start[q + 1]` of the others. Of the same grade judgments come first, then the others as they
/// are.
#[pyfunction]
pub fn merge_judgments<'py>(
    py: Python<'py>,
    start: PyReadonlyArray1<'py, i64>,
    grade: PyReadonlyArray1<'py, f64>,
    entry: PyReadonlyArray1<'py, i64>,
    more_start: PyReadonlyArray1<'py, i64>,
    more_grade: PyReadonlyArray1<'py, f64>,
    more_entry: PyReadonlyArray1<'py, i64>,
) -> PyResult<Merged<'py>> {
    let (grade, entry) = (grade.as_slice()?, entry.as_slice()?);
    let (more_grade, more_entry) = (more_grade.as_slice()?, more_entry.as_slice()?);
    let judged = segments(start.as_slice()?, grade.len().min(entry.len()))?;
    let more = segments(more_start.as_slice()?, more_grade.len().min(more_entry.len()))?;
    if judged.len() != more.len() {
        return Err(PyIndexError::new_err("as many queries of one kind as of the other"));
    }
    let size = grade.len() + more_grade.len();
    let (mut grades, mut entries) = (Vec::with_capacity(size), Vec::with_capacity(size));
    let mut order = Vec::new();
    for (judged, more) in judged.into_iter().zip(more) {
        order.clear();
        order.extend(more);
        order.sort_by(|&a: &usize, &b| {
            more_grade[b].partial_cmp(&more_grade[a]).unwrap_or(Ordering::Equal)
        });
        let mut next = judged.start;
        for &at in &order {
            let before = next;
            while next < judged.end && grade[next] >= more_grade[at] {
                next += 1;
            }
            grades.extend_from_slice(&grade[before..next]);
            entries.extend_from_slice(&entry[before..next]);
            grades.push(more_grade[at]);
            entries.push(more_entry[at]);
        }
        grades.extend_from_slice(&grade[next..judged.end]);
        entries.extend_from_slice(&entry[next..judged.end]);
    }
    Ok((PyArray1::from_vec(py, grades), PyArray1::from_vec(py, entries)))
}
