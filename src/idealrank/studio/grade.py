"""Grading: a name at the door, one result at a time in the order that settles the verdict, and undo."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import parse_qsl, quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from idealrank.errors import IdealrankError, UsageError, listed
from idealrank.labels.guidelines import GUIDELINES
from idealrank.studio.asking import Asking, NextPair
from idealrank.studio.countdown import Countdown
from idealrank.studio.disputes import suggestion
from idealrank.studio.frame import RATER, Frame, here, posted, whole_number
from idealrank.studio.grading import (
    BLIND,
    CONFIRM,
    GUIDELINE,
    LONGEST_COMMENT,
    LONGEST_ID,
    LONGEST_TOKEN,
    SCALE,
    SUGGEST,
    keep_guideline,
    older_grades,
    rater_name,
    setting,
)
from idealrank.studio.items import item
from idealrank.studio.joined import RESOLVER, Pair
from idealrank.studio.pages import address
from idealrank.studio.project import Look
from idealrank.studio.scale import grade_keys, scale_and_guideline
from idealrank.studio.store import STATES, Rating, StaleError, State

YEAR = 365 * 24 * 3600
"""Seconds for which a name is kept."""


class GradingRoom:
    """The queue of a rater, and where grades are sent to.

    Parameters
    ----------
    asking
        Says what is asked next of whom.
    """

    def __init__(self, frame: Frame, asking: Asking) -> None:
        self.frame, self.project, self.asking = frame, frame.project, asking
        self.countdown = Countdown(frame.project)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/door", self.door),
            Route("/door", self.enter, methods=["POST"]),
            Route("/grade", self.grade),
            Route("/grade/scale", self.scale),
            Route("/grade/scale", self.keep_scale, methods=["POST"]),
            Route("/rate", self.rate, methods=["POST"]),
            Route("/undo", self.undo, methods=["POST"]),
            Route("/part/countdown", self.countdown_part),
        ]

    # The door.

    def door(self, request: Request) -> Response:
        """Ask for a name."""
        others = [name for name in self.project.store.raters if name not in (RESOLVER, self.frame.rater(request))]
        values = {"back": own_path(request.query_params.get("back", "")), "others": others}
        return self.frame.show(request, "door.html", values)

    async def enter(self, request: Request) -> Response:
        """Keep the name, and go on to where it was asked for."""
        form = await posted(request)
        name = rater_name(form.get("name", ""))
        answer = RedirectResponse(own_path(form.get("back", "")), 303)
        answer.set_cookie(RATER, quote(name, safe=""), max_age=YEAR, httponly=True, samesite="strict")
        return answer

    # The queue.

    def grade(self, request: Request) -> Response:
        """Show what is asked next of the rater, or the pair that the address names."""
        rater, look = self.frame.rater(request), self.frame.look(request)
        if not rater:
            return RedirectResponse(address("/door", back=here(request)), 303)
        if not self.project.scale:
            return RedirectResponse(address("/grade/scale", back=here(request)), 303)
        asked = request.query_params
        pair = (asked["q"], asked["doc"]) if "q" in asked and "doc" in asked else None
        values = self._shown(rater, look, pair) | {"chosen": asked.get("chosen", "")}
        values |= {"guideline": setting(self.project, GUIDELINE), "older": older_grades(self.project)}
        return self.frame.show(request, "grade.html", values)

    def _shown(self, rater: str, look: Look, pair: Pair | None = None) -> dict[str, Any]:
        """Return what the page shows of a pair, or of the next one."""
        if pair is None:
            found = self.asking.next(rater, look)
        else:
            self.asking.refuse_unknown(pair[0])
            self.asking.shown(rater, pair)
            found = NextPair(pair, 0)
        mine = found.pair and self.asking.ratings.now().get(found.pair, {}).get(rater)
        suggests = setting(self.project, SUGGEST)
        return {
            "look": look,
            "item": found.pair and item(self.project, found.pair),
            "left": found.left if pair is None else None,
            "ranks": None if setting(self.project, BLIND) else found.ranks,
            "mine": mine,
            "keys": grade_keys(self.project.scale),
            "confirm": setting(self.project, CONFIRM),
            "suggestion": found.pair and suggests and suggestion(self.project, found.pair, str(suggests)),
            "pictures": self.frame.pictures(),
            "token": secrets.token_urlsafe(16),
            "today": self.asking.today(rater),
            "back": address("/grade", look),
            "chosen": "",
        }

    # The scale, where neither judgments nor settings say it.

    def scale(self, request: Request) -> Response:
        """Ask once which grades there are, and what each means."""
        first, *_ = GUIDELINES
        chosen = request.query_params.get("of", first)
        text = GUIDELINES.get(chosen, GUIDELINES[first]).text
        back = own_path(request.query_params.get("back", ""))
        values = {"choices": list(GUIDELINES), "chosen": chosen, "guideline": text, "back": back}
        return self.frame.show(request, "scale.html", values)

    async def keep_scale(self, request: Request) -> Response:
        """Keep the grades and their words, and as the guideline what is said of them."""
        form = await posted(request)
        rows, guideline = scale_and_guideline(form.get("scale", ""))

        def keep() -> None:
            self.project.store[SCALE] = rows
            if guideline:
                keep_guideline(self.project, guideline)

        await run_in_threadpool(keep)
        return RedirectResponse(own_path(form.get("back", "")), 303)

    # Grades.

    async def rate(self, request: Request) -> Response:
        """Save what a rater says of a pair, before anything else is shown."""
        form = await posted(request)
        return await run_in_threadpool(self._answer, request, form, self._rate)

    async def undo(self, request: Request) -> Response:
        """Take the rater's last rating back, and show its pair again."""
        form = await posted(request)
        return await run_in_threadpool(self._answer, request, form, self._undo)

    def _answer(self, request: Request, form: Mapping[str, str], do: Any) -> Response:
        """Do it, and answer as asked: with the page to go on to, or with what it shows as JSON."""
        as_json, rater = request.headers.get("x-part") == "json", self.frame.rater(request)
        back = own_path(form.get("back", ""))
        if not rater:
            door = address("/door", back=back)
            what = "Nobody is named yet, and nothing was saved. Give your name, and grade again."
            return JSONResponse({"error": what, "door": door}, 401) if as_json else RedirectResponse(door, 303)
        try:
            return cast(Response, do(request, rater, form, back, as_json))
        except IdealrankError as error:
            if isinstance(error, StaleError):
                error.again = _shown_again(back, _pair(form))
            if not as_json:
                raise
            body: dict[str, Any] = {"error": str(error)}
            if isinstance(error, StaleError):
                body |= {"now": _plain(error.now), "next": self._next(request, rater, back, _pair(form))}
            return JSONResponse(body, 409 if isinstance(error, StaleError) else 422)

    def _rate(self, request: Request, rater: str, form: Mapping[str, str], back: str, as_json: bool) -> Response:
        if "grade" in form and form.get("sure", form["grade"]) != form["grade"]:  # the first of two times
            (query, doc), chosen = _pair(form), form["grade"]
            return RedirectResponse(address("/grade", _parameters(back), q=query, doc=doc, chosen=chosen), 303)
        saved = self._save(rater, form)
        if not as_json:
            return RedirectResponse(back, 303)
        token = secrets.token_urlsafe(16)
        state = list(self.project.store.state)
        next_part = self._next(request, rater, back)
        return JSONResponse({"saved": _plain(saved), "state": state, "token": token, "next": next_part})

    def _save(self, rater: str, form: Mapping[str, str]) -> Rating:
        (query, doc), comment, token = _pair(form), form.get("comment", "").strip(), form.get("token", "")
        self.asking.refuse_unknown(query)
        if not token or len(token) > LONGEST_TOKEN or not 0 < len(doc) <= LONGEST_ID:
            raise UsageError("The page sent no result to grade. Load it again.")
        if len(comment) > LONGEST_COMMENT:
            raise UsageError(f"A comment has at most {LONGEST_COMMENT:,} characters, not {len(comment):,}. Shorten it.")
        self.project.refuse_grading()
        state, grade = self._read_grade(form)
        saved = self.project.store.rate(
            rater, query, doc, grade, state=state, comment=comment, token=token,
            seen=whole_number(form.get("seen", "")),
        )  # fmt: skip
        if (saved.rater, saved.query, saved.doc, saved.state, saved.grade) != (rater, query, doc, state, grade):
            raise StaleError(saved)  # the page was used before, as one that Back shows again
        return saved

    def _read_grade(self, form: Mapping[str, str]) -> tuple[State, float | None]:
        state = form.get("state") or STATES[0]
        if state not in STATES:
            raise UsageError(f"A result is graded, or one says {listed(STATES[1:], 2, ' or ')}; {state!r} is neither.")
        if state != "graded":
            return cast(State, state), None
        grades = [grade for grade, _ in self.project.scale]
        try:
            return "graded", grades[grades.index(float(form.get("grade", "")))]
        except ValueError:
            known = listed((f"{grade:g}" for grade in grades), 20)
            raise UsageError(f"{form.get('grade', '')!r} is no grade of the scale. Give one of {known}.") from None

    def _undo(self, request: Request, rater: str, form: Mapping[str, str], back: str, as_json: bool) -> Response:
        undone = self.project.store.undo(rater)
        again = None if undone is None else (undone.query, undone.doc)
        if as_json:
            return JSONResponse({"undone": _plain(undone), "next": self._next(request, rater, back, again)})
        if again is not None and urlsplit(back).path == "/grade":
            back = address("/grade", _parameters(back), q=again[0], doc=again[1])
        return RedirectResponse(back, 303)

    def _next(self, request: Request, rater: str, back: str, pair: Pair | None = None) -> dict[str, str] | None:
        """Return what the queue shows next, and its address; None for a page that is not the queue."""
        if urlsplit(back).path != "/grade":
            return None
        look = self.project.look(_parameters(back))
        shown = self._shown(rater, look, pair)
        html = self.frame.part(request, "parts/asked.html", shown)
        there = {} if pair is None else {"q": pair[0], "doc": pair[1]}
        return {"html": html, "address": address("/grade", look, **there)}

    def countdown_part(self, request: Request) -> Response:
        """Answer with how far the verdict is."""
        look = self.frame.look(request)
        distance = self.countdown.distance(look)
        return self.frame.show(request, "parts/countdown.html", {"look": look, "distance": distance})


