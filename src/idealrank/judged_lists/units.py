"""Runs and pools of units: parts that were returned or judged are rolled up to what they are parts of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from idealrank._core import Column, Pool, Run, from_columns
from idealrank.arrays import Cache, Floats
from idealrank.data.grades import combine_ratings
from idealrank.data.ids import codes, id_text
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.fields import AS_RETURNED, SPANS
from idealrank.errors import DataError, NoColumnError, listed, option, unsaid
from idealrank.judged_lists.searches import joined_order, joining_answers, run_by_query

if TYPE_CHECKING:
    from idealrank.data.subtopics import Subtopics
    from idealrank.data.units import TableUnits

Table = TypeVar("Table", Judgments, Results)


def pool_of(judgments: Judgments, decisions: Decisions) -> Pool:
    """Return the judgments by query, under the decisions of the stage read.

    Raises
    ------
    DataError
        If a row cannot be used.
    """
    if decisions.unit in (AS_RETURNED, SPANS):
        return _pool_of_parts(judged_parts(judgments, decisions), decisions)
    key = ("pool of units", *decisions.stage("read"))
    return judgments.kept.once(key, lambda: _pool_of_units(judgments, decisions))


def _pool_of_units(judgments: Judgments, decisions: Decisions) -> Pool:
    found = _units_of(judgments, decisions)
    parts = _pool_of_parts(found.table, decisions)
    if found.whole:
        return parts
    grade = np.full(len(found.units), np.nan)
    grade[parts.row] = parts.grade
    if decisions.unit_grade == "raters":
        grade = _combine_grades(found.table.pairs_with(found.units), grade, decisions.raters)
    elif decisions.unit_grade != "max":
        raise unsaid("unit_grade", decisions.unit_grade, __name__)
    return Pool(found.table.keys.query, found.units, from_columns(["grade"], [grade]).column(0), "max")


def _combine_grades(pair: np.ndarray, grade: Floats, raters: str) -> Floats:
    """(N,) the grades of each query and unit combined as those of several raters; NaN where there is none."""
    rows = np.flatnonzero(~np.isnan(grade))
    order = rows[np.argsort(pair[rows], kind="stable")]
    _, start, counts = np.unique(pair[order], return_index=True, return_counts=True)
    ratings = np.full((len(start), counts.max(initial=1)), np.nan)
    which = np.repeat(np.arange(len(start)), counts)
    ratings[which, np.arange(len(order)) - start[which]] = grade[order]
    out = np.full(len(grade), np.nan)
    out[order] = combine_ratings(ratings, raters)[which]
    return out


def returned_parts(results: Results, system: str, decisions: Decisions) -> Run:
    """Return one system's results as they were returned, "" for all systems: before they were rolled up."""
    if decisions.unit == AS_RETURNED:
        return results.returned(system, decisions.duplicates)
    if decisions.unit == SPANS:
        return _parts_by_spans(results).returned(system, decisions.duplicates)
    found = _units_of(results, decisions)
    return found.table.returned(system, "keep" if found.unnamed else decisions.duplicates)


def subtopics_of(judgments: Judgments, decisions: Decisions) -> Subtopics | None:
    """Return the judgments by subtopic, by the entries of `pool_of`; None if there are none.

    Raises
    ------
    DataError
        If parts are judged by subtopic: what their unit serves is not defined.
    """
    parts = judged_parts(judgments, decisions)
    if decisions.unit not in (AS_RETURNED, SPANS) and (parts is not judgments or _cut_ids(judgments, decisions)):
        raise DataError(
            f"{judgments.name}: parts of units are judged by subtopic, and measures of subtopics are not computed "
            f"for units of several parts. Judge the units themselves, or use {option('unit', AS_RETURNED)}."
        )
    return parts.subtopics(decisions.raters, decisions.duplicates)


def _pool_of_parts(parts: Judgments, decisions: Decisions) -> Pool:
    return parts.pool(decisions.raters, decisions.duplicates)


