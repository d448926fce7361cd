"""Segments: what changes where; the table of all segments, and the few that explain most of the change."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pair, Pairing
from idealrank.comparison.segments.attributes import Attribute, answered, attributes
from idealrank.comparison.segments.explaining import ExplainingSegments, explain_change
from idealrank.comparison.segments.segment import Segment, segment
from idealrank.display.table import Table
from idealrank.statistics.corrections import benjamini_hochberg


@dataclass(frozen=True, eq=False, repr=False)
class Segments:
    """What every system changes in every segment of the queries, under every measure.

    The queries of a segment are tested as all queries are, and its interval is for itself. p is corrected for false
    discovery over all rows of the table by Benjamini and Hochberg (1995): of the segments with a corrected p of at
    most 0.05, at most 5 % on average do not change. That holds for tests that are independent, as within one
    attribute, or depend positively, as those of segments that share queries (Benjamini and Yekutieli 2001, theorem
    1.2; for two-sided p of correlated means Reiner-Benaim 2007).

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
        """Return the smallest set of segments that holds most of the change: see `explain_change`.

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
        return {"made": self.made, "rows": json.loads(self.table.to_json()), "explains": explains}

    def __repr__(self) -> str:
        from idealrank.comparison.segments.shown import render_segments

        return render_segments(self)

    def _repr_html_(self) -> str:
        from idealrank.comparison.segments.shown import segments_html

        return segments_html(self)


_COLUMNS = {
    name: {"name": "segment", "corrected": "corrected p"}.get(name, name.replace("_", " "))
    for name in Segment.__dataclass_fields__
}
