"""What the method shows of a report: what decisions ask and mean, which means differ how, thresholds and latency."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from idealrank.comparison.types import DifferenceRow
from idealrank.decisions.decisions import questions
from idealrank.display.numbers import milliseconds as milliseconds_text
from idealrank.errors import plural
from idealrank.reports.page.front import means_by_key
from idealrank.reports.page.markup import MARKS, count, fixed, name
from idealrank.reports.types import Compared, DocumentsPart, MeasureEntry, ReportSections, VerdictEntry
from idealrank.statistics.quantiles import QUANTILES

SHOWN = 200
"""Rows of a table that are written; the others are counted."""

STAGES = {
    "read": "Reading the tables",
    "list": "Making the lists",
    "value": "Computing a query's value",
    "mean": "Taking the mean",
}

TITLES = {
    "decisions": "Settings",
    "methods": "Statistics",
    "means": "Means",
    "document_segments": "Documents",
    "thresholds": "Thresholds",
    "latency": "Latency",
    "ledger": "Ledger",
    "holes": "Unjudged",
    "inputs": "Inputs",
}
"""What the tabs are called, in their order; each has a template of its key."""


def question_and_meaning(text: str) -> tuple[str, str]:
    """Return what a decision asks and what the answer means; several answers are one for each measure."""
    key, _, answers = text.partition("=")
    question = questions()[key]
    return question.asks, " | ".join(question.answers.get(answer, question.number) for answer in answers.split("|"))


def counted_states(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the states that any query is in."""
    return [key for key in rows[0] if key not in ("system", "measure") and any(row[key] for row in rows)]


def titles_by_id(documents: DocumentsPart) -> dict[str, str | None]:
    """Return the titles of documents."""
    return dict(zip(documents["id"], documents["title"] or [], strict=False))


def rows_by_measure(rows: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return rows by their measure."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["measure"], []).append(row)
    return found


def segment_cell(value: str | float | None) -> str:
    """Write a cell of a table of segments: a name, a count or a mean."""
    if isinstance(value, str):
        return name(value)
    return count(value) if isinstance(value, int) else fixed(value)


# Verdicts.


CARDS = 3
"""So many verdicts are cards; more are a table."""


def rows_by_pair(compared: Compared, measure: MeasureEntry) -> dict[tuple[str, str], DifferenceRow]:
    """Return the differences in a measure by pair."""
    rows = compared["differences"]
    return {(row["baseline"], row["system"]): row for row in rows if row["measure"] == measure["label"]}


def outcome_counts(verdicts: list[VerdictEntry]) -> str:
    """Say how many pairs have which outcome."""
    counts = {word: sum(verdict["outcome"] == word for verdict in verdicts) for word in MARKS}
    return ", ".join(f"{word} {count}" for word, count in counts.items() if count)


# Means.


COLUMNS = 4
"""So many systems are columns; more are rows."""


def best_first(report: ReportSections) -> list[str]:
    """Return the systems by their means of the first measure; those without one come last."""
    first, means = report["measures"][0], means_by_key(report)
    sign = 1 if first["direction"] == "lower" else -1

    def place(system: str) -> tuple[bool, float]:
        mean = means[first["label"], system]["mean"]
        return mean is None, 0.0 if mean is None else sign * mean

    return sorted(report["systems"], key=place)


def glyph_legend(measures: list[MeasureEntry]) -> str:
    """Say what the glyphs mean; a count is higher or lower, neither is better."""
    counts = [measure["label"] for measure in measures if measure["direction"] == "count"]
    if len(counts) == len(measures):
        return "▲ higher, ▼ lower, = no difference from the baseline."
    of_counts = f" For {', '.join(counts)}: ▲ higher, ▼ lower, neither is better." if counts else ""
    return f"▲ better, ▼ worse, = no difference from the baseline.{of_counts}"


def pairings(report: ReportSections) -> str:
    """Say over which queries the differences are, by measure where that differs; nothing where all are in the means."""
    labels: dict[str, list[str]] = {}
    for measure in report["measures"]:
        labels.setdefault(_pairing_note(measure["label"], report), []).append(measure["label"])
    if len(labels) == 1:
        return next(iter(labels))
    return " ".join(f"{', '.join(names)}: {note}" for note, names in labels.items() if note)


def _pairing_note(label: str, report: ReportSections) -> str:
    means = {row["system"]: row["queries"] for row in report["means"] if row["measure"] == label}
    changes = differences_by_key(report)
    paired = {system: row["queries"] for (measure, system), row in changes.items() if measure == label}
    if all(count == means[system] == means[report["baseline"] or ""] for system, count in paired.items()):
        return ""
    queries = f"{_lowest_count(paired)}{plural(max(paired.values()), 'query')}"
    over = f"{_lowest_count(means)}{max(means.values()):,}"
    return f"Differences are over the {queries} that both systems have a value for; the means are over {over}."


def _lowest_count(counts: dict[str, int]) -> str:
    """Write the lowest count before the highest; nothing where they are the same."""
    low, high = min(counts.values()), max(counts.values())
    return f"{low:,} to " if low < high else ""


def differences_by_key(report: ReportSections) -> dict[tuple[str, str], DifferenceRow]:
    """Return the differences to the baseline by measure and system; none where there is no baseline."""
    if report["baseline"] is None or report["compared"] is None:
        return {}
    return {(row["measure"], row["system"]): row for row in report["compared"]["differences"]}


# Latency.


CLOCKS = {"latency": "latency", "took": "engine time"}
"""What a clock is called."""


def latency_columns(systems: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the quantiles that were measured, with their headings."""
    keys = {"latency": "", "took": "took "}
    return {
        f"{before}{q}": f"{q} {CLOCKS[clock]}"
        for clock, before in keys.items()
        if f"{before}p50" in systems[0]
        for q in QUANTILES
    }


def milliseconds(value: float | None, sign: bool = False) -> str:
    """Write a time; a dash where there is none."""
    return milliseconds_text(math.nan if value is None else value, sign=sign)


# Thresholds of `overlap`.


_WIDE, _TOP, _FLOOR = 320, 18, 130
"""The width of the drawing, and where the highest mean and 0 are drawn."""

DASHES = ("none", "7 3", "2 3", "9 3 2 3", "1 4")
"""How the lines of systems differ; with more systems the table tells them apart."""


class ThresholdLines(NamedTuple):
    """The lines of some systems, from share 0 on the left to 1 on the right, and the highest mean."""

    points: list[str]
    top: float


def threshold_lines(means: Iterable[Sequence[float | None]]) -> ThresholdLines:
    """Return a line per system, from 0 to the highest mean."""
    lines = list(means)
    top = max((value for line in lines for value in line if value is not None), default=0.0) or 1.0
    return ThresholdLines([_points(line, top) for line in lines[: len(DASHES)]], top)


def _points(line: Sequence[float | None], top: float) -> str:
    step = (_WIDE - 8) / max(1, len(line) - 1)
    return " ".join(
        f"{4 + step * n:.1f},{_FLOOR - (_FLOOR - _TOP) * max(0.0, value) / top:.1f}"
        for n, value in enumerate(line)
        if value is not None
    )
