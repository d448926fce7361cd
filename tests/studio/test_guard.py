"""Who may ask the studio, and what a page of it may do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from idealrank.errors import DataError
from idealrank.studio.guard import MOST_BYTES
from idealrank.studio.project import StudioProject
from idealrank.studio.running import RunningStudio
from idealrank.studio.store import Store
from tests.studio.client import ask, serving
from tests.studio.worlds import shop_project, tiny_project


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a studio that only this machine reaches."""
    project = shop_project(str(tmp_path_factory.mktemp("guard") / "shop.db"))
    with serving(project) as found:
        yield found
    project.close()


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:1", "localhost", "localhost.evil.example:80", ""])
def test_a_foreign_name_is_refused(address: str, host: str) -> None:
    """A page of another site that points its own name at this machine (DNS rebinding) reads nothing."""
    answer = ask(address, "GET", "/", {"Host": host})
    assert answer.status == 421
    assert "torquill" not in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1", None])
def test_a_form_of_another_page_is_refused(address: str, origin: str | None) -> None:
    """What changes something must come from the studio's own pages (CSRF), whose origin browsers name."""
    headers = {} if origin is None else {"Origin": origin}
    answer = ask(address, "POST", "/project/remove", headers, b"role=results&name=bm25")
    assert answer.status == 403
    assert "another page" in answer.text
    assert "bm25.csv" in ask(address, "GET", "/project").text


