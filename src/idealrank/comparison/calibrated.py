"""A comparison by a cheap judge, calibrated on people: people on a random sample of queries, the judge on all."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Ints, Mask
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.overlap import same_lists_by_query
from idealrank.comparison.pairing import Pair, Pairing
from idealrank.comparison.types import ESTIMATES, CalibrationJson, EstimateJson
from idealrank.comparison.unjudged.buckets import UnjudgedResults
from idealrank.comparison.unjudged.documents import dense_lists
from idealrank.comparison.unjudged.evidence import UnjudgedEvidence
from idealrank.comparison.unjudged.holes import MeasureUnjudged
from idealrank.comparison.verdict.assumptions import FEW, SKEWED, STRICT, assumption_doubt, doubt_of_gap
from idealrank.comparison.verdict.reasons import Step, judging_step
from idealrank.comparison.verdict.rule import DONT, SHIP, Outcome, Rule
from idealrank.data.judgments import Judgments
from idealrank.data.query_sample import QuerySample, read_sample
from idealrank.data.read import read_judgments
from idealrank.display.blocks import Block, Grid, Lines, TextColumn
from idealrank.display.document import Shown
from idealrank.display.numbers import count, number, number_text, percent, span_text
from idealrank.errors import DataError, UsageError, listed, option, plural, some
from idealrank.evaluation.evaluate import evaluate
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.summary import MUCH
from idealrank.judged_lists.near_ids import match_spellings
from idealrank.statistics.agreement import COPIED, LEAST_SHARED_OF_COPY
from idealrank.statistics.calibration import TARGETS, Calibration, SampledDifferences, calibrate, queries_for
from idealrank.statistics.draws import sample_chances
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import skewed_end

LEAST_SAMPLED = 20
"""Fewest queries that people judge: below, an interval of 95 % does not cover the truth in 95 % of cases."""

LEAST_DIFFERING = 10
"""Fewest of them with a difference: below, the spread is not known, as with RR, where most queries do not differ."""

FAR_APART = 3.0
"""So many standard errors apart, the shares of queries with results the judge did not grade are no chance."""

PRECISION = 0.02
"""The half-width of an interval for which the number of queries is said."""


class UnjudgedInSample(NamedTuple):
    """Results of sampled queries that people did not judge, and what their grades could make of the interval.

    Attributes
    ----------
    results
        How many there are, in the queries in which the results changed.
    queries
        Which queries have them, those with the most first.
    low, high
        What the calibrated interval can reach at either end; infinite where no bounds are known.
    """

    results: int
    queries: tuple[str, ...]
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class CalibratedDifference(Shown):
    """The difference of two systems by people on a sample of queries and a judge on all.

    Attributes
    ----------
    system, baseline, measure
        What is compared with what.
    level
        Level of the intervals, of those of all pairs together.
    found
        The three estimates, and what the judge is worth.
    direction
        Whether more is better: a word of `idealrank.measures.definition.DIRECTION`.
    needed
        How many changed queries people must judge for ± 0.02; None if all are too few.
    unjudged
        Results of sampled queries that people did not judge.
    ungraded
        How many results of changed queries the judge gave no grade, so that they count as unjudged ones.
    by
        What was read for it: the judge's grades of all queries, and the sample.
    """

    system: str
    baseline: str
    measure: str
    direction: str
    level: float
    found: Calibration
    needed: int | None
    unjudged: UnjudgedInSample
    ungraded: int
    by: JudgedSample = field(compare=False)

    @property
    def judge(self) -> str:
        """Who judged all queries."""
        return self.by.judge

    @property
    def target(self) -> str:
        """``alike``: the mean of queries like these; ``these``: of these alone."""
        return self.by.target

    @property
    def gain(self) -> Interval:
        """The calibrated interval of the gain: of the difference, turned so that more is better."""
        return self._gain(self.found.calibrated.low, self.found.calibrated.high)

    @property
    def worst_gain(self) -> Interval:
        """The same for whatever grades of the results that people left unjudged in sampled queries."""
        return self._gain(self.unjudged.low, self.unjudged.high)

    def _gain(self, low: float, high: float) -> Interval:
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
            "unjudged": {
                "results": self.unjudged.results,
                "queries": list(self.unjudged.queries),
                "low": number(self.unjudged.low),
                "high": number(self.unjudged.high),
            },
            "ungraded": self.ungraded,
        }

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the judge is worth, what was not judged, who needs nobody, and how many people would have to judge."""
        return (self._worth, *self._not_judged, *self.other_sentences)

    @property
    def other_sentences(self) -> tuple[str, ...]:
        """The sentences that the summary of the verdict does not have."""
        found = self.found
        same = found.queries - found.changed
        nobody = f"{plural(same, 'query')} of {found.queries:,} did not change and need nobody."
        enough = (
            f"Not even all {found.changed:,} queries that changed, judged by people, would give ±{PRECISION:g}."
            if self.needed is None
            else f"For ±{PRECISION:g} people would have to judge about {plural(self.needed, 'query')}."
        )
        half = (found.calibrated.high - found.calibrated.low) / 2
        enough = f"The calibrated interval is ±{half:.3f} now. {enough}"
        target = (
            f"The difference is the mean of these {found.queries:,} queries alone."
            if self.target == "these"
            else f"The difference is the mean of queries like these {found.queries:,}."
        )
        return (*([nobody] if same else []), enough, target)

    @property
    def _worth(self) -> str:
        found = self.found
        if not found.saved > 0:
            return "This judge saves nothing: its differences do not go with those of people."
        alone = found.n / (1 - found.saved) if found.saved < 1 else math.inf
        instead = f": people alone would need about {count(alone)} for as narrow an interval" if alone < 1e6 else ""
        saved = f"This judge saves about {percent(round(found.saved, 2))} of the people's queries"
        return f"{saved}{instead}. Its differences correlate {found.correlation:.2f} with theirs."

    @property
    def _not_judged(self) -> list[str]:
        """Say how many results people and the judge left open."""
        left, texts = self.unjudged, []
        if left.results:
            where = plural(len(left.queries), "sampled query")
            ends = (
                f"for any of their grades, the calibrated interval stays within about {span_text(left.low, left.high)}"
                if math.isfinite(left.high - left.low)
                else f"what these could do to {self.measure} is not known"
            )
            texts.append(f"People left {plural(left.results, 'result')} of {where} unjudged: {ends}.")
        if self.ungraded:
            texts.append(
                f"The judge gave no grade to {plural(self.ungraded, 'result')}, unjudged in its differences. It saves "
                "less for that, and the interval holds only if the judge was asked for missing grades again in all "
                "queries, or in none."
            )
        return texts

    @property
    def more_people(self) -> Step:
        """The step of letting more people judge."""
        if self.needed is None:
            every = f"not even all {self.found.changed:,} that changed, judged by people, give ±{PRECISION:g}"
            return Step("judge queries", f"Add queries: {every}")
        if self.needed <= self.found.n:
            return Step("judge queries", "Let people judge more queries, drawn anew")
        return Step("judge queries", f"Let people judge {self.needed:,} queries, drawn anew, for ±{PRECISION:g}")

    def shown(self) -> list[Block]:
        """Return the three estimates beside each other, and what the judge is worth."""
        return [self.grid, Lines([("judge", " ".join(self.sentences))])]

    def shown_in_brief(self) -> list[Block]:
        """Return the same without what the summary of the verdict says."""
        return [self.grid, Lines([("sample", " ".join(self.other_sentences))])]

    @property
    def grid(self) -> Grid:
        """The three estimates beside each other."""
        found = self.found
        rows = [
            (ESTIMATES["people"], found.people, f"{found.n:,}"),
            (ESTIMATES["judge_alone"], found.judge, f"{found.queries:,}"),
            (ESTIMATES["calibrated"], found.calibrated, f"{found.n:,} and {found.queries:,}"),
        ]
        return Grid(
            [
                TextColumn(self.measure, [title for title, _, _ in rows], numeric=False),
                TextColumn("queries", [many for _, _, many in rows], numeric=True),
                TextColumn("difference", [number_text(one.mean, "+.4f") for _, one, _ in rows], numeric=True),
                TextColumn("interval", [span_text(one.low, one.high) for _, one, _ in rows], numeric=True),
            ],
            f"{self.system} instead of {self.baseline}, by people and {self.judge}",
            note=self._unchanged_note,
        )

    @property
    def _unchanged_note(self) -> str:
        """Say what the estimates count that a mean of the sampled queries does not."""
        same = self.found.queries - self.found.changed
        return f"Each counts the {plural(same, 'query')} that did not change as 0." if same else ""

    @property
    def judged_by(self) -> str:
        """By whom the difference is, in a clause."""
        return f"by {self.judge}, calibrated on {plural(self.found.n, 'query')} that people judged"

    @property
    def summary(self) -> tuple[str, str]:
        """The change with its interval, and what the judge is worth."""
        mean = self.found.calibrated
        change = (
            f"{self.system} scores {abs(mean.mean):.3f} {'higher' if mean.mean > 0 else 'lower'} than {self.baseline} "
            f"on {self.measure}, {self.judged_by} ({percent(self.level)} interval {span_text(mean.low, mean.high)})."
        )
        return change, self._worth

    def assumption(self, outcome: Outcome, first: Contrast, rule: Rule) -> str:
        """Say what a SHIP rests on, and what people and the judge left open."""
        return " ".join([*self._rests_on(outcome, first, rule), *self._not_judged]).rstrip(".")

    def doubt_shape(self, outcome: Outcome, rule: Rule, first: Contrast) -> str:
        """Say what in the differences that people saw speaks against the outcome; "" for nothing.

        As for people alone, but of the calibrated mean: its interval corrected for the skewness of what is left of
        people's differences, and what no sampled query may have shown, in the stricter form: a judge that does not see
        rare losses narrows the interval, and only the sampled queries tell of them.
        """
        if outcome not in (SHIP, DONT):
            return assumption_doubt(outcome, first, rule)
        side, found, gain = (1 if outcome == SHIP else -1), self.found, self.gain
        gap = side * (self._sign * found.calibrated.mean - rule.bar)
        if gap <= 0:
            return ""  # a guardrail decides
        error, wide = found.calibrated.error, (gain.high - gain.low) / 2
        end = gap
        if error > 0:
            end = gap - skewed_end(wide / error, side * self._sign * found.skewness, found.n) * error
        return doubt_of_gap(first, rule, side, gap, end, found.changed / found.queries, enough=STRICT)

    def _rests_on(self, outcome: Outcome, first: Contrast, rule: Rule) -> Iterator[str]:
        """Say what a SHIP rests on, as that by people alone does.

        Nothing where people's differences alone say so without any assumption. Their interval is of the sampled
        queries; where only changed ones were drawn, the mean of all is their share of it.
        """
        found, free = self.found, first.unassuming
        few, skewed = found.n < FEW, self._sign * found.skewness <= -SKEWED
        if outcome != SHIP or not (few or skewed):
            return
        if free is not None and min(free.low, free.low * found.changed / found.queries) > rule.bar:
            return
        why = f"the {plural(found.n, 'query')} that people judged" if few else "skewed differences"
        yield f"This rests on {why} having shown how much a query can lose."

    @property
    def _sign(self) -> int:
        """Turns a difference so that more is better."""
        return -1 if self.direction == "lower" else 1

    def judging_step(self, evidence: UnjudgedEvidence) -> Step:
        """Return the step of judging what is unjudged in the sampled queries."""
        many = self.unjudged.results or max(each.count for each in evidence.ranges)
        return judging_step(
            f"Judge the {plural(many, 'unjudged result')} of the sampled queries", self.unjudged.queries[:3]
        )

    def rule_text(self, rule: Rule, names: Sequence[str]) -> str:
        """Write the rule: what it says of unjudged results is not what is done here."""
        same = "the verdict must be the same for any grades of the unjudged results of sampled queries"
        guards = "; guardrails are read by people alone, with estimated grades of unjudged results" if names[1:] else ""
        together = "of several systems together by Bonferroni"
        by = f"prediction-powered inference with a tuned weight and Student's t; {together}"
        return f"{rule.cases(names)}; the interval is the calibrated one ({by}); {same}{guards}"


