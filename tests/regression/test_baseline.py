"""The gate against a baseline's file: what passes and what fails; numbers worked out by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from scipy import stats

import idealrank as ir
from idealrank.regression.baseline import baseline_of
from tests.regression.worlds import failing, gated, kept, known, ranked


def test_a_drop_by_hand() -> None:
    """RR of ranks 1, 1, 2, 1 is 3.5/4; of 1, 2, 3, 1 it is 2.8333/4: it drops by 1/6, and two queries lost."""
    found = gated([1, 1, 2, 1], [1, 2, 3, 1])
    (finding,) = found.findings
    assert (found.outcome, found.code) == ("failed", 1)
    assert finding.condition == "RR drops 0.01"
    assert finding.value == pytest.approx(-1 / 6)
    assert "from 0.8750 to 0.7083" in finding.sentence
    rows = [(row["query"], row["baseline value"], row["value"], row["list"]) for row in found.regressed()]
    assert rows == [("q001", 1.0, 0.5, "list changed"), ("q002", 0.5, pytest.approx(1 / 3), "list changed")]


@pytest.mark.parametrize(
    ("tolerance", "code"), [(None, 1), (0.16, 1), (1 / 6, 1), (0.17, 0), ({"RR": 0.17}, 0), (0, 1)]
)
def test_tolerances(tolerance: Any, code: int) -> None:
    """A loss of 1/6 fails up to a tolerance of 1/6, and passes above it; 0.01 is the tolerance nobody named."""
    assert gated([1, 1, 2, 1], [1, 2, 3, 1], tolerance=tolerance).code == code


def test_a_condition_goes_before_the_tolerance_and_the_others_stay_guarded() -> None:
    """--fail-if loosens the measure it names alone; the other measures of the baseline are still guarded."""
    base = kept([1, 1, 2, 1], ["RR", "P@1"])
    found = ir.gate(known(4), base, ranked([1, 2, 3, 1]), fail_if="RR drops 0.2")
    assert [(f.condition, f.outcome) for f in found.findings] == [
        ("RR drops 0.2", "can't tell"),
        ("P@1 drops 0.01", "failed"),
    ]


def test_measures_beyond_one_may_lose_a_share() -> None:
    """DCG may exceed 1, so its tolerance is 1% of the baseline's mean."""
    found = ir.gate(known(2), kept([1, 1], "DCG@10"), ranked([1, 1]))
    assert [f.condition for f in found.findings] == ["DCG@10 drops 1%"]


@pytest.mark.parametrize("alpha", [None, 0.05])
def test_intervals_are_those_between_two_systems(alpha: float | None) -> None:
    """Against a file, difference and interval are those against the results it was made from, and SciPy's."""
    draw = random.Random(3)
    before, after = ([draw.randint(1, 5) for _ in range(30)] for _ in range(2))
    mine = gated(before, after, alpha=alpha).findings[0]
    theirs = ir.gate(known(30), ranked(before), ranked(after), fail_if="RR drops 0.01", alpha=alpha).findings[0]
    assert (mine.value, mine.low, mine.high) == (theirs.value, theirs.low, theirs.high)
    expected = stats.ttest_rel([1 / r for r in after], [1 / r for r in before]).confidence_interval(0.95)
    assert (mine.low, mine.high) == pytest.approx((expected.low, expected.high), rel=0.05)  # theirs flips signs


RANKS = st.lists(st.integers(1, 9), min_size=1, max_size=12)


@given(RANKS, st.sampled_from(["RR", "nDCG@3", "AP", "P@5", "DCG@4"]), st.sampled_from(["0", "skip"]))
def test_what_was_blessed_passes(ranks: list[int], measure: str, no_results: str) -> None:
    """The same results pass the gate of their own baseline, under any measure, with queries without results."""
    results = ranked(ranks)
    results = {q: docs for i, (q, docs) in enumerate(results.items()) if i == 0 or ranks[i] < 8}
    judgments = known(len(ranks))
    base = baseline_of(ir.evaluate(judgments, results, measure, no_results=no_results))
    found = ir.gate(judgments, base, results, tolerance=0, no_results=no_results)
    assert found.code == 0
    assert [f.value for f in found.findings] == [0.0]
    assert not len(found.regressed())
    same = "the one list is the same" if len(ranks) == 1 else f"all {len(ranks)} lists are the same"
    assert found.kept.differences.account == [same]
    assert f"changes     {same}" in repr(found)


