"""Elasticsearch and OpenSearch: responses of ``_search`` and ``_msearch``, requests and responses of ``_rank_eval``.

Source: Elasticsearch 8 and OpenSearch 2 references, "Search", "Multi search" and "Ranking evaluation" APIs; before
version 6, the last called ratings and details otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from idealrank.data.formats.plan import Plan, Rows, path, rows
from idealrank.data.formats.shapes.names import is_plain, mapping, maps
from idealrank.data.formats.shapes.query import NUMBERED, one_query
from idealrank.errors import DataError

RETURNED = "its ratings are those of returned documents; all ratings are in the request"
ASK = "A filter_path must include hits.hits._id."


def plan(document: Any, name: str) -> Plan | None:
    """Return where the rows of an answer or a request lie, None for other documents.

    Raises
    ------
    DataError
        If it is an answer of ES|QL.
    """
    for prefix, inner in _evaluations(document):
        if "details" in inner and {"metric_score", "quality_level"} & inner.keys():
            what = "an Elasticsearch ranking evaluation (_rank_eval response)"
            return Plan(what, _evaluated(prefix, inner), (RETURNED,), ask=ASK)
    if not isinstance(document, Mapping):
        return None
    if isinstance(mapping(document.get("hits")).get("hits"), list) or _is_error(document):
        return replace(one_query(_SEARCH, name, _hits("", document)), ask=ASK)
    if {"is_partial", "is_running"} & document.keys() and isinstance(answer := document.get("response"), Mapping):
        return replace(one_query("an Elasticsearch async search", name, _hits("response.", answer)), ask=ASK)
    answers = document.get("responses")
    if found := [one for one in maps(answers) if isinstance(one.get("hits"), Mapping) or _is_error(one)]:
        hits = _hits("responses[].", next((one for one in found if "took" in one), {}), "responses[]@place")
        return Plan("an Elasticsearch multi-search response", (hits,), (NUMBERED,), ask=ASK)
    requests = document.get("requests")
    if any("ratings" in one for one in maps(requests)):
        return Plan("an Elasticsearch ranking evaluation (_rank_eval request)", (_requested(maps(requests)),))
    if isinstance(document.get("values"), list) and all("type" in one for one in maps(document.get("columns")) or [{}]):
        raise DataError(
            f"{name}: an answer of ES|QL (columns and values), which is not read. Ask for CSV instead (format=csv), "
            "with a column that names the query."
        )
    return None


_SEARCH = "an Elasticsearch search response"


def _evaluations(document: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """Return what may be a ranking evaluation, with the path to it: the document, or what is in it."""
    ways = [("", document)]
    if isinstance(document, list):
        ways = [("[].", next(iter(maps(document)), None))]
    elif isinstance(document, Mapping):
        ways.append(("rank_eval.", document.get("rank_eval")))
        ways.append(("responses[].", next(iter(maps(document.get("responses"))), None)))
    return [(prefix, inner) for prefix, inner in ways if isinstance(inner, Mapping)]


def _is_error(document: Mapping[Any, Any]) -> bool:
    """Whether a document is the answer to a search that failed."""
    return isinstance(document.get("error"), (Mapping, str)) and isinstance(document.get("status"), int)


def _hits(prefix: str, answer: Mapping[Any, Any], query: str = "") -> Rows:
    """The hits of answers; their own time lies where this answer says it, in milliseconds."""
    cells: dict[str, str | tuple[str, ...]] = {
        "doc_id": "+._id",
        "rank": "+@place",
        "score": "+._score",
        "title": ("+._source.title", "+._source.name", "+.fields.title[]"),
        **({"took_ms": f"{prefix}took"} if "took" in answer else {}),
        "error": (f"{prefix}error.reason", f"{prefix}error"),
        "status": f"{prefix}status",
        "answered": f"{prefix}hits.hits@there",
        "timed_out": f"{prefix}timed_out",
        "shards_failed": f"{prefix}_shards.failed",
        "clusters_skipped": f"{prefix}_clusters.skipped",
        "clusters_failed": f"{prefix}_clusters.failed",
        "clusters_partial": f"{prefix}_clusters.partial",
    }
    if prefix == "response.":  # the answer to an async search is in an object that says whether it is whole
        cells |= {"error": ("error.reason", "error"), "is_partial": "is_partial", "is_running": "is_running"}
    if query:
        cells = {"query_id": query, **cells, "error": (*cells["error"], "responses[]@null")}
    return rows("results", f"{prefix}hits.hits[]", **cells)


def _requested(requests: list[Mapping[str, Any]]) -> Rows:
    """The ratings of a request, with the text of the query where parameters or a plain match contain it."""
    found = rows("judgments", "requests[].ratings[]", query_id="requests[].id", doc_id="+._id", grade="+.rating")
    ways = dict.fromkeys(way for one in requests for way in _text_ways(one))
    texts = (("query", (*path("requests[]"), *(f".{name}" for name in way))) for way in ways)
    return found._replace(columns=(found.columns[0], *texts, *found.columns[1:]))


_PARAMETERS = ("query_string", "query", "q", "text", "search", "keywords", "query_text")


def _text_ways(request: Mapping[str, Any]) -> Sequence[tuple[str, ...]]:
    """Return the names on the way to the text of a request's query."""
    params = mapping(request.get("params"))
    if params:
        return [("params", name) for name in _PARAMETERS if isinstance(params.get(name), str)][:1]
    query = mapping(mapping(request.get("request")).get("query"))
    for kind in ("match", "match_phrase"):
        if isinstance(query.get(kind), Mapping):
            return [
                ("request", "query", kind, field, *(() if is_plain(value) else ("query",)))
                for field, value in query[kind].items()
            ]
    return [("request", "query", "multi_match", "query")] if isinstance(query.get("multi_match"), Mapping) else []


def _evaluated(prefix: str, inner: Mapping[str, Any]) -> tuple[Rows, ...]:
    hits, failures = f"{prefix}details.*.hits[]", f"{prefix}failures.*"
    where = {"query_id": f"{prefix}details.*@key", "doc_id": "+.hit._id"}
    reasons = (f"{failures}.error.reason", f"{failures}.error", failures)
    failed = rows("results", failures, query_id=f"{failures}@key", error=reasons)
    results = rows("results", hits, **where, rank="+@place", score="+.hit._score")
    return (rows("judgments", hits, **where, grade="+.rating"), results, *([failed] if "failures" in inner else []))
