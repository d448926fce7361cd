"""INST: INSQ with a reader who knows how much he has found."""

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.user_models.insq import double
from idealrank.measures.user_models.reader import Reader, Reading, endless, read
from idealrank.measures.user_models.zeta import squares


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Reading:  # noqa: N803 (the paper's name)
    """Expected worth of a result read; the probability of continuing from rank i is ((i + T + t - 1) / (i + T + t))^2.

    T is how much the reader wants, and t how much he still wants at rank i; he stops at rank k. Worth is the
    grade as a share of `max_grade`; it is 0 for a grade below zero, and if `max_grade` is not above 0.

    Source: Bailey, Moffat, Scholer and Thomas, SIGIR 2015; cwl_eval 1.0.12 ``INST`` is ``INST@1000``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["INST(T=1)@3"])["INST@3"], 4)
    0.8163
    """
    return read(lists, with_goal(T), endless(lists, cutoff, decisions))


def with_goal(goal: float) -> Reader:
    """The reader who wants this much."""
    wanted = double(goal)

    def decay(rank: Floats, got: Floats) -> Floats:
        weight: Floats = (wanted / (rank - 1.0 - got + wanted)) ** 2
        return weight

    def between(after: Floats, last: Floats, got: Floats) -> Floats:
        return squares(after - got + wanted, last - after, wanted)

    def stays(rank: Floats, worth: Floats, got: Floats) -> Floats:
        # From here on the decay is another function of the rank, as if it had been from rank 1.
        rest = rank - 1.0 - got + wanted
        factor: Floats = (rest / (rest + worth)) ** 2
        return factor

    return Reader(decay, between, stays)
