//! The buckets of a file whose rows are in their order: pieces of it, which are read where they are. And where in the
//! source a row of a bucket stands: the source is read again, so only errors ask.

use std::fs;
use std::path::Path;

use crate::buckets::assignment::{Assignment, Run, Walk, if_ordered, unordered};
use crate::buckets::hashing::{Names, buckets_of, hash_of, runs_of};
use crate::buckets::tables;
use crate::buckets::text_records::{Records, Text};
use crate::errors::Bad;
use crate::read::blocks::{self, Format};
use crate::read::piece::Piece;
use crate::read::signals::Progress;
use crate::read::source::{BOM, Source};

/// Each bucket that has rows in a file, and its piece.
pub type Pieces = Vec<(usize, Piece)>;

/// Rows of a Parquet file that may be decoded for nothing, since its row groups are large.
const DECODED: u64 = 1 << 20;

struct Scan<'a> {
    records: &'a Records,
}

/// The runs of a block.
#[derive(Default)]
struct Part {
    runs: Vec<Run>,
    names: Names,
    size: u64,
}

struct Whole<'a> {
    walk: Walk<'a>,
    names: Names,
    at: u64,
}

impl<'a> Format for Scan<'a> {
    type Part = Part;
    type Whole = Whole<'a>;

    fn parse(&self, block: &[u8], end: usize, part: &mut Part) -> Result<(), Bad> {
        let Part { runs, names, size } = part;
        let (mut last, mut marked) = (Vec::new(), false);
        self.records.each(&block[..end], names, |query, place| {
            if runs.is_empty() || query != last {
                last.clear();
                last.extend_from_slice(query);
                marked |= block[place.start..].starts_with(BOM);
                runs.push(Run { hash: hash_of(query), start: place.start as u64 });
            }
        });
        *size = end as u64;
        // At the start of a piece a reader would take it for the mark of a file.
        if marked { Err(unordered()) } else { Ok(()) }
    }

    fn append(&self, whole: &mut Whole<'a>, part: &mut Part) -> Result<(), Bad> {
        for run in part.runs.drain(..) {
            whole.walk.step(Run { start: whole.at + run.start, ..run })?;
        }
        whole.names.append(&mut part.names);
        whole.at += part.size;
        Ok(())
    }

    fn lines(_: &Whole<'a>) -> u64 {
        0
    }
}

/// The pieces of a text and all keys of its objects; none if it is compressed, or in another order.
pub fn of_text(
    text: &Text,
    path: &Path,
    buckets: &mut Assignment,
    progress: &Progress,
) -> Result<Option<(Pieces, Vec<String>)>, Bad> {
    let source = Source::Path(path.to_owned());
    let (head, input) = text.open(&source, progress)?;
    if input.is_compressed() {
        return Ok(None);
    }
    let (at, records) = (input.at(), &text.records);
    let whole = Whole { walk: Walk::new(buckets, at, 1.0), names: Names::default(), at };
    let read = blocks::read(input, &Scan { records }, whole, records.cut(), records.delimiter());
    let Some(whole) = if_ordered(read)?.filter(|whole| size(path) == Some(whole.at)) else {
        return Ok(None);
    };
    let pieces = whole.walk.finish(whole.at);
    Ok(Some((placed(path, &head, pieces), whole.names.into_vec())))
}

fn size(path: &Path) -> Option<u64> {
    Some(fs::metadata(path).ok()?.len())
}

fn placed(path: &Path, head: &[u8], pieces: Vec<(usize, u64, u64)>) -> Pieces {
    let piece =
        |start, end| Piece { path: path.to_owned(), head: head.to_vec(), range: start..end };
    pieces.into_iter().map(|(bucket, start, end)| (bucket, piece(start, end))).collect()
}

/// The pieces of a Parquet file; none if it is of another format, in another order, or has row groups of which too many
/// rows would be decoded more than once.
pub fn of_table(
    path: &Path,
    key: &str,
    buckets: &mut Assignment,
    progress: &Progress,
) -> Result<Option<Pieces>, Bad> {
    let names = [key.to_owned()];
    let batches = tables::open(path, Some(&names), progress)?;
    let Some(groups) = batches.groups.clone() else {
        return Ok(None);
    };
    let (mut walk, mut row) = (Walk::new(buckets, 0, batches.share), 0);
    let walked = tables::ahead(batches, |batch| {
        for run in runs_of(batch.column(0))? {
            walk.step(Run { start: row + run.start, ..run })?;
        }
        row += batch.num_rows() as u64;
        Ok(())
    });
    if if_ordered(walked)?.is_none() {
        return Ok(None);
    }
    let pieces = walk.finish(row);
    let few = decoded(&groups, &pieces) <= 2 * row + DECODED;
    Ok(few.then(|| placed(path, b"", pieces)))
}

/// Rows that are decoded when each piece is read from the row groups it is in.
fn decoded(groups: &[u64], pieces: &[(usize, u64, u64)]) -> u64 {
    let (mut start, mut rows) = (0, 0);
    for &group in groups {
        let end = start + group;
        rows +=
            group * pieces.iter().filter(|&&(_, from, to)| from < end && start < to).count() as u64;
        start = end;
    }
    rows
}

/// Looks for the record of a bucket that a line of it belongs to.
struct Search<'a> {
    records: &'a Records,
    bucket: usize,
    buckets: &'a Assignment,
}

/// For each record of the bucket in a block, the line it begins on and its number of lines.
#[derive(Default)]
struct SearchPart {
    records: Vec<(u64, u64)>,
    lines: u64,
}

struct SearchWhole {
    /// Lines of the source so far, and lines of the bucket to come.
    lines: u64,
    left: u64,
}

impl Format for Search<'_> {
    type Part = SearchPart;
    type Whole = SearchWhole;

    fn parse(&self, block: &[u8], end: usize, part: &mut SearchPart) -> Result<(), Bad> {
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
    fn append(&self, whole: &mut SearchWhole, part: &mut SearchPart) -> Result<(), Bad> {
        for (line, many) in part.records.drain(..) {
            if whole.left <= many.max(1) {
                return Err(Bad::text(FOUND, whole.lines + line + whole.left - 1, "", b""));
            }
            whole.left -= many;
        }
        whole.lines += part.lines;
        Ok(())
    }

    fn lines(_: &SearchWhole) -> u64 {
        0
    }
}

const FOUND: &str = "found";

/// The line of the source from which a line of a bucket was copied; 0 if there is none.
pub fn source_line(
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
    let whole = SearchWhole { lines: above, left: line - above };
    let records = &text.records;
    let search = Search { records, bucket, buckets };
    match blocks::read(input, &search, whole, records.cut(), records.delimiter()) {
        Err(Bad::Text { kind: FOUND, line, .. }) => Ok(line),
        result => result.map(|_| 0),
    }
}

/// The row of a table from which a row of a bucket was copied, both from 0.
pub fn source_row(
    path: &Path,
    key: &str,
    buckets: &Assignment,
    bucket: usize,
    row: u64,
    progress: &Progress,
) -> Result<u64, Bad> {
    let names = [key.to_owned()];
    let (mut before, mut left) = (0, row as usize);
    for batch in tables::open(path, Some(&names), progress)? {
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
