"""A project of a stranger does what the studio allows a project, and nothing else."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.engines.adapters import KINDS
from idealrank.studio.foreign import SETTINGS, Replayable, replayable
from idealrank.studio.grading import USUAL
from idealrank.studio.project import StudioProject
from idealrank.studio.replays import Replays
from idealrank.studio.rescoring import rescore, rescored_table
from idealrank.studio.store import LONGEST_JSON, LONGEST_TEXT, Store
from tests.studio.client import Client, ask, serving
from tests.studio.worlds import SHOP, shop_project, tiny_project

WEB = "http+http://engine.test/search?q={{query}}"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[StudioProject]:
    """The shop in a file."""
    opened = shop_project(str(tmp_path / "shop.db"))
    yield opened
    opened.close()


def keep_record(project: StudioProject, record: Any, system: str = "bm25") -> None:
    """Write a record of a replay into a project, as whoever has its file can."""
    source = next(one for one in project.store.sources("results") if one.name == system)
    options = {**source.options, "replay": record}
    project.store.keep("results", source.name, project.store.content(source.sha256), source.file, options)


def record_of(address: Any, **more: Any) -> dict[str, Any]:
    """The record of a replay of some address."""
    return {"address": address, "k": 5, "template": {"text": ""}, "settings": {}, **more}


def replayed(project: StudioProject, template: str = "") -> Replays:
    """Ask bm25 again, and wait until that has ended."""
    replays = Replays(project)
    replays.start("bm25", "new", template, {}, 5)
    while replays.state is not None and not replays.state.over:
        time.sleep(0.01)
    return replays


RUNS = ("python:subprocess:getoutput", "x=python:subprocess:getoutput", " x = y=python:os:system", "PYTHON:os:system")


@pytest.mark.parametrize("address", RUNS)
def test_a_project_runs_no_code(project: StudioProject, address: str, tmp_path: Path) -> None:
    """A function of Python is not called, whatever name stands before it; the page says so, and has no button."""
    keep_record(project, record_of(address))
    with serving(project) as studio:
        page = Client(studio, "ann")
        shown = page.get("/replay")
        assert '<button class="main">Replay' not in shown.text
        asked = {"system": "bm25", "name": "new", "template": "", "settings": "", "k": "5"}
        answer = page.post("/replay", asked)
    assert answer.status == 400
    assert "engine" in answer.text
    assert project.systems == ["bm25", "hybrid"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://db.test/shop", "with your password"),
        ("postgresql://db.test/shop?passfile=/etc/passwd", "not a plain address"),
        ("postgresql:///shop?host=/run/postgresql", "not a plain address"),
        ("http+http://engine.test/${MY_SECRET}?q={{query}}", "the variable MY_SECRET of yours"),
        ("x=http+http://engine.test/?q={{query}}&key=${MY_SECRET}", "the variable MY_SECRET of yours"),
        ("opensearch+https://engine.test/shop?sign=aws:eu-west-1:es", "a signature of yours"),
        ("http+http://{{query}}.engine.test/?x={{query}}", "not a plain address"),
        ("http+http://reader@engine.test/?q={{query}}", "not a plain address"),
        ("http+http://engine.test\\@other.test/?q={{query}}", "not a plain address"),
        ("http+http://eng\tine.test/?q={{query}}", "not a plain address"),
        ("http+file:///etc/passwd?q={{query}}", "not the address of an engine"),
        ("file:///etc/passwd", "not the address of an engine"),
        ("", "no address"), (None, "no address"), (["python:os:system"], "no address"), ("x" * 5000, "no address"),
    ],
)  # fmt: skip
def test_what_is_not_asked_is_said(address: Any, said: str) -> None:
    """An address that needs something of the owner's, or is none of a host, is refused in a sentence."""
    assert said in replayable("bm25", record_of(address)).refused


