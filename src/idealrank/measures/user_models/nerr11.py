"""NERR11: nearly ERR, with the goal of INSQ."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.insq import decayed, upto
from idealrank.measures.user_models.reader import Reader, Reading, endless, read, summed, until_content


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Steps:  # noqa: N803 (the paper's name)
    """Expected worth of a result read by one who goes on with chance ((i + 2T - 1) / (i + 2T))^2 x (1 - worth).

    i is the rank, T how much the reader wants, worth the grade as a share of `max_grade`; whoever reaches
    rank k stops.

    Source: Azzopardi, Mackenzie and Moffat, ICTIR 2021, equation 11; cwl_eval 1.0.12 ``NERReq11`` is ``NERR11@1000``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NERR11(T=1)@3"])["NERR11@3"], 4)
    0.4639
    """
    return reading(lists, decisions, cutoff, T).steps()


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Reading:  # noqa: N803 (the paper's name)
    """What such a reader reads."""
    reader = Reader(lambda rank, _: decayed(rank, T), summed(lambda rank: upto(rank, T)), until_content)
    return read(lists, reader, endless(lists, cutoff, decisions))
