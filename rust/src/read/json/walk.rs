//! Follows a plan through the tokens of documents.

use std::collections::HashSet;

use crate::columns::builder::Cell;
use crate::columns::frame::check_rows;
use crate::errors::Bad;
use crate::read::json::plan::{Goal, Node, Plan};
use crate::read::json::table::Table;
use crate::read::json::tokens::Tokens;

/// What a null says in the place of an answer.
const NO_ANSWER: &str = "no answer";

pub struct Walk<'p, 'a> {
    plan: &'p Plan,
    tokens: Tokens<'a>,
    tables: &'p mut [Table],
    key: Vec<u8>,
}

impl<'p, 'a> Walk<'p, 'a> {
    pub fn new(plan: &'p Plan, tokens: Tokens<'a>, tables: &'p mut [Table]) -> Walk<'p, 'a> {
        Walk { plan, tokens, tables, key: Vec::new() }
    }

    /// Follows the plan through all documents.
    pub fn all(&mut self) -> Result<(), Bad> {
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
        for (Goal { rows, column, behind, .. }, text) in &node.constants {
            self.tables[*rows].set(*column, *behind, Cell::Text(text.as_str().into()));
        }
        let first = self.tokens.must()?;
        for goal in node.there.iter().filter(|_| first != b'n') {
            self.tables[goal.rows].set(goal.column, goal.behind, Cell::Bool(true));
        }
        let line = match first {
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
        for &Goal { rows, column, behind, .. } in &node.key {
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
            self.nest(&[Goal { rows, column, behind: 0, local: false }])?;
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
        for &Goal { rows, column, behind, .. } in &node.place {
            self.tables[rows].set(column, behind, Cell::Int(place));
        }
        if node.null.is_empty() && self.tokens.must()? == b'n' {
            self.expect(node, "null")?;
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
        self.nest(&node.value)?;
        Ok(line)
    }

    /// Refuses a value on the way to rows that cannot lead there.
    fn expect(&self, node: &Node, what: &str) -> Result<(), Bad> {
        if !node.on_way || !node.value.is_empty() {
            return Ok(());
        }
        Err(Bad::text("other_shape", self.tokens.line(), "", b"").detail(what))
    }

    /// A list or an object as the text of cells, which are marked.
    fn nest(&mut self, goals: &[Goal]) -> Result<(), Bad> {
        if goals.is_empty() {
            return Ok(());
        }
        let mut copy = Vec::new();
        self.tokens.skip(Some(&mut copy))?;
        let text = String::from_utf8_lossy(&copy).into_owned();
        for goal in goals {
            let cell = Cell::Text(text.as_str().into());
            if self.tables[goal.rows].set(goal.column, goal.behind, cell) {
                self.tables[goal.rows].nest(goal.column);
            }
        }
        Ok(())
    }

    fn text(&mut self, node: &Node) -> Result<u64, Bad> {
        let line = self.tokens.line();
        if let (None, [goal]) = (node.each, node.value.as_slice()) {
            let text = part(self.tokens.text()?, goal.local);
            self.tables[goal.rows].set(goal.column, goal.behind, Cell::Text(text.into()));
            return Ok(line);
        }
        let cell = Cell::Text(self.tokens.text()?.to_owned().into());
        if node.each.is_none() {
            self.expect(node, "a text")?;
        }
        self.cell(node, &cell)?;
        Ok(line)
    }

    fn plain(&mut self, node: &Node) -> Result<u64, Bad> {
        let line = self.tokens.line();
        let cell = self.tokens.plain()?;
        if node.each.is_none() && cell != Cell::Missing {
            self.expect(node, kind_of(&cell))?;
        }
        for goal in node.null.iter().filter(|_| cell == Cell::Missing) {
            self.tables[goal.rows].set(goal.column, goal.behind, Cell::Text(NO_ANSWER.into()));
        }
        self.cell(node, &cell)?;
        Ok(line)
    }

    /// A plain value; where the plan has a list, it is the only element.
    fn cell(&mut self, node: &Node, cell: &Cell<'static>) -> Result<(), Bad> {
        for goal in &node.value {
            let cell = match cell {
                Cell::Text(text) => Cell::Text(part(text, goal.local).into()),
                cell => cell.clone(),
            };
            self.tables[goal.rows].set(goal.column, goal.behind, cell);
        }
        let Some(each) = node.each.filter(|_| *cell != Cell::Missing) else {
            return Ok(());
        };
        let plan = self.plan;
        let (node, line) = (&plan.nodes[each], self.tokens.line());
        if node.each.is_none() {
            self.expect(node, kind_of(cell))?;
        }
        for &(rows, depth) in &node.scopes {
            self.tables[rows].open(depth);
        }
        for &Goal { rows, column, behind, .. } in &node.place {
            self.tables[rows].set(column, behind, Cell::Int(1));
        }
        self.cell(node, cell)?;
        for &(rows, _) in &node.row {
            self.tables[rows].row(line);
        }
        for &(rows, depth) in node.scopes.iter().rev() {
            self.tables[rows].close(depth, line);
        }
        Ok(())
    }
}

/// What a plain value is, in words.
fn kind_of(cell: &Cell<'_>) -> &'static str {
    match cell {
        Cell::Text(_) => "a text",
        Cell::Bool(_) => "true or false",
        _ => "a number",
    }
}

/// A text, or what stands behind its last `::`.
fn part(text: &str, local: bool) -> &str {
    text.rsplit("::").next().filter(|_| local).unwrap_or(text)
}
