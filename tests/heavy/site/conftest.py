"""The built site, and a browser that may read nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.heavy.browser.chromium import ABSENT, executable, started
from tests.heavy.site.building import built_once

Opened = Callable[..., Page]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    own = tmp_path_factory.getbasetemp()
    return built_once((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "site")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start a browser for this folder's tests; where there is none they are skipped, and fail under CI=true."""
    program = executable(os.environ)
    if not program:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(ABSENT)
    with started(program) as found:
        yield found


@pytest.fixture
def opened(browser: Browser, site: Path) -> Iterator[Opened]:
    """Open a page from its file: ``opened("gate", width=390)``; any request beyond the site fails the test."""
    faults: list[str] = []

    def let_through(route: Route) -> None:
        if route.request.url.startswith(site.as_uri()):
            route.continue_()
        else:
            faults.append(f"request: {route.request.url}")
            route.abort()

    def open_page(name: str, width: int = 1440, **settings: Any) -> Page:
        context = browser.new_context(offline=True, viewport={"width": width, "height": 900}, **settings)
        context.route("**", let_through)
        context.on("weberror", lambda error: faults.append(f"uncaught: {error.error}"))
        context.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page = context.new_page()
        page.goto((site / f"{name}.html").as_uri())
        return page

    yield open_page
    for context in browser.contexts:
        context.close()
    assert not faults, "\n".join(faults)
