"""Units: parts that were returned or judged are rolled up to what they are parts of."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest

import idealrank as ir
from idealrank.evaluation.ledger.counting import unjudged_within
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from tests.amounts import tried

JUDGMENTS = {"q1": {"d1": 2, "d2": 1, "d3": 1}, "q2": {"d4": 1}}
ROWS = [
    ("q1", "d1#0", "d1", 9.0),
    ("q1", "d1#1", "d1", 8.0),
    ("q1", "d2#0", "d2", 7.0),
    ("q1", "x#1", "x", 6.0),
    ("q1", "d3#2", "d3", 5.5),
    ("q1", "d2#4", "d2", 5.0),
    ("q2", "y#1", "y", 3.0),
    ("q2", "y#2", "y", 2.0),
    ("q2", "d4#9", "d4", 1.0),
]
RESULTS = dict(zip(("query_id", "chunk_id", "source", "score"), map(list, zip(*ROWS, strict=True)), strict=True))
MAP = {part: unit for _, part, unit, _ in ROWS}
UNITS: dict[str, Any] = {
    "a column": "source", "a rule": "before(#)", "a pattern": "match((.*)#[0-9])", "a dict": MAP
}  # fmt: skip
LOG3, LOG5 = 1 / math.log2(3), 1 / math.log2(5)
IDEAL = 2 + LOG3 + 0.5

BY_HAND = {
    # (roll_up, counts): the units of q1 and q2 with their ranks, "" for a rank that a repeat keeps
    ("first", "units"): ("d1 d2 x d3", "y d4"),
    ("first", "returned"): ("d1 - d2 x d3 -", "y - d4"),
    ("max", "units"): ("d1 d2 x d3", "y d4"),
    ("max", "returned"): ("d1 - d2 x d3 -", "y - d4"),
    ("sum", "units"): ("d1 d2 x d3", "y d4"),  # 17, 12, 6, 5.5; 5, 1
    ("mean(2)", "units"): ("d1 x d2 d3", "y d4"),  # 8.5, 6 (x), 6 (d2), 5.5: tied, x first by id; 2.5, 1
    ("mean(1)", "units"): ("d1 d2 x d3", "y d4"),  # 9, 7, 6, 5.5; 3, 1
}
"""What stands where, counted from `ROWS`."""


def _values(ranking: str, grades: dict[str, int]) -> dict[str, float]:
    """R@3, P@3, RR, and DCG@3 of a ranking, from the definitions."""
    found = [(rank, grades[doc]) for rank, doc in enumerate(ranking.split(), 1) if grades.get(doc)]
    top = [rank for rank, _ in found if rank <= 3]
    return {
        "R@3": len(top) / len(grades),
        "P@3": len(top) / 3,
        "RR": 1 / found[0][0],
        "DCG@3": sum(grade / math.log2(rank + 1) for rank, grade in found if rank <= 3),
    }


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
@pytest.mark.parametrize(("roll_up", "counts"), BY_HAND, ids=str)
def test_every_combination_by_hand(unit: Any, roll_up: str, counts: str) -> None:
    """Each way to name units, with each roll-up and count, gives the ranking counted by hand."""
    expected = [
        _values(ranking, grades) for ranking, grades in zip(BY_HAND[roll_up, counts], JUDGMENTS.values(), strict=True)
    ]
    scores = ir.evaluate(JUDGMENTS, RESULTS, list(expected[0]), unit=unit, roll_up=roll_up, counts=counts)
    for name in expected[0]:
        assert scores[name] == pytest.approx(sum(each[name] for each in expected) / 2, abs=1e-12), name


@pytest.mark.parametrize("roll_up", ["sum", "mean(2)"])
def test_units_ordered_by_their_own_scores_keep_no_ranks(roll_up: str) -> None:
    """Under roll_up=sum and mean(n), counts=returned is refused with both ways out."""
    with pytest.raises(
        ir.DataError, match=r"so their parts have no ranks to keep\. Use counts=units, or roll_up=first"
    ):
        ir.evaluate(JUDGMENTS, RESULTS, ["R@3"], unit="source", roll_up=roll_up, counts="returned")


def test_the_first_by_rank_and_the_highest_by_score() -> None:
    """roll_up=first follows the order of the results, here by rank; max, sum and mean follow the scores."""
    results = {
        "query_id": ["q"] * 3, "chunk_id": ["c1", "c2", "c3"], "source": ["a", "b", "a"], "rank": [1, 2, 3],
        "score": [1.0, 2.0, 1.5],
    }  # fmt: skip
    judgments = {"q": {"a": 1}}
    assert ir.evaluate(judgments, results, ["RR"], unit="source")["RR"] == 1.0
    assert ir.evaluate(judgments, results, ["RR"], unit="source", roll_up="max")["RR"] == 0.5
    assert ir.evaluate(judgments, results, ["RR"], unit="source", roll_up="sum")["RR"] == 1.0
    assert ir.evaluate(judgments, results, ["RR"], unit="source", roll_up="mean(2)")["RR"] == 0.5


# ---------------------------------------------------------------- brute force


def _rolled(rows: list[tuple[str, str, float]], roll_up: str) -> list[str]:
    """The units of one query in order, in plain Python: equal ones by the greater id."""
    by_unit: dict[str, list[float]] = {}
    for unit, _, score in rows:
        by_unit.setdefault(unit, []).append(score)
    worth = {
        "first": max,
        "max": max,
        "sum": math.fsum,
        "mean(2)": lambda each: math.fsum(sorted(each)[-2:]) / min(2, len(each)),
    }[roll_up]
    return sorted(by_unit, key=lambda unit: (worth(by_unit[unit]), unit), reverse=True)


def _kept(rows: list[tuple[str, str, float]]) -> list[str]:
    """The units of one query in the places of their first parts, "-" in those of others; ties by the greater unit."""
    order = sorted(rows, key=lambda row: (row[2], row[0]), reverse=True)
    seen: set[str] = set()
    return ["-" if unit in seen else (seen.add(unit) or unit) for unit, _, _ in order]


@pytest.mark.parametrize("seed", range(tried(32)))
def test_random_worlds(seed: int) -> None:
    """On random small worlds with ties, every roll-up and count gives what plain Python counts."""
    rng = random.Random(seed)
    units = [f"d{n}" for n in range(rng.randint(1, 6))]
    grades = {unit: rng.randint(0, 3) for unit in units if rng.random() < 0.7} or {"d0": 1}
    rows = [(rng.choice([*units, "z"]), f"c{n}", float(rng.randint(0, 5))) for n in range(rng.randint(1, 12))]
    table = {
        "query_id": ["q"] * len(rows), "chunk_id": [c for _, c, _ in rows], "source": [u for u, _, _ in rows],
        "score": [s for *_, s in rows],
    }  # fmt: skip
    orders = {(how, "units"): _rolled(rows, how) for how in ("first", "max", "sum", "mean(2)")}
    orders |= {(how, "returned"): _kept(rows) for how in ("first", "max")}
    for (roll_up, counts), order in orders.items():
        scores = ir.evaluate({"q": grades}, table, ["DCG", "DCG@3"], unit="source", roll_up=roll_up, counts=counts)
        for name, depth in (("DCG", 99), ("DCG@3", 3)):
            shares = [grades.get(unit, 0) / math.log2(rank + 1) for rank, unit in enumerate(order[:depth], 1)]
            assert scores[name] == pytest.approx(math.fsum(shares), abs=1e-12), (roll_up, counts, name)


def test_sums_do_not_depend_on_the_order_of_rows() -> None:
    """Scores are added from the highest on, so that the rows' order changes nothing, to the last bit."""
    scores = [0.1, 0.2, 0.3, 1e-17, 0.7]
    for order in itertools.permutations(range(5)):
        table = {
            "query_id": ["q"] * 6, "chunk_id": [f"c{n}" for n in order] + ["e"], "source": ["a"] * 5 + ["b"],
            "score": [scores[n] for n in order] + [math.fsum([0.7, 0.3]) + 0.2 + 0.1],
        }  # fmt: skip
        found = ir.explain({"q": {"a": 1, "b": 1}}, table, "RR", unit="source", roll_up="sum")
        assert found.steps["doc"] == ["b", "a"]


