"""NERR10: nearly ERR, with the patience of RBP."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.reader import Reader, Reading, endless, read, summed, until_content


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """Expected worth of a result read by one who goes on from each with chance p x (1 - worth).

    Worth is the grade as a share of `max_grade`; whoever reaches rank k stops.

    Source: Azzopardi, Mackenzie and Moffat, ICTIR 2021, equation 10; cwl_eval 1.0.12 ``NERReq10`` is ``NERR10@1000``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NERR10(p=0.9)@3"])["NERR10@3"], 4)
    0.4879
    """
    return reading(lists, decisions, cutoff, p).steps()


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Reading:
    """What such a reader reads."""
    reader = Reader(lambda rank, _: p ** (rank - 1.0), summed(lambda rank: (1.0 - p**rank) / (1.0 - p)), until_content)
    return read(lists, reader, endless(lists, cutoff, decisions))
