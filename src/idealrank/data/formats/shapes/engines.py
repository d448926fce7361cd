"""What search engines write: answers, requests and judgments of Elasticsearch, OpenSearch, Solr, Vespa, and UBI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from idealrank.data.formats.list_names import is_plain, object_or_empty, objects_in, plan_of_one_query
from idealrank.data.formats.nested_plan import NUMBERED, UBI, NestedPlan, RowSpec, parse_path, row_spec
from idealrank.errors import DataError, either

# Elasticsearch and OpenSearch: responses of ``_search`` and ``_msearch``, requests and responses of ``_rank_eval``.
#
# Source: Elasticsearch 8 and OpenSearch 2 references, "Search", "Multi search" and "Ranking evaluation" APIs; before
# version 6, the last called ratings and details otherwise.


RETURNED = "its ratings are those of returned documents; all ratings are in the request"
ASK = "A filter_path must include hits.hits._id."


def elasticsearch_plan(document: Any, name: str) -> NestedPlan | None:
    """Elasticsearch and OpenSearch: responses of `_search` and `_msearch`, requests and responses of `_rank_eval`.

    Raises
    ------
    DataError
        If it is an answer of ES|QL.
    """
    for prefix, inner in _possible_evaluations(document):
        if "details" in inner and {"metric_score", "quality_level"} & inner.keys():
            what = "an Elasticsearch ranking evaluation (_rank_eval response)"
            return NestedPlan(what, _evaluation_rows(prefix, inner), (RETURNED,), ask=ASK)
    if not isinstance(document, Mapping):
        return None
    if isinstance(object_or_empty(document.get("hits")).get("hits"), list) or _is_error(document):
        return replace(plan_of_one_query(_SEARCH, name, _hit_rows("", document)), ask=ASK)
    if {"is_partial", "is_running"} & document.keys() and isinstance(answer := document.get("response"), Mapping):
        return replace(
            plan_of_one_query("an Elasticsearch async search", name, _hit_rows("response.", answer)), ask=ASK
        )
    answers = document.get("responses")
    if found := [one for one in objects_in(answers) if isinstance(one.get("hits"), Mapping) or _is_error(one)]:
        hits = _hit_rows("responses[].", next((one for one in found if "took" in one), {}), "responses[]@place")
        return NestedPlan("an Elasticsearch multi-search response", (hits,), (NUMBERED,), ask=ASK)
    requests = document.get("requests")
    if any("ratings" in one for one in objects_in(requests)):
        return NestedPlan(
            "an Elasticsearch ranking evaluation (_rank_eval request)", (_request_ratings(objects_in(requests)),)
        )
    if isinstance(document.get("values"), list) and all(
        "type" in one for one in objects_in(document.get("columns")) or [{}]
    ):
        raise DataError(
            f"{name}: an answer of ES|QL (columns and values), which is not read. Ask for CSV instead (format=csv), "
            "with a column that names the query."
        )
    return None


_SEARCH = "an Elasticsearch search response"


def _possible_evaluations(document: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """Return what may be a ranking evaluation, with the path to it: the document, or what is in it."""
    ways = [("", document)]
    if isinstance(document, list):
        ways = [("[].", next(iter(objects_in(document)), None))]
    elif isinstance(document, Mapping):
        ways.append(("rank_eval.", document.get("rank_eval")))
        ways.append(("responses[].", next(iter(objects_in(document.get("responses"))), None)))
    return [(prefix, inner) for prefix, inner in ways if isinstance(inner, Mapping)]


def _is_error(document: Mapping[Any, Any]) -> bool:
    """Whether a document is the answer to a search that failed."""
    return isinstance(document.get("error"), (Mapping, str)) and isinstance(document.get("status"), int)


def _hit_rows(prefix: str, answer: Mapping[Any, Any], query: str = "") -> RowSpec:
    """Say where the hits of answers lie; `answer` is one of them, which shows whether they say how long they took."""
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
    return row_spec("results", f"{prefix}hits.hits[]", **cells)


def _request_ratings(requests: list[Mapping[str, Any]]) -> RowSpec:
    """Say where the ratings of a request lie, and the text of its query, in parameters or in a plain match query."""
    found = row_spec("judgments", "requests[].ratings[]", query_id="requests[].id", doc_id="+._id", grade="+.rating")
    ways = dict.fromkeys(way for one in requests for way in _paths_to_text(one))
    texts = (("query", (*parse_path("requests[]"), *(f".{name}" for name in way))) for way in ways)
    return found._replace(columns=(found.columns[0], *texts, *found.columns[1:]))


_PARAMETERS = ("query_string", "query", "q", "text", "search", "keywords", "query_text")


def _paths_to_text(request: Mapping[str, Any]) -> Sequence[tuple[str, ...]]:
    """Return the names on the way to the text of a request's query."""
    params = object_or_empty(request.get("params"))
    if params:
        return [("params", name) for name in _PARAMETERS if isinstance(params.get(name), str)][:1]
    query = object_or_empty(object_or_empty(request.get("request")).get("query"))
    for kind in ("match", "match_phrase"):
        if isinstance(query.get(kind), Mapping):
            return [
                ("request", "query", kind, field, *(() if is_plain(value) else ("query",)))
                for field, value in query[kind].items()
            ]
    return [("request", "query", "multi_match", "query")] if isinstance(query.get("multi_match"), Mapping) else []


