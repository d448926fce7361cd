"""The survey: what is true of all parts, and must be known before any of them is evaluated."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from idealrank._core import Frame, from_arrow, from_columns, from_dicts
from idealrank.arrays import Cache, Floats
from idealrank.data.filters import exclude_results
from idealrank.data.formats.headerless import counts_rows, roles_as_scores
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.source import Source
from idealrank.data.ids import ONE_QUERY, codes, id_text, present_ids
from idealrank.data.judgments import Judgments
from idealrank.data.ordering import is_empty
from idealrank.data.queries import read_queries
from idealrank.data.read import Tables, empty_results, read_judgments, read_results
from idealrank.data.results import Results, share_queries
from idealrank.data.table_facts import JudgmentFacts, Reading, ResultFacts
from idealrank.data.units import units_of_results
from idealrank.decisions.decisions import Decisions
from idealrank.distributed.plan import Columns, EvaluationPlan, PlannedTable
from idealrank.errors import DataError, option
from idealrank.judged_lists.join import reading_answers
from idealrank.judged_lists.units import cut_ids_returned, is_rule, keep_ids_whole, pool_of


@dataclass(frozen=True)
class Survey:
    """What is true of all parts.

    Attributes
    ----------
    highest, highest_of_units
        By the answers that decide a grade, the highest; and the highest if no judged id is cut.
    tables
        For each table of results, what is true of all its rows.
    units, parts
        Whether some result's unit, or its own id, is a judged id that a rule on ids would cut.
    cut
        Whether a rule on ids cuts the id of some result.
    """

    highest: Mapping[Reading, float] = field(default_factory=dict)
    highest_of_units: Mapping[Reading, float] = field(default_factory=dict)
    tables: tuple[ResultFacts, ...] = ()
    units: bool = False
    parts: bool = False
    cut: bool = False

    @staticmethod
    def merge(surveys: Sequence[Survey]) -> Survey:
        """Put the surveys of parts together."""
        tables = itertools.zip_longest(*(survey.tables for survey in surveys), fillvalue=ResultFacts())
        return Survey(
            _by_key(max, [survey.highest for survey in surveys]),
            _by_key(max, [survey.highest_of_units for survey in surveys]),
            tuple(map(_merge_tables, tables)),
            any(survey.units for survey in surveys),
            any(survey.parts for survey in surveys),
            any(survey.cut for survey in surveys),
        )

    def covers(self, other: Survey) -> bool:
        """Whether nothing in another survey is new."""
        return Survey.merge([self, other]) == self

    @property
    def judgments(self) -> JudgmentFacts:
        """What is true of all judgments."""
        return JudgmentFacts(self.highest_of_units if self.units else self.highest, self.units)

    def refuse(self, plan: EvaluationPlan) -> None:
        """Refuse a rule on ids that matches nothing, and judged ids of which some are units and some are parts.

        Raises
        ------
        DataError
            With what to do.
        """
        rule = plan.setting.decisions.text("unit")
        if is_rule(plan.setting.decisions) and not self.cut:
            raise DataError(
                f"{plan.tables[0].name}: unit={rule} matches no id of the results. Use a rule that matches, or "
                f"{option('unit', 'as_returned')}."
            )
        if self.units and self.parts:
            raise DataError(
                f"{plan.name}: some judged ids are units of the results, and some are parts that unit={rule} cuts. "
                "Judge one or the other, or use a pattern that matches parts only: "
                f"{option('unit', 'match(^(PATTERN)_[0-9]+$)')}."
            )


def _merge_tables(tables: Sequence[ResultFacts]) -> ResultFacts:
    names = dict.fromkeys(itertools.chain.from_iterable(table.systems for table in tables))
    return ResultFacts(
        tuple(names), any(table.together for table in tables),
        any(table.ranked for table in tables), any(table.scored for table in tables),
        _by_key(min, [table.lowest_ranks for table in tables]), all(table.counted for table in tables),
    )  # fmt: skip


def _by_key(pick: Callable[[float, float], float], every: Iterable[Mapping[Any, float]]) -> dict[Any, float]:
    """Return the highest or the lowest number of each key."""
    found: dict[Any, float] = {}
    for key, number in itertools.chain.from_iterable(one.items() for one in every):
        found[key] = pick(number, found.get(key, number))
    return found


def make_survey(plan: EvaluationPlan, judgments: Judgments | None, results: Sequence[Results | None]) -> Survey:
    """Survey a part; a table may be missing."""
    tables = [
        ResultFacts(known.systems, lowest_ranks={}) if table is None else _survey_of_results(table, known.systems)
        for table, known in zip(results, plan.tables, strict=True)
    ]
    decisions = plan.setting.decisions
    there = [table for table in results if table is not None]
    rule = is_rule(decisions)
    units, parts = cut_ids_returned(judgments, there, decisions) if rule and judgments is not None else ([], [])
    whole = None if judgments is None else replace(judgments, whole=JudgmentFacts({}), kept=Cache())
    return Survey(
        {} if whole is None else _highest_grades(plan, whole),
        {} if whole is None or not rule else _highest_grades(plan, keep_ids_whole(whole, decisions)),
        tuple(tables), bool(units), bool(parts),
        rule and any(not units_of_results(table, decisions.unit).whole for table in there),
    )  # fmt: skip


def _highest_grades(plan: EvaluationPlan, judgments: Judgments) -> dict[Reading, float]:
    return {
        key: float(pool_of(judgments, decisions).grade.max(initial=-math.inf))
        for key, decisions in grade_readings(plan).items()
    }


def grade_readings(plan: EvaluationPlan) -> dict[Reading, Decisions]:
    """Return the decisions under which judgments are read, by the answers that decide a grade."""
    settings: list[Decisions] = [plan.setting.decisions, *(measure.decisions for measure in plan.under)]
    return {reading_answers(decisions): decisions for decisions in settings}


def _survey_of_results(table: Results, known: tuple[str, ...]) -> ResultFacts:
    """Survey a part of a table, whose systems follow those that are known."""
    column = table.systems_column()
    names = tuple(dict.fromkeys((*known, *table.named)))
    together = column is not None and share_queries(table.keys.query, column)
    rank, score = (table.source.number(table.roles.find(role)) for role in ("rank", "score"))
    lowest = {} if rank is None else _lowest_ranks(table, rank.floats())
    return ResultFacts(names, together, not is_empty(rank), not is_empty(score), lowest, counts_rows(table.source))


def _lowest_ranks(table: Results, ranks: Floats) -> dict[str, float]:
    """Return the lowest rank of each system, or of all if none has a name."""
    rows, column = table.rows(""), table.column("system")
    rows = rows[present_ids(table.source.ids(table.doc), rows)]
    code = np.zeros(len(rows), np.int64) if column is None else codes(column)[rows] + 1
    lowest = np.full(len(table.named) + 1, np.inf)
    np.fmin.at(lowest, code, ranks[rows])
    return {name: float(rank) for name, rank in zip(("", *table.named), lowest, strict=True) if rank < np.inf}


# The tables of a part, read with the columns that were found in the whole table.


def read_part_judgments(plan: EvaluationPlan, source: Any) -> Judgments:
    """Read the judgments of some queries; None means no rows."""
    if source is None and not plan.names:
        return read_judgments(Source(plan.name, from_dicts({})))
    if source is None:
        source = Source(plan.name, from_columns(list(plan.names), [[] for _ in plan.names]))
    return read_judgments(_source_of_part(source, plan.name, plan.columns), **dict(plan.columns))


def read_part_results(table: PlannedTable, source: Any) -> Results:
    """Read the results of some queries; None means no rows."""
    if source is None and table.template is None:
        return empty_results(table.label)
    rows = _source_of_part(table.template if source is None else source, table.name, table.columns)
    found = read_results(rows, name=table.label, **dict(table.columns))
    return found if source is not None else replace(found, left_out=np.arange(found.source.frame.rows))


def as_part_of_whole(results: Results, known: ResultFacts) -> Results:
    """Read the results of some queries as the whole of their table is read."""
    roles = results.roles if known.counted else roles_as_scores(results.source, results.roles)
    return replace(results, roles=roles, whole=known, kept=Cache())


def _source_of_part(source: Any, name: str, columns: Columns) -> Any:
    """Return a table that may have no rows, under its name in messages."""
    if not hasattr(source, "__arrow_c_stream__"):
        return source
    frame = from_arrow(source)
    return Source(name, frame, locate_row=lambda row: _name_query(frame, dict(columns).get("query"), row))


def _name_query(frame: Frame, name: str | None, row: int) -> str:
    """Say which query a row belongs to: its number would count the rows of this part only."""
    if name is None:
        return f"query {ONE_QUERY!r}"
    (query,) = frame.column(frame.names.index(name)).to_list(np.array([row]))
    return "row without a query" if query is None else f"query {quoted(id_text(query))}"


def part_tables(plan: EvaluationPlan, judgments: Judgments, results: Sequence[Results]) -> Tables:
    """Return the tables of a part as they are evaluated: without excluded results."""
    excluded = plan.excluded
    kept = [one if excluded is None else exclude_results(one, excluded) for one in results]
    return Tables(judgments, kept, read_queries(None), plan.asked)
