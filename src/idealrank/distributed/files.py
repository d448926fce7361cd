"""Evaluating files larger than memory: divided into buckets, and evaluated bucket by bucket."""

from __future__ import annotations

import dataclasses
import functools
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from idealrank.arrays import Cache
from idealrank.data.formats.folders import list_files
from idealrank.data.formats.source import Origin
from idealrank.data.ids import codes, natural_order
from idealrank.data.systems import system_names
from idealrank.decisions.decisions import naming
from idealrank.distributed.division import MEMORY, DividedTable, Partition, StepProgress, divide_files
from idealrank.distributed.merge import merge_portions, queries_of_rows
from idealrank.distributed.plan import Columns, EvaluationPlan, PlannedTable
from idealrank.distributed.portion import Portion, evaluate_part, join_part, survey_part
from idealrank.distributed.survey import Survey, read_part_results
from idealrank.errors import DataError, UsageError
from idealrank.evaluation.evaluate import TablesOptions, split_weights
from idealrank.evaluation.partitioned import Partitioned
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.join import Join

BucketProgress = Callable[[int, int], object]
"""Called with the number of buckets that are evaluated, and the number of all."""


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
    memory: int = MEMORY,
    folder: str | None = None,
    step_progress: StepProgress | None = None,
    bucket_progress: BucketProgress | None = None,
    keep: ExitStack | None = None,
    **options: Unpack[TablesOptions],
) -> Scores:
    """Score files bucket by bucket, with the scores of `idealrank.evaluate` to the last bit.

    Parameters
    ----------
    buckets
        How many buckets the queries are divided into.
    memory
        Bytes of memory; DuckDB, which divides the files, uses some of it.
    folder
        Where the temporary folder is made, to which rows are copied; None for ``TMPDIR``.
    step_progress, bucket_progress
        Show how far files are read and divided, and buckets evaluated.
    keep
        Keeps the divided files until it is closed, for later calls of the scores; None: they divide them again.
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
    names = zip(files.results, system_names(files.results), strict=True)
    tables = tuple(PlannedTable(path, label, files.result_columns) for path, label in names)
    queries = options.pop("queries", None)
    answer, weights = split_weights(options.pop("weights", None))
    judged: dict[str, Any] = {"name": files.judgments, "columns": files.judgment_columns}
    plan = EvaluationPlan(measures, {**options, **answer}, **judged, tables=tables)
    _ = plan.under, plan.asked, plan.excluded  # computed now, to refuse mistakes before the files are divided
    origins = list(map(Origin.of, _absolute_paths(files)))
    divided = _Division(
        files, plan, {"count": buckets, "memory": memory, "folder": folder, "step_progress": step_progress}
    )
    if keep is not None:
        keep.enter_context(divided.open())
    with divided.open() as work:
        survey, portions = work.order_systems(*work.portions(bucket_progress or (lambda done, total: None)))
        lists = _FileBuckets(divided, origins, survey)
        return merge_portions(work.plan, survey, portions, lists, queries, weights)


class _Division:
    """How files are divided; while it is open, everyone who reads the buckets shares one division of the files."""

    def __init__(self, files: Files, plan: EvaluationPlan, limits: Mapping[str, Any]) -> None:
        self.files, self.plan, self._limits = files, plan, limits
        self._work: _BucketEvaluation | None = None
        self._lock = threading.RLock()  # a thread that opens it has it to itself, until it closes it

    def __reduce__(self) -> tuple[Any, ...]:
        return _Division, (self.files, self.plan, self._limits)

    @contextmanager
    def open(self) -> Iterator[_BucketEvaluation]:
        """Divide the files, unless they are divided; copies are removed when the first who opened it closes it."""
        with self._lock:
            if self._work is not None:
                yield self._work
                return
            files = self.files
            columns: dict[str, Any] = {
                "judgment_columns": files.judgment_columns,
                "result_columns": files.result_columns,
            }
            with divide_files(files.judgments, files.results, **columns, **self._limits) as parts:
                self._work = _BucketEvaluation(self.plan, parts)
                try:
                    yield self._work
                finally:
                    self._work = None


@dataclass(frozen=True)
class _FileBuckets(Partitioned):
    """Reads the rows of files again, of the buckets in question.

    Attributes
    ----------
    origins
        The files as they were.
    """

    divided: _Division
    origins: Sequence[Origin]
    survey: Survey

    @contextmanager
    def open(self) -> Iterator[_BucketEvaluation]:
        """Divide the files once for every call until it is closed, unless one has changed, which is refused."""
        for origin in self.origins:
            refuse_changed(origin)
        for path in set(_absolute_paths(self.divided.files)) - {origin.path for origin in self.origins}:
            raise changed_error(path)
        with self.divided.open() as work:
            yield work

    def read(self, queries: Sequence[str]) -> list[Join]:
        """Return the joins of the systems with the lists of some judged queries."""
        with self.open() as work:
            return join_part(work.plan, self.survey, *work.parts.read_rows_of(queries_of_rows(work.plan, queries)))

    def map_buckets(self, do: Callable[[list[Join]], Any]) -> list[Any]:
        """Return what a function makes of the joins of every bucket, one after the other."""
        with self.open() as work:
            return [do(join_part(work.plan, self.survey, *bucket)) for bucket in work.parts]


def refuse_changed(origin: Origin) -> None:
    """Refuse to look at a file again that has changed since.

    Raises
    ------
    DataError
        With what to do.
    """
    if not os.path.isfile(origin.path) or Origin.of(origin.path) != origin:
        raise changed_error(origin.path)


def changed_error(path: str) -> DataError:
    """Build the error for a file that is not as it was when it was evaluated, or was not there."""
    return DataError(
        f"{path}: this file has changed since it was evaluated, or is new, so the lists are not those of the scores. "
        "Evaluate again."
    )


def _absolute_paths(files: Files) -> list[str]:
    """Return the absolute paths of all files, as `Origin` has them."""
    return [os.path.abspath(path) for path in list_files([files.judgments, *files.results]) if os.path.isfile(path)]


class _BucketEvaluation:
    """The evaluation of buckets."""

    def __init__(self, plan: EvaluationPlan, parts: Partition) -> None:
        self.parts = parts
        tables = tuple(map(self._with_template, plan.tables, parts.results))
        self.plan = dataclasses.replace(plan, tables=tables, names=tuple(parts.judgments.first_part().frame.names))

    def _with_template(self, table: PlannedTable, divided: DividedTable) -> PlannedTable:
        """Give a table rows that say what it is, for buckets without rows of it, if there are any."""
        everywhere = len(divided.parts) == len(self.parts)
        return table if everywhere else dataclasses.replace(table, template=divided.first_part())

    def portions(self, bucket_progress: BucketProgress) -> tuple[Survey, list[Portion]]:
        """Evaluate every bucket; again, if one shows something new about a table, as that decides how all are read."""
        judged = map(self.parts.judgments.part, range(len(self.parts)))  # of all buckets: few beside the results
        known = [survey_part(self.plan, one, [None] * len(self.plan.tables)) for one in judged]
        survey = _sort_systems_by_name(Survey.merge([*known, survey_part(self.plan, *self.parts.bucket(0))]))
        while True:
            found = list(self._evaluate_buckets(survey, bucket_progress))
            news = [each for each in found if isinstance(each, Survey)]
            if not news:
                return survey, [each for each in found if isinstance(each, Portion)]
            survey = _sort_systems_by_name(Survey.merge([survey, *news]))

    def _evaluate_buckets(self, survey: Survey, bucket_progress: BucketProgress) -> Iterator[Portion | Survey]:
        for number, bucket in enumerate(self.parts):
            bucket_progress(number, len(self.parts))
            try:
                yield evaluate_part(self.plan, survey, *bucket)
            except DataError:
                whole = Survey.merge([survey, *(survey_part(self.plan, *each) for each in self.parts)])
                if whole == survey:
                    raise
                # This may be refused only because nobody has looked at the results of the other buckets yet.
                yield whole
                return
        bucket_progress(len(self.parts), len(self.parts))

    def order_systems(self, survey: Survey, portions: list[Portion]) -> tuple[Survey, list[Portion]]:
        """Return both with the systems of each table in the order in which its rows name them."""
        tables, names = list(survey.tables), list(portions[0].values.systems)
        for t, known in enumerate(tables):
            if len(known.systems) < 2:
                continue
            found = _FirstNamed(self.parts.results[t], self.plan.tables[t], [portion.named[t] for portion in portions])
            tables[t] = known._replace(systems=tuple(sorted(known.systems, key=functools.cmp_to_key(found.compare))))
            mine = [system for system in tables[t].systems if system in names]
            if self.plan.system is None:  # who names systems names them in their order
                places = sorted(map(names.index, mine))
                for place, system in zip(places, mine, strict=True):
                    names[place] = system
        order = list(map(portions[0].values.systems.index, names))
        if order != [*range(len(order))]:
            portions = [portion.select_systems(order) for portion in portions]
        return dataclasses.replace(survey, tables=tuple(tables)), portions


@dataclass(frozen=True, eq=False)
class _FirstNamed:
    """Finds which of two systems the rows of a table name first.

    Attributes
    ----------
    named
        The systems that the rows of each bucket name, in the order of these rows, which is that of the table.
    """

    divided: DividedTable
    table: PlannedTable
    named: Sequence[Sequence[str]]
    _kept: Cache = field(default_factory=Cache, repr=False)

    def compare(self, one: str, other: str) -> int:
        """Return -1 or 1, for sorting; the file is read again only if the order differs from bucket to bucket."""
        if self._always_before(one, other):
            return -1
        if self._always_before(other, one):
            return 1
        return -1 if self._first_place(one) < self._first_place(other) else 1

    def _always_before(self, one: str, other: str) -> bool:
        """Whether every bucket that names the other system names this one before: then the whole table does."""
        there = [names for names in self.named if other in names]
        return all(one in names and names.index(one) < names.index(other) for names in there)

    def _first_place(self, system: str) -> tuple[int, int]:
        """Return the place of the first row that names a system."""

        def find() -> tuple[int, int]:
            buckets = [number for number, names in enumerate(self.named) if system in names]
            return min(self._first_place_in_bucket(number, system) for number in buckets)

        return self._kept.once(system, find)

    def _first_place_in_bucket(self, number: int, system: str) -> tuple[int, int]:
        results = read_part_results(self.table, self.divided.part(number))
        column = results.column("system")
        assert column is not None  # since it names systems
        row = int(np.flatnonzero(codes(column) == results.named.index(system))[0])
        return self.divided.place(number, row)


def _sort_systems_by_name(survey: Survey) -> Survey:
    """Sort the systems of each table by name: buckets do not show which comes first in the file."""
    tables = tuple(known._replace(systems=tuple(natural_order(known.systems)[1])) for known in survey.tables)
    return dataclasses.replace(survey, tables=tables)
