"""Segments: what changes where; the table of all segments, and the few that explain most of the change."""

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from idealrank.arrays import EQUAL, Floats, Ints, Mask, exact_sum
from idealrank.comparison.contrasts import Methods
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.segments.attributes import Attribute, attributes, results_attribute
from idealrank.comparison.types import SEGMENT_ROW
from idealrank.display.blocks import SHOWN_ROWS, Block, Grid, Lines, TextColumn
from idealrank.display.columns import STATED
from idealrank.display.document import Described, Shown
from idealrank.display.numbers import difference_column, number_text, p_text, span_text
from idealrank.display.schema import Named, OrNull, Share, Shared
from idealrank.display.table import Table
from idealrank.errors import plural
from idealrank.evaluation.values import difference_bounds
from idealrank.statistics.corrections import benjamini_hochberg
from idealrank.statistics.draws import CLOSE, chunks, stream
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import Sample, make_sample

MOST_EXPLAINED = 10
"""Pairs of systems explained in text: each takes seconds if there are many queries."""

NO_SEGMENTS = (
    "none: nothing known about the queries tells them apart. Give a table of queries with their texts, frequencies or "
    "other columns."
)


@dataclass(frozen=True)
class ExplainingSegments(Described):
    """The smallest set of segments that contains most of a change.

    Attributes
    ----------
    segments
        ``attribute=value``, the one with the largest contribution first; empty where nothing can be named.
    queries
        How many queries they contain together.
    share, share_of_change
        Their share of the weight (without weights, of the queries) and of the difference of all.
    p
        Corrected p of the least certain of them; NaN where none is named.
    sentence
        The same in words, or why nothing is named.
    """

    segments: Annotated[
        tuple[str, ...], "The segments as attribute=value, largest contribution first; empty if none can be named."
    ]
    queries: Annotated[int, "How many queries they contain together."]
    share: Annotated[Share, "Their share of the weight of all queries; without weights, of the queries."]
    share_of_change: Annotated[float, "Their share of the whole difference; above 1 if the other queries change back."]
    p: Annotated[Share, OrNull(), "Corrected p-value of the least certain of them; null if none is named."]
    sentence: Annotated[str, "The same in words, or why nothing is named."]


@dataclass(frozen=True)
class Segment:
    """What a system changes on the queries of a segment.

    Attributes
    ----------
    system, baseline, measure
        What is compared with what.
    attribute, name
        Which segment: the value `name` of the attribute.
    queries
        Number of paired queries in it.
    share
        Their share of all weight; without weights, of all paired queries.
    baseline_mean, mean, difference
        (Weighted) means over its queries, and of their differences; NaN without queries.
    low, high
        Interval of the difference, for this segment alone; NaN where `note` says why.
    p, corrected
        Of the segment's mean (`permutation_p`), or of the comparison's test where that is about wins and losses or
        there are more than 200 queries; corrected for false discovery over all segments of the table. NaN for fewer
        than 5.
    contribution
        What its queries add to the difference of all: share times difference.
    wins, ties, losses
        Queries in which the system is better, equal and worse.
    note
        Why there is no interval; "" where there is one.
    """

    system: str
    baseline: str
    measure: str
    attribute: str
    name: str
    queries: int
    share: float
    baseline_mean: float
    mean: float
    difference: float
    low: float
    high: float
    p: float
    corrected: float
    contribution: float
    wins: int
    ties: int
    losses: int
    note: str


