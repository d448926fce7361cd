//! Columns of numbers in the smallest exact form.

use arrow_buffer::ScalarBuffer;

use crate::columns::scan;

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

    #[test]
    fn whole_floats_read_as_integers() {
        assert_eq!(whole_text(12.0).as_deref(), Some("12"));
        assert_eq!(whole_text(-0.0).as_deref(), Some("0"));
        assert_eq!(whole_text(12.5), None);
        assert_eq!(whole_text(f64::NAN), None);
    }
}
