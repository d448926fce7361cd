"""Evaluating files larger than memory: divided into buckets, and evaluated bucket by bucket."""

from __future__ import annotations

import dataclasses
import functools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from idealrank.arrays import Cache
from idealrank.data.formats.source import Origin
from idealrank.data.ids import codes, natural_order
from idealrank.data.systems import system_names
from idealrank.decisions.decisions import naming
from idealrank.distributed.memory import files_in
from idealrank.distributed.merge import merge_portions, queries_of_rows
from idealrank.distributed.partition import Bucket, Partition, Told, partitioned
from idealrank.distributed.plan import Columns, EvaluationPlan, PlannedTable
from idealrank.distributed.portion import Portion, evaluated, meetings_of_part
from idealrank.distributed.survey import Survey, judgments_of, results_of, survey_of
from idealrank.errors import DataError, UsageError
from idealrank.evaluation.evaluate import TablesOptions, answered_weights
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.join import Join

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
    keep: ExitStack | None = None,
    **options: Unpack[TablesOptions],
) -> Scores:
    """Score files bucket by bucket, with the scores of `idealrank.evaluate` to the last bit.

    Parameters
    ----------
    buckets
        How many buckets the queries are divided into.
    folder
        Where the temporary folder is made, for rows that have to be copied; None for ``TMPDIR``.
    told, working
        Told how far files are read and divided, and buckets evaluated.
    keep
        Keeps the buckets until it is closed, for what is asked of the scores before; None: files are divided again.
    **options
        As for `idealrank.evaluate`.

    Raises
    ------
    DataError
        If files cannot be read or divided, or the disk is full; the message names the line of the file.
    UsageError
        If a name or an answer is not known, or needs all rows at once.
    """
    if buckets < 1:
        raise UsageError(f"buckets={buckets}: give 1 or more.")
    if isinstance(files.results, str) or not files.results:
        raise UsageError(f"results={files.results!r}: give a list of at least one path.")
    tables = tuple(map(_table, files.results, system_names(files.results), [files] * len(files.results)))
    queries = options.pop("queries", None)
    answer, weights = answered_weights(options.pop("weights", None))
    judged: dict[str, Any] = {"name": files.judgments, "columns": files.judgment_columns}
    plan = EvaluationPlan.of(measures, {**options, **answer}, **judged, tables=tables, missed_along=True)
    _ = plan.under, plan.asked, plan.excluded  # refused before anything is divided
    origins = list(map(Origin.of, _files_of(files)))
    rows = _FileBuckets(_Division(files, buckets, folder, told), origins)
    if keep is not None:
        keep.enter_context(rows.divided.open())
    with rows.divided.open() as parts:
        work = _BucketEvaluation(plan, parts)
        survey, portions = work.in_order(*work.portions(working or (lambda done, total: None)))
        rows = dataclasses.replace(rows, plan=plan, survey=survey, queries=[portion.queries for portion in portions])
        return merge_portions(work.plan, survey, portions, work.fetching(portions), rows, queries, weights)


class _Division:
    """How files are divided; while it is open, all that look at the buckets share what dividing them made."""

    def __init__(self, files: Files, buckets: int, folder: str | None, told: Told | None) -> None:
        self.files = files
        self._how = (files, buckets, folder, told)
        self._parts: Partition | None = None
        self._lock = threading.RLock()  # a thread that opens it has it to itself, until it closes it

    def __reduce__(self) -> tuple[Any, ...]:
        return _Division, self._how

    @contextmanager
    def open(self) -> Iterator[Partition]:
        """Divide the files, unless they are; what was copied is removed when who opened it first closes it."""
        with self._lock:
            if self._parts is not None:
                yield self._parts
                return
            files, buckets, folder, told = self._how
            columns: dict[str, Any] = {
                "judgment_columns": dict(files.judgment_columns),
                "result_columns": dict(files.result_columns),
            }
            with partitioned(files.judgments, files.results, buckets, folder=folder, told=told, **columns) as parts:
                self._parts = parts
                try:
                    yield parts
                finally:
                    self._parts = None