@dataclass(frozen=True, eq=False, repr=False)
class Segments(Shown, Described):
    """What changes in which segment of the queries.

    A segment's mean is tested against as many queries drawn from all, so that a skew that all queries share is no
    discovery (see `permutation_p`); segments of fewer than 5 queries are not tested. Its interval is for itself. p is
    corrected for false discovery over all rows of the table by Benjamini and Hochberg (1995): of the segments with a
    corrected p of at most 0.05, at most 5 % on average do not change. That holds for tests that are independent, as
    within one attribute, or depend positively, as those of segments that share queries (Benjamini and Yekutieli 2001,
    theorem 1.2; for two-sided p of correlated means Reiner-Benaim 2007).

    Attributes
    ----------
    pairing, methods
        The systems by query, and how they are tested.
    names
        The attributes asked for; empty: all that tell queries apart (see `attributes`).

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {f"q{i}": {"d": 1} for i in range(12)}
    >>> first = {key: {"d": 2.0, "x": 1.0} for key in qrels}
    >>> last = {key: {"d": 1.0, "x": 2.0} for key in qrels}
    >>> kinds = {"query_id": list(qrels), "kind": ["brand", "other"] * 6}
    >>> test = {key: (last if i % 2 else first)[key] for i, key in enumerate(qrels)}
    >>> found = ir.compare(qrels, {"control": last, "test": test}, ["RR"], queries=kinds)
    >>> [(row.attribute, row.name, row.queries, row.contribution) for row in found.segments.rows]
    [('kind', 'brand', 6, 0.25), ('kind', 'other', 6, 0.0)]
    >>> found.segments.explains().segments
    ('kind=brand',)
    """

    pairing: Pairing
    methods: Methods
    names: tuple[str, ...] = ()

    @functools.cached_property
    def rows(self) -> tuple[Segment, ...]:
        """One per pair of systems, measure, attribute and segment."""
        rows = [
            measure_segment(self.pairing, self.methods, key, attribute.name, name, mask)
            for key in self.pairing.keys
            for attribute in self._attributes(key.pair)
            for name, mask in attribute.segments.items()
        ]
        corrected = benjamini_hochberg(np.array([row.p for row in rows]))
        return tuple(replace(row, corrected=float(p)) for row, p in zip(rows, corrected, strict=True))

    @functools.cached_property
    def table(
        self,
    ) -> Annotated[Table, Named("rows"), SEGMENT_ROW.also(STATED), "A row per pair of systems, measure and segment."]:
        """The rows as a table."""
        columns = {title: [getattr(row, name) for row in self.rows] for name, title in _COLUMNS.items()}
        scores = self.pairing.scores
        prints = dict(zip(scores.labels, (m.fingerprint for m in scores.measures), strict=True))
        return Table(columns, "segments", {"fingerprint": [prints[row.measure] for row in self.rows]}, SEGMENT_ROW)

    @functools.cached_property
    def made(self) -> Annotated[dict[str, Annotated[str, "How it is made."]], "How each attribute is made, in words."]:
        """How each attribute is made, in words."""
        return {a.name: a.made for pair in self.pairing.pairs for a in self._attributes(pair)}

    def explains(self, measure: str | None = None, system: str | None = None) -> ExplainingSegments:
        """Return the smallest set of segments that contains most of the change: see `find_explaining`.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of the systems, as the verdicts name it; None: the only one.

        Raises
        ------
        UsageError
            If a name is not known, or there are several systems and none is named.
        """
        pair, m = self.pairing.key(measure, system)
        by_id, scores = self.pairing.by_id, self.pairing.scores
        kept = by_id[self.pairing.paired(pair, m)[by_id]]
        d = self.pairing.difference(pair, m)[kept]
        weights = np.ones(len(d)) if self.pairing.weights is None else self.pairing.weights[kept]
        masks = {
            f"{attribute.name}={name}": mask[kept]
            for attribute in self._attributes(pair)
            for name, mask in attribute.segments.items()
        }
        return find_explaining(d, weights, masks, self.methods, scores.labels[m])

    def labels(self, pairs: Sequence[Pair], places: Iterable[int]) -> dict[str, list[str]]:
        """Return the segment of each of some queries by attribute, one pair after the other."""
        labels: dict[str, list[str]] = {}
        for pair in pairs:
            for attribute in self._attributes(pair):
                labels.setdefault(attribute.name, []).extend(attribute.label(q) for q in places)
        return labels

    @functools.cached_property
    def _shared_attributes(self) -> tuple[Attribute, ...]:
        return attributes(self.pairing.scores, self.names)

    def _attributes(self, pair: Pair) -> tuple[Attribute, ...]:
        return self._shared_attributes + results_attribute(self.pairing.scores, pair, self.names)

    @property
    def _explained(
        self,
    ) -> Annotated[
        dict[str, ExplainingSegments],
        Named("explains"),
        "What explains the change in the first measure, by system or pair.",
    ]:
        labels = (self.pairing.pair_label(pair) for pair in self.pairing.pairs)
        return {label: self.explains(system=label) for label in labels}

    def shown(self) -> list[Block]:
        """Return one row per pair of systems, measure and segment, then what explains the change."""
        return [*self.grid, *self.account()]

    def account(self) -> list[Block]:
        """Say what explains the change in the deciding measure, how the segments are made, and what is missing."""
        if not self.rows:
            return [Lines([("segments", NO_SEGMENTS)])]
        made = [("" if i else "segments", f"{name}: {made}") for i, (name, made) in enumerate(self.made.items())]
        without: dict[str, dict[str, None]] = {}
        for row in self.rows:
            if row.note:
                without.setdefault(row.note, {})[f"{row.attribute}={row.name}"] = None
        noted = [("", f"{', '.join(names)}: {note}") for note, names in without.items()]
        return [Lines([*self._explaining_lines, *made, *noted, ("", self._tested_text)])]

    @property
    def grid(self) -> list[Block]:
        """One row per pair of systems, measure and segment; nothing where there are none."""
        if not self.rows:
            return []
        rows = self.rows[:SHOWN_ROWS]
        more, rest = len(self.rows) - len(rows), "segments.table.to_pandas()"
        return [Grid(self._columns(rows), more=more, stated=self.table.stated, rest=rest)]

    def _columns(self, rows: Sequence[Segment]) -> list[TextColumn]:
        """Write the rows as columns of text; which system and measure only where there are several."""
        scores = self.pairing.scores
        directions = dict(zip(scores.labels, (m.definition.properties.direction for m in scores.measures), strict=True))
        turns = [directions[row.measure] for row in rows]
        keys = {
            "measure": [row.measure for row in rows] if len(scores.measures) > 1 else [],
            "system": [row.system for row in rows] if len(self.pairing.pairs) > 1 else [],
            "less": [] if self.pairing.baseline else [row.baseline for row in rows],
        }
        return [
            *(TextColumn(name, names, numeric=False) for name, names in keys.items() if names),
            TextColumn("segment", [f"{row.attribute}={row.name}" for row in rows], numeric=False),
            TextColumn("queries", [str(row.queries) for row in rows], numeric=True),
            TextColumn("share", [f"{row.share:.1%}" for row in rows], numeric=True),
            difference_column([row.difference for row in rows], turns),
            TextColumn("interval", [span_text(row.low, row.high) for row in rows], numeric=True),
            TextColumn("p", [p_text(row.p) for row in rows], numeric=True),
            TextColumn("corrected p", [p_text(row.corrected) for row in rows], numeric=True),
            TextColumn("contribution", [number_text(row.contribution, "+.4f") for row in rows], numeric=True),
            TextColumn("wins", [str(row.wins) for row in rows], numeric=True),
            TextColumn("ties", [str(row.ties) for row in rows], numeric=True),
            TextColumn("losses", [str(row.losses) for row in rows], numeric=True),
        ]

    @property
    def _explaining_lines(self) -> list[tuple[str, str]]:
        """The sentence of each pair with its label; of many pairs those of the first."""
        pairs = [self.pairing.pair_label(pair) for pair in self.pairing.pairs]
        sentences = {label: self.explains(system=label).sentence for label in pairs[:MOST_EXPLAINED]}
        rows = [("explained", text if len(pairs) == 1 else f"{label}: {text}") for label, text in sentences.items()]
        more = len(pairs) - len(sentences)
        way = f"as segments.explains(system={pairs[-1]!r})"
        return [*rows, *([("", f"{plural(more, 'more system')}: ask for each, {way}")] if more else [])]

    @property
    def _tested_text(self) -> str:
        tests = sum(not math.isnan(row.p) for row in self.rows)
        return (
            f"{self._test_text} in each; corrected p: false discovery over all {tests} (Benjamini and Hochberg "
            "1995); intervals are for each alone; contributions add up to the difference of all within one attribute"
        )

    @property
    def _test_text(self) -> str:
        if self.methods.test not in OF_MEANS:
            return f"{self.methods.test} test"
        rest = f"above {MOST_DRAWN}: {self.methods.test} test; below {LEAST_TESTED}: none"
        return f"t against queries drawn from all ({rest})"


