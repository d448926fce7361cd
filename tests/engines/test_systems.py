"""Systems of a replay: engines, templates and settings, each under a name of its own."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir

SQL = (
    "SELECT id, -bm25(documents, 0, {{title}}) AS score FROM documents WHERE documents MATCH {{query|any}} LIMIT {{k}}"
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with documents and two templates, which is the working directory."""
    (tmp_path / "d.csv").write_text("id,title\nd1,red shoes\nd2,red hat\n")
    (tmp_path / "plain.sql").write_text(SQL.replace("{{title}}", "1"))
    (tmp_path / "bm25.sql").write_text(SQL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_combination(shop: Path) -> None:
    """Settings make a system each, in the order of the names; an engine takes only those its template names."""
    engines = ["sqlite:d.csv?template=plain.sql", "sqlite:d.csv?template=bm25.sql"]
    found = ir.replay(["red"], engines, settings={"title": [1, 0.5]})
    assert found.systems == ("plain", "bm25 title=1", "bm25 title=0.5")
    with pytest.raises(ir.UsageError, match=r"no template names \{\{titel\}\}.*Did you mean title"):
        ir.replay(["red"], engines, settings={"title": [1], "titel": [1]})
    with pytest.raises(
        ir.UsageError, match=r"bm25.sql: \{\{title\}\} is neither a column of the queries nor a setting"
    ):
        ir.replay(["red"], engines)


def test_a_column_and_a_setting(shop: Path) -> None:
    """Columns of the queries are values, too; a setting of the same name would hide one and is refused."""
    queries = {"query_id": ["a"], "query": ["red"], "title": [2]}
    found = ir.replay(queries, "sqlite:d.csv?template=bm25.sql")
    assert found.systems == ("bm25",)
    assert found.account["results"] == [2]
    with pytest.raises(ir.UsageError, match="title is a column of the queries and a setting"):
        ir.replay(queries, "sqlite:d.csv?template=bm25.sql", settings={"title": [1]})


def test_two_of_one_name(shop: Path) -> None:
    """Two systems of one name are refused; a name before the address mends it."""
    with pytest.raises(ir.UsageError, match=r"Two systems are called 'd'\. Name them"):
        ir.replay(["red"], ["sqlite:d.csv", "sqlite:d.csv"])
    assert ir.replay(["red"], ["a=sqlite:d.csv", "b=sqlite:d.csv"]).systems == ("a", "b")


def test_two_of_one_file(shop: Path) -> None:
    """Two systems whose names differ only in what no file is called are refused before anything is asked."""
    with pytest.raises(ir.UsageError, match=r"'bm25 title=1/2' and 'bm25 title=1_2' would be one file"):
        ir.replay(["red"], "sqlite:d.csv?template=bm25.sql", settings={"title": ["1/2", "1_2"]}, output="out")


def test_percent(shop: Path) -> None:
    """A setting such as 50% is in the name of the system, and still is when its file is read."""
    (shop / "p.sql").write_text(SQL.replace("{{title}}", "length({{mm}})"))
    ir.replay({"a": "red"}, "sqlite:d.csv?template=p.sql", settings={"mm": ["50%"]}, output="out")
    assert ir.evaluate({"a": {"d1": 1}}, "out/p mm=50%.csv", ["RR"]).systems == ("p mm=50%",)


def test_functions(shop: Path) -> None:
    """A function is given k and the settings it names; a coroutine function is asked several queries at a time."""
    given: list[dict[str, Any]] = []

    def search(text: str, boost: int, k: int = 1) -> list[str]:
        given.append({"text": text, "boost": boost, "k": k})
        return ["d1"]

    found = ir.replay(["x"], search, k=7, settings={"boost": [1, 2]})
    assert found.systems == ("search boost=1", "search boost=2")
    assert given == [{"text": "x", "boost": 1, "k": 7}, {"text": "x", "boost": 2, "k": 7}]
    under_way = most = 0

    async def waiting(text: str) -> list[str]:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        return [text]

    assert ir.replay(list("abcdefgh"), waiting, concurrency=3).account["state"] == ["answered"] * 8
    assert most == 3
    assert ir.replay(list("abcdefgh"), waiting, limits=ir.Limits(concurrency=5)).account["state"] == ["answered"] * 8
    assert most == 5
    with pytest.raises(ir.UsageError, match=r"concurrency=…, batch=… beside limits=Limits"):
        ir.replay(["a"], waiting, limits=ir.Limits(), concurrency=1, batch=2)


def test_functions_by_name(shop: Path) -> None:
    """python:module:function is imported from the working directory; what is not there is said."""
    (shop / "my_engine.py").write_text("def find(text):\n    return [{'id': 'd1', 'score': 2, 'title': 'Red'}]\n")
    found = ir.replay(["red"], "python:my_engine:find", fields=["title"])
    assert (found.systems, found.documents) == (("find",), {"d1": {"title": "Red"}})
    for wrong in ("python:my_engine", "python:my_engine:seek", "python:nowhere_at_all:find"):
        with pytest.raises(ir.UsageError, match="Write python:module:function"):
            ir.replay(["red"], wrong)


def test_within_a_running_loop(shop: Path) -> None:
    """A replay works where an event loop runs already, as in a notebook."""

    async def find(text: str) -> list[str]:
        return [text]

    async def notebook() -> list[str]:
        return list(ir.replay(["a", "b"], find).account["state"])

    assert asyncio.run(notebook()) == ["answered"] * 2


def test_what_changed_is_not_gone_on_with(shop: Path) -> None:
    """A run goes on only with the same columns, documents and concurrency: answers of two worlds are not mixed."""
    fails = [True]

    def find(text: str, segment: str = "none") -> list[str]:
        if text == "b" and fails[0]:
            raise RuntimeError
        return [segment]

    def table(segment: str) -> dict[str, list[str]]:
        return {"query_id": ["1", "2"], "query": ["a", "b"], "segment": [segment] * 2}

    ir.replay(table("old"), find, output="out")
    with pytest.raises(ir.UsageError, match=r"what differs: queries\."):
        ir.replay(table("new"), find, output="out")
    with pytest.raises(ir.UsageError, match=r"what differs: concurrency \(4 then, 2 now\)"):
        ir.replay(table("old"), find, output="out", concurrency=2)
    fails[0] = False
    assert ir.replay(table("old"), find, output="out").account["results"] == [1, 1]


def test_calls_that_failed_once(shop: Path) -> None:
    """Of several calls for a query, one that failed is named, asked again, and takes no part in its median."""
    import json

    answers = iter([["d1"], None, ["d1"]])

    def find(text: str) -> list[str]:
        found = next(answers, ["d1"])
        if found is None:
            raise RuntimeError
        return found

    ir.replay(["x"], find, repeat=3, output="out")
    record = json.loads(Path("out/replay/find.json").read_text())
    assert (record["answered"], record["failed"], record["lost"]) == (1, 0, ["x"])
    assert Path("out/replay/find.journal.jsonl").exists()
    lists = iter([["d1", "d2", "d3"], ["d1", "d2", "d4"]])
    ir.replay(["x"], lambda text: next(lists), k=2, repeat=2, output="two")
    assert json.loads(Path("two/replay/replay.json").read_text())["changed"] == []


def test_functions_that_are_waited_for(shop: Path) -> None:
    """An object whose call is a coroutine function is one; a function that only returns one is told how to say so."""

    class Search:
        async def __call__(self, text: str) -> list[str]:
            await asyncio.sleep(0)
            return [text]

    assert ir.replay(["a"], Search()).account["state"] == ["answered"]
    search = Search()
    with pytest.raises(ir.DataError, match="Define it with async def"):
        ir.replay(["a"], lambda text: search(text))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"raw": True}, "Say where: output=FOLDER"),
        ({"fields": "title"}, r"fields=\['title'\]"),
        ({"settings": {"b": "12"}}, "give the values of b in a list"),
        ({"timeout": 0}, "timeout=0: not a number of seconds"),
    ],
)
def test_arguments_that_are_no_such_thing(options: dict[str, Any], said: str) -> None:
    """Arguments that would be taken for something else are refused."""
    with pytest.raises(ir.UsageError, match=said):
        ir.replay(["a"], lambda text: [], **options)


