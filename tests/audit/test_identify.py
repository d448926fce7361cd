"""identify: the conventions under which a printed number comes out."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import idealrank as ir
from idealrank.audit.candidate_settings import EqualAnswers, NearbySettings
from idealrank.audit.identify import Match
from idealrank.audit.printed_values import Printed
from idealrank.conventions import CONVENTIONS
from idealrank.decisions.decisions import DEFAULT
from idealrank.evaluation.joins import SystemUnderTest as OneSystem
from idealrank.judged_lists.join import Join
from idealrank.measures.definition import Measure
from tests.amounts import costly
from tests.oracles.data import Data, random_data

GRADES = {"d1": 2, "d2": 3, "d3": 0, "d4": 1, "d5": 3, "d6": 2, "d7": 3, "d8": 2, "d9": 2, "d10": 1, "d11": 1,
          "d12": 3, "d13": 1}  # fmt: skip
RANKING = ["d1", "u1", "d2", "d3", "d4", "u2", "d5", "d6"]
ONE = ir.from_ranking(RANKING, GRADES)


@pytest.mark.parametrize(
    ("printed", "convention"),
    [("0.4990", "trec_eval-10.0"), ("0.4373", "quepid"), ("0.45", "opensearch"), ("0.3369", "cheat-at-search")],
)
def test_a_number_is_traced(printed: str, convention: str) -> None:
    """The convention that printed the number is among the nearest matches, without a departure."""
    found = ir.identify(*ONE, {"nDCG@10": printed}, departures=1)
    nearest = [match.text for group in found.classes for match in group if not match.departures]
    assert convention in nearest


def test_more_numbers_leave_fewer_classes() -> None:
    """A second number under the same setting rules classes out, never the truth."""
    truth = ir.evaluate(*ONE, ["nDCG@10", "P@10"], convention="quepid")
    numbers = {name: f"{truth[name]:.4f}" for name in ("nDCG@10", "P@10")}
    one = ir.identify(*ONE, {"nDCG@10": numbers["nDCG@10"]}, departures=1)
    both = ir.identify(*ONE, numbers, departures=1)
    assert len(both.classes) <= len(one.classes)
    assert "quepid" in [match.text for match in both.classes[0]]


def test_nothing_gives_a_made_up_number() -> None:
    """A number that no setting gives is answered so, with how many were tried."""
    found = ir.identify(*ONE, {"nDCG@10": "0.9999"}, departures=1)
    assert (found.classes, found.identified) == ((), False)
    assert "no setting near a convention" in found.text


def test_printed_digits_count() -> None:
    """A value matches that rounds to the digits, or is cut off to them."""
    assert Printed("AP", "0.437").matches(0.43749)
    assert Printed("AP", "0.437").matches(0.4379)
    assert Printed("AP", "0.437").matches(0.4366)
    assert not Printed("AP", "0.437").matches(0.4381)
    assert not Printed("AP", "0.4370").matches(0.43749)


MEASURES = ["nDCG@5", "nDCG@10", "P@5", "AP", "RR", "R@5", "ERR@5", "DCG@5"]
SCALES = [(0, 1, 2, 3), (-1, 0, 1, 2), (0, 0.5, 1, 2.5), (-2, 0, 0.3, 1, 4)]


def supported(convention: str) -> list[str]:
    """Return the measures that a convention has."""
    known = CONVENTIONS[convention].measures
    return [name for name in MEASURES if known is None or name.partition("@")[0] in known]


@pytest.mark.parametrize("convention", [name for name in CONVENTIONS if supported(name)])
def test_the_truth_is_among_the_matches(convention: str) -> None:
    """The convention that made a number is among what gives it, with ties, holes, and queries missing both ways."""
    rng, found = random.Random(convention), 0
    needed = {"order_by": "score"} if CONVENTIONS[convention].decisions.order_by == "rank" else {}
    while found < costly(4):
        measure = rng.choice(supported(convention))
        data = random_data(rng.randrange(10**6), rng.choice(SCALES), queries=rng.choice([3, 8, 15]), depth=10)
        try:
            truth = ir.evaluate(*data, [measure], convention=convention, **needed)
        except (ir.UsageError, ir.DataError):
            continue
        if math.isnan(mean := truth[measure]):
            continue
        printed = {measure: f"{mean:.{rng.choice([2, 3, 4, 6])}f}"}
        classes = ir.identify(*data, printed, departures=1).classes
        assert any(same(truth, data, measure, group[0]) for group in classes)
        found += 1


def same(truth: ir.Scores, data: Data, measure: str, match: Match) -> bool:
    """Whether a setting gives every query the true value, and the true mean."""
    found = ir.evaluate(*data, [measure], convention=match.setting) if not match.shift else truth
    equal = np.allclose(found.values, truth.values, rtol=0, atol=1e-11, equal_nan=True)
    return bool(equal and found[measure] == pytest.approx(truth[measure], abs=1e-11) and not match.shift)


@pytest.mark.parametrize("seed", range(costly(6, 2)))
def test_two_answers_that_act_together_are_found(seed: int) -> None:
    """A number made under a convention and two other answers is found, be either without effect alone."""
    rng = random.Random(seed)
    data = random_data(seed, (0, 1, 2), queries=6, depth=8)
    answers = [("ties", "best"), ("ties", "average"), ("unjudged", "filter"), ("gain", "exp2"), ("no_relevant", "1"),
               ("score_precision", "float32"), ("ideal", "returned"), ("no_results", "skip")]  # fmt: skip
    chosen = dict(rng.sample(answers, 2))
    truth = ir.evaluate(*data, ["nDCG@5"], convention="trec_eval-10.0", **chosen)
    classes = ir.identify(*data, {"nDCG@5": f"{truth['nDCG@5']:.6f}"}, departures=2).classes
    assert any(same(truth, data, "nDCG@5", group[0]) for group in classes)


def test_answers_without_effect_alone_are_tried_together() -> None:
    """Of three results one is unjudged: filter and short_list=returned move P@3 only together, and are found."""
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "u": 2.0, "b": 1.0}}
    none, one, two = ({}, {"unjudged": "filter"}, {"short_list": "returned"})
    means = [ir.evaluate(qrels, run, ["P@3"], **answers)["P@3"] for answers in (none, one, two, one | two)]
    assert means == pytest.approx([2 / 3, 2 / 3, 2 / 3, 1])
    near = NearbySettings(OneSystem(qrels, run), ["P@3"])
    texts = [[f"{n}={a}" for n, a in near.departures(at)[0]] for _, at in near.within(2)]
    assert ["unjudged=filter", "short_list=returned"] in texts


def kinds_alike(near: NearbySettings, ideal: str) -> set[str]:
    """Return the conventions whose kind of nDCG has the values of the first convention's, under an ideal list."""
    start, place = near.bases[0].codes[0].answers, [field.name for field in near.fields].index("ideal")
    at = next(code.answers[place] for b in near.bases for code in b.codes if near.answer(code, "ideal") == ideal)
    answers = (*start[:place], at, *start[place + 1 :])
    codes = {base.convention: base.codes[0]._replace(answers=answers) for base in near.bases}
    first = near.same_values(codes[near.bases[0].convention])
    return {name for name, code in codes.items() if near.same_values(code) == first}


