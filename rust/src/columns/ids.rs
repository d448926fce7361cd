//! Ids: any column as text values that can be hashed, compared and ordered; where one was seen before; the units of ids;
//! a number for each value of a column.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_buffer::{BooleanBuffer, NullBuffer};
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use memchr::{memmem, memrchr};
use rayon::prelude::*;

use crate::columns::column::{Column, Values};
use crate::columns::dictionary::{Coded, CodedBuilder, KEYED, NONE};
use crate::columns::numbers::{Floats, whole_text};
use crate::columns::scan;
use crate::columns::text::{self, INLINE, TextBuilder, Texts};
use crate::columns::workers::shared;
use crate::errors::Bad;

/// The ids of a column, the empty text where one is missing; whole floats read as integers.
pub fn ids(column: &Column, name: &str) -> Result<Texts, Bad> {
    match &column.values {
        Values::Text(texts) => Ok(present(texts, column.nulls.as_ref())),
        Values::Coded(coded) => Ok(coded.expand()),
        Values::Int(values) => pieces(column, |row, builder| {
            builder.push(values[row].to_string().as_bytes());
            Ok(())
        }),
        Values::Float(values) => pieces(column, |row, builder| {
            builder.push(whole_id(values.get(row), row, name)?.as_bytes());
            Ok(())
        }),
        Values::Bool(values) => pieces(column, |row, builder| {
            builder.push(if values.value(row) { b"true" } else { b"false" });
            Ok(())
        }),
    }
}

/// A whole float as an id, the empty text for NaN.
pub fn whole_id(value: f64, row: usize, name: &str) -> Result<String, Bad> {
    if value.is_nan() {
        return Ok(String::new());
    }
    whole_text(value)
        .ok_or_else(|| Bad::row("fractional_id", row, name, value.to_string().as_bytes()))
}

fn present(texts: &Texts, nulls: Option<&NullBuffer>) -> Texts {
    let Some(nulls) = nulls else {
        return texts.clone();
    };
    let view = |row: usize| {
        if nulls.is_null(row) { 0 } else { texts.views[row] }
    };
    let views: Vec<u128> = shared(|| (0..texts.len()).into_par_iter().map(view).collect());
    Texts { views: views.into(), buffers: texts.buffers.clone() }
}

fn pieces<F>(column: &Column, push: F) -> Result<Texts, Bad>
where
    F: Fn(usize, &mut TextBuilder) -> Result<(), Bad> + Sync + Send,
{
    let piece = |rows: Range<usize>| {
        let mut builder = TextBuilder::default();
        for row in rows {
            if column.is_null(row) {
                builder.push(b"");
            } else {
                push(row, &mut builder)?;
            }
        }
        Ok(builder)
    };
    let parts: Vec<Result<TextBuilder, Bad>> = scan::each_piece(column.len(), piece);
    let mut whole = TextBuilder::default();
    for part in parts {
        whole.append(&mut part?);
    }
    Ok(whole.finish())
}

/// Digits that a float holds whatever they are.
const EXACT: usize = 15;

/// The whole number that text spells as a float, as 12 in "12.0".
fn whole_part(text: &[u8]) -> Option<&[u8]> {
    let zeros = text.iter().rev().take_while(|&&byte| byte == b'0').count();
    let whole = text[..text.len() - zeros].strip_suffix(b".").filter(|_| zeros > 0)?;
    let digits = whole.strip_prefix(b"-").unwrap_or(whole);
    let plain = whole == b"0" || matches!(digits.first(), Some(b'1'..=b'9'));
    (plain && digits.len() <= EXACT && digits.iter().all(u8::is_ascii_digit)).then_some(whole)
}

/// The id that a text spells: 12 for "12.0".
pub fn plain_text(text: &[u8]) -> &[u8] {
    whole_part(text).unwrap_or(text)
}

/// Does any text that is `there` spell a whole float?
fn any(texts: &Texts, there: impl Fn(usize) -> bool + Sync + Send) -> bool {
    let number = |view: u128| {
        let first = (view >> 32) as u8;
        (first.wrapping_sub(b'0') < 10) | (first == b'-')
    };
    let spells = |row: usize| {
        let text = number(texts.views[row]) && there(row);
        text && whole_part(texts.bytes(row, &mut [0; 16])).is_some()
    };
    scan::any(&texts.views, number) && scan::first(texts.len(), spells).is_some()
}

