"""A browser without script: it keeps a rater's name, and sends forms."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit


class Answer(NamedTuple):
    """What the studio answered."""

    status: int
    text: str
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """The same as JSON."""
        return json.loads(self.text)

    @property
    def fields(self) -> dict[str, str]:
        """The hidden fields of the form that grades."""
        form = re.search(r'<form id="(?:rate|resolve)".*?</form>', self.text, re.DOTALL)
        found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0] if form else "")
        return {name: unescape(value) for name, value in found}


class Client:
    """Somebody with a name who asks a studio.

    Parameters
    ----------
    rater
        The name in the cookie; "" for none.
    """

    def __init__(self, address: str, rater: str = "") -> None:
        self.host, self.rater = urlsplit(address).netloc, rater

    def get(self, path: str) -> Answer:
        """Ask for a page."""
        return self._ask("GET", path, None, {})

    def post(self, path: str, form: dict[str, Any], *, part: str = "", origin: str | None = None) -> Answer:
        """Send a form."""
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"http://{self.host}" if origin is None else origin,
            **({"X-Part": part} if part else {}),
        }
        return self._ask("POST", path, urlencode(form), headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        cookie = {"Cookie": f"rater={quote(self.rater, safe='')}"} if self.rater else {}
        with contextlib.closing(http.client.HTTPConnection(self.host, timeout=60)) as connection:
            connection.request(method, path, body, {**headers, **cookie})
            answer = connection.getresponse()
            content = answer.read()
        text = content.decode("utf-8", "replace")
        return Answer(answer.status, text, {key.lower(): value for key, value in answer.getheaders()}, content)

    def grade(self, grade: str, **more: str) -> Answer:
        """Grade what is asked next, as the script does."""
        return self.post("/rate", {**self.get("/grade").fields, "grade": grade, **more}, part="json")
