//! Rows grouped by query, the queries in natural order.

use rayon::prelude::*;

use crate::columns::dictionary::{Coded, NONE};
use crate::columns::text::Texts;
use crate::columns::workers::{ALONE, shared};
use crate::errors::Bad;
use crate::judge::natural;

/// The rows of one query, in the order they were given.
#[derive(Clone, Copy)]
pub enum Rows<'a> {
    Span(u32, u32),
    List(&'a [u32]),
}

impl Rows<'_> {
    pub fn len(&self) -> usize {
        match self {
            Rows::Span(start, end) => (end - start) as usize,
            Rows::List(rows) => rows.len(),
        }
    }

    pub fn get(&self, at: usize) -> usize {
        match self {
            Rows::Span(start, _) => *start as usize + at,
            Rows::List(rows) => rows[at] as usize,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The values of these rows: a part of `values` itself if they are neighbours.
    pub fn gather<'a, T: Copy>(&self, values: &'a [T], scratch: &'a mut Vec<T>) -> &'a [T] {
        match self {
            Rows::Span(start, end) => &values[*start as usize..*end as usize],
            Rows::List(rows) => {
                scratch.clear();
                scratch.extend(rows.iter().map(|&row| values[row as usize]));
                scratch
            }
        }
    }
}

/// Rows by query; `order` is there only if the rows of some query are not neighbours.
#[derive(Clone)]
pub struct Groups {
    pub names: Texts,
    spans: Vec<(u32, u32)>,
    order: Option<Vec<u32>>,
}

impl Groups {
    /// Groups coded rows; the i-th code belongs to row `rows[i]`, or to row i.
    pub fn new(coded: &Coded, rows: Option<&[u32]>) -> Result<Groups, Bad> {
        check_present(coded, rows)?;
        let mut counts = vec![0u32; coded.texts.len()];
        let mut runs = vec![0u32; coded.texts.len()];
        for (code, start, end) in coded.runs() {
            counts[code as usize] += end - start;
            runs[code as usize] += 1;
        }
        let sorted = natural_order(&coded.texts, &counts);
        let names = coded.texts.take(sorted.iter().map(|&code| code as usize));
        if rows.is_none() && runs.iter().all(|&count| count <= 1) {
            return Ok(Groups { names, spans: neighbours(coded, &sorted), order: None });
        }
        let (spans, order) = scattered(coded, rows, &sorted, counts);
        Ok(Groups { names, spans, order: Some(order) })
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn rows(&self, query: usize) -> Rows<'_> {
        let (start, end) = self.spans[query];
        match &self.order {
            None => Rows::Span(start, end),
            Some(order) => Rows::List(&order[start as usize..end as usize]),
        }
    }

    pub fn total(&self) -> usize {
        self.spans.iter().map(|(start, end)| (end - start) as usize).sum()
    }

    /// Are there so few rows that one thread works on them alone?
    pub fn are_few(&self) -> bool {
        self.total() <= ALONE
    }

    /// Keeps the rows for which `keep(query, place in the query, row)` holds; queries stay.
    pub fn retain(&mut self, keep: impl Fn(usize, usize, usize) -> bool) {
        let mut order = Vec::with_capacity(self.total());
        let mut spans = Vec::with_capacity(self.len());
        for query in 0..self.len() {
            let (rows, start) = (self.rows(query), order.len() as u32);
            let kept = rows.iter().enumerate().filter(|&(at, row)| keep(query, at, row));
            order.extend(kept.map(|(_, row)| row as u32));
            spans.push((start, order.len() as u32));
        }
        (self.spans, self.order) = (spans, Some(order));
    }

    /// The same queries with other rows.
    pub fn with_rows<'a>(&self, rows: impl Iterator<Item = &'a [u32]>) -> Groups {
        let (mut order, mut spans) = (Vec::new(), Vec::with_capacity(self.len()));
        for rows in rows {
            spans.push((order.len() as u32, (order.len() + rows.len()) as u32));
            order.extend_from_slice(rows);
        }
        Groups { names: self.names.clone(), spans, order: Some(order) }
    }

    /// Removes the queries without rows and returns their names.
    pub fn drop_empty(&mut self) -> Texts {
        let (empty, kept): (Vec<usize>, Vec<usize>) =
            (0..self.len()).partition(|&query| self.rows(query).len() == 0);
        let dropped = self.names.take(empty.iter().copied());
        if !empty.is_empty() {
            self.names = self.names.take(kept.iter().copied());
            self.spans = kept.iter().map(|&query| self.spans[query]).collect();
        }
        dropped
    }
}

fn check_present(coded: &Coded, rows: Option<&[u32]>) -> Result<(), Bad> {
    let Some((_, at, _)) = coded.runs().find(|run| run.0 == NONE) else {
        return Ok(());
    };
    let row = rows.map_or(at, |rows| rows[at as usize]) as usize;
    Err(Bad::row("missing_id", row, "query", b""))
}

/// The codes that occur, in natural order of their texts.
fn natural_order(texts: &Texts, counts: &[u32]) -> Vec<u32> {
    fn id<'a>(texts: &'a Texts, code: u32, scratch: &'a mut [u8; 16]) -> &'a [u8] {
        texts.bytes(code as usize, scratch)
    }
    let occurs = |code: &u32| counts[*code as usize] > 0;
    let key = |code: u32| (natural::key(id(texts, code, &mut [0; 16])), code);
    let all = 0..texts.len() as u32;
    let few = texts.len() <= ALONE;
    let mut codes: Vec<(u128, u32)> = if few {
        all.filter(occurs).map(key).collect()
    } else {
        shared(|| all.into_par_iter().filter(occurs).map(key).collect())
    };
    let compare = |a: &(u128, u32), b: &(u128, u32)| {
        let whole = || natural::compare(id(texts, a.1, &mut [0; 16]), id(texts, b.1, &mut [0; 16]));
        a.0.cmp(&b.0).then_with(whole)
    };
    if few {
        codes.sort_unstable_by(compare);
    } else {
        shared(|| codes.par_sort_unstable_by(compare));
    }
    codes.into_iter().map(|(_, code)| code).collect()
}

fn neighbours(coded: &Coded, sorted: &[u32]) -> Vec<(u32, u32)> {
    let mut spans = vec![(0, 0); coded.texts.len()];
    for (code, start, end) in coded.runs() {
        spans[code as usize] = (start, end);
    }
    sorted.iter().map(|&code| spans[code as usize]).collect()
}

fn scattered(
    coded: &Coded,
    rows: Option<&[u32]>,
    sorted: &[u32],
    counts: Vec<u32>,
) -> (Vec<(u32, u32)>, Vec<u32>) {
    let (mut next, mut spans, mut total) = (counts, Vec::with_capacity(sorted.len()), 0);
    for &code in sorted {
        let count = std::mem::replace(&mut next[code as usize], total);
        spans.push((total, total + count));
        total += count;
    }
    let mut order = vec![0; total as usize];
    for (code, start, end) in coded.runs() {
        let place = &mut next[code as usize];
        for at in start..end {
            order[*place as usize] = rows.map_or(at, |rows| rows[at as usize]);
            *place += 1;
        }
    }
    (spans, order)
}
