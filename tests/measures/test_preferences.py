"""The prefs measures: of judgment groups, of tied results, of one group, and beside scikit-learn."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

import idealrank as ir

GROUPS = {"ann": {"A": 2, "B": 1, "C": 0, "E": 1}, "bo": {"A": 0, "B": 1, "D": 2}}
SCORES = {"A": 2.0, "B": 2.0, "x": 2.0, "C": 1.0, "D": 1.0}
"""What the users say; A and B tie with a result nobody judged, C and D with each other; E is not returned."""

KINDS = ("", "_imp", "_ret")


def table() -> dict[str, list[Any]]:
    """Return the judgments as a table, the users as subtopics."""
    rows = [(user, doc, grade) for user, grades in GROUPS.items() for doc, grade in grades.items()]
    users, docs, grades = map(list, zip(*rows, strict=True))
    return {"query": ["q"] * len(rows), "subtopic": users, "doc": docs, "grade": grades}


def counted(order: tuple[str, ...], kind: str) -> dict[str, float]:
    """Count the preferences of an order one by one."""
    place = {doc: number for number, doc in enumerate(order)}
    told: list[tuple[str, frozenset[str], bool]] = []
    for user, grades in GROUPS.items():
        for one, other in itertools.permutations(grades, 2):
            returned = (one in place) + (other in place)
            if grades[one] > grades[other] and returned >= {"": 0, "_imp": 1, "_ret": 2}[kind]:
                fulfilled = one in place and place[one] < place.get(other, len(place))
                told.append((user, frozenset((one, other)), fulfilled))

    def mean(part: int) -> float:
        by: dict[Any, list[bool]] = {}
        for row in told:
            by.setdefault(row[part], []).append(row[2])
        return float(np.mean([np.mean(found) for found in by.values()]))

    whole = float(np.mean([fulfilled for *_, fulfilled in told]))
    return {"prefs_simp": whole, "prefs_pair": mean(1), "prefs_avgjg": mean(0)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["prefs_simp", "prefs_pair", "prefs_avgjg"])
def test_average_over_ties_of_groups(name: str, kind: str) -> None:
    """Under ties=average the value of judgment groups is the mean over every order of the tied results."""
    orders = [
        (*first, *second)
        for first in itertools.permutations(("A", "B", "x"))
        for second in itertools.permutations(("C", "D"))
    ]
    wanted = np.mean([counted(order, kind)[name] for order in orders])
    found = ir.evaluate(table(), {"q": SCORES}, [name + kind], ties="average")[name + kind]
    assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_of_relevant_and_other_results_it_is_the_auc(seed: int) -> None:
    """Of judged results of grade 0 and 1 prefs_simp_ret is the area under the ROC curve, scipy's U over all pairs."""
    rng = np.random.default_rng(seed)
    grades, scores = rng.permutation([0, 1] * 10), rng.integers(0, 8, 20)
    judgments, results = ir.from_groups(grades.tolist(), scores.tolist())
    found = ir.evaluate(judgments, results, ["prefs_simp_ret"], ties="average")["prefs_simp_ret"]
    statistic = mannwhitneyu(scores[grades == 1], scores[grades == 0]).statistic
    assert found == pytest.approx(statistic / 100, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_one_group(kind: str) -> None:
    """Where the query is one group, preferences are counted alike by pairs, by groups and all together."""
    judgments, results = ir.from_ranking(["A", "x", "C", "B"], {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1})
    names = [f"prefs_{name}{kind}" for name in ("simp", "pair", "avgjg")]
    scores = ir.evaluate(judgments, results, names)
    one, other, third = (scores[name] for name in names)
    assert one == other == third


@pytest.mark.parametrize("unjudged", ["filter", 2])
def test_unjudged_results_make_no_preference(unjudged: Any) -> None:
    """A preference is of two judged documents, whatever grade a result without a judgment counts with."""
    judgments, results = ir.from_ranking(["x", "B", "A", "y"], {"A": 2, "B": 1, "C": 0})
    assert ir.evaluate(judgments, results, ["prefs_simp"], unjudged=unjudged)["prefs_simp"] == 2 / 3


def test_explained_by_the_better_document() -> None:
    """A result's share is in how many preferences it is the better one and stands before the other."""
    judgments, results = ir.from_ranking(["A", "C", "B"], {"A": 2, "B": 1, "C": 0, "D": 2})
    found = ir.explain(judgments, results, "prefs_simp", query="q")
    steps = found.steps.to_dict()
    assert dict(zip(steps["doc"], steps["contribution"], strict=True)) == {"A": 2.0, "C": 0.0, "B": 0.0}
    assert (found.total, found.normaliser, found.score) == (2.0, 5.0, 0.4)
