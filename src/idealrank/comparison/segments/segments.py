"""Segments: what changes where; the table of all segments, and the few that explain most of the change."""

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pair, Pairing
from idealrank.comparison.segments.attributes import Attribute, answered, attributes
from idealrank.comparison.segments.drawn_test import LEAST, MOST, OF_MEANS
from idealrank.comparison.segments.explaining import ExplainingSegments, explain_change
from idealrank.comparison.segments.segment import Segment, segment
from idealrank.display.blocks import SHOWN_ROWS, Block, Grid, Lines
from idealrank.display.document import Shown
from idealrank.display.grid import Column
from idealrank.display.numbers import difference_column, number_text, p_text, span_text
from idealrank.display.table import Table
from idealrank.errors import plural
from idealrank.statistics.corrections import benjamini_hochberg

EXPLAINED = 10
"""Pairs of systems explained in text: each takes seconds where queries are many."""

NO_SEGMENTS = (
    "none: nothing known about the queries tells them apart. Give a table of queries with their texts, frequencies or "
    "other columns."
)


@dataclass(frozen=True, eq=False, repr=False)
class Segments(Shown):
    """What every system changes in every segment of the queries, under every measure.

    A segment's mean is tested against as many queries drawn from all, so that a skew that all queries share is no
    discovery (see `drawn_p`); segments of fewer than 5 queries are not tested. Its interval is for itself. p is
    corrected for false discovery over all rows of the table by Benjamini and Hochberg (1995): of the segments with a
    corrected p of at most 0.05, at most 5 % on average do not change. That holds for tests that are independent, as
    within one attribute, or depend positively, as those of segments that share queries (Benjamini and Yekutieli 2001,
    theorem 1.2; for two-sided p of correlated means Reiner-Benaim 2007).

    Attributes
    ----------
    pairing, methods
        The systems by query, and how they are tested.
    names
        The attributes asked for; empty: all that tell queries apart (see `attributes`).

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels = {f"q{i}": {"d": 1} for i in range(12)}
    >>> first = {key: {"d": 2.0, "x": 1.0} for key in qrels}
    >>> last = {key: {"d": 1.0, "x": 2.0} for key in qrels}
    >>> kinds = {"query_id": list(qrels), "kind": ["brand", "other"] * 6}
    >>> test = {key: (last if i % 2 else first)[key] for i, key in enumerate(qrels)}
    >>> found = ir.compare(qrels, {"control": last, "test": test}, ["RR"], queries=kinds)
    >>> [(row.attribute, row.name, row.queries, row.contribution) for row in found.segments.rows]
    [('kind', 'brand', 6, 0.25), ('kind', 'other', 6, 0.0)]
    >>> found.segments.explains().segments
    ('kind=brand',)
    """

    pairing: Pairing
    methods: Methods
    names: tuple[str, ...] = ()

    @functools.cached_property
    def rows(self) -> tuple[Segment, ...]:
        """One a pair of systems, measure, attribute and segment."""
        rows = [
            segment(self.pairing, self.methods, key, attribute.name, name, mask)
            for key in self.pairing.keys
            for attribute in self._attributes(key.pair)
            for name, mask in attribute.segments.items()
        ]
        corrected = benjamini_hochberg(np.array([row.p for row in rows]))
        return tuple(replace(row, corrected=float(p)) for row, p in zip(rows, corrected, strict=True))

    @functools.cached_property
    def table(self) -> Table:
        """The rows as a table."""
        columns = {title: [getattr(row, name) for row in self.rows] for name, title in _COLUMNS.items()}
        scores = self.pairing.scores
        prints = dict(zip(scores.labels, (m.fingerprint for m in scores.measures), strict=True))
        return Table(columns, "segments", {"fingerprint": [prints[row.measure] for row in self.rows]})

    @functools.cached_property
    def made(self) -> dict[str, str]:
        """How each attribute is made, in words."""
        return {a.name: a.made for pair in self.pairing.pairs for a in self._attributes(pair)}

    def explains(self, measure: str | None = None, system: str | None = None) -> ExplainingSegments:
        """Return the smallest set of segments that contains most of the change: see `explain_change`.

        Parameters
        ----------
        measure
            One of the measures; None: the first.
        system
            One of the systems, as the verdicts name it; None: the only one.

        Raises
        ------
        UsageError
            If a name is not known, or there are several systems and none is named.
        """
        pair, m = self.pairing.key(measure, system)
        by_id, scores = self.pairing.by_id, self.pairing.scores
        kept = by_id[self.pairing.paired(pair, m)[by_id]]
        d = self.pairing.difference(pair, m)[kept]
        weights = np.ones(len(d)) if self.pairing.weights is None else self.pairing.weights[kept]
        masks = {
            f"{attribute.name}={name}": mask[kept]
            for attribute in self._attributes(pair)
            for name, mask in attribute.segments.items()
        }
        return explain_change(d, weights, masks, self.methods, scores.labels[m])

    def labels(self, pairs: Sequence[Pair], places: Iterable[int]) -> dict[str, list[str]]:
        """Return the segment of each of some queries by attribute, one pair after the other."""
        labels: dict[str, list[str]] = {}
        for pair in pairs:
            for attribute in self._attributes(pair):
                labels.setdefault(attribute.name, []).extend(attribute.label(q) for q in places)
        return labels

    @functools.cached_property
    def _shared(self) -> tuple[Attribute, ...]:
        return attributes(self.pairing.scores, self.names)

    def _attributes(self, pair: Pair) -> tuple[Attribute, ...]:
        return self._shared + answered(self.pairing.scores, pair, self.names)

    def to_dict(self) -> dict[str, Any]:
        """Return how the attributes are made, the rows, and what explains the deciding measure, as plain values."""
        explains = {}
        for pair in self.pairing.pairs:
            called = self.pairing.called(pair)
            explains[called] = self.explains(system=called).to_dict()
        return {"made": self.made, "rows": self.table.rows(fingerprints=True), "explains": explains}

    def shown(self) -> list[Block]:
        """Return one row per pair of systems, measure and segment, then what explains the change."""
        return [*self.grid, *self.account()]

    def account(self) -> list[Block]:
        """Say what explains the change in the deciding measure, how the segments are made, and what is missing."""
        if not self.rows:
            return [Lines([("segments", NO_SEGMENTS)])]
        made = [("" if i else "segments", f"{name}: {made}") for i, (name, made) in enumerate(self.made.items())]
        without: dict[str, dict[str, None]] = {}
        for row in self.rows:
            if row.note:
                without.setdefault(row.note, {})[f"{row.attribute}={row.name}"] = None
        noted = [("", f"{', '.join(names)}: {note}") for note, names in without.items()]
        return [Lines([*self._explained, *made, *noted, ("", self._tested)])]

    @property
    def grid(self) -> list[Block]:
        """One row per pair of systems, measure and segment; nothing where there are none."""
        if not self.rows:
            return []
        rows = self.rows[:SHOWN_ROWS]
        return [Grid(self._columns(rows), more=len(self.rows) - len(rows), stated=self.table.stated)]

    def _columns(self, rows: Sequence[Segment]) -> list[Column]:
        """Write the rows as columns of text; which system and measure only where there are several."""
        scores = self.pairing.scores
        directions = dict(zip(scores.labels, (m.definition.properties.direction for m in scores.measures), strict=True))
        turns = [directions[row.measure] for row in rows]
        keys = {
            "measure": [row.measure for row in rows] if len(scores.measures) > 1 else [],
            "system": [row.system for row in rows] if len(self.pairing.pairs) > 1 else [],
            "less": [] if self.pairing.baseline else [row.baseline for row in rows],
        }
        return [
            *(Column(name, names, numeric=False) for name, names in keys.items() if names),
            Column("segment", [f"{row.attribute}={row.name}" for row in rows], numeric=False),
            Column("queries", [str(row.queries) for row in rows], numeric=True),
            Column("share", [f"{row.share:.1%}" for row in rows], numeric=True),
            difference_column([row.difference for row in rows], turns),
            Column("interval", [span_text(row.low, row.high) for row in rows], numeric=True),
            Column("p", [p_text(row.p) for row in rows], numeric=True),
            Column("corrected p", [p_text(row.corrected) for row in rows], numeric=True),
            Column("contribution", [number_text(row.contribution, "+.4f") for row in rows], numeric=True),
            Column("wins", [str(row.wins) for row in rows], numeric=True),
            Column("ties", [str(row.ties) for row in rows], numeric=True),
            Column("losses", [str(row.losses) for row in rows], numeric=True),
        ]

    @property
    def _explained(self) -> list[tuple[str, str]]:
        """The sentence of each pair with its label; of many pairs those of the first."""
        pairs = [self.pairing.called(pair) for pair in self.pairing.pairs]
        sentences = {called: self.explains(system=called).sentence for called in pairs[:EXPLAINED]}
        rows = [("explained", text if len(pairs) == 1 else f"{called}: {text}") for called, text in sentences.items()]
        more = len(pairs) - len(sentences)
        way = f"as segments.explains(system={pairs[-1]!r})"
        return [*rows, *([("", f"{plural(more, 'more system')}: ask for each, {way}")] if more else [])]

    @property
    def _tested(self) -> str:
        tests = sum(not math.isnan(row.p) for row in self.rows)
        return (
            f"{self._test} in each; corrected p: false discovery over all {tests} (Benjamini and Hochberg "
            "1995); intervals are for each alone; contributions add up to the difference of all within one attribute"
        )

    @property
    def _test(self) -> str:
        if self.methods.test not in OF_MEANS:
            return f"{self.methods.test} test"
        return f"t against queries drawn from all (above {MOST}: {self.methods.test} test; below {LEAST}: none)"


_COLUMNS = {
    name: {"name": "segment", "corrected": "corrected p"}.get(name, name.replace("_", " "))
    for name in Segment.__dataclass_fields__
}
