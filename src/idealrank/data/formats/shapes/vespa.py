"""Vespa: responses of the query API.

A document id such as id:shop:product::P1023 is read as P1023, as in pyvespa's evaluators.
Source: Vespa documentation, "Default JSON result format" and "Documents"; pyvespa 0.60, vespa.evaluation.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, Tables, rows
from idealrank.data.formats.shapes.query import one_query


def plan(document: Any, name: str) -> Plan | None:
    """Return where the hits of an answer lie, None for documents of others."""
    root = document.get("root") if isinstance(document, Mapping) else None
    if not isinstance(root, Mapping) or "fields" not in root:
        return None
    named = one_query("a Vespa query response", name, rows("results", "root.children[]"))
    query = named.rows[0].columns[0][1][0].removeprefix("=")
    return dataclasses.replace(named, build=functools.partial(_tables, query))


def _tables(query: str, document: Mapping[str, Any]) -> Tables:
    hits = [(hit, hit.get("fields") or {}) for hit in document["root"].get("children", ())]
    columns: dict[str, list[Any]] = {
        "query_id": [query] * len(hits),
        "doc_id": [_own(str(fields.get("documentid", hit.get("id")))) for hit, fields in hits],
        "rank": list(range(1, len(hits) + 1)),
        "score": [hit.get("relevance") for hit, _ in hits],
        "title": [fields.get("title") for _, fields in hits],
    }
    return {"results": columns}


def _own(doc: str) -> str:
    """Return the part of a document id that its owner chose, without namespace and type.

    Examples
    --------
    >>> _own("id:shop:product::P1023"), _own("index:shop/0/ab12")
    ('P1023', 'index:shop/0/ab12')
    """
    return doc.partition("::")[2] or doc if doc.startswith("id:") else doc
