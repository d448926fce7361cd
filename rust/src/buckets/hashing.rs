//! The hashes of queries.

use std::hash::BuildHasher;

use arrow_array::ArrayRef;
use foldhash::fast::FixedState;

use crate::buckets::assignment::{Assignment, Run};
use crate::columns::column::{Column, Values};
use crate::columns::dictionary::NONE;
use crate::columns::ids;
use crate::columns::numbers::whole_text;
use crate::columns::{arrow, text};
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
    let there = |row: usize, text: String| match column.is_null(row) {
        true => hash_of(b""),
        false => hash_of(text.as_bytes()),
    };
    Ok(match &column.values {
        Values::Coded(coded) => {
            let mut scratch = [0; 16];
            let mut hash = |code| match code {
                NONE => hash_of(b""),
                _ => hash_of(coded.texts.bytes(code as usize, &mut scratch)),
            };
            coded.runs().map(|(code, start, _)| Run { hash: hash(code), start: start.into() }).collect()
        }
        Values::Int(values) => {
            let same = |a: usize, b: usize| values[a] == values[b] && same_null(&column, a, b);
            runs(values.len(), same, |row| there(row, values[row].to_string()))
        }
        Values::Float(values) => {
            let same = |a: usize, b: usize| {
                values.get(a).to_bits() == values.get(b).to_bits() && same_null(&column, a, b)
            };
            // A fraction is no id; its bucket's reader says so.
            runs(values.len(), same, |row| there(row, whole_text(values.get(row)).unwrap_or_default()))
        }
        _ => {
            let texts = ids::ids(&column, "")?;
            let (views, mut scratch) = (&texts.views, [0; 16]);
            let hash = |row| hash_of(text::bytes(views[row], &texts.buffers, &mut scratch));
            runs(texts.len(), |a, b| views[a] == views[b], hash)
        }
    })
}

fn same_null(column: &Column, a: usize, b: usize) -> bool {
    column.is_null(a) == column.is_null(b)
}

fn runs(
    rows: usize,
    same: impl Fn(usize, usize) -> bool,
    mut hash: impl FnMut(usize) -> u64,
) -> Vec<Run> {
    let starts = (0..rows).filter(|&row| row == 0 || !same(row - 1, row));
    starts.map(|row| Run { hash: hash(row), start: row as u64 }).collect()
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