@pytest.mark.parametrize(
    "more",
    [
        {"tls": "/etc/passwd"}, {"k": "many"}, {"k": True}, {"k": 10**30}, {"template": "SELECT"},
        {"template": {"text": 5}}, {"settings": {"a": {"b": 1}}}, {"settings": [1]}, {"concurrency": 10**9},
        {"timeout": float("nan")}, {"timeout": 10**400}, {"rate": "fast"}, {"retries": -1}, {"batch": 1.5},
    ],
)  # fmt: skip
def test_a_record_that_was_tampered_with_is_refused(more: dict[str, Any]) -> None:
    """What a record says of how an engine was asked is of the kind it has, and no file."""
    assert "cannot be used, since" in replayable("bm25", record_of(WEB, **more)).refused
    assert "cannot be used, since" in replayable("bm25", [more]).refused


def test_every_kind_of_engine_is_allowed_by_name() -> None:
    """A kind of engine that is added is refused until this module names it: only these are asked."""
    texts = {kind: f"{kind}+http://engine.test/x?q={{{{query}}}}" for kind, of in KINDS.items() if of.web}
    texts |= {"sqlite": "sqlite:/etc/passwd", "python": "python:os:system", "postgresql": "postgresql://db.test/x"}
    assert texts.keys() == KINDS.keys()
    asked = {kind for kind, text in texts.items() if not replayable("x", record_of(text)).refused}
    assert asked == {"opensearch", "elasticsearch", "solr", "vespa", "http", "sqlite"}


def test_the_owner_says_to_whom_secrets_go() -> None:
    """Scheme, host and port are those the owner named; another port, or no TLS, is another engine."""

    def asked(url: str) -> Replayable:
        return replayable("x", record_of(f"http+{url}?q={{{{query}}}}&key=${{MY_KEY}}"), ["https://Engine.test:9200/"])

    assert asked("https://engine.test:9200/shop").secrets
    assert asked("https://engine.test:9200/shop").variables == ["MY_KEY"]
    for other in ("http://engine.test:9200/", "https://engine.test/", "https://engine.test:9201/", "https://a.test/"):
        assert "--secrets-to" in ir.UsageError(asked(other).refused).typed or "secrets_to" in asked(other).refused


def test_the_page_says_what_goes_where(project: StudioProject) -> None:
    """Before anything goes: to which host, how many queries, and that no secret does."""
    keep_record(project, record_of(WEB))
    with serving(project) as studio:
        shown = Client(studio).get("/replay").text
    assert "Replay sends the texts of 42 queries" in shown
    assert "<b>http://engine.test</b>" in shown
    assert "No password, variable, signature or proxy of yours is used." in shown


def test_documents_are_those_of_the_project(project: StudioProject, tmp_path: Path) -> None:
    """The built-in engine searches the project's own documents, whatever file the address names."""
    secret = tmp_path / "secret.csv"
    secret.write_text("id,title\nsecret,running shoes\n")
    keep_record(project, record_of(f"sqlite:{secret}?template={secret}"))
    replays = replayed(project)
    assert replays.state is not None
    assert not replays.state.error
    assert "secret" not in {doc for _, doc in _pairs(project, "new")}
    assert len(_pairs(project, "new")) > 100


def _pairs(project: StudioProject, system: str) -> list[tuple[str, str]]:
    rows = project.tables()[system].rows_to_write()
    return list(zip(rows.query, rows.doc, strict=True))


@pytest.mark.parametrize(
    "statement",
    [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS id, {{query}} AS x FROM n",
        "SELECT hex(zeroblob(900000000)) AS id, {{query}} AS x",
        "ATTACH '/tmp/never' AS {{query}}", "PRAGMA temp_store_directory = '/tmp'",
    ],
)  # fmt: skip
def test_a_template_of_a_project_ends(project: StudioProject, statement: str) -> None:
    """A statement that would run for ever, fill the memory or write files is stopped, in a sentence."""
    keep_record(project, record_of("sqlite:x.csv", timeout=0.2))
    begin = time.monotonic()
    replays = replayed(project, statement)
    assert replays.state is not None
    assert replays.state.error
    assert time.monotonic() - begin < 20


