//! Parquet files, Arrow files and streams, and Arrow tables from other libraries.

use std::cell::Cell;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Once};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_buffer::Buffer;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::reader::ChunkReader;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use rayon::prelude::*;

use crate::columns::frame::Frame;
use crate::columns::lazy::Held;
use crate::errors::Bad;
use crate::read::ipc;
use crate::read::progress::Progress;
use crate::read::signals;
use crate::read::source::{Input, Source};

const ARROW_FILE: &[u8] = b"ARROW1";

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a reader that is known to panic on some broken files; such a panic is an error, and not printed.
pub fn guarded<T>(read: impl FnOnce() -> Result<T, Bad>) -> Result<T, Bad> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                print(panic);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    result.unwrap_or_else(|_| Err(Bad::corrupt("unreadable structure")))
}

/// Reads a Parquet file.
#[pyfunction]
pub fn read_parquet(py: Python<'_>, source: Source) -> PyResult<Frame> {
    let progress = Progress::default();
    signals::interruptible(py, &progress, || {
        guarded(|| match &source {
            Source::Path(path) => {
                if std::fs::metadata(path)?.is_dir() {
                    return Err(Bad::Io(std::io::ErrorKind::IsADirectory.into()));
                }
                // Every reader opens the file itself: clones of one handle share its position.
                parquet(|| Ok(File::open(path)?), &progress)
            }
            Source::Bytes(bytes) => parquet_bytes(bytes, &progress),
        })
    })
}

/// Reads a Parquet file in memory.
pub fn parquet_bytes(bytes: &[u8], progress: &Progress) -> Result<Frame, Bad> {
    let bytes = Bytes::copy_from_slice(bytes);
    parquet(|| Ok(bytes.clone()), progress)
}

/// Reads every column of every row group on its own, side by side.
fn parquet<R: ChunkReader + 'static>(
    open: impl Fn() -> Result<R, Bad> + Sync,
    progress: &Progress,
) -> Result<Frame, Bad> {
    let file = open()?;
    if file.len() == 0 {
        return Err(Bad::text("empty", 0, "", b""));
    }
    let found =
        ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(Bad::corrupt)?;
    let options = ArrowReaderOptions::new().with_schema(Arc::new(as_views(found.schema())));
    let metadata =
        ArrowReaderMetadata::try_new(found.metadata().clone(), options).map_err(Bad::corrupt)?;
    let groups = metadata.metadata().num_row_groups();
    let fields = metadata.schema().fields().clone();
    let one = |job: usize| {
        progress.check()?;
        guarded(|| parquet_piece(open()?, metadata.clone(), job / groups, job % groups))
    };
    let pieces: Vec<Vec<ArrayRef>> =
        (0..fields.len() * groups).into_par_iter().map(one).collect::<Result<_, Bad>>()?;
    let mut pieces = pieces.into_iter();
    let mut columns = Vec::new();
    for field in &fields {
        let arrays = pieces.by_ref().take(groups).flatten().collect();
        columns.push((field.name().clone(), Held::arrays(arrays, field.data_type().clone())));
    }
    Ok(Frame::new("parquet", columns))
}

fn parquet_piece<R: ChunkReader + 'static>(
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
    let found: usize = arrays.iter().map(|array| array.len()).sum();
    if found != rows {
        return Err(Bad::corrupt(format!("a column of {found} values among {rows} rows")));
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

/// Reads an Arrow IPC file or stream.
#[pyfunction]
pub fn read_arrow(py: Python<'_>, source: Source) -> PyResult<Frame> {
    let progress = Progress::default();
    signals::interruptible(py, &progress, || guarded(|| arrow(&source, &progress)))
}

fn arrow(source: &Source, progress: &Progress) -> Result<Frame, Bad> {
    arrow_of(|| source.open(progress))
}

/// Reads an Arrow file or stream in memory.
pub fn arrow_bytes(bytes: &[u8]) -> Result<Frame, Bad> {
    arrow_of(|| Input::of(bytes))
}

fn arrow_of<'a>(open: impl Fn() -> Result<Input<'a>, Bad>) -> Result<Frame, Bad> {
    let mut magic = [0; ARROW_FILE.len()];
    if open()?.fill(&mut magic)? == 0 {
        return Err(Bad::text("empty", 0, "", b""));
    }
    let bytes = Buffer::from_vec(open()?.rest()?);
    let (schema, batches) =
        if magic == ARROW_FILE { ipc::file(&bytes)? } else { ipc::stream(bytes)? };
    Ok(frame(&schema, &batches))
}

fn frame(schema: &Schema, batches: &[RecordBatch]) -> Frame {
    let arrays = |at: usize| batches.iter().map(|batch| batch.column(at).clone()).collect();
    let columns = schema
        .fields()
        .iter()
        .enumerate()
        .map(|(at, field)| {
            (field.name().clone(), Held::arrays(arrays(at), field.data_type().clone()))
        })
        .collect();
    Frame::new("arrow", columns)
}

/// Takes the columns of anything with `__arrow_c_stream__` or `__arrow_c_array__`.
#[pyfunction]
pub fn from_arrow(py: Python<'_>, obj: AnyRecordBatch) -> PyResult<Frame> {
    let reader = obj.into_reader()?;
    let schema = reader.schema();
    let batches: Result<Vec<RecordBatch>, ArrowError> = py.detach(|| reader.collect());
    let batches = batches.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(frame(&schema, &batches))
}
