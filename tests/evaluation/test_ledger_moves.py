"""What would move a mean: said where another answer moves it by more than 0.0005, with the right number."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.evaluation.ledger.ledger import Ledger
from idealrank.evaluation.ledger.sensitivity import NOTABLE, PRINTED
from tests.evaluation.worlds import JUDGMENTS, RANDOMLY, RESULTS, Nested, several, worlds
from tests.oracles.data import random_data

MEASURES = ["nDCG@3", "P@2", "R@3", "RR", "AP", "NumRelRet"]
Moved = dict[tuple[str, str], dict[str, tuple[float, float]]]


def moved(ledger: Ledger, system: str | None = None) -> Moved:
    """Return the moves: (decision, answer) to measure to (mean, mean under the answer)."""
    return {
        (move.decision, move.answer): {measure: (mean, other) for measure, mean, other in move.means}
        for move in ledger.moves
        if system in (None, move.system)
    }


def means(judgments: Any, results: Any, system: str | None = None, **options: Any) -> dict[str, float]:
    """Return the mean of each measure, as one evaluation gives it."""
    scores = ir.evaluate(judgments, results, MEASURES, system=system, **options)
    return {name: scores[name] for name in MEASURES}


def check(judgments: Any, results: Any, decision: str, answer: str, least: float = NOTABLE, **options: Any) -> None:
    """Check that just the means that move by more than `least` under the answer are told, with what they become."""
    scores = ir.evaluate(judgments, results, MEASURES, **options)
    told = moved(scores.ledger).get((decision, answer), {})
    plain, other = means(judgments, results, **options), means(judgments, results, **{**options, decision: answer})
    expected = {
        name: (plain[name], other[name])
        for name in MEASURES
        if name != "NumRelRet" and abs(other[name] - plain[name]) > least
    }
    assert told == pytest.approx(expected) if not expected else told.keys() == expected.keys()
    for name, pair in expected.items():
        assert told[name] == pytest.approx(pair, abs=1e-12)


ANSWERS = [
    ("no_results", {"0": "skip", "skip": "0"}),
    ("no_judgments", {"skip": "0", "0": "skip"}),
    ("unjudged", {"zero": "filter", "filter": "zero"}),
    ("ties", {None: "worst"}),
    ("ties", {None: "best"}),
]


@RANDOMLY
@given(
    worlds(),
    st.sampled_from(ANSWERS),
    st.fixed_dictionaries(
        {},
        optional={
            "no_results": st.sampled_from(["0", "skip"]),
            "no_judgments": st.sampled_from(["0", "skip"]),
            "unjudged": st.sampled_from(["zero", "filter"]),
            "average": st.sampled_from(["arithmetic", "median"]),
            "only": st.just(["q0", "q1", "q2"]),
        },
    ),
)
def test_moves_are_what_evaluate_gives(
    world: tuple[Nested, Nested], case: tuple[str, dict[str | None, str]], options: dict[str, Any]
) -> None:
    """On random data a move is told exactly where evaluate under that answer differs, with its number."""
    decision, others = case
    answer = others.get(None) or others[options.get(decision, next(iter(others)))]
    check(*world, decision, answer, **options)


@RANDOMLY
@given(worlds(), st.randoms())
def test_the_mean_under_the_other_order(world: tuple[Nested, Nested], rng: Any) -> None:
    """Where rank and score disagree, the means under the other order are those evaluate gives."""
    judgments, results = world
    rows = [(q, doc, score) for q, row in results.items() for doc, score in row.items()]
    table = {
        "query": [row[0] for row in rows],
        "doc": [row[1] for row in rows],
        "score": [row[2] for row in rows],
        "rank": [rng.randint(1, 9) for _ in rows],
    }
    for order, other in (("rank", "score"), ("score", "rank")):
        facts = ir.evaluate(judgments, table, MEASURES, order_by=order).ledger.facts
        disagreeing = any("rank and score disagree" in fact.text for fact in facts)
        check(judgments, table, "order_by", other, PRINTED if disagreeing else NOTABLE, order_by=order)


@RANDOMLY
@given(worlds())
def test_the_mean_under_positive(world: tuple[Nested, Nested]) -> None:
    """Where grades above 0 lie below relevant_from, the means under `positive` are those evaluate gives."""
    check(*world, "relevant_from", "positive", PRINTED)


def test_each_measure_flips_its_own_answer() -> None:
    """A measure that filters is told what it would be with zero, one that does not with filter."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG(unjudged=filter)", "nDCG"])
    found = moved(scores.ledger)
    filtering, plain = scores["nDCG(unjudged=filter)"], scores["nDCG"]
    assert found["unjudged", "zero"] == {"nDCG(unjudged=filter)": (filtering, pytest.approx(plain))}
    assert found["unjudged", "filter"] == {"nDCG": (plain, pytest.approx(filtering))}


def test_each_system_has_its_own_moves() -> None:
    """The moves of one system among several are those it has alone."""
    judgments, table = JUDGMENTS, several(RESULTS)
    both = ir.evaluate(judgments, table, MEASURES).ledger
    for system in ("up", "down"):
        alone = ir.evaluate(judgments, table, MEASURES, system=system).ledger
        assert moved(both, system) == moved(alone)


def test_a_move_by_exactly_the_limit_is_not_told() -> None:
    """A mean that moves by 0.0005 is not told, one that moves by a little more is."""
    judgments = {str(i): {"d": 1.0} for i in range(2000)}
    everywhere = {key: {"d": 1.0} for key in judgments}

    def told(missing: int) -> bool:
        results = dict(list(everywhere.items())[missing:])
        return ("no_results", "skip") in moved(ir.evaluate(judgments, results, ["RR"]).ledger)

    assert not told(1)  # 1999/2000 against 1 is 0.0005
    assert told(2)


