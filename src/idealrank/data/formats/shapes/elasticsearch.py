"""Elasticsearch and OpenSearch: responses of ``_search`` and ``_msearch``, requests and responses of ``_rank_eval``.

Source: Elasticsearch 8 and OpenSearch 2 references, "Search", "Multi search" and "Ranking evaluation" APIs; before
version 6, the last called ratings and details otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idealrank.data.formats.plan import Plan, Rows, path, rows
from idealrank.data.formats.shapes.names import is_plain, mapping, maps
from idealrank.data.formats.shapes.query import NUMBERED, one_query

RETURNED = "its ratings are those of returned documents; all ratings are in the request"


def plan(document: Any, name: str) -> Plan | None:
    """Return where the rows of an answer or a request lie, None for other documents."""
    if not isinstance(document, Mapping):
        return None
    inner = document.get("rank_eval", document)
    prefix = "rank_eval." if inner is not document else ""
    if _is_search(document):
        return one_query("an Elasticsearch search response", name, _hits("hits.hits[]", took=_took(document, "")))
    if _is_error(document):
        return one_query("an Elasticsearch error", name, _hits("hits.hits[]"))
    if isinstance(answers := document.get("responses"), list):
        took = _took(next((one for one in maps(answers) if "took" in one), {}), "responses[].")
        hits = _hits("responses[].hits.hits[]", "responses[]@place", "responses[].", took)
        return Plan("an Elasticsearch multi-search response", (hits,), (NUMBERED,))
    if isinstance(inner, Mapping) and "details" in inner and {"metric_score", "quality_level"} & inner.keys():
        return Plan("an Elasticsearch ranking evaluation (_rank_eval response)", _evaluated(prefix, inner), (RETURNED,))
    requests = document.get("requests")
    if any("ratings" in one for one in maps(requests)):
        return Plan("an Elasticsearch ranking evaluation (_rank_eval request)", (_requested(maps(requests)),))
    return None


def _is_search(document: Mapping[Any, Any]) -> bool:
    hits = document.get("hits")
    if not isinstance(hits, Mapping) or not isinstance(hits.get("hits"), list):
        return False
    return not any("judgmentRatings" in mapping(hit.get("_source")) for hit in maps(hits["hits"]))


def _is_error(document: Mapping[Any, Any]) -> bool:
    """Whether a document is the answer to a search that failed."""
    return isinstance(document.get("error"), (Mapping, str)) and isinstance(document.get("status"), int)


def _took(answer: Mapping[Any, Any], place: str) -> str:
    """Return where the engine's own time lies, in milliseconds; "" if an answer does not say it."""
    return f"{place}took" if "took" in answer else ""


def _hits(place: str, query: str = "", answer: str = "", took: str = "") -> Rows:
    cells: dict[str, str | tuple[str, ...]] = {
        "doc_id": "+._id",
        "rank": "+@place",
        "score": "+._score",
        "title": ("+._source.title", "+._source.name", "+.fields.title[]"),
        **({"took_ms": took} if took else {}),
        "error": (f"{answer}error.reason", f"{answer}error"),
        "status": f"{answer}status",
        "timed_out": f"{answer}timed_out",
        "shards_failed": f"{answer}_shards.failed",
    }
    if query:
        cells = {"query_id": query, **cells, "error": (*cells["error"], f"{answer.removesuffix('.')}@null")}
    return rows("results", place, **cells)


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
    return (rows("judgments", hits, **where, grade="+.rating"), results, *([failed] if inner.get("failures") else []))
