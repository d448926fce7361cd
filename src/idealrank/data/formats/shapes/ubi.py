"""User Behavior Insights: logged queries with the documents each returned. Events (clicks) are refused.

Source: UBI specification 1.3.0, query and event schemas; also as a bulk file, in which every other line is an action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, rows
from idealrank.data.formats.shapes.names import maps
from idealrank.errors import DataError

UBI = "UBI queries"
_HITS = "query_response_hit_ids"
_ACTIONS = ("index", "create")


def plan(document: Any, name: str) -> Plan | None:
    """Return where the results of queries lie, None for documents of others."""
    prefix, logged = ("[]", maps(document)) if isinstance(document, list) else ("", maps([document]))
    if not logged:
        return None
    first = logged[0]
    actions = [first[action] for action in _ACTIONS if isinstance(first.get(action), Mapping)]
    if any("ubi" in str(action.get("_index", "")) for action in actions) or any(map(_is_query, logged)):
        return _queries(prefix)
    if {"action_name", "query_id"} <= first.keys() or "event_attributes" in first:
        raise DataError(
            f"{name}: UBI events (clicks and views), which are neither judgments nor results. The UBI queries contain "
            f"the results, under {_HITS}; judgments come from people, or from a model of clicks."
        )
    return None


def _is_query(logged: Mapping[str, Any]) -> bool:
    """Whether it is a logged query; the log need not say what the first ones returned."""
    if isinstance(logged.get(_HITS), list):
        return True
    return {"query_id", "user_query", "client_id"} <= logged.keys() and "action_name" not in logged


def _queries(prefix: str) -> Plan:
    dot = f"{prefix}." if prefix else ""
    found = rows(
        "results", f"{dot}{_HITS}[]", query_id=f"{dot}query_id", query=f"{dot}user_query", doc_id="+", rank="+@place",
        logged=f"{dot}{_HITS}@there",
    )  # fmt: skip
    return Plan(UBI, (found, rows("queries", prefix, query_id="+.query_id", query="+.user_query")))
