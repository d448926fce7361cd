"""A browser, and pages opened in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.heavy.browser.chromium import ABSENT, executable, started
from tests.heavy.browser.opening import Opener, opening
from tests.heavy.browser.rendered import ready
from tests.heavy.browser.tabs import Tabs
from tests.reports.worlds import shop


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start a browser for this folder's tests; where there is none they are skipped, and fail under CI=true.

    It ends with the folder: as long as it runs, no other test could run an event loop of asyncio.
    """
    program = executable(os.environ)
    if not program:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(ABSENT)
    with started(program) as found:
        yield found


@pytest.fixture(scope="package")
def tabs(browser: Browser) -> Tabs:
    """The tabs that the tests leave to one another."""
    return Tabs(browser)


@pytest.fixture
def opened(tabs: Tabs, tmp_path: Path) -> Iterator[Opener]:
    """Open pages from files with the network cut: ``opened(html)``; a page with a fault fails the test."""
    with opening(tabs, tmp_path) as opener:
        yield opener


@pytest.fixture(scope="module")
def shared(tabs: Tabs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opener]:
    """Open pages that several tests of a file look at; a page with a fault fails the last of them."""
    with opening(tabs, tmp_path_factory.mktemp("pages")) as opener:
        yield opener


@pytest.fixture(scope="module")
def shown(shared: Opener) -> Page:
    """The shop's report."""
    return shared(shop().to_html())


@pytest.fixture
def fresh(shown: Page) -> Page:
    """The shop's report as it is when it is opened for the first time."""
    shown.evaluate("localStorage.clear()")
    shown.goto(shown.url.partition("#")[0])
    shown.reload()
    return ready(shown)
