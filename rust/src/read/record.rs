//! One record of delimited text.

use csv_core::{ReadRecordResult, Reader};

use crate::columns::utf8::trim;
use crate::read::blocks::PADDING;

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
