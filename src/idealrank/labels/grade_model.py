"""What labelled documents say about the others: grades drawn for those, with how little is known of their rates."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Ints

BOTH, FIRST, SECOND = 0, 1, 2
"""The classes of documents: in the first k of both lists, of the first alone, of the second alone."""

CLASSES = 3

LIKENESS = 2.0 ** np.arange(-1, 7)
"""How alike queries may be, in labels: so many labels of the query say as much as all other queries together."""

TINY = 1e-300
"""Added to drawn gammas, which may be 0 to the last bit; shares of them need a sum."""


@dataclass(frozen=True, eq=False)
class GradeModel:
    """Labelled documents of Q queries, and N without a label.

    The rates of the grades are drawn, too, since few labels say little: for each class of documents from a Dirichlet
    distribution of its labels, then for each query and class from one around these, which the query's own labels join.
    How alike the queries are is drawn from what the labels say of it. Grades of a document's rank are not told apart.

    Attributes
    ----------
    size
        How many queries there are; numbers are drawn in their order.
    grades
        (G,) the grades a document may have.
    query, group, grade
        (L,) of labelled documents the place of the query, the class, and the place of the grade.
    open_query, open_group
        (N,) the same of those without a label.
    """

    size: int
    grades: Floats
    query: Ints
    group: Ints
    grade: Ints
    open_query: Ints
    open_group: Ints

    @functools.cached_property
    def counts(self) -> Floats:
        """(Q, 3, G) how often each grade was given."""
        shape = (self.size, CLASSES, len(self.grades))
        cell = (self.query * CLASSES + self.group) * len(self.grades) + self.grade
        return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)

    def draw(self, rng: np.random.Generator) -> Floats:
        """(N,) a grade for each document without a label."""
        alike = float(rng.choice(LIKENESS, p=self._likeness_chances))
        rates = _shares(rng.standard_gamma(self._class_sums(alike)))
        cells, cell = self._open_cells
        query, group = cells // CLASSES, cells % CLASSES
        own = _shares(rng.standard_gamma(alike * rates[group] + self.counts[query, group]))
        upto = np.cumsum(own, axis=1)[cell]
        place = (rng.random(len(cell))[:, None] >= upto).sum(axis=1)
        drawn: Floats = self.grades[np.minimum(place, len(self.grades) - 1)]
        return drawn

    def _class_sums(self, alike: float) -> Floats:
        """(3, G) labels of each class, plus one with the rates of all classes.

        Labels of one query resemble each other, so n of them count as n (alike + 1) / (alike + n) of as many queries.
        """
        many = self.counts.sum(axis=2, keepdims=True)
        sums = (self.counts * (alike + 1) / (alike + many)).sum(axis=0)
        whole = sums.sum(axis=0) + 1 / len(self.grades)
        result: Floats = sums + whole / whole.sum()
        return result

    @functools.cached_property
    def _likeness_chances(self) -> Floats:
        """The chance of each of `LIKENESS`, all as likely before, given the labels: Dirichlet-multinomial."""
        from scipy.special import gammaln

        of_group = np.arange(self.counts.shape[0] * CLASSES) % CLASSES
        counts = self.counts.reshape(len(of_group), -1)
        some = counts.sum(axis=1) > 1  # a single label says nothing of how alike those of a query are
        counts, of_group = counts[some], of_group[some]
        logs = []
        for alike in LIKENESS.tolist():
            sums = self._class_sums(alike)
            expected = alike * (sums / sums.sum(axis=1, keepdims=True))[of_group]
            total = gammaln(alike) - gammaln(alike + counts.sum(axis=1))
            logs.append(float(total.sum() + (gammaln(expected + counts) - gammaln(expected)).sum()))
        chances = np.exp(np.array(logs) - max(logs))
        result: Floats = chances / chances.sum()
        return result

    @functools.cached_property
    def _open_cells(self) -> tuple[Ints, Ints]:
        """The different pairs of query and class with an unlabelled document, and which of them each of N has."""
        cells, place = np.unique(self.open_query * CLASSES + self.open_group, return_inverse=True)
        return cells, place


def _shares(gammas: Floats) -> Floats:
    gammas = gammas + TINY
    shares: Floats = gammas / gammas.sum(axis=-1, keepdims=True)
    return shares
