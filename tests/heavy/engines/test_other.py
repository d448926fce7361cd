"""Services that nobody here knows: where hits, ids and scores lie is part of the address. And Vespa, as recorded."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import idealrank as ir

GZIP = {"Content-Encoding": "gzip"}
"""A header that says an answer is compressed."""

Asked = list[tuple[str, dict[str, list[str]], str]]


@contextlib.contextmanager
def answering(document: Any, headers: Mapping[str, str] | None = None) -> Iterator[tuple[str, Asked]]:
    """Run a server that always gives the same answer; give its address and what it was asked."""
    asked: Asked = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            parts = urlsplit(self.path)
            asked.append((f"{self.command} {parts.path}", parse_qs(parts.query), body))
            answer = json.dumps(document).encode()
            self.send_response(200)
            for name, value in {"Content-Length": str(len(answer)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


ITEMS = [{"sku": "A1", "rank": {"score": 2.5}, "name": "Red shoe"}, {"sku": "B2", "rank": {"score": 1}, "name": "Hat"}]


def test_where_things_lie() -> None:
    """Paths of names lead to the list, the ids, the scores and the time; the rest of the address is the service's."""
    with answering({"data": {"results": ITEMS}, "ms": 7}) as (address, asked):
        engine = f"http+{address}/find?q={{{{query}}}}&n={{{{k}}}}&hits=data.results&id=sku&score=rank.score&took=ms"
        found = ir.replay({"a": "red & blue"}, engine, k=5, fields=["name"])
    assert asked == [("GET /find", {"q": ["red & blue"], "n": ["5"]}, "")]
    assert (found.account["results"], found.account["took"]) == ([2], [0.007])
    assert found.documents == {"A1": {"name": "Red shoe"}, "B2": {"name": "Hat"}}
    assert ir.evaluate({"a": {"B2": 1}}, found, ["RR"])["RR"] == 0.5


@pytest.mark.parametrize(
    ("document", "options", "results"),
    [
        (["d1", "d2"], "", 2),
        ([{"id": 5}, {"id": "d2", "score": 3}], "", 2),
        ({"hits": None}, "&hits=hits", 0),
        ({"a": [{"hits": ["d1"]}]}, "&hits=a.0.hits", 1),
    ],
)
def test_plain_answers(document: Any, options: str, results: int) -> None:
    """An answer may be the list itself, of ids or of objects with an id; nothing found may be null."""
    with answering(document) as (address, _):
        assert ir.replay(["x"], f"http+{address}/?q={{{{query}}}}{options}").account["results"] == [results]


@pytest.mark.parametrize(
    ("document", "options", "said"),
    [
        ({"data": {"results": ITEMS}}, "", r"no list at hits=\(the answer itself\).*hits=data.results"),
        ({"data": {"results": ITEMS}}, "&hits=results", "no list at hits=results.*hits=data.results"),
        ({"results": ITEMS}, "&hits=results", "a hit without an id: it has 'sku'.*&id=NAME"),
    ],
)
def test_nothing_where_it_should_be(document: Any, options: str, said: str) -> None:
    """A path that leads nowhere stops the run at once, and names the lists there are."""
    with answering(document) as (address, asked), pytest.raises(ir.DataError, match=said):
        ir.replay(["x", "y"], f"http+{address}/?q={{{{query}}}}{options}", concurrency=1)
    assert len(asked) == 1


@pytest.mark.parametrize("item", [{"id": "d", "score": 1e999}, {"id": ["d"]}, {"id": True}, {"id": ""}, {"id": 1.5}])
def test_odd_hits(item: dict[str, Any]) -> None:
    """A hit without a plain id or a finite score makes its query a failed one, as it would from a function."""
    with answering([{"id": "d1"}, item]) as (address, _):
        found = ir.replay(["x"], f"http+{address}/?q={{{{query}}}}")
    assert found.account["state"] == ["failed"]


def test_an_answer_that_is_not_compressed() -> None:
    """An answer that is not what its header says of it is not called cut off."""
    with answering(["d1"], GZIP) as (address, _):
        found = ir.replay(["x"], f"http+{address}/?q={{{{query}}}}", retries=0)
    assert found.account["error"] == ["the answer is not compressed as its header says"]


