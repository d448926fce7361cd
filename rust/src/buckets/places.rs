//! Where in the source a row of a bucket stands: the source is read again, so only errors ask.

use std::path::Path;

use crate::buckets::assignment::Assignment;
use crate::buckets::batches;
use crate::buckets::hashing::{Names, buckets_of, hash_of};
use crate::buckets::text_records::{Records, Text};
use crate::errors::Bad;
use crate::read::blocks::{self, Format};
use crate::read::signals::Progress;
use crate::read::source::Source;

/// Looks for the record of a bucket that a line of it belongs to.
struct Search<'a> {
    records: &'a Records,
    bucket: usize,
    buckets: &'a Assignment,
}

/// For each record of the bucket in a block, the line it begins on and its number of lines.
#[derive(Default)]
struct Part {
    records: Vec<(u64, u64)>,
    lines: u64,
}

struct Whole {
    /// Lines of the source so far, and lines of the bucket to come.
    lines: u64,
    left: u64,
}

impl Format for Search<'_> {
    type Part = Part;
    type Whole = Whole;

    fn parse(&self, block: &[u8], end: usize, part: &mut Part) -> Result<(), Bad> {
        let text = &block[..end];
        let lines = |from: usize, to: usize| memchr::memchr_iter(b'\n', &text[from..to]).count();
        let (mut at, mut line) = (0, 1);
        self.records.each(text, &mut Names::default(), |query, place| {
            line += lines(at, place.start);
            at = place.start;
            if self.buckets.of(hash_of(query)) == self.bucket {
                part.records.push((line as u64, lines(place.start, place.end) as u64));
            }
        });
        part.lines = lines(0, end) as u64;
        Ok(())
    }

    /// What is found is returned as an error, since an error ends the reading.
    fn append(&self, whole: &mut Whole, part: &mut Part) -> Result<(), Bad> {
        for (line, many) in part.records.drain(..) {
            if whole.left <= many.max(1) {
                return Err(Bad::text(FOUND, whole.lines + line + whole.left - 1, "", b""));
            }
            whole.left -= many;
        }
        whole.lines += part.lines;
        Ok(())
    }

    fn lines(_: &Whole) -> u64 {
        0
    }
}

const FOUND: &str = "found";

/// The line of the source from which a line of a bucket was copied; 0 if there is none.
pub fn line(
    text: &Text,
    source: &Source,
    buckets: &Assignment,
    bucket: usize,
    line: u64,
    progress: &Progress,
) -> Result<u64, Bad> {
    let (start, input) = text.open(source, progress)?;
    let above = memchr::memchr_iter(b'\n', &start).count() as u64;
    if line <= above {
        return Ok(line);
    }
    let whole = Whole { lines: above, left: line - above };
    let records = &text.records;
    let search = Search { records, bucket, buckets };
    match blocks::read(input, &search, whole, records.cut(), records.delimiter()) {
        Err(Bad::Text { kind: FOUND, line, .. }) => Ok(line),
        result => result.map(|_| 0),
    }
}

/// The row of a table from which a row of a bucket was copied, both from 0.
pub fn row(
    path: &Path,
    key: &str,
    buckets: &Assignment,
    bucket: usize,
    row: u64,
    progress: &Progress,
) -> Result<u64, Bad> {
    let names = [key.to_owned()];
    let (mut before, mut left) = (0, row as usize);
    for batch in batches::open(path, Some(&names), progress)? {
        let each = buckets_of(batch?.column(0), buckets)?;
        let here = |(row, &of): (usize, &u32)| (of as usize == bucket).then_some(row);
        let mut rows = each.iter().enumerate().filter_map(here);
        let many = rows.clone().count();
        if let Some(row) = rows.nth(left) {
            return Ok(before + row as u64);
        }
        (before, left) = (before + each.len() as u64, left - many);
    }
    Ok(before)
}