/// The column with every text that spells a whole float as that number: "12" for "12.0".
pub fn plain(column: &Column) -> Result<Column, Bad> {
    let texts = match &column.values {
        Values::Text(texts) => texts,
        Values::Coded(coded) if any(&coded.texts, |_| true) => {
            return Ok(Column::coded(plain_codes(coded)));
        }
        _ => return Ok(column.clone()),
    };
    if !any(texts, |row| !column.is_null(row)) {
        return Ok(column.clone());
    }
    let plain = pieces(column, |row, builder| {
        let mut scratch = [0; 16];
        let text = texts.bytes(row, &mut scratch);
        builder.push(plain_text(text));
        Ok(())
    })?;
    Ok(Column::new(Values::Text(plain), column.nulls.clone()))
}

/// The ids that texts of a column spell in several ways: how many, and the first two spellings of one.
pub fn respelled(column: &Column) -> Option<(usize, String, String)> {
    let distinct = match &column.values {
        Values::Text(texts) if !any(texts, |row| !column.is_null(row)) => return None,
        Values::Coded(coded) if !any(&coded.texts, |_| true) => return None,
        Values::Text(_) | Values::Coded(_) => codes(column, "", None).ok()?.texts,
        _ => return None,
    };
    let spelled: Vec<String> = (0..distinct.len()).map(|row| distinct.string(row)).collect();
    let mut first: HashMap<&[u8], &str> = HashMap::new();
    let mut several: Vec<(&[u8], &str, &str)> = Vec::new();
    for text in &spelled {
        let plain = plain_text(text.as_bytes());
        match first.get(plain) {
            None => _ = first.insert(plain, text),
            Some(before) => several.push((plain, before, text)),
        }
    }
    let (_, one, other) = *several.first()?;
    let ids: HashSet<&[u8]> = several.iter().map(|found| found.0).collect();
    Some((ids.len(), one.to_owned(), other.to_owned()))
}

fn plain_codes(coded: &Coded) -> Coded {
    let mut builder = CodedBuilder::default();
    let mut code = |code: usize| {
        let mut scratch = [0; 16];
        let text = coded.texts.bytes(code, &mut scratch);
        builder.code(plain_text(text))
    };
    let codes: Vec<u32> = (0..coded.texts.len()).map(&mut code).collect();
    for (code, start, _) in coded.runs() {
        let code = if code == NONE { NONE } else { codes[code as usize] };
        builder.push_code(start as usize, code);
    }
    builder.finish(coded.rows)
}

/// The ids of a column by code; only `rows`, in that order, if they are given.
pub fn codes(column: &Column, name: &str, rows: Option<&[u32]>) -> Result<Coded, Bad> {
    if let Values::Coded(coded) = &column.values {
        return Ok(filled(rows.map_or_else(|| (**coded).clone(), |rows| select(coded, rows))));
    }
    let ids = ids(column, name)?;
    Ok(match rows {
        None => intern(&ids, ids.len(), |at| at),
        Some(rows) => intern(&ids, rows.len(), |at| rows[at] as usize),
    })
}

/// The same rows, with no code where the text is empty.
fn filled(mut coded: Coded) -> Coded {
    let empty = coded.texts.views.iter().position(|&view| text::len(view) == 0);
    if let Some(empty) = empty {
        let codes = coded.codes.iter_mut().filter(|code| **code == empty as u32);
        codes.for_each(|code| *code = NONE);
    }
    coded
}

fn select(coded: &Coded, rows: &[u32]) -> Coded {
    let (mut starts, mut codes) = (Vec::new(), Vec::new());
    let mut run = (NONE, 0, 0);
    for (at, &row) in rows.iter().enumerate() {
        if !(run.1..run.2).contains(&row) {
            run = coded.run_of(row);
        }
        if codes.last() != Some(&run.0) {
            starts.push(at as u32);
            codes.push(run.0);
        }
    }
    Coded { texts: coded.texts.clone(), starts, codes, rows: rows.len() }
}

