"""What unjudged documents do to a verdict: it stands, it is turned by so many, or nobody can tell."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import idealrank as ir
from idealrank.comparison.unjudged import estimate, holes as holes_module
from idealrank.comparison.unjudged.bounds import ratios
from idealrank.comparison.unjudged.holes import MeasureUnjudged, holes as find_holes
from tests.amounts import costly
from tests.comparison.worlds import random_world


def world(queries: int, holes: int) -> tuple[dict, dict]:
    """Return judgments and two systems: test finds the relevant document first, control second.

    In the first `holes` queries the first result of control is unjudged, in the others judged 0.
    """
    judgments = {f"q{i:03}": {"d": 1, "other": 1, **({} if i < holes else {"x": 0})} for i in range(queries)}
    control = {q: {"x": 2.0, "d": 1.0} for q in judgments}
    test = {q: {"d": 2.0, "y": 1.0} for q in judgments}
    for grades in judgments.values():
        grades["y"] = 0
    return judgments, {"control": control, "test": test}


def test_stands_whatever_the_holes_hold() -> None:
    """Two holes in twenty queries cannot turn a gain in all of them; the sentence says so."""
    found = ir.compare(*world(20, 2), ["RR"])
    assert found.verdict.outcome == "SHIP"
    assert found.verdict.holes.endswith("it is SHIP regardless")
    low, high = found.holes[0, 1].first.low, found.holes[0, 1].first.high
    assert (low, high) == pytest.approx((0.5 * 18 / 20, 0.5))


def test_so_many_would_turn_it() -> None:
    """With holes in half the queries, relevant ones in some would turn the verdict: judging so many relevant does."""
    judgments, runs = world(200, 115)
    found = ir.compare(judgments, runs, ["RR"], margin=0.2)
    assert found.verdict.outcome == "SHIP"
    turning = found.holes[0, 1].turning
    assert turning is not None
    assert f"{turning} that are relevant are enough to make it CAN'T TELL" in found.verdict.holes

    def judged(relevant: int) -> str:
        grades = {q: {**g, "x": int(i < relevant)} for i, (q, g) in enumerate(judgments.items())}
        return ir.compare(grades, runs, ["RR"], margin=0.2).verdict.outcome

    assert judged(turning) != "SHIP"
    assert judged(turning - 1) == "SHIP"


def test_worst_case_decides() -> None:
    """Under holes=worst_case a verdict that holes could turn is CAN'T TELL, and the holes are what to judge."""
    found = ir.compare(*world(20, 20), ["RR"], holes="worst_case")
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.settle.startswith("Judge the 20 unjudged results")
    assert ir.compare(*world(20, 2), ["RR"], holes="worst_case").verdict.outcome == "SHIP"


def test_estimate_changes_the_verdict() -> None:
    """A gain over unjudged first results, where all judged first results are relevant, is no gain by estimate."""
    judgments = {f"q{i:03}": {"a": 1, "b": 1, "c": 0} for i in range(40)}
    control = {q: {("a" if i < 20 else "u"): 2.0, "b": 1.0} for i, q in enumerate(judgments)}
    test = {q: {"a": 2.0, "b": 1.0} for q in judgments}
    found = ir.compare(judgments, {"control": control, "test": test}, ["P@1"])
    assert found["P@1"].gain.low > 0
    assert found.verdict.outcome == "CAN'T TELL"
    assert "with estimated grades of the unjudged results" in found.verdict.reason
    assert found.verdict.settle.startswith("Judge the 20 unjudged results")


def test_unseen_documents_count() -> None:
    """Relevant documents nobody returned widen what the holes allow of nDCG, and nothing of P."""
    judgments, runs = random_world(3, holes=0.3)
    spans = {}
    for unseen in (0, 2):
        found = ir.compare(judgments, runs, ["nDCG@5", "P@5"], unseen=unseen)
        spans[unseen] = [(r.low, r.high) for r in found.holes[0, 1].ranges]
    assert spans[2][0][0] <= spans[0][0][0] <= spans[0][0][1] <= spans[2][0][1]
    assert spans[2][1] == spans[0][1]
    assert spans[2][0] != spans[0][0]


def test_unknown_bounds_are_said() -> None:
    """Under a measure without bounds the verdict says why there are none."""
    judgments, runs = random_world(3, holes=0.3)
    found = ir.compare(judgments, runs, ["bpref"])
    assert "no bounds known" in found.verdict.holes
    assert found.differences["bounds"] == ["unknown"]


