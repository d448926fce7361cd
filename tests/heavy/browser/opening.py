"""Open a page as its reader does, from a file and without a network, and note what it must not do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.heavy.browser.tabs import Tab, Tabs

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
"""A telephone, as settings of a page that is opened."""


class Opener:
    """Opens pages of one test, each in a tab of its own.

    Attributes
    ----------
    faults
        Requests for anything but the page's file, errors on the console, uncaught errors, and
        violations of the content security policy, in words.
    """

    def __init__(self, tabs: Tabs, folder: Path) -> None:
        self.folder = folder
        self.faults: list[str] = []
        self._tabs = tabs
        self._taken: list[Tab] = []

    def __call__(self, page: str | Path, at: str = "", script: str = "", **settings: Any) -> Page:
        """Open HTML, or a file that holds it.

        Parameters
        ----------
        page
            HTML, which is written to a file of its own; or the path of a file.
        at
            What follows the address, such as ``#q=1``.
        script
            What runs before the page's own scripts.
        settings
            Those of a context of Playwright: ``**PHONE``, ``color_scheme="dark"``, ``java_script_enabled=False``.
        """
        address = (page if isinstance(page, Path) else self._written(page)).absolute().as_uri()
        tab = self._tabs.take(settings, script)
        self._taken.append(tab)
        tab.faults, tab.address = self.faults, address
        tab.page.goto(address + at)
        return tab.page

    def close(self) -> None:
        """Let the pages say what is still to be said, and leave their tabs to others."""
        for tab in self._taken:
            self._tabs.leave(tab)

    def _written(self, html: str) -> Path:
        file = self.folder / f"page-{len(self._taken) + 1}.html"
        file.write_text(html, "utf-8")
        return file


@contextlib.contextmanager
def opening(tabs: Tabs, folder: Path) -> Iterator[Opener]:
    """Give an opener of pages; none of them may have had a fault in the end."""
    opener = Opener(tabs, folder)
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
