//! Lines and fields of TREC text.

use crate::columns::numbers::{self, every};
use crate::columns::text::{is_space, trim};
use crate::errors::Bad;

/// Start and end of a field in its block.
pub type Span = (usize, usize);

/// The fields of one line.
pub struct Fields<const N: usize> {
    pub spans: [Span; N],
    /// Is the first field surely that of the line before?
    pub same_first: bool,
    /// Is the last field surely that of the line before?
    pub same_last: bool,
}

/// The first white space from `at` on; there must be some, and eight bytes beyond it.
#[inline]
fn space_after(block: &[u8], mut at: usize) -> usize {
    loop {
        let word = u64::from_le_bytes(block[at..at + 8].try_into().expect("eight bytes"));
        // The high bit of bytes up to the blank, exact up to and including the first of them.
        let low = word.wrapping_sub(every(b' ' + 1)) & !word & every(0x80);
        if low == 0 {
            at += 8;
            continue;
        }
        at += low.trailing_zeros() as usize / 8;
        if is_space(block[at]) {
            return at;
        }
        at += 1;
    }
}

/// Bytes that many lines have in common, to be recognised with one comparison.
#[derive(Default)]
struct Common {
    text: [u128; 2],
    mask: [u128; 2],
    size: usize,
}

impl Common {
    fn words(block: &[u8], at: usize) -> [u128; 2] {
        let bytes: &[u8; 32] = block[at..at + 32].try_into().expect("32 bytes");
        let word =
            |at: usize| u128::from_le_bytes(bytes[at..at + 16].try_into().expect("16 bytes"));
        [word(0), word(16)]
    }

    /// Expects `block[start..end]` from now on; nothing if that is too long.
    fn set(&mut self, block: &[u8], start: usize, end: usize) {
        self.size = if end - start <= 32 { end - start } else { 0 };
        let mut mask = [0; 32];
        mask[..self.size].fill(0xff);
        self.mask = Common::words(&mask, 0);
        self.text = Common::words(block, start);
    }

    #[inline]
    fn begins(&self, block: &[u8], at: usize) -> bool {
        let words = Common::words(block, at);
        let differs =
            (words[0] ^ self.text[0]) & self.mask[0] | (words[1] ^ self.text[1]) & self.mask[1];
        differs == 0 && self.size > 0
    }
}

/// Walks over the lines of a block.
pub struct Walk<'a> {
    block: &'a [u8],
    end: usize,
    at: usize,
    /// The first two fields of a line and the blanks after them.
    head: Common,
    /// Where the second of those fields starts, counted from the line's start.
    second: usize,
    /// The sixth field and the line's end.
    tail: Common,
    /// 1-based line in the block of the fields last returned.
    pub line: u64,
    /// Comment lines and blank lines so far.
    pub skipped: u64,
    /// The fewest and the most fields of a line so far.
    pub widths: Widths,
}

/// The fewest and the most fields of lines, each with the first line that has so many.
#[derive(Clone, Copy, Default)]
pub struct Widths {
    least: (u64, u64),
    most: (u64, u64),
}

impl Widths {
    fn of(fields: u64, line: u64) -> Widths {
        Widths { least: (fields, line), most: (fields, line) }
    }

    /// Those of the lines so far and of others, which come `lines` later.
    pub fn and(self, other: Widths, lines: u64) -> Widths {
        let [least, most] = [other.least, other.most].map(|(fields, line)| (fields, line + lines));
        if self.least.0 == 0 || least.0 == 0 {
            return if self.least.0 == 0 { Widths { least, most } } else { self };
        }
        Widths {
            least: if least.0 < self.least.0 { least } else { self.least },
            most: if most.0 > self.most.0 { most } else { self.most },
        }
    }

    /// Refuses lines of different numbers of fields: a blank within an id, or two lines that became one, would
    /// shift the fields behind it without anybody seeing it.
    pub fn refuse_uneven(self) -> Result<(), Bad> {
        if self.least.0 == self.most.0 {
            return Ok(());
        }
        let (odd, other) = if self.most.1 > self.least.1 {
            (self.most, self.least)
        } else {
            (self.least, self.most)
        };
        Err(Bad::text("uneven_fields", odd.1, "", b"")
            .detail(format!("{} {} {}", odd.0, other.0, other.1)))
    }
}

