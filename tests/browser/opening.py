"""Open a page as its reader does, from a file and without a network, and note what it must not do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
"""A telephone, as settings of a page that is opened."""

PATIENCE = 15_000
"""Milliseconds after which a test no longer waits for a page."""

_REPORTS_VIOLATIONS = """addEventListener("securitypolicyviolation", violation =>
    noteViolation(`${violation.effectiveDirective} blocked ${violation.blockedURI}`), true)"""
_NEXT_TASK = "new Promise(done => setTimeout(done))"


class Opener:
    """Opens pages of one test, each in a context of its own.

    Attributes
    ----------
    faults
        Requests for anything but the page's file, errors on the console, uncaught errors, and
        violations of the content security policy, in words.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.faults: list[str] = []
        self._contexts: list[BrowserContext] = []
        self._scripted: list[Page] = []

    def __call__(self, page: str | Path, at: str = "", **settings: Any) -> Page:
        """Open HTML, or a file that holds it.

        Parameters
        ----------
        page
            HTML, which is written to a file of its own; or the path of a file.
        at
            What follows the address, such as ``#q=1``.
        settings
            Those of a context of Playwright: ``**PHONE``, ``color_scheme="dark"``, ``java_script_enabled=False``.
        """
        address = (page if isinstance(page, Path) else self._written(page)).absolute().as_uri()
        context = self.browser.new_context(offline=True, **settings)
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        self._watch(context, address)
        opened = context.new_page()
        opened.goto(address + at)
        if settings.get("java_script_enabled", True):
            self._scripted.append(opened)
        return opened

    def close(self) -> None:
        """Let the pages say what is still to be said, and close them."""
        for page in self._scripted:
            if not page.is_closed():
                page.evaluate(_NEXT_TASK)
        for context in self._contexts:
            context.close()

    def _written(self, html: str) -> Path:
        file = self.folder / f"page-{len(self._contexts) + 1}.html"
        file.write_text(html, "utf-8")
        return file

    def _watch(self, context: BrowserContext, address: str) -> None:
        def requested(request: Request) -> None:
            if not _same_file(request.url, address):
                self.faults.append(f"request: {request.url}")

        def logged(message: ConsoleMessage) -> None:
            if message.type == "error":
                self.faults.append(f"console: {message.text}")

        def opened(page: Page) -> None:
            page.on("websocket", lambda socket: self.faults.append(f"request: {socket.url}"))

        context.on("request", requested)
        context.on("page", opened)
        context.on("console", logged)
        context.on("weberror", lambda error: self.faults.append(f"uncaught: {error.error}"))
        context.route("**", lambda route: _let_through(route, address))
        context.expose_function("noteViolation", lambda said: self.faults.append(f"policy: {said}"))
        context.add_init_script(_REPORTS_VIOLATIONS)


def _let_through(route: Route, address: str) -> None:
    """Give the page its file, and nothing else."""
    if _same_file(route.request.url, address):
        route.continue_()
    else:
        route.abort()


def _same_file(url: str, address: str) -> bool:
    return url.partition("#")[0] == address


@contextlib.contextmanager
def opening(browser: Browser, folder: Path) -> Iterator[Opener]:
    """Give an opener of pages; none of them may have had a fault in the end."""
    opener = Opener(browser, folder)
    with contextlib.closing(opener):
        yield opener
    assert not opener.faults, "\n".join(opener.faults)


def printed(page: Page) -> bytes:
    """Return the page as PDF; from now on it looks as on paper."""
    page.emulate_media(media="print")
    return page.pdf(format="A4")


def sheets(pdf: bytes) -> int:
    """Count the sheets of a PDF that Chromium wrote."""
    return pdf.count(b"/Type /Page\n")
