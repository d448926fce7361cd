//! Numbers: as text spells them, and columns of them in the smallest exact form.

use crate::columns::scan;
use arrow_buffer::ScalarBuffer;

const POWERS: [f64; 17] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16];

const WHOLE_POWERS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Integers up to here are exact in float64.
pub const EXACT: u64 = 1 << 53;

/// The same for floats of 32 and of 16 bits.
pub const EXACT_SINGLE: u32 = 1 << 24;
pub const EXACT_HALF: u32 = 1 << 11;

/// A word whose eight bytes are all `byte`.
pub const fn every(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The number a text spells, NaN and infinities included; `None` if it spells none.
pub fn parse(text: &[u8]) -> Option<f64> {
    if text.len() > 24 {
        return slow(text);
    }
    let mut room = [0; 32];
    room[..text.len()].copy_from_slice(text);
    parse_at(&room, 0, text.len())
}

/// The number `block[start..end]` spells; eight bytes from any of its places must exist.
///
/// Mantissa and power of a plain number are exact in float64, so their quotient is rounded right
/// (Clinger 1990); other numbers are left to the standard library.
#[inline]
pub fn parse_at(block: &[u8], start: usize, end: usize) -> Option<f64> {
    let minus = block[start] == b'-';
    match plain(block, start + usize::from(minus), end) {
        Some(value) => Some(if minus { -value } else { value }),
        None => slow(&block[start..end]),
    }
}

#[inline]
fn plain(block: &[u8], start: usize, end: usize) -> Option<f64> {
    let size = end - start;
    let head = word(block, start);
    let text = head & low_bytes(size);
    let points = zeros(text ^ every(b'.'));
    if points == 0 {
        return if (1..=8).contains(&size) { Some(digits(head, size)? as f64) } else { None };
    }
    let whole = points.trailing_zeros() as usize / 8;
    let (places, from) = (size - whole - 1, start + whole + 1);
    let above = digits(head, whole)?;
    if places <= 8 {
        let mantissa = above * WHOLE_POWERS[places] + digits(word(block, from), places)?;
        return (size > 1).then(|| mantissa as f64 / POWERS[places]);
    }
    if places > 16 {
        return None;
    }
    let (first, rest) = (digits(word(block, from), 8)?, digits(word(block, from + 8), places - 8)?);
    let upper = above * WHOLE_POWERS[8] + first;
    let mantissa = upper.checked_mul(WHOLE_POWERS[places - 8])?.checked_add(rest)?;
    (mantissa <= EXACT).then(|| mantissa as f64 / POWERS[places])
}

#[cold]
fn slow(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The high bit of each byte that is zero, exact up to and including the first such byte.
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(every(1)) & !word & every(0x80)
}

fn word(block: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(block[at..at + 8].try_into().expect("eight bytes"))
}

/// A mask of the first `size` bytes, at most eight.
fn low_bytes(size: usize) -> u64 {
    if size < 8 { (1 << (8 * size)) - 1 } else { u64::MAX }
}

/// The number the first `size` bytes spell, at most eight; `None` if one is no digit.
fn digits(word: u64, size: usize) -> Option<u64> {
    if size == 0 {
        return Some(0);
    }
    let by = 64 - 8 * size as u32;
    let digits = (word ^ every(b'0')) << by;
    if (digits.wrapping_add(every(0x76)) | digits) & every(0x80) != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let (even, odd) = (pairs & 0x0000_00ff_0000_00ff, pairs >> 16 & 0x0000_00ff_0000_00ff);
    let low = even.wrapping_mul(0x000f_4240_0000_0064);
    Some(low.wrapping_add(odd.wrapping_mul(0x0000_2710_0000_0001)) >> 32)
}

/// The decimal text of a whole number.
pub fn whole_text(value: f64) -> Option<String> {
    (value.is_finite() && value.fract() == 0.0).then(|| format!("{:.0}", value + 0.0))
}

/// A key that is the lower the higher the number is; the two zeros have the same.
pub fn falling(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { bits } else { !(bits | 1 << 63) }
}

/// Floats, held as float32 where that is exact; NaN is a missing value.
#[derive(Clone)]
pub enum Floats {
    Single(ScalarBuffer<f32>),
    Double(ScalarBuffer<f64>),
}

impl Floats {
    pub fn len(&self) -> usize {
        match self {
            Floats::Single(values) => values.len(),
            Floats::Double(values) => values.len(),
        }
    }

    pub fn get(&self, row: usize) -> f64 {
        match self {
            Floats::Single(values) => f64::from(values[row]),
            Floats::Double(values) => values[row],
        }
    }

    pub fn all_finite(&self) -> bool {
        match self {
            Floats::Single(values) => !scan::any(values, |value| !value.is_finite()),
            Floats::Double(values) => !scan::any(values, |value| !value.is_finite()),
        }
    }

    pub fn to_vec(&self) -> Vec<f64> {
        match self {
            Floats::Single(values) => values.iter().map(|&value| f64::from(value)).collect(),
            Floats::Double(values) => values.to_vec(),
        }
    }
}

/// Floats while they are read.
#[derive(Default)]
pub struct FloatPart {
    values: Vec<f64>,
    inexact: bool,
}

impl FloatPart {
    #[inline]
    pub fn push(&mut self, value: f64) {
        self.inexact |= f64::from(value as f32).to_bits() != value.to_bits();
        self.values.push(value);
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.inexact = false;
    }
}

/// The floats of the parts so far: float32 until one does not fit.
pub enum FloatBuilder {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl Default for FloatBuilder {
    fn default() -> FloatBuilder {
        FloatBuilder::Single(Vec::new())
    }
}

impl FloatBuilder {
    pub fn append(&mut self, part: &mut FloatPart) {
        if let (true, FloatBuilder::Single(values)) = (part.inexact, &self) {
            *self = FloatBuilder::Double(values.iter().map(|&value| f64::from(value)).collect());
        }
        match self {
            FloatBuilder::Single(values) => {
                values.extend(part.values.iter().map(|&value| value as f32));
            }
            FloatBuilder::Double(values) => values.extend_from_slice(&part.values),
        }
        part.clear();
    }

    pub fn finish(self) -> Floats {
        match self {
            FloatBuilder::Single(mut values) => {
                values.shrink_to_fit();
                Floats::Single(values.into())
            }
            FloatBuilder::Double(mut values) => {
                values.shrink_to_fit();
                Floats::Double(values.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plainly(text: &str) -> Option<u64> {
        text.parse::<f64>().ok().map(f64::to_bits)
    }

    #[test]
    fn numbers_are_read_as_the_standard_library_reads_them() {
        let mut state = 7u64;
        let mut next = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for round in 0..200_000 {
            let alphabet: &[u8] =
                if round % 4 == 0 { b"0123456789.-+eE/:_ nif" } else { b"0123456789" };
            let mut text: Vec<u8> = (0..next(22)).map(|_| alphabet[next(alphabet.len())]).collect();
            if round % 3 > 0 && !text.is_empty() {
                let at = next(text.len());
                text[at] = b'.';
            }
            if round % 5 == 0 {
                text.insert(0, b'-');
            }
            let text = String::from_utf8(text).unwrap();
            assert_eq!(parse(text.as_bytes()).map(f64::to_bits), plainly(&text), "{text}");
        }
    }

    #[test]
    fn what_follows_a_field_does_not_count() {
        let block = b"12.5 99999999999999999999999999";
        assert_eq!(parse_at(block, 0, 4), Some(12.5));
        assert_eq!(parse_at(block, 0, 2), Some(12.0));
    }

    #[test]
    fn signs_exponents_and_words_are_read() {
        assert_eq!(parse(b"+1.5"), Some(1.5));
        assert_eq!(parse(b"-1e3"), Some(-1000.0));
        assert!(parse(b"nan").unwrap().is_nan());
        assert_eq!(parse(b"-inf"), Some(f64::NEG_INFINITY));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", ".", "-", "+", "1..2", "1,5", "abc", "0x10", "1_000", "--1", "1 "] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn whole_floats_read_as_integers() {
        assert_eq!(whole_text(12.0).as_deref(), Some("12"));
        assert_eq!(whole_text(-0.0).as_deref(), Some("0"));
        assert_eq!(whole_text(12.5), None);
        assert_eq!(whole_text(f64::NAN), None);
    }
}
