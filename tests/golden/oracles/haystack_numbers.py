"""What the evaluators of an installed Haystack say: its numbers of single queries, and its means."""

import given
from haystack import Document
from haystack.components.evaluators import (
    DocumentMAPEvaluator,
    DocumentMRREvaluator,
    DocumentNDCGEvaluator,
    DocumentRecallEvaluator,
)

BY_ID = {"document_comparison_field": "id"}
EVALUATORS = {
    "single_hit": DocumentRecallEvaluator(mode="single_hit", **BY_ID),
    "multi_hit": DocumentRecallEvaluator(mode="multi_hit", **BY_ID),
    "DocumentMRREvaluator": DocumentMRREvaluator(**BY_ID),
    "DocumentMAPEvaluator": DocumentMAPEvaluator(**BY_ID),
    "DocumentNDCGEvaluator": DocumentNDCGEvaluator(**BY_ID),
}


def scores(lists, grades):
    """Every query, whether or not it has results and relevant documents, then the mean; nDCG knows all grades.

    There is no cutoff: `top_k=3` stands for a retriever that returns three.
    """
    relevant = [[Document(id=doc) for doc in expected] for expected, _ in lists.values()]
    graded = [[Document(id=doc, score=grade) for doc, grade in grades.get(query, {}).items()] for query in lists]
    for name, evaluator in EVALUATORS.items():
        truth = graded if name == "DocumentNDCGEvaluator" else relevant
        for k in (None, *given.CUTOFFS):
            found = [[Document(id=doc) for doc in returned[:k]] for _, returned in lists.values()]
            said = name if k is None else f"{name} top_k={k}"
            numbers = evaluator.run(ground_truth_documents=truth, retrieved_documents=found)
            yield from ((said, query, value) for query, value in zip(lists, numbers["individual_scores"], strict=True))
            yield said, "all", numbers["score"]


def rows():
    """The lists of the files, then those with repeated results."""
    yield from (("fraction", "score", *row) for row in scores(given.listed(), given.judgments("fraction")))
    ones = {query: dict.fromkeys(expected, 1) for query, (expected, _) in given.REPEATED.items()}
    yield from (("repeated", "repeated", *row) for row in scores(given.REPEATED, ones))


def write(tool):
    """Write the table of a version."""
    given.write(tool, "haystack-ai", rows())
