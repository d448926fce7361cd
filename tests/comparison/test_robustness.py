"""Robustness: every flavour is the comparison that `ir.compare` makes of it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.comparison.robustness import Robustness, robustness

rng = np.random.default_rng(8)
DOCS = [f"d{i}" for i in range(40)]
QUERIES = [f"q{i}" for i in range(30)]
JUDGMENTS = {q: {d: float(rng.integers(0, 4)) for d in rng.choice(DOCS, 12, replace=False)} for q in QUERIES}


def run(skill: float) -> dict[str, dict[str, float]]:
    """Return results that follow the grades so far."""
    return {q: {d: skill * JUDGMENTS[q].get(d, 0.0) + float(rng.random()) for d in DOCS[:30]} for q in QUERIES}


SYSTEMS = {"control": run(0.3), "test": run(0.36)}


def compared(measures: list[str], systems: Any = SYSTEMS, **options: Any) -> ir.Comparison:
    """Compare the systems."""
    return ir.compare(JUDGMENTS, systems, measures, draws=1000, holes="estimate", **options)


@pytest.fixture(scope="module")
def found() -> Robustness:
    """The flavours of nDCG@10, with a guardrail."""
    return robustness(compared(["nDCG@10", "RR"], margin=0.001))


def test_every_flavour_is_there_once(found: Robustness) -> None:
    """nDCG@10 has 2 × 4 × 2 × 3 flavours, one of them its own."""
    assert found.varied == {
        "unjudged": ("zero", "filter"), "ideal": ("local", "returned", "global", "max"), "gain": ("linear", "exp2"),
        "k": ("5", "10", "20"),
    }  # fmt: skip
    assert len(found.flavors) == len({tuple(row.answers.items()) for row in found.flavors}) == 48
    (own,) = (row for row in found.flavors if row.own)
    assert own.answers == {"unjudged": "zero", "ideal": "global", "gain": "linear", "k": 10}


@pytest.mark.parametrize("place", [0, 13, 29, 47])
def test_a_flavour_is_its_own_comparison(found: Robustness, place: int) -> None:
    """Difference, interval and p of a flavour are those of a comparison by that measure, guardrail and all."""
    row = found.flavors[place]
    answers = {name: answer for name, answer in row.answers.items() if name != "k"}
    written = ", ".join(f"{name}={answer}" for name, answer in answers.items())
    expected = compared([f"nDCG({written})@{row.answers['k']}", "RR"], margin=0.001).contrasts[(0, 1), 0]
    assert row.contrast.difference == pytest.approx(expected.difference, abs=1e-12)
    assert (row.contrast.corrected.low, row.contrast.p) == pytest.approx(
        (expected.corrected.low, expected.p), abs=1e-12
    )


def test_what_it_depends_on(found: Robustness) -> None:
    """A decision is named where two flavours that differ in it alone have different outcomes, and only there."""
    rows = {tuple(row.answers.values()): row.outcome for row in found.flavors}
    for place, name in enumerate(found.varied):
        differs = any(
            rows[a] != rows[b] for a in rows for b in rows if [i for i in range(4) if a[i] != b[i]] == [place]
        )
        assert (name in found.depends_on()) == differs
    assert len(set(rows.values())) > 1  # else this test would show nothing
    assert f"depends on: {', '.join(found.depends_on())}" in found.sentence()
    assert repr(found).startswith(found.sentence())


def test_identical_systems() -> None:
    """Two systems that return the same are about the same under every flavour."""
    same = robustness(compared(["nDCG@10"], {"a": SYSTEMS["control"], "b": SYSTEMS["control"]}))
    assert same.sentence() == "ABOUT THE SAME: the same under all 48 flavours."
    assert same.depends_on() == same.turned_by() == ()


def test_measures_of_relevant_documents() -> None:
    """A binary measure is tried from each grade of the scale on; another cutoff is halved and doubled."""
    found = robustness(compared(["P@7"]))
    assert found.varied == {"unjudged": ("zero", "filter"), "relevant_from": ("1", "2", "3"), "k": ("3", "7", "14")}
    assert len(found.flavors) == 18
    assert robustness(compared(["AP"])).varied.keys() == {"unjudged", "relevant_from"}


def test_own_answers_are_among_them() -> None:
    """An answer of the comparison that is none of those tried is tried, too."""
    found = robustness(compared(["DCG@5"], gain={0: 0, 1: 1, 2: 5, 3: 6}, unjudged=1))
    assert found.varied["gain"][1:] == ("linear", "exp2")
    assert found.varied["unjudged"] == ("1", "zero", "filter")
    assert sum(row.own for row in found.flavors) == 1


def test_several_systems_and_guardrails() -> None:
    """With several systems each has its sentence; a tolerance by the guardrail's name is kept."""
    systems = SYSTEMS | {"hybrid": run(0.9)}
    comparison = compared(["nDCG@10", "nDCG@5"], systems, baseline="control", tolerance={"nDCG@5": 0.01})
    found = robustness(comparison)
    assert found.pairs == ("test", "hybrid")
    assert found.sentence("hybrid") != found.sentence("test")
    whole = json.loads(json.dumps(found.to_dict()))
    assert len(whole["flavors"]) == 96
    assert set(whole["sentences"]) == {"test", "hybrid"}


def test_what_cannot_be_computed() -> None:
    """Flavours whose answers do not go together are named with the reason, and the others compared."""
    found = robustness(compared(["nDCG@10"], ideal_depth="all"))
    assert {row.answers["ideal"] for row in found.flavors} == {"local", "returned", "global"}
    assert len(found.refused) == 12
    assert "ideal=max" in found.refused[0]
