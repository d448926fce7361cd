//! The hashes of queries, and their names in the order they are first seen.

use std::collections::HashSet;
use std::hash::BuildHasher;

use arrow_array::ArrayRef;
use foldhash::fast::FixedState;

use crate::buckets::assignment::{Assignment, Run};
use crate::columns::column::{Column, Values};
use crate::columns::dictionary::{Coded, NONE};
use crate::columns::numbers::whole_text;
use crate::columns::text::{self, Texts};
use crate::columns::{arrow, ids};
use crate::errors::Bad;

/// The hash of an id: 12, "12" and 12.0 share one, in every run and on every machine.
pub fn hash_of(id: &[u8]) -> u64 {
    FixedState::with_seed(0).hash_one(ids::plain_text(id))
}

/// The bucket of each row by the ids of a column; rows without one share a bucket.
pub fn buckets_of(array: &ArrayRef, buckets: &Assignment) -> Result<Vec<u32>, Bad> {
    let runs = runs_of(array)?;
    let ends = runs.iter().skip(1).map(|run| run.start).chain([array.len() as u64]);
    let mut each = Vec::with_capacity(array.len());
    for (run, end) in runs.iter().zip(ends) {
        each.resize(end as usize, buckets.of(run.hash) as u32);
    }
    Ok(each)
}

/// Rows of one id that stand together; rows without one share a hash.
pub fn runs_of(array: &ArrayRef) -> Result<Vec<Run>, Bad> {
    let column = arrow::column(std::slice::from_ref(array), array.data_type())?;
    Ok(match &column.values {
        Values::Coded(coded) => of_codes(coded),
        Values::Int(values) => of_numbers(&column, |row| values[row], |value| value.to_string()),
        // A fraction is no id; its bucket's reader says so.
        Values::Float(values) => of_numbers(
            &column,
            |row| values.get(row).to_bits(),
            |bits| whole_text(f64::from_bits(bits)).unwrap_or_default(),
        ),
        _ => of_texts(&ids::ids(&column, "")?),
    })
}

fn of_codes(coded: &Coded) -> Vec<Run> {
    let mut scratch = [0; 16];
    let run = |(code, start, _): (u32, u32, u32)| {
        let text = match code {
            NONE => b"",
            _ => coded.texts.bytes(code as usize, &mut scratch),
        };
        Run { hash: hash_of(text), start: start.into() }
    };
    coded.runs().map(run).collect()
}

fn of_numbers<T: PartialEq>(
    column: &Column,
    value: impl Fn(usize) -> T,
    text: impl Fn(T) -> String,
) -> Vec<Run> {
    let same = |a, b| value(a) == value(b) && column.is_null(a) == column.is_null(b);
    let id = |row| if column.is_null(row) { String::new() } else { text(value(row)) };
    runs(column.len(), same, |row| hash_of(id(row).as_bytes()))
}

fn of_texts(texts: &Texts) -> Vec<Run> {
    let mut scratch = [0; 16];
    let hash = |row| hash_of(text::bytes(texts.views[row], &texts.buffers, &mut scratch));
    runs(texts.len(), |a, b| texts.views[a] == texts.views[b], hash)
}

fn runs(
    rows: usize,
    same: impl Fn(usize, usize) -> bool,
    mut hash: impl FnMut(usize) -> u64,
) -> Vec<Run> {
    let starts = (0..rows).filter(|&row| row == 0 || !same(row - 1, row));
    starts.map(|row| Run { hash: hash(row), start: row as u64 }).collect()
}

/// Names, each once.
#[derive(Default)]
pub struct Names {
    names: Vec<String>,
    known: HashSet<String>,
}

impl Names {
    /// Adds a name, unless it is known; `guess` is where it was in the record before.
    pub fn add(&mut self, name: &str, guess: usize) {
        let there = self.names.get(guess).is_some_and(|other| other == name);
        if !there && self.known.insert(name.to_owned()) {
            self.names.push(name.to_owned());
        }
    }

    /// Adds a text, unless there are two.
    pub fn add_second(&mut self, text: &[u8]) {
        if self.names.len() < 2 && self.names.first().is_none_or(|name| name.as_bytes() != text) {
            self.add(&String::from_utf8_lossy(text), 0);
        }
    }

    /// Adds the names of a part behind these, and empties the part.
    pub fn append(&mut self, part: &mut Names) {
        for (guess, name) in part.names.drain(..).enumerate() {
            self.add(&name, guess);
        }
        part.known.clear();
    }

    pub fn into_vec(self) -> Vec<String> {
        self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Float64Array, Int64Array, StringArray};
    use std::sync::Arc;

    #[test]
    fn an_id_has_one_bucket_whatever_its_type() {
        let (ints, floats) = (Int64Array::from(vec![12, 7]), Float64Array::from(vec![12.0, 7.0]));
        let texts = StringArray::from(vec!["12.0", "7"]);
        let arrays: [ArrayRef; 3] = [Arc::new(ints), Arc::new(floats), Arc::new(texts)];
        let buckets = Assignment::new(97);
        let expected = vec![buckets.of(hash_of(b"12")) as u32, buckets.of(hash_of(b"7")) as u32];
        for array in arrays {
            assert_eq!(buckets_of(&array, &buckets).ok(), Some(expected.clone()));
        }
    }
}
