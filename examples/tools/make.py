"""Write the files of this folder: three queries of the shop as each tool writes them.

python examples/tools/make.py [FOLDER]
"""

import csv
import io
import json
import math
import statistics
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SHOP = HERE.parent / "shop"
QUERIES = {"q02": "hiking boots", "q06": "mouse", "q09": "torch"}
DEPTH = 5
WIDTH = 160


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a file of the shop that belong to the three queries, or have no query."""
    with open(SHOP / name, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row.get("query_id", "q02") in QUERIES]


def engine(name: str) -> dict[str, dict[str, float]]:
    """Return the first results of an engine with their scores, by query."""
    found: dict[str, dict[str, float]] = {query: {} for query in QUERIES}
    for row in rows(name):
        if int(row["rank"]) <= DEPTH:
            found[row["query_id"]][row["product_id"]] = float(row["score"])
    return found


def judged() -> dict[str, dict[str, int]]:
    """Return the median grade of the relevant products, and of the others among the first results, by query."""
    grades: dict[str, dict[str, int]] = {query: {} for query in QUERIES}
    for row in rows("judgments.csv"):
        query, doc = row["query_id"], row["product_id"]
        grade = int(statistics.median_high([int(row[f"rater_{n}"]) for n in (1, 2, 3) if row[f"rater_{n}"]]))
        if grade or doc in BM25[query] or doc in HYBRID[query]:
            grades[query][doc] = grade
    return grades


TITLES = {row["product_id"]: row["title"] for row in rows("products.csv")}
BM25, HYBRID = engine("bm25.csv"), engine("hybrid.csv")
GRADES = judged()
PAIRS = [(query, doc, grade) for query, docs in GRADES.items() for doc, grade in docs.items()]
RELEVANT = {query: [doc for doc, grade in docs.items() if grade] for query, docs in GRADES.items()}


def document(value: Any) -> str:
    """Write a JSON document in lines of moderate length."""
    return _json(value, "") + "\n"


def _json(value: Any, margin: str) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if len(margin + line) < WIDTH or not value:
        return line
    inner = margin + " "
    if isinstance(value, list):
        return f"[\n{inner}" + f",\n{inner}".join(_json(item, inner) for item in value) + f"\n{margin}]"
    items = (f"{json.dumps(key)}: {_json(item, inner)}" for key, item in value.items())
    return f"{{\n{inner}" + f",\n{inner}".join(items) + f"\n{margin}}}"


def lines(values: Iterable[Any]) -> str:
    """Write one JSON object per line."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def table(header: str, values: Iterable[Iterable[Any]], separator: str = ",") -> str:
    """Write a table with a line of names, if there is one."""
    written = io.StringIO()
    csv.writer(written, delimiter=separator, lineterminator="\n").writerows(values)
    return (f"{header}\n" if header else "") + written.getvalue()