def test_a_body(tmp_path: Path) -> None:
    """A template is the body of a POST: JSON, or a form."""
    (tmp_path / "b.json").write_text('{"text": "{{query}}", "vector": {{vector}}}')
    (tmp_path / "b.params").write_text("text={{query}}\n")
    queries = {"query_id": ["a"], "query": ['"x"'], "vector": [0.5]}
    with answering([]) as (address, asked):
        for name in ("json", "params"):
            ir.replay(queries, f"http+{address}/find?template={tmp_path}/b.{name}")
    assert json.loads(asked[0][2]) == {"text": '"x"', "vector": 0.5}
    assert asked[1] == ("POST /find", {}, "text=%22x%22")


def test_no_place_for_the_query() -> None:
    """An address that says nothing of the query is refused."""
    with pytest.raises(ir.UsageError, match=r"where does the query go\? Write \{\{query\}\}"):
        ir.replay(["x"], "http+http://127.0.0.1:1/find?hits=hits")


VESPA = {
    "timing": {"querytime": 0.002, "summaryfetchtime": 0.001, "searchtime": 0.004},
    "root": {
        "id": "toplevel",
        "relevance": 1.0,
        "fields": {"totalCount": 2},
        "coverage": {"coverage": 100, "documents": 10, "full": True, "nodes": 1, "results": 1, "resultsFull": 1},
        "children": [
            {"id": "id:shop:product::P1", "relevance": 0.5, "source": "s", "fields": {"title": "Red shoe"}},
            {"id": "index:s/0/abc", "relevance": 0.25, "source": "s", "fields": {"documentid": "id:shop:product::P2"}},
        ],
    },
}
"""An answer as Vespa's documentation of its result format gives it."""


def test_vespa(tmp_path: Path) -> None:
    """Vespa's answers are read: the last part of an id, relevance, its own time, fields; a template gets its timing."""
    (tmp_path / "v.json").write_text('{"yql": "select * from s where userInput(@query)", "query": "{{query}}"}')
    with answering(VESPA) as (address, asked):
        found = ir.replay({"a": 'the "shoe"'}, f"vespa+{address}?template={tmp_path}/v.json", fields=["title"])
    path, _, body = next(each for each in asked if each[2])
    assert path == "POST /search/"
    assert json.loads(body)["query"] == 'the "shoe"'
    assert json.loads(body)["presentation.timing"] is True
    assert found.documents == {"P1": {"title": "Red shoe"}, "P2": {}}
    assert found.account["took"] == [0.004]


@pytest.mark.parametrize(
    ("root", "said"),
    [
        ({"fields": {"totalCount": 0}, "errors": [{"code": 12, "message": "Timed out"}]}, "Timed out"),
        ({"fields": {"totalCount": 5}, "coverage": {"degraded": {"timeout": True, "match-phase": False}}}, "timeout"),
    ],
)
def test_a_part_of_vespas_answer(root: dict[str, Any], said: str) -> None:
    """An answer with errors, or of a part of the documents, has failed."""
    with answering({"root": {"id": "toplevel", **root}}) as (address, _):
        found = ir.replay(["a"], f"vespa+{address}")
    assert found.account["state"] == ["failed"]
    assert said in found.account["error"][0]


def test_nothing_pasted_into_yql(tmp_path: Path) -> None:
    """A value within yql would be a part of the query's language: it is refused, with the way."""
    (tmp_path / "v.json").write_text('{"yql": "select * from s where title contains \\"{{query}}\\""}')
    with pytest.raises(ir.UsageError, match=r"column \d+: a value is in the text of yql.*userInput\(@query\)"):
        ir.replay(["a"], f"vespa+http://127.0.0.1:1?template={tmp_path}/v.json")


def test_as_many_as_asked_for(tmp_path: Path) -> None:
    """Templates that do not say how many results come back are made to: Vespa's hits, Solr's limit."""
    (tmp_path / "v.json").write_text('{"yql": "select * from s where userInput(@q)", "q": "{{query}}"}')
    (tmp_path / "s.json").write_text('{"query": "{{query}}"}')
    with answering(VESPA) as (address, asked):
        ir.replay(["a"], f"vespa+{address}?template={tmp_path}/v.json", k=37)
    assert json.loads(next(body for *_, body in asked if body))["hits"] == 37
    with answering({"response": {"docs": []}}) as (address, asked):
        ir.replay(["a"], f"solr+{address}/solr/p?template={tmp_path}/s.json", k=37)
    assert json.loads(next(body for *_, body in asked if body)) == {"limit": 37, "query": "a"}
