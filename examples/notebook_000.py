"""Real-life nDCG: how unjudged results count, and which ideal a list is compared with.

Two shoe queries with grades from 0 to 1. The convention ``real-life`` answers as the notebook does:
gain 2^grade - 1, discount 1/ln(rank + 1), unjudged results removed.
"""

import idealrank as ir

judgments = {
    "query_id": [1, 1, 1, 2, 2, 2, 2],
    "query": ["blue shoes"] * 3 + ["red shoes"] * 4,
    "doc_id": [125125, 5678, 1122, 12225, 1521, 5125, 1111],
    "grade": [0.9, 0.9, 0.1, 1.0, 0.9, 0.8, 0.1],
}
results = {
    "query_id": [1, 1, 2, 2, 2],
    "query": ["blue shoes"] * 2 + ["red shoes"] * 3,
    "rank": [1, 2, 1, 2, 3],
    "doc_id": [5678, 1122, 1521, 1251, 5125],
}
other_results = results | {"doc_id": [5678, 2511, 1521, 1251, 5125]}

# Decision 1: an unjudged result counts 0 and keeps its rank (z), or is removed and the ranks close up (f).
scores = ir.evaluate(judgments, results, ["DCG-z", "DCG-f"], convention="real-life")
steps_z, steps_f = scores.steps("DCG-z"), scores.steps("DCG-f")
print("DCG-z and DCG-f", scores.per_query, sep="\n")
print("the rows of DCG-f: document 1251 is gone, 5125 moved up", steps_f, sep="\n")

# Decision 2: the ideal. Local, global and max, for the whole lists and at 10.
whole = ir.flavors(judgments, results, convention="real-life", max_grade=1.0)
at_10 = ir.flavors(judgments, results, k=10, convention="real-life", max_grade=1.0)
best_at_10 = ir.ideal_dcg(k=10, max_grade=1.0, gain="exp2", discount="ln")
print(*(f"{name}: {whole[name]}" for name in ("NDCG-fl", "NDCG-fg", "NDCG-fm")), sep="\n")
print(f"NDCG-fm@10: {at_10['NDCG-fm@10']}, against an ideal of {best_at_10}")

# How one of them is calculated: the ideal list is 4 deep, and two of its documents were not returned.
why = ir.explain(judgments, results, "NDCG-fg", query="red shoes", convention="real-life")
print(why.steps, why.ideal, *why.notes, sep="\n")

# Before asking which results are better: what do they share?
shared = ir.overlap(results, other_results)
print(shared)
