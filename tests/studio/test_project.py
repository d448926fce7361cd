"""A project says what the command line says, whatever its address asks for."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.studio.moves import moving
from idealrank.studio.project import DOCUMENTS, JUDGMENTS, QUERIES, RESULTS, Look, StudioProject
from idealrank.studio.store import Store
from tests.cli.terminal import run

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "examples" / "shop"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[StudioProject]:
    """The shop as a project."""
    opened = StudioProject(Store(tmp_path / "shop.db"))
    opened.add(JUDGMENTS, SHOP / "judgments.csv")
    opened.add(QUERIES, SHOP / "queries.csv")
    for name in ("bm25", "hybrid"):
        opened.add(RESULTS, SHOP / f"{name}.csv")
    yield opened
    opened.close()


@pytest.mark.parametrize("answers", [{}, {"gain": "exp2"}, {"unjudged": "filter", "ideal": "local"}])
def test_a_look_is_a_comparison(project: StudioProject, answers: dict[str, str]) -> None:
    """The same difference, interval and verdict as `compare` of the files under the same answers."""
    look = Look("bm25", "hybrid", "nDCG@10", answers)
    found = project.comparison(look)
    files = {name: SHOP / f"{name}.csv" for name in ("bm25", "hybrid")}
    expected = ir.compare(SHOP / "judgments.csv", files, ["nDCG@10"], queries=SHOP / "queries.csv", **answers)  # type: ignore[arg-type]
    assert found["nDCG@10"] == expected["nDCG@10"]
    assert str(found.verdict) == str(expected.verdict)
    assert project.scores(look) is project.scores(look)


def test_the_command_gives_the_same_number(project: StudioProject) -> None:
    """What the page prints, typed in the folder of the files."""
    look = Look("hybrid", "bm25", "P@10", {"unjudged": "filter"})
    words = shlex.split(project.command(look))
    said = run(*words[1:], "--csv", cwd=SHOP)
    assert said.code == 0, said.err
    assert f"{project.comparison(look)['P@10'].difference!r}" in said.out


def test_an_address_names_the_look(project: StudioProject) -> None:
    """There and back; what is not named is usual; the usual answer is no answer; other parameters are the page's."""
    usual = project.look()
    assert usual == Look("bm25", "hybrid", "nDCG@10")
    other = project.look({"system": "bm25", "baseline": "hybrid", "measure": "RR", "gain": "exp2", "query": "q01"})
    assert other == Look("hybrid", "bm25", "RR", {"gain": "exp2"})
    assert project.look(other.parameters) == other
    assert other.but("gain", "linear", "linear") == Look("hybrid", "bm25", "RR")
    assert other.but("ideal", "local", "global").answers == {"gain": "exp2", "ideal": "local"}
    with pytest.raises(ir.UsageError, match="hybird"):
        project.look({"system": "hybird"})


def test_a_grade_moves_the_number(project: StudioProject) -> None:
    """A result that nobody judged is graded: the number is that of files with that grade; undo takes it back."""
    look = project.look()
    before = project.comparison(look)
    (missing, *_) = before.to_judge(1)
    project.store.rate("ana", missing["query"], missing["document"], 2.0, token="1")
    after = project.comparison(look)
    assert after["nDCG@10"].difference == pytest.approx(before["nDCG@10"].difference + missing["move"], abs=0.02)
    assert after["nDCG@10"].difference != before["nDCG@10"].difference
    assert "ana" in project.judgments().raters
    project.store.undo("ana")
    assert project.comparison(look)["nDCG@10"] == before["nDCG@10"]
    assert "exported.csv" in project.command(look)


def test_the_decisions_that_matter_follow_the_grades(tmp_path: Path) -> None:
    """What one grade made matter is looked for anew when there are twice as many."""
    project = StudioProject(Store(tmp_path / "p.db"))
    for system, docs in (("old", "abc"), ("new", "cab")):
        rows = (f"q{query},{doc},{rank}\n" for query in range(3) for rank, doc in enumerate(docs, 1))
        file = tmp_path / f"{system}.csv"
        file.write_text(f"query,doc,rank\n{''.join(rows)}")
        project.add(RESULTS, file)
    pairs = [(f"q{query}", doc, float((ord(doc) + query) % 3)) for query in range(3) for doc in "abc"]
    for place, (query, doc, grade) in enumerate(pairs[:8]):
        project.store.rate("ana", query, doc, grade, token=f"{place}")
        found = {each.name: each.moves for each in moving(project, project.look())}
    project.close()
    reopened = StudioProject(Store(tmp_path / "p.db"))
    assert found == {each.name: each.moves for each in moving(reopened, reopened.look())}
    reopened.close()


def test_a_file_read_by_another_column_counts_by_it(tmp_path: Path) -> None:
    """The same bytes, read again with another column of grades: scale and grades are those of that column."""
    file = tmp_path / "judgments.csv"
    file.write_text("query,doc,first,second\nq,a,0,1\nq,b,1,4\n")
    project = StudioProject(Store(tmp_path / "p.db"))
    project.store.rate("ana", "q", "c", 1.0, token="1")
    for column, top in (("first", 1.0), ("second", 4.0)):
        project.add(JUDGMENTS, file, grade=column)
        assert project.scale[-1][0] == top
        assert max(project.judgments().ratings) == top
    project.close()


def test_tables_are_called_as_their_files(project: StudioProject, tmp_path: Path) -> None:
    """A report is sent on: it names the files that were read, and no folder of this machine. Equal names stay apart."""
    other = tmp_path / "hybrid.csv"
    other.write_bytes((SHOP / "hybrid.csv").read_bytes().replace(b"P1056", b"P9056"))
    project.add(RESULTS, other, "newer")
    project.add(DOCUMENTS, SHOP / "products.csv")
    (missing, *_) = project.comparison(project.look()).to_judge(1)
    for judged in ("judgments.csv", "judgments.csv and the grades given here"):
        made = ir.report(project.comparison(project.look({"system": "newer"})), documents=project.documents())
        names = [one["name"] for one in made.inputs]
        assert names == [judged, "bm25.csv", "hybrid.csv (newer)", "queries.csv", "products.csv"]
        assert tempfile.gettempdir() not in made.to_html()
        project.store.rate("ana", missing["query"], missing["document"], 2.0, token="1")


def test_a_look_is_remembered_with_what_it_used(project: StudioProject) -> None:
    """Contents, decisions and the state of the ratings, and what was found."""
    look = project.look({"gain": "exp2"})
    found = project.comparison(look)
    ((_, _, used, told),) = project.store.looks()
    assert used["answers"] == {"gain": "exp2"}
    assert set(used["tables"]) == {"judgments judgments", "queries queries", "results bm25", "results hybrid"}
    assert told["difference"] == found["nDCG@10"].difference
    assert told["outcome"] == found.verdict.outcome


def test_a_file_that_cannot_be_read_is_not_kept(project: StudioProject, tmp_path: Path) -> None:
    """The project is what it was."""
    bad = tmp_path / "bad.csv"
    bad.write_text("query,doc,grade\nq,d,good\n")
    before = project.store.sources()
    with pytest.raises(ir.DataError):
        project.add(JUDGMENTS, bad)
    assert project.store.sources() == before


def test_one_system_is_nothing_to_compare(tmp_path: Path) -> None:
    """It says how many there are, and judgments that are missing are asked for."""
    project = StudioProject(Store(tmp_path / "p.db"))
    with pytest.raises(ir.UsageError, match="needs two systems, and the project has 0"):
        project.look()
    with pytest.raises(ir.DataError, match="no judgments"):
        project.judgments()
    project.close()
