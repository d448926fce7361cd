//! The readers as Python calls them, and the writer of Arrow files.

use arrow_array::RecordBatch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::arrow::capsules;
use crate::columns::frame::Frame;
use crate::errors::Bad;
use crate::read::json::plan::{Plan, Wanted};
use crate::read::signals::{Progress, guarded, interruptible};
use crate::read::source::{Input, Source};
use crate::read::{delimited, ipc, json, jsonl, parquet, trec};

fn read<F>(
    py: Python<'_>,
    source: &Source,
    progress: Option<Progress>,
    reader: F,
) -> PyResult<Frame>
where
    F: FnOnce(Input<'_>) -> Result<Frame, Bad> + Send,
{
    let progress = progress.unwrap_or_default();
    interruptible(py, &progress, || reader(source.open(&progress)?))
}

/// Reads TREC judgments (`kind` "qrels") or results ("run"); judgments with their second field if it
/// is not the same in all lines, or always.
#[pyfunction]
#[pyo3(signature = (source, kind, progress = None, iteration = false))]
pub fn read_trec(
    py: Python<'_>,
    source: Source,
    kind: &str,
    progress: Option<Progress>,
    iteration: bool,
) -> PyResult<Frame> {
    match kind {
        "qrels" => read(py, &source, progress, |input| trec::read_qrels(input, iteration)),
        "run" => read(py, &source, progress, trec::read_run),
        _ => Err(Bad::unknown("kind", kind).into()),
    }
}

/// Reads delimited text with a header row; every column is text, an empty field is missing.
///
/// `above` is the number of lines before the header, which are passed over.
#[pyfunction]
#[pyo3(signature = (source, delimiter, progress = None, above = 0))]
pub fn read_delimited(
    py: Python<'_>,
    source: Source,
    delimiter: &str,
    progress: Option<Progress>,
    above: u64,
) -> PyResult<Frame> {
    let &[delimiter] = delimiter.as_bytes() else {
        return Err(PyValueError::new_err("the delimiter must be one ASCII character"));
    };
    read(py, &source, progress, |input| delimited::read(input, delimiter, above))
}

/// Reads one JSON object a line; columns are the keys in the order they are first seen.
#[pyfunction]
#[pyo3(signature = (source, progress = None))]
pub fn read_jsonl(py: Python<'_>, source: Source, progress: Option<Progress>) -> PyResult<Frame> {
    read(py, &source, progress, jsonl::read)
}

/// Reads the tables of a plan out of JSON documents, one a line if `lined`.
///
/// A plan lists kinds of rows: (table, path, whether further plain values of a row are columns,
/// [(column, path)]). Steps of a path are `.name`, `*` and `[]`, its end may be `@key` or `@place`.
#[pyfunction]
#[pyo3(signature = (source, plan, lined = false, progress = None))]
pub fn read_json(
    py: Python<'_>,
    source: Source,
    plan: Vec<Wanted>,
    lined: bool,
    progress: Option<Progress>,
) -> PyResult<Vec<(String, Frame)>> {
    let plan = Plan::new(plan).map_err(|path| Bad::unknown("path", &path))?;
    let progress = progress.unwrap_or_default();
    interruptible(py, &progress, || json::documents::read(source.open(&progress)?, &plan, lined))
}

/// Reads a Parquet file.
#[pyfunction]
pub fn read_parquet(py: Python<'_>, source: Source) -> PyResult<Frame> {
    let progress = Progress::default();
    interruptible(py, &progress, || guarded(|| parquet::read(&source, &progress)))
}

/// Reads an Arrow IPC file or stream.
#[pyfunction]
pub fn read_arrow(py: Python<'_>, source: Source) -> PyResult<Frame> {
    let progress = Progress::default();
    interruptible(py, &progress, || guarded(|| ipc::read(&source, &progress)))
}

/// Takes the columns of anything with `__arrow_c_stream__` or `__arrow_c_array__`.
#[pyfunction]
pub fn from_arrow(obj: &Bound<'_, PyAny>) -> PyResult<Frame> {
    let (schema, batches) = capsules::batches(obj)?;
    Ok(Frame::of_batches(&schema, &batches))
}

/// The first decompressed bytes of a source, at most `size`.
#[pyfunction]
#[pyo3(signature = (source, size = 65536))]
pub fn sniff(py: Python<'_>, source: Source, size: usize) -> PyResult<Vec<u8>> {
    let bytes = py.detach(|| {
        let mut start = vec![0; size];
        let filled = source.open(&Progress::default())?.fill(&mut start)?;
        start.truncate(filled);
        Ok::<_, Bad>(start)
    })?;
    Ok(bytes)
}

/// The columns of a table as the bytes of an Arrow file.
#[pyfunction]
pub fn arrow_file<'py>(py: Python<'py>, frame: &Frame) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| ipc::write(&RecordBatch::from(frame.table()?)))?;
    Ok(PyBytes::new(py, &bytes))
}
