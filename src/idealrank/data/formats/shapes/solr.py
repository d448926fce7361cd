"""Apache Solr: responses of ``/select``.

Source: Apache Solr 9 reference guide, "Response Writers", JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, path, rows
from idealrank.data.formats.shapes.query import one_query


def plan(document: Any, name: str) -> Plan | None:
    """Return where the documents of an answer lie, None for documents of others."""
    response = document.get("response") if isinstance(document, Mapping) else None
    if not isinstance(response, Mapping) or not isinstance(response.get("docs"), list):
        return None
    found = rows(
        "results", "response.docs[]", doc_id="+.id", rank="+@place", score="+.score", title=("+.title", "+.title[]")
    )
    header = document.get("responseHeader")
    if isinstance(header, Mapping) and "QTime" in header:
        found = found._replace(columns=(*found.columns, ("took_ms", path("responseHeader.QTime"))))
    found = found._replace(
        columns=(
            *found.columns,
            ("partial_results", path("responseHeader.partialResults")),
            ("docs_answered", path("response.docs@there")),
            ("error", path("error.msg")),
        )
    )
    params = header.get("params") if isinstance(header, Mapping) else None
    if isinstance(params, Mapping) and isinstance(params.get("q"), str):
        asked = rows("results", "response.docs[]", query="responseHeader.params.q").columns
        return Plan("a Solr response", (found._replace(columns=(*asked, *found.columns)),))
    return one_query("a Solr response", name, found)
