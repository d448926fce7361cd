//! What orders the results of a query, and which of them are tied.

use std::cmp::Ordering;
use std::str::FromStr;

use pyo3::exceptions::PyValueError;

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

/// The keys of a query in descending order.
#[derive(Default)]
pub struct Ladder {
    pub keys: Vec<f64>,
    places: Vec<i64>,
    /// Did the keys come in this order?
    pub as_given: bool,
}

impl Ladder {
    pub fn set(&mut self, keys: &[f64], keep: Option<i64>) {
        self.keys.clear();
        self.keys.extend_from_slice(keys);
        self.as_given = keys.is_sorted_by(|a, b| a >= b);
        if !self.as_given {
            self.keys.sort_unstable_by(|a, b| b.partial_cmp(a).expect("no NaN"));
        }
        self.places.clear();
        if let Some(base) = keep {
            self.places.extend(self.keys.iter().scan(0, |last, &key| {
                let rank = if key == f64::NEG_INFINITY { f64::NAN } else { -key };
                *last = conflict::place(*last, rank, base);
                Some(*last)
            }));
        }
    }

    /// Results that share their key with another.
    pub fn tied(&self) -> usize {
        let equal = |at: usize| self.keys[at] == self.keys[at + 1];
        let pairs = 0..self.keys.len().saturating_sub(1);
        let (mut tied, mut before) = (0, false);
        for at in pairs {
            let now = equal(at);
            tied += usize::from(now) + usize::from(now && !before);
            before = now;
        }
        tied
    }

    /// Where the span of a key begins and where it ends (the place after its last).
    pub fn span(&self, key: f64) -> (usize, usize) {
        let start = self.keys.partition_point(|&other| other > key);
        let rest = &self.keys[start..];
        (start, start + rest.partition_point(|&other| other == key))
    }

    /// The 1-based rank of the result at `at` in order.
    pub fn rank(&self, at: usize) -> i64 {
        self.places.get(at).copied().unwrap_or(at as i64 + 1)
    }
}
