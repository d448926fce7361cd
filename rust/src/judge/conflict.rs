//! Ranks that leave gaps, repeat, or order the results unlike the scores.

use rayon::prelude::*;

use crate::columns::numbers::Floats;
use crate::columns::workers::shared;
use crate::judge::groups::{Groups, Rows};

const ALIKE: i8 = 0;
const DIFFERENT: i8 = 1;
const OPPOSITE: i8 = 2;

/// One answer a query.
pub fn all(groups: &Groups, ranks: &Floats, scores: &Floats) -> Vec<i8> {
    let answer = |pairs: &mut Vec<(f64, f64)>, query| one(groups.rows(query), ranks, scores, pairs);
    if groups.are_few() {
        let mut pairs = Vec::new();
        return (0..groups.len()).map(|query| answer(&mut pairs, query)).collect();
    }
    let queries = (0..groups.len()).into_par_iter().with_min_len(64);
    shared(|| queries.map_init(Vec::new, answer).collect())
}

/// Do the ranks rise and the scores not, as the rows stand? Then nothing needs to be sorted.
fn plain(rows: Rows<'_>, ranks: &Floats, scores: &Floats) -> bool {
    let (mut rank, mut score) = (f64::NEG_INFINITY, f64::INFINITY);
    rows.iter().all(|row| {
        let (above, better) = (rank, score);
        (rank, score) = (ranks.get(row), scores.get(row));
        above < rank && better >= score
    })
}

fn one(rows: Rows<'_>, ranks: &Floats, scores: &Floats, pairs: &mut Vec<(f64, f64)>) -> i8 {
    if plain(rows, ranks, scores) {
        return ALIKE;
    }
    pairs.clear();
    pairs.extend(rows.iter().map(|row| (ranks.get(row), scores.get(row))));
    pairs.retain(|pair| !pair.0.is_nan() && !pair.1.is_nan());
    let best_first = |a: &(f64, f64), b: &(f64, f64)| {
        a.0.partial_cmp(&b.0)
            .and_then(|by_rank| Some(by_rank.then(b.1.partial_cmp(&a.1)?)))
            .expect("no NaN")
    };
    if !pairs.is_sorted_by(|a, b| best_first(a, b).is_le()) {
        pairs.sort_unstable_by(best_first);
    }
    let falls = pairs.windows(2).any(|pair| pair[0].1 > pair[1].1);
    let rises = pairs.windows(2).any(|pair| pair[0].1 < pair[1].1);
    match (falls, rises) {
        (_, false) => ALIKE,
        (true, true) => DIFFERENT,
        (false, true) => OPPOSITE,
    }
}

/// Queries whose ranks are not simply counted through.
#[derive(Clone, Copy, Default)]
pub struct Uneven {
    pub repeats: usize,
    pub gaps: usize,
}

/// The place after `last` of a result with this rank, when ranks that are left out stay empty.
pub fn place(last: i64, rank: f64, base: i64) -> i64 {
    let next = last.saturating_add(1);
    if rank.is_nan() {
        next
    } else {
        next.max((rank.floor() as i64).saturating_sub(base).saturating_add(1))
    }
}

/// Counts the queries whose ranks repeat and those whose ranks leave something out.
pub fn uneven(groups: &Groups, ranks: Option<&Floats>, base: i64) -> Uneven {
    let Some(ranks) = ranks else {
        return Uneven::default();
    };
    let of = |sorted: &mut Vec<f64>, query| {
        let (repeat, gap) = uneven_query(groups.rows(query), ranks, base, sorted);
        (usize::from(repeat), usize::from(gap))
    };
    let both = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
    let (repeats, gaps) = if groups.are_few() {
        let mut sorted = Vec::new();
        (0..groups.len()).map(|query| of(&mut sorted, query)).fold((0, 0), both)
    } else {
        let queries = (0..groups.len()).into_par_iter().with_min_len(64);
        shared(|| queries.map_init(Vec::new, of).reduce(|| (0, 0), both))
    };
    Uneven { repeats, gaps }
}

/// Do the ranks of a query repeat, and do they leave something out?
fn uneven_query(rows: Rows<'_>, ranks: &Floats, base: i64, sorted: &mut Vec<f64>) -> (bool, bool) {
    sorted.clear();
    sorted.extend(rows.iter().map(|row| ranks.get(row)).filter(|rank| !rank.is_nan()));
    if !sorted.is_sorted() {
        sorted.sort_unstable_by(f64::total_cmp);
    }
    let repeats = sorted.windows(2).any(|pair| pair[0] == pair[1]);
    let mut last = 0;
    let gaps = sorted.iter().any(|&rank| {
        let gap = place(last, rank, base) > last + 1;
        last = place(last, rank, base);
        gap
    });
    (repeats, gaps)
}