def test_the_hash_of_the_queries(shop: Path) -> None:
    """The record has the hash of the file of queries, as other programs compute it."""
    import hashlib
    import json

    (shop / "q.csv").write_text("query_id,query\n1,red\n")
    ir.replay("q.csv", "sqlite:d.csv", output="out")
    record = json.loads(Path("out/replay/d.json").read_text())
    assert (record["repeat"], record["changed"], record["lost"]) == (1, [], [])
    assert record["queries"]["sha256"] == hashlib.sha256((shop / "q.csv").read_bytes()).hexdigest()


def test_asked_again() -> None:
    """Each query is asked so many times; those whose lists differ between identical calls are named in the record."""
    answers = iter([["d1"], ["d2"], ["d1"], ["d3"], ["d1"], ["d2"]])
    found = ir.replay(["same", "other"], lambda text: next(answers), repeat=3)
    assert found.account["results"] == [1, 1]
    assert next(answers, None) is None


def test_files(shop: Path) -> None:
    """A folder gets a table per system, a record each, documents and raw answers; the tables are read as they are."""
    calls = iter([["d1"], [], ["d1"], ["d2"]])
    ir.replay({"a": "x", "b": "y"}, lambda text: next(calls), name="a/b", output="out", repeat=2)
    assert sorted(str(path) for path in Path("out").rglob("*.*")) == ["out/a_b.csv", "out/replay/a_b.json"]
    record = json.loads(Path("out/replay/a_b.json").read_text())
    assert (record["answered"], record["empty"], record["changed"]) == (1, 1, ["b"])
    scores = ir.evaluate({"a": {"d1": 1}, "b": {"d1": 1}}, "out/a_b.csv", ["RR"])
    assert scores["RR"] == 0.5
    assert scores.ledger.systems[0].judged_nothing_returned == ("b",)


def test_a_name_too_long_for_a_file_is_cut(shop: Path) -> None:
    """Names of systems that differ in their end alone have two files, which any file system takes."""
    for end in "ab":
        ir.replay({"q": "x"}, lambda _: ["d1"], name="é" * 300 + end, output="out")
    tables = sorted(Path("out").glob("*.csv"))
    assert [len(table.name.encode()) for table in tables] == [180 + len("-01234567.csv")] * 2
    records = [json.loads(file.read_text("utf-8")) for file in Path("out/replay").glob("*.json")]
    assert sorted(record["system"][-1] for record in records) == ["a", "b"]


def test_texts_alone(shop: Path) -> None:
    """A text file has a query on each line; queries without a text are counted, and not asked."""
    (shop / "q.txt").write_text("red shoes\n\nhat\nhat\n")
    assert ir.replay("q.txt", "sqlite:d.csv").account["query"] == ["red shoes", "hat"]
    (shop / "q.csv").write_text("query_id,query\n1,red\n2,\n3,  \n")
    assert ir.replay("q.csv", "sqlite:d.csv", output="out").account["query"] == ["1"]
    assert '"without_text": [\n      "2",\n      "3"\n    ]' in Path("out/replay/d.json").read_text()
