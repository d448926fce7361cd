"""What people write where nobody judged: the cell is named, and that the row can be left out or the cell be empty."""

from pathlib import Path

import pytest

import idealrank as ir

WAY = (
    "If nobody judged this document, leave the row out; in a table the cell may also be empty. If the rater could not "
    "tell, write 'cannot tell' there, which is counted and is no grade."
)


@pytest.mark.parametrize("value", ["n/a", "N/A", "-", "--", "?", "unknown", "Unjudged"])
def test_marks_of_no_grade_are_refused_with_the_way_out(value: str, tmp_path: Path) -> None:
    """The message names the file, the line, the cell, and what to do."""
    file = tmp_path / "j.csv"
    file.write_text(f"query,doc,grade\nq1,a,3\nq1,b,{value}\n")
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(file, {"q1": {"a": 1.0}})
    assert str(refused.value).endswith(f"j.csv line 3: grade {value!r} is not a number. {WAY}")


def test_the_way_out_works(tmp_path: Path) -> None:
    """An empty cell and a row left out give the same means."""
    results = {"q1": {"b": 2.0, "a": 1.0}}
    means = []
    for name, rows in (("empty", "q1,a,3\nq1,b,\n"), ("out", "q1,a,3\n")):
        (tmp_path / f"{name}.csv").write_text(f"query,doc,grade\n{rows}")
        means.append(ir.evaluate(tmp_path / f"{name}.csv", results, ["RR"])["RR"])
    assert means == [0.5, 0.5]


def test_a_score_is_never_left_out(tmp_path: Path) -> None:
    """The same mark as a score asks for a number."""
    file = tmp_path / "r.csv"
    file.write_text("query,doc,score\nq1,a,3\nq1,b,n/a\n")
    with pytest.raises(ir.DataError, match=r"Give a number, such as 3 or 0\.25"):
        ir.evaluate({"q1": {"a": 1}}, file)
