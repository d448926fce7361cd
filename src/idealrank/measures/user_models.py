"""User models: what a reader gains from each result, by how he goes down the list (C/W/L)."""

import inspect
import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from idealrank.arrays import EQUAL, Floats, Ints, offsets, places, segment_counts
from idealrank.decisions.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.definition import DEFINED, PATIENCE, SCALED, Family, Parameter
from idealrank.measures.gains import depth
from idealrank.measures.reader import (
    Reading,
    UserModel,
    between_from_sums,
    cutoff_ranks,
    fixed_reading,
    grade_shares,
    last_ranks,
    patient_reading,
    read_lists,
    stop_when_content,
)
from idealrank.measures.steps import Steps, ones

FAMILY = Family(__doc__)
measure = FAMILY.measure

ReadingFunction = TypeVar("ReadingFunction", bound=Callable[..., Reading])

_ADAPTIVE = DEFINED._replace(average="none")

_PERSISTENCE = Parameter("p", default=0.95, low=0.0, high=1.0)

_GOAL = Parameter("T", default=1.0, low=0.0, high=math.inf)


def _by_reader(name: str, **declared: Any) -> Callable[[ReadingFunction], ReadingFunction]:
    """Declare a measure by the function that lets its reader read the lists: the value is the expected utility."""

    def declare(reading: ReadingFunction) -> ReadingFunction:
        def steps(*arguments: Any, **parameters: Any) -> Steps:
            return reading(*arguments, **parameters).steps()

        measure(name, about=inspect.getdoc(reading) or "", reading=reading, **declared)(steps)
        return reading

    return declare


def _insq_reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Reading:  # noqa: N803 (the paper's name)
    """Let the reader of INSQ read the lists.

    If no rank counts (``@1`` under ``cutoff=below_k``), nothing is read: the score is then 0 and not 0/0, so
    the divisor may not be 0.
    """
    last = depth(cutoff, decisions)
    weights = lists.weights(lambda rank: rank_weight(rank, T), last)
    total = float(weight_sum(np.array(np.inf if last is None else last), T))
    return fixed_reading(lists, grade_shares(lists), weights, total or 1.0, total)


