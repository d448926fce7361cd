"""User Behavior Insights: logged queries with the documents each returned. Events (clicks) are refused.

Source: UBI specification 1.3.0, query and event schemas; also as a bulk file, in which every other line is an action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, rows
from idealrank.errors import DataError

_HITS = "query_response_hit_ids"
_ACTIONS = ("index", "create")


def plan(document: Any, name: str) -> Plan | None:
    """Return where the results of queries lie, None for documents of others."""
    prefix, first = ("[].", document[0]) if isinstance(document, list) and document else ("", document)
    if not isinstance(first, Mapping):
        return None
    actions = [first[action] for action in _ACTIONS if isinstance(first.get(action), Mapping)]
    if any("ubi" in str(action.get("_index", "")) for action in actions):
        return _queries(prefix)
    if isinstance(first.get(_HITS), list):
        return _queries(prefix)
    if {"action_name", "query_id"} <= first.keys() or "event_attributes" in first:
        raise DataError(
            f"{name}: UBI events (clicks and views), which are neither judgments nor results. The UBI queries contain "
            f"the results, under {_HITS}; judgments come from people, or from a model of clicks."
        )
    return None


def _queries(prefix: str) -> Plan:
    hits = f"{prefix}{_HITS}[]"
    return Plan("UBI queries", (
        rows("results", hits, query_id=f"{prefix}query_id", query=f"{prefix}user_query", doc_id="+", rank="+@place"),
    ))  # fmt: skip
