"""compare: from judgments and the results of several systems to a verdict with its evidence."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

import numpy as np

from idealrank._core import Pool
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.conditions import read_conditions
from idealrank.comparison.contrasts import Methods, contrasts
from idealrank.comparison.latency import check_limit
from idealrank.comparison.leaderboard import Leaderboard, board_of_pairs
from idealrank.comparison.pairing import Pairing, roles
from idealrank.comparison.segments.attributes import refuse_unknown_attributes
from idealrank.comparison.tuning import choose_best
from idealrank.comparison.unjudged.buckets import UnjudgedResults
from idealrank.comparison.unjudged.effect import unjudged_evidence
from idealrank.comparison.verdict.rule import Rule, RuleKind, UnjudgedTreatment, refuse_beyond
from idealrank.decisions.decisions import naming, refuse_unknown, value_or_keywords
from idealrank.display import notebook_bar
from idealrank.errors import UsageError, listed, option, plural, refuse_count, some
from idealrank.evaluation.evaluate import SystemsOptions, evaluate
from idealrank.evaluation.partitioned import InMemory
from idealrank.evaluation.scores import Scores
from idealrank.measures.definition import Measure
from idealrank.statistics.draws import Progress
from idealrank.statistics.names import CorrectionName, IntervalName, TestName

_COMPARE_ARGUMENTS = (
    "measures", "baseline", "margin", "rule", "methods", "tolerance", "test", "interval", "correction", "level",
    "looks", "equivalence", "holes", "unseen", "guardrails", "draws", "seed", "segments", "hold_out", "judge",
    "sampled", "target", "convention", "queries", "weights", "only", "system",
)  # fmt: skip


class ComparisonOptions(SystemsOptions, total=False):
    """The keywords of `compare` that are short for the fields of `Rule` and `Methods`, and those of `evaluate`."""

    margin: float
    """The smallest gain worth shipping."""

    tolerance: float | Mapping[str, float]
    """How much a guardrail may lose."""

    equivalence: float | None
    """Up to which difference systems are about the same."""

    holes: UnjudgedTreatment
    """What unjudged results may decide."""

    test: TestName
    """The paired test."""

    interval: IntervalName
    """The interval."""

    correction: CorrectionName | None
    """The correction for several systems and measures."""

    level: float
    """Confidence of the intervals."""

    looks: int
    """How often one looks in all."""

    draws: int
    """Of all that is drawn: how often."""

    seed: int
    """Of all that is drawn: where it begins."""


@naming(ComparisonOptions)
def compare(
    judgments: Any,
    results: Any = None,
    measures: Sequence[str | Measure] | str | None = None,
    *,
    baseline: str | None = None,
    rule: Rule | RuleKind = "better",
    methods: Methods | None = None,
    unseen: int = 0,
    guardrails: Sequence[str] | str = (),
    segments: str | Sequence[str] | None = None,
    hold_out: float = 0.0,
    judge: Any = None,
    sampled: Any = None,
    target: Literal["alike", "these"] = "alike",
    progress: Progress | None = None,
    **options: Unpack[ComparisonOptions],
) -> Comparison:
    """Compare systems query by query and say what to do.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``. Or finished scores: a `Scores` of several systems,
        or ``{name: Scores}`` of one each.
    results
        All systems together: ``{"bm25": first, "hybrid": second}``, a list, a folder of files or of a folder per
        system, or a table with a system column; each a path, a dataframe, or ``{query: {document: score}}``.
    measures
        Names such as ``nDCG@10``; the first decides, the others that are named are guardrails. Where none is named,
        nDCG@10 decides, and the other default measures are only shown.
    baseline
        The system the others are compared with. None: the first of two; of more, all pairs.
    rule
        ``better``: SHIP what gains more than the margin; ``not_worse``: what loses less. Or a whole `Rule`, such as
        that of an earlier comparison; else it is made of these keywords:
        ``margin`` [0]: the smallest gain worth shipping, from 0 up. ``tolerance`` [0]: how much a guardrail may lose,
        a number or ``{measure: number}``. ``holes`` [``estimate``], or ``worst_case``. ``equivalence``: systems that
        surely differ by no more are ABOUT THE SAME [a fiftieth of the range of the measure that decides (0.02 for
        nDCG), at most a twentieth of the best mean, and at most the margin where there is one; 0 where the measure has
        no range].
    methods
        `Methods`, such as those of an earlier comparison; None: they are made of these keywords:
        ``test`` [``t``], ``wilcoxon``, ``sign``, ``randomisation`` or ``bootstrap``. ``interval`` [``student_t``],
        ``percentile``, ``bca`` or ``betting``; with a judge ``student_t`` alone. ``correction`` [``max_t``], ``tukey``
        (of all pairs), ``holm``, ``bh`` or ``none``. ``level`` [0.95]: confidence of the intervals. ``looks`` [1]: how
        often one looks in all, with more queries each time: each look has its share of the error rate, so that all of
        them together err no more often than one would (Bonferroni). ``draws`` [10,000] and ``seed`` [0]: of all that
        is drawn.
    unseen
        So many relevant documents that nobody returned may exist for each query.
    guardrails
        Limits of latency, such as ``latency_p95 <= +10%``, ``took_p50 <= +20ms`` or ``latency_p99 <= 200ms``: one that
        its interval wholly breaks turns SHIP and ABOUT THE SAME into DON'T, one that searches without a time could
        break into CAN'T TELL. Without one, latency is only shown.
    segments
        What `Comparison.segments` goes by, one or several: columns of `queries`; ``length`` and ``digit`` of their
        texts, ``traffic``, ``results``. None: whichever of these tell queries apart.
    hold_out
        Of many systems: the share of the queries, such as 0.5, that is held out. The system that is best on the others
        is compared with the baseline on the held-out ones, and with nothing else; `Comparison.tuning` says how it was
        chosen. The split follows from the query ids and the seed. 0: all systems are compared on all queries, corrected
        for their number.
    judge, sampled, target
        Grades of a cheap judge, such as a language model, for all queries, where the judgments are people's of a random
        sample of these queries; the sample, as `sample` drew it; and whether the mean is of queries like these
        (``alike``) or of ``these`` alone. The verdict is by the judge calibrated on people (`Comparison.calibration`).
    progress
        Called with the draws done and the draws in all; None: long work shows a bar in a notebook, nothing elsewhere.
    **options
        `convention`, `queries`, `weights`, `system` (which of several, the baseline first), `only` and answers to
        decisions, as for `evaluate`.

    Returns
    -------
    Comparison: differences with intervals and p, values per query, verdict.

    Raises
    ------
    DataError
        If the data cannot be used: where, what, and what to do.
    UsageError
        If a name or an answer is not known, or there is nothing to compare.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {f"q{i}": {"d": 1, "x": 0} for i in range(50)}
    >>> control = {f"q{i}": {"x": 2.0, "d": 1.0} for i in range(50)}
    >>> test = {f"q{i}": {"d": 2.0, "x": 1.0} for i in range(50)} | {"q0": {"x": 2.0, "d": 1.0}}
    >>> found = compare(qrels, {"control": control, "test": test}, ["RR"])
    >>> found.verdict.outcome, found["RR"].wins, found["RR"].losses
    ('SHIP', 49, 0)
    """
    refuse_unknown((name for name in options if name not in _COMPARE_ARGUMENTS), _COMPARE_ARGUMENTS)
    refuse_count("unseen", unseen, "how many relevant documents nobody returned", least=0)
    settings: dict[str, Any] = dict(options)
    by_default = isinstance(rule, str) and settings.get("equivalence") is None
    verdict_rule, methods = _read_rule_and_methods(rule, methods, settings)
    guards = read_conditions(guardrails, "guardrails")
    by_judge = None
    if judge is not None or sampled is not None or target != "alike":
        from idealrank.comparison.calibrated import calibrated_differences, read_judged_sample, refuse_with_judge

        own = {"hold_out": (hold_out, 0), "looks": (methods.looks, 1), "holes": (verdict_rule.holes, "estimate"),
               "interval": (methods.interval, "student_t")}  # fmt: skip
        given = {name: value for name, (value, default) in own.items() if value != default}
        refuse_with_judge({**settings, **given})
        by_judge = read_judged_sample(judge, sampled, results, measures, settings, target)
        settings["only"] = list(by_judge.sample.drawn)
    scores = scores_from(judgments, results, measures, settings)
    with scores.lists.open():
        pairing = pair_systems(scores, baseline, verdict_rule.tolerance)
        tuning = choose_best(pairing, methods, hold_out) if hold_out else None
        pairing = tuning.test if tuning else pairing
        scores = pairing.scores
        if by_default:
            verdict_rule = replace(verdict_rule, equivalence=_default_equivalence(scores, verdict_rule))
        verdict_rule.refuse_unknown(scores.labels)
        refuse_beyond("margin", verdict_rule.margin, scores.measures[0])
        for measure, label in zip(scores.measures[1:], scores.labels[1:], strict=True):
            refuse_beyond("tolerance", verdict_rule.tolerated(label), measure)
        names = (segments,) if isinstance(segments, str) else tuple(dict.fromkeys(segments or ()))
        refuse_unknown_attributes(scores, names)
        with notebook_bar("resampling", "bounding what unjudged results could change", progress) as on_progress:
            by_key = contrasts(pairing, methods, on_progress)
            unjudged = UnjudgedResults(scores, unseen)
            evidence = unjudged_evidence(pairing, by_key, unjudged, verdict_rule)
        calibration = {}
        if by_judge is not None:
            calibration = calibrated_differences(pairing, by_judge, verdict_rule, unjudged, methods.correction)
        limits = {
            pair: [check_limit(each, scores, pair, methods.level, methods.seed) for each in guards]
            for pair in pairing.pairs
        }
        return Comparison(
            pairing, by_key, unjudged, evidence, methods, verdict_rule, limits, names, tuning, calibration
        )


def _read_rule_and_methods(
    rule: Rule | RuleKind, methods: Methods | None, options: dict[str, Any]
) -> tuple[Rule, Methods]:
    """Return both, of one level; what is not given as a value is made of keywords, which are taken out."""
    for name in ("equivalence", "correction"):
        if name in options and options[name] is None:
            del options[name]
    whole = rule if isinstance(rule, Rule) else None
    with_level = methods if isinstance(methods, Methods) else whole
    level, looks = options.pop("level", None), options.get("looks", 1)
    refuse_count("looks", looks, "how often one looks in all")
    if with_level is None:
        level = 0.95 if level is None else level
        level = 1 - (1 - level) / looks if looks > 1 else level
    elif level is None:
        level = with_level.level
    else:
        raise UsageError(
            f"level={level:g} beside {type(with_level).__name__}(level={with_level.level:g}): leave out level=…."
        )
    verdict_rule = value_or_keywords(Rule, "rule", whole, options, kind=rule, level=level)
    methods = value_or_keywords(Methods, "methods", methods, options, level=level)
    if methods.level != verdict_rule.level:
        raise UsageError(
            f"Rule(level={verdict_rule.level:g}) beside Methods(level={methods.level:g}): verdict and intervals have "
            "one confidence. Give both the same level."
        )
    return verdict_rule, methods


def _default_equivalence(scores: Scores, rule: Rule) -> float:
    """Return how much systems may differ and still be about the same, where the caller does not say: see `compare`."""
    means = [row[0] for row in scores.all_means if math.isfinite(row[0])]
    return default_equivalence(scores.measures[0], means, rule)


def default_equivalence(measure: Measure, means: Sequence[float], rule: Rule) -> float:
    """Return the same of the measure that decides and the means of the systems."""
    properties = measure.definition.properties
    width = properties.highest - properties.lowest
    if not math.isfinite(width) or not means:
        return 0.0
    small = min(width / 50, max(map(abs, means)) / 20)
    return min(small, rule.margin) if rule.margin or rule.kind == "not_worse" else small


def pair_systems(scores: Scores, baseline: str | None, tolerance: float | Mapping[str, float]) -> Pairing:
    """Pair the systems of an evaluation: with a baseline (of two the first), or every one with every other."""
    by_name = not scores.lists.keeps_order and scores.counts.returned[0].systems > 1
    if baseline is None and by_name and len(scores.systems) == 2:
        raise UsageError(
            f"Which is the baseline, {scores.systems[0]} or {scores.systems[1]}? Spark keeps no order of rows, so the "
            f"systems of one table are in the order of their names. Name it: {option('baseline', scores.systems[0])}."
        )
    if baseline is None:
        baseline = scores.systems[0] if len(scores.systems) == 2 else ""
    elif not isinstance(baseline, str) or not baseline:
        # PyTerrier counts systems: its baseline=0 is the first.
        raise UsageError(
            f"baseline={baseline!r} is not the name of a system. Name one: "
            f"{option('baseline', scores.systems[0])}. Known: {', '.join(scores.systems)}."
        )
    return Pairing(scores, baseline, roles(scores, tolerance))


def scores_from(judgments: Any, results: Any, measures: Any, options: Mapping[str, Any]) -> Scores:
    """Return finished scores, of several systems or joined of one each, or evaluate.

    Raises
    ------
    UsageError
        If scores were not measured alike, or there is more to say of finished ones.
    """
    if isinstance(judgments, Scores):
        if isinstance(results, Scores):
            raise UsageError(_ALONE)
        refuse_with_scores(options, results=results, measures=measures)
        return judgments
    if isinstance(judgments, Mapping) and judgments and all(isinstance(value, Scores) for value in judgments.values()):
        refuse_with_scores(options, results=results, measures=measures)
        return _join_scores(judgments)
    for given in (judgments, results):
        parts = given.values() if isinstance(given, Mapping) else given if isinstance(given, (list, tuple)) else ()
        if any(isinstance(part, Scores) for part in parts):
            raise UsageError(_ALONE)
    return evaluate(judgments, results, measures, **options)


_ALONE = "Finished scores are compared with finished scores, by name and without judgments: {'old': scores, 'new': …}."


def _join_scores(parts: Mapping[str, Scores]) -> Scores:
    """Put finished scores side by side; refuse those that differ in decisions, judged queries or weights."""
    (name, first), *others = parts.items()
    alike = {name: first}
    for other, scores in others:
        alike[other] = _with_measures_of(first, scores, name, other)
        if unlike := _queries_judged_otherwise(first, scores):
            raise UsageError(
                f"{name} and {other} have different judgments, of {plural(len(unlike), 'query')} ({some(unlike)}). "
                "Evaluate both with the same."
            )
        if not _equal_arrays(first.weights, scores.weights) or first.only != scores.only:
            raise UsageError(f"{name} and {other} have different queries or weights. Evaluate both with the same.")
    return _concatenate_systems(alike)


def _with_measures_of(first: Scores, scores: Scores, name: str, other: str) -> Scores:
    """Return scores with their measures in the order of the first's; refuse other measures, and other decisions."""
    mine, theirs = (dict(zip(each.labels, each.measures, strict=True)) for each in (first, scores))
    if one_sided := [f"{label} is only in {place}" for place, label in _of_one_side((name, other), (mine, theirs))]:
        raise UsageError(
            f"{name} and {other} have different measures: {listed(one_sided)}. Evaluate both with the same."
        )
    for label, measure in mine.items():
        if measure.fingerprint != theirs[label].fingerprint:
            raise UsageError(
                f"{name} and {other} were not measured alike: {_difference(label, measure, theirs[label], other)}. "
                "Evaluate both under the same decisions."
            )
    return with_measures(scores, [scores.labels.index(label) for label in first.labels])