def refuse_with_judge(options: Mapping[str, Any]) -> None:
    """Refuse options that a calibration does not read: it has one weight per query, and a plan of its own.

    Raises
    ------
    UsageError
        With the names of what is given.
    """
    if options.get("holes") is not None:
        raise UsageError(
            f"{option('holes', 'worst_case')}: not with a judge that is calibrated on people, where the verdict must "
            "be the same for any grades of unjudged results. Leave it out."
        )
    if (interval := options.get("interval")) is not None:
        raise UsageError(
            f"{option('interval', interval)}: not with a judge that is calibrated on people, whose interval is "
            "Student's t. Leave it out."
        )
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
    if sample.seed is not None:
        sample.refuse_other_draw(sample_chances(sample.queries, sample.seed))
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
    return JudgedSample(scores, sample, os.path.basename(grades.name), target)


def _spelt_otherwise(missing: list[str], known: set[str]) -> str:
    """Say that queries are there under ids that differ in spelling only, as 7 and 007."""
    alike = match_spellings(missing, known)
    if alike is None:
        return ""
    how = f"{alike.many:,} of these {'differs' if alike.many == 1 else 'differ'} only in {alike.by}"
    return f"{how}: {alike.theirs!r} in the sample, {alike.ours!r} here. Write them alike. "


