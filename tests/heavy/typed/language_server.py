"""Pyright's language server, asked as an editor asks it."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_START = "import sys; sys.argv[1:] = ['--stdio']; from basedpyright.langserver import main; sys.exit(main())"


class LanguageServer:
    """A running server with one file open: messages are JSON below a header with their length."""

    def __init__(self, process: subprocess.Popen[bytes], file: Path) -> None:
        self._process, self._file, self._ids = process, file, itertools.count(1)
        folder = file.parent.as_uri()
        workspace = {"workspaceFolders": [{"uri": folder, "name": "scripts"}], "rootUri": folder, "processId": None}
        self._ask("initialize", {**workspace, "capabilities": {"workspace": {"configuration": True}}})
        self._send({"method": "initialized", "params": {}})
        text = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": file.read_text("utf-8")}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": text}})

    def completions(self, line: int) -> set[str]:
        """Return the names offered at the end of a line, without those that begin with an underscore."""
        place = {"line": line, "character": len(self._file.read_text("utf-8").splitlines()[line])}
        found = self._ask("textDocument/completion", {"textDocument": {"uri": self._file.as_uri()}, "position": place})
        items = found["items"] if isinstance(found, dict) else found
        return {item["label"] for item in items if not item["label"].startswith("_")}

    def _ask(self, method: str, params: Any) -> Any:
        wanted = next(self._ids)
        self._send({"id": wanted, "method": method, "params": params})
        while (message := self._receive()).get("id") != wanted or "method" in message:
            if "id" in message:  # it asks for the editor's settings
                asked = message["params"]["items"] if message["method"] == "workspace/configuration" else []
                settings = [{"pythonPath": sys.executable} for _ in asked]
                self._send({"id": message["id"], "result": settings or None})
        return message["result"]

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _receive(self) -> Any:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self._process.stdout.read(length))


@contextmanager
def language_server(file: Path) -> Iterator[LanguageServer]:
    """Start a server for a file, and end it."""
    process = subprocess.Popen([sys.executable, "-c", _START], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield LanguageServer(process, file)
    finally:
        process.terminate()
        process.communicate()
