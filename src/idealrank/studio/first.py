"""The first screen: the verdict, the decisions that matter, what loses and what to grade."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from idealrank.errors import DataError, IncomparableError, UnknownMeasureError, UsageError, plural
from idealrank.measures import measure
from idealrank.statistics.sample import make_sample
from idealrank.studio.frame import Frame
from idealrank.studio.moves import choices, moving
from idealrank.studio.pages import Sections
from idealrank.studio.project import MEASURE, Look

QUICK = 5000
"""Queries up to which a page waits for its verdict; of more the numbers stand first."""
SHOWN = 5
"""Queries that lose, and results to grade, on the first screen."""


class FirstScreen:
    """The first screen, and its parts that take longer than the numbers."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.project = frame, frame.project

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/", self.first),
            Route("/part/card", self.card_part),
            Route("/part/more", self.more_part),
            Route("/part/flips", self.flips_part),
            Route("/part/decisions", self.decisions_part),
            Route("/part/next", self.next_part),
        ]

    def first(self, request: Request) -> Response:
        """Show the verdict, the decisions that matter, what loses and what to grade."""
        if not self.project.is_ready:
            return RedirectResponse("/project", 303)
        look, wrong = self._look(request)
        try:
            scores = self.project.scores(look)
        except DataError as error:  # as when nobody graded a result of either system yet
            return self.frame.show(request, "ungraded.html", {"look": look, "why": str(error)})
        # The script asks for what takes longer once the numbers stand; without script the page waits for all of it.
        waits = request.headers.get("x-part") != "main" and len(scores.queries) <= QUICK
        parts = {
            "card": self.card(request, look) if waits or self.project.has_comparison(look) else None,
            "flipped": self.flips(look) if waits else None,
            "decisions": self.decisions(look) if waits else None,
            "next": self.next(look) if waits else None,
        }
        values = {"look": look, "wrong": wrong, "numbers": self._numbers(look), **parts}
        return self.frame.show(request, "first.html", values, 400 if wrong else 200)

    def _look(self, request: Request) -> tuple[Look, dict[str, str] | None]:
        """Return what is looked at; of a measure there is not, what was typed, why not, and what was probably meant.

        The page then stands as it does by the usual measure: a slip of the keyboard costs nobody the page.
        """
        asked = dict(request.query_params)
        try:
            measure(asked.get("measure", MEASURE))
        except UsageError as error:
            typed, meant = asked.pop("measure"), error.meant if isinstance(error, UnknownMeasureError) else ""
            return self.project.look(asked), {"typed": typed, "why": str(error), "meant": meant}
        return self.project.look(asked), None

    def _numbers(self, look: Look) -> dict[str, Any]:
        """Return the means of all systems, now and under the usual answers, and of how many queries they are.

        Those of the two compared are over the queries that both have a value for, as in the card and everywhere below.
        """
        now, plain = self._means(look), self._means(replace(look, answers={}))
        every = len(self.project.scores(look).queries)
        many = now[look.system][1]
        out = "" if many == every else f" of {every:,} that both have a value for"
        rows = [
            {
                "system": name,
                "now": now[name][0],
                "plain": plain[name][0],
                "other": now[name][1] - many and now[name][1],
            }
            for name in self.project.systems
        ]
        return {"rows": rows, "command": self.project.command(look), "queries": plural(many, "query"), "out": out}

    def flips(self, look: Look) -> dict[str, Any]:
        """Return every flipped decision with the difference it had before, and the way back."""
        backs = [(each, look.but(each.name, each.usual, each.usual)) for each in choices(self.project, look)]
        flipped = [(each, back) for each, back in backs if each.is_flipped]
        return {
            "difference": self._difference(look),
            "direction": self._direction(look),
            "flips": [{"choice": each, "back": back, "before": self._difference(back)} for each, back in flipped],
        }

    def _direction(self, look: Look) -> str:
        return str(self.project.scores(look).measures[0].definition.properties.direction)

    def _means(self, look: Look) -> dict[str, tuple[float, int]]:
        """Return the mean of every system with how many queries it is of: of the two compared, those of both."""
        scores = self.project.scores(look)
        counts = np.count_nonzero(~np.isnan(scores.values[:, 0]), axis=1).tolist()
        own = {name: float(means[0]) for name, means in zip(scores.systems, scores.all_means, strict=True)}
        found = {name: (own[name], counts[s]) for s, name in enumerate(scores.systems)}
        if scores.answers.texts.get("average", "arithmetic") != "arithmetic":  # of these there is no comparison
            return found
        pair = [scores.systems.index(name) for name in (look.baseline, look.system)]
        both = ~np.isnan(scores.values[pair, 0]).any(axis=0)
        weights = None if scores.weights is None else scores.weights[both]
        for s in pair:
            values = scores.values[s, 0, both]
            found[scores.systems[s]] = (make_sample(values, weights).mean if len(values) else np.nan, len(values))
        return found

    def _difference(self, look: Look) -> float:
        """Return the mean difference over the queries that both systems have a value for, as the card has it."""
        means = self._means(look)
        return means[look.system][0] - means[look.baseline][0]

    def card(self, request: Request, look: Look) -> dict[str, Any]:
        """Return the card and the queries that lose; or why there is none, as of medians there is no comparison."""
        try:
            comparison = self.frame.comparison(request, look)
        except IncomparableError as error:
            return {"why": str(error)}
        losses = comparison.losses(SHOWN).rows()
        return {"report": Sections(comparison), "losses": losses, "direction": self._direction(look), "why": ""}

    def decisions(self, look: Look) -> dict[str, Any]:
        """Return the decisions that matter here, and all others."""
        matter = moving(self.project, look)
        names = {each.name for each in matter}
        rest = [each for each in choices(self.project, look) if each.name not in names]
        return {"matter": matter, "rest": rest}

    def next(self, look: Look) -> dict[str, Any]:
        """Return the results whose grades would move the verdict most."""
        try:
            found = self.project.label_next(look, 0)
        except UsageError as error:  # a measure without labels by document
            return {"rows": [], "left": 0, "why": str(error)}
        return {"rows": found.rows.rows()[:SHOWN], "left": found.left, "why": ""}

    def card_part(self, request: Request) -> Response:
        """Answer with the card alone."""
        look = self.frame.look(request)
        return self.frame.show(request, "parts/card.html", {"look": look, "card": self.card(request, look)})

    def more_part(self, request: Request) -> Response:
        """Answer with what stands below the card."""
        look = self.frame.look(request)
        return self.frame.show(request, "parts/more.html", {"look": look, "card": self.card(request, look)})

    def flips_part(self, request: Request) -> Response:
        """Answer with the flipped decisions alone."""
        look = self.frame.look(request)
        return self.frame.show(request, "parts/flips.html", {"look": look, "flipped": self.flips(look)})

    def decisions_part(self, request: Request) -> Response:
        """Answer with the decisions alone."""
        look = self.frame.look(request)
        return self.frame.show(request, "parts/decisions.html", {"look": look, "decisions": self.decisions(look)})

    def next_part(self, request: Request) -> Response:
        """Answer with what to grade alone."""
        look = self.frame.look(request)
        return self.frame.show(request, "parts/next.html", {"look": look, "next": self.next(look)})
