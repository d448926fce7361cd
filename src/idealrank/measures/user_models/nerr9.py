"""NERR9: nearly ERR, with the discount 1 / rank."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.reader import Reader, Reading, read, summed, to_the_end, until_content
from idealrank.measures.user_models.zeta import harmonic


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Expected worth of a result read by one who goes on from rank i with chance i / (i + 1) x (1 - worth), up to k.

    Worth is the grade as a share of `max_grade`. Without a cutoff the list is read to its end.

    Source: Azzopardi, Mackenzie and Moffat, ICTIR 2021, equation 9; cwl_eval 1.0.12 ``NERReq9``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NERR9@3"])["NERR9@3"], 4)
    0.4706
    """
    return reading(lists, decisions, cutoff).steps()


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Reading:
    """What such a reader reads."""
    reader = Reader(lambda rank, _: 1.0 / rank, summed(harmonic), until_content)
    return read(lists, reader, to_the_end(lists, cutoff, decisions))
