"""Which command the files of a call to peek are meant for."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

JUDGED = "query,doc,grade\nq1,a,1\nq1,b,0\n"
RETURNED = "query,doc,rank\nq1,a,1\nq1,b,2\n"
TEXTS = "query_id,query\nq1,red shoes\n"
FILES = {
    "j.csv": JUDGED,
    "k.csv": JUDGED,
    "ungraded.csv": "query,doc,grade\nq1,a,\n",
    "r.csv": RETURNED,
    "s.csv": RETURNED,
    "t.csv": RETURNED,
    "two.csv": "query,doc,rank,system\nq1,a,1,x\nq1,b,1,y\n",
    "both.csv": "query,doc,grade,rank\nq1,a,1,1\nq1,b,0,2\n",
    "both_of_two.csv": "query,doc,grade,rank,system\nq1,a,1,1,x\nq1,b,0,1,y\n",
    "texts.csv": TEXTS,
    "other texts.csv": TEXTS,
}


@pytest.mark.parametrize(
    ("names", "command"),
    [
        (("j.csv", "r.csv"), "evaluate j.csv r.csv"),
        (("j.csv", "r.csv", "s.csv"), "compare j.csv r.csv s.csv"),
        (("j.csv", "two.csv"), "compare j.csv two.csv"),
        (("r.csv", "j.csv"), "evaluate j.csv r.csv"),
        (("j.csv", "k.csv", "r.csv"), "evaluate j.csv r.csv"),
        (("both.csv",), "evaluate both.csv"),
        (("both_of_two.csv",), "compare both_of_two.csv"),
        (("j.csv", "r.csv", "texts.csv", "other texts.csv"), "evaluate j.csv r.csv --queries-table texts.csv"),
        (("j.csv", "r.csv", "other texts.csv"), "evaluate j.csv r.csv --queries-table 'other texts.csv'"),
        (("r.csv", "s.csv"), "studio r.csv s.csv"),
        (("r.csv", "s.csv", "t.csv"), "studio r.csv s.csv t.csv"),
        (("r.csv",), "pool r.csv"),
        (("r.csv", "s.csv", "texts.csv"), "studio r.csv s.csv --queries-table texts.csv"),
        (("j.csv",), ""),
        (("ungraded.csv", "r.csv"), ""),
    ],
)
def test_next(names: tuple[str, ...], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgments come first, of several the first; systems decide between evaluate and compare; nothing is guessed."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert ir.peek(*names).next == (f"idealrank {command}" if command else "")
