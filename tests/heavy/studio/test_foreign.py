"""What a project of a stranger sends when one of its systems is asked again."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from idealrank.studio.project import StudioProject
from idealrank.studio.replays import Replays
from tests.studio.test_foreign import keep_record, record_of

SECRET = "s3cr3t-of-mine"


class Listener(BaseHTTPRequestHandler):
    """Answers as an engine, and keeps all that it was sent; /away redirects to another port of this machine."""

    heard: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Answer a search."""
        size = int(self.headers.get("Content-Length") or 0)
        self.heard.append(f"{self.requestline}\n{self.headers}\n{self.rfile.read(size).decode()}")
        if self.path.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:1/latest/meta-data/")
            self.end_headers()
            return
        body = json.dumps([{"id": "P1007", "score": 1.0}]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the name that http.server calls

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def engine() -> Iterator[str]:
    """Where an engine listens."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Listener.heard.clear()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Secrets of the owner: a variable, a netrc whose entry is for any host, keys of AWS, a proxy, and a file."""
    netrc = tmp_path / "netrc"
    netrc.write_text(f"default login me password {SECRET}\n")
    netrc.chmod(0o600)
    for name, value in {
        "NETRC": str(netrc), "MY_SECRET": SECRET, "AWS_ACCESS_KEY_ID": SECRET, "AWS_SECRET_ACCESS_KEY": SECRET,
        "HTTP_PROXY": "http://proxy.test:1", "http_proxy": "http://proxy.test:1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    file = tmp_path / "key"
    file.write_text(f'{{"q": "{{{{query}}}}", "x": "{SECRET}"}}')
    return file


def asked(project: StudioProject, *, secrets_to: tuple[str, ...] = ()) -> str:
    """Ask bm25 again, and return why that failed; "" if it did not."""
    replays = Replays(project, secrets_to)
    replays.start("bm25", "new", "", {}, 5)
    while replays.state is not None and not replays.state.over:
        threading.Event().wait(0.01)
    assert replays.state is not None
    return replays.state.error


def encoded() -> tuple[str, ...]:
    """The secret as it may be sent."""
    import base64

    return SECRET, base64.b64encode(f"me:{SECRET}".encode()).decode(), "Authorization"


@pytest.mark.parametrize(
    "more",
    ["", "&template=KEY", "&%74emplate=KEY", "&template=&template=KEY", "&template=KEY#", "&id=${MY_SECRET}"],
)  # fmt: skip
def test_nothing_of_the_owner_goes_out(project: StudioProject, engine: str, secrets: Path, more: str) -> None:
    """Neither the netrc nor a variable nor a file reaches the host that a project names; the queries alone do."""
    keep_record(project, record_of(f"http+{engine}/?q={{{{query}}}}{more.replace('KEY', str(secrets))}"))
    asked(project)
    heard = "\n".join(Listener.heard)
    assert "running%20shoes" in heard
    assert not [text for text in encoded() if text in heard]


def test_queries_are_sent(project: StudioProject, engine: str) -> None:
    """An engine without secrets is asked, and its answers are a new system; nothing else is in its requests."""
    keep_record(project, record_of(f"http+{engine}/?q={{{{query}}}}"))
    assert not asked(project)
    assert "new" in project.systems
    assert any("running%20shoes" in request for request in Listener.heard)
    assert not [text for text in encoded() if text in "\n".join(Listener.heard)]


def test_what_the_owner_allowed_is_sent(project: StudioProject, engine: str) -> None:
    """To the engine that the owner named when the studio was started, a variable and the netrc go; to no other."""
    keep_record(project, record_of(f"http+{engine}/?q={{{{query}}}}&key=${{MY_SECRET}}"))
    with pytest.raises(ValueError, match="the variable MY_SECRET of yours"):
        asked(project, secrets_to=("http://other.test",))
    assert not Listener.heard
    assert not asked(project, secrets_to=(engine,))
    assert f"key={SECRET}" in Listener.heard[0]
    assert encoded()[1] in Listener.heard[0]


def test_a_redirect_elsewhere_is_not_followed(project: StudioProject, engine: str) -> None:
    """An engine that sends the studio on to another port or an inner address of this machine is refused."""
    keep_record(project, record_of(f"http+{engine}/away?q={{{{query}}}}"))
    assert "redirects to http://127.0.0.1:1, which is not followed" in asked(project)


@pytest.mark.parametrize("host", ["169.254.169.254", "2852039166", "0xa9fea9fe", "[::ffff:169.254.169.254]"])
def test_the_services_of_a_cloud_are_not_asked(project: StudioProject, host: str) -> None:
    """The address at which a cloud tells a machine its secrets is no engine's, however it is written."""
    keep_record(project, record_of(f"http+http://{host}/latest/?q={{{{query}}}}", timeout=1))
    assert "where no engine is" in asked(project)
