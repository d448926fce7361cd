"""Compressed files, archives, workbooks and UTF-16."""

from __future__ import annotations

import bz2
import csv
import gzip
import importlib.util
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.data.formats import archives as packed
from tests.cli.terminal import run, tsv
from tests.data.forms import JUDGMENTS, MEASURES, NDCG, RESULTS, Rows, delimited, named, trec_lines
from tests.data.sheets import open_document, zipped
from tests.data.test_columns import refusal


def xlsx(rows: Rows, side: str) -> bytes:
    """Write a workbook as openpyxl does, with a row left blank and a second sheet."""
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    table = named(rows, side)
    for row in ([], list(table), *map(list, zip(*table.values(), strict=True))):
        book.active.append(row)
    book.create_sheet("notes").append(["read", "me"])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def ods(rows: Rows, side: str) -> bytes:
    """Write an OpenDocument sheet by hand."""
    pytest.importorskip("python_calamine")
    table = named(rows, side)
    lines = [list(table), *zip(*table.values(), strict=True)]
    body = "".join(f"<table:table-row>{''.join(map(_ods_cell, line))}</table:table-row>" for line in lines)
    return open_document(body)


def _ods_cell(cell: object) -> str:
    value = '"string"' if isinstance(cell, str) else f'"float" office:value="{cell}"'
    return f"<table:table-cell office:value-type={value}><text:p>{cell}</text:p></table:table-cell>"


def lz4(data: bytes) -> bytes:
    """Compress with lz4."""
    return bytes(pytest.importorskip("lz4.frame").compress(data))


def plain(rows: Rows, side: str) -> str:
    """Write CSV."""
    return delimited(named(rows, side), ",")


PACKED: dict[str, Callable[[Rows, str], bytes]] = {
    "bz2": lambda rows, side: bz2.compress(plain(rows, side).encode()),
    "xz": lambda rows, side: lzma.compress("\n".join(trec_lines(rows, side)).encode()),
    "lz4": lambda rows, side: lz4(plain(rows, side).encode()),
    "zip": lambda rows, side: zipped({"a/b.csv": plain(rows, side), "__MACOSX/a/._b.csv": "x", "a/.hidden": "y"}),
    "zip of bz2": lambda rows, side: bz2.compress(zipped({"b.csv": plain(rows, side)})),
    "UTF-16": lambda rows, side: plain(rows, side).encode("utf-16"),
    "UTF-16, big end first": lambda rows, side: ("\ufeff" + plain(rows, side)).encode("utf-16-be"),
    "xlsx": xlsx,
    "ods": ods,
}


@pytest.mark.parametrize("form", PACKED)
def test_unpacked(form: str, tmp_path: Path) -> None:
    """However a table is packed, and whatever the file is called, its numbers are the same."""
    for rows, side in ((JUDGMENTS, "judgments"), (RESULTS, "results")):
        (tmp_path / side).write_bytes(PACKED[form](rows, side))
    scores = ir.evaluate(tmp_path / "judgments", tmp_path / "results", MEASURES)
    assert dict(zip(scores.queries, scores.values[0][0].tolist(), strict=True)) == pytest.approx(NDCG, abs=1e-12)
    again = ir.evaluate(io.BytesIO((tmp_path / "judgments").read_bytes()), tmp_path / "results", MEASURES)
    assert again.values.tolist() == scores.values.tolist()


def test_one_of_several_files(tmp_path: Path) -> None:
    """A file of an archive is named after #; without a name, the message says which there are and how."""
    (tmp_path / "all.zip").write_bytes(
        zipped({"j.csv": plain(JUDGMENTS, "judgments"), "r.csv": plain(RESULTS, "results")})
    )
    found = tsv("evaluate", "all.zip#j.csv", "all.zip#r.csv", "-m", "P@5", "-q", cwd=tmp_path)
    assert found.lines[1].startswith("P@5\t0.35")
    found = run("evaluate", "all.zip", "all.zip#r.csv", "-m", "P@5", cwd=tmp_path)
    assert found.err == (
        "idealrank: all.zip: a zip archive with 2 files ('j.csv', 'r.csv'). Say which: all.zip#j.csv.\n"
    )
    found = run("evaluate", "all.zip#x.csv", "all.zip#r.csv", "-m", "P@5", cwd=tmp_path)
    assert (found.code, "no 'x.csv' in a zip archive with 2 files" in found.err) == (3, True)


