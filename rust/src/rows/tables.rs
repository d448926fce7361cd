//! Tables in columns: the rows of a Parquet or Arrow file, some at a time.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, StringArray, UInt64Array};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::RowGroupMetaData;

use crate::columns::column::{Column, Values};
use crate::columns::dictionary::{Coded, NONE};
use crate::columns::numbers::whole_text;
use crate::columns::text::{self, Texts};
use crate::columns::{arrow as arrays, cells, ids};
use crate::errors::Bad;
use crate::read::signals::{Progress, guarded};
use crate::rows::hashing::hash_of;

/// Rows at a time.
const ROWS: usize = 1 << 17;

type Rows = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// The rows of a file.
pub struct Batches {
    pub schema: SchemaRef,
    rows: Rows,
    /// Bytes of the file for each row.
    share: f64,
    progress: Progress,
    /// The column of the query, if the rows come with its hash; and how many rows there were.
    key: Option<usize>,
    before: u64,
}

impl Batches {
    /// The rows with the hash of their query and their number before the columns, which are called by their places:
    /// an engine may take "score" and "Score" for one.
    pub fn with_queries(mut self, key: &str) -> Result<Batches, Bad> {
        let column = |(place, field): (usize, &Arc<Field>)| {
            Field::new(format!("c{place}"), stored_type(field.data_type()), true)
        };
        let own = ["query", "row"].map(|name| Field::new(name, DataType::UInt64, false));
        let columns = self.schema.fields().iter().enumerate().map(column);
        let schema = Schema::new(own.into_iter().chain(columns).collect::<Vec<Field>>());
        self.key = Some(self.schema.index_of(key).map_err(Bad::corrupt)?);
        self.schema = Arc::new(schema);
        Ok(self)
    }

    fn add_queries(&mut self, batch: &RecordBatch, key: usize) -> Result<RecordBatch, Bad> {
        let end = self.before + batch.num_rows() as u64;
        let rows = UInt64Array::from_iter_values(self.before..end);
        self.before = end;
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(hashes_of(batch.column(key))?), Arc::new(rows)];
        for array in batch.columns() {
            columns.push(stored(array)?);
        }
        RecordBatch::try_new(self.schema.clone(), columns).map_err(Bad::corrupt)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, Bad>;

    fn next(&mut self) -> Option<Result<RecordBatch, Bad>> {
        if let Err(error) = self.progress.check() {
            return Some(Err(error.into()));
        }
        let next = guarded(|| self.rows.next().transpose().map_err(Bad::corrupt)).transpose()?;
        if let Ok(batch) = &next {
            self.progress.add((batch.num_rows() as f64 * self.share) as u64);
        }
        Some(match self.key {
            Some(key) => next.and_then(|batch| guarded(|| self.add_queries(&batch, key))),
            None => next,
        })
    }
}

/// Opens a file.
pub fn open(path: &Path, progress: &Progress) -> Result<Batches, Bad> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    progress.expect(size);
    let mut magic = [0; 6];
    let got = file.read(&mut magic)?;
    file.rewind()?;
    let (schema, rows, many) = if magic.starts_with(b"PAR1") {
        guarded(|| parquet(file))?
    } else {
        guarded(|| arrow(file, &magic[..got]))?
    };
    let share = if many > 0 { size as f64 / many as f64 } else { 0.0 };
    Ok(Batches { schema, rows, share, progress: progress.clone(), key: None, before: 0 })
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

/// The schema, the rows, and how many there are, if the file says so.
type Opened = (SchemaRef, Rows, u64);

fn parquet(file: File) -> Result<Opened, Bad> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(Bad::corrupt)?;
    let many = reader.metadata().file_metadata().num_rows() as u64;
    let reader = reader.with_batch_size(ROWS).build().map_err(Bad::corrupt)?;
    Ok((arrow_array::RecordBatchReader::schema(&reader), Box::new(reader), many))
}

fn arrow(file: File, magic: &[u8]) -> Result<Opened, Bad> {
    let buffered = BufReader::new(file);
    if magic == b"ARROW1" {
        let reader = FileReader::try_new(buffered, None).map_err(Bad::corrupt)?;
        return Ok((reader.schema(), Box::new(reader), 0));
    }
    let reader = StreamReader::try_new(buffered, None).map_err(Bad::corrupt)?;
    Ok((reader.schema(), Box::new(reader), 0))
}

/// An array without a dictionary or views.
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

/// The hash of each row's id in a column; rows without one share a hash.
fn hashes_of(array: &ArrayRef) -> Result<UInt64Array, Bad> {
    let runs = runs_of(array)?;
    let ends = runs.iter().skip(1).map(|run| run.start).chain([array.len() as u64]);
    let mut each = Vec::with_capacity(array.len());
    for (run, end) in runs.iter().zip(ends) {
        each.resize(end as usize, run.hash);
    }
    Ok(each.into())
}

/// Rows of one query that stand together, from `start` on.
struct Run {
    hash: u64,
    start: u64,
}

/// Rows of one id that stand together; rows without one share a hash.
fn runs_of(array: &ArrayRef) -> Result<Vec<Run>, Bad> {
    let column = arrays::column(std::slice::from_ref(array), array.data_type())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Float64Array, Int64Array, StringArray};
    use std::sync::Arc;

    #[test]
    fn an_id_has_one_hash_whatever_its_type() {
        let (ints, floats) = (Int64Array::from(vec![12, 7]), Float64Array::from(vec![12.0, 7.0]));
        let texts = StringArray::from(vec!["12.0", "7"]);
        let arrays: [ArrayRef; 3] = [Arc::new(ints), Arc::new(floats), Arc::new(texts)];
        let expected = UInt64Array::from(vec![hash_of(b"12"), hash_of(b"7")]);
        for array in arrays {
            assert_eq!(hashes_of(&array).ok(), Some(expected.clone()));
        }
    }
}
