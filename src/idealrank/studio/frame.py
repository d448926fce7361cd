"""What is common to all pages of the studio: what is looked at, who grades, how a page is rendered."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

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

    def rater(self, request: Request) -> str:
        """Return who grades; "" for nobody yet."""
        return unquote(request.cookies.get(RATER, ""))

    def show(self, request: Request, template: str, values: dict[str, Any], status: int = 200) -> Response:
        """Return a page; only its main part, if that is all that is asked for."""
        return HTMLResponse(self.part(request, template, values), status)

    def part(self, request: Request, template: str, values: dict[str, Any]) -> str:
        """Return a rendered template."""
        inner = request.headers.get("x-part") == "main"
        here = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
        given = {
            "frame": "main.html" if inner else "base.html", "project": self.project, "rater": self.rater(request),
            "path": request.url.path, "here": here, "look": None,
            "name": self.project.name,
        }  # fmt: skip
        return self._templates.get_template(template).render(given | values)

    def pictures(self) -> bool:
        """Whether the project allows pictures of other hosts."""
        return bool(self.project.store["pictures"])