def _refuse_without_sample(judge: Any, sampled: Any, target: str) -> None:
    """Refuse a judge without a sample, a sample without a judge, and an unknown target."""
    if target not in TARGETS:
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


def calibrated_differences(
    pairing: Pairing, by: JudgedSample, rule: Rule, unjudged: UnjudgedResults, correction: str
) -> dict[Pair, CalibratedDifference]:
    """Estimate the difference of each pair of systems under the measure that decides.

    Intervals of several pairs contain all differences together at the level of the rule (Bonferroni), unless the
    correction is ``none``.

    Parameters
    ----------
    unjudged
        The results that people did not judge.

    Raises
    ------
    UsageError
        If several systems have no baseline.
    DataError
        If people's judgments lack sampled queries, too few of these differ, or the judge left too much ungraded.
    """
    if not pairing.baseline:
        raise UsageError(
            f"{plural(len(pairing.scores.systems), 'system')} and no baseline: with a judge, each is compared with "
            f"one. Name it: {option('baseline', pairing.scores.systems[0])}."
        )
    many = 1 if correction == "none" else len(pairing.pairs)
    alone = 1 - (1 - rule.level) / many
    return {
        pair: _calibrated_difference(pairing.scores, by, pair, (rule.level, alone), unjudged) for pair in pairing.pairs
    }


