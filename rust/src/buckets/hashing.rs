//! The bucket of a query.

use std::hash::BuildHasher;

use arrow_array::ArrayRef;
use foldhash::fast::FixedState;

use crate::columns::column::{Column, Values};
use crate::columns::dictionary::NONE;
use crate::columns::ids;
use crate::columns::numbers::whole_text;
use crate::columns::{arrow, text};
use crate::errors::Bad;

/// The bucket of an id: 12, "12" and 12.0 share one, in every run and on every machine.
pub fn bucket_of(id: &[u8], count: usize) -> usize {
    let mut hash = FixedState::with_seed(0).hash_one(ids::plain_text(id));
    hash ^= hash >> 32;
    (hash % count as u64) as usize
}

/// The bucket of each row by the ids of a column; rows without one share a bucket.
pub fn buckets_of(array: &ArrayRef, count: usize) -> Result<Vec<u32>, Bad> {
    let column = arrow::column(std::slice::from_ref(array), array.data_type())?;
    if let Values::Coded(coded) = &column.values {
        let mut scratch = [0; 16];
        let mut bucket = |code: u32| match code {
            NONE => bucket_of(b"", count) as u32,
            _ => bucket_of(coded.texts.bytes(code as usize, &mut scratch), count) as u32,
        };
        let mut buckets = Vec::with_capacity(coded.rows);
        for (code, _, end) in coded.runs() {
            buckets.resize(end as usize, bucket(code));
        }
        return Ok(buckets);
    }
    by_value(&column, count)
}

fn by_value(column: &Column, count: usize) -> Result<Vec<u32>, Bad> {
    let texts = match &column.values {
        // A fraction is no id; its bucket's reader says so.
        Values::Float(values) => {
            let text = |row| whole_text(values.get(row)).unwrap_or_default();
            let buckets = (0..values.len()).map(|row| bucket_of(text(row).as_bytes(), count));
            return Ok(buckets.map(|bucket| bucket as u32).collect());
        }
        _ => ids::ids(column, "")?,
    };
    let (mut last, mut bucket) = (None, 0);
    let each = texts.views.iter().map(|&view| {
        if last != Some(view) {
            bucket = bucket_of(text::bytes(view, &texts.buffers, &mut [0; 16]), count) as u32;
            last = Some(view);
        }
        bucket
    });
    Ok(each.collect())
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
        let expected = vec![bucket_of(b"12", 97) as u32, bucket_of(b"7", 97) as u32];
        for array in arrays {
            assert_eq!(buckets_of(&array, 97).ok(), Some(expected.clone()));
        }
    }
}
