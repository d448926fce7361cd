"""NERR8: nearly ERR, with a reader who stops at rank k."""

from __future__ import annotations

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.reader import Reader, Reading, read, summed, to_the_end, until_content


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Expected worth of a result read by one who goes on from each with chance 1 - worth, up to rank k.

    Worth is the grade as a share of `max_grade`. Without a cutoff the list is read to its end.

    Source: Azzopardi, Mackenzie and Moffat, ICTIR 2021, equation 8; cwl_eval 1.0.12 ``NERReq8``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NERR8@3"])["NERR8@3"], 4)
    0.5
    """
    return reading(lists, decisions, cutoff).steps()


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Reading:
    """What such a reader reads."""
    reader = Reader(lambda rank, _: np.ones_like(rank), summed(lambda rank: rank), until_content)
    return read(lists, reader, to_the_end(lists, cutoff, decisions))