def test_identical_systems_with_holes() -> None:
    """Two systems that are one are about the same regardless of their unjudged results."""
    judgments, runs = random_world(3, holes=0.5)
    found = ir.compare(judgments, {"a": runs["s0"], "b": runs["s0"]}, ["nDCG@5", "RR"])
    assert found.verdict.outcome == "ABOUT THE SAME"
    assert [(r.low, r.high) for r in found.holes[0, 1].ranges] == [(0.0, 0.0)] * 2


def test_to_judge_names_what_moves_most() -> None:
    """The first hole to judge is the one whose label, put into the judgments, moves the mean difference most."""
    judgments, runs = random_world(11, queries=12, holes=0.4)
    found = ir.compare(judgments, runs, ["nDCG@5"])
    table = found.to_judge(1000)
    before = found["nDCG@5"].difference
    rows = list(table)
    assert abs(rows[0]["move"]) == max(abs(row["move"]) for row in rows)
    for row in rows[:5]:
        labelled = {**judgments, row["query"]: {**judgments[row["query"]], row["document"]: 3}}
        again = ir.compare(labelled, runs, ["nDCG@5"])["nDCG@5"].difference
        assert again - before == pytest.approx(row["move"], abs=1e-12)
        run = sorted(runs["s1"][row["query"]].items(), key=lambda item: -item[1])
        place = [doc for doc, _ in run].index(row["document"]) + 1 if row["document"] in dict(run) else None
        assert row["rank"] == place or (place is None and row["rank"] != row["rank"])
    assert found.to_judge(2)["document"] == table["document"][:2]


def test_a_guardrail_without_bounds_may_be_turned() -> None:
    """Where a guardrail has holes and no bounds, nothing stands whatever they hold."""
    judgments = {f"q{i:02}": {"r": 1, **{f"z{j}": 0 for j in range(5)}} for i in range(12)}
    control = {q: {d: -p for p, d in enumerate(["z0", "h0", "h1", "h2"])} for q in judgments}
    test = {q: {d: -p for p, d in enumerate(["r", "z1", "z2", "z3"])} for q in judgments}
    systems = {"control": control, "test": test}
    assert "regardless" not in ir.compare(judgments, systems, ["P@1", "Bpref"]).verdict.sentence
    worst = ir.compare(judgments, systems, ["P@1", "Bpref"], holes="worst_case").verdict
    assert worst.outcome == "CAN'T TELL"
    assert "Judge the 36 unjudged results" in worst.settle


def test_stands_means_every_filling() -> None:
    """Where a verdict is said to stand, it is the same however the holes of random worlds are labelled."""
    rng, stood = random.Random(3), 0
    for seed in range(costly(60, 15)):
        judgments, runs = random_world(seed, queries=25, holes=0.05)
        better = {q: {d: judgments[q].get(d, 0) + 2.0 * s for d, s in run.items()} for q, run in runs["s1"].items()}
        systems = {"old": runs["s0"], "new": better}
        found = ir.compare(judgments, systems, ["nDCG@5"], draws=500)
        if "regardless" not in found.verdict.sentence:
            continue
        stood += 1
        holes = find_holes(found.scores.joins, found.scores.measures[0])
        for _ in range(3):
            labelled = {q: dict(grades) for q, grades in judgments.items()}
            for q, doc in zip(holes.query, holes.document, strict=True):
                labelled[holes.queries[q]][doc] = rng.choice((0, 0, 1, 3))
            assert ir.compare(labelled, systems, ["nDCG@5"], draws=500).verdict.outcome == found.verdict.outcome
    assert stood > costly(5, 1)


def test_holes_of_other_queries_do_not_count() -> None:
    """Of queries that were not asked for, or weigh nothing, no hole is counted, and none is to be judged."""
    judgments, runs = world(20, 20)
    some = ["q003", "q004", "q005", "q006", "q007", "q008"]
    asked = ir.compare(judgments, runs, ["RR"], only=some)
    weighted = ir.compare(judgments, runs, ["RR"], weights={q: float(q in some) for q in judgments})
    for found in (asked, weighted):
        evidence = found.holes[0, 1]
        assert evidence.ranges[0].count == 6
        assert set(evidence.worst_queries) == set(some)
        assert set(found.wins(20)["query"]) == set(some)


