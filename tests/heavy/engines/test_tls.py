"""Certificates are checked unless that is refused in words."""

from __future__ import annotations

import contextlib
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import idealrank as ir

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")


class Handler(BaseHTTPRequestHandler):
    """Answers every request with one document."""

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'["d1"]')

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate for localhost that nobody signed but itself, with its key beside it."""
    file = tmp_path_factory.mktemp("tls") / "cert.pem"
    words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {file}.key -out {file}"
    subprocess.run(
        ["openssl", *words.split(), "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True
    )
    return file


@contextlib.contextmanager
def serving(certificate: Path) -> Iterator[str]:
    """Run a server with the certificate."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, f"{certificate}.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http+https://localhost:{server.server_port}/?q={{{{query}}}}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_certificates(certificate: Path) -> None:
    """An unknown certificate stops the run with the way out; named as trusted, or unchecked in words, it serves."""
    with serving(certificate) as engine:
        with pytest.raises(ir.DataError, match=r"certificate verify failed.*To trust it: tls=FILE, or tls=unverified"):
            ir.replay(["a"], engine)
        assert ir.replay(["a"], engine, tls=str(certificate)).account["state"] == ["answered"]
        assert ir.replay(["a"], engine, tls="unverified").account["state"] == ["answered"]
        with pytest.raises(ir.UsageError, match="tls=no: no certificates can be read from there"):
            ir.replay(["a"], engine, tls="no")
