//! Bytes that are text, and those that are not; text values as Arrow string views, sixteen bytes a value and the whole
//! value when it is short, while they are read and after.

use std::cmp::Ordering;
use std::sync::Arc;

use arrow_buffer::{Buffer, ScalarBuffer};

use crate::errors::Bad;

/// The longest line (of delimited text: the longest record) that is read.
pub const LINE_LIMIT: usize = 1 << 20;

/// The white space of C's `isspace`: blank, tab, line feed, vertical tab, form feed, return.
pub fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') <= b'\r' - b'\t'
}

/// `text` without the white space around it.
pub fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|&byte| !is_space(byte)).map_or(start, |at| at + 1);
    &text[start..end]
}

/// How far the lines of `block` are text, and the first that is none as an error.
pub fn check(block: &[u8]) -> (usize, Result<(), Bad>) {
    let binary = memchr::memchr(0, block);
    let utf8 = simdutf8::basic::from_utf8(block)
        .err()
        .map(|_| std::str::from_utf8(block).map_or_else(|error| error.valid_up_to(), str::len));
    let long = too_long(block);
    let first = [("binary", binary), ("not_utf8", utf8), ("line_too_long", long)]
        .into_iter()
        .filter_map(|(kind, at)| Some((at?, kind)))
        .min();
    match first {
        None => (block.len(), Ok(())),
        Some((at, kind)) => {
            let (start, bad) = bad_line(block, at, kind);
            (start, Err(bad))
        }
    }
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

/// The longest value that fits inside its view (Arrow columnar format, "Variable-size Binary View").
pub const INLINE: usize = 12;

/// A buffer of long values is closed beyond this size, well below the u32 offsets of a view.
pub const FULL: usize = 1 << 28;

pub fn len(view: u128) -> usize {
    view as u32 as usize
}

pub fn is_inline(view: u128) -> bool {
    len(view) <= INLINE
}

/// The view of `bytes`, at most twelve of them.
pub fn inline(bytes: &[u8]) -> u128 {
    // Two loads that may overlap hold all bytes: where they do, they agree.
    let raw = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            u128::from(first) | u128::from(last) << (8 * (bytes.len() - 8))
        }
        _ => u128::from(short(bytes)),
    };
    raw << 32 | bytes.len() as u128
}

/// Fewer than eight bytes as a word.
fn short(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            u64::from(first) | u64::from(last) << (8 * (bytes.len() - 4))
        }
        _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Masks of the first bytes of a word of sixteen.
const FIRST: [u128; 17] = {
    let (mut masks, mut size) = ([u128::MAX; 17], 0);
    while size < 16 {
        masks[size] = (1 << (8 * size)) - 1;
        size += 1;
    }
    masks
};

/// `block[start..end]`, at most sixteen bytes, as a word; the sixteen bytes from `start` must exist.
#[inline]
fn word_at(block: &[u8], start: usize, end: usize) -> u128 {
    let raw = u128::from_le_bytes(block[start..start + 16].try_into().expect("sixteen bytes"));
    raw & FIRST[end - start]
}

/// The view of `block[start..end]` when it is short; the sixteen bytes from `start` must exist.
#[inline]
pub fn inline_at(block: &[u8], start: usize, end: usize) -> u128 {
    (word_at(block, start, end) << 32) | (end - start) as u128
}

pub fn long(bytes: &[u8], buffer: usize, offset: usize) -> u128 {
    let prefix = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    bytes.len() as u128 | u128::from(prefix) << 32 | (buffer as u128) << 64 | (offset as u128) << 96
}

/// The view of `text[start..end]`, a part of buffer 0.
pub fn view_at(text: &[u8], start: usize, end: usize) -> u128 {
    match end - start {
        size if size > INLINE => long(&text[start..end], 0, start),
        _ if start + 16 <= text.len() => inline_at(text, start, end),
        _ => inline(&text[start..end]),
    }
}

/// The same long value when `by` buffers come before its own.
pub fn shift(view: u128, by: usize) -> u128 {
    if is_inline(view) { view } else { view + ((by as u128) << 64) }
}

