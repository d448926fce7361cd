//! Splitting a file into buckets, as Python calls it.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::buckets::assignment::Buckets;
use crate::buckets::pieces::{self, Pieces};
use crate::buckets::tables;
use crate::buckets::text_records::{self, Records, Text};
use crate::errors::Bad;
use crate::read::signals::{Progress, interruptible};
use crate::read::source::Source;

enum How {
    Text(Text),
    Table { key: String, names: Option<Vec<String>> },
}

/// How the rows of a file are divided among buckets.
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

    /// A Parquet or Arrow file whose column `key` is the query; only the columns in `names`, if given.
    #[staticmethod]
    #[pyo3(signature = (key, names = None))]
    fn table(key: String, names: Option<Vec<String>>) -> Splitter {
        Splitter { how: How::Table { key, names } }
    }

    /// For each bucket that has rows in a file, their piece of it, and the keys of all objects or some values of the
    /// second field; none if the rows are not in the order of the buckets.
    #[pyo3(signature = (source, buckets, progress = None))]
    fn pieces(
        &self,
        py: Python<'_>,
        source: PathBuf,
        buckets: &Bound<'_, Buckets>,
        progress: Option<Progress>,
    ) -> PyResult<Option<(Pieces, Vec<String>)>> {
        let (progress, buckets) = (progress.unwrap_or_default(), buckets.get());
        interruptible(py, &progress, || {
            let buckets = &mut buckets.write();
            match &self.how {
                How::Text(text) => pieces::of_text(text, &source, buckets, &progress),
                How::Table { key, .. } => {
                    let found = pieces::of_table(&source, key, buckets, &progress)?;
                    Ok(found.map(|pieces| (pieces, Vec::new())))
                }
            }
        })
    }

    /// Copies the rows into the files `stem.0`, `stem.1` …, none for a bucket without rows.
    ///
    /// Returns the number of rows of each, and the keys of all objects; of lines of fields some values
    /// of the second, one if it is the same in all.
    #[pyo3(signature = (source, stem, buckets, progress = None))]
    fn split(
        &self,
        py: Python<'_>,
        source: PathBuf,
        stem: &str,
        buckets: &Bound<'_, Buckets>,
        progress: Option<Progress>,
    ) -> PyResult<(Vec<u64>, Vec<String>)> {
        let (progress, buckets) = (progress.unwrap_or_default(), buckets.get());
        interruptible(py, &progress, || {
            let buckets = &buckets.read();
            match &self.how {
                How::Text(text) => {
                    text_records::split(text, &Source::Path(source), stem, buckets, &progress)
                }
                How::Table { key, names } => {
                    let names = names.as_deref();
                    let rows = tables::split(&source, key, names, stem, buckets, &progress)?;
                    Ok((rows, Vec::new()))
                }
            }
        })
    }

    /// The line of the source from which a line of a bucket was copied; of a table the row, from 0.
    fn place(
        &self,
        py: Python<'_>,
        source: PathBuf,
        buckets: &Bound<'_, Buckets>,
        bucket: usize,
        place: u64,
    ) -> PyResult<u64> {
        let (progress, buckets) = (Progress::default(), buckets.get());
        interruptible(py, &progress, || {
            let buckets = &buckets.read();
            match &self.how {
                How::Text(text) => pieces::source_line(
                    text,
                    &Source::Path(source),
                    buckets,
                    bucket,
                    place,
                    &progress,
                ),
                How::Table { key, .. } => {
                    pieces::source_row(&source, key, buckets, bucket, place, &progress)
                }
            }
        })
    }
}

/// The columns of a Parquet or Arrow file, without reading rows.
#[pyfunction]
pub fn column_names(py: Python<'_>, source: PathBuf) -> PyResult<Vec<String>> {
    let batches = py.detach(|| tables::open(&source, None, &Progress::default()))?;
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
