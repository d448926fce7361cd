//! Results meet judgments.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::columns::dictionary::KEYED;
use crate::columns::ids::Seen;
use crate::columns::text::Texts;
use crate::columns::workers::{self, ALONE, shared};
use crate::judge::groups::Rows;
use crate::judge::natural;
use crate::judge::order::{Ladder, Order};
use crate::judge::pool::Pool;
use crate::judge::run::Run;

/// No judgment belongs to the hit.
pub const UNJUDGED: u32 = u32::MAX;

/// Up to so many judgments of a query are compared one by one instead of being hashed.
const FEW: usize = 4;

/// A hit that is tied, with the first and the last rank of its span.
pub struct Span {
    pub hit: usize,
    pub first: i64,
    pub last: i64,
}

/// The lists of a stretch of judged queries.
#[derive(Default)]
pub struct Lists {
    pub returned: Vec<i64>,
    pub listed: Vec<bool>,
    pub tied: Vec<i64>,
    pub counts: Vec<usize>,
    /// The hits by query and rank: their ranks, judgments and rows; and those that are tied.
    pub ranks: Vec<i64>,
    pub entries: Vec<u32>,
    pub rows: Vec<u32>,
    pub spans: Vec<Span>,
    /// Results of units that stand before, in dense lists: how many a query has, their ranks, and
    /// whether one is tied.
    pub repeated: Vec<usize>,
    pub repeats: Vec<i64>,
    pub tied_repeats: bool,
}

impl Lists {
    /// Adds a query; its hits stand already at the end.
    fn push(&mut self, listed: bool, returned: i64, tied: i64, hits: usize, repeats: usize) {
        self.repeated.push(repeats);
        self.returned.push(returned);
        self.listed.push(listed);
        self.tied.push(tied);
        self.counts.push(hits);
    }
}

/// Memory reused from query to query.
#[derive(Default)]
struct Scratch {
    seen: Seen,
    keys: Vec<f64>,
    ladder: Ladder,
    views: Vec<u128>,
    judged: Vec<u128>,
    /// The judgment of each result.
    entries: Vec<u32>,
}

/// For each judged query its place among the run's queries; and the run's other queries.
pub fn matches(pool: &Texts, run: &Texts) -> (Vec<Option<u32>>, Vec<u32>) {
    let (mut in_run, mut others, mut at) = (Vec::with_capacity(pool.len()), Vec::new(), 0);
    for query in 0..pool.len() {
        while at < run.len() && compare(run, at, pool, query) == Ordering::Less {
            others.push(at as u32);
            at += 1;
        }
        let same = at < run.len() && run.same(run.views[at], pool, pool.views[query]);
        in_run.push(same.then_some(at as u32));
        at += usize::from(same);
    }
    others.extend(at as u32..run.len() as u32);
    (in_run, others)
}

fn compare(a: &Texts, at: usize, b: &Texts, other: usize) -> Ordering {
    if a.same(a.views[at], b, b.views[other]) {
        return Ordering::Equal;
    }
    natural::compare(a.bytes(at, &mut [0; 16]), b.bytes(other, &mut [0; 16]))
}

/// The judged lists, in pieces that follow each other.
pub fn judge(
    pool: &Pool,
    run: &Run,
    order: &Order,
    dense: bool,
    in_run: &[Option<u32>],
) -> Vec<Lists> {
    let piece = in_run.len().div_ceil(8 * workers::threads()).clamp(1, 4096);
    let starts: Vec<usize> = (0..in_run.len()).step_by(piece).collect();
    let part = |start| {
        let (mut scratch, mut lists) = (Scratch::default(), Lists::default());
        for (query, at) in in_run.iter().enumerate().skip(start).take(piece) {
            scratch.query(pool, run, order, dense, query, *at, &mut lists);
        }
        lists
    };
    if starts.len() == 1 || pool.rows.len() <= ALONE && run.groups.are_few() {
        return starts.into_iter().map(part).collect();
    }
    shared(|| starts.into_par_iter().map(part).collect())
}

