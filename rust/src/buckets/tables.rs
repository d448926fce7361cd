//! Tables in columns copied into buckets, as Arrow streams.

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, StringArray, UInt32Array};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use rayon::prelude::*;

use crate::buckets::assignment::Assignment;
use crate::buckets::batches;
use crate::buckets::hashing::buckets_of;
use crate::buckets::text_records::{Tail, unwritable};
use crate::columns::casting;
use crate::columns::workers::shared;
use crate::errors::Bad;
use crate::read::signals::Progress;

/// The files of buckets, each opened with its first row.
struct Files<'a> {
    stem: &'a str,
    buckets: &'a Assignment,
    schema: SchemaRef,
    key: usize,
    writers: Vec<Option<StreamWriter<Tail>>>,
    rows: Vec<u64>,
}

impl Files<'_> {
    fn add(&mut self, batch: &RecordBatch) -> Result<(), Bad> {
        let count = self.writers.len();
        let (order, starts) = sorted(&buckets_of(batch.column(self.key), self.buckets)?, count);
        let taken = |array: &ArrayRef| -> Result<ArrayRef, Bad> {
            take(&stored(array)?, &order, None).map_err(Bad::corrupt)
        };
        let columns = shared(|| batch.columns().par_iter().map(taken).collect::<Result<_, Bad>>())?;
        let sorted = RecordBatch::try_new(self.schema.clone(), columns).map_err(Bad::corrupt)?;
        for bucket in 0..count {
            let (start, end) = (starts[bucket], starts[bucket + 1]);
            if start < end {
                self.write(bucket, &sorted.slice(start, end - start)).map_err(of_writer)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, bucket: usize, rows: &RecordBatch) -> Result<(), ArrowError> {
        let (count, slot) = (self.writers.len(), &mut self.writers[bucket]);
        if slot.is_none() {
            let tail = Tail::new(self.stem, bucket, count);
            *slot = Some(StreamWriter::try_new(tail, &self.schema)?);
        }
        self.rows[bucket] += rows.num_rows() as u64;
        slot.as_mut().expect("just made").write(rows)
    }

    fn finish(self) -> Result<Vec<u64>, Bad> {
        for writer in self.writers.into_iter().flatten() {
            let mut tail = writer.into_inner().map_err(of_writer)?;
            tail.put().map_err(|error| unwritable(&error))?;
        }
        Ok(self.rows)
    }
}

fn of_writer(error: ArrowError) -> Bad {
    match error {
        ArrowError::IoError(_, error) => unwritable(&error),
        error => Bad::corrupt(error),
    }
}

/// The rows by bucket, each bucket's in their order; and where each bucket starts.
fn sorted(buckets: &[u32], count: usize) -> (UInt32Array, Vec<usize>) {
    let mut starts = vec![0; count + 1];
    buckets.iter().for_each(|&bucket| starts[bucket as usize + 1] += 1);
    (0..count).for_each(|bucket| starts[bucket + 1] += starts[bucket]);
    let (mut next, mut order) = (starts.clone(), vec![0; buckets.len()]);
    for (row, &bucket) in buckets.iter().enumerate() {
        order[next[bucket as usize]] = row as u32;
        next[bucket as usize] += 1;
    }
    (order.into(), starts)
}

/// An array that can be cut into pieces: without a dictionary or views, which every piece would repeat.
fn stored(array: &ArrayRef) -> Result<ArrayRef, Bad> {
    Ok(match array.data_type() {
        DataType::Dictionary(..) | DataType::RunEndEncoded(..) => {
            stored(&casting::looked_up(array)?)?
        }
        DataType::Utf8View => Arc::new(array.as_string_view().iter().collect::<StringArray>()),
        DataType::BinaryView => Arc::new(array.as_binary_view().iter().collect::<BinaryArray>()),
        _ => array.clone(),
    })
}

fn stored_type(kind: &DataType) -> DataType {
    match kind {
        DataType::Dictionary(_, inner) => stored_type(inner),
        DataType::RunEndEncoded(_, inner) => stored_type(inner.data_type()),
        DataType::Utf8View => DataType::Utf8,
        DataType::BinaryView => DataType::Binary,
        _ => kind.clone(),
    }
}

fn stored_schema(schema: &Schema) -> Schema {
    let field = |field: &Arc<Field>| Field::new(field.name(), stored_type(field.data_type()), true);
    Schema::new(schema.fields().iter().map(field).collect::<Vec<Field>>())
}

/// Copies the rows into the files `stem.0`, `stem.1` …, and says how many each has.
pub fn split(
    path: &Path,
    key: &str,
    names: Option<&[String]>,
    stem: &str,
    buckets: &Assignment,
    progress: &Progress,
) -> Result<Vec<u64>, Bad> {
    let batches = batches::open(path, names, progress)?;
    let schema = Arc::new(stored_schema(&batches.schema));
    let key = schema.index_of(key).map_err(Bad::corrupt)?;
    let count = buckets.count();
    let writers = (0..count).map(|_| None).collect();
    let mut files = Files { stem, buckets, schema, key, writers, rows: vec![0; count] };
    batches::ahead(batches, |batch| files.add(&batch))?;
    files.finish()
}
