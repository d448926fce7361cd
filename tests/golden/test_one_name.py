"""One ranking and one judgment list, and what each tool calls its nDCG@10: each number under its convention."""

from __future__ import annotations

import pytest

import idealrank as ir

GRADES = {"d1": 2, "d2": 3, "d3": 0, "d4": 1, "d5": 3, "d6": 2, "d7": 3, "d8": 2, "d9": 2, "d10": 1, "d11": 1,
          "d12": 3, "d13": 1}  # fmt: skip
RANKING = ["d1", "u1", "d2", "d3", "d4", "u2", "d5", "d6"]
PRINTED = [
    ("trec_eval-10.0", "nDCG@10", "0.4990"),
    ("trec_eval-9.0.8", "nDCG@10", "0.4990"),
    ("pytrec_eval", "nDCG@10", "0.4990"),
    ("ir_measures", "nDCG@10", "0.4990"),
    ("trec_eval-10.0, unjudged=filter", "nDCG@10", "0.5603"),
    ("ir_measures, gain=exp2", "nDCG@10", "0.4479"),
    ("gdeval", "nDCG@10", "0.4479"),
    ("quepid, ideal_depth=cutoff", "nDCG@10", "0.4479"),
    ("quepid", "nDCG@10", "0.4373"),
    ("opensearch", "nDCG@10", "0.45"),
    ("elasticsearch", "nDCG@10", "0.4599"),
    ("rre", "nDCG@10", "0.44"),
    ("haystack", "nDCG", "0.4754"),
    ("phoenix", "nDCG@10", "0.7727"),  # once the two unjudged results are judged 0
    ("idealrank-1, gain=exp2, ideal=returned", "nDCG@10", "0.6966"),
    ("cheat-at-search", "nDCG@10", "0.3369"),
    ("beir", "nDCG@10", "0.4990"),
    ("mteb", "nDCG@10", "0.4990"),
    ("ranx", "nDCG@10", "0.4990"),
    ("ranx", "ndcg_burges@10", "0.4479"),
    ("azure, gain=linear", "nDCG@3", "0.5475"),
]
"""Convention, measure, and the number as the tool prints it (veritail's is a convention spelt out)."""


@pytest.mark.parametrize(("convention", "measure", "printed"), PRINTED)
def test_printed(convention: str, measure: str, printed: str) -> None:
    """The tool's number, to its last printed digit."""
    judgments, results = ir.from_ranking(RANKING, GRADES)
    value = ir.evaluate(judgments, results, [measure], convention=convention)[measure]
    assert f"{value:.{len(printed) - 2}f}" == printed


def test_side_by_side() -> None:
    """conventions_table shows these numbers, from 0.3369 to 0.7727."""
    judgments, results = ir.from_ranking(RANKING, GRADES)
    table = ir.conventions_table(judgments, results, "nDCG@10")
    found = dict(zip(table["convention"], table["value"], strict=True))
    for convention, measure, printed in PRINTED:
        if convention in found and measure == "nDCG@10":
            assert f"{found[convention]:.{len(printed) - 2}f}" == printed