fn intern(ids: &Texts, count: usize, row: impl Fn(usize) -> usize + Sync) -> Coded {
    Coded::in_pieces(count, |piece, part| {
        let (start, mut last) = (piece.start, None);
        for at in piece {
            let view = ids.views[row(at)];
            if last != Some(view) {
                push(part, ids, at - start, view);
                last = Some(view);
            }
        }
    })
}

fn push(part: &mut CodedBuilder, ids: &Texts, at: usize, view: u128) {
    if text::len(view) == 0 {
        part.push_code(at, NONE);
    } else {
        part.push(at, text::bytes(view, &ids.buffers, &mut [0; 16]));
    }
}

/// An open-addressing table of the places of values: tag in the high half, place + 1 in the low.
#[derive(Default)]
pub struct Seen {
    slots: Vec<u64>,
    mask: usize,
}

impl Seen {
    /// Empties the table and makes room for `count` values.
    pub fn reset(&mut self, count: usize) {
        let size = (4 * count).next_power_of_two().max(16);
        if self.slots.len() < size {
            self.slots.resize(size, 0);
        }
        self.slots[..size].fill(0);
        self.mask = size - 1;
    }

    /// The place of the value with this hash, or `None` after `place` has been put down for it.
    pub fn insert(
        &mut self,
        hash: u64,
        place: usize,
        same: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (slot, earlier) = self.probe(hash, same);
        if earlier.is_none() {
            self.slots[slot] = hash >> 32 << 32 | (place as u64 + 1);
        }
        earlier
    }

    /// The place of the value with this hash.
    pub fn find(&self, hash: u64, same: impl Fn(usize) -> bool) -> Option<usize> {
        self.probe(hash, same).1
    }

    fn probe(&self, hash: u64, same: impl Fn(usize) -> bool) -> (usize, Option<usize>) {
        let mut slot = hash as usize & self.mask;
        loop {
            match self.slots[slot] {
                0 => return (slot, None),
                taken if taken >> 32 == hash >> 32 => {
                    let place = taken as u32 as usize - 1;
                    if same(place) {
                        return (slot, Some(place));
                    }
                }
                _ => (),
            }
            slot = (slot + 1) & self.mask;
        }
    }
}

/// Each id up to the last separator; an id that has none, or nothing before it, stays whole. And how
/// many ids have one.
pub fn before(column: &Column, separator: &[u8]) -> Result<(Column, usize), Bad> {
    let texts = ids(column, "doc")?;
    let finder = memmem::FinderRev::new(separator);
    let last = |id: &[u8]| match separator {
        [byte] => memrchr(*byte, id),
        _ => finder.rfind(id),
    };
    let stem = |&view: &u128| {
        if let ([byte], true) = (separator, text::is_inline(view)) {
            return text::inline_before(view, *byte);
        }
        let mut scratch = [0; 16];
        let id = text::bytes(view, &texts.buffers, &mut scratch);
        match last(id).filter(|&size| size > 0) {
            None => view,
            Some(size) if size > INLINE => view >> 32 << 32 | size as u128,
            Some(size) => text::inline(&id[..size]),
        }
    };
    let views: Vec<u128> = shared(|| texts.views.par_iter().map(stem).collect());
    let found = shared(|| texts.views.par_iter().zip(&views).filter(|(a, b)| a != b).count());
    let cut = Texts { views: views.into(), buffers: texts.buffers };
    Ok((Column::text_or_missing(cut), found))
}

