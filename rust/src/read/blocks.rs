//! Text in blocks that end where a record ends, parsed side by side and put together in file order.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::columns::text::LINE_LIMIT;
use crate::columns::workers::shared;
use crate::errors::Bad;
use crate::read::source::{BOM, Input};

/// Bytes beyond the end of a block's text, the first of them a newline, so that whole words can be
/// loaded from any of its places.
pub const PADDING: usize = 48;

/// A block and its values fit the second-level cache of a core.
const SIZE: usize = if cfg!(fuzzing) { 1 << 8 } else { 1 << 18 };

/// Where a block of text may be cut: the end of its last whole record, 0 if there is none.
pub type Cut = fn(&[u8], u8) -> usize;

/// What a format does with text.
pub trait Format: Sync {
    /// The values of one block.
    type Part: Default + Send;
    /// The values of the blocks so far.
    type Whole: Send;

    /// Reads `block[..end]` into `part`; lines in errors count from the block's start.
    fn parse(&self, block: &[u8], end: usize, part: &mut Self::Part) -> Result<(), Bad>;

    /// Puts `part` behind the values before it and empties it.
    fn append(&self, whole: &mut Self::Whole, part: &mut Self::Part) -> Result<(), Bad>;

    /// Lines in the blocks so far.
    fn lines(whole: &Self::Whole) -> u64;
}

#[derive(Default)]
struct Block {
    data: Vec<u8>,
    len: usize,
}

impl Block {
    fn reserve(&mut self, size: usize) {
        if self.data.len() < size + PADDING {
            self.data.resize(size + PADDING, 0);
        }
    }
}

/// Cuts a stream into blocks.
struct Cutter<'a> {
    input: Input<'a>,
    carry: Vec<u8>,
    cut: Cut,
    delimiter: u8,
    ticket: usize,
    over: bool,
}

impl Cutter<'_> {
    /// Reads the next block and returns its place in the file.
    fn next(&mut self, block: &mut Block) -> Option<(usize, Result<(), Bad>)> {
        if self.over {
            return None;
        }
        let result = self.read(block);
        self.over |= result.is_err();
        self.ticket += 1;
        Some((self.ticket - 1, result))
    }

    fn read(&mut self, block: &mut Block) -> Result<(), Bad> {
        block.reserve(SIZE.max(self.carry.len()));
        block.data[..self.carry.len()].copy_from_slice(&self.carry);
        block.len = self.carry.len();
        self.carry.clear();
        self.grow(block, SIZE)?;
        if self.ticket == 0 && block.data[..block.len].starts_with(BOM) {
            block.data.copy_within(BOM.len()..block.len, 0);
            block.len -= BOM.len();
        }
        let mut end = self.end(block);
        if end == 0 && !self.over {
            self.grow(block, LINE_LIMIT + 2)?;
            end = self.end(block);
        }
        // A record that is too long stays whole, for the parser to refuse.
        let end = if end == 0 { block.len } else { end };
        self.carry.extend_from_slice(&block.data[end..block.len]);
        block.len = end;
        block.data[end] = b'\n';
        Ok(())
    }

    fn grow(&mut self, block: &mut Block, size: usize) -> Result<(), Bad> {
        block.reserve(size);
        let wanted = size - block.len;
        let got = self.input.fill(&mut block.data[block.len..size])?;
        block.len += got;
        self.over |= got < wanted;
        Ok(())
    }

    fn end(&self, block: &Block) -> usize {
        if self.over { block.len } else { (self.cut)(&block.data[..block.len], self.delimiter) }
    }
}

/// The end of the last line.
pub fn at_line_end(block: &[u8], _: u8) -> usize {
    memchr::memrchr(b'\n', block).map_or(0, |at| at + 1)
}

struct Joined<F: Format> {
    whole: F::Whole,
    next: usize,
    waiting: BTreeMap<usize, (F::Part, Result<(), Bad>)>,
    spare: Vec<F::Part>,
    failed: Option<Bad>,
}

struct Work<'a, F: Format> {
    format: &'a F,
    cutter: Mutex<Cutter<'a>>,
    joined: Mutex<Joined<F>>,
    stop: AtomicBool,
}

/// Reads all of `input`; the first error in file order wins, whatever the number of threads.
pub fn read<F: Format>(
    input: Input<'_>,
    format: &F,
    whole: F::Whole,
    cut: Cut,
    delimiter: u8,
) -> Result<F::Whole, Bad> {
    let carry = Vec::new();
    let work = Work {
        format,
        cutter: Mutex::new(Cutter { input, carry, cut, delimiter, ticket: 0, over: false }),
        joined: Mutex::new(Joined {
            whole,
            next: 0,
            waiting: BTreeMap::new(),
            spare: Vec::new(),
            failed: None,
        }),
        stop: AtomicBool::new(false),
    };
    work.run();
    let joined = work.joined.into_inner().expect("no thread panicked");
    joined.failed.map_or(Ok(joined.whole), Err)
}

impl<F: Format> Work<'_, F> {
    fn run(&self) {
        let mut block = Block::default();
        if !self.step(&mut block) || self.cutter.lock().expect("no panic").over {
            return;
        }
        shared(|| {
            rayon::scope(|scope| {
                for _ in 0..rayon::current_num_threads() {
                    scope.spawn(|_| {
                        let mut block = Block::default();
                        while self.step(&mut block) {}
                    });
                }
            });
        });
    }

    /// Reads and parses one block; false when there is none.
    fn step(&self, block: &mut Block) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let Some((ticket, read)) = self.cutter.lock().expect("no panic").next(block) else {
            return false;
        };
        let mut part = self.joined.lock().expect("no panic").spare.pop().unwrap_or_default();
        let result = read.and_then(|()| self.format.parse(&block.data, block.len, &mut part));
        self.join(ticket, part, result);
        true
    }

    fn join(&self, ticket: usize, part: F::Part, result: Result<(), Bad>) {
        let joined = &mut *self.joined.lock().expect("no panic");
        joined.waiting.insert(ticket, (part, result));
        while joined.failed.is_none() {
            let Some((mut part, result)) = joined.waiting.remove(&joined.next) else {
                return;
            };
            joined.next += 1;
            let lines = F::lines(&joined.whole);
            let result = result
                .map_err(|bad| bad.after(lines))
                .and_then(|()| self.format.append(&mut joined.whole, &mut part));
            match result {
                Ok(()) => joined.spare.push(part),
                Err(bad) => joined.failed = Some(bad),
            }
        }
        self.stop.store(true, Ordering::Relaxed);
    }
}
