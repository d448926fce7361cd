//! The readers as Python calls them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::columns::frame::Frame;
use crate::errors::Bad;
use crate::read::progress::Progress;
use crate::read::source::{Input, Source};
use crate::read::{delimited, jsonl, signals, trec};

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
    signals::interruptible(py, &progress, || reader(source.open(&progress)?))
}

/// Reads TREC judgments (`kind` "qrels") or results ("run").
#[pyfunction]
#[pyo3(signature = (source, kind, progress = None))]
pub fn read_trec(
    py: Python<'_>,
    source: Source,
    kind: &str,
    progress: Option<Progress>,
) -> PyResult<Frame> {
    match kind {
        "qrels" => read(py, &source, progress, trec::read_qrels),
        "run" => read(py, &source, progress, trec::read_run),
        _ => Err(PyValueError::new_err(format!("no kind '{kind}'"))),
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
