"""The command replay: addresses in, tables of results out, and on to the verdict."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from tests.cli.terminal import run

SQL = (
    "SELECT id, -bm25(documents, 0, {{title}}) AS score FROM documents WHERE documents MATCH {{query|any}} LIMIT {{k}}"
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a folder with queries, documents, judgments and a template."""
    (tmp_path / "queries.csv").write_text("query_id,query\nq1,red shoes\nq2,hat\nq3,glove\n")
    (tmp_path / "docs.csv").write_text("id,title,price\nd1,red shoes,5\nd2,red hat,6\nd3,gloves,7\n")
    (tmp_path / "judgments.csv").write_text("query_id,doc_id,grade\nq1,d1,2\nq1,d2,1\nq2,d1,1\nq3,d3,1\n")
    (tmp_path / "bm25.sql").write_text(SQL)
    return tmp_path


def test_tables_of_results(shop: Path) -> None:
    """A replay writes a table per system, says what came back, and which command comes next."""
    found = run("replay", "queries.csv", "sqlite:docs.csv", "-o", "out", "--fields", "title,price", cwd=shop)
    assert found.code == 0
    assert found.lines[0].split()[:4] == ["system", "answered", "empty", "failed"]
    assert found.lines[2].split()[:4] == ["docs", "3", "0", "0"]
    without = "Next, without judgments: idealrank pool out/docs.csv --documents out/replay/documents.csv -o pool.csv"
    assert without in " ".join(found.lines)
    assert found.lines[-1] == "Next, with judgments: idealrank evaluate JUDGMENTS out/docs.csv"
    assert found.err == ""
    with (shop / "out" / "docs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["query_id"], row["query"], row["doc_id"], row["rank"], row["status"]) for row in rows] == [
        ("q1", "red shoes", "d1", "1", "answered"),
        ("q1", "red shoes", "d2", "2", "answered"),
        ("q2", "hat", "d2", "1", "answered"),
        ("q3", "glove", "d3", "1", "answered"),
    ]
    assert all(float(row["latency_ms"]) >= 0 for row in rows)
    documents = (shop / "out" / "replay" / "documents.csv").read_text()
    assert documents == "doc_id,title,price\nd1,red shoes,5\nd2,red hat,6\nd3,gloves,7\n"
    report = run("report", "judgments.csv", "out/docs.csv", "-o", "r.html", cwd=shop)
    assert report.code == 0
    page = (shop / "r.html").read_text()
    assert "asked sqlite" in page
    assert "0 of 3 documents shown have no title" in page


def test_shown(shop: Path) -> None:
    """--show prints the first request of each system, and sends nothing."""
    (shop / "t.json").write_text('{"query": {"match": {"title": "{{query}}"}}, "from": {{start}}}')
    engine = "opensearch+http://127.0.0.1:9/p?template=t.json"
    words = ("--set", "start=0,10", "--header", "Authorization: ApiKey ${KEY}", "-k", 7, "--fields", "title")
    found = run("replay", "queries.csv", engine, *words, "--show", cwd=shop, env={"KEY": "s3cret"})
    assert found.code == 0
    assert found.out == "\n".join(
        f"t start={start}\nPOST http://127.0.0.1:9/p/_search\nAuthorization: ApiKey ${{KEY}}\n"
        f'Content-Type: application/json\n\n{{"size": 7, "_source": ["title"], '
        f'"query": {{"match": {{"title": "red shoes"}}}}, "from": {start}}}\n'
        for start in (0, 10)
    )
    assert not (shop / "results").exists()


def test_on_to_the_verdict(shop: Path) -> None:
    """With judgments, one system is evaluated, several are compared."""
    found = run("replay", "queries.csv", "sqlite:docs.csv", "-j", "judgments.csv", cwd=shop)
    assert "\n\nmeasure    mean\n" in found.out
    engine = "sqlite:docs.csv?template=bm25.sql"
    found = run("replay", "queries.csv", engine, "--set", "title=1,2", "-j", "judgments.csv", cwd=shop)
    assert "bm25 title=1" in found.out.partition("\n\n")[2]
    assert "  better/worse  " in found.out


def test_queries_from_standard_input(shop: Path) -> None:
    """Queries may come through a pipe; the account goes out as JSON."""
    text = (shop / "queries.csv").read_text()
    found = run("replay", "-", "sqlite:docs.csv", "--json", "-q", cwd=shop, stdin=text)
    (row,) = json.loads(found.out)
    assert (row["system"], row["answered"], row["empty"], row["failed"]) == ("docs", 3, 0, 0)
    assert found.err == ""


