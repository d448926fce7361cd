"""A project of a stranger does what the studio allows a project, and nothing else."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.engines.adapters import KINDS
from idealrank.studio.foreign import Replayable, replayable
from idealrank.studio.project import StudioProject
from idealrank.studio.replays import Replays
from tests.studio.client import Client, serving
from tests.studio.worlds import SHOP, shop_project

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
    import zlib

    packed = zlib.compress(b"query,doc,grade\nq01,TOPSECRET,3\n")
    _tamper(project, "UPDATE contents SET packed = ? WHERE sha256 = (SELECT sha256 FROM sources LIMIT 1)", packed)
    with serving(project) as studio:
        assert "was changed" in Client(studio).get("/project").text


def _tamper(project: StudioProject, statement: str, *values: Any) -> None:
    """Change a project's file as somebody does who has it, without any rule of its tables."""
    import sqlite3

    with sqlite3.connect(project.store.where) as base:
        base.execute("PRAGMA foreign_keys = OFF")
        base.execute("PRAGMA ignore_check_constraints = ON")
        base.execute(statement, values)
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