/// The value of each id's key; where it is no key the id itself, if `keep`, or nothing. And how many are.
pub fn looked_up(
    column: &Column,
    keys: &Column,
    values: &Column,
    keep: bool,
) -> Result<(Column, usize), Bad> {
    let (texts, keys, values) = (ids(column, "doc")?, ids(keys, "doc")?, ids(values, "unit")?);
    let mut seen = Seen::default();
    seen.reset(keys.len());
    for (place, &view) in keys.views.iter().enumerate() {
        seen.insert(KEYED.text(&keys, view), place, |other| {
            keys.same(keys.views[other], &keys, view)
        });
    }
    let own = values.buffers.len();
    let unit = |view: u128| {
        let same = |place: usize| texts.same(view, &keys, keys.views[place]);
        match seen.find(KEYED.text(&texts, view), same) {
            Some(place) => (values.views[place], true),
            None if keep => (text::shift(view, own), false),
            None => (0, false),
        }
    };
    let found = AtomicUsize::new(0);
    let view = |&view: &u128| {
        let (unit, is_key) = unit(view);
        found.fetch_add(usize::from(is_key), Ordering::Relaxed);
        unit
    };
    let views: Vec<u128> = shared(|| texts.views.par_iter().map(view).collect());
    let buffers: Arc<[_]> = values.buffers.iter().chain(texts.buffers.iter()).cloned().collect();
    Ok((Column::text_or_missing(Texts { views: views.into(), buffers }), found.into_inner()))
}

/// The code of each row, the same for the same value, -1 where it has no value; and the values, as they first occur.
pub fn value_codes(column: &Column) -> (Vec<i64>, Column) {
    match &column.values {
        Values::Text(texts) => text_codes(column, texts),
        Values::Coded(coded) => renumbered(coded),
        Values::Int(values) => by_bits(
            column,
            |row| values[row] as u64,
            |first| Values::Int(first.iter().map(|&row| values[row]).collect()),
        ),
        Values::Float(values) => by_bits(
            column,
            |row| (values.get(row) + 0.0).to_bits(),
            |first| {
                let doubles: Vec<f64> = first.iter().map(|&row| values.get(row)).collect();
                Values::Float(Floats::Double(doubles.into()))
            },
        ),
        Values::Bool(values) => by_bits(
            column,
            |row| u64::from(values.value(row)),
            |first| {
                Values::Bool(BooleanBuffer::collect_bool(first.len(), |at| values.value(first[at])))
            },
        ),
    }
}

/// The distinct texts stay where they are: of a column of ids that occur once each, a copy would be as large as itself.
fn text_codes(column: &Column, texts: &Texts) -> (Vec<i64>, Column) {
    let (mut seen, mut first) = (HashTable::<u32>::new(), Vec::<u128>::new());
    let hash = |view| KEYED.text(texts, view);
    let mut last = (0, -1); // the text of no length is a value, too, so that a code tells whether there is one
    let code = |row: usize| {
        if column.is_null(row) {
            return -1;
        }
        let view = texts.views[row];
        if last.1 < 0 || last.0 != view {
            let same = |&code: &u32| texts.same(first[code as usize], texts, view);
            let code = match seen.entry(hash(view), same, |&code| hash(first[code as usize])) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    let code = first.len() as u32;
                    new.insert(code);
                    first.push(view);
                    code
                }
            };
            last = (view, i64::from(code));
        }
        last.1
    };
    let codes = (0..column.len()).map(code).collect();
    (codes, Column::text(Texts { views: first.into(), buffers: texts.buffers.clone() }))
}

/// An Arrow dictionary may hold values in any order, and values no row has.
fn renumbered(coded: &Coded) -> (Vec<i64>, Column) {
    let (mut codes, mut first) = (Vec::with_capacity(coded.rows), Vec::new());
    let mut numbers = vec![-1; coded.texts.len()];
    for (code, start, end) in coded.runs() {
        let new = match numbers.get_mut(code as usize) {
            None => -1,
            Some(number) => {
                if *number < 0 {
                    *number = first.len() as i64;
                    first.push(code as usize);
                }
                *number
            }
        };
        codes.resize(codes.len() + (end - start) as usize, new);
    }
    (codes, Column::text(coded.texts.take(first.into_iter())))
}

fn by_bits(
    column: &Column,
    bits: impl Fn(usize) -> u64,
    values: impl Fn(&[usize]) -> Values,
) -> (Vec<i64>, Column) {
    let present = column.present();
    let (mut numbers, mut first) = (HashMap::<u64, i64, RandomState>::default(), Vec::new());
    let code = |row: usize| {
        if present.is_null(row) {
            return -1;
        }
        *numbers.entry(bits(row)).or_insert_with(|| {
            first.push(row);
            first.len() as i64 - 1
        })
    };
    let codes = (0..column.len()).map(code).collect();
    (codes, Column::new(values(&first), None))
}
