"""The numbers trec_eval prints, from the measures of this package: one array of values per column."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank._core import Pool
from idealrank.arrays import Floats, Mask, offsets, places
from idealrank.conventions import parse_convention
from idealrank.decisions.decisions import Decisions
from idealrank.evaluation.means import LOWEST_IN_LOG
from idealrank.integrations.trec_eval.arguments import (
    INPUT,
    MEASURES,
    NICKNAMES,
    Arguments,
    Stop,
    TrecMeasure,
    atof,
    atol,
)
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures import parse
from idealrank.measures.definition import Measure

_LEVEL = re.compile(r"[+-]?[0-9]+", re.ASCII)

_PARAMETERS = {"iprec_at_recall": ("recall",), "Rprec_mult": ("x",), "utility": ("a", "b", "c", "d")}


def base_decisions(arguments: Arguments) -> Decisions:
    """Return the decisions that trec_eval's flags mean."""
    answers = {"relevant_from": float(arguments.level)}
    return parse_convention(f"trec_eval-{arguments.compat}", answers).decisions


class PrintedMeasure(NamedTuple):
    """One printed number per topic.

    Attributes
    ----------
    measure
        trec_eval's name of the measure.
    name
        The printed name.
    values
        The parameter of a cut, all parameters in order, or none.
    pairs
        Parameters with a name, as (name, number).
    """

    measure: str
    name: str
    values: tuple[float, ...] = ()
    pairs: tuple[tuple[str, float], ...] = ()

    @property
    def entry(self) -> TrecMeasure:
        """The measure."""
        return MEASURES[self.measure]


