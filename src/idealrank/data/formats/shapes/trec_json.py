"""TREC CAsT and iKAT: runs in JSON, with the responses of each turn.

Source: TREC iKAT 2023 guidelines, submission format; TREC CAsT 2022.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, rows
from idealrank.data.formats.shapes.names import maps


def plan(document: Any, name: str) -> Plan | None:
    """Return where the passages of each turn lie, None for documents of others."""
    turns = maps(document.get("turns")) if isinstance(document, Mapping) else []
    if not any(isinstance(turn.get("responses"), list) for turn in turns):
        return None
    answers = (answer for turn in turns for answer in maps(turn.get("responses")))
    passages = "passage_provenance" if any("passage_provenance" in answer for answer in answers) else "provenance"
    found = rows(
        "results", f"turns[].responses[].{passages}[]", query_id="turns[].turn_id", system="run_name",
        doc_id=("+.id", "+.doc_id"), score="+.score",
    )  # fmt: skip
    return Plan("a TREC CAsT or iKAT run", (found,))
