//! Tables of one shape, one below the other.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray};
use arrow_schema::DataType;
use pyo3::prelude::*;

use crate::columns::builder::{Cell, CellBuilder};
use crate::columns::frame::Frame;
use crate::columns::lazy::LazyColumn;
use crate::errors::Bad;

/// A column that has one value, or none, in every row.
fn constant(value: Option<&str>, rows: usize) -> Result<LazyColumn, Bad> {
    let values = Arc::new(StringArray::from_iter_values([value.unwrap_or_default()]));
    let keys: Int32Array = std::iter::repeat_n(value.map(|_| 0), rows).collect();
    let array = DictionaryArray::<Int32Type>::try_new(keys, values).map_err(Bad::corrupt)?;
    let kind = array.data_type().clone();
    Ok(LazyColumn::arrays(vec![Arc::new(array)], kind))
}

/// What values of two types may become together: numbers and texts of any kind mix, others do not.
fn mixes(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, inner) => mixes(inner),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        kind => kind.is_numeric(),
    }
}

/// One column of all parts; an error says which part's is of another type.
fn stacked_column(name: &str, parts: &[LazyColumn]) -> Result<LazyColumn, Bad> {
    let chunks = parts.iter().map(LazyColumn::chunks).collect::<Result<Vec<_>, Bad>>()?;
    let first = &chunks[0].1;
    let Some(other) = chunks.iter().position(|(_, kind)| kind != first) else {
        let arrays: Vec<ArrayRef> = chunks.iter().flat_map(|(arrays, _)| arrays.clone()).collect();
        return Ok(LazyColumn::arrays(arrays, first.clone()));
    };
    if let Some(part) = chunks.iter().position(|(_, kind)| !mixes(kind)) {
        let part = if part == 0 { other } else { part };
        let kinds = format!("{} and {first}", chunks[part].1);
        return Err(Bad::text("column_type", part as u64, name, b"").detail(kinds));
    }
    let mut cells = CellBuilder::default();
    for part in parts {
        let column = part.column()?;
        (0..column.len()).for_each(|row| cells.push(Cell::from(column.value(row))));
    }
    Ok(cells.finish().into())
}

/// One table of the rows of several, with columns that are the same in all rows of a part.
///
/// Columns are matched by name, and are those of the first part. An error's line is the place of
/// the part that it is about.
#[pyfunction]
pub fn stacked(
    py: Python<'_>,
    parts: Vec<Py<Frame>>,
    constants: Vec<Vec<(String, Option<String>)>>,
) -> PyResult<Frame> {
    let parts: Vec<&Frame> = parts.iter().map(Py::get).collect();
    Ok(py.detach(|| below(&parts, &constants))?)
}

fn below(parts: &[&Frame], constants: &[Vec<(String, Option<String>)>]) -> Result<Frame, Bad> {
    let mut columns = Vec::new();
    let beside = |name: &String| constants[0].iter().any(|(other, _)| other == name);
    for name in parts[0].names().into_iter().filter(|name| !beside(name)) {
        let same = |(place, part): (usize, &&Frame)| {
            part.named(&name).ok_or_else(|| Bad::text("no_column", place as u64, &name, b""))
        };
        let each = parts.iter().enumerate().map(same).collect::<Result<Vec<_>, Bad>>()?;
        columns.push((name.clone(), stacked_column(&name, &each)?));
    }
    for (place, (name, _)) in constants[0].iter().enumerate() {
        let same = |(part, values): (&&Frame, &Vec<(String, Option<String>)>)| {
            constant(values[place].1.as_deref(), part.rows())
        };
        let each = parts.iter().zip(constants).map(same).collect::<Result<Vec<_>, Bad>>()?;
        columns.push((name.clone(), stacked_column(name, &each)?));
    }
    Ok(parts[0].with_columns(columns))
}
