"""Past comparisons, scored again after labels or decisions changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from idealrank.display.table import Table
from idealrank.errors import IdealrankError
from idealrank.studio.project import Look, StudioProject
from idealrank.studio.types import RESCORED_ROW


@dataclass(frozen=True)
class Rescored:
    """A comparison that was looked at, as it was then and as it is now.

    Attributes
    ----------
    id, at
        Its number, and when it was looked at.
    look
        What was looked at.
    before, now
        Outcome, difference, interval and number of queries, then and now; nothing now if it cannot be told.
    why
        Why it cannot be told now; "" if it can.
    """

    id: int
    at: str
    look: Look
    before: dict[str, Any]
    now: dict[str, Any]
    why: str = ""

    @property
    def is_flipped(self) -> bool:
        """Whether the verdict is another now."""
        return bool(self.now) and self.now["outcome"] != self.before["outcome"]


def rescore(project: StudioProject, most: int | None = None) -> list[Rescored]:
    """Score every comparison that was looked at again, by the labels and tables of today, the newest first.

    Of one address looked at several times the latest is taken. Answers it named are kept, the convention is today's.

    Parameters
    ----------
    most
        How many, the newest; None: all.
    """
    return [_again(project, *each) for each in looked_at(project)[:most]]


def looked_at(project: StudioProject) -> list[tuple[int, str, Look, dict[str, Any]]]:
    """Return every comparison that was looked at, the newest first: its number, when, what it was, what it found."""
    latest = {}
    for number, at, used, found in project.store.looks():
        look = Look(used["baseline"], used["system"], used["measure"], used["answers"])
        latest[look.address] = (number, at, look, found)
    return sorted(latest.values(), key=lambda each: -each[0])


def _again(project: StudioProject, number: int, at: str, look: Look, before: dict[str, Any]) -> Rescored:
    try:
        now, why = project.found(project.look(look.parameters)), ""
    except IdealrankError as error:
        now, why = {}, str(error)
    return Rescored(number, at, look, before, now, why)


def rescored_table(rows: list[Rescored]) -> Table:
    """Return one row per comparison: what was looked at, outcome and difference then and now."""
    return Table(
        {
            "at": [row.at for row in rows],
            "baseline": [row.look.baseline for row in rows],
            "system": [row.look.system for row in rows],
            "measure": [row.look.measure for row in rows],
            "answers": [" ".join(f"{name}={text}" for name, text in row.look.answers.items()) for row in rows],
            "outcome then": [row.before["outcome"] for row in rows],
            "outcome now": [row.now.get("outcome") or row.why for row in rows],
            "difference then": [float(row.before["difference"]) for row in rows],
            "difference now": [float(row.now.get("difference", "nan")) for row in rows],
            "flipped": ["flipped" if row.is_flipped else "" for row in rows],
        },
        "rescored",
        {},
        RESCORED_ROW,
    )
