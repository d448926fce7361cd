//! JSON lines: one object a line.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::columns::builder::{Cell, CellBuilder};
use crate::columns::frame::{Frame, LazyColumn, Lines, check_rows};
use crate::columns::text::{self, trim};
use crate::errors::Bad;
use crate::read::blocks::{self, Format};
use crate::read::source::Input;

struct Jsonl;

/// Whole numbers from here on are ids that a float would run together.
const WIDE: f64 = 18_446_744_073_709_551_616.0;

/// Columns by name, each as long as its last value until the end, so that a row costs its own cells only.
#[derive(Default)]
struct Table {
    names: Vec<String>,
    index: HashMap<String, usize>,
    columns: Vec<CellBuilder>,
    rows: usize,
    places: Lines,
    lines: u64,
    skipped: u64,
    /// By column the first row whose value is a list or an object.
    nested: BTreeMap<usize, usize>,
}

impl Table {
    /// The column called `name`; `guess` is where it was in the row before.
    fn column(&mut self, name: &str, guess: usize) -> usize {
        if self.names.get(guess).is_some_and(|other| other == name) {
            return guess;
        }
        if let Some(&at) = self.index.get(name) {
            return at;
        }
        self.columns.push(CellBuilder::default());
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    fn row(&mut self, text: &[u8]) -> Result<(), Bad> {
        let mut json = serde_json::Deserializer::from_slice(text);
        let read = json.deserialize_map(Row { table: self }).and_then(|()| json.end());
        read.map_err(|error| {
            Bad::text("corrupt", self.lines + 1, "", text).detail(error.to_string())
        })?;
        self.rows += 1;
        Ok(())
    }

    fn append(&mut self, part: Table) {
        for (place, (name, mut values)) in part.names.into_iter().zip(part.columns).enumerate() {
            let at = self.column(&name, place);
            self.columns[at].pad(self.rows);
            self.columns[at].append(&mut values);
            if let Some(row) = part.nested.get(&place) {
                self.nested.entry(at).or_insert(self.rows + row);
            }
        }
        let mut places = part.places;
        self.places.append(self.rows, self.lines, &mut places);
        self.rows += part.rows;
        self.lines += part.lines;
        self.skipped += part.skipped;
    }
}

/// Reads one object into a table.
struct Row<'a> {
    table: &'a mut Table,
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut guess = 0;
        while let Some(Key(name)) = map.next_key()? {
            let at = self.table.column(&name, guess);
            guess = at + 1;
            if self.table.columns[at].len() > self.table.rows {
                return Err(A::Error::custom(format!("the key '{name}' occurs twice")));
            }
            self.table.columns[at].pad(self.table.rows);
            match map.next_value()? {
                Item::Flat(cell) => self.table.columns[at].push(cell),
                Item::Nested(json) => {
                    self.table.nested.entry(at).or_insert(self.table.rows);
                    self.table.columns[at].push(Cell::Text(json.into()));
                }
            }
        }
        Ok(())
    }
}

/// The key of a value.
pub struct Key<'a>(pub Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Key<'de>, D::Error> {
        match Item::deserialize(from)? {
            Item::Flat(Cell::Text(text)) => Ok(Key(text)),
            _ => Err(D::Error::custom("a key must be text")),
        }
    }
}

/// A value of an object.
pub enum Item<'a> {
    Flat(Cell<'a>),
    /// The JSON text of a list or an object.
    Nested(String),
}

impl<'de> Deserialize<'de> for Item<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Item<'de>, D::Error> {
        from.deserialize_any(ItemVisitor)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item<'de>;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Item<'de>, E> {
        Ok(Item::Flat(Cell::Missing))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Item<'de>, E> {
        Ok(Item::Flat(Cell::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Item<'de>, E> {
        Ok(Item::Flat(Cell::Int(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Item<'de>, E> {
        let wide = || Cell::Text(value.to_string().into());
        Ok(Item::Flat(i64::try_from(value).map_or_else(|_| wide(), Cell::Int)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Item<'de>, E> {
        if value.fract() == 0.0 && value.abs() >= WIDE && value.is_finite() {
            return Err(E::custom(
                "a whole number of more than 19 digits, which must be in quotes",
            ));
        }
        Ok(Item::Flat(Cell::Float(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Item<'de>, E> {
        Ok(Item::Flat(Cell::Text(value.to_owned().into())))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Item<'de>, E> {
        Ok(Item::Flat(Cell::Text(value.into())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Item<'de>, A::Error> {
        nested(SeqAccessDeserializer::new(seq))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Item<'de>, A::Error> {
        nested(MapAccessDeserializer::new(map))
    }
}

fn nested<'de, D: Deserializer<'de>>(from: D) -> Result<Item<'de>, D::Error> {
    Ok(Item::Nested(serde_json::Value::deserialize(from)?.to_string()))
}

impl Format for Jsonl {
    type Part = Table;
    type Whole = Table;

    fn parse(&self, block: &[u8], end: usize, part: &mut Table) -> Result<(), Bad> {
        let (good, checked) = text::check(&block[..end]);
        for line in block[..good].split_inclusive(|&byte| byte == b'\n') {
            if trim(line).is_empty() {
                part.skipped += 1;
            } else {
                part.places.push(part.rows, part.lines + 1);
                part.row(trim(line))?;
            }
            part.lines += 1;
        }
        checked
    }

    fn append(&self, whole: &mut Table, part: &mut Table) -> Result<(), Bad> {
        check_rows(whole.rows + part.rows)?;
        whole.append(std::mem::take(part));
        Ok(())
    }

    fn lines(whole: &Table) -> u64 {
        whole.lines
    }
}

/// Columns are the keys in the order they are first seen.
pub fn read(input: Input<'_>) -> Result<Frame, Bad> {
    let table = blocks::read(input, &Jsonl, Table::default(), blocks::at_line_end, 0)?;
    if table.rows == 0 {
        return Err(Bad::text("empty", 0, "", b""));
    }
    let finish = |mut cells: CellBuilder| {
        cells.pad(table.rows);
        LazyColumn::built(cells)
    };
    let columns = table.columns.into_iter().map(finish);
    let columns = table.names.into_iter().zip(columns).collect();
    let frame = Frame::new("jsonl", columns).with_nested(table.nested);
    Ok(frame.at_lines(table.places, table.skipped))
}