@dataclass(frozen=True)
class _FileBuckets:
    """Goes to the rows of files again, and looks at the buckets in question.

    Attributes
    ----------
    origins
        The files as they were.
    queries
        The judged queries of each bucket.
    """

    divided: _Division
    origins: Sequence[Origin]
    plan: EvaluationPlan = field(default_factory=EvaluationPlan)
    survey: Survey = field(default_factory=Survey)
    queries: Sequence[Sequence[str]] = ()

    def open(self) -> AbstractContextManager[object]:
        """Divide the files once for all that is asked before it is closed."""
        return self._work()

    def meetings(self, queries: Sequence[str]) -> list[Join]:
        """Return the meetings of the systems with the lists of some judged queries."""
        wanted, searched = set(queries_of_rows(self.plan, queries)), set(queries)
        buckets = [number for number, names in enumerate(self.queries) if not searched.isdisjoint(names)]
        with self._work() as work:
            return meetings_of_part(work.plan, self.survey, *work.tables(work.parts.some(wanted, buckets)))

    def each(self, do: Callable[[list[Join]], Any]) -> list[Any]:
        """Return what a function makes of the meetings of every bucket, one after the other."""
        with self._work() as work:
            buckets = map(work.parts.bucket, range(len(work.parts)))
            return [do(meetings_of_part(work.plan, self.survey, *work.tables(bucket))) for bucket in buckets]

    @contextmanager
    def _work(self) -> Iterator[_BucketEvaluation]:
        """Divide the files, unless one has changed."""
        for origin in self.origins:
            refuse_changed(origin)
        for path in set(_files_of(self.divided.files)) - {origin.path for origin in self.origins}:
            raise changed(path)
        with self.divided.open() as parts:
            yield _BucketEvaluation(self.plan, parts)


def refuse_changed(origin: Origin) -> None:
    """Refuse to look at a file again that has changed since.

    Raises
    ------
    DataError
        With what to do.
    """
    if not os.path.isfile(origin.path) or Origin.of(origin.path) != origin:
        raise changed(origin.path)


def changed(path: str) -> DataError:
    """Build the error for a file that is not as it was when it was evaluated, or was not there."""
    return DataError(
        f"{path}: this file has changed since it was evaluated, or is new, so the lists are not those of the scores. "
        "Evaluate again."
    )


def _files_of(files: Files) -> list[str]:
    """Return their absolute paths, as `Origin` has them."""
    return [os.path.abspath(path) for path in files_in([files.judgments, *files.results]) if os.path.isfile(path)]


def _table(path: str, label: str, files: Files) -> PlannedTable:
    return PlannedTable(path, label, files.result_columns)


