//! One system's results grouped by query.

use std::sync::OnceLock;

use arrow_buffer::BooleanBuffer;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;
use rayon::prelude::*;

use crate::arrays;
use crate::columns::column::Column;
use crate::columns::ids;
use crate::columns::numbers::Floats;
use crate::columns::text::Texts;
use crate::columns::workers::shared;
use crate::errors::Bad;
use crate::judge::conflict::{self, Uneven};
use crate::judge::duplicates::{self, Duplicates};
use crate::judge::groups::Groups;
use crate::judge::rows::{above, check_finite, drop_placeholders, ranks};
use crate::judge::sequence;

/// One system's results grouped by query.
#[pyclass(frozen, module = "idealrank._core")]
pub struct Run {
    pub groups: Groups,
    pub docs: Texts,
    pub score: Option<Floats>,
    pub rank: Option<Floats>,
    placeholders: usize,
    dropped: usize,
    /// Rows that keep their ranks, and are no results of their own: of a unit that stands before.
    pub repeats: Option<BooleanBuffer>,
    merged: usize,
    /// Whether ranks start at 0 in the whole of which these are some queries; `None`: these are all.
    from_zero: Option<bool>,
    uneven: OnceLock<Uneven>,
    seen: OnceLock<Missing>,
}

/// What is missing over all rows.
#[derive(Clone, Copy)]
struct Missing {
    scores: usize,
    ranks: usize,
    lowest: f64,
}

impl Run {
    pub fn build(
        query: &Column,
        doc: &Column,
        score: Option<Floats>,
        rank: Option<Floats>,
        rows: Option<&[u32]>,
        rule: Duplicates,
    ) -> Result<Run, Bad> {
        let docs = ids::ids(doc, "doc")?;
        let mut groups = Groups::new(&ids::codes(query, "query", rows)?, rows)?;
        let placeholders = drop_placeholders(&mut groups, &docs);
        if let Some(scores) = &score {
            check_finite(&groups, scores)?;
        }
        let beats = |a, b| above(&score, &rank, a, b);
        let dropped =
            if doc.once { 0 } else { duplicates::resolve(&mut groups, &docs, rule, beats)? };
        Ok(Run {
            groups,
            docs,
            score,
            rank,
            placeholders,
            dropped,
            repeats: None,
            merged: 0,
            from_zero: None,
            uneven: OnceLock::new(),
            seen: OnceLock::new(),
        })
    }

    /// The same run with units as its documents.
    pub fn of_units(
        &self,
        groups: Groups,
        docs: Texts,
        score: Option<Floats>,
        rank: Option<Floats>,
        repeats: Option<BooleanBuffer>,
        merged: usize,
    ) -> Run {
        Run {
            groups,
            docs,
            score,
            rank,
            placeholders: self.placeholders,
            dropped: self.dropped,
            repeats,
            merged,
            from_zero: self.from_zero,
            uneven: OnceLock::new(),
            seen: OnceLock::new(),
        }
    }

    /// Is the row of a unit that stands before?
    pub fn repeats(&self, row: usize) -> bool {
        self.repeats.as_ref().is_some_and(|repeats| repeats.value(row))
    }

    fn seen(&self) -> Missing {
        *self.seen.get_or_init(|| Missing {
            scores: self.count_missing(&self.score),
            ranks: self.count_missing(&self.rank),
            lowest: self.lowest(),
        })
    }

    fn count_missing(&self, column: &Option<Floats>) -> usize {
        let Some(values) = column else {
            return self.groups.total();
        };
        if values.all_finite() {
            return 0;
        }
        let missing =
            |query| self.groups.rows(query).iter().filter(|&row| values.get(row).is_nan()).count();
        if self.groups.are_few() {
            return (0..self.groups.len()).map(missing).sum();
        }
        shared(|| (0..self.groups.len()).into_par_iter().map(missing).sum())
    }

