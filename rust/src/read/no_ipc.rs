//! In place of `ipc` in a build without the feature `files`, such as the demo's: it reads no Arrow file.

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
