//! In place of `ipc` in a build without the feature `files`, such as the demo's: no Arrow file is read or written.

use arrow_array::RecordBatch;

use crate::columns::frame::Frame;
use crate::errors::Bad;
use crate::read::signals::Progress;
use crate::read::source::Source;

pub fn read(_source: &Source, _progress: &Progress) -> Result<Frame, Bad> {
    Err(Bad::left_out())
}

pub fn read_bytes(_bytes: &[u8]) -> Result<Frame, Bad> {
    Err(Bad::left_out())
}

pub fn write(_batch: &RecordBatch) -> Result<Vec<u8>, Bad> {
    Err(Bad::left_out())
}
