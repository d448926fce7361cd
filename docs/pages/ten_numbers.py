"""The table of the README and of docs/why.md: one ranking, one list of judgments, and ten numbers called nDCG@10."""

from __future__ import annotations

import idealrank as ir

GRADES = {f"d{place}": grade for place, grade in enumerate((2, 3, 0, 1, 3, 2, 3, 2, 2, 1, 1, 3, 1), 1)}
RANKING = ["d1", "u1", "d2", "d3", "d4", "u2", "d5", "d6"]  # nobody judged u1 and u2

TOOLS = {
    "nDCG@10": "trec_eval, pytrec_eval, ir_measures, ranx, BEIR",
    "nDCG(unjudged=filter)@10": "trec_eval -J",
    "nDCG(gain=exp2)@10": "ranx ndcg_burges, Quepid NDCG_CUT",
    "nDCG(gain=exp2, ideal_depth=all)@10": "Quepid nDCG@10",
    "nDCG(gain=exp2, ideal_depth=returned)@10": "Elasticsearch",
    "nDCG(gain=exp2, rounding=query,half_up,2)@10": "OpenSearch",
    "nDCG(gain=exp2, rounding=term,floor,2+query,floor,2)@10": "Rated Ranking Evaluator",
    "nDCG(ideal=returned)@10": "scikit-learn, u1 and u2 given as 0",
    "nDCG(gain=exp2, ideal=local)@10": "veritail",
    "nDCG(gain=exp2, discount=reciprocal, ideal=max)@10": "cheat-at-search",
}
"""Who computes which of them, from their sources or from running them."""


def ten_numbers_table() -> str:
    """Every tool with its number and how idealrank is asked for it, lowest first."""
    means = ir.evaluate(*ir.from_ranking(RANKING, GRADES), list(TOOLS)).means
    rows = sorted(zip(means["mean"], TOOLS, strict=True))
    lines = ["| tool | its nDCG@10 | the same here |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| {TOOLS[name]} | {value:.4f} | `{name}` |" for value, name in rows)])
