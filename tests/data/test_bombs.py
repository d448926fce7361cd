"""Files that are small and would fill the memory, or end the process, and files that are damaged."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import idealrank as ir
from idealrank._core import read_jsonl, read_parquet
from tests.cli.terminal import run
from tests.data.sheets import change_files, open_document, zipped

resource = pytest.importorskip("resource", reason="limits of POSIX")

JUDGMENTS = "query_id,doc_id,grade\n" + "".join(f"q,d{i},{i % 3}\n" for i in range(20))
LIMIT = 2 << 30
"""Bytes of address space; a quarter of what the sparse keys took when each was a column with a cell for every row."""


def _limited(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "idealrank", *words], cwd=cwd, capture_output=True, text=True, timeout=300, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip


def _rows(n: int) -> list[dict[str, object]]:
    return [{"query": "q", "doc": f"d{i}", "score": -i, f"key{i}": i} for i in range(n)]


@pytest.mark.heavy
@pytest.mark.parametrize("command", [("evaluate", "j.csv", "r", "-m", "RR"), ("peek", "r")])
@pytest.mark.parametrize("lines", [True, False], ids=["lines", "an array"])
def test_a_key_of_its_own_in_every_row(command: tuple[str, ...], lines: bool, tmp_path: Path) -> None:
    """Memory grows with the file, not with rows times keys: 20,000 of each would be 400 million cells."""
    rows = _rows(20_000)
    (tmp_path / "j.csv").write_text(JUDGMENTS)
    (tmp_path / "r").write_text("".join(f"{json.dumps(row)}\n" for row in rows) if lines else json.dumps(rows))
    found = _limited(*command, cwd=tmp_path)
    assert (found.returncode, "Traceback" in found.stderr) == (0, False)


def test_sparse_values_are_where_they_were() -> None:
    """A column with few values has each at its row, of whatever types, also where blocks of the file are joined."""
    n = 40_000
    values = {3: 7, 100: "text", 20_000: 2.5, 39_999: True}
    rows = [{"query": "q" * 20, "doc": f"d{i}", **({"rare": values[i]} if i in values else {})} for i in range(n)]
    frame = read_jsonl("\n".join(map(json.dumps, rows)).encode())
    column = frame.column(frame.names.index("rare")).to_list()
    assert {i: value for i, value in enumerate(column) if value is not None} == {
        3: "7", 100: "text", 20_000: "2.5", 39_999: "true",
    }  # fmt: skip
    assert len(column) == n


def _xlsx(path: Path, far: str = "") -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    for row in (("query_id", "doc_id", "grade"), ("q", "d1", 1), ("q", "d2", 0)):
        book.active.append(row)
    if far:
        book.active[far] = "x"
    book.save(path)


def _ods(path: Path, rows: str) -> None:
    path.write_bytes(open_document(rows))


def _cell(text: str, times: int = 1) -> str:
    repeated = f' table:number-columns-repeated="{times}"' if times > 1 else ""
    value = f' office:value-type="string"><text:p>{text}</text:p></table:table-cell>' if text else "/>"
    return f"<table:table-cell{repeated}{value}"


def _row(*cells: str, times: int = 1) -> str:
    repeated = f' table:number-rows-repeated="{times}"' if times > 1 else ""
    return f"<table:table-row{repeated}>{''.join(cells)}</table:table-row>"


ROWS = "".join(
    _row(*map(_cell, cells)) for cells in (("query_id", "doc_id", "grade"), ("q", "d1", "1"), ("q", "d2", "0"))
)
EMPTY = _row(_cell("", 16_384), times=1_048_573)

BOMBS: dict[str, Callable[[Path], None]] = {
    "the last cell": lambda path: _xlsx(path, "XFD1048576"),
    "a cell that could be allocated": lambda path: _xlsx(path, "XFD100000"),
    "repeated columns": lambda path: _ods(path, ROWS + _row(_cell("x", 999_999_999))),
    "repeated rows": lambda path: _ods(path, ROWS + _row(_cell("x", 16_384), times=1_000_000)),
    "a value behind empty rows": lambda path: _ods(
        path, ROWS + _row(_cell("", 16_383), _cell("x")) + EMPTY + _row(_cell("x"))
    ),
}


@pytest.mark.heavy
@pytest.mark.parametrize("made", BOMBS.values(), ids=BOMBS)
@pytest.mark.parametrize("command", [("evaluate", "j.csv", "book"), ("peek", "book"), ("convert", "book", "o.csv")])
def test_cells_far_apart(made: Callable[[Path], None], command: tuple[str, ...], tmp_path: Path) -> None:
    """A workbook of a few kB is refused in one line; its reader would take a cell for every place between them."""
    pytest.importorskip("python_calamine")
    made(tmp_path / "book")
    (tmp_path / "j.csv").write_text(JUDGMENTS)
    found = _limited(*command, cwd=tmp_path)
    assert found.returncode == (0 if command[0] == "peek" else 3)
    assert "too large to read. Delete the cells far from the table" in " ".join((found.stdout + found.stderr).split())


def _xlsx_with(path: Path, row: str = "", doubled: str = "") -> None:
    """Write a workbook, one row of whose sheet, or a second sheet of the same name, was written by hand."""
    _xlsx(path)

    def change(files: dict[str, bytes]) -> None:
        if doubled:
            files[doubled] = files[SHEET].replace(b'"C3"', b'"XFD1048576"')
        _in_sheet(row)(files)
        for name in sorted(files, key=str.swapcase):
            files[name] = files.pop(name)

    change_files(path, change)


FORGED: dict[str, Callable[[Path], None]] = {
    "a row beyond counting": lambda path: _xlsx_with(
        path, '<row r="9"><c r="A99999999999999999999"><v>1</v></c></row>'
    ),
    "a row counted round to the first": lambda path: _xlsx_with(
        path, '<row r="9"><c r="A4294967297"><v>1</v></c></row>'
    ),
    "a column beyond the last": lambda path: _xlsx_with(path, '<row r="9"><c r="ZZZ9"><v>1</v></c></row>'),
    "small letters": lambda path: _xlsx_with(path, '<row r="9"><c r="xfd1048576"><v>1</v></c></row>'),
    "a sign in an attribute": lambda path: _xlsx_with(path, '<row r="9"><c s=">" r="XFD1048576"><v>1</v></c></row>'),
    "a place in an attribute": lambda path: _xlsx_with(
        path, """<row r="9"><c s=' r="A9"' r="XFD1048576"><v>1</v></c></row>"""
    ),
    "a second sheet of that name": lambda path: _xlsx_with(path, doubled="xl/worksheets/SHEET1.xml"),
    "columns beyond counting": lambda path: _ods(path, ROWS + _row(_cell("x", 9_999_999_999))),
    "rows beyond counting": lambda path: _ods(path, ROWS + _row(_cell("x"), times=99_999_999_999)),
    "a sign before the repetition": lambda path: _ods(
        path, ROWS + _row(_cell("x", 999_999_999).replace("cell ", 'cell table:style-name=">" ', 1))
    ),
}


@pytest.mark.heavy
@pytest.mark.parametrize("made", FORGED.values(), ids=FORGED)
def test_forged_places(made: Callable[[Path], None], tmp_path: Path) -> None:
    """What no program writes is refused in one line: numbers that the reader counts round, tags it reads otherwise."""
    pytest.importorskip("python_calamine")
    made(tmp_path / "book")
    found = _limited("convert", "book", "o.csv", cwd=tmp_path)
    assert (found.returncode, found.stderr.count("\n")) == (3, 1)
    assert "Save the sheet as CSV." in found.stderr or "too large to read" in found.stderr


@pytest.mark.parametrize("made", [_xlsx, lambda path: _ods(path, ROWS + EMPTY)], ids=["xlsx", "ods"])
def test_a_plain_workbook_is_read(made: Callable[[Path], None], tmp_path: Path) -> None:
    """Also with the empty rows and columns to the end of the sheet that LibreOffice writes."""
    pytest.importorskip("python_calamine")
    made(tmp_path / "book")
    assert ir.read_judgments(tmp_path / "book").source.frame.rows == 2


COMMANDS = [
    ("evaluate", "j.csv", "r.zip"), ("peek", "r.zip"), ("doctor", "j.csv", "r.zip"), ("convert", "r.zip", "o.csv"),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("damage", ["byte", "cut", "no name"])
def test_a_damaged_archive(command: tuple[str, ...], damage: str, tmp_path: Path) -> None:
    """One line and the code of bad data, from every command; what one finds in a file that it shows is no traceback."""
    rows = "".join(f"q,d{i},{i + 1}\n" for i in range(2000))
    whole = bytearray(zipped({"r.csv": f"query_id,doc_id,rank\n{rows}"}))
    if damage == "byte":
        whole[100] ^= 0xFF
    changed = {"byte": whole, "cut": whole[:-30], "no name": whole.replace(b"r.csv", b"\0.csv")}[damage]
    (tmp_path / "r.zip").write_bytes(changed)
    (tmp_path / "j.csv").write_text(JUDGMENTS)
    found = run(*command, cwd=tmp_path)
    if command[0] == "peek":
        assert (found.code, "Traceback" in found.err) == (0, False)
    else:
        assert (found.code, found.err.count("\n")) == (3, 1)


MEMORY = 1 << 30
"""Bytes that a file of 1 MB may take at the most, and the seconds."""
SECONDS = 30


def _text_cell(inside: str, attributes: str = "") -> str:
    return f'<table:table-cell{attributes} office:value-type="string"><text:p>{inside}</text:p></table:table-cell>'


def _changed(path: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """Write a workbook, some of whose files were changed by hand."""
    _xlsx(path)
    change_files(path, change)


SHEET, SHARED = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


_EXTENT = re.compile(rb'ref="[A-Z0-9:]+"')


def _in_sheet(rows: str) -> Callable[[dict[str, bytes]], None]:
    return lambda files: files.update({SHEET: files[SHEET].replace(b"</sheetData>", rows.encode() + b"</sheetData>")})


def _shared_texts(texts: str, count: int, rows: str) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        names = ("query_id", "doc_id", "grade", "q", "d1", "d2")
        own = "".join(f"<si><t>{name}</t></si>" for name in names)
        files[SHARED] = f'<sst xmlns="{MAIN}" count="{count}" uniqueCount="{count}">{own}{texts}</sst>'.encode()
        _in_sheet(rows)(files)

    return change


SMALL: dict[str, Callable[[Path], None]] = {
    "blanks": lambda path: _ods(path, ROWS + _row(_text_cell('a<text:s text:c="2000000000"/>'))),
    "many blanks": lambda path: _ods(path, ROWS + _row(_text_cell('a<text:s text:c="900000"/>' * 5000))),
    "a text in many columns": lambda path: _ods(
        path, ROWS + _row(_text_cell("x" * 100_000, ' table:number-columns-repeated="16000"'))
    ),
    "a text in many rows": lambda path: _ods(path, ROWS + _row(_text_cell("x" * 1_000_000), times=10_000)),
    "spans": lambda path: _ods(
        path,
        ROWS + _row(_text_cell("x", "".join(f' table:number-{of}-spanned="2000000000"' for of in ("columns", "rows")))),
    ),
    "tabs": lambda path: _ods(path, ROWS + _row(_text_cell("x" + "<text:tab/>" * 1_000_000))),
    "many sheets": lambda path: _ods(
        path,
        ROWS
        + "".join(
            f'</table:table><table:table table:name="S{i}">{_row(_cell("x"), _cell("", 1000), _cell("x"))}'
            f"{_row(_cell('x'), times=1000)}"
            for i in range(1000)
        ),
    ),
    "empty sheets": lambda path: _ods(path, ROWS + '</table:table><table:table table:name="S">' * 500_000),
    "a count that lies": lambda path: _changed(path, _shared_texts("", 4_000_000_000, "")),
    "a shared text in many cells": lambda path: _changed(
        path,
        _shared_texts(
            f"<si><t>{'x' * 1_000_000}</t></si>", 7,
            "".join(f'<row r="{i}"><c r="A{i}" t="s"><v>6</v></c></row>' for i in range(9, 20_009)),
        ),
    ),
    "a nested text": lambda path: _changed(
        path, _shared_texts(f"<si>{'<r><t>' * 100_000}x{'</t></r>' * 100_000}</si>", 7, "")
    ),
    "an extent that lies": lambda path: _changed(
        path,
        lambda files: files.update({SHEET: _EXTENT.sub(b'ref="A1:XFD1048576"', files[SHEET], count=1)}),
    ),
    "merged cells": lambda path: _changed(
        path,
        lambda files: files.update(
            {
                SHEET: files[SHEET].replace(
                    b"</sheetData>",
                    b'</sheetData><mergeCells count="4000000000">'
                    + b'<mergeCell ref="A1:XFD1048576"/>' * 500_000
                    + b"</mergeCells>",
                )
            }
        ),
    ),
    "rows of CSV in gz": lambda path: _write(path, gzip.compress(b"query_id,doc_id,grade\n" + b"q,d,1\n" * 30_000_000)),
    "ids of JSON in gz": lambda path: _write(path, gzip.compress(b'{"q":["a"' + b',"a"' * 20_000_000 + b"]}")),
    "lists of JSON in gz": lambda path: _write(path, gzip.compress(b'{"q":[' + b"[]," * 20_000_000 + b"[]]}")),
    "deep JSON": lambda path: _write(path, b"[" * 500_000 + b"]" * 500_000),
    "deep objects": lambda path: _write(path, b'{"q":' * 150_000 + b"1" + b"}" * 150_000),
    "digits of JSON": lambda path: _write(path, b'{"q":{"d":' + b"9" * 1_000_000 + b"}}"),
    "columns of CSV": lambda path: _write(
        path,
        ",".join(["query_id", "doc_id", "grade", *map(str, range(125_000))]).encode() + b"\nq,d,1" + b"," * 125_000,
    ),
    "columns that are few enough": lambda path: _write(
        path,
        ",".join(["query_id", "doc_id", "grade", *map(str, range(49_000))]).encode() + b"\nq,d,1" + b"," * 49_000,
    ),
}  # fmt: skip


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


@pytest.mark.heavy
@pytest.mark.parametrize("made", SMALL.values(), ids=SMALL)
@pytest.mark.parametrize("command", [("evaluate", "j.csv", "small", "-m", "RR"), ("peek", "small")])
def test_a_small_file_takes_little(made: Callable[[Path], None], command: tuple[str, ...], tmp_path: Path) -> None:
    """A small file takes less than 1 GB and 30 seconds of a slow processor, and is read or refused in words."""
    pytest.importorskip("python_calamine")
    made(tmp_path / "small")
    (tmp_path / "j.csv").write_text(JUDGMENTS)
    assert (tmp_path / "small").stat().st_size < 1_050_000
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = _limited(*command, cwd=tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert found.returncode in (0, 3), found.stderr[-300:]
    assert "Traceback" not in found.stderr
    assert after.ru_utime - before.ru_utime < SECONDS
    assert after.ru_maxrss << 10 < MEMORY


def test_a_number_of_thousands_of_digits_is_not_finite(tmp_path: Path) -> None:
    """Of JSON whose numbers Python does not read, the message names the number's place, and no function of Python."""
    nines = "9" * 5000
    for text in (
        f'{{"q": {{"d": {nines}}}}}',
        f'{{"q": {{"hits": {{"hits": [{{"_id": "d", "_score": {nines}}}]}}}}}}',
        f'[{{"query": "q", "doc_ids": ["a"], "scores": [{nines}]}}]',
    ):
        (tmp_path / "r.json").write_text(text)
        with pytest.raises(ir.DataError, match="score 'inf' is not finite"):
            ir.evaluate({"q": {"d": 1}}, tmp_path / "r.json", ["RR"])