def test_expected_documents_alone_say_nothing_of_holes() -> None:
    """Of a list of what is expected every grade is 1: holes are not estimated as relevant; a grade 0 is needed."""
    judgments = {f"q{i}": {"d": 1} for i in range(40)}
    before = {q: {"x": 2.0, "y": 1.0} for q in judgments} | {"q1": {"d": 1.0}}
    systems = {"before": before, "after": {q: {"d": 1.0} for q in judgments}}
    found = ir.compare(judgments, systems, ["Success@2"])
    assert found.verdict.outcome == "SHIP"
    assert found.holes[0, 1].estimated[0] == found["Success@2"].gain
    assert "not estimated, as all judgments have the same grade" in str(found)
    with_a_0 = ir.compare(judgments | {"q0": {"d": 1, "x": 0}}, systems, ["Success@2"])
    assert with_a_0.holes[0, 1].estimated[0] != with_a_0["Success@2"].gain


def unjudged_world(seed: int, hidden: Callable[[random.Random, str, int], bool], change: float) -> tuple[dict, dict]:
    """Return judgments of 50 queries and two systems with ten results of their own, some of them hidden."""
    draw = random.Random(seed)
    judgments: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {"old": {}, "new": {}}
    for i in range(50):
        query, share = f"q{i:02}", draw.uniform(0.3, 0.7)
        judgments[query] = {"s": 1, "t": 0}
        for name, chance in (("old", share), ("new", share + change)):
            runs[name][query] = {f"{name}{rank}": 10.0 - rank for rank in range(10)}
            for document in runs[name][query]:
                relevant = int(draw.random() < chance)
                judgments[query] |= {} if hidden(draw, name, relevant) else {document: relevant}
    return judgments, runs


def test_no_seed_and_no_order_changes_what_holes_say() -> None:
    """Six in ten results are unjudged: under six seeds, and with all rows turned round, the estimate is the same."""
    judgments, runs = unjudged_world(1, lambda draw, name, relevant: draw.random() < 0.6, 0.1)
    estimates = {ir.compare(judgments, runs, ["nDCG@10"], seed=seed).holes[0, 1].estimated for seed in range(6)}
    assert len(estimates) == 1
    turned = [{q: dict(reversed(each[q].items())) for q in reversed(each)} for each in (judgments, *runs.values())]
    other = ir.compare(turned[0], {"old": turned[1], "new": turned[2]}, ["nDCG@10"]).holes[0, 1].estimated
    assert [gain.low for gain in other] == pytest.approx([gain.low for (gain,) in estimates])


def test_how_often_relevant_the_unjudged_may_be_is_said() -> None:
    """A newcomer is worse, and half of its irrelevant results are unjudged: DON'T hangs on what these are, and is told.

    With so many as are relevant less often than said it is DON'T, as where all hidden ones are judged irrelevant.
    """
    judgments, runs = unjudged_world(
        2, lambda draw, name, relevant: name == "new" and not relevant and draw.random() < 0.5, -0.16
    )
    found = ir.compare(judgments, runs, ["nDCG@10"])
    assert found.verdict.outcome == "CAN'T TELL"
    bearable = found.holes[0, 1].bearable
    assert bearable is not None
    assert 0 < bearable < 1
    assert found.verdict.holes.endswith(
        f"It would be DON'T if those that only new returned are relevant less than {bearable:.1f} times as often as "
        "judged results at their ranks"
    )
    judged = {q: {**dict.fromkeys(runs["new"][q], 0), **grades} for q, grades in judgments.items()}
    assert ir.compare(judged, runs, ["nDCG@10"]).verdict.outcome == "DON'T"


