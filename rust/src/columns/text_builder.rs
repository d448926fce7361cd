//! Text values while they are read.

use arrow_buffer::Buffer;

use crate::columns::text::{
    FULL, INLINE, Texts, bytes, inline, inline_at, is_inline, len, long, shift,
};

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
