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
    assert "regardless" not in found.verdict.sentence
    assert found.one_sided == {}


@pytest.mark.parametrize(("failing", "they"), [(1, "it"), (2, "they")])
def test_one_or_several(failing: int, they: str) -> None:
    """Of one failed query the verdict speaks as of one."""
    verdict = compared(replayed("a", 1.0), replayed("b", 0.1, failing)).verdict
    assert f"Depending on what {they} would have returned" in verdict.failed


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
    assert verdict.failed.endswith("; it is DON'T regardless")


def test_as_zero_they_count_and_that_is_an_answer() -> None:
    """failed=0 counts them as searches that found nothing, and the verdict rests on that."""
    found = compared(replayed("a", 0.9, seed=2), replayed("b", 0.9, failing=17), failed="0")
    assert found["RR"].queries == 42
    assert found.verdict.outcome == "DON'T"
    assert (found.verdict.failed, found.to_dict()["failed"]) == ("", {})
    plain = compared(replayed("a", 0.9, seed=2), filled("b", 0.9, 17, []))
    assert found["RR"].corrected == plain["RR"].corrected


@pytest.mark.parametrize(("answer", "elsewhere"), [("0", "skip"), ("skip", "0")])
def test_the_answer_of_the_measure_counts(answer: str, elsewhere: str) -> None:
    """What a measure's own name answers says what its failed queries do to a verdict and a gate, not the call."""
    systems = replayed("a", 0.6, seed=2), replayed("b", 0.6, failing=17)
    own = ir.compare(JUDGMENTS, dict(zip("ab", systems, strict=True)), [f"RR(failed={answer})"], failed=elsewhere)
    plain = compared(*systems, failed=answer)
    assert own.verdict.outcome == plain.verdict.outcome
    assert [each and each.every for each in own.failed.values()] == [
        each and each.every for each in plain.failed.values()
    ]
    conditions = {"fail_if": "RR{} drops 0.05", "minimum": "RR{}>=0.5"}
    named = {name: text.format(f"(failed={answer})") for name, text in conditions.items()}
    bare = {name: text.format("") for name, text in conditions.items()}
    outcomes = [
        [finding.outcome for finding in ir.gate(JUDGMENTS, *systems, failed=call, **texts).findings]
        for call, texts in ((elsewhere, named), (answer, bare))
    ]
    assert outcomes[0] == outcomes[1] == [{"0": "failed", "skip": "can't tell"}[answer]] * 2


def test_each_condition_follows_its_own_measure() -> None:
    """Of two drops of one measure, that which counts failed queries 0 fails, and the other can't tell."""
    conditions = ["RR(failed=0) drops 0.05", "RR drops 0.05"]
    found = ir.gate(JUDGMENTS, replayed("a", 0.6, seed=2), replayed("b", 0.6, failing=17), fail_if=conditions)
    assert [(finding.outcome, len(finding.failed)) for finding in found.findings] == [("failed", 0), ("can't tell", 17)]


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
    found = ir.gate(JUDGMENTS, before, after, fail_if="RR drops 0.05", minimum="RR>=0.5")
    assert [finding.outcome for finding in found.findings] == ["can't tell", "can't tell"]
    assert all("the search failed for 17 queries (q00, q01, q02 and 14 more)" in f.sentence for f in found.findings)
    assert (found.outcome, found.code) == ("can't tell", 4)
    assert "<error" in found.to_junit()
    found = ir.gate(JUDGMENTS, before, after, fail_if="RR drops 0.05", minimum="RR>=0.5", failed="0")
    assert (found.outcome, found.code) == ("failed", 1)


def test_a_gate_that_passes_whatever_they_held() -> None:
    """Where neither end would make it fail, it passes."""
    found = ir.gate(JUDGMENTS, None, replayed("b", 1.0, failing=2), minimum="RR>=0.5")
    assert found.outcome == "passed"


def ranked(ranks: list[int]) -> dict[str, list[object]]:
    """Return rows of one result list a query with the relevant document at a rank; rank 0 is a failed search."""
    rows: dict[str, list[object]] = {"query": [], "doc": [], "rank": [], "status": []}
    for q, rank in enumerate(ranks):
        docs = [f"x{i}" for i in range(rank - 1)] + ["d"] if rank else [""]
        for place, doc in enumerate(docs, 1):
            for name, value in zip(rows, (f"q{q:02}", doc, place, "ok" if rank else "failed"), strict=True):
                rows[name].append(value)
    return rows


