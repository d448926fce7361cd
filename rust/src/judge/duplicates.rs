//! Documents that occur twice in one query.

use rayon::prelude::*;

use crate::columns::dictionary::KEYED;
use crate::columns::ids::Seen;
use crate::columns::text::Texts;
use crate::columns::workers::shared;
use crate::errors::Bad;
use crate::judge::groups::Groups;

/// What happens to a document's second row.
#[derive(Clone, Copy, PartialEq)]
pub enum Duplicates {
    Error,
    First,
    Last,
    Max,
    /// Both rows stay.
    Keep,
}

impl std::str::FromStr for Duplicates {
    type Err = Bad;

    fn from_str(name: &str) -> Result<Duplicates, Bad> {
        match name {
            "error" => Ok(Duplicates::Error),
            "first" => Ok(Duplicates::First),
            "last" => Ok(Duplicates::Last),
            "max" => Ok(Duplicates::Max),
            "keep" => Ok(Duplicates::Keep),
            _ => Err(Bad::unknown("duplicates rule", name)),
        }
    }
}

/// Hands each duplicate of one query to `take`: the place of the first, the place of a later one.
fn each_pair(seen: &mut Seen, docs: &Texts, views: &[u128], mut take: impl FnMut(usize, usize)) {
    seen.reset(views.len());
    for (place, &view) in views.iter().enumerate() {
        let hash = KEYED.text(docs, view);
        if let Some(first) = seen.insert(hash, place, |other| docs.same(views[other], docs, view)) {
            take(first, place);
        }
    }
}

/// Duplicates of the queries, as (query, first place, later place).
fn all(groups: &Groups, docs: &Texts) -> Vec<(usize, usize, usize)> {
    let of_query = |(seen, scratch): &mut (Seen, Vec<u128>), query| {
        let mut pairs = Vec::new();
        let views = groups.rows(query).gather(&docs.views, scratch);
        each_pair(seen, docs, views, |first, later| pairs.push((query, first, later)));
        pairs
    };
    if groups.are_few() {
        let mut held = Default::default();
        return (0..groups.len()).flat_map(|query| of_query(&mut held, query)).collect();
    }
    let queries = (0..groups.len()).into_par_iter().with_min_len(64);
    shared(|| queries.map_init(Default::default, of_query).flatten_iter().collect())
}

/// Refuses or drops duplicates and says how many were dropped; `beats(a, b)`: is row a above row b?
pub fn resolve(
    groups: &mut Groups,
    docs: &Texts,
    rule: Duplicates,
    beats: impl Fn(usize, usize) -> bool,
) -> Result<usize, Bad> {
    if rule == Duplicates::Keep {
        return Ok(0);
    }
    let pairs = all(groups, docs);
    if rule == Duplicates::Error {
        return refuse(groups, docs, &pairs).map_or(Ok(0), Err);
    }
    if pairs.is_empty() {
        return Ok(0);
    }
    let dropped = losers(groups, pairs, rule, beats);
    groups.retain(|query, place, _| dropped.binary_search(&(query, place)).is_err());
    Ok(dropped.len())
}

fn refuse(groups: &Groups, docs: &Texts, pairs: &[(usize, usize, usize)]) -> Option<Bad> {
    let second = |&(query, _, later): &(usize, usize, usize)| groups.rows(query).get(later);
    let worst = pairs.iter().min_by_key(|pair| second(pair))?;
    let (query, first, _) = *worst;
    Some(Bad::Row {
        kind: "duplicate",
        row: second(worst),
        column: "doc".to_owned(),
        value: docs.string(second(worst)),
        detail: groups.names.string(query),
        other: groups.rows(query).get(first) as i64,
    })
}

/// The (query, place) of the rows that go, sorted.
fn losers(
    groups: &Groups,
    mut pairs: Vec<(usize, usize, usize)>,
    rule: Duplicates,
    beats: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    pairs.sort_unstable();
    let mut best = (usize::MAX, 0, 0);
    let mut dropped = Vec::with_capacity(pairs.len());
    for (query, first, later) in pairs {
        if (best.0, best.1) != (query, first) {
            best = (query, first, first);
        }
        let rows = groups.rows(query);
        let wins = match rule {
            Duplicates::Last => true,
            Duplicates::Max => beats(rows.get(later), rows.get(best.2)),
            _ => false,
        };
        dropped.push((query, if wins { best.2 } else { later }));
        if wins {
            best.2 = later;
        }
    }
    dropped.sort_unstable();
    dropped
}