@pytest.mark.parametrize("what", ["/etc/passwd", "../../etc/passwd", "A" * 64, "0" * 63, "", "0" * 64 + "\n"])
def test_a_content_is_known_by_its_hash_alone(project: StudioProject, what: str, tmp_path: Path) -> None:
    """No path is a content: the file of a project that names one shows nothing of it, and every page answers."""
    secret = tmp_path / "secret.csv"
    secret.write_text("query,doc,grade\nq01,TOPSECRET,3\n")
    named = str(secret) if what == "/etc/passwd" else what
    _tamper(project, "UPDATE sources SET sha256 = ? WHERE role = 'judgments'", named)
    with serving(project) as studio:
        page = Client(studio, "ann")
        for path in ("/", "/queries", "/raters", "/export", "/grade", "/project", "/replay", "/looks"):
            answer = page.get(path)
            assert answer.status < 500
            assert "TOPSECRET" not in answer.text


def test_a_content_is_always_checked(project: StudioProject) -> None:
    """Rows that were changed under the hash of others are not read."""
    packed = zlib.compress(b"query,doc,grade\nq01,TOPSECRET,3\n")
    _tamper(project, "UPDATE contents SET packed = ? WHERE sha256 = (SELECT sha256 FROM sources LIMIT 1)", packed)
    with reopened(project) as studio:
        assert "was changed" in Client(studio).get("/project").text


@contextmanager
def reopened(project: StudioProject) -> Iterator[Any]:
    """Serve the file of a project, of which nothing was read yet."""
    again = StudioProject(Store(project.store.where))
    try:
        with serving(again) as studio:
            yield studio
    finally:
        again.close()


def _tamper(project: StudioProject, statement: str, *values: Any) -> None:
    """Change the file of a project that is open."""
    _change(project.store.where, statement, *values)


def _change(file: str | Path, statement: str, *values: Any) -> None:
    """Change a project's file as somebody does who has it, without any rule of its tables."""
    with sqlite3.connect(file) as base:
        base.execute("PRAGMA foreign_keys = OFF")
        base.execute("PRAGMA ignore_check_constraints = ON")
        base.execute(statement, values) if values else base.executescript(statement)
    base.close()


def test_a_deep_record_beside_results_is_none(tmp_path: Path) -> None:
    """A record of lists within lists, or without what a record has, is no record: results are read without it."""
    import hashlib

    folder = tmp_path / "replay"
    folder.mkdir()
    results = tmp_path / "run.csv"
    results.write_bytes((SHOP / "bm25.csv").read_bytes())
    mine = {"results_sha256": hashlib.sha256(results.read_bytes()).hexdigest()}
    for content in ("[" * 200_000, json.dumps(mine), json.dumps({**mine, "address": 5, "queries": [], "k": 3})):
        (folder / "run.json").write_text(content)
        found = ir.compare(SHOP / "judgments.csv", [results, SHOP / "hybrid.csv"], ["nDCG@10"])
        assert "asked" not in ir.report(found).to_markdown()
    assert os.path.isfile(folder / "run.json")


_SHOWN = ("/part/card", "/queries", "/grade", "/raters", "/looks", "/looks.csv", "/project", "/replay")

DEEP = "[" * 50_000


