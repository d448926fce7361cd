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
