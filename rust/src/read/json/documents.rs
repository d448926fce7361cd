//! Documents become tables: one after the other, or lines side by side.

use crate::columns::frame::{Frame, check_rows};
use crate::columns::text;
use crate::errors::Bad;
use crate::read::blocks::{self, Format};
use crate::read::json::plan::Plan;
use crate::read::json::table::{Finished, Table};
use crate::read::json::tokens::{TextTokens, Tokens};
use crate::read::json::walk::Walk;
use crate::read::source::Input;

/// Lines of JSON, each a document.
struct Lined<'p>(&'p Plan);

#[derive(Default)]
struct Part {
    tables: Vec<Table>,
    lines: u64,
}

fn tables(plan: &Plan) -> Vec<Table> {
    plan.rows.iter().map(Table::new).collect()
}

impl Format for Lined<'_> {
    type Part = Part;
    type Whole = Part;

    fn parse(&self, block: &[u8], end: usize, part: &mut Part) -> Result<(), Bad> {
        let (good, checked) = text::check(&block[..end]);
        part.tables = tables(self.0);
        part.lines = memchr::memchr_iter(b'\n', &block[..end]).count() as u64;
        follow(self.0, TextTokens::new(Input::of(&block[..good])?)?, &mut part.tables)?;
        checked
    }

    fn append(&self, whole: &mut Part, part: &mut Part) -> Result<(), Bad> {
        for (table, more) in whole.tables.iter_mut().zip(&mut part.tables) {
            check_rows(table.rows() + more.rows())?;
            table.append(more, whole.lines);
        }
        whole.lines += part.lines;
        Ok(())
    }

    fn lines(whole: &Part) -> u64 {
        whole.lines
    }
}

fn follow(plan: &Plan, tokens: impl Tokens, tables: &mut [Table]) -> Result<(), Bad> {
    Walk::new(plan, tokens, tables).all()
}

/// The tables of a plan, by name, out of documents that are no text.
pub fn walk(plan: &Plan, tokens: impl Tokens) -> Result<Vec<(String, Finished)>, Bad> {
    let mut tables = tables(plan);
    follow(plan, tokens, &mut tables)?;
    joined(plan, tables)
}

/// The tables of a plan, by name; `lined` says that each line is a document.
pub fn read(input: Input<'_>, plan: &Plan, lined: bool) -> Result<Vec<(String, Frame)>, Bad> {
    let mut part = Part { tables: tables(plan), lines: 0 };
    if lined {
        part = blocks::read(input, &Lined(plan), part, blocks::at_line_end, 0)?;
    } else {
        follow(plan, TextTokens::new(input)?, &mut part.tables)?;
    }
    let frames = joined(plan, part.tables)?.into_iter().map(|(name, table)| {
        let format = format_of(&name, "json");
        (name, frame(format, table))
    });
    Ok(frames.collect())
}

/// The tables by name: kinds of rows of one table are one below the other.
fn joined(plan: &Plan, tables: Vec<Table>) -> Result<Vec<(String, Finished)>, Bad> {
    let mut joined: Vec<(String, Finished)> = Vec::new();
    for (rows, table) in plan.rows.iter().zip(tables) {
        let table = table.finish();
        match joined.iter_mut().find(|(name, _)| *name == rows.table) {
            Some((_, before)) => before.join(table)?,
            None => joined.push((rows.table.clone(), table)),
        }
    }
    Ok(joined)
}

/// The format of a table, which for that of a dict of dicts is its name.
pub fn format_of(table: &str, other: &'static str) -> &'static str {
    if table == "dicts" { "dicts" } else { other }
}

fn frame(format: &'static str, table: Finished) -> Frame {
    Frame::new(format, table.columns).with_nested(table.nested).at_lines(table.lines, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::column::Value;

    fn path(text: &str) -> Vec<String> {
        text.split_inclusive(' ').map(|step| step.trim().to_owned()).collect()
    }

    fn frames(text: &str, rows: &str, rest: bool, columns: &[(&str, &str)]) -> Vec<Vec<Value>> {
        let columns = columns.iter().map(|(name, place)| ((*name).to_owned(), path(place)));
        let plan = Plan::new(vec![(String::new(), path(rows), rest, columns.collect())]);
        let plan = plan.unwrap_or_else(|path| panic!("no path: {path}"));
        let input = Input::of(text.as_bytes()).expect("bytes");
        let (_, frame) = read(input, &plan, false).expect("valid").remove(0);
        let columns: Vec<_> =
            (0..frame.names().len()).map(|at| frame.column(at).unwrap()).collect();
        (0..frame.rows())
            .map(|row| columns.iter().map(|column| column.value(row)).collect())
            .collect()
    }

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn rows_know_what_comes_before_and_after_them() {
        let json = r#"{"requests": [
            {"id": "a", "ratings": [{"_id": "x", "rating": 3}, {"rating": 0, "_id": "y"}]},
            {"ratings": [{"_id": "z", "rating": 1, "other": {"deep": [1]}}], "id": "b"},
            {"id": "c", "ratings": []}]}"#;
        let columns = [
            ("query", ".requests [] .id"),
            ("doc", ".requests [] .ratings [] ._id"),
            ("grade", ".requests [] .ratings [] .rating"),
        ];
        let rows = frames(json, ".requests [] .ratings []", false, &columns);
        let row = |query, doc, grade| vec![text(query), text(doc), Value::Int(grade)];
        assert_eq!(rows[..3], [row("a", "x", 3), row("a", "y", 0), row("b", "z", 1)]);
        assert_eq!(rows[3], [text("c"), Value::Missing, Value::Missing]);
    }

    #[test]
    fn keys_and_places_are_values() {
        let json = r#"{"q1": ["a", {"id": "b"}], "q2": "c"}"#;
        let columns =
            [("query", "* @key"), ("doc", "* []"), ("doc", "* [] .id"), ("rank", "* [] @place")];
        let rows = frames(json, "* []", false, &columns);
        let row = |query, doc, rank| vec![text(query), text(doc), Value::Int(rank)];
        assert_eq!(rows, [row("q1", "a", 1), row("q1", "b", 2), row("q2", "c", 1)]);
    }

    #[test]
    fn further_plain_values_are_columns() {
        let json = r#"[{"q": 1, "d": "a"}, {"q": 1, "d": "b", "score": 0.5, "more": [1]}]"#;
        let rows = frames(json, "[]", true, &[]);
        assert_eq!(rows[0], [Value::Int(1), text("a"), Value::Missing]);
        assert_eq!(rows[1], [Value::Int(1), text("b"), Value::Float(0.5)]);
    }
}