def test_every_setting_is_checked() -> None:
    """A setting that is added says what it is: else anything in its place would reach a page."""
    assert {*USUAL, "measure", "convention", "shuffle", "weights", "segments"} == {*SETTINGS}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project with a row in every table."""
    folder = tmp_path_factory.mktemp("small")
    made = tiny_project(folder)
    for name, value in {"scale": [[0, "no"], [1, "yes"]], "overlap": 5, "measure": "P@1"}.items():
        made.store[name] = value
    made.store["convention"] = "idealrank-1"
    made.store.rate("ann", "q1", "a", 1.0, token="1")
    made.store.rate("ann", "q1", "b", 1.0, token="2")
    made.comparison(made.look())
    made.close()
    return folder / "tiny.db"


@pytest.mark.parametrize(
    ("table", "column", "value", "said"),
    [
        *(("settings scale", "value", value, "The setting 'scale' of this project is damaged") for value in (
            '{"a": 1}', "[1, 2]", "[[1]]", '[["a", "b"]]', "[[1, 2]]", "[[1e999, null]]", '[[1, ""], [1, ""]]', "x",
            DEEP, "9" * 6000, b"\xff", f"[{'[1, null], ' * 10}[1, null]]", '[[0, "\\ud800"]]',
        )),
        *((f"settings {name}", "value", value, f"The setting {name!r} of this project is damaged") for name, value in (
            ("overlap", '"abc"'), ("overlap", "-1"), ("overlap", "1.5"), ("overlap", "true"), ("guideline", "[1, 2]"),
            ("suggest", "{}"), ("confirm", '"no"'), ("blind", "0"), ("pictures", '"yes"'), ("shuffle", "[5]"),
            ("measure", '"nDGC"'), ("measure", '"P@1,P@2"'), ("measure", "7"), ("convention", '"trec"'),
            ("convention", '"idealrank-1, gain=["'), ("convention", "{}"), ("measure", f'"{"x" * 200_000}"'),
        )),
        ("settings weights", "value", '"/etc/passwd"', ""), ("settings segments", "value", '["/etc/passwd"]', ""),
        *(("sources", "options", value, ".csv' of this project is damaged") for value in (
            "null", "5", "[]", "x", DEEP, '{"systems": "one"}', '{"systems": [["one"]]}', '{"systems": []}',
            '{"systems": ["else"]}', '{"systems": ["one", "two"]}', '{"systems": ["one", "one"]}',
            '{"systems": ["one"], "columns": {"source": "/etc/passwd"}}', '{"systems": ["one"], "columns": [1]}',
            '{"systems": ["one"], "columns": {"query": 5}}', '{"systems": ["one"], "columns": {"progress": "x"}}',
        )),
        ("sources", "name", b"\xff\xfe", "is damaged"), ("sources", "name", "x" * 100_000, "is damaged"),
        ("sources", "role", "nothing", "is damaged"), ("sources", "role", 5, "is damaged"),
        ("sources", "file", "x" * 300, "is damaged"), ("sources", "file", "/etc/passwd", "is damaged"),
        ("sources", "file", "a\nb.csv", "is damaged"), ("sources", "file", "a.csv#../../etc/passwd", "is damaged"),
        ("sources", "file", f"a.{'b' * 200}", ""), ("sources", "file", "a.csv#b", ""), ("sources", "sha256", b"\0", ""),
        ("contents", "packed", "text", ""), ("contents", "packed", b"", ""), ("contents", "sha256", b"\xff", ""),
        *(("ratings", column, value, "Ratings of this project are damaged") for column, value in (
            ("grade", "x"), ("grade", float("inf")), ("grade", None), ("state", "good"), ("state", b"\xff"),
            ("state", "later"), ("doc", b"a"), ("query", b"\xff"), ("comment", b""), ("at", b"x"),
        )),
        ("ratings", "grade", 1e308, ""), ("ratings", "query", "x" * 100_000, ""), ("ratings", "rater", 99, ""),
        ("ratings", "rater", "ann", ""), ("ratings", "at", "never", ""), ("ratings", "id", 2**62, ""),
        ("ratings", "undone", b"x", ""), ("ratings", "token", "x" * 5000, ""),
        ("raters", "name", b"\xff", "Ratings of this project are damaged"), ("raters", "name", "\0\x1b[2J", ""),
        ("raters", "name", "<script>" * 9999, ""), ("raters", "id", -5, ""), ("raters", "name", "resolved", ""),
        *(("looks", column, value, "1 comparison of the history cannot be read") for column, value in (
            ("used", "{}"), ("used", "[]"), ("used", "null"), ("used", DEEP), ("used", '{"baseline": "one"}'),
            ("used", '{"baseline": "a", "system": "b", "measure": "P@1", "answers": [1]}'),
            ("used", '{"baseline": "a", "system": "b", "measure": "P@1", "answers": {"gain": 1}}'),
            ("used", '{"baseline": "\\ud800", "system": "b", "measure": "P@1", "answers": {}}'),
            ("found", "{}"), ("found", '{"outcome": 5, "difference": 1}'), ("found", '{"difference": "much"}'),
            ("found", f'{{"difference": 1{"0" * 400}}}'), ("found", "x"),
        )),
        ("looks", "used", '{"baseline": "a", "system": "", "measure": "P@1e9", "answers": {"unit": "map(/x)"}}', ""),
        ("looks", "at", 5, ""), ("looks", "id", -1, ""),
    ],
)  # fmt: skip
def test_a_row_that_was_tampered_with(
    small: Path, tmp_path: Path, table: str, column: str, value: Any, said: str
) -> None:
    """Every page answers, a damaged row is one sentence on it and in a terminal, and a grade can still be given."""
    file = tmp_path / "tampered.db"
    shutil.copy(small, file)
    name = table.partition(" ")[2]
    rows = {"settings": f"name = '{name}'", "sources": "name = 'one'", "ratings": "id = 1", "contents": "rowid = 1"}
    _change(file, f"INSERT OR IGNORE INTO settings VALUES ('{name}', 'null')")
    _change(file, f"UPDATE {table.split()[0]} SET {column} = ? WHERE {rows.get(table.split()[0], 'true')}", value)
    opened = StudioProject(Store(file))
    assert not said or any(said in each for each in opened.damage())
    with serving(opened) as studio:
        page = Client(studio, "ann")
        answers = {path: page.get(path) for path in _SHOWN}
        assert [path for path, answer in answers.items() if answer.status >= 500] == []
        assert answers["/project"].status == 200
        assert not said or any(said in unescape(answer.text) for answer in answers.values())
        assert "SELECT" not in "".join(answer.text for answer in answers.values())
        graded = page.post("/rate", {"q": "q2", "doc": "b", "grade": "1", "token": "9", "seen": ""})
        assert graded.status < 500
        assert page.post("/undo", {"back": "/"}).status < 500
    rescored_table(rescore(opened))
    opened.close()


def _said(what: str, other: str) -> str:
    """Return what makes the table of ratings say something else of itself."""
    quoted = other.replace("'", "''")
    changed = f"replace(sql, '{what}', '{quoted}')"
    return f"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = {changed} WHERE name = 'ratings'"


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON ratings BEGIN DELETE FROM ratings; END",
        "".join(f"CREATE TABLE t{i} (a); " for i in range(100)) + "CREATE VIEW more AS SELECT 1",
        "CREATE VIEW more AS SELECT 1", "DROP TABLE looks", "DROP TABLE settings; CREATE VIEW settings AS SELECT 1 a",
        "CREATE VIRTUAL TABLE more USING fts5(a)", "ALTER TABLE ratings ADD COLUMN more",
        _said("undone VARCHAR(32)", "undone VARCHAR(32) DEFAULT 'x'"), _said("CHECK (", "CHECK (comment), CHECK ("),
        _said("comment TEXT", "comment TEXT CHECK (length(hex(zeroblob(400000000))) > 0)"),
        _said("doc TEXT", "doc TEXT COLLATE NOCASE"), _said("grade FLOAT", "grade TEXT"),
        _said("rater INTEGER NOT NULL", "rater INTEGER"), _said("raters (id)", "raters (id) ON DELETE CASCADE"),
        "DROP INDEX ix_ratings_pair; CREATE INDEX ix_ratings_pair ON ratings (rater, query, length(zeroblob(9)))",
        "DROP TABLE settings; CREATE TABLE settings (name TEXT PRIMARY KEY, value JSON NOT NULL) WITHOUT ROWID",
        "DROP TABLE alembic_version; CREATE TABLE alembic_version (version_num AS (hex(zeroblob(400000000))), b); "
        "INSERT INTO alembic_version VALUES (1)",
        "ALTER TABLE ratings DROP COLUMN comment", "CREATE UNIQUE INDEX one ON ratings (rater, doc)",
        "ALTER TABLE raters ADD COLUMN more GENERATED ALWAYS AS (name || name)",
        "INSERT INTO alembic_version VALUES ('0002')", "UPDATE alembic_version SET version_num = x'ff'",
        "DELETE FROM alembic_version", "UPDATE alembic_version SET version_num = '/etc/passwd'",
    ],
)  # fmt: skip
def test_a_file_with_other_tables_is_no_project(small: Path, tmp_path: Path, statement: str) -> None:
    """What would run as it is read or written, or has other columns, is refused in a sentence when it is opened."""
    file = tmp_path / "tampered.db"
    shutil.copy(small, file)
    _change(file, statement)
    with pytest.raises(ir.DataError, match=r"tampered.db: "):
        Store(file)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("ratings", "comment", "x" * (LONGEST_TEXT + 1)), ("raters", "name", "\0" * (LONGEST_TEXT + 1)),
        ("settings", "value", f"[{'[],' * (LONGEST_JSON // 3)}[]]"), ("looks", "used", "{}" + " " * LONGEST_JSON),
    ],
)  # fmt: skip
def test_a_long_cell_fills_no_memory(small: Path, tmp_path: Path, table: str, column: str, value: str) -> None:
    """A text or a list that no page could show is refused when the file is opened, in a sentence that names it."""
    file = tmp_path / "tampered.db"
    shutil.copy(small, file)
    _change(file, f"UPDATE {table} SET {column} = ? WHERE rowid = 1", value)
    with pytest.raises(ir.DataError, match=rf"tampered.db: .* its table '{table}' has more than . MiB in one"):
        Store(file)


def test_no_pattern_is_tried_that_a_convention_names(small: Path, tmp_path: Path) -> None:
    """A pattern may take for ever on a long id: neither a project nor a link names one, its owner may."""
    file = tmp_path / "tampered.db"
    shutil.copy(small, file)
    opened, answer = StudioProject(Store(file)), "unit=match(((a|b|aa)*)*x)"
    with serving(opened) as studio:
        page = Client(studio, "ann")
        assert "may take for ever" in page.get(f"/?{answer}").text
        assert "may take for ever" in page.get(f"/?measure=P({answer})@1").text
        opened.store["convention"] = f"idealrank-1, {answer}"
        assert [path for path in (*_SHOWN, "/export") if page.get(path).status >= 500] == []
        assert "may take for ever" in page.get("/").text
        opened.allow_units(f"idealrank-1, {answer}")
        assert "may take for ever" not in page.get("/").text
    opened.close()


def test_no_file_is_read_that_a_convention_names(small: Path, tmp_path: Path) -> None:
    """A map of units is a file of this machine: neither a project nor a link names one, its owner may."""
    file, units = tmp_path / "tampered.db", tmp_path / "units.csv"
    shutil.copy(small, file)
    units.write_text("id,unit\na,TOPSECRET\nb,TOPSECRET\n")
    opened = StudioProject(Store(file))
    answer = f"unit=map({units})"
    with serving(opened) as studio:
        page = Client(studio, "ann")
        assert "reads a file of your machine" in page.get(f"/?{answer}").text
        opened.store["convention"] = f"idealrank-1, {answer}"
        for path in (*_SHOWN, "/export", "/report.html"):
            shown = page.get(path)
            assert shown.status < 500
            assert "TOPSECRET" not in shown.text
        assert "reads a file of your machine" in page.get("/").text
        assert page.get("/project").status == 200
        opened.allow_units(f"idealrank-1, {answer}")
        assert page.get("/").status == 200
    opened.close()


@pytest.mark.parametrize("filling", [b"\n", b"query,doc,grade\n", b"\n" * 300 + b"q"])
def test_a_content_fills_no_memory(project: StudioProject, filling: bytes) -> None:
    """A megabyte that expands to a thousand is refused on its way, whatever is packed, and a page says so."""
    packing = zlib.compressobj(9)
    packed = b"".join(packing.compress(filling * (2**20 // len(filling))) for _ in range(150)) + packing.flush()
    _tamper(project, "UPDATE contents SET packed = ? WHERE sha256 = (SELECT sha256 FROM sources LIMIT 1)", packed)
    source = project.store.sources()[0]
    written = Counted()
    with pytest.raises(ir.DataError, match="expands to more than"):
        project.store.unpack(source.sha256, written)
    assert written.size < 2**28
    with reopened(project) as studio:
        assert "expands to more than" in Client(studio).get("/project").text


class Counted(io.RawIOBase):
    """A file that counts what is written, and keeps none of it."""

    size = 0

    def write(self, data: Any) -> int:
        """Count."""
        self.size += len(data)
        return len(data)


def test_what_could_not_be_read_again_is_not_kept(project: StudioProject) -> None:
    """A file that repeats itself more than a content may is refused as it is added."""
    with pytest.raises(ir.DataError, match=r"a.csv: the file expands to more than 200 times"):
        project.store.keep("documents", "documents", bytes(2**26 + 1), "a.csv")


LONG, CONTROLS = "x" * 100_000, "a\x1b[2Jb"


@pytest.mark.parametrize(
    ("file", "name", "said"),
    [
        (f"{'x' * 252}.csv", "", "at most 255 bytes"), (f"{'日' * 90}.csv", "", "at most 255 bytes"),
        (f"a{'.csv' * 100}", "", "at most 255 bytes"), ("a\tb.csv", "", "no control character"),
        ("a\u202eb.csv", "", "no control character"), ("x.csv", LONG, "at most 200 characters"),
        ("x.csv", CONTROLS, "no control character"), ("x.csv", "a\u202eb", "no control character"),
        ("x.csv", "a\nb", "no control character"), (f"{'日' * 80}.csv", "", ""), ("x.csv", "näme\xa0日 👩‍🔬", ""),
        (LONG, LONG, "not understood"), ("../../x.csv", "", ""), ("a b", "c d", ""),
    ],
)  # fmt: skip
def test_names_that_no_table_has(project: StudioProject, file: str, name: str, said: str) -> None:
    """A name from a page that is too long or has control characters is refused in a sentence; others are kept."""
    content = (SHOP / "bm25.csv").read_bytes()
    head = f'name="file"; filename="{file}"\r\n\r\n'
    parts = [b'name="role"\r\n\r\nresults', b'name="name"\r\n\r\n' + name.encode(), head.encode() + content]
    body = b"".join(b"--b\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts) + b"--b--\r\n"
    with serving(project) as studio:
        headers = {"Origin": studio, "Content-Type": "multipart/form-data; boundary=b"}
        answer = ask(studio, "POST", "/project/tables", headers, body)
    assert answer.status == (400 if said else 303)
    assert said in answer.text
    assert len(answer.text) < 10_000
    assert len(project.systems) == (2 if said else 3)


@pytest.mark.parametrize("name", [LONG, CONTROLS, "a\0b"])
def test_names_that_no_system_has(name: str) -> None:
    """Python is told the same before a file of that name is written."""
    ranked = {"q": {"a": 1.0}}
    with pytest.raises(ir.UsageError, match="no control character"):
        ir.studio({"q": {"a": 1}}, {name: ranked, "b": ranked})


def test_a_project_loads_no_picture(small: Path, tmp_path: Path) -> None:
    """A file that says that pictures are allowed is not asked: whoever opens it allows them at Project, once a run."""
    file = tmp_path / "tampered.db"
    shutil.copy(small, file)
    _change(file, "INSERT INTO settings VALUES ('pictures', 'true')")
    opened = StudioProject(Store(file))
    with serving(opened) as studio:
        page = Client(studio, "ann")
        assert "https:" not in page.get("/project").headers["content-security-policy"]
        assert 'name="pictures" checked' not in page.get("/project").text
        page.post("/project/settings", {"measure": "P@1", "convention": "idealrank-1", "pictures": "on"})
        assert "https:" in page.get("/project").headers["content-security-policy"]
        assert 'name="pictures" checked' in page.get("/project").text
    opened.close()


def test_a_folder_that_is_kept_takes_no_other_place(tmp_path: Path) -> None:
    """What of a content is read is a part of it: no path leaves it, and packed files are no larger than it."""
    from idealrank.studio.foreign import source_trouble
    from idealrank.studio.kept_files import FOLDER, FileToKeep, pack_files, write_kept

    for part in ("/../../etc/passwd", "/etc", "..", 5, "#../../x", "/**/*.json", "#..\\..\\x", "#a/..", "#\x1b[2J"):
        assert source_trouble("results", "a", "a", {"systems": ["a"], "part": part}, ()), part
    for part in ("", FOLDER, "#Sheet 1", "#sub/one.csv"):
        file = f"a{part}" if part != FOLDER else "a"
        assert not source_trouble("results", "a", file, {"systems": ["a"], "part": part}, ()), part
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.json").write_text("[" + " " * 5_000 + "]")
    packed = pack_files(tmp_path / "a", [tmp_path / "a" / "one.json"])
    assert Path(write_kept(FileToKeep(packed, "a", FOLDER), tmp_path / "kept"), "one.json").exists()
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as files:
        files.writestr("one.json", "[" + " " * 5_000_000 + "]")
    bomb = FileToKeep((tmp_path / "bomb.zip").read_bytes(), "a", FOLDER)
    with pytest.raises(ir.DataError, match="larger than what is kept"):
        write_kept(bomb, tmp_path / "other")


def _packed(change: Callable[[bytes], bytes] = bytes, **files: str) -> bytes:
    """Return an archive of files, not compressed, changed by hand."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return change(out.getvalue())


