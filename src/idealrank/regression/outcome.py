"""What came of a gate: told briefly, the rest on request; as text, Markdown, JUnit XML and JSON."""

from __future__ import annotations

import html
import itertools
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.comparison.changes import loss_line, losses_text
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.conditions import CANT_TELL, CODES, FAILED, PASSED, ConditionResult
from idealrank.comparison.contrasts import gain_interval
from idealrank.comparison.exports import WORST, losses_columns
from idealrank.comparison.verdict.failed_searches import best_or_worst
from idealrank.decisions.fields import ASSUMES_COMPLETE
from idealrank.display.blocks import Block, Grid, Lines, TextColumn
from idealrank.display.document import Shown
from idealrank.display.junit import JUnitCase, junit
from idealrank.display.markdown import bullets, code, escape, table_markdown
from idealrank.display.numbers import amount, decimal, number_text, percent
from idealrank.display.table import Table
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.summary import mostly_unjudged, no_judgments_notes
from idealrank.regression.reference import BaselineReference, Reference, SystemReference
from idealrank.statistics.sample import make_sample

SHOWN = 5
"""Queries that lose most, shown in brief."""

SHOWN_CONDITIONS, LONGEST_ID = 3, 14
"""What a phone shows: conditions, and letters of an id."""

NO_RESULTS = "no results"
"""What queries are under that had results and have none now."""

