"""Gate: what came of all conditions, the exit code, and the evidence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.gate.finding import CANT_TELL, FAILED, PASSED, Finding
from idealrank.comparison.moves import losses_with_moves
from idealrank.display.table import Table
from idealrank.evaluation.scores import Scores

CODES = {PASSED: 0, FAILED: 1, CANT_TELL: 4}
"""The exit code of each outcome."""


@dataclass(frozen=True, eq=False, repr=False)
class Gate:
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
        Whether a condition nobody can tell is an outcome of its own.
    """

    findings: tuple[Finding, ...]
    scores: Scores
    comparison: Comparison | None
    strict: bool = False

    @property
    def outcome(self) -> str:
        """``failed`` if a condition failed; ``can't tell`` if `strict` and one can't be told; else ``passed``."""
        outcomes = {finding.outcome for finding in self.findings}
        if FAILED in outcomes:
            return FAILED
        return CANT_TELL if self.strict and CANT_TELL in outcomes else PASSED

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
        """One row a condition: outcome, value, limit, interval, what was found, and what its measure means."""
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
            "strict": self.strict,
            "conditions": [finding.to_dict() for finding in self.findings],
            "worst": None if worst is None else json.loads(worst.to_json()),
            "scores": self.scores.to_dict(),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
        }

    def to_json(self) -> str:
        """Return everything as JSON in full precision."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def to_markdown(self) -> str:
        """Return a page for a pull request: the conditions, and the ten worst queries with their rank moves."""
        from idealrank.display.markdown import gate_markdown

        return gate_markdown(self)

    def to_junit(self) -> str:
        """Return JUnit XML, one test case a condition."""
        from idealrank.display.junit import gate_junit

        return gate_junit(self)

    def __repr__(self) -> str:
        from idealrank.comparison.gate.shown import render_gate

        return render_gate(self)


_TEXTS = ("kind", "condition", "measure", "outcome")
_NUMBERS = ("value", "limit", "low", "high")
