//! Opening a source and decompressing it as it streams.

use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, Chain, Cursor, ErrorKind, Read};
use std::path::PathBuf;

use flate2::bufread::GzDecoder;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::errors::Bad;
use crate::read::signals::Progress;

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const BUFFER: usize = 1 << 18;
const PIECE: usize = 1 << 16;

/// What is larger once unpacked, and this many times its packed size, was made to fill memory. The limit of every
/// packed file, also of those that Python unpacks: a row of six bytes takes twenty times as much until it is counted.
const LARGE: u64 = if cfg!(test) { 1 << 20 } else { 1 << 25 };
const TIMES: u64 = 40;

/// Bytes that a row counts for, and each value in it, where many rows share one.
#[cfg(feature = "files")]
pub const ROW: u64 = 8;
#[cfg(feature = "files")]
pub const CELL: u64 = 2;

/// Bytes that a file of this size may take once it is unpacked.
pub fn most_unpacked(packed: u64) -> u64 {
    LARGE.max(TIMES.saturating_mul(packed))
}

/// A path, or bytes in memory.
#[derive(FromPyObject)]
pub enum Source {
    Bytes(PyBackedBytes),
    Path(PathBuf),
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
        };
        progress.expect(total);
        Input::new(Counted { raw, progress: progress.clone() }, total)
    }
}

type Rewound<'a> = Chain<Cursor<Vec<u8>>, Counted<'a>>;

/// A stream of decompressed bytes.
pub struct Input<'a> {
    reader: Box<dyn Read + Send + 'a>,
    compressed: bool,
    /// Bytes unpacked so far, and how many there may be.
    unpacked: u64,
    most: u64,
}

impl<'a> Input<'a> {
    /// The decompressed bytes of bytes in memory.
    pub fn of(bytes: &'a [u8]) -> Result<Input<'a>, Bad> {
        let raw = Counted { raw: Box::new(bytes), progress: Progress::default() };
        Input::new(raw, bytes.len() as u64)
    }

    fn new(mut raw: Counted<'a>, size: u64) -> Result<Input<'a>, Bad> {
        let mut magic = Vec::new();
        raw.by_ref().take(4).read_to_end(&mut magic)?;
        let (gzip, zstd) = (magic.starts_with(&GZIP), magic.starts_with(&ZSTD));
        let whole: Rewound<'a> = Cursor::new(magic).chain(raw);
        let reader: Box<dyn Read + Send + 'a> = if gzip {
            Box::new(Members::<GzDecoder<_>>::new(BufReader::with_capacity(BUFFER, whole))?)
        } else if zstd {
            unpacked(BufReader::with_capacity(BUFFER, whole))?
        } else {
            Box::new(whole)
        };
        Ok(Input { reader, compressed: gzip || zstd, unpacked: 0, most: most_unpacked(size) })
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
        if self.compressed && self.unpacked > self.most {
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
            _ if error.get_ref().is_some_and(|inner| inner.is::<Trailing>()) => {
                Bad::text("trailing", 0, "", b"")
            }
            _ => Bad::corrupt(error),
        }
    }
}

#[cfg(feature = "files")]
fn unpacked<'a>(packed: BufReader<Rewound<'a>>) -> Result<Box<dyn Read + Send + 'a>, Bad> {
    Ok(Box::new(Members::<ZstdFrame<_>>::new(packed)?))
}

#[cfg(not(feature = "files"))]
fn unpacked<'a>(_packed: BufReader<Rewound<'a>>) -> Result<Box<dyn Read + Send + 'a>, Bad> {
    Err(Bad::left_out())
}

/// Other bytes than those of a further member after the end of one.
#[derive(Debug)]
struct Trailing;

impl std::error::Error for Trailing {}

impl std::fmt::Display for Trailing {
    fn fmt(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        text.write_str("bytes after the end of the compressed data")
    }
}

/// Unpacks one member of a packed file.
trait Member: Read + Sized {
    type Packed: BufRead;

    fn open(packed: Self::Packed) -> io::Result<Self>;
    fn close(self) -> Self::Packed;
    /// May a member begin with this byte?
    fn begins(byte: u8) -> bool;
}

impl<R: BufRead> Member for GzDecoder<R> {
    type Packed = R;

    fn open(packed: R) -> io::Result<Self> {
        Ok(GzDecoder::new(packed))
    }

    fn close(self) -> R {
        self.into_inner()
    }

    fn begins(byte: u8) -> bool {
        byte == GZIP[0]
    }
}

#[cfg(feature = "files")]
type ZstdFrame<R> = zstd::stream::read::Decoder<'static, R>;

#[cfg(feature = "files")]
impl<R: BufRead> Member for ZstdFrame<R> {
    type Packed = R;

    fn open(packed: R) -> io::Result<Self> {
        Ok(zstd::stream::read::Decoder::with_buffer(packed)?.single_frame())
    }

    fn close(self) -> R {
        self.finish()
    }

    /// Frames that are to be skipped begin with 0x50 to 0x5f.
    fn begins(byte: u8) -> bool {
        byte == ZSTD[0] || byte >> 4 == 5
    }
}

/// The members of a packed file one behind the other. Zeros behind them, which fill the blocks of a tape, are no fault.
struct Members<M> {
    member: Option<M>,
}

impl<M: Member> Members<M> {
    fn new(packed: M::Packed) -> io::Result<Members<M>> {
        Ok(Members { member: Some(M::open(packed)?) })
    }

    /// The member behind one that has ended.
    fn after(mut packed: M::Packed) -> io::Result<Option<M>> {
        loop {
            let (zeros, next) = {
                let bytes = packed.fill_buf()?;
                let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
                (zeros, bytes.get(zeros).copied())
            };
            packed.consume(zeros);
            match next {
                None if zeros == 0 => return Ok(None),
                None => (),
                Some(byte) if M::begins(byte) => return Ok(Some(M::open(packed)?)),
                Some(_) => return Err(io::Error::new(ErrorKind::InvalidData, Trailing)),
            }
        }
    }
}

impl<M: Member> Read for Members<M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let (Some(member), false) = (&mut self.member, buffer.is_empty()) {
            match member.read(buffer)? {
                0 => self.member = Self::after(self.member.take().expect("it was read").close())?,
                got => return Ok(got),
            }
        }
        Ok(0)
    }
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

    #[test]
    fn members_follow_each_other_and_other_bytes_behind_them_are_refused() {
        let packed = zstd::stream::encode_all(&b"a b"[..], 3).expect("in memory");
        let rest = |behind: &[u8]| Input::of(&[&packed, behind].concat()).and_then(Input::rest);
        assert_eq!(rest(&packed).ok().as_deref(), Some(&b"a ba b"[..]));
        assert_eq!(rest(&[0; 9]).ok().as_deref(), Some(&b"a b"[..]));
        assert!(matches!(rest(b"x"), Err(Bad::Text { kind: "trailing", .. })));
    }
}
