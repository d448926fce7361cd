"""Azure AI evaluation: rows of the document retrieval evaluator, with judgments and results in each.

Source: azure-ai-evaluation, DocumentRetrievalEvaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, rows

_TRUE, _RETRIEVED = "retrieval_ground_truth", "retrieved_documents"
_QUERIES = ("query_id", "id", "query", "question")


def plan(document: Any, name: str) -> Plan | None:
    """Return where the rows lie, None for documents of others."""
    prefix, first = ("[]", document[0]) if isinstance(document, list) and document else ("", document)
    if not isinstance(first, Mapping) or not {_TRUE, _RETRIEVED} <= first.keys():
        return None
    dot = f"{prefix}." if prefix else ""
    named = [key for key in _QUERIES if key in first]
    query = tuple(f"{dot}{key}" for key in named) or (f"{prefix}@place" if prefix else "=q",)
    return Plan("rows of Azure's document retrieval evaluator", (
        rows("judgments", f"{dot}{_TRUE}[]", query_id=query, doc_id="+.document_id", grade="+.query_relevance_label"),
        rows("results", f"{dot}{_RETRIEVED}[]", query_id=query, doc_id="+.document_id", score="+.relevance_score"),
    ))  # fmt: skip