def _evaluation_rows(prefix: str, inner: Mapping[str, Any]) -> tuple[RowSpec, ...]:
    hits, failures = f"{prefix}details.*.hits[]", f"{prefix}failures.*"
    where = {"query_id": f"{prefix}details.*@key", "doc_id": "+.hit._id"}
    reasons = (f"{failures}.error.reason", f"{failures}.error", failures)
    failed = row_spec("results", failures, query_id=f"{failures}@key", error=reasons)
    results = row_spec("results", hits, **where, rank="+@place", score="+.hit._score")
    return (row_spec("judgments", hits, **where, grade="+.rating"), results, *([failed] if "failures" in inner else []))


# OpenSearch's Search Relevance Workbench: judgments, query sets and results of experiments.
#
# Source: opensearch-project/search-relevance 3.x, REST API; also as hits of its system indices.


def opensearch_plan(document: Any, name: str) -> NestedPlan | None:
    """OpenSearch's Search Relevance Workbench: judgments, query sets and results of experiments.

    Raises
    ------
    DataError
        If these are documents of another of its indices.
    """
    for prefix, inner in _unwrap_index(document):
        if isinstance(inner, Mapping) and (found := _experiment_plan(prefix, inner)) is not None:
            return found
    index = next((str(hit.get("_index")) for hit in _index_hits(document)), "")
    if _INDEX in index:
        raise DataError(
            f"{name}: documents of the index {index}, which contain neither judgments nor results. Search the indices "
            "of judgments, query sets or evaluation results instead, with their _source."
        )
    return None


_INDEX = "search-relevance-"
"""In the names of all indices of the workbench."""


def _index_hits(document: Any) -> list[Mapping[str, Any]]:
    return objects_in(object_or_empty(object_or_empty(document).get("hits")).get("hits"))


def _unwrap_index(document: Any) -> list[tuple[str, Any]]:
    """Return the document itself, and what a list or the hits of an index contain."""
    ways = [("", document)]
    if isinstance(document, list) and document:
        ways.append(("[]", document[0]))
    if isinstance(document, Mapping):
        ways += [("hits.hits[]._source.", hit.get("_source")) for hit in _index_hits(document)[:1]]
        ways.append(("_source.", document.get("_source")))
    return ways


def _experiment_plan(prefix: str, inner: Mapping[str, Any]) -> NestedPlan | None:
    prefix += "" if not prefix or prefix.endswith(".") else "."
    if "judgmentRatings" in inner:
        queries = f"{prefix}judgmentRatings[]"
        ratings = f"{queries}.ratings[]"
        where: dict[str, str] = {"query": f"{queries}.query", "doc_id": "+.docId", "grade": "+.rating"}
        # Judgments of a language model say which; those of people and of clicks have no model.
        asked = object_or_empty(inner.get("metadata")).get("modelId") is not None
        rater = {"rater": f"{prefix}metadata.modelId"} if asked else {}
        return NestedPlan("OpenSearch judgments", (row_spec("judgments", ratings, **where, **rater),))
    if "querySetQueries" in inner:
        queries = f"{prefix}querySetQueries[]"
        return NestedPlan("an OpenSearch query set", (row_spec("queries", queries, query="+.queryText"),))
    if {"searchText", "documentIds"} <= inner.keys():
        ids = f"{prefix}documentIds[]"
        return NestedPlan("results of an OpenSearch experiment", (
            row_spec("results", ids, query=f"{prefix}searchText", doc_id="+", rank="+@place", system=(
                f"{prefix}searchConfigurationId",
            )),
        ))  # fmt: skip
    return None


# Apache Solr: responses of ``/select``.
#
# Source: Apache Solr 9 reference guide, "Response Writers", JSON.


def solr_plan(document: Any, name: str) -> NestedPlan | None:
    """Apache Solr: responses of `/select`."""
    response = document.get("response") if isinstance(document, Mapping) else None
    if not isinstance(response, Mapping) or not isinstance(response.get("docs"), list):
        return None
    found = row_spec(
        "results", "response.docs[]", doc_id="+.id", rank="+@place", score="+.score", title=("+.title", "+.title[]")
    )
    header = document.get("responseHeader")
    if isinstance(header, Mapping) and "QTime" in header:
        found = found._replace(columns=(*found.columns, ("took_ms", parse_path("responseHeader.QTime"))))
    found = found._replace(
        columns=(
            *found.columns,
            ("partial_results", parse_path("responseHeader.partialResults")),
            ("docs_answered", parse_path("response.docs@there")),
            ("error", parse_path("error.msg")),
        )
    )
    params = header.get("params") if isinstance(header, Mapping) else None
    if isinstance(params, Mapping) and isinstance(params.get("q"), str):
        asked = row_spec("results", "response.docs[]", query="responseHeader.params.q").columns
        return NestedPlan("a Solr response", (found._replace(columns=(*asked, *found.columns)),))
    return plan_of_one_query("a Solr response", name, found)


