"""What to label next: the order, what is certain of every outcome, and what is likely."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.special import stdtrit
from scipy.stats import beta

import idealrank as ir
from idealrank.labels.grade_model import BOTH, FIRST, SECOND, GradeModel
from idealrank.labels.label_next import ORDERS, LabelNext
from idealrank.labels.stopping import (
    ERROR_CROSSING,
    ERROR_DECIDED,
    ERROR_MEASURED,
    MeasuredError,
    describe_measured_error,
)
from idealrank.statistics.interval_range import interval_range
from tests.amounts import costly, tried
from tests.calibration.stopping import crossing, stop
from tests.cli.terminal import run

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "examples" / "shop"
OLD = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 2.0, "e": 1.0}}
NEW = {"q1": {"b": 3.0, "d": 2.0, "a": 1.0}, "q2": {"a": 2.0, "e": 1.0}}
KNOWN = {"q1": {"a": 2}, "q2": {"a": 1}}


def next_of(measure: str = "nDCG@3", **options: Any) -> LabelNext:
    """Return what to label next of two small systems."""
    return ir.label_next(KNOWN, {"old": OLD, "new": NEW}, measure, **options)


def docs(found: LabelNext) -> list[str]:
    """Return queries and documents, in order."""
    return [f"{row['query']} {row['doc']}" for row in found.rows]


# The order of the documents.


def test_weight_is_how_far_the_discounts_are_apart() -> None:
    """|1/log2(1 + rank) in B - the same in A|; 0 for a document that a list does not return."""
    found = next_of()
    one, two, three = 1.0, 1 / np.log2(3), 0.5
    assert docs(found) == ["q1 d", "q1 c", "q1 b", "q2 e"]
    assert found.rows["weight"] == pytest.approx([two, three, one - two, 0.0], abs=1e-15)
    assert found.rows["baseline rank"] == [None, 3, 2, 2]
    assert found.rows["rank"] == [2, None, 1, 2]


def test_same_rank_in_both_comes_last_though_it_is_first() -> None:
    """A document at rank 1 of both lists moves the ideal alone, and comes after one at rank 3 of one list."""
    old, new = {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, {"q": {"x": 3.0, "a": 2.0, "c": 1.0}}
    found = ir.label_next({"q": {"a": 1}}, {"old": old, "new": new}, "nDCG@3")
    assert found.rows["doc"] == ["b", "c", "x"]


def test_precision_has_weights_of_one_and_no_others() -> None:
    """To P@3 each rank counts the same, so only what is in one list alone has a weight."""
    found = next_of("P@3")
    assert dict(zip(docs(found), found.rows["weight"], strict=True)) == {"q1 c": 1, "q1 d": 1, "q1 b": 0, "q2 e": 0}


def test_order_by_rank_and_by_pool() -> None:
    """By rank: the best rank of either list first; by pool: query by query, by document id."""
    assert docs(next_of(order="rank")) == ["q1 b", "q1 d", "q2 e", "q1 c"]
    assert docs(next_of(order="pool")) == ["q1 b", "q1 c", "q1 d", "q2 e"]


def test_random_order_follows_the_seed_and_not_the_rows() -> None:
    """The same seed gives the same order whatever the order of queries; another seed another."""
    backwards = {"old": dict(reversed(OLD.items())), "new": dict(reversed(NEW.items()))}
    orders = {tuple(docs(next_of(order="random", seed=seed, draws=0))) for seed in range(20)}
    assert len(orders) > 5
    again = ir.label_next(dict(reversed(KNOWN.items())), backwards, "nDCG@3", order="random", seed=3, draws=0)
    assert docs(again) == docs(next_of(order="random", seed=3, draws=0))


@pytest.mark.parametrize("order", ORDERS)
def test_row_says_how_it_was_chosen(order: Any) -> None:
    """Only a random order has probabilities."""
    (text,) = set(next_of(order=order, rows=2).rows["order"])
    assert text == {
        "weight": "weight-ordered, no probabilities",
        "rank": "rank-ordered, no probabilities",
        "pool": "pool by query, no probabilities",
        "random": "random, each of 4 with probability 0.5",
    }[order]  # fmt: skip


def test_rows_are_of_the_first_k_only() -> None:
    """What lies below the cutoff of both lists needs no label, and what is judged needs no other."""
    found = next_of("nDCG@1")
    assert (docs(found), found.labelled, found.left) == (["q1 b"], 2, 1)


def test_queries_without_a_label_are_listed_once_they_are_named() -> None:
    """They are left out and counted; with `only` their documents are listed, and count as of grade 0 until then."""
    known = {"q1": {"a": 2}}
    found = ir.label_next(known, {"old": OLD, "new": NEW}, "nDCG@3")
    assert ({row["query"] for row in found.rows}, found.left_out) == ({"q1"}, {"without a label": ("q2",)})
    assert "1 query counts. Left out: 1 query without a label (q2). To add documents of" in str(found)
    named = ir.label_next(known, {"old": OLD, "new": NEW}, "nDCG@3", only=["q1", "q2"])
    assert docs(named) == ["q1 d", "q1 c", "q1 b", "q2 a", "q2 e"]
    assert (named.labelled, named.left, named.queries, named.left_out) == (1, 5, ("q1", "q2"), {})


def test_queries_named_may_all_lack_labels() -> None:
    """Of them alone their documents are listed; ids that are in no table are refused, or named beside others."""
    known = {"q1": {"a": 2}}
    systems = {"old": OLD, "new": NEW}
    found = ir.label_next(known, systems, "nDCG@3", only=["q2", "q7"])
    assert (docs(found), found.queries) == (["q2 a", "q2 e"], ("q2",))
    assert found.left_out == {"not asked for": ("q1",), "neither labelled nor returned": ("q7",)}
    assert ir.label_next(known, systems, "nDCG@3", only=["q1"]).left_out == {"not asked for": ("q2",)}
    with pytest.raises(ir.UsageError, match="No judged query matches 'q7'"):
        ir.label_next(known, systems, "nDCG@3", only=["q7"])


@pytest.mark.parametrize(("answer", "counted"), [("0", ("q1", "q2", "q3")), ("skip", ("q1", "q2"))])
def test_every_query_is_accounted_for(answer: Any, counted: tuple[str, ...]) -> None:
    """A query that one system returned nothing for is named, whether it counts or not, and so is one without labels."""
    known = {**KNOWN, "q3": {"a": 1}}
    old = {**OLD, "q3": {"a": 2.0, "x": 1.0}, "q4": {"a": 1.0}}
    found = ir.label_next(known, {"old": old, "new": NEW}, "nDCG@3", no_results=answer)
    named = {*found.queries, *(query for queries in found.left_out.values() for query in queries)}
    assert (found.queries, named) == (counted, {"q1", "q2", "q3", "q4"})
    assert found.left_out["without a label"] == ("q4",)
    assert ("new returned nothing for 1 query (q3)" in str(found)) == (answer == "0")
    assert ("1 query without results (q3)" in str(found)) == (answer == "skip")
    assert found.to_dict()["left_out"] == {why: list(queries) for why, queries in found.left_out.items()}


def test_query_that_no_label_can_bring_back_is_not_asked_for() -> None:
    """Under no_results=skip no label makes a query without results count: its documents are not listed."""
    known = {**KNOWN, "q3": {"a": 1}}
    found = ir.label_next(known, {"old": {**OLD, "q3": {"x": 1.0}}, "new": NEW}, "nDCG@3", no_results="skip")
    assert {row["query"] for row in found.rows} == {"q1", "q2"}
    assert "bring back" not in found.why


def test_what_a_rater_could_not_tell_comes_last() -> None:
    """It is counted, and comes last in each order; what was put off for later comes back as if nobody had seen it."""
    table = {
        "query": ["q1", "q1", "q1", "q2"],
        "doc": ["a", "d", "c", "a"],
        "grade": ["2", "cannot tell", "later", "1"],
    }
    found = ir.label_next(table, {"old": OLD, "new": NEW}, "nDCG@3")
    assert docs(found) == ["q1 c", "q1 b", "q2 e", "q1 d"]
    assert (found.left, found.cannot_tell) == (4, 1)
    assert "For 1 of these a rater answered that they cannot tell: they come last." in str(found)
    assert found.rows["order"][-1] == "asked again, no probabilities: a rater could not tell"
    for order in ORDERS:
        assert docs(ir.label_next(table, {"old": OLD, "new": NEW}, "nDCG@3", order=order))[-1] == "q1 d"
    (text,) = set(ir.label_next(table, {"old": OLD, "new": NEW}, "nDCG@3", order="random", rows=2).rows["order"])
    assert text == "random, each of 3 with probability 0.666667"


def test_titles_and_addresses_come_from_documents() -> None:
    """Titles and addresses stand beside the documents, for those that have one."""
    table = {"id": ["d", "c"], "title": ["Lamp", "Shoe"], "url": ["https://shop.test/d", None]}
    rows = next_of(documents=table).rows
    assert rows["title"] == ["Lamp", "Shoe", None, None]
    assert rows["url"] == ["https://shop.test/d", None, None, None]


# Certain: what no label can change.


class World(NamedTuple):
    """A small comparison: judgments, results, and up to five documents of which nothing is known."""

    known: dict[str, dict[str, float]]
    results: dict[str, dict[str, dict[str, float]]]
    left: list[tuple[str, str]]
    measure: str
    options: dict[str, Any]

    def ask(self, judgments: Any) -> LabelNext:
        """Return what to label next, with these judgments."""
        return ir.label_next(judgments, self.results, self.measure, draws=0, **self.options)


def worlds(many: int) -> Iterator[World]:
    """Yield small comparisons under several measures and rules."""
    measures = ["nDCG@3", "P@3", "DCG@3", "AP@3", "RR@3", "R@3"]
    for seed in range(many):
        rng = np.random.default_rng([seed, 6])
        truth = {f"q{i}": {f"d{j}": float(rng.integers(3)) for j in range(6)} for i in range(rng.integers(3, 7))}
        skill = rng.choice([0.0, 3.0])
        results = {
            name: {
                query: {doc: float(rng.normal() + (skill * grade if name == "b" else 0)) for doc, grade in of.items()}
                for query, of in truth.items()
            }
            for name in "ab"
        }
        top = sorted(
            {(q, d) for of in results.values() for q, s in of.items() for d in sorted(s, key=lambda d: -s[d])[:3]}
        )
        left = [top[place] for place in rng.choice(len(top), rng.integers(1, 6), replace=False)]
        known = {q: {d: grade for d, grade in of.items() if (q, d) not in left} for q, of in truth.items()}
        known["q0"]["top"] = 2.0  # the scale is 0 to 2
        options = {
            "margin": float(rng.choice([0.0, 0.0, 0.1])),
            "rule": str(rng.choice(["better", "not_worse"])),
            "equivalence": [None, None, 0.3][rng.integers(3)],
            "level": float(rng.choice([0.5, 0.8, 0.95])),
        }
        yield World(known, results, left, measures[seed % len(measures)], options)


@pytest.mark.heavy
def test_certain_is_never_wrong() -> None:
    """Of every grade of every missing label: where it is certain there is one outcome, the one it names."""
    found = []
    for world in worlds(tried(40)):
        now = world.ask(world.known)
        assert now.left == len(world.left)
        outcomes = set()
        for grades in itertools.product([0.0, 1.0, 2.0], repeat=len(world.left)):
            full = {query: dict(of) for query, of in world.known.items()}
            for (query, doc), grade in zip(world.left, grades, strict=True):
                full[query][doc] = grade
            outcomes.add(world.ask(full).outcome)
        if now.certain:
            assert outcomes == {now.outcome}
        found.append((now.certain, len(outcomes) == 1))
    # It is not only safe: what cannot change is nearly always known.
    assert found.count((False, True)) <= len(found) / 20
    assert found.count((True, True)) >= len(found) / 4


def test_outcome_is_that_of_compare() -> None:
    """With every label known, the outcome is what the rule of `compare` says of its interval."""
    for world in worlds(12):
        full = {query: {**dict.fromkeys(world.results["a"][query], 0.0), **of} for query, of in world.known.items()}
        compared = ir.compare(full, world.results, [world.measure], correction="none", **world.options)
        found = world.ask(full)
        assert found.left == 0
        assert found.outcome == compared.rule.outcome([compared[found.measure].gain], [found.measure])[0]


def test_nothing_left_is_certain() -> None:
    """Where every document has a label, the outcome is known."""
    full = {query: dict.fromkeys((*OLD[query], *NEW[query]), 1) for query in OLD}
    found = ir.label_next(full, {"old": OLD, "new": NEW}, "nDCG@3")
    assert (found.left, found.certain, found.likely, len(found.rows)) == (0, True, True, 0)
    assert (found.error_measured, "no label is missing" in str(found)) == (0.0, True)


def test_equal_lists_are_certain_whatever_is_missing() -> None:
    """Two systems that return the same differ by 0 under every label."""
    found = ir.label_next(KNOWN, {"old": OLD, "new": OLD}, "nDCG@3")
    assert (found.left, found.certain, found.outcome) == (3, True, "ABOUT THE SAME")


def test_a_query_that_a_label_brings_back_makes_nothing_certain() -> None:
    """Under no_relevant=skip a query without a relevant document may count again, so the mean is of other queries."""
    known = {**{f"q{i}": {"a": 1, "b": 0} for i in range(9)}, "q9": {"a": 0}}
    results = {"old": {q: {"b": 2.0, "a": 1.0} for q in known}, "new": {q: {"a": 2.0, "b": 1.0} for q in known}}
    assert ir.label_next(known, results, "AP@2", no_relevant="0").certain
    found = ir.label_next(known, results, "AP@2", no_relevant="skip")
    assert not found.certain
    assert "a label may bring back 1 query without a value" in found.why


def test_weighted_queries_are_not_said_to_be_certain() -> None:
    """The bounds of the interval are of equal weights; with others it is said why nothing is certain."""
    found = next_of(weights={"q1": 2.0, "q2": 1.0})
    assert not found.certain
    assert "not worked out for weighted queries" in found.why


@pytest.mark.parametrize("many", [2, 3, 5, 8])
def test_interval_range_holds_every_interval(many: int) -> None:
    """No choice of values has an end outside; of the extreme ones of the vertices the ends are reached, or nearly."""
    wide = float(stdtrit(many - 1, 0.975)) / np.sqrt(many)
    for seed in range(tried(32)):
        rng = np.random.default_rng([seed, many])
        low = rng.normal(size=many) * rng.choice([0.1, 1.0])
        high = low + rng.exponential(size=many) * rng.choice([0.0, 0.1, 1.0], size=many)
        found = interval_range(low, high, 0.95)
        between = np.clip(np.linspace(low.min(), high.max(), 501)[:, None], low, high)
        inside = low + (high - low) * rng.random((1_000, many))
        values = np.vstack([list(itertools.product(*zip(low, high, strict=True))), between, inside])
        mean, deviation = values.mean(axis=1), values.std(axis=1, ddof=1)
        below, above = mean - wide * deviation, mean + wide * deviation
        near = 1e-12 * max(1, np.abs(values).max())
        assert found.low_least <= below.min() + near
        assert found.low_most >= below.max() - near
        assert found.high_least <= above.min() + near
        assert found.high_most >= above.max() - near


@pytest.mark.parametrize("value", [1 / 3, -1 / 3, 0.1, 0.7, 1e-3])
def test_interval_range_of_values_that_may_all_be_equal(value: float) -> None:
    """Values that may all be equal may have an interval without a width, however their mean is rounded."""
    for many in range(2, 40):
        low, high = np.full(many, value), np.full(many, value)
        low[0], high[-1] = value - 0.5, value + 0.5
        found = interval_range(low, high, 0.95)
        assert found.low_most >= value
        assert found.high_least <= value


def test_interval_range_is_reached_of_many_values() -> None:
    """Of 200 values the lowest lower end is that of a vertex, found here by trying every cut of the sorted values."""
    rng = np.random.default_rng(4)
    low = rng.normal(size=200)
    high = low + 0.3 * rng.random(200)
    found = interval_range(low, high, 0.95)
    wide = float(stdtrit(199, 0.975)) / np.sqrt(200)
    order = np.argsort(low + high)
    cuts = [np.where(np.isin(np.arange(200), order[cut:]), high, low) for cut in range(201)]
    reached = min(each.mean() - wide * each.std(ddof=1) for each in cuts)
    assert found.low_least <= reached
    assert reached - found.low_least < 0.001
    same = interval_range(low, low, 0.95)
    assert same.low_least == pytest.approx(low.mean() - wide * low.std(ddof=1), abs=1e-9)
    assert same.low_most == pytest.approx(same.low_least, abs=1e-8)


def test_certain_is_of_the_grades_of_the_scale() -> None:
    """A label may have the highest grade so far; where max_grade says more, less is certain."""
    queries = [f"q{i}" for i in range(8)]
    known = {query: {"a": 1, "b": 0} for query in queries}
    old = {query: {"b": 3.0, "a": 2.0} for query in queries}
    new = {query: {"a": 3.0, "b": 2.0} for query in queries} | {"q0": {"a": 3.0, "x": 2.0}}
    found = ir.label_next(known, {"old": old, "new": new}, "nDCG@2")
    assert (found.certain, found.top) == (True, 1)
    assert "up to grade 1" in str(found)
    old |= {"q0": {"x": 3.0, "b": 2.0}, "q1": {"y": 3.0, "b": 2.0}}
    low, high = (ir.label_next(known, {"old": old, "new": new}, "DCG@2", max_grade=top) for top in (1, 9))
    assert (low.certain, high.certain, high.top) == (True, False, 9)


def test_default_equivalence_moves_with_the_labels() -> None:
    """About the same is up to a twentieth of the mean: labels of documents in both lists move that, and the outcome."""
    queries = [f"q{i:02}" for i in range(100)]
    same = {query: {"a": 3.0, "b": 2.0, "c": 1.0} for query in queries}
    known = {query: {"z": 0} for query in queries} | {"q00": {"a": 0, "b": 0, "x": 1, "y": 0}}
    old, new = same | {"q00": {"a": 3.0, "b": 2.0, "x": 1.0}}, same | {"q00": {"a": 3.0, "b": 2.0, "y": 1.0}}
    first = {"a": 0, "b": 0, "c": 0}
    all_poor = known | dict.fromkeys(queries[1:], first)
    all_good = known | {query: dict.fromkeys(first, 1) for query in queries[1:]}
    asked = [ir.label_next(each, {"old": old, "new": new}, "P@3", draws=0) for each in (known, all_poor, all_good)]
    assert [one.outcome for one in asked] == [None, "CAN'T TELL", "ABOUT THE SAME"]


# Likely: what draws of the missing labels say.


def test_draws_have_the_rates_of_their_class() -> None:
    """With many labels alike in all queries, grades are drawn with the rates of the labelled documents of the class."""
    rng = np.random.default_rng(0)
    queries, rates = 200, {BOTH: [0.2, 0.3, 0.5], FIRST: [0.9, 0.1, 0.0], SECOND: [0.1, 0.1, 0.8]}
    query = np.repeat(np.arange(queries), 12)
    group = np.tile(np.repeat([BOTH, FIRST, SECOND], 4), queries)
    grade = np.array([rng.choice(3, p=rates[each]) for each in group.tolist()])
    open_query, open_group = np.repeat(np.arange(queries), 3), np.tile([BOTH, FIRST, SECOND], queries)
    at, open_at = np.ones_like(query), np.ones_like(open_query)
    model = GradeModel(queries, np.array([0.0, 1.0, 2.0]), query, group, at, grade, open_query, open_group, open_at)
    drawn = np.stack([model.draw(rng) for _ in range(100)])
    for each, expected in rates.items():
        found = [(drawn[:, open_group == each] == g).mean() for g in range(3)]
        assert found == pytest.approx(expected, abs=0.03)


def test_queries_that_differ_have_their_own_rates() -> None:
    """Where each query has one grade alone, a draw for a query has that grade; a model of one rate would mix them."""
    queries = 60
    query = np.repeat(np.arange(queries), 6)
    grade = query % 2
    none, one = np.zeros(len(query), np.int64), np.ones(queries, np.int64)
    model = GradeModel(queries, np.array([0.0, 1.0]), query, none, none + 1, grade, np.arange(queries), one - 1, one)
    rng = np.random.default_rng(1)
    drawn = np.stack([model.draw(rng) for _ in range(50)])
    assert (drawn == np.arange(queries) % 2).mean() > 0.9


def test_few_labels_leave_rates_open() -> None:
    """Of one labelled document the share of a grade varies from draw to draw as if little was known."""
    one = np.zeros(1, np.int64)
    many = np.zeros(400, np.int64)
    model = GradeModel(1, np.array([0.0, 1.0]), one, one, one + 1, one, many, many, many + 1)
    rng = np.random.default_rng(2)
    shares = [model.draw(rng).mean() for _ in range(200)]
    assert np.std(shares) > 0.1
    assert max(shares) > 0.5


def test_ranks_have_their_own_rates() -> None:
    """Where grades fall with the rank, those drawn fall, too; where no deep document has a label, little is known."""
    queries, ranks = 60, np.arange(1, 11)
    query, rank = np.repeat(np.arange(queries), 10), np.tile(ranks, queries)
    zero, grade = np.zeros(len(query), np.int64), (rank <= 3).astype(np.int64)
    rng = np.random.default_rng(3)

    def means(labelled: Any, at: int) -> list[float]:
        open_query = np.arange(queries)
        of_all = zero[:queries]
        model = GradeModel(
            queries, np.array([0.0, 1.0]), query[labelled], zero[labelled], rank[labelled], grade[labelled],
            open_query, of_all, of_all + at,
        )  # fmt: skip
        return [float(model.draw(rng).mean()) for _ in range(100)]

    assert np.mean(means(rank > 0, 2)) > 0.9
    assert np.mean(means(rank > 0, 8)) < 0.1
    assert np.std(means(rank > 0, 8)) < 0.05
    assert np.std(means(rank <= 3, 8)) > 0.05


def test_draws_do_not_depend_on_the_order_of_rows() -> None:
    """The same labels and results in another order agree as often."""
    truth = {f"q{i:02}": {f"d{j}": (i * j) % 3 for j in range(8)} for i in range(20)}
    known = {query: dict(list(of.items())[:3]) for query, of in truth.items()}
    old = {query: {doc: float(place) for place, doc in enumerate(of)} for query, of in truth.items()}
    new = {query: {doc: float(-place) for place, doc in enumerate(of)} for query, of in truth.items()}
    first = ir.label_next(known, {"old": old, "new": new}, "nDCG@5", seed=4)
    again = ir.label_next(
        dict(reversed(known.items())),
        {"old": dict(reversed(old.items())), "new": dict(reversed(new.items()))}, "nDCG@5", seed=4,
    )  # fmt: skip
    assert (first.agree, first.outcome, docs(first)) == (again.agree, again.outcome, docs(again))


def test_less_than_a_tenth_labelled_is_never_likely() -> None:
    """However well draws agree, nothing is likely before 10 % of the documents have a label."""
    queries = [f"q{i:02}" for i in range(40)]
    old = {query: {f"a{j}": float(-j) for j in range(10)} for query in queries}
    new = {query: {f"b{j}": float(-j) for j in range(10)} for query in queries}
    few = {query: {"a0": 0, "b0": 3} for query in queries}
    found = ir.label_next({q: few[q] for q in queries}, {"old": old, "new": new}, "nDCG@10")
    assert (found.labelled, found.left, found.likely) == (80, 720, True)
    less = {query: ({"a0": 0, "b0": 3} if place < 39 else {"a0": 0}) for place, query in enumerate(queries)}
    found = ir.label_next(less, {"old": old, "new": new}, "nDCG@10")
    assert found.agree > 0.95
    assert found.likely is False
    assert "At least 10% of them must be labelled" in str(found)


@pytest.mark.parametrize("measure", ["AP@10", "RR@10", "nDCG"])
def test_other_measures_are_not_likely_and_say_why(measure: str) -> None:
    """Where the rank of a document changes what its grade counts, or there is no cutoff, no labels are drawn."""
    found = next_of(measure)
    assert found.likely is None or found.certain
    assert found.likelihood.outcome == ""
    assert "draw" in found.likelihood.why or "no cutoff" in found.likelihood.why


@pytest.mark.heavy
def test_stopping_is_seldom_wrong() -> None:
    """A part of the simulation whose error is printed: at 95 % at most 7 % of the stops are wrong."""
    many = costly(6)
    found = [stop(seed, looks=40) for seed in range(100_000, 100_000 + many)]
    wrong = sum(one.outcome != one.truth for one in found)
    # 7 % and three standard errors: a handful of comparisons says no more.
    assert wrong / many <= 0.07 + 3 * (0.07 * 0.93 / many) ** 0.5
    assert not any({one.outcome, one.truth} == {"SHIP", "DON'T"} for one in found)
    assert np.mean([one.labelled for one in found]) < 0.7


@pytest.mark.heavy
def test_stopping_is_seldom_wrong_where_deep_documents_are_unlike_the_first() -> None:
    """One system is better in the first ranks, which are labelled first, and the other below: that is found out."""
    many = costly(4)
    found = [stop(seed, draw_world=crossing, looks=40) for seed in range(100_000, 100_000 + many)]
    wrong = sum(one.outcome != one.truth for one in found)
    assert wrong / many <= 0.07 + 3 * (0.07 * 0.93 / many) ** 0.5


@pytest.mark.parametrize("measured", [ERROR_MEASURED, ERROR_DECIDED, ERROR_CROSSING])
def test_printed_errors_have_the_interval_of_clopper_and_pearson(measured: MeasuredError) -> None:
    """The ends are those of the counts, to a hundredth of a per cent."""
    wrong, stops = measured.wrong, measured.stops
    assert measured.low == pytest.approx(beta.ppf(0.025, wrong, stops - wrong + 1) if wrong else 0.0, abs=5e-5)
    assert measured.high == pytest.approx(beta.ppf(0.975, wrong + 1, stops - wrong), abs=5e-5)


def test_the_printed_error_is_within_the_promise() -> None:
    """What is printed beside likely is at most 7 %, chance included; the sentence and the page have the same counts."""
    assert ERROR_MEASURED.high <= 0.07
    assert "of 54 simulated stops at 95%, with a look after every label, 0 were wrong" in describe_measured_error()
    page = (ROOT / "docs" / "label-next.md").read_text(encoding="utf-8")
    for name, measured in (("54 of 25", ERROR_MEASURED), ("13 of these", ERROR_DECIDED), ("60 in", ERROR_CROSSING)):
        ends = f"{100 * measured.low:.1f} to {100 * measured.high:.1f}"
        assert re.search(rf"\| {name} .*\| {measured.wrong} \({ends} %\) \|", page), name


# What is refused.


def test_refusals() -> None:
    """Three systems, an unknown order, and a measure that is not of whole documents."""
    with pytest.raises(ir.UsageError, match=r"3 systems: .* Name two, the baseline first: system=\['a', 'b'\]"):
        ir.label_next(KNOWN, {"a": OLD, "b": NEW, "c": OLD})
    with pytest.raises(ir.UsageError, match=r"One system, a: .* Give the results of another, the baseline first\."):
        ir.label_next(KNOWN, {"a": OLD})
    with pytest.raises(ir.UsageError, match="order"):
        next_of(order="best")
    with pytest.raises(ir.UsageError, match="rows"):
        next_of(rows=0)
    with pytest.raises(ir.UsageError, match="No keyword or decision called 'nonsense'"):
        ir.label_next(KNOWN, {"a": OLD, "b": NEW}, nonsense=1)


# The command.

LAST = ("order", "chosen for")


def shop(*words: str, cwd: Path) -> Any:
    """Run the command on the shop."""
    return run("label-next", *(str(SHOP / f"{name}.csv") for name in ("judgments", "bm25", "hybrid")), *words, cwd=cwd)


def test_command_writes_a_file_that_comes_back(tmp_path: Path) -> None:
    """The file has titles and texts; filled in, it is read as judgments, and rows without a grade are left out."""
    more = ("--documents", str(SHOP / "products.csv"), "--queries-table", str(SHOP / "queries.csv"))
    done = shop(*more, "-o", "next.csv", cwd=tmp_path)
    assert done.code == 0
    assert "402 of the 511 documents" in done.err
    with open(tmp_path / "next.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["query", "text", "doc", "title", "baseline rank", "rank", "weight", "grade", *LAST]
    assert {row["grade"] for row in rows} == {""}
    for place, row in enumerate(rows[:30]):
        row["grade"] = str(place % 4)
    with open(tmp_path / "filled.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    pool = ir.read_judgments(tmp_path / "filled.csv").pool("median", "error")
    assert (len(pool.grade), pool.ungraded) == (30, 70)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_grades_that_people_filled_in_are_not_written_over(tmp_path: Path, delimiter: str) -> None:
    """A list without grades is replaced; one with some, in a form that spreadsheets save, is left as it is."""
    assert shop("-o", "next.csv", cwd=tmp_path).code == 0
    assert shop("-o", "next.csv", cwd=tmp_path).code == 0
    with open(tmp_path / "next.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[7]["grade"], rows[9]["grade"] = "2", "cannot tell"
    with open(tmp_path / "next.csv", "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    before = (tmp_path / "next.csv").read_bytes()
    refused = shop("-o", "next.csv", cwd=tmp_path)
    assert refused.code == 2
    assert "-o next.csv: people filled in 2 grades there." in refused.err
    assert (tmp_path / "next.csv").read_bytes() == before


def test_command_says_whether_to_stop(tmp_path: Path) -> None:
    """Text says what is left and whether to stop; -q leaves the documents out; JSON has everything."""
    text = shop(cwd=tmp_path).out
    assert text.startswith("queries    41 queries count. bm25 returned nothing for 1 query (q19)")
    assert "Left out: 1 query without a label (q42)." in " ".join(text.split())
    assert "labels     402 of the 511 documents" in text
    assert "P1070" in text
    quiet = shop("-q", cwd=tmp_path).out
    assert "P1070" not in quiet
    found = json.loads(shop("--json", "--rows", "3", cwd=tmp_path).out)
    assert (found["left"], len(found["rows"]), found["certain"]) == (109, 3, False)


def test_strict_ends_with_4_where_nothing_is_likely(tmp_path: Path) -> None:
    """Without --strict more to label is no failure; with it a build stops."""
    assert shop("-m", "AP@10", "-q", cwd=tmp_path).code == 0
    assert shop("-m", "AP@10", "-q", "--strict", cwd=tmp_path).code == 4
    assert shop("-m", "RR@10", "-q", "--strict", cwd=tmp_path).code == 0


def test_labels_of_two_systems_are_no_guide_to_a_third() -> None:
    """Two systems' pool is labelled, a third returns other documents: nothing is likely until some of these are."""
    queries = [f"q{i}" for i in range(40)]
    good = {q: {f"a{i}": 10.0 - i for i in range(10)} for q in queries}
    other = {q: {"a9": 11.0} | {f"c{i}": 10.0 - i for i in range(9)} for q in queries}
    labels = {q: {f"a{i}": i % 4 for i in range(10)} for q in queries}
    found = ir.label_next(labels, {"old": good, "third": other}, "nDCG@10")
    assert found.labelled_share > 0.5
    assert found.alone == (1.0, 0.0)
    assert not found.likely
    assert "At least 10% of those that only third returned must be labelled" in str(found)


