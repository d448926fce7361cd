"""A verdict is its reasons: the outcome follows from them, and what is shown says which one it was."""

from __future__ import annotations

import typing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.comparison.verdict.reasons import (
    Reason,
    ReasonKind,
    Step,
    StepKind,
    but,
    noted,
    reduce,
    refuses,
    takes_back,
)
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Outcome

CAUTION = {SHIP: 0, SAME: 1, CANT_TELL: 2, DONT: 3}
"""How much an outcome keeps a newcomer back."""

DECIDING = st.sampled_from([SHIP, SAME, CANT_TELL, DONT])
FURTHER = st.lists(
    st.sampled_from([takes_back("shape", "but …"), refuses("latency", "but …"), noted("unjudged", "…")]), max_size=5
)


@given(outcome=DECIDING, further=FURTHER)
def test_less_that_speaks_against_a_newcomer_is_never_more_cautious(outcome: Outcome, further: list[Reason]) -> None:
    """Without any of its doubts an outcome keeps the newcomer back no more, unless the rule itself refuses it."""
    reasons = [Reason("interval", "decides", outcome, "…"), *further]
    whole = reduce(reasons)
    assert whole == reduce([*reversed(reasons)])
    for place in range(1, len(reasons)):
        less = reduce([*reasons[:place], *reasons[place + 1 :]])
        assert CAUTION[less] <= CAUTION[whole] or (outcome, less) == (DONT, DONT)


def _systems(n: int, gain: float, **odd: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return judgments and two systems that differ by about a gain, with something odd about them."""
    judged = {f"q{i:03}": {"a": 2, "b": 1, "c": 0, **({"x": 0} if not odd.get("unjudged") else {})} for i in range(n)}
    old, new = {}, {}
    for i, query in enumerate(judged):
        better = (i * 7919) % 100 < 50 + 50 * gain
        old[query] = {"x": 3.0, "a": 2.0, "b": 1.0}
        new[query] = {"a": 3.0, "x": 2.0, "b": 1.0} if better else {"x": 3.0, "b": 2.0, "a": 1.0}
    for query in list(judged)[: odd.get("lost", 0)]:
        del old[query]
    return judged, {"old": old, "new": new}


WORLDS = {
    "a clear gain": (_systems(120, 1.0), {}),
    "no change": (_systems(120, 0.2), {}),
    "a loss": (_systems(120, -1.0), {}),
    "few queries": (_systems(4, 1.0), {}),
    "unjudged results": (_systems(60, 0.5, unjudged=True), {}),
    "results that are missing": (_systems(120, 0.6, lost=40), {}),
    "a margin": (_systems(120, 1.0), {"margin": 0.9}),
    "weights that decide": (
        _systems(120, 0.0),
        {"weights": {f"q{i:03}": 1.0 if i * 7919 % 100 < 50 else 20.0 for i in range(120)}},
    ),
    "a guardrail": (_systems(120, 1.0), {"measures": ["RR", "P@1", "R@2"]}),
}


@pytest.mark.parametrize(("world", "options"), WORLDS.values(), ids=WORLDS)
def test_the_outcome_is_that_of_the_reasons(world: tuple[Any, Any], options: dict[str, Any]) -> None:
    """Every outcome follows from its reasons, of which exactly one decides; what is not SHIP says what to do next."""
    judged, systems = world
    verdict = ir.compare(judged, systems, **options).verdict["new"]
    assert verdict.outcome == reduce(verdict.reasons)
    assert [each.effect for each in verdict.reasons].count("decides") == 1
    assert all(each.text for each in verdict.reasons)
    assert verdict.steps
    plain = verdict.to_dict()
    assert plain["outcome"] == verdict.outcome
    assert [each["kind"] for each in plain["reasons"]] == [each.kind for each in verdict.reasons]
    against = [each for each in verdict.reasons if each.effect in ("takes back", "refuses")]
    if verdict.outcome == CANT_TELL and not against:
        assert any(each.settle for each in verdict.reasons)
    for doubt in against:
        undoubted = replace(verdict, reasons=tuple(each for each in verdict.reasons if each is not doubt))
        assert undoubted.outcome == reduce(undoubted.reasons) != CANT_TELL
        assert undoubted.headline != verdict.headline
        assert doubt.text not in undoubted.sentence


def test_a_few_words_name_the_reason_that_took_the_outcome_back() -> None:
    """Where odd results speak against an outcome, these are named, though something is unjudged, too."""
    judged, systems = _systems(120, -1.0)
    for query in list(judged)[:10]:
        systems["new"][query]["unjudged"] = 0.5
    odd = ir.compare(judged, systems).verdict["new"]
    assert [each.kind for each in odd.doubts] == ["odd results"]
    assert odd.evidence.unjudged_share > 0
    assert odd.why_undecided == "doubtful results"
    judged, systems = _systems(60, 0.5, unjudged=True)
    assert ir.compare(judged, systems).verdict["new"].why_undecided == "33% unjudged"


def test_a_reason_without_words_of_its_own_is_said_by_its_clause() -> None:
    """A new kind of reason needs no words: reason, summary and sentence say its clause, and the steps its step."""
    judged, systems = _systems(120, 1.0)
    plain = ir.compare(judged, systems).verdict["new"]
    doubt = but("weights", "the moon is full", Step("check", "Wait a week"))
    doubted = replace(plain, reasons=(*plain.reasons, doubt))
    assert (doubted.outcome, doubted.steps, doubted.settle) == (CANT_TELL, ("Wait a week.",), "Wait a week")
    assert doubted.reason == f"{plain.reason}, but the moon is full"
    assert "But the moon is full." in doubted.summary
    assert doubted.sentence.count("but the moon is full") == 1
    assert doubted.headline == "Not enough evidence to ship new"


def test_a_report_says_what_holds_the_leader_back() -> None:
    """Where missing results keep the best system from being better, no margin and no guardrail is blamed."""
    judged, pair = _systems(120, -0.7, lost=40)
    weak = {query: {"c": 3.0, "x": 2.0, "b": 1.0} for query in judged}
    report = ir.report(judged, {"best": pair["new"], "lacking": pair["old"], "weak": weak}, ["nDCG@3"])
    text = report.to_html()
    kinds = {
        each.kind for verdict in report.comparison.verdict.values() for each in verdict.reasons
        if each.effect == "takes back"
    }  # fmt: skip
    assert "odd results" in kinds
    assert "margin or a guardrail" not in text
    assert "Odd results or failed searches keep it from being clearly better than" in text


@pytest.mark.parametrize("kind", [*typing.get_args(ReasonKind), *typing.get_args(StepKind)])
def test_no_kind_is_a_word_for_nothing(kind: str) -> None:
    """Every kind of reason and of step is made somewhere in the comparison."""
    folder = Path(ir.__file__).parent / "comparison"
    made = [path for path in folder.rglob("*.py") if f'"{kind}"' in path.read_text("utf-8")]
    assert [path for path in made if path.name not in ("reasons.py", "types.py")] or kind == "judge results"
    assert kind != "judge results" or any("judging_step(" in path.read_text("utf-8") for path in folder.rglob("*.py"))