def test_what_failed_is_asked_again(shop: Path) -> None:
    """Failed searches are named; the same command asks those again, and only those."""
    (shop / "engine.py").write_text(
        "import os\n\ndef find(text):\n"
        "    with open('asked', 'a') as file:\n        file.write(text + ';')\n"
        "    if text == 'hat' and not os.path.exists('mended'):\n"
        "        raise RuntimeError('down')\n"
        "    return ['d1']\n"
    )
    first = run("replay", "queries.csv", "python:engine:find", "-o", "out", cwd=shop)
    assert "find: 1 query failed, as q2: RuntimeError: down. The same command asks it again." in " ".join(
        first.out.split()
    )
    assert re.search(r"q2,hat,,,,[\d.]+,,failed,RuntimeError: down\n", (shop / "out" / "find.csv").read_text())
    (shop / "mended").touch()
    second = run("replay", "queries.csv", "python:engine:find", "-o", "out", cwd=shop)
    assert "2 answers of an earlier run kept; --anew asks everything again." in second.out
    assert (shop / "asked").read_text() == "red shoes;hat;glove;hat;"
    assert sorted(path.name for path in (shop / "out").rglob("*.*")) == ["find.csv", "find.json"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["http://localhost:9200/p"], 2, "which engine is there? Say it: opensearch+http://localhost:9200/p"),
        (["sqlite:nowhere.csv"], 3, "nowhere.csv: no such file."),
        (["sqlite:docs.csv?template=nowhere.sql"], 3, "nowhere.sql: the template cannot be read"),
        (["sqlite:docs.csv?template=latin.sql"], 3, "latin.sql line 2: the template is not UTF-8"),
        (["sqlite:queries.csv"], 3, "Call the column of ids id or doc_id."),
        pytest.param(
            ["http+http://127.0.0.1:9/?q={{query}}", "--retries", "0"],
            3,
            "every query would fail; the last: Cannot connect",
            marks=pytest.mark.heavy,
        ),
        (["sqlite:docs.csv?template=bm25.sql"], 2, "For a setting: --set title=1,2."),
        (["sqlite:docs.csv", "--set", "title"], 2, "--set title: give its values: --set title=1,2,4."),
        (["sqlite:docs.csv", "--set", "boost=1"], 2, "--set boost: no template names {{boost}}."),
        (["sqlite:docs.csv", "-k", "0"], 2, "from 1 up"),
        (["sqlite:docs.csv", "--batch", "5"], 2, "--batch 5: sqlite answers one query per request"),
        (["sqlite:docs.csv", "--rate", "0"], 2, "--rate 0.0: not a number of requests per second"),
        (["sqlite:docs.csv", "--header", "x"], 2, "--header x: not a header. Write 'NAME: VALUE'."),
        (["opensearch+http://127.0.0.1:9"], 2, "which index? Put it behind the host"),
        pytest.param(["opensearch+http://127.0.0.1:9/p"], 3, "Is it running", marks=pytest.mark.heavy),
        (["postgresql://127.0.0.1:9/p"], 2, "which query? Name a template"),
    ],
)
def test_what_is_refused(shop: Path, words: list[str], code: int, said: str) -> None:
    """What cannot be asked is one line with the way out; nothing is written but the folder."""
    (shop / "latin.sql").write_bytes(b"SELECT {{query}}\n-- \xe9\n")
    found = run("replay", "queries.csv", *words, "-o", "out", cwd=shop)
    assert (found.code, found.out) == (code, "")
    assert said in found.err
    assert not list((shop / "out").glob("*.csv"))


def test_settings_of_a_table(shop: Path) -> None:
    """A table of settings is a system per row."""
    (shop / "s.csv").write_text("title\n0.5\n3\n")
    words = ("sqlite:docs.csv?template=bm25.sql", "--settings", "s.csv", "-o", "out")
    assert run("replay", "queries.csv", *words, cwd=shop).code == 0
    assert sorted(path.name for path in (shop / "out").glob("*.csv")) == ["bm25 title=0.5.csv", "bm25 title=3.csv"]


def test_no_table_of_others_is_written_over(shop: Path) -> None:
    """A table that no replay wrote stays as it is, as the documents in the folder of the output."""
    found = run("replay", "queries.csv", "sqlite:docs.csv", "-o", ".", cwd=shop)
    assert found.code == 2
    assert (
        "docs.csv is there, and no replay wrote it. Give another -o, or name the system: NAME=sqlite:docs.csv"
        in found.err
    )
    assert (shop / "docs.csv").read_text().startswith("id,title,price\n")
    for _ in range(2):
        assert run("replay", "queries.csv", "bm25=sqlite:docs.csv", "-o", ".", cwd=shop).code == 0


def test_every_search_failed(shop: Path) -> None:
    """Where no search of a system was answered, the command fails, as for an engine that is not there."""
    (shop / "engine.py").write_text("def find(text):\n    raise RuntimeError('down')\n")
    found = run("replay", "queries.csv", "python:engine:find", "-o", "out", cwd=shop)
    assert (found.code, found.out) == (3, "")
    assert found.err == "idealrank: find: every search failed, as q1: RuntimeError: down. Mend it and ask again.\n"
