"""Nothing that was confirmed is lost, whenever the studio is killed."""

from __future__ import annotations

import http.client
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from idealrank.studio.store import Store
from tests.studio.client import Client

KILLS = 80

SERVES = """
import os, socket, sys, uvicorn
from idealrank.studio.app import studio_app
from tests.studio.worlds import shop_project, StudioProject, Store
import idealrank.labels.label_next, idealrank.labels.agreement
where = sys.argv[1]
shop_project(where).close()
for line in sys.stdin:  # imports once, and serves in a child that the test kills
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        port = listener.getsockname()[1]
        child = os.fork()
        if child == 0:
            app = studio_app(StudioProject(Store(where)), [f"127.0.0.1:{port}"])
            uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
            os._exit(0)
    print(child, port, flush=True)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the test forks")
def test_killed_at_any_moment_nothing_confirmed_is_lost(tmp_path: Path) -> None:
    """The studio dies in the middle of grades, again and again, and starts again: what it answered is there, once."""
    where = str(tmp_path / "killed.db")
    confirmed: list[tuple[str, float]] = []
    chance = random.Random(34)
    command = [sys.executable, "-c", SERVES, where]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        for kill in range(KILLS):
            print("serve", file=parent.stdin, flush=True)
            child, port = map(int, parent.stdout.readline().split())
            timer = threading.Timer(chance.random() * 0.3, os.kill, (child, signal.SIGKILL))
            if kill % 8 == 0:  # perhaps before it can answer at all
                timer.start()
            confirmed += _grade_until_killed(f"http://127.0.0.1:{port}", kill, timer)
            timer.join()
    assert parent.returncode == 0
    store = Store(where)
    kept = [(one.doc, one.grade) for one in store.ratings()]
    assert len(kept) == len(set(kept))
    assert set(confirmed) <= set(kept)
    assert len(kept) <= len(confirmed) + KILLS  # one that was saved, and not answered any more
    assert len(confirmed) > KILLS // 2
    store.close()


def _grade_until_killed(address: str, kill: int, timer: threading.Timer) -> list[tuple[str, float]]:
    """Grade until the studio dies; unless it runs already, the time it has left begins with its first answer."""
    said: list[tuple[str, float]] = []
    client = Client(address, "ana")
    for number in range(10_000):
        doc, grade = f"d{kill}-{number}", float(number % 4)
        form: dict[str, Any] = {"q": "q01", "doc": doc, "grade": f"{grade:g}", "token": doc, "back": "/"}
        try:
            answer = client.post("/rate", form, part="json")
        except (OSError, http.client.HTTPException):
            return said
        assert answer.status == 200
        said.append((answer.json["saved"]["doc"], answer.json["saved"]["grade"]))
        if not timer.ident:
            timer.start()
    raise AssertionError("the studio was not killed")
