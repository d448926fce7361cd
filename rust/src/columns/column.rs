//! One column of values, immutable and cheap to clone.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringViewArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use pyo3::prelude::*;

use crate::columns::dictionary::{Coded, NONE};
use crate::columns::numbers::{self, EXACT, FloatBuilder, FloatPart, Floats, whole_text};
use crate::columns::scan;
use crate::columns::text::{self, Texts, trim};
use crate::errors::Bad;

#[derive(Clone)]
pub enum Values {
    Text(Texts),
    Coded(Arc<Coded>),
    Int(ScalarBuffer<i64>),
    Float(Floats),
    Bool(BooleanBuffer),
}

/// One value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Missing,
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
}

/// A column of a frame: text, int, float or bool values, any of which may be missing.
#[pyclass(frozen, from_py_object, module = "idealrank._core")]
#[derive(Clone)]
pub struct Column {
    pub values: Values,
    pub nulls: Option<NullBuffer>,
    /// Is no value there twice for one query, as the table was built?
    pub once: bool,
    missing: Arc<OnceLock<usize>>,
    /// Text that spells whole numbers, some beyond 64 bits.
    wide: bool,
    /// The first values that became text or numbers here, but were nothing that names something.
    strays: Strays,
}

/// The first truth value of a column, and the first float that says no whole number for certain, by row. Among
/// numbers and texts they look like any other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strays {
    pub truth: Option<(usize, bool)>,
    pub float: Option<(usize, f64)>,
}

impl Strays {
    /// Puts those of `part`, which begins at the row `before`, behind these.
    pub fn append(&mut self, before: usize, part: Strays) {
        self.truth = self.truth.or(part.truth.map(|(row, value)| (row + before, value)));
        self.float = self.float.or(part.float.map(|(row, value)| (row + before, value)));
    }
}

/// Is a float a whole number, and the only one that it can be?
pub fn is_sure(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() < EXACT as f64
}

impl Column {
    pub fn new(values: Values, nulls: Option<NullBuffer>) -> Column {
        let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
        Column {
            values,
            nulls,
            once: false,
            missing: Arc::default(),
            wide: false,
            strays: Strays::default(),
        }
    }

    pub fn text(texts: Texts) -> Column {
        Column::new(Values::Text(texts), None)
    }

    /// Text in which the empty text is a missing value.
    pub fn text_or_missing(texts: Texts) -> Column {
        let present =
            BooleanBuffer::collect_bool(texts.len(), |row| text::len(texts.views[row]) > 0);
        Column::new(Values::Text(texts), Some(NullBuffer::new(present)))
    }

    /// Text that spells whole numbers, some beyond 64 bits: ids as it is, a number where a float is exact.
    pub fn wide(mut self) -> Column {
        self.wide = true;
        self
    }

    /// The same column, with the first values that name nothing.
    pub fn with_strays(mut self, strays: Strays) -> Column {
        self.strays = strays;
        self
    }

    pub fn strays(&self) -> Strays {
        self.strays
    }

    /// Refuses a column of ids for its first value that is true or false, or a float that is no id for certain:
    /// beyond 2^53, or 2^24 of 32 bits, where different ids are the same float, or a fraction among texts.
    pub fn check_ids(&self, name: &str) -> Result<(), Bad> {
        let (truth, float) = match &self.values {
            Values::Bool(values) => {
                let first = (0..values.len()).find(|&row| !self.is_null(row));
                (first.map(|row| (row, values.value(row))), None)
            }
            Values::Float(values) => {
                // Whoever joins the ids refuses fractions.
                let whole = self.strays.float.filter(|(_, value)| value.fract() == 0.0);
                (self.strays.truth, whole.or_else(|| self.first_rounded(values)))
            }
            Values::Int(_) => (self.strays.truth, None),
            Values::Text(_) | Values::Coded(_) => (self.strays.truth, self.strays.float),
        };
        let row = |at: Option<usize>| at.unwrap_or(usize::MAX);
        if let Some((at, value)) = truth.filter(|(at, _)| *at < row(float.map(|found| found.0))) {
            return Err(Bad::row("bool_id", at, name, value.to_string().as_bytes()));
        }
        let Some((at, value)) = float else { return Ok(()) };
        let kind = match value.fract() == 0.0 {
            true if is_sure(value) => "single_id",
            true => "rounded_id",
            false => "fractional_id",
        };
        Err(Bad::row(kind, at, name, value.to_string().as_bytes()))
    }