MARK = "<!-- idealrank gate -->"
"""The first line of the Markdown, which a reader does not see: by it a job finds its own comment again."""


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Shown):
    """What came of the conditions of a gate.

    Attributes
    ----------
    findings
        What came of each condition.
    scores
        The evaluation; the newcomer is the last of its systems.
    reference
        What the newcomer is held against: another system, or a baseline's file; None without either.
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

    findings: tuple[ConditionResult, ...]
    scores: Scores
    reference: Reference | None
    strict: bool = False
    alpha: float | None = None

    @property
    def comparison(self) -> Comparison | None:
        """The newcomer against another system under the measures that may not drop; None without one."""
        return self.reference.comparison if isinstance(self.reference, SystemReference) else None

    @property
    def kept(self) -> BaselineReference | None:
        """The values of a baseline's file, and what differs from them; None without one."""
        return self.reference if isinstance(self.reference, BaselineReference) else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be read before the outcome: conditions that say nothing, odd results, what the ledger warns of.

        And drops that weights hide; and how much nobody judged, if that is over a fifth and no condition is about it.
        """
        by_gate = self.scores.ledger.row_order  # said by the gate itself
        every = self.scores.ledger.warnings if self.comparison is None else self.comparison.warnings
        return (*self._idle(), *self._weighted(), *(text for text in every if text not in by_gate), *self._unjudged())

    def _idle(self) -> Iterator[str]:
        """Say which conditions every system meets, so that their passing says nothing."""
        for finding in self.findings:
            m = self.scores.place_of(finding.measure) if finding.measure else 0
            worst, best = (best_or_worst(self.scores, m, best=best) for best in (False, True))
            if finding.kind == "level" and all(map(finding.about.holds, (worst, best))):
                yield f"{finding.condition} can never fail: all values are between {worst:g} and {best:g}."
            if finding.kind == "unjudged" and finding.limit >= 1:
                yield f"{finding.condition} can never fail: so all results may be unjudged."
            if finding.kind == "drop" and self.reference is not None:
                before = self.reference.contrast(finding.measure).baseline_mean
                if 0 < before - worst <= EQUAL - finding.limit:
                    yield f"{finding.condition} fails only if {finding.measure} falls to {worst:g}, the worst there is."

    def _weighted(self) -> Iterator[str]:
        """Say which drops the weights of the queries let pass that with equal weights are surely there."""
        if self.reference is None or self.reference.pairing.weights is None:
            return
        pairing = self.reference.pairing
        for finding in self.findings:
            if finding.kind != "drop" or finding.outcome == FAILED:
                continue
            contrast, key = self.reference.contrast(finding.measure), pairing.key(finding.measure)
            paired = pairing.paired(*key)
            before = make_sample(pairing.scores.values[key.pair.baseline, key.measure][paired]).mean
            gain = make_sample(pairing.difference(*key)[paired])
            if gain_interval(contrast, gain).high < 0 and not finding.about.holds(gain.mean, before):
                drop = f"{finding.measure} would drop by {decimal(-gain.mean)}"
                yield f"The weights of the queries decide: with equal weights {drop}."

    def _unjudged(self) -> list[str]:
        if any(finding.kind == "unjudged" and finding.limit < 1 for finding in self.findings):
            return []
        depth = self.scores.measures[0].cutoff or 10
        mostly = mostly_unjudged(unjudged_share(self.scores, range(len(self.scores.systems)), depth))
        return [f"{mostly}, so these numbers may be far off."] if mostly else []

    @property
    def notes(self) -> tuple[str, ...]:
        """Which queries that were returned nobody judged, and what became of them; and what is assumed of results."""
        complete = self.scores.measures[0].decisions.unjudged == "complete"
        assumed = [f"{ASSUMES_COMPLETE} (unjudged=complete)"] * complete
        return tuple(f"{text}." for text in (*no_judgments_notes(self.scores), *assumed))

    @property
    def outcome(self) -> str:
        """``failed`` if a condition failed; ``can't tell`` if one hangs on failed searches or odd results.

        Or on chance, if `strict`. Else ``passed``.
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
    def headroom(self) -> str:
        """Which measures could lose much before the gate fails, since the baseline is old; "" if none could.

        Nor if one fails: whoever blesses then accepts that loss, too.
        """
        if self.kept is None or not self.passed:
            return ""
        changes = [
            f"{f.measure} is {amount(f.value, 4)} above the baseline, and could lose {amount(f.value - f.limit, 4)} "
            "before this gate fails"
            for f in self.findings
            if f.kind == "drop" and f.value > -f.limit + EQUAL
        ]
        return f"{listed(changes, 2, '; ')}. Bless again: --bless, or ir.bless(scores, path)" if changes else ""

    @property
    def table(self) -> Table:
        """One row per condition: outcome, value, limit, interval, what was found, and what its measure means."""
        columns: dict[str, Any] = {name: [getattr(f, name) for f in self.findings] for name in _TEXTS}
        columns |= {name: np.array([getattr(f, name) for f in self.findings], np.float64) for name in _NUMBERS}
        columns |= {"sentence": [f.sentence for f in self.findings]}
        return Table(columns, "gate", {"fingerprint": [self._fingerprint(f) for f in self.findings]})

    def _fingerprint(self, finding: ConditionResult) -> str:
        return self.scores.measures[self.scores.place_of(finding.measure)].fingerprint if finding.measure else ""

    def worst(self, n: int = WORST, measure: str | None = None) -> Table | None:
        """Return the n queries that lose most, with what became of their lists; None without a baseline.

        Parameters
        ----------
        measure
            One of the measures that may not drop; None: the first.
        """
        return None if self.reference is None else self.reference.losses(measure, n)

    def regressed(self, measure: str | None = None) -> Table | None:
        """Return every query whose value is lower than the baseline's, as `worst` does the first of them."""
        return None if self.reference is None else self.reference.losses(measure)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        reference = {"worst": None, "comparison": None} if self.reference is None else self.reference.to_dict()
        return {
            "outcome": self.outcome,
            "code": self.code,
            "warnings": list(self.warnings),
            "strict": self.strict,
            "conditions": [finding.to_dict() for finding in self.findings],
            **({} if self.kept is None else {"headroom": self.headroom or None}),
            **reference,
            "scores": self.scores.to_dict(),
        }

    def to_json(self) -> str:
        """Return everything as JSON in full precision."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def shown(self) -> list[Block]:
        """Return the outcome, what came of every condition, how often by chance, what changed, and who lost."""
        rows = [*self._notes(), *((finding.outcome, finding.sentence) for finding in self.findings)]
        rows += [*self._headroom(), *self._chance(), *self._order(), *self._changes()]
        return [*self._head(rows), *([] if self.reference is None else self.reference.grids())]

    def brief(self) -> list[Block]:
        """Return what one screen has room for: the outcome, conditions, and the few queries that lose most.

        With a baseline's file, whose conditions nobody typed, only those that did not pass, for a phone.
        """
        if self.kept is None:
            return [block.first(SHOWN) if isinstance(block, Grid) else block for block in self.shown()]
        failing = sorted((f for f in self.findings if f.outcome != PASSED), key=lambda f: f.outcome != FAILED)
        rows = [*self._notes(), *((f.outcome, self._in_short(f)) for f in failing[:SHOWN_CONDITIONS])]
        rows += [("", f"and {len(failing) - SHOWN_CONDITIONS} more")] if len(failing) > SHOWN_CONDITIONS else []
        rows += self._headroom()
        rows += self._changes() if self.passed else [row for row in self._changes() if row[0] == NO_RESULTS]
        rows += self._order()
        first = next((f.measure for f in failing if f.kind == "drop"), None)
        table = None if first is None else self.kept.losses(first)
        return [*self._head(rows), *([_phone_grid(table)] if table is not None and len(table) else [])]

    def _head(self, rows: list[tuple[str, str]]) -> list[Block]:
        warnings = [("warning", text) for text in self.warnings]
        warned: list[Block] = [Lines(warnings, indent=12, leads=True)] if warnings else []
        return [*warned, Lines([("gate", self.sentence)], indent=5, leads=True), Lines(rows, indent=12)]

    def _notes(self) -> list[tuple[str, str]]:
        return [("note", text) for text in self.notes]

    def _headroom(self) -> list[tuple[str, str]]:
        return [("headroom", self.headroom)] if self.headroom else []

    def _chance(self) -> list[tuple[str, str]]:
        """Say how often drops fail by chance, where their means alone decide."""
        return [] if self.reference is None or self.alpha is not None else chance_lines(self.reference, self.findings)

    def _order(self) -> list[tuple[str, str]]:
        """Say whose rows are ranked as they stand."""
        return [("order", text) for text in self.scores.ledger.row_order]

    def _changes(self) -> list[tuple[str, str]]:
        """Say what changed and refuses nothing; queries that return nothing any more come first."""
        if self.reference is None or (found := self.reference.differences) is None:
            return []
        labels = [*([NO_RESULTS] if found.emptied else []), "changes"]
        return list(itertools.zip_longest(labels[: len(found.account)], found.account, fillvalue=""))

    def _in_short(self, finding: ConditionResult) -> str:
        if self.reference is None or finding.kind != "drop" or finding.failed:
            return finding.sentence
        contrast = self.reference.contrast(finding.measure)
        was, now = (number_text(x, ".3f") for x in (contrast.baseline_mean, contrast.mean))
        moved = number_text(finding.value, "+.3f")
        text = f"{finding.measure} {was} → {now} ({moved}); limit {-finding.limit:.3g}"
        if finding.outcome != CANT_TELL:
            return text
        differing, level = contrast.wins + contrast.losses, contrast.corrected.level
        if 2.0 ** (1 - differing) > 1 - level:  # the smallest p of all flips of so many signs
            return f"{text}; only {plural(differing, 'differing query')}, so no interval can leave out 0"
        if not math.isfinite(finding.low + finding.high):
            return f"{text}; no interval"
        ends = " to ".join(number_text(end, "+.3f") for end in (finding.low, finding.high))
        return f"{text}; {percent(level)} interval {ends}"

    def account(self) -> list[Block]:
        """Return the notes below them: the methods, the decisions and the ledger."""
        if self.comparison is None:
            return self.scores.account()
        return [Lines([("methods", self.comparison.methods.text)]), *self.scores.account()]

    def to_markdown(self) -> str:
        """Return a comment for a pull request: a row per measure, then folded the worst queries and the decisions."""
        above = [f"> **Warning:** {escape(text)}" for text in self.warnings]
        above += [f"> {escape(text)}" for text in (self.headroom, *self.notes) if text]
        drops = [finding for finding in self.findings if finding.kind == "drop"]
        others = [(f.outcome, f.sentence) for f in self.findings if f.kind != "drop"]
        parts = [f"{MARK}\n## Gate {escape(self.sentence)}", *above]
        parts += [self._measures(drops)] if drops else []
        parts += [bullets(others)] if others else []
        parts += filter(None, [self._folded_losses(finding) for finding in drops])
        account = [(finding.condition, finding.sentence) for finding in drops]
        by_chance = "; ".join(text for _, text in self._chance())
        account += [("by chance", by_chance)] if by_chance else []
        account += [("decisions", self.scores.answers.line)] if self.reference is None else self.reference.account()
        return "\n\n".join([*parts, _folded("How this was decided", bullets(account))]) + "\n"

    def _measures(self, drops: Sequence[ConditionResult]) -> str:
        assert self.reference is not None, "a drop is from something"
        contrasts = [self.reference.contrast(finding.measure) for finding in drops]
        bold = [f.outcome if f.outcome == PASSED else f"**{f.outcome}**" for f in drops]
        return table_markdown(
            [
                TextColumn("measure", [code(f.measure) for f in drops], numeric=False),
                TextColumn("baseline", [decimal(contrast.baseline_mean) for contrast in contrasts], numeric=True),
                TextColumn("now", [decimal(contrast.mean) for contrast in contrasts], numeric=True),
                TextColumn("change", [number_text(f.value, "+.4f") for f in drops], numeric=True),
                TextColumn("may lose", [f"{-f.limit:.4g}" for f in drops], numeric=True),
                TextColumn("outcome", bold, numeric=False),
            ]
        )

    def _folded_losses(self, finding: ConditionResult) -> str:
        assert self.reference is not None, "a drop is from something"
        losses = self.reference.losses(finding.measure, WORST)
        if not len(losses):
            return ""
        lost = self.reference.contrast(finding.measure).losses
        more = f"\n\n{plural(lost - WORST, 'more query')}." if lost > WORST else ""
        columns = losses_columns(losses, self.reference.why, self.reference.legend)
        title = f"{plural(lost, 'query')} below the baseline under {finding.measure}"
        return _folded(title, f"{table_markdown(columns)}{more}")

    def to_junit(self) -> str:
        """Return JUnit XML: a test case per condition and, with a baseline's file, per query that lost by measure.

        What can't be told is skipped; it is an error where `strict`, or where it hangs on failed searches. A query that
        lost is a failure where its measure failed, and skipped where the mean is within the tolerance. Odd results
        that leave a condition in doubt are named before it.
        """
        cases = [
            JUnitCase("idealrank gate", f.condition, self._ended(f), self._warned(f), self._losses_text(f))
            for f in self.findings
        ]
        if self.kept is not None:
            cases += [case for f in self.findings if f.kind == "drop" for case in _query_cases(self.kept, f)]
        return junit(cases)

    def _warned(self, finding: ConditionResult) -> str:
        odd = finding.doubt is not None and finding.doubt.kind == "odd results"
        return f"Warning: {' '.join(self.warnings)} {finding.sentence}" if odd else finding.sentence

    def _ended(self, finding: ConditionResult) -> str:
        """Return how a condition ended, in JUnit's words."""
        untold = "error" if self.strict or finding.failed else "skipped"
        return {PASSED: "", FAILED: "failure", CANT_TELL: untold}[finding.outcome]

    def _losses_text(self, finding: ConditionResult) -> str:
        if self.reference is None or finding.kind != "drop":
            return ""
        return losses_text(self.reference.losses(finding.measure, WORST), self.reference.why)


