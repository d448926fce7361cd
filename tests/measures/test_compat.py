"""Compat and RBOToIdeal: one ideal list, in the overlap and in what it is divided by."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

import idealrank as ir


def overlap(one: Sequence[str], other: Sequence[str], p: float) -> float:
    """Add p^(i - 1) x the share of the first i that both lists contain, down to the end of the longer list."""
    depths = range(1, max(len(one), len(other)) + 1)
    return sum(p ** (i - 1) * len({*one[:i]} & {*other[:i]}) / i for i in depths)


def test_the_ideal_contains_unjudged_results_that_count_with_a_grade() -> None:
    """Under unjudged=1 the results x, y, a are all of grade 1 and their own ideal."""
    assert ir.evaluate({"q": {"a": 1}}, {"q": {"x": 3.0, "y": 2.0, "a": 1.0}}, ["Compat"], unjudged=1)["Compat"] == 1.0
    name = "RBOToIdeal(p=0.5)"
    value = ir.evaluate({"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"x": 1.0}}, [name], unjudged=1)[name]
    assert value == pytest.approx((1 + 1 / 4 + 1 / 12 + 1 / 32) / (1 + 1 / 2 + 1 / 4 + 1 / 8), abs=1e-12)


@pytest.mark.parametrize("unjudged", [0.5, 1.0, 2.0, "zero", "filter"])
@pytest.mark.parametrize("negative", ["unjudged", "zero", "keep"])
def test_by_the_definition(unjudged: float | str, negative: str) -> None:
    """On random lists both are the overlaps of the results with the ideal list, and of that with itself."""
    draw, p = random.Random(5), 0.7
    rankings, judgments = {}, {}
    for number in range(60):
        rankings[f"{number:02}"] = draw.sample("abcdefgh", draw.randint(1, 6))
        judged: dict[str, float] = {doc: draw.choice([-1, 0, 1, 2, 3]) for doc in draw.sample("abcdefgh", 4)} | {"z": 3}
        judgments[f"{number:02}"] = judged
    results = {query: {doc: -float(rank) for rank, doc in enumerate(each)} for query, each in rankings.items()}
    names = [f"Compat(p={p})", f"RBOToIdeal(p={p})"]
    scores = ir.evaluate(judgments, results, names, unjudged=unjudged, negative=negative)
    assert [*scores.queries] == [*rankings]
    for number, (query, ranking) in enumerate(rankings.items()):
        judged = judgments[query]
        grades = dict(judged)
        if negative == "unjudged":
            grades = {doc: grade for doc, grade in judged.items() if grade >= 0}
        holes = [doc for doc in ranking if doc not in grades]
        if unjudged == "filter":
            ranking = [doc for doc in ranking if doc in grades]
        elif unjudged != "zero":
            grades |= dict.fromkeys(holes, float(unjudged))
        first_returned = [doc for doc in ranking if doc in grades] + sorted(grades.keys() - set(ranking))
        ideal = [doc for doc in sorted(first_returned, key=lambda doc: -grades[doc]) if grades[doc] > 0]
        found = overlap(ranking, ideal, p)
        deep = max(len(ranking), len(ideal))
        best = sum(p**i * min(i + 1, len(ideal)) / (i + 1) for i in range(deep))
        whole = sum(p**i for i in range(deep))
        assert scores.values[0, :, number] == pytest.approx([found / best, found / whole], abs=1e-12)