def test_sheets(tmp_path: Path) -> None:
    """A sheet is named after #; the first is read without a name; a wrong cell has the number of its row."""
    (tmp_path / "j.xlsx").write_bytes(xlsx({**JUDGMENTS, "grade": [1, "x", *JUDGMENTS["grade"][2:]]}, "judgments"))
    read = ir.read_judgments(tmp_path / "j.xlsx#Sheet")
    assert refusal(lambda: read.pool("median", "error")).startswith(
        f"{tmp_path / 'j.xlsx#Sheet'} line 4: relevance 'x' is not a number."
    )
    assert "no sheet 'note'. Did you mean notes? Sheets: Sheet, notes." in refusal(
        lambda: ir.read_judgments(tmp_path / "j.xlsx#note")
    )
    assert "there are columns but no rows" in refusal(lambda: ir.read_judgments(tmp_path / "j.xlsx#notes"))


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file that grows beyond the limits is refused before it fills the memory, whatever its archive claims."""
    monkeypatch.setattr(packed, "FREE", 1 << 20)
    bomb = b"0" * (1 << 23)
    for data in (bz2.compress(bomb), lzma.compress(bomb), zipped({"b.csv": bomb.decode()})):
        found = refusal(lambda data=data: ir.read_judgments(io.BytesIO(data)))
        assert "times its packed size, or 4 GiB, once unpacked" in found
    monkeypatch.setattr(packed, "MOST_BYTES", 1 << 10)
    assert "or 4 GiB, once unpacked" in refusal(lambda: ir.read_judgments(io.BytesIO(zipped({"a": "01" * 600}))))


def test_wrappers_of_wrappers_have_one_limit() -> None:
    """What is packed several times may expand to as much as what is packed once: the limit is that of the file."""
    table = ("query,doc,grade\n" + "q,d,1\n" * 7_000_000).encode()
    for inner in (gzip.compress(table), zipped({"j.csv": table})):
        data = zipped({"inner": bz2.compress(inner)})
        found = refusal(lambda data=data: ir.read_judgments(io.BytesIO(data)))
        assert "times its packed size, or 4 GiB, once unpacked" in found or "and 40 times its size" in found


WRAPPED: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "lz4": lz4,
    "zst": lambda data: pytest.importorskip("zstandard").compress(data),
}


@pytest.mark.parametrize("how", WRAPPED)
def test_bytes_after_the_end(how: str) -> None:
    """Several members are read as one table, also with zeros behind them; other bytes are named, and not left out."""
    head, rest = b"query,doc,grade\nq,a,1\n", b"q,b,0\n"
    whole = WRAPPED[how](head) + WRAPPED[how](rest)
    for data in (whole, whole + b"\0" * 700):
        assert ir.read_judgments(io.BytesIO(data)).source.frame.rows == 2
    assert refusal(lambda: ir.read_judgments(io.BytesIO(whole + b"left over, and as long as a header"))) == (
        "judgments: there are other bytes after the end of the compressed data. Copy or compress the file again."
    )
    assert "the compressed data ends early" in refusal(lambda: ir.read_judgments(io.BytesIO(whole[:-3])))


def test_paths_in_archives_touch_nothing(tmp_path: Path) -> None:
    """A file in an archive is read in memory: a path that leads out of it writes nothing."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "j.zip").write_bytes(zipped({"../../out.csv": plain(JUDGMENTS, "judgments")}))
    assert ir.read_judgments(tmp_path / "in" / "j.zip").source.frame.rows == 12
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["in", "j.zip"]


def test_the_first_of_several_sheets_is_named(tmp_path: Path) -> None:
    """The first sheet may be an old one, or hidden: the ledger says which was read, and how to read another."""
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.active.title, book.active.sheet_state = "old", "hidden"
    book.create_sheet("new")
    book.active = 1
    for sheet, grade in zip(book.worksheets, (0, 3), strict=True):
        for row in (["query", "doc", "grade"], ["q", "a", grade], ["q", "b", 1]):
            sheet.append(row)
    book.save(path := tmp_path / "j.xlsx")
    results = {"q": {"b": 2.0, "a": 1.0}}
    said = "j.xlsx: only the first of 2 sheets was read, 'old'; name another as j.xlsx#new, or this one as j.xlsx#old"
    assert [warning.split("/")[-1] for warning in ir.evaluate(path, results, ["RR"]).ledger.warnings] == [said]
    chosen = ir.evaluate(f"{path}#new", results, ["DCG"])
    assert chosen["DCG"] > 1
    assert "sheets" not in str(chosen)
    for name, doc in (("r.csv", "a"), ("s.csv", "b")):
        (tmp_path / name).write_text(f"query,doc,rank\nq,{doc},1\n")
    run("gate", "j.xlsx", "r.csv", "--baseline", "b.json", "--bless", cwd=tmp_path)
    for words in (
        ["evaluate", "j.xlsx", "r.csv", "-q"],
        ["compare", "j.xlsx", "r.csv", "s.csv", "-m", "RR", "-q"],
        ["report", "j.xlsx", "r.csv", "s.csv", "-m", "RR", "-o", "r.html"],
        ["gate", "j.xlsx", "r.csv", "--baseline", "b.json"],
    ):
        found = run(*words, cwd=tmp_path)
        assert " ".join((found.err + found.out).split()).count(said) == 1, (words, found)
    assert str(ir.peek(path)).count("sheets") == 1


