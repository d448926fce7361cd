//! Text copied into buckets, record by record.

use std::io::Write;

use crate::buckets::assignment::Assignment;
use crate::buckets::hashing::hash_of;
use crate::buckets::names::Names;
use crate::buckets::records::Records;
use crate::buckets::tails::{Tail, unwritable};
use crate::columns::utf8::LINE_LIMIT;
use crate::errors::Bad;
use crate::read::blocks::{self, Format};
use crate::read::delimited::header_end;
use crate::read::progress::Progress;
use crate::read::source::{Input, Source};

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