def _marked(offset: int, local: int, value: int) -> Callable[[bytes], bytes]:
    """Return what sets a byte of the first entry of an archive, in the list of its files and at the file."""

    def change(content: bytes) -> bytes:
        changed = bytearray(content)
        changed[content.find(b"PK\1\2") + offset] = changed[local] = value
        return bytes(changed)

    return change


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (_packed(_marked(8, 6, 1), a="1"), "damaged"), (_packed(_marked(10, 8, 8), a="1"), "damaged"),
        (_packed(_marked(10, 8, 99), a="1"), "damaged"), (_packed(_marked(9, 7, 8), é="1"), ""),
        (_packed(lambda it: it.replace("\xe9".encode(), b"\xff\xfe"), é="1"), "damaged"),
        (_packed(lambda it: it.replace(b"x.csv", b"\0.csv"), **{"x.csv": "1"}), "damaged"),
        (_packed(**{"a": "1", "a/b": "2"}), "damaged"), (_packed(**{"a" * 5000: "1"}), "damaged"),
        (_packed(**{"a/" * 1500: ""}), "damaged"), (_packed(**{f"{n}": "" for n in range(50_001)}), "50,001 files"),
        (_packed(**{"../../x": "1", "/etc/x": "2"}), ""), (b"PK", "damaged"),
    ],
    ids=[
        "secret", "deflated", "unknown", "Latin", "no UTF-8", "NUL", "twice", "long", "deep", "many", "paths", "none",
    ],
)  # fmt: skip
def test_packed_files_that_no_studio_packed(content: bytes, said: str, tmp_path: Path) -> None:
    """Each is refused in a sentence or written below its place, and nowhere else."""
    from idealrank.studio.kept_files import FOLDER, FileToKeep, write_kept

    place = tmp_path / "below" / "kept"
    place.parent.mkdir()
    with pytest.raises(ir.DataError, match=said) if said else nullcontext():
        write_kept(FileToKeep(content, "a", FOLDER), place)
    assert list(tmp_path.iterdir()) == [place.parent]
    assert all(each.name.startswith("kept") for each in place.parent.iterdir())


def test_what_is_hidden_in_a_folder_is_not_kept(project: StudioProject, tmp_path: Path) -> None:
    """A project is sent to others: what a version control keeps beside results, with its passwords, is left out."""
    from idealrank.studio.kept_files import file_to_keep

    (tmp_path / "run" / ".git").mkdir(parents=True)
    (tmp_path / "run" / ".git" / "config").write_text("url = https://TOPSECRET@host")
    (tmp_path / "run" / "new.csv").write_bytes((SHOP / "bm25.csv").read_bytes())
    assert b"TOPSECRET" not in file_to_keep(str(tmp_path / "run")).content


def test_a_file_of_a_folder_in_an_archive_is_kept(project: StudioProject, tmp_path: Path) -> None:
    """What was added as runs.zip#sub/new.csv is there, as the project says nothing of damage."""
    (tmp_path / "runs.zip").write_bytes(_packed(**{"sub/new.csv": (SHOP / "bm25.csv").read_text()}))
    project.add("results", f"{tmp_path / 'runs.zip'}#sub/new.csv", "new")
    assert project.damage() == []
    assert project.systems == ["bm25", "hybrid", "new"]
    assert len(project.tables()["new"].rows_to_write().doc) > 100