SharedSegments = Annotated[Segments, Shared("segments")]


_COLUMNS = {
    name: {"name": "segment", "corrected": "corrected p"}.get(name, name.replace("_", " "))
    for name in Segment.__dataclass_fields__
}

SHARE_EXPLAINED = 0.8
"""Share of the change that a set of segments must contain to explain it."""

LEAST_NAMED = 5
"""The effective number of queries that a named segment has at least, inside and outside: see `large_enough`."""

MOST_IN_SET = 3
"""The most segments in a set."""

POOLED_QUERIES = 4
"""The spread over all queries counts as this many queries in the variance of each: few vary little by chance."""


def find_explaining(
    d: Floats, weights: Floats, segments: Mapping[str, Mask], methods: Methods, measure: str
) -> ExplainingSegments:
    """Return the smallest set of segments whose queries contain at least 80 % of the difference of all.

    A segment can be named if the mean of its differences is further in the direction of the change than the mean
    of the other queries', by more than chance. Of the segments that can be named, the set of the fewest that holds
    enough is taken, of equally many the one with the smallest share of the weight. Nothing is named where no set of
    up to three does.

    The chance is that of the statement "the effect is the same in every segment, be it zero or not": the differences
    of the queries are exchanged between all queries, weights and segments staying where they are, and the largest
    statistic of all segments is counted. So on data without segments that differ, any is named in at most 1 - level
    of all cases, however many segments there are and however they overlap. The statistic is the difference of the two
    means over its standard error, each segment with a variance of its own, so that queries that vary more are not
    taken for ones that change more; where a segment varies three times as much as the rest the rate was measured as
    about 5½ % for 5 %.

    Parameters
    ----------
    d, weights
        (n,) difference and weight of each paired query, in the order of their ids.
    segments
        (n,) mask of the queries of each segment, by what it is called.
    methods
        Level, draws and seed.
    measure
        What the values are called.

    References
    ----------
    Westfall and Young (1993), Resampling-Based Multiple Testing, section 2.3 (largest statistic); Chung and Romano
    (2013), Exact and Asymptotically Robust Permutation Tests (own variances); Smyth (2004), Linear Models and
    Empirical Bayes Methods (variances of few values drawn toward that of all).

    Examples
    --------
    >>> d = np.where(np.arange(60) < 12, 0.3, 0.0) + np.tile([0.02, -0.02], 30)
    >>> half = np.arange(60) % 3 == 0
    >>> few = find_explaining(d, np.ones(60), {"brand": np.arange(60) < 12, "other": half}, Methods(), "RR")
    >>> few.segments, few.queries, round(few.share_of_change, 2)
    (('brand',), 12, 1.0)
    """
    change = float(weights @ d) / float(weights.sum())
    names = [name for name, mask in segments.items() if large_enough(weights, mask)]
    if abs(change) <= CLOSE * max(float(np.abs(d).max(initial=0.0)), CLOSE) or np.ptp(d) <= CLOSE:
        return _no_explanation(
            f"Nothing to explain in {measure}: the mean does not change, or all queries change alike."
        )
    if not names:
        return _no_explanation(
            f"No segment can explain {measure}: none has {LEAST_NAMED} queries or more, with as many others."
        )
    masks = np.array([segments[name] for name in names], np.bool_)
    p = largest_statistic_p(math.copysign(1.0, change) * d, weights, masks, methods)
    significant = np.flatnonzero(p <= 1 - methods.level + EQUAL)
    return _smallest_set(d, weights, change, names, masks, p, significant, measure)


