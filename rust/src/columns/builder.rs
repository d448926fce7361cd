//! Columns built value by value, whose type is known only at the end.

use std::borrow::Cow;

use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, NullBuffer};

use crate::columns::column::{Column, Value, Values};
use crate::columns::decimal::EXACT;
use crate::columns::numbers::{Floats, whole_text};
use crate::columns::text_builder::TextBuilder;

/// One value on its way into a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    Missing,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Cow<'a, str>),
}

impl From<Value> for Cell<'_> {
    fn from(value: Value) -> Self {
        match value {
            Value::Missing => Cell::Missing,
            Value::Bool(value) => Cell::Bool(value),
            Value::Int(value) => Cell::Int(value),
            Value::Float(value) => Cell::Float(value),
            Value::Text(value) => Cell::Text(value.into()),
        }
    }
}

/// The text a value reads as among texts: whole floats as integers.
pub fn spelled(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Missing => String::new(),
        Cell::Bool(value) => value.to_string(),
        Cell::Int(value) => value.to_string(),
        Cell::Float(value) => whole_text(*value).unwrap_or_else(|| value.to_string()),
        Cell::Text(value) => value.to_string(),
    }
}

enum Built {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Float(Vec<f64>),
    Text(TextBuilder),
}

/// A column in the making: ints and floats become floats, numbers and texts become texts, and so do integers
/// that floats would round.
pub struct CellBuilder {
    built: Option<Built>,
    present: BooleanBufferBuilder,
}

impl Default for CellBuilder {
    fn default() -> CellBuilder {
        CellBuilder { built: None, present: BooleanBufferBuilder::new(0) }
    }
}

impl CellBuilder {
    pub fn len(&self) -> usize {
        self.present.len()
    }

    /// Missing values up to `rows`.
    pub fn pad(&mut self, rows: usize) {
        while self.len() < rows {
            self.push(Cell::Missing);
        }
    }

    pub fn push(&mut self, cell: Cell<'_>) {
        let missing = match &cell {
            Cell::Missing => true,
            Cell::Float(value) => value.is_nan(),
            _ => false,
        };
        if !missing {
            self.widen(&cell);
        }
        self.push_fitting(&cell, !missing);
    }

    /// Adds a value for which the column's type is wide enough.
    fn push_fitting(&mut self, cell: &Cell<'_>, present: bool) {
        self.present.append(present);
        match (&mut self.built, cell) {
            (None, _) => (),
            (Some(Built::Bool(values)), cell) => values.push(*cell == Cell::Bool(true)),
            (Some(Built::Int(values)), cell) => values.push(int(cell)),
            (Some(Built::Float(values)), cell) => values.push(float(cell)),
            (Some(Built::Text(values)), Cell::Text(text)) => values.push(text.as_bytes()),
            (Some(Built::Text(values)), cell) => values.push(spelled(cell).as_bytes()),
        }
    }

    /// Makes the column's type wide enough for `cell`.
    fn widen(&mut self, cell: &Cell<'_>) {
        let wanted = match (&self.built, cell) {
            (Some(Built::Int(_) | Built::Float(_)), Cell::Int(_) | Cell::Float(_))
                if self.rounds(cell) =>
            {
                Built::Text(TextBuilder::default())
            }
            (Some(Built::Text(_)), _)
            | (Some(Built::Float(_)), Cell::Float(_) | Cell::Int(_) | Cell::Bool(_))
            | (Some(Built::Int(_)), Cell::Int(_) | Cell::Bool(_))
            | (Some(Built::Bool(_)), Cell::Bool(_)) => return,
            (_, Cell::Text(_) | Cell::Missing) => Built::Text(TextBuilder::default()),
            (_, Cell::Float(_)) => Built::Float(Vec::new()),
            (_, Cell::Int(_)) => Built::Int(Vec::new()),
            (_, Cell::Bool(_)) => Built::Bool(Vec::new()),
        };
        let rows = self.len();
        let before = std::mem::take(self);
        self.built = Some(wanted);
        let column = before.finish();
        for row in 0..rows {
            let cell = column.value(row).into();
            self.push_fitting(&cell, cell != Cell::Missing);
        }
    }

