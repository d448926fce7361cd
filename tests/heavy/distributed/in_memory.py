"""Evaluations in parts of tables in memory, beside the same evaluation at once."""

from __future__ import annotations

import functools
import pickle
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

import idealrank as ir
from idealrank.distributed.merge import merge_portions as merged, queries_of_rows
from idealrank.distributed.plan import EvaluationPlan as Plan
from idealrank.distributed.portion import Portion, evaluate_part, join_part, survey_part
from idealrank.distributed.survey import Survey
from idealrank.evaluation.partitioned import Partitioned
from idealrank.judged_lists.join import Join as Meeting


def evaluated_in_parts(
    plan: Plan, judgments: pa.Table, results: Sequence[pa.Table], buckets: int, **given: Any
) -> ir.Scores:
    """Evaluate bucket by bucket; each portion goes through bytes, and the portions are merged in reverse."""

    def fetch(ids: Sequence[str]) -> tuple[Any, Any]:
        return _some(judgments, ids), [_some(table, ids) for table in results]

    whole = [_bucket(judgments, n, buckets) for n in range(buckets)]
    parts = [[_bucket(table, n, buckets) for table in results] for n in range(buckets)]
    survey = Survey.merge([survey_part(plan, *part) for part in zip(whole, parts, strict=True)])
    portions = [evaluate_part(plan, survey, ours, theirs) for ours, theirs in zip(whole, parts, strict=True)]
    read = [pickle.loads(pickle.dumps(portion)) for portion in portions if isinstance(portion, Portion)]
    assert len(read) == buckets
    rows = _Rows(plan, survey, fetch, list(zip(whole, parts, strict=True)))
    return merged(plan, survey, read[::-1], rows, **given)


@dataclass(frozen=True)
class _Rows(Partitioned):
    """Goes to the rows of the tables again."""

    plan: Plan
    survey: Survey
    rows: Callable[[Sequence[str]], tuple[Any, Any]]
    parts: list[tuple[pa.Table, list[pa.Table]]]

    def read(self, queries: Sequence[str]) -> list[Meeting]:
        return join_part(self.plan, self.survey, *self.rows(queries_of_rows(self.plan, queries)))

    def map_buckets(self, work: Callable[[list[Meeting]], Any]) -> list[Any]:
        return [work(join_part(self.plan, self.survey, *part)) for part in self.parts]


def _bucket(table: pa.Table, number: int, buckets: int) -> pa.Table:
    rows = [zlib.crc32(_text(query)) % buckets == number for query in table.column("query_id").to_pylist()]
    return table.filter(np.array(rows, np.bool_))


def _some(table: pa.Table, ids: Sequence[str]) -> pa.Table:
    wanted = set(ids)
    return table.filter(np.array([_text(query).decode() in wanted for query in table.column("query_id").to_pylist()]))


@functools.cache
def _text(query: Any) -> bytes:
    return str(query).encode()
