"""The tables of a comparison: means, differences, values per query, and lost value."""

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.findings import ComparisonData
from idealrank.comparison.overlap import overlap_at
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.types import DIFFERENCE_ROW, LOST_ROW, MEAN_ROW, QUERY_ROW
from idealrank.display.schema import RowType
from idealrank.display.table import Table
from idealrank.errors import UsageError, refuse_count
from idealrank.evaluation.buckets import compute_per_query
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.values import value_bounds
from idealrank.judged_lists.join import Join
from idealrank.measures.definition import Measure
from idealrank.statistics.sample import make_sample


def means_table(findings: ComparisonData) -> Table:
    """One row per system and measure: queries, mean, its interval, what the holes allow."""
    scores, methods, pairing = findings.scores, findings.methods, findings.pairing
    rows: list[dict[str, Any]] = []
    for s, system in enumerate(scores.systems):
        for m, label in enumerate(scores.labels):
            there = ~np.isnan(scores.values[s, m])
            keep = np.flatnonzero(there if pairing.weights is None else there & (pairing.weights > 0))
            values, weights = scores.values[s, m, keep], pairing.weights_of(keep)
            span = methods.interval_of(values, weights, bounds=value_bounds(scores, m))
            row = {"system": system, "measure": label, "queries": len(keep)}
            row |= {"mean": make_sample(values, weights).mean, "low": span.low, "high": span.high}
            rows.append(row | _unjudged_range(findings, s, m, keep))
    return _build_table(rows, "means", list(range(len(scores.labels))) * len(scores.systems), scores, MEAN_ROW)


def _unjudged_range(findings: ComparisonData, s: int, m: int, keep: Ints) -> dict[str, Any]:
    """Return the lowest and the highest mean that the holes allow."""
    bounds = findings.unjudged.bounds[m][s]
    if bounds.kind == "unknown":
        return {"lowest": math.nan, "highest": math.nan, "bounds": bounds.kind}
    weights = findings.pairing.weights_of(keep)
    low, high = (make_sample(end[keep], weights).mean for end in (bounds.low, bounds.high))
    return {"lowest": low, "highest": high, "bounds": bounds.kind}


def differences_table(findings: ComparisonData) -> Table:
    """One row per pair of systems and measure: both means, the difference, intervals, p, wins, holes, verdict.

    With a cheap judge, these are people's alone over the sampled queries, and further columns have what decides.
    """
    rows = [_difference_row(findings, key, contrast) for key, contrast in findings.contrasts.items()]
    if findings.calibration:
        rows = [row | _calibrated_columns(findings, key) for row, key in zip(rows, findings.contrasts, strict=True)]
    return _build_table(
        rows, "differences", [key.measure for key in findings.contrasts], findings.scores, DIFFERENCE_ROW
    )


def _difference_row(findings: ComparisonData, key: Key, of: Contrast) -> dict[str, Any]:
    effect = findings.holes[key.pair].ranges[key.measure]
    outcome = list(findings.verdict.values())[findings.pairing.pairs.index(key.pair)].outcome
    return {
        "system": of.system, "baseline": of.baseline, "measure": of.measure, "role": of.role, "queries": of.queries,
        "baseline mean": of.baseline_mean, "mean": of.mean, "difference": of.difference,
        "low": of.interval.low, "high": of.interval.high, "uncorrected p": of.test.p,
        "corrected p": of.p, "corrected low": of.corrected.low, "corrected high": of.corrected.high,
        "effect": of.effect, "detectable": of.detectable,
        "wins": of.wins, "ties": of.ties, "losses": of.losses,
        "holes": effect.count, "lowest": effect.low, "highest": effect.high, "bounds": effect.kind,
        "verdict": "" if key.measure else outcome,
    }  # fmt: skip


def _calibrated_columns(findings: ComparisonData, key: Key) -> dict[str, float]:
    """Return the estimates for all queries, of the measure that decides: by people, by the judge, and by both."""
    found = findings.calibration[key.pair].found
    both = found.calibrated
    names = ("people alone", "judge alone", "calibrated", "calibrated low", "calibrated high")
    values = (
        (found.people.mean, found.judge.mean, both.mean, both.low, both.high)
        if key.measure == 0
        else (math.nan,) * len(names)
    )
    return dict(zip(names, values, strict=True))


def _build_table(rows: list[dict[str, Any]], title: str, measures: list[int], scores: Scores, row: RowType) -> Table:
    columns: dict[str, Any] = {}
    for name in rows[0]:
        values = [each[name] for each in rows]
        columns[name] = np.array(values) if isinstance(values[0], (int, float)) else values
    return Table(columns, title, {"fingerprint": [scores.measures[m].fingerprint for m in measures]}, row)


def extreme_queries(findings: ComparisonData, n: int, key: Key, gain: bool) -> Table:
    """Return the n queries that gain, or lose, most, the greatest change first; equal ones by query id."""
    refuse_rows(n)
    pairing = findings.pairing
    sign = -1.0 if gain == (findings.contrasts[key].direction != "lower") else 1.0
    change = sign * np.where(pairing.paired(*key), pairing.difference(*key), np.nan)[pairing.by_id]
    order = np.argsort(change, kind="stable")  # NaN last
    return query_table(findings, [key], "queries", pairing.by_id[order[change[order] < 0][:n]])


