"""CG, DCG, ideal DCG and nDCG of six results, step by step."""

import idealrank as ir

# Grades in rank order; documents d7 and d8 were judged but not returned.
judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2], also_judged=[3, 2])
scores = ir.evaluate(judgments, results, ["CG", "DCG", "nDCG@6"])
print(scores.means)

# Every column of the computation; the ideal list holds the best six of all eight.
why = scores.explain("nDCG@6", "q")
print(why)

# Swapping the third and the fourth result changes DCG, not CG.
swapped = ir.evaluate(*ir.from_grades([3, 2, 0, 3, 1, 2], also_judged=[3, 2]), ["CG", "DCG"])
print(swapped.means)

# The notebook rounds every row to three digits before it adds. Here that happens only on request.
rounded = ir.evaluate(judgments, results, ["DCG"], rounding="term,round,3")
print(f"rounded by row {rounded['DCG']}, not rounded {scores['DCG']}")
