"""Failed searches in a verdict and a gate: left out on both sides, named, and held against the verdict."""

import random
from typing import Any

import pytest

import idealrank as ir

QUERIES = [f"q{i:02}" for i in range(42)]
JUDGMENTS = {query: {"d": 1, "x": 0, "y": 0} for query in QUERIES}
FIRST, THIRD = ["d", "x", "y"], ["x", "y", "d"]


def replayed(name: str, good: float, failing: int = 0, seed: int = 1) -> ir.Results:
    """Replay a search that puts the relevant document first with a chance, and fails on the first queries."""
    rng = random.Random(seed)

    def search(text: str) -> list[str]:
        answer = FIRST if rng.random() < good else THIRD
        if text in QUERIES[:failing]:
            raise TimeoutError("5 s")
        return answer

    return ir.replay(QUERIES, search, name=name)


def filled(name: str, good: float, failing: int, answer: list[str]) -> dict[str, dict[str, float]]:
    """Return what the same search would have returned, had the failed queries had this answer."""
    rng = random.Random(1)
    drawn = {query: FIRST if rng.random() < good else THIRD for query in QUERIES}
    drawn |= dict.fromkeys(QUERIES[:failing], answer)
    return {query: {doc: -float(i) for i, doc in enumerate(docs)} for query, docs in drawn.items()}


def compared(a: Any, b: Any, **options: Any) -> ir.Comparison:
    """Compare two systems by RR."""
    return ir.compare(JUDGMENTS, {"a": a, "b": b}, ["RR"], baseline="a", **options)


def test_seventeen_of_forty_two() -> None:
    """Failed queries pair with nothing: the means are over the other 25 on both sides, and the verdict names them."""
    found = compared(replayed("a", 0.5, seed=2), replayed("b", 0.5, failing=17))
    contrast = found["RR"]
    assert contrast.queries == 25
    assert contrast.unpaired == tuple(QUERIES[:17])
    assert "failed for 17 queries (b: q00, q01, q02 and 14 more)" in found.verdict.sentence
    assert "stands whatever the holes hold" not in found.verdict.sentence
    assert found.one_sided == {}


@pytest.mark.parametrize("failing", [1, 6, 17])
def test_the_ends_are_those_of_the_worst_and_the_best_answers(failing: int) -> None:
    """The gain at either end is that of the same comparison with nothing found, and with the best document first."""
    found = compared(replayed("a", 0.5, seed=2), replayed("b", 0.6, failing))
    (failed,) = found.failed.values()
    assert failed is not None
    for answer, end in ((["x", "y"], failed.low), (FIRST, failed.high)):
        whole = compared(replayed("a", 0.5, seed=2), filled("b", 0.6, failing, answer))
        assert end == pytest.approx(whole["RR"].difference, abs=1e-12)


def test_where_it_matters_nobody_can_tell() -> None:
    """A gain that only holds while a third of the searches is left out is CAN'T TELL: search them again."""
    before, after = replayed("a", 0.4, seed=2), replayed("b", 0.95, failing=17)
    rest = compared(before, filled("b", 0.95, 0, FIRST))
    assert rest.verdict.outcome == "SHIP"
    verdict = compared(before, after).verdict
    assert verdict.outcome == "CAN'T TELL"
    assert "but with the failed queries at their worst" in verdict.reason
    assert verdict.settle == "Search again for q00, q01, q02 and 14 more"


def test_where_it_does_not_matter_the_verdict_stands() -> None:
    """One failed query of 42 does not turn a clear loss, and the verdict says so."""
    verdict = compared(replayed("a", 1.0), replayed("b", 0.1, failing=1)).verdict
    assert verdict.outcome == "DON'T"
    assert verdict.failed.endswith("; DON'T stands")


def test_as_zero_they_count_and_are_still_doubted() -> None:
    """failed=0 counts them, and the verdict is held against both ends all the same."""
    found = compared(replayed("a", 0.5, seed=2), replayed("b", 0.5, failing=17), failed="0")
    assert found["RR"].queries == 42
    assert found.verdict.outcome == "CAN'T TELL"
    ends = found.to_dict()["failed"]["b"]
    assert ends["low"] == pytest.approx(found["RR"].difference)
    assert ends["high"] == pytest.approx(found["RR"].difference + 17 / 42)


def test_a_measure_without_bounds() -> None:
    """DCG has no highest value: what failed queries would have had cannot be bounded, and nobody can tell."""
    runs = {"a": replayed("a", 0.2, seed=2), "b": replayed("b", 1.0, failing=2)}
    verdict = ir.compare(JUDGMENTS, runs, ["DCG"], baseline="a").verdict
    assert verdict.outcome == "CAN'T TELL"
    assert "no bounds" in verdict.failed


def test_in_the_baseline_it_turns_the_other_way() -> None:
    """Where the baseline failed, its queries at their best are the worst for the newcomer."""
    found = compared(replayed("a", 0.5, failing=4, seed=2), replayed("b", 0.6))
    (failed,) = found.failed.values()
    assert failed is not None
    values = found.scores.values[:, 0]
    known = (values[1] - values[0])[4:].sum()
    assert failed.low == pytest.approx((known + (values[1][:4] - 1).sum()) / 42)
    assert failed.high == pytest.approx((known + values[1][:4].sum()) / 42)


def test_a_gate_does_not_fail_on_failures() -> None:
    """A gate whose outcome hangs on failed searches can't tell: a drop, and a mean beside its limit."""
    before, after = replayed("a", 0.6, seed=2), replayed("b", 0.6, failing=17)
    found = ir.gate(JUDGMENTS, before, after, fail_if="RR drops 0.05", minimum="RR>=0.5", strict=True)
    assert [finding.outcome for finding in found.findings] == ["can't tell", "can't tell"]
    assert all("the search failed for 17 queries (q00, q01, q02 and 14 more)" in f.sentence for f in found.findings)
    assert found.code == 4


def test_a_gate_that_passes_whatever_they_held() -> None:
    """Where neither end would make it fail, it passes."""
    found = ir.gate(JUDGMENTS, None, replayed("b", 1.0, failing=2), minimum="RR>=0.5")
    assert found.outcome == "passed"
