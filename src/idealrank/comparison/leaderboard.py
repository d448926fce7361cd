"""Leaderboard: many systems, best first, with the ranks each can have and those that cannot be told from the best."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from idealrank.comparison.board_latex import board_latex
from idealrank.comparison.board_shown import board_columns, board_notes
from idealrank.comparison.methods import SIMULTANEOUS, Methods
from idealrank.display.amounts import amount, apart, decimals, percent
from idealrank.display.blocks import Block, Folded, Grid, Lines, Small
from idealrank.display.document import Shown
from idealrank.display.table import Table
from idealrank.evaluation.footnote import footnote
from idealrank.evaluation.scores import Scores

if TYPE_CHECKING:
    import pandas as pd

NAMED = 3
"""Systems of the best group that the sentence names; of more it says how many."""


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Shown):
    """Many systems, best first.

    Attributes
    ----------
    scores
        The evaluation behind it.
    methods
        How the intervals were made.
    table
        One row per system: ``rank``; the ``best rank`` and ``worst rank`` it can have, all ranks together at the level;
        ``mean`` with its own interval, ``low`` to ``high``; the means of the other measures; the share of the results
        that is ``unjudged``; the ``difference`` from the first system with its simultaneous interval, ``corrected
        low`` to ``corrected high``.
    queries
        Number of queries that every system has a value for: means and ranks are over these.
    left_out
        Queries that some systems have a value for, and others none.
    neighbours_apart
        Of how many systems that follow each other it is known which is better.
    """

    _instead = dict.fromkeys(("summary", "verdict", "winner"), "leaderboard.sentence")

    scores: Scores
    methods: Methods
    table: Table
    queries: int
    left_out: tuple[str, ...]
    neighbours_apart: int

    @property
    def measure(self) -> str:
        """The measure that ranks."""
        return self.scores.labels[0]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.table["system"])

    @property
    def best(self) -> tuple[str, ...]:
        """The systems that no other is surely better than: those that can have rank 1."""
        rows = zip(self.table["system"], self.table["best rank"], strict=True)
        return tuple(system for system, rank in rows if rank == 1)

    @property
    def sentence(self) -> str:
        """Who is ahead, who cannot be told from it, and how many are worse."""
        others = [system for system in self.best if system != self.systems[0]]
        worse = len(self.systems) - len(self.best)
        if not others:
            return f"{self._ahead}; {_worse(worse)}."
        alike = f"{_named(others)} cannot be told from it"
        if not worse:
            none = f"none of the {len(others)} other systems can be told from it"
            return f"{self._ahead}, but {none if len(others) > NAMED else alike}."
        return f"{self._ahead}; {alike}; {_worse(worse)}."

    @property
    def _ahead(self) -> str:
        first, second = self.table[0], self.table[1]
        size = abs(first["mean"] - second["mean"])
        digits = max(3, decimals(size))
        mean, behind = amount(first["mean"], digits), apart(second["mean"], first["mean"], digits)
        if second["rank"] == 1:
            return f"{first['system']} and {second['system']} lead with the same {self.measure} ({mean})"
        by = amount(size, digits)
        return f"{first['system']} is ahead by {by} ({self.measure} {mean}, then {second['system']} {behind})"

    @property
    def method(self) -> str:
        """What the rank intervals are, and by which method."""
        level, together = percent(self.methods.level), self.methods.correction in (*SIMULTANEOUS, "holm")
        held = f"all true ranks are in these intervals with {level} confidence" if together else _ONE_BY_ONE
        how = _METHODS.get(self.methods.correction, f"the corrected intervals of all pairs ({self.methods.correction})")
        return f"{held[0].upper()}{held[1:]}: a rank counts the systems that are surely better, by {how}"

    def shown(self) -> list[Block]:
        """Return the sentence, the board, and the notes below every number."""
        grid = Grid(board_columns(self), self.sentence, stated=self.table.stated)
        notes = Lines([("" if i else "ranks", text) for i, text in enumerate(board_notes(self))])
        return [grid, Small(footnote(self.scores)), Folded([notes, *self.scores.account()])]

    def to_pandas(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame."""
        return self.table.to_pandas()

    def to_csv(self, separator: str = ",") -> str:
        """Return the table as delimited text, as `Table.to_csv`."""
        return self.table.to_csv(separator)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "sentence": self.sentence,
            "best": list(self.best),
            "measure": self.measure,
            "convention": self.scores.setting.text,
            "decisions": self.scores.fingerprints,
            "methods": self.methods.to_dict(),
            "queries": self.queries,
            "left_out": list(self.left_out),
            "neighbours_apart": self.neighbours_apart,
            "systems": self.table.rows(fingerprints=True),
            "notes": board_notes(self),
            "ledger": self.scores.ledger.to_dict(),
        }

    def to_json(self) -> str:
        """Return everything as JSON in full precision."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def to_latex(self) -> str:
        """Return a table as papers print it: ranks, means with intervals, in bold those that may be the best."""
        return board_latex(self)


_ONE_BY_ONE = "each comparison is right at the level by itself, not all ranks together"
_METHODS = {
    "max_t": "simultaneous intervals of all pairs (largest |t| under sign flips)",
    "tukey": "simultaneous intervals of all pairs (randomised Tukey HSD)",
}


def _named(systems: list[str]) -> str:
    """Name systems, the first few of many."""
    if len(systems) > NAMED + 1:
        return f"{', '.join(systems[:NAMED])} and {len(systems) - NAMED} more"
    return " and ".join(filter(None, (", ".join(systems[:-1]), systems[-1])))


def _worse(count: int) -> str:
    return "the other system is worse" if count == 1 else f"the other {count:,} systems are worse"
