//! The greatest difference of AP that grades of unjudged documents allow.

use std::ops::Range;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::arrays::segments;

/// All queries in one list; `rank` and `single` have a number for each hole, the others one for each query.
#[derive(FromPyObject)]
pub struct PrecisionLists<'py> {
    rank: PyReadonlyArray1<'py, f64>,
    single: PyReadonlyArray1<'py, f64>,
    certain: PyReadonlyArray1<'py, f64>,
    cap: PyReadonlyArray1<'py, f64>,
    fill: PyReadonlyArray1<'py, f64>,
}

/// One list of a query: the rank of each hole, infinite where it does not count; what it adds if it alone is relevant.
struct Side<'a> {
    rank: &'a [f64],
    single: &'a [f64],
    certain: f64,
    cap: f64,
    fill: f64,
}

impl<'a> Side<'a> {
    fn of(lists: &'a PrecisionLists<'_>, query: usize, holes: Range<usize>) -> PyResult<Self> {
        let beyond = || PyIndexError::new_err(format!("no query {query} with holes {holes:?}"));
        let some = |values: &'a PyReadonlyArray1<'_, f64>| {
            values.as_slice()?.get(holes.clone()).ok_or_else(beyond)
        };
        let number = |values: &PyReadonlyArray1<'_, f64>| {
            values.as_array().get(query).copied().ok_or_else(beyond)
        };
        Ok(Self {
            rank: some(&lists.rank)?,
            single: some(&lists.single)?,
            certain: number(&lists.certain)?,
            cap: number(&lists.cap)?,
            fill: number(&lists.fill)?,
        })
    }

    fn together(&self, a: usize, b: usize) -> f64 {
        1.0 / self.rank[a].max(self.rank[b])
    }

    /// The sums of the precisions for each number of own holes, in the order in which they become relevant, and for
    /// each choice of the shared holes, a bit each.
    fn sums(
        &self,
        shared: &[usize],
        own: &[usize],
        downwards: bool,
        scratch: &mut Scratch,
    ) -> Vec<f64> {
        let choices = 1 << shared.len();
        let mut sums = Vec::with_capacity(choices * (own.len() + 1));
        let Scratch { alone, pairs, across } = scratch;
        sum_choices(shared.len(), |bit| self.single[shared[bit]], alone);
        self.sum_pairs(shared, pairs, across);
        sums.extend(alone.iter().zip(&*pairs).map(|(alone, pairs)| (self.certain + alone) + pairs));
        let (added, mut earlier) = (pairs, 0.0);
        added.clear();
        added.resize(choices, 0.0);
        for (k, &hole) in own.iter().enumerate() {
            let share = 1.0 / self.rank[hole];
            earlier += share;
            let before = if downwards { k as f64 / self.rank[hole] } else { earlier - share };
            let step = self.single[hole] + before;
            sum_choices(shared.len(), |bit| self.together(shared[bit], hole), across);
            for (choice, across) in across.iter().enumerate() {
                added[choice] += step + across;
                sums.push(sums[choice] + added[choice]);
            }
        }
        sums
    }

    /// For each choice of the shared holes, what its pairs add.
    fn sum_pairs(&self, shared: &[usize], pairs: &mut Vec<f64>, column: &mut Vec<f64>) {
        pairs.clear();
        if shared.len() < 8 {
            pairs.push(0.0);
            for (bit, &hole) in shared.iter().enumerate() {
                sum_choices(bit, |earlier| self.together(shared[earlier], hole), column);
                (0..1 << bit).for_each(|choice| pairs.push(pairs[choice] + column[choice]));
            }
            return;
        }
        pairs.extend((0..1_usize << shared.len()).map(|choice| {
            let chosen = |bit: usize| choice >> bit & 1 == 1;
            pairwise_sum(shared.len(), |bit| {
                let earlier = (0..bit).filter(|&one| chosen(bit) && chosen(one));
                earlier.fold(0.0, |sum, one| sum + self.together(shared[one], shared[bit]))
            })
        }));
    }

    fn share(&self, sum: f64, relevant: f64) -> f64 {
        let divisor = relevant.min(self.cap);
        if divisor > 0.0 { sum / divisor } else { self.fill }
    }
}

/// Memory that is used for one query after the other.
#[derive(Default)]
struct Scratch {
    alone: Vec<f64>,
    pairs: Vec<f64>,
    across: Vec<f64>,
}

/// The sum of the numbers of each choice, a bit each, added from the first bit on.
fn sum_choices(bits: usize, number: impl Fn(usize) -> f64, sums: &mut Vec<f64>) {
    sums.clear();
    sums.push(0.0);
    for bit in 0..bits {
        let number = number(bit);
        (0..1 << bit).for_each(|choice| sums.push(sums[choice] + number));
    }
}

/// Adds numbers as NumPy adds a row of up to 128: eight sums side by side, then these, then what is left.
fn pairwise_sum(size: usize, number: impl Fn(usize) -> f64) -> f64 {
    let whole = size - size % 8;
    let mut r: [f64; 8] = std::array::from_fn(&number);
    for at in 8..whole {
        r[at % 8] += number(at);
    }
    let sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    (whole..size).fold(sum, |sum, at| sum + number(at))
}