    /// The same column of floats of fewer bits, which are exact below `exact`: as an id, a larger one may be any of
    /// several whole numbers.
    pub fn exact_below(mut self, exact: u32) -> Column {
        if let Values::Float(values) = &self.values {
            let rounded = |row: &usize| {
                let value = values.get(*row);
                value.fract() == 0.0 && value.abs() >= f64::from(exact) && !self.is_null(*row)
            };
            let first = (0..values.len()).find(rounded);
            self.strays.float = first.map(|row| (row, values.get(row)));
        }
        self
    }

    fn first_rounded(&self, values: &Floats) -> Option<(usize, f64)> {
        let rounded = |&row: &usize| {
            let value = values.get(row);
            value.fract() == 0.0 && !is_sure(value) && !self.is_null(row)
        };
        (0..values.len()).find(rounded).map(|row| (row, values.get(row)))
    }

    pub fn coded(coded: Coded) -> Column {
        Column::new(Values::Coded(Arc::new(coded)), None)
    }

    pub fn numeric(floats: Floats) -> Column {
        Column::new(Values::Float(floats), None)
    }

    pub fn len(&self) -> usize {
        match &self.values {
            Values::Text(texts) => texts.len(),
            Values::Coded(coded) => coded.rows,
            Values::Int(values) => values.len(),
            Values::Float(values) => values.len(),
            Values::Bool(values) => values.len(),
        }
    }

