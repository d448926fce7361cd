"""What a gate against a baseline's file refuses: other judgments, decisions, weights, queries and collections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.regression.baseline import baseline_of
from tests.regression.worlds import Lists, gated, judged, kept, known, ranked


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


def test_other_weights_are_refused() -> None:
    """Weights are part of a mean: other ones are other values."""
    base = kept([1, 2], weights={"q000": 1.0, "q001": 2.0})
    said = refused(known(2), base, ranked([1, 2]), weights={"q000": 1.0, "q001": 5.0})
    assert "The weights of 1 query changed: q001." in said
    assert ir.gate(known(2), base, ranked([1, 2]), weights={"q000": 1.0, "q001": 2.0}).code == 0


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
