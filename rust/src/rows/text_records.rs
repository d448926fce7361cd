//! Records of text: where they are, as they are, with the hash of their query.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, RecordBatch, UInt64Array};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use csv_core::{Reader, ReaderBuilder};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::columns::builder::{Cell, spelled};
use crate::columns::text::{LINE_LIMIT, is_space, trim};
use crate::errors::Bad;
use crate::read::blocks::{self, Cut, Format, at_line_end};
use crate::read::delimited::{Record, at_record_end, blank_lines, header_end};
use crate::read::jsonl::{Item, Key};
use crate::read::signals::Progress;
use crate::read::source::{Input, Source};
use crate::rows::hashing::{Names, hash_of};

/// How a text is divided into records, and where a record names its query.
#[derive(Clone, Debug, PartialEq)]
pub enum Records {
    /// Lines whose first field is the query; blank lines and comments are none.
    Fields,
    /// Delimited text, with the place of the query's field.
    Delimited { delimiter: u8, place: usize },
    /// Lines of JSON objects, with the query's key.
    Objects { key: String },
}

impl Records {
    pub fn delimiter(&self) -> u8 {
        if let Records::Delimited { delimiter, .. } = self { *delimiter } else { 0 }
    }

    pub fn cut(&self) -> Cut {
        if let Records::Delimited { .. } = self { at_record_end } else { at_line_end }
    }

    /// Calls `found` with the query and the place of each record, and collects the keys of objects, or two values
    /// of the second field.
    pub fn each(&self, text: &[u8], names: &mut Names, found: impl FnMut(&[u8], Range<usize>)) {
        match self {
            Records::Fields => lines(text, |line| first_field(line, names), found),
            Records::Delimited { delimiter, place } if is_plain(text) => {
                lines(text, |line| plain_field(line, *delimiter, *place), found);
            }
            Records::Delimited { delimiter, place } => quoted(text, *delimiter, *place, found),
            Records::Objects { key } => {
                lines(
                    text,
                    |line| (!trim(line).is_empty()).then(|| value(line, key, names)),
                    found,
                );
            }
        }
    }
}

/// Calls `found` with each line that has a query; `query` gives none for a line to pass over.
fn lines<'a, Q: AsRef<[u8]>>(
    text: &'a [u8],
    mut query: impl FnMut(&'a [u8]) -> Option<Q>,
    mut found: impl FnMut(&[u8], Range<usize>),
) {
    let mut start = 0;
    let rest = (!text.ends_with(b"\n") && !text.is_empty()).then_some(text.len());
    for end in memchr::memchr_iter(b'\n', text).map(|at| at + 1).chain(rest) {
        if let Some(query) = query(&text[start..end]) {
            found(query.as_ref(), start..end);
        }
        start = end;
    }
}

/// The first field, if there is one; `names` gets the second field, if it is not the same in all lines.
fn first_field<'a>(line: &'a [u8], names: &mut Names) -> Option<&'a [u8]> {
    let (first, rest) = field(line);
    if matches!(first.first(), None | Some(b'#')) {
        return None;
    }
    names.add_second(field(rest).0);
    Some(first)
}

/// The field that follows white space, and what follows it.
fn field(text: &[u8]) -> (&[u8], &[u8]) {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    let size = text[start..].iter().position(|&byte| is_space(byte));
    text[start..].split_at(size.unwrap_or(text.len() - start))
}

/// Is every line a record, whose fields are what stands between the delimiters?
fn is_plain(text: &[u8]) -> bool {
    let ends_line = |at: usize| text.get(at + 1) == Some(&b'\n');
    memchr::memchr(b'"', text).is_none() && memchr::memchr_iter(b'\r', text).all(ends_line)
}

fn plain_field(line: &[u8], delimiter: u8, place: usize) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let field = || line.split(|&byte| byte == delimiter).nth(place).unwrap_or_default();
    (!line.is_empty()).then(field)
}

fn quoted(text: &[u8], delimiter: u8, place: usize, mut found: impl FnMut(&[u8], Range<usize>)) {
    let mut reader: Reader = ReaderBuilder::new().delimiter(delimiter).build();
    let (mut record, mut at) = (Record::default(), 0);
    loop {
        at += blank_lines(&text[at..]).0;
        if at == text.len() {
            return;
        }
        let used = record.read(&mut reader, &text[at..]);
        found(record.field(place).unwrap_or_default(), at..at + used);
        at += used;
    }
}

/// The value of a key of a JSON object, as ids are written; empty if there is none.
fn value(line: &[u8], key: &str, names: &mut Names) -> String {
    let mut json = serde_json::Deserializer::from_slice(trim(line));
    // What is wrong with a line, the reader of its bucket says.
    json.deserialize_map(Object { key, names }).unwrap_or_default()
}

struct Object<'a> {
    key: &'a str,
    names: &'a mut Names,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = String;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
        let (mut id, mut guess) = (Cow::Borrowed(""), 0);
        while let Some(Key(name)) = map.next_key()? {
            self.names.add(&name, guess);
            guess += 1;
            if name != self.key {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            id = match map.next_value()? {
                Item::Flat(Cell::Text(text)) => text,
                Item::Flat(cell) => spelled(&cell).into(),
                Item::Nested(_) => id,
            };
        }
        Ok(id.into_owned())
    }
}