# ---------------------------------------------------------------- judgments of parts


def test_judged_parts_are_rolled_up_too() -> None:
    """A unit has the highest grade of its parts, or that of all its grades under `raters`; the ledger counts both."""
    judged = {"query_id": ["q"] * 4, "chunk_id": ["c1", "c2", "c3", "c4"], "source": ["a", "a", "a", "b"],
              "grade": [0, 1, 3, 2]}  # fmt: skip
    results = {"query_id": ["q"] * 2, "chunk_id": ["c9", "c4"], "source": ["a", "b"], "rank": [1, 2]}
    highest = ir.evaluate(judged, results, ["CG"], unit="source")
    assert highest["CG"] == 3 + 2
    assert "2 judgments merged with others of the same unit; 2 units judged (unit_grade=max)" in highest.ledger.notes
    middle = ir.evaluate(judged, results, ["CG"], unit="source", unit_grade="raters")
    assert middle["CG"] == 1 + 2
    mean = ir.evaluate(judged, results, ["CG"], unit="source", unit_grade="raters", raters="mean")
    assert mean["CG"] == pytest.approx(4 / 3 + 2)


def test_raters_are_combined_before_parts() -> None:
    """Several raters of one part make one grade first; then the parts make the unit's."""
    judged = {"query_id": ["q"] * 2, "chunk_id": ["c1", "c2"], "source": ["a", "a"], "rating_1": [0, 2],
              "rating_2": [3, 2]}  # fmt: skip
    results = {"query_id": ["q"], "chunk_id": ["c1"], "source": ["a"], "rank": [1]}
    assert ir.evaluate(judged, results, ["CG"], unit="source")["CG"] == 2
    assert ir.evaluate(judged, results, ["CG"], unit="source", raters="max")["CG"] == 3


