//! Lines and fields of TREC text.

use crate::blocks::LINE_LIMIT;
use crate::errors::Bad;
use crate::marks::{Marks, is_space};

/// `text` without the white space around it.
pub fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|&byte| !is_space(byte)).map_or(start, |at| at + 1);
    &text[start..end]
}

/// Start and end of a field in its block.
pub type Span = (usize, usize);

/// Walks over the lines of a block.
pub struct Lines<'a> {
    block: &'a [u8],
    end: usize,
    marks: &'a [u32],
    at: usize,
    /// 1-based line in the block of the fields last returned.
    pub line: u64,
    /// Comment lines and blank lines so far.
    pub skipped: u64,
}

impl<'a> Lines<'a> {
    /// Lines of `block[..end]`, whose marks are `marks`; beyond the end there is `PADDING`.
    pub fn new(block: &'a [u8], end: usize, marks: &'a Marks) -> Lines<'a> {
        Lines { block, end, marks: marks.places(), at: 0, line: 0, skipped: 0 }
    }

    /// The first `N` fields of the next line that has any.
    #[inline]
    pub fn next<const N: usize>(&mut self) -> Result<Option<[Span; N]>, Bad> {
        match self.plain_line() {
            Some(spans) => Ok(Some(spans)),
            None => self.any_line(),
        }
    }

    /// The fields of a line of exactly `N` with one byte between them, if the next line is such a line.
    #[inline]
    fn plain_line<const N: usize>(&mut self) -> Option<[Span; N]> {
        let marks = self.marks.get(..2 * N)?;
        let spans: [Span; N] =
            std::array::from_fn(|at| (marks[2 * at] as usize, marks[2 * at + 1] as usize));
        let (start, end) = (spans[0].0, spans[N - 1].1);
        let cr = usize::from(self.block[end] == b'\r');
        let mut plain =
            start == self.at && self.block[start] != b'#' && self.block[end + cr] == b'\n';
        for pair in spans.windows(2) {
            plain &= pair[1].0 - pair[0].1 == 1 && self.block[pair[0].1] != b'\n';
        }
        if !plain || end + cr >= self.end {
            return None;
        }
        (self.at, self.marks) = (end + cr + 1, &self.marks[2 * N..]);
        self.line += 1;
        Some(spans)
    }

    #[cold]
    fn any_line<const N: usize>(&mut self) -> Result<Option<[Span; N]>, Bad> {
        while self.at < self.end {
            self.line += 1;
            self.blanks();
            if self.at == self.end || matches!(self.block[self.at], b'\n' | b'#') {
                self.skip_line();
                continue;
            }
            let spans = self.fields()?;
            let passed = self.marks.iter().take_while(|&&mark| (mark as usize) < self.at).count();
            self.marks = &self.marks[passed..];
            return Ok(Some(spans));
        }
        Ok(None)
    }

    fn skip_line(&mut self) {
        self.skipped += 1;
        self.end_line();
    }

    fn end_line(&mut self) {
        let rest = &self.block[self.at..self.end];
        self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
    }

    fn blanks(&mut self) {
        while self.at < self.end && self.block[self.at] != b'\n' && is_space(self.block[self.at]) {
            self.at += 1;
        }
    }

    fn fields<const N: usize>(&mut self) -> Result<[Span; N], Bad> {
        let start = self.at;
        let mut spans = [(0, 0); N];
        for (count, span) in spans.iter_mut().enumerate() {
            if self.at == self.end || self.block[self.at] == b'\n' {
                return Err(self.too_few(start, count, N));
            }
            let from = self.at;
            while self.at < self.end && !is_space(self.block[self.at]) {
                self.at += 1;
            }
            *span = (from, self.at);
            self.blanks();
        }
        self.end_line();
        Ok(spans)
    }

    fn too_few(&self, start: usize, count: usize, of: usize) -> Bad {
        Bad::text("too_few_fields", self.line, "", trim(&self.block[start..self.at]))
            .detail(format!("{count} of {of}"))
    }
}

/// Refuses bytes that are no text, naming the first line that has some.
pub fn check(block: &[u8]) -> Result<(), (usize, Bad)> {
    let binary = memchr::memchr(0, block);
    let utf8 = simdutf8::basic::from_utf8(block)
        .err()
        .map(|_| std::str::from_utf8(block).map_or_else(|error| error.valid_up_to(), str::len));
    let long = too_long(block);
    let first = [("binary", binary), ("not_utf8", utf8), ("line_too_long", long)]
        .into_iter()
        .filter_map(|(kind, at)| Some((at?, kind)))
        .min();
    first.map_or(Ok(()), |(at, kind)| Err(bad_line(block, at, kind)))
}

fn too_long(block: &[u8]) -> Option<usize> {
    if block.len() <= LINE_LIMIT {
        return None;
    }
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', block).chain([block.len()]) {
        if end - start > LINE_LIMIT {
            return Some(start);
        }
        start = end + 1;
    }
    None
}

/// The start of the line that holds byte `at`, and the error for it.
fn bad_line(block: &[u8], at: usize, kind: &'static str) -> (usize, Bad) {
    let start = memchr::memrchr(b'\n', &block[..at]).map_or(0, |at| at + 1);
    let line = 1 + memchr::memchr_iter(b'\n', &block[..start]).count() as u64;
    let end = memchr::memchr(b'\n', &block[start..]).map_or(block.len(), |size| start + size);
    (start, Bad::text(kind, line, "", &block[start..end.min(start + 400)]))
}
