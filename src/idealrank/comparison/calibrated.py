"""A comparison by a cheap judge, calibrated on people: people on a random sample of queries, the judge on all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.overlap import same_lists_by_query
from idealrank.comparison.pairing import Pair
from idealrank.comparison.types import CalibrationJson, EstimateJson
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Rule, gains_of
from idealrank.comparison.verdict.verdict import Verdict
from idealrank.data.judgments import Judgments
from idealrank.data.query_sample import QuerySample, read_sample
from idealrank.data.read import read_judgments
from idealrank.display.blocks import Block, Grid, Lines, TextColumn
from idealrank.display.numbers import number, number_text, percent, span_text
from idealrank.errors import DataError, UsageError, listed, option, plural, some
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.near_ids import match_spellings
from idealrank.statistics.calibration import Calibration, SampledDifferences, calibrate, queries_for
from idealrank.statistics.intervals import Interval

LEAST_SAMPLED = 20
"""Fewest queries that people judge: below, an interval of 95 % does not cover the truth in 95 % of cases."""

LEAST_DIFFERING = 10
"""Fewest of them with a difference: below, the spread is not known, as with RR, where most queries do not differ."""

PRECISION = 0.02
"""The half-width of an interval for which the number of queries is said."""


@dataclass(frozen=True)
class CalibratedDifference:
    """The difference of two systems by people on a sample of queries and a judge on all.

    Attributes
    ----------
    system, baseline, measure
        What is compared with what.
    judge
        Who judged all queries.
    target
        ``alike``: the mean of queries like these; ``these``: of these alone.
    level
        Level of the intervals.
    found
        The three estimates, and what the judge is worth.
    direction
        Whether more is better: a word of `idealrank.measures.definition.DIRECTION`.
    needed
        How many changed queries people must judge for ± 0.02; None if all are too few.
    """

    system: str
    baseline: str
    measure: str
    direction: str
    judge: str
    target: str
    level: float
    found: Calibration
    needed: int | None

    @property
    def gain(self) -> Interval:
        """The calibrated interval of the gain: of the difference, turned so that more is better."""
        low, high = self.found.calibrated.low, self.found.calibrated.high
        found = Interval(low, high, self.level, "prediction-powered inference, Student's t")
        return found.negated if self.direction == "lower" else found

    def to_dict(self) -> CalibrationJson:
        """Return everything as plain values."""
        found = self.found

        def estimate(name: str) -> EstimateJson:
            one = getattr(found, name)
            return {"difference": number(one.mean), "low": number(one.low), "high": number(one.high)}

        return {
            "judge": self.judge,
            "measure": self.measure,
            "target": "these" if self.target == "these" else "alike",
            "people": estimate("people"),
            "judge_alone": estimate("judge"),
            "calibrated": estimate("calibrated"),
            "weight": found.weight,
            "correlation": number(found.correlation),
            "saved": found.saved,
            "sampled": found.n,
            "queries": found.queries,
            "changed": found.changed,
            "queries_for_precision": self.needed,
        }

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the judge is worth, how many queries need people, and how many people would have to judge."""
        found = self.found
        worth = (
            f"This judge saves about {percent(round(found.saved, 2))} of the people's queries: its differences "
            f"correlate {found.correlation:.2f} with theirs."
            if found.saved > 0
            else "This judge saves nothing: its differences do not go with those of people."
        )
        same = found.queries - found.changed
        nobody = f"{plural(same, 'query')} of {found.queries:,} did not change and need nobody."
        enough = f"For ±{PRECISION:g} people would have to judge {plural(self.needed or 0, 'query')}."
        target = (
            f"The difference is the mean of these {found.queries:,} queries alone."
            if self.target == "these"
            else f"The difference is the mean of queries like these {found.queries:,}."
        )
        if self.needed is None:
            enough = (
                f"Not even all {found.changed:,} queries that changed, judged by people, would give ±{PRECISION:g}."
            )
        return (worth, *([nobody] if same else []), enough, target)

    @property
    def _settle(self) -> str:
        if self.needed is None:
            return (
                f"Add queries: not even all {self.found.changed:,} that changed, judged by people, give ±{PRECISION:g}"
            )
        if self.needed <= self.found.n:
            return "Let people judge more queries, drawn anew"
        return f"Let people judge {self.needed:,} queries, drawn anew, for ±{PRECISION:g}"

    def shown(self) -> list[Block]:
        """Return the three estimates beside each other, and what the judge is worth."""
        found = self.found
        rows = [
            ("people alone", found.people, f"{found.n:,}"),
            ("judge alone, not calibrated", found.judge, f"{found.queries:,}"),
            ("calibrated", found.calibrated, f"{found.n:,} and {found.queries:,}"),
        ]
        grid = Grid(
            [
                TextColumn(self.measure, [title for title, _, _ in rows], numeric=False),
                TextColumn("queries", [many for _, _, many in rows], numeric=True),
                TextColumn("difference", [number_text(one.mean, "+.4f") for _, one, _ in rows], numeric=True),
                TextColumn("interval", [span_text(one.low, one.high) for _, one, _ in rows], numeric=True),
            ],
            f"{self.system} instead of {self.baseline}, by people and {self.judge}",
        )
        return [grid, Lines([("judge", " ".join(self.sentences))])]

    def decide(self, said: Verdict, rule: Rule, contrasts: Sequence[Contrast]) -> Verdict:
        """Return the verdict by the calibrated difference in the place of that by people alone.

        Guardrails are read by people alone, from the sampled queries.
        """
        gains, names = gains_of(contrasts)
        outcome, reason = rule.outcome([self.gain, *gains[1:]], names)
        if said.outcome == CANT_TELL and said.warnings:
            outcome, reason = CANT_TELL, said.reason
        headlines = {
            SHIP: f"Ship {self.system}",
            DONT: f"Do not ship {self.system}",
            SAME: f"{self.system} and {self.baseline} are about the same",
            CANT_TELL: f"Not enough evidence to ship {self.system}",
        }
        by = f"by {self.judge}, calibrated on {plural(self.found.n, 'query')} that people judged"
        mean = self.found.calibrated
        change = (
            f"{self.system} scores {abs(mean.mean):.3f} {'higher' if mean.mean > 0 else 'lower'} than {self.baseline} "
            f"on {self.measure}, {by} ({percent(self.level)} interval {span_text(mean.low, mean.high)})."
        )
        settle = self._settle if outcome == CANT_TELL else ""
        return replace(
            said,
            outcome=outcome,
            headline=f"{headlines[outcome]}, {by}",
            summary=(change, self.sentences[0]),
            reason=reason,
            assumption="",
            unjudged="",
            holes="",
            settle=settle,
            steps=tuple(filter(None, (settle,))),
        )