impl<'a> Walk<'a> {
    /// The lines of `block[..end]`; `block[end]` is a newline, and beyond it there is `PADDING`.
    pub fn new(block: &'a [u8], end: usize) -> Walk<'a> {
        let (head, tail) = (Common::default(), Common::default());
        Walk {
            block,
            end,
            at: 0,
            head,
            second: 0,
            tail,
            line: 0,
            skipped: 0,
            widths: Widths::default(),
        }
    }

    /// The first `N` fields of the next line that has any.
    #[inline]
    pub fn next<const N: usize>(&mut self) -> Result<Option<Fields<N>>, Bad> {
        if self.at >= self.end {
            return Ok(None);
        }
        match self.plain() {
            Some(fields) => Ok(Some(fields)),
            None => self.any(),
        }
    }

    /// The next line, if it has exactly `N` fields with one byte between them.
    #[inline]
    fn plain<const N: usize>(&mut self) -> Option<Fields<N>> {
        let start = self.at;
        let mut spans = [(0, 0); N];
        let same_first = self.head.begins(self.block, start);
        if !same_first {
            self.learn_head(start)?;
        }
        let mut at = start + self.head.size;
        spans[0] = (start, start + self.second - 1);
        spans[1] = (start + self.second, at - 1);
        for span in &mut spans[2..N - 1] {
            *span = (at, space_after(self.block, at));
            at = self.gap(span.1)?;
        }
        let same_last = self.tail.begins(self.block, at);
        let end = if same_last { at + self.tail.size - 1 } else { space_after(self.block, at) };
        let cr = usize::from(self.block[end] == b'\r');
        spans[N - 1] = (at, end);
        if self.block[end + cr] != b'\n' || at == end {
            return None;
        }
        if N == 6 && !same_last {
            self.tail.set(self.block, at, end + 1);
        }
        self.at = end + cr + 1;
        self.line += 1;
        if self.widths.least.0 != N as u64 {
            self.widths = self.widths.and(Widths::of(N as u64, self.line), 0);
        }
        Some(Fields { spans, same_first, same_last })
    }

    /// The start of the field after the one that ends at `end`, if only one byte lies between.
    #[inline]
    fn gap(&self, end: usize) -> Option<usize> {
        (self.block[end] != b'\n' && !is_space(self.block[end + 1])).then_some(end + 1)
    }

    #[cold]
    fn learn_head(&mut self, start: usize) -> Option<()> {
        self.head.size = 0;
        let first = space_after(self.block, start);
        if first == start || self.block[start] == b'#' {
            return None;
        }
        let second = self.gap(first)?;
        let third = self.gap(space_after(self.block, second))?;
        self.second = second - start;
        self.head.set(self.block, start, third);
        (self.head.size > 0).then_some(())
    }

    /// Any line, or none.
    #[cold]
    fn any<const N: usize>(&mut self) -> Result<Option<Fields<N>>, Bad> {
        (self.head.size, self.tail.size) = (0, 0);
        while self.at < self.end {
            self.line += 1;
            self.blanks();
            if matches!(self.block[self.at], b'\n' | b'#') {
                self.skipped += 1;
                self.end_line();
                continue;
            }
            let spans = self.fields()?;
            return Ok(Some(Fields { spans, same_first: false, same_last: false }));
        }
        Ok(None)
    }

    fn end_line(&mut self) {
        let rest = &self.block[self.at..self.end];
        self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
    }

    fn blanks(&mut self) {
        while self.block[self.at] != b'\n' && is_space(self.block[self.at]) {
            self.at += 1;
        }
    }

    fn fields<const N: usize>(&mut self) -> Result<[Span; N], Bad> {
        let start = self.at;
        let mut spans = [(0, 0); N];
        for (count, span) in spans.iter_mut().enumerate() {
            if self.block[self.at] == b'\n' {
                return Err(self.too_few(start, count, N));
            }
            *span = (self.at, space_after(self.block, self.at));
            self.at = span.1;
            self.blanks();
        }
        self.refuse_blanks(start, N)?;
        let (tag, mut width) = (spans[N - 1], N as u64);
        // What follows a run's last field belongs to the name of the system, as long as that does not look like the
        // score of a line whose ids contain a blank.
        let named = N == 6 && numbers::parse_at(self.block, tag.0, tag.1).is_none();
        while self.block[self.at] != b'\n' && !named {
            self.at = space_after(self.block, self.at);
            self.blanks();
            width += 1;
        }
        self.widths = self.widths.and(Widths::of(width, self.line), 0);
        self.end_line();
        Ok(spans)
    }

    /// Refuses a line of more fields that tabs separate into just as many as it should have.
    fn refuse_blanks(&self, start: usize, of: usize) -> Result<(), Bad> {
        if self.block[self.at] == b'\n' {
            return Ok(());
        }
        let end = self.at + memchr::memchr(b'\n', &self.block[self.at..]).expect("a newline");
        let cells: Vec<&[u8]> =
            self.block[start..end].split(|&byte| byte == b'\t').map(trim).collect();
        let is_number = |at: usize| numbers::parse(cells[at]).is_some();
        if cells.len() != of || !is_number(if of == 6 { 4 } else { 3 }) {
            return Ok(());
        }
        match cells.iter().find(|cell| cell.iter().any(|&byte| is_space(byte))) {
            Some(cell) => Err(Bad::text("blank_in_id", self.line, "", cell)),
            None => Ok(()),
        }
    }

    fn too_few(&self, start: usize, count: usize, of: usize) -> Bad {
        Bad::text("too_few_fields", self.line, "", trim(&self.block[start..self.at]))
            .detail(format!("{count} of {of}"))
    }
}
