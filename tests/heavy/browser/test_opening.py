"""A page is opened from its file without a network, and what it must not do is seen."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from tests.heavy.browser.opening import Opener, opening
from tests.heavy.browser.pages import button, page, policy
from tests.heavy.browser.tabs import Tabs

ELSEWHERE = "https://example.org"
SOCKET = ELSEWHERE.replace("https", "wss")
NOTHING_ELSE = "default-src 'none'"


def faults_of(html: str, tabs: Tabs, folder: Path, click: bool = False) -> list[str]:
    """Return the faults of a page: those with which a test that opens it fails."""
    opener = opening(tabs, folder)
    opened = opener.__enter__()
    shown = opened(html)
    if click:
        shown.get_by_role("button").click()
    with pytest.raises(AssertionError) as failed:
        opener.__exit__(None, None, None)
    assert str(failed.value).startswith("\n".join(opened.faults))
    return opened.faults


def test_a_page_without_a_fault(opened: Opener) -> None:
    """A page that keeps to its file passes: script, style, pictures in the file, parts of the address."""
    picture = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E"
    shown = opened(page(f'<img alt="" src="{picture}">' + button("location.hash = 'b'")), at="#a")
    assert shown.evaluate("location.hash") == "#a"
    shown.get_by_role("button").click()
    shown.reload()
    assert shown.evaluate("location.hash") == "#b"
    assert shown.evaluate("navigator.onLine") is False
    assert opened.faults == []


@pytest.mark.parametrize(
    "request_",
    [
        f'<img alt="" src="{ELSEWHERE}/a">',
        f'<link rel="stylesheet" href="{ELSEWHERE}/a">',
        f'<script src="{ELSEWHERE}/a"></script>',
        f'<script>fetch("{ELSEWHERE}/a").catch(() => 0)</script>',
        f'<script>try {{ new WebSocket("{SOCKET}/a") }} catch {{}} fetch("{ELSEWHERE}/a")</script>',
        f'<script>navigator.sendBeacon("{ELSEWHERE}/a")</script>',
        f'<iframe title="a" src="{ELSEWHERE}/a"></iframe>',
        f'<script type="module">import "{ELSEWHERE}/a"</script>',
        f"<style>@font-face {{ font-family: a; src: url({ELSEWHERE}/a) }} p {{ font-family: a }}</style><p>Text</p>",
    ],
    ids=["image", "style", "script", "fetch", "socket", "beacon", "frame", "module", "font"],
)
def test_a_request_is_seen(request_: str, tabs: Tabs, tmp_path: Path) -> None:
    """Every request for something else is a fault, of whatever kind."""
    assert f"request: {ELSEWHERE}/a" in faults_of(page(request_), tabs, tmp_path)


def test_a_request_for_another_file(tabs: Tabs, tmp_path: Path) -> None:
    """A file beside the page is something else, too, and does not reach it."""
    (tmp_path / "beside.css").write_text("p { display: none }")
    with contextlib.closing(Opener(tabs, tmp_path)) as opened:
        shown = opened(page('<link rel="stylesheet" href="beside.css"><p>Text</p>'))
        assert shown.get_by_text("Text").is_visible()
    assert f"request: {(tmp_path / 'beside.css').as_uri()}" in opened.faults


def test_a_handler_under_a_policy(tabs: Tabs, tmp_path: Path) -> None:
    """A handler in an attribute is a violation where the policy forbids it, and does not run."""
    html = page("<button onclick=\"document.title = 'run'\">Go</button>", policy(NOTHING_ELSE))
    assert "policy: script-src-attr blocked inline" in faults_of(html, tabs, tmp_path, click=True)


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("throw new TypeError('thrown')", "uncaught: thrown"),
        ("Promise.reject(new Error('rejected'))", "uncaught: rejected"),
        ("setTimeout(() => { throw new Error('later') })", "uncaught: later"),
        ("console.error('said')", "console: said"),
    ],
)
def test_an_error_is_seen(script: str, fault: str, tabs: Tabs, tmp_path: Path) -> None:
    """What is thrown and not caught, and an error said on the console, are faults."""
    assert fault in faults_of(page(f"<script>{script}</script>"), tabs, tmp_path)
    assert fault in faults_of(page(button(script)), tabs, tmp_path, click=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_drawn(scheme: str, opened: Opener) -> None:
    """There is a font: a word with signs and arrows is as wide as it should be, and no two letters look alike."""
    shown = opened(page("<span>iii</span> <span>WWW</span> <span>▲</span> <span>▼</span>"), color_scheme=scheme)
    narrow, wide, *_ = shown.eval_on_selector_all("span", "all => all.map(span => span.offsetWidth)")
    assert 0 < narrow < wide
    assert len({shown.locator("span").nth(place).screenshot() for place in range(4)}) == 4
