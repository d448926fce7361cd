//! A number for each value of a column, the same for the same.

use std::collections::HashMap;

use arrow_buffer::BooleanBuffer;
use foldhash::fast::RandomState;

use crate::columns::column::{Column, Values};
use crate::columns::dictionary::{Coded, NONE};
use crate::columns::numbers::Floats;
use crate::columns::text::Texts;

/// The code of each row, -1 where it has no value; and the values, as they first occur.
pub fn codes(column: &Column) -> (Vec<i64>, Column) {
    match &column.values {
        Values::Text(texts) => renumbered(&interned(column, texts)),
        Values::Coded(coded) => renumbered(coded),
        Values::Int(values) => by_bits(
            column,
            |row| values[row] as u64,
            |first| Values::Int(first.iter().map(|&row| values[row]).collect()),
        ),
        Values::Float(values) => by_bits(
            column,
            |row| (values.get(row) + 0.0).to_bits(),
            |first| {
                let doubles: Vec<f64> = first.iter().map(|&row| values.get(row)).collect();
                Values::Float(Floats::Double(doubles.into()))
            },
        ),
        Values::Bool(values) => by_bits(
            column,
            |row| u64::from(values.value(row)),
            |first| {
                Values::Bool(BooleanBuffer::collect_bool(first.len(), |at| values.value(first[at])))
            },
        ),
    }
}

fn interned(column: &Column, texts: &Texts) -> Coded {
    Coded::in_pieces(column.len(), |piece, part| {
        let start = piece.start;
        for row in piece {
            match column.is_null(row) {
                true => part.push_code(row - start, NONE),
                false => part.push(row - start, texts.bytes(row, &mut [0; 16])),
            }
        }
    })
}

/// An Arrow dictionary may hold values in any order, and values no row has.
fn renumbered(coded: &Coded) -> (Vec<i64>, Column) {
    let (mut codes, mut first) = (Vec::with_capacity(coded.rows), Vec::new());
    let mut numbers = vec![-1; coded.texts.len()];
    for (code, start, end) in coded.runs() {
        let new = match numbers.get_mut(code as usize) {
            None => -1,
            Some(number) => {
                if *number < 0 {
                    *number = first.len() as i64;
                    first.push(code as usize);
                }
                *number
            }
        };
        codes.resize(codes.len() + (end - start) as usize, new);
    }
    (codes, Column::text(coded.texts.take(first.into_iter())))
}

fn by_bits(
    column: &Column,
    bits: impl Fn(usize) -> u64,
    values: impl Fn(&[usize]) -> Values,
) -> (Vec<i64>, Column) {
    let present = column.present();
    let (mut numbers, mut first) = (HashMap::<u64, i64, RandomState>::default(), Vec::new());
    let code = |row: usize| {
        if present.is_null(row) {
            return -1;
        }
        *numbers.entry(bits(row)).or_insert_with(|| {
            first.push(row);
            first.len() as i64 - 1
        })
    };
    let codes = (0..column.len()).map(code).collect();
    (codes, Column::new(values(&first), None))
}
