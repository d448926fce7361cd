"""Answers that are whole and in time, and yet no result, or not the result that was asked for."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.heavy.engines.test_other import answering


@contextlib.contextmanager
def serving(answer: Callable[[str, Any], Any]) -> Iterator[str]:
    """Run a server that answers with what a function makes of the path and the body, as JSON; 404 for None."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            found = answer(self.path, json.loads(body) if body[:1] == b"{" else body.decode())
            data = json.dumps(found).encode()
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def elastic(ids: list[str], **more: Any) -> dict[str, Any]:
    """Return an answer of OpenSearch with these documents."""
    hits = [{"_index": "i", "_id": key, "_score": 1.0} for key in ids]
    total = {"value": len(ids), "relation": "eq"}
    shards = {"total": 1, "successful": 1, "skipped": 0, "failed": 0}
    return {"took": 1, "timed_out": False, "_shards": shards, "hits": {"total": total, "hits": hits}, **more}


NOBODY = {"total": 0, "successful": 0, "skipped": 0, "failed": 0}
FAILURES = [{"shard": 0, "index": "big", "reason": {"type": "x", "reason": "No mapping found for [id] to sort on"}}]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (elastic([], _shards=NOBODY), "no index answers to p: it is not there, or closed"),
        (elastic([], errors=[{"message": "boom"}]), "no hits, but errors: boom"),
        (
            elastic([], hits={"total": {"value": 5}, "hits": []}),
            r"5 documents match, and contains none\. Look for a size of 0 in the template or the address\.( |$)",
        ),
        (elastic(["a"], _clusters={"total": 2, "successful": 1, "skipped": 1}), "1 of 2 clusters were skipped"),
        (
            elastic(["a"], _shards={"total": 3, "failed": 1, "failures": FAILURES}),
            r"1 of 3 shards failed: the answer is only a part: No mapping found for \[id\] to sort on \(index big\)",
        ),
    ],
    ids=["no index", "errors", "contradiction", "clusters", "shards"],
)
def test_no_result(answer: dict[str, Any], said: str) -> None:
    """An answer that contradicts itself, or is of no index, has failed with its reason, and is never empty."""
    with answering(answer) as (address, _):
        try:
            error = str(ir.replay(["x"], f"opensearch+{address}/p").failures["error"][0])
        except ir.DataError as stopped:
            error = str(stopped)
    assert re.search(said, error), error


def test_an_index_that_goes_away() -> None:
    """Where the index of a wildcard is closed in the middle, the queries after it have failed; none is empty."""
    seen: list[str] = []

    def answer(path: str, body: Any) -> Any:
        if "_search" not in path:
            return None
        seen.append(path)
        return elastic(["d1"]) if len(seen) <= 2 else elastic([], _shards=NOBODY)

    with serving(answer) as address:
        found = ir.replay(list("abcd"), f"opensearch+{address}/bi*", concurrency=1)
    assert found.account["state"] == ["answered", "answered", "failed", "failed"]


def test_a_further_page_may_be_empty(tmp_path: Path) -> None:
    """Beyond the last page nothing is returned although something matches: no contradiction."""
    (tmp_path / "t.json").write_text('{"query": {"match": {"t": "{{query}}"}}, "from": 50}')
    with answering(elastic([], hits={"total": {"value": 5}, "hits": []})) as (address, _):
        found = ir.replay(["x"], f"opensearch+{address}/p?template={tmp_path}/t.json")
    assert found.account["state"] == ["empty"]


@pytest.mark.parametrize(
    ("template", "limit"),
    [
        ('{"query": "{{query}}", "params": {"defType": "edismax"}}', {"limit": 50}),
        ('{"query": "{{query}}", "params": {"rows": 7}}', {}),
        ('{"query": "{{query}}", "limit": 7}', {"limit": 7}),
    ],
)
def test_solrs_limit_beside_params(template: str, limit: dict[str, int], tmp_path: Path) -> None:
    """A template for Solr's JSON API with params gets its limit, unless they say how many rows."""
    (tmp_path / "s.json").write_text(template)
    with answering({"response": {"docs": [], "numFound": 0}}) as (address, asked):
        ir.replay(["x"], f"solr+{address}/solr/p?template={tmp_path}/s.json")
    body = json.loads(next(body for *_, body in asked if body))
    assert {name: value for name, value in body.items() if name == "limit"} == limit


