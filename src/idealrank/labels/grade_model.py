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

LIKENESS = 2.0 ** np.arange(-1, 7)
"""How alike queries may be, in labels: so many labels of the query say as much as all other queries together."""

NEIGHBOURS = 2.0 ** np.arange(1, 6)
"""How alike neighbouring bands may be: so many labels of a band say as much as the band of ranks above it."""

TINY = 1e-300
"""Added to drawn gammas, which may be 0 to the last bit; shares of them need a sum."""


@dataclass(frozen=True, eq=False)
class GradeModel:
    """Labelled documents of Q queries, and N without a label.

    The rates of the grades are drawn, too, since few labels say little: for each class of documents, band by band from
    the top, from a Dirichlet distribution of its labels around the rates of the band above. So where no deep document
    has a label, little is known of deep documents: not even which system's are the better ones. Then for each query
    and class from a Dirichlet distribution around these, which the query's own labels join. How alike bands and
    queries are is drawn from what the labels say of it.

    Attributes
    ----------
    size
        How many queries there are; numbers are drawn in their order.
    grades
        (G,) the grades a document may have.
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

    @functools.cached_property
    def counts(self) -> Floats:
        """(Q, 3, B, G) how often each grade was given."""
        shape = (self.size, CLASSES, len(BANDS), len(self.grades))
        cell = (self.query * CLASSES + self.group) * len(BANDS) + _bands(self.rank)
        cell = cell * len(self.grades) + self.grade
        return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)

    @functools.cached_property
    def _own(self) -> Floats:
        """(Q, 3, G) the labels of each query and class, of all ranks."""
        own: Floats = self.counts.sum(axis=2)
        return own

    def draw(self, rng: np.random.Generator) -> Floats:
        """(N,) a grade for each document without a label."""
        alike = float(rng.choice(LIKENESS, p=self._likeness_chances))
        near = float(rng.choice(NEIGHBOURS, p=self._neighbour_chances))
        rates = self._draw_rates(self._sums(alike), near, rng)
        query, group = self._open_cells
        expected = self._expected(rates)
        own = _shares(rng.standard_gamma(alike * expected + self._own[query, group]))
        # A query whose documents are better than those of others at their ranks has better ones at other ranks, too.
        share = _shares(rates[self.open_group, _bands(self.open_rank)] * (own / expected)[self._open_cell])
        upto = np.cumsum(share, axis=1)
        place = (rng.random(len(upto))[:, None] >= upto).sum(axis=1)
        drawn: Floats = self.grades[np.minimum(place, len(self.grades) - 1)]
        return drawn

    def _draw_rates(self, sums: Floats, near: float, rng: np.random.Generator) -> Floats:
        """(3, B, G) rates of each class and band of ranks, from the top down."""
        rates = np.empty_like(sums)
        above = self._base(sums) * 1.0
        weight = 1.0
        for band in range(len(BANDS)):
            rates[:, band] = _shares(rng.standard_gamma(weight * above + sums[:, band])) + 1e-9
            rates[:, band] /= rates[:, band].sum(axis=-1, keepdims=True)
            above, weight = rates[:, band], near
        return rates

    def _base(self, sums: Floats) -> Floats:
        """(G,) the rates of all labels together."""
        whole = sums.sum(axis=(0, 1)) + 1 / len(self.grades)
        base: Floats = whole / whole.sum()
        return base

    def _expected(self, rates: Floats) -> Floats:
        """(C, G) the rates that the labels of each cell would have if its query were like all: of their ranks."""
        weights = self._cell_bands
        expected: Floats = np.einsum("cb,cbg->cg", weights, rates[self._open_cells[1]])
        return expected

    @functools.cached_property
    def _cell_bands(self) -> Floats:
        """(C, B) shares of the ranks of the labels of each cell; of a cell without any, those of its other documents."""
        query, group = self._open_cells
        labels = self.counts.sum(axis=3)[query, group]
        others = np.zeros_like(labels)
        np.add.at(others, (self._open_cell, _bands(self.open_rank)), 1.0)
        chosen = np.where(labels.sum(axis=1, keepdims=True) > 0, labels, others)
        shares: Floats = chosen / chosen.sum(axis=1, keepdims=True)
        return shares

    def _sums(self, alike: float) -> Floats:
        """(3, B, G) labels of each class and band.

        Labels of one query resemble each other, so n of them count as n (alike + 1) / (alike + n) of as many queries.
        """
        many = self._own.sum(axis=2)[:, :, None, None]
        sums: Floats = (self.counts * (alike + 1) / (alike + many)).sum(axis=0)
        return sums

    @functools.cached_property
    def _likeness_chances(self) -> Floats:
        """The chance of each of `LIKENESS`, all as likely before, given the labels: Dirichlet-multinomial."""
        query, group = np.nonzero(self._own.sum(axis=2) > 1)  # a single label says nothing of how alike a query's are
        counts, bands = self._own[query, group], self.counts.sum(axis=3)[query, group]
        bands = bands / np.maximum(bands.sum(axis=1, keepdims=True), 1)
        logs = []
        for alike in LIKENESS.tolist():
            sums = self._sums(alike)
            rates = _shares(sums + self._base(sums))
            logs.append(_log_chance(counts, alike * np.einsum("cb,cbg->cg", bands, rates[group])))
        return _chances(logs)

    @functools.cached_property
    def _neighbour_chances(self) -> Floats:
        """The chance of each of `NEIGHBOURS`, all as likely before, given the labels of bands below one with labels."""
        sums = self._sums(float(LIKENESS @ self._likeness_chances))
        rates = _shares(sums + self._base(sums))
        there = sums.sum(axis=2) > 0
        group, band = np.nonzero(there[:, 1:] & there[:, :-1])
        return _chances([_log_chance(sums[group, band + 1], near * rates[group, band]) for near in NEIGHBOURS.tolist()])

    @functools.cached_property
    def _cells(self) -> tuple[Ints, Ints]:
        cells, place = np.unique(self.open_query * CLASSES + self.open_group, return_inverse=True)
        return cells, place

    @property
    def _open_cells(self) -> tuple[Ints, Ints]:
        """(C,) query and class of the different pairs of these with an unlabelled document."""
        return self._cells[0] // CLASSES, self._cells[0] % CLASSES

    @property
    def _open_cell(self) -> Ints:
        """(N,) which of the pairs each document without a label has."""
        return self._cells[1]


def _bands(rank: Ints) -> Ints:
    bands: Ints = np.maximum(np.searchsorted(BANDS, rank, side="right") - 1, 0)
    return bands


def _log_chance(counts: Floats, expected: Floats) -> float:
    """Return the logarithm of the chance of counts (n, G), up to what all have, under Dirichlet-multinomials."""
    from scipy.special import gammaln

    total = gammaln(expected.sum(axis=1)) - gammaln((expected + counts).sum(axis=1))
    return float(total.sum() + (gammaln(expected + counts) - gammaln(expected)).sum())


def _chances(logs: list[float]) -> Floats:
    chances = np.exp(np.array(logs) - max(logs))
    result: Floats = chances / chances.sum()
    return result


def _shares(gammas: Floats) -> Floats:
    gammas = gammas + TINY
    shares: Floats = gammas / gammas.sum(axis=-1, keepdims=True)
    return shares
