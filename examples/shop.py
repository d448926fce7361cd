"""A working day: two engines of a small shop, where they fail, and what it costs."""

from pathlib import Path

import idealrank as ir

shop = Path(__file__).parent / "shop"
engines = [shop / "bm25.csv", shop / "hybrid.csv"]

# How good are they? Three raters' columns become their median; the ledger accounts for every query.
scores = ir.evaluate(shop / "judgments.csv", engines, ["nDCG@10", "P@10", "RR"], queries=shop / "queries.csv")
print(scores, *scores.ledger.notes, sep="\n")

# For which kind of query?
segments = ir.evaluate(shop / "judgments.csv", engines, "nDCG@10", queries=shop / "queries.csv").describe(by="segment")
print(segments)

# Which queries are worst, and which cost most, by how often they are asked?
worst = scores.worst(5, "nDCG@10", "hybrid")
weighted = ir.evaluate(shop / "judgments.csv", engines, ["nDCG@10"], queries=shop / "queries.csv", weights="frequency")
lost = weighted.lost_value(measure="nDCG@10", system="hybrid").take(range(5))
print(worst, weighted.means, lost, sep="\n")

# Why does a torch search score so low?
why = scores.explain("nDCG@10", "torch", "bm25")
print(why)

# How much of it depends on unjudged results and on the choice of the ideal?
flavors = ir.flavors(shop / "judgments.csv", engines, k=10)
print(flavors.means)

# Do the engines even return the same products?
overlap = ir.overlap(*engines, k=10)
mean_overlap = sum(overlap["jaccard"]) / len(overlap)
print(overlap.take(range(5)), f"mean Jaccard {mean_overlap:.4f}", sep="\n")

# Which one to ship? And a file for colleagues: the verdict, every query, the lists side by side.
comparison = ir.compare(scores)
page = ir.report(comparison, title="bm25 or hybrid?", documents=shop / "products.csv").to_html()
print(comparison.verdict, f"a report of {len(page.encode()) // 1000} kB, without a network", sep="\n")
