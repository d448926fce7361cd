"""Numbers with decimal commas, as European spreadsheets write them."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

JUDGED = "query;doc;grade\nq1;a;0,5\nq1;b;2\nq2;c;1\n"
RETURNED = "query;doc;score\nq1;a;0,73\nq1;b;1,5\nq1;x;NA\nq2;c;1e-3\n"


def written(folder: Path, judged: str, returned: str) -> tuple[str, str]:
    """Write judgments and results."""
    (folder / "j.csv").write_text(judged)
    (folder / "r.csv").write_text(returned)
    return str(folder / "j.csv"), str(folder / "r.csv")


def test_they_are_read(tmp_path: Path) -> None:
    """A column with at most one comma per number and no point is the same as with points, and the ledger says it."""
    returned = RETURNED.replace("q1;x;NA\n", "")
    scores = ir.evaluate(*written(tmp_path, JUDGED, returned), measures=["nDCG@10", "RR"])
    points = ir.evaluate(*written(tmp_path, *(t.replace(",", ".") for t in (JUDGED, returned))), measures="nDCG@10")
    assert scores["nDCG@10"] == points["nDCG@10"] == 1.0  # b, 2, before a, 0.5
    judged, results = (table.text for table in scores.ledger.tables)
    assert judged == "decimal commas in grade: query=query doc=doc grade=grade, grades 0.5 to 2"
    assert results == "decimal commas in score: query=query doc=doc score=score, ordered by score"


def test_several_ratings(tmp_path: Path) -> None:
    """Each column of ratings is read by itself: the median of 1 and 0,5 is 0.75."""
    judged = "query;doc;rating_1;rating_2\nq1;a;1;0,5\nq2;c;1;0\n"
    judgments, _ = written(tmp_path, judged, "")
    scores = ir.evaluate(judgments, {"q1": {"a": 1.0}, "q2": {"c": 1.0}}, "DCG@1")
    assert scores["DCG@1"] == (0.75 + 0.5) / 2


@pytest.mark.parametrize(
    ("first", "second", "mean"),
    [(",5", "0,25", 0.375), ("2,5e-1", "7,5E-1", 0.5), ("0,125", "0,375", 0.25), ("+0,5", "1,234", 0.867)],
)
def test_forms_of_numbers(first: str, second: str, mean: float, tmp_path: Path) -> None:
    """Digits before the comma may be missing, powers may follow; three digits after 0, or beside others, are decimals.

    DCG@1 with linear gain is the grade of the first result.
    """
    judged = f"query;doc;grade\nq1;a;{first}\nq2;c;{second}\n"
    scores = ir.evaluate(written(tmp_path, judged, "")[0], {"q1": {"a": 1.0}, "q2": {"c": 1.0}}, "DCG@1")
    assert scores["DCG@1"] == pytest.approx(mean)


def test_only_delimited_text_has_them() -> None:
    """A text with a comma from a program is no number: nothing there writes decimal commas."""
    with pytest.raises(ir.DataError, match="score '0,73' is not a number"):
        ir.evaluate({"q1": {"a": 1}}, [{"query": "q1", "doc": "a", "score": "0,73"}])


@pytest.mark.parametrize(
    ("scores", "line", "value", "way"),
    [
        (("0,73", "0.5"), 2, "0,73", "Write decimals with a point, as in 2.5."),
        (("0.73", "0,5"), 3, "0,5", "Write decimals with a point, as in 2.5."),
        (("1,234,567", "2"), 2, "1,234,567", "It can be a decimal or thousands. Write decimals with a point"),
        (("1,234", "12,500"), 2, "1,234", "It can be a decimal or thousands. Write decimals with a point"),
        (("0,73", "high"), 3, "high", "Give a number, such as 3 or 0.25."),
        (("0,73", "ca. 1"), 3, "ca. 1", "Give a number, such as 3 or 0.25."),
        (("0,73", "1.234,5"), 3, "1.234,5", "Leave out the points between thousands, as in 1234,5."),
    ],
)
def test_in_doubt_they_are_refused(scores: tuple[str, str], line: int, value: str, way: str, tmp_path: Path) -> None:
    """With points beside commas, or where all may be thousands, the first such line is named."""
    returned = "query;doc;score\n" + "".join(f"q1;{doc};{score}\n" for doc, score in zip("ab", scores, strict=True))
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(*written(tmp_path, JUDGED, returned))
    assert str(refused.value).startswith(f"{tmp_path}/r.csv line {line}: score '{value}' is not a number. {way}")


@pytest.mark.parametrize("separator", [";", "\t"])
def test_points_that_may_be_between_thousands_are_asked_for(separator: str, tmp_path: Path) -> None:
    """1.200 beside 900, where commas are decimal, is rather 1200 than 1.2: the order would be turned round."""
    returned = "query;doc;score\nq1;a;900\nq1;b;1.200\nq1;x;1.050\n"
    judged, results = written(tmp_path, JUDGED, returned.replace(";", separator))
    with pytest.raises(
        ir.DataError, match=r"r.csv line 3: score '1.200' can be 1,200 or 1.2, since every number"
    ) as said:
        ir.evaluate(judged, results, "nDCG@10")
    assert "write them without points, as in 1200; else write all numbers with decimals, as in 1.2." in str(said.value)
    graded = returned.replace("score", "grade").replace(";", separator)
    with pytest.raises(ir.DataError, match=r"grade '1.200' can be"):
        ir.evaluate(written(tmp_path, graded, "")[0], {"q1": {"a": 1.0}}, "nDCG@10")
    with pytest.raises(ir.DataError, match=r"score '1,200' is not a number. It can be a decimal or thousands"):
        ir.evaluate(judged, written(tmp_path, JUDGED, returned.replace(".", ","))[1], "nDCG@10")


@pytest.mark.parametrize(
    ("before", "after"),
    [("1.200", "1.2"), ("1.050", "1.055"), ("900", "900.000"), ("900", "0.900"), ("900", "1200"), (";", ",")],
)
def test_points_before_decimals(before: str, after: str, tmp_path: Path) -> None:
    """Other numbers of digits, no whole number below 1000, a 0 before the point, or commas as separators: decimals."""
    returned = "query;doc;score\nq1;a;900\nq1;b;1.200\nq1;x;1.050\n".replace(before, after)
    returned = returned.replace("1.200", "1.201") if before == "1.050" else returned
    assert ir.evaluate(*written(tmp_path, JUDGED, returned), measures="RR")["RR"] > 0
