//! Judgments grouped by query.

use arrow_buffer::ScalarBuffer;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays;
use crate::columns::Column;
use crate::duplicates::{self, Duplicates};
use crate::errors::Bad;
use crate::groups::Groups;
use crate::ids;
use crate::numbers::Floats;
use crate::views::{self, Texts};

/// Judgments grouped by query, the highest grade of each first.
#[pyclass(frozen, module = "idealrank._core")]
pub struct Pool {
    pub names: Texts,
    pub docs: Texts,
    pub start: Vec<i64>,
    pub grades: ScalarBuffer<f64>,
    pub rows: Vec<u32>,
    ungraded: usize,
    ungraded_queries: Texts,
    dropped: usize,
}

impl Pool {
    pub fn build(
        query: &Column,
        doc: &Column,
        grade: &Column,
        rule: Duplicates,
    ) -> Result<Pool, Bad> {
        let docs = ids::ids(doc, "doc")?;
        let grades = grade.numbers()?;
        check_finite(&grades)?;
        let mut groups = Groups::new(&ids::codes(query, "query", None)?, None)?;
        let ungraded = drop_ungraded(&mut groups, &grades, &docs)?;
        let ungraded_queries = groups.drop_empty();
        let beats = |a: usize, b: usize| grades.get(a) > grades.get(b);
        let dropped =
            if doc.once { 0 } else { duplicates::resolve(&mut groups, &docs, rule, beats)? };
        let (start, rows) = sorted(&groups, &grades, &docs);
        let grades: Vec<f64> = rows.par_iter().map(|&row| grades.get(row as usize)).collect();
        Ok(Pool {
            names: groups.names,
            docs,
            start,
            grades: grades.into(),
            rows,
            ungraded,
            ungraded_queries,
            dropped,
        })
    }

    /// The entries of a query.
    pub fn entries(&self, query: usize) -> std::ops::Range<usize> {
        self.start[query] as usize..self.start[query + 1] as usize
    }
}

fn check_finite(grades: &Floats) -> Result<(), Bad> {
    match (0..grades.len()).into_par_iter().find_first(|&row| grades.get(row).is_infinite()) {
        None => Ok(()),
        Some(row) => {
            Err(Bad::row("not_finite", row, "grade", grades.get(row).to_string().as_bytes()))
        }
    }
}

fn drop_ungraded(groups: &mut Groups, grades: &Floats, docs: &Texts) -> Result<usize, Bad> {
    let graded = |row: usize| !grades.get(row).is_nan();
    let nameless = |row: usize| views::len(docs.views[row]) == 0;
    let rows = (0..grades.len()).into_par_iter();
    if let Some(row) = rows.find_first(|&row| nameless(row) && graded(row)) {
        return Err(Bad::row("missing_id", row, "doc", b""));
    }
    let ungraded = (0..grades.len()).into_par_iter().filter(|&row| !graded(row)).count();
    if ungraded > 0 {
        groups.retain(|_, _, row| graded(row));
    }
    Ok(ungraded)
}

/// Offsets and rows, highest grade first within a query, then by document id.
fn sorted(groups: &Groups, grades: &Floats, docs: &Texts) -> (Vec<i64>, Vec<u32>) {
    let mut start = vec![0];
    let mut rows = Vec::with_capacity(groups.total());
    for query in 0..groups.len() {
        rows.extend(groups.rows(query).iter().map(|row| row as u32));
        start.push(rows.len() as i64);
    }
    let mut slices = Vec::with_capacity(groups.len());
    let mut rest = rows.as_mut_slice();
    for bounds in start.windows(2) {
        let (slice, after) = rest.split_at_mut((bounds[1] - bounds[0]) as usize);
        slices.push(slice);
        rest = after;
    }
    slices.into_par_iter().with_min_len(64).for_each(|slice| {
        slice.sort_unstable_by(|&a, &b| {
            let (x, y) = (a as usize, b as usize);
            let ids = || docs.compare(docs.views[x], docs, docs.views[y]);
            grades.get(y).partial_cmp(&grades.get(x)).expect("no NaN").then_with(ids)
        });
    });
    (start, rows)
}

#[pymethods]
impl Pool {
    #[new]
    fn new(
        py: Python<'_>,
        query: Column,
        doc: Column,
        grade: Column,
        duplicates: &str,
    ) -> PyResult<Pool> {
        let rule = duplicates.parse()?;
        Ok(py.detach(|| Pool::build(&query, &doc, &grade, rule))?)
    }

    /// Every query with at least one grade, in natural order.
    #[getter]
    fn queries(&self) -> Vec<String> {
        strings(&self.names)
    }

    /// Entries of query q are `start[q]:start[q + 1]`.
    #[getter]
    fn start<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        arrays::view(slf, |pool| &pool.start)
    }

    /// Grades, highest first within a query, then by document id.
    #[getter]
    fn grade<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        arrays::view(slf, |pool| &pool.grades)
    }

    /// The row of each entry in its frame.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.rows.iter().map(|&row| i64::from(row)))
    }

    /// Rows without a grade.
    #[getter]
    fn ungraded(&self) -> usize {
        self.ungraded
    }

    /// Queries that have rows but no grade at all.
    #[getter]
    fn ungraded_queries(&self) -> Vec<String> {
        strings(&self.ungraded_queries)
    }

    /// Rows dropped as duplicates.
    #[getter]
    fn dropped(&self) -> usize {
        self.dropped
    }

    /// Document ids of pool entries.
    fn docs(&self, entries: PyReadonlyArray1<'_, i64>) -> PyResult<Vec<String>> {
        let entries = arrays::indices(&entries, self.rows.len())?;
        Ok(entries
            .iter()
            .map(|&entry| self.docs.string(self.rows[entry as usize] as usize))
            .collect())
    }
}

/// All of `texts` as strings.
pub fn strings(texts: &Texts) -> Vec<String> {
    (0..texts.len()).map(|row| texts.string(row)).collect()
}