def test_the_column_of_documents_is_the_unit() -> None:
    """Rows of chunks that name only their document are scored by it: nothing is a duplicate."""
    results = {"question": ["q"] * 3, "source": ["a", "a", "b"], "score": [3.0, 2.0, 1.0]}
    judgments = {"question": ["q"], "source": ["b"], "grade": [1]}
    assert ir.evaluate(judgments, results, ["RR"], unit="source")["RR"] == 0.5
    assert ir.evaluate(judgments, results, ["RR"], unit="source", counts="returned")["RR"] == pytest.approx(1 / 3)
    with pytest.raises(ir.DataError, match=r"If rows are parts of documents, such as chunks: unit=source\."):
        ir.evaluate(judgments, results, ["RR"])


def test_a_part_twice_is_still_a_duplicate() -> None:
    """A chunk that is returned twice under its own id is refused, or one of its rows is dropped as asked."""
    results = {"query_id": ["q"] * 2, "chunk_id": ["c", "c"], "doc_id": ["a", "a"], "rank": [1, 2]}
    with pytest.raises(ir.DataError, match="document 'c' is returned a second time"):
        ir.evaluate({"q": {"a": 1}}, results, ["RR"], unit="doc_id")
    assert ir.evaluate({"q": {"a": 1}}, results, ["RR"], unit="doc_id", duplicates="first")["RR"] == 1.0


# ---------------------------------------------------------------- published faults


