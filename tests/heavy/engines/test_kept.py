"""What is kept beside results: documents of every replay into a folder, explanations, modes, and no secrets."""

from __future__ import annotations

import contextlib
import html
import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.heavy.engines.test_odd_answers import elastic, serving


def test_documents_are_fetched_a_hundred_at_a_time() -> None:
    """An engine over HTTP is asked for a hundred documents in one request, after the searches, by their ids alone."""
    asked: list[Any] = []

    def answer(path: str, body: Any) -> Any:
        if "_search" not in path:
            return None
        asked.append((path, body))
        ids = body["query"].get("ids", {}).get("values", [])
        found = elastic(ids)
        for hit in found["hits"]["hits"]:
            hit["_source"] = {"title": hit["_id"].upper()}
        return found

    judged = {"q1": {f"d{i}": 1 for i in range(250)}}
    with serving(answer) as address:
        engine = f"opensearch+{address}/p?routing=eu&search_pipeline=x"
        found = ir.replay({"q1": "x"}, engine, fields=["title"], judgments=judged)
    assert [len(body["query"]["ids"]["values"]) for _, body in asked[1:]] == [100, 100, 50]
    assert {path for path, _ in asked[1:]} == {"/p/_search?routing=eu"}
    assert found.documents["d249"] == {"title": "D249"}
    assert found.notes == ("250 judged documents came back for no query: fetched by their ids.",)


def test_why_a_score(tmp_path: Path) -> None:
    """With explain, OpenSearch is asked for its explanations, and each result has a line of them."""
    why = {"value": 1.0, "description": "weight(title:red)", "details": []}
    asked: list[Any] = []

    def answer(path: str, body: Any) -> Any:
        if "_search" not in path:
            return None
        asked.append(body)
        found = elastic(["d1", "d2"])
        found["hits"]["hits"][0]["_explanation"] = why
        return found

    with serving(answer) as address:
        ir.replay({"q1": "red"}, f"s=opensearch+{address}/p", explain=True, output=tmp_path)
    assert asked[0]["explain"] is True
    lines = [json.loads(line) for line in (tmp_path / "replay" / "s.explain.jsonl").read_text().splitlines()]
    assert lines == [{"query_id": "q1", "doc_id": "d1", "rank": 1, "score": 1.0, "explanation": why}]
    with pytest.raises(ir.UsageError, match="explain=True: python does not say how a score came about"):
        ir.replay(["x"], lambda text: ["d1"], explain=True, output=tmp_path / "b")


SECRET = "p/a+s=Wörd 7&"


@pytest.mark.parametrize(
    "spelling",
    [
        SECRET,
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1].replace("/", "\\/"),
        "p\\/a\\u002bs\\u003dW\\u00f6rd 7\\u0026",
        "p\\/a\\u002Bs\\u003DW\\u00F6rd 7\\u0026",
        html.escape(SECRET),
        "p&#47;a&#43;s&#61;W&#246;rd&#32;7&#38;",
        "p&sol;a&plus;s&equals;W&ouml;rd 7&amp;",
        "p%2fa%2bs%3dW%c3%b6rd+7%26",
        "p%2Fa%2Bs%3DW%C3%B6rd%207%26",
        SECRET.encode().decode("latin-1"),
        SECRET.encode().decode("cp1252"),
        SECRET.encode("latin-1").decode("utf-8", "replace"),
        json.dumps(SECRET.encode().decode("latin-1"))[1:-1],
        "".join(f"&#x{ord(sign):x};" for sign in SECRET),
        "".join(f"%{byte:02x}" for byte in SECRET.encode()),
    ],
)
def test_a_secret_in_any_spelling(spelling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret that an engine repeats, in whatever spelling, is in no raw answer, no document and no error."""
    monkeypatch.setenv("SHOP", SECRET)

    def answer(path: str, body: Any) -> Any:
        if "_search" not in path:
            return None
        if "b" in json.dumps(body):
            return {"error": {"reason": f"not for <{spelling}>"}, "status": 400}
        found = elastic(["d1"])
        found["hits"]["hits"][0]["_source"] = {"title": f"<{spelling}>", "more": {"deep": [f"<{spelling}>"]}}
        return found

    options: dict[str, Any] = {"headers": {"X-Token": "${SHOP}"}, "raw": True, "fields": ["title", "more"]}
    with serving(answer) as address:
        ir.replay(["a", "b"], f"s=opensearch+{address}/p", output=tmp_path, **options)
    files = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    written = (spelling, json.dumps(spelling)[1:-1], json.dumps(spelling, ensure_ascii=False)[1:-1])
    assert not any(each in files for each in written)
    assert "<***>" in files


def test_a_connection_that_was_closed_without_a_word() -> None:
    """A kept connection that the server had closed is no failure: the request is sent again at once, once."""
    accepted: list[int] = []
    body = json.dumps(elastic(["d1"])).encode()
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)

    def serve(listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            accepted.append(1)
            with contextlib.suppress(OSError), connection:  # the other side may reset it at any time
                for turn in range(2):  # the second request on a connection is read, and not answered
                    data = b""
                    while b"\r\n\r\n" not in data or len(data.partition(b"\r\n\r\n")[2]) < _length(data):
                        if not (part := connection.recv(65536)):
                            break
                        data += part
                    if data and not turn:
                        connection.sendall(whole)

    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=serve, args=[listening], daemon=True)
    thread.start()
    try:
        engine = f"opensearch+http://127.0.0.1:{listening.getsockname()[1]}/p"
        found = ir.replay(list("abcdef"), engine, concurrency=1, retries=0)
    finally:
        listening.close()
    assert found.account["state"] == ["answered"] * 6
    assert len(accepted) > 5


def _length(data: bytes) -> int:
    head = data.partition(b"\r\n\r\n")[0].lower()
    return int(head.partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)


def test_tls_where_there_is_none() -> None:
    """https:// to a server that waits for plain HTTP, and http:// to one that only hangs up, are told of TLS."""
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts, and says nothing
        engine = f"opensearch+https://127.0.0.1:{silent.getsockname()[1]}/p"
        with pytest.raises(ir.DataError, match=r"no connection within 0.3 s. If there is no TLS: write \+http://"):
            ir.replay(["x"], engine, timeout=0.3, retries=0)
    with socket.create_server(("127.0.0.1", 0)) as rude:

        def hang_up() -> None:
            with contextlib.suppress(OSError):  # the socket is closed when the test ends
                while True:
                    connection, _ = rude.accept()
                    with contextlib.suppress(OSError), connection:
                        connection.recv(65536)

        thread = threading.Thread(target=hang_up, daemon=True)
        thread.start()
        with pytest.raises(ir.DataError, match=r"If there is TLS: write \+https:// for \+http://"):
            ir.replay(["x"], f"opensearch+http://127.0.0.1:{rude.getsockname()[1]}/p", timeout=2, retries=0)
