"""sentence-transformers: the arithmetic of InformationRetrievalEvaluator as it stands; its models ask for PyTorch.

Queries without a relevant document are left out, as its constructor does.
"""

import importlib.util
import sys
from importlib.metadata import distribution
from unittest import mock

import given

WITHOUT = ("torch", "sentence_transformers.base.evaluation.evaluator", "sentence_transformers.util.similarity")
for name in WITHOUT:
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:end]), mock.MagicMock())
sys.modules["sentence_transformers.base.evaluation.evaluator"].BaseEvaluator = object
FILE = "sentence_transformers/sentence_transformer/evaluation/information_retrieval.py"
spec = importlib.util.spec_from_file_location("ir", distribution("sentence-transformers").locate_file(FILE))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

DEPTHS = ("accuracy_at_k", "precision_recall_at_k", "mrr_at_k", "ndcg_at_k", "map_at_k")


def evaluator(expected):
    """An evaluator of some queries, without a model."""
    made = object.__new__(module.InformationRetrievalEvaluator)
    made.queries_ids = made.queries = list(expected)
    made.relevant_docs = {query: set(docs) for query, docs in expected.items()}
    for depth in DEPTHS:
        setattr(made, depth, list(given.CUTOFFS))
    return made


def rows():
    """Every query by itself, then the mean of all."""
    expected = {query: docs for query, (docs, _) in given.listed().items() if docs}
    found = given.results()
    hits = {q: [{"corpus_id": d, "score": s} for d, s in found.get(q, {}).items()] for q in expected}
    for queries in (*([query] for query in expected), list(expected)):
        tables = evaluator({query: expected[query] for query in queries}).compute_metrics([hits[q] for q in queries])
        for name, table in tables.items():
            for k, value in table.items():
                yield (
                    "fraction",
                    "score",
                    name.replace("@k", f"@{k}"),
                    queries[0] if len(queries) == 1 else "all",
                    value,
                )


given.write("sentence_transformers", "sentence-transformers", rows())