@given(RANKS, st.data())
def test_a_query_that_is_gone_is_never_silent(ranks: list[int], data: st.DataObject) -> None:
    """A query without results leaves the mean under no_results=skip; the gate fails and names it."""
    ranks = [1, *ranks]
    lost = data.draw(st.integers(1, len(ranks) - 1))
    results = {q: docs for i, (q, docs) in enumerate(ranked(ranks).items()) if i != lost}
    base = kept(ranks, no_results="skip")
    found = ir.gate(known(len(ranks)), base, results, no_results="skip", tolerance=1)
    assert found.code == 1
    assert found.findings[-1].sentence == f"1 query with a value in the baseline and none now: q{lost:03}"


def test_a_query_without_results_counts_zero() -> None:
    """With no_results=0, the default, the query that returned nothing is the largest loss, and is said so."""
    after = {q: docs for q, docs in ranked([1, 1, 1, 1]).items() if q != "q002"}
    found = ir.gate(known(4), kept([1, 1, 1, 1]), after)
    assert found.code == 1
    assert [(row["query"], row["difference"], row["list"]) for row in found.regressed()] == [
        ("q002", -1.0, "no results")
    ]


def test_failed_searches() -> None:
    """One of four searches failed: at worst a loss of 1/4, at best none, so nobody can tell (4); at 0 it fails (1)."""
    base, now = kept([1, 1, 1, 1]), failing([1, 1, 1, 1], 2)
    found = ir.gate(known(4), base, now)
    assert (found.code, found.findings[0].outcome, found.findings[0].failed) == (4, "can't tell", ("q002",))
    assert "at their worst the difference would be −0.2500" in found.findings[0].sentence
    assert ir.gate(known(4), kept([1, 1, 1, 1], failed="0"), now, failed="0").code == 1


def test_queries_that_are_new_are_told() -> None:
    """A judged query that the baseline does not have is not compared, and is said to be unguarded."""
    found = ir.gate(known(5), kept([1, 1, 1, 1]), ranked([1, 1, 1, 1, 9]))
    assert found.code == 0
    assert found.kept.differences.account == [
        "1 query not in the baseline, so not guarded: q004", "all 4 lists are the same",
    ]  # fmt: skip
    assert "q004" in str(found)
    assert "q004" in found.to_markdown()


def test_headroom_is_told() -> None:
    """0.25 above the baseline with a tolerance of 0.01: 0.26 could be lost unseen; within it nothing is said."""
    assert gated([1, 2, 1, 2], [1, 1, 1, 2], tolerance=0.2).headroom == ""
    found = gated([1, 2, 1, 2], [1, 1, 1, 1], tolerance=0.01)
    assert found.headroom.startswith(
        "RR is 0.2500 above the baseline, and could lose 0.2600 before this gate fails. Bless again"
    )
    assert "could lose 0.2600" in str(found)
    assert gated([1, 2, 1, 2], [1, 1, 1, 1], tolerance=0.25).headroom == ""


def test_a_path_is_enough(tmp_path: Path) -> None:
    """`ir.gate` takes the file of a baseline in the place of the baseline's results."""
    base = tmp_path / "base.json"
    ir.bless(ir.evaluate(known(2), ranked([1, 1]), "RR"), base)
    for path in (base, str(base), ir.read_baseline(base)):
        assert ir.gate(known(2), path, ranked([2, 2])).code == 1
    base.write_text(base.read_text()[:-40])
    with pytest.raises(ir.DataError, match=r"base\.json line"):
        ir.gate(known(2), base, ranked([2, 2]))