def order_of(results: Results, decisions: Decisions) -> str:
    """Return what orders the results: scores, where units are ordered by theirs."""
    if decisions.unit not in (AS_RETURNED, SPANS) and decisions.roll_up != "first":
        if results.score is None:
            raise NoColumnError(
                f"{results.name}: roll_up={decisions.roll_up} orders units by scores, but there is no score column. "
                f"{results.roles.columns}. Name it: {results.roles.suggest_naming('score')}, or use "
                f"{option('roll_up', 'first')}."
            )
        return "score"
    return results.order(decisions.order_by)


def run_of(results: Results, system: str, decisions: Decisions, order: str) -> Run:
    """Return one system's results by query; of each unit one, under `roll_up` and `counts`.

    Raises
    ------
    DataError
        If a row cannot be used, or a result has no unit.
    """
    if decisions.unit in (AS_RETURNED, SPANS):
        table = results if decisions.unit == AS_RETURNED else _parts_by_spans(results)
        return run_by_query(table, system, decisions, order, decisions.duplicates)
    _refuse_counts(decisions)
    how = (decisions.duplicates, decisions.unit, decisions.roll_up, *joining_answers(decisions))
    key = ("runs of units", system, *how, order)
    rolled, kept = results.kept.once(key, lambda: _roll_up(results, system, decisions, order))
    return rolled if decisions.counts == "units" else kept


_ROLL_UPS = {"first": "first", "max": "first", "sum": "sum"}
"""What the core does for each word; the highest score is that of the part that stands first by score."""


def _roll_up(results: Results, system: str, decisions: Decisions, order: str) -> tuple[Run, Run]:
    found, how = _units_of(results, decisions), decisions.roll_up
    if how not in _ROLL_UPS and not how.startswith("mean("):
        raise unsaid("roll_up", how, __name__)
    joined = joined_order(results, system, decisions, order)
    if joined != order and how != "first":
        raise DataError(
            f"roll_up={how} orders units by scores, and those of several searches cannot be compared. "
            f"Use {option('roll_up', 'first')}, or another answer than union: {option('steps', 'each')}."
        )
    rule = "keep" if found.unnamed else decisions.duplicates
    parts = run_by_query(found.table, system, decisions, order, rule)
    return parts.rolled(found.units, _ROLL_UPS.get(how, how), joined, decisions.rank_gaps == "keep")


def _refuse_counts(decisions: Decisions) -> None:
    """Refuse ranks of parts where units are ordered by scores of their own."""
    if decisions.counts not in ("units", "returned"):
        raise unsaid("counts", decisions.counts, __name__)
    if decisions.counts == "returned" and decisions.roll_up not in ("first", "max"):
        raise DataError(
            f"roll_up={decisions.roll_up} orders units by scores of their own, so their parts have no ranks to keep. "
            f"Use {option('counts', 'units')}, or {option('roll_up', 'first')}."
        )


def may_keep_ranks(decisions: Decisions) -> bool:
    """Whether no other decision stands against ``counts=returned``."""
    plain = decisions.ties != "average" and decisions.unjudged in ("zero", "complete")
    return plain and decisions.roll_up in ("first", "max")


def refuse_repeats(run: Run, tied: Callable[[], bool], decisions: Decisions) -> None:
    """Refuse parts that keep their ranks where an answer would let them earn something, or leaves open which does.

    Parameters
    ----------
    tied
        Whether a part that keeps its rank is tied.

    Raises
    ------
    DataError
        If unjudged results have a grade, or if one is tied and the value is the mean over all orders.
    """
    if decisions.unit in (AS_RETURNED, SPANS) or decisions.counts != "returned":
        return
    way = f"Use {option('counts', 'units')}"
    if decisions.unjudged == "filter" and run.keeping_ranks:
        raise DataError(
            "unjudged=filter closes the ranks of results without a grade, and under counts=returned those of the other "
            f"parts of a unit stay: what is between two results is then not defined. {way}, or "
            f"{option('unjudged', 'zero')}."
        )
    if isinstance(decisions.unjudged, float) and run.keeping_ranks:
        raise DataError(
            f"unjudged={decisions.text('unjudged')} gives a grade to results without one, and under counts=returned "
            f"the other parts of a unit would earn it, too. {way}, or {option('unjudged', 'zero')}."
        )
    if decisions.ties == "average" and run.keeping_ranks and tied():
        raise DataError(
            "ties=average is not computed under counts=returned where parts of one unit are tied with other "
            f"results. {way}, or {option('ties', 'docid_desc')}."
        )


