"""The gate against a baseline's file: what passes, what fails, what is refused; numbers worked out by hand."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from scipy import stats

import idealrank as ir
from idealrank.comparison.baseline.making import baseline_of
from tests.comparison.gate.worlds import Lists, judged, known, ranked


def kept(ranks: list[int], measures: Any = "RR", **options: Any) -> Any:
    """Return the baseline of results in which d stands at these ranks."""
    return baseline_of(ir.evaluate(known(len(ranks)), ranked(ranks), measures, **options))


def gated(before: list[int], after: list[int], **options: Any) -> Any:
    """Gate ranks against the baseline of others, under RR."""
    return ir.gate(known(len(after)), kept(before), ranked(after), **options)


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
    assert found.kept.differences.account == []


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


def failing(ranks: list[int], failed: int) -> dict[str, list[Any]]:
    """Return results as a table in which the search for one query failed."""
    rows = [
        (q, doc, -score, "ok")
        for i, (q, docs) in enumerate(ranked(ranks).items())
        if i != failed
        for doc, score in docs.items()
    ]
    rows.append((f"q{failed:03}", None, None, "timeout"))
    return {
        name: list(values)
        for name, values in zip(("query", "doc", "rank", "status"), zip(*rows, strict=True), strict=True)
    }


def test_failed_searches() -> None:
    """One of four searches failed: at worst a loss of 1/4, at best none, so nobody can tell (4); at 0 it fails (1)."""
    base, now = kept([1, 1, 1, 1]), failing([1, 1, 1, 1], 2)
    found = ir.gate(known(4), base, now)
    assert (found.code, found.findings[0].outcome, found.findings[0].failed) == (4, "can't tell", ("q002",))
    assert "at their worst the difference would be −0.2500" in found.findings[0].sentence
    assert ir.gate(known(4), kept([1, 1, 1, 1], failed="0"), now, failed="0").code == 1


def test_failed_searches_are_not_blessed(tmp_path: Path) -> None:
    """A search that failed leaves nothing to bless, unless a decision says that it counts 0; nothing is written."""
    base = tmp_path / "base.json"
    with pytest.raises(ir.DataError, match=r"failed for 1 query \(q002\), so there is no value to bless.*failed=0"):
        ir.bless(ir.evaluate(known(4), failing([1, 1, 1, 1], 2), "RR"), base)
    assert not base.exists()
    ir.bless(ir.evaluate(known(4), failing([1, 1, 1, 1], 2), "RR", failed="0"), base)
    assert base.exists()


def refused(judgments: Any, base: Any, results: Lists, **options: Any) -> str:
    """Return why a baseline is refused."""
    with pytest.raises(ir.DataError) as error:
        ir.gate(judgments, base, results, **options)
    return str(error.value)


def test_other_judgments_are_refused() -> None:
    """Which queries' judgments changed, how many there are, and how many more of each grade."""
    judgments = known(4)
    judgments["q001"] |= {"x1": 1, "new": 1}
    judgments["q003"] = {("e" if doc == "x9" else doc): grade for doc, grade in judgments["q003"].items()}
    said = refused(judgments, kept([1] * 4), ranked([1] * 4))
    assert (
        "The judgments of 2 queries changed (q001: 10 → 11 judged, 1 fewer of grade 0 and 2 more of grade 1; "
        "q003: 10 judged as before, as many of each grade, for other documents)." in said
    )
    assert "ir.bless(scores, path)" in said


def test_other_decisions_are_refused() -> None:
    """The decision, what it was and what it is; decisions that the measure does not read are no matter."""
    base = kept([1, 2], "nDCG@10")
    said = refused(known(2), base, ranked([1, 2]), gain="exp2", no_results="skip")
    assert (
        "nDCG@10 was computed with other decisions: gain was linear and is exp2, no_results was 0 and is skip." in said
    )
    assert ir.gate(known(2), base, ranked([1, 2]), relevant_from=2).code == 0


def test_another_highest_grade_is_another_decision() -> None:
    """With the highest grade as the scale, a query with a higher one changes the values of all others."""
    base = kept([1, 2], "nDCG@10", ideal="max")
    judgments = {**known(2), "new": {"d": 3}}
    said = refused(judgments, base, ranked([1, 2]), ideal="max")
    assert "The highest grade is 3, and was 1." in said
    plain = kept([1, 2], "nDCG@10")
    assert ir.gate(judgments, plain, ranked([1, 2])).code == 0


