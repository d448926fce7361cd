//! Bytes that are text, and those that are not.

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