# User Behavior Insights: logged queries with the documents each returned. Events (clicks) are refused.
#
# Source: UBI specification 1.3.0, query and event schemas; also as a bulk file, in which every other line is an
# action.


_HITS = "query_response_hit_ids"
_ACTIONS = ("index", "create")
_ACTION_LINES = 2
"""Documents of which one is an event: in a bulk file an action stands before each."""


def ubi_plan(document: Any, name: str) -> NestedPlan | None:
    """User Behavior Insights: logged queries with the documents each returned. Events (clicks) are refused."""
    prefix, logged = ("[]", objects_in(document)) if isinstance(document, list) else ("", objects_in([document]))
    if not logged:
        return None
    first = logged[0]
    actions = [first[action] for action in _ACTIONS if isinstance(first.get(action), Mapping)]
    if any("ubi" in str(action.get("_index", "")) for action in actions) or any(map(_is_logged_query, logged)):
        return _logged_queries(prefix)
    if {"action_name", "query_id"} <= first.keys() or "event_attributes" in first:
        raise DataError(
            f"{name}: UBI events (clicks and views), which are neither judgments nor results. The UBI queries contain "
            f"the results, under {_HITS}; judgments come from people, or from a model of clicks: "
            f"{either('ir.clicks(events)', 'idealrank clicks EVENTS')}."
        )
    return None


def plan_ubi_events(documents: Sequence[Any]) -> NestedPlan | None:
    """Return where the fields lie that models of clicks read of UBI events; None for other documents.

    Parameters
    ----------
    documents
        The first ones of a file, or one that is a list.
    """
    whole = len(documents) == 1 and isinstance(documents[0], list)
    logged = objects_in(documents[0] if whole else documents[:_ACTION_LINES])
    if not any("action_name" in each or "event_attributes" in each for each in logged):
        return None
    inner = "+.event_attributes"
    found = row_spec(
        "events", "[]" if whole else "", action_name="+.action_name", query_id="+.query_id",
        user_query="+.user_query", session_id="+.session_id", client_id="+.client_id", timestamp="+.timestamp",
        object_id=(f"{inner}.object.object_id", f"{inner}.object_id", "+.object_id"),
        position=(f"{inner}.position.ordinal", f"{inner}.position", "+.position"),
    )  # fmt: skip
    return NestedPlan("UBI events", (found,))


def _is_logged_query(logged: Mapping[str, Any]) -> bool:
    """Whether a record is a logged query: it has hits, or the fields of a query whose hits were not logged."""
    if isinstance(logged.get(_HITS), list):
        return True
    return {"query_id", "user_query", "client_id"} <= logged.keys() and "action_name" not in logged


def _logged_queries(prefix: str) -> NestedPlan:
    dot = f"{prefix}." if prefix else ""
    found = row_spec(
        "results", f"{dot}{_HITS}[]", query_id=f"{dot}query_id", query=f"{dot}user_query", doc_id="+", rank="+@place",
        logged=f"{dot}{_HITS}@there",
    )  # fmt: skip
    return NestedPlan(UBI, (found, row_spec("queries", prefix, query_id="+.query_id", query="+.user_query")))


# Vespa: responses of the query API.
#
# A document id such as id:shop:product::P1023 is read as P1023, as in pyvespa's evaluators. Source: Vespa
# documentation, "Default JSON result format" (root.errors, coverage), "Query API" (presentation.timing, in seconds)
# and "Documents"; pyvespa, vespa/evaluation/_base.py.


def vespa_plan(document: Any, name: str) -> NestedPlan | None:
    """Vespa: responses of the query API."""
    root = document.get("root") if isinstance(document, Mapping) else None
    if not isinstance(root, Mapping) or not {"fields", "errors"} & root.keys():
        return None
    hits = row_spec(
        "results", "root.children[]", doc_id=("+.fields.documentid@local", "+.id@local"), rank="+@place",
        score="+.relevance", title="+.fields.title", error=("root.errors[].message", "root.errors[].summary"),
        engine_error="root.errors[]@there", degraded="root.coverage.degraded@there", full="root.coverage.full",
    )  # fmt: skip
    timing = document.get("timing")
    if isinstance(timing, Mapping) and "searchtime" in timing:
        hits = hits._replace(columns=(*hits.columns, ("took_s", parse_path("timing.searchtime"))))
    return plan_of_one_query("a Vespa query response", name, hits)
