//! Judged lists as arrays.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::Bad;
use crate::join::{self, Hit, Lists, UNJUDGED};
use crate::order::Order;
use crate::pool::{Pool, strings};
use crate::run::Run;
use crate::views::Texts;

/// Judged lists: per judged query the results that have a judgment (or all of them), by rank.
#[pyclass(frozen, module = "idealrank._core")]
#[derive(Default)]
pub struct Judged {
    returned: Vec<i64>,
    listed: Vec<bool>,
    tied: Vec<i64>,
    hit_start: Vec<i64>,
    rank: Vec<i64>,
    grade: Vec<f64>,
    entry: Vec<i64>,
    row: Vec<i64>,
    tie_first: Vec<i64>,
    tie_last: Vec<i64>,
    unjudged_queries: Vec<String>,
    unjudged_returned: Vec<i64>,
}

impl Judged {
    pub fn build(
        pool: &Pool,
        run: &Run,
        order: &Order,
        dense: bool,
        only: Option<&[u32]>,
    ) -> Judged {
        let (mut found, others) = join::matches(&pool.names, &run.groups.names);
        if let Some(only) = only {
            found = restricted(&found, only);
        }
        let mut judged = Judged { hit_start: vec![0], ..Judged::default() };
        for lists in join::judge(pool, run, order, dense, &found) {
            judged.append(pool, lists);
        }
        judged.unjudged_queries = strings(&take(&run.groups.names, &others));
        judged.unjudged_returned =
            others.iter().map(|&query| run.groups.rows(query as usize).len() as i64).collect();
        judged
    }

    /// The hits with a judgment as (entry, row, rank), and the results of each query.
    pub fn judged(&self) -> (Vec<(i64, i64, i64)>, &[i64]) {
        let hits = self.entry.iter().zip(&self.row).zip(&self.rank);
        let hits = hits.map(|((&entry, &row), &rank)| (entry, row, rank));
        let mut hits: Vec<_> = hits.filter(|hit| hit.0 >= 0).collect();
        hits.sort_unstable();
        (hits, &self.returned)
    }

    fn append(&mut self, pool: &Pool, lists: Lists) {
        self.returned.extend(lists.returned);
        self.listed.extend(lists.listed);
        self.tied.extend(lists.tied);
        let mut end = self.hit_start.last().copied().unwrap_or(0);
        self.hit_start.extend(lists.counts.iter().map(|&count| {
            end += count as i64;
            end
        }));
        let hits = &lists.hits;
        self.rank.extend(hits.iter().map(|hit| hit.rank));
        self.tie_first.extend(hits.iter().map(|hit| hit.tie_first));
        self.tie_last.extend(hits.iter().map(|hit| hit.tie_last));
        self.row.extend(hits.iter().map(|hit| i64::from(hit.row)));
        self.entry.extend(hits.iter().map(entry));
        self.grade.extend(
            hits.iter().map(|hit| pool.grades.get(hit.entry as usize).copied().unwrap_or(f64::NAN)),
        );
    }
}

fn entry(hit: &Hit) -> i64 {
    if hit.entry == UNJUDGED { -1 } else { i64::from(hit.entry) }
}

fn take(texts: &Texts, rows: &[u32]) -> Texts {
    texts.take(rows.iter().map(|&row| row as usize))
}

fn restricted(found: &[Option<u32>], only: &[u32]) -> Vec<Option<u32>> {
    let mut kept = vec![None; found.len()];
    for &query in only {
        kept[query as usize] = found[query as usize];
    }
    kept
}

/// Joins a run to a pool and ranks it.
#[pyfunction]
#[pyo3(signature = (pool, run, order_by, ties, score_precision, rank_gaps, dense, queries = None))]
#[expect(clippy::too_many_arguments, reason = "one argument a decision")]
pub fn judge(
    py: Python<'_>,
    pool: &Pool,
    run: &Run,
    order_by: &str,
    ties: &str,
    score_precision: &str,
    rank_gaps: &str,
    dense: bool,
    queries: Option<PyReadonlyArray1<'_, i64>>,
) -> PyResult<Judged> {
    let only = queries.map(|queries| arrays::indices(&queries, pool.names.len())).transpose()?;
    let judged = py.detach(|| {
        let order = Order::new(run, order_by, ties, score_precision, rank_gaps)?;
        Ok::<_, Bad>(Judged::build(pool, run, &order, dense, only.as_deref()))
    })?;
    Ok(judged)
}

#[pymethods]
impl Judged {
    /// Results of each judged query; with gaps kept, its last rank.
    #[getter]
    fn returned<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.returned)
    }

    /// Does the query occur in the run?
    #[getter]
    fn listed<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<bool>> {
        arrays::view(slf, |judged| &judged.listed)
    }

    /// Results of the query that share their key with another.
    #[getter]
    fn tied<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.tied)
    }

    /// Hits of query q are `hit_start[q]:hit_start[q + 1]`.
    #[getter]
    fn hit_start<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.hit_start)
    }

    /// 1-based rank of each hit among all results.
    #[getter]
    fn rank<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.rank)
    }

    /// Grade of each hit, NaN if unjudged.
    #[getter]
    fn grade<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        arrays::view(slf, |judged| &judged.grade)
    }

    /// Each hit's index into the pool's arrays, -1 if unjudged.
    #[getter]
    fn entry<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.entry)
    }

    /// Each hit's row in the run's frame.
    #[getter]
    fn row<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.row)
    }

    /// First rank of the span of equal keys the hit lies in.
    #[getter]
    fn tie_first<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.tie_first)
    }

    /// Last rank of the span of equal keys the hit lies in.
    #[getter]
    fn tie_last<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.tie_last)
    }

    /// Queries of the run without judgments.
    #[getter]
    fn unjudged_queries(&self) -> Vec<String> {
        self.unjudged_queries.clone()
    }

    /// Results of each query without judgments.
    #[getter]
    fn unjudged_returned<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.unjudged_returned)
    }
}
