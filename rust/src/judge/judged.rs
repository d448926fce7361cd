//! Judged lists as arrays.

use std::ops::Range;

use arrow_buffer::ScalarBuffer;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use rayon::prelude::*;

use crate::arrays;
use crate::columns::text::Texts;
use crate::columns::workers::{ALONE, shared};
use crate::errors::Bad;
use crate::judge::join::{self, Lists, Span, UNJUDGED};
use crate::judge::order::Order;
use crate::judge::pool::Pool;
use crate::judge::run::Run;

/// Judged lists: per judged query the results that have a judgment (or all of them), by rank.
#[pyclass(frozen, module = "idealrank._core")]
pub struct Judged {
    grades: ScalarBuffer<f64>,
    returned: Vec<i64>,
    listed: Vec<bool>,
    tied: Vec<i64>,
    start: Vec<i64>,
    ranks: Vec<i64>,
    entries: Vec<u32>,
    rows: Vec<u32>,
    spans: Vec<Span>,
    repeated: Vec<i64>,
    repeats: Vec<i64>,
    tied_repeats: bool,
    unjudged_queries: Texts,
    unjudged_returned: Vec<i64>,
}

/// What `Judged.hits` gives out, an array for each of its fields.
type Arrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

impl Judged {
    pub fn build(
        pool: &Pool,
        run: &Run,
        order: &Order,
        dense: bool,
        only: Option<&[u32]>,
    ) -> Judged {
        let (mut in_run, others) = join::matches(&pool.names, &run.groups.names);
        if let Some(only) = only {
            in_run = restricted(&in_run, only);
        }
        let unjudged_returned =
            others.iter().map(|&query| run.groups.rows(query as usize).len() as i64).collect();
        let mut judged = Judged {
            grades: pool.grades.clone(),
            returned: Vec::with_capacity(in_run.len()),
            listed: Vec::with_capacity(in_run.len()),
            tied: Vec::with_capacity(in_run.len()),
            start: vec![0],
            ranks: Vec::new(),
            entries: Vec::new(),
            rows: Vec::new(),
            spans: Vec::new(),
            repeated: vec![0],
            repeats: Vec::new(),
            tied_repeats: false,
            unjudged_queries: take(&run.groups.names, &others),
            unjudged_returned,
        };
        let parts = join::judge(pool, run, order, dense, &in_run);
        let hits = parts.iter().map(|lists| lists.ranks.len()).sum();
        judged.ranks.reserve_exact(hits);
        judged.entries.reserve_exact(hits);
        judged.rows.reserve_exact(hits);
        for lists in parts {
            judged.append(lists);
        }
        judged
    }

    /// The hits with a judgment as (entry, row, rank), and the results of each query.
    pub fn judged(&self) -> (Vec<(i64, i64, i64)>, &[i64]) {
        let hits = self.entries.iter().zip(&self.rows).zip(&self.ranks);
        let hits = hits.map(|((&at, &row), &rank)| (entry(at), i64::from(row), rank));
        let mut hits: Vec<_> = hits.filter(|hit| hit.0 >= 0).collect();
        hits.sort_unstable();
        (hits, &self.returned)
    }

    fn append(&mut self, lists: Lists) {
        self.returned.extend(lists.returned);
        self.listed.extend(lists.listed);
        self.tied.extend(lists.tied);
        let before = self.ranks.len();
        let mut end = before as i64;
        self.start.extend(lists.counts.iter().map(|&count| {
            end += count as i64;
            end
        }));
        let mut begin = self.repeats.len() as i64;
        self.repeated.extend(lists.repeated.iter().map(|&count| {
            begin += count as i64;
            begin
        }));
        self.repeats.extend(lists.repeats);
        self.tied_repeats |= lists.tied_repeats;
        self.ranks.extend(lists.ranks);
        self.entries.extend(lists.entries);
        self.rows.extend(lists.rows);
        self.spans
            .extend(lists.spans.into_iter().map(|span| Span { hit: before + span.hit, ..span }));
    }

    /// The hits of the queries `first..last`.
    fn range(&self, first: usize, last: usize) -> PyResult<Range<usize>> {
        if first > last || last >= self.start.len() {
            let said = format!("no queries {first}..{last} among {}", self.returned.len());
            return Err(PyIndexError::new_err(said));
        }
        Ok(self.start[first] as usize..self.start[last] as usize)
    }

