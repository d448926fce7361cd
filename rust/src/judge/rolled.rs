//! Results of one unit, such as the chunks of a document, rolled up to one.

use std::str::FromStr;

use arrow_buffer::BooleanBuffer;
use rayon::prelude::*;

use crate::columns::column::Column;
use crate::columns::dictionary::KEYED;
use crate::columns::ids::{self, Seen};
use crate::columns::numbers::Floats;
use crate::columns::text;
use crate::columns::workers::shared;
use crate::errors::Bad;
use crate::judge::conflict;
use crate::judge::groups::Rows;
use crate::judge::order::By;
use crate::judge::run::Run;

/// What a unit's results are worth together.
#[derive(Clone, Copy, PartialEq)]
pub enum RollUp {
    /// The one that stands first.
    First,
    /// The sum of their scores.
    Sum,
    /// The mean of so many of their highest scores, or of all if there are fewer.
    Mean(usize),
}

impl FromStr for RollUp {
    type Err = Bad;

    fn from_str(name: &str) -> Result<RollUp, Bad> {
        let top = name.strip_prefix("mean(").and_then(|rest| rest.strip_suffix(")"));
        match (name, top.and_then(|top| top.parse().ok())) {
            ("first", _) => Ok(RollUp::First),
            ("sum", _) => Ok(RollUp::Sum),
            (_, Some(top)) if top > 0 => Ok(RollUp::Mean(top)),
            _ => Err(Bad::unknown("roll_up", name)),
        }
    }
}

/// The results of one query: the row of each unit, the other rows, and new scores and ranks of rows.
#[derive(Default)]
struct Part {
    rows: Vec<u32>,
    repeats: Vec<u32>,
    scores: Vec<(u32, f64)>,
    ranks: Vec<(u32, f64)>,
}

/// Memory reused from query to query.
#[derive(Default)]
struct Scratch {
    seen: Seen,
    views: Vec<u128>,
    /// The place of the first result of each result's unit.
    first: Vec<u32>,
    /// The place that stands for each first one's unit.
    best: Vec<u32>,
    /// The places of results of units that were given before.
    again: Vec<u32>,
    scores: Vec<(u32, f64)>,
}

impl Run {
    /// Rolls the results of each unit up to one: the run of these, and one in which the others keep
    /// their ranks as `repeats`.
    ///
    /// With `gaps`, ranks that are left out stay empty, and those of repeats do not.
    pub fn rolled(
        &self,
        units: &Column,
        how: RollUp,
        by: By,
        gaps: bool,
    ) -> Result<(Run, Run), Bad> {
        let gaps = (gaps && by == By::Rank).then(|| self.base());
        let docs = ids::ids(units, "unit")?;
        let queries = (0..self.groups.len()).into_par_iter().with_min_len(64);
        let part = |scratch: &mut Scratch, query| {
            scratch.part(self, &docs, self.groups.rows(query), (how, by, gaps))
        };
        let parts: Vec<Part> =
            shared(|| queries.map_init(Scratch::default, part).collect::<Result<_, _>>())?;
        let merged = parts.iter().map(|part| part.repeats.len()).sum();
        let score = match how {
            RollUp::First => self.score.clone(),
            _ => self.score.as_ref().map(|scores| changed(scores, &parts, |part| &part.scores)),
        };
        let rank = match (&self.rank, gaps, merged) {
            (Some(ranks), Some(_), 1..) => Some(changed(ranks, &parts, |part| &part.ranks)),
            _ => self.rank.clone(),
        };
        let repeats = (merged > 0).then(|| marked(docs.len(), &parts));
        let groups = match merged {
            0 => self.groups.clone(),
            _ => self.groups.with_rows(parts.iter().map(|part| part.rows.as_slice())),
        };
        let (own, given) = (self.groups.clone(), self.rank.clone());
        let kept = self.of_units(own, docs.clone(), score.clone(), given, repeats, merged);
        Ok((self.of_units(groups, docs, score, rank, None, merged), kept))
    }
}

impl Part {
    /// Gives each row the rank it has without the repeats before it; gaps in the ranks stay.
    fn close_up(&mut self, ranks: &Floats, base: i64) {
        let ranked = |rows: &[u32], again: bool| -> Vec<(f64, bool, u32)> {
            rows.iter().map(|&row| (ranks.get(row as usize), again, row)).collect()
        };
        let mut all = ranked(&self.rows, false);
        all.extend(ranked(&self.repeats, true));
        all.retain(|one| !one.0.is_nan());
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut last, mut gone) = (0, 0);
        for (rank, again, row) in all {
            last = conflict::place(last, rank, base);
            gone += i64::from(again);
            if !again {
                self.ranks.push((row, (last - gone + base - 1) as f64));
            }
        }
    }
}

