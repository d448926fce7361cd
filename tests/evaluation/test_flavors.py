"""flavors: DCG and NDCG over what is done with unjudged results and which ideal."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given

import idealrank as ir
from tests.evaluation.worlds import JUDGMENTS, RANDOMLY, RESULTS, Nested, several, worlds

# Notebook 000: two queries, grades 0..1, an unjudged result at rank 2 of query 2.
QRELS = {"1": {"125125": 0.9, "5678": 0.9, "1122": 0.1}, "2": {"12225": 1.0, "1521": 0.9, "5125": 0.8, "1111": 0.1}}
RUN = {"query": ["1", "1", "2", "2", "2"], "doc": ["5678", "1122", "1521", "1251", "5125"], "rank": [1, 2, 1, 2, 3]}
OPTIONS: dict[str, Any] = {"gain": "exp2", "discount": "ln"}
NAMES = ["DCG-z", "DCG-f", *(f"NDCG-{u}{i}" for u in "zf" for i in "lrgm")]


def gain(grade: float) -> float:
    """Return 2^grade - 1."""
    return float(2**grade - 1)


def test_the_notebooks_numbers() -> None:
    """Zero and filter side by side, as notebook 000 prints them: 1.784061 and 1.924048, equal for query 1 (B050)."""
    found = ir.flavors(QRELS, RUN, **OPTIONS)
    assert round(found["DCG-z"]["2"], 6) == 1.784061
    assert round(found["DCG-f"]["2"], 6) == 1.924048
    assert found["DCG-z"]["1"] == found["DCG-f"]["1"]
    assert found["NDCG-fl"] == pytest.approx({"1": 1.0, "2": 1.0})
    assert round(found["NDCG-fg"]["2"], 6) == 0.684664


def test_every_flavour_by_hand() -> None:
    """Each of the ten flavours of query 2 is the quotient written out."""
    a, b, c, d = (gain(grade) for grade in (1.0, 0.9, 0.8, 0.1))
    w = [1 / math.log(rank + 1) for rank in (1, 2, 3, 4)]
    zero, removed = b * w[0] + c * w[2], b * w[0] + c * w[1]
    best = b * w[0] + c * w[1]
    everything = a * w[0] + b * w[1] + c * w[2] + d * w[3]
    found = ir.flavors(QRELS, RUN, **OPTIONS)
    expected = {
        "DCG-z": zero,
        "DCG-f": removed,
        "NDCG-zl": zero / best,
        "NDCG-zr": zero / best,
        "NDCG-zg": zero / everything,
        "NDCG-zm": zero / (w[0] + w[1] + w[2]),
        "NDCG-fl": 1.0,
        "NDCG-fr": 1.0,
        "NDCG-fg": removed / everything,
        "NDCG-fm": removed / (w[0] + w[1]),
    }
    assert {name: found[name]["2"] for name in NAMES} == pytest.approx(expected)


def test_names_with_and_without_the_cutoff() -> None:
    """A flavour answers to its name with or without the cutoff, in any case."""
    found = ir.flavors(JUDGMENTS, RESULTS, k=10)
    assert found.names == tuple(f"{name}@10" for name in NAMES)
    assert found["NDCG-fg@10"] == found["ndcg-FG@10"] == found["NDCG-fg"]
    with pytest.raises(ir.UsageError, match=r"No flavour called 'NDCG-xg@10'. Did you mean NDCG-"):
        found["NDCG-xg@10"]


def test_a_flavour_is_a_measure() -> None:
    """NDCG-fg@10 is nDCG with the decisions its letters stand for, in `evaluate` too."""
    letters = {"l": "local", "r": "returned", "g": "global", "m": "max"}
    found = ir.flavors(JUDGMENTS, RESULTS, k=2)
    for u, unjudged in (("z", "zero"), ("f", "filter")):
        for i, ideal in letters.items():
            name = f"NDCG-{u}{i}@2"
            expected = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@2"], unjudged=unjudged, ideal=ideal)
            assert found[name] == pytest.approx(dict(zip(expected.queries, expected.of("nDCG@2"), strict=True)))
            assert ir.evaluate(JUDGMENTS, RESULTS, [name])[name] == pytest.approx(expected["nDCG@2"])


def test_tables_and_meanings() -> None:
    """There is a row a query with a column a flavour, and a row a flavour with its mean and its meaning."""
    found = ir.flavors(JUDGMENTS, RESULTS, k=2)
    assert found.table.columns == ["query", *(f"{name}@2" for name in NAMES)]
    assert found.means.columns == ["flavor", "mean", "meaning"]
    assert found.means["mean"][4] == pytest.approx(sum(found["NDCG-zg"].values()) / 3)
    assert found.meanings["NDCG-fg@2"] == (
        "an unjudged result is removed and the ranks close up; "
        "the ideal is all judged documents, best first: it also asks whether the known good documents were found"
    )
    assert found.meanings["DCG-z@2"] == "an unjudged result counts as grade 0 and keeps its rank"


def test_several_systems() -> None:
    """Several systems have a column each; one must be named to ask for values."""
    found = ir.flavors(JUDGMENTS, several(RESULTS), k=2)
    assert found.means.columns == ["flavor", "up", "down", "meaning"]
    assert found.table.columns[:2] == ["query", "system"]
    alone = ir.flavors(JUDGMENTS, several(RESULTS), k=2, system="down")
    assert found["NDCG-zg", "down"] == alone["NDCG-zg"]
    with pytest.raises(ir.UsageError, match="Several systems: up, down"):
        found["NDCG-zg"]


def test_text_and_html() -> None:
    """The repr says what each letter means once; HTML has every meaning and escapes ids."""
    found = ir.flavors({**JUDGMENTS, "<q>": {"d1": 1.0}}, RESULTS, k=2)
    text = repr(found)
    assert text.count("an unjudged result is removed") == 1
    assert "decisions  idealrank-1" in text
    assert "NDCG-fm@2" in text
    assert "&lt;q&gt;" in found._repr_html_()
    assert json.loads(found.means.to_json())[0]["flavor"] == "DCG-z@2"


@RANDOMLY
@given(worlds())
def test_the_order_of_the_ideals(world: tuple[Nested, Nested]) -> None:
    """At equal depth, counting unjudged results as 0: max <= global <= local for every query (B054)."""
    found = ir.flavors(*world, k=3, ideal_depth="cutoff")
    for query in found["NDCG-zg"]:
        low, middle, high = (found[f"NDCG-z{i}"][query] for i in "mgl")
        assert low <= middle + 1e-12
        assert middle <= high + 1e-12
