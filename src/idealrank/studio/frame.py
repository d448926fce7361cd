"""What is common to all pages of the studio: what is looked at, who grades, how a page is rendered."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from idealrank.comparison.comparison import Comparison
from idealrank.errors import DataError, UsageError
from idealrank.studio.grading import PICTURES, rater_name, setting
from idealrank.studio.guard import is_opened
from idealrank.studio.pages import environment
from idealrank.studio.project import Look, StudioProject

RATER = "rater"
"""The cookie that holds a rater's name."""


class Frame:
    """A project, and how its pages are rendered.

    Parameters
    ----------
    project
        What is shown.
    """

    def __init__(self, project: StudioProject) -> None:
        self.project = project
        self._templates = environment()

    def look(self, request: Request) -> Look:
        """Return what the address asks to look at."""
        return self.project.look(request.query_params)

    def comparison(self, request: Request, look: Look) -> Comparison:
        """Compare; it is remembered if somebody opened the page that shows it."""
        return self.project.comparison(look, is_opened(request))

    def rater(self, request: Request) -> str:
        """Return who grades; "" for nobody yet, or a name that nobody can have."""
        try:
            return rater_name(unquote(request.cookies.get(RATER, "")))
        except UsageError:
            return ""

    def show(self, request: Request, template: str, values: dict[str, Any], status: int = 200) -> Response:
        """Return a page; only its main part, if that is all that is asked for."""
        return HTMLResponse(self.part(request, template, values), status)

    def part(self, request: Request, template: str, values: dict[str, Any]) -> str:
        """Return a rendered template."""
        # What goes wrong in a part is said in its place, not as a page within a page.
        inner = request.headers.get("x-part") == "main" or request.url.path.startswith("/part/")
        given = {
            "frame": "main.html" if inner else "base.html", "project": self.project, "rater": self.rater(request),
            "path": request.url.path, "here": here(request), "look": None, "name": self.project.name,
        }  # fmt: skip
        return self._templates.get_template(template).render(given | values)

    def pictures(self) -> bool:
        """Whether somebody allowed pictures of other hosts since the studio began: a file that says so is not asked."""
        try:
            return PICTURES in self.project.store.given and bool(setting(self.project, PICTURES))
        except DataError:  # every answer asks this, also the page that says what is wrong with the database
            return False


def here(request: Request) -> str:
    """Return the address that was asked for, from its path on: the way back to it."""
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


async def posted(request: Request) -> dict[str, str]:
    """Return the fields of a form.

    Raises
    ------
    UsageError
        If there is a NUL byte, which no database keeps.
    """
    async with request.form() as form:
        # A browser ends the lines of a form with CR LF, a script with LF: what was typed is the same.
        given = {name: value.replace("\r\n", "\n") for name, value in form.items() if isinstance(value, str)}
    if any("\0" in value for value in given.values()):
        raise UsageError("The page sent a NUL byte, which no text contains. Load it again.")
    return given


def whole_number(text: str) -> int | None:
    """Return a whole number from 0 up that somebody sent; None where it is none, or has more than nine digits.

    Examples
    --------
    >>> [whole_number(text) for text in ("12", "", "-1", "1.5", "9" * 5000)]
    [12, None, None, None, None]
    """
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None
