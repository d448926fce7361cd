"""RankQuest: rated searches.

Source: jillesvangurp/rankquest-core, RatedSearch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, path, rows
from idealrank.data.formats.shapes.names import mapping


def plan(document: Any, name: str) -> Plan | None:
    """Return where the ratings lie, None for documents of others."""
    prefix, first = ("[].", document[0]) if isinstance(document, list) and document else ("", document)
    if not isinstance(first, Mapping) or not {"searchContext", "ratings"} <= first.keys():
        return None
    context = mapping(first["searchContext"])
    text = next((name for name in ("q", "query", "text", *context) if name in context), "q")
    found = rows("judgments", f"{prefix}ratings[]", query_id=f"{prefix}id", doc_id="+.documentId", grade="+.rating")
    query = ("query", (*path(prefix), ".searchContext", f".{text}"))
    return Plan("RankQuest ratings", (found._replace(columns=(found.columns[0], query, *found.columns[1:])),))
