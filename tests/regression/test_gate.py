"""The outcome of a gate: passed, failed, or can't tell."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import idealrank as ir
from idealrank.comparison.compare import with_measures
from idealrank.comparison.conditions import Held, read_condition
from idealrank.comparison.contrasts import Methods
from idealrank.regression.baseline import baseline_of
from idealrank.regression.checks import check, check_conditions
from idealrank.regression.reference import SystemReference
from idealrank.statistics.intervals import Interval
from tests.regression.worlds import judged, known, ranked


def span(low: float, high: float) -> Interval:
    """Return a 95% interval."""
    return Interval(low, high, 0.95, "given")


@pytest.mark.parametrize(
    ("difference", "low", "high", "alpha", "outcome"),
    [
        (-0.02, -0.03, -0.01, None, "failed"),
        (-0.02, -0.05, +0.01, None, "failed"),
        (-0.02, -0.03, -0.01, 0.05, "failed"),
        (-0.02, -0.05, +0.01, 0.05, "can't tell"),
        (-0.02, -0.04, 0.0, 0.05, "can't tell"),
        (-0.02, -math.inf, math.inf, 0.05, "can't tell"),
        (-0.005, -0.008, -0.002, None, "passed"),
        (-0.005, -0.008, -0.002, 0.05, "passed"),
        (-0.005, -0.02, 0.01, None, "can't tell"),
        (0.05, -0.01, 0.11, None, "can't tell"),
        (0.05, -0.009, 0.11, None, "passed"),
        (0.0, 0.0, 0.0, None, "passed"),
        (0.5, -math.inf, math.inf, None, "can't tell"),
    ],
)
def test_outcome_of_a_drop(difference: float, low: float, high: float, alpha: float | None, outcome: str) -> None:
    """Reached, a drop fails, with an alpha below 0 only; not in the interval, it passes; else nobody can tell."""
    held = Held(difference, span(low, high), 0.5, 0.5 + difference)
    assert check(read_condition("RR drops 0.01", "fail_if"), held, alpha).outcome == outcome


def test_nothing_drops_from_nothing() -> None:
    """Of a baseline whose mean is 0 no percentage can be lost: without a difference that is sure."""
    held = Held(0.0, span(0.0, 0.0), 0.0, 0.0)
    assert check(read_condition("RR drops 1%", "fail_if"), held, None).outcome == "passed"


def test_a_mean_difference_of_exactly_the_limit_fails() -> None:
    """One query of 50 that falls from rank 1 to rank 2 is a mean difference of −0.01, and `drops 0.01` fails on it."""
    before, after = ranked([1] * 50), ranked([2] + [1] * 49)
    found = ir.gate(judged(50), before, after, fail_if=["RR drops 0.01", "RR drops 0.0101", "RR drops 1%"])
    assert [f.outcome == "failed" for f in found.findings] == [True, False, True]
    assert (found.outcome, found.code, found.passed) == ("failed", 1, False)
    assert found.findings[0].value == pytest.approx(-0.01, abs=1e-15)


def test_no_regression_passes() -> None:
    """The same results on both sides pass, strict or not: the interval has no width, and includes no drop."""
    lists = ranked([1, 2, 3, 1, 2])
    for strict in (False, True):
        found = ir.gate(judged(5), lists, lists, fail_if="RR drops 0.01", minimum="RR>=0.6", strict=strict)
        assert (found.outcome, found.code) == ("passed", 0)


def test_alpha_asks_for_evidence() -> None:
    """One query of 50 that falls is a drop of 0.01, but no evidence of one; forty are."""
    few, many = ranked([2] + [1] * 49), ranked([2] * 40 + [1] * 10)
    before, asked = ranked([1] * 50), {"fail_if": "RR drops 0.01", "alpha": 0.05}
    assert ir.gate(judged(50), before, few, **asked).code == 0
    assert ir.gate(judged(50), before, few, strict=True, **asked).code == 4
    assert ir.gate(judged(50), before, many, strict=True, **asked).code == 1


def test_strict_says_what_would_settle_it() -> None:
    """Too few queries to rule a drop out: the finding says how many more would."""
    before, after = ranked([2, 2, 1, 3, 2, 2]), ranked([1, 2, 2, 1, 1, 2])
    found = ir.gate(judged(6), before, after, fail_if="RR drops 0.01", strict=True)
    assert (found.outcome, found.code) == ("can't tell", 4)
    assert "includes a drop of 0.01" in found.findings[0].sentence
    assert "more judged queries like these would give an 80% chance to tell" in found.findings[0].sentence
    needed = [
        int(re.findall(r"([\d,]+) more judged quer", f.sentence)[0].replace(",", ""))
        for f in ir.gate(judged(6), before, after, fail_if=["RR drops 0.01", "RR drops 0.1"]).findings
    ]
    assert needed[0] > needed[1]  # the further away the drop, the sooner it is ruled out


def test_a_failure_goes_before_a_doubt() -> None:
    """Where one condition fails and another cannot be told, the gate fails."""
    before, after = ranked([1, 2, 1, 3, 1, 2]), ranked([2, 1, 1, 2, 1, 3])
    found = ir.gate(judged(6), before, after, fail_if="RR drops 0.01", minimum="RR>=0.99", strict=True)
    assert {f.outcome for f in found.findings} == {"can't tell", "failed"}
    assert (found.outcome, found.code) == ("failed", 1)


def test_one_query_has_no_interval() -> None:
    """With one query a drop still fails by its mean; a gain cannot rule a drop out."""
    assert ir.gate(judged(1), ranked([1]), ranked([2]), fail_if="RR drops 0.01").code == 1
    assert ir.gate(judged(1), ranked([2]), ranked([1]), fail_if="RR drops 0.01", strict=True).code == 4


def test_the_minimum_is_that_of_the_new_results() -> None:
    """Levels are held against the mean of the new results, not of the baseline."""
    before, after = ranked([1] * 4), ranked([2] * 4)
    found = ir.gate(judged(4), before, after, minimum=["RR>=0.5", "RR>0.5", "RR<=0.5", "RR<0.6", "P@1>=0.1"])
    assert [f.outcome for f in found.findings] == ["passed", "failed", "passed", "passed", "failed"]
    assert [f.value for f in found.findings] == [0.5] * 4 + [0.0]


def test_without_a_baseline() -> None:
    """Levels and the share of unjudged results need no baseline; a drop does."""
    found = ir.gate(judged(3), None, ranked([1, 2, 2]), minimum="RR>=0.6", max_unjudged=0.7)
    assert (found.code, found.comparison, found.worst()) == (0, None, None)
    with pytest.raises(ir.UsageError, match="nothing to drop from"):
        ir.gate(judged(3), None, ranked([1, 2, 2]), fail_if="RR drops 0.1")


@pytest.mark.parametrize(
    ("named", "share", "condition"),
    [
        ({"minimum": "P@1>=0"}, 1 / 3, "unjudged@1<=0.4"),
        ({"minimum": "P@2>=0"}, 3 / 6, "unjudged@2<=0.4"),
        ({"minimum": ["RR>=0", "P@1>=0"]}, 6 / 9, "unjudged<=0.4"),
        ({"fail_if": "P@2 drops 1", "minimum": "P@1>=0"}, 3 / 6, "unjudged@2<=0.4"),
        ({}, 6 / 9, "unjudged@10<=0.4"),
    ],
)
def test_unjudged_share(named: dict[str, Any], share: float, condition: str) -> None:
    """The share is in the top k of the first measure named; of all where it has no k, of 10 where none is named."""
    after = {
        "q000": {"d": 3.0, "x": 2.0, "y": 1.0},
        "q001": {"x": 3.0, "d": 2.0, "y": 1.0},
        "q002": {"d": 3.0, "x": 2.0, "z": 1.0},
        "q999": {"x": 1.0},
    }
    found = ir.gate(judged(3), ranked([1, 1, 1]), after, max_unjudged=0.4, **named).findings[-1]
    assert (found.condition, found.value) == (condition, pytest.approx(share))
    assert found.outcome == ("failed" if share > 0.4 else "passed")


def test_only_the_queries_asked_for_count() -> None:
    """Of some queries only, the share and the means are those of these queries."""
    lists = ranked([1, 2, 3]) | {"q002": {"d": 2.0, "x1": 1.0}}
    found = ir.gate(judged(3), None, lists, minimum="RR>=0.9", max_unjudged=0.5, only=["q002"])
    assert [(f.outcome, f.value) for f in found.findings] == [("passed", 1.0), ("passed", 0.5)]


def test_unjudged_share_of_exactly_the_limit_passes() -> None:
    """Two thirds of the results are no more than two thirds."""
    assert ir.gate(judged(3), None, ranked([1, 2, 3]), max_unjudged=2 / 3).code == 0
    assert ir.gate(judged(3), None, ranked([1, 2, 3]), max_unjudged=0.66).code == 1


def test_a_negative_grade_is_no_judgment() -> None:
    """A grade below zero counts as unjudged, as in the measures, unless `negative` says otherwise."""
    qrels, lists = {"q": {"a": 1, "b": -1}}, {"q": {"a": 2.0, "b": 1.0}}
    assert ir.gate(qrels, None, lists, max_unjudged=0.4).code == 1
    assert ir.gate(qrels, None, lists, max_unjudged=0.4, negative="zero").code == 0


def test_decisions_and_conventions_count() -> None:
    """Names and answers are those of the convention asked for, and of the call."""
    found = ir.gate(judged(2), None, ranked([1, 3]), minimum="recip_rank>=0.6", convention="trec_eval-10.0")
    assert found.findings[0].value == pytest.approx((1 + 1 / 3) / 2)
    found = ir.gate(judged(2), None, ranked([2]), minimum="RR>=0.5", no_results="skip")
    assert (found.code, found.notes) == (0, ())
    golden = ir.gate(judged(2), ranked([2, 1]), ranked([1, 1]), fail_if="RR drops 0.01", unjudged="complete")
    assert golden.notes == ("This assumes that everything not judged is not relevant (unjudged=complete).",)


def test_a_rank_is_better_when_low() -> None:
    """A measure of which less is better cannot drop; it is given a limit."""
    with pytest.raises(ir.UsageError, match="lower ARP is better, so a drop is a gain") as refused:
        ir.gate(judged(2), ranked([1, 1]), ranked([1, 2]), fail_if="ARP drops 1")
    assert "--min 'ARP<=…'" in refused.value.typed
    assert ir.gate(judged(2), None, ranked([1, 2]), minimum="ARP<=1.5").code == 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "A gate without a condition lets everything through"),
        ({"fail_if": "NDGC@10 drops 0.01"}, "fail_if='NDGC@10': No measure called 'NDGC'. Did you mean nDCG@10?"),
        ({"minimum": "nDCG@5,10>=0.1"}, "2 measures. Give one cutoff per condition"),
        ({"max_unjudged": 20}, "max_unjudged=20: a share is between 0 and 1, as 0.2"),
        ({"max_unjudged": math.nan}, "a share is between 0 and 1"),
        ({"fail_if": "RR drops 1", "alpha": 1.0}, "alpha=1.0: it is between 0 and 1"),
        ({"fail_if": "RR drops 1", "strickt": True}, "No keyword or decision called 'strickt'. Did you mean strict?"),
    ],
)
def test_what_is_refused(asked: dict[str, Any], said: str) -> None:
    """A gate that is not asked properly says what is wrong and what is allowed."""
    with pytest.raises(ir.UsageError) as refused:
        ir.gate(judged(2), ranked([1, 1]), ranked([1, 2]), **asked)
    assert said in str(refused.value)


def test_one_system_a_side() -> None:
    """A table of several systems is refused, and a list of them: a gate checks one."""
    rows = [{"query": "q000", "doc": "d", "rank": 1, "system": name} for name in "ab"]
    with pytest.raises(ir.UsageError, match="A gate checks one system, and there are"):
        ir.gate(judged(1), None, rows, minimum="RR>=0")
    with pytest.raises(ir.UsageError, match=r"one by one: ir.gate\(judgments, baseline, results"):
        ir.gate(judged(1), ["old.run", "new.run"], fail_if="RR drops 0.1")


def test_names_of_the_sides(tmp_path: Any) -> None:
    """Files give the systems their names; two of one name are the baseline and the results."""
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bm25.run").write_text("q000 Q0 d 1 1.0 x\n")
    asked: dict[str, Any] = {"fail_if": "RR drops 0.1"}
    files = [str(tmp_path / folder / "bm25.run") for folder in ("old", "new")]
    assert ir.gate(judged(1), *files, **asked).scores.systems == ("baseline", "results")
    assert ir.gate(judged(1), files[0], ranked([1]), **asked).scores.systems == ("bm25", "results")


def test_a_gate_as_data() -> None:
    """The table has one row a condition, and JSON holds all of it with the comparison and the ledger."""
    found = ir.gate(judged(3), ranked([1, 1, 1]), ranked([1, 1, 2]), fail_if="RR drops 0.01", max_unjudged=0.9)
    assert found.table["condition"] == ["RR drops 0.01", "unjudged<=0.9"]
    assert found.table["outcome"] == ["failed", "passed"]
    assert found.table.stated["fingerprint"] == (ir.measure("RR").fingerprint, "")
    whole = json.loads(found.to_json())
    assert (whole["outcome"], whole["code"]) == ("failed", 1)
    assert whole["conditions"][0]["value"] == pytest.approx(-1 / 6)
    assert whole["conditions"][1]["low"] is None
    assert whole["worst"][0]["query"] == "q002"
    assert whole["scores"]["ledger"]["judged_queries"] == 3
    assert whole["comparison"]["differences"][0]["losses"] == 1
    assert repr(found).startswith("gate failed (1 passed, 1 failed)\nfailed      RR drops by 0.1667")


@pytest.mark.parametrize(("low", "outcome"), [(-0.02, "can't tell"), (-0.005, "passed")])
def test_holes_cast_doubt(low: float, outcome: str) -> None:
    """A drop that is ruled out by what is judged, and not with estimated grades for the holes, cannot be told."""
    given = ir.gate(judged(9), ranked([2] * 9), ranked([1] * 9), fail_if=["RR drops 0.01", "P@1 drops 0.5"])
    assert given.comparison is not None
    estimated = (span(low, 0.5), span(-0.4, 0.5))
    holes: Any = SimpleNamespace(estimated=estimated)
    compared = replace(given.comparison, holes={given.comparison.pairing.pairs[0]: holes})
    asked = [finding.about for finding in given.findings]
    first, second = check_conditions(asked, given.scores, SystemReference(compared), Methods(), None)
    assert (first.outcome, second.outcome) == (outcome, "passed")
    assert ("with estimated grades for the holes" in first.sentence) == (outcome == "can't tell")


def test_rows_ranked_as_they_stand_are_said() -> None:
    """Results that are a table of queries and documents alone have their order from the rows: the gate prints it."""
    rows = {"query": ["q", "q"], "doc": ["a", "b"]}
    for before in (rows, baseline_of(ir.evaluate({"q": {"a": 1}}, rows, "RR")), None):
        wanted = {"minimum": "RR>=0.5"} if before is None else {"fail_if": "RR drops 0.01"}
        said = " ".join(str(ir.gate({"q": {"a": 1}}, before, rows, **wanted)).split())
        assert "ranked in the order of the rows" in said or "ordered as in the table" in said
    scored = {"q": {"a": 2.0, "b": 1.0}}
    assert "order" not in str(ir.gate({"q": {"a": 1}}, None, scored, minimum="RR>=0.5"))


def test_finished_scores() -> None:
    """Scores of one system, or of the baseline and the new one, meet conditions as the results they are from do."""
    judgments, before, after = known(8), ranked([1, 2, 1, 3, 1, 2, 1, 4]), ranked([2, 2, 1, 3, 1, 2, 1, 4])
    measures = ["P@1", "nDCG@3", "RR"]  # in another order than in the conditions, and one more
    two = ir.evaluate(judgments, {"old": before, "new": after}, measures)
    drops = {"fail_if": ["RR drops 0.01", "P@1 drops 0.2"], "max_unjudged": 0.5}
    found, expected = ir.gate(two, **drops), ir.gate(judgments, before, after, **drops)
    assert [(f.condition, f.outcome, f.value) for f in found.findings] == [
        (f.condition, f.outcome, f.value) for f in expected.findings
    ]
    assert found.findings[0].value == pytest.approx(-0.5 / 8)
    chosen, whole = with_measures(two, [2, 0]), ir.evaluate(judgments, {"old": before, "new": after}, ["RR", "P@1"])
    assert chosen.labels == whole.labels
    assert (chosen.values.tolist(), chosen.states.tolist()) == (whole.values.tolist(), whole.states.tolist())
    means = {"minimum": ["RR >= 0.5", "P@1 >= 0.5"]}
    alone = ir.gate(ir.evaluate(judgments, after, measures), **means)
    assert [(f.outcome, f.value) for f in alone.findings] == [
        ("passed", pytest.approx((0.5 * 3 + 3 + 1 / 3 + 0.25) / 8)),
        ("failed", pytest.approx(3 / 8)),
    ]
    with pytest.raises(ir.UsageError, match="AP"):
        ir.gate(two, fail_if="AP drops 0.1")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"minimum": "RR>=0"}, "RR>=0 can never fail: all values are between 0 and 1."),
        ({"minimum": "RR>-0.5"}, "RR>-0.5 can never fail: all values are between 0 and 1."),
        ({"minimum": "RR<=1"}, "RR<=1 can never fail: all values are between 0 and 1."),
        ({"max_unjudged": 1}, "unjudged@10<=1 can never fail: so all results may be unjudged."),
        ({"fail_if": "RR drops 100%"}, "RR drops 100% fails only if RR falls to 0, the worst there is."),
        ({"fail_if": "RR drops 0.5"}, "RR drops 0.5 fails only if RR falls to 0, the worst there is."),
    ],
)
def test_what_can_never_fail(given: dict[str, Any], said: str) -> None:
    """A condition that every system meets passes with a warning above the outcome."""
    judgments, old, new = {"q": {"d": 1}}, {"q": {"x": 2.0, "d": 1.0}}, {"q": {"x": 3.0, "y": 2.0, "d": 1.0}}
    found = ir.gate(judgments, old, new, **given)
    assert (found.outcome, found.warnings[0]) == ("passed", said)
    assert repr(found).index("can never" if "can never" in said else "falls to") < repr(found).index("gate")
    judgments["q"] |= {"x": 0, "y": 0}
    kept = ir.gate(judgments, old, new, minimum="RR>0", max_unjudged=0.99, fail_if="RR drops 0.49")
    assert (kept.outcome, kept.warnings) == ("passed", ())