def test_a_third_system_that_failed_turns_no_verdict_in_silence() -> None:
    """Of all pairs, a query pairs only if all systems have a value: what a third one lost is held against the rest.

    B loses 12 queries badly and gains 8 a little; where C failed on just these 12, they are known for A and B.
    """
    judgments = {f"q{i:02}": {"d": 1} for i in range(20)}
    a, b, c = [1] * 12 + [2] * 8, [10] * 12 + [1] * 8, [0] * 12 + [3] * 8
    found = ir.compare(judgments, {name: ranked(r) for name, r in (("A", a), ("B", b), ("C", c))}, ["RR"])
    verdict = found.verdict["B vs A"]
    assert verdict.outcome == "CAN'T TELL"
    assert "failed for 12 queries (C: q00" in verdict.failed
    (failed, *_) = found.failed.values()
    alone = ir.compare(judgments, {"A": ranked(a), "B": ranked(b)}, ["RR"], baseline="A")["RR"].difference
    assert failed is not None
    assert failed.low == failed.high == pytest.approx(alone)


def test_between_the_ends_values_spread_more() -> None:
    """Fifty equal gains, and three failed queries: at both ends SHIP, with one best and two worst nobody could tell.

    With the failed ones at their worst the interval begins at 0.083, at their best at 0.093, mixed at 0.076.
    """
    graded = {f"d{j}": 1 for j in range(10)} | {f"x{j}": 0 for j in range(10)}
    judgments = {f"q{i:02}": graded for i in range(53)}

    def listed(good: int) -> list[str]:
        return [f"d{j}" for j in range(good)] + [f"x{j}" for j in range(10 - good)]

    def searched(goods: list[int | None]) -> ir.Results:
        def search(text: str) -> list[str]:
            good = goods[int(text[1:])]
            if good is None:
                raise TimeoutError
            return listed(good)

        return ir.replay(list(judgments), search)

    before, few = searched([3] * 50 + [0, 1, 0]), [4] * 50
    failing, whole = searched([*few, None, None, None]), searched([*few, 0, 0, 10])
    (failed,) = ir.compare(judgments, {"a": before, "b": failing}, ["P@10"], margin=0.08).failed.values()
    mixed = ir.compare(judgments, {"a": before, "b": whole}, ["P@10"], margin=0.08)
    assert failed is not None
    assert (failed.worst, failed.best, failed.stands) == ("SHIP", "SHIP", "")
    assert failed.text("SHIP").endswith("; it is SHIP at either end")
    assert mixed["P@10"].gain.low < 0.08


def test_decisions_that_let_a_measure_leave_its_range() -> None:
    """Where unjudged results have a grade, or grades below zero count, the ends are not known: nobody can tell."""
    judgments = {f"q{i:02}": {"d": 1, "n": -3} for i in range(20)}
    good, failing = ranked([1] * 20), ranked([1] * 19 + [0])
    for name, options in (("R@10", {"unjudged": 1}), ("CG@3", {"negative": "keep"})):
        found = ir.gate(judgments, None, failing, minimum=f"{name}>=0.9", **options)
        level = ir.gate(judgments, None, failing, minimum=f"{name}<=1.1", **options)
        assert "can't tell" in {found.outcome, level.outcome}, name
    verdict = ir.compare(judgments, {"a": failing, "b": good}, ["R@10"], unjudged=1).verdict
    assert verdict.outcome != "SHIP"


def test_a_relative_drop_is_of_the_mean_with_them() -> None:
    """The baseline's mean is that of the queries the ends are over: what failed brings its known value there."""
    judgments = {f"q{i:02}": {f"d{j}": 1 for j in range(10)} for i in range(45)}

    def rows(goods: list[int | None]) -> dict[str, list[object]]:
        out: dict[str, list[object]] = {"query": [], "doc": [], "rank": [], "status": []}
        for q, good in enumerate(goods):
            docs = [""] if good is None else [f"d{j}" if j < good else f"x{j}" for j in range(10)]
            for place, doc in enumerate(docs, 1):
                state = "failed" if good is None else "ok"
                for name, value in zip(out, (f"q{q:02}", doc, place, state), strict=True):
                    out[name].append(value)
        return out

    before, after = rows([9] * 30 + [1] * 15), rows([8] * 10 + [9] * 20 + [None] * 15)
    found = ir.gate(judgments, before, after, fail_if="P@10 drops 8%")
    worst = ir.gate(judgments, before, rows([8] * 10 + [9] * 20 + [0] * 15), fail_if="P@10 drops 8%")
    assert (worst.outcome, found.outcome) == ("failed", "can't tell")