def test_a_table_of_too_many_columns(tmp_path: Path) -> None:
    """It is refused, since each column is looked at for what it may be."""
    names = ",".join(["query_id", "doc_id", "grade", *map(str, range(60_000))])
    (tmp_path / "r.csv").write_text(f"{names}\nq,d,1{',' * 60_000}\n")
    row = dict.fromkeys(names.split(","), 1)
    (tmp_path / "r.jsonl").write_text(json.dumps(row))
    (tmp_path / "r.json").write_text(json.dumps([row]))
    for name in ("r.csv", "r.jsonl", "r.json"):
        with pytest.raises(ir.DataError, match="a table of 60,003 columns, where 50,000 are the most"):
            ir.read_results(tmp_path / name)


def test_parquet_of_many_columns(tmp_path: Path) -> None:
    """Columns that are read together keep their names, their rows and their order in several row groups."""
    wide = {"query_id": ["q", "q", "r"], "doc_id": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]}
    wide |= {f"c{n}": [n, n + 1, n + 2] for n in range(1_000)}
    pq, pa = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    pq.write_table(pa.table(dict(reversed(wide.items()))), tmp_path / "r.parquet", row_group_size=2)
    frame = read_parquet(str(tmp_path / "r.parquet"))
    assert frame.names == [*reversed(wide)]
    assert {name: frame.column(place).to_list() for place, name in enumerate(frame.names)} == wide


