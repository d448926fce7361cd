"""What came of a gate: told briefly, the rest on request; as text, Markdown and JUnit XML."""

from __future__ import annotations

import html
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from idealrank.comparison.changes import losses_grid, losses_text, losses_with_moves
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.exports import WORST, evidence_rows, losses_markdown
from idealrank.comparison.pairing import Key, Pairing
from idealrank.comparison.verdict.headline import mostly_unjudged
from idealrank.display.blocks import Block, Grid, Lines, TextColumn
from idealrank.display.document import Shown
from idealrank.display.junit import JUnitCase, junit
from idealrank.display.markdown import bullets, code, columns_markdown, columns_written, plain
from idealrank.display.numbers import decimal, number_text, percent, signed
from idealrank.display.table import Table
from idealrank.errors import plural
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.summary import no_judgments
from idealrank.regression.checks import BaselineComparison, headroom, options_of
from idealrank.regression.conditions import CANT_TELL, FAILED, PASSED, ConditionResult
from idealrank.statistics.sample import make_sample

# BaselineGate: what came of a gate against a baseline's file, told briefly; the rest on request.


NO_RESULTS = "no results"
"""What queries are under that had results and have none now."""

SHOWN_CONDITIONS, LONGEST_ID = 3, 14
"""What a phone shows: conditions, and letters of an id."""

ListChange = Literal["search failed", "same list", "list changed", "no results"]
"""What became of the list of a query that lost."""

# Gate: what came of all conditions, the exit code, and the evidence.


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

    findings: tuple[ConditionResult, ...]
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

    def _fingerprint(self, finding: ConditionResult) -> str:
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
            TextColumn("outcome", [f.outcome for f in self.findings], numeric=False),
            TextColumn("condition", [f.condition for f in self.findings], numeric=False),
            TextColumn("found", [f.sentence for f in self.findings], numeric=False),
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
            JUnitCase("idealrank gate", f.condition, self._ended(f), f.sentence, self._losses(f)) for f in self.findings
        )

    def _ended(self, finding: ConditionResult) -> str:
        """Return how a condition ended, in JUnit's words."""
        untold = "error" if self.strict or finding.failed else "skipped"
        return {PASSED: "", FAILED: "failure", CANT_TELL: untold}[finding.outcome]

    def _losses(self, finding: ConditionResult) -> str:
        """Name the queries that lose most under the measure of a drop."""
        losses = self.worst(measure=finding.measure) if finding.kind == "drop" else None
        return "" if losses is None else losses_text(losses)


_TEXTS = ("kind", "condition", "measure", "outcome")
_NUMBERS = ("value", "limit", "low", "high")


# Chance: how often a threshold without alpha fails a build that changed nothing.


def chance_of_failing(pairing: Pairing, finding: ConditionResult) -> float:
    """Return how often the mean difference reaches the limit of a drop, if nothing changed but chance.

    By Student's t: differences that vary as these do, of as many queries, with a mean of 0. NaN where nothing
    varies, as for one query.
    """
    from scipy.stats import t

    _, differences, weights = pairing.paired_differences(pairing.key(finding.measure))
    sample = make_sample(differences, weights)
    return float(t.cdf(finding.limit / sample.error, sample.degrees)) if sample.error > 0 else np.nan


def chance_lines(pairing: Pairing, findings: tuple[ConditionResult, ...]) -> list[tuple[str, str]]:
    """Say it of every drop, and what helps; nothing where it cannot be told, as where no query differs."""
    chances = {finding: chance_of_failing(pairing, finding) for finding in findings if finding.kind == "drop"}
    rows = [
        f"'{finding.condition}' fails {chance:.0%} of builds that change nothing, if differences vary as here "
        f"over {plural(len(pairing.paired_differences(pairing.key(finding.measure))[1]), 'query')}"
        for finding, chance in chances.items()
        if np.isfinite(chance)
    ]
    advice = (
        "With --alpha 0.05, or alpha=0.05 in Python, a drop fails only if its interval is wholly below 0: "
        f"in at most 5% of such builds{' for each measure' if len(chances) > 1 else ''}"
    )
    labels = ["by chance", *[""] * len(rows)]
    return list(zip(labels, [*rows, advice], strict=True)) if rows else []


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BaselineGate(Gate):
    """What came of the conditions of a gate against a baseline's file.

    Attributes
    ----------
    kept
        The baseline, the same of these scores, and what differs between the two.
    """

    kept: BaselineComparison

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
    def failing(self) -> list[ConditionResult]:
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

    def _losing(self, failing: list[ConditionResult]) -> list[Block]:
        """Return the queries that lose most under the first measure that did not pass."""
        first = next((f.measure for f in failing if f.kind == "drop"), None)
        table = None if first is None else self.regressed(first)
        return [_phone_grid(table)] if table is not None and len(table) else []

    def _briefly(self, finding: ConditionResult) -> str:
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
            JUnitCase("idealrank gate", f.condition, self._ended(f), f.sentence, self._losses(f)) for f in self.findings
        ]
        return junit([*conditions, *(case for f in self.findings if f.kind == "drop" for case in self._cases(f))])

    def _cases(self, finding: ConditionResult) -> list[JUnitCase]:
        ended = "failure" if finding.outcome == FAILED else "skipped"
        table = self.regressed(finding.measure)
        suite = f"idealrank gate: {finding.measure}"
        return [JUnitCase(suite, row["query"], ended, _line(row)) for row in table]

    def _losses(self, finding: ConditionResult) -> str:
        return "\n".join(map(_line, self.worst(measure=finding.measure))) if finding.kind == "drop" else ""


