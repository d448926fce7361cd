"""mteb: the file of its retrieval metrics as it stands; the rest of the package asks for PyTorch and models."""

import importlib.util
import sys
import types
from importlib.metadata import distribution

import given

types_of_mteb = types.ModuleType("mteb.types")
types_of_mteb.RetrievalEvaluationResult = types.SimpleNamespace
sys.modules["mteb.types"] = types_of_mteb
path = distribution("mteb").locate_file("mteb/_evaluators/retrieval_metrics.py")
spec = importlib.util.spec_from_file_location("retrieval_metrics", path)
metrics = importlib.util.module_from_spec(spec)
spec.loader.exec_module(metrics)

OWN = (metrics.mrr, metrics.recall_cap, metrics.hole)
JUDGED = given.judgments()
FOUND = {query: docs for query, docs in given.results().items() if query in JUDGED}


def rows():
    """The lists its own functions return, by query, then the means of `calculate_retrieval_scores`."""
    for function in OWN:
        for name, values in function(JUDGED, FOUND, given.CUTOFFS).items():
            yield from (
                ("grade", "score", name, query, value)
                for query, value in zip(FOUND, values, strict=True)
                if value is not None
            )
    whole = metrics.calculate_retrieval_scores(FOUND, JUDGED, list(given.CUTOFFS))
    for query, values in whole.all_scores.items():
        yield from (("grade", "score", name, query, value) for name, value in values.items())
    for table in (whole.ndcg, whole.map, whole.recall, whole.precision, whole.mrr):
        yield from (("grade", "score", name, "all", value) for name, value in table.items())


given.write("mteb", "mteb pytrec-eval-terrier", rows())
