"""Diversity measures against a second implementation in plain Python, and where they are refused."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.measures import parse
from tests.evaluation.worlds import JUDGMENTS, RANDOMLY, RESULTS

DOCS = "abcdef"
SERVED = st.dictionaries(st.sampled_from(DOCS), st.frozensets(st.sampled_from("stuv"), min_size=1), min_size=1)
LISTS = st.lists(st.sampled_from(DOCS + "xyz"), unique=True, min_size=1)


def log2(rank: int) -> float:
    """The discount of alpha-nDCG."""
    return 1 / math.log2(rank + 1)


def worth(docs: list[str], served: dict[str, frozenset[str]], alpha: float, weight: Callable[[int], float]) -> float:
    """Sum of what each document adds to the ones before, by weight of its rank."""
    seen: Counter[str] = Counter()
    total = 0.0
    for rank, doc in enumerate(docs, 1):
        total += weight(rank) * sum((1 - alpha) ** seen[topic] for topic in served.get(doc, ()))
        seen.update(served.get(doc, ()))
    return total


def greedy(served: dict[str, frozenset[str]], alpha: float) -> list[str]:
    """The documents in the order in which each adds most, of equals the greatest id first."""
    order: list[str] = []
    while len(order) < len(served):
        before = worth(order, served, alpha, lambda rank: 1)
        left = sorted(set(served) - set(order), reverse=True)
        order.append(max(left, key=lambda doc: worth([*order, doc], served, alpha, lambda rank: 1) - before))
    return order


def tables(served: dict[str, frozenset[str]], ranking: list[str]) -> tuple[dict[str, list[Any]], Any]:
    """Return the judgments as columns, and the results."""
    rows = [(doc, topic) for doc, topics in served.items() for topic in sorted(topics)]
    docs, topics = map(list, zip(*rows, strict=True))
    judgments = {"query": ["q"] * len(rows), "subtopic": topics, "doc": docs, "grade": [1] * len(rows)}
    return judgments, {"q": {doc: -float(place) for place, doc in enumerate(ranking)}}


@RANDOMLY
@given(SERVED, LISTS, st.integers(1, 6))
def test_on_random_subtopics(served: dict[str, frozenset[str]], ranking: list[str], k: int) -> None:
    """On random subtopics every measure is what its formula in plain Python gives."""
    topics = frozenset().union(*served.values())
    everything = {str(place): topics for place in range(k)}
    best, top = greedy(served, 0.5)[:k], ranking[:k]
    precisions = [
        sum(topic in served.get(doc, ()) for doc in ranking[:rank]) / rank / sum(topic in s for s in served.values())
        for topic in topics
        for rank in range(1, len(ranking) + 1)
        if topic in served.get(ranking[rank - 1], ())
    ]
    expected = {
        f"alpha_DCG@{k}": worth(top, served, 0.5, log2) / worth(list(everything), everything, 0.5, log2),
        f"alpha_nDCG@{k}": worth(top, served, 0.5, log2) / worth(best, served, 0.5, log2),
        f"ERR_IA@{k}": worth(top, served, 0.5, lambda r: 1 / r)
        / worth(list(everything), everything, 0.5, lambda r: 1 / r),
        f"nERR_IA@{k}": worth(top, served, 0.5, lambda r: 1 / r) / worth(best, served, 0.5, lambda r: 1 / r),
        "NRBP": worth(ranking, served, 0.5, lambda r: 0.5 ** (r - 1)) * 0.75 / len(topics),
        "nNRBP": worth(ranking, served, 0.5, lambda r: 0.5**r)
        / worth(greedy(served, 0.5), served, 0.5, lambda r: 0.5**r),
        "AP_IA": sum(precisions) / len(topics),
        f"P_IA@{k}": sum(len(served.get(doc, ())) for doc in top) / k / len(topics),
        f"StRecall@{k}": len(frozenset().union(*(served.get(doc, frozenset()) for doc in top))) / len(topics),
    }
    scores = ir.evaluate(*tables(served, ranking), list(expected))
    np.testing.assert_allclose(scores.values[0, :, 0], list(expected.values()), rtol=0, atol=1e-12)


def test_many_queries_are_as_each_alone() -> None:
    """The value of a query is the same to the last bit, whatever other queries there are."""
    rng = np.random.default_rng(5)
    rows = [
        (f"q{q}", f"s{s}", f"d{d}", int(rng.integers(0, 3)))
        for q in range(30)
        for d in range(int(rng.integers(1, 9)))
        for s in rng.choice(5, int(rng.integers(1, 4)), replace=False)
    ]
    run = {f"q{q}": {f"d{d}": float(rng.random()) for d in range(12)} for q in range(30)}
    names = ["alpha_nDCG(alpha=0.3)@5", "alpha_DCG(alpha=0.3)", "nERR_IA@3", "nNRBP", "AP_IA", "P_IA", "StRecall@2"]
    columns = ("query", "subtopic", "doc", "grade")
    together = ir.evaluate(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), run, names)
    for place, query in enumerate(together.queries):
        own = [row for row in rows if row[0] == query]
        alone = ir.evaluate(dict(zip(columns, map(list, zip(*own, strict=True)), strict=True)), run, names)
        assert alone.values[0, :, 0].tolist() == together.values[0, :, place].tolist()


def test_the_greedy_ideal_may_be_beaten() -> None:
    """Where documents add the same the one with the greatest id is taken, and another order may score above 1."""
    served = {"a": frozenset("st"), "b": frozenset("uv"), "c": frozenset("tu")}
    assert ir.evaluate(*tables(served, ["c", "b", "a"]), ["alpha_nDCG"])["alpha_nDCG"] == 1.0
    assert ir.evaluate(*tables(served, ["a", "b", "c"]), ["alpha_nDCG@2"])["alpha_nDCG@2"] > 1.0


@pytest.mark.parametrize("name", ["alpha_nDCG@5", "StRecall@1", "nNRBP"])
def test_refused_without_subtopics(name: str) -> None:
    """Judgments that name no subtopic are refused, with what to give."""
    with pytest.raises(ir.UsageError, match="reads judgments by subtopic, and these name no subtopic") as refusal:
        ir.evaluate(JUDGMENTS, RESULTS, [name])
    assert "subtopic=…" in str(refusal.value)


def test_no_lost_value() -> None:
    """What a list without loss would score is not asked of measures by subtopic."""
    scores = ir.evaluate(*tables({"a": frozenset("st")}, ["a"]), ["P_IA@1"], weights={"q": 1})
    with pytest.raises(ir.UsageError, match="no ideal value"):
        scores.lost_value(measure="P_IA@1")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("α-nDCG@10", "alpha_nDCG@10"),
        ("alpha-DCG(alpha=.3)@5", "alpha_DCG(alpha=0.3)@5"),
        ("ERR-IA@20", "ERR_IA@20"),
        ("MAP-IA", "AP_IA"),
        ("strec@10", "StRecall@10"),
        ("nNRBP(alpha=.5, beta=.8)", "nNRBP(beta=0.8)"),
    ],
)
def test_names_of_other_tools(typed: str, name: str) -> None:
    """Names with hyphens, underscores and Greek letters are read."""
    assert [measure.name for measure in parse(typed)] == [name]


@pytest.mark.parametrize("extra", [{}, {"unjudged": "filter"}, {"ties": "average"}, {"unjudged": 0.0}], ids=str)
@pytest.mark.parametrize("name", ["AP_avgjg", "P_avgjg@1", "RprecMult_avgjg@1", "prefs_avgjg"])
def test_a_group_with_grades_below_zero_alone_counts(name: str, extra: dict[str, object]) -> None:
    """Two groups, of which b says d: -1, e: -1 alone: it has nothing to find and counts 0, so each value is 1/2."""
    docs = {"subtopic": ["a", "a", "b", "b"], "doc": ["d", "f", "d", "e"], "grade": [1, 0, -1, -1]}
    judgments = {name: values * 2 for name, values in docs.items()} | {"query": ["p"] * 4 + ["q"] * 4}
    results = {query: {"d": 3.0, "f": 2.0, "x": 1.0} for query in ("p", "q")}
    scores = ir.evaluate(judgments, results, [name], **extra)
    assert scores.values[0, 0].tolist() == [0.5, 0.5]
    assert [scores.explain(name, query).score for query in ("p", "q")] == [0.5, 0.5]


def test_a_group_with_grades_below_zero_alone_has_no_preference() -> None:
    """prefs_avgjg_Rnonrel is 0/0 where a group has no preference, and a group of grades below zero has none."""
    judgments = {"query": ["q"] * 3, "subtopic": ["a", "a", "b"], "doc": ["d", "f", "d"], "grade": [1, 0, -1]}
    scores = ir.evaluate(judgments, {"q": {"d": 3.0, "f": 2.0}}, ["prefs_avgjg_Rnonrel"])
    assert scores["prefs_avgjg_Rnonrel"] == 0.0
