"""Models of clicks: how much attention each position gets, and what the clicks on a document are evidence of.

A log is counted first, into cells: how often a pair of a query and a document was shown at a position, and how often
clicked there. All models end alike: the attractiveness of a pair is its clicks over its evidence, which is the number
of impressions that were looked at. They differ in who is taken to have looked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask, group_totals


class Cells(NamedTuple):
    """How often pairs were shown and clicked at positions, one row per pair and position.

    Attributes
    ----------
    pair, position
        (C,) numbers from 0 up, positions in their order.
    shown, clicked
        (C,) how often.
    """

    pair: Ints
    position: Ints
    shown: Floats
    clicked: Floats

    def take(self, rows: Ints | Mask) -> Cells:
        """Return some of the cells."""
        return Cells(self.pair[rows], self.position[rows], self.shown[rows], self.clicked[rows])


def position_rates(cells: Cells, positions: int) -> Floats:
    """(P,) the clicks per impression of each position, relative to the first; NaN if the first was never clicked.

    What the model of clicks over expected clicks (COEC) takes for attention: it is right if the documents at all
    positions are equally good, and too low far down where an engine ranks well. Source: Zhang and Jones (2007),
    Comparing Click Logs and Editorial Labels for Training Query Rewriting.
    """
    shown, clicked = (
        group_totals(cells.position, cells.shown, positions),
        group_totals(cells.position, cells.clicked, positions),
    )
    rates = np.divide(clicked, shown, out=np.zeros(positions), where=shown > 0)
    relative: Floats = rates / rates[0] if positions and rates[0] > 0 else np.full(positions, np.nan)
    return relative


# The position-based model: a click is an examined position and an attractive document.


LEAST_SHOWN = 20
"""Impressions that a pair must have in all to count for the attention of positions: of fewer there is little to learn.
"""

ROUNDS, CLOSE = 20_000, 1e-10
"""Most rounds of expectation and maximisation, and the change of attention at which they stop."""


class Attention(NamedTuple):
    """How much attention positions get under the position-based model.

    Attributes
    ----------
    theta
        (P,) how often a position is looked at, relative to `reference`; NaN where the log does not tell.
    reference
        The position whose attention is 1.
    pairs
        Number of pairs it was learnt from; 0 if none was shown at two positions.
    """

    theta: Floats
    reference: int
    pairs: int


def position_attention(cells: Cells, positions: int, *, least: int = LEAST_SHOWN) -> Attention:
    """Estimate the attention of positions from pairs that were shown at several.

    The clicks of a cell are expected to be shown × attention × attractiveness. Attention and attractiveness in turn
    (expectation and maximisation on cells) are set so that the clicks at each position, and those on each pair, are as
    many as expected: the highest likelihood of clicks as Poisson counts. As a likelihood of clicks that happen or not,
    each pair's attractiveness would be one more number fitted to few clicks, and attention off by .014 to .031 on ten
    million impressions, where these equations, whose mean is right for any number of pairs, are off by .002 to .005.

    A pair says something of attention if it was shown at two positions and clicked. Positions are compared through
    such pairs, directly or over others; of positions that no chain of pairs joins, those with the most impressions are
    kept. Only the product of attention and attractiveness is known, so the first position kept has attention 1.

    Parameters
    ----------
    least
        Impressions a pair needs.

    Sources: Richardson, Dominowska and Ragno (2007), Predicting Clicks, for the model; Chuklin, Markov and de Rijke
    (2015), Click Models for Web Search, section 3.3.

    Examples
    --------
    >>> shown, clicked = np.full(4, 1000.0), np.array([400.0, 200.0, 200.0, 100.0])
    >>> found = position_attention(Cells(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), shown, clicked), 2)
    >>> found.theta.round(6).tolist(), found.pairs
    ([1.0, 0.5], 2)
    """
    nothing = np.full(positions, np.nan)
    used = cells.take(_telling(cells, least))
    if not len(used.pair):
        return Attention(nothing, 0, 0)
    group = _joined(used, positions)
    there = np.flatnonzero(group >= 0)
    shown = group_totals(group[used.position], used.shown, positions)
    kept = np.zeros(positions, np.bool_)
    kept[there] = group[there] == int(np.argmax(shown))
    used = used.take(kept[used.position])
    reference = int(np.flatnonzero(kept)[0])
    pairs, place = np.unique(used.pair, return_inverse=True)
    theta = _maximise(used._replace(pair=place), positions, len(pairs), reference)
    return Attention(np.where(kept, theta, nothing), reference, len(pairs))


def _telling(cells: Cells, least: int) -> Mask:
    """(C,) the cells of pairs with enough impressions, two positions and a click."""
    pairs = int(cells.pair.max(initial=-1)) + 1
    shown, clicked = group_totals(cells.pair, cells.shown, pairs), group_totals(cells.pair, cells.clicked, pairs)
    # A pair without clicks is likeliest with an attractiveness of 0, and then says nothing of attention.
    fit = (shown >= least) & (np.bincount(cells.pair, minlength=pairs) >= 2) & (clicked > 0)
    known: Mask = fit[cells.pair]
    return known


def _joined(cells: Cells, positions: int) -> Ints:
    """(P,) the lowest position that pairs join each position to; −1 where there is no pair."""
    group = np.arange(positions)
    of_pair = np.full(int(cells.pair.max()) + 1, positions)
    while True:
        before = group.copy()
        np.minimum.at(of_pair, cells.pair, group[cells.position])
        np.minimum.at(group, cells.position, of_pair[cells.pair])
        if (group == before).all():
            break
    there = np.bincount(cells.position, minlength=positions) > 0
    return np.where(there, group, -1)


def _maximise(cells: Cells, positions: int, pairs: int, reference: int) -> Floats:
    """(P,) attention of the highest likelihood; 1 at the reference, unless nothing was clicked there."""
    at = group_totals(cells.position, cells.clicked, positions)
    on = group_totals(cells.pair, cells.clicked, pairs)
    theta = np.ones(positions)
    for _ in range(ROUNDS):
        evidence = group_totals(cells.pair, cells.shown * theta[cells.position], pairs)
        alpha = np.divide(on, evidence, out=np.zeros(pairs), where=evidence > 0)
        expected = group_totals(cells.position, cells.shown * alpha[cells.pair], positions)
        new = np.divide(at, expected, out=np.zeros(positions), where=expected > 0)
        if not new[reference] > 0:
            return np.full(positions, np.nan)
        new /= new[reference]
        moved = float(np.abs(new - theta).max())
        theta = new
        if moved < CLOSE:
            break
    return theta


# The simplified dynamic Bayesian network: results are looked at one after the other, down to the last click.


class LastClicks(NamedTuple):
    """Who looked at what, if people go down a list to their last click.

    Attributes
    ----------
    examined
        (N,) whether each result was looked at.
    last
        (N,) whether its click was the last of the list: what was found there was enough.
    """

    examined: Mask
    last: Mask


def last_clicks(search: Ints, position: Ints, clicked: Mask) -> LastClicks:
    """Say which results were looked at, under the simplified dynamic Bayesian network (SDBN).

    All results down to the last click are looked at, and nothing below; who clicks nothing has looked at all. Sources:
    Chapelle and Zhang (2009), A Dynamic Bayesian Network Click Model for Web Search Ranking, section 5; lists without
    clicks as in Chuklin, Markov and de Rijke (2015), section 4.3, and PyClick.

    Parameters
    ----------
    search
        (N,) the number of the list each result is in, from 0 up.

    Examples
    --------
    >>> found = last_clicks(np.array([0, 0, 0, 1]), np.array([1, 2, 3, 1]), np.array([False, True, False, False]))
    >>> found.examined.tolist(), found.last.tolist()
    ([True, True, False, True], [False, True, False, False])
    """
    lowest = np.full(int(search.max(initial=-1)) + 1, -1, np.int64)
    rows = np.flatnonzero(clicked)
    np.maximum.at(lowest, search[rows], position[rows])
    of_row = lowest[search]
    examined: Mask = (of_row < 0) | (position <= of_row)
    last = np.zeros(len(search), np.bool_)
    last[rows] = position[rows] == of_row[rows]
    return LastClicks(examined, last)


# What clicks say, given the evidence.


class Attractiveness(NamedTuple):
    """The share of looks that became a click, by pair, and its interval."""

    value: Floats
    low: Floats
    high: Floats


def attractiveness(clicked: Floats, evidence: Floats, level: float = 0.95) -> Attractiveness:
    """Return clicks over evidence, with an interval.

    The interval is that of a Poisson rate after Jeffreys: quantiles of Gamma(clicks + ½) / evidence. The evidence is
    the sum of attention × impressions. With impressions in its place the interval covers the truth in 66 to 4 of 100
    cases instead of 95.

    Examples
    --------
    >>> found = attractiveness(np.array([10.0]), np.array([50.0]))
    >>> found.value.tolist(), found.low.round(4).tolist(), found.high.round(4).tolist()
    ([0.2], [0.1028], [0.3548])
    """
    from scipy.special import gammaincinv

    known = evidence > 0
    per = np.where(known, evidence, np.nan)
    ends: Sequence[Floats] = [gammaincinv(clicked + 0.5, share) / per for share in ((1 - level) / 2, (1 + level) / 2)]
    return Attractiveness(clicked / per, ends[0], ends[1])