/// The bytes behind a view; `scratch` holds those of a short one.
pub fn bytes<'a>(view: u128, buffers: &'a [Buffer], scratch: &'a mut [u8; 16]) -> &'a [u8] {
    if is_inline(view) {
        *scratch = view.to_le_bytes();
        return &scratch[4..4 + len(view)];
    }
    let start = (view >> 96) as usize;
    &buffers[(view >> 64) as u32 as usize][start..start + len(view)]
}

/// The short value up to its last `byte`; whole where it has none, or nothing before it.
pub fn inline_before(view: u128, byte: u8) -> u128 {
    const LOW: u128 = u128::from_le_bytes([0x7f; 16]);
    let other = view ^ u128::from_le_bytes([byte; 16]);
    // The highest bit of each byte that is not `byte`; no carry leaves a byte.
    let differs = (((other & LOW) + LOW) | other | LOW) | !(FIRST[len(view)] << 32);
    let last = 16 - (!differs).leading_zeros() as usize / 8;
    match last {
        0 | 5 => view,
        _ => (view >> 32 & FIRST[last - 5]) << 32 | (last - 5) as u128,
    }
}

/// Orders short views by their bytes.
pub fn inline_key(view: u128) -> u128 {
    view.swap_bytes() << 32 | (view & 0xffff_ffff)
}

/// Immutable text values; a missing one is the empty text or marked elsewhere.
#[derive(Clone)]
pub struct Texts {
    pub views: ScalarBuffer<u128>,
    pub buffers: Arc<[Buffer]>,
}

impl Texts {
    pub fn len(&self) -> usize {
        self.views.len()
    }

    pub fn bytes<'a>(&'a self, row: usize, scratch: &'a mut [u8; 16]) -> &'a [u8] {
        bytes(self.views[row], &self.buffers, scratch)
    }

    pub fn string(&self, row: usize) -> String {
        let mut scratch = [0; 16];
        String::from_utf8_lossy(self.bytes(row, &mut scratch)).into_owned()
    }

    /// Are value `a` here and value `b` of `other` the same text?
    pub fn same(&self, a: u128, other: &Texts, b: u128) -> bool {
        if is_inline(a) || a as u64 != b as u64 {
            return a == b;
        }
        self.compare(a, other, b) == Ordering::Equal
    }

    /// Compares two values by their bytes.
    pub fn compare(&self, a: u128, other: &Texts, b: u128) -> Ordering {
        if is_inline(a) && is_inline(b) {
            return inline_key(a).cmp(&inline_key(b));
        }
        let (mut left, mut right) = ([0; 16], [0; 16]);
        bytes(a, &self.buffers, &mut left).cmp(bytes(b, &other.buffers, &mut right))
    }

    /// The values at `rows`, without copying text.
    pub fn take(&self, rows: impl Iterator<Item = usize>) -> Texts {
        let views: Vec<u128> = rows.map(|row| self.views[row]).collect();
        Texts { views: views.into(), buffers: self.buffers.clone() }
    }
}

/// Text values while they are read.
#[derive(Default)]
pub struct TextBuilder {
    views: Vec<u128>,
    full: Vec<Buffer>,
    open: Vec<u8>,
}

impl TextBuilder {
    pub fn len(&self) -> usize {
        self.views.len()
    }

    pub fn views(&self) -> &[u128] {
        &self.views
    }

    #[inline]
    pub fn push(&mut self, value: &[u8]) {
        let view = if value.len() <= INLINE { inline(value) } else { self.store(value) };
        self.views.push(view);
    }

    /// Adds `block[start..end]`; the sixteen bytes from `start` must exist.
    #[inline]
    pub fn push_at(&mut self, block: &[u8], start: usize, end: usize) {
        if end - start <= INLINE {
            self.views.push(inline_at(block, start, end));
        } else {
            self.push(&block[start..end]);
        }
    }

