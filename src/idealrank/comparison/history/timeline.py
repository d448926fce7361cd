"""History: a table over dates, and how it is shown."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from idealrank.comparison.baseline.baseline import Baseline
from idealrank.comparison.history.change import MeanChange
from idealrank.display.blocks import Block, Grid, Heading, Lines
from idealrank.display.document import Shown
from idealrank.display.grid import Column
from idealrank.display.numbers import number_text, span_text
from idealrank.display.table import Table
from idealrank.statistics.intervals import interval
from idealrank.statistics.sample import UNBOUNDED

BARS = "▁▂▃▄▅▆▇█"
"""Heights of a bar, the lowest first."""

LEVEL = 0.95
"""Confidence of the intervals."""


@dataclass(frozen=True)
class Point:
    """One measure of one system on one date.

    Attributes
    ----------
    name, date
        The file, folder or key it is from, and its date; "" where there is none.
    system
        The system; "" where each date has one.
    measure
        The name of the measure.
    baseline
        The values by query, with hashes of lists and judgments.
    change
        What changed since the date before; None of the first.
    """

    name: str
    date: str
    system: str
    measure: str
    baseline: Baseline
    change: MeanChange | None

    @property
    def when(self) -> str:
        """The date, or the name where there is none."""
        return self.date or self.name

    @property
    def mean(self) -> float:
        """The mean of the measure."""
        return self.baseline.mean(self.measure)

    @property
    def ends(self) -> tuple[float, float]:
        """Student's interval of an arithmetic mean at 95 %; NaN where there is none."""
        meant = self.baseline.measure(self.measure)
        plain = meant.definition.total == "mean" and meant.decisions.average == "arithmetic"
        values = list(self.baseline.values(self.measure).values())
        if len(values) < 2 or not plain or self.baseline.weighted:
            return math.nan, math.nan
        promised = meant.definition.properties
        within = all(promised.lowest <= value <= promised.highest for value in values)
        bounds = (promised.lowest, promised.highest) if within else UNBOUNDED
        span = interval("student_t", values, None, LEVEL, seed=0, bounds=bounds)
        return (span.low, span.high) if math.isfinite(span.low + span.high) else (math.nan, math.nan)


@dataclass(frozen=True, eq=False, repr=False)
class History(Shown):
    """A measure over dates, and why it changed.

    Attributes
    ----------
    points
        One per measure, system and date, by date.
    note
        What is to be said of the order; "" where dates are known.
    omitted
        The measures that only some of the baselines have, if none was asked for: they are not followed.
    unranked
        What is to be said of results whose rows are ranked as they stand, without ranks and scores.
    """

    _instead: ClassVar[dict[str, str]] = {"to_pandas": "history.table.to_pandas()", "plot": "ir.plots.history(history)"}

    points: tuple[Point, ...]
    note: str = ""
    omitted: tuple[str, ...] = ()
    unranked: tuple[str, ...] = ()

    @property
    def notes(self) -> list[tuple[str, str]]:
        """What is to be said below it: of the order, and of measures that are not followed."""
        left = f"not in every baseline, so not shown: {', '.join(self.omitted)}"
        said = [("order", text) for text in ([self.note] if self.note else []) + list(self.unranked)]
        return [*said, *([("measures", left)] if self.omitted else [])]

    def lines(self) -> dict[tuple[str, str], list[Point]]:
        """Return the points of each measure and system, by date."""
        found: dict[tuple[str, str], list[Point]] = {}
        for point in self.points:
            found.setdefault((point.measure, point.system), []).append(point)
        return found

    @property
    def table(self) -> Table:
        """One row per measure, system and date: mean, interval, change with its parts, and why."""
        points = [point for line in self.lines().values() for point in line]
        texts = {name: [getattr(point, name) for point in points] for name in ("measure", "system", "date", "name")}
        if not any(texts["system"]):
            del texts["system"]
        ends = np.array([point.ends for point in points]).reshape(-1, 2)
        numbers = {"mean": np.array([point.mean for point in points]), "low": ends[:, 0], "high": ends[:, 1]}
        parts = {name: np.array([_part(point, of) for point in points]) for name, of in PARTS.items()}
        counted = {name: np.array([_count(point, name) for point in points], np.int64) for name in COUNTS}
        queries = {"queries": np.array([len(point.baseline.values(point.measure)) for point in points], np.int64)}
        why = {"why": [point.change.why if point.change else "" for point in points]}
        stated = {"fingerprint": [point.baseline.measures[point.measure] for point in points]}
        return Table({**texts, **queries, **numbers, **parts, **counted, **why}, "history", stated)

    def shown(self) -> list[Block]:
        """Return a grid per measure and system, with a bar per date."""
        notes: list[Block] = (
            [Lines(self.notes, indent=max(len(name) for name, _ in self.notes) + 3)] if self.notes else []
        )
        several = len({system for _, system in self.lines()}) > 1
        blocks = (_shown(measure, system, line, several) for (measure, system), line in self.lines().items())
        return [*(block for pair in blocks for block in pair), *notes]

    def to_dict(self) -> dict[str, Any]:
        """Return every row as plain values."""
        return {
            "history": self.table.rows(fingerprints=True),
            "note": self.note,
            "omitted": list(self.omitted),
            "unranked": list(self.unranked),
        }

    def to_json(self) -> str:
        """Return everything as JSON in full precision."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)


PARTS = {"change": "total", "by lists": "lists", "by labels": "labels", "by both": "both", "by queries": "queries"}
COUNTS = ("lists_changed", "labels_changed", "added", "removed")
"""The columns of a change: the parts it is taken apart into, and how many queries each is about."""


def _part(point: Point, name: str) -> float:
    return math.nan if point.change is None else float(getattr(point.change, name))


def _count(point: Point, name: str) -> int:
    return 0 if point.change is None else int(getattr(point.change, name))


def _shown(measure: str, system: str, line: Sequence[Point], several: bool) -> list[Block]:
    spans = [span_text(*point.ends, sign="") for point in line]
    changes = [point.change for point in line]
    columns = [
        Column("date", [point.when for point in line], numeric=False, whole=True),
        Column("", bars(point.mean for point in line), numeric=False, whole=True),
        Column("mean", [number_text(point.mean, ".4f") for point in line], numeric=True),
        Column("95% interval", spans, numeric=True, spare=True),
        Column("change", ["" if each is None else number_text(each.total, "+.4f") for each in changes], numeric=True),
        Column("why", ["" if each is None else each.why for each in changes], numeric=False),
    ]
    name = f"{measure}: {system}" if several and system else measure
    return [Heading("{}", (name,)), Grid(columns)]


def bars(values: Iterable[float]) -> list[str]:
    """Draw a bar for each value, from the lowest to the highest of them; nothing for one that is missing.

    Examples
    --------
    >>> bars([0.1, 0.2, 0.3]), bars([0.5, 0.5]), bars([float("nan"), 1.0])
    (['▁', '▅', '█'], ['▄', '▄'], ['', '▄'])
    """
    every = list(values)
    known = [value for value in every if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    middle = BARS[len(BARS) // 2 - 1]
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    heights = (BARS[math.floor((value - low) * scale + 0.5)] if scale else middle for value in known)
    return ["" if not math.isfinite(value) else next(heights) for value in every]