    fn grades(&self, hits: &Range<usize>) -> Vec<f64> {
        let grade = |&entry: &u32| self.grades.get(entry as usize).copied().unwrap_or(f64::NAN);
        self.entries[hits.clone()].iter().map(grade).collect()
    }

    fn ties(&self, hits: &Range<usize>) -> (Vec<i64>, Vec<i64>) {
        let (mut first, mut last) =
            (self.ranks[hits.clone()].to_vec(), self.ranks[hits.clone()].to_vec());
        let begin = self.spans.partition_point(|span| span.hit < hits.start);
        for span in self.spans[begin..].iter().take_while(|span| span.hit < hits.end) {
            first[span.hit - hits.start] = span.first;
            last[span.hit - hits.start] = span.last;
        }
        (first, last)
    }
}

fn entry(entry: u32) -> i64 {
    if entry == UNJUDGED { -1 } else { i64::from(entry) }
}

fn take(texts: &Texts, rows: &[u32]) -> Texts {
    texts.take(rows.iter().map(|&row| row as usize))
}

fn restricted(in_run: &[Option<u32>], only: &[u32]) -> Vec<Option<u32>> {
    let mut kept = vec![None; in_run.len()];
    for &query in only {
        kept[query as usize] = in_run[query as usize];
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

    /// Is a result of a unit that stands before tied with another?
    #[getter]
    fn tied_repeats(&self) -> bool {
        self.tied_repeats
    }

    /// Results of each query within a depth that are of a unit that stands before.
    #[pyo3(signature = (depth = None))]
    fn repeated_within<'py>(
        &self,
        py: Python<'py>,
        depth: Option<i64>,
    ) -> Bound<'py, PyArray1<i64>> {
        let depth = depth.unwrap_or(i64::MAX);
        let count = |pair: &[i64]| {
            let ranks = &self.repeats[pair[0] as usize..pair[1] as usize];
            ranks.iter().filter(|&&rank| rank <= depth).count() as i64
        };
        PyArray1::from_iter(py, self.repeated.windows(2).map(count))
    }

    /// Hits of query q are `hit_start[q]:hit_start[q + 1]`.
    #[getter]
    fn hit_start<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.start)
    }

    /// The hits of queries `first..last`, by query and rank, as arrays: 1-based rank among all
    /// results, grade (NaN if unjudged), index into the pool's arrays (-1 if unjudged), row in
    /// the run's frame, first and last rank of the span of equal keys.
    fn hits<'py>(&self, py: Python<'py>, first: usize, last: usize) -> PyResult<Arrays<'py>> {
        let hits = self.range(first, last)?;
        let (ranks, grades, entries, rows, (tie_first, tie_last)) = py.detach(|| {
            (
                self.ranks[hits.clone()].to_vec(),
                self.grades(&hits),
                self.entries[hits.clone()].iter().map(|&at| entry(at)).collect(),
                self.rows[hits.clone()].iter().map(|&row| i64::from(row)).collect(),
                self.ties(&hits),
            )
        });
        Ok((
            PyArray1::from_vec(py, ranks),
            PyArray1::from_vec(py, grades),
            PyArray1::from_vec(py, entries),
            PyArray1::from_vec(py, rows),
            PyArray1::from_vec(py, tie_first),
            PyArray1::from_vec(py, tie_last),
        ))
    }

    /// Judged results of each query within a depth; without those of a grade below zero, if asked.
    #[pyo3(signature = (depth = None, below_zero = true))]
    fn judged_within<'py>(
        &self,
        py: Python<'py>,
        depth: Option<i64>,
        below_zero: bool,
    ) -> Bound<'py, PyArray1<i64>> {
        let depth = depth.unwrap_or(i64::MAX);
        let counts = |hit: usize| {
            let grade = self.grades.get(self.entries[hit] as usize);
            self.ranks[hit] <= depth && grade.is_some_and(|&grade| below_zero || grade >= 0.0)
        };
        let count =
            |pair: &[i64]| (pair[0]..pair[1]).filter(|&hit| counts(hit as usize)).count() as i64;
        let counts = py.detach(|| {
            if self.ranks.len() <= ALONE {
                return self.start.windows(2).map(count).collect();
            }
            shared(|| self.start.par_windows(2).map(count).collect())
        });
        PyArray1::from_vec(py, counts)
    }

    /// Queries of the run without judgments.
    #[getter]
    fn unjudged_queries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        arrays::strings(py, &self.unjudged_queries)
    }

    /// Results of each query without judgments.
    #[getter]
    fn unjudged_returned<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |judged| &judged.unjudged_returned)
    }
}
