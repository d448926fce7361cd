"""Who is asked what next, where something changed since the order was made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from idealrank.studio.asking import Asking
from idealrank.studio.project import RESULTS, StudioProject
from idealrank.studio.store import Store


@pytest.fixture
def project(tmp_path: Path) -> Iterator[StudioProject]:
    """Two systems that return the same three documents for each of three queries; no pair is asked twice."""
    made = StudioProject(Store(tmp_path / "p.db"))
    for system, docs in (("old", "abc"), ("new", "cab")):
        rows = (f"q{query},{doc},{rank}\n" for query in range(3) for rank, doc in enumerate(docs, 1))
        file = tmp_path / f"{system}.csv"
        file.write_text(f"query,doc,rank\n{''.join(rows)}")
        made.add(RESULTS, file)
    made.store["scale"] = [[0, ""], [1, ""]]
    made.store["overlap"] = 0
    yield made
    made.close()


def _grade_all(project: StudioProject, asking: Asking) -> int:
    """Let Ann grade until nothing is left, and return how many that was."""
    given = 0
    while (pair := asking.next("ann", project.look()).pair) is not None:
        project.store.rate("ann", *pair, 1.0, token=str(given))
        given += 1
    return given


def test_what_was_taken_back_is_asked_again(project: StudioProject) -> None:
    """Also where the order was made while it had its grade."""
    asking = Asking(project)
    assert _grade_all(project, asking) == 9
    undone = project.store.undo("ann")
    assert undone is not None
    found = asking.next("ann", project.look())
    assert (found.pair, found.left) == ((undone.query, undone.doc), 1)


def test_more_second_grades_are_asked_for_at_once(project: StudioProject) -> None:
    """A project that wants every result of two raters, after one graded all of them once."""
    asking = Asking(project)
    _grade_all(project, asking)
    assert asking.next("bob", project.look()).pair is None
    project.store["overlap"] = 1
    assert asking.next("bob", project.look()).left == 9