/// A text that is divided into records.
#[derive(Clone)]
pub struct Text {
    pub records: Records,
    /// Lines before the first record, or before the header.
    pub above: u64,
    pub headed: bool,
}

impl Text {
    /// What stands above all records, of as many lines as the source does; and the records' text.
    pub fn open<'a>(
        &self,
        source: &'a Source,
        progress: &Progress,
    ) -> Result<(Vec<u8>, Input<'a>), Bad> {
        let mut input = source.open(progress)?.after_mark()?.after_lines(self.above)?;
        let mut start = vec![b'\n'; self.above as usize];
        if !self.headed {
            return Ok((start, input));
        }
        let mut text = vec![0; LINE_LIMIT + 2];
        let got = input.fill(&mut text)?;
        text.truncate(got);
        let (blank, end) = header_end(&text, self.records.delimiter());
        start.extend(text[..blank].iter().filter(|&&byte| byte == b'\n'));
        start.extend_from_slice(&text[blank..end]);
        if !start.ends_with(b"\n") {
            start.push(b'\n');
        }
        Ok((start, input.after(text.split_off(end))))
    }
}

/// The records of a block: those of one query that stand together are one text.
#[derive(Default)]
struct Part {
    queries: Vec<u64>,
    lines: Vec<u64>,
    sizes: Vec<usize>,
    text: Vec<u8>,
    names: Names,
    ended: u64,
}

impl Part {
    fn add(&mut self, hash: u64, line: u64, text: &[u8]) {
        self.queries.push(hash);
        self.lines.push(line);
        self.sizes.push(text.len());
        self.text.extend_from_slice(text);
    }
}

struct Whole<T> {
    kept: Part,
    take: T,
}

impl<T: FnMut(RecordBatch) -> Result<(), Bad>> Whole<T> {
    /// Hands on what was read.
    fn put(&mut self) -> Result<(), Bad> {
        let offsets = OffsetBuffer::from_lengths(self.kept.sizes.drain(..));
        let text = BinaryArray::new(offsets, std::mem::take(&mut self.kept.text).into(), None);
        let queries = UInt64Array::from(std::mem::take(&mut self.kept.queries));
        let lines = UInt64Array::from(std::mem::take(&mut self.kept.lines));
        let columns: Vec<ArrayRef> = vec![Arc::new(queries), Arc::new(lines), Arc::new(text)];
        (self.take)(RecordBatch::try_new(schema(), columns).map_err(Bad::corrupt)?)
    }
}

/// What is read of a text: the hash of the query, the first line, and the text of records that stand together.
pub fn schema() -> SchemaRef {
    let numbers = ["query", "row"].map(|name| Field::new(name, DataType::UInt64, false));
    let text = Field::new("text", DataType::Binary, false);
    Arc::new(Schema::new(numbers.into_iter().chain([text]).collect::<Vec<Field>>()))
}

struct Split<'a, T> {
    records: &'a Records,
    taken: PhantomData<fn(T)>,
}

impl<T: FnMut(RecordBatch) -> Result<(), Bad> + Send> Format for Split<'_, T> {
    type Part = Part;
    type Whole = Whole<T>;

    fn parse(&self, block: &[u8], end: usize, part: &mut Part) -> Result<(), Bad> {
        let mut names = std::mem::take(&mut part.names);
        let (mut last, mut hash, mut line, mut counted) = (None, 0, 0, 0);
        let mut run = 0..0;
        self.records.each(&block[..end], &mut names, |query, place| {
            let same = last.as_deref() == Some(query);
            if !same {
                last = Some(query.to_vec());
            }
            if !same || place.start != run.end {
                if !run.is_empty() {
                    part.add(hash, line, &block[run.clone()]);
                }
                line += newlines(&block[counted..place.start]);
                (hash, counted, run) = (hash_of(query), place.start, place.clone());
            }
            run.end = place.end;
        });
        if !run.is_empty() {
            part.add(hash, line, &block[run]);
        }
        (part.names, part.ended) = (names, newlines(&block[..end]));
        Ok(())
    }

    fn append(&self, whole: &mut Whole<T>, part: &mut Part) -> Result<(), Bad> {
        let before = whole.kept.ended;
        whole.kept.queries.append(&mut part.queries);
        whole.kept.lines.extend(part.lines.drain(..).map(|line| before + line));
        whole.kept.sizes.append(&mut part.sizes);
        whole.kept.text.append(&mut part.text);
        whole.kept.names.append(&mut part.names);
        whole.kept.ended += std::mem::take(&mut part.ended);
        if whole.kept.text.len() < MOST { Ok(()) } else { whole.put() }
    }

    fn lines(_: &Whole<T>) -> u64 {
        0
    }
}

fn newlines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Bytes of text that are handed on together.
const MOST: usize = 1 << 22;

/// Hands the records on in batches of `schema`; returns what they name, such as all keys of objects.
pub fn read(
    text: &Text,
    source: &Source,
    progress: &Progress,
    take: impl FnMut(RecordBatch) -> Result<(), Bad> + Send,
) -> Result<Vec<String>, Bad> {
    let (start, input) = text.open(source, progress)?;
    let kept = Part { ended: newlines(&start) + 1, ..Part::default() };
    let (records, format) = (&text.records, Split { records: &text.records, taken: PhantomData });
    let whole = Whole { kept, take };
    let mut whole = blocks::read(input, &format, whole, records.cut(), records.delimiter())?;
    whole.put()?;
    Ok(whole.kept.names.into_vec())
}
