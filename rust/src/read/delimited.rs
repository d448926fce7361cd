//! Delimited text: CSV, TSV and their kin, with a header row and RFC 4180 quotes.

use std::collections::HashSet;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::columns::column::Column;
use crate::columns::frame::{Frame, Lines, check_rows};
use crate::columns::text::{self, LINE_LIMIT, TextBuilder, trim};
use crate::errors::Bad;
use crate::read::blocks::{self, Format, PADDING, at_line_end};
use crate::read::source::Input;

struct Delimited {
    delimiter: u8,
}

/// The records of a block; one with another number of fields than the first ends it.
#[derive(Default)]
struct Part {
    columns: Vec<TextBuilder>,
    rows: usize,
    places: Lines,
    first: u64,
    ragged: Option<(u64, usize)>,
    lines: u64,
    skipped: u64,
    record: Record,
}

#[derive(Default)]
struct Whole {
    names: Vec<String>,
    columns: Vec<TextBuilder>,
    rows: usize,
    places: Lines,
    lines: u64,
    skipped: u64,
}

/// The end of the last record: of the last line that does not end inside quotes.
pub fn at_record_end(block: &[u8], delimiter: u8) -> usize {
    if memchr::memchr(b'"', block).is_none() {
        return at_line_end(block, delimiter);
    }
    quotes(block, delimiter).0
}

/// The end of the last record, and whether quotes are open where the text ends.
fn quotes(block: &[u8], delimiter: u8) -> (usize, bool) {
    let (mut end, mut fresh, mut quoted) = (0, true, false);
    for (at, &byte) in block.iter().enumerate() {
        match byte {
            b'"' if quoted => quoted = false,
            // A doubled quote: the field was closed by the first and goes on.
            b'"' if fresh || block[at - 1] == b'"' => quoted = true,
            _ if quoted => (),
            b'\n' => (end, fresh) = (at + 1, true),
            _ => fresh = byte == delimiter || byte == b'\r',
        }
    }
    (end, quoted)
}

/// Was a quote of a text, as in 27" or "red shoes, taken for one around a field, so that rows lie within that field?
/// Text goes on behind the quote that closes it; or, between tabs, which few texts contain, its lines have as many tabs
/// as the rows from this field to the same one some lines below.
fn has_stray_quote(record: &[u8], delimiter: u8, fields: usize) -> bool {
    let (mut at, mut fresh, mut field) = (0, true, 0);
    while at < record.len() {
        if record[at] != b'"' || !fresh {
            fresh = record[at] == delimiter;
            field += usize::from(fresh);
            at += 1;
            continue;
        }
        let start = at + 1;
        at = start;
        while at < record.len() && (record[at] != b'"' || record.get(at + 1) == Some(&b'"')) {
            at += if record[at] == b'"' { 2 } else { 1 };
        }
        let within = &record[start..at.min(record.len())];
        at += 1;
        let goes_on =
            at < record.len() && record[at] != delimiter && !matches!(record[at], b'\r' | b'\n');
        let swallowed = goes_on || delimiter == b'\t' && are_rows(within, field, fields);
        if swallowed && within.contains(&b'\n') {
            return true;
        }
        fresh = false;
    }
    false
}

/// Do the lines within a field have the tabs of the rows from it to the same field of a row below?
fn are_rows(within: &[u8], field: usize, fields: usize) -> bool {
    let lines = within.split(|&byte| byte == b'\n');
    let tabs: Vec<usize> = lines.map(|line| memchr::memchr_iter(b'\t', line).count()).collect();
    let last = tabs.len() - 1;
    fields > 1
        && tabs.iter().enumerate().all(|(line, &count)| match line {
            _ if line == last => count == field,
            0 => count == fields - 1 - field,
            _ => count == fields - 1,
        })
}

/// Where the header of a text begins and ends: its first record that is not blank.
pub fn header_end(text: &[u8], delimiter: u8) -> (usize, usize) {
    let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
    let (mut record, mut start) = (Record::default(), 0);
    loop {
        start += blank_lines(&text[start..]).0;
        if start == text.len() {
            return (start, start);
        }
        let used = record.read(&mut reader, &text[start..]);
        if !record.is_blank() {
            return (start, start + used);
        }
        start += used;
    }
}

impl Part {
    fn records(&mut self, block: &[u8], end: usize, delimiter: u8) -> Result<(), Bad> {
        let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
        let mut at = 0;
        loop {
            let (blank, lines) = blank_lines(&block[at..end]);
            at += blank;
            self.lines += lines;
            self.skipped += lines;
            if at == end || self.ragged.is_some() {
                return Ok(());
            }
            let used = self.record.read(&mut reader, &block[at..end]);
            if used > LINE_LIMIT {
                return Err(Bad::text("line_too_long", self.lines + 1, "", &block[at..at + 400]));
            }
            // The parser takes the end of the text for the end of the quotes. Blocks end where a record ends, so
            // only the last record of a text can be open: a file that was cut within its last field.
            if at + used == end && quotes(&block[at..end], delimiter).1 {
                return Err(Bad::text("ragged", self.lines + 1, "unclosed", b"").detail("0 of 0"));
            }
            let text = &block[at..at + used];
            let lines = memchr::memchr_iter(b'\n', text).count();
            if lines > usize::from(text.ends_with(b"\n"))
                && has_stray_quote(text, delimiter, self.record.ends().len())
            {
                return Err(Bad::text("stray_quote", self.lines + 1, "", b""));
            }
            self.row();
            self.lines += lines as u64;
            at += used;
        }
    }

