"""One query of a look: its lists side by side, how documents moved, and the arithmetic of its values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from idealrank.evaluation.ledger import ledger
from idealrank.reports.page.markup import fixed as _exact
from idealrank.reports.report import Report
from idealrank.reports.sections.charts import DEPTH
from idealrank.reports.sections.shown_queries import ShownQueries
from idealrank.studio.project import StudioProject
from idealrank.studio.query_table import LookTable, state_words
from idealrank.studio.scale import grade_level

MOST = 100
"""The last rank that can be shown."""
WHOLE = frozenset({"grade", "gain", "relevant", "counts", "frequency"})
"""Columns of the arithmetic that have no decimals where all their values are whole."""


@dataclass(frozen=True)
class Move:
    """What became of a document: kind is up, down, same, new or gone."""

    kind: str
    text: str
    words: str


@dataclass(frozen=True)
class ListItem:
    """A document in a list.

    Attributes
    ----------
    doc
        Its id; None where any document of the grade could be here.
    grade
        None: nobody judged it.
    level
        The shade of the grade, "0" to "4"; "none" where nobody judged.
    ratings
        Who gave which grade, where several did; else "".
    differ
        Whether they gave different ones.
    adds
        What it adds to the value; None where it adds nothing that can be said.
    step
        The search that returned it; None where there is one search.
    begins
        Whether it is the first of its step.
    secret
        Whether its grade is not shown.
    """

    rank: int
    doc: str | None
    title: str | None
    url: str | None
    picture: str | None
    grade: float | None
    level: str
    ratings: str
    adds: float | None
    step: int | None
    differ: bool = False
    begins: bool = False
    secret: bool = False
    move: Move | None = None


@dataclass(frozen=True)
class ShownList:
    """A list as a page shows it.

    Attributes
    ----------
    system
        None: the ideal list.
    value
        The value of the measure.
    hidden
        How many results more there are.
    absent
        Why it is empty; "" if it is not.
    """

    title: str
    system: str | None
    items: list[ListItem]
    value: float | None
    hidden: int = 0
    absent: str = ""


@dataclass(frozen=True)
class Sum:
    """The arithmetic of one list: its head, its rows of texts, and what is said below."""

    title: str
    value: float | None
    head: list[str]
    rows: list[list[Any]]
    feet: list[str]


class QueryLists:
    """The lists of one query.

    Parameters
    ----------
    project
        Knows the documents.
    table
        The look.
    place
        The place of the query.
    sides
        The systems whose lists stand side by side.
    depth
        The last rank shown.
    pictures
        Whether pictures of documents may be loaded from the web.
    hidden
        The documents whose grade is not shown: somebody else gave it here, and who looks has not given theirs yet.
    """

    def __init__(
        self, project: StudioProject, table: LookTable, place: int, sides: Sequence[str], depth: int = DEPTH,
        pictures: bool = False, hidden: Collection[str] = (),
    ) -> None:  # fmt: skip
        scores = table.scores
        self.table, self.place, self.sides, self.hidden = table, place, list(sides), hidden
        mask = np.zeros(len(scores.queries), np.bool_)
        mask[place] = True
        chosen = ShownQueries(scores, np.array([place]), scores, mask)
        # What the report says of a query, of this one alone.
        report = Report(scores, titles=project.documents(), depth=depth, pictures=pictures, chosen=chosen)
        self.depth = depth
        self._lists, self._sums, self._documents = report.lists, report.explanations[table.label], report.documents
        self._ratings = dict(self._rated())
        self._disputed = table.disputes.get(scores.queries[place], set())
        self._top = max([1.0, *(grade for grade, _ in project.scale), *filter(None, self._grades())])

    def _grades(self) -> Iterator[float | None]:
        yield from self._lists["best"]["grade"]
        for each in self._lists["systems"].values():
            yield from each["grade"]

    def _rated(self) -> Iterator[tuple[int | None, str]]:
        """Yield who gave which grade to a document, by its code, where several did."""
        for each in [*self._lists["systems"].values(), self._lists["best"]] if "ratings" in self._lists else []:
            for code, rating in zip(each["document"], each["ratings"], strict=True):
                if rating is not None:
                    yield code, self._lists["ratings"][rating]

    # Side by side.

    @property
    def lists(self) -> list[ShownList]:
        """The lists of the systems, and the ideal one."""
        of_systems = [self._list_of(system) for system in self.sides]
        failed = [each.absent == FAILED for each in of_systems]
        if len(of_systems) > 1 and not any(failed):  # a failed search lost no document
            left, right = ({item.doc: item.rank for item in each.items} for each in of_systems)
            of_systems[0] = _with_moves(of_systems[0], right, before=True)
            of_systems[1] = _with_moves(of_systems[1], left, before=False)
        return [*of_systems, self._ideal]

    def _list_of(self, system: str) -> ShownList:
        list_, sums = self._lists["systems"][system], self._sums["systems"][system]
        items = self._items(list_, sums["contribution"])
        absent = "" if items else FAILED if self._has_failed(system) else "no results"
        returned = int(list_["returned"][0])
        return ShownList(system, system, items, self._value(system), returned - len(items), absent)

    def _has_failed(self, system: str) -> bool:
        return self._special.get(system, {}).get("state") == ledger.FAILED

    @property
    def _ideal(self) -> ShownList:
        if not self._ideals:
            items = self._items(self._lists["best"], None)
            return ShownList("judged best", None, items, None, 0, "" if items else "nothing judged")
        title, found = next(reversed(self._ideals.items()))
        if self.hidden:  # the place of a document in it tells its grade
            return ShownList(title, None, [], None, 0, "shown when you have graded what others have")
        items = self._items(found, found["contribution"])
        return ShownList(title, None, items, None, 0, "" if items else "nothing judged")

    @property
    def _ideals(self) -> dict[str, Any]:
        """The ideal lists by title: one of all systems, or one of each where each has its own."""
        ideal = self._sums["ideal"]
        if not ideal:
            return {}
        if "" in ideal:
            return {"ideal list": ideal[""]}
        return {f"ideal list of {system}": ideal[system] for system in self.sides}

    def _items(self, list_: Mapping[str, Any], adds: Sequence[float | None] | None) -> list[ListItem]:
        found: list[ListItem] = []
        for at, code in enumerate(list_["document"]):
            step = list_["step"][at] if "step" in list_ else None
            doc = None if code is None else self._documents["id"][code]
            secret = doc in self.hidden
            grade = None if secret else list_["grade"][at]
            found.append(
                ListItem(
                    rank=int(list_["rank"][at]) if "rank" in list_ else at + 1,
                    doc=doc,
                    title=self._about("title", code), url=self._about("url", code),
                    picture=self._about("picture", code), grade=grade, level=self.level(grade),
                    ratings="" if secret else self._ratings.get(code, ""), differ=doc in self._disputed and not secret,
                    adds=None if adds is None or secret else adds[at], step=step, secret=secret,
                    begins=step is not None and (not found or found[-1].step != step),
                )
            )  # fmt: skip
        return found

    def _about(self, what: str, code: int | None) -> str | None:
        known: Any = self._documents[what]  # type: ignore[literal-required]
        return None if code is None or known is None else known[code]

    def level(self, grade: float | None) -> str:
        """Return the shade of a grade: "0" to "4", "none" where nobody judged."""
        return "none" if grade is None else str(grade_level(grade, self._top))

    def _value(self, system: str) -> float | None:
        value = self.table.values[self.table.scores.systems.index(system), self.place]
        return None if np.isnan(value) else float(value)

    # Arithmetic.

    @property
    def sums(self) -> list[Sum]:
        """The arithmetic of each system's value, then that of the ideal list."""
        of_systems = {system: self._steps_of(system) for system in self.sides}
        ideals = {
            title: {**found, "columns": {"gain": found["gain"], "discount": found["discount"]}}
            for title, found in self._ideals.items()
        }
        broken = {name for steps in [*of_systems.values(), *ideals.values()] for name in WHOLE & _fractions(steps)}
        sums = [
            self._sum(name, self._value(name), steps, broken, self._feet(name)) for name, steps in of_systems.items()
        ]
        return sums + [
            self._sum(name, None, steps, broken, self._foot_of_ideal(steps)) for name, steps in ideals.items()
        ]

    def _steps_of(self, system: str) -> dict[str, Any]:
        found = self._sums["systems"][system]
        contribution = None if self._sums["unsplit"] else found["contribution"]
        return {**self._lists["systems"][system], "columns": found["columns"], "contribution": contribution}

    def _sum(self, title: str, value: float | None, steps: Mapping[str, Any], broken: set[str], feet: list[str]) -> Sum:
        columns = {"grade": steps["grade"], **steps["columns"]}
        texts = [_cells(values, name in WHOLE and name not in broken) for name, values in columns.items()]
        head = ["rank", "document", *columns]
        if steps["contribution"] is not None:
            running = np.cumsum([each or 0.0 for each in steps["contribution"]]).tolist()
            texts += [_cells(steps["contribution"]), _cells(running)]
            head += ["contribution", "running"]
        ranks = steps.get("rank") or range(1, len(steps["document"]) + 1)
        rows = [
            [int(rank), "–" if code is None else self._documents["id"][code], *(column[at] for column in texts)]
            for at, (rank, code) in enumerate(zip(ranks, steps["document"], strict=True))
        ]
        return Sum(title, value, head, rows, feet)

    def _feet(self, system: str) -> list[str]:
        """Say what stands below the steps: the special handling, what is not shown, the quotient."""
        found, value = self._sums["systems"][system], self._value(system)
        state = self._state(system)
        notes = [f"Special handling: {state}."] if state else []
        if self._sums["unsplit"]:
            return [*notes, f"The score is not a sum over results: {self._sums['unsplit']}."]
        if found["rest"][0]:
            notes.append(f"Results below rank {self.depth} add {_exact(found['rest'][0])}.")
        if value is not None:
            notes.append(_quotient(found["total"][0], found["normaliser"][0], value, state))
        return notes

    def _foot_of_ideal(self, steps: Mapping[str, Any]) -> list[str]:
        rest = steps["rest"][0]
        return [f"Below rank {self.depth} it adds {_exact(rest)}."] if rest else []

    def special(self, system: str) -> str:
        """Return what was not simply computed for a system, in words; "" for nothing."""
        row = self._special.get(system)
        return "" if row is None else state_words(row[self.table.label], row["state"])

    def _state(self, system: str) -> str:
        """Return what answered for a system, as NAME=ANSWER; "" if its value was computed."""
        state = str(self._special.get(system, {}).get(self.table.label, ledger.COMPUTED))
        return "" if state == ledger.COMPUTED else state

    @cached_property
    def _special(self) -> dict[str, dict[str, Any]]:
        return {row["system"]: row for row in self.table.scores.ledger.at(np.array([self.place])).exceptions}