def large_enough(weights: Floats, mask: Mask) -> bool:
    """Whether a segment and its rest hold as much as 5 queries of equal weight each.

    Counted as (Σ w)² / Σ w², Kish (1965), Survey Sampling, section 11.7: where one query has nearly all the weight,
    it is one query that is measured, however many there are.
    """
    sides = (weights[mask], weights[~mask])
    return all(
        float(side.sum()) ** 2 >= LEAST_NAMED * float(side @ side) * (1 - CLOSE) and side.any() for side in sides
    )


def largest_statistic_p(d: Floats, weights: Floats, masks: Sequence[Mask] | Mask, methods: Methods) -> Floats:
    """(S,) chance that any segment stands out as this one does, if differences belong to no segment.

    (b + 1) / (draws + 1) with b the draws in which the largest statistic of all is as large.
    """
    statistic = _SegmentStatistic(weights, np.asarray(masks, dtype=np.float64).T)
    middle = d - np.average(d, weights=weights)
    observed = statistic(middle[None], middle[None] ** 2)[0]
    bar = observed - CLOSE * np.abs(observed)
    beyond: Ints = np.zeros(len(observed), np.int64)
    rng = stream(methods.seed, "segments")
    drawn: Floats = np.empty((0, len(d)))
    for rows in chunks(methods.draws, len(d)):
        drawn = drawn[:rows] if rows <= len(drawn) else np.repeat(middle[None], rows, axis=0)
        rng.permuted(drawn, axis=1, out=drawn)  # exchanged again from the last draws: no memory is asked for anew
        largest = statistic(drawn, drawn**2).max(axis=1)
        beyond += (largest[:, None] >= bar).sum(axis=0)
    return np.asarray((beyond + 1) / (methods.draws + 1))


