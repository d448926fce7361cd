//! Which bucket each query is in: that of the rows around it, where tables have the same order.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use hashbrown::HashTable;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::Bad;

/// Which bucket each query is in.
#[pyclass(frozen, module = "idealrank._core")]
pub struct Buckets {
    assignment: RwLock<Assignment>,
}

impl Buckets {
    pub fn read(&self) -> RwLockReadGuard<'_, Assignment> {
        self.assignment.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn write(&self) -> RwLockWriteGuard<'_, Assignment> {
        self.assignment.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Buckets {
    #[new]
    fn new(count: usize) -> PyResult<Buckets> {
        if count == 0 {
            return Err(PyValueError::new_err("there must be at least one bucket"));
        }
        Ok(Buckets { assignment: RwLock::new(Assignment::new(count)) })
    }

    #[getter]
    fn count(&self) -> usize {
        self.read().filled.len()
    }

    /// Begins a table: a bucket is full with `share` bytes of queries that no table before had, and no query may
    /// return to a bucket that has more than `most` bytes.
    fn begin(&self, share: f64, most: f64) {
        self.write().begin(share, most);
    }

    /// Begins again at the first bucket: what follows has rows of the same queries.
    fn restart(&self) {
        let mut assignment = self.write();
        (assignment.bucket, assignment.last) = (0, None);
    }
}

#[derive(Default)]
pub struct Assignment {
    /// Hashes of queries and their buckets.
    known: HashTable<(u64, u32)>,
    /// Bytes of new queries in each bucket, and how many make it full.
    filled: Vec<f64>,
    full: f64,
    share: f64,
    /// Bytes of all queries in each bucket, and with how many a query may return to it.
    bytes: Vec<f64>,
    most: f64,
    /// The bucket of the last row, and the hash of its query.
    bucket: usize,
    last: Option<u64>,
}

impl Assignment {
    pub fn new(count: usize) -> Assignment {
        let (filled, bytes) = (vec![0.0; count], vec![0.0; count]);
        Assignment { filled, bytes, ..Assignment::default() }
    }

    fn begin(&mut self, share: f64, most: f64) {
        self.filled.fill(0.0);
        self.bytes.fill(0.0);
        (self.share, self.full, self.most) = (share, share, most);
        (self.bucket, self.last) = (0, None);
    }

    pub fn count(&self) -> usize {
        self.filled.len()
    }

    /// The bucket of a query; one that no table had is put by its hash.
    pub fn of(&self, hash: u64) -> usize {
        let any = || ((hash ^ (hash >> 32)) % self.filled.len() as u64) as usize;
        self.find(hash).unwrap_or_else(any)
    }

    fn find(&self, hash: u64) -> Option<usize> {
        self.known.find(hash, |&(other, _)| other == hash).map(|&(_, bucket)| bucket as usize)
    }

    /// Puts a new query into the first bucket from here on that is not full; if all are, the next round begins.
    fn add(&mut self, hash: u64) -> usize {
        let last = self.filled.len() - 1;
        let mut bucket = self.bucket;
        while bucket < last && self.filled[bucket] >= self.full {
            // What is too much here is taken from the next.
            self.filled[bucket + 1] += self.filled[bucket] - self.full;
            self.filled[bucket] = self.full;
            bucket += 1;
        }
        if self.filled[bucket] >= self.full {
            self.full += self.share;
            bucket = self.bucket;
        }
        self.known.insert_unique(hash, (hash, bucket as u32), |&(hash, _)| hash);
        bucket
    }
}

/// Rows of one query that stand together.
#[derive(Clone, Copy)]
pub struct Run {
    pub hash: u64,
    /// The row, or the byte, with which it begins.
    pub start: u64,
}

/// Rows are in the order of the buckets so far.
pub struct Walk<'a> {
    assignment: &'a mut Assignment,
    /// Bytes of a row, or 1 where places are bytes.
    unit: f64,
    starts: Vec<(usize, u64)>,
    first: u64,
    last: Option<(Run, bool)>,
}