/// The holes of a query by the lists they are in, each in the order in which they become relevant.
struct Kinds {
    shared: Vec<usize>,
    own: Vec<usize>,
    others: Vec<usize>,
    nowhere: usize,
}

impl Kinds {
    fn of(one: &Side<'_>, other: &Side<'_>) -> Self {
        let mut kinds = Self { shared: vec![], own: vec![], others: vec![], nowhere: 0 };
        for (hole, (first, second)) in one.rank.iter().zip(other.rank).enumerate() {
            match (first.is_finite(), second.is_finite()) {
                (true, true) => kinds.shared.push(hole),
                (true, false) => kinds.own.push(hole),
                (false, true) => kinds.others.push(hole),
                (false, false) => kinds.nowhere += 1,
            }
        }
        for kind in [&mut kinds.shared, &mut kinds.own] {
            kind.sort_by(|&a, &b| one.rank[a].total_cmp(&one.rank[b]));
        }
        kinds.others.sort_by(|&a, &b| other.rank[b].total_cmp(&other.rank[a]));
        kinds
    }

    /// Ways to choose: which of the shared holes, how many of the own ones of each list.
    fn choices(&self) -> f64 {
        let own = (self.own.len() + 1) as f64;
        (self.shared.len() as f64).exp2() * own * (self.others.len() + 1) as f64
    }
}

/// The greatest difference of one query; NaN where it has no value under some choice.
///
/// Between its caps the difference is monotone in R: its greatest value is at an end or a cap.
fn greatest(
    (one, other): (&Side<'_>, &Side<'_>),
    kinds: &Kinds,
    relevant: f64,
    more: f64,
    scratch: &mut Scratch,
) -> f64 {
    let plus = one.sums(&kinds.shared, &kinds.own, true, scratch);
    let minus = other.sums(&kinds.shared, &kinds.others, false, scratch);
    // A cap that is infinite, or the same as the other, adds no turn.
    let caps: Vec<f64> = match [one.cap, other.cap] {
        _ if more == 0.0 => vec![],
        [cap, same] if cap == same => vec![cap],
        caps => caps.to_vec(),
    };
    let caps: Vec<f64> = caps.into_iter().filter(|cap| cap.is_finite()).collect();
    let choices = 1_usize << kinds.shared.len();
    let mut greatest = f64::NEG_INFINITY;
    for (i, plus) in plus.chunks_exact(choices).enumerate() {
        for (j, minus) in minus.chunks_exact(choices).enumerate() {
            for (choice, (&above, &below)) in plus.iter().zip(minus).enumerate() {
                let least = relevant + (choice.count_ones() as usize + i + j) as f64;
                let most = least + more;
                let difference =
                    |relevant| one.share(above, relevant) - other.share(below, relevant);
                let mut value = difference(least);
                if more > 0.0 {
                    value = larger(value, difference(most));
                }
                for cap in &caps {
                    value = larger(value, difference(cap.max(least).min(most)));
                }
                greatest = larger(greatest, value);
            }
        }
    }
    greatest
}

/// The larger of two numbers; NaN if one is.
fn larger(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

type Found<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>);

/// (R,) the greatest difference of some queries over every choice of relevant holes, and whether all were tried.
///
/// The holes of query q are `start[q]..start[q + 1]`; `relevant` (R,) documents are relevant without them, and up to
/// `unseen` more that nobody returned. Queries with more than `most` choices are not tried: NaN. So is one that has no
/// value under some choice.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "two lists, and what is known of the queries")]
pub fn max_ap_differences<'py>(
    py: Python<'py>,
    one: PrecisionLists<'py>,
    other: PrecisionLists<'py>,
    start: PyReadonlyArray1<'py, i64>,
    queries: PyReadonlyArray1<'py, i64>,
    relevant: PyReadonlyArray1<'py, f64>,
    unseen: u32,
    most: f64,
) -> PyResult<Found<'py>> {
    let holes = segments(start.as_slice()?, one.rank.as_array().len())?;
    let mut scratch = Scratch::default();
    let (mut found, mut tried) = (Vec::new(), Vec::new());
    for (&query, &relevant) in queries.as_slice()?.iter().zip(relevant.as_slice()?) {
        let query = query as usize;
        let range = holes.get(query).cloned().unwrap_or_default();
        let (one, other) = (Side::of(&one, query, range.clone())?, Side::of(&other, query, range)?);
        let kinds = Kinds::of(&one, &other);
        let few = kinds.choices() <= most;
        let more = (kinds.nowhere + unseen as usize) as f64;
        let sides = (&one, &other);
        let value =
            if few { greatest(sides, &kinds, relevant, more, &mut scratch) } else { f64::NAN };
        found.push(value);
        tried.push(few);
    }
    Ok((PyArray1::from_vec(py, found), PyArray1::from_vec(py, tried)))
}
