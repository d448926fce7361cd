//! Follows a plan through documents.

use std::collections::HashSet;

use crate::columns::builder::Cell;
use crate::columns::frame::{Frame, check_rows};
use crate::columns::utf8;
use crate::errors::Bad;
use crate::read::blocks::{self, Format};
use crate::read::json::plan::{Goal, Node, Plan};
use crate::read::json::table::{Finished, Table};
use crate::read::json::tokens::Tokens;
use crate::read::source::Input;

struct Walk<'p, 'a> {
    plan: &'p Plan,
    tokens: Tokens<'a>,
    tables: &'p mut [Table],
    key: Vec<u8>,
}

impl Walk<'_, '_> {
    fn all(&mut self) -> Result<(), Bad> {
        let mut place = 0;
        while self.tokens.peek()?.is_some() {
            place += 1;
            self.element(0, place)?;
            for table in self.tables.iter() {
                check_rows(table.rows())?;
            }
        }
        Ok(())
    }

    /// A value at a node of the plan.
    fn value(&mut self, at: usize) -> Result<(), Bad> {
        let plan = self.plan;
        let node = &plan.nodes[at];
        for &(rows, depth) in &node.scopes {
            self.tables[rows].open(depth);
        }
        for (Goal { rows, column, behind }, text) in &node.constants {
            self.tables[*rows].set(*column, *behind, Cell::Text(text.as_str().into()));
        }
        let line = match self.tokens.must()? {
            b'{' if !node.keys.is_empty() || node.any.is_some() || !node.row.is_empty() => {
                self.object(node)?
            }
            b'[' if node.each.is_some() => self.list(node)?,
            b'{' | b'[' => self.nested(node)?,
            b'"' => self.text(node)?,
            _ => self.plain(node)?,
        };
        for &(rows, _) in &node.row {
            self.tables[rows].row(line);
        }
        for &(rows, depth) in node.scopes.iter().rev() {
            self.tables[rows].close(depth, line);
        }
        Ok(())
    }

    fn object(&mut self, node: &Node) -> Result<u64, Bad> {
        let line = self.tokens.line();
        self.tokens.pass(b'{')?;
        let (mut first, mut guess, mut further, mut seen) = (true, 0, 0, 0u64);
        let shared = node.any.is_some_and(|to| self.plan.nodes[to].row.is_empty());
        let mut keys: HashSet<Vec<u8>> = HashSet::new();
        while self.tokens.another(b'}', first)? {
            first = false;
            let key = self.tokens.text()?;
            let known = match node.keys.get(guess) {
                Some((name, to)) if **name == *key => Some((guess, *to)),
                _ => node
                    .keys
                    .iter()
                    .enumerate()
                    .find(|(_, (name, _))| **name == *key)
                    .map(|(place, (_, to))| (place, *to)),
            };
            match known {
                Some((place, to)) => {
                    guess = place + 1;
                    let bit = 1u64.checked_shl(place as u32).unwrap_or(0);
                    if seen & bit != 0 {
                        let name = node.keys[place].0.to_string();
                        return Err(self.twice(&name));
                    }
                    seen |= bit;
                    self.tokens.pass(b':')?;
                    self.value(to)?;
                }
                None => {
                    self.key.clear();
                    self.key.extend_from_slice(key.as_bytes());
                    self.tokens.pass(b':')?;
                    if shared && !keys.insert(self.key.clone()) {
                        let name = String::from_utf8_lossy(&self.key).into_owned();
                        return Err(self.twice(&name));
                    }
                    match node.any {
                        Some(to) => self.keyed(to)?,
                        None => further = self.further(node, further)?,
                    }
                }
            }
        }
        Ok(line)
    }

    /// A value under a key that is a value, too.
    fn keyed(&mut self, to: usize) -> Result<(), Bad> {
        let plan = self.plan;
        let node = &plan.nodes[to];
        for &(rows, depth) in &node.scopes {
            self.tables[rows].open(depth);
        }
        let key = String::from_utf8_lossy(&self.key).into_owned();
        for &Goal { rows, column, behind } in &node.key {
            self.tables[rows].set(column, behind, Cell::Text(key.as_str().into()));
        }
        self.value(to)
    }

    /// A value that the plan does not name: a further column of a row, if it is plain.
    fn further(&mut self, node: &Node, guess: usize) -> Result<usize, Bad> {
        let wanted = node.row.iter().find(|row| row.1);
        let Some(&(rows, _)) = wanted else {
            self.tokens.skip(None)?;
            return Ok(guess);
        };
        let bound = &self.plan.rows[rows].columns;
        if bound.iter().any(|(name, ..)| name.as_bytes() == self.key) {
            // The plan says where this column lies.
            self.tokens.skip(None)?;
            return Ok(guess);
        }
        let name = String::from_utf8_lossy(&self.key).into_owned();
        let byte = self.tokens.must()?;
        if b"{[".contains(&byte) {
            let Some(column) = self.tables[rows].known(&name) else {
                self.tokens.skip(None)?;
                return Ok(guess);
            };
            self.nest(Goal { rows, column, behind: 0 })?;
            return Ok(column + 1);
        }
        let column = self.tables[rows].further(&name, guess);
        let set = match byte {
            b'"' => self.tables[rows].set(column, 0, Cell::Text(self.tokens.text()?.into())),
            _ => self.tables[rows].set(column, 0, self.tokens.plain()?),
        };
        if set { Ok(column + 1) } else { Err(self.twice(&name)) }
    }

