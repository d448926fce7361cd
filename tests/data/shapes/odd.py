"""Documents with one thing in them that is not what it was: another type, gone, or there twice."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from tests.data.shapes.test_joined import SNAPSHOT
from tests.data.shapes.toy import BOTH, JUDGED, POSITIVE, RAG, RESULTS, RETURNED, search

Place = tuple[Any, Any]
"""What contains a value, and its key or index there."""


def vespa(query: str) -> dict[str, Any]:
    """Return the answer of a search as Vespa gives it."""
    hits = [
        {"id": f"id:x:y::{doc}", "relevance": score, "fields": {"documentid": f"id:x:y::{doc}", "title": "T"}}
        for doc, score in RESULTS[query].items()
    ]
    return {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 3}, "children": hits}}


def solr(query: str, params: dict[str, str]) -> dict[str, Any]:
    """Return the answer of a search as Solr gives it."""
    docs = [{"id": doc, "score": score, "title": ["T"]} for doc, score in RESULTS[query].items()]
    return {"responseHeader": {"params": params}, "response": {"numFound": 3, "docs": docs}}


_FAILED = {"error": {"type": "timeout", "reason": "too slow"}, "status": 503}
_BULK = [line for row in RETURNED["UBI queries"] for line in ({"index": {"_index": "ubi_queries"}}, row)]

DOCUMENTS: dict[str, Any] = {
    **{f"{name}, judged": document for name, document in JUDGED.items()},
    **RETURNED,
    **BOTH,
    **RAG,
    "Elasticsearch": search("q1"),
    "Elasticsearch, in a list": [search("q1"), search("q2")],
    "Elasticsearch, by query": {query: search(query) for query in RESULTS},
    "_msearch": {"took": 3, "responses": [{**search("q1"), "status": 200}, _FAILED, search("q2")]},
    "_rank_eval response with failures": {
        **RETURNED["_rank_eval response"], "failures": {"q7": {"error": {"reason": "no such index"}}}
    },
    "OpenSearch query set": {"querySetQueries": [{"queryText": query} for query in RESULTS]},
    "Vespa": vespa("q1"),
    "Vespa, in a list": [vespa("q1"), vespa("q2")],
    "Vespa, by query": {query: vespa(query) for query in RESULTS},
    "Solr": solr("q1", {"q": "q1"}),
    "Solr, in a list": [solr("q1", {}), solr("q2", {})],
    "Solr, by query": {query: solr(query, {"q": "text"}) for query in RESULTS},
    "UBI bulk file": _BULK,
    "Quepid snapshot with ratings": SNAPSHOT,
    "LlamaIndex": {
        "queries": {query: f"Text of {query}" for query in RESULTS}, "corpus": {"d1": "One"}, "relevant_docs": POSITIVE
    },
    "TREC CAsT": {
        "run_name": "r",
        "turns": [
            {"turn_id": q, "responses": [{"provenance": [{"id": d, "score": s} for d, s in docs.items()]}]}
            for q, docs in RESULTS.items()
        ],
    },
    "grades beside ids": [
        {"query": query, "doc_ids": list(docs), "grades": [1] * len(docs)} for query, docs in RESULTS.items()
    ],
    "pairs": {query: [list(pair) for pair in docs.items()] for query, docs in RESULTS.items()},
}  # fmt: skip
"""Documents of every tool, and of nobody in particular; several answers in lists and by query, too."""

OTHERS: tuple[Any, ...] = (
    None, True, 0, 7, -1.5, 10**25, "", "x", "1", "q1", "\ud800", "a text of many words that is nobody's id at all",
    [], [None], ["x"], [1, 2], [["x", 1]], [[]], [{}], [{"id": "x"}], [{"id": "x", "score": 1}, None],
    {}, {"x": None}, {"x": 1}, {"x": "y"}, {"x": []}, {"x": ["y"]}, {"id": "x"}, {"x": {"y": 1}}, {"x": {"y": {}}},
)  # fmt: skip
"""Values of every type."""


def places(document: Any) -> list[Place]:
    """Return every value within a document, by what contains it."""
    keys = document if isinstance(document, dict) else range(len(document)) if isinstance(document, list) else ()
    return [place for key in keys for place in ((document, key), *places(document[key]))]


def replaced(held: Any, key: Any, random: Random) -> None:
    """Put a value of another type into the place of one."""
    held[key] = copy.deepcopy(random.choice(OTHERS))


def dropped(held: Any, key: Any, random: Random) -> None:
    """Leave a value out."""
    del held[key]


def doubled(held: Any, key: Any, random: Random) -> None:
    """Repeat an element of a list, or a value under another name."""
    if isinstance(held, list):
        held.insert(key, copy.deepcopy(held[key]))
    else:
        held[f"{key}2"] = copy.deepcopy(held[key])


def renamed(held: Any, key: Any, random: Random) -> None:
    """Call a value by the name of something else; an element of a list is wrapped."""
    if isinstance(held, list):
        held[key] = random.choice(([held[key]], {"x": held[key]}, {"id": held[key]}))
    else:
        held[random.choice(("id", "query", "score", "x", "", "a.b", "@key", "=x", "[]", "*", "\ud800"))] = held.pop(key)


def swapped(held: Any, key: Any, random: Random) -> None:
    """Put what contains a value into its place, or one of its own values."""
    inner = held[key]
    values = list(inner.values()) if isinstance(inner, dict) else inner if isinstance(inner, list) else [inner]
    held[key] = random.choice(values) if values else {"x": inner}


CHANGES: tuple[Callable[[Any, Any, Random], None], ...] = (replaced, replaced, dropped, doubled, renamed, swapped)


def odd(document: Any, random: Random) -> Any:
    """Return a document in which one, two or three things are not what they were."""
    root = [copy.deepcopy(document)]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        held, key = random.choice(places(root) or [(root, 0)])
        random.choice(CHANGES)(held, key, random)
        root = root or [None]
    return root[0]
