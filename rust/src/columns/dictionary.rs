//! Text that repeats: a dictionary, and where in the rows its code changes.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::LazyLock;

use hashbrown::HashTable;

use crate::columns::scan;
use crate::columns::text::{self, TextBuilder, Texts, is_inline};

/// The code of a missing value.
pub const NONE: u32 = u32::MAX;

/// Hashes values by their views; keyed at random so that no input can aim at collisions.
pub struct Keyed {
    low: u64,
    high: u64,
    long: foldhash::fast::RandomState,
}

pub static KEYED: LazyLock<Keyed> = LazyLock::new(|| {
    let state = RandomState::new();
    Keyed { low: state.hash_one(1), high: state.hash_one(2), long: Default::default() }
});

impl Keyed {
    /// The hash of a value from its view and, when it is long, its bytes.
    pub fn hash(&self, view: u128, bytes: impl FnOnce() -> u64) -> u64 {
        if is_inline(view) { self.short(view) } else { bytes() }
    }

    pub fn short(&self, view: u128) -> u64 {
        let product =
            u128::from(view as u64 ^ self.low) * u128::from((view >> 64) as u64 ^ self.high);
        product as u64 ^ (product >> 64) as u64
    }

    pub fn long(&self, bytes: &[u8]) -> u64 {
        self.long.hash_one(bytes)
    }

    pub fn text(&self, texts: &Texts, view: u128) -> u64 {
        self.hash(view, || self.long(text::bytes(view, &texts.buffers, &mut [0; 16])))
    }
}

/// Coded rows: from row `starts[i]` on the value is `texts[codes[i]]`.
#[derive(Clone)]
pub struct Coded {
    pub texts: Texts,
    pub starts: Vec<u32>,
    pub codes: Vec<u32>,
    pub rows: usize,
}

impl Coded {
    /// Codes `rows` rows in pieces side by side; `code` puts the rows of one, counted from its first,
    /// into a builder.
    pub fn in_pieces(rows: usize, code: impl Fn(Range<usize>, &mut CodedBuilder) + Sync) -> Coded {
        let part = |piece: Range<usize>| {
            let mut part = CodedBuilder::default();
            code(piece.clone(), &mut part);
            (piece.start, part)
        };
        let parts: Vec<(usize, CodedBuilder)> = scan::each_piece(rows, part);
        let mut whole = CodedBuilder::default();
        for (start, mut part) in parts {
            whole.append(start, &mut part);
        }
        whole.finish(rows)
    }

    /// The stretches of rows with one code: (code, first row, row after the last).
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let ends = self.starts.iter().skip(1).copied().chain([self.rows as u32]);
        self.codes
            .iter()
            .zip(&self.starts)
            .zip(ends)
            .map(|((&code, &start), end)| (code, start, end))
    }

    pub fn code(&self, row: usize) -> u32 {
        self.run_of(row as u32).0
    }

    /// The run that holds a row.
    pub fn run_of(&self, row: u32) -> (u32, u32, u32) {
        let after = self.starts.partition_point(|&start| start <= row);
        let end = self.starts.get(after).copied().unwrap_or(self.rows as u32);
        (self.codes[after - 1], self.starts[after - 1], end)
    }

    /// One view a row, the empty text where a value is missing.
    pub fn expand(&self) -> Texts {
        let mut views = Vec::with_capacity(self.rows);
        for (code, start, end) in self.runs() {
            let view = if code == NONE { 0 } else { self.texts.views[code as usize] };
            views.extend(std::iter::repeat_n(view, (end - start) as usize));
        }
        Texts { views: views.into(), buffers: self.texts.buffers.clone() }
    }
}

/// Coded rows while they are read.
#[derive(Default)]
pub struct CodedBuilder {
    texts: TextBuilder,
    table: HashTable<u32>,
    starts: Vec<u32>,
    codes: Vec<u32>,
    map: Vec<u32>,
}

impl CodedBuilder {
    /// Says that from `row` on the value is `value`.
    pub fn push(&mut self, row: usize, value: &[u8]) {
        let code = self.code(value);
        self.push_code(row, code);
    }

    pub fn push_code(&mut self, row: usize, code: u32) {
        if self.codes.last() != Some(&code) {
            self.starts.push(row as u32);
            self.codes.push(code);
        }
    }

    /// The code of a value, a new one if it has not been seen.
    pub fn code(&mut self, value: &[u8]) -> u32 {
        let CodedBuilder { texts, table, .. } = self;
        let mut scratch = [0; 16];
        let hash = hash_bytes(value);
        let same = |&code: &u32| texts.bytes(texts.views()[code as usize], &mut scratch) == value;
        if let Some(&code) = table.find(hash, same) {
            return code;
        }
        let code = texts.len() as u32;
        texts.push(value);
        table.insert_unique(hash, code, |&code| {
            hash_bytes(texts.bytes(texts.views()[code as usize], &mut [0; 16]))
        });
        code
    }

    /// Puts `part` behind these rows and empties it.
    pub fn append(&mut self, rows: usize, part: &mut CodedBuilder) {
        let mut map = std::mem::take(&mut self.map);
        map.clear();
        map.extend(
            part.texts.views().iter().map(|&view| self.code(part.texts.bytes(view, &mut [0; 16]))),
        );
        for (&start, &code) in part.starts.iter().zip(&part.codes) {
            let code = if code == NONE { NONE } else { map[code as usize] };
            self.push_code(rows + start as usize, code);
        }
        self.map = map;
        part.clear();
    }

    pub fn clear(&mut self) {
        self.texts.clear();
        self.table.clear();
        self.starts.clear();
        self.codes.clear();
    }

    pub fn finish(mut self, rows: usize) -> Coded {
        self.starts.shrink_to_fit();
        self.codes.shrink_to_fit();
        Coded { texts: self.texts.finish(), starts: self.starts, codes: self.codes, rows }
    }
}

fn hash_bytes(value: &[u8]) -> u64 {
    if value.len() <= text::INLINE { KEYED.short(text::inline(value)) } else { KEYED.long(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_join_into_one_dictionary() {
        let (mut whole, mut part) = (CodedBuilder::default(), CodedBuilder::default());
        part.push(0, b"a");
        part.push(1, b"a longer value than twelve bytes");
        whole.append(0, &mut part);
        part.push(0, b"a longer value than twelve bytes");
        part.push(1, b"a");
        whole.append(2, &mut part);
        let coded = whole.finish(4);
        assert_eq!(coded.texts.len(), 2);
        assert_eq!(coded.runs().collect::<Vec<_>>(), [(0, 0, 1), (1, 1, 3), (0, 3, 4)]);
        assert_eq!((0..4).map(|row| coded.code(row)).collect::<Vec<_>>(), [0, 1, 1, 0]);
    }
}