def _calibrated_difference(
    people: Scores, by: JudgedSample, pair: Pair, levels: tuple[float, float], unjudged: UnjudgedResults
) -> CalibratedDifference:
    """Estimate the difference of a pair of systems under the measure that decides.

    Parameters
    ----------
    levels
        Of all intervals together, and of this alone.
    unjudged
        The results that people did not judge.

    Raises
    ------
    DataError
        If people's judgments lack sampled queries, too few of these differ, or the judge left too much ungraded.
    """
    sample, judged = by.sample, by.scores
    names = [people.systems[place] for place in pair]
    theirs = [judged.systems.index(name) for name in names]
    y, f = _differences(people, pair), _differences(judged, Pair(*theirs))
    of_people = np.array([y.get(query, math.nan) for query in sample.queries])
    of_judge = np.array([f.get(query, math.nan) for query in sample.queries])
    same = same_lists_by_query(judged, Pair(*theirs))
    unchanged = np.array([same.get(query, False) for query in sample.queries])
    sample.refuse_other_lists(unchanged, names[0], names[1])
    drawn = sample.sampled & ~unchanged
    _refuse_missing(sample, drawn & np.isnan(of_people), f"value of {people.labels[0]} by people's judgments")
    _refuse_missing(sample, ~unchanged & np.isnan(of_judge), f"value of {people.labels[0]} by {by.judge}")
    ungraded = _count_ungraded(by, Pair(*theirs), unchanged)
    _refuse_people_as_judge(people, by, pair, Pair(*theirs))
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
    level, alone = levels
    result = calibrate(found, by.target, alone)
    needed = queries_for(found, PRECISION, by.target, alone)
    direction = people.measures[0].definition.properties.direction
    left = _unjudged_in_sample(people, pair, unjudged, sample, found, (by.target, alone))
    return CalibratedDifference(
        names[1], names[0], people.labels[0], direction, level, result, needed, left, ungraded, by
    )