    #[inline(never)]
    fn store(&mut self, value: &[u8]) -> u128 {
        if self.open.len() + value.len() > FULL {
            self.close();
        }
        let offset = self.open.len();
        self.open.extend_from_slice(value);
        long(value, self.full.len(), offset)
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.full.push(Buffer::from_vec(std::mem::take(&mut self.open)));
        }
    }

    pub fn bytes<'a>(&'a self, view: u128, scratch: &'a mut [u8; 16]) -> &'a [u8] {
        if is_inline(view) || (view >> 64) as u32 as usize != self.full.len() {
            return bytes(view, &self.full, scratch);
        }
        let start = (view >> 96) as usize;
        &self.open[start..start + len(view)]
    }

    /// Moves the values of `part` behind these and leaves it empty, its memory kept where it can be.
    pub fn append(&mut self, part: &mut TextBuilder) {
        if part.full.is_empty() && part.open.is_empty() {
            self.views.extend_from_slice(&part.views);
        } else {
            self.close();
            part.close();
            let before = self.full.len();
            self.views.extend(part.views.iter().map(|&view| shift(view, before)));
            self.full.append(&mut part.full);
        }
        part.views.clear();
    }

    /// Removes the first value and returns it.
    pub fn shift(&mut self) -> String {
        let first = self.views.remove(0);
        String::from_utf8_lossy(self.bytes(first, &mut [0; 16])).into_owned()
    }

    pub fn clear(&mut self) {
        self.views.clear();
        self.full.clear();
        self.open.clear();
    }

    pub fn finish(mut self) -> Texts {
        self.close();
        self.views.shrink_to_fit();
        Texts { views: self.views.into(), buffers: self.full.into() }
    }
}

impl FromIterator<String> for Texts {
    fn from_iter<I: IntoIterator<Item = String>>(values: I) -> Texts {
        let mut builder = TextBuilder::default();
        values.into_iter().for_each(|value| builder.push(value.as_bytes()));
        builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(values: &[&str]) -> Texts {
        values.iter().map(|value| value.to_string()).collect()
    }

    #[test]
    fn short_and_long_values_come_back() {
        let values = ["", "a", "123456789012", "1234567890123", "ä long value beyond twelve"];
        let texts = texts(&values);
        let back: Vec<String> = (0..texts.len()).map(|row| texts.string(row)).collect();
        assert_eq!(back, values);
    }

    #[test]
    fn a_short_view_holds_its_size_and_then_its_bytes() {
        let text = b"abcdefghijkl";
        for size in 0..=INLINE {
            let mut raw = [0; 16];
            raw[0] = size as u8;
            raw[4..4 + size].copy_from_slice(&text[..size]);
            assert_eq!(inline(&text[..size]), u128::from_le_bytes(raw));
        }
    }

    #[test]
    fn a_view_cut_from_a_block_equals_one_made_from_its_bytes() {
        let block = b"abcdefghijklmnopqrstuvwxyz";
        for size in 0..=INLINE {
            assert_eq!(inline_at(block, 3, 3 + size), inline(&block[3..3 + size]));
        }
    }

    #[test]
    fn a_short_value_ends_before_its_last_separator() {
        let ids = [
            "",
            "#",
            "a",
            "a#1",
            "#1",
            "a#b#2",
            "abcdefghijk#",
            "a#",
            "ab#cdefghijk",
            "##",
            "\u{ff}#3",
        ];
        for id in ids {
            let whole = match id.rfind('#') {
                Some(end) if end > 0 => &id[..end],
                _ => id,
            };
            assert_eq!(
                inline_before(inline(id.as_bytes()), b'#'),
                inline(whole.as_bytes()),
                "{id}"
            );
        }
    }

    #[test]
    fn values_are_ordered_by_their_bytes() {
        let mut values = ["b", "a", "ab", "", "a\0", "abcdefghijklm", "abcdefghijkl", "\u{ff}"];
        values.sort_unstable();
        let texts = texts(&values);
        for a in 0..values.len() {
            for b in 0..values.len() {
                let (left, right) = (texts.views[a], texts.views[b]);
                assert_eq!(texts.compare(left, &texts, right), a.cmp(&b));
                assert_eq!(texts.same(left, &texts, right), a == b);
            }
        }
    }

    #[test]
    fn parts_keep_their_long_values_when_they_are_joined() {
        let (mut whole, mut part) = (TextBuilder::default(), TextBuilder::default());
        whole.push(b"the first long value");
        part.push(b"the second long value");
        part.push(b"short");
        whole.append(&mut part);
        whole.push(b"the third long value");
        let texts = whole.finish();
        assert_eq!(texts.string(1), "the second long value");
        assert_eq!(texts.string(3), "the third long value");
        assert_eq!(part.len(), 0);
    }
}