def test_kinds_that_the_data_does_not_tell_apart_are_computed_once() -> None:
    """Which of two rows counts does not matter without such rows, and the top of the scale only to ideal=max."""
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 3.0, "u": 2.0, "b": 1.0}}
    near = NearbySettings(OneSystem(qrels, run), ["nDCG@2"])
    both = {"idealrank-1", "pytrec_eval"}
    assert kinds_alike(near, "global") >= {*both, "catboost"}
    assert kinds_alike(near, "max") >= both
    declared = [base.convention for base in near.bases if base.measures[0].decisions.max_grade == 4]
    assert declared
    assert not kinds_alike(near, "max") & set(declared)


@pytest.mark.parametrize(("twice", "alone"), [([], True), ([("q", "a", 1.0)], False)])
def test_documents_returned_twice_are_seen(twice: list[tuple[str, str, float]], alone: bool) -> None:
    """Where a document is returned twice, answers to `duplicates` are not taken for the same."""
    run = pd.DataFrame([("q", "a", 3.0), ("q", "b", 2.0), *twice], columns=["query", "doc", "score"])
    ground = OneSystem({"q": {"a": 1, "b": 2}}, run)
    assert EqualAnswers(ground, DEFAULT.but(duplicates="first")).has_no_duplicates is alone


