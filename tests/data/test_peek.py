"""peek: what was recognised in files, and how they would be joined."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import idealrank as ir
from tests.amounts import tried
from tests.cli.terminal import on_terminal, plain, run

SHOP = Path(__file__).parents[2] / "examples" / "shop"

JUDGED = "query,doc,rating\nq1,a,3\nq1,b,0\nq2,c,1\nq3,d,\n"
RETURNED = "query,doc,rank\nq1,a,1\nq1,x,2\nq2,c,1\nq9,a,1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with judgments and results, in which the test works."""
    (tmp_path / "j.csv").write_text(JUDGED)
    (tmp_path / "r.csv").write_text(RETURNED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_judgments(folder: Path) -> None:
    """Format, roles, rows, queries, documents and each grade are counted; a missing grade is said."""
    (file,) = ir.peek("j.csv").files
    assert (file.format, file.contains) == ("CSV", ("judgments",))
    assert file.columns == {"query": "query", "doc": "document", "rating": "grade"}
    assert file.judgments is not None
    assert file.judgments.to_dict() == {
        "rows": 4, "queries": 3, "documents": 4, "grades": {"0": 1, "1": 1, "3": 1}, "ungraded": 1,
    }  # fmt: skip


def test_the_order_of_arguments_does_not_matter(folder: Path) -> None:
    """Both queries with a grade are returned, 2 of the 3 results of these judged, 2 of 3 returned documents seen."""
    for names in (("j.csv", "r.csv"), ("r.csv", "j.csv")):
        found = ir.peek(*names)
        (joined,) = found.joined
        assert (joined.judged_queries, joined.returned_queries, joined.queries_in_both) == (2, 3, 2)
        assert (joined.judged_share, joined.seen_share) == (2 / 3, 2 / 3)
        assert found.next == "idealrank evaluate j.csv r.csv"


def test_ids_that_do_not_meet(folder: Path) -> None:
    """Where no query is in both, one of each side is shown."""
    (folder / "r.csv").write_text("query,doc,rank\n1,a,1\n")
    (joined,) = ir.peek("j.csv", "r.csv").joined
    assert joined.line == ("no query of r.csv is judged in j.csv: the ids look like '1' there and like 'q1' here")


def test_queries_known_by_their_text(folder: Path) -> None:
    """A table of queries joins judgments by id with results by text, as evaluate does."""
    (folder / "r.csv").write_text("query,doc,rank\nred shoes,a,1\n")
    (folder / "queries.csv").write_text("query_id,text\nq1,red shoes\nq2,ball\n")
    found = ir.peek("j.csv", "r.csv", "queries.csv")
    assert found.joined[0].queries_in_both == 1
    assert found.joined[0].notes == ("queries joined by their texts in the table of queries",)
    assert found.next == "idealrank evaluate j.csv r.csv --queries-table queries.csv"


def test_faults_are_said_and_not_raised(folder: Path) -> None:
    """A bad grade, a duplicate and a file of another kind are listed beside what could be read."""
    (folder / "bad.csv").write_text("query,doc,rating\nq1,a,3\nq1,b,high5\n")
    (folder / "twice.csv").write_text("query,doc,rating\nq1,a,3\nq1,a,2\n")
    (folder / "photo.png").write_bytes(b"\x89PNG\x00\x00")
    (folder / "empty.csv").write_text("")
    bad, twice, photo, empty = ir.peek("bad.csv", "twice.csv", "photo.png", "empty.csv").files
    assert "bad.csv line 3" in str(bad.faults[0])
    assert "is judged a second time" in str(twice.faults[0])
    assert twice.judgments is not None
    assert twice.judgments.rows == 2
    assert (photo.format, "binary data" in str(photo.faults[0])) == ("not recognised", True)
    assert "empty" in str(empty.faults[0])
    with pytest.raises(ir.DataError, match="no such file"):
        ir.peek("none.csv")


def test_documents_with_judgments_and_results(folder: Path) -> None:
    """A ranking evaluation of Elasticsearch contains judgments, results and a failure: it is evaluated alone."""
    hits = [{"hit": {"_id": "a", "_score": 2.0}, "rating": 1}, {"hit": {"_id": "b", "_score": 1.0}, "rating": None}]
    answer = {
        "metric_score": 0.5,
        "details": {"q1": {"metric_score": 0.5, "hits": hits}},
        "failures": {"q2": {"error": "timeout"}},
    }
    (folder / "r.json").write_text(json.dumps(answer))
    found = ir.peek("r.json")
    (file,) = found.files
    assert file.format == "an Elasticsearch ranking evaluation (_rank_eval response)"
    assert file.contains == ("judgments", "results")
    assert file.results is not None
    assert dict(file.results.failed) == {"q2": "timeout"}
    assert found.next == "idealrank evaluate r.json"


@pytest.mark.parametrize(
    ("name", "text", "form", "contains"),
    [
        ("q.txt", "q1 0 a 1\n", "TREC judgments", ("judgments",)),
        ("r.txt", "q1 Q0 a 1 2.0 bm25\n", "TREC run", ("results",)),
        ("j.json", '{"q1": {"a": 1, "b": 0}}', "a dict {query: {document: number}}", ("judgments",)),
        ("r.json", '{"q1": {"a": 1.5, "b": 0.5}}', "a dict {query: {document: number}}", ("results",)),
        ("j.tsv", "query-id\tcorpus-id\tscore\nq1\ta\t1\n", "TSV", ("judgments",)),
        ("r.csv", "qid,docno,score\nq1,a,1.5\n", "CSV", ("results",)),
        ("t.csv", "qid,docno,rank,label\nq1,a,1,2\n", "CSV", ("judgments", "results")),
        ("p.csv", "question,chunk_id\nwhy,a\n", "CSV", ("judgments",)),
        ("m.tsv", "q1\ta\t1\nq1\tb\t2\n", "a table without column names", ("results",)),
        ("l.txt", "3 qid:1 1:0.5 # a\n0 qid:1 1:0.1 # b\n", "learning-to-rank lines", ("judgments",)),
        ("q.csv", "query_id,text,frequency\nq1,red,5\n", "CSV", ("queries",)),
        ("d.csv", "id,title,url\na,Shoe,https://x.test\n", "CSV", ("documents",)),
        ("j.jsonl", '{"query_id": "q", "doc_id": "a", "grade": 1}\n', "JSON lines", ("judgments",)),
    ],
)
def test_what_a_file_contains(name: str, text: str, form: str, contains: tuple[str, ...], folder: Path) -> None:
    """A file is told by its content: judgments, results, both, queries or documents."""
    (folder / name).write_text(text)
    (file,) = ir.peek(name).files
    assert (file.format, file.contains, file.faults) == (form, contains, ())


def test_many_grades_are_counted_in_ranges(folder: Path) -> None:
    """More than twelve grades are counted in eight ranges of equal width, which together have every judgment."""
    rows = {"query": ["q"] * 80, "doc": list(range(80)), "grade": [i / 80 for i in range(80)]}
    (file,) = ir.peek(rows).files
    assert file.judgments is not None
    assert list(file.judgments.grades.values()) == [10] * 8


def test_what_is_shown(folder: Path) -> None:
    """Text, notebook output, Markdown and JSON say the same; each grade has a bar of its share."""
    found = ir.peek("j.csv", "r.csv")
    text = repr(found)
    assert "judgments   4 rows, 3 queries, 4 documents" in text
    assert "0     1  ████████████████████████" in text
    assert "- r.csv: 2 of 2 judged queries returned; 1 query without judgments (q9); 66.7% of the results of" in text
    assert "next        idealrank evaluate j.csv r.csv" in text
    assert "66.7% of the results of judged queries are judged" in found._repr_html_()
    assert "66.7% of the results of judged queries are judged" in found.to_markdown()
    assert json.loads(found.to_json())["joined"][0]["judged_share"] == 2 / 3


@settings(max_examples=tried(200), deadline=None)
@given(st.binary(max_size=200) | st.text(st.sampled_from("q1 d,;:\t\n{}[]\"'0.5-#"), max_size=80).map(str.encode))
def test_it_never_fails(data: bytes) -> None:
    """Whatever a file contains, it is described: nothing but its faults is said of what cannot be read."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        found = ir.peek(file.name, SHOP / "judgments.csv")
    assert len(found.files) == 2
    assert json.loads(found.to_json())["files"][0]["file"] == file.name
    assert repr(found)


def test_no_query_is_judged(folder: Path) -> None:
    """Where no row has a grade, that is what is missing; a command that would fail is not proposed."""
    (folder / "open.csv").write_text("query,doc,rating\nq1,a,\nq2,c,\n")
    found = ir.peek("open.csv", "r.csv")
    assert (found.next, found.to_dict()["missing"]) == ("", found.missing)
    by_model = "idealrank judge open.csv --model MODEL -o grades.jsonl"
    way = f"Give at least one row a grade, or let a model: {by_model}"
    assert found.missing == f"grades: no query of open.csv is judged yet. {way}"
    assert ("missing", found.missing) in found.steps
    assert ir.peek("j.csv", "r.csv").missing == ""


def test_a_workbook(folder: Path) -> None:
    """A sheet is called one; the sheets are listed, and cells that are not read as they look are counted."""
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.active.append(["Ratings of the spring"])
    sheet = book.create_sheet("ratings")
    for row in (
        ["query_id", "doc_id", "grade", "stamp"],
        ["q1", "a", True, None], ["q1", "b", "=1+1", None], ["q2", "c", 2, 2**53 + 2], ["q2", "#N/A", None, 1],
    ):  # fmt: skip
        sheet.append(row)
    sheet["B5"].data_type = "e"
    book.save("book.xlsx")
    (cover,) = ir.peek("book.xlsx").files
    assert "sheets: Sheet, ratings; name one as book.xlsx#ratings" in cover.notes
    (found,) = ir.peek("book.xlsx#ratings").files
    assert found.format == "a sheet of a workbook"
    assert found.notes[1:] == (
        "1 formula without a value: open the file in Excel and save it",
        "1 cell with an error such as #N/A, read as empty",
        "1 whole number above 2^53, which Excel rounds: write such ids as text",
    )
    assert ir.read_judgments("book.xlsx#ratings").ratings[0, 0] == 1


def test_rows_without_a_grade_or_a_document(tmp_path: Path) -> None:
    """A row without a grade judges nothing, and one without a document returns nothing: the counts of evaluate."""
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\nq1,a,1\nq1,b,\nq2,c,\nq3,d,2\nq5,e,1\n")
    (tmp_path / "r.csv").write_text("query_id,doc_id,score\nq1,a,1\nq1,b,0.5\nq2,,\nq3,d,2\nq4,,\nq5,,\n")
    files = str(tmp_path / "j.csv"), str(tmp_path / "r.csv")
    (one,) = ir.peek(*files).joined
    assert (one.judged_queries, one.returned_queries, one.queries_in_both) == (3, 2, 2)
    assert (one.unreturned, one.unjudged) == (("q5",), ("q2", "q4"))
    assert (one.judged_share, one.seen_share) == (2 / 3, 2 / 3)  # b has no grade
    account = ir.evaluate(*files, measures=["RR"]).ledger.systems[0]
    assert account.judged_nothing_returned == one.unreturned
    assert account.returned_not_judged == one.unjudged


def test_a_table_without_columns() -> None:
    """A table of no columns is shown as one."""
    assert "no columns" in str(ir.peek(pd.DataFrame()))


NAMED = ("--query-col", "Suche", "--doc-col", "Produkt", "--grade-col", "Note")
PROJECT = '[tool.idealrank.columns]\nquery = "Suche"\ndoc = "Produkt"\ngrade = "Note"\n'


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """Return a folder with judgments and results whose columns have names that are not known."""
    (tmp_path / "j.csv").write_text("Suche;Produkt;Note\nq1;a;1\nq1;b;0\n")
    (tmp_path / "r.csv").write_text("Suche;Produkt;rank\nq1;b;1\n")
    return tmp_path


def test_columns_are_named_as_for_evaluate(german: Path) -> None:
    """The options that a fault of peek asks for are options of peek, and of the command that comes next."""
    fault = "Name them: --query-col NAME, --doc-col NAME, --grade-col NAME"
    assert fault in plain(on_terminal("peek", "j.csv", cwd=german).out).replace("\r\n            ", " ").replace(
        "\n            ", " "
    )
    found = json.loads(run("peek", "j.csv", "r.csv", *NAMED, "--json", cwd=german).out)
    assert [file["contains"] for file in found["files"]] == [["judgments"], ["results"]]
    assert found["files"][0]["columns"] == {"Suche": "query", "Produkt": "document", "Note": "grade"}
    assert found["files"][0]["judgments"]["grades"] == {"0": 1, "1": 1}
    assert found["next"] == " ".join(["idealrank evaluate j.csv r.csv", *NAMED])
    assert run(*found["next"].split()[1:], cwd=german).code == 0


def test_a_column_that_no_file_has(german: Path) -> None:
    """A misspelt name is refused, not passed over as one that is meant for another file."""
    said = run("peek", "j.csv", "r.csv", "--query-col", "Such", "--doc-col", "Produkt", cwd=german)
    assert said.code != 0
    assert "--query-col Such: no table has such a column. Found: Suche, Produkt, Note, rank." in said.err


def test_the_columns_of_the_project_are_used(german: Path) -> None:
    """peek, and idealrank alone, read the columns that pyproject.toml names, as other commands do."""
    (german / "pyproject.toml").write_text(PROJECT)
    assert (
        json.loads(run("peek", "j.csv", "r.csv", "--json", cwd=german).out)["next"] == "idealrank evaluate j.csv r.csv"
    )
    assert "idealrank evaluate j.csv r.csv" in run(cwd=german).out


def test_a_list_of_documents_and_a_scale_are_named(tmp_path: Path) -> None:
    """A list in a document may be named as the documents, and labels get their worth."""
    (tmp_path / "d.jsonl").write_text('{"query": "a", "keep": ["x", "y"]}\n{"query": "b", "keep": ["z"]}\n')
    found = json.loads(run("peek", "d.jsonl", "--doc-col", "keep", "--json", cwd=tmp_path).out)
    assert found["files"][0]["judgments"]["rows"] == 3
    (tmp_path / "j.csv").write_text("query,doc,grade\nq,a,Good\nq,b,Bad\n")
    found = json.loads(run("peek", "j.csv", "--grades", "Good=2,Bad=0", "--json", cwd=tmp_path).out)
    assert found["files"][0]["judgments"]["grades"] == {"0": 1, "2": 1}
