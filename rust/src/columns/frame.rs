//! A table as it was read.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow_array::{Array, StructArray};
use arrow_schema::Field;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::columns::builder::CellBuilder;
use crate::columns::capsules;
use crate::columns::column::Column;
use crate::columns::lazy::LazyColumn;
use crate::columns::lines::Lines;
use crate::errors::Bad;

/// Row numbers are 32 bits wide, and the highest is no row.
pub fn check_rows(rows: usize) -> Result<(), Bad> {
    if rows < u32::MAX as usize {
        return Ok(());
    }
    Err(Bad::text("too_many_rows", 0, "", rows.to_string().as_bytes()))
}

/// A table as it was read: named columns of equal length.
#[pyclass(frozen, module = "idealrank._core")]
pub struct Frame {
    names: Vec<String>,
    columns: Vec<LazyColumn>,
    rows: usize,
    format: &'static str,
    skipped: u64,
    lines: Lines,
    nested: BTreeMap<usize, usize>,
}

impl Frame {
    pub fn new<N, C>(format: &'static str, columns: Vec<(N, C)>) -> Frame
    where
        N: Into<String>,
        C: Into<LazyColumn>,
    {
        let (names, columns): (Vec<String>, Vec<LazyColumn>) =
            columns.into_iter().map(|(name, column)| (name.into(), column.into())).unzip();
        let rows = columns.first().map_or(0, LazyColumn::len);
        let (lines, nested) = (Lines::default(), BTreeMap::new());
        Frame { names, columns, rows, format, skipped: 0, lines, nested }
    }

    pub fn column(&self, index: usize) -> Result<Column, Bad> {
        self.columns[index].column()
    }

    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    fn table(&self) -> Result<StructArray, Bad> {
        let mut fields = Vec::with_capacity(self.columns.len());
        let mut arrays = Vec::with_capacity(self.columns.len());
        for (name, lazy) in self.names.iter().zip(&self.columns) {
            let array = lazy.column()?.to_arrow()?;
            fields.push(Field::new(name, array.data_type().clone(), true));
            arrays.push(array);
        }
        let table = StructArray::try_new_with_length(fields.into(), arrays, None, self.rows);
        table.map_err(Bad::corrupt)
    }

    /// The column called `name`.
    pub fn named(&self, name: &str) -> Option<LazyColumn> {
        let place = self.names.iter().position(|other| other == name)?;
        Some(self.columns[place].clone())
    }

    /// A table of the same format with other columns.
    pub fn with_columns(&self, columns: Vec<(String, LazyColumn)>) -> Frame {
        Frame::new(self.format, columns)
    }

    pub fn at_lines(mut self, lines: Lines, skipped: u64) -> Frame {
        self.lines = lines;
        self.skipped = skipped;
        self
    }

    /// Says which columns hold lists or objects, and the row of the first.
    pub fn with_nested(mut self, nested: BTreeMap<usize, usize>) -> Frame {
        self.nested = nested;
        self
    }
}

#[pymethods]
impl Frame {
    /// Names of the columns, in order.
    #[getter]
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Number of rows.
    #[getter]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// What the table was read from.
    #[getter]
    fn format(&self) -> &'static str {
        self.format
    }

    /// Comment lines and blank lines that were passed over.
    #[getter]
    fn skipped(&self) -> u64 {
        self.skipped
    }

    /// The column at `index`.
    #[pyo3(name = "column")]
    fn column_at(&self, py: Python<'_>, index: usize) -> PyResult<Column> {
        let lazy =
            self.columns.get(index).ok_or_else(|| PyIndexError::new_err("no such column"))?;
        Ok(py.detach(|| lazy.column())?)
    }

    /// The first row whose value in the column is a list or an object; they are held as text.
    fn nested(&self, index: usize) -> Option<usize> {
        self.nested.get(&index).copied().or_else(|| self.columns.get(index)?.nested())
    }

    /// All columns as one Arrow stream.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a wish that may be left to the caller
        let table = py.detach(|| self.table())?;
        capsules::stream(py, Arc::new(table), false)
    }

    /// The columns called `names`, in this order; one that is not there has only missing values.
    fn padded(&self, names: Vec<String>) -> Result<Frame, Bad> {
        let missing = || {
            let mut cells = CellBuilder::default();
            cells.pad(self.rows);
            cells.finish()
        };
        let mut places = HashMap::new();
        for (place, name) in self.names.iter().enumerate().rev() {
            places.insert(name, place); // the first of a name that occurs twice
        }
        let place = |name: &String| places.get(name).copied();
        let mut columns = Vec::with_capacity(names.len());
        let mut nested = BTreeMap::new();
        for (at, name) in names.iter().enumerate() {
            let found = place(name);
            columns.push((
                name.clone(),
                found.map_or_else(|| Ok(missing()), |place| self.column(place))?,
            ));
            if let Some(&row) = found.and_then(|place| self.nested.get(&place)) {
                nested.insert(at, row);
            }
        }
        let frame = Frame::new(self.format, columns).with_nested(nested);
        Ok(frame.at_lines(self.lines.clone(), self.skipped))
    }

    /// The 1-based line of the source on which `row` stands; 0 if the source has no lines.
    fn line(&self, row: usize) -> u64 {
        self.lines.line(row)
    }
}