    fn lowest(&self) -> f64 {
        let Some(ranks) = &self.rank else {
            return f64::NAN;
        };
        let least = |query| {
            self.groups.rows(query).iter().map(|row| ranks.get(row)).fold(f64::NAN, f64::min)
        };
        if self.groups.are_few() {
            return (0..self.groups.len()).map(least).fold(f64::NAN, f64::min);
        }
        let queries = (0..self.groups.len()).into_par_iter();
        shared(|| queries.map(least).reduce(|| f64::NAN, f64::min))
    }

    /// The rank of a first result: 0 if the table counts from 0.
    pub fn base(&self) -> i64 {
        i64::from(!self.from_zero.unwrap_or_else(|| self.seen().lowest == 0.0))
    }

    fn uneven(&self) -> Uneven {
        *self.uneven.get_or_init(|| conflict::uneven(&self.groups, self.rank.as_ref(), self.base()))
    }
}

/// What `Run.score_sequence` gives out, an array for each field.
type ScoreArrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
);

/// What `Run.rank_sequence` gives out, an array for each field.
type RankArrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
);

#[pymethods]
impl Run {
    #[new]
    #[pyo3(signature = (query, doc, score, rank, rows, duplicates, from_zero = None))]
    #[expect(clippy::too_many_arguments, reason = "one argument a column or a decision")]
    fn new(
        py: Python<'_>,
        query: Column,
        doc: Column,
        score: Option<Column>,
        rank: Option<Column>,
        rows: Option<PyReadonlyArray1<'_, i64>>,
        duplicates: &str,
        from_zero: Option<bool>,
    ) -> PyResult<Run> {
        let rule = duplicates.parse()?;
        let rows = rows.map(|rows| arrays::indices(&rows, query.len())).transpose()?;
        Ok(py.detach(|| {
            let score = score.as_ref().map(Column::numbers).transpose()?;
            let rank = rank.as_ref().map(ranks).transpose()?;
            let run = Run::build(&query, &doc, score, rank, rows.as_deref(), rule)?;
            Ok::<_, Bad>(Run { from_zero, ..run })
        })?)
    }

    /// The run with the results of each unit rolled up to one (first, sum or mean(n)), and one in which
    /// the others keep their ranks; with `gaps`, ranks that are left out stay empty. BadRow("missing_unit") if a result has no unit.
    #[pyo3(name = "rolled")]
    fn rolled_up(
        &self,
        py: Python<'_>,
        units: Column,
        roll_up: &str,
        order_by: &str,
        gaps: bool,
    ) -> PyResult<(Run, Run)> {
        let (how, by) = (roll_up.parse()?, order_by.parse()?);
        Ok(py.detach(|| self.rolled(&units, how, by, gaps))?)
    }

