"""Several raters: how far they agree, what they dispute, the grade that settles it, and all grades as a file."""

from __future__ import annotations

import secrets

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from idealrank.errors import UsageError, listed
from idealrank.studio.asking import Asking
from idealrank.studio.disputes import MOST_DISPUTES, agreement_part, disputes, tallies, voices
from idealrank.studio.exported import export, export_formats, keeps_raters
from idealrank.studio.frame import Frame, here, posted, whole_number
from idealrank.studio.grading import LONGEST_COMMENT, LONGEST_ID, LONGEST_TOKEN, rater_name
from idealrank.studio.items import item
from idealrank.studio.joined import RESOLVER
from idealrank.studio.pages import address
from idealrank.studio.project import Look
from idealrank.studio.scale import grade_keys, grade_level


class RatersRoom:
    """Who gave which grades, and how far they agree."""

    def __init__(self, frame: Frame, asking: Asking) -> None:
        self.frame, self.project, self.asking = frame, frame.project, asking

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/raters", self.raters),
            Route("/dispute", self.dispute),
            Route("/resolve", self.resolve, methods=["POST"]),
            Route("/export", self.export),
        ]

    def raters(self, request: Request) -> Response:
        """Show how far raters agree, who gave how many, and the pairs most disputed."""
        if not self.project.is_ready:
            return RedirectResponse("/project", 303)
        look, rater = self.frame.look(request), self.frame.rater(request)
        part = agreement_part(self.project, look)
        direction = self.project.scores(look).measures[0].definition.properties.direction
        listed_pairs = disputes(self.project)
        open_pairs = {one.pair for one in listed_pairs if self.asking.asks(rater, look, one.pair)}
        values = {
            "look": look,
            "agreement": part,
            "direction": direction,
            "tallies": tallies(self.project.store.ratings()),
            "resolved": sum(one.grade is not None for one in self.project.store.ratings(RESOLVER)),
            "disputes": [(one, item(self.project, one.pair)) for one in listed_pairs if one.pair not in open_pairs],
            "hidden": len(open_pairs),
            "most": MOST_DISPUTES,
            "formats": [(name, title, keeps_raters(name)) for name, title in export_formats().items()],
        }
        return self.frame.show(request, "raters.html", values)

    def dispute(self, request: Request) -> Response:
        """Show who says what of a pair, unless the rater is still to say it."""
        look, rater = self.frame.look(request), self.frame.rater(request)
        if not rater:
            return RedirectResponse(address("/door", back=here(request)), 303)
        pair = request.query_params.get("q", ""), request.query_params.get("doc", "")
        self.asking.refuse_unknown(pair[0])
        asked = self.asking.asks(rater, look, pair)
        given = [] if asked else voices(self.project, pair)
        values = {
            "look": look,
            "item": item(self.project, pair),
            "asked": asked,
            "voices": [one for one in given if one.rater != RESOLVER],
            "settled": next((one for one in given if one.rater == RESOLVER and one.grade is not None), None),
            "seen": self.project.store.rating(RESOLVER, *pair),
            "keys": grade_keys(self.project.scale),
            "level": lambda grade: grade_level(grade, max((top for top, _ in self.project.scale), default=1.0)),
            "pictures": self.frame.pictures(),
            "token": secrets.token_urlsafe(16),
        }
        return self.frame.show(request, "dispute.html", values)

    async def resolve(self, request: Request) -> Response:
        """Save the grade that counts from now on."""
        form, look, name = await posted(request), self.frame.look(request), rater_name(self.frame.rater(request))
        return await run_in_threadpool(self._resolve, form, look, name)

    def _resolve(self, form: dict[str, str], look: Look, name: str) -> Response:
        query, doc, token = form.get("q", ""), form.get("doc", ""), form.get("token", "")
        grades = {f"{grade:g}": grade for grade, _ in self.project.scale}
        reopens = "reopen" in form
        if query not in self.asking.queries or not 0 < len(doc) <= LONGEST_ID or not 0 < len(token) <= LONGEST_TOKEN:
            raise UsageError("The page sent no result to settle. Load it again.")
        if not reopens and form.get("grade") not in grades:
            raise UsageError(f"Choose one of the grades {listed(grades, 20)}.")
        # Who settled it is kept with it: the name of the rater only says that it is settled.
        text = form.get("comment", "").strip()
        if len(text) > LONGEST_COMMENT:
            raise UsageError(f"A comment has at most {LONGEST_COMMENT:,} characters, not {len(text):,}. Shorten it.")
        comment = f"by {name}: {text}".removesuffix(": ")
        self.project.store.rate(
            RESOLVER, query, doc, None if reopens else grades[form["grade"]],
            state="later" if reopens else "graded", comment=comment, token=token,
            seen=whole_number(form.get("seen", "")),
        )  # fmt: skip
        return RedirectResponse(address("/dispute", look, q=query, doc=doc), 303)

    def export(self, request: Request) -> Response:
        """Answer with all grades as a file."""
        names = self.project.systems
        look = self.frame.look(request) if len(names) > 1 else Look("", "", "", {})
        asked = request.query_params
        try:
            scale = float(asked.get("scale_grades") or 1)
        except ValueError:
            raise UsageError(f"{asked['scale_grades']!r} is no number to multiply grades with. Give 1, or 2.") from None
        made = export(self.project, look, asked.get("format", "csv"), scale)
        headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
        return Response(made.content, media_type="application/octet-stream", headers=headers)
