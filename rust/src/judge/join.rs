//! Results meet judgments.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use crate::columns::dictionary::KEYED;
use crate::columns::ids::Seen;
use crate::columns::text::Texts;
use crate::columns::workers::{self, ALONE, shared};
use crate::judge::groups::Rows;
use crate::judge::natural;
use crate::judge::order::{By, Ladder, Order};
use crate::judge::pool::Pool;
use crate::judge::run::Run;

/// No judgment belongs to the hit.
pub const UNJUDGED: u32 = u32::MAX;

/// Above this many tied hits the whole query is sorted instead of counting for each.
const COUNTED: usize = 64;

/// Up to so many judgments of a query are compared one by one instead of being hashed.
const FEW: usize = 4;

/// One result in a judged list.
#[derive(Clone, Copy)]
pub struct Hit {
    pub entry: u32,
    pub row: u32,
    pub rank: i64,
    pub tie_first: i64,
    pub tie_last: i64,
}

/// The lists of a stretch of judged queries.
#[derive(Default)]
pub struct Lists {
    pub returned: Vec<i64>,
    pub listed: Vec<bool>,
    pub tied: Vec<i64>,
    pub counts: Vec<usize>,
    pub hits: Vec<Hit>,
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
    sorted: Vec<u32>,
    matched: Vec<(u32, u32)>,
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
        let (before, repeated) = (lists.hits.len(), lists.repeats.len());
        order.keys(run, rows, &mut self.keys);
        self.ladder.set(&self.keys, order.keep);
        self.join(pool, run, rows, query);
        self.hits(run, order, rows, dense, lists);
        lists.hits[before..].sort_unstable_by_key(|hit| hit.rank);
        let repeats = lists.repeats.len() - repeated;
        let (returned, tied) = (self.ladder.rank(rows.len() - 1), self.ladder.tied() as i64);
        lists.push(true, returned, tied, lists.hits.len() - before, repeats);
    }

    /// Puts (place in the query, entry) of the judged results into `matched`.
    fn join(&mut self, pool: &Pool, run: &Run, rows: Rows<'_>, query: usize) {
        let entries = pool.entries(query);
        self.judged.clear();
        self.judged
            .extend(pool.rows[entries.clone()].iter().map(|&row| pool.docs.views[row as usize]));
        self.matched.clear();
        let views = rows.gather(&run.docs.views, &mut self.views);
        let same = |view: u128, at: usize| run.docs.same(view, &pool.docs, self.judged[at]);
        let mut put = |place: usize, at: usize| {
            self.matched.push((place as u32, (entries.start + at) as u32));
        };
        if self.judged.len() <= FEW {
            for (place, &view) in views.iter().enumerate() {
                if let Some(at) = (0..self.judged.len()).find(|&at| same(view, at)) {
                    put(place, at);
                }
            }
            return;
        }
        self.seen.reset(self.judged.len());
        for (place, &view) in self.judged.iter().enumerate() {
            self.seen.insert(KEYED.text(&pool.docs, view), place, |_| false);
        }
        for (place, &view) in views.iter().enumerate() {
            if let Some(at) = self.seen.find(KEYED.text(&run.docs, view), |at| same(view, at)) {
                put(place, at);
            }
        }
    }

    fn hits(&mut self, run: &Run, order: &Order, rows: Rows<'_>, dense: bool, lists: &mut Lists) {
        let views = rows.gather(&run.docs.views, &mut self.views);
        let tied_hits = self.matched.len().min(self.ladder.tied());
        let sorted = order.by != By::Given && (dense || tied_hits > COUNTED);
        if sorted {
            ranks(&self.keys, views, &run.docs, order, &mut self.sorted);
        }
        let hit = |place: usize, entry: u32| {
            let row = rows.get(place) as u32;
            if order.by == By::Given {
                let rank = place as i64 + 1;
                return Hit { entry, row, rank, tie_first: rank, tie_last: rank };
            }
            let span = self.ladder.span(self.keys[place]);
            let ladder = &self.ladder;
            let at = match span.1 - span.0 {
                1 => span.0,
                _ if sorted => self.sorted[place] as usize,
                _ => {
                    let among = if ladder.as_given { span.0..span.1 } else { 0..views.len() };
                    span.0 + ahead(&self.keys, among, views, &run.docs, order, place)
                }
            };
            let (rank, tie_first, tie_last) =
                (ladder.rank(at), ladder.rank(span.0), ladder.rank(span.1 - 1));
            Hit { entry, row, rank, tie_first, tie_last }
        };
        if run.repeats.is_some() {
            self.matched.retain(|&(place, _)| !run.repeats(rows.get(place as usize)));
            let places = (0..rows.len()).filter(|&place| dense && run.repeats(rows.get(place)));
            lists.repeats.extend(places.map(|place| {
                let repeat = hit(place, UNJUDGED);
                lists.tied_repeats |= repeat.tie_first != repeat.tie_last;
                repeat.rank
            }));
        }
        if !dense {
            lists
                .hits
                .extend(self.matched.iter().map(|&(place, entry)| hit(place as usize, entry)));
            return;
        }
        let mut judged = self.matched.iter().peekable();
        let own = (0..rows.len()).filter(|&place| !run.repeats(rows.get(place)));
        lists.hits.extend(own.map(|place| {
            let entry = judged.next_if(|pair| pair.0 as usize == place);
            hit(place, entry.map_or(UNJUDGED, |pair| pair.1))
        }));
    }
}

/// How many results of a span of equal keys come before the one at `place`.
fn ahead(
    keys: &[f64],
    among: Range<usize>,
    views: &[u128],
    docs: &Texts,
    order: &Order,
    place: usize,
) -> usize {
    let own = (place, views[place]);
    let before = |&at: &usize| {
        keys[at] == keys[place] && order.tied(docs, (at, views[at]), own) == Ordering::Less
    };
    among.filter(before).count()
}

/// The 0-based position of each result after sorting all of them.
fn ranks(keys: &[f64], views: &[u128], docs: &Texts, order: &Order, ranks: &mut Vec<u32>) {
    let mut places: Vec<u32> = (0..views.len() as u32).collect();
    if !keys.is_empty() {
        places.sort_unstable_by(|&a, &b| {
            let (x, y) = (a as usize, b as usize);
            let keys = keys[y].partial_cmp(&keys[x]).expect("no NaN");
            keys.then_with(|| order.tied(docs, (x, views[x]), (y, views[y])))
        });
    }
    ranks.clear();
    ranks.resize(views.len(), 0);
    for (rank, &place) in places.iter().enumerate() {
        ranks[place as usize] = rank as u32;
    }
}