class _BucketEvaluation:
    """The evaluation of buckets."""

    def __init__(self, plan: EvaluationPlan, parts: Partition) -> None:
        self.parts = parts
        tables = tuple(map(self._with_template, plan.tables))
        self.plan = dataclasses.replace(plan, tables=tables, names=self._judgment_names(plan.name))

    def _judgment_names(self, name: str) -> tuple[str, ...]:
        found = next(filter(None, map(self.parts.judgments, range(len(self.parts)))), None)
        if found is None:
            raise DataError(f"{name}: there are columns but no rows. Give at least one judgment or result.")
        return tuple(found.frame.names)

    def _with_template(self, table: PlannedTable) -> PlannedTable:
        """Give a table rows that say what it is, for buckets without rows of it, if there are any."""
        if self.parts.in_all(table.name):
            return table
        template = self.parts.some_results(table.name)
        if template is None:
            raise DataError(f"{table.name}: there are columns but no rows. Give at least one judgment or result.")
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
        for number, bucket in enumerate(self.parts):
            working(number, len(self.parts))
            try:
                yield evaluated(self.plan, survey, *self.tables(bucket))
            except DataError:
                whole = Survey.merged([survey, *map(self._of_results, range(len(self.parts)))])
                if whole == survey:
                    raise
                yield whole  # what is refused may not be, where the other buckets are known
                return
        working(len(self.parts), len(self.parts))

    def in_order(self, survey: Survey, portions: Sequence[Portion]) -> tuple[Survey, list[Portion]]:
        """Return both with the systems of each table in the order in which its rows name them."""
        tables, names = list(survey.tables), list(portions[0].systems)
        for t, known in enumerate(tables):
            if len(known.systems) < 2:
                continue
            found = _FirstNamed(self.parts, self.plan.tables[t], [portion.named[t] for portion in portions])
            tables[t] = known._replace(systems=tuple(sorted(known.systems, key=functools.cmp_to_key(found.compared))))
            mine = [system for system in tables[t].systems if system in names]
            if self.plan.system is None:  # who names systems names them in their order
                places = sorted(map(names.index, mine))
                for place, system in zip(places, mine, strict=True):
                    names[place] = system
        order = list(map(portions[0].systems.index, names))
        return dataclasses.replace(survey, tables=tuple(tables)), [portion.of_systems(order) for portion in portions]

    def _surveys(self) -> Iterator[Survey]:
        """Survey the judgments of every bucket, which are few beside the results."""
        nothing: list[Any] = [None] * len(self.plan.tables)
        for number in range(len(self.parts)):
            source = self.parts.judgments(number)
            if source is not None:
                yield survey_of(self.plan, judgments_of(self.plan, source), nothing)

    def _of_results(self, number: int) -> Survey:
        bucket = self.parts.bucket(number)
        sources = [bucket.results[table.name] for table in self.plan.tables]
        pairs = zip(self.plan.tables, sources, strict=True)
        tables = [None if source is None else results_of(table, source) for table, source in pairs]
        judged = None if bucket.judgments is None else judgments_of(self.plan, bucket.judgments)
        return survey_of(self.plan, judged, tables)

    def tables(self, bucket: Bucket) -> tuple[Any, list[Any]]:
        """Return the judgments of a bucket, and its results in the order of the plan."""
        return bucket.judgments, [bucket.results[table.name] for table in self.plan.tables]

    def fetching(self, portions: Sequence[Portion]) -> Callable[[Sequence[str]], list[tuple[Any, Any]]]:
        """Return what reads the buckets of some queries again."""

        def fetch(queries: Sequence[str]) -> list[tuple[Any, Any]]:
            wanted = set(queries)
            places = [number for number, portion in enumerate(portions) if _has(portion, wanted)]
            return [self.tables(self.parts.bucket(number)) for number in places]

        return fetch


@dataclass(frozen=True, eq=False)
class _FirstNamed:
    """Tells which of two systems a table names first.

    Attributes
    ----------
    named
        The systems that the rows of each bucket name, in the order of these rows, which is that of the table.
    """

    parts: Partition
    table: PlannedTable
    named: Sequence[Sequence[str]]
    _kept: Cache = field(default_factory=Cache, repr=False)

    def compared(self, one: str, other: str) -> int:
        """Return -1 or 1: mostly the order is the same in every bucket, and else the places in the file say it."""
        if self._always_before(one, other):
            return -1
        if self._always_before(other, one):
            return 1
        return -1 if self._first(one) < self._first(other) else 1

    def _always_before(self, one: str, other: str) -> bool:
        """Whether every bucket that names the other system names this one before: then the whole table does."""
        there = [names for names in self.named if other in names]
        return all(one in names and names.index(one) < names.index(other) for names in there)

    def _first(self, system: str) -> tuple[int, int]:
        """Return the place of the first row that names a system."""

        def find() -> tuple[int, int]:
            buckets = [number for number, names in enumerate(self.named) if system in names]
            return min(self._place(number, system) for number in buckets)

        return self._kept.once(system, find)

    def _place(self, number: int, system: str) -> tuple[int, int]:
        results = results_of(self.table, self.parts.bucket(number).results[self.table.name])
        column = results.column("system")
        assert column is not None  # since it names systems
        row = int(np.flatnonzero(codes(column) == results.named.index(system))[0])
        return self.parts.place(self.table.name, number, row)


def _by_name(survey: Survey) -> Survey:
    """Sort the systems of each table by name: buckets do not show which comes first in the file."""
    tables = tuple(known._replace(systems=tuple(natural_order(known.systems)[1])) for known in survey.tables)
    return dataclasses.replace(survey, tables=tables)


def _has(portion: Portion, wanted: set[str]) -> bool:
    """Whether some queries are in a portion, judged or not."""
    unjudged = (counts.unjudged for counts in portion.counts.returned)
    return any(not wanted.isdisjoint(names) for names in (portion.queries, *unjudged))