def own_path(text: str) -> str:
    r"""Return a path of this studio, and "/" for everything else: no page leads to another host by way of the door.

    Examples
    --------
    >>> own_path("/grade?measure=P%4010")
    '/grade?measure=P%4010'
    >>> [own_path(text) for text in ("//evil.test/", "https://evil.test", "/\\evil.test", "")]
    ['/', '/', '/', '/']
    """
    plain = text.isprintable() and text.startswith("/") and not text.startswith("//") and "\\" not in text
    return text if plain else "/"


def _pair(form: Mapping[str, str]) -> Pair:
    return form.get("q", ""), form.get("doc", "")


def _parameters(back: str) -> dict[str, str]:
    """Return the parameters of an address, but not which pair it shows."""
    return {name: value for name, value in parse_qsl(urlsplit(back).query) if name not in ("q", "doc", "chosen")}


def _shown_again(back: str, pair: Pair) -> str:
    """Return where a pair is shown with a fresh token: a page of before would send the used one once more."""
    if urlsplit(back).path != "/grade":
        return back
    return address("/grade", _parameters(back), q=pair[0], doc=pair[1])


def _plain(rating: Rating | None) -> dict[str, Any] | None:
    if rating is None:
        return None
    names = ("id", "query", "doc", "state", "grade", "comment", "at")
    return {name: getattr(rating, name) for name in names}