def _count_ungraded(by: JudgedSample, pair: Pair, unchanged: Mask) -> int:
    """Count the results of changed queries that the judge gave no grade; refuse a judge with many of them.

    A judge that fails on some results is a judge that is a little worse: its differences stay the same function of the
    query, sampled or not. One that fails on many is another than the one that was meant.
    """
    share = unjudged_share(by.scores, pair, by.scores.measures[0].cutoff or 10)
    if share > MUCH:
        raise DataError(
            f"{by.judge}: no grade for {percent(round(share, 2))} of the results of {by.scores.systems[pair.baseline]} "
            f"and {by.scores.systems[pair.system]}, and a fifth is the most. The judge must grade what both systems "
            "return for every query, down to the cutoff of the measure."
        )
    counts = _unjudged_by_query(UnjudgedResults(by.scores))
    many = np.array([counts.get(query, 0) for query in by.sample.queries])
    _refuse_other_judge(by, many[~unchanged] > 0, by.sample.sampled[~unchanged])
    return int(many[~unchanged].sum())


def _refuse_other_judge(by: JudgedSample, lacking: Mask, sampled: Mask) -> None:
    """Refuse a judge that lacks grades in sampled queries far more or less often than in the others.

    Then its differences are not the same function of the query in both, as where failures were asked again for the
    sample alone, and what it says of the others is no guide to what people would. Two proportions of queries, by the
    normal distribution.
    """
    inside, outside = lacking[sampled], lacking[~sampled]
    if not len(inside) or not len(outside):
        return
    share = lacking.mean()
    error = math.sqrt(share * (1 - share) * (1 / len(inside) + 1 / len(outside)))
    if error and abs(inside.mean() - outside.mean()) > FAR_APART * error:
        raise DataError(
            f"{by.judge}: results without a grade in {int(inside.sum()):,} of {plural(len(inside), 'sampled query')}, "
            f"and in {int(outside.sum()):,} of {len(outside):,} others: that is not one judge for both. Ask it again "
            "for what is missing in all queries."
        )


def _refuse_people_as_judge(people: Scores, by: JudgedSample, pair: Pair, theirs: Pair) -> None:
    """Refuse a judge whose grades of the sampled queries are people's own, and people among whom the judge is.

    Then the judge is exact in the sample and not outside, and the interval claims what nobody knows.
    """
    both = set(people.joins[0].judgments.raters) & set(by.scores.joins[0].judgments.raters) - {""}
    if both:
        raise DataError(
            f"{by.judge}: {listed(sorted(both))} is the judge, and among the raters of "
            f"{people.joins[0].judgments.name}, who are to be people. Leave it out there."
        )
    drawn = set(by.sample.drawn)
    of_people, of_judge = _grades_shown(people, pair, drawn), _grades_shown(by.scores, theirs, drawn)
    shared = of_people.keys() & of_judge.keys()
    same = sum(of_people[key] == of_judge[key] for key in shared)
    varied = len({of_people[key] for key in shared}) > 1
    if len(shared) >= LEAST_SHARED_OF_COPY and same >= COPIED * len(shared) and varied:
        raise DataError(
            f"{by.judge}: its grades of the sampled queries are people's own ({same:,} of {len(shared):,} are equal). "
            "The judge must have graded them by itself, as it did the others: give its own grades."
        )