def test_an_empty_sheet_is_no_other(tmp_path: Path) -> None:
    """The empty sheets behind the first, which some programs add to every workbook, are not warned of."""
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    for row in (["query", "doc", "grade"], ["q", "a", 1]):
        book.active.append(row)
    book.create_sheet("Sheet2")
    book.save(path := tmp_path / "j.xlsx")
    assert ir.evaluate(path, {"q": {"a": 1.0}}, ["RR"]).ledger.warnings == ()


TITLE = [["Urteile 2024", None, None], ["query", "doc", "grade"], ["q", "a", 1]]


BLANK = [None, None, None]


@pytest.mark.parametrize(
    ("above", "said"),
    [
        (
            TITLE[:1],
            "line 1: 'Urteile 2024' looks like a title, and the names of the columns seem to be in line 2. Delete",
        ),
        (
            TITLE[:1] * 2,
            "lines 1 to 2: 'Urteile 2024' look like titles, and the names of the columns seem to be in line 3. Delete",
        ),
        (
            [*TITLE[:1], BLANK],
            "line 1: 'Urteile 2024' looks like a title, and the names of the columns seem to be in line 3",
        ),
    ],
)
def test_a_title_above_the_names_of_columns(above: list[list[str | None]], said: str, tmp_path: Path) -> None:
    """Merged cells above the names leave all fields but one empty: that is a title, not two columns called ''."""
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    rows = [*above, *TITLE[1:]]
    for row in rows:
        book.active.append(row)
    book.active.merge_cells("A1:C1")
    book.save(path := tmp_path / "j.xlsx")
    assert said in refusal(lambda: ir.read_judgments(path))
    text = "".join(";".join(str(cell or "") for cell in row) + "\n" for row in rows)
    (tmp_path / "j.csv").write_text(text)
    assert said in refusal(lambda: ir.read_judgments(tmp_path / "j.csv"))


TITLES = [
    "Urteile,2024,", "Urteile,2024", ",Urteile,2024", "query log,by Ana,", "Export,grade,", "query,doc,",
    "Urteile,2024,,,", "Urteile,2024,\n,,", '"Urteile, 2024",v2,',
]  # fmt: skip
"""Two cells above the names of the columns, some of which are called as columns are."""


@pytest.mark.parametrize("between", [",", "\t", ";"])
@pytest.mark.parametrize("title", TITLES)
def test_a_title_of_two_cells_is_no_header(title: str, between: str, tmp_path: Path) -> None:
    """The names are looked for below a title, which is never read as them: no column is guessed, none is left out."""
    more = ",when,who" if title.endswith(",,,") else ""
    rows = [f"query,doc,grade{more}", *(f"q,{doc},{grade}{',x,y' * bool(more)}" for doc, grade in (("a", 1), ("b", 0)))]
    above = list(csv.reader(title.splitlines()))
    table = [*above, *(row.split(",") for row in rows)]
    with (tmp_path / "j.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=between).writerows(table)
    files = [tmp_path / "j.csv"]
    if between == "," and importlib.util.find_spec("openpyxl") and importlib.util.find_spec("python_calamine"):
        import openpyxl

        book = openpyxl.Workbook()
        for row in table:
            book.active.append([cell or None for cell in row])
        book.save(tmp_path / "j.xlsx")
        files.append(tmp_path / "j.xlsx")
    for path in files:
        said = refusal(lambda path=path: ir.evaluate(path, {"q": ["b", "a"]}, ["RR"]))
        assert f"the names of the columns seem to be in line {len(above) + 1}. Delete" in said


def test_names_in_another_language_below_a_title(tmp_path: Path) -> None:
    """Names that are not known are words above a column of numbers."""
    (tmp_path / "j.csv").write_text("Urteile,2024,\nSuchanfrage,Dokument,Bewertung\nq,a,1\nq,b,0\n")
    assert "seem to be in line 2." in refusal(lambda: ir.read_judgments(tmp_path / "j.csv"))


def test_a_column_of_grades_without_a_name_is_asked_for(tmp_path: Path) -> None:
    """Numbers below a header that is too short are no reason to call each row relevant; row numbers are."""
    for text, refused in (("query,doc,\nq,a,1\nq,b,0\n", True), (",query,doc\n0,q,a\n1,q,b\n", False)):
        (tmp_path / "j.csv").write_text(text)
        if refused:
            assert "no grade column" in refusal(lambda: ir.read_judgments(tmp_path / "j.csv"))
        else:
            assert ir.evaluate(tmp_path / "j.csv", {"q": ["b"]}, ["RR"])["RR"] == 1.0


@pytest.mark.parametrize("text", ["query,,\nq,,1\n", "query,,\nq,a,b\n", "keyword,,\nq,a,1\n", "Title,,\nquery,doc,\n"])
def test_a_header_with_one_name_is_no_title(text: str, tmp_path: Path) -> None:
    """A line is no title if it names a column, or if no line below has a name in each field."""
    (tmp_path / "k.csv").write_text(text)
    assert "two columns are called ''. Rename one." in refusal(lambda: ir.read_judgments(tmp_path / "k.csv"))