def _doubt(finding: ConditionResult, contrast: Contrast) -> str:
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
    return grid._replace(columns=[*grid.columns, TextColumn("list", table["list"], numeric=False, spare=True)])


def _phone_grid(table: Table) -> Grid:
    first = table[:SHOWN]
    numbers = {"was": ("baseline value", ".3f"), "now": ("value", ".3f"), "change": ("difference", "+.3f")}
    columns = [TextColumn("query", [_cut(query) for query in first["query"]], numeric=False, whole=True)]
    columns += [
        TextColumn(name, [number_text(x, form) for x in first[of]], numeric=True)
        for name, (of, form) in numbers.items()
    ]
    columns.append(TextColumn("list", [why.replace("list ", "").replace(" list", "") for why in first["list"]],
                          numeric=False, spare=True))  # fmt: skip
    more = len(table) - len(first)
    return Grid(columns, note=f"{plural(more, 'more query')} below the baseline: --verbose" if more else "")


def _cut(query: str) -> str:
    return query if len(query) <= LONGEST_ID else f"{query[: LONGEST_ID - 1]}…"


# A gate against a baseline as a comment on a pull request: a table, and the rest folded.


MARK = "<!-- idealrank gate -->"
"""The first line, which a reader does not see: by it a job finds its own comment again."""


def gate_markdown(
    sentence: str,
    kept: BaselineComparison,
    findings: Sequence[ConditionResult],
    tables: Mapping[str, Table],
    warnings: Sequence[str],
    chance: Sequence[str],
) -> str:
    """Write the outcome, a line per measure, other conditions that did not pass, and folded details.

    Parameters
    ----------
    tables
        The queries that lost, by measure.
    warnings, chance
        What is odd about the results, what is said of headroom, and which queries nobody judged; how often the
        conditions fail by chance.
    """
    others = [f for f in findings if f.kind != "drop" and f.outcome != PASSED]
    warned = [f"> {plain(text)}" for text in warnings if text]
    parts = [f"{MARK}\n## Gate {plain(sentence)}", *warned, columns_written(_measures(kept, findings))]
    parts += [bullets([(f.outcome, f.sentence) for f in others])] if others else []
    parts += [_queries(label, table) for label, table in tables.items() if len(table)]
    return "\n\n".join([*parts, _details("How this was decided", _account(kept, findings, chance))]) + "\n"


def _measures(kept: BaselineComparison, findings: Sequence[ConditionResult]) -> list[TextColumn]:
    drops = [f for f in findings if f.kind == "drop"]
    contrasts = [kept.contrasts[kept.pairing.scores.place_of(f.measure)] for f in drops]
    return [
        TextColumn("measure", [code(f.measure) for f in drops], numeric=False),
        TextColumn("baseline", [decimal(contrast.baseline_mean) for contrast in contrasts], numeric=True),
        TextColumn("now", [decimal(contrast.mean) for contrast in contrasts], numeric=True),
        TextColumn("change", [number_text(f.value, "+.4f") for f in drops], numeric=True),
        TextColumn("may lose", [f"{-f.limit:.4g}" for f in drops], numeric=True),
        TextColumn("outcome", [f.outcome if f.outcome == PASSED else f"**{f.outcome}**" for f in drops], numeric=False),
    ]


def _queries(label: str, table: Table) -> str:
    first = table[:WORST]
    columns = [TextColumn("query", [code(query) for query in first["query"]], numeric=False)]
    if "text" in table.columns:
        columns.append(TextColumn("text", [code(text) if text else "" for text in first["text"]], numeric=False))
    forms = {"baseline value": ".4f", "value": ".4f", "difference": "+.4f"}
    columns += [
        TextColumn(name, [number_text(x, form) for x in first[name]], numeric=True) for name, form in forms.items()
    ]
    columns.append(TextColumn("list", [plain(why) for why in first["list"]], numeric=False))
    more = f"\n\n{plural(len(table) - WORST, 'more query')} in the JUnit file." if len(table) > WORST else ""
    title = f"{plural(len(table), 'query')} below the baseline under {label}"
    return _details(title, f"{columns_written(columns)}{more}")


def _account(kept: BaselineComparison, findings: Sequence[ConditionResult], chance: Sequence[str]) -> str:
    rows = [
        ("baseline", f"{kept.name} ({kept.baseline.system}{', ' if kept.baseline.date else ''}{kept.baseline.date})")
    ]
    rows += [(f.condition, f.sentence) for f in findings]
    rows += [(f"change {i}", text) for i, text in enumerate(kept.differences.account, 1)]
    rows += [("by chance", "; ".join(chance))] if chance else []
    scores = kept.pairing.scores
    return bullets([*rows, ("decisions", scores.answers.line)])


def _details(title: str, text: str) -> str:
    return f"<details>\n<summary>{html.escape(title)}</summary>\n\n{text}\n\n</details>"