def hits(query: str, found: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """Return the hits of one query as Elasticsearch lists them."""
    return [
        {"_index": "products", "_id": doc, "_score": score, "_source": {"title": TITLES[doc]}}
        for doc, score in found[query].items()
    ]


def response(query: str, found: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Return the answer of a search."""
    top = hits(query, found)
    return {"took": 4, "timed_out": False, "hits": {"total": {"value": len(top)}, "hits": top}}


def metric_score() -> float:
    """Return the score of the first engine as Elasticsearch calculates it: normalized DCG, averaged over queries."""
    shares = []
    for query, found in BM25.items():
        ideal = sorted(GRADES[query].values(), reverse=True)[: len(found)]
        shares.append(dcg([GRADES[query].get(doc, 0) for doc in found]) / dcg(ideal))
    return statistics.mean(shares)


def dcg(grades: list[int]) -> float:
    """Return the discounted cumulative gain of grades in the order of their ranks."""
    return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def elasticsearch() -> dict[str, str]:
    """Files of Elasticsearch, OpenSearch, Solr and Vespa."""
    ratings = {
        q: [{"_index": "products", "_id": d, "rating": g} for d, g in docs.items()] for q, docs in GRADES.items()
    }
    requests = [
        {"id": q, "request": {"query": {"match": {"title": text}}}, "ratings": ratings[q]}
        for q, text in QUERIES.items()
    ]
    metric = {"dcg": {"k": DEPTH, "normalize": True}}
    details = {
        q: {"hits": [{"hit": hit, "rating": GRADES[q].get(hit["_id"])} for hit in hits(q, BM25)]} for q in QUERIES
    }
    workbench = [
        {"query": text, "ratings": [{"docId": d, "rating": f"{g:.1f}"} for d, g in GRADES[q].items()]}
        for q, text in QUERIES.items()
    ]
    return {
        "torch.json": document(response("q09", BM25)),
        "msearch.json": document({"took": 9, "responses": [response(q, BM25) for q in QUERIES]}),
        "rank_eval_request.json": document({"requests": requests, "metric": metric}),
        "rank_eval_response.json": document({"metric_score": metric_score(), "details": details, "failures": {}}),
        "judgments.json": document({"name": "shop", "type": "IMPORT_JUDGMENT", "judgmentRatings": workbench}),
        "experiment.json": document(
            [{"searchText": text, "documentIds": list(HYBRID[q]), "metrics": []} for q, text in QUERIES.items()]
        ),
        "ubi_queries.ndjson": lines(
            {"query_id": f"7f-{q}", "user_query": text, "query_response_hit_ids": list(BM25[q])}
            for q, text in QUERIES.items()
        ),
        "solr/torch.json": document({
            "responseHeader": {"status": 0, "QTime": 3, "params": {"q": "torch", "fl": "id,title,score"}},
            "response": {"numFound": 5, "start": 0, "docs": [
                {"id": d, "title": TITLES[d], "score": s} for d, s in BM25["q09"].items()
            ]},
        }),
        "vespa/torch.json": document({"root": {"id": "toplevel", "fields": {"totalCount": 5}, "children": [
            {"id": f"id:shop:product::{d}", "relevance": s, "source": "shop", "fields": {"title": TITLES[d]}}
            for d, s in HYBRID["q09"].items()
        ]}}),
    }  # fmt: skip


def quepid() -> dict[str, str]:
    """Files of Quepid, RRE and RankQuest."""
    raters = (("rater_1", "ana@shop.test"), ("rater_2", "ben@shop.test"))
    pairs = [
        {"query_text": QUERIES[row["query_id"]], "doc_id": row["product_id"], "position": None, "judgements": [
            {"rating": float(row[name]), "user_email": who} for name, who in raters if row[name]
        ]}
        for row in rows("judgments.csv") if row["product_id"] in GRADES[row["query_id"]]
    ]  # fmt: skip
    texts = [{"query_id": n, "query_text": text} for n, text in enumerate(QUERIES.values(), 1)]
    docs = {str(n): [{"id": d, "fields": {"title": TITLES[d]}} for d in BM25[q]] for n, q in enumerate(QUERIES, 1)}
    graded = {q: [{"doc_id": d, "rating": float(g)} for d, g in found.items()] for q, found in GRADES.items()}
    groups = [
        {"name": text, "queries": [{"placeholders": {"$query": text}}], "relevant_documents": {
            str(grade): [d for d, g in GRADES[q].items() if g == grade] for grade in (3, 2, 1)
        }}
        for q, text in QUERIES.items()
    ]  # fmt: skip
    rated = [
        {
            "id": q,
            "searchContext": {"q": text},
            "ratings": [{"documentId": d, "rating": g} for d, g in GRADES[q].items()],
        }
        for q, text in QUERIES.items()
    ]
    detailed = (
        ("shop", text, d, TITLES[d], rank, GRADES[q].get(d, ""))
        for q, text in QUERIES.items()
        for rank, d in enumerate(HYBRID[q], 1)
    )
    return {
        "basic.csv": table("query,docid,rating", ((QUERIES[q], d, g) for q, d, g in PAIRS)),
        "case.json": document({"case_name": "Shop", "queries": [
            {"query_text": text, "ratings": graded[q]} for q, text in QUERIES.items()
        ]}),
        "book.json": document({"name": "Shop", "scale": [0, 1, 2, 3], "query_doc_pairs": pairs}),
        "snapshot.json": document({"id": 7, "name": "Before", "docs": docs, "queries": texts, "scores": []}),
        "detailed.csv": table("Case Name,Query Text,Doc ID,Title,Doc Position,Rating", detailed),
        "rre_ratings.json": document({"index": "products", "query_groups": groups}),
        "rankquest.json": document(rated),
    }  # fmt: skip


def beir() -> dict[str, str]:
    """A BEIR folder, and runs of benchmarks."""
    ranked = [(q, d, rank, score) for q, found in BM25.items() for rank, (d, score) in enumerate(found.items(), 1)]
    corpus = sorted({d for q in QUERIES for d in (*GRADES[q], *BM25[q], *HYBRID[q])})
    return {
        "shop/corpus.jsonl": lines({"_id": d, "title": TITLES[d], "text": ""} for d in corpus),
        "shop/queries.jsonl": lines({"_id": q, "text": text} for q, text in QUERIES.items()),
        "shop/qrels/test.tsv": table("query-id\tcorpus-id\tscore", PAIRS, "\t"),
        "predictions.json": document({"default": {"test": HYBRID}}),
        "qrels.json": document(GRADES),
        "run.json": document(BM25),
        "qrels.txt": table("", ((q, 0, d, g) for q, d, g in PAIRS), " "),
        "bm25.run": table("", ((q, "Q0", d, rank, score, "bm25") for q, d, rank, score in ranked), " "),
        "msmarco.tsv": table("", ((q, d, rank) for q, d, rank, _ in ranked), "\t"),
    }


def rag() -> dict[str, str]:
    """Files of pipelines for retrieval-augmented generation."""
    expected = {QUERIES[q]: docs for q, docs in RELEVANT.items()}
    found = {QUERIES[q]: docs for q, docs in HYBRID.items()}
    chunks = {
        text: [{"id": d, "score": s, "metadata": {"page": 1}} for d, s in docs.items()] for text, docs in found.items()
    }
    return {
        "golden.jsonl": lines({"question": text, "expected_ids": docs} for text, docs in expected.items()),
        "answers.jsonl": lines({"question": text, "retrieved": docs} for text, docs in chunks.items()),
        "cases.csv": table("question,expected_ids,retrieved_ids", (
            (text, json.dumps(docs), json.dumps(list(found[text]))) for text, docs in expected.items()
        )),
        "ragas.jsonl": lines({
            "user_input": text, "response": "…", "retrieved_contexts": [TITLES[d] for d in found[text]],
            "reference_context_ids": docs, "retrieved_context_ids": list(found[text]),
        } for text, docs in expected.items()),
        "llama_index.json": document({
            "queries": QUERIES, "corpus": {d: TITLES[d] for docs in RELEVANT.values() for d in docs},
            "relevant_docs": RELEVANT, "mode": "text",
        }),
        "azure.jsonl": lines({
            "query": text,
            "retrieval_ground_truth": [{"document_id": d, "query_relevance_label": g} for d, g in GRADES[q].items()],
            "retrieved_documents": [{"document_id": d, "relevance_score": s} for d, s in HYBRID[q].items()],
        } for q, text in QUERIES.items()),
    }  # fmt: skip


def ranker() -> dict[str, str]:
    """Rows of a ranker in training, with its predictions."""
    scores = [HYBRID[q].get(d, 0.0) for q, d, _ in PAIRS]
    features = [f"1:{BM25[q].get(d, 0.0)} 2:{len(TITLES[d])}" for q, d, _ in PAIRS]
    sizes = [len(docs) for docs in GRADES.values()]
    named = [f"{g} qid:{q} {x} # {d}\n" for (q, d, g), x in zip(PAIRS, features, strict=True)]
    return {
        "test.svm": "".join(named),
        "predictions.txt": "".join(f"{score}\n" for score in scores),
        "rank.test": "".join(f"{g} {x}\n" for (_, _, g), x in zip(PAIRS, features, strict=True)),
        "rank.test.query": "".join(f"{size}\n" for size in sizes),
    }


TOOLS = (elasticsearch, quepid, beir, rag, ranker)


def main(folder: Path) -> None:
    """Write every file."""
    for tool in TOOLS:
        for name, text in tool().items():
            path = folder / tool.__name__ / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
