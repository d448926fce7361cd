//! Rows while they are gathered: cells of their own, and values that stretches of rows share.

use std::collections::{BTreeMap, HashMap};

use crate::columns::builder::{Cell, CellBuilder, spelled};
use crate::columns::column::Column;
use crate::columns::dictionary::{CodedBuilder, NONE};
use crate::columns::frame::{LazyColumn, Lines};
use crate::errors::Bad;
use crate::read::json::plan::Rows;

/// A value that a stretch of rows shares.
#[derive(Default)]
struct Shared {
    /// The value from each of these rows on.
    runs: Vec<(u32, Cell<'static>)>,
    now: Option<(usize, Cell<'static>)>,
}

impl Shared {
    fn finish(self, rows: usize) -> Column {
        let plain = |(_, cell): &(u32, Cell<'_>)| matches!(cell, Cell::Text(_) | Cell::Missing);
        if self.runs.iter().all(plain) && self.runs.iter().any(|run| run.1 != Cell::Missing) {
            let mut coded = CodedBuilder::default();
            for (row, cell) in &self.runs {
                match cell {
                    Cell::Missing => coded.push_code(*row as usize, NONE),
                    cell => coded.push(*row as usize, spelled(cell).as_bytes()),
                }
            }
            return Column::coded(coded.finish(rows));
        }
        let mut cells = CellBuilder::default();
        let ends = self.runs.iter().skip(1).map(|run| run.0 as usize).chain([rows]);
        for ((_, cell), end) in self.runs.iter().zip(ends) {
            while cells.len() < end {
                cells.push(cell.clone());
            }
        }
        cells.finish()
    }
}

enum Values {
    Own(CellBuilder),
    /// A cell that has several paths, of which the first with a value counts.
    Chosen(CellBuilder, Option<(usize, Cell<'static>)>),
    Shared(Shared),
}

/// Keeps the value of the path that comes first; false where that path has given one already.
fn choose(now: &mut Option<(usize, Cell<'static>)>, behind: usize, cell: Cell<'_>) -> bool {
    match now {
        Some((before, _)) if *before == behind => return false,
        Some((before, _)) if *before < behind => (),
        _ => *now = Some((behind, owned(cell))),
    }
    true
}

/// The rows of one kind.
pub struct Table {
    names: Vec<String>,
    index: HashMap<String, usize>,
    levels: Vec<usize>,
    /// Those of the plan, then further ones, each as long as its last value until the end: a row costs its own cells
    /// and those of the plan.
    columns: Vec<Values>,
    planned: usize,
    /// The first row of each stretch that is open, by depth.
    starts: Vec<usize>,
    rows: usize,
    lines: Lines,
    /// By column the first row whose value is a list or an object.
    nested: BTreeMap<usize, usize>,
    /// By column the first row whose value only has a printed form, and its type.
    foreign: BTreeMap<usize, (usize, String)>,
    /// The shared columns that have a list, an object, or a value of such a type in the stretch that is open.
    marked_now: Vec<(usize, Option<String>)>,
}

impl Table {
    pub fn new(rows: &Rows) -> Table {
        let values = |level, paths| match (level == rows.depth, paths) {
            (true, 1) => Values::Own(CellBuilder::default()),
            (true, _) => Values::Chosen(CellBuilder::default(), None),
            (false, _) => Values::Shared(Shared::default()),
        };
        let names: Vec<String> = rows.columns.iter().map(|column| column.0.clone()).collect();
        Table {
            index: names.iter().cloned().zip(0..).collect(),
            names,
            levels: rows.columns.iter().map(|column| column.1).collect(),
            columns: rows.columns.iter().map(|column| values(column.1, column.2)).collect(),
            planned: rows.columns.len(),
            starts: vec![0; rows.depth + 1],
            rows: 0,
            lines: Lines::default(),
            nested: BTreeMap::new(),
            foreign: BTreeMap::new(),
            marked_now: Vec::new(),
        }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The column of further values called `name`; `guess` is where it was in the row before.
    pub fn further(&mut self, name: &str, guess: usize) -> usize {
        if self.names.get(guess).is_some_and(|other| other == name) {
            return guess;
        }
        if let Some(column) = self.known(name) {
            return column;
        }
        self.columns.push(Values::Own(CellBuilder::default()));
        self.levels.push(self.starts.len() - 1);
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    pub fn name(&self, column: usize) -> &str {
        &self.names[column]
    }

    pub fn known(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Sets a cell; false where the row has it already. A missing value leaves room for another.
    pub fn set(&mut self, column: usize, behind: usize, cell: Cell<'_>) -> bool {
        match &mut self.columns[column] {
            _ if cell == Cell::Missing => (),
            Values::Chosen(_, now) => return choose(now, behind, cell),
            Values::Shared(shared) => return choose(&mut shared.now, behind, cell),
            Values::Own(cells) if cells.len() > self.rows => return false,
            Values::Own(cells) => {
                cells.pad(self.rows);
                cells.push(cell);
            }
        }
        true
    }

    /// Says that a cell is a list or an object, or of which type it is if it only has a printed form.
    pub fn mark(&mut self, column: usize, foreign: Option<&str>) {
        match self.columns[column] {
            Values::Shared(_) => self.marked_now.push((column, foreign.map(str::to_owned))),
            _ => self.note(column, self.rows, foreign),
        }
    }

    fn note(&mut self, column: usize, row: usize, foreign: Option<&str>) {
        match foreign {
            None => _ = self.nested.entry(column).or_insert(row),
            Some(kind) => _ = self.foreign.entry(column).or_insert_with(|| (row, kind.to_owned())),
        }
    }

    pub fn open(&mut self, depth: usize) {
        self.starts[depth] = self.rows;
    }

    /// Ends a row.
    pub fn row(&mut self, line: u64) {
        self.lines.push(self.rows, line);
        for values in &mut self.columns[..self.planned] {
            if let Values::Chosen(cells, Some((_, cell))) = values {
                cells.pad(self.rows);
                cells.push(std::mem::replace(cell, Cell::Missing));
            }
            if let Values::Chosen(_, now) = values {
                *now = None;
            }
        }
        self.rows += 1;
    }

    /// Ends a stretch; without rows it is one without cells of its own, if it has a value.
    pub fn close(&mut self, depth: usize, line: u64) {
        let innermost = depth + 2 == self.starts.len();
        if innermost && self.rows == self.starts[depth] && self.has_value(depth) {
            self.row(line);
        }
        let start = self.starts[depth] as u32;
        let some = self.rows > self.starts[depth];
        if !self.marked_now.is_empty() {
            for (column, foreign) in std::mem::take(&mut self.marked_now) {
                if self.levels[column] != depth {
                    self.marked_now.push((column, foreign));
                } else if some {
                    self.note(column, start as usize, foreign.as_deref());
                }
            }
        }
        let levels = self.columns[..self.planned].iter_mut().zip(&self.levels);
        for (values, _) in levels.filter(|(_, level)| **level == depth) {
            if let Values::Shared(shared) = values {
                let cell = shared.now.take().map_or(Cell::Missing, |now| now.1);
                if some && shared.runs.last().is_none_or(|run| run.1 != cell) {
                    shared.runs.push((start, cell));
                }
            }
        }
    }

    fn has_value(&self, depth: usize) -> bool {
        self.columns[..self.planned].iter().zip(&self.levels).any(|(values, &level)| match values {
            Values::Shared(shared) => level == depth && shared.now.is_some(),
            Values::Own(_) | Values::Chosen(..) => false,
        })
    }

    /// Puts the rows of another part of the text, which begins after `lines` lines, behind these.
    pub fn append(&mut self, part: &mut Table, lines: u64) {
        let before = self.rows;
        for (place, name) in std::mem::take(&mut part.names).into_iter().enumerate() {
            let values =
                std::mem::replace(&mut part.columns[place], Values::Shared(Shared::default()));
            let column = self.further(&name, place);
            match (&mut self.columns[column], values) {
                (
                    Values::Own(cells) | Values::Chosen(cells, _),
                    Values::Own(mut more) | Values::Chosen(mut more, _),
                ) => {
                    cells.pad(before);
                    cells.append(&mut more);
                }
                (Values::Shared(shared), Values::Shared(more)) => shared
                    .runs
                    .extend(more.runs.into_iter().map(|(row, cell)| (row + before as u32, cell))),
                _ => unreachable!("parts follow one plan"),
            }
            if let Some(row) = part.nested.get(&place) {
                self.nested.entry(column).or_insert(before + row);
            }
        }
        self.lines.append(before, lines, &mut part.lines);
        self.rows += part.rows;
    }

    /// The columns by name, the rows, their lines, and where values are nested.
    pub fn finish(self) -> Finished {
        let (rows, nested, foreign) = (self.rows, self.nested, self.foreign);
        let finish = |values| match values {
            Values::Own(mut cells) | Values::Chosen(mut cells, _) => {
                cells.pad(rows);
                LazyColumn::built(cells)
            }
            Values::Shared(shared) => shared.finish(rows).into(),
        };
        let columns = self.names.into_iter().zip(self.columns.into_iter().map(finish)).collect();
        Finished { columns, rows, lines: self.lines, nested, foreign }
    }
}

pub struct Finished {
    pub columns: Vec<(String, LazyColumn)>,
    pub rows: usize,
    pub lines: Lines,
    pub nested: BTreeMap<usize, usize>,
    pub foreign: BTreeMap<usize, (usize, String)>,
}

impl Finished {
    /// Puts other rows of the same table behind these.
    pub fn join(&mut self, more: Finished) -> Result<(), Bad> {
        let mut index: HashMap<String, usize> =
            self.columns.iter().map(|column| column.0.clone()).zip(0..).collect();
        let mut columns: Vec<(String, CellBuilder)> = Vec::new();
        for (name, column) in self.columns.drain(..) {
            let mut cells = CellBuilder::default();
            column.add_to(&mut cells)?;
            columns.push((name, cells));
        }
        for (place, (name, column)) in more.columns.into_iter().enumerate() {
            let at = *index.entry(name.clone()).or_insert(columns.len());
            if at == columns.len() {
                columns.push((name, CellBuilder::default()));
            }
            columns[at].1.pad(self.rows);
            column.add_to(&mut columns[at].1)?;
            if let Some(row) = more.nested.get(&place) {
                self.nested.entry(at).or_insert(self.rows + row);
            }
            if let Some((row, kind)) = more.foreign.get(&place) {
                self.foreign.entry(at).or_insert_with(|| (self.rows + row, kind.clone()));
            }
        }
        let mut lines = more.lines;
        self.lines.append(self.rows, 0, &mut lines);
        self.rows += more.rows;
        self.columns = columns
            .into_iter()
            .map(|(name, mut cells)| {
                cells.pad(self.rows);
                (name, LazyColumn::built(cells))
            })
            .collect();
        Ok(())
    }
}

pub fn owned(cell: Cell<'_>) -> Cell<'static> {
    match cell {
        Cell::Text(text) => Cell::Text(text.into_owned().into()),
        Cell::Missing => Cell::Missing,
        Cell::Bool(value) => Cell::Bool(value),
        Cell::Int(value) => Cell::Int(value),
        Cell::Float(value) => Cell::Float(value),
    }
}
