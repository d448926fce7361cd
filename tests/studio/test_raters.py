"""Several raters: agreement, disputes that nobody sees too early, the grade that settles one, and export."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.studio.exported import export_formats
from idealrank.studio.project import StudioProject
from idealrank.studio.store import Store
from tests.cli.terminal import run
from tests.studio.client import Client, serving
from tests.studio.worlds import SHOP, shop_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[StudioProject]:
    """The shop."""
    made = shop_project(str(tmp_path / "shop.db"))
    yield made
    made.close()


@pytest.fixture
def address(project: StudioProject) -> Iterator[str]:
    """A studio that serves it."""
    with serving(project) as found:
        yield found


def _rate(project: StudioProject, rater: str, query: str, doc: str, grade: float, comment: str = "") -> None:
    seen = project.store.rating(rater, query, doc)
    token = f"{rater} {query} {doc} {grade} {seen}"
    project.store.rate(rater, query, doc, grade, comment=comment, token=token, seen=seen.id if seen else None)


def _open_pair(project: StudioProject) -> tuple[str, str]:
    row = project.label_next(project.look(), 0).rows.rows()[0]
    return row["query"], row["doc"]


def test_agreement_is_that_of_the_library(address: str, project: StudioProject) -> None:
    """The coefficients, and the verdict under each rater, are those of `agreement`; who graded here is counted."""
    query, doc = _open_pair(project)
    _rate(project, "ana", "q01", "P1007", 0)
    _rate(project, "ana", query, doc, 3)
    text = unescape(Client(address, "ana").get("/raters").text)
    expected = ir.agreement(ir.read_judgments(project.given()), draws=2000)
    assert f"Fleiss' kappa {expected['kappa']:.3f}" in text
    assert f"Krippendorff's alpha {expected['alpha']:.3f}" in text
    for words in ("ana alone", "without rater_1", "all raters"):
        assert words in text
    assert '<th scope="row"><bdi>ana</bdi></th><td class="number">2</td>' in text


def test_nobody_sees_a_dispute_before_grading(address: str, project: StudioProject) -> None:
    """Of a pair that Cleo is still to grade neither list nor page says anything; once she graded it, both do."""
    project.store["overlap"] = 1
    query, doc = _open_pair(project)
    _rate(project, "ana", query, doc, 0, "no backpack at all")
    cleo = Client(address, "cleo")
    while ((form := cleo.get("/grade").fields)["q"], form["doc"]) != (query, doc):
        cleo.post("/rate", {**form, "grade": "1"})
    where = f"/dispute?q={query}&doc={doc}"
    before = cleo.get(where).text
    assert "You have not graded this yet" in before
    assert "ana" not in before
    assert "backpack at all" not in before
    assert "no backpack" not in cleo.get("/raters").text
    cleo.post("/rate", {**form, "grade": "3"})
    after = cleo.get(where).text
    assert "no backpack at all" in after
    assert f"doc={doc}" in cleo.get("/raters").text


def test_the_settling_grade_counts_alone(address: str, project: StudioProject, tmp_path: Path) -> None:
    """Numbers are those of judgments with it instead of all others; agreement stays; opened again, all is as before."""
    look, ana = project.look(), Client(address, "ana")
    before = project.comparison(look)["nDCG@10"].difference
    kappa = ir.agreement(project.given())["kappa"]
    where = "/dispute?q=q01&doc=P1007"
    page = ana.get(where)
    for rater, level, grade in (("rater_1", 3, 2), ("rater_2", 4, 3), ("rater_3", 4, 3)):
        assert f'{rater}</bdi></th><td><span class="grade" data-level="{level}">{grade}' in page.text
    assert ana.post("/resolve", {**page.fields, "grade": "0", "comment": "a wreath\r\nof moss"}).status == 303
    grades = {(row["query_id"], row["product_id"]): row for row in _rows()}
    grades["q01", "P1007"] |= {"rater_1": "0", "rater_2": "0", "rater_3": "0"}
    table = tmp_path / "settled.csv"
    head = list(grades["q01", "P1007"])
    table.write_text("\n".join([",".join(head), *(",".join(row.values()) for row in grades.values()), ""]), "utf-8")
    systems = {name: SHOP / f"{name}.csv" for name in ("bm25", "hybrid")}
    expected = ir.compare(table, systems, ["nDCG@10"], queries=SHOP / "queries.csv")["nDCG@10"].difference
    assert project.comparison(look)["nDCG@10"].difference == pytest.approx(expected, abs=1e-12)
    assert expected != before
    assert ir.agreement(project.given())["kappa"] == kappa
    settled = ana.get(where)
    assert "Settled: 0" in settled.text
    assert "by ana: a wreath\nof moss" in settled.text
    assert ana.post("/resolve", {**page.fields, "grade": "3"}).status == 303  # the same page sent twice saves once
    assert ana.post("/resolve", {**settled.fields, "reopen": "1"}).status == 303
    assert project.comparison(look)["nDCG@10"].difference == before


def _rows() -> list[dict[str, str]]:
    lines = (SHOP / "judgments.csv").read_text("utf-8").splitlines()
    head = lines[0].split(",")
    return [dict(zip(head, line.split(","), strict=True)) for line in lines[1:]]


def test_what_a_rater_says_here_counts_instead_of_the_file(project: StudioProject) -> None:
    """A rater of the file who grades a pair again here has one voice, not two; others keep theirs."""
    _rate(project, "rater_1", "q01", "P1007", 0)
    rows = project.judgments().rows_to_write()
    rated = zip(rows.query, rows.doc, rows.words["rater"], rows.grade.tolist(), strict=True)
    found = sorted(row[2:] for row in rated if row[:2] == ("q01", "P1007"))
    assert found == [("rater_1", 0.0), ("rater_2", 3.0), ("rater_3", 3.0)]


def test_an_export_scores_as_the_studio(address: str, project: StudioProject, tmp_path: Path) -> None:
    """What was read and entered, undone grades left out: `compare` of the file gives the numbers of the page."""
    client = Client(address, "ana")
    for grade in ("3", "0", "2", "1"):
        assert client.grade(grade).status == 200
    client.post("/undo", {"back": "/grade"})
    client.post("/rate", {**client.get("/grade").fields, "state": "cannot tell"})
    _rate(project, "ben", "q01", "P1007", 0, 'a "comment", with signs')
    settle = client.get("/dispute?q=q02&doc=P1007")
    client.post("/resolve", {**settle.fields, "grade": "1"})
    answer = client.get("/export?format=csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="shop-judgments.csv"'
    file = tmp_path / "exported.csv"
    file.write_bytes(answer.content)
    look = project.look()
    command = ["compare", file, SHOP / "bm25.csv", SHOP / "hybrid.csv", "-m", "nDCG@10", "--csv"]
    said = run(*map(str, command), "--queries-table", str(SHOP / "queries.csv"))
    assert said.code == 0, said.err
    assert f"{project.comparison(look)['nDCG@10'].difference!r}" in said.out
    rows = ir.read_judgments(file).rows_to_write()
    read = sorted(zip(rows.query, rows.doc, rows.words["rater"], rows.grade.tolist(), strict=True))
    assert [row for row in read if row[2] == "ana"] == sorted(
        (one.query, one.doc, "ana", one.grade) for one in project.store.ratings("ana") if one.grade is not None
    )
    assert len([row for row in read if row[2] == "ana"]) == 3
    assert [row[2:] for row in read if row[:2] == ("q01", "P1007")] == [
        ("ben", 0.0), ("rater_1", 2.0), ("rater_2", 3.0), ("rater_3", 3.0),
    ]  # fmt: skip
    assert 'a ""comment"", with signs' in answer.text


def test_every_format_of_convert_is_written(address: str, project: StudioProject) -> None:
    """With a row a rater where the format has raters, else one grade a pair: the one that scores use."""
    _rate(project, "ana", *_open_pair(project), 3)
    for name in sorted({*export_formats()} - {"parquet"}):
        answer = Client(address).get(f"/export?format={name}")
        if answer.status == 422:  # two raters of four made a median of 1.5
            assert "is a fraction" in answer.text
            answer = Client(address).get(f"/export?format={name}&scale_grades=2")
        assert answer.status == 200, answer.text[-600:]
        assert answer.content, name
        assert answer.headers["content-disposition"].startswith('attachment; filename="shop-judgments'), name


def test_a_trec_file_has_the_combined_grades(address: str, project: StudioProject, tmp_path: Path) -> None:
    """The median by default, and what the address says otherwise."""
    for answers, expected in (("", "6"), ("&raters=min", "4")):
        text = Client(address).get(f"/export?format=trec{answers}&scale_grades=2").text
        assert f"q01 0 P1007 {expected}\n" in text
    packed = Client(address).get("/export?format=beir&scale_grades=2").content
    assert any(name.endswith(".tsv") for name in zipfile.ZipFile(io.BytesIO(packed)).namelist())


def test_no_such_format(address: str) -> None:
    """A sentence with those there are."""
    answer = Client(address).get("/export?format=../../etc/passwd")
    assert answer.status == 400
    assert "No format called" in answer.text


def test_a_list_of_relevant_documents_can_be_graded_on(tmp_path: Path) -> None:
    """A file without grades: each row is a grade of 1, before the first grade and after it."""
    (tmp_path / "relevant.csv").write_text("query_id,doc_id\nq1,a\nq2,b\n")
    for name, docs in (("x", "ac"), ("y", "bd")):
        lines = [f"q{q},{doc},{rank}" for q in (1, 2) for rank, doc in enumerate(docs, 1)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["query_id,doc_id,rank", *lines, ""]))
    project = StudioProject(Store(tmp_path / "p.db"))
    project.add("judgments", tmp_path / "relevant.csv")
    for name in ("x", "y"):
        project.add("results", tmp_path / f"{name}.csv")
    before = project.scores(project.look()).all_means
    _rate(project, "ana", "q1", "nowhere", 0)
    after = project.scores(project.look()).all_means
    assert [float(each[0]) for each in after] == [float(each[0]) for each in before]
    project.close()


def test_titles_outlast_the_first_grade(tmp_path: Path) -> None:
    """Titles that stand beside judgments are shown before and after somebody grades."""
    (tmp_path / "j.csv").write_text("query_id,query,doc_id,title,grade\nq1,red shoes,a,A red shoe,1\n")
    for name in ("x", "y"):
        (tmp_path / f"{name}.csv").write_text("query_id,doc_id,rank\nq1,a,1\nq1,c,2\n")
    project = StudioProject(Store(tmp_path / "p.db"))
    project.add("judgments", tmp_path / "j.csv")
    for name in ("x", "y"):
        project.add("results", tmp_path / f"{name}.csv")
    with serving(project) as address:
        for _ in range(2):
            text = Client(address, "ana").get("/grade?q=q1&doc=a").text
            assert "A red shoe" in text
            assert "red shoes</bdi></h1>" in text
            _rate(project, "ana", "q1", "c", 1)
    project.close()
