//! Do rank and score order the results alike?

use rayon::prelude::*;

use crate::columns::numbers::Floats;
use crate::columns::workers::shared;
use crate::judge::groups::{Groups, Rows};

const ALIKE: i8 = 0;
const DIFFERENT: i8 = 1;
const OPPOSITE: i8 = 2;

/// One answer a query.
pub fn all(groups: &Groups, ranks: &Floats, scores: &Floats) -> Vec<i8> {
    let queries = (0..groups.len()).into_par_iter().with_min_len(64);
    let answer = |pairs: &mut Vec<(f64, f64)>, query| one(groups.rows(query), ranks, scores, pairs);
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
