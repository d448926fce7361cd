//! What orders the results of a query, and which of them are tied.

use std::cmp::Ordering;
use std::ops::Range;
use std::str::FromStr;

use pyo3::exceptions::PyValueError;

use crate::columns::numbers::falling;
use crate::columns::text::Texts;
use crate::errors::Bad;
use crate::judge::conflict;
use crate::judge::groups::Rows;
use crate::judge::run::Run;

#[derive(Clone, Copy, PartialEq)]
pub enum By {
    Score,
    Rank,
    Given,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Ties {
    Descending,
    Ascending,
    Given,
}

impl FromStr for By {
    type Err = Bad;

    fn from_str(name: &str) -> Result<By, Bad> {
        match name {
            "score" => Ok(By::Score),
            "rank" => Ok(By::Rank),
            "given" => Ok(By::Given),
            _ => Err(Bad::unknown("order_by", name)),
        }
    }
}

impl FromStr for Ties {
    type Err = Bad;

    fn from_str(name: &str) -> Result<Ties, Bad> {
        match name {
            "docid_desc" => Ok(Ties::Descending),
            "docid_asc" => Ok(Ties::Ascending),
            "given" => Ok(Ties::Given),
            _ => Err(Bad::unknown("ties", name)),
        }
    }
}

/// The decisions that order results.
pub struct Order {
    pub by: By,
    pub ties: Ties,
    /// Scores are compared as float32.
    pub single: bool,
    /// Ranks that are left out stay empty; the rank of a first result.
    pub keep: Option<i64>,
}

impl Order {
    pub fn new(run: &Run, by: &str, ties: &str, precision: &str, gaps: &str) -> Result<Order, Bad> {
        let by: By = by.parse()?;
        if (by == By::Score && run.score.is_none()) || (by == By::Rank && run.rank.is_none()) {
            return Err(Bad::Py(PyValueError::new_err("the run has no column to order by")));
        }
        let single = match precision {
            "float64" => false,
            "float32" => true,
            _ => return Err(Bad::unknown("score_precision", precision)),
        };
        let keep = match gaps {
            "close" => None,
            "keep" => (by == By::Rank).then(|| run.base()),
            _ => return Err(Bad::unknown("rank_gaps", gaps)),
        };
        Ok(Order { by, ties: ties.parse()?, single, keep })
    }

    /// Keys of which the highest comes first; missing ones come last. Empty when rows stay as given.
    pub fn keys(&self, run: &Run, rows: Rows<'_>, keys: &mut Vec<f64>) {
        keys.clear();
        match (self.by, &run.score, &run.rank) {
            (By::Score, Some(scores), _) if self.single => {
                keys.extend(rows.iter().map(|row| last_if_nan(f64::from(scores.get(row) as f32))));
            }
            (By::Score, Some(scores), _) => {
                keys.extend(rows.iter().map(|row| last_if_nan(scores.get(row))))
            }
            (By::Rank, _, Some(ranks)) => {
                keys.extend(rows.iter().map(|row| last_if_nan(-ranks.get(row))))
            }
            _ => (),
        }
    }

    /// Orders two results with equal keys by their documents and places in the query.
    pub fn tied(&self, docs: &Texts, a: (usize, u128), b: (usize, u128)) -> Ordering {
        match self.ties {
            Ties::Descending => docs.compare(b.1, docs, a.1).then(a.0.cmp(&b.0)),
            Ties::Ascending => docs.compare(a.1, docs, b.1).then(a.0.cmp(&b.0)),
            Ties::Given => a.0.cmp(&b.0),
        }
    }
}

fn last_if_nan(key: f64) -> f64 {
    if key.is_nan() { f64::NEG_INFINITY } else { key }
}

/// The results of a query in order.
#[derive(Default)]
pub struct Ladder {
    /// The place in the query of each; tied ones as they were given, until they are settled.
    pub places: Vec<u32>,
    /// Their keys, in descending order; none if rows stay as given.
    keys: Vec<f64>,
    /// Their ranks, if ranks may be left out.
    ranks: Vec<i64>,
    packed: Vec<u128>,
}

impl Ladder {
    /// Orders `count` results by their keys.
    pub fn set(&mut self, count: usize, keys: &[f64], keep: Option<i64>) {
        self.keys.clear();
        self.places.clear();
        if keys.is_sorted_by(|a, b| a >= b) {
            self.keys.extend_from_slice(keys);
            self.places.extend(0..count as u32);
        } else {
            // One number for a key and its place: such are sorted without a branch for each pair.
            let packed = |(place, &key)| u128::from(falling(key)) << 32 | place as u128;
            self.packed.clear();
            self.packed.extend(keys.iter().enumerate().map(packed));
            self.packed.sort_unstable();
            self.places.extend(self.packed.iter().map(|&packed| packed as u32));
            self.keys.extend(self.places.iter().map(|&place| keys[place as usize]));
        }
        self.ranks.clear();
        if let Some(base) = keep {
            self.ranks.extend(self.keys.iter().scan(0, |last, &key| {
                let rank = if key == f64::NEG_INFINITY { f64::NAN } else { -key };
                *last = conflict::place(*last, rank, base);
                Some(*last)
            }));
        }
    }

    /// The place after the last whose key is that of the one at `start`.
    pub fn end(&self, start: usize) -> usize {
        let same = |key| self.keys[start..].iter().take_while(|&&other| other == key).count();
        start + self.keys.get(start).map_or(1, |&key| same(key))
    }

    /// Puts tied results into the order of the decisions.
    pub fn settle(&mut self, span: Range<usize>, order: &Order, docs: &Texts, views: &[u128]) {
        self.places[span].sort_unstable_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            order.tied(docs, (a, views[a]), (b, views[b]))
        });
    }

    /// The 1-based rank of the result at `at` in order.
    pub fn rank(&self, at: usize) -> i64 {
        self.ranks.get(at).copied().unwrap_or(at as i64 + 1)
    }
}
