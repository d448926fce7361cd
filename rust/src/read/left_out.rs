//! What a build without the feature `files`, such as the demo's, says of the files it cannot read.

use crate::errors::Bad;

/// The fact itself.
pub fn left_out() -> Bad {
    Bad::text("left_out", 0, "", b"")
}

/// In place of the reader of Parquet files.
pub mod parquet {
    use super::left_out;
    use crate::columns::frame::Frame;
    use crate::errors::Bad;
    use crate::read::signals::Progress;
    use crate::read::source::Source;

    pub fn read(_source: &Source, _progress: &Progress) -> Result<Frame, Bad> {
        Err(left_out())
    }

    pub fn read_bytes(_bytes: &[u8], _progress: &Progress) -> Result<Frame, Bad> {
        Err(left_out())
    }
}

/// In place of the reader of Arrow files.
pub mod ipc {
    use super::left_out;
    use crate::columns::frame::Frame;
    use crate::errors::Bad;
    use crate::read::signals::Progress;
    use crate::read::source::Source;

    pub fn read(_source: &Source, _progress: &Progress) -> Result<Frame, Bad> {
        Err(left_out())
    }

    pub fn read_bytes(_bytes: &[u8]) -> Result<Frame, Bad> {
        Err(left_out())
    }
}
