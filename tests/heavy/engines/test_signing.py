"""Requests signed for AWS: a server checks each signature as AWS describes it, without the AWS library."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

import idealrank as ir
from idealrank.engines.http import Signer
from tests.heavy.engines.test_odd_answers import elastic

pytest.importorskip("botocore")

KEY, SECRET, TOKEN = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "session/token+with=signs"


def _mac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def faults(method: str, target: str, headers: Any, body: bytes) -> list[str]:
    """Return what is wrong with the signature of a request.

    Source: AWS Identity and Access Management user guide, "Create a signed AWS API request": the canonical request,
    the string to sign, the signing key; the path is encoded a second time for every service but S3.
    """
    kind, _, rest = headers["Authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    who, day, region, service, end = parts["Credential"].split("/")
    signed = parts["SignedHeaders"].split(";")
    url = urlsplit(target)
    pairs = sorted((quote(k, safe="-_.~"), quote(v, safe="-_.~")) for k, v in parse_qsl(url.query, True))
    canonical = "\n".join(
        [
            method,
            quote(url.path, safe="/-_.~"),
            "&".join(f"{k}={v}" for k, v in pairs),
            *(f"{name}:{' '.join(headers[name].split())}" for name in signed),
            "",
            ";".join(signed),
            hashlib.sha256(body).hexdigest(),
        ]
    )
    scope = f"{day}/{region}/{service}/aws4_request"
    text = "\n".join([kind, headers["X-Amz-Date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{SECRET}".encode()
    for part in (day, region, service, "aws4_request"):
        key = _mac(key, part)
    now = datetime.now(UTC)
    sent = datetime.strptime(headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    checks = {
        "algorithm": kind == "AWS4-HMAC-SHA256",
        "who": who == KEY,
        "scope": (region, service, end) == ("eu-west-1", "es", "aws4_request") and headers["X-Amz-Date"][:8] == day,
        "time": abs((now - sent).total_seconds()) < 300,
        "host": "host" in signed and "x-amz-date" in signed and "x-amz-security-token" in signed,
        "token": headers["X-Amz-Security-Token"] == TOKEN,
        "body": headers["X-Amz-Content-SHA256"] == hashlib.sha256(body).hexdigest(),
        "signature": hmac.compare_digest(_mac(key, text).hex(), parts["Signature"]),
    }
    return [name for name, holds in checks.items() if not holds]


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Credentials in the environment, and no others anywhere."""
    for name in ("AWS_PROFILE", "AWS_DEFAULT_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_SESSION_TOKEN", TOKEN)


@pytest.fixture
def service() -> Iterator[tuple[str, list[list[str]]]]:
    """A server that answers what is signed, refuses the rest with what AWS would echo, and notes the faults."""
    found: list[list[str]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            wrong = faults(self.command, self.path, self.headers, body) if "Authorization" in self.headers else ["none"]
            found.append(wrong)
            echo = f"{self.headers.get('Authorization')} {self.headers.get('X-Amz-Security-Token')}"
            refused = b"refuse" in body or wrong
            answer = {"message": f"signature does not match: {echo} {SECRET}"} if refused else elastic(["d1"])
            data = json.dumps(answer).encode()
            self.send_response(403 if refused else 200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.usefixtures("aws")
def test_every_request_is_signed(service: tuple[str, list[list[str]]], tmp_path: Path) -> None:
    """Searches, batches and what is asked about the index have a signature that holds, of any path, query and body."""
    address, found = service
    engine = f"opensearch+{address}/my-index,other%20one?sign=aws:eu-west-1:es&routing=a%20b%2Bc&preference=_local"
    texts = ["red shoes", "Ö & ü", '12" pipe']
    assert ir.replay(texts, engine).account["state"] == ["answered"] * 3
    assert ir.replay(texts, engine, batch=1, fields=["t"], judgments={"red shoes": {"d9": 1}}).systems
    assert len(found) > 10
    assert not any(found)


@pytest.mark.usefixtures("aws")
def test_nothing_secret_is_shown(service: tuple[str, list[list[str]]], tmp_path: Path) -> None:
    """The secret key and the session's token are in no file and no error, even where the service repeats them."""
    address, _ = service
    engine = f"s=opensearch+{address}/p?sign=aws:eu-west-1"
    found = ir.replay(["a", "refuse"], engine, output=tmp_path, raw=True, concurrency=1)
    assert found.account["state"] == ["answered", "failed"]
    everything = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file()) + str(found.failures)
    assert SECRET not in everything
    assert TOKEN not in everything
    assert "***" in everything
    from tests.cli.terminal import run

    (tmp_path / "q.txt").write_text("red\n")
    shown = run("replay", tmp_path / "q.txt", engine, "--show").out
    assert "Authorization: AWS4-HMAC-SHA256 (signed for es in eu-west-1)" in shown
    assert SECRET not in shown


def test_the_host_says_where() -> None:
    """The region and the service come from the host's name, or from the option, which goes before it."""
    signer = Signer("aws", "search-shop-abc.us-gov-west-1.es.amazonaws.com")
    assert (signer.region, signer.service) == ("us-gov-west-1", "es")
    signer = Signer("aws", "abc.eu-central-1.aoss.amazonaws.com")
    assert (signer.region, signer.service) == ("eu-central-1", "aoss")
    signer = Signer("aws:ap-south-1", "search.shop.test")
    assert (signer.region, signer.service) == ("ap-south-1", "es")
    for asked in ("aws", "aws:", "azure:eu-west-1", "aws:eu-west-1:es:x"):
        with pytest.raises(ir.UsageError, match="which region"):
            Signer(asked, "search.shop.test")


@pytest.mark.usefixtures("aws")
def test_two_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature beside a user is refused, and so is none where there are no credentials."""
    engine = "opensearch+http://127.0.0.1:1/p?sign=aws:eu-west-1"
    monkeypatch.setenv("P", "password")
    with pytest.raises(ir.UsageError, match="both say who asks"):
        ir.replay(["x"], engine, user="me:${P}")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(ir.UsageError, match="There are no credentials for AWS"):
        ir.replay(["x"], engine)
