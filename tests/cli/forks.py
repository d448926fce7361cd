"""Run the command in a copy of a process that has imported everything: a start of Python and NumPy is paid once.

A copy is a process of its own, with pipes or a terminal, arguments, environment and folder of its own, and runs what
the command runs. What starting itself is to do, or not to import, is tested by real starts: `test_start.py`,
`test_files.py`, and a command on a terminal in `test_forks.py`.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

LENGTH = struct.Struct("!I")
PATIENCE = 120
"""Seconds after which a command counts as one that hangs, and its test ends."""

POSSIBLE = sys.platform == "linux"
"""Elsewhere a copy of a process that has imported NumPy may not be sound, or there is none."""


class Template:
    """The process that is copied, for as long as the tests run."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            words = [sys.executable, __file__, str(theirs.fileno())]
            pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
            self._process = subprocess.Popen(words, env={**env}, pass_fds=[theirs.fileno()], **pipes)
        self._ours.settimeout(PATIENCE)
        atexit.register(self.close)

    def run(self, words: Sequence[str], folder: str, env: Mapping[str, str], stdin: bytes) -> tuple[int, bytes, bytes]:
        """Run a command in a copy; return its exit code, standard output and standard error."""
        (read, ours), *outputs = (os.pipe() for _ in range(3))
        self.start(words, folder, env, [read, *(end for _, end in outputs)])
        for end in (read, *(end for _, end in outputs)):
            os.close(end)
        streams = [Drained(begin) for begin, _ in outputs]
        with os.fdopen(ours, "wb", buffering=0) as pipe:
            _write(pipe.fileno(), stdin)
        out, err = (stream.content() for stream in streams)
        return self.code(), out, err

    def start(self, words: Sequence[str], folder: str, env: Mapping[str, str], streams: Sequence[int]) -> None:
        """Begin a command in a copy; its standard input, output and error are these descriptors."""
        request = json.dumps([list(words), folder, dict(env)]).encode()
        socket.send_fds(self._ours, [LENGTH.pack(len(request))], streams)
        self._ours.sendall(request)

    def code(self) -> int:
        """Wait for the command that was started, and return its exit code."""
        return int(LENGTH.unpack(self._ours.recv(LENGTH.size, socket.MSG_WAITALL))[0]) - 256

    def close(self) -> None:
        """End it."""
        self._ours.close()
        self._process.communicate(timeout=PATIENCE)


class Drained(threading.Thread):
    """Reads a pipe or a terminal to its end."""

    def __init__(self, pipe: int) -> None:
        super().__init__(daemon=True)
        self._pipe = pipe
        self._read = b""
        self.start()

    def run(self) -> None:
        """Read until the last process that could write has closed it; Linux reports that of a terminal as an error."""
        with contextlib.suppress(OSError):
            while chunk := os.read(self._pipe, 1 << 16):
                self._read += chunk
        os.close(self._pipe)

    def content(self) -> bytes:
        """Return what was read, when all is."""
        self.join(PATIENCE)
        return self._read


def _write(pipe: int, content: bytes) -> None:
    """Write all, unless nobody reads on."""
    try:
        while content:
            content = content[os.write(pipe, content) :]
    except BrokenPipeError:
        pass


@functools.cache
def template(env: tuple[tuple[str, str], ...]) -> Template:
    """Return the process that is copied, started when it is first asked for."""
    return Template(dict(env))


def _serve(requests: socket.socket) -> None:
    """Copy this process for every request, and answer with the exit code of the copy."""
    while True:
        head, pipes, *_ = socket.recv_fds(requests, LENGTH.size, 3)
        if not head:
            return
        words, folder, env = json.loads(requests.recv(LENGTH.unpack(head)[0], socket.MSG_WAITALL))
        copy = os.fork()
        if copy == 0:
            requests.close()
            _become(words, folder, env, pipes)
        for pipe in pipes:
            os.close(pipe)
        code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
        requests.sendall(LENGTH.pack(code + 256))


def _become(words: list[str], folder: str, env: dict[str, str], pipes: list[int]) -> None:
    """Take pipes, folder, environment and arguments of a command, and run it."""
    from idealrank.__main__ import program

    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = words
    program()


def _import_all() -> None:
    """Import what commands import; the threads of NumPy would not be copied."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    import gc
    import importlib
    import pkgutil

    import rich.progress  # noqa: F401
    import scipy.stats  # noqa: F401

    import idealrank
    from idealrank.errors import UsageError

    with contextlib.suppress(ImportError):
        import matplotlib.backends.backend_svg
        import matplotlib.figure  # noqa: F401
    for module in pkgutil.walk_packages(idealrank.__path__, "idealrank."):
        if not module.name.startswith(("idealrank.integrations.", "idealrank.__main__")):
            with contextlib.suppress(ImportError, UsageError):  # what needs a library that is not installed
                importlib.import_module(module.name)
    gc.freeze()  # what is not looked at is not copied either


if __name__ == "__main__":
    sys.path[0] = str(Path(sys.executable).parent)
    _import_all()
    with socket.socket(fileno=int(sys.argv[1])) as _requests:
        _serve(_requests)
