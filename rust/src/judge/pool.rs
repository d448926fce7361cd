//! Judgments grouped by query.

use arrow_buffer::ScalarBuffer;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;
use rayon::prelude::*;

use crate::arrays;
use crate::columns::column::Column;
use crate::columns::ids;
use crate::columns::numbers::{Floats, falling};
use crate::columns::scan;
use crate::columns::text::{self, Texts};
use crate::columns::workers::{ALONE, shared};
use crate::errors::Bad;
use crate::judge::duplicates::{self, Duplicates};
use crate::judge::groups::Groups;

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
        let grade = |&row: &u32| grades.get(row as usize);
        let grades: Vec<f64> = if rows.len() <= ALONE {
            rows.iter().map(grade).collect()
        } else {
            shared(|| rows.par_iter().map(grade).collect())
        };
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
    if grades.all_finite() {
        return Ok(());
    }
    match scan::first(grades.len(), |row| grades.get(row).is_infinite()) {
        None => Ok(()),
        Some(row) => {
            Err(Bad::row("not_finite", row, "grade", grades.get(row).to_string().as_bytes()))
        }
    }
}

fn drop_ungraded(groups: &mut Groups, grades: &Floats, docs: &Texts) -> Result<usize, Bad> {
    let graded = |row: usize| !grades.get(row).is_nan();
    let nameless = |row: usize| text::len(docs.views[row]) == 0;
    if let Some(row) = scan::first(grades.len(), |row| nameless(row) && graded(row)) {
        return Err(Bad::row("missing_id", row, "doc", b""));
    }
    let ungraded = scan::count(grades.len(), |row| !graded(row));
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
    let sort = |keys: &mut Vec<(u64, u128, u32)>, slice: &mut [u32]| {
        if slice.iter().all(|&row| text::is_inline(docs.views[row as usize])) {
            return sort_short(slice, grades, docs, keys);
        }
        slice.sort_unstable_by(|&a, &b| {
            let (x, y) = (a as usize, b as usize);
            let ids = || docs.compare(docs.views[x], docs, docs.views[y]);
            grades.get(y).partial_cmp(&grades.get(x)).expect("no NaN").then_with(ids)
        });
    };
    if groups.are_few() {
        let mut keys = Vec::new();
        slices.into_iter().for_each(|slice| sort(&mut keys, slice));
    } else {
        shared(|| slices.into_par_iter().with_min_len(64).for_each_init(Vec::new, sort));
    }
    (start, rows)
}

/// Sorts rows of short ids by keys that lie side by side.
fn sort_short(rows: &mut [u32], grades: &Floats, docs: &Texts, keys: &mut Vec<(u64, u128, u32)>) {
    keys.clear();
    keys.extend(rows.iter().map(|&row| {
        let (grade, view) = (grades.get(row as usize), docs.views[row as usize]);
        (falling(grade), text::inline_key(view), row)
    }));
    keys.sort_unstable();
    for (row, key) in rows.iter_mut().zip(keys.iter()) {
        *row = key.2;
    }
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
    fn queries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        arrays::strings(py, &self.names)
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
    fn ungraded_queries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        arrays::strings(py, &self.ungraded_queries)
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
