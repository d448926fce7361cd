"""What changes P@5 and nDCG@5 and what does not: tails, scales, scores against ranks, systems, missing queries."""

import idealrank as ir

MEASURES = ["P@5", "nDCG@5"]


def qrel(docs, grades, query=0):
    """Judgments of one query."""
    return {"query": [query] * len(docs), "docid": docs, "rel": grades}


def run(docs, query=0, **columns):
    """Results of one query, ranks from 0."""
    return {"query": [query] * len(docs), "docid": docs, "rank": list(range(len(docs))), **columns}


def both(judgments, results, **decisions):
    """P@5 and nDCG@5."""
    scores = ir.evaluate(judgments, results, MEASURES, **decisions)
    return scores["P@5"], scores["nDCG@5"]


docs, found = ["doc_1", "doc_2", "doc_3"], ["doc_2", "doc_1"]
tests = {
    "as judged": both(qrel(docs, [3, 2, 1]), run(found)),
    "with an unjudged tail": both(qrel(docs, [3, 2, 1]), run([*found, "doc_10", "doc_11", "doc_12"])),
    "grades 10, 9, 8": both(qrel(docs, [10, 9, 8]), run(found)),
    "grades 30, 20, 10": both(qrel(docs, [30, 20, 10]), run(found)),
    "only doc_3": both(qrel(docs, [3, 2, 1]), run(["doc_3"])),
}
for what, (p, ndcg) in tests.items():
    print(f"{what:22} P@5 {p:.4f}  nDCG@5 {ndcg:.4f}")

# Ranks say one thing and scores another: refused until you say which counts.
try:
    both(qrel(docs, [3, 2, 1]), run(found, score=[0, 1000]))
    refusal = ""
except ir.DataError as error:
    refusal = str(error)
print(refusal)
chosen = {
    order: both(qrel(docs, [3, 2, 1]), run(found, score=[0, 1000]), order_by=order) for order in ("rank", "score")
}
print(chosen)

# Two systems in one table: one number per system, and pooled into one ranking only on request.
frame = {
    "query": [0, 0, 0],
    "docid": ["doc_2", "doc_1", "doc_3"],
    "rank": [0, 1, 0],
    "score": [2, 1, 2],
    "system": ["sistema1", "sistema1", "sistema2"],
}
systems = ir.evaluate(qrel(docs, [3, 2, 1]), frame, MEASURES)
pooled = ir.evaluate(qrel(docs, [3, 2, 1]), frame, MEASURES, systems="pooled", order_by="given")
print(systems.means, pooled.means, sep="\n")

# Three judged queries, one without results: it counts 0, with or without a stand-in row, and is named.
three = {
    "query": [0, 0, 0, 1, 1, 1, 2],
    "docid": ["doc_1", "doc_2", "doc_3", "doc_1", "doc_5", "doc_6", "doc_3"],
    "rel": [3, 2, 1, 3, 2, 1, 3],
}
answered = {"query": [0, 0, 1], "docid": ["doc_2", "doc_1", "doc_5"], "rank": [0, 1, 0]}
stand_in = {"query": [0, 0, 1, 2], "docid": ["doc_2", "doc_1", "doc_5", ""], "rank": [0, 1, 0, -1]}
missing = ir.evaluate(three, answered, MEASURES)
with_row = ir.evaluate(three, stand_in, MEASURES)
left_out = ir.evaluate(three, answered, MEASURES, no_results="skip")
print(missing.means, missing.ledger, left_out.means, sep="\n")

# The arithmetic of one nDCG: A comes before E in the ideal because it was returned first.
trace = ir.explain(*ir.from_ranking(["A", "B", "C", "D", "E"], {"A": 2, "B": 3, "D": 1, "E": 2}),
                   "nDCG", query="q", gain="exp2")  # fmt: skip
print(trace)

# Several cutoffs at once, one row per query. The ideal at 10 is deeper than that at 5.
grid = ir.evaluate(
    {
        "QUERY_KEY": [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3,
        "DOC_KEY": docs * 4,
        "SCORE": [3, 2, 1, 10, 9, 8] + [3, 2, 1] * 2,
    },
    {
        "QUERY_KEY": [0, 0, 0, 0, 0, 1, 1, 2, 2, 3],
        "DOC_KEY": [*found, "doc_10", "doc_11", "doc_12", *found, *found, "doc_3"],
        "RANK": [1, 2, 3, 4, 5, 1, 2, 1, 2, 1],
    },
    ["P@5,10,50", "R@5,10,50", "MRR@5,10,50", "nDCG@5,10,50"],
)
six = qrel([f"doc_{n}" for n in range(1, 7)], [3, 2, 1, 3, 2, 1])
one_found = ir.evaluate(six, run(["doc_1", "A", "B", "C", "D"]), ["nDCG@5,10"])
two_found = ir.evaluate(six, run(["doc_1", "A", "B", "C", "doc_3"]), ["nDCG@5,10"])
print(grid.per_query, one_found.means, two_found.means, sep="\n")

# Statistics, overall and by ranges of the query key.
by_range = grid.describe(by=["0..1", "2..3"])
print(by_range)