class _SegmentStatistic:
    """The statistic of S segments for (B, n) differences; what does not change from draw to draw is computed once."""

    def __init__(self, weights: Floats, inside: Floats) -> None:
        self.size, self.others = inside.sum(axis=0), len(weights) - inside.sum(axis=0)
        self.weights, self.squares = weights, weights**2
        self.weights_in, self.squares_in = weights[:, None] * inside, (weights**2)[:, None] * inside
        self.mass, self.mass_in = weights.sum(), self.weights_in.sum(axis=0)
        self.square_sum, self.square_sums = self.squares.sum(), self.squares_in.sum(axis=0)

    def __call__(self, d: Floats, square: Floats) -> Floats:
        """(B, S) mean of the queries in a segment less that of the others, over its standard error."""
        sums, totals = d @ self.weights_in, (d @ self.weights)[:, None]
        here, there = sums / self.mass_in, (totals - sums) / (self.mass - self.mass_in)
        first, all_first = d @ self.squares_in, (d @ self.squares)[:, None]
        second, all_second = square @ self.squares_in, (square @ self.squares)[:, None]
        own = _residuals(here, first, second, self.square_sums)
        others = _residuals(there, all_first - first, all_second - second, self.square_sum - self.square_sums)
        spread = _residuals(totals / self.mass, all_first, all_second, self.square_sum) / self.square_sum
        variance = (own / self.square_sums * self.size + POOLED_QUERIES * spread) / (
            self.size - 1 + POOLED_QUERIES
        )  # of one difference
        error = variance * self.square_sums / self.mass_in**2
        error += others * self.others / (self.others - 1) / (self.mass - self.mass_in) ** 2
        return np.asarray((here - there) / np.sqrt(np.maximum(error, np.finfo(float).tiny)))


def _residuals(mean: Floats, first: Floats, second: Floats, each: Floats) -> Floats:
    """Σ w² (d − mean)², from Σ w² d, Σ w² d² and Σ w²."""
    return np.asarray(np.maximum(second - 2 * mean * first + mean**2 * each, 0.0))


