"""The board: means with intervals, and the ranks that the differences of all pairs leave open, best first."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from idealrank.arrays import SAME, Floats
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Key, Pairing
from idealrank.comparison.sure_pairs import surely_better
from idealrank.comparison.suspect_results import by_system
from idealrank.display.table import Table
from idealrank.evaluation.bounds import difference_bounds, value_bounds
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from idealrank.statistics.all_pairs import AllPairs, all_pairs
from idealrank.statistics.draws import Progress
from idealrank.statistics.rank_intervals import rank_intervals


def complete(pairing: Pairing) -> tuple[Floats, Floats | None]:
    """(S, n) values of the deciding measure of the queries every system has one for, and their weights above 0."""
    values, weights = pairing.complete(0)
    return (values, None) if weights is None else (values[:, weights > 0], weights[weights > 0])


def board_of_contrasts(pairing: Pairing, contrasts: Mapping[Key, Contrast], methods: Methods) -> Leaderboard:
    """Rank the systems of a comparison of all pairs by its corrected intervals."""
    systems = len(pairing.scores.systems)
    difference, half, error = (np.zeros((systems, systems)) for _ in range(3))
    for (pair, m), contrast in contrasts.items():
        if m == 0:
            a, b = pair.system, pair.baseline
            difference[a, b], difference[b, a] = contrast.difference, -contrast.difference
            error[a, b] = error[b, a] = contrast.deviation / np.sqrt(contrast.queries)
            half[a, b] = half[b, a] = _towards_0(contrast)
    return board_of(pairing, AllPairs(difference, half, error, methods.level), methods)


def _towards_0(of: Contrast) -> float:
    """Return how far the corrected interval reaches from the difference towards 0."""
    return of.difference - of.corrected.low if of.difference > 0 else of.corrected.high - of.difference


def board_of_pairs(pairing: Pairing, methods: Methods, progress: Progress | None = None) -> Leaderboard:
    """Rank the systems by the simultaneous intervals of all pairs."""
    how = {"draws": methods.draws, "seed": methods.seed}
    return board_of(pairing, all_pairs(*complete(pairing), level=methods.level, progress=progress, **how), methods)


def board_of(pairing: Pairing, found: AllPairs, methods: Methods) -> Leaderboard:
    """Rank systems by the differences of all pairs."""
    scores = pairing.scores
    sign = -1.0 if scores.measures[0].definition.properties.direction == "lower" else 1.0
    values, weights = complete(pairing)
    upward = AllPairs(sign * found.difference, found.half_width, found.error, found.level)
    better = surely_better(upward, sign * values, weights, difference_bounds(scores, 0)[1])
    ranks = 1 + (upward.difference < -SAME).sum(axis=1)
    order = np.array(sorted(range(len(ranks)), key=lambda s: (ranks[s], scores.systems[s])))
    doubted = (np.abs(found.difference) - found.half_width > 0) & ~(better | better.T)
    columns = _columns(pairing, methods, values, weights) | _behind(found, order[0])
    columns["doubted"] = doubted.sum(axis=1)
    open_ranks = rank_intervals(better)
    first = {"rank": ranks, "best rank": open_ranks.best, "worst rank": open_ranks.worst}
    table = {"system": [scores.systems[s] for s in order]}
    table |= {name: column[order] for name, column in (first | columns).items()}
    apart = int((better | better.T)[order[:-1], order[1:]].sum())
    stated = {"fingerprint": ", ".join(scores.fingerprints.values())}
    drawn, odd = Table(table, "leaderboard", stated), by_system(pairing)
    return Leaderboard(scores, methods, drawn, values.shape[1], _left_out(pairing), apart, odd)


def _columns(pairing: Pairing, methods: Methods, values: Floats, weights: Floats | None) -> dict[str, Any]:
    """Return the mean of the deciding measure with its interval, the means of the others, and what is unjudged."""
    scores, bounds = pairing.scores, value_bounds(pairing.scores, 0)
    spans = [methods.interval_of(row, weights, bounds=bounds) for row in values]
    depth = scores.measures[0].cutoff or 10
    columns = {"mean": values.mean(axis=1) if weights is None else values @ weights / weights.sum()}
    columns |= {"low": np.array([one.low for one in spans]), "high": np.array([one.high for one in spans])}
    for m, label in enumerate(scores.labels[1:], 1):
        others, beside = pairing.complete(m)
        columns[label] = others.mean(axis=1) if beside is None else others @ beside / beside.sum()
    return columns | {"unjudged": np.array([unjudged_share(scores, [s], depth) for s in range(len(scores.systems))])}


def _behind(found: AllPairs, best: int) -> dict[str, Floats]:
    """Return the difference of each system from the first, with its simultaneous interval."""
    centre, half = found.difference[:, best], found.half_width[:, best]
    return {"difference": centre, "corrected low": centre - half, "corrected high": centre + half}


def _left_out(pairing: Pairing) -> tuple[str, ...]:
    """Return the queries that some systems have a value for, and others none."""
    pair = pairing.pairs[0]
    return pairing.unpaired(Key(pair, 0))
