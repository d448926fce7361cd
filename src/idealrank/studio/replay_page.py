"""The page that asks an engine again."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from idealrank.errors import UsageError
from idealrank.studio.frame import Frame
from idealrank.studio.replays import Replays, read_settings


class ReplayPage:
    """Systems that came from a replay, each with a form to ask again."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.replays = frame, Replays(frame.project)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/replay", self.show),
            Route("/replay", self.start, methods=["POST"]),
            Route("/part/replay", self.progress),
        ]

    def show(self, request: Request) -> Response:
        """Show what can be asked again, and how far a replay is."""
        look = self.frame.look(request) if self.frame.project.is_ready else None
        values = {"replays": self.replays.systems, "state": self.replays.state, "look": look}
        return self.frame.show(request, "replay.html", values)

    def progress(self, request: Request) -> Response:
        """Answer with how far a replay is."""
        return self.frame.show(request, "parts/replay.html", {"state": self.replays.state})

    async def start(self, request: Request) -> Response:
        """Begin a replay."""
        async with request.form() as form:
            await run_in_threadpool(self._start, form)
        return RedirectResponse("/replay", 303)

    def _start(self, form: FormData) -> None:
        given = {name: str(value) for name, value in form.items()}
        k = given.get("k", "")
        if not (k.isascii() and k.isdigit() and len(k) < 10 and int(k)):
            raise UsageError(f"How many results to keep: {k!r} is no whole number from 1 on. Give 50, for example.")
        template = given.get("template", "").replace("\r\n", "\n")  # as forms send lines
        settings = read_settings(given.get("settings", ""))
        self.replays.start(given.get("system", ""), given.get("name", "").strip(), template, settings, int(k))