def _smallest_set(
    d: Floats, weights: Floats, change: float, names: Sequence[str], masks: Mask, p: Floats, able: Ints, measure: str
) -> ExplainingSegments:
    if not len(able):
        return _no_explanation(
            f"No segment explains the change in {measure}: none of {len(names)} differs from the others beyond chance "
            f"(smallest p = {p.min():.2g})."
        )
    parts, shares = weights * d / weights.sum() / change, weights / weights.sum()
    for size in range(1, MOST_IN_SET + 1):
        sets = [(c, np.asarray(masks[list(c)].any(axis=0))) for c in itertools.combinations(able.tolist(), size)]
        enough = [(chosen, mask) for chosen, mask in sets if parts[mask].sum() >= SHARE_EXPLAINED - CLOSE]
        if enough:
            chosen, mask = min(enough, key=lambda each: (round(float(shares[each[1]].sum()), 12), each[0]))
            order = sorted(chosen, key=lambda i: -parts[masks[i]].sum())
            return _explanation([names[i] for i in order], mask, parts, shares, float(p[list(chosen)].max()), measure)
    first = int(min(able, key=lambda i: (p[i], -parts[masks[i]].sum())))
    held = parts[masks[first]].sum()
    return _no_explanation(
        f"No set of segments contains {SHARE_EXPLAINED:.0%} of the change in {measure}. "
        f"In {names[first]} it is larger than elsewhere (p = {p[first]:.2g}), with {held:.0%} of the change."
    )


def _explanation(
    names: Sequence[str], mask: Mask, parts: Floats, shares: Floats, p: float, measure: str
) -> ExplainingSegments:
    share, held, count = float(shares[mask].sum()), float(parts[mask].sum()), int(mask.sum())
    weighted = bool(np.ptp(shares) > 0)
    of_weight = f", {share:.0%} of the weight" if weighted else f", {share:.0%} of all"
    makes = "contains" if len(names) == 1 else "together contain"
    against = "; the other queries change the other way" if held > 1 + CLOSE else ""
    sentence = (
        f"{' and '.join(names)} ({plural(count, 'query')}{of_weight}) {makes} {held:.0%} of the change in {measure}"
        f"{against} (p = {p:.2g})."
    )
    return ExplainingSegments(tuple(names), count, share, held, p, sentence)


def _no_explanation(sentence: str) -> ExplainingSegments:
    return ExplainingSegments((), 0, 0.0, 0.0, math.nan, sentence)


NO_INTERVAL = Interval(math.nan, math.nan, math.nan, "")


def measure_segment(pairing: Pairing, methods: Methods, key: Key, attribute: str, name: str, mask: Mask) -> Segment:
    """Measure one segment; its p is not corrected yet."""
    pair, m = key
    scores, paired, d = pairing.scores, pairing.paired(pair, m), pairing.difference(pair, m)
    weights = np.ones(len(d)) if pairing.weights is None else pairing.weights
    kept = mask & paired
    mass = exact_sum(weights[paired])
    before, after = (_mean_or_nan(scores.values[s, m, kept], weights[kept]) for s in pair)
    p, span, note = _test_segment(d, pairing.weights, kept, paired, methods)
    span = span.within(difference_bounds(scores, m))
    turn = -1 if scores.measures[m].definition.properties.direction == "lower" else 1
    return Segment(
        system=scores.systems[pair.system],
        baseline=scores.systems[pair.baseline],
        measure=scores.labels[m],
        attribute=attribute,
        name=name,
        queries=int(kept.sum()),
        share=exact_sum(weights[kept]) / mass,
        baseline_mean=before,
        mean=after,
        difference=_mean_or_nan(d[kept], weights[kept]),
        low=span.low,
        high=span.high,
        p=p,
        corrected=math.nan,
        contribution=exact_sum(weights[kept] * d[kept]) / mass,
        wins=int((turn * d[kept] > 0).sum()),
        ties=int((d[kept] == 0).sum()),
        losses=int((turn * d[kept] < 0).sum()),
        note=note,
    )


def _mean_or_nan(values: Floats, weights: Floats) -> float:
    return make_sample(values, weights).mean if len(values) else math.nan


