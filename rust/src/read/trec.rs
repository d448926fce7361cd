//! TREC judgments (qrels) and results (runs).

use crate::columns::column::Column;
use crate::columns::dictionary::CodedBuilder;
use crate::columns::frame::{Frame, Lines, check_rows};
use crate::columns::numbers::{self, FloatBuilder, FloatPart};
use crate::columns::text::{self, TextBuilder};
use crate::errors::Bad;
use crate::read::blocks::{self, Format};
use crate::read::fields::{Fields, Span, Walk, Widths};
use crate::read::source::Input;

/// The values of a stretch of lines, one entry a row.
#[derive(Default)]
pub struct Part {
    query: CodedBuilder,
    iteration: CodedBuilder,
    doc: TextBuilder,
    rank: FloatPart,
    value: FloatPart,
    system: CodedBuilder,
    places: Lines,
    lines: u64,
    skipped: u64,
    widths: Widths,
}

/// The values of the blocks so far.
#[derive(Default)]
pub struct Whole {
    query: CodedBuilder,
    iteration: CodedBuilder,
    doc: TextBuilder,
    rank: FloatBuilder,
    value: FloatBuilder,
    system: CodedBuilder,
    places: Lines,
    lines: u64,
    skipped: u64,
    widths: Widths,
}

/// Judgments: `query iteration doc grade`.
pub struct Qrels;

/// Results: `query Q0 doc rank score system`.
pub struct Run;

/// What the two formats do differently.
trait Trec: Sync {
    fn rows(&self, lines: &mut Walk<'_>, block: &[u8], part: &mut Part) -> Result<(), Bad>;
}

impl Trec for Qrels {
    fn rows(&self, lines: &mut Walk<'_>, block: &[u8], part: &mut Part) -> Result<(), Bad> {
        while let Some(fields) = lines.next::<4>()? {
            let grade = fields.spans[3];
            let value = number(block, grade, lines.line, "grade")?;
            if value.is_infinite() {
                return Err(bad_field("not_finite", block, grade, lines.line, "grade"));
            }
            let row = part.row(block, &fields, lines.line);
            part.value.push(value);
            // The head of a line is its first two fields.
            if !fields.same_first {
                let iteration = fields.spans[1];
                part.iteration.push(row, &block[iteration.0..iteration.1]);
            }
        }
        Ok(())
    }
}

impl Trec for Run {
    fn rows(&self, lines: &mut Walk<'_>, block: &[u8], part: &mut Part) -> Result<(), Bad> {
        while let Some(fields) = lines.next::<6>()? {
            let [_, _, _, rank, score, system] = fields.spans;
            let value = number(block, score, lines.line, "score")?;
            if !value.is_finite() {
                return Err(bad_field("not_finite", block, score, lines.line, "score"));
            }
            let row = part.row(block, &fields, lines.line);
            let rank = numbers::parse_at(block, rank.0, rank.1).filter(|rank| rank.is_finite());
            part.rank.push(rank.unwrap_or(f64::NAN));
            part.value.push(value);
            if !fields.same_last {
                part.system.push(row, &block[system.0..system.1]);
            }
        }
        Ok(())
    }
}

impl Part {
    #[inline]
    fn row<const N: usize>(&mut self, block: &[u8], fields: &Fields<N>, line: u64) -> usize {
        let (query, doc) = (fields.spans[0], fields.spans[2]);
        let row = self.doc.len();
        self.places.push(row, line);
        if !fields.same_first {
            self.query.push(row, &block[query.0..query.1]);
        }
        self.doc.push_at(block, doc.0, doc.1);
        row
    }
}

fn number(block: &[u8], span: Span, line: u64, column: &str) -> Result<f64, Bad> {
    numbers::parse_at(block, span.0, span.1)
        .ok_or_else(|| bad_field("not_a_number", block, span, line, column))
}

fn bad_field(kind: &'static str, block: &[u8], span: Span, line: u64, column: &str) -> Bad {
    Bad::text(kind, line, column, &block[span.0..span.1])
}

impl<T: Trec> Format for T {
    type Part = Part;
    type Whole = Whole;

    fn parse(&self, block: &[u8], end: usize, part: &mut Part) -> Result<(), Bad> {
        let (good, checked) = text::check(&block[..end]);
        let mut lines = Walk::new(block, good);
        self.rows(&mut lines, block, part)?;
        (part.lines, part.skipped, part.widths) = (lines.line, lines.skipped, lines.widths);
        checked
    }

    fn append(&self, whole: &mut Whole, part: &mut Part) -> Result<(), Bad> {
        let rows = whole.doc.len();
        check_rows(rows + part.doc.len())?;
        whole.places.append(rows, whole.lines, &mut part.places);
        whole.query.append(rows, &mut part.query);
        whole.iteration.append(rows, &mut part.iteration);
        whole.system.append(rows, &mut part.system);
        whole.rank.append(&mut part.rank);
        whole.value.append(&mut part.value);
        whole.doc.append(&mut part.doc);
        whole.widths = whole.widths.and(part.widths, whole.lines);
        whole.lines += part.lines;
        whole.skipped += part.skipped;
        Ok(())
    }

    fn lines(whole: &Whole) -> u64 {
        whole.lines
    }
}

fn read<T: Trec>(input: Input<'_>, format: &T) -> Result<Whole, Bad> {
    let whole = blocks::read(input, format, Whole::default(), blocks::at_line_end, 0)?;
    if whole.doc.len() == 0 {
        return Err(Bad::text("empty", 0, "", b""));
    }
    whole.widths.refuse_uneven()?;
    Ok(whole)
}

/// Columns query, doc, grade; and iteration, where it is not the same in all lines, or always.
pub fn read_qrels(input: Input<'_>, always: bool) -> Result<Frame, Bad> {
    let whole = read(input, &Qrels)?;
    let rows = whole.doc.len();
    let mut columns = vec![
        ("query", Column::coded(whole.query.finish(rows))),
        ("doc", Column::text(whole.doc.finish())),
        ("grade", Column::numeric(whole.value.finish())),
    ];
    let iteration = whole.iteration.finish(rows);
    if always || iteration.texts.views.len() > 1 {
        columns.push(("iteration", Column::coded(iteration)));
    }
    Ok(Frame::new("trec-qrels", columns).at_lines(whole.places, whole.skipped))
}

/// Columns query, doc, rank, score, system.
pub fn read_run(input: Input<'_>) -> Result<Frame, Bad> {
    let whole = read(input, &Run)?;
    let rows = whole.doc.len();
    let columns = vec![
        ("query", Column::coded(whole.query.finish(rows))),
        ("doc", Column::text(whole.doc.finish())),
        ("rank", Column::numeric(whole.rank.finish())),
        ("score", Column::numeric(whole.value.finish())),
        ("system", Column::coded(whole.system.finish(rows))),
    ];
    Ok(Frame::new("trec-run", columns).at_lines(whole.places, whole.skipped))
}
