"""The DCG of the ideal list at every depth: all judged documents with a gain, best first."""

import numpy as np

from idealrank.arrays import Floats, Ints, places, running_sums
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import discount, gains


class IdealDCGs:
    """The ideal lists of Q queries.

    Attributes
    ----------
    many, total
        (Q,) the number of documents in the list, and its DCG.
    start, worth
        (Q + 1,), (I,) where each list starts, and the gains, highest first.
    """

    def __init__(self, lists: JudgedLists, decisions: Decisions) -> None:
        worth = gains(lists.pool_grade, decisions)
        order = np.lexsort((-worth, lists.pool_query))
        order = order[worth[order] > 0]
        self.query, self.worth = lists.pool_query[order], worth[order]
        self.many = np.bincount(self.query, minlength=lists.size)
        self.start = np.concatenate((np.zeros(1, np.int64), np.cumsum(self.many)))
        terms = self.worth * discount(decisions)(places(self.start).astype(np.float64))
        self._sums = np.concatenate(([0.0], running_sums(terms, self.start)))
        self.total = np.where(self.many > 0, self._sums[self.start[1:]], 0.0)

    def upto(self, query: Ints, rank: Ints) -> Floats:
        """(N,) the DCG of the first `rank` places of the list of each query given."""
        within = np.minimum(rank, self.many[query])
        sums: Floats = np.where(within > 0, self._sums[self.start[query] + within], 0.0)
        return sums