    /// Every query, those with only placeholder rows included, in natural order.
    #[getter]
    fn queries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        arrays::strings(py, &self.groups.names)
    }

    /// Results, without placeholders and dropped duplicates.
    #[getter]
    fn results(&self) -> usize {
        self.groups.total()
    }

    /// Rows without a document id.
    #[getter]
    fn placeholders(&self) -> usize {
        self.placeholders
    }

    /// Rows dropped as duplicates.
    #[getter]
    fn dropped(&self) -> usize {
        self.dropped
    }

    /// Results that are no results of their own: of a unit that stands before.
    #[getter]
    fn merged(&self) -> usize {
        self.merged
    }

    /// Those of them that keep their ranks.
    #[getter]
    fn keeping_ranks(&self) -> usize {
        if self.repeats.is_some() { self.merged } else { 0 }
    }

    /// Results without a score.
    #[getter]
    fn missing_scores(&self, py: Python<'_>) -> usize {
        py.detach(|| self.seen().scores)
    }

    /// Results without a rank.
    #[getter]
    fn missing_ranks(&self, py: Python<'_>) -> usize {
        py.detach(|| self.seen().ranks)
    }

    /// The lowest rank; NaN if there is none.
    #[getter]
    fn lowest_rank(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.seen().lowest)
    }

    /// Queries in which a rank occurs twice.
    #[getter]
    fn rank_repeats(&self, py: Python<'_>) -> usize {
        py.detach(|| self.uneven().repeats)
    }

    /// Queries in which a rank is left out.
    #[getter]
    fn rank_gaps(&self, py: Python<'_>) -> usize {
        py.detach(|| self.uneven().gaps)
    }

    /// Document ids of rows of the frame.
    fn docs(&self, rows: PyReadonlyArray1<'_, i64>) -> PyResult<Vec<String>> {
        let rows = arrays::indices(&rows, self.docs.len())?;
        Ok(rows.iter().map(|&row| self.docs.string(row as usize)).collect())
    }

    /// The document ids of all rows of the frame.
    fn documents(&self) -> Column {
        Column::text(self.docs.clone())
    }

    /// Rows of a query, in the order they were given.
    fn rows_of<'py>(&self, py: Python<'py>, query: usize) -> PyResult<Bound<'py, PyArray1<i64>>> {
        if query >= self.groups.len() {
            return Err(pyo3::exceptions::PyIndexError::new_err("no such query"));
        }
        Ok(PyArray1::from_iter(py, self.groups.rows(query).iter().map(|row| row as i64)))
    }

    /// How rank and score order each query: 0 alike, 1 differently, 2 in opposite directions; and
    /// the number of queries of each sort.
    fn order_conflict<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i8>>, Vec<usize>)> {
        let (Some(scores), Some(ranks)) = (&self.score, &self.rank) else {
            return Err(pyo3::exceptions::PyValueError::new_err("needs ranks and scores"));
        };
        let sorts = py.detach(|| conflict::all(&self.groups, ranks, scores));
        let count = |sort: i8| sorts.iter().filter(|&&other| other == sort).count();
        let counts = vec![count(0), count(1), count(2)];
        Ok((PyArray1::from_vec(py, sorts), counts))
    }

    /// How the scores of each query run from row to row: how many are known, how often they change,
    /// how often they fall (or the ranks do), the first one, and whether they count the rows.
    fn score_sequence<'py>(&self, py: Python<'py>) -> PyResult<ScoreArrays<'py>> {
        let Some(scores) = &self.score else {
            return Err(pyo3::exceptions::PyValueError::new_err("needs scores"));
        };
        let found = py.detach(|| sequence::scores(&self.groups, scores, self.rank.as_ref()));
        Ok((
            PyArray1::from_iter(py, found.iter().map(|of| of.known)),
            PyArray1::from_iter(py, found.iter().map(|of| of.changes)),
            PyArray1::from_iter(py, found.iter().map(|of| of.falls)),
            PyArray1::from_iter(py, found.iter().map(|of| of.first)),
            PyArray1::from_iter(py, found.iter().map(|of| of.counting)),
        ))
    }

    /// The ranks of each query: how many are known, the lowest and the highest, how many have a
    /// fraction, and the lowest of these.
    fn rank_sequence<'py>(&self, py: Python<'py>) -> PyResult<RankArrays<'py>> {
        let Some(ranks) = &self.rank else {
            return Err(pyo3::exceptions::PyValueError::new_err("needs ranks"));
        };
        let found = py.detach(|| sequence::ranks(&self.groups, ranks));
        Ok((
            PyArray1::from_iter(py, found.iter().map(|of| of.known)),
            PyArray1::from_iter(py, found.iter().map(|of| of.low)),
            PyArray1::from_iter(py, found.iter().map(|of| of.high)),
            PyArray1::from_iter(py, found.iter().map(|of| of.fractions)),
            PyArray1::from_iter(py, found.iter().map(|of| of.fraction)),
        ))
    }

    /// Are there scores of a query that differ, and are the same in single precision?
    fn single_ties(&self, py: Python<'_>) -> bool {
        let scores = self.score.as_ref();
        py.detach(|| scores.is_some_and(|scores| sequence::single_ties(&self.groups, scores)))
    }
}
