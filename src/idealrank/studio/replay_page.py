"""The page that asks an engine again."""

from __future__ import annotations

from collections.abc import Collection

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from idealrank.errors import UsageError
from idealrank.studio.foreign import allow
from idealrank.studio.frame import Frame, posted, whole_number
from idealrank.studio.replays import Replays, read_settings


class ReplayPage:
    """Systems that came from a replay, each with a form to ask again."""

    def __init__(self, frame: Frame, secrets_to: Collection[str] = ()) -> None:
        self.frame, self.replays = frame, Replays(frame.project, secrets_to)

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
        queries = self.frame.project.queries()
        values = {
            "replays": self.replays.systems, "state": self.replays.state, "look": look, "allow": allow,
            "queries": len(queries.ids) if queries is not None else 0,
        }  # fmt: skip
        return self.frame.show(request, "replay.html", values)

    def progress(self, request: Request) -> Response:
        """Answer with how far a replay is."""
        return self.frame.show(request, "parts/replay.html", {"state": self.replays.state})

    async def start(self, request: Request) -> Response:
        """Begin a replay."""
        await run_in_threadpool(self._start, await posted(request))
        return RedirectResponse("/replay", 303)

    def _start(self, given: dict[str, str]) -> None:
        k = given.get("k", "")
        if not (many := whole_number(k)):
            raise UsageError(f"How many results to keep: {k!r} is no whole number from 1 on. Give 50, for example.")
        settings = read_settings(given.get("settings", ""))
        self.replays.start(
            given.get("system", ""), given.get("name", "").strip(), given.get("template", ""), settings, many
        )