def test_labels_that_were_chosen_for_others_make_nothing_likely() -> None:
    """The judgments say for whom: what they make likely of another system was never measured."""
    rows = [
        {"query": f"q{i}", "doc": f"{side}{d}", "grade": d % 3, "chosen for": "bm25 vs hybrid"}
        for i in range(30)
        for side in "ab"
        for d in range(3)
    ]
    systems = {name: {f"q{i}": {f"{side}{d}": 9.0 - d for d in range(9)} for i in range(30)}
               for name, side in (("bm25", "a"), ("new", "b"))}  # fmt: skip
    found = ir.label_next(rows, systems, "nDCG@5")
    assert found.likely is None
    assert "labels were chosen to decide between bm25 and hybrid, other systems than these" in str(found)


def test_the_error_is_said_for_the_order_it_was_measured_in() -> None:
    """Of other orders nothing is known."""
    queries = [f"q{i}" for i in range(40)]
    old = {q: {f"a{i}": 10.0 - i for i in range(10)} for q in queries}
    new = {q: {f"b{i}": 10.0 - i for i in range(10)} for q in queries}
    few = {q: {"a0": 0, "b0": 3, "a1": 0, "b1": 3} for q in queries}
    weight = ir.label_next(few, {"old": old, "new": new}, "nDCG@10")
    pool = ir.label_next(few, {"old": old, "new": new}, "nDCG@10", order="pool")
    assert weight.likely
    assert pool.likely
    assert weight.error_measured == ERROR_MEASURED.high
    assert f"draws of the missing labels; {describe_measured_error()}." in str(weight)
    assert pool.error_measured is None
    assert "measured in the order weight, and not for pool" in str(pool)


