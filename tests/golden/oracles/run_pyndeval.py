"""ndeval, as pyndeval runs it: whole grades by subtopic, cutoffs up to 20, no mean."""

import given
import pyndeval

AT = ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec")
MEASURES = [*(f"{name}@{k}" for name in AT for k in (1, 3, 5, 20)), "NRBP", "nNRBP", "MAP-IA"]

qrels = [(r["query"], r["subtopic"], r["doc"], int(r["grade"])) for r in given.read("subtopics.tsv")]
run = [(query, doc, score) for query, docs in given.results().items() for doc, score in docs.items()]
found = pyndeval.ndeval(qrels, run, MEASURES)
given.write(
    "pyndeval",
    "pyndeval",
    (("subtopics", "score", name, query, value) for query, row in found.items() for name, value in row.items()),
)
