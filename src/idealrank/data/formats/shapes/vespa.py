"""Vespa: responses of the query API.

A document id such as id:shop:product::P1023 is read as P1023, as in pyvespa's evaluators.
Source: Vespa documentation, "Default JSON result format" (root.errors, coverage), "Query API" (presentation.timing, in
seconds) and "Documents"; pyvespa, vespa/evaluation/_base.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, path, rows
from idealrank.data.formats.shapes.query import one_query


def plan(document: Any, name: str) -> Plan | None:
    """Return where the hits of an answer lie, None for documents of others."""
    root = document.get("root") if isinstance(document, Mapping) else None
    if not isinstance(root, Mapping) or not {"fields", "errors"} & root.keys():
        return None
    hits = rows(
        "results", "root.children[]", doc_id=("+.fields.documentid@local", "+.id@local"), rank="+@place",
        score="+.relevance", title="+.fields.title", error=("root.errors[].message", "root.errors[].summary"),
        engine_error="root.errors[]@there", degraded="root.coverage.degraded@there", full="root.coverage.full",
    )  # fmt: skip
    timing = document.get("timing")
    if isinstance(timing, Mapping) and "searchtime" in timing:
        hits = hits._replace(columns=(*hits.columns, ("took_s", path("timing.searchtime"))))
    return one_query("a Vespa query response", name, hits)