_PART = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
_FRAME = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
_PAGE = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
_FETCH = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
_AHEAD = {**_PAGE, "Sec-Purpose": "prefetch;prerender"}


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(
    ("asked", "expected"), [(_PART, 403), (_FRAME, 403), (_FETCH, 403), (_AHEAD, 403), ({}, 403), (_PAGE, 200)]
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_part_of_another_page_is_refused(
    address: str, site: str, asked: dict[str, str], expected: int, method: str
) -> None:
    """A picture, a frame or a script of another origin, also of another port, gets nothing; a link that is followed is.

    A browser says who asks; of a request that says nothing, as one of a terminal, the page is sent.
    """
    headers = {"Sec-Fetch-Site": site, **asked}
    assert ask(address, method, "/project", headers).status == expected
    assert ask(address, method, "/project").status == 200


def test_a_look_is_remembered_if_its_page_was_opened(tmp_path: Path) -> None:
    """By whoever sits there, or by the studio's script: no picture whose address is a comparison is in the history."""
    asked = [
        ({}, 1), ({"Sec-Fetch-Site": "none", **_PAGE}, 1), ({"Sec-Fetch-Site": "cross-site", **_PAGE}, 1),
        ({"Sec-Fetch-Site": "same-origin", **_FETCH}, 1), ({"Sec-Fetch-Site": "cross-site", **_PART}, 0),
        ({"Sec-Fetch-Site": "same-origin", **_PART}, 0), ({"Sec-Fetch-Site": "none", **_AHEAD}, 0),
    ]  # fmt: skip
    project = tiny_project(tmp_path)
    with serving(project) as address:
        for depth, (headers, looks) in enumerate(asked, 1):
            before = len(project.store.looks())
            for path in ("/", "/part/card", "/query/verdict"):
                ask(address, "GET", f"{path}?measure=P@{depth}", headers)
            assert len(project.store.looks()) - before == looks, headers
        ask(address, "HEAD", "/?measure=RR")
        assert len(project.store.looks()) == 4
    project.close()


def test_a_page_may_run_its_own_script_alone(address: str) -> None:
    """The policy allows no inline script or style and no other host; no page can be framed, none is kept."""
    for path in ("/", "/nowhere", "/assets/studio.js", "/project"):
        answer = ask(address, "GET", path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert not [
            attribute for attribute in (" style=", " onclick=", "<style", "javascript:") if attribute in answer.text
        ]


@pytest.mark.parametrize("path", ["/assets/../store.py", "/assets/%2e%2e%2fstore.py", "/assets/..%5cstore.py"])
def test_an_asset_is_no_path(address: str, path: str) -> None:
    """Only the studio's style and script are assets."""
    assert ask(address, "GET", path).status == 404


def test_what_is_too_large_is_refused_before_it_is_read(address: str) -> None:
    """A request that announces more than a page may send is answered at once."""
    headers = {"Origin": address, "Content-Length": str(MOST_BYTES + 1)}
    answer = ask(address, "POST", "/project/tables", headers)
    assert answer.status == 413
    assert "command line" in answer.text


@pytest.mark.parametrize(
    ("path", "form", "expected"),
    [
        ("/rate", "q=q01&doc=P1007&token=long&grade=1&seen=", 303),
        ("/resolve", "q=q01&doc=P1008&token=longer&grade=1&seen=", 303),
        ("/project/settings", "overlap=", 400),
        ("/replay", "k=", 400),
    ],
)
def test_a_number_of_thousands_of_digits_is_no_fault(address: str, path: str, form: str, expected: int) -> None:
    """Python refuses to read one: whoever sends it is told, or it counts for nothing."""
    headers = {"Origin": address, "Content-Type": "application/x-www-form-urlencoded", "Cookie": "rater=ann"}
    assert ask(address, "POST", path, headers, f"{form}{'9' * 5000}".encode()).status == expected


def test_a_file_that_cannot_be_read_is_named_as_it_was_sent(address: str) -> None:
    """Neither the folder it was put in meanwhile is told, nor is anything kept; an infinite grade is none."""
    for content, said in ((b"", "empty"), (b"query,doc,grade\nq01,P1007,inf\n", "infinite")):
        parts = (b'name="role"\r\n\r\njudgments', b'name="file"; filename="mine.csv"\r\n\r\n' + content)
        body = b"".join(b"--b\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts) + b"--b--\r\n"
        headers = {"Origin": address, "Content-Type": "multipart/form-data; boundary=b"}
        answer = ask(address, "POST", "/project/tables", headers, body)
        assert answer.status == 422
        assert ">mine.csv: " in answer.text
        assert said in answer.text
        assert "mine.csv" not in ask(address, "GET", "/project").text


def test_an_error_is_a_page_that_says_what_to_do(address: str) -> None:
    """An unknown system, measure or answer is a sentence, and no traceback; what was typed is text."""
    for query, said in (
        ("system=hybird", "Did you mean"),
        ("measure=nDGC@10", "Did you mean"),
        ("gain=exp3", "Allowed"),
        ("measure=%3Cscript%3Ealert(1)%3C/script%3E", "&lt;script&gt;"),
    ):
        answer = ask(address, "GET", f"/?{query}")
        assert answer.status == 400
        assert said in answer.text
        assert "Traceback" not in answer.text
        assert "<script>alert" not in answer.text


def test_a_database_that_fails_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page that says it is sent, by the policy of all pages, though the database is asked for that, too."""
    project = shop_project(str(tmp_path / "shop.db"))

    def fail(*_: object) -> None:
        raise DataError("shop.db: the file is damaged.")

    with serving(project) as address:
        monkeypatch.setattr(Store, "__getitem__", fail)
        answer = ask(address, "GET", "/")
        monkeypatch.undo()
    project.close()
    assert answer.status == 422
    assert "shop.db: the file is damaged." in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_studio_that_others_reach_asks_for_its_token(tmp_path: Path) -> None:
    """The token is asked of every page, given once, and then kept in a cookie no script reads."""
    project = shop_project(str(tmp_path / "shop.db"))
    with serving(project, token="t0ken") as address:
        assert ask(address, "GET", "/").status == 401
        assert ask(address, "GET", "/?token=wrong").status == 401
        assert ask(address, "GET", "/", {"Cookie": "token=t0ke"}).status == 401
        answer = ask(address, "GET", "/?token=t0ken&gain=exp2")
        assert (answer.status, answer.headers["location"]) == (303, "/?gain=exp2")
        assert "HttpOnly" in answer.headers["set-cookie"]
        assert "samesite=strict" in answer.headers["set-cookie"].lower()
        assert ask(address, "GET", "/", {"Cookie": answer.headers["set-cookie"].partition(";")[0]}).status == 200
        # A foreign page cannot post even with the cookie.
        assert ask(address, "POST", "/project/remove", {"Cookie": "token=t0ken", "Origin": "http://evil"}).status == 403
    project.close()


@pytest.mark.heavy
@pytest.mark.parametrize("token", ["a b&c=1#d", 'ü☃;"'])
def test_any_text_is_a_token(tmp_path: Path, token: str) -> None:
    """The address that is printed lets in, whatever the token is made of; and so does its cookie."""
    running = RunningStudio(shop_project(str(tmp_path / "shop.db")), token=token).start()
    try:
        place = urlsplit(running.address)
        answer = ask(running.address, "GET", f"{place.path}?{place.query}")
        assert (answer.status, answer.headers["location"]) == (303, "/")
        assert (
            ask(running.address, "GET", "/project", {"Cookie": answer.headers["set-cookie"].partition(";")[0]}).status
            == 200
        )
    finally:
        running.stop()


def test_the_door_of_the_token_tells_nothing_and_leads_nowhere_else(tmp_path: Path) -> None:
    """Whoever is not let in does not learn the name of the project; no address with the token leads to another host."""
    project = shop_project(str(tmp_path / "secret-plans.db"))
    with serving(project, token="t0ken") as address:
        assert "secret-plans" not in ask(address, "GET", "/").text
        assert "secret-plans" in ask(address, "GET", "/project", {"Cookie": "token=t0ken"}).text
        assert ask(address, "GET", "//evil.test/?token=t0ken").headers["location"] == "/evil.test/"
    project.close()


def test_a_cookie_of_another_program_locks_nobody_out(tmp_path: Path) -> None:
    """Browsers send the cookies of every program of a host, whatever its port, and not all are well written."""
    project = shop_project(str(tmp_path / "shop.db"))
    with serving(project, token="t0ken") as address:
        for other in ("x[]=1", 'a="', 'json={"a": 1}'):
            assert ask(address, "GET", "/project", {"Cookie": f"{other}; token=t0ken"}).status == 200
    project.close()


def test_a_table_is_read_by_the_columns_that_are_named(tmp_path: Path) -> None:
    """A file whose columns are not found is refused with what to do on the page; with their names it is added."""
    project = shop_project(str(tmp_path / "shop.db"))
    with serving(project) as address:
        for columns, expected, said in (
            ("", 422, "field for columns"), ("dok=Produkt", 400, "Did you mean"), ("doc=Produkt", 303, ""),
        ):  # fmt: skip
            parts = {"role": "results", "name": "third", "columns": columns}
            body = "".join(
                f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
                for name, value in parts.items()
            )
            body += '--x\r\nContent-Disposition: form-data; name="file"; filename="r.csv"\r\n\r\n'
            body += "query,Produkt,rank\nq01,P1007,1\n\r\n--x--\r\n"
            headers = {"Origin": address, "Content-Type": "multipart/form-data; boundary=x"}
            answer = ask(address, "POST", "/project/tables", headers, body.encode())
            assert (answer.status, said in answer.text) == (expected, True)
            assert "/tmp" not in answer.text
    assert project.systems == ["bm25", "hybrid", "third"]
    project.close()


def test_a_damaged_table_can_be_replaced_on_the_page(tmp_path: Path) -> None:
    """A content that was changed in the database is said on the project page, which still offers to add the file."""
    project = shop_project(str(tmp_path / "shop.db"))
    with sqlite3.connect(tmp_path / "shop.db") as other:
        other.execute("UPDATE contents SET packed = x'00'")
    project.close()
    damaged = StudioProject(Store(str(tmp_path / "shop.db")))
    with serving(damaged) as address:
        assert "was changed" in ask(address, "GET", "/").text
        answer = ask(address, "GET", "/project")
        assert answer.status == 200
        assert "was changed" in answer.text
        assert 'action="/project/tables"' in answer.text
    damaged.close()