class Formulas:
    """Computes columns over judged lists, under the flags of a call.

    `values` calls the method `_MEASURE` if there is one: those of measures that trec_eval computes otherwise.
    """

    def __init__(self, arguments: Arguments, pool: Pool) -> None:
        self.arguments = arguments
        self.decisions = base_decisions(arguments)
        # Without counts requested, NumPy would first import its masked arrays.
        self.grades, _ = np.unique(pool.grade[pool.grade >= 0], return_counts=True)
        self.measures: dict[PrintedMeasure, Measure] = {}

    def prepare(self, lists: JudgedLists) -> JudgedLists:
        """Return lists cut at -M, without unjudged results under -J."""
        most = self.arguments.most
        if most is not None:
            lists = replace(lists.upto(most), returned=np.minimum(lists.returned, max(most, 0)))
        if "J" in self.arguments.flags:
            lists = arrange(lists, self.decisions.but(unjudged="filter"))
        return lists

    def values(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        """Return (Q,) the values of a column; NaN only if trec_eval prints it."""
        special = getattr(self, f"_{column.measure}", None)
        if special is not None:
            return special(column, lists)  # type: ignore[no-any-return]
        scores = self._compute_plain(column, lists)
        return scores if column.entry.shown != "all" else np.log(np.maximum(scores, LOWEST_IN_LOG))

    def _compute_plain(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        measure = self._cached_measure(column)
        under = self.decisions.but(negative="keep") if measure.definition.below_zero == "kept" else self.decisions
        if self.arguments.level < 0 and column.measure not in COUNTING_JUDGED:
            lists = BelowZero.of(lists)
        scores = measure.steps(arrange(lists, under)).scores(measure.decisions)
        return np.where(np.isnan(scores), 0.0, scores)

    def _cached_measure(self, column: PrintedMeasure) -> Measure:
        if column not in self.measures:
            self.measures[column] = self._parse_measure(column)
        return self.measures[column]

    def _parse_measure(self, column: PrintedMeasure) -> Measure:
        (measure,) = parse(column.measure, self.decisions)
        if column.entry.kind == "cuts":
            return replace(measure, cutoff=int(column.values[0]))
        if column.measure in _PARAMETERS:
            named = dict(zip(_PARAMETERS[column.measure], column.values, strict=True))
            if column.measure == "utility":
                named["docs"] = float(self.arguments.documents)
            return replace(measure, parameters=tuple(named.items()))
        if column.measure.startswith("rbp"):
            return replace(measure, parameters=(("p", _persistence(column)),))
        return replace(measure, decisions=self.decisions.but(gain=self.gains(column))) if column.pairs else measure

    def gains(self, column: PrintedMeasure) -> dict[float, float]:
        """The gain of every grade: the grade itself unless another is given."""
        gains: dict[float, float] = {}
        for name, gain in column.pairs:
            if self.arguments.compat != "9.0.8" and not _LEVEL.fullmatch(name):
                continue  # 10.0 ignores anything that is not a grade
            gains.setdefault(float(atol(name)), gain)
        return {0.0: 0.0} | {float(grade): float(grade) for grade in self.grades} | gains

    def _num_q(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        return np.ones(lists.size)

    def _runid(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        return np.zeros(lists.size)

    _relstring = _runid

    def _iprec_at_recall(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        from idealrank.measures.trec import relevant_at

        total = arrange(lists, self.decisions).judged_relevant(self.decisions.relevant_from)
        nothing = (lists.returned == 0) & (relevant_at(total, column.values[0], self.decisions) <= 0)
        return np.where(nothing, np.nan, self._compute_plain(column, lists))

    def _11pt_avg(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        total = np.zeros(lists.size)
        for share in reversed(column.values):
            total += self._iprec_at_recall(PrintedMeasure("iprec_at_recall", "", (share,)), lists)
        return total / len(column.values)

    def _set_map(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        hits, all_, relevant = (
            self._compute_plain(PrintedMeasure(name, name), lists) for name in ("num_rel_ret", "num_ret", "num_rel")
        )
        below = all_ * relevant
        return np.where(below > 0, hits * hits / np.where(below > 0, below, 1.0), 0.0)

    def _set_F(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:  # noqa: N802
        precision = self._compute_plain(PrintedMeasure("set_P", "set_P"), lists)
        recall = self._compute_plain(PrintedMeasure("set_recall", "set_recall"), lists)
        x = column.values[0]
        below = x * precision + recall
        return np.where(precision > 0, (x + 1.0) * precision * recall / np.where(below == 0, np.nan, below), 0.0)

    def _ideal_dcg(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        """The ideal ends when gains are no longer above 0."""
        pairs = tuple((name, max(gain, 0.0)) for name, gain in column.pairs)
        return self._compute_plain(PrintedMeasure("ideal_dcg", "", (), pairs), lists)

    def _ndcg(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        if all(gain >= 0 for _, gain in column.pairs):
            return self._compute_plain(column, lists)
        ideal = self._ideal_dcg(column, lists)
        dcg = self._compute_plain(PrintedMeasure("dcg", "", (), column.pairs), lists)
        return np.where(ideal > 0, dcg / np.where(ideal > 0, ideal, 1.0), 0.0)

    def _Rndcg(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:  # noqa: N802
        """0/0 if documents are relevant but none has a gain (-l 0)."""
        scores = self._compute_plain(column, lists)
        some = arrange(lists, self.decisions).judged_relevant(self.decisions.relevant_from) > 0
        ideal = self._compute_plain(PrintedMeasure("ideal_dcg", "", (), column.pairs), lists)
        return np.where(some & (ideal <= 0), np.nan, scores)

    def _rbp_resid(self, column: PrintedMeasure, lists: JudgedLists) -> Floats:
        """The value of unjudged results and ranks beyond the end, added as there; 0 if everything is judged."""
        settled, p = arrange(lists, self.decisions), _persistence(column)
        powers = np.cumprod(np.append(1.0, np.full(int(lists.returned.max(initial=0)), p)))
        start = offsets(lists.returned)
        worth = powers[places(start) - 1]
        judged = ~np.isnan(settled.grade)
        worth[start[settled.query[judged]] + settled.rank[judged] - 1] = 0.0
        added = np.bincount(np.repeat(np.arange(lists.size), lists.returned), worth, lists.size)
        return np.where(added > 0, powers[lists.returned] + (1.0 - p) * added, 0.0)


def _persistence(column: PrintedMeasure) -> float:
    return next((value for name, value in reversed(column.pairs) if name == "p"), 0.9)


def relevance_strings(lists: JudgedLists, length: float) -> list[bytes]:
    """Return a letter for each of the first results of each topic: its grade, ``-`` unjudged, ``.`` below zero."""
    wide = int(max(0, min(length, int(lists.returned.max(initial=0))))) if not math.isnan(length) else 0
    letters = np.full((lists.size, wide), ord("-"), np.uint8)
    hit = np.flatnonzero((lists.rank <= wide) & ~np.isnan(lists.grade))
    grade = lists.grade[hit]
    letter = np.where(grade < 0, ord("."), np.where(grade > 9, ord(">"), ord("0") + np.clip(grade, 0, 9)))
    letters[lists.query[hit], lists.rank[hit] - 1] = letter.astype(np.uint8)
    lengths: Any = np.minimum(lists.returned, wide).tolist()
    return [row.tobytes()[:many] for row, many in zip(letters, lengths, strict=True)]


# Levels below 0.


NOT_POOLED, NOT_JUDGED = -1.0, -2.0
"""The grades used for a result without a judgment, and for one with a grade below 0."""

MIXED = ("Rprec_mult", "iprec_at_recall", "11pt_avg", "infAP")
"""Measures for which trec_eval takes some counts from judged results and others from all."""

COUNTING_JUDGED = ("num_rel_ret", "set_P", "set_recall", "set_relative_P", "utility", "bpref", "gm_bpref", *MIXED)
"""Measures in which only judged results count."""


@dataclass(frozen=True, eq=False)
class BelowZero(JudgedLists):
    """Judged lists in which every result is a hit and a level below 0 makes results without a grade relevant."""

    @classmethod
    def of(cls, lists: JudgedLists) -> BelowZero:
        """Read lists so."""
        return cls(**{part.name: getattr(lists, part.name) for part in fields(lists) if part.init})

    def relevant(self, level: float | str) -> Mask:
        """(H,) whether each hit is relevant: the grade used for it reaches the level."""
        assert not isinstance(level, str)

        def reached() -> Mask:
            judged = np.where(self.grade >= 0, self.grade, NOT_JUDGED)
            return np.where(self.entry < 0, NOT_POOLED, judged) >= level

        return self.kept.once(("relevant", level), reached)


# Columns.


def printed_columns(arguments: Arguments) -> list[PrintedMeasure]:
    """Return the requested columns, in the order they are printed.

    Raises
    ------
    Stop
        If the parameters of a measure cannot be used.

    Examples
    --------
    >>> from idealrank.integrations.trec_eval.arguments import read_arguments
    >>> [column.name for column in printed_columns(read_arguments(["-m", "P.10,5", "-m", "set_F.2"]))]
    ['P_5', 'P_10', 'set_F_2']
    """
    measures = arguments.measures or frozenset(NICKNAMES["official"])
    parameters = dict(arguments.parameters)
    if arguments.compat != "9.0.8":
        _pass_on_gains(parameters, [measure for measure in _SHARING if measure in measures])
    columns = [
        column
        for measure, entry in MEASURES.items()
        if measure in measures
        for column in _measure_columns(measure, entry, parameters.get(measure))
    ]
    if arguments.compat == "9.0.8":
        return columns
    last = next((column.pairs for column in reversed(columns) if column.measure in _SHARING), ())
    return [column._replace(pairs=last) if column.measure in _SHARING else column for column in columns]


_SHARING = ("dcg", "ideal_dcg", "ndcg")
"""Measures of 10.0 with one place for their gains: the last ones given count for all three."""


def _pass_on_gains(parameters: dict[str, str], measures: list[str]) -> None:
    """Print the gains of a measure in the name of the next one that has none."""
    for measure, following in itertools.pairwise(measures):
        if measure in parameters:
            parameters.setdefault(following, parameters[measure])


def _measure_columns(measure: str, entry: TrecMeasure, typed: str | None) -> Iterator[PrintedMeasure]:
    if entry.kind == "plain":
        yield PrintedMeasure(measure, measure)
    elif entry.kind == "cuts":
        cuts = _sort_distinct(measure, entry.default if typed is None else tuple(map(atol, typed.split(","))))
        for cut in cuts:
            yield PrintedMeasure(measure, f"{measure}_{cut:.0f}", (cut,))
    elif entry.kind == "shares":
        shares = _sort_distinct(measure, entry.default if typed is None else tuple(map(atof, typed.split(","))))
        for share in shares:
            yield PrintedMeasure(measure, f"{measure}_{share:3.2f}", (share,))
    else:
        name = measure if typed is None else f"{measure}_{typed}"
        if entry.kind == "pairs":
            yield PrintedMeasure(measure, name, (), () if typed is None else _read_pairs(measure, typed))
        else:
            yield PrintedMeasure(measure, name, entry.default if typed is None else tuple(map(atof, typed.split(","))))


def _sort_distinct(measure: str, values: tuple[float, ...]) -> list[float]:
    rising = sorted(values)
    if MEASURES[measure].kind == "cuts" and rising[0] <= 0:
        raise Stop(INPUT, f"-m {measure}: the cutoff {rising[0]:.0f} is not above 0.")
    for one, other in itertools.pairwise(rising):
        if one == other:
            raise Stop(INPUT, f"-m {measure}: {one:g} is given twice. Give each number once.")
    return rising


def _read_pairs(measure: str, typed: str) -> tuple[tuple[str, float], ...]:
    parts = typed.split(",")
    if not all(part.count("=") == 1 for part in parts):
        raise Stop(
            INPUT, f"-m {measure}.{typed}: not of the form name=number, as in {_EXAMPLES.get(measure, measure)}."
        )
    return tuple((name, atof(value)) for name, _, value in (part.partition("=") for part in parts))


_EXAMPLES = {"rbp": "rbp.p=0.8", "rbp_resid": "rbp_resid.p=0.8", "ndcg": "ndcg.1=3,2=9"}
