"""What is kept beside results: documents of every replay into a folder, explanations, modes, and no secrets."""

from __future__ import annotations

import contextlib
import csv
import html
import json
import os
import socket
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.cli.terminal import run
from tests.heavy.engines.test_odd_answers import elastic, serving


def rows(path: Path) -> dict[str, dict[str, str]]:
    """Return the documents of a file by id."""
    with path.open(newline="") as file:
        return {row["doc_id"]: row for row in csv.DictReader(file)}


DOCS = "id,title,brand\nd1,red shoes,a\nd2,blue hat,b\nd3,red hat,c\nd4,green coat,d\n"


def test_documents_of_every_replay(tmp_path: Path) -> None:
    """A second replay into a folder adds its documents and its fields to those of the first, by id."""
    (tmp_path / "docs.csv").write_text(DOCS)
    for query, name, fields in (("shoes", "a", ["title"]), ("coat hat", "b", ["title", "brand"])):
        ir.replay([query], f"{name}=sqlite:{tmp_path}/docs.csv", fields=fields, output=tmp_path / "out")
    found = rows(tmp_path / "out" / "replay" / "documents.csv")
    assert {key: row["title"] for key, row in found.items()} == {
        "d1": "red shoes", "d2": "blue hat", "d3": "red hat", "d4": "green coat",
    }  # fmt: skip
    assert (found["d1"]["brand"], found["d4"]["brand"]) == ("", "d")
    ir.replay(["coat"], f"c=sqlite:{tmp_path}/docs.csv", fields=["title"], output=tmp_path / "out", anew=True)
    assert set(rows(tmp_path / "out" / "replay" / "documents.csv")) == {"d4"}


def test_somebody_elses_documents(tmp_path: Path) -> None:
    """A file of documents that no replay wrote is refused before anything is asked."""
    (tmp_path / "docs.csv").write_text(DOCS)
    (tmp_path / "out" / "replay").mkdir(parents=True)
    (tmp_path / "out" / "replay" / "documents.csv").write_text("sku;name\n")
    with pytest.raises(ir.UsageError, match=r"documents\.csv: not the documents of a replay"):
        ir.replay(["hat"], f"sqlite:{tmp_path}/docs.csv", fields=["title"], output=tmp_path / "out")


def test_titles_of_judged_documents(tmp_path: Path) -> None:
    """Judged documents that no query returned are fetched by their ids; how many, and which are not there, is said."""
    (tmp_path / "docs.csv").write_text(DOCS)
    (tmp_path / "q.csv").write_text("query_id,query\nq1,shoes\n")
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\nq1,d1,1\nq1,d4,2\nq1,gone,1\nother,d2,1\n")
    said = run("replay", "q.csv", "sqlite:docs.csv", "--fields", "title", "-j", "j.csv", "-o", "out", cwd=tmp_path)
    assert said.code == 0
    words = " ".join(said.out.split())
    assert "2 judged documents came back for no query: 1 fetched by id, 1 not (not there): 'gone'." in words
    assert {key: row["title"] for key, row in rows(tmp_path / "out" / "replay" / "documents.csv").items()} == {
        "d1": "red shoes", "d4": "green coat",
    }  # fmt: skip
    plain = ir.replay(
        {"q1": "x"}, lambda text: [{"id": "d1", "title": "t"}], fields=["title"], judgments={"q1": {"d9": 1}}
    )
    assert plain.notes == (
        "1 judged document came back for no query: 0 fetched by id, 1 not (no engine here returns them by id): 'd9'.",
    )


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


def test_who_may_read_stays(tmp_path: Path) -> None:
    """Files that only their owner may read are still that after another replay; a link is refused, its target kept."""
    ir.replay({"a": "x"}, lambda text: ["d1"], name="s", output=tmp_path / "out")
    files = [tmp_path / "out" / "s.csv", tmp_path / "out" / "replay" / "s.json"]
    for file in files:
        file.chmod(0o600)
    ir.replay({"a": "x"}, lambda text: ["d3"], name="s", output=tmp_path / "out")
    assert [stat.S_IMODE(os.stat(file).st_mode) for file in files] == [0o600, 0o600]
    assert "d3" in files[0].read_text()
    there = tmp_path / "elsewhere.csv"
    files[0].rename(there)
    files[0].symlink_to(there)
    with pytest.raises(ir.UsageError, match=r"s\.csv: cannot be written: it is a symbolic link to .*elsewhere\.csv"):
        ir.replay({"a": "x"}, lambda text: ["d2"], name="s", output=tmp_path / "out")
    assert "d2" not in there.read_text()


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


def test_times_of_systems_asked_one_after_the_other(tmp_path: Path) -> None:
    """The verdict on systems of two replays says that their times are not comparable, instead of a gain of latency."""
    queries = {f"q{i:02}": f"text {i}" for i in range(45)}
    judged = {key: {"d1": 1.0} for key in queries}

    def old(text: str) -> list[str]:
        return ["d2", "d1"]

    def new(text: str) -> list[str]:
        return ["d1", "d2"]

    for search in (old, new):
        ir.replay(queries, search, output=tmp_path / "apart")
    ir.replay(queries, [old, new], output=tmp_path / "together")
    said = {}
    for folder in ("apart", "together"):
        files = [str(tmp_path / folder / f"{name}.csv") for name in ("old", "new")]
        said[folder] = ir.compare(judged, files, ["RR"], baseline="old")
    apart, together = said["apart"].verdict, said["together"].verdict
    assert apart.latency.startswith("asked at different times (old 20")
    assert apart.latency.endswith("their times are not comparable")
    assert "p95 latency" not in f"{apart.sentence} {' '.join(apart.summary)}"
    assert "p95 latency" in together.latency
    assert "different times" not in str(together)
    facts = [fact.text for fact in said["apart"].scores.ledger.facts if fact.warns]
    assert any(text.startswith("the systems were asked at different times") for text in facts)
