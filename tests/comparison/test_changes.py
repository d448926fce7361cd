"""Changes: the documents that came, went and moved, and their shares in the difference."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.comparison.changes import Changes, Entered, Kept, Left, MovedUp, changes, query_changes
from idealrank.conventions import CONVENTIONS
from idealrank.measures import DEFINITIONS, Definition
from tests.evaluation.worlds import ANSWERS, RANDOMLY, Nested, nested, supported, worlds

GRADES = {"q": {"a": 3, "b": 2, "c": 1, "e": 1}}
OLD = {"q": {"a": 9, "x": 8, "b": 7, "c": 6, "y": 5}}
NEW = {"q": {"b": 9, "x": 8, "e": 7, "a": 6, "c": 5}}

NAMED = st.sampled_from([name for name in sorted(CONVENTIONS) if supported(name)])


def both(measure: str, judgments: Any = GRADES, old: Any = OLD, new: Any = NEW, **answers: Any) -> ir.Scores:
    """Evaluate both systems."""
    return ir.evaluate(judgments, {"old": old, "new": new}, [measure], **answers)


def changed(scores: ir.Scores, query: str = "q", m: int = 0) -> Changes:
    """Return the changes of a query."""
    return changes(*scores.joins, scores.measures[m], scores.queries.index(query))


def test_by_hand() -> None:
    """DCG@3 of a x b (c y) and b x e (a c): who entered, left, moved and stayed, with both ranks and shares."""
    found = changed(both("DCG@3"))
    assert list(found) == [
        MovedUp("b", 3, 1, 2.0, 2.0 - 2.0 / 2),
        Kept("x", 2, 2, None, 0.0),
        Entered("e", None, 3, 1.0, 0.5),
        Left("a", 1, 4, 3.0, -3.0),
    ]
    assert found.difference == pytest.approx(-1.5, abs=1e-12)
    assert (found.residue, found.reason) == (0.0, "")
    whole = changed(both("DCG"))
    assert {one.doc: one.kind for one in whole} == {
        "b": "moved up", "x": "kept", "e": "entered", "a": "moved down", "c": "moved down", "y": "left",
    }  # fmt: skip
    share = next(one for one in whole if one.doc == "c").contribution
    assert share == pytest.approx(1 / math.log2(6) - 1 / math.log2(5))


def test_beyond_the_cutoff() -> None:
    """What crosses the cutoff enters or leaves with both its ranks; what is beyond it in both is not named."""
    found = {one.doc: one for one in changed(both("P@1"))}
    assert found == {"b": Entered("b", 3, 1, 2.0, 1.0), "a": Left("a", 1, 4, 3.0, -1.0)}


def test_each_side_has_its_own_ideal() -> None:
    """With ideal=local a document kept at its rank contributes what the other divisor makes of it."""
    found = changed(both("nDCG@2", ideal="local", new={"q": {"a": 9, "b": 8}}))
    kept = next(one for one in found if one.doc == "a")
    assert isinstance(kept, Kept)
    assert kept.contribution == pytest.approx(3 / (3 + 2 / math.log2(3)) - 1.0, abs=1e-12)


@RANDOMLY
@given(worlds(), nested(st.sampled_from([1.0, 2.0, 3.0])), NAMED, ANSWERS, st.sampled_from(["close", "keep"]))
def test_contributions_sum_to_the_difference(
    world: tuple[Nested, Nested], other: Nested, convention: str, answers: dict[str, Any], gaps: str
) -> None:
    """On random data contributions and residue are the difference: every measure, convention and answer.

    There is a residue only where the measure is no sum over results, values are rounded by query, or a side is
    not computed: 0/0, or without results.
    """
    own = CONVENTIONS[convention].decisions
    apart = {"order_by": "score"} if own.order_by == "rank" else {"rank_gaps": gaps}
    apart |= {"max_grade": "highest"} if own.max_grade == 1 else {}
    judgments, old = world
    other.setdefault("q0", {})["d0"] = 1.0
    for name in supported(convention):
        try:
            scores = both(name, judgments, old, other, convention=convention, **(apart | answers))
            keys = [(query, m) for query in scores.queries for m in range(len(scores.measures))]
            found = {key: changed(scores, *key) for key in keys}
        except ir.IdealrankError:  # the answers do not go together, or not with the data
            continue
        for (query, m), one in found.items():
            check(scores, query, m, one)


def check(scores: ir.Scores, query: str, m: int, found: Changes) -> None:
    """Check that contributions and residue are the difference of the two values."""
    before, after = scores.values[:, m, scores.queries.index(query)]
    if math.isnan(after - before):
        assert math.isnan(found.difference)
        return
    assert (found.baseline_value, found.value) == (before, after)
    size = max(1.0, abs(before), abs(after))
    shares = [one.contribution for one in found]
    if any(map(math.isnan, shares)) or "no sum" in found.reason:
        assert all(map(math.isnan, shares))
        assert found.residue == pytest.approx(after - before, abs=1e-12 * size)
        return
    assert math.fsum([*shares, found.residue]) == pytest.approx(after - before, abs=1e-12 * size)
    assert (found.residue == 0) or found.reason
    assert "rank_gaps" not in found.reason
    if not found.reason:
        assert math.fsum(shares) == pytest.approx(after - before, abs=1e-12 * size)


def test_what_is_no_sum() -> None:
    """A measure that is no sum over results names no shares: the difference is the residue, with the reason."""
    found = changed(both("IPrec@0.5"))
    assert all(math.isnan(one.contribution) for one in found)
    assert found.residue == found.difference
    assert "is not a sum over results" in found.reason
    assert "no document's share" in repr(found)


def test_a_side_without_results() -> None:
    """Of a query one system returned nothing for, everything entered; what no_results fills in is the residue."""
    judgments = GRADES | {"p": {"a": 1}}
    found = changed(both("RR", judgments, OLD, NEW | {"p": {"a": 1}}), "p")
    assert list(found) == [Entered("a", None, 1, 1.0, 1.0)]
    assert (found.baseline_value, found.residue, found.reason) == (0.0, 0.0, "")


def test_ranks_left_out_with_a_grade() -> None:
    """Where ranks left out count as results with a grade, what they add is the residue, and said."""
    old = {"query": ["q"] * 2, "doc": ["a", "b"], "rank": [1, 3]}
    new = {"query": ["q"] * 2, "doc": ["a", "b"], "rank": [1, 2]}
    found = changed(both("CG@3", GRADES, old, new, rank_gaps="keep", unjudged=0.5))
    assert (found.residue, found.difference) == (-0.5, -0.5)
    assert "rank_gaps=keep" in found.reason


def test_a_query_left_out_on_one_side() -> None:
    """Where one side has no value there is no difference: both are shown as missing, with the reason."""
    judgments = GRADES | {"p": {"a": 1}}
    found = changed(both("RR", judgments, OLD, NEW | {"p": {"a": 1}}, no_results="skip"), "p")
    assert math.isnan(found.difference)
    assert found.to_dict()["difference"] is None
    assert found.reason == "old returned nothing: no_results=skip"
    assert found.heading == "query p, RR: old –, new 1.0000, difference –"


@pytest.mark.parametrize("measure", ["RR", "IPrec@0.5"])
def test_a_query_whose_search_failed(measure: str) -> None:
    """Where the search failed there is no difference, and the reason is the failure, not that nothing was found."""
    failed = {"query": ["q", "p"], "doc": ["a", None], "score": [1.0, None], "error": ["", "timeout after 3 s"]}
    found = changed(both(measure, GRADES | {"p": {"a": 1}}, OLD | {"p": {"a": 1}}, failed), "p")
    assert math.isnan(found.difference)
    assert "the search of new failed (timeout after 3 s): failed=skip" in found.reason
    assert repr(found).splitlines()[-1] == f"no difference: {found.reason}"


SUBTOPICS = Path(__file__).parents[1] / "golden" / "diversity"


@pytest.mark.parametrize("definition", [d for d in DEFINITIONS if d.by_subtopic], ids=lambda d: d.name)
def test_measures_by_subtopic(definition: Definition) -> None:
    """Measures by subtopic have shares, too, whose sum is the difference."""
    run = [line.split() for line in (SUBTOPICS / "run.txt").read_text("utf-8").splitlines()]
    turned = {"query": [row[0] for row in run], "doc": [row[2] for row in run], "score": [float(row[3]) for row in run]}
    scores = both(definition.name, SUBTOPICS / "judgments.csv", SUBTOPICS / "run.txt", turned)
    for query in scores.queries:
        check(scores, query, 0, changed(scores, query))


def test_as_a_table_and_as_json() -> None:
    """The table has a row a document, unjudged grades missing; to_dict is plain; the repr begins with the values."""
    found = changed(both("DCG@3"))
    assert found.table.columns == ["change", "doc", "before", "after", "grade", "contribution"]
    assert found.table["after"] == [1, 2, 3, 4]
    assert math.isnan(found.table["grade"][1])
    whole = json.loads(json.dumps(found.to_dict()))
    assert whole["difference"] == found.difference
    assert whole["changes"][2] == {
        "change": "entered", "doc": "e", "before": None, "after": 3, "grade": 1.0, "contribution": 0.5,
    }  # fmt: skip
    assert repr(found).startswith("query q, DCG@3: old 4.0000, new 2.5000, difference −1.5000\nchange ")
    assert (found[1], len(found)) == (found.changes[1], 4)


def test_of_a_comparison() -> None:
    """A comparison gives them by query id or by text, for its first measure and its only system unless named."""
    judgments = {"q": GRADES["q"], "p": {"a": 1}}
    texts = {"query": ["q", "p"], "text": ["red shoes", "blue"]}
    systems = {"old": OLD | {"p": {"a": 1}}, "new": NEW | {"p": {"a": 1}}}
    comparison = ir.compare(judgments, systems, ["DCG@3", "P@1"], queries=texts)
    found = query_changes(comparison, "red shoes")
    assert (found.query, found.text, found.baseline, found.system) == ("q", "red shoes", "old", "new")
    assert found.difference == pytest.approx(-1.5, abs=1e-12)
    assert query_changes(comparison, "q", measure="P@1").measure == "P@1"
    with pytest.raises(ir.UsageError, match="No judged query 'shoes'"):
        query_changes(comparison, "shoes")
    scores = {name: ir.evaluate(judgments, run, ["DCG@3"]) for name, run in systems.items()}
    assert query_changes(ir.compare(scores), "q").heading.startswith("query q, DCG@3: old 4.0000, new 2.5000")
