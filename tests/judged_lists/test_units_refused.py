"""What cannot be a unit is refused, and maps of units are read, with places, counts and examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.judged_lists.test_units import JUDGMENTS, MAP, RESULTS, ROWS


def test_a_map_of_units_as_a_file(tmp_path: Path) -> None:
    """A table of two columns, {id: unit} and {unit: [ids]} say the same; a unit is its own unit."""
    (tmp_path / "m.csv").write_text("chunk,document\n" + "".join(f"{part},{unit}\n" for part, unit in MAP.items()))
    (tmp_path / "m.json").write_text('{"d1#0": "d1", "d1#1": "d1", "d2": "d2"}')
    (tmp_path / "n.json").write_text('{"d1": ["d1#0", "d1#1"], "d2": ["d2#0"]}')
    whole = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@3"], unit="before(#)")["nDCG@3"]
    assert ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@3"], unit=tmp_path / "m.csv")["nDCG@3"] == whole
    assert ir.evaluate(JUDGMENTS, RESULTS, ["nDCG@3"], unit=f"map({tmp_path / 'm.csv'})")["nDCG@3"] == whole
    few = {"q1": {"d1#1": 3.0, "d1#0": 2.0, "d2": 1.0}}
    for name in ("m.json", "n.json"):
        assert ir.evaluate({"q1": {"d2": 1}}, few, ["RR"], unit=tmp_path / name)["RR"] == 0.5


REFUSED: dict[str, tuple[Any, str]] = {
    "no such column": ("sources", r"results: no column called 'sources' for the unit\. Did you mean source\? Found: "),
    "a rule that matches nothing": ("before(:)", r"unit=before\(:\) matches none of its ids, such as d1#0, d1#1, "),
    "a part without a unit": (
        {"d1#0": "d1"},
        r"results row 1: 8 rows have no unit in the map of units: d1#1, d2#0, x#1 and 5 more\. Add them",
    ),
    "no such map": ("map(nowhere.csv)", r"nowhere\.csv: no such file"),
    "a pattern without a group": ("match(d.*)", r"the pattern has no group\. Put brackets around the unit"),
    "a broken pattern": ("match(d(*))", r"no regular expression"),
    "nothing in the brackets": ("before()", r"nothing in the brackets\. Write before\(#\)"),
    "half a bracket": ("before(()", r"brackets inside must come in pairs"),
    "the digest of a dict": ("map(3 ids, 0123abcd)", r"a dict that was given in Python\. Give the same dict"),
}


@pytest.mark.parametrize(("unit", "said"), REFUSED.values(), ids=REFUSED)
def test_refused(unit: Any, said: str) -> None:
    """What cannot be a unit is refused with the place, a count and three examples."""
    with pytest.raises(ir.IdealrankError, match=said):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"], unit=unit)


def test_refused_maps(tmp_path: Path) -> None:
    """An id with two units is refused with both; so are three columns, empty cells, and JSON that is no map."""
    files = {
        "two.csv": ("id,unit\nc1,a\nc1,b\nc2,a\n", r"two\.csv: 1 id has two units: c1 \(a and b\)\. Give every id one"),
        "three.csv": ("a,b,c\nc1,a,b\n", r"3 columns \(a, b, c\)\. A map of units has two columns"),
        "empty.csv": ("id,unit\nc1,a\nc2,\n", r"line 3: unit is missing\. Give both"),
        "list.json": ('["c1"]', r"no map of units\. Give a JSON object"),
        "deep.json": ('{"c1": {"a": 1}}', r"'c1' has \{'a': 1\}, which is no id"),
        "torn.json": ('{"a": ["c1"], "b": ["c1"]}', r"'c1' has two units, 'a' and 'b'\. Give every id one"),
        "mixed.json": ('{"c1": ["a"], "c2": 7}', r"some values are lists and some are not\. Give \{id: unit\}"),
    }
    for name, (text, said) in files.items():
        (tmp_path / name).write_text(text)
        with pytest.raises(ir.DataError, match=said):
            ir.evaluate(JUDGMENTS, RESULTS, ["RR"], unit=tmp_path / name)


def test_empty_cells_of_a_unit_column() -> None:
    """A chunk without a unit in its row is refused with the line, the number of such chunks, and three of them."""
    results = RESULTS | {"source": [None, "d1", "", "x", "d3", "d2", "y", "y", "d4"]}
    with pytest.raises(ir.DataError, match=r"row 0: 2 rows have no unit in the column source: d1#0, d2#0\. Give"):
        ir.evaluate(JUDGMENTS, results, ["RR"], unit="source")


def test_a_rule_that_would_cut_units() -> None:
    """Judged ids that are units of the results already are not cut; if others of them are parts, this is refused."""
    judgments, results = {"q": {"doc_1": 1, "doc_2": 1}}, {"q": {"doc_1_3": 2.0, "doc_2_1": 1.0}}
    assert ir.evaluate(judgments, results, ["R@2"], unit="before(_)")["R@2"] == 1.0
    with pytest.raises(ir.DataError, match=r"some judged ids are units .*\(doc_1\) and some are parts .*\(doc_2_1\)"):
        ir.evaluate({"q": {"doc_1": 1, "doc_2_1": 1}}, results, ["RR"], unit="before(_)")


def test_judgments_keep_nothing_of_the_results_they_met() -> None:
    """Judgments read once and scored with several results give each the value they give it alone, in any order."""
    judged = {"q1": {"a_1": 1}, "q2": {"b": 1}}
    as_unit, as_part = {"q1": {"x_9": 2.0, "a_1_3": 1.0}}, {"q1": {"x_9": 2.0, "y_9": 1.5, "a_1": 1.0}}
    for order in ((as_unit, as_part), (as_part, as_unit)):
        table = ir.read_judgments(judged)
        for results in order:
            alone = ir.evaluate(judged, results, ["RR"], unit="before(_)", only=["q1"])["RR"]
            assert alone == (0.5 if results is as_unit else pytest.approx(1 / 3))
            assert ir.evaluate(table, results, ["RR"], unit="before(_)", only=["q1"])["RR"] == alone


def test_reconcile_settles_each_unit_by_itself() -> None:
    """From each result to its document: the judged ids that are documents are cut under neither, and all is unit."""
    judged, results = {"q1": {"a_1": 1, "x_9": 1}}, {"q1": {"x_9": 3.0, "y_2_1": 2.0, "a_1_3": 1.0}}
    with pytest.raises(ir.DataError, match=r"some judged ids are units .*\(a_1\) and some are parts"):
        ir.reconcile(judged, results, "RR", "idealrank-1", "idealrank-1, unit=before(_)")
    judged = {"q1": {"a_1": 1, "z": 1}}
    results = {"q1": {"z": 3.0, "y_2_1": 2.0, "a_1_3": 1.0}}
    found = ir.reconcile(judged, results, "R@3", "idealrank-1", "idealrank-1, unit=before(_)")
    assert (found.before, found.after) == (0.5, 1.0)


def test_a_rule_need_match_only_some_results() -> None:
    """A system of whole documents beside one of chunks is scored by the same units."""
    systems = {"chunks": {"q": {"x#1": 2.0, "y#2": 1.0}}, "whole": {"q": {"y": 2.0, "x": 1.0}}}
    scores = ir.evaluate({"q": {"y": 1, "x": 0}}, systems, ["RR"], unit="before(#)")
    assert (scores["RR", "chunks"], scores["RR", "whole"]) == (0.5, 1.0)


def test_gaps_are_those_of_the_results() -> None:
    """Under rank_gaps=keep, the ranks of parts that were rolled up are no gaps, and those left out are."""
    results = {"query": ["a b"] * 4, "doc_id": ["x#1", "x#2", "y#1", "z#1"], "rank": [1, 2, 3, 6]}
    judgments = {"a b": {"y": 1, "z": 1}}
    steps = ir.explain(judgments, results, "AP", unit="before(#)", rank_gaps="keep").steps
    assert [rank for rank, doc in zip(steps["rank"], steps["doc"], strict=True) if doc in ("y", "z")] == [2, 5]
    kept = ir.explain(judgments, results, "AP", unit="before(#)", rank_gaps="keep", counts="returned").steps
    assert [rank for rank, doc in zip(kept["rank"], kept["doc"], strict=True) if doc in ("y", "z")] == [3, 6]


def test_units_are_ordered_by_scores_whatever_the_ranks_say() -> None:
    """roll_up=max reads scores only: ranks that run against them are no fault, and without scores it is refused."""
    table = {"query": ["a b"] * 3, "doc_id": ["x#1", "x#2", "y#1"], "rank": [1, 2, 3], "score": [0.1, 0.2, 0.9]}
    assert ir.evaluate({"a b": {"y": 1}}, table, ["RR"], unit="before(#)", roll_up="max")["RR"] == 1.0
    ranks = {name: table[name] for name in ("query", "doc_id", "rank")}
    with pytest.raises(ir.DataError, match="roll_up=max orders units by scores, but there is no score column"):
        ir.evaluate({"a b": {"y": 1}}, ranks, ["RR"], unit="before(#)", roll_up="max")


def test_judgments_with_both_columns() -> None:
    """Judgments of chunks that also name their documents are merged by documents, as results are."""
    results = {"query": [1, 1, 1], "chunk_id": [1, 2, 3], "doc_id": [10, 10, 20], "score": [3.0, 2.0, 1.0]}
    judged = {"query": [1, 1, 1], "chunk_id": [1, 3, 4], "doc_id": [10, 20, 20], "grade": [0, 1, 2]}
    assert ir.evaluate(judged, results, ["CG"], unit="doc_id")["CG"] == 2.0
    with pytest.raises(ir.DataError, match="the column 'query' is the query, and cannot be the unit"):
        ir.evaluate(judged, results, ["CG"], unit="query")
    nameless = results | {"chunk_id": [1, 2, None], "doc_id": [10, None, 20]}
    with pytest.raises(ir.DataError, match="1 row has no unit in the column of documents: 2"):
        ir.evaluate(judged, nameless, ["CG"], unit="doc_id")
    lost = results | {"doc_id": [10, None, 20]}
    with pytest.raises(ir.DataError, match="1 row has no unit in the column of documents: 2"):
        ir.evaluate(judged, lost, ["CG"], unit="doc_id")


def test_dicts_of_units() -> None:
    """A dict says the unit of each id, or the ids of each unit; what is no id, and an id of two units, are refused."""
    results = {"q1": {"u1": 1.0, "u2": 2.0}}
    for units in ({"u1": "x", "u2": "y"}, {"x": ["u1"], "y": ["u2"]}):
        assert ir.evaluate({"q1": {"x": 1}}, results, ["RR"], unit=units)["RR"] == 0.5
    with pytest.raises(ir.UsageError, match="'u2' has None, which is no id"):
        ir.evaluate({"q1": {"x": 1}}, results, ["RR"], unit={"u1": "x", "u2": None})
    with pytest.raises(ir.UsageError, match="'u1' has two units, 'x' and 'y'"):
        ir.evaluate({"q1": {"x": 1}}, results, ["RR"], unit={"x": ["u1"], "y": ["u1"]})


def test_repeats_may_earn_nothing() -> None:
    """Answers under which a repeat would earn something, or which leave its place open, are refused."""
    with pytest.raises(ir.DataError, match=r"unjudged=filter closes the ranks .* Use counts=units"):
        ir.evaluate(JUDGMENTS, RESULTS, ["DCG@3"], unit="source", counts="returned", unjudged="filter")
    with pytest.raises(ir.DataError, match=r"unjudged=0\.5 gives a grade .* Use counts=units"):
        ir.evaluate(JUDGMENTS, RESULTS, ["DCG@3"], unit="source", counts="returned", unjudged=0.5)
    tied = RESULTS | {"score": [1.0] * len(ROWS)}
    with pytest.raises(ir.DataError, match=r"ties=average is not computed under counts=returned"):
        ir.evaluate(JUDGMENTS, tied, ["DCG@3"], unit="source", counts="returned", ties="average")
    assert ir.evaluate(JUDGMENTS, tied, ["DCG@3"], unit="source", ties="average")["DCG@3"] > 0


def test_parts_judged_by_subtopic() -> None:
    """Judgments of parts by subtopic are refused for measures of subtopics, with the way out."""
    judged = {"query_id": ["q"] * 2, "chunk_id": ["c1", "c2"], "source": ["a", "a"], "subtopic": [1, 2],
              "grade": [1, 1]}  # fmt: skip
    results = {"query_id": ["q"], "chunk_id": ["c1"], "source": ["a"], "rank": [1]}
    with pytest.raises(ir.DataError, match="parts of units are judged by subtopic"):
        ir.evaluate(judged, results, ["alpha_nDCG@5"], unit="source")


def test_strangers_are_told_of_units() -> None:
    """Where ids of results begin with judged ids, the message names the rule that makes one of the other."""
    with pytest.raises(ir.DataError, match=r"If results are parts of what is judged, say so: unit=before\(#\)"):
        ir.evaluate({"q": {"d": 1}, "r": {"e": 1}}, {"q": {"d#1": 1.0}, "r": {"e#2": 1.0}}, ["RR"])
