"""TREC CAsT and iKAT: runs in JSON, with the responses of each turn.

Source: TREC iKAT 2023 guidelines, submission format; TREC CAsT 2022.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, rows


def plan(document: Any, name: str) -> Plan | None:
    """Return where the passages of each turn lie, None for documents of others."""
    turns = document.get("turns") if isinstance(document, Mapping) else None
    first = turns[0] if isinstance(turns, list) and turns else None
    if not isinstance(first, Mapping) or not isinstance(first.get("responses"), list):
        return None
    hits = "turns[].responses[].passage_provenance[]"
    cited = "turns[].responses[].provenance[]"
    one = first["responses"][0] if first["responses"] else {}
    inner = hits if "passage_provenance" in one else cited
    found = rows(
        "results", inner, query_id="turns[].turn_id", system="run_name", doc_id=("+.id", "+.doc_id"), score="+.score"
    )
    return Plan("a TREC CAsT or iKAT run", (found,))