def test_a_verdict_asks_the_holes_only_what_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grades are drawn for the deciding measure alone, and bounds of shown ones are found when a table needs them."""
    bounded, drawn = list[str](), list[str]()
    find, draw = holes_module.find_bounds, MeasureUnjudged.drawn

    def found(filling: Any, *sides: Any) -> Any:
        bounded.append(str(filling.measure))
        return find(filling, *sides)

    def made(self: MeasureUnjudged, *about: Any, **how: Any) -> Any:
        drawn.append(str(self.measure))
        return draw(self, *about, **how)

    monkeypatch.setattr(holes_module, "find_bounds", found)
    monkeypatch.setattr(MeasureUnjudged, "drawn", made)
    judged = {f"q{i}": {"a": 1, "b": 0} for i in range(8)}
    systems = {
        name: {f"q{i}": {"a": 1.0, doc: 2.0 + i} for i in range(8)} for name, doc in (("old", "x"), ("new", "b"))
    }
    compared = ir.compare(judged, systems)
    assert compared.verdict.outcome
    assert set(bounded) == set(drawn) == {"nDCG@10"}
    assert [row["bounds"] for row in compared.differences] == ["exact"] * 5
    assert set(bounded) == {"nDCG@10", "P@10", "R@100", "RR", "AP"}
    assert set(drawn) == {"nDCG@10"}


def test_what_pairs_ask_of_the_holes_is_found_once_a_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three systems, each is evaluated with every hole alone once, and the judgments are levelled once a measure."""
    alone, levelled = list[int](), list[int]()
    values, level = holes_module.values_alone, ratios.worth_levels

    def evaluated(drawn_grades: Any, *about: Any) -> Any:
        alone.append(len(drawn_grades.inputs))
        return values(drawn_grades, *about)

    def found(*about: Any) -> Any:
        levelled.append(1)
        return level(*about)

    monkeypatch.setattr(holes_module, "values_alone", evaluated)
    monkeypatch.setattr(ratios, "worth_levels", found)
    judged = {f"q{i}": {"a": 1, "b": 0} for i in range(30)}
    lists = {"old": ("b", "x", "a"), "new": ("a", "y", "b"), "third": ("z", "b", "a")}
    systems = {
        name: {f"q{i}": {doc: 9.0 - place for place, doc in enumerate(docs)} for i in range(30)}
        for name, docs in lists.items()
    }
    compared = ir.compare(judged, systems, ["nDCG@10"])
    assert len(compared.holes) == 3
    assert sum(alone) == 3
    compared.to_judge(system="third vs new")
    assert sum(alone) == 3
    assert len(levelled) == 1


def test_holes_in_turn_evaluate_fewer_and_fewer_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where few queries have many holes, the lists of the others are not evaluated again for each further hole."""
    evaluated = list[int]()
    values = estimate.FillInput.values

    def counted(self: estimate.FillInput, *about: Any) -> Any:
        evaluated.append(len(self.queries))
        return values(self, *about)

    monkeypatch.setattr(estimate.FillInput, "values", counted)
    runs = {
        name: {f"q{i}": {f"{name}{d}": 9.0 - d for d in range(8 if i == 0 else 2)} for i in range(20)}
        for name in ("a", "b")
    }
    scores = ir.evaluate({f"q{i}": {"a0": 1, "b0": 0} for i in range(20)}, runs, ["nDCG@10"])
    some = find_holes(scores.joins, scores.measures[0])
    some.alone()
    assert evaluated == [*[20] * 6, *[1] * 24]


def golden_set(queries: int) -> tuple[dict, dict]:
    """Return a golden set, which names only what is relevant; control often finds less of it than test, in short."""
    judgments = {f"q{i:03}": {"d": 1, "e": 1} for i in range(queries)}
    lists = ({"x": 3.0, "d": 2.0, "y": 1.0}, {"d": 3.0, "z": 2.0, "e": 1.0})
    control = {q: lists[0] if i % 3 else lists[1] for i, q in enumerate(judgments)}
    test = {q: lists[1] if i % 3 else lists[0] for i, q in enumerate(judgments)}
    return judgments, {"control": control, "test": test}


def test_a_complete_golden_set_leaves_nothing_in_doubt() -> None:
    """What was not judged counts as grade 0, no verdict doubts it, and the verdict says what it assumes."""
    judgments, runs = golden_set(60)
    doubtful = ir.compare(judgments, runs, ["P@3"], holes="worst_case").verdict
    assert doubtful.headline == "Too little was judged to tell whether test is better"
    assert "--unjudged complete" in doubtful.steps[-1]
    found = ir.compare(judgments, runs, ["P@3"], holes="worst_case", unjudged="complete")
    assert found.scores["P@3", "test"] == ir.evaluate(judgments, runs, ["P@3"])["P@3", "test"]
    assert found.verdict.outcome == "SHIP"
    assert "unjudged" not in " ".join(found.verdict.steps)
    assert (found.verdict.unjudged, found.verdict.holes) == ("", "")
    assumed = "This assumes that everything not judged is not relevant (unjudged=complete)"
    assert assumed in found.verdict.assumption
    assert assumed in found.verdict.sentence
    assert assumed in str(ir.report(found).to_markdown())
    judged = {query: {**grades, "x": 0} for query, grades in judgments.items()}
    partly = ir.compare(judged, runs, ["P@3"], holes="worst_case").verdict
    assert "complete" not in " ".join(partly.steps)
