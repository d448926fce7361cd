"""Queries in two parts, by a hash of their ids: one to choose a system by, the other held out to test it on."""

import hashlib
import itertools
import math
from collections.abc import Sequence

import numpy as np

from idealrank.arrays import Mask
from idealrank.comparison.advice import FEWEST
from idealrank.errors import DataError, UsageError, option, plural
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import State


def held_out(ids: Sequence[str], among: Mask, share: float, seed: int) -> Mask:
    """(Q,) which of some queries are held out: those with the lowest hashes.

    Whether a query is held out depends on its id, the seed and the ids of the other queries alone: neither on the
    order of the rows nor on the systems. When queries are added, most of the others stay where they are.

    Parameters
    ----------
    among
        (Q,) the queries that are split; the others are in neither part.
    share
        The share of them that is held out.

    Raises
    ------
    UsageError
        If the share is not between 0 and 1.
    DataError
        If either part would have too few queries, with the number that is needed.
    """
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share < 1:
        raise UsageError(
            f"{option('hold_out', str(share))}: the share of the queries to test on is between 0 and 1, as 0.5."
        )
    order = sorted(np.flatnonzero(among).tolist(), key=lambda q: _hash(ids[q], seed))
    many = _many(len(order), share)
    _refuse_few(len(order), many, share)
    held = np.zeros(len(ids), np.bool_)
    held[order[:many]] = True
    return held


def _hash(query: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed} {query}".encode("utf-8", "surrogatepass")).digest()


def _many(queries: int, share: float) -> int:
    """Return how many of so many queries are held out; a half more counts as one more."""
    return math.floor(queries * share + 0.5)


def _refuse_few(queries: int, held: int, share: float) -> None:
    if min(held, queries - held) >= FEWEST:
        return
    start = int(FEWEST / max(share, 1 - share))
    enough = next(n for n in itertools.count(start) if FEWEST <= _many(n, share) <= n - FEWEST)
    raise DataError(
        f"{option('hold_out', f'{share:g}')}: {plural(queries, 'query')} would leave {queries - held} to choose by and "
        f"{held} to test on, and each part needs at least {FEWEST}. Judge at least {enough} queries, or leave it out: "
        "then all queries are used, and the comparison is corrected for the number of systems."
    )


def restricted(scores: Scores, systems: Sequence[int], queries: Mask) -> Scores:
    """Return the scores of some systems on some queries; the other queries are left out, as if not asked for."""
    places = list(systems)
    ids = [query for query, kept in zip(scores.queries, queries, strict=True) if kept]
    return scores.of_systems(
        places,
        [scores.systems[s] for s in places],
        values=np.where(queries, scores.values[places], np.nan),
        states=np.where(queries, scores.states[places], np.int8(State.LEFT_OUT)),
        only=ids,
    )