def _test_segment(
    d: Floats, weights: Floats | None, kept: Mask, paired: Mask, methods: Methods
) -> tuple[float, Interval, str]:
    """Test the differences; where all are the same they have no spread, and only the flips of their signs tell."""
    ours, ours_weights = d[kept], None if weights is None else weights[kept]
    if len(ours) < 2:
        return math.nan, NO_INTERVAL, "one query: no interval" if len(ours) else "no query with a value in both"
    sample = make_sample(ours, ours_weights)
    span, note = methods.interval_of(ours, ours_weights), ""
    # Equal differences have no standard error: an interval would have no width, and t would be infinite.
    if sample.is_shift:
        span, note = NO_INTERVAL, "equal differences: no interval, p by sign flips"
    if sample.n < LEAST_TESTED:
        return math.nan, span, f"fewer than {LEAST_TESTED} queries: no test"
    if sample.is_shift:
        return replace(methods, test="randomisation").test_of(ours, ours_weights).p, span, note
    if methods.test not in OF_MEANS or sample.n > MOST_DRAWN:
        return methods.test_of(ours, ours_weights).p, span, note
    every = make_sample(d[paired], None if weights is None else weights[paired])
    return permutation_p(ours, ours_weights, every, methods.seed, methods.draws), span, note


LEAST_TESTED = 5
"""Segments of fewer queries are not tested: they say nothing about the shape of the differences."""

MOST_DRAWN = 200
"""Segments of more queries have the test of the whole comparison: their means are about normal."""

OF_MEANS = ("t", "randomisation", "bootstrap")
"""The tests that `permutation_p` replaces: they ask about the mean, and assume that differences are not skewed."""


def permutation_p(d: Floats, weights: Floats | None, every: Sample, seed: int, draws: int) -> float:
    """Return how often as many queries, drawn from all, would have a t as far out, if the mean did not change.

    The differences of all queries are moved to mean 0, and as many as the segment has are drawn with replacement,
    each with its weight. Twice the smaller share of draws whose t lies as far down, or up; (b + 1) / (draws + 1) each.
    So a few queries that lose much among many that gain a little are expected in every segment, where Student's t
    of the segment alone takes their absence for a proof. Assumes that the segment's differences have the shape of
    all, whatever that is, and not that they are even.

    Source: the bootstrap t of Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 16.4, with all
    queries in the place of the segment's own.

    Parameters
    ----------
    d, weights
        (k,) difference and weight of each query of the segment; None: they count the same.
    every
        The same of all queries.

    Examples
    --------
    >>> every = make_sample(np.append(np.full(36, 0.1), np.full(4, -0.9)))
    >>> low = permutation_p(np.linspace(0.09, 0.11, 8), None, every, seed=0, draws=999)
    >>> 0.05 < low <= 1
    True
    """
    t = make_sample(d, weights).t
    near = CLOSE * abs(t) if np.isfinite(t) else 0.0
    down = up = 1
    for drawn in _draw_t(every, len(d), seed, draws):
        down += int((drawn <= t + near).sum())
        up += int((drawn >= t - near).sum())
    return min(1.0, 2 * min(down, up) / (draws + 1))


def _draw_t(every: Sample, queries: int, seed: int, draws: int) -> Iterator[Floats]:
    """Yield the t of drawn segments."""
    rng, middle = stream(seed, "segment"), every.values - every.mean
    for rows in chunks(draws, queries):
        picked = rng.integers(0, every.n, (rows, queries))
        yield _t_values(middle[picked], every.weights[picked])


def _t_values(values: Floats, weights: Floats) -> Floats:
    """(B,) mean over its standard error, as `Sample.t`."""
    count, mass = values.shape[1], weights.sum(axis=1)
    mean = np.einsum("bk,bk->b", values, weights) / mass
    residuals = (weights * (values - mean[:, None])) ** 2
    error = np.sqrt(residuals.sum(axis=1) * count / (count - 1)) / mass
    flat = error <= CLOSE * np.abs(values).max(axis=1)
    t: Floats = np.divide(mean, error, out=np.copysign(np.inf, mean), where=~flat)
    return t
