//! In place of `tables` in a build without the feature `files`: it opens no Parquet or Arrow file.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::buckets::assignment::Assignment;
use crate::errors::Bad;
use crate::read::signals::Progress;

/// The rows of some columns of a file: there never are any.
pub struct Batches {
    pub schema: SchemaRef,
    pub groups: Option<Vec<u64>>,
    pub share: f64,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, Bad>;

    fn next(&mut self) -> Option<Result<RecordBatch, Bad>> {
        None
    }
}

pub fn open(_path: &Path, _names: Option<&[String]>, _progress: &Progress) -> Result<Batches, Bad> {
    Err(Bad::left_out())
}

pub fn ahead(
    _batches: Batches,
    _used: impl FnMut(RecordBatch) -> Result<(), Bad>,
) -> Result<(), Bad> {
    Err(Bad::left_out())
}

pub fn parquet_size(_path: &Path) -> Result<(u64, u64), Bad> {
    Err(Bad::left_out())
}

pub fn split(
    _path: &Path,
    _key: &str,
    _names: Option<&[String]>,
    _stem: &str,
    _buckets: &Assignment,
    _progress: &Progress,
) -> Result<Vec<u64>, Bad> {
    Err(Bad::left_out())
}
