"""A studio that really serves, for tests."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Sequence

import uvicorn
from starlette.routing import Route

from idealrank.studio.app import studio_app
from idealrank.studio.project import StudioProject


@contextlib.contextmanager
def serving(project: StudioProject, token: str = "", routes: Sequence[Route] = ()) -> Iterator[str]:
    """Serve a project on a free port of this machine, with more routes before its own, and yield its address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        port = listener.getsockname()[1]
        hosts = () if token else (f"127.0.0.1:{port}", f"localhost:{port}")
        app = studio_app(project, hosts, token)
        app.router.routes[:0] = routes
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join(10)
