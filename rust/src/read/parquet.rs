//! Parquet files.

use std::fs::File;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;

use crate::columns::frame::Frame;
use crate::columns::lazy::LazyColumn;
use crate::errors::Bad;
use crate::read::progress::Progress;
use crate::read::signals::guarded;
use crate::read::source::Source;

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
    let options = ArrowReaderOptions::new().with_schema(Arc::new(as_views(stored.schema())));
    let metadata =
        ArrowReaderMetadata::try_new(stored.metadata().clone(), options).map_err(Bad::corrupt)?;
    let groups = metadata.metadata().num_row_groups();
    let fields = metadata.schema().fields().clone();
    let one = |job: usize| {
        progress.check()?;
        guarded(|| piece(open()?, metadata.clone(), job / groups, job % groups))
    };
    let pieces: Vec<Vec<ArrayRef>> =
        (0..fields.len() * groups).into_par_iter().map(one).collect::<Result<_, Bad>>()?;
    let mut pieces = pieces.into_iter();
    let mut columns = Vec::new();
    for field in &fields {
        let arrays = pieces.by_ref().take(groups).flatten().collect();
        columns.push((field.name().clone(), LazyColumn::arrays(arrays, field.data_type().clone())));
    }
    Ok(Frame::new("parquet", columns))
}

fn piece<R: ChunkReader + 'static>(
    file: R,
    metadata: ArrowReaderMetadata,
    column: usize,
    group: usize,
) -> Result<Vec<ArrayRef>, Bad> {
    let rows = metadata.metadata().row_group(group).num_rows() as usize;
    let mask = ProjectionMask::roots(metadata.parquet_schema(), [column]);
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_projection(mask)
        .with_row_groups(vec![group])
        .with_batch_size(rows.clamp(1, 1 << 20))
        .build()
        .map_err(Bad::corrupt)?;
    let arrays: Vec<ArrayRef> = reader
        .map(|batch| Ok(batch.map_err(Bad::corrupt)?.column(0).clone()))
        .collect::<Result<_, Bad>>()?;
    let values: usize = arrays.iter().map(|array| array.len()).sum();
    if values != rows {
        return Err(Bad::corrupt(format!("a column of {values} values among {rows} rows")));
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
