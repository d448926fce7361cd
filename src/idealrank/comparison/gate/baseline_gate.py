"""BaselineGate: what came of a gate against a baseline's file, told briefly; the rest on request."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.exports import WORST
from idealrank.comparison.gate.against_baseline import AgainstBaseline, headroom, options_of
from idealrank.comparison.gate.baseline_markdown import gate_markdown
from idealrank.comparison.gate.chance import chance_lines
from idealrank.comparison.gate.finding import CANT_TELL, FAILED, PASSED, Finding
from idealrank.comparison.gate.outcome import SHOWN, Gate
from idealrank.comparison.pairing import Key
from idealrank.display.amounts import percent
from idealrank.display.blocks import Block, Grid, Lines
from idealrank.display.grid import Column
from idealrank.display.junit import Case, junit
from idealrank.display.numbers import decimal, number_text, signed
from idealrank.display.table import Table
from idealrank.errors import plural

NO_RESULTS = "no results"
"""What queries are under that had results and have none now."""

SHOWN_CONDITIONS, LONGEST_ID = 3, 14
"""What a phone shows: conditions, and letters of an id."""

ListChange = Literal["search failed", "same list", "list changed", "no results"]
"""What became of the list of a query that lost."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BaselineGate(Gate):
    """What came of the conditions of a gate against a baseline's file.

    Attributes
    ----------
    kept
        The baseline, the same of these scores, and what differs between the two.
    """

    kept: AgainstBaseline

    def regressed(self, measure: str | None = None) -> Table:
        """Return every query whose value is lower than the baseline's, the largest loss first.

        Parameters
        ----------
        measure
            One of the measures that may not drop; None: the first.
        """
        pairing = self.kept.pairing
        places, differences, _ = pairing.paired_differences(Key(pairing.pairs[0], pairing.scores.place_of(measure)))
        label, names = pairing.scores.labels[pairing.scores.place_of(measure)], pairing.scores.queries
        order = sorted(np.flatnonzero(differences < 0), key=lambda i: (differences[i], names[places[i]]))
        queries = [names[places[i]] for i in order]
        values = pairing.scores.values[:, pairing.scores.place_of(measure), places[order]]
        texts = {"text": [self.scores.texts.get(query) for query in queries]} if self.scores.texts else {}
        columns: dict[str, Any] = {"query": queries, "measure": [label] * len(order), **texts}
        columns |= {"baseline value": values[0], "value": values[1], "difference": differences[order]}
        return Table(columns | {"list": [self._why(query) for query in queries]}, "regressed", {})

    def _why(self, query: str) -> ListChange:
        was, now = self.kept.baseline.queries[query], self.kept.now.queries[query]
        if now.failed:
            return "search failed"
        if was.list == now.list:
            return "same list"
        return "list changed" if now.results else "no results"

    def worst(self, n: int = WORST, measure: str | None = None) -> Table:
        """Return the n queries that lose most under a measure, the first if None."""
        return self.regressed(measure)[:n]

    @property
    def warning(self) -> str:
        """That a measure is so far above the baseline that the gate would not see it drop; "" if none is, or one fails.

        Whoever blesses while another measure fails accepts that loss, too.
        """
        return headroom(self.findings) if self.passed else ""

    @property
    def failing(self) -> list[Finding]:
        """What did not pass, failures first."""
        return sorted((f for f in self.findings if f.outcome != PASSED), key=lambda f: f.outcome != FAILED)

    def shown(self) -> list[Block]:
        """Return the outcome, what came of every condition, what changed, and every query that lost."""
        rows = [*self._noted(), *((finding.outcome, finding.sentence) for finding in self.findings)]
        rows += [("headroom", self.warning)] if self.warning else []
        rows += [*self._chance(), *self._order()]
        rows += self._changes()
        tables = [self.regressed(label) for label in self.kept.pairing.scores.labels]
        grids = [_regressed_grid(table) for table in tables if len(table)]
        head = Lines([("gate", self.sentence)], indent=5, leads=True)
        return [*self._warned(), head, Lines(rows, indent=12), *grids]

    def brief(self) -> list[Block]:
        """Return the outcome and what did not pass, for one screen of a phone."""
        failing = self.failing
        rows = [*self._noted(), *((f.outcome, self._briefly(f)) for f in failing[:SHOWN_CONDITIONS])]
        rows += [("", f"and {len(failing) - SHOWN_CONDITIONS} more")] if len(failing) > SHOWN_CONDITIONS else []
        rows += [("headroom", self.warning)] if self.warning else []
        rows += self._changes() if self.passed else [row for row in self._changes() if row[0] == NO_RESULTS]
        rows += self._order()
        head: list[Block] = [
            *self._warned(),
            Lines([("gate", self.sentence)], indent=5, leads=True),
            Lines(rows, indent=12),
        ]
        return [*head, *self._losing(failing)]

    def _changes(self) -> list[tuple[str, str]]:
        """Say what changed and refuses nothing; queries that return nothing any more come first."""
        found = self.kept.differences
        labels = [*([NO_RESULTS] if found.emptied else []), "changes"]
        return list(itertools.zip_longest(labels[: len(found.account)], found.account, fillvalue=""))

    def _losing(self, failing: list[Finding]) -> list[Block]:
        """Return the queries that lose most under the first measure that did not pass."""
        first = next((f.measure for f in failing if f.kind == "drop"), None)
        table = None if first is None else self.regressed(first)
        return [_phone_grid(table)] if table is not None and len(table) else []

    def _briefly(self, finding: Finding) -> str:
        if finding.kind != "drop" or finding.failed:
            return finding.sentence
        contrast = self.kept.contrasts[self.kept.pairing.scores.place_of(finding.measure)]
        was, now = (number_text(x, ".3f") for x in (contrast.baseline_mean, contrast.mean))
        why = f"; {_doubt(finding, contrast)}" if finding.outcome == CANT_TELL else ""
        moved = number_text(finding.value, "+.3f")
        return f"{finding.measure} {was} → {now} ({moved}); limit {-finding.limit:.3g}{why}"

    def _chance(self) -> list[tuple[str, str]]:
        return [] if self.alpha is not None else chance_lines(self.kept.pairing, self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        regressed = [row for label in self.kept.pairing.scores.labels for row in self.regressed(label).rows()]
        return {
            "outcome": self.outcome,
            "code": self.code,
            "warnings": list(self.warnings),
            "strict": self.strict,
            "baseline": {"file": self.kept.name, **options_of(self.kept.baseline)},
            "conditions": [finding.to_dict() for finding in self.findings],
            "headroom": self.warning or None,
            "changes": self.kept.differences.account,
            "regressed": regressed,
            "scores": self.scores.to_dict(),
        }

    def to_markdown(self) -> str:
        """Return a comment for a pull request: short, with what else there is folded."""
        labels = [f.measure for f in self.findings if f.kind == "drop"]
        tables = {label: self.regressed(label) for label in labels}
        said = [text for _, text in self._chance()]
        above = (*self.warnings, self.warning, *self.notes)
        return gate_markdown(self.sentence, self.kept, self.findings, tables, above, said)

    def to_junit(self) -> str:
        """Return JUnit XML: one test case per condition, then one per query that lost, by measure.

        A query that lost is a failure where its measure failed, and skipped where the mean is within the tolerance.
        """
        conditions = [
            Case("idealrank gate", f.condition, self._ended(f), f.sentence, self._losses(f)) for f in self.findings
        ]
        return junit([*conditions, *(case for f in self.findings if f.kind == "drop" for case in self._cases(f))])

    def _cases(self, finding: Finding) -> list[Case]:
        ended = "failure" if finding.outcome == FAILED else "skipped"
        table = self.regressed(finding.measure)
        suite = f"idealrank gate: {finding.measure}"
        return [Case(suite, row["query"], ended, _line(row)) for row in table]

    def _losses(self, finding: Finding) -> str:
        return "\n".join(map(_line, self.worst(measure=finding.measure))) if finding.kind == "drop" else ""


def _doubt(finding: Finding, contrast: Contrast) -> str:
    """Say why it can't be told: too few queries that differ for any interval without 0, or the interval."""
    differing, level = contrast.wins + contrast.losses, contrast.corrected.level
    if 2.0 ** (1 - differing) > 1 - level:  # the smallest p of all flips of so many signs
        return f"only {plural(differing, 'differing query')}, so no interval can leave out 0"
    if not math.isfinite(finding.low + finding.high):
        return "no interval"
    return f"{percent(level)} interval {' to '.join(number_text(end, '+.3f') for end in (finding.low, finding.high))}"


def _line(row: dict[str, Any]) -> str:
    """Write a query that lost."""
    numbers = f"{decimal(row['baseline value'])} → {decimal(row['value'])} ({signed(row['difference'])})"
    return f"{row['query']}: {numbers}; {row['list']}"


def _regressed_grid(table: Table) -> Grid:
    names = [name for name in ("query", "text", "baseline value", "value", "difference") if name in table.columns]
    grid = Table({name: table.array(name) for name in names}).grid(
        title=f"{plural(len(table), 'query')} below the baseline under {table['measure'][0]}"
    )
    return grid._replace(columns=[*grid.columns, Column("list", table["list"], numeric=False, spare=True)])


def _phone_grid(table: Table) -> Grid:
    first = table[:SHOWN]
    numbers = {"was": ("baseline value", ".3f"), "now": ("value", ".3f"), "change": ("difference", "+.3f")}
    columns = [Column("query", [_cut(query) for query in first["query"]], numeric=False, whole=True)]
    columns += [
        Column(name, [number_text(x, form) for x in first[of]], numeric=True) for name, (of, form) in numbers.items()
    ]
    columns.append(Column("list", [why.replace("list ", "").replace(" list", "") for why in first["list"]],
                          numeric=False, spare=True))  # fmt: skip
    more = len(table) - len(first)
    return Grid(columns, note=f"{plural(more, 'more query')} below the baseline: --verbose" if more else "")


def _cut(query: str) -> str:
    return query if len(query) <= LONGEST_ID else f"{query[: LONGEST_ID - 1]}…"
