//! How the scores and the ranks of a query run, as its rows stand, and what single precision would tie.

use rayon::prelude::*;

use crate::columns::numbers::Floats;
use crate::columns::workers::shared;
use crate::judge::groups::{Groups, Rows};

/// The scores of a query from row to row; rows without one are passed over.
#[derive(Clone, Copy, Default)]
pub struct Scores {
    pub known: i64,
    pub changes: i64,
    /// Rows whose score is below that of the row before, or, where there are ranks, whose rank is.
    pub falls: i64,
    pub first: f64,
    /// Do they count the rows from 0 or from 1?
    pub counting: bool,
}

/// The ranks of a query; rows without one are passed over.
#[derive(Clone, Copy)]
pub struct Ranks {
    pub known: i64,
    pub low: f64,
    pub high: f64,
    pub fractions: i64,
    /// The lowest with a fraction; infinite if none has.
    pub fraction: f64,
}

pub fn scores(groups: &Groups, scores: &Floats, ranks: Option<&Floats>) -> Vec<Scores> {
    each(groups, |rows| scores_of(rows, scores, ranks))
}

pub fn ranks(groups: &Groups, ranks: &Floats) -> Vec<Ranks> {
    each(groups, |rows| ranks_of(rows, ranks))
}

fn each<T: Send>(groups: &Groups, of: impl Fn(Rows<'_>) -> T + Sync) -> Vec<T> {
    if groups.are_few() {
        return (0..groups.len()).map(|query| of(groups.rows(query))).collect();
    }
    let queries = (0..groups.len()).into_par_iter().with_min_len(64);
    shared(|| queries.map(|query| of(groups.rows(query))).collect())
}

fn scores_of(rows: Rows<'_>, scores: &Floats, ranks: Option<&Floats>) -> Scores {
    let rank = |row| ranks.map_or(0.0, |ranks| ranks.get(row));
    let mut known = rows.iter().filter(|&row| !scores.get(row).is_nan());
    let Some(row) = known.next() else {
        return Scores::default();
    };
    let first = scores.get(row);
    let mut of =
        Scores { known: 1, first, counting: first == 0.0 || first == 1.0, ..Scores::default() };
    let (mut score, mut place) = (first, rank(row));
    for row in known {
        let (above, before) = (score, place);
        (score, place) = (scores.get(row), rank(row));
        of.changes += i64::from(score != above);
        // A rank that is missing is not above another, as comparisons with NaN are false.
        let ranks_rise = ranks.is_none() || place >= before;
        of.falls += i64::from(score < above || !ranks_rise);
        of.counting &= score == first + of.known as f64;
        of.known += 1;
    }
    of
}

fn ranks_of(rows: Rows<'_>, ranks: &Floats) -> Ranks {
    let none = Ranks {
        known: 0,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        fractions: 0,
        fraction: f64::INFINITY,
    };
    let known = rows.iter().map(|row| ranks.get(row)).filter(|rank| !rank.is_nan());
    known.fold(none, |of, rank| {
        let fraction = rank.fract() != 0.0;
        Ranks {
            known: of.known + 1,
            low: of.low.min(rank),
            high: of.high.max(rank),
            fractions: of.fractions + i64::from(fraction),
            fraction: if fraction { of.fraction.min(rank) } else { of.fraction },
        }
    })
}

/// Are there scores of a query that differ, and are the same in single precision?
pub fn single_ties(groups: &Groups, scores: &Floats) -> bool {
    let Floats::Double(values) = scores else {
        return false;
    };
    let ties = |sorted: &mut Vec<f64>, query: usize| {
        sorted.clear();
        sorted.extend(groups.rows(query).iter().map(|row| values[row]));
        sorted.retain(|score| !score.is_nan());
        if !sorted.is_sorted_by(|a, b| a >= b) {
            sorted.sort_unstable_by(f64::total_cmp);
        }
        sorted.windows(2).any(|pair| pair[0] != pair[1] && pair[0] as f32 == pair[1] as f32)
    };
    if groups.are_few() {
        let mut sorted = Vec::new();
        return (0..groups.len()).any(|query| ties(&mut sorted, query));
    }
    let queries = (0..groups.len()).into_par_iter().with_min_len(64);
    shared(|| queries.map_init(Vec::new, ties).any(|ties| ties))
}
