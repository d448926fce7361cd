"""JSON as pytrec_eval, ranx, BEIR and MTEB take it: ``{query: {document: number}}``."""

from __future__ import annotations

import json
from collections.abc import Sequence

from idealrank.data.writing.order import ranks_and_scores
from idealrank.data.writing.rows import Rows
from idealrank.data.writing.writer import Wishes, Writer


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
    return json.dumps(documents, ensure_ascii=False) + "\n"


PYTREC_EVAL = Writer("pytrec_eval", "pytrec_eval JSON", (), {"judgments": judgments, "results": results})
