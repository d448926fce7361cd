"""Credentials: from the environment or a netrc, never written out, never seen."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

import idealrank as ir
from idealrank.engines.adapters import address_of
from idealrank.engines.credentials import credentials, expand_variables, hide


def basic(name: str, password: str) -> str:
    """Return the header of RFC 7617."""
    return f"Basic {base64.b64encode(f'{name}:{password}'.encode()).decode()}"


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "s3cret&")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    (tmp_path / "netrc").write_text("machine shop.test login ann password t0psecret\n")


def test_a_user_and_a_variable() -> None:
    """A name and a variable make the header of basic authentication; none of it, in any writing, is shown."""
    found = credentials({}, "admin:${SHOP_PASSWORD}", "elsewhere.test")
    assert found.headers["Authorization"] == basic("admin", "s3cret&")
    assert "s3cret" not in str(found.shown)
    assert hide('{"x": "s3cret&"}', found.secrets) == '{"x": "***"}'
    echoed = f"401: {found.headers['Authorization']}; admin s3cret& s3cret%26"
    assert hide(echoed, found.secrets) == "401: Basic ***; admin *** ***"


def test_the_netrc() -> None:
    """The netrc is asked for its host, and for no other; a header for authorization is asked before it."""
    assert credentials({}, "", "shop.test").headers["Authorization"] == basic("ann", "t0psecret")
    assert credentials({}, "", "other.test").headers == {}
    given = credentials({"authorization": "ApiKey ${SHOP_PASSWORD}"}, "", "shop.test")
    assert given.headers == {"authorization": "ApiKey s3cret&"}
    assert given.shown == {"authorization": "ApiKey ${SHOP_PASSWORD}"}


@pytest.mark.parametrize(
    ("headers", "user", "said"),
    [
        ({"Authorization": "Bearer abc"}, "", "The header Authorization is written out"),
        ({"X-Api-Key": "abc"}, "", "The header X-Api-Key is written out.*'X-Api-Key: .*single quotes"),
        ({}, "admin:admin", "The password is written out.*single quotes"),
        ({}, "admin", "The password is written out"),
        ({}, "admin:${NOWHERE}", "no variable NOWHERE"),
        ({"X-A": "b\nEvil: c"}, "", "The header X-A contains the end of a line"),
        ({"Authorization": "Bearer ${NOWHERE}"}, "", "no variable NOWHERE.*export NOWHERE"),
    ],
)
def test_secrets_are_not_written_out(headers: dict[str, str], user: str, said: str) -> None:
    """A secret in the command would stand in the shell's history: it is refused, with the way."""
    with pytest.raises(ir.UsageError, match=said):
        credentials(headers, user, "other.test")


def test_a_broken_netrc(tmp_path: Path) -> None:
    """A netrc that cannot be read is refused, since whoever has one means it to be used."""
    (tmp_path / "netrc").write_text("machine\n")
    with pytest.raises(ir.UsageError, match=r"netrc: cannot be read"):
        credentials({}, "", "shop.test")


def test_addresses() -> None:
    """Addresses are taken apart; a password in one is refused without being repeated; variables stand for secrets."""
    found = address_of("bm25=opensearch+https://h.test:9200/products?template=a/b.json&routing=x")
    assert (found.name, found.kind, found.url) == ("bm25", "opensearch", "https://h.test:9200/products?routing=x")
    assert (found.host, found.folder, found.options) == ("h.test", "products", {"template": "a/b.json"})
    assert address_of("opensearch+http://h/p?template=x/hybrid.v2.json").system == "hybrid.v2"
    assert address_of("sqlite:some docs.csv").system == "some docs"
    assert [address_of(f"vespa+http://h.test:8080{end}").system for end in ("", "/")] == ["vespa", "vespa"]
    assert [address_of(f"python:{name}").system for name in ("a:find", "my_pkg.mod:find")] == ["find", "find"]
    assert address_of("http+http://h/s?q={{query}}&key=${K}&hits=a.b").url == "http://h/s?q={{query}}&key=${K}"
    with pytest.raises(ir.UsageError, match="written out") as refused:
        address_of("opensearch+http://admin:hunter2@h.test/p")
    assert "hunter2" not in str(refused.value)
    with pytest.raises(ir.UsageError, match="PGPASSWORD") as refused:
        address_of("postgresql://admin:hunter2@h.test/shop")
    assert "hunter2" not in str(refused.value)
    with pytest.raises(ir.UsageError, match="The parameter api_key is written out"):
        address_of("http+http://h/s?q={{query}}&api_key=abc")
    assert expand_variables("a${SHOP_PASSWORD}b") == "as3cret&b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("http://localhost:9200/p", r"which engine is there\? Say it: opensearch\+http://localhost:9200/p"),
        ("lucene+http://localhost/p", "not the address of an engine"),
        ("queries.csv", "not the address of an engine"),
        ("opensearch+http://local[host:1/x", "not the address of an engine: Invalid IPv6 URL"),
        ("opensearch+http://localhost:99999/x", "not the address of an engine: Port out of range"),
    ],
)
def test_what_is_no_address(text: str, said: str) -> None:
    """What is no address is told what one looks like."""
    with pytest.raises(ir.UsageError, match=said):
        address_of(text)