def _alike_systems(queries: int, labelled: float, seed: int) -> tuple[Any, dict[str, Any]]:
    """Return judgments and two systems that are equally good; all of the first ten of one have labels."""
    rng = np.random.default_rng(seed)
    docs, judgments, old, new = [f"d{i}" for i in range(20)], {}, {}, {}
    for q in range(queries):
        truth = rng.choice(4, 20, p=[0.5, 0.2, 0.2, 0.1])
        first, second = (truth * 0.5 + rng.normal(0, 1, 20) for _ in range(2))
        known = {*np.argsort(-first)[:10].tolist(), *np.flatnonzero(rng.random(20) < labelled).tolist()}
        judgments[f"q{q}"] = {docs[i]: int(truth[i]) for i in sorted(known)}
        old[f"q{q}"], new[f"q{q}"] = (dict(zip(docs, side.tolist(), strict=True)) for side in (first, second))
    return judgments, {"old": old, "new": new}


@pytest.mark.parametrize(
    ("labelled", "seed", "certain", "said"),
    [
        (0.6, 1, False, "compare is more careful: with the {left} documents without a label it may say CAN'T TELL, and "
                        "ask to judge them."),
        (0.9, 0, True, "compare still lists the {left} documents without a label as unjudged: their labels may change "
                       "its numbers, but not this outcome."),
    ],
)  # fmt: skip
def test_stopping_says_what_compare_asks_for(labelled: float, seed: int, certain: bool, said: str) -> None:
    """Where labelling may stop, compare may ask for labels all the same: it is said what they would change."""
    judgments, systems = _alike_systems(60, labelled, seed)
    found = ir.label_next(judgments, systems, draws=100)
    verdict = ir.compare(judgments, systems, ["nDCG@10"]).verdict
    assert (found.certain, found.likely, found.outcome) == (certain, True, "CAN'T TELL")
    assert any(f"Judge the {found.left} unjudged results" in step for step in verdict.steps)
    assert said.format(left=found.left) in " ".join(str(found).split())
    assert dict(found.lines)["stop?"].endswith(said.format(left=found.left))