    fn twice(&self, name: &str) -> Bad {
        Bad::text("corrupt", self.tokens.line(), "", b"")
            .detail(format!("the key '{name}' occurs twice"))
    }

    fn list(&mut self, node: &Node) -> Result<u64, Bad> {
        let line = self.tokens.line();
        let each = node.each.expect("asked for");
        self.tokens.pass(b'[')?;
        let mut place = 0;
        while self.tokens.another(b']', place == 0)? {
            place += 1;
            self.element(each, place)?;
        }
        Ok(line)
    }

    fn element(&mut self, each: usize, place: i64) -> Result<(), Bad> {
        let plan = self.plan;
        let node = &plan.nodes[each];
        for &(rows, depth) in &node.scopes {
            self.tables[rows].open(depth);
        }
        for &Goal { rows, column, behind } in &node.place {
            self.tables[rows].set(column, behind, Cell::Int(place));
        }
        self.value(each)
    }

    /// A list or an object where the plan has neither: a cell's text, or nothing that matters.
    fn nested(&mut self, node: &Node) -> Result<u64, Bad> {
        let line = self.tokens.line();
        if node.value.is_empty() {
            let what = if self.tokens.must()? == b'{' { "an object" } else { "a list" };
            self.expect(node, what)?;
            self.tokens.skip(None)?;
        }
        for &goal in &node.value {
            self.nest(goal)?;
        }
        Ok(line)
    }

    /// Refuses a value on the way to rows that cannot lead there.
    fn expect(&self, node: &Node, what: &str) -> Result<(), Bad> {
        if !node.on_way || !node.value.is_empty() {
            return Ok(());
        }
        Err(Bad::text("other_shape", self.tokens.line(), "", b"").detail(what))
    }

    fn nest(&mut self, Goal { rows, column, behind }: Goal) -> Result<(), Bad> {
        let mut copy = Vec::new();
        self.tokens.skip(Some(&mut copy))?;
        let text = String::from_utf8_lossy(&copy).into_owned();
        if self.tables[rows].set(column, behind, Cell::Text(text.into())) {
            self.tables[rows].nest(column);
        }
        Ok(())
    }

    fn text(&mut self, node: &Node) -> Result<u64, Bad> {
        let line = self.tokens.line();
        if let (None, [Goal { rows, column, behind }]) = (node.each, node.value.as_slice()) {
            self.tables[*rows].set(*column, *behind, Cell::Text(self.tokens.text()?.into()));
            return Ok(line);
        }
        let cell = Cell::Text(self.tokens.text()?.to_owned().into());
        if node.each.is_none() {
            self.expect(node, "a text")?;
        }
        self.cell(node, &cell);
        Ok(line)
    }

    fn plain(&mut self, node: &Node) -> Result<u64, Bad> {
        let line = self.tokens.line();
        let cell = self.tokens.plain()?;
        if node.each.is_none() && cell != Cell::Missing {
            self.expect(node, "a number")?;
        }
        self.cell(node, &cell);
        Ok(line)
    }

    /// A plain value; where the plan has a list, it is the only element.
    fn cell(&mut self, node: &Node, cell: &Cell<'static>) {
        for &Goal { rows, column, behind } in &node.value {
            self.tables[rows].set(column, behind, cell.clone());
        }
        let Some(each) = node.each.filter(|_| *cell != Cell::Missing) else {
            return;
        };
        let plan = self.plan;
        let (node, line) = (&plan.nodes[each], self.tokens.line());
        for &(rows, depth) in &node.scopes {
            self.tables[rows].open(depth);
        }
        for &Goal { rows, column, behind } in &node.place {
            self.tables[rows].set(column, behind, Cell::Int(1));
        }
        self.cell(node, cell);
        for &(rows, _) in &node.row {
            self.tables[rows].row(line);
        }
        for &(rows, depth) in node.scopes.iter().rev() {
            self.tables[rows].close(depth, line);
        }
    }
}

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
        let (good, checked) = utf8::check(&block[..end]);
        part.tables = tables(self.0);
        part.lines = memchr::memchr_iter(b'\n', &block[..end]).count() as u64;
        follow(self.0, Input::of(&block[..good])?, &mut part.tables)?;
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

fn follow(plan: &Plan, input: Input<'_>, tables: &mut [Table]) -> Result<(), Bad> {
    Walk { plan, tokens: Tokens::new(input)?, tables, key: Vec::new() }.all()
}

/// The tables of a plan, by name; `lined` says that each line is a document.
pub fn read(input: Input<'_>, plan: &Plan, lined: bool) -> Result<Vec<(String, Frame)>, Bad> {
    let mut part = Part { tables: tables(plan), lines: 0 };
    if lined {
        part = blocks::read(input, &Lined(plan), part, blocks::at_line_end, 0)?;
    } else {
        follow(plan, input, &mut part.tables)?;
    }
    let mut joined: Vec<(String, Finished)> = Vec::new();
    for (rows, table) in plan.rows.iter().zip(part.tables) {
        let table = table.finish();
        match joined.iter_mut().find(|(name, _)| *name == rows.table) {
            Some((_, before)) => before.join(table),
            None => joined.push((rows.table.clone(), table)),
        }
    }
    let frames = joined.into_iter().map(|(name, table)| {
        let format = if name == "dicts" { "dicts" } else { "json" };
        (name, frame(format, table))
    });
    Ok(frames.collect())
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
