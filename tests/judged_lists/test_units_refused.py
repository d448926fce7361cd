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
        "three.csv": ("id,unit,more\nc1,a,b\n", r"3 columns \(id, unit, more\)\. A map of units has two columns"),
        "empty.csv": ("id,unit\nc1,a\nc2,\n", r"line 3: unit is missing\. Give both"),
        "list.json": ('["c1"]', r"no map of units\. Give a JSON object"),
        "deep.json": ('{"c1": {"a": 1}}', r"'c1' has \{'a': 1\}, which is no id"),
        "torn.json": ('{"a": ["c1"], "b": ["c1"]}', r"1 id has two units: c1 \(a and b\)"),
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
    """A rule that makes one document of two judged ones is refused: they are units of the results already."""
    judgments, results = {"q": {"doc_1": 1, "doc_2": 1}}, {"q": {"doc_1_3": 2.0, "doc_2_1": 1.0}}
    with pytest.raises(ir.DataError, match=r"2 judged ids are units of the results already, .* doc_1 \(to doc\)"):
        ir.evaluate(judgments, results, ["RR"], unit="before(_)")
    assert ir.evaluate(judgments, results, ["R@2"], unit="match(^(doc_[0-9]+)_[0-9]+$)")["R@2"] == 1.0


def test_repeats_may_earn_nothing() -> None:
    """Answers under which a repeat would earn something, or which leave its place open, are refused."""
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