def _grades_shown(scores: Scores, pair: Pair, drawn: set[str]) -> dict[tuple[int, str, int], float]:
    """Return the grades of the first results of both systems, by system, query and rank."""
    measure = scores.measures[0]
    grades: dict[tuple[int, str, int], float] = {}
    for side, s in enumerate(pair):
        lists, queries = dense_lists(scores.joins[s], measure), scores.queries
        kept = ~np.isnan(lists.grade) & (lists.rank <= (measure.cutoff or 10))
        rows = zip(lists.query[kept].tolist(), lists.rank[kept].tolist(), lists.grade[kept].tolist(), strict=True)
        grades |= {(side, queries[q], rank): grade for q, rank, grade in rows if queries[q] in drawn}
    return grades


def _unjudged_by_query(unjudged: UnjudgedResults) -> dict[str, int]:
    """Return how many unjudged results each query has, of all systems, as far as the deciding measure reads."""
    queries = unjudged.scores.queries
    pieces = unjudged.map_buckets(_totals)
    return {queries[q]: int(many) for at, totals in pieces for q, many in zip(at.tolist(), totals, strict=True)}


def _totals(by_measure: Sequence[MeasureUnjudged]) -> Ints:
    return by_measure[0].total


def _unjudged_in_sample(
    people: Scores,
    pair: Pair,
    unjudged: UnjudgedResults,
    sample: QuerySample,
    found: SampledDifferences,
    how: tuple[str, float],
) -> UnjudgedInSample:
    """Find what the results that people left unjudged could make of the calibrated interval.

    Its ends with all differences of the sampled queries at their lowest, all at their highest, and each as far from
    the mean as it can be, where the spread is widest.
    """
    counts = _unjudged_by_query(unjudged)
    queries = np.array(sample.queries, object)[found.sampled]
    many = np.array([counts.get(query, 0) for query in queries])
    order = np.argsort(-many, kind="stable")
    named = tuple(queries[order[many[order] > 0]])
    if not named:
        now = calibrate(found, *how).calibrated
        return UnjudgedInSample(0, (), now.low, now.high)
    bounds = unjudged.difference_bounds(0, (pair,))[pair]
    if bounds.kind == "unknown":
        return UnjudgedInSample(int(many.sum()), named, -math.inf, math.inf)
    place = {query: q for q, query in enumerate(people.queries)}
    at = np.array([place[query] for query in queries])
    low, high = bounds.low[at], bounds.high[at]
    mean = found.people[found.sampled].mean()
    ends = [found.people[found.sampled], low, high, np.where(high - mean > mean - low, high, low)]
    spans = []
    for end in ends:
        of_people = found.people.copy()
        of_people[found.sampled] = end
        spans.append(calibrate(found._replace(people=of_people), *how).calibrated)
    return UnjudgedInSample(int(many.sum()), named, min(span.low for span in spans), max(span.high for span in spans))


def _differences(scores: Scores, pair: Pair) -> dict[str, float]:
    values = scores.values[pair[1], 0] - scores.values[pair[0], 0]
    return {query: float(value) for query, value in zip(scores.queries, values, strict=True) if not math.isnan(value)}


def _refuse_missing(sample: QuerySample, missing: Any, what: str) -> None:
    lost = [query for query, gone in zip(sample.queries, missing, strict=True) if gone]
    if lost:
        raise DataError(
            f"{sample.name}: no {what} for {plural(len(lost), 'query')} of it: {some(lost)}. Judge what both systems "
            "return for them, or draw a sample without them: leaving them out would make it no random one."
        )
