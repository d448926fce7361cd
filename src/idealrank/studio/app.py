"""The studio as an application: its pages behind their guard, and what is said when something is wrong."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from importlib.resources import files
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from idealrank.errors import DataError, IdealrankError
from idealrank.reports.page.page import page_style, read_asset
from idealrank.studio.asking import Asking
from idealrank.studio.browse import Browse
from idealrank.studio.first import FirstScreen
from idealrank.studio.frame import Frame
from idealrank.studio.grade import GradingRoom
from idealrank.studio.guard import Guard, TooLargeError
from idealrank.studio.pages import address
from idealrank.studio.project import StudioProject
from idealrank.studio.raters import RatersRoom
from idealrank.studio.records import Records
from idealrank.studio.replay_page import ReplayPage
from idealrank.studio.store import StaleError
from idealrank.studio.tables import ProjectPage

STYLES = ("studio.css", "browse.css", "grading.css")
"""Style sheets, served as one after the report's own."""
SCRIPTS = ("studio.js", "queries.js", "query.js", "grading.js")
SHARED = {"lines.js": "query/lines.js"}
"""Scripts of the report's page that the studio's use."""


class Room(Protocol):
    """Some pages that belong together."""

    def routes(self) -> list[Route]:
        """Return their addresses."""
        ...


def studio_app(
    project: StudioProject, hosts: Iterable[str] = (), token: str = "", secrets_to: Collection[str] = ()
) -> Starlette:
    """Return the pages of a project, behind their guard.

    Parameters
    ----------
    project
        What is shown.
    hosts, token
        As for `Guard`.
    secrets_to
        As for `Replays`.
    """
    frame = Frame(project)
    errors = Errors(frame)
    asking = Asking(project)
    rooms: list[Room] = [
        FirstScreen(frame), Browse(frame), GradingRoom(frame, asking), RatersRoom(frame, asking), Records(frame),
        ProjectPage(frame), ReplayPage(frame, secrets_to),
    ]  # fmt: skip
    return Starlette(
        routes=[*(route for room in rooms for route in room.routes()), Route("/assets/{name}", asset)],
        middleware=[Middleware(Guard, hosts, token, frame.pictures, errors.refused)],
        exception_handlers={
            IdealrankError: errors.explain, HTTPException: errors.missing, TooLargeError: errors.too_large,
            Exception: errors.fault,
        },
    )  # fmt: skip


def asset(request: Request) -> Response:
    """Return a style sheet or a script."""
    name = request.path_params["name"]
    if name == "studio.css":
        own = "\n".join((files(__package__) / "assets" / each).read_text("utf-8") for each in STYLES)
        return Response(f"{page_style()}\n{own}", media_type="text/css")
    if name in SCRIPTS:
        return Response((files(__package__) / "assets" / name).read_text("utf-8"), media_type="text/javascript")
    if name in SHARED:
        return Response(read_asset(f"scripts/{SHARED[name]}"), media_type="text/javascript")
    raise HTTPException(404)


class Errors:
    """Pages that say what was wrong, and what to do; never a traceback."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def _page(self, request: Request, status: int, title: str, what: str, **more: Any) -> Response:
        return self.frame.show(request, "error.html", {"title": title, "what": what, "again": None, **more}, status)

    def refused(self, request: Request, status: int, what: str) -> Response:
        """Say why the guard let nothing through, without the name of the project: that is for who is let in."""
        return self._page(request, status, "The studio refused this", what, name="")

    def explain(self, request: Request, error: Exception) -> Response:
        """Say an error of idealrank: it has its own next step."""
        status = 409 if isinstance(error, StaleError) else 422 if isinstance(error, DataError) else 400
        asked, again = dict(request.query_params), None
        if isinstance(error, StaleError) and error.again:
            again = error.again, "The result as it is now"
        elif request.method == "GET" and "measure" in asked:
            again = address(request.url.path, {**asked, "measure": ""}), "The same by the usual measure"
        return self._page(request, status, "This did not work", str(error), again=again)

    def missing(self, request: Request, error: Exception) -> Response:
        """Say that there is no such page."""
        assert isinstance(error, HTTPException)
        messages = {404: "There is no such page.", 405: "This page takes no such request."}
        return self._page(
            request, error.status_code, "Not here", messages.get(error.status_code, "The request was not understood.")
        )

    def too_large(self, request: Request, error: Exception) -> Response:
        """Say how large a request may be."""
        return self._page(request, 413, "Too large", str(error))

    def fault(self, request: Request, error: Exception) -> Response:
        """Say that the studio itself is wrong; what it was stands in the terminal."""
        logging.getLogger("idealrank.studio").error("%s %s", request.method, request.url.path, exc_info=error)
        what = "Something is wrong with the studio itself. What was saved before is there; the terminal says more."
        return self._page(request, 500, "A fault of the studio", what)
