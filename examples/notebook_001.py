"""From the ratings of three people to the DCG of a query, and to the queries worth working on."""

import idealrank as ir

# One table contains both judgments and results. The grade is the median of the ratings.
ratings = {
    "queryid": [1, 1, 1, 1, 2, 2, 2, 2],
    "query": ["disagreement"] * 4 + ["adhesive"] * 4,
    "document": ["doc1", "doc2", "doc3", "doc4", "doc5", "doc6", "doc7", "doc8"],
    "position": [1, 2, 3, 4, 1, 2, 3, 4],
    "rating_1": [2, 3, 0, 1, 0, 0, 0, 0],
    "rating_2": [2, 3, 0, 1, 0, 0, 0, 0],
    "rating_3": [3, 2, 2, 0, 0, 0, 0, 0],
}
rated = ir.evaluate(ratings, measures=["DCG", "CG"], gain="exp2")
why = rated.explain("DCG", "disagreement")
print("DCG step by step", why.steps, sep="\n")

# All eleven queries, four results each: from all zero to perfect.
grades = {
    "disagreement": [2, 3, 0, 1],
    "adhesive": [0, 0, 0, 0],
    "boots": [0, 0, 0, 1],
    "camera": [0, 0, 0, 3],
    "door": [3, 0, 0, 0],
    "extension cord": [3, 1, 1, 1],
    "frying pan": [3, 3, 3, 3],
    "control": [2, 3, 0, 1],
    "test": [3, 2, 1, 0],
    "nDCG A": [1, 2, 0, 0],
    "nDCG B": [3, 2, 3, 0],
}
table = {
    "query": [query for query in grades for _ in range(4)],
    "document": [f"{query} #{rank}" for query in grades for rank in (1, 2, 3, 4)],
    "position": [1, 2, 3, 4] * len(grades),
    "relevance": [grade for row in grades.values() for grade in row],
}
scores = ir.evaluate(table, measures=["DCG", "nDCG"], gain="exp2")
worst_first = scores.worst(len(grades))
perfect = ir.ideal_dcg(k=4, max_grade=3, gain="exp2")
print("worst first", worst_first, f"a perfect page of four is worth {perfect:.2f}", sep="\n")

# How often is each asked? The queries that cost most come first.
asked = dict.fromkeys(grades, 100) | {"boots": 5000, "camera": 900}
lost = ir.evaluate(table, measures=["DCG@4"], gain="exp2", weights=asked).lost_value()
print("lost value", lost, sep="\n")

# Two orders of the same four documents, as two systems for one query.
two = {
    "query": ["shoe"] * 8,
    "document": ["doc30", "doc31", "doc32", "doc33", "doc31", "doc30", "doc33", "doc32"],
    "position": [1, 2, 3, 4] * 2,
    "system": ["control"] * 4 + ["test"] * 4,
}
judged = {"query": ["shoe"] * 4, "document": ["doc30", "doc31", "doc32", "doc33"], "grade": [2, 3, 0, 1]}
compared = ir.evaluate(judged, two, ["DCG", "nDCG"], gain="exp2")
print("control and test", compared.means, sep="\n")
