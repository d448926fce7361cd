"""Leaderboard: many systems, best first, with the ranks each can have and those that cannot be told from the best."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from idealrank.comparison.board import Board
from idealrank.comparison.board_latex import board_latex
from idealrank.comparison.board_shown import board_columns, board_notes
from idealrank.display.blocks import Block, Folded, Grid, Lines, Small
from idealrank.display.document import Shown
from idealrank.evaluation.footnote import footnote

if TYPE_CHECKING:
    import pandas as pd


class Leaderboard(Board, Shown):  # noqa: D101 - that of its fields is its docstring
    _instead = dict.fromkeys(("summary", "verdict", "winner"), "leaderboard.sentence")

    def shown(self) -> list[Block]:
        """Return the sentence, the board, and the notes below every number."""
        grid = Grid(board_columns(self), self.sentence, stated=self.table.stated)
        notes = Lines([("" if i else "ranks", text) for i, text in enumerate(board_notes(self))])
        warnings = [("warning", text) for text in self.warnings]
        warned: list[Block] = [Lines(warnings, indent=11, leads=True)] if warnings else []
        return [*warned, grid, Small(footnote(self.scores)), Folded([notes, *self.scores.account()])]

    def to_pandas(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame."""
        return self.table.to_pandas()

    def to_csv(self, separator: str = ",") -> str:
        """Return the table as delimited text, as `Table.to_csv`."""
        return self.table.to_csv(separator)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "warnings": list(self.warnings),
            "sentence": self.sentence,
            "best": list(self.best),
            "measure": self.measure,
            "convention": self.scores.setting.text,
            "decisions": self.scores.fingerprints,
            "methods": self.methods.to_dict(),
            "queries": self.queries,
            "left_out": list(self.left_out),
            "neighbours_apart": self.neighbours_apart,
            "doubted_pairs": self.doubted_pairs,
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
