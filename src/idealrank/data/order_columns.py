"""The columns that order results: whether they say anything, and whether they say it of every row."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from idealrank._core import Column, Run
from idealrank.arrays import Mask
from idealrank.data.formats.source import Source
from idealrank.data.latency_columns import clocks
from idealrank.data.roles import KNOWN, Roles, fold
from idealrank.errors import DataError, NoColumnError, option


def empty(column: Column | None) -> bool:
    """Whether a column is missing, or has no value.

    Examples
    --------
    >>> from idealrank._core import from_columns
    >>> empty(None), empty(from_columns(["score"], [[1.0, None]]).column(0))
    (True, False)
    """
    return column is None or not column.distinct(1)


def has_gaps(scores: Column | None, ranks: Column | None) -> bool:
    """Whether a row with a rank has no score, as where an engine sorts by a field.

    Examples
    --------
    >>> from idealrank._core import from_columns
    >>> table = from_columns(["score", "rank"], [[1.0, None], [1.0, 2.0]])
    >>> has_gaps(table.column(0), table.column(1))
    True
    """
    if scores is None or ranks is None:
        return scores is None
    return bool((np.isnan(scores.floats()) & ~np.isnan(ranks.floats())).any())


def refuse_unknown_score(source: Source, roles: Roles) -> None:
    """Refuse a table without ranks and scores that has numbers which could be the scores.

    Raises
    ------
    NoColumnError
        If a column without a role contains fractions.
    """
    chosen, timed = {*roles.chosen.values(), *roles.ratings()}, clocks(roles.names).values()
    for place, name in enumerate(roles.names):
        if fold(name) not in KNOWN and place not in chosen and name not in timed and _fractions(source, place):
            raise NoColumnError(
                f"{source.name}: no rank or score column. Is {name!r} the score? Then name it: {roles.way('score')}. "
                f"To rank the rows as they stand: {option('order_by', 'given')}."
            )


def _fractions(source: Source, place: int) -> bool:
    """Whether a column contains numbers that are not whole."""
    try:
        column = source.number(place)
    except DataError:
        return False
    numbers = column.floats() if column is not None else np.zeros(0)
    return bool((np.isfinite(numbers) & (numbers % 1 != 0)).any())


def refuse_order(
    name: str, run: Run, rank: Column | None, score: Column | None, place: Callable[[Mask], str],
    elsewhere: bool = False,
) -> None:  # fmt: skip
    """Refuse a rank below 0, an empty rank column, and a missing score without ranks.

    Parameters
    ----------
    name
        The table's name.
    place
        Returns the location of the first row of some (N,).
    elsewhere
        Whether other queries of the same ranking have ranks.

    Raises
    ------
    DataError
        With the line.
    """
    if rank is not None and run.lowest_rank < 0:
        raise DataError(f"{place(rank.floats() < 0)}: the rank is below 0. Ranks must start from 1 or 0.")
    if rank is not None and run.results and run.missing_ranks == run.results and not elsewhere:
        raise DataError(f"{name}: the rank column is empty. Give each result a rank or a score.")
    if rank is None and score is not None and run.missing_scores:
        raise DataError(f"{place(np.isnan(score.floats()))}: the score is missing or NaN. Give a finite number.")