def test_ties_that_move_nothing_are_not_told() -> None:
    """Tied results of equal grade do not move a mean; they are counted all the same."""
    ledger = ir.evaluate({"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 1.0, "b": 1.0}}, ["RR", "nDCG"]).ledger
    assert ledger.moves == ()
    assert ledger.systems[0].counts["tied results"] == 2


def test_sums_are_not_told() -> None:
    """A total such as NumRelRet is no mean and has no move."""
    assert ir.evaluate(JUDGMENTS, RESULTS, ["NumRet", "NumRelRet"], unjudged="zero").ledger.moves == ()


def test_notes_tell_the_cause_and_both_means() -> None:
    """A note says what the cause is, which answer would change the mean, from what to what."""
    notes = ir.evaluate(JUDGMENTS, RESULTS, ["RR"]).ledger.notes
    assert notes == (
        "1 query without results; with no_results=skip: RR 0.5000 → 0.7500",
        "1 query without judgments; with no_judgments=0: RR 0.5000 → 0.3750",
        "2 unjudged results; with unjudged=filter: RR 0.5000 → 0.6667",
    )


def test_notes_of_several_systems_name_the_system() -> None:
    """Beside another system each note begins with its system's name."""
    notes = ir.evaluate(JUDGMENTS, several(RESULTS), ["RR"]).ledger.notes
    assert "up: 1 query without results; with no_results=skip: RR 0.5000 → 0.7500" in notes
    assert "down: 1 query without results; with no_results=skip: RR 0.6667 → 1.0000" in notes


def test_the_tie_of_the_notebook() -> None:
    """P@10 is 0.3 by rank and 0.2 by score, three documents being tied at ranks 9 to 11; the ledger says so (B083)."""
    docs = ["a", "b", *(f"x{i}" for i in range(6)), "c", "y", "z", "w"]
    scores = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 1.0, 1.0, 0.5]
    table = {"query": ["14"] * 12, "doc": docs, "rank": list(range(1, 13)), "score": scores}
    judgments = {"14": {doc: float(doc in "abc") for doc in docs}}
    ledger = ir.evaluate(judgments, table, ["P@10"]).ledger
    assert moved(ledger) == {("order_by", "score"): {"P@10": (0.3, 0.2)}}
    assert ledger.notes == ("3 results tied by score; with order_by=score: P@10 0.3000 → 0.2000",)
    by_score = ir.evaluate(judgments, table, ["P@10"], order_by="score").ledger
    assert moved(by_score) == {("order_by", "rank"): {"P@10": (0.2, 0.3)}, ("ties", "best"): {"P@10": (0.2, 0.3)}}


def test_ties_are_those_of_the_measure() -> None:
    """A measure that is ordered by another column than the others has its own ties and its own moves."""
    table = {"query": ["a"] * 3, "doc": ["x", "y", "z"], "score": [1.0, 1.0, 1.0], "rank": [1, 2, 3]}
    judgments = {"a": {"x": 3, "y": 0, "z": 1}}
    own = moved(ir.evaluate(judgments, table, ["nDCG(order_by=score)@2", "RR"]).ledger)
    assert own["ties", "worst"] == {"nDCG(order_by=score)@2": moved_by_call(judgments, table)}


def moved_by_call(judgments: Any, table: Any) -> tuple[float, float]:
    """Return the mean, and that with the worst first, where the order is that of the whole call."""
    whole = ir.evaluate(judgments, table, ["nDCG@2"], order_by="score")
    return moved(whole.ledger)["ties", "worst"]["nDCG@2"]


def test_to_be_judged_is_better() -> None:
    """Among tied results of grade 0 the judged come first in the best order and last in the worst."""
    judgments, results = {"q": {"j": 0, "r": 1}}, {"q": {"j": 1.0, "u": 1.0, "v": 1.0}}
    found = [ir.evaluate(judgments, results, ["Judged@1"], ties=ties)["Judged@1"] for ties in ("best", "worst")]
    assert found == [1.0, 0.0]
    assert moved(ir.evaluate(judgments, results, ["Judged@1"], ties="worst").ledger)["ties", "best"]


@pytest.mark.parametrize(
    "decisions", [{}, {"recall_denominator": "hits", "ap_denominator": "hits"}, {"ideal": "local"}]
)
def test_moves_are_what_another_call_gives(decisions: dict[str, str]) -> None:
    """Every mean under another answer is the one an evaluation under that answer gives."""
    data = random_data(5, (0, 1, 3), queries=30, depth=12)
    ledger = ir.evaluate(data.judgments, data.results, MEASURES, **decisions).ledger
    told = {answer: found for answer, found in moved(ledger).items() if answer[0] in ("ties", "unjudged")}
    assert ("ties", "worst") in told
    for (decision, answer), found in told.items():
        other = ir.evaluate(data.judgments, data.results, MEASURES, **{**decisions, decision: answer})
        before = ir.evaluate(data.judgments, data.results, MEASURES, **decisions)
        for place, label in enumerate(before.labels):
            mean, new = before[label], other.all_means[0][place]
            counted = before.measures[place].definition.total == "sum"
            assert (label in found) == (abs(new - mean) > NOTABLE and not counted), f"{label} under {decision}={answer}"
            if label in found:
                assert found[label] == (mean, new)
