"""The same judgments and results in the documents of every tool, as its documentation shows them."""

from __future__ import annotations

import json
import math
from typing import Any

JUDGMENTS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d9": 1}}
RESULTS = {"q1": {"d3": 3.0, "d1": 2.0, "d7": 1.0}, "q2": {"d9": 1.0}}

NDCG = ((1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)) + 1) / 2
"""By hand: grades 1, 2, 0 for the first query, of an ideal of 2 and 1; the second is perfect."""

POSITIVE = {query: [doc for doc, grade in docs.items() if grade] for query, docs in JUDGMENTS.items()}


def lines(records: list[Any]) -> str:
    """Write one record per line."""
    return "".join(json.dumps(record) + "\n" for record in records)


def ratings(doc: str, grade: str, more: dict[str, Any] | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return the judged documents of each query as objects with these names."""
    return {
        query: [{**(more or {}), doc: key, grade: value} for key, value in docs.items()]
        for query, docs in JUDGMENTS.items()
    }


def hits(doc: str, score: str) -> dict[str, list[dict[str, Any]]]:
    """Return the results of each query as objects with these names."""
    return {query: [{doc: key, score: value} for key, value in docs.items()] for query, docs in RESULTS.items()}


def each(items: dict[str, list[Any]], query: str, docs: str) -> list[dict[str, Any]]:
    """Return one object per query with these names."""
    return [{query: key, docs: value} for key, value in items.items()]


JUDGED: dict[str, Any] = {
    "pytrec_eval and ranx": JUDGMENTS,
    "rows": [{"query_id": q, "doc_id": d, "grade": g} for q, docs in JUDGMENTS.items() for d, g in docs.items()],
    "rows in an object": {
        "total": 4,
        "data": [{"q_id": q, "doc_id": d, "label": g} for q, docs in JUDGMENTS.items() for d, g in docs.items()],
    },
    "lists of ratings by query": ratings("doc", "rating"),
    "OpenSearch judgments": {
        "name": "j",
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": each(
            {q: [{"docId": d, "rating": str(g)} for d, g in docs.items()] for q, docs in JUDGMENTS.items()},
            "query",
            "ratings",
        ),
    },
    "OpenSearch judgments in an index": {
        "hits": {
            "hits": [
                {
                    "_index": "judgments",
                    "_id": "1",
                    "_source": {"judgmentRatings": each(ratings("docId", "rating"), "query", "ratings")},
                }
            ]
        }
    },
    "_rank_eval request": {
        "requests": [
            {"id": q, "request": {"query": {"match": {"title": f"text of {q}"}}}, "ratings": docs}
            for q, docs in ratings("_id", "rating", {"_index": "i"}).items()
        ],
        "metric": {"dcg": {"k": 10, "normalize": True}},
    },
    "MTEB split": {"default": {"test": JUDGMENTS}},
    "Quepid ratings": {"queries": each(dict(JUDGMENTS), "query", "ratings")},
    "Quepid case": {
        "case_name": "c",
        "scorer": {"code": "x"},
        "queries": [
            {"query_text": q, "options": {}, "notes": None, "ratings": docs}
            for q, docs in ratings("doc_id", "rating", {"user_email": "a@b.test"}).items()
        ],
    },
    "Quepid book": {
        "name": "b",
        "scale": [0, 1, 2],
        "query_doc_pairs": [
            {
                "query_text": q,
                "doc_id": d,
                "position": None,
                "document_fields": "{}",
                "judgements": [{"rating": g, "unrateable": False, "user_email": "a@b.test"}],
            }
            for q, docs in JUDGMENTS.items()
            for d, g in docs.items()
        ],
    },
    "RRE by document": {
        "topics": [
            {
                "description": "t",
                "query_groups": [
                    {
                        "name": q,
                        "queries": [{"template": "x.json", "placeholders": {"$query": q}}],
                        "relevant_documents": {d: {"gain": g} for d, g in docs.items()},
                    }
                    for q, docs in JUDGMENTS.items()
                ],
            }
        ]
    },
    "RRE by grade": {
        "query_groups": [
            {
                "name": q,
                "queries": [{"placeholders": {"$query": q}}],
                "relevant_documents": {str(grade): [d for d, g in docs.items() if g == grade] for grade in (2, 1, 0)},
            }
            for q, docs in JUDGMENTS.items()
        ]
    },
    "RRE objects": {
        "queries": [
            {"placeholders": {"$query": q}, "relevant_documents": docs} for q, docs in ratings("id", "gain").items()
        ]
    },
    "RankQuest": [
        {"id": f"id of {q}", "searchContext": {"q": q}, "ratings": docs, "tags": []}
        for q, docs in ratings("documentId", "rating", {"label": "x"}).items()
    ],
}
"""Judgments."""


def search(query: str) -> dict[str, Any]:
    """Return the answer of a search as Elasticsearch gives it."""
    found = [{"_index": "i", "_id": d, "_score": s, "_source": {"title": f"Title of {d}", "list": [1]}}
             for d, s in RESULTS[query].items()]  # fmt: skip
    return {"took": 3, "timed_out": False, "hits": {"total": {"value": 9}, "max_score": 3.0, "hits": found}}


RETURNED: dict[str, Any] = {
    "pytrec_eval and ranx": RESULTS,
    "lists of ids by query": {query: list(docs) for query, docs in RESULTS.items()},
    "lists of hits by query": hits("id", "score"),
    "rows": [{"query_id": q, "doc_id": d, "score": s} for q, docs in RESULTS.items() for d, s in docs.items()],
    "hits in nested objects": [
        {"query": q, "hits": [{"document": {"id": d, "text": "…"}, "score": s} for d, s in docs.items()]}
        for q, docs in RESULTS.items()
    ],
    "_rank_eval response": {
        "metric_score": 0.5,
        "failures": {},
        "details": {
            q: {
                "metric_score": 0.5,
                "unrated_docs": [],
                "hits": [
                    {"hit": {"_index": "i", "_id": d, "_score": s}, "rating": JUDGMENTS[q].get(d)}
                    for d, s in docs.items()
                ],
                "metric_details": {},
            }
            for q, docs in RESULTS.items()
        },
    },
    "OpenSearch experiment": [
        {"searchText": q, "documentIds": list(docs), "metrics": [{"metric": "NDCG@10", "value": 1}]}
        for q, docs in RESULTS.items()
    ],
    "UBI queries": [
        {"query_id": f"id of {q}", "user_query": q, "client_id": "c", "query_response_hit_ids": list(docs)}
        for q, docs in RESULTS.items()
    ],
    "Quepid snapshot": {
        "id": 1,
        "name": "s",
        "docs": {q: [{"id": d, "explain": "{}", "fields": {"title": d}} for d in docs] for q, docs in RESULTS.items()},
        "queries": [{"query_id": q, "query_text": q, "ratings": {}} for q in RESULTS],
        "scores": [],
    },
    "MTEB predictions": {"default": {"test": RESULTS}},
    "TREC iKAT": {
        "run_name": "r",
        "run_type": "automatic",
        "turns": [
            {
                "turn_id": q,
                "responses": [{"text": "…", "passage_provenance": [{"id": d, "score": s} for d, s in docs.items()]}],
            }
            for q, docs in RESULTS.items()
        ],
    },
    "LangChain documents": [
        {
            "question": q,
            "retrieved_documents": [
                {"id": None, "page_content": "…", "metadata": {"source": d}, "type": "Document"} for d in docs
            ],
        }
        for q, docs in RESULTS.items()
    ],
    "Haystack documents": [{"query": q, "documents": docs} for q, docs in hits("id", "score").items()],
}
"""Results."""

BOTH: dict[str, Any] = {
    "Azure": [
        {
            "query": q,
            "retrieval_ground_truth": [{"document_id": d, "query_relevance_label": g} for d, g in JUDGMENTS[q].items()],
            "retrieved_documents": [{"document_id": d, "relevance_score": s} for d, s in docs.items()],
        }
        for q, docs in RESULTS.items()
    ],
    "ratings and hits": [
        {"query": q, "ratings": ratings("id", "grade")[q], "results": hits("id", "score")[q]} for q in RESULTS
    ],
}
"""Judgments and results in one document."""

RAG: dict[str, Any] = {
    "expected and retrieved": [
        {"question": q, "expected_ids": POSITIVE[q], "retrieved_ids": list(docs)} for q, docs in RESULTS.items()
    ],
    "golden set": {
        "test_cases": [
            {
                "id": q,
                "question": f"What is {q}?",
                "relevant_doc_ids": POSITIVE[q],
                "retrieved": [{"id": d, "score": s, "metadata": {"page": 3}} for d, s in docs.items()],
            }
            for q, docs in RESULTS.items()
        ]
    },
    "Ragas": [
        {
            "user_input": q,
            "response": "…",
            "retrieved_contexts": ["a long text of many words " * 3],
            "reference_context_ids": POSITIVE[q],
            "retrieved_context_ids": list(docs),
        }
        for q, docs in RESULTS.items()
    ],
}
"""Questions with the ids of what was expected and of what was retrieved, without grades."""
