//! Results of one unit, such as the chunks of a document, rolled up to one.

use std::str::FromStr;

use arrow_buffer::BooleanBuffer;
use rayon::prelude::*;

use crate::columns::column::Column;
use crate::columns::dictionary::KEYED;
use crate::columns::ids;
use crate::columns::numbers::Floats;
use crate::columns::seen::Seen;
use crate::columns::text;
use crate::errors::Bad;
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

/// The results of one query: the row of each unit, the other rows, and new scores of rows.
#[derive(Default)]
struct Part {
    rows: Vec<u32>,
    repeats: Vec<u32>,
    scores: Vec<(u32, f64)>,
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
    pub fn rolled(&self, units: &Column, how: RollUp, by: By) -> Result<(Run, Run), Bad> {
        let docs = ids::ids(units, "unit")?;
        let parts: Vec<Part> = (0..self.groups.len())
            .into_par_iter()
            .with_min_len(64)
            .map_init(Scratch::default, |scratch, query| {
                scratch.part(self, &docs, self.groups.rows(query), how, by)
            })
            .collect::<Result<_, _>>()?;
        let merged = parts.iter().map(|part| part.repeats.len()).sum();
        let score = match how {
            RollUp::First => self.score.clone(),
            _ => self.score.as_ref().map(|scores| rescored(scores, &parts)),
        };
        let repeats = (merged > 0).then(|| marked(docs.len(), &parts));
        let groups = match merged {
            0 => self.groups.clone(),
            _ => self.groups.with_rows(parts.iter().map(|part| part.rows.as_slice())),
        };
        let kept = self.of_units(self.groups.clone(), docs.clone(), score.clone(), repeats, merged);
        Ok((self.of_units(groups, docs, score, None, merged), kept))
    }
}

impl Scratch {
    fn part(
        &mut self,
        run: &Run,
        docs: &text::Texts,
        rows: Rows<'_>,
        how: RollUp,
        by: By,
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
            let top = if let RollUp::Mean(top) = how { top.min(unit.len()) } else { unit.len() };
            let sum: f64 = unit[..top].iter().map(|one| one.1).sum();
            let score = if how == RollUp::Sum { sum } else { sum / top as f64 };
            let place = self.best[unit[0].0 as usize] as usize;
            out.push((rows.get(place) as u32, score));
        }
    }
}

fn rescored(scores: &Floats, parts: &[Part]) -> Floats {
    let mut values = scores.to_vec();
    for &(row, score) in parts.iter().flat_map(|part| &part.scores) {
        values[row as usize] = score;
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
