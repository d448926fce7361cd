"""Whether labelling may stop: what missing labels can still make of a comparison, and what they likely make of it."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from idealrank.arrays import EQUAL, Floats, Ints, Mask
from idealrank.comparison.compare import default_equivalence
from idealrank.comparison.overlap import same_lists
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.unjudged.documents import dense_lists
from idealrank.comparison.unjudged.holes import MeasureUnjudged
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Outcome, Rule
from idealrank.display.numbers import percent
from idealrank.errors import plural
from idealrank.evaluation.scoring import QueryState
from idealrank.labels.grade_model import BOTH, FIRST, SECOND, GradeModel
from idealrank.measures.definition import Measure
from idealrank.statistics.draws import stream
from idealrank.statistics.interval_range import IntervalRange, interval_range
from idealrank.statistics.intervals import student_t
from idealrank.statistics.sample import make_sample

LEAST_LABELLED = 0.1
"""Share of the documents that must be labelled before draws may say that labelling can stop."""

LAST_LABELS, LOOKS_BACK = 0.025, 5
"""The outcome must have been likely throughout the last labels, this share of the documents, at so many looks."""

MODELLED = ("nDCG", "DCG", "P")
"""Measures in which a document's label counts by itself: for others it was not measured how often draws are wrong."""


class MeasuredError(NamedTuple):
    """How often stopping where the outcome was likely, at the level 0.95 and in the order weight, was wrong.

    Attributes
    ----------
    wrong
        How many of the stops had another outcome than that of all labels.
    stops
        How many stops there were.
    low, high
        The 95 % interval of their share (Clopper and Pearson).
    """

    wrong: int
    stops: int
    low: float
    high: float


ERROR_MEASURED = MeasuredError(wrong=0, stops=54, low=0.0, high=0.0660)
"""Of simulated comparisons, with a look after every label: `python -m tests.calibration.stopping` measures it."""

ERROR_CROSSING = MeasuredError(wrong=2, stops=60, low=0.0041, high=0.1153)
"""Where one system is better in the first ranks and the other below: `… stopping 60 crossing` measures it."""

ERROR_DECIDED = MeasuredError(wrong=2, stops=13, low=0.0192, high=0.4545)
"""Of both, the stops at another outcome than CAN'T TELL."""


def describe_measured_error() -> str:
    """Return how often stopping was wrong, as the end of a sentence."""
    whole, decided, crossing = ERROR_MEASURED, ERROR_DECIDED, ERROR_CROSSING
    return (
        f"of {whole.stops:,} simulated stops at 95%, with a look after every label, {whole.wrong} were wrong (95% "
        f"interval {percent(whole.low)} to {percent(whole.high)}), and {crossing.wrong} of {crossing.stops} where one "
        f"system is better at the top and the other below; of the {decided.stops} that came to another outcome than "
        f"{CANT_TELL}, {decided.wrong}"
    )


class Certainty(NamedTuple):
    """The outcome that no missing label can change; "" where one can, or it is not known (`why`)."""

    outcome: Outcome | str
    why: str = ""


class Likelihood(NamedTuple):
    """The outcome that most draws of the missing labels come to, and the share of them; "" where none are drawn.

    `throughout` is whether it was as likely before the last labels were given.
    """

    outcome: Outcome | str
    agree: float
    why: str = ""
    throughout: bool = True


