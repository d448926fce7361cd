"""Past comparisons, scored again by the labels of today."""

from __future__ import annotations

from pathlib import Path

import idealrank as ir
from idealrank.studio.project import StudioProject
from idealrank.studio.records import MOST_LOOKS
from idealrank.studio.rescoring import rescore, rescored_table
from idealrank.studio.store import Store
from tests.studio.client import Client, serving
from tests.studio.worlds import tiny_project

QUERIES = 30


def _project(folder: Path) -> StudioProject:
    """Two systems over queries with one good document, which the second returns first, where it is not judged yet."""
    rows = [f"q{q},bad,0\nq{q},fine,1" for q in range(QUERIES)]
    (folder / "judgments.csv").write_text("query,doc,grade\n" + "\n".join(rows) + "\n")
    lists = {"old": ("fine", "bad", "new"), "new": ("new", "fine", "bad")}
    for system, docs in lists.items():
        rows = [f"q{q},{doc},{rank}" for q in range(QUERIES) for rank, doc in enumerate(docs, 1)]
        (folder / f"{system}.csv").write_text("query,doc,rank\n" + "\n".join(rows) + "\n")
    project = StudioProject(Store(folder / "p.db"))
    project.add("judgments", folder / "judgments.csv")
    for system in lists:
        project.add("results", folder / f"{system}.csv")
    project.store["measure"] = "nDCG@3"
    return project


def test_a_verdict_that_labels_turned_is_listed(tmp_path: Path) -> None:
    """After thirty grades the past comparison has the verdict `compare` has on all labels, beside the old one."""
    project = _project(tmp_path)
    look = project.look({})
    before = project.comparison(look).verdict.outcome
    for q in range(QUERIES):
        project.store.rate("ann", f"q{q}", "new", 3.0, token=f"t{q}")
    (row,) = rescore(project)
    judged = {f"q{q}": {"bad": 0, "fine": 1, "new": 3} for q in range(QUERIES)}
    files = {name: tmp_path / f"{name}.csv" for name in ("old", "new")}
    expected = ir.compare(judged, files, ["nDCG@3"])
    assert row.before["outcome"] == before
    assert row.now["outcome"] == expected.verdict.outcome != before
    assert row.now["difference"] == expected["nDCG@3"].difference
    assert row.is_flipped
    assert rescored_table([row])["flipped"][0] == "flipped"
    # It is asked, and not looked at: the past stays as it was.
    assert rescore(project)[0].before["outcome"] == before
    project.close()


def test_a_comparison_without_an_interval_is_remembered(tmp_path: Path) -> None:
    """Three queries have none: the comparison stands in the history, and nothing is called damaged."""
    project = tiny_project(tmp_path)
    project.comparison(project.look({"measure": "P@1"}))
    ((_, _, used, found),) = project.store.looks()
    assert (used["measure"], found["outcome"]) == ("P@1", "CAN'T TELL")
    assert (found["low"], found["high"]) == (None, None)
    assert project.damage() == []
    project.close()


def test_a_comparison_looked_at_often_is_one(tmp_path: Path) -> None:
    """After each of many grades the same was looked at: it stands once, and no older one is said to be left out."""
    project = _project(tmp_path)
    for q in range(QUERIES):
        project.store.rate("ann", f"q{q}", "new", 3.0, token=f"t{q}")
        project.comparison(project.look({}))
    project.comparison(project.look({"gain": "exp2"}))
    assert len(project.store.looks()) > MOST_LOOKS
    with serving(project) as address:
        page = Client(address).get("/looks").text
    assert "2 comparisons" in page
    assert "left out" not in page
    project.close()


def test_a_comparison_whose_system_is_gone_says_so(tmp_path: Path) -> None:
    """A system that was left out makes a sentence, and no error of the others."""
    project = _project(tmp_path)
    project.comparison(project.look({}))
    project.store.remove("results", "new")
    (row,) = rescore(project)
    assert not row.now
    assert "system" in row.why
    project.close()
