"""One ranking of five documents, computed by hand, as in CatBoost and as in scikit-learn."""

import idealrank as ir

ranking = ["d4", "d2", "d1", "d5", "d3"]
grades = {"d1": 2, "d2": 2, "d3": 2, "d4": 3, "d5": 1}
judgments, results = ir.from_ranking(ranking, grades)

# By hand: the gain is 2^grade - 1, the ideal is the returned list re-sorted, and a query of zeros has 1.
by_hand = {"gain": "exp2", "ideal": "returned", "no_relevant": "1"}
scores = ir.evaluate(judgments, results, ["DCG@5", "DCG@10", "nDCG@5", "nDCG@2"], **by_hand)
in_order = scores.steps("DCG@5")["grade"]
print(f"grades in rank order {in_order}", scores.means, sep="\n")

# The same in the form ranking libraries take: a grade, a score and a group for each document.
groups = ir.from_groups(in_order, scores=[5, 4, 3, 2, 1], groups=[1, 1, 1, 1, 1])
libraries = {
    convention: ir.evaluate(*groups, ["DCG@5", "nDCG@5", "nDCG@2"], convention=convention)
    for convention in ("catboost-exp", "catboost", "sklearn")
}
for convention, found in libraries.items():
    print(convention, found.means, sep="\n")

# They differ in the gain, and in how they handle ties and zeros; the decisions say how.
departures = {convention: ir.CONVENTIONS[convention].answers for convention in libraries}
print(*(f"{convention}: {dict(answers)}" for convention, answers in departures.items()), sep="\n")

# The edge cases: only zeros, nothing returned, equal grades in any order.
zeros = ir.evaluate(*ir.from_grades([0, 0, 0]), ["nDCG@10"], **by_hand)["nDCG@10"]
nothing = ir.evaluate(*ir.from_ranking([], {"a": 2}), ["nDCG@10"], **by_hand)["nDCG@10"]
equal = ir.evaluate(*ir.from_ranking(["c", "a", "b"], {"a": 2, "b": 2, "c": 2}), ["nDCG@10"], **by_hand)["nDCG@10"]
print(f"only zeros {zeros}, nothing returned {nothing}, equal grades {equal}")
