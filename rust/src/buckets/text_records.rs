//! Records of text: where they are, copied as they are into the file of their bucket, and how these files are written.

use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::{fmt, io};

use csv_core::{Reader, ReaderBuilder};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::buckets::assignment::Assignment;
use crate::buckets::hashing::{Names, hash_of};
use crate::columns::builder::{Cell, spelled};
use crate::columns::text::{LINE_LIMIT, is_space, trim};
use crate::errors::Bad;
use crate::read::blocks::{self, Cut, Format, at_line_end};
use crate::read::delimited::{Record, at_record_end, blank_lines, header_end};
use crate::read::jsonl::{Item, Key};
use crate::read::signals::Progress;
use crate::read::source::{Input, Source};

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
pub struct Text {
    pub records: Records,
    /// Lines before the first record, or before the header.
    pub above: u64,
    pub headed: bool,
}

impl Text {
    /// What every bucket begins with, of as many lines as the source does; and the records' text.
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

struct Split<'a> {
    records: &'a Records,
    buckets: &'a Assignment,
}

/// The records of a block by bucket.
#[derive(Default)]
struct Part {
    texts: Vec<Vec<u8>>,
    rows: Vec<u64>,
    names: Names,
}

struct Whole {
    start: Vec<u8>,
    tails: Vec<Tail>,
    rows: Vec<u64>,
    names: Names,
}

impl Format for Split<'_> {
    type Part = Part;
    type Whole = Whole;

    fn parse(&self, block: &[u8], end: usize, part: &mut Part) -> Result<(), Bad> {
        let Part { texts, rows, names } = part;
        texts.resize_with(self.buckets.count(), Vec::new);
        rows.resize(self.buckets.count(), 0);
        let (mut last, mut bucket) = (Vec::new(), self.buckets.of(hash_of(b"")));
        let (mut run, mut of) = (0..0, bucket);
        self.records.each(&block[..end], names, |query, place| {
            if query != last {
                last.clear();
                last.extend_from_slice(query);
                bucket = self.buckets.of(hash_of(query));
            }
            if bucket != of || place.start != run.end {
                texts[of].extend_from_slice(&block[run.clone()]);
                (run, of) = (place.clone(), bucket);
            }
            run.end = place.end;
            rows[bucket] += 1;
        });
        texts[of].extend_from_slice(&block[run]);
        Ok(())
    }

    fn append(&self, whole: &mut Whole, part: &mut Part) -> Result<(), Bad> {
        for (bucket, text) in part.texts.iter_mut().enumerate() {
            if whole.rows[bucket] == 0 && part.rows[bucket] > 0 {
                whole.tails[bucket].write_all(&whole.start).map_err(|error| unwritable(&error))?;
            }
            whole.tails[bucket].write_all(text).map_err(|error| unwritable(&error))?;
            whole.rows[bucket] += std::mem::take(&mut part.rows[bucket]);
            text.clear();
        }
        whole.names.append(&mut part.names);
        Ok(())
    }

    fn lines(_: &Whole) -> u64 {
        0
    }
}

/// Copies the records into the files `stem.0`, `stem.1` …: how many each has, and all keys of objects.
pub fn split(
    text: &Text,
    source: &Source,
    stem: &str,
    buckets: &Assignment,
    progress: &Progress,
) -> Result<(Vec<u64>, Vec<String>), Bad> {
    let (count, (start, input)) = (buckets.count(), text.open(source, progress)?);
    let tails = (0..count).map(|bucket| Tail::new(stem, bucket, count)).collect();
    let whole = Whole { start, tails, rows: vec![0; count], names: Names::default() };
    let (records, format) = (&text.records, Split { records: &text.records, buckets });
    let mut whole = blocks::read(input, &format, whole, records.cut(), records.delimiter())?;
    for tail in &mut whole.tails {
        tail.put().map_err(|error| unwritable(&error))?;
    }
    Ok((whole.rows, whole.names.into_vec()))
}

/// Bytes that all files together keep in memory before they are written.
const KEPT: usize = 1 << 27;
const LEAST: usize = 1 << 16;
const MOST: usize = 1 << 20;

/// A file that is opened only to be written to, since there may be more than can be open at once.
pub struct Tail {
    path: PathBuf,
    kept: Vec<u8>,
    most: usize,
}

impl Tail {
    /// The file `stem.bucket` of one of `count` buckets.
    pub fn new(stem: &str, bucket: usize, count: usize) -> Tail {
        let path = PathBuf::from(format!("{stem}.{bucket}"));
        Tail { path, kept: Vec::new(), most: (KEPT / count).clamp(LEAST, MOST) }
    }

    /// Writes what is kept in memory.
    pub fn put(&mut self) -> io::Result<()> {
        if !self.kept.is_empty() {
            let mut file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            file.write_all(&self.kept)?;
            self.kept.clear();
        }
        Ok(())
    }
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.kept.extend_from_slice(bytes);
        if self.kept.len() >= self.most {
            self.put()?;
        }
        Ok(bytes.len())
    }

    /// Does nothing: the writer of Arrow streams asks for it after every message.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file of a bucket that cannot be written, told from a source that cannot be read.
pub fn unwritable(error: &io::Error) -> Bad {
    let number = error.raw_os_error().unwrap_or(0);
    Bad::text("unwritable", 0, "", error.to_string().as_bytes()).detail(number.to_string())
}
