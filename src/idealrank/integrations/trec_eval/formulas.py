"""The numbers trec_eval prints, from the measures of this package: one array of values per column."""

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank._core import Pool
from idealrank.arrays import Floats, offsets, places
from idealrank.conventions import parse_convention
from idealrank.decisions import Decisions
from idealrank.evaluation.means import LOWEST_IN_LOG
from idealrank.integrations.trec_eval.arguments import Arguments
from idealrank.integrations.trec_eval.below_zero import COUNTING_JUDGED, BelowZero
from idealrank.integrations.trec_eval.columns import Column
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures import Measure, parse

_LEVEL = re.compile(r"[+-]?[0-9]+", re.ASCII)

_PARAMETERS = {"iprec_at_recall": ("recall",), "Rprec_mult": ("x",), "utility": ("a", "b", "c", "d")}


def base_decisions(arguments: Arguments) -> Decisions:
    """Return the decisions that trec_eval's flags mean."""
    answers = {"relevant_from": float(arguments.level)}
    return parse_convention(f"trec_eval-{arguments.compat}", answers).decisions


class Formulas:
    """Computes columns over judged lists, under the flags of a call."""

    def __init__(self, arguments: Arguments, pool: Pool) -> None:
        self.arguments = arguments
        self.decisions = base_decisions(arguments)
        # Without counts requested, NumPy would first import its masked arrays.
        self.grades, _ = np.unique(pool.grade[pool.grade >= 0], return_counts=True)
        self.measures: dict[Column, Measure] = {}

    def prepared(self, lists: JudgedLists) -> JudgedLists:
        """Return lists cut at -M, without unjudged results under -J."""
        most = self.arguments.most
        if most is not None:
            lists = replace(lists.upto(most), returned=np.minimum(lists.returned, max(most, 0)))
        if "J" in self.arguments.flags:
            lists = arranged(lists, self.decisions.but(unjudged="filter"))
        return lists

    def values(self, column: Column, lists: JudgedLists) -> Floats:
        """Return (Q,) the values of a column; NaN only if trec_eval prints it."""
        special = getattr(self, f"_{column.measure}", None)
        if special is not None:
            return special(column, lists)  # type: ignore[no-any-return]
        scores = self._plain(column, lists)
        return scores if column.entry.shown != "all" else np.log(np.maximum(scores, LOWEST_IN_LOG))

    def _plain(self, column: Column, lists: JudgedLists) -> Floats:
        measure = self._measure(column)
        under = self.decisions.but(negative="keep") if measure.definition.below_zero == "kept" else self.decisions
        if self.arguments.level < 0 and column.measure not in COUNTING_JUDGED:
            lists = BelowZero.of(lists)
        scores = measure.steps(arranged(lists, under)).scores(measure.decisions)
        return np.where(np.isnan(scores), 0.0, scores)

    def _measure(self, column: Column) -> Measure:
        if column not in self.measures:
            self.measures[column] = self._parsed(column)
        return self.measures[column]

    def _parsed(self, column: Column) -> Measure:
        (measure,) = parse(column.measure, self.decisions)
        if column.entry.kind == "cuts":
            return replace(measure, cutoff=int(column.values[0]))
        if column.measure in _PARAMETERS:
            named = dict(zip(_PARAMETERS[column.measure], column.values, strict=True))
            if column.measure == "utility":
                named["docs"] = float(self.arguments.documents)
            return replace(measure, parameters=tuple(named.items()))
        if column.measure.startswith("rbp"):
            return replace(measure, parameters=(("p", _p(column)),))
        return replace(measure, decisions=self.decisions.but(gain=self.gains(column))) if column.pairs else measure

    def gains(self, column: Column) -> dict[float, float]:
        """The gain of every grade: the grade itself unless another is given."""
        from idealrank.integrations.trec_eval.numbers import whole

        gains: dict[float, float] = {}
        for name, gain in column.pairs:
            if self.arguments.compat != "9.0.8" and not _LEVEL.fullmatch(name):
                continue  # 10.0 ignores anything that is not a grade
            gains.setdefault(float(whole(name)), gain)
        return {0.0: 0.0} | {float(grade): float(grade) for grade in self.grades} | gains

    def _num_q(self, column: Column, lists: JudgedLists) -> Floats:
        return np.ones(lists.size)

    def _runid(self, column: Column, lists: JudgedLists) -> Floats:
        return np.zeros(lists.size)

    _relstring = _runid

    def _iprec_at_recall(self, column: Column, lists: JudgedLists) -> Floats:
        from idealrank.measures.trec.iprec import relevant_at

        total = arranged(lists, self.decisions).judged_relevant(self.decisions.relevant_from)
        nothing = (lists.returned == 0) & (relevant_at(total, column.values[0], self.decisions) <= 0)
        return np.where(nothing, np.nan, self._plain(column, lists))

    def _11pt_avg(self, column: Column, lists: JudgedLists) -> Floats:
        total = np.zeros(lists.size)
        for share in reversed(column.values):
            total += self._iprec_at_recall(Column("iprec_at_recall", "", (share,)), lists)
        return total / len(column.values)

    def _set_map(self, column: Column, lists: JudgedLists) -> Floats:
        hits, all_, relevant = (
            self._plain(Column(name, name), lists) for name in ("num_rel_ret", "num_ret", "num_rel")
        )
        below = all_ * relevant
        return np.where(below > 0, hits * hits / np.where(below > 0, below, 1.0), 0.0)

    def _set_F(self, column: Column, lists: JudgedLists) -> Floats:  # noqa: N802
        precision = self._plain(Column("set_P", "set_P"), lists)
        recall = self._plain(Column("set_recall", "set_recall"), lists)
        x = column.values[0]
        below = x * precision + recall
        return np.where(precision > 0, (x + 1.0) * precision * recall / np.where(below == 0, np.nan, below), 0.0)

    def _ideal_dcg(self, column: Column, lists: JudgedLists) -> Floats:
        """The ideal ends when gains are no longer above 0."""
        pairs = tuple((name, max(gain, 0.0)) for name, gain in column.pairs)
        return self._plain(Column("ideal_dcg", "", (), pairs), lists)

    def _ndcg(self, column: Column, lists: JudgedLists) -> Floats:
        if all(gain >= 0 for _, gain in column.pairs):
            return self._plain(column, lists)
        ideal = self._ideal_dcg(column, lists)
        dcg = self._plain(Column("dcg", "", (), column.pairs), lists)
        return np.where(ideal > 0, dcg / np.where(ideal > 0, ideal, 1.0), 0.0)

    def _Rndcg(self, column: Column, lists: JudgedLists) -> Floats:  # noqa: N802
        """0/0 if documents are relevant but none has a gain (-l 0)."""
        scores = self._plain(column, lists)
        some = arranged(lists, self.decisions).judged_relevant(self.decisions.relevant_from) > 0
        ideal = self._plain(Column("ideal_dcg", "", (), column.pairs), lists)
        return np.where(some & (ideal <= 0), np.nan, scores)

    def _rbp_resid(self, column: Column, lists: JudgedLists) -> Floats:
        """The value of unjudged results and ranks beyond the end, added as there; 0 if everything is judged."""
        settled, p = arranged(lists, self.decisions), _p(column)
        powers = np.cumprod(np.append(1.0, np.full(int(lists.returned.max(initial=0)), p)))
        start = offsets(lists.returned)
        worth = powers[places(start) - 1]
        judged = ~np.isnan(settled.grade)
        worth[start[settled.query[judged]] + settled.rank[judged] - 1] = 0.0
        added = np.bincount(np.repeat(np.arange(lists.size), lists.returned), worth, lists.size)
        return np.where(added > 0, powers[lists.returned] + (1.0 - p) * added, 0.0)


def _p(column: Column) -> float:
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