FAILED = "search failed"


def _with_moves(list_: ShownList, other: Mapping[str | None, int], *, before: bool) -> ShownList:
    items = [ListItem(**{**vars(item), "move": _move(item, other.get(item.doc), before)}) for item in list_.items]
    return ShownList(**{**vars(list_), "items": items})


def _move(item: ListItem, other: int | None, before: bool) -> Move | None:
    """Say how a document moved, by glyph and number for the eye, and by words for the ear; once, in the right list."""
    if other is None:
        words = "gone from the right list" if before else "new in the right list"
        return Move("gone", "gone", words) if before else Move("new", "new", words)
    if before:
        return None
    step = other - item.rank
    if step == 0:
        return Move("same", "=", f"rank {item.rank} in both lists")
    kind, glyph = ("up", "▲") if step > 0 else ("down", "▼")
    return Move(kind, f"{glyph}{abs(step)}", f"{kind} from rank {other}")


def _fractions(steps: Mapping[str, Any]) -> set[str]:
    """Return the columns that have a value with decimals."""
    columns = {"grade": steps["grade"], **steps["columns"]}
    return {name for name, values in columns.items() if any(value is not None and value % 1 for value in values)}


def _cells(values: Sequence[float | None], whole: bool = False) -> list[str]:
    return [f"{value:g}" if whole and value is not None else _exact(value) for value in values]


def _quotient(total: float | None, normaliser: float | None, value: float, state: str) -> str:
    ratio = f"contributions {_exact(total)} / {_exact(normaliser)}"
    if total is None or not normaliser or normaliser <= 0:
        return f"{ratio}: answered by {state.split('=')[0] or 'no_relevant'} with {_exact(value)}"
    text = _exact(total / normaliser)
    return f"{ratio} = {text}" if text == _exact(value) else f"{ratio} = {text}, rounded to {_exact(value)}"