impl Scratch {
    fn part(
        &mut self,
        run: &Run,
        docs: &text::Texts,
        rows: Rows<'_>,
        (how, by, gaps): (RollUp, By, Option<i64>),
    ) -> Result<Part, Bad> {
        let mut part = Part::default();
        if self.units(docs, rows)? {
            part.rows.extend(rows.iter().map(|row| row as u32));
            if how == RollUp::First {
                return Ok(part);
            }
        } else {
            self.choose(run, rows, by);
            for place in 0..rows.len() {
                let stands = self.best[self.first[place] as usize] as usize == place;
                let list = if stands { &mut part.rows } else { &mut part.repeats };
                list.push(rows.get(place) as u32);
            }
        }
        if let (Some(ranks), Some(base), false) = (&run.rank, gaps, part.repeats.is_empty()) {
            part.close_up(ranks, base);
        }
        if let (Some(scores), true) = (&run.score, how != RollUp::First) {
            self.add_up(scores, rows, how, &mut part.scores);
        }
        Ok(part)
    }

    /// Finds the first result of each unit; are all of them of different units?
    fn units(&mut self, docs: &text::Texts, rows: Rows<'_>) -> Result<bool, Bad> {
        let views = rows.gather(&docs.views, &mut self.views);
        self.seen.reset(views.len());
        self.first.clear();
        self.again.clear();
        for (place, &view) in views.iter().enumerate() {
            if text::len(view) == 0 {
                return Err(Bad::row("missing_unit", rows.get(place), "unit", b""));
            }
            let same = |other: usize| docs.same(views[other], docs, view);
            let earlier = self.seen.insert(KEYED.text(docs, view), place, same);
            self.first.push(earlier.unwrap_or(place) as u32);
            if earlier.is_some() {
                self.again.push(place as u32);
            }
        }
        self.best.clear();
        self.best.extend(0..views.len() as u32);
        Ok(self.again.is_empty())
    }

    /// Lets the result that is ordered first stand for its unit.
    fn choose(&mut self, run: &Run, rows: Rows<'_>, by: By) {
        let key = |place: u32| match (by, &run.score, &run.rank) {
            (By::Score, Some(scores), _) => scores.get(rows.get(place as usize)),
            (By::Rank, _, Some(ranks)) => -ranks.get(rows.get(place as usize)),
            _ => f64::NAN,
        };
        for &place in &self.again {
            let best = &mut self.best[self.first[place as usize] as usize];
            let (new, old) = (key(place), key(*best));
            if new > old || (old.is_nan() && !new.is_nan()) {
                *best = place;
            }
        }
    }

    /// Gives each unit's row the score of all its results, added from the highest on.
    fn add_up(&mut self, scores: &Floats, rows: Rows<'_>, how: RollUp, out: &mut Vec<(u32, f64)>) {
        self.scores.clear();
        let scored = (0..rows.len()).map(|place| (self.first[place], scores.get(rows.get(place))));
        self.scores.extend(scored.filter(|one| !one.1.is_nan()));
        let falling = |a: &(u32, f64), b: &(u32, f64)| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1));
        self.scores.sort_unstable_by(falling);
        for unit in self.scores.chunk_by(|a, b| a.0 == b.0) {
            let sum = |top: usize| unit[..top].iter().map(|one| one.1).sum::<f64>();
            let score = match how {
                RollUp::First => continue,
                RollUp::Sum => sum(unit.len()),
                RollUp::Mean(top) => sum(top.min(unit.len())) / top.min(unit.len()) as f64,
            };
            let place = self.best[unit[0].0 as usize] as usize;
            out.push((rows.get(place) as u32, score));
        }
    }
}

/// A column with the new values of some rows.
fn changed(column: &Floats, parts: &[Part], new: impl Fn(&Part) -> &Vec<(u32, f64)>) -> Floats {
    let mut values = column.to_vec();
    for &(row, value) in parts.iter().flat_map(new) {
        values[row as usize] = value;
    }
    Floats::Double(values.into())
}

fn marked(rows: usize, parts: &[Part]) -> BooleanBuffer {
    let mut marks = arrow_buffer::BooleanBufferBuilder::new(rows);
    marks.append_n(rows, false);
    for &row in parts.iter().flat_map(|part| &part.repeats) {
        marks.set_bit(row as usize, true);
    }
    marks.finish()
}
