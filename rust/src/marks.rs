//! Where white space and text meet in a block, found eight bytes at a time.

/// The white space of C's `isspace`: blank, tab, line feed, vertical tab, form feed, return.
pub fn is_space(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') <= b'\r' - b'\t')
}

/// One bit a byte: is it white space?
fn spaces(chunk: &[u8; 64]) -> u64 {
    let flags = chunk.map(|byte| u8::from(is_space(byte)));
    let mut mask = 0;
    for (at, bytes) in flags.as_chunks::<8>().0.iter().enumerate() {
        // Gathers the low bits of eight bytes in the top byte.
        let gathered = u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= gathered << (8 * at);
    }
    mask
}

/// The start and the end of every run of text, one after the other.
#[derive(Default)]
pub struct Marks {
    places: Vec<u32>,
    count: usize,
}

impl Marks {
    pub fn find(&mut self, text: &[u8]) {
        self.count = 0;
        let (chunks, rest) = text.as_chunks::<64>();
        let mut last = 1;
        for (at, chunk) in chunks.iter().enumerate() {
            last = self.add(64 * at, spaces(chunk), last);
        }
        let mut chunk = [b' '; 64];
        chunk[..rest.len()].copy_from_slice(rest);
        let last = self.add(text.len() - rest.len(), spaces(&chunk), last);
        if last == 0 {
            self.add(text.len(), u64::MAX, last);
        }
    }

    /// Adds the places at which `mask` changes, and returns its last bit.
    fn add(&mut self, base: usize, mask: u64, last: u64) -> u64 {
        let mut changes = mask ^ (mask << 1 | last);
        if self.places.len() < self.count + 64 {
            self.places.resize(2 * self.count + 1024, 0);
        }
        let room: &mut [u32; 64] =
            (&mut self.places[self.count..self.count + 64]).try_into().expect("room for 64");
        let count = changes.count_ones() as usize;
        // Whole groups of eight: what is written beyond `count` is written over later.
        for group in room.as_chunks_mut::<8>().0.iter_mut().take(count.div_ceil(8)) {
            for place in group {
                *place = base as u32 + changes.trailing_zeros();
                changes &= changes.wrapping_sub(1);
            }
        }
        self.count += count;
        mask >> 63
    }

    pub fn places(&self) -> &[u32] {
        &self.places[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plainly(text: &[u8]) -> Vec<u32> {
        let space = |at: usize| text.get(at).is_none_or(|&byte| is_space(byte));
        let before = |at: usize| at == 0 || space(at - 1);
        (0..=text.len()).filter(|&at| space(at) != before(at)).map(|at| at as u32).collect()
    }

    #[test]
    fn every_byte_is_told_apart() {
        for byte in 0..=255u8 {
            let mut chunk = [b'x'; 64];
            (0..64).step_by(3).for_each(|at| chunk[at] = byte);
            let expected = (0..64).filter(|&at| is_space(chunk[at])).map(|at| 1 << at).sum::<u64>();
            assert_eq!(spaces(&chunk), expected, "{byte}");
            assert_eq!(is_space(byte), b" \t\n\x0b\x0c\r".contains(&byte));
        }
    }

    #[test]
    fn marks_are_the_places_where_text_starts_and_ends() {
        let alphabet = b"ab \t\n\r\xc3\x89";
        let mut state = 1u64;
        for size in 0..300 {
            let text: Vec<u8> = (0..size)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    alphabet[(state >> 60) as usize % alphabet.len()]
                })
                .collect();
            let mut marks = Marks::default();
            marks.find(&text);
            assert_eq!(marks.places(), plainly(&text), "{text:?}");
        }
    }
}
