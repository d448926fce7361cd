//! Numbers written as text, and columns of numbers in the smallest exact form.

use arrow_buffer::ScalarBuffer;

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The number a text spells, NaN and infinities included; `None` if it spells none.
pub fn parse(text: &[u8]) -> Option<f64> {
    plain(text).or_else(|| std::str::from_utf8(text).ok()?.parse().ok())
}

/// Decimal numbers of up to fifteen digits: both mantissa and power are exact, so is the rounding.
fn plain(text: &[u8]) -> Option<f64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let (mut mantissa, mut point) = (0u64, None);
    for (at, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa * 10 + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let places = point.map_or(0, |at| digits.len() - at - 1);
    let count = digits.len() - usize::from(point.is_some());
    if count == 0 || count > 15 {
        return None;
    }
    let value = mantissa as f64 / POWERS[places];
    Some(if negative { -value } else { value })
}

/// The decimal text of a whole number.
pub fn whole_text(value: f64) -> Option<String> {
    (value.is_finite() && value.fract() == 0.0).then(|| format!("{:.0}", value + 0.0))
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
    pub fn push(&mut self, value: f64) {
        self.inexact |= f64::from(value as f32) != value && !value.is_nan();
        self.values.push(value);
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

    #[test]
    fn plain_decimals_are_rounded_as_the_standard_library_rounds_them() {
        for text in ["0", "-0.0", "1.", ".5", "12.3456", "999999999999999", "0.000000000000001"] {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(parse(text.as_bytes()).unwrap().to_bits(), expected.to_bits(), "{text}");
        }
    }

    #[test]
    fn signs_exponents_and_many_digits_are_read() {
        for (text, value) in
            [("+1.5", 1.5), ("1e3", 1e3), ("0.1234567890123456789", 0.123_456_789_012_345_68)]
        {
            assert_eq!(parse(text.as_bytes()), Some(value));
        }
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
