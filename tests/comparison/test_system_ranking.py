"""Rankings of systems under measures, judgment sets and groups of raters, and how far they agree."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

import idealrank as ir
from idealrank.statistics.correlations import tau_ap

rng = np.random.default_rng(3)
DOCS = [f"d{i}" for i in range(20)]
QUERIES = [f"q{i}" for i in range(12)]


def judged() -> dict[str, dict[str, float]]:
    """Return random judgments."""
    return {q: {d: float(rng.integers(0, 4)) for d in DOCS[:12]} for q in QUERIES}


FIRST, SECOND = judged(), judged()
RUNS = {
    f"s{i}": {q: {d: 0.2 * i * FIRST[q].get(d, 0) + float(rng.random()) for d in DOCS} for q in QUERIES}
    for i in range(6)
}


def test_two_measures() -> None:
    """The correlations are those of the means that `evaluate` has; the first measure is taken as the truth."""
    found, scores = ir.rank_correlation(FIRST, RUNS, ["nDCG@10", "AP"]), ir.evaluate(FIRST, RUNS, ["nDCG@10", "AP"])
    means = np.round([[scores.mean(m, s) for s in scores.systems] for m in ("nDCG@10", "AP")], 12)
    row = next(iter(found.table))
    assert (row["first"], row["second"]) == ("nDCG@10", "AP")
    assert row["tau"] == pytest.approx(kendalltau(*means).statistic, abs=1e-12)
    assert row["tau_ap"] == pytest.approx(tau_ap(*means), abs=1e-12)
    ranks = [sum(other > value for other in means[0]) + 1 for value in means[0]]
    assert dict(zip(found.ranks["system"], found.ranks["nDCG@10"], strict=True)) == dict(zip(RUNS, ranks, strict=True))
    assert ir.rank_correlation(scores).table.to_dict() == found.table.to_dict()
    assert repr(found).startswith("6 systems, 12 queries\nfirst ")


def test_two_sets_of_judgments() -> None:
    """Means are over the queries both sets have; the names are those of the tables, or judgments and against."""
    fewer = {query: SECOND[query] for query in QUERIES[:5]}
    found = ir.rank_correlation(FIRST, RUNS, "nDCG@10", against=fewer)
    assert found.queries == 5
    first = ir.evaluate(FIRST, RUNS, "nDCG@10", only=QUERIES[:5])
    second = ir.evaluate(fewer, RUNS, "nDCG@10")
    assert found.table["first"] == ["judgments"]
    assert found.table["second"] == ["against"]
    for name, scores in (("judgments", first), ("against", second)):
        means = dict(zip(found.means["system"], found.means[name], strict=True))
        assert means == pytest.approx({s: scores.mean("nDCG@10", s) for s in scores.systems})


def test_the_greatest_drop() -> None:
    """Order x y z by one, z x y by the other: x and y lose one rank each; the reverse order loses two."""
    judgments = {"q": {"a": 3, "b": 2, "c": 1}}
    runs = {"x": {"q": {"a": 1}}, "y": {"q": {"b": 1}}, "z": {"q": {"c": 1}}}
    turned = {"q": {"c": 3, "a": 2, "b": 1}}
    row = next(iter(ir.rank_correlation(judgments, runs, "DCG@1", against=turned).table))
    assert (row["max_drop"], row["dropped"]) == (1, ("x", "y"))
    assert (row["tau"], row["tau_ap"]) == (pytest.approx(-1 / 3), pytest.approx(2 / 2 * (0 / 1 + 1 / 2) - 1))
    row = next(iter(ir.rank_correlation(judgments, runs, "DCG@1", against={"q": {"c": 3, "b": 2, "a": 1}}).table))
    assert (row["max_drop"], row["dropped"], row["tau"], row["tau_ap"]) == (2, ("x",), -1.0, -1.0)


def long_form() -> dict[str, list[Any]]:
    """Return both judgments as one table: ann judged as the first, bo and cy as the second."""
    rows = [(q, d, g, who) for who, table in (("ann", FIRST), ("bo", SECOND), ("cy", SECOND)) for q in table
            for d, g in table[q].items()]  # fmt: skip
    return dict(zip(("query", "doc", "grade", "rater"), map(list, zip(*rows, strict=True)), strict=True))


def test_groups_of_raters() -> None:
    """Each group's judgments are a set for itself, from a rater column or from one column of grades a rater."""
    expected = ir.rank_correlation(FIRST, RUNS, "nDCG@10", against=SECOND)
    found = ir.rank_correlation(long_form(), RUNS, "nDCG@10", raters={"first": ["ann"], "second": ["bo", "cy"]})
    assert found.table["tau"] == expected.table["tau"]
    assert found.means["second"] == pytest.approx(expected.means["against"])
    wide = {"query": [], "doc": [], "rating_1": [], "rating_2": []}
    for query, row in FIRST.items():
        for doc, grade in row.items():
            for name, value in zip(wide, (query, doc, grade, SECOND[query][doc]), strict=True):
                wide[name].append(value)
    by_column = ir.rank_correlation(wide, RUNS, "nDCG@10", raters={"a": ["rating_1"], "b": ["rating_2"]})
    assert by_column.table["tau"] == expected.table["tau"]
    assert by_column.means["b"] == pytest.approx(expected.means["against"])


