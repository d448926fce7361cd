"""A real HTTP server that speaks as an OpenAI-compatible one, and fails as the text of a query asks it to.

A query such as ``shoes !status:429:2`` fails twice with 429. Every request is counted, by the text of its query.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-a-secret-of-the-tests"


class ChatServer(ThreadingHTTPServer):
    """The server.

    Attributes
    ----------
    asked
        How often each query was asked.
    bodies
        What was sent, in order.
    headers
        The header Authorization of each request.
    times
        When each request came.
    schemas
        Whether it knows ``response_format``.
    wait
        Seconds before every answer.
    """

    daemon_threads = True
    # A request that nobody waits for any more is not an error of the tests.
    handle_error = lambda *_: None  # noqa: E731

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.authorizations: list[str | None] = []
        self.times: list[float] = []
        self.schemas, self.wait, self.lock = True, 0.0, threading.Lock()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def requests(self) -> int:
        """How many there were."""
        return sum(self.asked.values())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ChatServer

    def do_POST(self) -> None:
        """Answer, or fail as the query asks."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["messages"][-1]["content"]
        query = re.findall(r"^Query: (.*)$", prompt, re.MULTILINE)[-1]
        with self.server.lock:
            self.server.asked[query] += 1
            self.server.bodies.append(body)
            self.server.authorizations.append(self.headers.get("Authorization"))
            self.server.times.append(time.monotonic())
            number = self.server.asked[query]
        time.sleep(self.server.wait)
        found = re.search(r"!(\w+)((?::[^ :]+)*)", query)
        fault, arguments = (found[1], found[2].split(":")[1:]) if found else ("", [])
        if self.path != "/v1/chat/completions":
            self.send(404, {"error": {"message": f"no {self.path}"}})
        elif "response_format" in body and not self.server.schemas:
            self.send(400, {"error": {"message": "unknown parameter: response_format"}})
        elif fault == "status" and (len(arguments) < 2 or number <= int(arguments[1])):
            self.send(int(arguments[0]), {"error": {"message": "as asked", "code": "faulty"}}, arguments[2:])
        elif fault == "filter":
            self.send(400, {"error": {"message": "filtered", "code": "content_filter"}})
        elif fault == "echo":
            self.send(400, {"error": {"message": f"bad key: {self.headers.get('Authorization')}"}})
        elif fault == "slow":
            time.sleep(float(arguments[0]))
            self.say('{"grade": 1, "reason": "late"}')
        elif fault == "cut" and number <= int(arguments[0]):
            self.send(200, completion('{"grade": 1, "reason": "cut"}'), cut=True)
        elif fault == "broken":
            self.send(200, b'{"choices": [{"mess')
        elif fault == "form":
            self.send(200, {"object": "list", "data": []})
        elif fault in SAYS:
            self.send(200, SAYS[fault])
        elif fault == "flip":
            self.say(json.dumps({"grade": number % 2, "reason": "never the same"}))
        else:
            self.say(json.dumps({"grade": len(query) % 4, "reason": f"of {len(query)} letters"}))
        with self.server.lock:
            self.server.answered[query] += 1

    def say(self, text: str) -> None:
        """Answer with a text."""
        self.send(200, completion(text))

    def send(self, status: int, body: Any, after: Any = (), cut: bool = False) -> None:
        """Send an answer, or half of it."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for seconds in after:
            self.send_header("Retry-After", seconds)
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if cut else data)
        self.close_connection = cut

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def completion(text: str | None, **more: Any) -> dict[str, Any]:
    """Return what an OpenAI-compatible server answers."""
    message = {"role": "assistant", "content": text, **{n: v for n, v in more.items() if n == "refusal"}}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 64}}
    return {
        "object": "chat.completion",
        "model": "faulty",
        "choices": [{"index": 0, "message": message, "finish_reason": more.get("end", "stop")}],
        "usage": usage,
    }


SAYS = {
    "ten": completion("O: 10"),
    "refusal": completion(None, refusal="I cannot help with that."),
    "filtered": completion("", end="content_filter"),
    "ended": completion('{"grade": 2, "reas', end="length"),
}
"""Answers that come with the status 200."""


@contextlib.contextmanager
def chat_server() -> Iterator[ChatServer]:
    """Run a server in a thread."""
    with ChatServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