def refuse_with_judge(options: Mapping[str, Any]) -> None:
    """Refuse options that a calibration does not read: it has one weight per query, and a plan of its own.

    Raises
    ------
    UsageError
        With the names of what is given.
    """
    given = [name for name in ("weights", "only", "hold_out", "looks") if options.get(name) is not None]
    if given:
        raise UsageError(
            f"{listed([option(name) for name in given])}: not with a judge that is calibrated on people, whose queries "
            "are those of the sample, each of which counts the same. Leave it out."
        )


@dataclass(frozen=True, eq=False)
class JudgedSample:
    """The judge's scores of all queries, and which of them people judged."""

    scores: Scores
    sample: QuerySample
    judge: str
    target: str


def read_judged_sample(
    judge: Any, sampled: Any, results: Any, measures: Any, options: Mapping[str, Any], target: str
) -> JudgedSample:
    """Read the sample, and evaluate all of its queries by the judge's grades, under the measure that decides.

    Raises
    ------
    UsageError
        If there is a judge without a sample, a sample without a judge, or no such target.
    DataError
        If the judge has no grades for some queries, or is several models, prompts or corpora.
    """
    _refuse_without_sample(judge, sampled, target)
    sample, grades = read_sample(sampled), read_judgments(judge)
    _refuse_several_judges(grades)
    scores = evaluate(grades, results, measures, **options)
    known = set(scores.queries)
    missing = [query for query in sample.queries if query not in known]
    if missing:
        raise DataError(
            f"{grades.name}: no grades for {plural(len(missing), 'query')} the sample was drawn from: {some(missing)}. "
            f"{_spelt_otherwise(missing, known)}The judge must judge every query, sampled or not; else what it says of "
            "the others is not known."
        )
    return JudgedSample(scores, sample, grades.name, target)


def _spelt_otherwise(missing: list[str], known: set[str]) -> str:
    """Say that queries are there under ids that differ in spelling only, as 7 and 007."""
    alike = match_spellings(missing, known)
    if alike is None:
        return ""
    how = f"{alike.many:,} of these {'differs' if alike.many == 1 else 'differ'} only in {alike.by}"
    return f"{how}: {alike.theirs!r} in the sample, {alike.ours!r} here. Write them alike. "


