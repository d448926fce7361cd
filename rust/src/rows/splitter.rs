//! The rows of a file as Python hands them to an engine: an Arrow stream, read while the engine takes it.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::columns::arrow::capsules;
use crate::errors::Bad;
use crate::read::signals::Progress;
use crate::read::source::Source;
use crate::rows::hashing::hash_of;
use crate::rows::tables;
use crate::rows::text_records::{self, Records, Text};

#[derive(Clone)]
enum How {
    Text(Text),
    Table { key: String },
}

/// How the query of each row of a file is found.
#[pyclass(frozen, module = "idealrank._core")]
pub struct Splitter {
    how: How,
}

#[pymethods]
impl Splitter {
    /// Lines of fields between white space, the first of which is the query.
    #[staticmethod]
    #[pyo3(signature = (above = 0))]
    fn fields(above: u64) -> Splitter {
        Splitter { how: How::Text(Text { records: Records::Fields, above, headed: false }) }
    }

    /// Delimited text whose field `place` is the query, with or without a header after `above` lines.
    #[staticmethod]
    #[pyo3(signature = (delimiter, place, above = 0, headed = true))]
    fn delimited(delimiter: &str, place: usize, above: u64, headed: bool) -> PyResult<Splitter> {
        let &[delimiter] = delimiter.as_bytes() else {
            return Err(PyValueError::new_err("the delimiter must be one ASCII character"));
        };
        let records = Records::Delimited { delimiter, place };
        Ok(Splitter { how: How::Text(Text { records, above, headed }) })
    }

    /// Lines of JSON objects whose value at `key` is the query.
    #[staticmethod]
    fn objects(key: String) -> Splitter {
        let records = Records::Objects { key };
        Splitter { how: How::Text(Text { records, above: 0, headed: false }) }
    }

    /// A Parquet or Arrow file whose column `key` is the query.
    #[staticmethod]
    fn table(key: String) -> Splitter {
        Splitter { how: How::Table { key } }
    }

    /// The rows of a file.
    #[pyo3(signature = (source, progress = None))]
    fn rows(&self, py: Python<'_>, source: PathBuf, progress: Option<Progress>) -> PyResult<Rows> {
        let (how, progress) = (self.how.clone(), progress.unwrap_or_default());
        let (start, schema) = py.detach(|| match &how {
            How::Text(text) => {
                let (start, _) = text.open(&Source::Path(source.clone()), &Progress::default())?;
                Ok((start, text_records::schema()))
            }
            How::Table { key } => {
                let opened = tables::open(&source, &Progress::default())?;
                Ok::<_, Bad>((Vec::new(), opened.with_queries(key)?.schema))
            }
        })?;
        Ok(Rows { how, source, progress, start, schema, ended: Arc::default() })
    }
}

/// How the reading of a file ended: what its records name, or what is wrong with it.
type Ended = Arc<Mutex<Option<Result<Vec<String>, Bad>>>>;

/// The rows of a file, each with the hash of its query and its place: (query, row, columns …) of a table, and of text
/// (query, line, text), where a text has all records of one query that stand together.
#[pyclass(frozen, module = "idealrank._core")]
pub struct Rows {
    how: How,
    source: PathBuf,
    progress: Progress,
    start: Vec<u8>,
    schema: SchemaRef,
    ended: Ended,
}

#[pymethods]
impl Rows {
    /// The text above all records, of as many lines as the file has there, such as a header.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.start)
    }

    /// The keys of all objects, once the rows are read; of lines of fields some values of the second, one if it is the
    /// same in all. Raises what is wrong with the file, or that it was not read to its end: no row is lost in silence.
    fn names(&self) -> PyResult<Vec<String>> {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(ended.unwrap_or_else(|| Err(Bad::corrupt("it was not read to its end")))?)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a wish that may be left to the caller
        let (how, source) = (self.how.clone(), self.source.clone());
        let (progress, ended) = (self.progress.clone(), self.ended.clone());
        let begin = move || begin(how, source, progress, ended);
        let schema = self.schema.clone();
        capsules::reader(py, Box::new(Lazy { schema, begin: Some(Box::new(begin)), batches: None }))
    }
}

/// Batches that wait: one is read while the last is used.
const AHEAD: usize = 2;

/// Reads a file on a thread of its own.
fn begin(how: How, source: PathBuf, progress: Progress, ended: Ended) -> Receiver<RecordBatch> {
    let (send, batches) = sync_channel(AHEAD);
    thread::spawn(move || {
        let take = |batch| send.send(batch).map_err(|_| Bad::corrupt("nobody reads it"));
        let names = match &how {
            How::Text(text) => text_records::read(text, &Source::Path(source), &progress, take),
            How::Table { key } => tables::open(&source, &progress)
                .and_then(|opened| opened.with_queries(key)?.try_for_each(|batch| take(batch?)))
                .map(|()| Vec::new()),
        };
        *ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(names);
    });
    batches
}

/// Batches that are read as soon as somebody takes the first.
struct Lazy {
    schema: SchemaRef,
    begin: Option<Box<dyn FnOnce() -> Receiver<RecordBatch> + Send>>,
    batches: Option<Receiver<RecordBatch>>,
}

impl Iterator for Lazy {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(begin) = self.begin.take() {
            self.batches = Some(begin());
        }
        // A file that cannot be read just ends here; whoever reads it asks for its names, which say so.
        self.batches.as_ref()?.recv().ok().map(Ok)
    }
}

impl RecordBatchReader for Lazy {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// The hash of a query, as rows have it.
#[pyfunction]
pub fn query_hash(query: &str) -> u64 {
    hash_of(query.as_bytes())
}

/// The columns of a Parquet or Arrow file, without reading rows.
#[pyfunction]
pub fn column_names(py: Python<'_>, source: PathBuf) -> PyResult<Vec<String>> {
    let batches = py.detach(|| tables::open(&source, &Progress::default()))?;
    Ok(batches.schema.fields().iter().map(|field| field.name().clone()).collect())
}

/// The rows of a Parquet file, and their bytes when they are decompressed.
#[pyfunction]
pub fn parquet_size(py: Python<'_>, source: PathBuf) -> PyResult<(u64, u64)> {
    Ok(py.detach(|| tables::parquet_size(&source))?)
}

/// How many bytes a byte of a file becomes when it is decompressed, by the first `size` of them.
#[pyfunction]
#[pyo3(signature = (source, size = 1 << 22))]
pub fn unpacked_ratio(py: Python<'_>, source: PathBuf, size: usize) -> PyResult<f64> {
    let ratio = py.detach(|| {
        let (progress, source) = (Progress::default(), Source::Path(source));
        let unpacked = source.open(&progress)?.fill(&mut vec![0; size])?;
        Ok::<_, Bad>(unpacked as f64 / progress.taken().max(1) as f64)
    })?;
    Ok(ratio)
}
