//! A piece of a file that is read as if it were a file.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use pyo3::prelude::*;

use crate::errors::Bad;

/// A piece of a file: bytes of text below the head that the file has, or rows of a Parquet file.
#[pyclass(frozen, from_py_object, module = "idealrank._core")]
#[derive(Clone)]
pub struct Piece {
    pub path: PathBuf,
    /// As many lines as the file has before its records, the header among them.
    pub head: Vec<u8>,
    pub range: Range<u64>,
}

impl Piece {
    /// The size of a piece of text, and the text.
    pub fn open(&self) -> Result<(u64, impl Read + Send + use<>), Bad> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.range.start))?;
        let size = self.range.end - self.range.start;
        Ok((size, Cursor::new(self.head.clone()).chain(file.take(size))))
    }
}

#[pymethods]
impl Piece {
    /// All bytes of a piece of text.
    fn text(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let text = py.detach(|| {
            let mut text = Vec::new();
            self.open()?.1.read_to_end(&mut text)?;
            Ok::<_, Bad>(text)
        })?;
        Ok(text)
    }

    /// The line of the file that a line of the piece is, both from 1.
    fn line(&self, py: Python<'_>, line: u64) -> PyResult<u64> {
        let above = lines(&self.head);
        if line <= above {
            return Ok(line);
        }
        let before = py.detach(|| lines_before(&self.path, self.range.start))?;
        Ok(before + line - above)
    }

    /// The row of the file that a row of the piece is, both from 0.
    fn row(&self, row: u64) -> u64 {
        self.range.start + row
    }
}

fn lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

fn lines_before(path: &PathBuf, end: u64) -> Result<u64, Bad> {
    let (mut rest, mut buffer, mut before) = (File::open(path)?.take(end), vec![0; 1 << 18], 0);
    loop {
        let got = rest.read(&mut buffer)?;
        if got == 0 {
            return Ok(before);
        }
        before += lines(&buffer[..got]);
    }
}
