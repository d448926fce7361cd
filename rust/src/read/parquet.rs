//! Parquet files.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::LogicalType;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;

use crate::columns::arrow;
use crate::columns::frame::{Frame, LazyColumn};
use crate::columns::workers::shared;
use crate::errors::Bad;
use crate::read::signals::{Progress, guarded};
use crate::read::source::{CELL, ROW, Source, most_unpacked};

/// Reads a Parquet file.
pub fn read(source: &Source, progress: &Progress) -> Result<Frame, Bad> {
    match source {
        Source::Path(path) => {
            if std::fs::metadata(path)?.is_dir() {
                return Err(Bad::Io(std::io::ErrorKind::IsADirectory.into()));
            }
            // Every reader opens the file itself: clones of one handle share its position.
            columns(|| Ok(File::open(path)?), progress)
        }
        Source::Bytes(bytes) => read_bytes(bytes, progress),
    }
}

/// Reads a Parquet file in memory.
pub fn read_bytes(bytes: &[u8], progress: &Progress) -> Result<Frame, Bad> {
    let bytes = Bytes::copy_from_slice(bytes);
    columns(|| Ok(bytes.clone()), progress)
}

/// Reads every column of every row group on its own, side by side.
fn columns<R: ChunkReader + 'static>(
    open: impl Fn() -> Result<R, Bad> + Sync,
    progress: &Progress,
) -> Result<Frame, Bad> {
    let file = open()?;
    if file.len() == 0 {
        return Err(Bad::text("empty", 0, "", b""));
    }
    let stored =
        ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(Bad::corrupt)?;
    bounded(stored.metadata(), file.len())?;
    let options = ArrowReaderOptions::new().with_schema(Arc::new(as_views(stored.schema())));
    let metadata =
        ArrowReaderMetadata::try_new(stored.metadata().clone(), options).map_err(Bad::corrupt)?;
    let groups = metadata.metadata().num_row_groups();
    let fields = metadata.schema().fields().clone();
    // A reader looks at the names of all columns, so each reads several where there are thousands.
    let together = fields.len().div_ceil(READERS).max(1);
    let one = |job: usize| {
        progress.check()?;
        let first = job / groups * together;
        let some = first..(first + together).min(fields.len());
        guarded(|| piece(open()?, metadata.clone(), some, job % groups))
    };
    let jobs = fields.len().div_ceil(together) * groups;
    let pieces: Vec<Vec<Vec<ArrayRef>>> =
        shared(|| (0..jobs).into_par_iter().map(one).collect::<Result<_, Bad>>())?;
    let mut columns = Vec::new();
    let stored = metadata.parquet_schema().root_schema().get_fields();
    for (place, (field, stored)) in fields.iter().zip(stored).enumerate() {
        let first = place / together * groups;
        let arrays = pieces[first..first + groups]
            .iter()
            .flat_map(|piece| piece[place % together].iter().cloned())
            .collect();
        let uuids = stored.get_basic_info().logical_type_ref() == Some(&LogicalType::Uuid);
        let (arrays, kind) = arrow::spelled(field, uuids || arrow::is_uuid(field), arrays);
        columns.push((field.name().clone(), LazyColumn::arrays(arrays, kind)));
    }
    Ok(Frame::new("parquet", columns))
}

/// Refuses a small file that says it holds a huge table: a value that all rows share takes a few bytes there.
fn bounded(metadata: &ParquetMetaData, size: u64) -> Result<(), Bad> {
    let groups = metadata.row_groups();
    let (mut shared, mut bytes) = (0_u64, 0_u64);
    for group in groups {
        let rows = u64::try_from(group.num_rows()).unwrap_or(u64::MAX);
        let row = ROW + CELL * group.num_columns() as u64;
        shared = shared.saturating_add(rows.saturating_mul(row));
        bytes = bytes.saturating_add(u64::try_from(group.total_byte_size()).unwrap_or(u64::MAX));
    }
    if bytes.max(shared) > most_unpacked(size) {
        return Err(Bad::text("bomb", 0, "", b""));
    }
    Ok(())
}

/// How many readers a row group has at most.
const READERS: usize = 256;

/// Reads some columns of a row group: the arrays of each.
fn piece<R: ChunkReader + 'static>(
    file: R,
    metadata: ArrowReaderMetadata,
    columns: Range<usize>,
    group: usize,
) -> Result<Vec<Vec<ArrayRef>>, Bad> {
    let rows = metadata.metadata().row_group(group).num_rows() as usize;
    let mask = ProjectionMask::roots(metadata.parquet_schema(), columns.clone());
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_projection(mask)
        .with_row_groups(vec![group])
        .with_batch_size(rows.clamp(1, 1 << 20));
    let reader = reader.build().map_err(Bad::corrupt)?;
    let mut arrays = vec![Vec::new(); columns.len()];
    for batch in reader {
        for (kept, array) in arrays.iter_mut().zip(batch.map_err(Bad::corrupt)?.columns()) {
            kept.push(array.clone());
        }
    }
    for kept in &arrays {
        let values: usize = kept.iter().map(|array: &ArrayRef| array.len()).sum();
        if values != rows {
            return Err(Bad::corrupt(format!("a column of {values} values among {rows} rows")));
        }
    }
    Ok(arrays)
}

/// The schema with plain text read as string views.
fn as_views(schema: &Schema) -> Schema {
    let fields: Vec<Field> = schema
        .fields()
        .iter()
        .map(|field| match field.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 => {
                field.as_ref().clone().with_data_type(DataType::Utf8View)
            }
            _ => field.as_ref().clone(),
        })
        .collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}