def _of_one_side(
    names: tuple[str, str], measures: tuple[Mapping[str, Measure], Mapping[str, Measure]]
) -> Iterator[tuple[str, str]]:
    """Yield the measures that only one of two has, each with its name."""
    for name, own, others in zip(names, measures, reversed(measures), strict=True):
        yield from ((name, label) for label in own if label not in others)


def _difference(label: str, mine: Measure, theirs: Measure, other: str) -> str:
    """Say which decisions of a measure have another answer elsewhere, or else the whole of both."""
    answers = theirs.decisions.departures(mine.decisions)
    read = theirs.decisions.asked(each for each in theirs.definition.decisions if each in answers)
    if not read:
        return f"{label} is {mine.fingerprint} there, and {theirs.fingerprint} in {other}"
    named = [f"{each}={answers[each]} in {other}, not {mine.decisions.text(each)}" for each in read]
    return f"{label} has {listed(named)}"


def _queries_judged_otherwise(a: Scores, b: Scores) -> list[str]:
    """Return the queries whose judged documents or grades differ, or that only one of two has."""
    mine, theirs = a.joined[0].pool, b.joined[0].pool
    if a.queries == b.queries and (mine is theirs or _flat(mine) == _flat(theirs)):
        return []
    ours, others, both = _by_query(mine), _by_query(theirs), {*a.queries} & {*b.queries}
    every = dict.fromkeys([*a.queries, *b.queries])
    return [query for query in every if query not in both or ours.get(query) != others.get(query)]


