"""Evaluating files larger than memory: divided into buckets on disk, and evaluated bucket by bucket."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Unpack

from idealrank.data.systems import system_names
from idealrank.decisions.keywords import naming
from idealrank.distributed.buckets.partition import Partition, Told, partitioned
from idealrank.distributed.kernel.merging import merged
from idealrank.distributed.kernel.order import natural
from idealrank.distributed.kernel.plan import Columns, Plan, Table
from idealrank.distributed.kernel.portion import Portion, evaluated
from idealrank.distributed.kernel.survey import Survey, survey_of
from idealrank.distributed.kernel.tables import judgments_of, results_of
from idealrank.errors import DataError
from idealrank.evaluation.evaluate import answered_weights
from idealrank.evaluation.options import TablesOptions
from idealrank.evaluation.scores import Scores

Working = Callable[[int, int], object]
"""Told how many buckets of how many are evaluated."""


@dataclass(frozen=True)
class Files:
    """The files of an evaluation.

    Attributes
    ----------
    judgments, results
        Paths of files, of folders of parts, or patterns of parts: the judgments, and a table of results each.
    judgment_columns, result_columns
        The column of each role, where it was named.
    """

    judgments: str
    results: Sequence[str]
    judgment_columns: Columns = field(default_factory=dict)
    result_columns: Columns = field(default_factory=dict)


@naming(TablesOptions)
def evaluate_files(
    files: Files,
    measures: Any = None,
    *,
    buckets: int,
    folder: str | None = None,
    told: Told | None = None,
    working: Working | None = None,
    **options: Unpack[TablesOptions],
) -> Scores:
    """Score files bucket by bucket, with the scores of `idealrank.evaluate` to the last bit.

    Parameters
    ----------
    buckets
        How many buckets the queries are divided into.
    folder
        Where the temporary folder is made; None for ``TMPDIR``.
    told, working
        Told how far files are divided, and buckets evaluated.
    **options
        As for `idealrank.evaluate`. Systems in one table stand in the order of their names.

    Raises
    ------
    DataError
        If files cannot be read or divided, or the disk is full; the message names the line of the file.
    UsageError
        If a name or an answer is not known, or needs all rows at once.
    """
    tables = tuple(map(_table, files.results, system_names(files.results), [files] * len(files.results)))
    queries = options.pop("queries", None)
    answer, weights = answered_weights(options.pop("weights", None))
    judged: dict[str, Any] = {"name": files.judgments, "columns": files.judgment_columns}
    plan = Plan.of(measures, {**options, **answer}, **judged, tables=tables, missed_along=True)
    _ = plan.under, plan.asked, plan.excluded  # refused before anything is divided
    columns: dict[str, Any] = {
        "judgment_columns": files.judgment_columns, "result_columns": files.result_columns
    }  # fmt: skip
    with partitioned(files.judgments, files.results, buckets, folder=folder, told=told, **columns) as parts:
        work = _Work(plan, parts)
        survey, portions = work.portions(working or (lambda done, total: None))
        scores = merged(work.plan, survey, portions, work.fetching(portions), queries, weights)
    assert scores.parts is not None
    return dataclasses.replace(scores, parts=dataclasses.replace(scores.parts, look=None))


def _table(path: str, label: str, files: Files) -> Table:
    return Table(path, label, files.result_columns)


class _Work:
    """The evaluation of buckets."""

    def __init__(self, plan: Plan, parts: Partition) -> None:
        self._parts = parts
        self.plan = dataclasses.replace(plan, tables=tuple(map(self._with_template, plan.tables)))

    def _with_template(self, table: Table) -> Table:
        """Give a table rows that say what it is, for buckets without rows of it."""
        template = self._parts.some_results(table.name)
        if template is None:
            raise DataError(f"{table.name}: there are columns but no rows. Give at least one result.")
        return dataclasses.replace(table, template=template)

    def portions(self, working: Working) -> tuple[Survey, list[Portion]]:
        """Evaluate every bucket; again, if one says what none before said, and all have to know."""
        survey = _by_name(Survey.merged([*self._surveys(), self._of_results(0)]))
        while True:
            found = list(self._evaluated(survey, working))
            news = [each for each in found if isinstance(each, Survey)]
            if not news:
                return survey, [each for each in found if isinstance(each, Portion)]
            survey = _by_name(Survey.merged([survey, *news]))

    def _evaluated(self, survey: Survey, working: Working) -> Iterator[Portion | Survey]:
        for number in range(len(self._parts)):
            working(number, len(self._parts))
            try:
                yield evaluated(self.plan, survey, *self._tables(number))
            except DataError:
                whole = Survey.merged([survey, *map(self._of_results, range(len(self._parts)))])
                if whole == survey:
                    raise
                yield whole  # what is refused may not be, where the other buckets are known
                return
        working(len(self._parts), len(self._parts))

    def _surveys(self) -> Iterator[Survey]:
        """Survey the judgments of every bucket, which are few beside the results."""
        nothing: list[Any] = [None] * len(self.plan.tables)
        for number in range(len(self._parts)):
            source = self._parts.judgments(number)
            if source is not None:
                yield survey_of(self.plan, judgments_of(self.plan, source), nothing)

    def _of_results(self, number: int) -> Survey:
        bucket = self._parts.bucket(number)
        sources = [bucket.results[table.name] for table in self.plan.tables]
        pairs = zip(self.plan.tables, sources, strict=True)
        tables = [None if source is None else results_of(table, source) for table, source in pairs]
        judged = None if bucket.judgments is None else judgments_of(self.plan, bucket.judgments)
        return survey_of(self.plan, judged, tables)

    def _tables(self, number: int) -> tuple[Any, list[Any]]:
        bucket = self._parts.bucket(number)
        return bucket.judgments, [bucket.results[table.name] for table in self.plan.tables]

    def fetching(self, portions: Sequence[Portion]) -> Callable[[Sequence[str]], list[tuple[Any, Any]]]:
        """Return what reads the buckets of some queries again."""

        def fetch(queries: Sequence[str]) -> list[tuple[Any, Any]]:
            wanted = set(queries)
            return [self._tables(number) for number, portion in enumerate(portions) if _has(portion, wanted)]

        return fetch


def _by_name(survey: Survey) -> Survey:
    """Sort the systems of each table by name: buckets do not show which comes first in the file."""
    tables = tuple(known._replace(systems=tuple(natural(known.systems)[1])) for known in survey.tables)
    return dataclasses.replace(survey, tables=tables)


def _has(portion: Portion, wanted: set[str]) -> bool:
    """Whether some queries are in a portion, judged or not."""
    unjudged = (counts.unjudged for counts in portion.returned)
    return any(not wanted.isdisjoint(names) for names in (portion.queries, *unjudged))
