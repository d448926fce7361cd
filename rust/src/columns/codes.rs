//! A number for each value of a column, the same for the same.

use std::collections::HashMap;

use arrow_buffer::BooleanBuffer;
use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::columns::column::{Column, Values};
use crate::columns::dictionary::{Coded, CodedBuilder, NONE};
use crate::columns::numbers::Floats;
use crate::columns::scan::PIECE;

/// The code of each row, -1 where it has no value; and the values, as they first occur.
pub fn codes(column: &Column) -> (Vec<i64>, Column) {
    match &column.values {
        Values::Text(_) => renumbered(&interned(column)),
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

fn interned(column: &Column) -> Coded {
    let Values::Text(texts) = &column.values else {
        unreachable!("called for text");
    };
    let piece = |start: usize| {
        let mut part = CodedBuilder::default();
        for row in start..column.len().min(start + PIECE) {
            match column.is_null(row) {
                true => part.push_code(row - start, NONE),
                false => part.push(row - start, texts.bytes(row, &mut [0; 16])),
            }
        }
        part
    };
    let starts: Vec<usize> = (0..column.len()).step_by(PIECE).collect();
    let mut parts: Vec<CodedBuilder> = starts.par_iter().map(|&start| piece(start)).collect();
    let mut whole = CodedBuilder::default();
    for (start, part) in starts.iter().zip(&mut parts) {
        whole.append(*start, part);
    }
    whole.finish(column.len())
}

/// An Arrow dictionary may hold values in any order, and values no row has.
fn renumbered(coded: &Coded) -> (Vec<i64>, Column) {
    let (mut codes, mut first) = (Vec::with_capacity(coded.rows), Vec::new());
    let mut number = vec![-1; coded.texts.len()];
    for (code, start, end) in coded.runs() {
        let new = match number.get_mut(code as usize) {
            None => -1,
            Some(known) => {
                if *known < 0 {
                    *known = first.len() as i64;
                    first.push(code as usize);
                }
                *known
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
    let (mut known, mut first) = (HashMap::<u64, i64, RandomState>::default(), Vec::new());
    let code = |row: usize| {
        if present.is_null(row) {
            return -1;
        }
        *known.entry(bits(row)).or_insert_with(|| {
            first.push(row);
            first.len() as i64 - 1
        })
    };
    let codes = (0..column.len()).map(code).collect();
    (codes, Column::new(values(&first), None))
}
