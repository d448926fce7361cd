"""What labelled documents say about the others: grades drawn for those, with how little is known of their rates."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Ints

BOTH, FIRST, SECOND = 0, 1, 2
"""The classes of documents: in the first k of both lists, of the first alone, of the second alone."""

CLASSES = 3

BANDS = np.array([1, 2, 3, 4, 6, 11, 21, 51, 101])
"""The first rank of each band of ranks, whose documents have the same rates."""

NEIGHBOURS = 2.0 ** np.arange(1, 6)
"""How alike neighbouring bands may be: so many labels of a band say as much as the band of ranks above it."""

SPREADS = 2.0 ** np.arange(-2, 3)
"""How far queries may differ: standard deviations of the shift of a query's log odds."""

SHIFTS = np.linspace(-2.6, 2.6, 13)
"""The shifts of queries, in standard deviations, that stand for all."""

LEAST_CHANCE = 1e-9
"""The least chance of a grade: odds need one."""


@dataclass(frozen=True, eq=False)
class GradeModel:
    """Labelled documents of Q queries, and N without a label.

    The rates of the grades are drawn, too, since few labels say little: for each class of documents, band by band from
    the top, from a Dirichlet distribution of its labels around the rates of the band above. So where no deep document
    has a label, little is known of deep documents: not even which system's are the better ones. A query's documents
    are better or worse than those of others at their ranks: the odds of each grade or a higher one are shifted by as
    much for all documents of a query and class, by a shift drawn from a normal distribution and the labels of the
    query. How alike bands are, and how far queries differ, is drawn from what the labels say of it.

    Attributes
    ----------
    size
        How many queries there are; numbers are drawn in their order.
    grades
        (G,) the grades a document may have, the lowest first.
    query, group, rank, grade
        (L,) of labelled documents the place of the query, the class, the best rank, and the place of the grade.
    open_query, open_group, open_rank
        (N,) the same of those without a label.
    """

    size: int
    grades: Floats
    query: Ints
    group: Ints
    rank: Ints
    grade: Ints
    open_query: Ints
    open_group: Ints
    open_rank: Ints

    def draw(self, rng: np.random.Generator) -> Floats:
        """(N,) a grade for each document without a label."""
        spread = float(rng.choice(SPREADS, p=self._spread_chances))
        near = float(rng.choice(NEIGHBOURS, p=self._neighbour_chances))
        least = _shifted(self._draw_rates(self._sums(spread), near, rng), spread * SHIFTS)
        upto = np.cumsum(_normalized(self._log_chances(least)), axis=-1)
        shift = (rng.random((*upto.shape[:2], 1)) >= upto).sum(axis=-1).clip(max=len(SHIFTS) - 1)
        chances = least[self.open_group, _bands(self.open_rank), shift[self.open_query, self.open_group]]
        drawn: Floats = self.grades[(rng.random((len(chances), 1)) < chances).sum(axis=1)]
        return drawn

    @functools.cached_property
    def counts(self) -> Floats:
        """(Q, 3, B, G) how often each grade was given."""
        shape = (self.size, CLASSES, len(BANDS), len(self.grades))
        cell = (self.query * CLASSES + self.group) * len(BANDS) + _bands(self.rank)
        cell = cell * len(self.grades) + self.grade
        return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)

    def _sums(self, spread: float) -> Floats:
        """(3, B, G) labels of each class and band.

        Labels of one query resemble each other: n of them count as n / (1 + (n - 1) r) of as many queries, where r is
        the correlation of two of them, by the variance pi^2 / 3 of the logistic distribution.
        """
        alike = spread**2 / (spread**2 + np.pi**2 / 3)
        many = self.counts.sum(axis=(2, 3), keepdims=True)
        sums: Floats = (self.counts / (1 + np.maximum(many - 1, 0) * alike)).sum(axis=0)
        return sums

    def _draw_rates(self, sums: Floats, near: float, rng: np.random.Generator) -> Floats:
        """(3, B, G) rates of each class and band of ranks, from the top down."""
        rates = np.empty_like(sums)
        expected = np.broadcast_to(self._base(sums), sums[:, 0].shape)
        for band in range(len(BANDS)):
            gammas = rng.standard_gamma(expected + sums[:, band]) + LEAST_CHANCE
            rates[:, band] = gammas / gammas.sum(axis=-1, keepdims=True)
            # One label more, of any grade: what no label above has may begin here.
            expected = near * rates[:, band] + 1 / len(self.grades)
        return rates

    def _base(self, sums: Floats) -> Floats:
        """(G,) the rates of all labels together."""
        whole = sums.sum(axis=(0, 1)) + 1 / len(self.grades)
        base: Floats = whole / whole.sum()
        return base

    def _mean_rates(self, sums: Floats) -> Floats:
        """(3, B, G) rates of each class and band, with those of all labels as one label more."""
        rates = sums + self._base(sums)
        mean: Floats = rates / rates.sum(axis=-1, keepdims=True)
        return mean

    def _log_chances(self, least: Floats) -> Floats:
        """(Q, 3, K) the logarithm of the chance of a query's labels of a class, and of each shift."""
        ends = np.pad(least, ((0, 0), (0, 0), (0, 0), (1, 1)), constant_values=((0, 0), (0, 0), (0, 0), (1, 0)))
        logs = np.log(np.maximum(-np.diff(ends), LEAST_CHANCE))  # (3, B, K, G)
        labels = self.counts.reshape(self.size, CLASSES, -1).transpose(1, 0, 2)
        found = labels @ logs.transpose(0, 1, 3, 2).reshape(CLASSES, -1, len(SHIFTS))
        result: Floats = found.transpose(1, 0, 2) + _LOG_WEIGHTS
        return result

    @functools.cached_property
    def _spread_chances(self) -> Floats:
        """The chance of each of `SPREADS`, all as likely before, given the labels."""
        logs = []
        for spread in SPREADS.tolist():
            chances = self._log_chances(_shifted(self._mean_rates(self._sums(spread)), spread * SHIFTS))
            top = chances.max(axis=-1, keepdims=True)
            logs.append(float((np.log(np.exp(chances - top).sum(axis=-1)) + top[..., 0]).sum()))
        return _normalized(np.array(logs))

    @functools.cached_property
    def _neighbour_chances(self) -> Floats:
        """The chance of each of `NEIGHBOURS`, all as likely before, by the labels: Dirichlet-multinomial."""
        from scipy.special import gammaln

        sums = self._sums(float(SPREADS @ self._spread_chances))
        there, rates = sums.sum(axis=2) > 0, self._mean_rates(sums)
        group, band = np.nonzero(there[:, 1:] & there[:, :-1])
        counts, above = sums[group, band + 1], rates[group, band]
        logs = []
        for near in NEIGHBOURS.tolist():
            expected = near * above + 1 / len(self.grades)
            total = gammaln(expected.sum(axis=1)) - gammaln((expected + counts).sum(axis=1))
            logs.append(float(total.sum() + (gammaln(expected + counts) - gammaln(expected)).sum()))
        return _normalized(np.array(logs))


_LOG_WEIGHTS = -(SHIFTS**2) / 2 - np.log(np.exp(-(SHIFTS**2) / 2).sum())
"""(K,) the logarithm of the chance of each shift before any label: normal."""


def _bands(rank: Ints) -> Ints:
    bands: Ints = np.maximum(np.searchsorted(BANDS, rank, side="right") - 1, 0)
    return bands


def _shifted(rates: Floats, shifts: Floats) -> Floats:
    """(3, B, K, G - 1) the chance of each grade but the lowest, or a higher one, under each shift of its log odds."""
    least = np.cumsum(rates[..., ::-1], axis=-1)[..., -2::-1]
    least = np.clip(least, LEAST_CHANCE, 1 - LEAST_CHANCE)
    odds = (least / (1 - least))[:, :, None] * np.exp(shifts)[:, None]
    chances: Floats = odds / (1 + odds)
    return chances


def _normalized(logs: Floats) -> Floats:
    """Return chances of their logarithms, along the last axis."""
    chances = np.exp(logs - logs.max(axis=-1, keepdims=True))
    result: Floats = chances / chances.sum(axis=-1, keepdims=True)
    return result