def _refuse_without_sample(judge: Any, sampled: Any, target: str) -> None:
    """Refuse a judge without a sample, a sample without a judge, and an unknown target."""
    if target not in ("alike", "these"):
        raise UsageError(f"{option('target', target)}: say alike (queries like these) or these (these alone).")
    if judge is not None and sampled is None:
        raise UsageError(
            "A judge is calibrated on queries that people judged, and only if these were drawn at random: say how, "
            f"{option('sampled', 'sample.csv')}, the file of idealrank sample. To compare by this judge alone, give "
            "its grades as the judgments."
        )
    if judge is None:
        raise UsageError(
            f"A sample needs {option('judge', 'cheap.csv')}, the grades of all queries. To compare by people alone, "
            "leave the sample out."
        )


def _refuse_several_judges(grades: Judgments) -> None:
    """Refuse grades of several judges: one calibration is of one model, prompt and corpus."""
    several = [name for name in grades.raters if name]
    if len(several) > 1:
        raise DataError(
            f"{grades.name}: grades of {len(several)} judges: {listed(several)}. A calibration is of one model with "
            "one prompt: errors of one say nothing about another. Give the grades of one."
        )
    frame = grades.source.frame
    for column in ("model", "prompt", "prompt_id", "prompt_version", "corpus", "template"):
        if column in frame.names:
            values = frame.column(frame.names.index(column)).distinct(3)
            if len(values) > 1:
                raise DataError(
                    f"{grades.name}: the column {column} has several values: {some(map(str, values))}. A calibration "
                    "is of one model with one prompt on one corpus. Give the grades of one."
                )


def calibrated_difference(people: Scores, by: JudgedSample, pair: Pair, rule: Rule) -> CalibratedDifference:
    """Estimate the difference of a pair of systems under the measure that decides.

    Raises
    ------
    DataError
        If people's judgments lack sampled queries, or too few of these differ.
    """
    sample, judged = by.sample, by.scores
    names = [people.systems[place] for place in pair]
    theirs = [judged.systems.index(name) for name in names]
    y, f = _differences(people, pair), _differences(judged, Pair(*theirs))
    of_people = np.array([y.get(query, math.nan) for query in sample.queries])
    of_judge = np.array([f.get(query, math.nan) for query in sample.queries])
    same = same_lists_by_query(judged, Pair(*theirs))
    unchanged = np.array([same.get(query, False) for query in sample.queries])
    drawn = sample.sampled & ~unchanged
    _refuse_missing(sample, drawn & np.isnan(of_people), "people's judgments")
    _refuse_missing(sample, ~unchanged & np.isnan(of_judge), f"grades of {by.judge}")
    differing = int((np.abs(of_people[drawn]) > 0).sum())
    if int(drawn.sum()) < LEAST_SAMPLED:
        raise DataError(
            f"{sample.name}: people judged {plural(int(drawn.sum()), 'sampled query')} in which the results changed, "
            f"and {LEAST_SAMPLED} is the least: below, intervals are wrong more often than they say. Sample more."
        )
    if differing < LEAST_DIFFERING:
        raise DataError(
            f"{sample.name}: {people.labels[0]} differs in {plural(differing, 'sampled query')}, and "
            f"{LEAST_DIFFERING} is the least: from so few the spread cannot be told. Sample more, or choose a measure "
            "that more results count for, such as nDCG@10."
        )
    found = SampledDifferences(of_judge, np.where(drawn, of_people, math.nan), drawn, sample.stratum_places, unchanged)
    result = calibrate(found, by.target, rule.level)
    needed = queries_for(found, PRECISION, by.target, rule.level)
    direction = people.measures[0].definition.properties.direction
    return CalibratedDifference(
        names[1], names[0], people.labels[0], direction, by.judge, by.target, rule.level, result, needed
    )


def _differences(scores: Scores, pair: Pair) -> dict[str, float]:
    values = scores.values[pair[1], 0] - scores.values[pair[0], 0]
    return {query: float(value) for query, value in zip(scores.queries, values, strict=True) if not math.isnan(value)}


def _refuse_missing(sample: QuerySample, missing: Any, what: str) -> None:
    lost = [query for query, gone in zip(sample.queries, missing, strict=True) if gone]
    if lost:
        raise DataError(
            f"{sample.name}: no {what} for {plural(len(lost), 'query')} that count: {some(lost)}. Judge them, or draw "
            "a sample without them: leaving them out would make it no random one."
        )
