//! Columns from Python objects: lists, tuples, NumPy arrays.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

use crate::columns::builder::{Cell, CellBuilder};
use crate::columns::column::{Column, Values};
use crate::columns::frame::Frame;
use crate::columns::numbers::{EXACT_HALF, EXACT_SINGLE, Floats};

/// A Python value as a cell; NumPy scalars count as the numbers they are.
pub fn cell<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Cell<'a>> {
    if object.is_none() {
        return Ok(Cell::Missing);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Cell::Text(text.to_str()?.into()));
    }
    if let Ok(value) = object.cast::<PyFloat>() {
        return Ok(Cell::Float(value.value()));
    }
    if let Ok(value) = object.cast::<PyBool>() {
        return Ok(Cell::Bool(value.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        return whole(object);
    }
    scalar(object)
}

/// An integer; one of more than 64 bits keeps its digits as text.
fn whole<'a>(object: &Bound<'_, PyAny>) -> PyResult<Cell<'a>> {
    Ok(match object.extract::<i64>() {
        Ok(value) => Cell::Int(value),
        Err(_) => Cell::Text(object.str()?.to_str()?.to_owned().into()),
    })
}

/// Anything else: by its NumPy kind, as a number if it can be one, else as it prints.
fn scalar<'a>(object: &Bound<'_, PyAny>) -> PyResult<Cell<'a>> {
    let kind = object.getattr("dtype").and_then(|dtype| dtype.getattr("kind"));
    let kind = kind.and_then(|kind| kind.extract::<String>()).unwrap_or_default();
    match kind.as_str() {
        "b" => Ok(Cell::Bool(object.is_truthy()?)),
        "i" | "u" => whole(&object.call_method0("item")?),
        "f" => Ok(Cell::Float(object.extract()?)),
        "M" | "m" => printed(object), // which have __float__, and refuse it
        _ => other(object),
    }
}

fn other<'a>(object: &Bound<'_, PyAny>) -> PyResult<Cell<'a>> {
    if object.hasattr("__float__")? {
        return Ok(Cell::Float(object.extract()?));
    }
    printed(object)
}

fn printed<'a>(object: &Bound<'_, PyAny>) -> PyResult<Cell<'a>> {
    let text = object.str()?.to_str()?.to_owned();
    Ok(if text == "<NA>" || text == "NaT" { Cell::Missing } else { Cell::Text(text.into()) })
}

fn listed(values: &Bound<'_, PyAny>) -> PyResult<Column> {
    let mut builder = CellBuilder::default();
    for object in values.try_iter()? {
        builder.push(cell(&object?)?);
    }
    Ok(builder.finish())
}

/// A one-dimensional NumPy array; numbers are copied as they are.
fn array(values: &Bound<'_, PyAny>) -> PyResult<Column> {
    if values.getattr("ndim")?.extract::<usize>()? != 1 {
        return Err(PyValueError::new_err("a column must have one dimension"));
    }
    let dtype = values.getattr("dtype")?;
    let (kind, size): (String, usize) =
        (dtype.getattr("kind")?.extract()?, dtype.getattr("itemsize")?.extract()?);
    match kind.as_str() {
        "f" if size <= 4 => {
            let floats = Floats::Single(typed::<f32>(values, "float32")?.into());
            let exact = if size < 4 { EXACT_HALF } else { EXACT_SINGLE };
            Ok(Column::numeric(floats).exact_below(exact))
        }
        "f" => Ok(Column::numeric(Floats::Double(typed::<f64>(values, "float64")?.into()))),
        "i" => Ok(Column::new(Values::Int(typed::<i64>(values, "int64")?.into()), None)),
        "u" if size < 8 => {
            Ok(Column::new(Values::Int(typed::<i64>(values, "int64")?.into()), None))
        }
        "b" => Ok(Column::new(Values::Bool(typed::<bool>(values, "bool")?.into()), None)),
        "M" | "m" => dates(values),
        _ => listed(&values.call_method0("tolist")?),
    }
}

fn dates(values: &Bound<'_, PyAny>) -> PyResult<Column> {
    let texts: Vec<String> =
        values.call_method1("astype", ("str",))?.call_method0("tolist")?.extract()?;
    let mut builder = CellBuilder::default();
    for text in texts {
        builder.push(if text == "NaT" { Cell::Missing } else { Cell::Text(text.into()) });
    }
    Ok(builder.finish())
}

fn typed<T: numpy::Element + Copy>(values: &Bound<'_, PyAny>, dtype: &str) -> PyResult<Vec<T>> {
    let cast = values.call_method1("astype", (dtype,))?;
    let array: PyReadonlyArray1<'_, T> = cast.cast::<PyArray1<T>>()?.readonly();
    Ok(array.as_array().to_vec())
}

fn column(values: &Bound<'_, PyAny>) -> PyResult<Column> {
    if let Ok(column) = values.extract::<Column>() {
        return Ok(column);
    }
    let numpy = values.hasattr("dtype")? && values.hasattr("astype")? && values.hasattr("ndim")?;
    if numpy && values.hasattr("__array_interface__")? { array(values) } else { listed(values) }
}

/// A frame from lists, tuples, NumPy arrays or any other iterables of equal length.
#[pyfunction]
pub fn from_columns(names: Vec<String>, values: Vec<Bound<'_, PyAny>>) -> PyResult<Frame> {
    if names.len() != values.len() {
        return Err(PyValueError::new_err("as many names as columns are needed"));
    }
    let columns: Vec<Column> = values.iter().map(column).collect::<PyResult<_>>()?;
    if columns.windows(2).any(|pair| pair[0].len() != pair[1].len()) {
        return Err(PyValueError::new_err("columns must have the same length"));
    }
    Ok(Frame::new("object", names.into_iter().zip(columns).collect()))
}
