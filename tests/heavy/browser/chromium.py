"""Find Chromium and start it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
ABSENT = (
    f"No Chromium on PATH ({', '.join(NAMES)}): nothing of the report's page is tested. "
    "Install it (Debian: apt-get install chromium), or name it: CHROMIUM=/path/to/chromium"
)
QUIET = (
    "--no-sandbox",  # root, as in a container, has none
    "--disable-dev-shm-usage",  # which a container keeps small
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def executable(environ: Mapping[str, str]) -> str:
    """Return the program to start: the one CHROMIUM names, else the first there is; empty without any."""
    named = environ.get("CHROMIUM")
    path = environ.get("PATH", "")
    if named:
        return shutil.which(named, path=path) or named
    return next(filter(None, (shutil.which(name, path=path) for name in NAMES)), "")


@contextlib.contextmanager
def started(program: str) -> Iterator[Browser]:
    """Run the browser without a screen."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield browser
        browser.close()
