//! Opening a source and decompressing it as it streams.

use std::fs::File;
use std::io;
use std::io::{BufReader, Chain, Cursor, ErrorKind, Read};
use std::path::PathBuf;

use flate2::bufread::MultiGzDecoder;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::errors::Bad;
use crate::read::piece::Piece;
use crate::read::signals::Progress;

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const BUFFER: usize = 1 << 18;
const PIECE: usize = 1 << 16;

/// What is larger once unpacked, and this many times its packed size, was made to fill memory.
const LARGE: u64 = if cfg!(test) { 1 << 20 } else { 1 << 30 };
const TIMES: u64 = 1000;

/// A path, bytes in memory, or a piece of a file.
#[derive(FromPyObject)]
pub enum Source {
    Bytes(PyBackedBytes),
    Path(PathBuf),
    Piece(Piece),
}

impl Source {
    /// The decompressed bytes; `progress` counts the bytes taken from the source itself.
    pub fn open(&self, progress: &Progress) -> Result<Input<'_>, Bad> {
        let (total, raw): (u64, Box<dyn Read + Send + '_>) = match self {
            Source::Bytes(bytes) => (bytes.len() as u64, Box::new(Cursor::new(bytes.as_ref()))),
            Source::Path(path) => {
                let file = File::open(path)?;
                (file.metadata()?.len(), Box::new(file))
            }
            Source::Piece(piece) => {
                let (size, text) = piece.open()?;
                (size, Box::new(text))
            }
        };
        progress.expect(total);
        Input::new(Counted { raw, progress: progress.clone() })
    }
}

type Rewound<'a> = Chain<Cursor<Vec<u8>>, Counted<'a>>;

/// A stream of decompressed bytes.
pub struct Input<'a> {
    reader: Box<dyn Read + Send + 'a>,
    compressed: bool,
    /// Bytes unpacked so far.
    unpacked: u64,
    progress: Progress,
}

impl<'a> Input<'a> {
    /// The decompressed bytes of bytes in memory.
    pub fn of(bytes: &'a [u8]) -> Result<Input<'a>, Bad> {
        Input::new(Counted { raw: Box::new(bytes), progress: Progress::default() })
    }

    fn new(mut raw: Counted<'a>) -> Result<Input<'a>, Bad> {
        let progress = raw.progress.clone();
        let mut magic = Vec::new();
        raw.by_ref().take(4).read_to_end(&mut magic)?;
        let (gzip, zstd) = (magic.starts_with(&GZIP), magic.starts_with(&ZSTD));
        let whole: Rewound<'a> = Cursor::new(magic).chain(raw);
        let reader: Box<dyn Read + Send + 'a> = if gzip {
            Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, whole)))
        } else if zstd {
            unpacked(BufReader::with_capacity(BUFFER, whole))?
        } else {
            Box::new(whole)
        };
        Ok(Input { reader, compressed: gzip || zstd, unpacked: 0, progress })
    }

    /// Fills `buffer` as far as the source goes and says how far that was.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Bad> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(got) => {
                    filled += got;
                    self.unpacked += got as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) => return Err(self.explain(error)),
            }
        }
        self.bounded()?;
        Ok(filled)
    }

    /// Refuses a small file that unpacks to a huge one.
    fn bounded(&self) -> Result<(), Bad> {
        let most = LARGE.max(TIMES.saturating_mul(self.progress.taken()));
        if self.compressed && self.unpacked > most {
            return Err(Bad::text("bomb", 0, "", b""));
        }
        Ok(())
    }

    /// What follows a byte order mark.
    pub fn after_mark(mut self) -> Result<Input<'a>, Bad> {
        let mut start = vec![0; BOM.len()];
        let got = self.fill(&mut start)?;
        start.truncate(got);
        Ok(if start == BOM { self } else { self.after(start) })
    }

    /// What follows the first `count` lines.
    pub fn after_lines(mut self, count: u64) -> Result<Input<'a>, Bad> {
        let (mut left, mut piece) = (count as usize, vec![0; PIECE]);
        while left > 0 {
            let got = self.fill(&mut piece)?;
            let ends: Vec<usize> = memchr::memchr_iter(b'\n', &piece[..got]).take(left).collect();
            left -= ends.len();
            if left == 0 || got < PIECE {
                let start = if left == 0 { ends[ends.len() - 1] + 1 } else { got };
                return Ok(self.after(piece[start..got].to_vec()));
            }
        }
        Ok(self)
    }

    /// The same bytes with `start`, which was taken from them, before them.
    pub fn after(self, start: Vec<u8>) -> Input<'a> {
        let unpacked = self.unpacked - start.len() as u64;
        Input { reader: Box::new(Cursor::new(start).chain(self.reader)), unpacked, ..self }
    }

    /// The place of the next byte.
    pub fn at(&self) -> u64 {
        self.unpacked
    }

    pub fn is_compressed(&self) -> bool {
        self.compressed
    }

    /// Everything that is left.
    pub fn rest(mut self) -> Result<Vec<u8>, Bad> {
        let mut bytes = Vec::new();
        if !self.compressed {
            return match self.reader.read_to_end(&mut bytes) {
                Ok(_) => Ok(bytes),
                Err(error) => Err(self.explain(error)),
            };
        }
        let mut piece = vec![0; BUFFER];
        loop {
            let got = self.fill(&mut piece)?;
            bytes.extend_from_slice(&piece[..got]);
            if got < piece.len() {
                return Ok(bytes);
            }
        }
    }

    fn explain(&self, error: io::Error) -> Bad {
        match error.kind() {
            _ if !self.compressed || error.raw_os_error().is_some() => Bad::Io(error),
            ErrorKind::UnexpectedEof => Bad::text("truncated", 0, "", b""),
            _ => Bad::corrupt(error),
        }
    }
}

#[cfg(feature = "files")]
fn unpacked<'a>(packed: BufReader<Rewound<'a>>) -> Result<Box<dyn Read + Send + 'a>, Bad> {
    Ok(Box::new(zstd::stream::read::Decoder::with_buffer(packed)?))
}

#[cfg(not(feature = "files"))]
fn unpacked<'a>(_packed: BufReader<Rewound<'a>>) -> Result<Box<dyn Read + Send + 'a>, Bad> {
    Err(Bad::left_out())
}

struct Counted<'a> {
    raw: Box<dyn Read + Send + 'a>,
    progress: Progress,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.progress.check()?;
        let got = self.raw.read(buffer)?;
        self.progress.add(got as u64);
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_that_unpacks_to_a_huge_one_is_refused() {
        let packed = |text: &[u8]| zstd::stream::encode_all(text, 3).expect("in memory");
        let (huge, plain) = (packed(&vec![b' '; 1 << 24]), packed(b"a b"));
        let refused = Input::of(&huge).and_then(Input::rest);
        assert!(matches!(refused, Err(Bad::Text { kind: "bomb", .. })));
        assert_eq!(Input::of(&plain).and_then(Input::rest).ok().as_deref(), Some(&b"a b"[..]));
    }
}