def test_parquet_and_arrow_of_rows_that_share_a_value(tmp_path: Path) -> None:
    """A file of some kB with a hundred million equal rows is refused as one that was made to fill the memory."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    many = pyarrow.repeat(pyarrow.scalar("q"), 5_000_000).dictionary_encode()
    table = pyarrow.table({"query": many, "doc": many, "grade": pyarrow.repeat(pyarrow.scalar(1), 5_000_000)})
    parquet.write_table(table, tmp_path / "j.parquet")
    feather.write_feather(table, tmp_path / "j.arrow", compression="zstd")
    for name in ("j.parquet", "j.arrow"):
        with pytest.raises(ir.DataError, match="a small file that unpacks to more than 32 MiB and 40 times its size"):
            ir.read_judgments(tmp_path / name)


def test_a_byte_that_no_table_of_text_contains(tmp_path: Path) -> None:
    """The doctor writes JSON that it mends as CSV: a NUL byte in an id is named with its line."""
    (tmp_path / "j.csv").write_text(JUDGMENTS.replace("q,", "q ,"))
    rows = [{"query": "q", "doc": "d\x003" if i == 3 else f"d{i}", "score": -i} for i in range(9)]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = run("doctor", "j.csv", "r.jsonl", cwd=tmp_path)
    assert (found.code, found.err.count("\n")) == (3, 1)
    assert "r.jsonl line 4: a NUL byte in doc" in found.err
