"""JSON as pytrec_eval, ranx, BEIR and MTEB take it: ``{query: {document: number}}``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from idealrank.data.formats.plan import Plan
from idealrank.data.formats.shapes import plan_of
from idealrank.data.formats.shapes.names import is_name
from idealrank.data.writing.order import ranks_and_scores
from idealrank.data.writing.rows import Rows
from idealrank.data.writing.writer import Wishes, Writer
from idealrank.errors import DataError, listed


def judgments(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write whole grades."""
    return _written(rows, rows.grade.astype(int).tolist())


def results(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write scores."""
    return _written(rows, ranks_and_scores(rows, notes)[1].tolist())


def _written(rows: Rows, numbers: Sequence[float]) -> str:
    documents: dict[str, dict[str, float]] = {}
    for query, doc, number in zip(rows.query, rows.doc, numbers, strict=True):
        documents.setdefault(query, {})[doc] = number
    _refuse_names(rows.name, documents)
    return json.dumps(documents, ensure_ascii=False) + "\n"


def _refuse_names(name: str, documents: Mapping[str, Mapping[str, float]]) -> None:
    """Refuse ids that are names of something else, which would not be read as {query: {document: number}}.

    Raises
    ------
    DataError
        With these ids.
    """
    plan = plan_of([documents], name) if documents else None
    if plan is None or (isinstance(plan, Plan) and plan.tables == {"dicts"}):
        return
    ids = dict.fromkeys([*documents, *(doc for docs in documents.values() for doc in docs)])
    raise DataError(
        f"{name}: pytrec_eval JSON with ids such as {listed([text for text in ids if is_name(text)] or [*ids], 4)} "
        "looks like another kind of JSON, whose keys are names. Write a table, such as CSV, or change the ids."
    )


PYTREC_EVAL = Writer("pytrec_eval", "pytrec_eval JSON", (), {"judgments": judgments, "results": results})
