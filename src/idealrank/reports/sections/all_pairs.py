"""All pairs of several systems: their differences, whether they can be told apart, and the groups in which none can."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.comparison.leaderboard import Leaderboard
from idealrank.comparison.types import DifferenceRow
from idealrank.display.numbers import number
from idealrank.reports.types import AllPairsPart, Compared, PairRow, decided

MOST = 40
"""Of more systems than this there are too many pairs to be read: their ranks say what can be told."""


def all_pairs_part(board: Leaderboard | None, compared: Compared | None) -> AllPairsPart | None:
    """Return a row per pair under the deciding measure, and the groups; None without ranks, and of very many systems.

    Parameters
    ----------
    board
        The ranks of all systems; None where there are none.
    compared
        What a comparison of all pairs says: its intervals are then those of the rows.
    """
    if board is None or len(board.systems) > MOST:
        return None
    rows = list(_counted(board))
    if compared is not None:
        known = {(row["baseline"], row["system"]): row for row in compared["differences"] if row["role"] == "decides"}
        rows = [_as_compared(row, known) for row in rows]
    groups = {row["system"]: row["group"] for row in board.table if row["group"]}
    return {"measure": board.measure, "level": board.methods.level, "rows": rows, "groups": groups}


def _counted(board: Leaderboard) -> Iterator[PairRow]:
    """Yield each pair, the system that is further ahead as the baseline, by simultaneous intervals."""
    scores, found = board.scores, board.differences
    values = scores.values[[scores.systems.index(system) for system in board.systems], 0]
    counted = ~np.isnan(values).any(axis=0)
    if scores.weights is not None:
        counted &= scores.weights > 0
    gains = values[:, counted] * (-1.0 if scores.measures[0].definition.properties.direction == "lower" else 1.0)
    for i, j in zip(*np.triu_indices(len(gains), 1), strict=True):
        change, difference, half = gains[j] - gains[i], found.difference[j, i], found.half_width[j, i]
        wins, losses = int((change > EQUAL).sum()), int((change < -EQUAL).sum())
        yield {
            "baseline": board.systems[i],
            "system": board.systems[j],
            "queries": board.queries,
            "difference": float(difference),
            "corrected low": number(difference - half),
            "corrected high": number(difference + half),
            "wins": wins,
            "ties": board.queries - wins - losses,
            "losses": losses,
            "told apart": bool(board.better[i, j] or board.better[j, i]),
        }


def _as_compared(row: PairRow, known: dict[tuple[str, str], DifferenceRow]) -> PairRow:
    """Return the numbers of the comparison for a pair, which may be the other way round there."""
    found = known.get((row["baseline"], row["system"]))
    other = found or known[row["system"], row["baseline"]]
    difference, low, high = decided(other)
    wins, losses = other["wins"], other["losses"]
    if found is None:
        difference, low, high = _minus(difference), _minus(high), _minus(low)
        wins, losses = losses, wins
    numbers = {"difference": difference, "corrected low": low, "corrected high": high, "wins": wins, "losses": losses}
    return cast("PairRow", row | numbers | {"ties": other["ties"], "queries": other["queries"]})


def _minus(value: float | None) -> float | None:
    return None if value is None else -value