def test_queries_that_are_gone_are_refused() -> None:
    """A query that is not judged now, or that was not asked for, is named."""
    base = kept([1, 1, 1, 1])
    for judgments, options in ((known(3), {}), (known(4), {"only": ["q000", "q001", "q002"]})):
        said = refused(judgments, base, ranked([1, 1, 1, 1]), **options)
        assert "1 query of the baseline not judged now, or not asked for: q003." in said


def test_queries_that_are_new_are_told() -> None:
    """A judged query that the baseline does not have is not compared, and is said to be unguarded."""
    found = ir.gate(known(5), kept([1, 1, 1, 1]), ranked([1, 1, 1, 1, 9]))
    assert found.code == 0
    assert found.kept.differences.account == ["1 query not in the baseline, so not guarded: q004"]
    assert "q004" in str(found)
    assert "q004" in found.to_markdown()


def test_other_weights_are_refused() -> None:
    """Weights are part of a mean: other ones are other values."""
    base = kept([1, 2], weights={"q000": 1.0, "q001": 2.0})
    said = refused(known(2), base, ranked([1, 2]), weights={"q000": 1.0, "q001": 5.0})
    assert "The weights of 1 query changed: q001." in said


def test_another_collection_is_refused() -> None:
    """None of ten and more documents in common is another collection; one in common is a changed ranking."""
    judgments: Any = {
        f"q{i}": {"d": 1, **{f"x{j}": 0 for j in range(12)}, **{f"y{j}": 0 for j in range(12)}} for i in range(2)
    }
    old: Any = {f"q{i}": {f"x{j}": -float(j) for j in range(12)} for i in range(2)}
    new: Any = {f"q{i}": {f"y{j}": -float(j) for j in range(12)} for i in range(2)}
    base = baseline_of(ir.evaluate(judgments, old, "RR"))
    said = refused(judgments, base, new)
    assert "none of the 12 documents returned now is among the 12 that were returned then" in said
    new["q0"]["x3"] = -20.0
    assert ir.gate(judgments, base, new).code == 0


def test_an_index_of_another_size(tmp_path: Path) -> None:
    """The record of a replay says the index: one that grew by more than a tenth is refused, by less is told."""
    import hashlib
    import json

    def replayed(name: str, documents: int) -> str:
        folder = tmp_path / name
        (folder / "replay").mkdir(parents=True)
        text = "query,doc,rank\nq000,d,1\nq001,d,1\n"
        (folder / "run.csv").write_text(text)
        record = {
            "results_sha256": hashlib.sha256(text.encode()).hexdigest(), "address": "", "engine": "", "version": "",
            "documents": documents, "k": 10, "queries": {"file": "", "count": 2, "sha256": "ab"}, "settings": {},
            "template": {"file": "", "sha256": "cd"}, "begun": "2026-11-23T07:00:00+00:00", "concurrency": 1,
        }  # fmt: skip
        (folder / "replay" / "run.json").write_text(json.dumps(record))
        return str(folder / "run.csv")

    base = baseline_of(ir.evaluate(known(2), replayed("a", 1000), "RR"))
    assert (base.date, base.corpus.documents) == ("2026-11-23", 1000)
    said = refused(known(2), base, replayed("b", 1101))  # type: ignore[arg-type]
    assert "It is another collection: the index has 1,101 documents, and had 1,000." in said
    found = ir.gate(known(2), base, replayed("c", 1100))
    assert "the index has 1,100 documents, and had 1,000" in found.kept.differences.account[0]


def test_headroom_is_told() -> None:
    """0.25 above the baseline with a tolerance of 0.01: 0.26 could be lost unseen; within it nothing is said."""
    assert gated([1, 2, 1, 2], [1, 1, 1, 2], tolerance=0.2).warning == ""
    found = gated([1, 2, 1, 2], [1, 1, 1, 1], tolerance=0.01)
    assert found.warning.startswith(
        "RR is 0.2500 above the baseline, and could lose 0.2600 before this gate fails. Bless again"
    )
    assert "could lose 0.2600" in str(found)
    assert gated([1, 2, 1, 2], [1, 1, 1, 1], tolerance=0.25).warning == ""


