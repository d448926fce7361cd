"""OpenSearch's Search Relevance Workbench: judgments, query sets and results of experiments.

Source: opensearch-project/search-relevance 3.x, REST API; also as hits of its system indices.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import Plan, rows
from idealrank.data.formats.shapes.names import mapping, maps
from idealrank.errors import DataError


def plan(document: Any, name: str) -> Plan | None:
    """Return where the rows lie, None for documents of others.

    Raises
    ------
    DataError
        If these are documents of another of its indices.
    """
    for prefix, inner in _wrapped(document):
        if isinstance(inner, Mapping) and (found := _plan(prefix, inner)) is not None:
            return found
    index = next((str(hit.get("_index")) for hit in _hits(document)), "")
    if _INDEX in index:
        raise DataError(
            f"{name}: documents of the index {index}, which contain neither judgments nor results. Search the indices "
            "of judgments, query sets or evaluation results instead, with their _source."
        )
    return None


_INDEX = "search-relevance-"
"""In the names of all indices of the workbench."""


def _hits(document: Any) -> list[Mapping[str, Any]]:
    return maps(mapping(mapping(document).get("hits")).get("hits"))


def _wrapped(document: Any) -> list[tuple[str, Any]]:
    """Return the document itself, and what a list or the hits of an index contain."""
    ways = [("", document)]
    if isinstance(document, list) and document:
        ways.append(("[]", document[0]))
    if isinstance(document, Mapping):
        ways += [("hits.hits[]._source.", hit.get("_source")) for hit in _hits(document)[:1]]
        ways.append(("_source.", document.get("_source")))
    return ways


def _plan(prefix: str, inner: Mapping[str, Any]) -> Plan | None:
    prefix += "" if not prefix or prefix.endswith(".") else "."
    if "judgmentRatings" in inner:
        queries = f"{prefix}judgmentRatings[]"
        ratings = f"{queries}.ratings[]"
        return Plan("OpenSearch judgments", (
            rows("judgments", ratings, query=f"{queries}.query", doc_id="+.docId", grade="+.rating"),
        ))  # fmt: skip
    if "querySetQueries" in inner:
        queries = f"{prefix}querySetQueries[]"
        return Plan("an OpenSearch query set", (rows("queries", queries, query="+.queryText"),))
    if {"searchText", "documentIds"} <= inner.keys():
        ids = f"{prefix}documentIds[]"
        return Plan("results of an OpenSearch experiment", (
            rows("results", ids, query=f"{prefix}searchText", doc_id="+", rank="+@place", system=(
                f"{prefix}searchConfigurationId",
            )),
        ))  # fmt: skip
    return None