@pytest.mark.parametrize(
    ("owner", "name", "most"), [(Measure, "computed", 3320), (NearbySettings, "measure", 3372), (Join, "_join", 21)]
)
def test_what_settings_share_is_computed_once(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str, most: int
) -> None:
    """Of 6,780 settings no more measures are computed, and no more lists looked up; lower a bound when it can be.

    Most settings differ only in what fills and averages values, or in what this data does not tell apart.
    """
    calls: list[str] = []
    whole = getattr(owner, name)

    def count(*args: Any) -> Any:
        calls.append(name)
        return whole(*args)

    monkeypatch.setattr(owner, name, count)
    found = ir.identify(*random_data(3, (0, 1, 2, 3), queries=6, depth=8), {"nDCG@5": "0.9999"}, departures=2)
    assert found.tried == 6780
    assert len(calls) <= most, len(calls)


def test_a_departure_replaces_what_a_convention_needed() -> None:
    """Where a convention needs order_by=auto, its departure order_by=given stands in that place."""
    judged, results = random_data(6, (0, 1, 2, 3), queries=8, depth=10)
    asked = {"convention": "real-life, order_by=given, discount=none"}
    printed = {"nDCG@5": f"{ir.evaluate(judged, results, ['nDCG@5'], **asked)['nDCG@5']:.4f}"}
    found = ir.identify(judged, results, printed, departures=2)
    matches = [match for group in found.classes for match in group]
    assert "real-life, order_by=given, discount=none" in [match.setting for match in matches]
    assert all(match.setting.count("order_by") <= 1 for match in matches)
    assert all(found.fingerprints(match) for match in matches)


def test_a_cutoff_off_by_one() -> None:
    """A loop that reads one result too few, or too many, is found and said so."""
    qrels, run = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"x": 9.0, "c": 8.0, "b": 7.0, "a": 6.0}}
    for k, said in ((2, "read to k-1"), (4, "read to k+1")):
        value = ir.evaluate(qrels, run, [f"DCG@{k}"])[f"DCG@{k}"]
        found = ir.identify(qrels, run, {"DCG@3": f"{value:.5f}"}, departures=1)
        assert f"idealrank-1, {said}" in [match.text for group in found.classes for match in group]


def test_values_of_queries() -> None:
    """The printed values of queries tell what their mean leaves open."""
    qrels, run = {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}}, {"a": {"x": 2.0, "y": 1.0}, "b": {"y": 2.0, "x": 1.0}}
    values = {q: f"{v:.4f}" for q, v in zip("ab", ir.evaluate(qrels, run, ["nDCG@2"]).values[0, 0], strict=True)}
    found = ir.identify(qrels, run, {"nDCG@2": values}, departures=1)
    assert "trec_eval-9.0.8" in [match.text for match in found.classes[0]]
    assert len(found.classes) < len(ir.identify(qrels, run, {"nDCG@2": "0.9"}, departures=1).classes)
    assert found.to_dict()["printed"] == {"nDCG@2 of a": "0.8597", "nDCG@2 of b": "1.0000"}
    with pytest.raises(ir.UsageError, match="No judged query called 'c'"):
        ir.identify(qrels, run, {"nDCG@2": {"c": "0.5"}})