def _flat(pool: Pool) -> tuple[list[int], list[float], list[str]]:
    """Return where queries begin, and the grades and documents of all, in the order of the pool."""
    return pool.start.tolist(), pool.grade.tolist(), pool.docs(np.arange(len(pool.grade)))


def _by_query(pool: Pool) -> dict[str, tuple[list[str], list[float]]]:
    """Return the documents of each query and their grades, in the order of the pool."""
    start, grades, docs = _flat(pool)
    places = zip(pool.queries, itertools.pairwise(start), strict=True)
    return {query: (docs[a:b], grades[a:b]) for query, (a, b) in places}


def _equal_arrays(a: Any, b: Any) -> bool:
    return (a is None) == (b is None) and (a is None or np.array_equal(a, b))


def _concatenate_systems(parts: Mapping[str, Scores]) -> Scores:
    first = next(iter(parts.values()))
    for name, scores in parts.items():
        if len(scores.systems) != 1:
            raise UsageError(f"{name} contains {len(scores.systems)} systems. Pass scores of one system each.")
    joined = replace(
        first,
        systems=tuple(parts),
        values=np.concatenate([scores.values for scores in parts.values()]),
        states=np.concatenate([scores.states for scores in parts.values()]),
        lists=InMemory([scores.joins[0] for scores in parts.values()]),
        counted=replace(first.counts, near_ids=tuple(scores.counts.near_ids[0] for scores in parts.values())),
    )
    return joined.recount()


