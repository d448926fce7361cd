"""The range over tie orders: of every query, and of the mean."""

from __future__ import annotations

import itertools
import math

import pytest

import idealrank as ir

QRELS = {"q": {"a": 3, "b": 0, "c": 1}, "r": {"x": 1}, "s": {"y": 2}}
RUN = {"q": {"a": 1.0, "b": 1.0, "z": 1.0, "c": 0.5}, "r": {"x": 2.0, "y": 2.0}, "s": {"y": 1.0}}


def every_order(measure: str, query: str) -> list[float]:
    """The values of all orders of the results of one query that leave higher scores before lower ones."""
    found = []
    for docs in itertools.permutations(RUN[query]):
        if all(RUN[query][one] >= RUN[query][other] for one, other in itertools.pairwise(docs)):
            ranked = {doc: -float(place) for place, doc in enumerate(docs)}
            found.append(ir.evaluate({query: QRELS[query]}, {query: ranked}, [measure])[measure])
    return found


@pytest.mark.parametrize("measure", ["nDCG@2", "AP", "RR", "P@1"])
def test_of_every_query(measure: str) -> None:
    """The ends are the lowest and the highest value over every order of the tied results."""
    table = ir.evaluate(QRELS, RUN, [measure]).tie_range()
    for row in table:
        orders = every_order(measure, row["query"])
        assert row["lowest"] == pytest.approx(min(orders), abs=1e-12)
        assert row["highest"] == pytest.approx(max(orders), abs=1e-12)


def test_infap_has_none() -> None:
    """A relevant document above a pooled one nobody judged can lower infAP, so best and worst are not its ends."""
    grades = {"d0": 2, "d1": 0, "d2": -1, "d4": 0, "d5": 1, "d6": -1}
    ranked = [{doc: -float(place) for place, doc in enumerate(["d1", "d7", "d0", "d3", *two])} for two in TWO]
    below, above = (ir.evaluate({"q": grades}, {"q": run}, ["infAP"])["infAP"] for run in ranked)
    assert (round(below, 6), round(above, 6)) == (0.375002, 0.366668)
    with pytest.raises(ir.UsageError, match="not computed"):
        ir.evaluate({"q": grades}, {"q": {"d6": 0.0, "d5": 0.0}}, ["infAP"]).tie_range()


TWO = (("d6", "d5"), ("d5", "d6"))
"""A relevant document below and above a pooled one nobody judged."""


def test_of_the_mean() -> None:
    """The ends of a mean are the means of the ends; a measure without a range has none."""
    scores = ir.evaluate(QRELS, RUN, ["RR", "nDCG(ideal=local)@2"])
    rows = {row["measure"]: row for row in scores.tie_ranges}
    ends = scores.tie_range("RR")
    assert rows["RR"]["lowest"] == pytest.approx(sum(ends["lowest"]) / 3)
    assert rows["RR"]["highest"] == pytest.approx(sum(ends["highest"]) / 3)
    assert rows["RR"]["mean"] == scores["RR"]
    assert math.isnan(rows["nDCG(ideal=local)@2"]["lowest"])
    with pytest.raises(ir.UsageError, match="are not computed"):
        scores.tie_range("nDCG(ideal=local)@2")


def test_a_query_left_out_stays_out() -> None:
    """Queries without a value have no range either."""
    run = {query: docs for query, docs in RUN.items() if query != "s"}
    scores = ir.evaluate(QRELS, run, ["RR"], no_results="skip")
    assert scores.tie_range()["query"] == ["q", "r"]