def test_measures_where_less_is_better() -> None:
    """A measure of which less is better ranks the lowest first."""
    found = ir.rank_correlation(FIRST, RUNS, ["nDCG@10", "ARP"])
    means, ranks = found.means, found.ranks
    best = ranks["ARP"].index(1)
    assert means["ARP"][best] == min(means["ARP"])


def test_ties() -> None:
    """Systems of one mean share a rank; the AP correlation then is the one with ties."""
    judgments = {"q": {"a": 2, "b": 2, "c": 1}}
    runs = {"x": {"q": {"a": 1}}, "y": {"q": {"b": 1}}, "z": {"q": {"c": 1}}}
    found = ir.rank_correlation(judgments, runs, ["DCG@1", "P@1"])
    assert found.ranks["DCG@1"] == [1, 1, 3]
    row = next(iter(found.table))
    assert all(math.isnan(row[name]) for name in ("tau", "tau_ap", "tau_ap_b"))  # P@1 tells none apart
    whole = json.loads(json.dumps(found.to_dict()))
    assert whole["correlations"][0]["tau"] is None


def test_what_is_refused() -> None:
    """One system, one ranking, no common query, no rater column, a rater nobody knows: each says what to do."""
    one = {"s0": RUNS["s0"]}
    cases: list[tuple[str, Any, dict[str, Any]]] = [
        ("one system", (FIRST, one, ["P@5", "RR"]), {}),
        ("one ranking", (FIRST, RUNS, "P@5"), {}),
        ("Finished scores", (ir.evaluate(FIRST, RUNS, "P@5"), RUNS), {}),
        ("no query in common", (FIRST, {k: v | {"x": {"d": 1}} for k, v in RUNS.items()}, "P@5"),
         {"against": {"x": {"d": 1}}}),
        ("no column says who judged", (FIRST, RUNS, "P@5"), {"raters": {"a": ["ann"]}}),
        ("No rater called 'anne'. Did you mean ann", (long_form(), RUNS, "P@5"), {"raters": {"a": ["anne"]}}),
        ("has no rater", (long_form(), RUNS, "P@5"), {"raters": {"a": []}}),
        ("two ways", (FIRST, RUNS, "P@5"), {"raters": {"a": ["ann"]}, "against": SECOND}),
    ]  # fmt: skip
    for said, given, options in cases:
        with pytest.raises(ir.IdealrankError, match=said):
            ir.rank_correlation(*given, **options)
