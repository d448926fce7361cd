//! NumPy arrays in and out, and lists of texts out.

#![expect(unsafe_code, reason = "a view of NumPy borrows from its owner")]

use std::ops::Range;

use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::PyClass;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyList, PyString};

use crate::columns::text::Texts;

/// A read-only NumPy array over memory that `owner` holds; it keeps `owner` alive.
pub fn view<'py, C, T>(owner: &Bound<'py, C>, field: fn(&C) -> &[T]) -> Bound<'py, PyArray1<T>>
where
    C: PyClass<Frozen = True> + Sync,
    T: Element,
{
    let values = ArrayView1::from(field(owner.get()));
    // SAFETY: `field` can only borrow from the frozen `owner`, whose vectors are never touched
    // after it was made, and the array holds a reference to `owner` and cannot be written to.
    let array = unsafe { PyArray1::borrow_from_array(&values, owner.clone().into_any()) };
    array.readwrite().make_nonwriteable();
    array
}

/// Row or entry numbers, each below `limit`.
pub fn indices(values: &PyReadonlyArray1<'_, i64>, limit: usize) -> PyResult<Vec<u32>> {
    values.as_array().iter().map(|&value| index(value, limit)).collect()
}

fn index(value: i64, limit: usize) -> PyResult<u32> {
    match usize::try_from(value) {
        Ok(row) if row < limit => Ok(row as u32),
        _ => Err(PyIndexError::new_err(format!("no row {value} among {limit}"))),
    }
}

/// A list of all texts.
pub fn strings<'py>(py: Python<'py>, texts: &Texts) -> PyResult<Bound<'py, PyList>> {
    let mut scratch = [0; 16];
    let text = |row| PyString::new(py, &String::from_utf8_lossy(texts.bytes(row, &mut scratch)));
    PyList::new(py, (0..texts.len()).map(text))
}

/// The bounds of segments, `start[i]..start[i + 1]`, among so many values.
pub fn segments(start: &[i64], size: usize) -> PyResult<Vec<Range<usize>>> {
    let bounds = |pair: &[i64]| match (usize::try_from(pair[0]), usize::try_from(pair[1])) {
        (Ok(first), Ok(last)) if first <= last && last <= size => Ok(first..last),
        _ => Err(PyIndexError::new_err(format!("no values {pair:?} among {size}"))),
    };
    start.windows(2).map(bounds).collect()
}