def refuse_with_scores(options: Mapping[str, Any], **given: Any) -> None:
    """Refuse what finished scores have already.

    Parameters
    ----------
    options
        Decisions and other options, of which none can be given.
    **given
        Arguments, which must be None.

    Raises
    ------
    UsageError
        With the names of what is given.
    """
    names = [*(name for name, value in given.items() if value is not None), *options]
    if names:
        raise UsageError(
            f"Finished scores have their results, measures and decisions already. Leave out {listed(names)}."
        )


def with_measures(scores: Scores, places: Sequence[int]) -> Scores:
    """Return the scores of some of the measures, in this order."""
    chosen = list(places)
    if chosen == list(range(len(scores.measures))):
        return scores
    measures = tuple(scores.measures[m] for m in chosen)
    some = replace(scores, measures=measures, values=scores.values[:, chosen], states=scores.states[:, chosen])
    return some.recount()


# leaderboard: from judgments and the results of many systems to means, rank intervals, and who may be the best.


_LEADERBOARD_ARGUMENTS = (
    "measures", "level", "draws", "seed", "convention", "queries", "weights", "only", "system",
)  # fmt: skip


@naming(SystemsOptions)
def leaderboard(
    judgments: Any,
    results: Any = None,
    measures: Sequence[str | Measure] | str | None = None,
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Unpack[SystemsOptions],
) -> Leaderboard:
    """Rank many systems: means with intervals, the ranks each can have, and those that cannot be told from the best.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``. Or finished scores: a `Scores` of several systems,
        or ``{name: Scores}`` of one each.
    results
        All systems together: ``{"bm25": first, "hybrid": second}``, a list, a folder of files or of a folder per
        system, or a table with a system column; each a path, a dataframe, or ``{query: {document: score}}``.
    measures
        Names such as ``nDCG@10``. The first ranks the systems; the means of the others are shown beside it.
    level
        Confidence of the intervals of the means, one by one, and of the rank intervals, all together.
    draws, seed
        Of all that is drawn.
    progress
        Called with the draws done and the draws in all; None: long work shows a bar in a notebook, nothing elsewhere.
    **options
        `convention`, `queries`, `weights`, `system` (which of several), `only` and answers to decisions, as for
        `evaluate`.

    Returns
    -------
    Leaderboard: a table with one row per system, best first, and a sentence. Means and ranks are over the queries that
    every system has a value for.

    Raises
    ------
    DataError
        If the data cannot be used: where, what, and what to do.
    UsageError
        If a name or an answer is not known, or there is one system.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {f"q{i}": {"d": 1, "x": 0} for i in range(60)}
    >>> good = {f"q{i}": {"d": 2.0, "x": 1.0} for i in range(60)}
    >>> poor = {f"q{i}": {"x": 2.0, "d": 1.0} for i in range(60)}
    >>> board = leaderboard(qrels, {"a": good, "b": poor, "c": good | {"q0": {"x": 1.0}}}, ["RR"])
    >>> [(row["system"], row["best rank"], row["worst rank"]) for row in board.table]
    [('a', 1, 2), ('c', 1, 2), ('b', 3, 3)]
    >>> board.best
    ('a', 'c')
    """
    refuse_unknown((name for name in options if name not in _LEADERBOARD_ARGUMENTS), _LEADERBOARD_ARGUMENTS)
    methods = Methods(level=level, draws=draws, seed=seed)
    scores = scores_from(judgments, results, measures, options)
    pairing = Pairing(scores, "", roles(scores, 0.0))
    with notebook_bar("resampling", progress=progress) as on_progress:
        return board_of_pairs(pairing, methods, on_progress)
