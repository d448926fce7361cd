"""A real HTTP server that speaks as OpenSearch, and fails as a request asks it to: ``!NAME:ARGUMENT`` in its text.

The fault may be in the address, as in ``http://127.0.0.1:PORT/!slow:2/products/_search``, or anywhere in the
body, as in the text of a query: ``running shoes !429:2:1``. ``faults.py`` has them all. Every request received
and every answer sent whole is a line of the log. ``python -m tests.heavy.engines.faulty PORT LOG`` runs a server until
it is ended; port 0 is any free one.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

from tests.heavy.engines.answers import Request, search
from tests.heavy.engines.faults import Script, Sent

DRIBBLED = 0.1
"""Seconds between two bytes of an answer that never ends."""


class Log:
    """A file with one line per event, written at once.

    An event has its name, asked or answered, the number of the request and the time in seconds. What was asked
    has the method, the target, the host, the authorization and the texts of its searches; what was answered, the
    status.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("ab", buffering=0)
        self._numbers = itertools.count(1)

    def asked(self, request: Request) -> int:
        """Note a request, and return its number."""
        number = next(self._numbers)
        headers = {name: request.headers.get(name) for name in ("host", "authorization")}
        self._note("asked", number, method=request.method, target=request.target, **headers, texts=_texts(request))
        return number

    def answered(self, number: int, status: int) -> None:
        """Note that all of an answer was sent."""
        self._note("answered", number, status=status)

    def _note(self, event: str, number: int, **rest: Any) -> None:
        line = {"event": event, "number": number, "time": time.monotonic(), **rest}
        self._file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _texts(request: Request) -> list[str]:
    with contextlib.suppress(ValueError):
        return [search(body).text for body in request.searches]
    return []


def events(log: Path, event: str) -> list[dict[str, Any]]:
    """Return the events of a name, asked or answered, from a log."""
    whole = log.read_bytes().split(b"\n")[:-1]  # the last line may not be whole yet
    return [line for line in map(json.loads, whole) if line["event"] == event]


class Connection(asyncio.Protocol):
    """One connection: a request, its answer, and so on."""

    transport: asyncio.Transport

    def __init__(self, script: Script, log: Log, others: set[Connection]) -> None:
        self._script, self._log, self._others = script, log, others
        self._received = b""
        self._unsent: tuple[int, int] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask to be told when all of an answer was sent."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.set_write_buffer_limits(0)
        self._others.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._others.discard(self)

    def data_received(self, data: bytes) -> None:
        """Answer the request once it is there whole."""
        self._received += data
        head, end, rest = self._received.partition(b"\r\n\r\n")
        if not end:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if len(rest) < int(headers.get("content-length", 0)):
            return
        self._received = b""
        method, target, _ = first.split(" ")
        self._answer(Request(method, target, headers, rest))

    def _answer(self, request: Request) -> None:
        number = self._log.asked(request)
        sent = self._script(request)
        if sent.wait:
            asyncio.get_running_loop().call_later(sent.wait, self._send, sent, number, request)
        else:
            self._send(sent, number, request)

    def _send(self, sent: Sent, number: int, request: Request) -> None:
        """Send an answer, or what its fault leaves of it."""
        head, end, body = sent.whole.partition(b"\r\n\r\n")
        if sent.dribbles:
            self._dribble(head + (b"\r\nX-Endless: " if sent.dribbles == "headers" else end))
        elif sent.cut is not None:
            self.transport.write(head + end + body[: sent.cut])
            self.transport.close()
        elif not self.transport.is_closing():
            self._unsent = (number, sent.status)
            self.transport.write(head + end + body)
            if not self.transport.get_write_buffer_size() and not self.transport.is_closing():
                self.resume_writing()
            if request.headers.get("connection", "").lower() == "close":
                self.transport.close()

    def _dribble(self, data: bytes) -> None:
        """Send some bytes and then, as long as somebody listens, one after the other."""
        if not self.transport.is_closing():
            self.transport.write(data)
            asyncio.get_running_loop().call_later(DRIBBLED, self._dribble, b" ")

    def resume_writing(self) -> None:
        """Note that the answer was sent whole."""
        if self._unsent:
            self._log.answered(*self._unsent)
            self._unsent = None


class Faulty(NamedTuple):
    """A server that runs: its address, and its log."""

    address: str
    log: Path

    def events(self, event: str) -> list[dict[str, Any]]:
        """Return the events of a name: asked, or answered."""
        return events(self.log, event)


@contextlib.contextmanager
def faulty(log: Path, port: int = 0) -> Iterator[Faulty]:
    """Run a server in a thread, whose event loop disturbs no other."""
    ready: Future[tuple[str, Callable[[], object]]] = Future()
    thread = threading.Thread(target=asyncio.run, args=[_serve(log, port, ready)])
    thread.start()
    address, stop = ready.result()
    try:
        yield Faulty(address, log)
    finally:
        stop()
        thread.join()


async def _serve(path: Path, port: int, ready: Future[tuple[str, Callable[[], object]]]) -> None:
    """Serve until told to stop; say first where, and how to."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    script, log, connections = Script(), Log(path), set[Connection]()
    with contextlib.closing(log):
        try:
            server = await loop.create_server(lambda: Connection(script, log, connections), "127.0.0.1", port)
        except OSError as error:
            ready.set_exception(error)
            return
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set_result((address, lambda: loop.call_soon_threadsafe(stop.set)))
        await stop.wait()
        server.close()
        for connection in connections:
            connection.transport.abort()
        await asyncio.sleep(0)


def main(port: int, log: Path) -> None:
    """Run a server and print its address, until the process is ended."""
    with faulty(log, port) as server, contextlib.suppress(KeyboardInterrupt):
        print(f"READY {server.address}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