    /// Would an integer lose digits as one of the floats of the column with `cell`?
    fn rounds(&self, cell: &Cell<'_>) -> bool {
        let large = |value: i64| value.unsigned_abs() > EXACT;
        match (&self.built, cell) {
            (Some(Built::Int(values)), Cell::Float(_)) => values.iter().any(|&value| large(value)),
            (Some(Built::Float(_)), Cell::Int(value)) => large(*value),
            _ => false,
        }
    }

    /// Puts `part` behind these values and empties it.
    pub fn append(&mut self, part: &mut CellBuilder) {
        let mut part = std::mem::take(part);
        let empty = self.len() == 0;
        match (&mut self.built, &mut part.built) {
            (Some(Built::Bool(values)), Some(Built::Bool(more))) => values.append(more),
            (Some(Built::Int(values)), Some(Built::Int(more))) => values.append(more),
            (Some(Built::Float(values)), Some(Built::Float(more))) => values.append(more),
            (Some(Built::Text(values)), Some(Built::Text(more))) => values.append(more),
            (None, Some(_)) if empty => self.built = part.built.take(),
            _ => return self.append_slowly(part),
        }
        self.present.append_buffer(&part.present.finish());
    }

    fn append_slowly(&mut self, part: CellBuilder) {
        let column = part.finish();
        (0..column.len()).for_each(|row| self.push(column.value(row).into()));
    }

    pub fn finish(mut self) -> Column {
        let rows = self.len();
        let present = self.present.finish();
        let values = match self.built {
            None => Values::Text(std::iter::repeat_n(String::new(), rows).collect()),
            Some(Built::Bool(values)) => Values::Bool(BooleanBuffer::from(values)),
            Some(Built::Int(values)) => Values::Int(values.into()),
            Some(Built::Float(values)) => Values::Float(Floats::Double(values.into())),
            Some(Built::Text(values)) => Values::Text(values.finish()),
        };
        Column::new(values, Some(NullBuffer::new(present)))
    }
}

fn int(cell: &Cell<'_>) -> i64 {
    match cell {
        Cell::Int(value) => *value,
        Cell::Bool(value) => i64::from(*value),
        _ => 0,
    }
}

/// The number a cell is; NaN where it is none.
pub fn float(cell: &Cell<'_>) -> f64 {
    match cell {
        Cell::Float(value) => *value,
        Cell::Int(value) => *value as f64,
        Cell::Bool(value) => f64::from(u8::from(*value)),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[Cell<'_>]) -> Column {
        let mut builder = CellBuilder::default();
        cells.iter().for_each(|cell| builder.push(cell.clone()));
        builder.finish()
    }

    #[test]
    fn ints_and_floats_become_floats() {
        let column = column(&[Cell::Missing, Cell::Int(1), Cell::Float(2.5)]);
        assert_eq!((column.kind(), column.missing()), ("float", 1));
        assert_eq!(column.value(1), Value::Float(1.0));
    }

    #[test]
    fn numbers_and_texts_become_texts() {
        let column =
            column(&[Cell::Int(12), Cell::Float(1.0), Cell::Text("a".into()), Cell::Float(0.5)]);
        let texts: Vec<Value> = (0..4).map(|row| column.value(row)).collect();
        assert_eq!(texts, ["12", "1", "a", "0.5"].map(|text| Value::Text(text.into())));
    }

    #[test]
    fn large_integers_stay_exact_among_floats() {
        let large = 9_007_199_254_740_993;
        let column = column(&[Cell::Int(large), Cell::Float(30.0), Cell::Int(large + 2)]);
        let texts = ["9007199254740993", "30", "9007199254740995"];
        for (row, text) in texts.into_iter().enumerate() {
            assert_eq!(column.value(row), Value::Text(text.into()));
        }
    }

    #[test]
    fn missing_values_alone_are_text() {
        let column = column(&[Cell::Missing, Cell::Float(f64::NAN)]);
        assert_eq!((column.kind(), column.missing()), ("text", 2));
    }
}
