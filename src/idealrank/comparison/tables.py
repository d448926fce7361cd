"""The tables of a comparison: means, differences, and values by query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.contrast import Contrast
from idealrank.comparison.overlap_at import overlap_at
from idealrank.display.table import Table
from idealrank.evaluation.scores import Scores
from idealrank.statistics.intervals import interval
from idealrank.statistics.sample import sampled

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.comparison.contrasts import Key


def means_table(comparison: Comparison) -> Table:
    """One row a system and measure: queries, mean, its interval, what the holes allow."""
    scores, methods, pairing = comparison.scores, comparison.methods, comparison.pairing
    rows: list[dict[str, Any]] = []
    for s, system in enumerate(scores.systems):
        for m, label in enumerate(scores.labels):
            there = ~np.isnan(scores.values[s, m])
            keep = np.flatnonzero(there if pairing.weights is None else there & (pairing.weights > 0))
            values, weights = scores.values[s, m, keep], pairing.weights_of(keep)
            span = interval(methods.interval, values, weights, methods.level, seed=methods.seed, draws=methods.draws)
            row = {"system": system, "measure": label, "queries": len(keep)}
            row |= {"mean": sampled(values, weights).mean, "low": span.low, "high": span.high}
            rows.append(row | _hole_range(comparison, s, m, keep))
    return _table(rows, "means", list(range(len(scores.labels))) * len(scores.systems), scores)


def _hole_range(comparison: Comparison, s: int, m: int, keep: Ints) -> dict[str, Any]:
    """Return the lowest and the highest mean that the holes allow."""
    found = comparison.unjudged[m].bounds(s)
    if found.kind == "unknown":
        return {"lowest": math.nan, "highest": math.nan, "bounds": found.kind}
    weights = comparison.pairing.weights_of(keep)
    low, high = (sampled(end[keep], weights).mean for end in (found.low, found.high))
    return {"lowest": low, "highest": high, "bounds": found.kind}


def differences_table(comparison: Comparison) -> Table:
    """One row a pair of systems and measure: both means, the difference, intervals, p, wins, holes, verdict."""
    rows = [_difference(comparison, pair, m, contrast) for (pair, m), contrast in comparison.contrasts.items()]
    return _table(rows, "differences", [m for _, m in comparison.contrasts], comparison.scores)


def _difference(comparison: Comparison, pair: tuple[int, int], m: int, found: Contrast) -> dict[str, Any]:
    holes = comparison.holes[pair].ranges[m]
    outcome = list(comparison.verdict.values())[comparison.pairing.pairs.index(pair)].outcome
    return {
        "system": found.system, "baseline": found.baseline, "measure": found.measure, "queries": found.queries,
        "baseline mean": found.baseline_mean, "mean": found.mean, "difference": found.difference,
        "low": found.interval.low, "high": found.interval.high, "p": found.test.p,
        "corrected p": found.p, "corrected low": found.corrected.low, "corrected high": found.corrected.high,
        "effect": found.effect, "detectable": found.detectable,
        "wins": found.wins, "ties": found.ties, "losses": found.losses,
        "holes": holes.count, "lowest": holes.low, "highest": holes.high, "bounds": holes.kind,
        "verdict": outcome if m == 0 else "",
    }  # fmt: skip


def _table(rows: list[dict[str, Any]], title: str, measures: list[int], scores: Scores) -> Table:
    columns: dict[str, Any] = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        columns[name] = np.array(values) if isinstance(values[0], (int, float)) else values
    return Table(columns, title, {"fingerprint": [scores.measures[m].fingerprint for m in measures]})


def query_table(comparison: Comparison, keys: Sequence[Key], title: str, places: Sequence[int] | None = None) -> Table:
    """One row a query, pair and measure: both values, their difference, overlap of the lists, weight, segments.

    Parameters
    ----------
    places
        Of the queries; None: those asked for.
    """
    scores, pairing = comparison.scores, comparison.pairing
    asked = np.flatnonzero(pairing.asked) if places is None else np.array(places, np.int64)
    ids = [scores.queries[q] for q in asked]
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
        "overlap": _overlaps(scores, keys),
    }
    columns |= {name: np.concatenate([v[asked] for v in values]) for name, values in parts.items()}
    if pairing.weights is not None:
        columns["weight"] = np.tile(pairing.weights[asked], len(keys))
    if comparison.segment:
        labels = comparison.segments.labels([pair for pair, _ in keys], asked)
        columns |= {"segment" if len(labels) == 1 else f"segment {name}": found for name, found in labels.items()}
    prints = [scores.measures[m].fingerprint for _, m in keys for _ in ids]
    return Table(columns, title, {"fingerprint": prints})


def _overlaps(scores: Scores, keys: Sequence[Key]) -> list[Floats]:
    """(Q,) the overlap@k of the two lists of each pair, k the cutoff of the measure; made once a cutoff."""
    made: dict[tuple[Any, ...], Floats] = {}
    found = []
    for pair, m in keys:
        measure = scores.measures[m]
        same = (pair, measure.cutoff, measure.decisions.stage("read"), measure.decisions.stage("list"))
        if same not in made:
            made[same] = overlap_at(scores.meetings, pair, measure.decisions, measure.cutoff)
        found.append(made[same])
    return found
