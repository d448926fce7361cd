"""RankQuest: rated searches.

Source: jillesvangurp/rankquest-core, RatedSearch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, rows


def plan(document: Any, name: str) -> Plan | None:
    """Return where the ratings lie, None for documents of others."""
    prefix, first = ("[].", document[0]) if isinstance(document, list) and document else ("", document)
    if not isinstance(first, Mapping) or not {"searchContext", "ratings"} <= first.keys():
        return None
    context = first["searchContext"] if isinstance(first["searchContext"], Mapping) else {}
    text = next((name for name in ("q", "query", "text", *context) if name in context), "q")
    found = rows(
        "judgments", f"{prefix}ratings[]", query_id=f"{prefix}id", query=f"{prefix}searchContext.{text}",
        doc_id="+.documentId", grade="+.rating",
    )  # fmt: skip
    return Plan("RankQuest ratings", (found,))