def test_names_of_tools_and_of_nobody() -> None:
    """A name only one tool has is traced to its conventions; one nobody has is refused with the nearest."""
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    found = ir.identify(qrels, run, {"PrecisionAt@1": "1.0"}, departures=0)
    assert {match.convention for group in found.classes for match in group} == {"catboost", "catboost-exp"}
    with pytest.raises(ir.UsageError, match="No measure called 'PrecisionAtt'"):
        ir.identify(qrels, run, {"PrecisionAtt@1": "1.0"})


def test_what_the_name_states_stays() -> None:
    """A decision the measure's own name answers is no departure: P(rel=2) is not P(rel=1)."""
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    found = ir.identify(qrels, run, {"P(rel=2)@1": "1.0"}, departures=1)
    assert not any("relevant_from" in match.text for group in found.classes for match in group)


def test_two_classes_are_told_apart() -> None:
    """Where two classes match, a query is named whose value would tell."""
    qrels = {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}}
    run = {"a": {"x": 2.0, "y": 1.0}, "b": {"y": 2.0, "x": 1.0}}
    found = ir.identify(qrels, run, {"nDCG@2": "0.9"}, departures=1)
    assert len(found.classes) > 1
    assert found.text.startswith("nDCG@2=0.9: ambiguous")
    assert found.between


def test_what_is_no_number_is_refused() -> None:
    """A number is given as it was printed."""
    with pytest.raises(ir.UsageError, match="neither a number"):
        ir.identify(*ONE, {"nDCG@10": "abc"})
    with pytest.raises(ir.UsageError, match="No numbers given"):
        ir.identify(*ONE, {})


def test_every_name_is_looked_up() -> None:
    """An unknown measure is refused wherever it stands, and so is a number that is not finite."""
    with pytest.raises(ir.UsageError, match="Did you mean nDCG"):
        ir.identify(*ONE, {"RR": "0.5", "NDGC": "0.4"}, departures=0)
    with pytest.raises(ir.UsageError, match="neither a number"):
        ir.identify(*ONE, {"RR": "nan"}, departures=0)


def traced(qrels: Any, run: Any, printed: dict[str, Any], **given: Any) -> list[str]:
    """All settings that give the numbers, in words."""
    return [match.text for group in ir.identify(qrels, run, printed, **given).classes for match in group]


def test_answers_that_are_given_hold() -> None:
    """An answer that is given holds under every convention and is not departed from; a wrong one is refused."""
    table = {"query": ["q"] * 4, "doc": ["a", "a", "b", "b"], "rater": ["r", "s"] * 2, "grade": [3, 1, 0, 2]}
    run = {"q": {"b": 2.0, "a": 1.0}}
    value = ir.evaluate(table, run, ["DCG@2"], raters="max")["DCG@2"]
    assert "idealrank-1" in traced(table, run, {"DCG@2": f"{value:.4f}"}, departures=0, raters="max")
    assert "idealrank-1" not in traced(table, run, {"DCG@2": f"{value:.4f}"}, departures=0)
    twice = {"query": ["q", "q"], "doc": ["a", "a"], "grade": [1, 2]}
    assert traced(twice, run, {"DCG@2": "1.2619"}, departures=0, duplicates="last")
    assert not any("gain" in text for text in traced(table, run, {"DCG@2": f"{value:.2f}"}, raters="max", gain="exp2"))
    with pytest.raises(ir.UsageError, match="Did you mean gain"):
        ir.identify(table, run, {"DCG@2": "1"}, gian="exp2")


def test_every_grade_is_tried_as_the_level() -> None:
    """A number made with the third grade as the level of relevance is found."""
    qrels = {"1": {"a": 3, "b": 2, "c": 0}, "2": {"d": 2, "e": 3}, "3": {"f": 1, "g": 3}}
    run = {"1": {"b": 2.0, "a": 8.0}, "2": {"y": 4.0, "e": 2.0}, "3": {"f": 1.0, "g": 8.0}}
    value = ir.evaluate(qrels, run, ["P@3"], convention="trec_eval-9.0.8", relevant_from=3)["P@3"]
    assert any("relevant_from=3" in text for text in traced(qrels, run, {"P@3": f"{value:.4f}"}, departures=1))


