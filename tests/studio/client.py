"""A studio that answers in this process, and a browser without script: it keeps a rater's name, and sends forms."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlencode, urlsplit

from starlette.applications import Starlette
from starlette.types import Message

from idealrank.studio.app import studio_app
from idealrank.studio.project import StudioProject

STUDIOS: dict[str, Starlette] = {}
"""Those that answer here, by the host and port by which they are asked."""
PORTS = itertools.count(50_001)


@contextlib.contextmanager
def serving(project: StudioProject, token: str = "") -> Iterator[str]:
    """Let a studio answer at an address of this process; no port is opened."""
    host = f"127.0.0.1:{next(PORTS)}"
    STUDIOS[host] = studio_app(project, () if token else (host,), token)
    yield f"http://{host}"
    del STUDIOS[host]


class Answer(NamedTuple):
    """What the studio answered."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def text(self) -> str:
        """What was answered, as text."""
        return self.content.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        """The same as JSON."""
        return json.loads(self.content)

    @property
    def fields(self) -> dict[str, str]:
        """The hidden fields of the form that grades."""
        form = re.search(r'<form id="(?:rate|resolve)".*?</form>', self.text, re.DOTALL)
        found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0] if form else "")
        return {name: unescape(value) for name, value in found}


def ask(address: str, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Answer:
    """Ask a studio: one of this process, or one that serves at a port."""
    host = urlsplit(address).netloc
    given = {"Host": host, "Content-Length": str(len(body)), **(headers or {})}
    if host in STUDIOS:
        return asyncio.run(_inside(STUDIOS[host], method, path, given, body))
    with contextlib.closing(http.client.HTTPConnection(host, timeout=60)) as connection:
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        return Answer(answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read())


async def _inside(app: Starlette, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
    path, _, query = target.partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": method,
        "scheme": "http", "path": unquote(path), "raw_path": path.encode(), "query_string": query.encode(),
        "root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 1),
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
    }  # fmt: skip
    coming: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    told: list[Message] = []

    async def receive() -> Message:
        if not coming:
            await asyncio.Event().wait()  # whoever asked stays until all is said
        return coming.pop()

    async def send(message: Message) -> None:
        told.append(message)

    await app(scope, receive, send)
    content = b"".join(message.get("body", b"") for message in told[1:])
    return Answer(told[0]["status"], {name.decode(): value.decode() for name, value in told[0]["headers"]}, content)


class Client:
    """Somebody with a name who asks a studio.

    Parameters
    ----------
    rater
        The name in the cookie; "" for none.
    """

    def __init__(self, address: str, rater: str = "") -> None:
        self.address, self.rater = address, rater

    def get(self, path: str) -> Answer:
        """Ask for a page."""
        return self._ask("GET", path, b"", {})

    def post(self, path: str, form: dict[str, Any], *, part: str = "") -> Answer:
        """Send a form."""
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": self.address,
            **({"X-Part": part} if part else {}),
        }
        return self._ask("POST", path, urlencode(form).encode(), headers)

    def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        cookie = {"Cookie": f"rater={quote(self.rater, safe='')}"} if self.rater else {}
        return ask(self.address, method, path, {**headers, **cookie}, body)

    def grade(self, grade: str, **more: str) -> Answer:
        """Grade what is asked next, as the script does."""
        return self.post("/rate", {**self.get("/grade").fields, "grade": grade, **more}, part="json")