_TEXTS = ("kind", "condition", "measure", "outcome")
_NUMBERS = ("value", "limit", "low", "high")


def chance_of_failing(reference: Reference, finding: ConditionResult) -> float:
    """Return how often the mean difference reaches the limit of a drop, if nothing changed but chance.

    By Student's t: differences that vary as these do, of as many queries, with a mean of 0. NaN where nothing
    varies, as for one query.
    """
    from scipy.stats import t

    pairing = reference.pairing
    _, differences, weights = pairing.paired_differences(pairing.key(finding.measure))
    sample = make_sample(differences, weights)
    return float(t.cdf(finding.limit / sample.error, sample.degrees)) if sample.error > 0 else np.nan


def chance_lines(reference: Reference, findings: Sequence[ConditionResult]) -> list[tuple[str, str]]:
    """Say it of every drop, and what helps; nothing where it cannot be told, as where no query differs."""
    chances = [(f, chance_of_failing(reference, f)) for f in findings if f.kind == "drop"]
    rows = [
        f"'{finding.condition}' fails {chance:.0%} of builds that change nothing, if differences vary as here "
        f"over {plural(reference.contrast(finding.measure).queries, 'query')}"
        for finding, chance in chances
        if np.isfinite(chance)
    ]
    advice = (
        "With --alpha 0.05, or alpha=0.05 in Python, a drop fails only if its interval is wholly below 0: "
        f"in at most 5% of such builds{' for each measure' if len(chances) > 1 else ''}"
    )
    labels = ["by chance", *[""] * len(rows)]
    return list(zip(labels, [*rows, advice], strict=True)) if rows else []


