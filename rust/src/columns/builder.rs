//! Columns built value by value, whose type is known only at the end.

use std::borrow::Cow;

use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, NullBuffer};

use crate::columns::column::{Column, Strays, Value, Values, is_sure};
use crate::columns::numbers::{EXACT, Floats, whole_text};
use crate::columns::text::{TextBuilder, Texts};

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

/// Notes a value that is no id for certain, if it is the first of its kind.
fn note(strays: &mut Strays, row: usize, cell: &Cell<'_>) {
    match cell {
        Cell::Bool(value) => _ = strays.truth.get_or_insert((row, *value)),
        Cell::Float(value) if !is_sure(*value) => _ = strays.float.get_or_insert((row, *value)),
        _ => (),
    }
}

/// A column in the making: ints and floats become floats, numbers and texts become texts, and so do integers
/// that floats would round.
///
/// Missing values take no memory and no time: a table has as many columns as its rows have different keys, and as
/// many cells as all their values together, which may be few beside rows times columns.
#[derive(Default)]
pub struct CellBuilder {
    /// The values that are not missing, one behind the other.
    built: Option<Built>,
    /// The stretches of rows that have these values: the first row, and the row after the last.
    present: Vec<(u32, u32)>,
    len: usize,
    strays: Strays,
}

impl CellBuilder {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Missing values up to `rows`.
    pub fn pad(&mut self, rows: usize) {
        self.len = self.len.max(rows);
    }

    pub fn push(&mut self, cell: Cell<'_>) {
        let missing = match &cell {
            Cell::Missing => true,
            Cell::Float(value) => value.is_nan(),
            _ => false,
        };
        if !missing {
            note(&mut self.strays, self.len, &cell);
            self.widen(&cell);
            self.add(&cell);
            self.mark(self.len as u32, 1);
        }
        self.len += 1;
    }

    /// Says that the rows from `first` on have values.
    fn mark(&mut self, first: u32, rows: u32) {
        match self.present.last_mut() {
            Some((_, end)) if *end == first => *end += rows,
            _ => self.present.push((first, first + rows)),
        }
    }

    /// Adds a value for which the column's type is wide enough.
    fn add(&mut self, cell: &Cell<'_>) {
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
        if let Some(before) = self.built.replace(wanted) {
            let values = Column::new(before.values(), None);
            (0..values.len()).for_each(|at| self.add(&values.value(at).into()));
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
        match (&mut self.built, &mut part.built) {
            (_, None) => (),
            (Some(Built::Bool(values)), Some(Built::Bool(more))) => values.append(more),
            (Some(Built::Int(values)), Some(Built::Int(more))) => values.append(more),
            (Some(Built::Float(values)), Some(Built::Float(more))) => values.append(more),
            (Some(Built::Text(values)), Some(Built::Text(more))) => values.append(more),
            (None, Some(_)) => self.built = part.built.take(),
            (Some(_), Some(_)) => return self.append_sparse(&part.finish_sparse()),
        }
        for &(first, end) in &part.present {
            self.mark(self.len as u32 + first, end - first);
        }
        self.strays.append(self.len, part.strays);
        self.len += part.len;
    }

    /// Puts the values of a sparse column behind these, whatever its type.
    pub fn append_sparse(&mut self, part: &SparseColumn) {
        let before = self.len;
        let mut at = 0;
        for &(first, end) in &part.present {
            self.pad(before + first as usize);
            for _ in first..end {
                self.push(part.values.value(at).into());
                at += 1;
            }
        }
        self.pad(before + part.len);
        self.strays.append(before, part.strays);
    }

    /// Puts the values of a column behind these.
    pub fn append_column(&mut self, column: &Column) {
        let before = self.len;
        (0..column.len()).for_each(|row| self.push(column.value(row).into()));
        self.strays.append(before, column.strays());
    }

    pub fn finish_sparse(self) -> SparseColumn {
        let values = self.built.map_or(Values::Text(std::iter::empty().collect()), Built::values);
        let values = Column::new(values, None);
        SparseColumn { values, present: self.present, len: self.len, strays: self.strays }
    }

    pub fn finish(self) -> Column {
        self.finish_sparse().column()
    }
}

impl Built {
    fn values(self) -> Values {
        match self {
            Built::Bool(values) => Values::Bool(BooleanBuffer::from(values)),
            Built::Int(values) => Values::Int(values.into()),
            Built::Float(values) => Values::Float(Floats::Double(values.into())),
            Built::Text(values) => Values::Text(values.finish()),
        }
    }
}

/// With values in fewer than one of so many rows, a column has no cell for each row.
const SCARCE: usize = 16;

/// The values of a column that are not missing, and where they are.
#[derive(Clone)]
pub struct SparseColumn {
    values: Column,
    present: Vec<(u32, u32)>,
    len: usize,
    strays: Strays,
}

impl SparseColumn {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is a cell for every row not worth it?
    pub fn is_scarce(&self) -> bool {
        SCARCE * self.values.len() < self.len
    }