    pub fn kind(&self) -> &'static str {
        match &self.values {
            Values::Text(_) | Values::Coded(_) => "text",
            Values::Int(_) => "int",
            Values::Float(_) => "float",
            Values::Bool(_) => "bool",
        }
    }

    pub fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }

    pub fn value(&self, row: usize) -> Value {
        if self.is_null(row) {
            return Value::Missing;
        }
        match &self.values {
            Values::Text(texts) => Value::Text(texts.string(row)),
            Values::Coded(coded) => match coded.code(row) {
                NONE => Value::Missing,
                code => Value::Text(coded.texts.string(code as usize)),
            },
            Values::Int(values) => Value::Int(values[row]),
            Values::Float(values) => match values.get(row) {
                value if value.is_nan() => Value::Missing,
                value => Value::Float(value),
            },
            Values::Bool(values) => Value::Bool(values.value(row)),
        }
    }

    pub fn missing(&self) -> usize {
        *self.missing.get_or_init(|| match &self.values {
            Values::Coded(coded) => {
                coded.runs().filter(|run| run.0 == NONE).map(|run| (run.2 - run.1) as usize).sum()
            }
            Values::Float(_) => self.present().null_count(),
            _ => self.nulls.as_ref().map_or(0, NullBuffer::null_count),
        })
    }

    /// Which rows have a value.
    pub fn present(&self) -> NullBuffer {
        let present = |row| self.value(row) != Value::Missing;
        match &self.values {
            Values::Float(values) => {
                NullBuffer::new(BooleanBuffer::collect_bool(self.len(), |row| {
                    !self.is_null(row) && !values.get(row).is_nan()
                }))
            }
            _ => NullBuffer::new(BooleanBuffer::collect_bool(self.len(), present)),
        }
    }

    /// The numbers of a numeric column, NaN where missing.
    pub fn numbers(&self) -> Result<Floats, Bad> {
        let cell = |row: usize, value: f64| if self.is_null(row) { f64::NAN } else { value };
        let all = |value: &dyn Fn(usize) -> f64| {
            Ok(Floats::Double(
                (0..self.len()).map(|row| cell(row, value(row))).collect::<Vec<_>>().into(),
            ))
        };
        match &self.values {
            Values::Float(values) if self.nulls.is_none() => Ok(values.clone()),
            Values::Float(values) => all(&|row| values.get(row)),
            Values::Int(values) => all(&|row| values[row] as f64),
            Values::Bool(values) => all(&|row| f64::from(u8::from(values.value(row)))),
            Values::Text(_) | Values::Coded(_) => {
                Err(Bad::Py(pyo3::exceptions::PyTypeError::new_err("a text column has no numbers")))
            }
        }
    }

    /// The numbers that a text column spells.
    fn parsed(&self, name: &str, words: bool) -> Result<Floats, Bad> {
        let pieces: Vec<Result<FloatPart, Bad>> =
            scan::each_piece(self.len(), |rows| self.parse_piece(rows, name, words));
        let mut whole = FloatBuilder::default();
        for piece in pieces {
            whole.append(&mut piece?);
        }
        Ok(whole.finish())
    }

    fn parse_piece(&self, rows: Range<usize>, name: &str, words: bool) -> Result<FloatPart, Bad> {
        let mut part = FloatPart::default();
        let mut scratch = [0; 16];
        for row in rows {
            let text = self.text_at(row, &mut scratch);
            let number = cell_number(text, words)
                .ok_or_else(|| Bad::row("not_a_number", row, name, text))?;
            if self.wide && !is_exact(number, text) {
                return Err(Bad::row("not_exact", row, name, text));
            }
            part.push(number);
        }
        Ok(part)
    }

    /// The text of a text column's row, empty where missing.
    fn text_at<'a>(&'a self, row: usize, scratch: &'a mut [u8; 16]) -> &'a [u8] {
        match &self.values {
            Values::Text(texts) if !self.is_null(row) => texts.bytes(row, scratch),
            Values::Coded(coded) => match coded.code(row) {
                NONE => b"",
                code => coded.texts.bytes(code as usize, scratch),
            },
            _ => b"",
        }
    }

    /// The column as Arrow holds it: missing values are nulls, text is string views.
    pub fn to_arrow(&self) -> Result<ArrayRef, Bad> {
        let nulls = (self.missing() > 0).then(|| self.present());
        Ok(match &self.values {
            Values::Text(texts) => string_views(texts.clone(), nulls)?,
            Values::Coded(coded) => string_views(coded.expand(), nulls)?,
            Values::Int(values) => Arc::new(Int64Array::new(values.clone(), nulls)),
            Values::Float(Floats::Double(values)) => {
                Arc::new(Float64Array::new(values.clone(), nulls))
            }
            Values::Float(values) => Arc::new(Float64Array::new(values.to_vec().into(), nulls)),
            Values::Bool(values) => Arc::new(BooleanArray::new(values.clone(), nulls)),
        })
    }

    /// Text as it is; float64 for numbers.
    pub fn as_number(&self, name: &str, words: bool) -> Result<Column, Bad> {
        match &self.values {
            Values::Text(_) | Values::Coded(_) => self.parsed(name, words).map(Column::numeric),
            _ => self.numbers().map(Column::numeric),
        }
    }
}

fn string_views(texts: Texts, nulls: Option<NullBuffer>) -> Result<ArrayRef, Bad> {
    let array = StringViewArray::try_new(texts.views, texts.buffers.to_vec(), nulls);
    Ok(Arc::new(array.map_err(Bad::corrupt)?))
}

/// The number in a cell, NaN where there is none; `None` if it is something else.
fn cell_number(text: &[u8], words: bool) -> Option<f64> {
    let text = trim(text);
    let missing = text.is_empty() || (words && is_missing_word(text));
    if missing { Some(f64::NAN) } else { numbers::parse(text) }
}

fn is_exact(number: f64, text: &[u8]) -> bool {
    number.is_nan() || whole_text(number).is_some_and(|whole| whole.as_bytes() == text)
}

fn is_missing_word(text: &[u8]) -> bool {
    [&b"nan"[..], b"null", b"na", b"none"].iter().any(|word| text.eq_ignore_ascii_case(word))
}