@measure(
    "INSQ",
    title="INSQ: what results are worth to a reader who is more likely to continue the further he has come",
    reads=SCALED,
    properties=DEFINED,
    parameters=(_GOAL,),
    reading=_insq_reading,
)
def insq(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Steps:  # noqa: N803 (the paper's name)
    """Sum of worth / (rank + 2T - 1)^2, divided by the sum of 1 / (rank + 2T - 1)^2 over all ranks (up to k).

    T is how much the reader wants; he continues from rank i with probability ((i + 2T - 1) / (i + 2T))^2.
    Worth is the grade as a share of `max_grade`; it is 0 for a grade below zero, and if `max_grade` is not above 0.

    Source: Moffat, Scholer and Thomas, ADCS 2012; cwl_eval 1.0.12 ``INSQ`` is ``INSQ@1000``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["INSQ(T=1)@3"])["INSQ@3"], 4)
    0.7377
    """
    own = _insq_reading(lists, decisions, cutoff, T)
    columns = {"worth": own.worth, "discount": own.reached}
    return Steps(lists, columns, own.worth * own.reached, own.depth)


def double(goal: float) -> float:
    """Twice a goal; an OverflowError, not infinity, if that is too large for a number."""
    return math.ldexp(goal, 1)


def rank_weight(rank: Floats, goal: float) -> Floats:
    """How much each rank is read, 1 at the first."""
    weight: Floats = (double(goal) / (rank - 1.0 + double(goal))) ** 2
    return weight


def weight_sum(last: Floats, goal: float) -> Floats:
    """Sum of `rank_weight` over the ranks up to the last, which may be infinite."""
    return sum_inverse_squares(np.array(double(goal)), last, double(goal))


@_by_reader(
    "INST",
    title="INST: what results are worth to a reader with a goal who knows how much he has found",
    reads=SCALED,
    properties=_ADAPTIVE,
    parameters=(Parameter("T", default=1.0, low=0.5, high=math.inf, ends="closed"),),
)
def inst(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Reading:  # noqa: N803 (the paper's name)
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
    return read_lists(lists, with_goal(T), cutoff_ranks(lists, cutoff, decisions))


def with_goal(goal: float) -> UserModel:
    """The reader who wants this much."""
    wanted = double(goal)

    def decay(rank: Floats, got: Floats) -> Floats:
        weight: Floats = (wanted / (rank - 1.0 - got + wanted)) ** 2
        return weight

    def between(after: Floats, last: Floats, got: Floats) -> Floats:
        return sum_inverse_squares(after - got + wanted, last - after, wanted)

    def stays(rank: Floats, worth: Floats, got: Floats) -> Floats:
        # From here on the decay is another function of the rank, as if it had been from rank 1.
        rest = rank - 1.0 - got + wanted
        factor: Floats = (rest / (rest + worth)) ** 2
        return factor

    return UserModel(decay, between, stays)


@_by_reader(
    "BPM",
    title="BPM: what results are worth to a reader who stops once he has found enough, or at rank k",
    reads=SCALED,
    properties=_ADAPTIVE._replace(monotone="no"),
    parameters=(_GOAL,),
)
def bpm(lists: JudgedLists, decisions: Decisions, cutoff: int | None, T: float) -> Reading:  # noqa: N803 (the paper's name)
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
    player = UserModel(
        decay=lambda rank, _: np.ones_like(rank),
        between=between_from_sums(lambda rank: rank),
        # Shares such as 1/3 add up to the goal only nearly.
        stays=lambda _, _worth, got: (got < T - EQUAL).astype(np.float64),
    )
    return read_lists(lists, player, last_ranks(lists, cutoff, decisions))


@_by_reader("NERR8", title="Nearly ERR: stops when satisfied, or at rank k", reads=SCALED, properties=_ADAPTIVE)
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
    reader = UserModel(lambda rank, _: np.ones_like(rank), between_from_sums(lambda rank: rank), stop_when_content)
    return read_lists(lists, reader, last_ranks(lists, cutoff, decisions))


@_by_reader(
    "NERR9",
    title="Nearly ERR: stops when satisfied, or at rank k, earlier ranks counting more",
    reads=SCALED,
    properties=_ADAPTIVE,
)
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
    reader = UserModel(lambda rank, _: 1.0 / rank, between_from_sums(harmonic_number), stop_when_content)
    return read_lists(lists, reader, last_ranks(lists, cutoff, decisions))


@_by_reader(
    "NERR10",
    title="Nearly ERR: stops when satisfied, or loses patience as in RBP",
    reads=SCALED,
    properties=_ADAPTIVE,
    parameters=(Parameter("p", default=0.9, low=0.0, high=1.0),),
)
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
    reader = UserModel(
        lambda rank, _: p ** (rank - 1.0),
        between_from_sums(lambda rank: (1.0 - p**rank) / (1.0 - p)),
        stop_when_content,
    )
    return read_lists(lists, reader, cutoff_ranks(lists, cutoff, decisions))


@_by_reader(
    "NERR11",
    title="Nearly ERR: stops when satisfied, or continues as in INSQ",
    reads=SCALED,
    properties=_ADAPTIVE,
    parameters=(_GOAL,),
)
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
    reader = UserModel(
        lambda rank, _: rank_weight(rank, T), between_from_sums(lambda rank: weight_sum(rank, T)), stop_when_content
    )
    return read_lists(lists, reader, cutoff_ranks(lists, cutoff, decisions))


def _graded_rbp_reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Reading:
    return patient_reading(lists, grade_shares(lists), p, depth(cutoff, decisions))


@measure(
    "GradedRBP",
    title="Rank-biased precision with grades, as shares of the highest, instead of relevance",
    reads=SCALED,
    properties=DEFINED,
    parameters=(PATIENCE,),
    aliases=("gRBP",),
    reading=_graded_rbp_reading,
)
def graded_rbp(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """(1 - p) x sum of p^(rank - 1) x worth, the grade as a share of `max_grade`; p is the probability of reading on.

    Worth is 0 for a grade below zero, and if `max_grade` is not above 0.

    Source: Moffat and Zobel, TOIS 27(1), 2008; cwl_eval 1.0.12 ``RBP`` with gains from 0 to 1.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> ir.evaluate(judgments, results, ["GradedRBP(p=0.5)"])["GradedRBP(p=0.5)"]
    0.375
    """
    worth = grade_shares(lists)
    counts = lists.weights(lambda rank: (1.0 - p) * p ** (rank - 1.0), depth(cutoff, decisions))
    return Steps(lists, {"worth": worth, "discount": counts}, worth * counts, ones(lists))


@measure(
    "NormalisedRBP",
    title="Rank-biased precision of grades, as a share of the ideal list's",
    reads=("unjudged", "negative", "cutoff", "no_relevant"),
    properties=DEFINED._replace(at_ideal="1", undefined="nothing of worth"),
    parameters=(PATIENCE,),
    aliases=("normalized_RBP",),
)
def normalised_rbp(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """Sum of p^(rank - 1) x grade, divided by the same sum for all judged documents, best first (up to k).

    Only grades above 0 count; 0/0 if no judged document has one.

    Source: graded RBP (Moffat and Zobel, TOIS 27(1), 2008) over that of the ideal list, as nDCG is DCG over its ideal.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["NormalisedRBP(p=0.5)"])["NormalisedRBP(p=0.5)"], 4)
    0.6
    """

    def weight(rank: Floats) -> Floats:
        counts: Floats = p ** (rank - 1.0)
        return counts

    worth = np.nan_to_num(np.maximum(lists.grade, 0.0), nan=0.0)
    counts = lists.weights(weight, depth(cutoff, decisions))
    place = lists.pool_place.astype(np.float64)
    best = np.maximum(lists.pool_grade, 0.0) * weight(place) * (place <= (cutoff or np.inf))
    ideal = np.bincount(lists.pool_query, best, lists.size).astype(np.float64)
    return Steps(lists, {"worth": worth, "discount": counts}, worth * counts, ideal)


_NEGLIGIBLE = 45.0
"""Powers of p beyond e^-45, about 3e-20, change no digit of a sum that begins with 1: float64 has 16."""


@measure(
    "Compat",
    title="Compatibility: rank-biased overlap with the ideal list, as a share of the highest possible",
    reads=("unjudged", "negative", "no_relevant"),
    properties=_ADAPTIVE._replace(at_ideal="1", undefined="nothing of worth", depth="all", tie_range="none"),
    parameters=(_PERSISTENCE,),
    aliases=("compatibility",),
)
def compat(lists: JudgedLists, decisions: Decisions, p: float) -> Steps:
    """Rank-biased overlap of the results with the ideal list, divided by that of the ideal list with itself.

    Overlap is the sum over depths i of p^(i - 1) x the share of the first i that the lists have in common. The
    ideal list contains the documents with grades above 0, best first, in the order returned if grades are
    equal; this includes unjudged results given such a grade (``unjudged=1``). Depths go to the end of the
    longer list. 0/0 if no document has a grade above 0.

    Source: Clarke, Vtyurina and Smucker, TOIS 39(4), 2021; ir_measures 0.4 ``Compat``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "d1"], {"d1": 1})
    >>> round(ir.evaluate(judgments, results, ["Compat(p=0.5)"])["Compat(p=0.5)"], 4)
    0.2
    """
    del decisions
    columns, shares, best = overlaps(lists, p)
    return Steps(lists, columns, shares, best)


def overlaps(lists: JudgedLists, p: float) -> tuple[dict[str, Floats], Floats, Floats]:
    """Columns to show, (H,) what each hit adds to the overlap, (Q,) the overlap of the ideal list with itself."""
    wanted = ideal_lengths(lists)
    deepest = np.maximum(lists.returned, wanted)
    sums = depth_sums(p, int(deepest.max(initial=0)))
    end = _sum_at(sums, deepest)
    place = ideal_places(lists)
    good = (lists.grade > 0).astype(np.float64)
    shared = np.maximum(place, lists.rank)
    shares = good * np.maximum(end[lists.query] - _sum_at(sums, shared - 1), 0.0)
    owner = np.repeat(np.arange(lists.size), wanted)
    best = np.bincount(owner, np.maximum(end[owner] - _sum_at(sums, places(offsets(wanted)) - 1), 0.0), lists.size)
    return {"ideal_rank": place * good}, shares, best.astype(np.float64)


def depth_sums(p: float, deepest: int) -> Floats:
    """Sums of p^(i - 1) / i over i = 1 … d, for d from 0 on, as far as they still grow."""
    enough = min(deepest, int(_NEGLIGIBLE / -math.log(p)) + 2)
    depths = np.arange(1.0, enough + 1)
    return np.cumsum(np.append(0.0, p ** (depths - 1.0) / depths))


def ideal_lengths(lists: JudgedLists) -> Ints:
    """(Q,) documents in the ideal list: those with a grade above 0."""
    return _count_above(lists, 0.0).astype(np.int64)


def _count_above(lists: JudgedLists, grade: float) -> Floats:
    """(Q,) documents with a grade above another: judged ones, and unjudged results given a grade."""
    assumed = (lists.grade > grade) & ~np.isin(lists.entry, lists.pool_entry)
    return segment_counts(lists.pool_grade > grade, lists.pool_start) + lists.per_query(assumed)


def ideal_places(lists: JudgedLists) -> Floats:
    """(H,) place of each hit in the ideal list; 0 if its grade is not above 0."""
    place = np.zeros(len(lists.grade))
    for grade in np.unique(lists.grade[lists.grade > 0]):
        same = lists.grade == grade
        better = _count_above(lists, grade)[lists.query]
        place += np.where(same, better + lists.before(same.astype(np.float64)) + 1.0, 0.0)
    return place


def _sum_at(sums: Floats, depth: Ints | Floats) -> Floats:
    """Read the sums at each depth; beyond the last they stay the same."""
    values: Floats = sums[np.minimum(depth, len(sums) - 1).astype(np.int64)]
    return values


@measure(
    "RBOToIdeal",
    title="Rank-biased overlap with the ideal list",
    reads=("unjudged", "negative"),
    properties=_ADAPTIVE._replace(depth="all", tie_range="none"),
    parameters=(_PERSISTENCE,),
)
def rbo_to_ideal(lists: JudgedLists, decisions: Decisions, p: float) -> Steps:
    """Sum over depths i of p^(i - 1) x the share of the first i common to results and ideal list / sum of p^(i - 1).

    The ideal list and the depths are those of Compat.

    Source: Webber, Moffat and Zobel, TOIS 28(4), 2010; ir_measures 0.4 ``Compat(normalize=False)``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["x", "d1"], {"d1": 1})
    >>> round(ir.evaluate(judgments, results, ["RBOToIdeal(p=0.5)"])["RBOToIdeal(p=0.5)"], 4)
    0.1667
    """
    del decisions
    columns, shares, _ = overlaps(lists, p)
    deepest = np.maximum(lists.returned, ideal_lengths(lists))
    whole = (1.0 - p ** deepest.astype(np.float64)) / (1.0 - p)
    return Steps(lists, columns, shares, np.where(deepest > 0, whole, 1.0))


# Infinite sums in closed form: the weights of all ranks.

FAR = 32
"""From this value on, the series below are exact to the last digit of float64."""


def sum_inverse_squares(x: Floats, terms: Floats, scale: float = 1.0) -> Floats:
    """Sum of (scale / (x + i))^2 over i = 0, 1, 2 … for x above 0; `terms`, how many, may be infinite.

    The first terms are added up; the rest is the Euler-Maclaurin series. If one sum is subtracted from another,
    the terms they share are left out first, so that a few small terms keep all their digits.

    Examples
    --------
    >>> import math
    >>> math.isclose(sum_inverse_squares(np.array(1.0), np.array(np.inf)), math.pi**2 / 6)
    True
    >>> math.isclose(sum_inverse_squares(np.array(1e20), np.array(3.0), 1e20), 3)
    True
    """
    shares = [_relative_drop(x + i, terms) for i in range(FAR)]
    # 1/x² - 1/(x + n)² is s (2 - s) / x², where s is the relative decrease of 1/x: without the difference of two nearly
    # equal numbers.
    near = sum((scale / (x + i)) ** 2 * share * (2.0 - share) for i, share in enumerate(shares))
    share = _relative_drop(x + FAR, terms)
    y = 1.0 / (x + FAR)
    total: Floats = (
        near + (scale * y) * (scale * share) + _series_tail(y, scale) - _series_tail(y * (1.0 - share), scale)
    )
    return total


def _relative_drop(x: Floats, terms: Floats) -> Floats:
    """The relative decrease from 1 / x to 1 / (x + terms)."""
    endless = np.isinf(terms)
    few = np.where(endless, 1.0, terms)
    lost: Floats = np.where(endless, 1.0, few / (x + few))
    return lost


def _series_tail(y: Floats, scale: float) -> Floats:
    """The asymptotic series of the trigamma function after its first term, y = 1/x (Abramowitz and Stegun, 6.4.12)."""
    square = y * y
    rest: Floats = (scale * y) ** 2 * (0.5 + y * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30))))
    return rest


def harmonic_number(n: Floats) -> Floats:
    """Sum of 1 / i over i = 1 … n.

    Examples
    --------
    >>> bool(np.allclose(harmonic_number(np.array([0.0, 4.0])), [0, 25 / 12], atol=1e-15))
    True
    """
    # The asymptotic series of the digamma function (Abramowitz and Stegun, 6.3.18) at n + FAR, less the terms up to
    # there.
    near = sum(1.0 / (n + i) for i in range(1, FAR + 1))
    y = n + FAR
    square = 1.0 / (y * y)
    series = (
        np.log(y)
        + np.euler_gamma
        + 0.5 / y
        - square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    )
    total: Floats = series - near
    return total