def test_results_without_a_score() -> None:
    """Where the results have ranks alone, tools that order by scores are tried on these, and said so."""
    results = {"query": ["q"] * 3, "doc": ["b", "u", "a"], "rank": [1, 2, 3]}
    value = ir.evaluate({"q": {"a": 3, "b": 1}}, results, ["nDCG@10"], convention="sklearn", order_by="auto")["nDCG@10"]
    found = traced({"q": {"a": 3, "b": 1}}, results, {"nDCG@10": f"{value:.4f}"}, departures=0)
    assert "sklearn, order_by=auto" in found


def test_known_faults_have_a_name() -> None:
    """A number that trec_eval prints because it cuts off fractions of grades is traced to it, with faults=on."""
    qrels, run = {"q": {"a": 2.9, "b": 1.5, "c": 1.0}}, {"q": {"b": 3.0, "a": 2.0}}
    value = ir.evaluate(qrels, run, ["nDCG@10"], convention="trec_eval-9.0.8, faults=on")["nDCG@10"]
    assert "trec_eval-9.0.8, faults=on" in traced(qrels, run, {"nDCG@10": f"{value:.4f}"}, departures=0)


def test_sums_and_medians() -> None:
    """A sum over the queries, and the median of queries of which some count 0 or 1, are computed as evaluate does."""
    qrels = {q: {"a": 1, "b": 2} for q in "vwxyz"} | {"none": {"a": 0}}
    run = (
        {q: {"u": 3.0, "a": 2.0, "b": 1.0} for q in "vw"}
        | {q: {"b": 2.0, "a": 1.0} for q in "xy"}
        | {"none": {"a": 1.0}}
    )
    assert "idealrank-1" in traced(qrels, run, {"NumRelRet": "8"}, departures=0)
    for answers in ({"average": "median"}, {"average": "median", "no_relevant": "1"}, {"average": "geometric"}):
        value = ir.evaluate(qrels, run, ["nDCG"], **answers)["nDCG"]
        texts = traced(qrels, run, {"nDCG": f"{value:.6f}"}, departures=2)
        assert any(f"average={answers['average']}" in text for text in texts)


def test_what_a_number_may_be_of() -> None:
    """Several cutoffs, numbers without a measure and percentages are refused, or hinted at."""
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    with pytest.raises(ir.UsageError, match="'nDCG@5,10' is 2 measures"):
        ir.identify(qrels, run, {"nDCG@5,10": "0.5"})
    with pytest.raises(ir.UsageError, match="give numbers by measure"):
        ir.identify(qrels, run, "nDCG@10=0.5")  # type: ignore[arg-type]
    assert ir.identify(qrels, run, {"nDCG@10": "43.21"}, departures=0).text.endswith("give 0.4321")


def test_needless_departures_are_left_out() -> None:
    """A setting that is equal with fewer departures is not listed, be they one or two of three."""
    found = ir.identify({"q": {"a": 2, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}, {"nDCG@2": "0.8597"}, departures=3)
    for group in found.classes:
        parts = [(m.convention, {*m.departures, *([m.shift] if m.shift else [])}) for m in group]
        assert not any(one[0] == other[0] and one[1] < other[1] for one in parts for other in parts)


def test_pooled_systems_have_their_own_holes() -> None:
    """What only the other system returned, unjudged, counts where both are pooled into one ranking."""
    table = {"system": ["one", "one", "two"], "query": ["q"] * 3, "doc": ["a", "b", "u"], "score": [3.0, 1.0, 2.0]}
    qrels = {"q": {"a": 1, "b": 1}}
    values = [
        ir.evaluate(qrels, table, ["nDCG@2"], convention="trec_eval-10.0", systems="pooled", unjudged=answer).all_means[
            0
        ][0]
        for answer in ("zero", "filter")
    ]
    assert values[0] < values[1] == 1
    found = traced(qrels, table, {"nDCG@2": f"{values[0]:.4f}"}, system="one", departures=2)
    assert "idealrank-1, systems=pooled" in found
    assert not any("unjudged=filter" in text and "systems=pooled" in text for text in found)
