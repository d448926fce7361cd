//! The records of a block of text and the query of each.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use csv_core::{Reader, ReaderBuilder};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::buckets::names::Names;
use crate::columns::builder::{Cell, spelled};
use crate::columns::utf8::{is_space, trim};
use crate::read::blocks::{Cut, at_line_end};
use crate::read::delimited::at_record_end;
use crate::read::jsonl::{Item, Key};
use crate::read::record::{Record, blank_lines};

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
