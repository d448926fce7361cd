//! Tables in columns: the rows of a Parquet or Arrow file read some at a time, and copied into buckets as Arrow streams.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, StringArray, UInt32Array};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::RowGroupMetaData;
use rayon::prelude::*;

use crate::buckets::assignment::Assignment;
use crate::buckets::hashing::buckets_of;
use crate::buckets::text_records::{Tail, unwritable};
use crate::columns::cells;
use crate::columns::workers::shared;
use crate::errors::Bad;
use crate::read::signals::{Progress, guarded};

/// Rows at a time.
const ROWS: usize = 1 << 17;

type Rows = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// The schema, the rows, and how many each row group has.
type Opened = (SchemaRef, Rows, Option<Vec<u64>>);

/// The rows of some columns of a file.
pub struct Batches {
    pub schema: SchemaRef,
    rows: Rows,
    /// Rows of each row group; none of an Arrow file.
    pub groups: Option<Vec<u64>>,
    /// Bytes of the file for each row.
    pub share: f64,
    progress: Progress,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, Bad>;

    fn next(&mut self) -> Option<Result<RecordBatch, Bad>> {
        if let Err(error) = self.progress.check() {
            return Some(Err(error.into()));
        }
        let next = guarded(|| self.rows.next().transpose().map_err(Bad::corrupt)).transpose();
        if let Some(Ok(batch)) = &next {
            self.progress.add((batch.num_rows() as f64 * self.share) as u64);
        }
        next
    }
}

/// Opens a file; without names, for all of its columns.
pub fn open(path: &Path, names: Option<&[String]>, progress: &Progress) -> Result<Batches, Bad> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    progress.expect(size);
    let mut magic = [0; 6];
    let got = file.read(&mut magic)?;
    file.rewind()?;
    let (schema, rows, groups) = if magic.starts_with(b"PAR1") {
        guarded(|| parquet(file, names))?
    } else {
        guarded(|| arrow(file, &magic[..got], names))?
    };
    let many: u64 = groups.iter().flatten().sum();
    let share = if many > 0 { size as f64 / many as f64 } else { 0.0 };
    Ok(Batches { schema, rows, groups, share, progress: progress.clone() })
}

/// Reads the next rows while the last are used.
pub fn ahead(
    batches: Batches,
    mut used: impl FnMut(RecordBatch) -> Result<(), Bad>,
) -> Result<(), Bad> {
    let (send, receive) = sync_channel(1);
    thread::scope(|scope| {
        scope.spawn(move || {
            for batch in batches {
                let last = batch.is_err();
                if send.send(batch).is_err() || last {
                    return;
                }
            }
        });
        receive.into_iter().try_for_each(|batch| used(batch?))
    })
}

/// The rows of a Parquet file, and their bytes when they are decompressed.
pub fn parquet_size(path: &Path) -> Result<(u64, u64), Bad> {
    let file = File::open(path)?;
    let stored = guarded(|| {
        ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(Bad::corrupt)
    })?;
    let groups = stored.metadata().row_groups();
    let sum = |size: fn(&RowGroupMetaData) -> i64| groups.iter().map(size).sum::<i64>() as u64;
    Ok((sum(RowGroupMetaData::num_rows), sum(RowGroupMetaData::total_byte_size)))
}

fn wanted(schema: &Schema, names: Option<&[String]>) -> Vec<usize> {
    let fields = schema.fields().iter().enumerate();
    let named = |field: &Field| names.is_none_or(|names| names.contains(field.name()));
    fields.filter(|(_, field)| named(field)).map(|(place, _)| place).collect()
}

fn parquet(file: File, names: Option<&[String]>) -> Result<Opened, Bad> {
    let stored =
        ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(Bad::corrupt)?;
    let options = ArrowReaderOptions::new().with_schema(Arc::new(with_texts(stored.schema())));
    let metadata =
        ArrowReaderMetadata::try_new(stored.metadata().clone(), options).map_err(Bad::corrupt)?;
    let groups = metadata.metadata().row_groups();
    let groups = groups.iter().map(|group| group.num_rows() as u64).collect();
    let places = wanted(metadata.schema(), names);
    let mask = ProjectionMask::roots(metadata.parquet_schema(), places);
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_projection(mask)
        .with_batch_size(ROWS)
        .build()
        .map_err(Bad::corrupt)?;
    let schema = arrow_array::RecordBatchReader::schema(&reader);
    Ok((schema, Box::new(reader), Some(groups)))
}

/// The schema with plain text, which can be cut into pieces, in place of views.
fn with_texts(schema: &Schema) -> Schema {
    let fields: Vec<Field> = schema
        .fields()
        .iter()
        .map(|field| match field.data_type() {
            DataType::Utf8View => field.as_ref().clone().with_data_type(DataType::Utf8),
            DataType::BinaryView => field.as_ref().clone().with_data_type(DataType::Binary),
            _ => field.as_ref().clone(),
        })
        .collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

fn arrow(file: File, magic: &[u8], names: Option<&[String]>) -> Result<Opened, Bad> {
    let buffered = BufReader::new(file.try_clone()?);
    if magic == b"ARROW1" {
        let schema = FileReader::try_new(buffered, None).map_err(Bad::corrupt)?.schema();
        let again = BufReader::new(file);
        let places = wanted(&schema, names);
        let reader = FileReader::try_new(again, Some(places)).map_err(Bad::corrupt)?;
        return Ok((reader.schema(), Box::new(reader), None));
    }
    let reader = StreamReader::try_new(buffered, None).map_err(Bad::corrupt)?;
    let places = wanted(&reader.schema(), names);
    let schema = Arc::new(reader.schema().project(&places).map_err(Bad::corrupt)?);
    let project = move |batch: Result<RecordBatch, ArrowError>| batch?.project(&places);
    Ok((schema, Box::new(reader.map(project)), None))
}

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
            stored(&cells::looked_up(array)?)?
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
    let batches = open(path, names, progress)?;
    let schema = Arc::new(stored_schema(&batches.schema));
    let key = schema.index_of(key).map_err(Bad::corrupt)?;
    let count = buckets.count();
    let writers = (0..count).map(|_| None).collect();
    let mut files = Files { stem, buckets, schema, key, writers, rows: vec![0; count] };
    ahead(batches, |batch| files.add(&batch))?;
    files.finish()
}
