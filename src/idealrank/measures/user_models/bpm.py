"""BPM: the Bejeweled player model."""

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.decisions.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.user_models.reader import Reader, Reading, read, summed, to_the_end


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Reading:  # noqa: N803 (the paper's name)
    """Mean worth of the results read by a reader who stops at rank k, or as soon as their worth adds up to T.

    Worth is the grade as a share of `max_grade`; it is 0 for a grade below zero, and if `max_grade` is not above 0.
    Without a cutoff, the list is read to its end.

    Source: Zhang, Liu, Li, Zhang, Xu and Ma, SIGIR 2017 (static); cwl_eval 1.0.12 ``BPM-Static``, where K is k.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "d1", "d2"], {"d1": 1, "d2": 1})
    >>> ir.evaluate(judgments, results, ["BPM(T=1)@3"])["BPM@3"]
    0.5
    """
    player = Reader(
        decay=lambda rank, _: np.ones_like(rank),
        between=summed(lambda rank: rank),
        stays=lambda _, _worth, got: (got < T - EQUAL).astype(np.float64),
    )
    return read(lists, player, to_the_end(lists, cutoff, decisions))
