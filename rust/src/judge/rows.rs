//! Rows of results: which are no results, which scores and ranks count, and which row stands above which.

use rayon::prelude::*;

use crate::columns::column::Column;
use crate::columns::numbers::Floats;
use crate::columns::scan;
use crate::columns::text::{self, Texts};
use crate::columns::workers::shared;
use crate::errors::Bad;
use crate::judge::groups::Groups;

/// Removes the rows without a document; they say that a query has no results.
pub fn drop_placeholders(groups: &mut Groups, docs: &Texts) -> usize {
    let empty = |row: usize| text::len(docs.views[row]) == 0;
    let count = |query| groups.rows(query).iter().filter(|&row| empty(row)).count();
    let placeholders: usize = if groups.are_few() {
        (0..groups.len()).map(count).sum()
    } else {
        shared(|| (0..groups.len()).into_par_iter().map(count).sum())
    };
    if placeholders > 0 {
        groups.retain(|_, _, row| !empty(row));
    }
    placeholders
}

/// Refuses infinite scores, by the first row that has one.
pub fn check_finite(groups: &Groups, scores: &Floats) -> Result<(), Bad> {
    if scores.all_finite() {
        return Ok(());
    }
    let first =
        |query| groups.rows(query).iter().filter(|&row| scores.get(row).is_infinite()).min();
    match shared(|| (0..groups.len()).into_par_iter().filter_map(first).min()) {
        None => Ok(()),
        Some(row) => {
            Err(Bad::row("not_finite", row, "score", scores.get(row).to_string().as_bytes()))
        }
    }
}

/// Does row a stand above row b: a higher score, or without scores a lower rank?
pub fn above(score: &Option<Floats>, rank: &Option<Floats>, a: usize, b: usize) -> bool {
    let key = |row: usize| match (score, rank) {
        (Some(scores), _) => scores.get(row),
        (None, Some(ranks)) => -ranks.get(row),
        (None, None) => f64::NAN,
    };
    key(a) > key(b) || (key(b).is_nan() && !key(a).is_nan())
}

/// Ranks; an infinite one is no rank.
pub fn ranks(column: &Column) -> Result<Floats, Bad> {
    let ranks = column.numbers()?;
    if scan::first(ranks.len(), |row| ranks.get(row).is_infinite()).is_none() {
        return Ok(ranks);
    }
    let finite =
        ranks.to_vec().into_iter().map(|rank| if rank.is_finite() { rank } else { f64::NAN });
    Ok(Floats::Double(finite.collect::<Vec<_>>().into()))
}