    /// The column with a cell for every row.
    pub fn column(&self) -> Column {
        if self.values.len() == self.len {
            return self.values.clone().with_strays(self.strays);
        }
        let values = match &self.values.values {
            Values::Text(texts) => Values::Text(Texts {
                views: self.spread(&texts.views, 0).into(),
                buffers: texts.buffers.clone(),
            }),
            Values::Int(values) => Values::Int(self.spread(values, 0).into()),
            Values::Float(Floats::Double(values)) => {
                Values::Float(Floats::Double(self.spread(values, f64::NAN).into()))
            }
            Values::Bool(values) => {
                let values: Vec<bool> = values.iter().collect();
                Values::Bool(BooleanBuffer::from(self.spread(&values, false)))
            }
            Values::Coded(_) | Values::Float(Floats::Single(_)) => unreachable!("never built"),
        };
        let mut present = BooleanBufferBuilder::new(self.len);
        for &(first, end) in &self.present {
            present.append_n(first as usize - present.len(), false);
            present.append_n((end - first) as usize, true);
        }
        present.append_n(self.len - present.len(), false);
        Column::new(values, Some(NullBuffer::new(present.finish()))).with_strays(self.strays)
    }

    fn spread<T: Copy>(&self, values: &[T], missing: T) -> Vec<T> {
        let (mut all, mut at) = (vec![missing; self.len], 0);
        for &(first, end) in &self.present {
            let count = (end - first) as usize;
            all[first as usize..end as usize].copy_from_slice(&values[at..at + count]);
            at += count;
        }
        all
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
    use crate::errors::Bad;

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
    fn missing_values_take_no_memory_and_stay_missing() {
        let mut builder = CellBuilder::default();
        builder.push(Cell::Int(1));
        builder.pad(1_000_000_000);
        builder.push(Cell::Text("a".into()));
        let mut part = CellBuilder::default();
        part.pad(2);
        part.push(Cell::Int(7));
        builder.append(&mut part);
        assert_eq!((builder.len(), builder.present.len()), (1_000_000_004, 3));
        let sparse = builder.finish_sparse();
        assert!(sparse.is_scarce());
        assert_eq!((sparse.values.len(), sparse.len()), (3, 1_000_000_004));

        let column = column(&[Cell::Missing, Cell::Bool(true), Cell::Missing, Cell::Int(3)]);
        let values: Vec<Value> = (0..4).map(|row| column.value(row)).collect();
        assert_eq!(values, [Value::Missing, Value::Int(1), Value::Missing, Value::Int(3)]);
    }

    fn refused(column: &Column) -> Option<(&'static str, usize, String)> {
        match column.check_ids("id") {
            Err(Bad::Row { kind, row, value, .. }) => Some((kind, row, value)),
            _ => None,
        }
    }

    #[test]
    fn what_names_nothing_stays_known_among_texts_and_numbers() {
        let (text, huge) = (|| Cell::Text("a".into()), 9_007_199_254_740_992.0);
        let as_id = |cells: &[Cell<'_>]| refused(&column(cells));
        assert_eq!(as_id(&[Cell::Int(1), Cell::Float(2.0), text(), Cell::Missing]), None);
        let truth = Some(("bool_id", 1, "true".to_owned()));
        assert_eq!(as_id(&[Cell::Missing, Cell::Bool(true), Cell::Bool(false)]), truth);
        assert_eq!(as_id(&[Cell::Int(1), Cell::Bool(true), Cell::Missing]), truth);
        assert_eq!(as_id(&[text(), Cell::Bool(true), Cell::Float(0.5)]), truth);
        let rounded = Some(("rounded_id", 1, "9007199254740992".to_owned()));
        assert_eq!(
            as_id(&[Cell::Int(1), Cell::Float(-huge)]).map(|found| found.0),
            Some("rounded_id")
        );
        assert_eq!(as_id(&[text(), Cell::Float(huge), Cell::Bool(true)]), rounded);
        let fraction = Some(("fractional_id", 1, "1.5".to_owned()));
        assert_eq!(as_id(&[text(), Cell::Float(1.5)]), fraction);
        assert_eq!(as_id(&[Cell::Int(1), Cell::Float(1.5)]), None);
    }

    #[test]
    fn what_names_nothing_stays_known_in_parts() {
        let builder = |cells: &[Cell<'_>]| {
            let mut builder = CellBuilder::default();
            cells.iter().for_each(|cell| builder.push(cell.clone()));
            builder
        };
        let first = |builder: CellBuilder| refused(&builder.finish()).map(|found| found.1);
        let (text, truth) = (Cell::Text("a".into()), Cell::Bool(true));
        for (before, part) in [
            (vec![Cell::Int(7)], vec![Cell::Int(1), truth.clone()]),
            (vec![text.clone()], vec![Cell::Int(1), truth.clone()]),
            (vec![Cell::Int(7)], vec![text.clone(), truth.clone()]),
            (vec![text.clone()], vec![text.clone(), truth.clone()]),
        ] {
            let mut whole = builder(&before);
            whole.append(&mut builder(&part));
            assert_eq!(first(whole), Some(2));
            let mut whole = builder(&before);
            whole.append_sparse(&builder(&part).finish_sparse());
            assert_eq!(first(whole), Some(2));
            let mut whole = builder(&before);
            whole.append_column(&builder(&part).finish());
            assert_eq!(first(whole), Some(2));
        }
        let sparse = [text, Cell::Missing, truth];
        assert_eq!(first(builder(&sparse)), Some(2));
    }

    #[test]
    fn missing_values_alone_are_text() {
        let column = column(&[Cell::Missing, Cell::Float(f64::NAN)]);
        assert_eq!((column.kind(), column.missing()), ("text", 2));
    }
}