@dataclass(frozen=True, eq=False)
class OpenComparison:
    """Two systems, some of whose documents have no label yet, and the rule that makes an outcome of labels.

    The outcome is the rule's, of Student's interval of the mean difference over the queries: without guardrails, and
    without the doubts that a verdict has besides.

    Attributes
    ----------
    pairing
        The scores of both.
    unjudged
        The documents without a label.
    rule
        Its equivalence is read only if `equivalence` is None.
    equivalence
        As for `compare`: None stands for its default, which depends on the means, so on labels.
    """

    pairing: Pairing
    unjudged: MeasureUnjudged
    rule: Rule
    equivalence: float | None

    @property
    def measure(self) -> Measure:
        """The measure that decides."""
        return self.pairing.scores.measures[0]

    @functools.cached_property
    def counting(self) -> Mask:
        """(Q,) the queries that count, or would with a label: of one that a system has no value for, no label helps."""
        scores = self.pairing.scores
        gone = np.isin(scores.states[:, 0], (QueryState.SKIPPED_NO_RESULTS, QueryState.SKIPPED_FAILED)).any(axis=0)
        return self.pairing.with_weight(scores.in_scope & ~gone)

    @functools.cached_property
    def open(self) -> Mask:
        """(N,) the documents without a label whose query counts."""
        mask: Mask = self.counting[self.unjudged.query]
        return mask

    @functools.cached_property
    def labelled_alone(self) -> tuple[float, float]:
        """Of the documents that only the first returned, and only the second, the share with a label; 1 for none."""
        both = self.unjudged.rank[list(self.pairing.pairs[0])] > 0
        open_alone = [int((self.open & both[side] & ~both[1 - side]).sum()) for side in (0, 1)]
        known = [int((self.labelled[1] == group).sum()) for group in (FIRST, SECOND)]
        first, second = (k / (k + o) if k + o else 1.0 for k, o in zip(known, open_alone, strict=True))
        return first, second

    @functools.cached_property
    def labelled(self) -> tuple[Ints, Ints, Ints, Floats]:
        """(L,) query, class, best rank and grade of each labelled document in the first k of either list."""
        lists = [dense_lists(join, self.measure) for join in self.pairing.scores.joins]
        k = self.measure.cutoff or np.inf
        found = [np.flatnonzero((each.entry >= 0) & ~np.isnan(each.grade) & (each.rank <= k)) for each in lists]
        entry = np.concatenate([each.entry[at] for each, at in zip(lists, found, strict=True)])
        query = np.concatenate([each.query[at] for each, at in zip(lists, found, strict=True)])
        grade = np.concatenate([each.grade[at] for each, at in zip(lists, found, strict=True)])
        rank = np.concatenate([each.rank[at] for each, at in zip(lists, found, strict=True)])
        side = np.repeat([1, 2], [len(at) for at in found])
        _, first, inverse = np.unique(entry, return_index=True, return_inverse=True)
        group = np.array([BOTH, FIRST, SECOND, BOTH])[np.bincount(inverse, side, minlength=len(first)).astype(np.int64)]
        best = np.full(len(first), np.iinfo(np.int64).max)
        np.minimum.at(best, inverse, rank)
        counts = self.counting[query[first]]
        return query[first][counts], group[counts], best[counts], grade[first][counts]

    @property
    def labelled_share(self) -> float:
        """Which share of the documents in the first k of either list has a label; 1 where there are none."""
        labelled, left = len(self.labelled[0]), int(self.open.sum())
        return labelled / (labelled + left) if labelled + left else 1.0

    def outcome(self, values: Floats) -> Outcome:
        """Return the outcome of the values (2, Q) of both systems."""
        scores = self.pairing.scores
        values = np.where(self.counting, values, np.nan)
        difference = values[1] - values[0]
        difference = np.where(np.abs(difference) <= EQUAL, 0.0, difference)
        kept = np.flatnonzero(self.pairing.with_weight(~np.isnan(difference)))
        if not len(kept):
            return CANT_TELL
        sample = make_sample(difference[kept], self.pairing.weights_of(kept))
        interval = student_t(sample, self.rule.level, 0, 0)
        means = [scores.average(s, self.measure, of_system) for s, of_system in enumerate(values)]
        gain = interval.negated if self._is_lower_better else interval
        return self._rule_of(means).outcome([gain], [self.measure.name], self._has_same_lists)[0]

    @property
    def now(self) -> Outcome:
        """The outcome if every document without a label has grade 0, as `compare` counts them."""
        return self.outcome(self.pairing.scores.values[:, 0])

    @property
    def _is_lower_better(self) -> bool:
        return self.measure.definition.properties.direction == "lower"

    @functools.cached_property
    def _has_same_lists(self) -> bool:
        return same_lists(self.pairing.scores, self.pairing.pairs[0])

    def _rule_of(self, means: Sequence[float]) -> Rule:
        if self.equivalence is not None:
            return replace(self.rule, equivalence=self.equivalence)
        known = [mean for mean in means if np.isfinite(mean)]
        return replace(self.rule, equivalence=default_equivalence(self.measure, known, self.rule))

    def certain(self) -> Certainty:
        """Return the outcome that no missing label can change, if there is one."""
        if not self.open.any() or self._has_same_lists:
            return Certainty(self.now)
        pairing, pair = self.pairing, self.pairing.pairs[0]
        if pairing.weights is not None:
            return Certainty("", "what missing labels can do to an interval is not worked out for weighted queries")
        bounds = self.unjudged.difference(*pair)
        if bounds.kind == "unknown":
            return Certainty("", bounds.why)
        paired = pairing.paired(pair, 0)
        returning = int(np.sum(np.bincount(self.unjudged.query[self.open], minlength=len(paired))[~paired] > 0))
        if returning:
            return Certainty("", f"a label may bring back {plural(returning, 'query')} without a value")
        if paired.sum() < 2:
            return Certainty("", "one query has no interval")
        found = interval_range(bounds.low[paired], bounds.high[paired], self.rule.level)
        return Certainty(self._outcome_of_range(found.negated if self._is_lower_better else found))

    def _outcome_of_range(self, gain: IntervalRange) -> Outcome | str:
        """Return what the rule says of every interval whose ends are in a range; "" if that is not one outcome."""
        bar = self.rule.bar
        if gain.low_least > bar:
            return SHIP
        if gain.high_most < bar:
            return DONT
        if gain.low_most > bar or gain.high_least < bar:
            return ""
        least, most = self._equivalence_range()
        if max(-gain.low_least, gain.high_most) <= least:
            return SAME
        return CANT_TELL if max(-gain.low_most, gain.high_least) > most else ""

    def _equivalence_range(self) -> tuple[float, float]:
        """Return the least and the largest equivalence that missing labels allow."""
        each = [self.unjudged.bounds(s) for s in self.pairing.pairs[0]]
        average, scope = self.pairing.scores.average, self.pairing.scores.in_scope
        low, high = (
            [average(s, self.measure, np.where(scope, ends, np.nan)) for s, ends in enumerate(of_all)]
            for of_all in ([one.low for one in each], [one.high for one in each])
        )
        # The default grows with the best mean; a mean that may be below zero may also be 0.
        smallest = low if min(low) >= 0 else [0.0]
        return self._rule_of(smallest).equivalence, self._rule_of([*low, *high]).equivalence

    def likely(self, draws: int, seed: int) -> Likelihood:
        """Draw the missing labels, and return the outcome that most draws come to."""
        if not self.open.any():
            return Likelihood(self.now, 1.0)
        why = self._why_not_drawn()
        if why:
            return Likelihood("", np.nan, why)
        model, rng = self._model(), stream(seed, "label_next")
        found = Counter(self.outcome(self.unjudged.filled(model.draw(rng))) for _ in range(draws))
        outcomes: tuple[Outcome, ...] = (SHIP, DONT, SAME, CANT_TELL)
        outcome = max(outcomes, key=found.__getitem__)
        return Likelihood(outcome, found[outcome] / draws)

    def _why_not_drawn(self) -> str:
        name, under = self.measure.definition.name, self.measure.on_lists
        if name not in MODELLED:
            return (
                f"labels are not drawn for {self.measure.name}, in which a grade counts by the grades above it, as it "
                f"is not known how often they would be wrong; they are for {', '.join(MODELLED)} with a cutoff"
            )
        if under.unjudged != "zero":
            return f"labels are drawn only where unjudged results count as grade 0, not with unjudged={under.unjudged}"
        if not len(self.labelled[0]):
            return "no document in the first ranks has a label yet"
        return self.unjudged.facts.why_no_rates(self.measure)

    def _model(self) -> GradeModel:
        query, group, rank, grade = self.labelled
        scale, k = self.unjudged.scale, self.measure.cutoff or np.inf
        inside = (self.unjudged.rank > 0) & (self.unjudged.rank <= k)
        return GradeModel(
            size=len(self.unjudged.queries),
            grades=scale,
            query=query,
            group=group,
            rank=rank,
            # A grade that is not of the scale, such as one below zero that counts as 0, is the nearest below it.
            grade=np.clip(np.searchsorted(scale, grade, side="right") - 1, 0, len(scale) - 1),
            open_query=self.unjudged.query,
            open_group=np.where(inside.all(axis=0), BOTH, np.where(inside[0], FIRST, SECOND)),
            open_rank=self.unjudged.best_rank,
        )
