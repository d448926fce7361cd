"""The best of many systems, chosen on one part of the queries and tested on the other: by hand and by brute force."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.errors import DataError, UsageError
from tests.comparison.held_out import MANY, halves, ranks, tuned
from tests.comparison.worlds import one_relevant, random_world


def test_the_best_on_the_tuning_queries_is_tested_on_the_others() -> None:
    """A is best where it is chosen, by 1 − 1/2, and gains 1/2 − 1/3 on the rest; B, better there, is not tested."""
    found = tuned({"base": ranks(2, 3), "A": ranks(1, 2), "B": ranks(2, 1)})
    assert found.systems == ("base", "A")
    assert found.tuning is not None
    assert (found.tuning.best, found.tuning.tested, found.tuning.gain) == ("A", "A", 0.5)
    assert found["RR"].queries == 12
    assert found["RR"].difference == pytest.approx(1 / 6)
    assert found.verdict.tuning == (
        "A was the best of 3 systems on the 12 tuning queries, where it gained 0.500; on the 12 held-out queries it "
        "gained 0.167, so 67% of the gain vanished"
    )
    assert found.verdict.summary[-1] == f"{found.verdict.tuning}."
    assert found.verdict.tuning in found.verdict.sentence


@pytest.mark.parametrize(
    ("held", "said"),
    [(2, "it gained nothing"), (3, "it lost 0.167"), (1, "it gained 0.500, so none of the gain vanished")],
)
def test_what_is_left_of_a_gain(held: int, said: str) -> None:
    """From 1/3 to 1/2 is gained where A is chosen; on held-out queries RR goes from 1/2 to one over its rank there."""
    found = tuned({"base": ranks(3, 2), "A": ranks(2, held)})
    assert found.verdict.tuning.endswith(f"gained 0.167; on the 12 held-out queries {said}")


def test_nothing_beats_the_baseline() -> None:
    """Where the baseline is best on tuning queries, it is kept, whatever the closest does on held-out ones."""
    found = tuned({"A": ranks(3, 1), "base": ranks(1, 3), "B": ranks(2, 1)})
    assert found.tuning is not None
    assert (found.tuning.best, found.tuning.tested) == ("base", "B")
    assert found.verdict.outcome == "DON'T"
    assert found.verdict.headline == "Keep base: no other system beat it"
    assert found.verdict.reason == "no other system beat base on the 12 tuning queries"
    assert found.verdict.tuning == (
        "None of the 2 other systems beat base on the 12 tuning queries; B came closest (0.500 worse there)"
    )
    assert found.verdict.steps == ("Keep base, or try other settings.",)
    assert "SHIP" not in found.verdict.sentence


def test_what_unjudged_results_allow_is_not_said_of_a_system_that_is_not_chosen() -> None:
    """Where the baseline is kept, the sentence says nothing of a SHIP that unjudged results could turn."""
    judged = {query: docs | {"d": 1} for query, docs in one_relevant(MANY).items()}
    runs = {"base": ranks(1, 4), "B": ranks(2, 1)}
    for docs in runs["B"].values():
        docs["unjudged"] = -99.0
    found = ir.compare(judged, runs, ["RR@10", "P@4"], baseline="base", hold_out=0.5)
    assert found.verdict.outcome == "DON'T"
    assert "SHIP" not in found.verdict.sentence
    assert found.verdict.holes == ""


def test_under_not_worse_the_closest_may_replace_the_baseline() -> None:
    """Where a loss is allowed, the best of the others is tested though the baseline is better."""
    found = tuned({"base": ranks(1, 2), "A": ranks(2, 1)}, rule="not_worse", margin=0.1)
    assert found.verdict.outcome == "SHIP"
    assert found.verdict.tuning == "A did not beat base on the 12 tuning queries (0.500 worse there)"


def test_of_equals_the_first_is_chosen() -> None:
    """Equal means go to the one named first, and to the baseline before all others."""
    found = tuned({"base": ranks(3, 3), "B": ranks(1, 2), "A": ranks(1, 1)})
    assert found.tuning is not None
    assert found.tuning.best == "B"
    same = tuned({"B": ranks(2, 1), "base": ranks(2, 2)})
    assert same.tuning is not None
    assert (same.tuning.best, same.tuning.tested, same.verdict.outcome) == ("base", "B", "DON'T")
    assert same.verdict.tuning == "B did not beat base on the 12 tuning queries (as good there)"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", [{}, {"weighted": True}, {"share": 0.3}])
def test_brute_force(seed: int, options: dict[str, Any]) -> None:
    """The winner is that of the means by hand; evidence and verdict are those of a comparison of the held-out alone."""
    judged, runs = random_world(seed, queries=50, systems=6, holes=0.1)
    share = options.get("share", 0.5)
    weights = {q: float(1 + i % 5) for i, q in enumerate(judged)} if options.get("weighted") else None
    both: dict[str, Any] = {"weights": weights} if weights else {}
    found = ir.compare(judged, runs, ["nDCG@5", "RR"], baseline="s2", hold_out=share, draws=999, **both)
    order = sorted(judged, key=lambda key: hashlib.sha256(f"0 {key}".encode()).hexdigest())
    held, tuning = order[: round(share * 50)], order[round(share * 50) :]
    single = ir.evaluate(judged, runs, ["nDCG@5"]).per_query
    values = {(row["query"], row["system"]): row["nDCG@5"] for row in single}
    heavy = [(weights or dict.fromkeys(judged, 1.0))[q] for q in tuning]
    means = {name: float(np.average([values[q, name] for q in tuning], weights=heavy)) for name in runs}
    best = max(means, key=means.__getitem__)
    assert found.tuning is not None
    assert found.tuning.best == best
    tested = max((name for name in means if name != "s2"), key=means.__getitem__)
    assert found.tuning.gain == pytest.approx(means[tested] - means["s2"])
    assert found.tuning.means["nDCG@5"] == pytest.approx([means[name] for name in runs])
    two = {"s2": runs["s2"], tested: runs[tested]}
    alone = ir.compare(judged, two, ["nDCG@5", "RR"], only=held, draws=999, **both)
    for ours, theirs in zip(found.differences, alone.differences, strict=True):
        assert {k: v for k, v in ours.items() if k != "verdict"} == pytest.approx(
            {k: v for k, v in theirs.items() if k != "verdict"}, nan_ok=True
        )
    if best != "s2":
        assert (found.verdict.outcome, found.verdict.reason) == (alone.verdict.outcome, alone.verdict.reason)
        assert found.verdict.holes == alone.verdict.holes


def test_where_lower_is_better_the_lowest_is_chosen() -> None:
    """ARP, the mean rank of what is relevant, is better where it is lower: rank 1 is chosen before 2, and gains 2."""
    found = ir.compare(
        one_relevant(MANY),
        {"base": ranks(3, 3), "B": ranks(2, 2), "A": ranks(1, 2)},
        ["ARP"],
        baseline="base",
        hold_out=0.5,
        no_results="skip",
        no_relevant="skip",
    )
    assert found.tuning is not None
    assert (found.tuning.best, found.tuning.gain) == ("A", 2.0)
    assert found["ARP"].difference == -1.0


def test_queries_whose_search_failed_pair_with_nothing() -> None:
    """A query that failed in one system is left out of its gain there, and named as ever where it is held out."""
    tuning, held = halves(list(one_relevant(MANY)))
    runs: dict[str, Any] = {"base": ranks(3, 3), "A": ranks(1, 1), "B": ranks(2, 2)}
    rows = [
        {"system": name, "query_id": q, "doc_id": d, "score": s, "error": None}
        for name, run in runs.items()
        for q, docs in run.items()
        for d, s in docs.items()
        if (name, q) not in (("A", tuning[0]), ("A", held[0]))
    ]
    rows += [
        {"system": "A", "query_id": q, "doc_id": None, "score": None, "error": "timeout"} for q in (tuning[0], held[0])
    ]
    found = ir.compare(one_relevant(MANY), rows, ["RR"], baseline="base", hold_out=0.5)
    assert found.tuning is not None
    assert (found.tuning.best, found.tuning.paired, found["RR"].queries) == ("A", 11, 11)
    assert held[0] in found.verdict.failed


def test_everything_else_works_on_held_out_queries() -> None:
    """Changes, robustness, segments, what to judge and all forms are about the held-out queries."""
    judged, runs = random_world(7, queries=40, systems=4, holes=0.2)
    found = ir.compare(judged, runs, ["nDCG@5", "P@3"], baseline="s0", hold_out=0.5, segments="results")
    assert found.tuning is not None
    held = set(found.tuning.held_out)
    assert set(found.per_query["query"]) == held
    assert set(found.wins()["query"]) | set(found.losses()["query"]) <= held
    assert set(found.to_judge()["query"]) <= held
    assert found.robustness.of()[0].contrast.queries == len(held)
    assert found.changes(found.tuning.held_out[0]).table is not None
    assert found.segments.table["queries"][0] <= len(held)
    assert found.to_junit()
    assert found.to_latex()


def test_a_system_without_a_tuning_query() -> None:
    """A system with results for held-out queries alone is refused in words where such queries are left out."""
    _, held = halves(list(one_relevant(MANY)))
    some = {query: docs for query, docs in ranks(1, 1).items() if query in held}
    with pytest.raises(DataError, match="base and A have no query in common with a value of RR"):
        tuned({"base": ranks(2, 2), "A": some, "B": ranks(1, 2)}, no_results="skip")


def test_more_queries_are_counted_in_both_parts() -> None:
    """Where it is open how many more queries are needed, the advice says that only a share of them is held out."""
    judged, runs = random_world(1, queries=40, systems=4)
    found = ir.compare(judged, runs, ["nDCG@5"], baseline="s0", hold_out=0.25)
    assert found.verdict.outcome in ("CAN'T TELL", "DON'T")
    open_ = next(
        each
        for seed in range(20)
        if (each := ir.compare(judged, runs, ["nDCG@5"], baseline="s0", hold_out=0.25, seed=seed)).verdict.outcome
        == "CAN'T TELL"
    )
    assert open_.verdict.settle.endswith("These are held-out queries: judge 4 times as many in all")
    assert ". ".join(each.settle.text for each in open_.verdict.reasons if each.settle) == open_.verdict.settle
    assert open_.verdict.steps[-1] == "These are held-out queries: judge 4 times as many in all."


def test_without_a_baseline() -> None:
    """Of more than two systems the baseline must be named; of two it is the first, as ever."""
    systems = {"base": ranks(2, 2), "A": ranks(1, 1), "B": ranks(3, 3)}
    with pytest.raises(UsageError, match="Name the baseline, as baseline='base'"):
        ir.compare(one_relevant(MANY), systems, ["RR"], hold_out=0.5)
    del systems["B"]
    assert ir.compare(one_relevant(MANY), systems, ["RR"], hold_out=0.5).verdict.outcome == "SHIP"


def test_every_form_says_it() -> None:
    """JSON, Markdown, text and notebook say what was chosen, and by which queries."""
    found = tuned({"base": ranks(2, 3), "A": ranks(1, 2), "B": ranks(2, 1)})
    plain = json.loads(found.to_json())
    tuning, held = halves(list(one_relevant(MANY)))
    assert sorted(plain["tuning"]["queries"]) == sorted(tuning)
    assert sorted(plain["tuning"]["held_out"]) == sorted(held)
    assert [row["RR"] for row in plain["tuning"]["means"]] == [0.5, 1.0, 0.5]
    assert [row["chosen"] for row in plain["tuning"]["means"]] == ["", "best", ""]
    for text in (repr(found), found._repr_html_(), found.to_markdown()):
        assert "A was the best of 3 systems on the 12 tuning queries" in text
        assert "chosen on 12 tuning queries" in text
    assert "50% of the queries held out by a hash of their ids (seed 0): 12 to choose one of 3" in repr(found)
    assert "chosen on 12 tuning queries" in repr(found.tuning)


def test_the_ledger_accounts_for_tuning_queries() -> None:
    """No query vanishes: the tuning queries are left out, and one without judgments is named as ever."""
    runs = {"base": ranks(2, 3) | {"odd": {"d": 1.0}}, "A": ranks(1, 2)}
    found = tuned(runs)
    first = found.ledger.systems[0]
    assert (first.judged_and_returned, first.left_out, first.returned_not_judged) == (12, 13, ())


def test_failures_help_nobody_to_be_chosen() -> None:
    """A system that fails on all but its lucky queries is not chosen before one that gains everywhere."""
    judgments = {f"q{i}": {"good": 2, "fair": 1} for i in range(80)}
    table: dict[str, list[object]] = {name: [] for name in ("system", "query_id", "doc_id", "rank", "status")}
    answers = {
        "base": lambda i: "fair" if i % 2 else "good",
        "lucky": lambda i: "good" if i % 14 == 1 else None,
        "steady": lambda i: "good",
    }
    for name, answer in answers.items():
        for i in range(80):
            row = (name, f"q{i}", answer(i), 1, "ok" if answer(i) else "failed")
            for column, value in zip(table.values(), row, strict=True):
                column.append(value)
    found = ir.compare(judgments, table, ["nDCG@10"], baseline="base", hold_out=0.5)
    assert (found.tuning.best, found.verdict.outcome) == ("steady", "SHIP")
    assert "on the 40 tuning queries" in found.verdict.tuning
