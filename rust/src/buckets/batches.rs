//! The rows of a Parquet or Arrow file, some at a time.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::RowGroupMetaData;

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
