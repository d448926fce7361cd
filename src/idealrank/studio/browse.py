"""Browse: the table of queries, and one query with its lists side by side."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from idealrank.errors import UsageError
from idealrank.reports.sections.charts import DEPTH
from idealrank.studio.frame import Frame, whole_number
from idealrank.studio.joined import RESOLVER
from idealrank.studio.pages import address
from idealrank.studio.project import Look
from idealrank.studio.query_lists import MOST, QueryLists
from idealrank.studio.query_table import Column, Filter, LookTable, query_table
from idealrank.studio.scale import grade_keys

WINDOW = 100
"""Rows of a page without script, and of a window that the script asks for."""
SWITCHES = {"": "all", "loss": "losses", "gain": "gains", "disputed": "raters differ", "unjudged": "unjudged"}
"""What one can go through query by query."""


class Browse:
    """The table of queries, and the page of one."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.project = frame, frame.project

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/queries", self.queries),
            Route("/queries/rows", self.rows),
            Route("/query", self.query),
            Route("/query/verdict", self.verdict),
        ]

    # The table.

    def queries(self, request: Request) -> Response:
        """Show the queries that a filter keeps, in its order."""
        if not self.project.is_ready:
            return RedirectResponse("/project", 303)
        look, asked = self.frame.look(request), Filter.of(request.query_params)
        table = query_table(self.project, look)
        order, where = table.order(asked), _where(look, asked)
        start = max(0, min(_number(request, "start", 0), len(order) - 1))
        at = _row_of(order, table.place_of.get(request.query_params.get("at", ""), -1))
        first = (start if at is None else at) // WINDOW * WINDOW
        column, descending = table.sorted_by(asked)
        pages = {
            "previous": max(0, first - WINDOW) if first > 0 else None,
            "next": first + WINDOW if first + WINDOW < len(order) else None,
        }
        values = {
            "look": look, "asked": asked, "table": table, "count": len(order), "begin": start if at is None else at,
            "at": at, "sorted": column.key, "descending": descending, "pages": pages, "window": WINDOW,
            "heads": [(each, *_sorting(each, column, descending)) for each in table.columns(asked.everything)],
            "best": self._best(look), "measure": table.label, "where": where,
        }  # fmt: skip
        return self.frame.show(request, "queries.html", values | self._rows(table, asked, look, first, WINDOW))

    def rows(self, request: Request) -> Response:
        """Answer with a window of rows alone."""
        look, asked = self.frame.look(request), Filter.of(request.query_params)
        start, count = _number(request, "start", 0), min(WINDOW, _number(request, "count", WINDOW))
        found = self._rows(query_table(self.project, look), asked, look, start, count)
        return self.frame.show(request, "parts/query_rows.html", {"look": look, "asked": asked, "at": None, **found})

    def _rows(self, table: LookTable, asked: Filter, look: Look, start: int, count: int) -> dict[str, Any]:
        places = table.order(asked)[start : start + count]
        return {
            "first": start,
            "places": places.tolist(),
            "columns": table.columns(asked.everything),
            "states": table.states(places),
            "ids": table.scores.queries,
            "direction": table.direction,
            "link": address("/query", _where(look, asked)),
        }

    def _best(self, look: Look) -> tuple[str, str] | None:
        """Return the runner-up and the leader of several systems, unless they are what is looked at."""
        scores = self.project.scores(look)
        if len(scores.systems) < 3:
            return None
        sign = 1 if scores.measures[0].definition.properties.direction == "lower" else -1
        means = {name: sign * of[0] for name, of in zip(scores.systems, scores.all_means, strict=True)}
        leader, second = sorted(means, key=lambda name: means[name])[:2]
        return None if (second, leader) == (look.baseline, look.system) else (second, leader)

    # One query.

    def query(self, request: Request) -> Response:
        """Show a query: its values, its lists side by side, the arithmetic."""
        if not self.project.is_ready:
            return RedirectResponse("/project", 303)
        look, asked = self.frame.look(request), Filter.of(request.query_params)
        table = query_table(self.project, look)
        order = table.order(asked)
        wanted = request.query_params.get("q", "")
        if not wanted:
            if not len(order):
                return self._missed(request, look, asked, "No query is among these", "Choose others in the table.")
            wanted = table.scores.queries[order[0]]
        place = table.place_of.get(wanted)
        if place is None:
            return self._unknown(request, look, asked, table, wanted)
        sides, depth = self._sides(request, look), max(1, min(MOST, _number(request, "depth", DEPTH)))
        usual = {"left": look.baseline, "right": look.system, "depth": DEPTH}
        asked_lists = {"left": sides[0], "right": sides[1], "depth": depth}
        where = _where(look, asked)
        around = where | {name: value for name, value in asked_lists.items() if value != usual[name]}
        here = address("/query", around, q=wanted)
        row, rater = _row_of(order, place), self.frame.rater(request)
        values = {
            "look": look, "asked": asked, "where": where, "around": around, "here": here, "table": table,
            "place": place, "id": wanted, "title": table.known.titles[place], "sides": sides,
            "depth": depth, "most": MOST,
            "lists": QueryLists(
                self.project, table, place, sides, depth, self.frame.pictures(), self._hidden_from(rater, wanted)
            ),
            "row": row, "count": len(order), **_neighbours(table, order, row),
            "switches": self._switches(table, asked, place, around),
            "systems": list(dict.fromkeys([look.baseline, look.system, *self.project.systems])),
            "facts": [(column.title, value) for column in table.known.columns
                      if (value := column.values[place]) not in (None, "") and value == value],
            "means": {name: of[0] for name, of in zip(table.scores.systems, table.scores.all_means, strict=True)},
            "verdict": self._verdict(request, look) if self.project.has_comparison(look) else None,
            "scale": [(each.key, each.grade, each.word) for each in grade_keys(self.project.scale)],
            "mine": self._ratings_of(rater, wanted),
            "token": lambda: secrets.token_urlsafe(12),
        }  # fmt: skip
        return self.frame.show(request, "query.html", values)

    def _ratings_of(self, rater: str, query: str) -> dict[str, Any]:
        """Return what a rater said of the documents of a query, by document."""
        return {one.doc: one for one in self.project.store.ratings(rater, query)} if rater else {}

    def _hidden_from(self, rater: str, query: str) -> set[str]:
        """Return the documents that only others graded here: nobody sees another's grade before giving their own."""
        if not rater:
            return set()
        ratings = self.project.store.ratings(None, query)
        return {one.doc for one in ratings} - {one.doc for one in ratings if one.rater in (rater, RESOLVER)}

    def _sides(self, request: Request, look: Look) -> list[str]:
        """Return the two systems whose lists stand side by side."""
        usual = {"left": look.baseline, "right": look.system}
        given = [request.query_params.get(side) or name for side, name in usual.items()]
        return [name if name in self.project.systems else usual[side] for side, name in zip(usual, given, strict=True)]

    def _switches(self, table: LookTable, asked: Filter, place: int, around: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return what else one can go through, how many queries that is, and where it begins."""
        found = []
        for outcome, words in SWITCHES.items():
            places = table.order(replace(asked, outcome=outcome))
            first = place if place in places else (int(places[0]) if len(places) else None)
            there = {**around, "outcome": outcome}
            to = None if first is None else address("/query", there, q=table.scores.queries[first])
            found.append({"words": words, "count": len(places), "to": to, "now": outcome == asked.outcome})
        return found

    def _unknown(self, request: Request, look: Look, asked: Filter, table: LookTable, wanted: str) -> Response:
        """Say that a query is not judged, or not there at all."""
        scores = table.scores
        if any(wanted in scores.unjudged_queries(s, everything=True) for s in range(len(scores.systems))):
            what = "It was returned, but nobody judged a result of it: it has no value, and no mean counts it."
            return self._missed(request, look, asked, f"Nobody judged “{wanted}”", what)
        what = "Neither the judgments nor the results have it. Look for it in the table: ids and texts are found there."
        return self._missed(request, look, asked, f"There is no query “{wanted}”", what, 404)

    def _missed(
        self, request: Request, look: Look, asked: Filter, title: str, what: str, status: int = 200
    ) -> Response:
        values = {"look": look, "where": _where(look, asked), "title": title, "what": what}
        return self.frame.show(request, "no_query.html", values, status)

    def verdict(self, request: Request) -> Response:
        """Answer with the verdict alone, in one line."""
        look = self.frame.look(request)
        return self.frame.show(
            request, "parts/verdict_line.html", {"look": look, "verdict": self._verdict(request, look)}
        )

    def _verdict(self, request: Request, look: Look) -> dict[str, Any]:
        comparison = self.frame.comparison(request, look)
        first = comparison[look.measure]
        return {
            "outcome": comparison.verdict.outcome,
            "difference": first.difference, "low": first.corrected.low, "high": first.corrected.high,
            "direction": comparison.scores.measures[0].definition.properties.direction,
        }  # fmt: skip


def _where(look: Look, asked: Filter) -> dict[str, str]:
    """Return a look and a filter as parameters of an address."""
    return {**look.parameters, **asked.parameters}


def _number(request: Request, name: str, usual: int) -> int:
    """Read a whole number from 0 up.

    Raises
    ------
    UsageError
        If it is none.
    """
    text = request.query_params.get(name, "")
    if not text:
        return usual
    number = whole_number(text)
    if number is None:
        raise UsageError(f"{name}={text!r} is no whole number from 0 up.")
    return number


def _row_of(order: Any, place: int) -> int | None:
    """Return the row of a query in an order; None where the filter leaves it out."""
    found = (order == place).nonzero()[0]
    return int(found[0]) if len(found) else None


def _neighbours(table: LookTable, order: Any, row: int | None) -> dict[str, str | None]:
    """Return the ids of the queries before and after; of one that the filter leaves out, the first comes next."""
    ids = table.scores.queries
    if row is None:
        return {"previous": None, "next": ids[order[0]] if len(order) else None}
    return {
        "previous": ids[order[row - 1]] if row else None,
        "next": ids[order[row + 1]] if row + 1 < len(order) else None,
    }


def _sorting(column: Column, by: Column, descending: bool) -> tuple[str, str]:
    """Return how the table is sorted by a column now, and what its heading asks for: the other way round, or up."""
    if column.key != by.key:
        return "none", column.key
    return ("descending", column.key) if descending else ("ascending", f"-{column.key}")