def query_table(findings: ComparisonData, keys: Sequence[Key], title: str, places: Ints | None = None) -> Table:
    """One row per query, pair and measure: both values, their difference, overlap of the lists, weight, segments.

    Parameters
    ----------
    places
        Of the queries; None: those asked for.
    """
    scores, pairing = findings.scores, findings.pairing
    places = np.flatnonzero(pairing.chosen) if places is None else places
    ids = [scores.queries[q] for q in places]
    columns: dict[str, Any] = {"query": ids * len(keys)}
    if scores.texts:
        columns["text"] = [scores.texts.get(key) for key in ids] * len(keys)
    columns["system"] = [scores.systems[pair[1]] for pair, _ in keys for _ in ids]
    columns["baseline"] = [scores.systems[pair[0]] for pair, _ in keys for _ in ids]
    columns["measure"] = [scores.labels[m] for _, m in keys for _ in ids]
    parts = {
        "baseline value": [scores.values[pair[0], m] for pair, m in keys],
        "value": [scores.values[pair[1], m] for pair, m in keys],
        "difference": [pairing.difference(pair, m) for pair, m in keys],
        "overlap": _query_overlaps(scores, keys),
    }
    columns |= {name: np.concatenate([v[places] for v in values]) for name, values in parts.items()}
    if pairing.scores.weights is not None:
        columns["weight"] = np.tile(pairing.scores.weights[places], len(keys))
    if findings.segment:
        labels = findings.segments.labels([pair for pair, _ in keys], places)
        columns |= {"segment" if len(labels) == 1 else f"segment {name}": each for name, each in labels.items()}
    prints = [scores.measures[m].fingerprint for _, m in keys for _ in ids]
    return Table(columns, title, {"fingerprint": prints}, QUERY_ROW)


def _query_overlaps(scores: Scores, keys: Sequence[Key]) -> list[Floats]:
    """(Q,) the overlap@k of the two lists of each pair, k the cutoff of the measure."""
    # Most measures have the same lists and cutoff: the overlap of each is computed once.
    distinct: dict[tuple[Any, ...], tuple[Pair, Measure]] = {}
    lists_of_key = []
    for pair, m in keys:
        measure = scores.measures[m]
        lists = (pair, measure.cutoff, measure.decisions.stage("read"), measure.decisions.stage("list"))
        lists_of_key.append(lists)
        distinct.setdefault(lists, (pair, measure))
    rows = compute_per_query(scores, functools.partial(_bucket_overlaps, of=list(distinct.values())))
    overlaps = dict(zip(distinct, rows, strict=True))
    return [overlaps[lists] for lists in lists_of_key]


def _bucket_overlaps(joins: list[Join], of: list[tuple[Pair, Measure]]) -> Floats:
    return np.array([overlap_at(joins, pair, measure.decisions, measure.cutoff) for pair, measure in of])


def refuse_rows(n: Any) -> None:
    """Refuse a number of rows that is no whole number from 1 up.

    Raises
    ------
    UsageError
        With what it is.
    """
    if not isinstance(n, int) or n < 1:
        raise UsageError(f"n={n!r}: how many is a whole number from 1 up.")


def weighted_loss(pairing: Pairing, pairs: Sequence[Pair], m: int, n: int | None) -> Table:
    """Rank the paired queries of each pair by frequency x (value before - value after), the greatest first.

    Equal ones go by query id; queries without a frequency come last. Under a measure of which less is better, what
    rises is lost.

    Raises
    ------
    UsageError
        If there are no frequencies, or `n` is no whole number from 1 up.
    """
    if n is not None:
        refuse_count("n", n, "how many queries")
    scores = pairing.scores
    frequency = scores.table.frequencies(scores.queries, scores.in_scope)
    turn = 1.0 if scores.measures[m].definition.properties.direction == "lower" else -1.0
    lost = [turn * frequency * pairing.difference(pair, m) + 0.0 for pair in pairs]
    orders = [_order_by_loss(pairing, pair, m, each)[:n] for pair, each in zip(pairs, lost, strict=True)]
    places = np.concatenate(orders)
    columns: dict[str, Any] = {"query": [scores.queries[q] for q in places]}
    if scores.texts:
        columns["text"] = [scores.texts.get(scores.queries[q]) for q in places]
    for name, side in (("system", 1), ("baseline", 0)):
        columns[name] = [scores.systems[pair[side]] for pair, order in zip(pairs, orders, strict=True) for _ in order]
    columns["measure"] = [scores.labels[m]] * len(places)
    parts = {
        "frequency": [frequency] * len(pairs),
        "baseline value": [scores.values[pair[0], m] for pair in pairs],
        "value": [scores.values[pair[1], m] for pair in pairs],
        "lost": lost,
    }
    for name, values in parts.items():
        columns[name] = np.concatenate([each[order] for each, order in zip(values, orders, strict=True)])
    return Table(columns, "lost value", {"fingerprint": scores.measures[m].fingerprint}, LOST_ROW)


def _order_by_loss(pairing: Pairing, pair: Pair, m: int, lost: Floats) -> Ints:
    """Return the places of the queries with a value in both, the greatest loss first, those without one last."""
    by_id = pairing.by_id
    both = by_id[~np.isnan(pairing.difference(pair, m)[by_id])]
    return both[np.argsort(-lost[both], kind="stable")]
