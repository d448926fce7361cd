"""LlamaIndex: a question and answer dataset for embeddings and retrieval.

Source: llama_index.core.evaluation.EmbeddingQAFinetuneDataset 0.12, ``save_json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, rows


def plan(document: Any, name: str) -> Plan | None:
    """Return where questions, texts and relevant documents lie, None for documents of others."""
    if not isinstance(document, Mapping) or not {"queries", "corpus"} <= document.keys():
        return None
    if not isinstance(document["queries"], Mapping):
        return None
    return Plan("a LlamaIndex dataset", (
        rows("judgments", "relevant_docs.*[]", query_id="relevant_docs.*@key", doc_id="+"),
        rows("queries", "queries.*", query_id="+@key", query="+"),
        rows("documents", "corpus.*", doc_id="+@key", text="+"),
    ))  # fmt: skip
