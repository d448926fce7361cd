"""trec_eval's printouts, both versions, per query and for all queries."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import idealrank as ir
from tests.golden.tables import read_printout

HERE = Path(__file__).parent / "trec_eval"
HALF_A_DIGIT = 0.00005 + 1e-9


class Call(NamedTuple):
    """A printout, the judgments it was made from, and how the same is asked for here."""

    printout: str
    qrels: str
    convention: str
    options: dict[str, Any]


CALLS = [
    Call("9.0.8.tsv", "qrels.covered.txt", "trec_eval-9.0.8", {}),
    Call("9.0.8.tsv", "qrels.txt", "trec_eval-9.0.8", {}),
    Call("9.0.8-c.tsv", "qrels.txt", "trec_eval-9.0.8", {"no_results": "0"}),
    Call("9.0.8-l2.tsv", "qrels.covered.txt", "trec_eval-9.0.8", {"relevant_from": 2}),
    Call("10.0.tsv", "qrels.covered.txt", "trec_eval-10.0", {}),
    Call("10.0-c.tsv", "qrels.txt", "trec_eval-10.0", {"no_results": "0"}),
    Call("10.0-c.tsv", "qrels.txt", "idealrank-1", {}),
]
NAMES = [f"{call.convention}-{call.printout}-{call.qrels}" for call in CALLS]


def scores_of(call: Call, measures: list[str]) -> ir.Scores:
    """Evaluate as a call says, all measures at once."""
    return ir.evaluate(HERE / call.qrels, HERE / "run.ties.txt", measures, convention=call.convention, **call.options)


def asked(call: Call) -> list[str]:
    """Return the measures printed, by trec_eval's names."""
    return list(read_printout(call.printout))


@pytest.fixture(params=CALLS, ids=NAMES)
def call(request: pytest.FixtureRequest) -> Call:
    """Return one call after the other."""
    found: Call = request.param
    return found


def test_printout(call: Call) -> None:
    """Every measure of every query, and the line for all, equals the print to its four decimals."""
    measures = asked(call)
    scores = scores_of(call, measures)
    printed = read_printout(call.printout)
    for place, name in enumerate(measures):
        found = dict(zip(scores.queries, scores.values[0, place].tolist(), strict=True))
        for query, text in printed[name].items():
            value = scores[name] if query == "all" else found[query]
            assert abs(value - float(text)) <= HALF_A_DIGIT, f"{name} of {query}: {value} for {text}"


def test_queries_printed(call: Call) -> None:
    """The queries that have a value are those printed; -c counts the others, and 9.0.8 does not print them."""
    scores = scores_of(call, ["ndcg"])
    printed = set(read_printout(call.printout)["ndcg"]) - {"all"}
    valued = {q for q, value in zip(scores.queries, scores.values[0, 0].tolist(), strict=True) if not math.isnan(value)}
    unprinted = {"109", "110"} if call.printout == "9.0.8-c.tsv" else set()
    assert valued == printed | unprinted


def test_ideal_dcg_is_the_normaliser() -> None:
    """What trec_eval 10.0 prints as ideal_dcg is what nDCG is divided by."""
    call = CALLS[4]
    scores = scores_of(call, ["ndcg"])
    for query, text in read_printout(call.printout)["ideal_dcg"].items():
        if query != "all":
            assert abs(scores.explain("ndcg", query).normaliser - float(text)) <= HALF_A_DIGIT


def test_default_is_trec_eval_10_with_every_query() -> None:
    """The default gives the same float as trec_eval-10.0 with no_results=0, for every measure both have."""
    measures = asked(CALLS[5])
    default, tool = (scores_of(call, measures) for call in (CALLS[6], CALLS[5]))
    assert default.queries == tool.queries
    assert default.values.tobytes() == tool.values.tobytes()
    assert [default[name] for name in measures] == [tool[name] for name in measures]
