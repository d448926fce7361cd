//! A table as it was read.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::columns::Column;
use crate::held::Held;
use crate::lines::Lines;

/// A table as it was read: named columns of equal length.
#[pyclass(frozen, module = "idealrank._core")]
pub struct Frame {
    names: Vec<String>,
    columns: Vec<Held>,
    rows: usize,
    format: &'static str,
    skipped: u64,
    lines: Lines,
}

impl Frame {
    pub fn new<N, C>(format: &'static str, columns: Vec<(N, C)>) -> Frame
    where
        N: Into<String>,
        C: Into<Held>,
    {
        let (names, columns): (Vec<String>, Vec<Held>) =
            columns.into_iter().map(|(name, column)| (name.into(), column.into())).unzip();
        let rows = columns.first().map_or(0, Held::len);
        Frame { names, columns, rows, format, skipped: 0, lines: Lines::default() }
    }

    pub fn at_lines(mut self, lines: Lines, skipped: u64) -> Frame {
        self.lines = lines;
        self.skipped = skipped;
        self
    }
}

#[pymethods]
impl Frame {
    /// Names of the columns, in order.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> usize {
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
    fn column(&self, py: Python<'_>, index: usize) -> PyResult<Column> {
        let held =
            self.columns.get(index).ok_or_else(|| PyIndexError::new_err("no such column"))?;
        Ok(py.detach(|| held.column())?)
    }

    /// The 1-based line of the source on which `row` stands; 0 if the source has no lines.
    fn line(&self, row: usize) -> u64 {
        self.lines.line(row)
    }
}
