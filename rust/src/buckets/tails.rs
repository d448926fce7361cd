//! The files of buckets, written at their ends.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::errors::Bad;

/// Bytes that all files together keep in memory before they are written.
const KEPT: usize = 1 << 27;
const LEAST: usize = 1 << 16;
const MOST: usize = 1 << 20;

/// A file that is opened only to be written to, since there may be more than can be open at once.
pub struct Tail {
    path: PathBuf,
    kept: Vec<u8>,
    most: usize,
}

impl Tail {
    /// The file `stem.bucket` of one of `count` buckets.
    pub fn new(stem: &str, bucket: usize, count: usize) -> Tail {
        let path = PathBuf::from(format!("{stem}.{bucket}"));
        Tail { path, kept: Vec::new(), most: (KEPT / count).clamp(LEAST, MOST) }
    }

    /// Writes what is kept in memory.
    pub fn put(&mut self) -> io::Result<()> {
        if !self.kept.is_empty() {
            let mut file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            file.write_all(&self.kept)?;
            self.kept.clear();
        }
        Ok(())
    }
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.kept.extend_from_slice(bytes);
        if self.kept.len() >= self.most {
            self.put()?;
        }
        Ok(bytes.len())
    }

    /// Does nothing: the writer of Arrow streams asks for it after every message.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file of a bucket that cannot be written, told from a source that cannot be read.
pub fn unwritable(error: &io::Error) -> Bad {
    let number = error.raw_os_error().unwrap_or(0);
    Bad::text("unwritable", 0, "", error.to_string().as_bytes()).detail(number.to_string())
}
