//! Ranks that leave gaps or repeat.

use rayon::prelude::*;

use crate::columns::numbers::Floats;
use crate::columns::workers::shared;
use crate::judge::groups::{Groups, Rows};

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
    let queries = (0..groups.len()).into_par_iter().with_min_len(64);
    let found = queries
        .map_init(Vec::new, |sorted, query| one(groups.rows(query), ranks, base, sorted))
        .fold(
            || (0, 0),
            |sum, (repeat, gap)| (sum.0 + usize::from(repeat), sum.1 + usize::from(gap)),
        );
    let (repeats, gaps) = shared(|| found.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1)));
    Uneven { repeats, gaps }
}

fn one(rows: Rows<'_>, ranks: &Floats, base: i64, sorted: &mut Vec<f64>) -> (bool, bool) {
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