def judged_parts(judgments: Judgments, decisions: Decisions) -> Judgments:
    """Return the judgments as they were given: of parts, if units are judged by them."""
    if decisions.unit == AS_RETURNED:
        return judgments
    if decisions.unit == SPANS:
        return _parts_by_spans(judgments)
    return _units_of(judgments, decisions).table


def _units_of(table: Table, decisions: Decisions) -> TableUnits[Table]:
    """Return the units of a table's rows."""
    from idealrank.data.units import units_of

    return units_of(table, decisions.unit)


def _parts_by_spans(table: Table) -> Table:
    """Return a table whose documents are what its spans are parts of."""
    from idealrank.data.spans import spans_of

    return spans_of(table).table


def mark_whole_units(judgments: Judgments, sources: Sequence[Results], decisions: Decisions) -> Judgments:
    """Return the judgments, marked if a rule on ids must not cut their documents: they are units of the results.

    Raises
    ------
    DataError
        If the rule matches no id of any results, or if some judged ids are units and some are parts.
    """
    if not is_rule(decisions):
        return judgments
    if judgments.whole is not None:
        return keep_ids_whole(judgments, decisions) if judgments.whole.of_units else judgments
    found = [_units_of(source, decisions) for source in sources]
    if found and all(each.whole for each in found):
        from idealrank.data.units import no_match

        raise no_match(found[0].table, decisions.text("unit"))
    units, parts = cut_ids_returned(judgments, sources, decisions)
    if not units:
        return judgments
    if parts:
        raise DataError(
            f"{judgments.name}: some judged ids are units of the results ({listed(dict.fromkeys(units))}) and some "
            f"are parts that unit={decisions.text('unit')} cuts ({listed(dict.fromkeys(parts))}). Judge one or "
            f"the other, or use a pattern that matches parts only: {option('unit', 'match(^(PATTERN)_[0-9]+$)')}."
        )
    return keep_ids_whole(judgments, decisions)


def is_rule(decisions: Decisions) -> bool:
    """Whether units follow from the ids of parts by a rule."""
    return str(decisions.unit).startswith(("before(", "match("))


def keep_ids_whole(judgments: Judgments, decisions: Decisions) -> Judgments:
    """Return judgments whose documents the rule leaves whole."""
    return replace(judgments, kept=Cache(), units_by=decisions.text("unit"))


def cut_ids_returned(
    judgments: Judgments, sources: Sequence[Results], decisions: Decisions
) -> tuple[list[str], list[str]]:
    """Return the judged ids that a rule would cut and that results have: as units, and as parts."""
    names = from_columns(["id"], [list(_cut_ids(judgments, decisions))]).column(0)
    found = [_units_of(source, decisions) for source in sources]
    units = [name for each in found for name in _names_among(each.units, names)] if len(names) else []
    parts = (
        [name for each in found for name in _names_among(each.table.source.ids(each.table.doc), names)] if units else []
    )
    return units, parts


def _names_among(ids: Column, names: Column) -> list[str]:
    """Return those of some names that are among ids."""
    return [id_text(name) for name in ids.looked_up(names, names, False)[0].distinct(len(names))]


def _cut_ids(judgments: Judgments, decisions: Decisions) -> dict[str, str]:
    """Return the judged ids that are not their own units, each with its unit."""
    found = _units_of(judgments, decisions)
    if found.whole or found.unnamed:
        return {}
    ids = judgments.source.ids(judgments.doc)
    _, rows = np.unique(codes(ids), return_index=True)
    pairs = zip(map(id_text, ids.to_list(rows)), map(id_text, found.units.to_list(rows)), strict=True)
    return {part: unit for part, unit in pairs if part != unit}