def test_a_path_is_enough(tmp_path: Path) -> None:
    """`ir.gate` takes the file of a baseline in the place of the baseline's results."""
    base = tmp_path / "base.json"
    ir.bless(ir.evaluate(known(2), ranked([1, 1]), "RR"), base)
    for path in (base, str(base), ir.read_baseline(base)):
        assert ir.gate(known(2), path, ranked([2, 2])).code == 1
    base.write_text(base.read_text()[:-40])
    with pytest.raises(ir.DataError, match=r"base\.json line"):
        ir.gate(known(2), base, ranked([2, 2]))


def test_gates_never_write(tmp_path: Path) -> None:
    """A gate that passes, fails or sees a gain leaves the bytes of its baseline as they are."""
    base = tmp_path / "base.json"
    ir.bless(ir.evaluate(known(2), ranked([2, 2]), "RR"), base)
    before, when = base.read_bytes(), os.stat(base).st_mtime_ns
    for ranks in ([1, 1], [2, 2], [3, 3]):
        ir.gate(known(2), base, ranked(ranks))
    assert (base.read_bytes(), os.stat(base).st_mtime_ns) == (before, when)


def test_blessing_says_what_it_changes(tmp_path: Path) -> None:
    """Means from what to what, lists, judgments and decisions; the same again says that nothing changed."""
    base = tmp_path / "eval" / "base.json"
    first = ir.bless(ir.evaluate(known(3), ranked([1, 2, 2]), ["RR", "P@1"]), base)
    assert first.before is None
    assert "RR          0.6667" in str(first)
    again = ir.bless(ir.evaluate(known(3), ranked([1, 2, 2]), ["RR", "P@1"]), base)
    assert "the same lists and judgments as before" in str(again)
    second = str(ir.bless(ir.evaluate(known(4), ranked([1, 1, 2, 1]), ["RR"]), base))
    assert "RR          0.6667 → 0.8750" in second
    assert "P@1         no longer guarded" in second
    assert "results changed in 1 query: q001" in second
    assert "1 query not in the baseline, so not guarded: q003" not in second
    assert "1 query added: q003" in second


@pytest.mark.parametrize(
    ("measures", "options", "said"),
    [
        ("ARP", {}, "lower ARP is better, so it has no drop to guard against"),
        ("IDCG", {}, "neither good nor bad"),
        ("RR", {"average": "median"}, "is averaged with average=median"),
    ],
)
def test_what_cannot_be_guarded_is_not_blessed(tmp_path: Path, measures: str, options: Any, said: str) -> None:
    """A measure that no gate could check is refused when it is blessed, not when the first build fails."""
    with pytest.raises(ir.UsageError, match=said):
        ir.bless(ir.evaluate(known(2), ranked([1, 1]), measures, **options), tmp_path / "base.json")


def test_only_a_baseline_is_written_over(tmp_path: Path) -> None:
    """Blessing over another file is refused; over a damaged baseline it is the way out."""
    path = tmp_path / "judgments.csv"
    path.write_text("query,doc,grade\nq000,d,1\n")
    scores = ir.evaluate(known(2), ranked([1, 1]), "RR")
    with pytest.raises(ir.UsageError, match="not a baseline, so it is not written over"):
        ir.bless(scores, path)
    base = tmp_path / "base.json"
    ir.bless(scores, base)
    base.write_text(f"<<<<<<< ours\n{base.read_text()}")
    blessed = ir.bless(scores, base)
    assert blessed.before is None
    said = f"the file replaced could not be read, so nothing says what changed: {base} line 1: not a baseline"
    assert blessed.to_dict()["changed"][0].startswith(said)
    assert said in " ".join(str(blessed).split())
    assert ir.gate(known(2), base, ranked([1, 1])).code == 0


def test_several_systems_and_relative_latency_are_refused() -> None:
    """A baseline is of one system, and contains no times."""
    two: Any = {"a": ranked([1]), "b": ranked([1])}
    with pytest.raises(ir.UsageError, match="A gate checks one system"):
        ir.gate(known(1), kept([1]), two)
    with pytest.raises(ir.UsageError, match="the file of a baseline contains no times"):
        gated([1], [1], minimum="latency_p95 <= +10%")
    with pytest.raises(ir.UsageError, match="no such measure: RR"):
        gated([1], [1], tolerance={"AP": 0.1})
    with pytest.raises(ir.UsageError, match="a measure may lose 0 or more"):
        gated([1], [1], tolerance=-0.1)
    with pytest.raises(ir.UsageError, match="only for a baseline's file"):
        ir.gate(judged(1), ranked([1]), ranked([1]), fail_if="RR drops 0.1", tolerance=0.1)
