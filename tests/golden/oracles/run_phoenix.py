"""Phoenix: the file of its retrieval metrics as it stands; a result nobody judged has the score 0."""

import importlib.util
from importlib.metadata import distribution

import given

path = distribution("arize-phoenix").locate_file("phoenix/metrics/retrieval_metrics.py")
spec = importlib.util.spec_from_file_location("retrieval_metrics", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


def rows():
    """Every query that is judged and has results; grades below zero, which it refuses, count 0."""
    judged = given.judgments("fraction")
    for query in judged:
        found = given.listed()[query][1]
        metrics = module.RetrievalMetrics([max(judged[query].get(doc, 0), 0) for doc in found])
        for name in ("ndcg", "precision") if found else ():
            yield "fraction", "score", name, query, getattr(metrics, name)()
            yield from (("fraction", "score", f"{name}@{k}", query, getattr(metrics, name)(k)) for k in given.CUTOFFS)
        for name in ("reciprocal_rank", "hit") if found else ():
            yield "fraction", "score", name, query, getattr(metrics, name)()


given.write("phoenix", "arize-phoenix", rows())
