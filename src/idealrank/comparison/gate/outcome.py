"""Gate: what came of all conditions, the exit code, and the evidence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.exports import WORST, evidence_rows, losses_markdown
from idealrank.comparison.gate.chance import chance_lines
from idealrank.comparison.gate.finding import CANT_TELL, FAILED, PASSED, Finding
from idealrank.comparison.headline import mostly_unjudged
from idealrank.comparison.moves import losses_grid, losses_text, losses_with_moves
from idealrank.display.blocks import Block, Grid, Lines
from idealrank.display.document import Shown
from idealrank.display.grid import Column
from idealrank.display.junit import Case, junit
from idealrank.display.markdown import bullets, columns_markdown, plain
from idealrank.display.table import Table
from idealrank.evaluation.in_brief import no_judgments
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from idealrank.evaluation.scores import Scores

CODES = {PASSED: 0, FAILED: 1, CANT_TELL: 4}
"""The exit code of each outcome."""

SHOWN = 5
"""Queries that lose most, shown in brief."""


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Shown):
    """What came of the conditions of a gate.

    Attributes
    ----------
    findings
        What came of each condition.
    scores
        The evaluation; the newcomer is the last of its systems.
    comparison
        The newcomer against the baseline under the measures that may not drop; None without a baseline.
    strict
        Whether a condition that can't be told is a separate outcome.
    alpha
        What `idealrank.gate` was given; without it, how often a drop fails by chance is said.
    """

    _instead: ClassVar[dict[str, str]] = {
        "to_pandas": "gate.table.to_pandas()",
        "exit_code": "gate.code",
        "verdict": "gate.outcome",
    }

    findings: tuple[Finding, ...]
    scores: Scores
    comparison: Comparison | None
    strict: bool = False
    alpha: float | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be read before the outcome: what is odd about the results, what the ledger warns of.

        And how much nobody judged, if that is more than a fifth and no condition is about it.
        """
        told = self.scores.ledger.row_order  # said by the gate itself
        every = self.scores.ledger.warnings if self.comparison is None else self.comparison.warnings
        return (*(text for text in every if text not in told), *self._unjudged())

    def _unjudged(self) -> list[str]:
        """Say how much of what came back was never judged, unless a condition says it."""
        if any(finding.kind == "unjudged" for finding in self.findings):
            return []
        depth = self.scores.measures[0].cutoff or 10
        mostly = mostly_unjudged(unjudged_share(self.scores, range(len(self.scores.systems)), depth))
        return [f"{mostly}, so these numbers may be far off."] if mostly else []

    @property
    def notes(self) -> tuple[str, ...]:
        """Which queries that were returned nobody judged, and what became of them; none where there are none."""
        return tuple(f"{text}." for text in no_judgments(self.scores))

    @property
    def outcome(self) -> str:
        """``failed`` if a condition failed; ``can't tell`` if one hangs on failed searches or, if `strict`, on chance.

        Else ``passed``.
        """
        if any(finding.outcome == FAILED for finding in self.findings):
            return FAILED
        untold = [finding for finding in self.findings if finding.outcome == CANT_TELL]
        return CANT_TELL if any(self.strict or finding.failed for finding in untold) else PASSED

    @property
    def passed(self) -> bool:
        """Whether the outcome is ``passed``."""
        return self.outcome == PASSED

    @property
    def code(self) -> int:
        """The exit code: 0 passed, 1 failed, 4 can't tell."""
        return CODES[self.outcome]

    @property
    def sentence(self) -> str:
        """The outcome, and how many conditions came out how."""
        counts = {word: sum(finding.outcome == word for finding in self.findings) for word in CODES}
        return f"{self.outcome} ({', '.join(f'{count} {word}' for word, count in counts.items() if count)})"

    @property
    def table(self) -> Table:
        """One row per condition: outcome, value, limit, interval, what was found, and what its measure means."""
        columns: dict[str, Any] = {name: [getattr(f, name) for f in self.findings] for name in _TEXTS}
        columns |= {name: np.array([getattr(f, name) for f in self.findings], np.float64) for name in _NUMBERS}
        columns |= {"sentence": [f.sentence for f in self.findings]}
        return Table(columns, "gate", {"fingerprint": [self._fingerprint(f) for f in self.findings]})

    def _fingerprint(self, finding: Finding) -> str:
        return self.scores.measures[self.scores.place_of(finding.measure)].fingerprint if finding.measure else ""

    def worst(self, n: int = 10, measure: str | None = None) -> Table | None:
        """Return the n queries that lose most, with their rank moves; None without a baseline.

        Parameters
        ----------
        measure
            One of the measures that may not drop; None: the first.
        """
        return None if self.comparison is None else losses_with_moves(self.comparison, n, measure)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        worst = self.worst()
        return {
            "outcome": self.outcome,
            "code": self.code,
            "warnings": list(self.warnings),
            "strict": self.strict,
            "conditions": [finding.to_dict() for finding in self.findings],
            "worst": None if worst is None else worst.rows(fingerprints=True),
            "scores": self.scores.to_dict(),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
        }

    def to_json(self) -> str:
        """Return everything as JSON in full precision."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def shown(self) -> list[Block]:
        """Return the outcome, what came of every condition, how often by chance, and the queries that lose most."""
        rows = [(finding.outcome, finding.sentence) for finding in self.findings]
        worst = self.worst()
        losses = [losses_grid(worst)] if worst is not None and len(worst) else []
        told = [*self._noted(), *rows, *self._chance(), *self._order()]
        return [
            *self._warned(),
            Lines([("gate", self.sentence)], indent=5, leads=True),
            Lines(told, indent=12),
            *losses,
        ]

    def _warned(self) -> list[Block]:
        return [Lines([("warning", text) for text in self.warnings], indent=12, leads=True)] if self.warnings else []

    def _noted(self) -> list[tuple[str, str]]:
        return [("note", text) for text in self.notes]

    def brief(self) -> list[Block]:
        """Return the outcome, the conditions, and the few queries that lose most, without their lists."""
        return [block.first(SHOWN) if isinstance(block, Grid) else block for block in self.shown()]

    def _order(self) -> list[tuple[str, str]]:
        """Say whose rows are ranked as they stand."""
        return [("order", text) for text in self.scores.ledger.row_order]

    def _chance(self) -> list[tuple[str, str]]:
        """Say how often drops fail by chance, where their means alone decide."""
        if self.comparison is None or self.alpha is not None:
            return []
        return chance_lines(self.comparison.pairing, self.findings)

    def account(self) -> list[Block]:
        """Return the notes below them: the methods, the decisions and the ledger."""
        if self.comparison is None:
            return self.scores.account()
        return [Lines([("methods", self.comparison.methods.text)]), *self.scores.account()]

    def to_markdown(self) -> str:
        """Return a page for a pull request: the conditions, and the ten worst queries with their rank moves."""
        conditions = [
            Column("outcome", [f.outcome for f in self.findings], numeric=False),
            Column("condition", [f.condition for f in self.findings], numeric=False),
            Column("found", [f.sentence for f in self.findings], numeric=False),
        ]
        warned = [f"> **Warning:** {plain(text)}" for text in self.warnings]
        warned += [f"> {plain(text)}" for text in self.notes]
        parts = [f"## Gate {plain(self.sentence)}", *warned, columns_markdown(conditions)]
        worst, comparison = self.worst(WORST), self.comparison
        if worst is None or comparison is None:
            return "\n\n".join([*parts, bullets([("decisions", self.scores.answers.line)])]) + "\n"
        losses = losses_markdown(worst, comparison, comparison.systems[-1])
        said = "; ".join(text for _, text in self._chance())
        chance = [("by chance", said)] if said else []
        return "\n\n".join([*parts, *losses, bullets([*chance, *evidence_rows(comparison)])]) + "\n"

    def to_junit(self) -> str:
        """Return JUnit XML, one test case a condition.

        What can't be told is skipped; it is an error where `strict`, or where it hangs on failed searches.
        """
        return junit(
            Case("idealrank gate", f.condition, self._ended(f), f.sentence, self._losses(f)) for f in self.findings
        )

    def _ended(self, finding: Finding) -> str:
        """Return how a condition ended, in JUnit's words."""
        untold = "error" if self.strict or finding.failed else "skipped"
        return {PASSED: "", FAILED: "failure", CANT_TELL: untold}[finding.outcome]

    def _losses(self, finding: Finding) -> str:
        """Name the queries that lose most under the measure of a drop."""
        losses = self.worst(measure=finding.measure) if finding.kind == "drop" else None
        return "" if losses is None else losses_text(losses)


_TEXTS = ("kind", "condition", "measure", "outcome")
_NUMBERS = ("value", "limit", "low", "high")
