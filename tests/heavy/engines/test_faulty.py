"""The faulty server answers as OpenSearch does, and fails as it is asked to."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit

import pytest

from tests.heavy.engines.faulty import Faulty, events
from tests.heavy.engines.shop import asked

ROOT = Path(__file__).parents[3]


def search(faulty: Faulty, text: str, index: str = "products", **rest: Any) -> Any:
    """Search for a text."""
    body = {"query": {"multi_match": {"query": text, "fields": ["title"]}}, **rest}
    return asked(f"{faulty.address}/{index}/_search", body)


def ids(answer: Any) -> list[str]:
    """Return the ids of an answer's results."""
    return [hit["_id"] for hit in answer["hits"]["hits"]]


class Failed(NamedTuple):
    """An answer with the status of a failure."""

    status: int
    headers: Message
    body: bytes

    @property
    def reason(self) -> str:
        """What the answer says is wrong."""
        return str(json.loads(self.body)["error"]["reason"])


def failed(address: str, body: Any = None, **headers: str) -> Failed:
    """Send a request, and return the failure that is answered."""
    data = None if body is None else json.dumps(body).encode()
    with pytest.raises(HTTPError) as raised:
        urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=20)
    with raised.value as error:
        return Failed(error.code, error.headers, error.read())


def address_of(faulty: Faulty, text: str) -> str:
    """Return the address of the results for a text."""
    return f"{faulty.address}/products/_search?q={quote(text)}"


def answered(faulty: Faulty, many: int) -> list[dict[str, Any]]:
    """Wait for answers to be noted: a client may have one before the server goes on."""
    end = time.monotonic() + 20
    while len(found := faulty.events("answered")) < many and time.monotonic() < end:
        time.sleep(0.01)
    return found


@contextmanager
def raw(faulty: Faulty, text: str) -> Iterator[socket.socket]:
    """Search for a text over a bare connection."""
    where = urlsplit(faulty.address)
    with socket.create_connection((where.hostname, where.port or 0), timeout=20) as connection:
        connection.sendall(f"GET /products/_search?q={quote(text)} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
        yield connection


def test_results_are_those_of_the_query(faulty: Faulty) -> None:
    """Every query has results of its own, as many as it asks for, and their scores go down."""
    hits = search(faulty, "kånken", size=3)["hits"]["hits"]
    assert [(hit["_id"], hit["_score"]) for hit in hits] == [("kånken 1", 999), ("kånken 2", 998), ("kånken 3", 997)]
    assert ids(asked(f"{faulty.address}/products/_search?q=running+shoes&size=1")) == ["running shoes 1"]
    assert len(ids(search(faulty, 'a "quoted" one'))) == 10


def test_the_other_addresses(faulty: Faulty) -> None:
    """It says what it is, counts documents, and answers several searches at once; nothing else is there."""
    assert asked(faulty.address)["version"]["distribution"] == "opensearch"
    assert asked(f"{faulty.address}/products/_count") == {"count": 1000}
    searches = [
        {},
        {"query": {"match": {"title": "a"}}, "size": 1},
        {},
        {"query": {"match": {"title": "b"}}, "size": 2},
    ]
    body = "".join(f"{json.dumps(line)}\n" for line in searches).encode()
    responses = asked(f"{faulty.address}/_msearch", body)["responses"]
    assert [(item["status"], ids(item)) for item in responses] == [(200, ["a 1"]), (200, ["b 1", "b 2"])]
    assert failed(f"{faulty.address}/products/_nothing").status == 404


def test_one_of_many_searches_fails(faulty: Faulty) -> None:
    """A status in one search among many is that of its part alone, as often as it says."""
    body = b'{}\n{"query": "a !429:1"}\n{}\n{"query": "b"}\n'
    answers = [asked(f"{faulty.address}/_msearch", body)["responses"] for _ in range(2)]
    assert [[item["status"] for item in answer] for answer in answers] == [[429, 200], [200, 200]]


def test_the_fault_is_in_the_address_or_the_body(faulty: Faulty) -> None:
    """A fault is read from the folder, the index, the parameters and the text of a query."""
    for address, body in {
        "!500/products/_search": None,
        "products!500/_search": None,
        "products/_search?q=shoes+%21500": None,
        "products/_search": {"query": {"match": {"title": "shoes !500"}}},
    }.items():
        assert failed(f"{faulty.address}/{address}", body).status == 500


@pytest.mark.parametrize(("part", "bodies"), [("headers", 0), ("body", 1)])
def test_an_answer_without_an_end(part: str, bodies: int, faulty: Faulty) -> None:
    """The headers or the body go on, a byte at a time; nothing was answered."""
    with raw(faulty, f"!dribble:{part}") as connection:
        received = b""
        while not received.endswith(b" " * 3):  # however many of them a busy machine hands over at once
            more = connection.recv(4096)
            assert more, "the answer ended"
            received += more
    assert received.count(b"\r\n\r\n") == bodies
    assert faulty.events("answered") == []


@pytest.mark.parametrize(("fault", "host"), [("!redirect", "127.0.0.1"), ("!redirect:localhost", "localhost")])
def test_a_redirect(fault: str, host: str, faulty: Faulty) -> None:
    """A redirect leads to the same address on the same host, or by another name; the log has who was asked, and how."""
    request = urllib.request.Request(f"{faulty.address}/{fault}/products/_search?q=a", headers={"Authorization": "x"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert urlsplit(answer.url).hostname == host
        assert ids(json.load(answer))[0] == "a 1"
    first, second = faulty.events("asked")
    assert (first["host"].split(":")[0], second["host"].split(":")[0]) == ("127.0.0.1", host)
    assert (first["authorization"], first["texts"], second["texts"]) == ("x", ["a"], ["a"])


def test_a_fault_that_there_is_not(faulty: Faulty) -> None:
    """A fault that is misspelt is refused by name."""
    error = failed(address_of(faulty, "!slwo:1"))
    assert (error.status, error.reason) == (404, "nothing here is called 'slwo'")


def test_what_was_asked_and_answered(faulty: Faulty) -> None:
    """The log has every request with its texts, and every answer sent whole with its status."""
    search(faulty, "a")
    failed(address_of(faulty, "b !500"))
    with pytest.raises(http.client.IncompleteRead):
        search(faulty, "c !cut")
    lines = faulty.events("asked")
    assert [(line["number"], line["method"], line["texts"]) for line in lines] == [
        (1, "POST", ["a"]),
        (2, "GET", ["b !500"]),
        (3, "POST", ["c !cut"]),
    ]
    assert [(line["number"], line["status"]) for line in answered(faulty, 2)] == [(1, 200), (2, 500)]


def test_a_process_of_its_own(tmp_path: Path) -> None:
    """It runs as a process, and its log can be read while it runs."""
    log = tmp_path / "log"
    command = [sys.executable, "-m", "tests.heavy.engines.faulty", "0", str(log)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().removeprefix("READY ").strip()
        assert ids(asked(f"{address}/products/_search?q=a"))[0] == "a 1"
        assert [line["texts"] for line in events(log, "asked")] == [["a"]]
        process.kill()
