"""The faults of the faulty server: each makes other bytes of a good answer, or none at all."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import unquote

from tests.heavy.engines.answers import Request, among_many, answer, together


@dataclass(frozen=True)
class Sent:
    """What is sent for a request.

    Attributes
    ----------
    status
        Of HTTP.
    body
        As bytes, or as what JSON is made of.
    headers
        Besides the type and the length of the body.
    wait
        Seconds before anything is sent.
    cut
        How many bytes of the body are sent before the connection is closed; None for all.
    dribbles
        Which part never ends: headers or body.
    """

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0
    cut: int | None = None
    dribbles: str = ""

    @property
    def whole(self) -> bytes:
        """The answer without its faults of time and length."""
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", "Content-Length": len(body), **self.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n{lines}\r\n".encode("latin-1") + body


class Fault(NamedTuple):
    """A fault as a request names it: ``!NAME`` or ``!NAME:ARGUMENT:…``."""

    name: str
    arguments: list[str]

    def argument(self, place: int, default: str) -> str:
        """Return an argument, or the default where the request gives none."""
        return self.arguments[place] if place < len(self.arguments) else default


def named(text: str) -> Fault | None:
    """Return the first fault that a text names."""
    found = re.search(r"!(\w+)((?::[\w.]+)*)", text)
    return Fault(found[1], found[2].split(":")[1:]) if found else None


def slow(fault: Fault, request: Request) -> Sent:
    """``!slow:N``: the answer, after N seconds."""
    return Sent(body=answer(request), wait=float(fault.argument(0, "1")))


def cut(fault: Fault, request: Request) -> Sent:
    """``!cut:N``: the first N bytes of the body (half of it), of which the headers promise more."""
    body = answer(request)
    return Sent(body=body, cut=int(fault.argument(0, str(len(body) // 2))))


def wrong(fault: Fault, request: Request) -> Sent:
    """``!json``: a whole answer that is not JSON."""
    return Sent(body=b'{"took": 1, "hits": {"hits": [')


def latin(fault: Fault, request: Request) -> Sent:
    """``!latin1``: the answer in Latin-1, as its header says; ``!latin1:silent``: of which no header tells."""
    kind = "application/json" + ("" if fault.arguments else "; charset=ISO-8859-1")
    return Sent(body=answer(request).decode().encode("latin-1", "replace"), headers={"Content-Type": kind})


def large(fault: Fault, request: Request) -> Sent:
    """``!large:N``: the answer with N million bytes (10) of blanks before its end."""
    body = answer(request)
    return Sent(body=body[:-1] + b" " * int(1_000_000 * float(fault.argument(0, "10"))) + body[-1:])


def dribble(fault: Fault, request: Request) -> Sent:
    """``!dribble:body`` and ``!dribble:headers``: that part goes on for ever, a byte at a time."""
    return Sent(body=answer(request), dribbles=fault.argument(0, "body"))


def redirect(fault: Fault, request: Request) -> Sent:
    """``!redirect``: to the same address without the fault; ``!redirect:localhost`` names the host otherwise."""
    host = request.headers["host"]
    if fault.arguments:
        host = f"{fault.arguments[0]}:{host.rpartition(':')[2]}"
    target = re.sub(r"(!|%21)redirect[\w:.%]*", "", request.target)
    return Sent(307, headers={"Location": f"http://{host}{target}"})


def echo(fault: Fault, request: Request) -> Sent:
    """``!echo:N``: an answer with the status N (400) that repeats the header Authorization."""
    return _failed(int(fault.argument(0, "400")), f"Authorization: {request.headers.get('authorization')}")


FAULTS: dict[str, Callable[[Fault, Request], Sent]] = {
    "slow": slow,
    "cut": cut,
    "json": wrong,
    "latin1": latin,
    "large": large,
    "dribble": dribble,
    "redirect": redirect,
    "echo": echo,
}


def failure(fault: Fault, request: Request) -> Sent:
    """``!429``, ``!500:N:SECONDS``: a status, N times (always); Retry-After in seconds, or ``date``: in 2 seconds."""
    status, after = int(fault.name), fault.argument(1, "")
    if after == "date":
        after = email.utils.formatdate(time.time() + 2, usegmt=True)
    headers = {"Retry-After": after} if after else {}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Basic realm="faulty"'
    return _failed(status, HTTPStatus(status).phrase, headers)


def _failed(status: int, reason: str, headers: Mapping[str, str] | None = None) -> Sent:
    error = {"type": "faulty", "reason": reason}
    return Sent(status, {"error": {"root_cause": [error], **error}, "status": status}, headers or {})


class Script:
    """Says what is sent for each request, and counts the failures that end after some times."""

    def __init__(self) -> None:
        self._failures: Counter[str] = Counter()

    def __call__(self, request: Request) -> Sent:
        """Return what is sent: a fault named in the address goes before one named in the body."""
        try:
            fault = named(unquote(request.target)) or self._in_body(request)
            if fault is None or self._is_over(fault, f"{request.target} {request.body!r}"):
                return Sent(body=self._answer(request))
            return (failure if fault.name.isdigit() else FAULTS[fault.name])(fault, request)
        except ValueError as error:
            return _failed(400, str(error))
        except KeyError as error:
            return _failed(404, f"nothing here is called {error}")

    def _in_body(self, request: Request) -> Fault | None:
        """Return the fault of the whole answer; a status of one search among many is that of its part alone."""
        fault = named(request.body.decode())
        return None if fault and request.many and fault.name.isdigit() else fault

    def _is_over(self, fault: Fault, key: str) -> bool:
        """Whether a request has failed as often as it was to."""
        if not (fault.name.isdigit() and fault.arguments):
            return False
        self._failures[key] += 1
        return self._failures[key] > int(fault.arguments[0])

    def _answer(self, request: Request) -> bytes:
        return together(list(map(self._part, request.searches))) if request.many else answer(request)

    def _part(self, body: Mapping[str, Any]) -> str:
        """Return the answer of one search among many, or its failure."""
        text = json.dumps(body, ensure_ascii=False)
        fault = named(text)
        if fault is None or self._is_over(fault, text):
            return among_many(body)
        return json.dumps(_failed(int(fault.name), HTTPStatus(int(fault.name)).phrase).body)