def _phone_grid(table: Table) -> Grid:
    first = table[:SHOWN]
    numbers = {"was": ("baseline value", ".3f"), "now": ("value", ".3f"), "change": ("difference", "+.3f")}
    columns = [TextColumn("query", [_cut(query) for query in first["query"]], numeric=False, whole=True)]
    columns += [
        TextColumn(name, [number_text(x, form) for x in first[of]], numeric=True)
        for name, (of, form) in numbers.items()
    ]
    lists = [why.replace("list ", "").replace(" list", "") for why in first["list"]]
    columns.append(TextColumn("list", lists, numeric=False, spare=True))
    more = len(table) - len(first)
    return Grid(columns, note=f"{plural(more, 'more query')} below the baseline: --verbose" if more else "")


def _cut(query: str) -> str:
    return query if len(query) <= LONGEST_ID else f"{query[: LONGEST_ID - 1]}…"


def _query_cases(kept: BaselineReference, finding: ConditionResult) -> list[JUnitCase]:
    ended = "failure" if finding.outcome == FAILED else "skipped"
    losses = kept.losses(finding.measure)
    suite = f"idealrank gate: {finding.measure}"
    return [JUnitCase(suite, row["query"], ended, loss_line(row, kept.why)) for row in losses]


def _folded(title: str, text: str) -> str:
    return f"<details>\n<summary>{html.escape(title)}</summary>\n\n{text}\n\n</details>"


def refused_markdown(why: str, title: str = "Gate could not compare") -> str:
    """Return the comment of a gate whose data cannot be used, in the place of an earlier one."""
    return f"{MARK}\n## {title}\n\n" + "\n\n".join(map(escape, why.splitlines())) + "\n"


def refused_junit(why: str, command: str = "gate") -> str:
    """Return JUnit XML of a gate or another command whose data cannot be used: one case, an error."""
    return junit([JUnitCase(f"idealrank {command}", "data", "error", why, "")])