impl<'a> Walk<'a> {
    /// A walk through a file whose records begin at `first`.
    pub fn new(assignment: &'a mut Assignment, first: u64, unit: f64) -> Walk<'a> {
        Walk { assignment, unit, starts: Vec::new(), first, last: None }
    }

    /// Takes the next run, whose query must be new, or in the bucket of the last or one behind it.
    pub fn step(&mut self, run: Run) -> Result<(), Bad> {
        if self.last.is_some_and(|(last, _)| last.hash == run.hash) {
            return Ok(());
        }
        self.fill(run.start);
        let found = self.assignment.find(run.hash);
        let bucket = found.unwrap_or_else(|| self.assignment.add(run.hash));
        let returns = found.is_some() && self.assignment.last != Some(run.hash);
        let heavy = self.assignment.bytes[bucket] > self.assignment.most;
        if bucket < self.assignment.bucket || (returns && heavy) {
            return Err(unordered());
        }
        if self.starts.last().is_none_or(|&(last, _)| last < bucket) {
            self.starts.push((bucket, if self.starts.is_empty() { self.first } else { run.start }));
        }
        (self.assignment.bucket, self.assignment.last) = (bucket, Some(run.hash));
        self.last = Some((run, found.is_none()));
        Ok(())
    }

    fn fill(&mut self, end: u64) {
        if let Some((run, new)) = self.last {
            let (bucket, bytes) = (self.assignment.bucket, (end - run.start) as f64 * self.unit);
            self.assignment.bytes[bucket] += bytes;
            self.assignment.filled[bucket] += if new { bytes } else { 0.0 };
        }
    }

    /// Each bucket that has rows here, and where they begin and end.
    pub fn finish(mut self, end: u64) -> Vec<(usize, u64, u64)> {
        self.fill(end);
        let ends = self.starts.iter().skip(1).map(|&(_, start)| start).chain([end]);
        self.starts.iter().zip(ends).map(|(&(bucket, start), end)| (bucket, start, end)).collect()
    }
}

const UNORDERED: &str = "unordered";

/// Ends a walk through a file whose rows are not in the order of the buckets.
pub fn unordered() -> Bad {
    Bad::text(UNORDERED, 0, "", b"")
}

/// What was found, or nothing if the rows were not in the order of the buckets.
pub fn if_ordered<T>(found: Result<T, Bad>) -> Result<Option<T>, Bad> {
    match found {
        Err(Bad::Text { kind: UNORDERED, .. }) => Ok(None),
        found => found.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pieces = Vec<(usize, u64, u64)>;

    /// The pieces of a file of one-byte rows, each of a query.
    fn walked(assignment: &mut Assignment, rows: &[u64]) -> Option<Pieces> {
        let mut walk = Walk::new(assignment, 0, 1.0);
        for (start, &hash) in rows.iter().enumerate() {
            let step = walk.step(Run { hash, start: start as u64 });
            if_ordered(step).expect("no other error")?;
        }
        Some(walk.finish(rows.len() as u64))
    }

    #[test]
    fn buckets_are_full_with_their_share_and_end_with_a_query() {
        let mut assignment = Assignment::new(3);
        assignment.begin(2.0, 9.0);
        let pieces = walked(&mut assignment, &[1, 1, 1, 2, 3, 4]);
        assert_eq!(pieces, Some(vec![(0, 0, 3), (1, 3, 4), (2, 4, 6)]));
    }

    #[test]
    fn a_query_may_come_back_in_its_bucket_and_nowhere_else() {
        let mut assignment = Assignment::new(2);
        assignment.begin(2.0, 9.0);
        assert_eq!(walked(&mut assignment, &[1, 2, 1, 3, 4, 3]), Some(vec![(0, 0, 3), (1, 3, 6)]));
        assignment.begin(2.0, 9.0);
        assert_eq!(walked(&mut assignment, &[2, 4, 1]), None);
    }

    #[test]
    fn a_query_does_not_return_to_a_bucket_that_has_too_much() {
        let mut assignment = Assignment::new(2);
        assignment.begin(3.0, 4.0);
        assert_eq!(walked(&mut assignment, &[1, 2, 1, 2, 1]), Some(vec![(0, 0, 5)]));
        assignment.begin(3.0, 4.0);
        assert_eq!(walked(&mut assignment, &[1, 2, 1, 2, 1, 2]), None);
    }

    #[test]
    fn a_large_query_may_go_on_in_the_next_file() {
        let mut assignment = Assignment::new(2);
        assignment.begin(3.0, 3.0);
        assert_eq!(walked(&mut assignment, &[1, 1, 1, 1]), Some(vec![(0, 0, 4)]));
        assert_eq!(walked(&mut assignment, &[1, 2]), Some(vec![(0, 0, 1), (1, 1, 2)]));
        assert_eq!(walked(&mut assignment, &[1]), None);
    }

    #[test]
    fn new_queries_of_another_table_are_where_they_stand_unless_their_bucket_is_full() {
        let mut assignment = Assignment::new(2);
        assignment.begin(2.0, 9.0);
        walked(&mut assignment, &[1, 2, 3, 4]);
        assignment.begin(2.0, 9.0);
        assert_eq!(walked(&mut assignment, &[1, 9, 2, 4]), Some(vec![(0, 0, 3), (1, 3, 4)]));
        assignment.begin(2.0, 9.0);
        assert_eq!(walked(&mut assignment, &[5, 6, 7, 8]), Some(vec![(0, 0, 2), (1, 2, 4)]));
        assert_eq!([1, 9, 2, 4, 5, 8].map(|hash| assignment.of(hash)), [0, 0, 0, 1, 0, 1]);
    }

    #[test]
    fn folders_of_new_queries_fill_the_buckets_in_rounds() {
        let mut assignment = Assignment::new(2);
        assignment.begin(1.0, 9.0);
        for queries in [[1, 2], [3, 4], [5, 6]] {
            assignment.bucket = 0;
            assert_eq!(walked(&mut assignment, &queries), Some(vec![(0, 0, 1), (1, 1, 2)]));
        }
    }
}
