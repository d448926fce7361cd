"""Tabs of the browser, kept for the next page: the start of a tab costs more than a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route

BLANK = Path(__file__).with_name("blank.html").as_uri()
"""What a tab shows that nobody has: a file like all pages, for Chromium starts anew for anything else."""

PATIENCE = 15_000
"""Milliseconds after which a test no longer waits for a page."""

_REPORTS_VIOLATIONS = """addEventListener("securitypolicyviolation", violation =>
    noteViolation(`${violation.effectiveDirective} blocked ${violation.blockedURI}`), true)"""
_NEXT_TASK = "new Promise(done => setTimeout(done))"
_FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"


class Tab:
    """A tab in a context of its own, with the network cut, that notes what its page must not do.

    Attributes
    ----------
    page
        The tab as Playwright drives it.
    faults
        Where faults go: the list of the test that has the tab.
    address
        The one address that the page may ask for.
    kind
        The settings and the script it was opened with.
    """

    def __init__(self, browser: Browser, settings: dict[str, Any], script: str) -> None:
        self.faults: list[str] = []
        self.address = ""
        self.kind = _kind(settings, script)
        self._scheme = settings.get("color_scheme", "light")
        self._scripted = settings.get("java_script_enabled", True)
        self._context = browser.new_context(offline=True, **settings)
        self._context.set_default_timeout(PATIENCE)
        self._watch(self._context)
        if script:
            self._context.add_init_script(script)
        self.page = self._context.new_page()

    def leave(self) -> bool:
        """Let the page say what is still to be said, and leave the tab like a new one, unless it was closed."""
        if self.page.is_closed():
            return False
        if self._scripted:
            self.page.evaluate(_NEXT_TASK)
        for other in self._context.pages:
            if other != self.page:
                other.close()
        self._clean()
        return True

    def _clean(self) -> None:
        if self.page.url == self.address or self.page.url.startswith(f"{self.address}#"):
            self.page.evaluate(_FORGET)
        self.page.mouse.move(0, 0)
        self.page.emulate_media(media="null", color_scheme=self._scheme)
        self.page.goto(BLANK)

    def _watch(self, context: BrowserContext) -> None:
        def requested(request: Request) -> None:
            if not self._own(request.url):
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
        context.route("**", self._let_through)
        context.expose_function("noteViolation", lambda said: self.faults.append(f"policy: {said}"))
        context.add_init_script(_REPORTS_VIOLATIONS)

    def _let_through(self, route: Route) -> None:
        """Give the page its file, and nothing else."""
        if self._own(route.request.url):
            route.continue_()
        else:
            route.abort()

    def _own(self, url: str) -> bool:
        return url.partition("#")[0] in (self.address, BLANK)


class Tabs:
    """The tabs of a browser that no test has, by their settings."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Tab]] = {}

    def take(self, settings: dict[str, Any], script: str = "") -> Tab:
        """Return a tab with the settings of a context of Playwright, in which a script runs before that of any page."""
        free = self._free.setdefault(_kind(settings, script), [])
        return free.pop() if free else Tab(self._browser, settings, script)

    def leave(self, tab: Tab) -> None:
        """Keep a tab for the next that asks for its settings."""
        if tab.leave():
            self._free[tab.kind].append(tab)


def _kind(settings: dict[str, Any], script: str) -> str:
    return repr((sorted(settings.items()), script))
