"""The faulty server answers as OpenSearch does, and fails as it is asked to."""

from __future__ import annotations

import http.client
import json
import time
import urllib.request
from email.message import Message
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote

import pytest

from tests.heavy.engines.faulty import Faulty
from tests.heavy.engines.shop import asked


def search(faulty: Faulty, text: str, index: str = "products", **rest: Any) -> Any:
    """Search for a text."""
    body = {"query": {"multi_match": {"query": text, "fields": ["title"]}}, **rest}
    return asked(f"{faulty.address}/{index}/_search", body)


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