def test_recall_is_never_above_one() -> None:
    """Seven judged documents, ten of whose chunks come back: 10 / 7 = 1.43 was published; seven units are 1."""
    judgments = {"q": {f"d{n}": 1 for n in range(7)}}
    results = {"q": {f"d{n % 7}#{n}": 100.0 - n for n in range(10)}}
    assert ir.evaluate(judgments, results, ["R@10"], unit="before(#)")["R@10"] == 1.0
    note = "10 results of 7 units: 3 repeat a unit and take no rank (roll_up=first, counts=units)"
    assert note in ir.evaluate(judgments, results, ["R@10"], unit="before(#)").ledger.notes


def test_ndcg_is_never_above_one() -> None:
    """One relevant document in two chunks: crediting both gives 1 + 1/log2(3) = 1.63, and the unit 1."""
    judgments, results = {"q": {"d": 1}}, {"q": {"d#1": 2.0, "d#2": 1.0}}
    for counts in ("units", "returned"):
        scores = ir.evaluate(judgments, results, ["nDCG@10", "R@10"], unit="before(#)", counts=counts)
        assert (scores["nDCG@10"], scores["R@10"]) == (1.0, 1.0)


# ---------------------------------------------------------------- what is said


def test_both_counts_stand_in_the_sensitivity_table() -> None:
    """Where k counts something else, the mean under the other count is printed beside it."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@3", "RR"], unit="source")
    (move,) = [move for move in scores.ledger.moves if move.decision == "counts"]
    other = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@3", "RR"], unit="source", counts="returned")
    assert (move.answer, move.cause) == ("returned", "3 results of units that stand before")
    assert {name: moved for name, _, moved in move.means} == {name: other[name] for name in ("nDCG@3", "RR")}


def test_repeats_are_no_unjudged_results() -> None:
    """Of nine chunks three repeat a unit: two units are unjudged, one of the four in the top 3 that are no repeats."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@3"], unit="source", counts="returned")
    whole, top = (unjudged_within(scores, 0, depth)[0] for depth in (None, 3))
    assert (whole, top) == (2, 1)
    assert unjudged_share(scores, [0], 3) == 1 / 4
    units = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@3"], unit="source")
    assert unjudged_within(units, 0, 3)[0] == 2
    assert unjudged_share(units, [0], 3) == 2 / 5


def test_explain_says_which_part_earned_the_credit() -> None:
    """The parts stand beside the steps: which stands for its unit, which repeats it, and the other count's value."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@3", "q1", unit="source")
    assert list(zip(found.parts["part"], found.parts["credit"], strict=True)) == [
        ("d1#0", "stands for its unit"), ("d1#1", "repeats rank 1"), ("d2#0", "stands for its unit"),
        ("x#1", "unjudged"), ("d3#2", "stands for its unit"), ("d2#4", "repeats rank 3"),
    ]  # fmt: skip
    assert "d1#1 (rank 2), d2#4 (rank 6) repeat units and earn nothing." in found.notes
    assert f"If the repeats kept their ranks, the value would be {2.5 / IDEAL:.4f} (counts=returned)." in found.notes
    assert found.score == pytest.approx((2 + LOG3) / IDEAL)
    assert ir.explain(JUDGMENTS, {"q1": {"d1": 1.0}}, "RR", "q1").parts.columns == []


def test_the_unit_stands_in_the_fingerprint_and_is_read_back() -> None:
    """A fingerprint names unit, roll-up and count, and parses to the same measure; without units only the unit."""
    for unit in ("source", "before(#)", "before(::)", "match(^(.+)[#_][0-9]{1,3}$)", "map(a b/c.csv)"):
        base = ir.Decisions().but(unit=unit, roll_up="mean(3)", counts="units")
        measure = ir.measure(f"nDCG(unit={unit}, roll_up=mean(3))@10")
        assert measure.decisions == base
        assert f"unit={unit}, unit_grade=max" in measure.fingerprint
        assert ir.measure(measure.fingerprint).decisions == base
    assert "unit=as_returned, order_by" in ir.measure("nDCG@10").fingerprint
    assert "roll_up" not in ir.measure("nDCG@10").fingerprint
