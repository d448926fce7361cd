"""The journal: what was written stays, whatever happens to the run."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.engines.engine import SearchError as Failed, SearchHits as Found
from idealrank.engines.journal import Journal, make_entry

ASKED = {"template": "aaa", "k": 5}


def journal(path: Path, **others: object) -> contextlib.closing[Journal]:
    """Return a journal for three queries, each asked twice."""
    return contextlib.closing(Journal(path, {**ASKED, **others}, 3, 2))


def test_a_run_goes_on(tmp_path: Path) -> None:
    """Answers of an earlier run are there; a failed one is to be asked again; the newest one counts."""
    path = tmp_path / "j.jsonl"
    with journal(path) as first:
        first.add(0, 0, make_entry(Found([("d1", 2.0), (7, None)], took=3.0), 1, False, set()))
        first.add(1, 1, make_entry(Failed("HTTP 503"), 4, False, set()))
    with journal(path) as second:
        assert second.before == second.answered == 1
        assert [second.has(0, 0), second.has(1, 1), second.has(2, 0)] == [True, False, False]
        second.add(1, 1, make_entry(Found([]), 1, False, set()))
        second.add(2, 0, make_entry(Failed("no"), 1, False, set()))
        entry = second.entry(0)
        assert entry is not None
        assert entry["hits"] == [["d1", 2.0], [7, None]]
        assert second.entry(1, 1) == {"place": 1, "again": 1, "state": "empty", "hits": [], "tries": 1} | {
            "latency": None,
            "took": None,
        }
        assert second.entry(0, 1) is None
        assert (second.answered, second.size) == (2, 6)


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    """A line that was not written whole, as when the power failed, is as if it had never been begun."""
    path = tmp_path / "j.jsonl"
    with journal(path) as first:
        first.add(0, 0, {"state": "answered", "hits": [["é", 1]]})
        whole = path.read_bytes()
        first.add(1, 0, {"state": "answered", "hits": [["d2", 1]]})
    path.write_bytes(path.read_bytes()[:-cut])
    with journal(path) as second:
        assert [second.has(0, 0), second.has(1, 0)] == [True, False]
        assert path.read_bytes() == whole
        second.add(1, 0, {"state": "empty", "hits": []})
    assert [json.loads(line).get("state") for line in path.read_bytes().splitlines()] == [None, "answered", "empty"]


def test_other_questions_are_refused(tmp_path: Path) -> None:
    """A journal with another template, or damaged, is not gone on with, and says how to start over."""
    path = tmp_path / "j.jsonl"
    with journal(path, template="c") as other:
        other.add(0, 0, make_entry(Failed("no"), 1, False, set()))
    with journal(path) as first:
        assert not first.has(0, 0)
        first.add(0, 0, make_entry(Found([]), 1, False, set()))
    with (
        pytest.raises(ir.UsageError, match=r"interrupted; what differs: template \(aaa then, b now\).*anew"),
        journal(path, template="b"),
    ):
        pass
    path.write_bytes(path.read_bytes() + b"{]\n")
    with pytest.raises(ir.UsageError, match="damaged at byte"), journal(path):
        pass
    with contextlib.closing(Journal(path, ASKED, 3, 2, anew=True)) as fresh:
        assert fresh.answered == 0
    assert len(path.read_bytes().splitlines()) == 1


def test_one_run_at_a_time(tmp_path: Path) -> None:
    """Two runs into one folder would ask everything twice: the second is refused while the first writes."""
    path = tmp_path / "j.jsonl"
    with journal(path), pytest.raises(ir.UsageError, match="another run writes to it"):
        Journal(path, ASKED, 3, 2)
    with journal(path):
        pass


@pytest.mark.parametrize("line", ["7", "[]", '{"place": 99, "again": 0, "state": "empty"}', '{"place": 0}', "{]"])
def test_a_line_of_something_else(tmp_path: Path, line: str) -> None:
    """A whole line that is no answer is damage, said with its place; nothing is cut off."""
    path = tmp_path / "j.jsonl"
    with journal(path):
        pass
    before = path.read_bytes() + line.encode() + b"\n"
    path.write_bytes(before)
    with pytest.raises(ir.UsageError, match=r"j.jsonl: damaged at byte \d+\. Start over"), journal(path):
        pass
    assert path.read_bytes() == before
