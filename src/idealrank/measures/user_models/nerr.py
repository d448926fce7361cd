"""Nearly ERR: readers who stop when satisfied, or for another reason."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.user_models.insq import rank_weight, weight_sum
from idealrank.measures.user_models.reader import Reader, Reading, endless, read, summed, to_the_end, until_content
from idealrank.measures.user_models.zeta import harmonic


def nerr8(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Reading:
    """Expected worth of a result read by a reader who continues from each with probability 1 - worth, up to rank k.

    Worth is the grade as a share of `max_grade`; it is 0 for a grade below zero, and if `max_grade` is not above 0.
    Without a cutoff, the list is read to its end.

    Source: Azzopardi, Mackenzie and Moffat, ICTIR 2021, equation 8; cwl_eval 1.0.12 ``NERReq8``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NERR8@3"])["NERR8@3"], 4)
    0.5
    """
    reader = Reader(lambda rank, _: np.ones_like(rank), summed(lambda rank: rank), until_content)
    return read(lists, reader, to_the_end(lists, cutoff, decisions))


def nerr9(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Reading:
    """Expected worth of a result read up to rank k; the probability of continuing from i is i / (i + 1) x (1 - worth).

    Worth is the grade as a share of `max_grade`; it is 0 for a grade below zero, and if `max_grade` is not above 0.
    Without a cutoff, the list is read to its end.

    Source: Azzopardi, Mackenzie and Moffat, ICTIR 2021, equation 9; cwl_eval 1.0.12 ``NERReq9``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NERR9@3"])["NERR9@3"], 4)
    0.4706
    """
    reader = Reader(lambda rank, _: 1.0 / rank, summed(harmonic), until_content)
    return read(lists, reader, to_the_end(lists, cutoff, decisions))


def nerr10(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Reading:
    """Expected worth of a result read by a reader who continues from each with probability p x (1 - worth).

    Worth is the grade as a share of `max_grade`; it is 0 for a grade below zero, and if `max_grade` is not above 0.
    The reader stops at rank k.

    Source: Azzopardi, Mackenzie and Moffat, ICTIR 2021, equation 10; cwl_eval 1.0.12 ``NERReq10`` is ``NERR10@1000``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NERR10(p=0.9)@3"])["NERR10@3"], 4)
    0.4879
    """
    reader = Reader(lambda rank, _: p ** (rank - 1.0), summed(lambda rank: (1.0 - p**rank) / (1.0 - p)), until_content)
    return read(lists, reader, endless(lists, cutoff, decisions))


def nerr11(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Reading:  # noqa: N803 (the paper's name)
    """Expected worth of a result read; the probability of continuing is ((i + 2T - 1) / (i + 2T))^2 x (1 - worth).

    i is the rank, T how much the reader wants, and worth the grade as a share of `max_grade`. The reader
    stops at rank k.

    Source: Azzopardi, Mackenzie and Moffat, ICTIR 2021, equation 11; cwl_eval 1.0.12 ``NERReq11`` is ``NERR11@1000``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NERR11(T=1)@3"])["NERR11@3"], 4)
    0.4639
    """
    reader = Reader(lambda rank, _: rank_weight(rank, T), summed(lambda rank: weight_sum(rank, T)), until_content)
    return read(lists, reader, endless(lists, cutoff, decisions))