def test_one_id_twice(tmp_path: Path) -> None:
    """Two indices with the same _id: replay says it, and id=_index/_id tells the documents apart."""
    answer = elastic([])
    answer["hits"] = {"total": {"value": 2}, "hits": [{"_index": i, "_id": "P1", "_score": 1.0} for i in ("v1", "v2")]}
    with answering(answer) as (address, _):
        found = ir.replay(["x"], f"opensearch+{address}/shop-*")
        apart = ir.replay(["x"], f"opensearch+{address}/shop-*?id=_index/_id", output=tmp_path)
    assert "one id came back twice in a list for 1 query: 'x'" in found.notes[0]
    assert "id=_index/_id" in found.notes[0]
    assert apart.notes == ()
    assert "v1/P1,1" in (tmp_path / "shop-_.csv").read_text()


def test_ended_early() -> None:
    """A search that its template cut short (terminate_after) is answered, and that is said."""
    with answering(elastic(["d1"], terminated_early=True)) as (address, _):
        found = ir.replay(["x"], f"opensearch+{address}/p")
    assert found.account["state"] == ["answered"]
    assert "the engine stopped before it had seen all documents (terminated early) for 1 query" in found.notes[0]


def test_a_stored_template(tmp_path: Path) -> None:
    """An address that ends in _search/template calls a stored template, whose body is sent as it is."""
    (tmp_path / "call.json").write_text('{"id": "books", "params": {"q": "{{query}}", "size": {{k}}}}')
    with answering(elastic(["d1"])) as (address, asked):
        found = ir.replay(["red"], f"opensearch+{address}/p/_search/template?template={tmp_path}/call.json", k=5)
        ir.replay(["red"], f"opensearch+{address}/p/_search")
    assert found.systems == ("call",)
    first, second = ((path, json.loads(body)) for path, _, body in asked if body)
    assert first == ("POST /p/_search/template", {"id": "books", "params": {"q": "red", "size": 5}})
    assert second[0] == "POST /p/_search"


def changing(counts: list[int], uuids: list[str]) -> Callable[[str, Any], Any]:
    """Return an engine whose count of documents and whose uuid change with each time it is asked for them."""

    def answer(path: str, body: Any) -> Any:
        if path.endswith("/_count"):
            return {"count": counts.pop(0) if len(counts) > 1 else counts[0]}
        if path.endswith("/_settings"):
            return {"i": {"settings": {"index": {"uuid": uuids.pop(0) if len(uuids) > 1 else uuids[0]}}}}
        if "_search" not in path:
            return {"version": {"number": "3.8.0", "distribution": "opensearch"}}
        text = body["query"]["multi_match"]["query"]
        return None if text == "lost" and len(counts) > 1 else elastic(["d1"])

    return answer


def test_a_run_on_another_index_is_refused(tmp_path: Path) -> None:
    """What an interrupted run answered on one index is not mixed with answers of another, made anew under its name."""
    texts = ["a", "lost"]
    with serving(changing([20000, 20000, 100], ["u1", "u1", "u2"])) as address:
        engine = f"opensearch+{address}/p"
        first = ir.replay(texts, engine, output=tmp_path, concurrency=1)
        assert first.account["state"] == ["answered", "failed"]
        with pytest.raises(
            ir.UsageError, match=r"of another index or engine: uuid u1 then, u2 now; documents 20000.*anew"
        ):
            ir.replay(texts, engine, output=tmp_path, concurrency=1)
        assert ir.replay(texts, engine, output=tmp_path, anew=True).account["state"] == ["answered", "answered"]


def test_a_run_on_an_index_that_grew(tmp_path: Path) -> None:
    """The same index with other documents goes on, and that is said there and in the record."""
    with serving(changing([20000, 20000, 20500], ["u1"])) as address:
        for _ in range(2):
            found = ir.replay(["a", "lost"], f"opensearch+{address}/p", output=tmp_path, concurrency=1)
    assert found.notes[0].startswith("p: the index has changed since 1 answer of an earlier run: documents 20000 then")
    assert found.notes[0].endswith("20500 now. To ask everything of one state: --anew (in Python, anew=True)")
    record = json.loads((tmp_path / "replay" / "p.json").read_text())
    assert record["notes"][0].isprintable()
    assert "documents 20000 then, 20500 now" in record["notes"][0]
    assert record["uuid"] == "u1"


def test_an_index_that_changes_meanwhile() -> None:
    """The index is looked at again at the end: documents that came or went while it was asked are named."""
    with serving(changing([10, 7], ["u1"])) as address:
        found = ir.replay(["a"], f"opensearch+{address}/p")
    assert found.notes == ("p: the index changed while it was asked: documents 10 then, 7 now",)
