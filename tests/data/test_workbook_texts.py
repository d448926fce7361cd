"""Workbooks whose reader would lose text, round ids, or never come back."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.errors import DataError
from tests.data.sheets import change_files, open_document

pytest.importorskip("python_calamine")


def ods(path: Path, doc: str, *, end: str = "</table:table>", first: str = 'office:value-type="string"') -> Path:
    """Write an OpenDocument sheet with one judgment of a document, given as XML, in a cell with these attributes."""
    rows = [("query_id", "doc_id", "grade"), ("q", "<first>", "2"), ("q", "d2", "1")]
    text = "".join(
        "<table:table-row>"
        + "".join(f'<table:table-cell office:value-type="string"><text:p>{c}</text:p></table:table-cell>' for c in row)
        + "</table:table-row>"
        for row in rows
    ).replace('office:value-type="string"><text:p><first>', f"{first}><text:p>{doc}")
    path.write_bytes(open_document(text, end))
    return path


def xlsx(path: Path, *, old: str, new: str, part: str = "sheet1.xml") -> Path:
    """Write an Excel sheet of two judgments, and replace something in its XML."""
    book = pytest.importorskip("openpyxl").Workbook()
    for row in (("query_id", "doc_id", "grade"), ("q", "d1", 2), ("q", "d2", 1)):
        book.active.append(row)
    book.save(path)

    def change(files: dict[str, bytes]) -> None:
        (name,) = (name for name in files if name.endswith(part))
        assert old.encode() in files[name]
        files[name] = files[name].replace(old.encode(), new.encode(), 1)

    return change_files(path, change)


def documents(path: Path) -> list[str]:
    """Return the documents that were read."""
    return ir.read_judgments(path).rows_to_write().doc


@pytest.mark.parametrize(
    ("written", "lost"),
    [
        ("a<text:tab/>b", "<text:tab"),
        ("a<text:tab></text:tab>b", "<text:tab"),
        ("a<text:line-break/>b", "<text:line-break"),
        ("<![CDATA[a<b]]>", "<![CDATA["),
    ],
)
def test_a_text_that_would_be_lost(written: str, lost: str, tmp_path: Path) -> None:
    """Tabs, line breaks and CDATA are part of an id: without them "a<tab>b" would be the document "ab"."""
    path = ods(tmp_path / "j.ods", written)
    said = f"j.ods: a cell contains a tab, a line break or CDATA ({lost} in content.xml), which would be lost"
    with pytest.raises(DataError, match=f"{re.escape(said)}.* or save the sheet as CSV"):
        ir.read_judgments(path)


def test_texts_of_open_document_cells(tmp_path: Path) -> None:
    """Blanks and spans are read as they look; a style with tab stops is no tab."""
    text = 'a<text:s text:c="2"/>b<text:span>c</text:span>'
    path = ods(tmp_path / "j.ods", text, end='<style:tab-stops xmlns:style="s"/></table:table>')
    assert documents(path) == ["a  bc", "d2"]


def test_cdata_in_excel(tmp_path: Path) -> None:
    """CDATA is text, too, as other programs write it; the reader would leave the cell empty."""
    text = 't="inlineStr"><is><t>d1</t></is>'
    path = xlsx(tmp_path / "j.xlsx", old=text, new='t="str"><v><![CDATA[d<1]]></v>')
    with pytest.raises(DataError, match=r"CDATA \(<!\[CDATA\[ in xl/worksheets/sheet1\.xml\), which would be lost"):
        ir.read_judgments(path)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ('office:value-type="strung"', "the office:value-type 'strung'; it must be one of float, percentage"),
        ('office:value-type=""', "the office:value-type ''; it must be"),
        ("", "no office:value-type; it must be"),
        ('office:value-type="float"', "the office:value-type 'float', but no such value"),
        (
            'office:value-type="boolean" office:boolean-value="yes"',
            "the office:value-type 'boolean', but no such value",
        ),
    ],
)
def test_a_cell_that_is_not_read(kind: str, said: str, tmp_path: Path) -> None:
    """It shows a text, which was read as an empty cell."""
    path = ods(tmp_path / "j.ods", "d7", first=kind)
    with pytest.raises(DataError, match=rf"j\.ods cell B2: it shows 'd7' and has {said}.* save the sheet as CSV"):
        ir.read_judgments(path)


def test_cells_that_show_nothing_are_empty(tmp_path: Path) -> None:
    """A cell without a type, with no text but that of its comment, is empty, as LibreOffice writes it."""
    comment = "<office:annotation><text:p>see there</text:p></office:annotation>"
    path = ods(tmp_path / "j.ods", "d1", end=f"<table:table-row><table:table-cell>{comment}</table:table-cell>"
               "</table:table-row></table:table>")  # fmt: skip
    assert documents(path) == ["d1", "d2"]


@pytest.mark.heavy  # what hangs here can only be ended as a process
@pytest.mark.parametrize("command", ["peek", "convert"])
def test_a_damaged_open_document_sheet_ends(command: str, tmp_path: Path) -> None:
    """It is refused at once: its reader looks for the end of the sheet forever, and nothing interrupts it."""
    path = ods(tmp_path / "j.ods", "d1", end="</tab/e:table>")
    words = [command, str(path), *([str(tmp_path / "o.csv")] if command == "convert" else [])]
    found = subprocess.run(
        [sys.executable, "-m", "idealrank", *words], capture_output=True, text=True, timeout=60, check=False
    )
    said = " ".join((found.stdout + found.stderr).split())
    assert found.returncode == (0 if command == "peek" else 3)
    assert "a workbook that cannot be read" in said


@pytest.mark.parametrize("encoding", ["UTF-0", "no-such"])
def test_an_encoding_that_there_is_not(encoding: str, tmp_path: Path) -> None:
    """It is a damaged workbook, not an error of the program."""
    declared = f'<?xml version="1.0" encoding="{encoding}"?>'.encode()
    path = change_files(
        ods(tmp_path / "j.ods", "d1"), lambda files: files.update({"content.xml": declared + files["content.xml"]})
    )
    with pytest.raises(DataError, match="a workbook that cannot be read"):
        ir.read_judgments(path)


def test_damaged_styles(tmp_path: Path) -> None:
    """What all sheets share is looked at, too: of broken styles the reader takes what there is, and loses dates."""
    path = xlsx(tmp_path / "j.xlsx", old="</styleSheet>", new="</styleSheet", part="styles.xml")
    with pytest.raises(
        DataError, match=r"cannot be read: xl/styles\.xml in it is damaged .* Open it in Excel or Libre"
    ):
        ir.read_judgments(path)


@pytest.mark.parametrize("column", ["query_id", "doc_id"])
def test_ids_that_a_workbook_rounds(column: str, tmp_path: Path) -> None:
    """Numbers above 2^53 are refused as ids, where two neighbours are one; as text they are exact."""
    openpyxl = pytest.importorskip("openpyxl")
    for value in (2**53 + 2, str(2**53 + 1)):
        book = openpyxl.Workbook()
        book.active.append(["query_id", "doc_id", "grade", "stamp"])
        book.active.append([*({"query_id": "q", "doc_id": "d", column: value}.values()), 1, 2**53 + 2])
        book.save(tmp_path / "j.xlsx")
        if isinstance(value, str):
            assert (
                str(2**53 + 1)
                in documents(tmp_path / "j.xlsx") + ir.read_judgments(tmp_path / "j.xlsx").rows_to_write().query
            )
            continue
        place = re.escape(f"line 2: {column} {2**53 + 2} is a number above 2^53, which a workbook rounds")
        with pytest.raises(DataError, match=place):
            ir.read_judgments(tmp_path / "j.xlsx")


def test_merged_cells(tmp_path: Path) -> None:
    """A query that is written once beside all its documents is that of each; a bomb of merged cells is refused."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["query_id", "doc_id", "grade"], ["q1", "a", 2], ["", "b", 1], ["", "c", 0], ["q2", "a", 1]):
        sheet.append([cell if cell != "" else None for cell in row])
    sheet.merge_cells("A2:A4")
    book.save(tmp_path / "j.xlsx")
    read = ir.read_judgments(tmp_path / "j.xlsx").rows_to_write()
    assert list(zip(read.query, read.doc, strict=True)) == [("q1", "a"), ("q1", "b"), ("q1", "c"), ("q2", "a")]
    bomb = openpyxl.Workbook()
    for row in (["query_id", "doc_id", "grade"], ["x" * 30_000, "a", 2], *([None, f"d{n}", 1] for n in range(2_000))):
        bomb.active.append(row)
    bomb.active.merge_cells("A2:A2002")
    bomb.save(tmp_path / "bomb.xlsx")
    with pytest.raises(ir.DataError, match=r"bomb.xlsx: more than 32 MiB"):
        ir.read_judgments(tmp_path / "bomb.xlsx").rows_to_write()
