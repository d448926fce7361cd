"""A browser, and a studio to open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from idealrank.studio.project import StudioProject
from tests.heavy.browser.conftest import browser
from tests.heavy.studio.serving import serving
from tests.studio.worlds import shop_project

__all__ = ["browser"]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[StudioProject]:
    """The shop, in a file of its own."""
    made = shop_project(str(tmp_path / "shop.db"))
    yield made
    made.close()


@pytest.fixture
def address(project: StudioProject) -> Iterator[str]:
    """The address of a studio that serves the shop."""
    with serving(project) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of its own; what it asks of another host, and what goes wrong on it, fails the test."""
    context = browser.new_context(base_url=address)
    opened, wrong = context.new_page(), []
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda sent: wrong.append(sent.url) if not sent.url.startswith((address, "data:")) else None)
    yield opened
    context.close()
    assert not wrong
