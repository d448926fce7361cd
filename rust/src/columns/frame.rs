//! A table as it was read.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray, StructArray,
};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::columns::arrow::{self, capsules};
use crate::columns::builder::{CellBuilder, SparseColumn};
use crate::columns::column::{Column, Strays};
use crate::errors::Bad;

/// Row numbers are 32 bits wide, and the highest is no row.
pub fn check_rows(rows: usize) -> Result<(), Bad> {
    if rows < u32::MAX as usize {
        return Ok(());
    }
    Err(Bad::text("too_many_rows", 0, "", rows.to_string().as_bytes()))
}

/// A table as it was read: named columns of equal length.
#[derive(Clone)]
#[pyclass(frozen, module = "idealrank._core")]
pub struct Frame {
    names: Vec<String>,
    columns: Vec<LazyColumn>,
    rows: usize,
    format: Cow<'static, str>,
    skipped: u64,
    lines: Lines,
    nested: BTreeMap<usize, usize>,
}

impl Frame {
    pub fn new<N, C>(format: impl Into<Cow<'static, str>>, columns: Vec<(N, C)>) -> Frame
    where
        N: Into<String>,
        C: Into<LazyColumn>,
    {
        let (names, columns): (Vec<String>, Vec<LazyColumn>) =
            columns.into_iter().map(|(name, column)| (name.into(), column.into())).unzip();
        let rows = columns.first().map_or(0, LazyColumn::len);
        let (lines, nested) = (Lines::default(), BTreeMap::new());
        Frame { names, columns, rows, format: format.into(), skipped: 0, lines, nested }
    }

    /// The columns of Arrow's batches, made when one asks for them.
    pub fn of_batches(schema: &Schema, batches: &[RecordBatch]) -> Frame {
        let arrays = |at: usize| batches.iter().map(|batch| batch.column(at).clone()).collect();
        let columns = schema
            .fields()
            .iter()
            .enumerate()
            .map(|(at, field)| {
                let (arrays, kind) = arrow::spelled(field, arrow::is_uuid(field), arrays(at));
                (field.name().clone(), LazyColumn::arrays(arrays, kind))
            })
            .collect();
        Frame::new("arrow", columns)
    }

    pub fn column(&self, index: usize) -> Result<Column, Bad> {
        self.columns[index].column()
    }

    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// All columns as one array.
    pub fn table(&self) -> Result<StructArray, Bad> {
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
        Frame::new(self.format.clone(), columns)
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
    fn format(&self) -> &str {
        &self.format
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

    /// The same table, as if it had been read from another format.
    fn read_from(&self, format: String) -> Frame {
        Frame { format: format.into(), ..self.clone() }
    }

    /// The columns called `names`, in this order; one that is not there has only missing values.
    fn padded(&self, names: Vec<String>) -> Frame {
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
        let mut columns: Vec<(String, LazyColumn)> = Vec::with_capacity(names.len());
        let mut nested = BTreeMap::new();
        for (at, name) in names.iter().enumerate() {
            let found = place(name);
            columns.push((
                name.clone(),
                found.map_or_else(|| missing().into(), |place| self.columns[place].clone()),
            ));
            if let Some(&row) = found.and_then(|place| self.nested.get(&place)) {
                nested.insert(at, row);
            }
        }
        let frame = Frame::new(self.format.clone(), columns).with_nested(nested);
        frame.at_lines(self.lines.clone(), self.skipped)
    }

    /// The 1-based line of the source on which `row` stands; 0 if the source has no lines.
    fn line(&self, row: usize) -> u64 {
        self.lines.line(row)
    }
}

/// From row `breaks[i].0` on, rows stand on consecutive lines from `breaks[i].1`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    breaks: Vec<(u32, u64)>,
    /// Line minus row since the last break, wrapping around.
    ahead: u64,
}

impl Lines {
    /// Says that `row` stands on `line` (1-based); rows come in order.
    pub fn push(&mut self, row: usize, line: u64) {
        // Several rows may stand on one line, so that rows run ahead of lines.
        let ahead = line.wrapping_sub(row as u64);
        if ahead != self.ahead {
            self.ahead = ahead;
            self.breaks.push((row as u32, line));
        }
    }

    /// Puts `part`, whose rows and lines count from a block's start, behind these.
    pub fn append(&mut self, rows: usize, lines: u64, part: &mut Lines) {
        for (row, line) in part.breaks.drain(..) {
            self.push(rows + row as usize, lines + line);
        }
        part.ahead = 0;
    }

    /// The line of a row.
    pub fn line(&self, row: usize) -> u64 {
        let at = self.breaks.partition_point(|&(first, _)| first as usize <= row);
        match at.checked_sub(1).map(|at| self.breaks[at]) {
            Some((first, line)) => line + (row - first as usize) as u64,
            None => 0,
        }
    }
}

/// Arrow arrays that become a column when one asks for it.
#[derive(Clone)]
pub struct Chunks {
    arrays: Vec<ArrayRef>,
    kind: DataType,
    made: OnceLock<Column>,
}

/// A column, or what it can be made from.
#[derive(Clone)]
pub enum LazyColumn {
    Column(Column),
    Chunks(Box<Chunks>),
    /// Few rows have values. What is made of it is not kept, since there may be as many such columns as rows.
    Sparse(Arc<SparseColumn>),
}

impl From<Column> for LazyColumn {
    fn from(column: Column) -> LazyColumn {
        LazyColumn::Column(column)
    }
}

impl LazyColumn {
    pub fn arrays(arrays: Vec<ArrayRef>, kind: DataType) -> LazyColumn {
        LazyColumn::Chunks(Box::new(Chunks { arrays, kind, made: OnceLock::new() }))
    }

    /// The column of some cells; where few rows have values it is made when one asks for it, and not kept.
    pub fn built(cells: CellBuilder) -> LazyColumn {
        let sparse = cells.finish_sparse();
        if sparse.is_scarce() {
            return LazyColumn::Sparse(Arc::new(sparse));
        }
        sparse.column().into()
    }

    /// Puts these values behind those of `cells`.
    pub fn add_to(&self, cells: &mut CellBuilder) -> Result<(), Bad> {
        if let LazyColumn::Sparse(sparse) = self {
            cells.append_sparse(sparse);
            return Ok(());
        }
        cells.append_column(&self.column()?);
        Ok(())
    }

    pub fn len(&self) -> usize {
        match self {
            LazyColumn::Column(column) => column.len(),
            LazyColumn::Chunks(chunks) => chunks.arrays.iter().map(|array| array.len()).sum(),
            LazyColumn::Sparse(sparse) => sparse.len(),
        }
    }

    /// The first row of an Arrow column of lists or objects that has one.
    pub fn nested(&self) -> Option<usize> {
        let LazyColumn::Chunks(chunks) = self else {
            return None;
        };
        if !chunks.kind.is_nested() {
            return None;
        }
        let mut before = 0;
        for array in &chunks.arrays {
            if let Some(row) = (0..array.len()).find(|&row| array.is_valid(row)) {
                return Some(before + row);
            }
            before += array.len();
        }
        None
    }

    /// The arrays it is made from, and their type.
    pub fn chunks(&self) -> Result<(Vec<ArrayRef>, DataType), Bad> {
        if let LazyColumn::Chunks(chunks) = self {
            return Ok((chunks.arrays.clone(), chunks.kind.clone()));
        }
        let array = self.column()?.to_arrow()?;
        let kind = array.data_type().clone();
        Ok((vec![array], kind))
    }

    pub fn column(&self) -> Result<Column, Bad> {
        let chunks = match self {
            LazyColumn::Column(column) => return Ok(column.clone()),
            LazyColumn::Sparse(sparse) => return Ok(sparse.column()),
            LazyColumn::Chunks(chunks) => chunks,
        };
        if let Some(column) = chunks.made.get() {
            return Ok(column.clone());
        }
        let column = arrow::column(&chunks.arrays, &chunks.kind)?;
        Ok(chunks.made.get_or_init(|| column).clone())
    }
}

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
    let other = chunks.iter().position(|(_, kind)| kind != first);
    let strays = |part: &LazyColumn| matches!(part, LazyColumn::Column(column) if column.strays() != Strays::default());
    if other.is_none() && !parts.iter().any(strays) {
        let arrays: Vec<ArrayRef> = chunks.iter().flat_map(|(arrays, _)| arrays.clone()).collect();
        return Ok(LazyColumn::arrays(arrays, first.clone()));
    }
    let odd = other.and_then(|other| {
        let part = chunks.iter().position(|(_, kind)| !mixes(kind))?;
        Some(if part == 0 { other } else { part })
    });
    if let Some(part) = odd {
        let kinds = format!("{} and {first}", chunks[part].1);
        return Err(Bad::text("column_type", part as u64, name, b"").detail(kinds));
    }
    let mut cells = CellBuilder::default();
    for part in parts {
        part.add_to(&mut cells)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_know_their_lines_across_blocks() {
        let (mut whole, mut part) = (Lines::default(), Lines::default());
        for (row, line) in [(0, 1), (1, 2), (2, 5)] {
            part.push(row, line);
        }
        whole.append(0, 0, &mut part);
        part.push(0, 2);
        whole.append(3, 5, &mut part);
        assert_eq!((0..4).map(|row| whole.line(row)).collect::<Vec<_>>(), [1, 2, 5, 7]);
        assert_eq!(whole.breaks.len(), 3);
    }

    #[test]
    fn several_rows_may_stand_on_one_line() {
        let mut lines = Lines::default();
        for (row, line) in [(0, 1), (1, 1), (2, 1), (3, 2)] {
            lines.push(row, line);
        }
        assert_eq!((0..4).map(|row| lines.line(row)).collect::<Vec<_>>(), [1, 1, 1, 2]);
    }
}
