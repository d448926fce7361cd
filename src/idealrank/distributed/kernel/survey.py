"""The survey: what is true of all parts, and has to be known before one of them is evaluated."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from idealrank.arrays import Kept
from idealrank.data.judgments import Judgments
from idealrank.data.order_columns import empty
from idealrank.data.results import Results
from idealrank.data.systems_table import queries_shared
from idealrank.data.units import units_of_judgments, units_of_results
from idealrank.data.whole import Reading, WholeJudgments, WholeResults
from idealrank.decisions import Decisions
from idealrank.distributed.kernel.plan import Plan
from idealrank.errors import DataError, option
from idealrank.judged_lists.meeting import reading
from idealrank.judged_lists.units import pool_of


@dataclass(frozen=True)
class Survey:
    """What is true of all parts.

    Attributes
    ----------
    highest
        By the answers that decide a grade, the highest.
    tables
        For each table of results, what is true of all its rows.
    cut_judged, cut_returned
        Whether a rule on ids that names units cuts any judged id, and any id of results.
    """

    highest: Mapping[Reading, float] = field(default_factory=dict)
    tables: tuple[WholeResults, ...] = ()
    cut_judged: bool = False
    cut_returned: bool = False

    @staticmethod
    def merged(surveys: Sequence[Survey]) -> Survey:
        """Put the surveys of parts together."""
        highest: dict[Reading, float] = {}
        for key, grade in itertools.chain.from_iterable(survey.highest.items() for survey in surveys):
            highest[key] = max(grade, highest.get(key, -math.inf))
        tables = itertools.zip_longest(*(survey.tables for survey in surveys), fillvalue=WholeResults())
        return Survey(
            highest, tuple(map(_merged, tables)),
            any(survey.cut_judged for survey in surveys), any(survey.cut_returned for survey in surveys),
        )  # fmt: skip

    def covers(self, other: Survey) -> bool:
        """Whether nothing in another survey is new."""
        return Survey.merged([self, other]) == self

    def refuse(self, plan: Plan) -> None:
        """Refuse a rule on ids where all ids would have to be looked at together.

        Raises
        ------
        DataError
            With what to do.
        """
        if self.cut_judged:
            raise DataError(
                f"{plan.name}: unit={plan.setting.decisions.text('unit')} cuts judged ids, and whether these are units "
                "or parts is seen only from all results at once. In parts, give results a column with the unit, and "
                f"name it: {option('unit', 'COLUMN')}."
            )


def _merged(tables: Sequence[WholeResults]) -> WholeResults:
    names = dict.fromkeys(itertools.chain.from_iterable(table.systems for table in tables))
    return WholeResults(
        tuple(names), any(table.together for table in tables),
        any(table.ranked for table in tables), any(table.scored for table in tables),
    )  # fmt: skip


def survey_of(plan: Plan, judgments: Judgments | None, results: Sequence[Results | None]) -> Survey:
    """Survey a part; a table may be missing."""
    tables = [
        WholeResults(known.systems) if table is None else _survey_of_results(table, known.systems)
        for table, known in zip(results, plan.tables, strict=True)
    ]
    unit = plan.setting.decisions.unit
    return Survey(
        {} if judgments is None else _highest(plan, judgments), tuple(tables),
        judgments is not None and _by_rule(unit) and not units_of_judgments(judgments, unit).whole,
        _by_rule(unit) and any(not units_of_results(table, unit).whole for table in results if table is not None),
    )  # fmt: skip


def _by_rule(unit: Any) -> bool:
    return str(unit).startswith(("before(", "match("))


def _highest(plan: Plan, judgments: Judgments) -> dict[Reading, float]:
    table = replace(judgments, whole=WholeJudgments({}), kept=Kept())
    settings: list[Decisions] = [plan.setting.decisions, *(measure.decisions for measure in plan.under)]
    by_reading = {reading(decisions): decisions for decisions in settings}
    return {key: float(pool_of(table, decisions).grade.max(initial=-math.inf)) for key, decisions in by_reading.items()}


def _survey_of_results(table: Results, known: tuple[str, ...]) -> WholeResults:
    """Survey a part of a table, whose systems follow those that are known."""
    column = table.systems_column()
    names = tuple(dict.fromkeys((*known, *table.named)))
    together = column is not None and queries_shared(table.keys.query, column)
    roles = (table.source.number(table.roles.find(role)) for role in ("rank", "score"))
    ranked, scored = (not empty(column) for column in roles)
    return WholeResults(names, together, ranked, scored)
