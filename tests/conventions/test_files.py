"""Every convention reads the files of its tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.conventions import CONVENTIONS
from tests.data.shapes.toy import BOTH, JUDGED, JUDGMENTS, POSITIVE, RAG, RESULTS, RETURNED, hits, lines

QRELS = "".join(f"{q} 0 {d} {g}\n" for q, docs in JUDGMENTS.items() for d, g in docs.items())
RUN = "".join(
    f"{q} Q0 {d} {place} {score} bm25\n"
    for q, docs in RESULTS.items()
    for place, (d, score) in enumerate(docs.items(), 1)
)
TABLE = "query,doc,grade,rank\nq1,d3,1,1\nq1,d1,2,2\nq1,d7,,3\nq1,d2,0,\nq2,d9,1,1\n"
SVMLIGHT = "".join(f"{g} qid:{q[1:]} 1:0.5 2:0.25 # {d}\n" for q, docs in JUDGMENTS.items() for d, g in docs.items())
PREDICTIONS = "2\n0.5\n3\n1\n"
FEATURES = "".join(f"{g} 1:0.5\n" for docs in JUDGMENTS.values() for g in docs.values())
MSMARCO = "".join(f"{q}\t{d}\t{place}\n" for q, docs in RESULTS.items() for place, d in enumerate(docs, 1))
INTER = "user_id:token\titem_id:token\trating:float\n" + "".join(
    f"{q}\t{d}\t{g}\n" for q, docs in JUDGMENTS.items() for d, g in docs.items()
)
RATINGS = "userID,itemID,rating\n" + "".join(f"{q},{d},{g}\n" for q, docs in JUDGMENTS.items() for d, g in docs.items())
PREDICTED = "userID,itemID,prediction\n" + "".join(
    f"{q},{d},{s}\n" for q, docs in RESULTS.items() for d, s in docs.items()
)
BEIR = "query-id\tcorpus-id\tscore\n" + QRELS.replace(" 0 d", "\td").replace(" ", "\t")
QUERIES = {q: f"What is {q}?" for q in JUDGMENTS}
LLAMA_INDEX = {"queries": QUERIES, "corpus": {}, "relevant_docs": POSITIVE}
PREDICTED_HITS = lines(
    [{"query_id": q, "query": QUERIES[q], "results": found} for q, found in hits("corpus_id", "score").items()]
)
TREC = ({"qrels.txt": QRELS, "bm25.run": RUN}, "RR")
RECOMMENDED = ({"ratings.csv": RATINGS, "predictions.csv": PREDICTED}, "P@5")

FILES: dict[str, tuple[dict[str, Any], str]] = {
    "idealrank-1": ({"table.csv": TABLE}, "nDCG@10"),
    "trec_eval-9.0.8": TREC,
    "trec_eval-10.0": TREC,
    "real-life": ({"table.csv": TABLE}, "NDCG-fg"),
    "trectools": TREC,
    "pytrec_eval": ({"qrel.json": JUDGMENTS, "run.json": RESULTS}, "nDCG"),
    "ir_measures": TREC,
    "gdeval": ({"qrels.txt": QRELS, "bm25.run": RUN}, "nDCG@10"),
    "quepid": ({"book.json": JUDGED["Quepid book"], "snapshot.json": RETURNED["Quepid snapshot"]}, "nDCG@10"),
    "quepid-browser": ({"case.json": JUDGED["Quepid case"], "snapshot.json": RETURNED["Quepid snapshot"]}, "P@10"),
    "opensearch": ({"j.json": JUDGED["OpenSearch judgments"], "r.json": RETURNED["OpenSearch experiment"]}, "nDCG@10"),
    "elasticsearch": ({"response.json": RETURNED["_rank_eval response"]}, "nDCG@10"),
    "rre": ({"ratings.json": JUDGED["RRE by document"], "run.json": RESULTS}, "nDCG@10"),
    "lightgbm": ({"train.svm": FEATURES, "predictions.txt": PREDICTIONS, "train.svm.query": "3\n1\n"}, "nDCG@3"),
    "xgboost": ({"train.svm": SVMLIGHT, "predictions.txt": PREDICTIONS}, "nDCG@3"),
    "xgboost-minus": ({"train.svm": FEATURES, "predictions.txt": PREDICTIONS, "train.svm.group": "3\n1\n"}, "nDCG@3"),
    "tf-ranking": ({"train.svm": SVMLIGHT, "predictions.txt": PREDICTIONS}, "nDCG@3"),
    "ranx": ({"qrels.json": JUDGMENTS, "run.json": RESULTS}, "nDCG@10"),
    "mteb": ({"qrels.tsv": BEIR, "Task_predictions.json": RETURNED["MTEB predictions"]}, "nDCG@10"),
    "beir": ({"qrels.tsv": BEIR, "results.json": RESULTS}, "nDCG@10"),
    "recommenders": RECOMMENDED,
    "recommenders-raw": RECOMMENDED,
    "recommenders-exp": RECOMMENDED,
    "recbole": ({"data.inter": INTER, "run.json": RESULTS}, "nDCG@5"),
    "msmarco": ({"qrels.tsv": QRELS.replace(" ", "\t"), "run.tsv": MSMARCO}, "RR@10"),
    "azure": ({"rows.jsonl": lines(BOTH["Azure"])}, "nDCG@3"),
    "ndeval": ({"qrels.txt": QRELS.replace(" 0 d1", " 1 d1"), "bm25.run": RUN}, "alpha_nDCG@5"),
    "cwl-eval": ({"qrels.txt": QRELS.replace(" 2\n", " 1\n"), "bm25.run": RUN}, "P@10"),
    "haystack": ({"rows.json": RETURNED["Haystack documents"]}, "nDCG"),
    "llama-index": ({"dataset.json": LLAMA_INDEX, "run.json": RESULTS}, "mrr"),
    "ragas": ({"rows.jsonl": lines(RAG["Ragas"])}, "id_based_context_recall"),
    "sentence-transformers": ({"qrels.tsv": BEIR, "predictions.jsonl": PREDICTED_HITS}, "ndcg@10"),
    "nemo": ({"qrels.tsv": BEIR, "run.json": RESULTS}, "retriever-ndcg-cut-10"),
}  # fmt: skip
"""The files of each tool, judgments first, and a measure it has."""

IN_MEMORY = {
    "sklearn": "arrays",
    "catboost": "arrays, or a Pool",
    "catboost-exp": "arrays, or a Pool",
    "huggingface": "dicts of columns",
    "phoenix": "dataframes of scores, and lists",
    "mlflow": "dataframes of lists of ids",
    "trulens": "golden chunks, and lists of chunks",
    "cheat-at-search": "dataframes",
    "torchmetrics": "tensors",
    "rax": "arrays",
}
"""What the other tools take: they have no file of their own."""


def test_every_convention_is_listed() -> None:
    """A new convention comes with the files of its tool, or says that it has none."""
    assert set(FILES) | set(IN_MEMORY) == set(CONVENTIONS)
    assert not set(FILES) & set(IN_MEMORY)


@pytest.mark.parametrize("name", FILES)
def test_the_files_of_a_tool_are_read(name: str, tmp_path: Path) -> None:
    """Each gives a number under its convention, with the first query's order as it was returned."""
    files, measure = FILES[name]
    paths = []
    for file, content in files.items():
        path = tmp_path / file
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        paths.append(path)
    given = [JUDGMENTS, paths[0]] if name == "haystack" else paths[:2]
    if name == "ndeval":
        given[0] = ir.read_judgments(paths[0], subtopic="iteration")
    measures = {"measures": [measure], "convention": name}
    assert ir.evaluate(*given, **measures)[measure] > 0