    fn row(&mut self) {
        let (ends, fields) = (self.record.ends(), &self.record.fields);
        let count = ends.len();
        // A spreadsheet writes a blank row as separators alone.
        if self.record.is_blank() {
            self.skipped += 1;
            return;
        }
        if self.columns.len() != count && self.rows > 0 {
            self.ragged = Some((self.lines + 1, count));
            return;
        }
        self.columns.resize_with(count, TextBuilder::default);
        if self.rows == 0 {
            self.first = self.lines + 1;
        }
        self.places.push(self.rows, self.lines + 1);
        let mut start = 0;
        for (column, &end) in self.columns.iter_mut().zip(ends) {
            column.push_at(fields, start, end);
            start = end;
        }
        self.rows += 1;
    }

    fn clear(&mut self) {
        self.columns.iter_mut().for_each(TextBuilder::clear);
        self.places = Lines::default();
        (self.rows, self.lines, self.skipped, self.ragged) = (0, 0, 0, None);
    }
}

impl Whole {
    fn header(&mut self, part: &mut Part) -> Result<(), Bad> {
        let (mut places, mut seen) = (Lines::default(), HashSet::new());
        for column in &mut part.columns {
            let name = column.shift();
            if !seen.insert(name.clone()) {
                return Err(Bad::text("duplicate_header", part.first, "", name.as_bytes()));
            }
            self.names.push(name);
        }
        self.columns.resize_with(self.names.len(), TextBuilder::default);
        (1..part.rows).for_each(|row| places.push(row - 1, part.places.line(row)));
        part.rows -= 1;
        part.places = places;
        Ok(())
    }

    fn ragged(&self, line: u64, count: usize) -> Bad {
        Bad::text("ragged", line, "", b"").detail(format!("{count} of {}", self.names.len()))
    }
}

impl Format for Delimited {
    type Part = Part;
    type Whole = Whole;

    fn parse(&self, block: &[u8], end: usize, part: &mut Part) -> Result<(), Bad> {
        let (good, checked) = text::check(&block[..end]);
        part.records(block, good, self.delimiter)?;
        if part.ragged.is_some() { Ok(()) } else { checked }
    }

    fn append(&self, whole: &mut Whole, part: &mut Part) -> Result<(), Bad> {
        if whole.names.is_empty() && part.rows > 0 {
            whole.header(part)?;
        }
        if part.rows > 0 && part.columns.len() != whole.names.len() {
            return Err(whole.ragged(whole.lines + part.first, part.columns.len()));
        }
        if let Some((line, count)) = part.ragged {
            return Err(whole.ragged(whole.lines + line, count));
        }
        check_rows(whole.rows + part.rows)?;
        for (column, values) in whole.columns.iter_mut().zip(&mut part.columns) {
            column.append(values);
        }
        whole.places.append(whole.rows, whole.lines, &mut part.places);
        whole.rows += part.rows;
        whole.lines += part.lines;
        whole.skipped += part.skipped;
        part.clear();
        Ok(())
    }

    fn lines(whole: &Whole) -> u64 {
        whole.lines
    }
}

/// Every column as text; empty fields are missing. The header comes after `above` lines.
pub fn read(input: Input<'_>, delimiter: u8, above: u64) -> Result<Frame, Bad> {
    let format = Delimited { delimiter };
    let whole = Whole { lines: above, skipped: above, ..Whole::default() };
    let whole = blocks::read(input.after_lines(above)?, &format, whole, at_record_end, delimiter)?;
    if whole.names.is_empty() {
        return Err(Bad::text("empty", 0, "", b""));
    }
    let columns = whole.columns.into_iter().map(|column| Column::text_or_missing(column.finish()));
    let columns = whole.names.into_iter().zip(columns).collect();
    Ok(Frame::new("delimited", columns).at_lines(whole.places, whole.skipped))
}

/// The fields of a record, without quotes, one after the other.
#[derive(Default)]
pub struct Record {
    pub fields: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
}

impl Record {
    /// Where the fields end.
    pub fn ends(&self) -> &[usize] {
        &self.ends[..self.count]
    }

    pub fn field(&self, place: usize) -> Option<&[u8]> {
        let end = *self.ends().get(place)?;
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        Some(&self.fields[start..end])
    }

    /// Has no field anything but white space?
    pub fn is_blank(&self) -> bool {
        self.ends().last().is_none_or(|&end| trim(&self.fields[..end]).is_empty())
    }

    /// Reads the record at the start of `text`, and says how many bytes it has with its line's end.
    pub fn read(&mut self, reader: &mut Reader, text: &[u8]) -> usize {
        let used = self.parse(reader, text);
        used + usize::from(text.get(used - 1..=used) == Some(b"\r\n"))
    }

    fn parse(&mut self, reader: &mut Reader, text: &[u8]) -> usize {
        let (mut used, mut filled) = (0, 0);
        self.count = 0;
        loop {
            self.fields.resize(self.fields.len().max(filled + 256 + PADDING), 0);
            self.ends.resize(self.ends.len().max(self.count + 16), 0);
            let room = self.fields.len() - PADDING;
            let (result, read, wrote, ends) = reader.read_record(
                &text[used..],
                &mut self.fields[filled..room],
                &mut self.ends[self.count..],
            );
            (used, filled, self.count) = (used + read, filled + wrote, self.count + ends);
            match result {
                ReadRecordResult::OutputFull => self.fields.resize(2 * self.fields.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::InputEmpty => (),
                ReadRecordResult::Record | ReadRecordResult::End => return used,
            }
        }
    }
}

/// The bytes and the number of the blank lines at the start of a text.
pub fn blank_lines(text: &[u8]) -> (usize, u64) {
    let (mut at, mut lines) = (0, 0);
    while let Some(end) = memchr::memchr(b'\n', &text[at..]) {
        if !matches!(&text[at..at + end], b"" | b"\r") {
            break;
        }
        at += end + 1;
        lines += 1;
    }
    (at, lines)
}
