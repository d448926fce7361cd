"""What goes out of the studio and what it remembers: the report, and past comparisons as they were and are now."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from idealrank.reports.report import report
from idealrank.studio.frame import Frame
from idealrank.studio.rescoring import looked_at, rescore, rescored_table

MOST_LOOKS = 30
"""Past comparisons that the page scores again; the command line does all."""


class Records:
    """The report of a look, and the history of looks."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.project = frame, frame.project

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [Route("/report.html", self.report), Route("/looks", self.looks), Route("/looks.csv", self.looks_csv)]

    def report(self, request: Request) -> Response:
        """Answer with the report as a file: the page that can be sent on, with the numbers of the look."""
        look = self.frame.look(request)
        made = report(
            self.frame.comparison(request, look), documents=self.project.documents(), pictures=self.frame.pictures()
        )
        # It has scripts of its own, whose policy is in the page: the studio shows it to nobody, it is a file.
        name = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_") else "_" for sign in made.title)
        headers = {"Content-Disposition": f'attachment; filename="{name}.html"'}
        return Response(made.to_html(), media_type="text/html", headers=headers)

    def looks(self, request: Request) -> Response:
        """Show every comparison that was looked at, as it was and as it is now."""
        rows = rescore(self.project, MOST_LOOKS)
        more = max(0, len(looked_at(self.project)) - MOST_LOOKS)
        flipped = sum(row.is_flipped for row in rows)
        look = self.frame.look(request) if self.project.is_ready else None
        return self.frame.show(request, "looks.html", {"rows": rows, "flipped": flipped, "more": more, "look": look})

    def looks_csv(self, request: Request) -> Response:
        """Answer with the same as CSV."""
        table = rescored_table(rescore(self.project))
        headers = {"Content-Disposition": 'attachment; filename="comparisons.csv"'}
        return Response(table.to_csv(), media_type="text/csv", headers=headers)