impl Scratch {
    #[expect(clippy::too_many_arguments, reason = "the inputs and the output of one query")]
    fn query(
        &mut self,
        pool: &Pool,
        run: &Run,
        order: &Order,
        dense: bool,
        query: usize,
        in_run: Option<u32>,
        lists: &mut Lists,
    ) {
        let rows = in_run.map_or(Rows::Span(0, 0), |at| run.groups.rows(at as usize));
        if rows.len() == 0 {
            return lists.push(in_run.is_some(), 0, 0, 0, 0);
        }
        let (before, repeated) = (lists.ranks.len(), lists.repeats.len());
        order.keys(run, rows, &mut self.keys);
        self.ladder.set(rows.len(), &self.keys, order.keep);
        self.join(pool, run, rows, query);
        let tied = self.hits(run, order, rows, dense, lists);
        let repeats = lists.repeats.len() - repeated;
        let returned = self.ladder.rank(rows.len() - 1);
        lists.push(true, returned, tied as i64, lists.ranks.len() - before, repeats);
    }

    /// Finds the judgment of each result.
    fn join(&mut self, pool: &Pool, run: &Run, rows: Rows<'_>, query: usize) {
        let judged = pool.entries(query);
        let entry = |at: usize| (judged.start + at) as u32;
        self.judged.clear();
        self.judged
            .extend(pool.rows[judged.clone()].iter().map(|&row| pool.docs.views[row as usize]));
        let views = rows.gather(&run.docs.views, &mut self.views);
        let same = |view: u128, at: usize| run.docs.same(view, &pool.docs, self.judged[at]);
        self.entries.clear();
        if self.judged.len() <= FEW {
            let find = |&view: &u128| (0..self.judged.len()).find(|&at| same(view, at));
            self.entries.extend(views.iter().map(|view| find(view).map_or(UNJUDGED, entry)));
            return;
        }
        self.seen.reset(self.judged.len());
        for (place, &view) in self.judged.iter().enumerate() {
            self.seen.insert(KEYED.text(&pool.docs, view), place, |_| false);
        }
        let find = |view| self.seen.find(KEYED.text(&run.docs, view), |at| same(view, at));
        self.entries.extend(views.iter().map(|&view| find(view).map_or(UNJUDGED, entry)));
    }

    /// Adds the hits by rank, and returns how many results are tied.
    fn hits(
        &mut self,
        run: &Run,
        order: &Order,
        rows: Rows<'_>,
        dense: bool,
        lists: &mut Lists,
    ) -> usize {
        let views = rows.gather(&run.docs.views, &mut self.views);
        let (ladder, entries) = (&mut self.ladder, &self.entries);
        let is_hit = |&place: &u32| dense || entries[place as usize] != UNJUDGED;
        let (mut start, mut tied) = (0, 0);
        while start < views.len() {
            let span = start..ladder.end(start);
            start = span.end;
            let several = span.len() > 1;
            tied += if several { span.len() } else { 0 };
            if several && ladder.places[span.clone()].iter().any(is_hit) {
                ladder.settle(span.clone(), order, &run.docs, views);
            }
            for at in span.clone().filter(|&at| is_hit(&ladder.places[at])) {
                let place = ladder.places[at] as usize;
                let (row, rank) = (rows.get(place), ladder.rank(at));
                if run.repeats(row) {
                    if dense {
                        lists.repeats.push(rank);
                        lists.tied_repeats |= several;
                    }
                    continue;
                }
                if several {
                    let (first, last) = (ladder.rank(span.start), ladder.rank(span.end - 1));
                    lists.spans.push(Span { hit: lists.ranks.len(), first, last });
                }
                lists.ranks.push(rank);
                lists.entries.push(entries[place]);
                lists.rows.push(row as u32);
            }
        }
        tied
    }
}
