"""Comparison: what comparing systems returns; values per query first, evidence from them, the verdict last."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.comparison.contrast import Contrast
from idealrank.comparison.contrasting import Key
from idealrank.comparison.deciding import verdict
from idealrank.comparison.evidence import HoleEvidence
from idealrank.comparison.holes import Holes
from idealrank.comparison.intervals import interval
from idealrank.comparison.lost import lost_value
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.rule import Rule
from idealrank.comparison.sample import sampled
from idealrank.comparison.segments import Segments
from idealrank.comparison.to_judge import to_judge
from idealrank.comparison.verdict import Verdicts
from idealrank.errors import UsageError
from idealrank.lists import Floats, Ints
from idealrank.scores import Scores
from idealrank.table import Table

if TYPE_CHECKING:
    from idealrank.ledger import Ledger


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two or more systems, paired by query.

    Attributes
    ----------
    pairing
        The systems and their values by query.
    contrasts
        The evidence, by pair of systems and measure.
    unjudged
        The holes of all systems, by measure.
    holes
        What they may change, by pair of systems.
    methods, rule
        How it was tested, and what is decided by.
    segment
        The query attributes that `segments` goes by; empty: those that `Segments` finds by itself.
    """

    pairing: Pairing
    contrasts: dict[Key, Contrast]
    unjudged: Sequence[Holes]
    holes: dict[tuple[int, int], HoleEvidence]
    methods: Methods
    rule: Rule
    segment: tuple[str, ...] = ()

    @property
    def scores(self) -> Scores:
        """The evaluation behind it."""
        return self.pairing.scores

    @property
    def ledger(self) -> Ledger:
        """What became of every query of every system."""
        return self.scores.ledger

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems compared."""
        return self.scores.systems

    @property
    def baseline(self) -> str:
        """What the others are compared with; "" where all pairs are compared."""
        return self.pairing.baseline

    def __getitem__(self, key: str | tuple[str, str]) -> Contrast:
        """Return the contrast under a measure: ``comparison["RR"]``, or ``comparison["RR", "hybrid"]`` of several.

        Raises
        ------
        UsageError
            If a name is not known, or the system is not named and there are several.
        """
        name, system = key if isinstance(key, tuple) else (key, None)
        return self.contrasts[self.key(name, system)]

    @functools.cached_property
    def verdict(self) -> Verdicts:
        """What to do with each system: SHIP, DON'T or CAN'T TELL, the reason, and what would settle it."""
        measures = range(len(self.scores.measures))
        found = [
            verdict([self.contrasts[pair, m] for m in measures], self.rule, self.holes[pair])
            for pair in self.pairing.pairs
        ]
        return Verdicts(found)

    @functools.cached_property
    def means(self) -> Table:
        """One row a system and measure: queries, mean, its interval."""
        rows: list[dict[str, Any]] = []
        methods = self.methods
        for s, system in enumerate(self.systems):
            for m, label in enumerate(self.scores.labels):
                keep = np.flatnonzero(self._counts(s, m))
                values, weights = self.scores.values[s, m, keep], self._weights(keep)
                span = interval(
                    methods.interval, values, weights, methods.level, seed=methods.seed, draws=methods.draws
                )
                row = {"system": system, "measure": label, "queries": len(keep)}
                row |= {"mean": sampled(values, weights).mean, "low": span.low, "high": span.high}
                rows.append(row | self._hole_range(s, m, keep))
        measures = list(range(len(self.scores.labels))) * len(self.systems)
        return _table(rows, "means", measures, self.scores)

    def _hole_range(self, s: int, m: int, keep: Ints) -> dict[str, Any]:
        """Return the lowest and the highest mean that the holes allow."""
        found = self.unjudged[m].bounds(s)
        if found.kind == "unknown":
            return {"lowest": math.nan, "highest": math.nan, "bounds": found.kind}
        low, high = (sampled(end[keep], self._weights(keep)).mean for end in (found.low, found.high))
        return {"lowest": low, "highest": high, "bounds": found.kind}

    def _counts(self, s: int, m: int) -> Any:
        there = ~np.isnan(self.scores.values[s, m])
        return there if self.pairing.weights is None else there & (self.pairing.weights > 0)

    def _weights(self, keep: Ints) -> Floats | None:
        return None if self.pairing.weights is None else self.pairing.weights[keep]

    @functools.cached_property
    def differences(self) -> Table:
        """One row a pair of systems and measure: both means, the difference, intervals, p, wins, holes, verdict."""
        rows = [self._row(pair, m, contrast) for (pair, m), contrast in self.contrasts.items()]
        return _table(rows, "differences", [m for _, m in self.contrasts], self.scores)

    def _row(self, pair: tuple[int, int], m: int, contrast: Contrast) -> dict[str, Any]:
        found, holes, first = contrast, self.holes[pair].ranges[m], m == 0
        outcomes = list(self.verdict.values())
        return {
            "system": found.system, "baseline": found.baseline, "measure": found.measure, "queries": found.queries,
            "baseline mean": found.baseline_mean, "mean": found.mean, "difference": found.difference,
            "low": found.interval.low, "high": found.interval.high, "p": found.test.p,
            "corrected p": found.p, "corrected low": found.corrected.low, "corrected high": found.corrected.high,
            "effect": found.effect, "detectable": found.detectable,
            "wins": found.wins, "ties": found.ties, "losses": found.losses,
            "holes": holes.count,
            "lowest": holes.low, "highest": holes.high, "bounds": holes.kind,
            "verdict": outcomes[self.pairing.pairs.index(pair)].outcome if first else "",
        }  # fmt: skip

    @property
    def per_query(self) -> Table:
        """One row a query, pair of systems and measure: both values, their difference, weight, segment."""
        return self._queries_table(list(self.contrasts), "per query")

    def wins(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries that gain most, the greatest gain first; equal ones by query id."""
        return self._extreme(n, measure, system, -1.0)

    def losses(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries that lose most, the greatest loss first; equal ones by query id."""
        return self._extreme(n, measure, system, 1.0)

    def to_judge(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n unjudged documents whose label would move the difference most, with their ranks.

        Raises
        ------
        UsageError
            If the measure reads judgments by subtopic, or there are several systems and none is named.
        """
        _refuse_count(n)
        pair, m = self.key(measure, system)
        return to_judge(self.pairing, self.unjudged[m], pair, m, n)

    def _extreme(self, n: int, measure: str | None, system: str | None, sign: float) -> Table:
        _refuse_count(n)
        key = self.key(measure, system)
        direction = -1.0 if self.contrasts[key].direction == "lower" else 1.0
        order = self.pairing.by_id
        d = sign * direction * self.pairing.difference(*key)[order]
        chosen = np.argsort(d, kind="stable")  # NaN last
        places = [int(order[i]) for i in chosen if d[i] < 0][:n]
        return self._queries_table([key], "queries", places)

    def lost_value(self, n: int | None = None, measure: str | None = None, system: str | None = None) -> Table:
        """Rank queries by lost value = frequency x (value before - value after), the greatest loss first.

        The frequency is the weight of the query, else the queries table's column of frequencies. Queries that gain
        come last, with a lost value below 0; after them those without a frequency, without a lost value.

        Parameters
        ----------
        n
            Only the first n queries of each system; None: all.
        measure
            One of the measures; None: the first.
        system
            One of the systems, as the verdicts name it; None: each.

        Raises
        ------
        UsageError
            If there are no frequencies, or a name is not known.
        """
        pairs = self.pairing.pairs if system is None else (self.key(measure, system)[0],)
        return lost_value(self.pairing, pairs, 0 if measure is None else self.scores.place_of(measure), n)

    @functools.cached_property
    def segments(self) -> Segments:
        """What changes in which segments of the queries, and the few that explain most of it."""
        return Segments(self.pairing, self.methods, self.segment)

    def key(self, measure: str | None = None, system: str | None = None) -> Key:
        """Return the key of a contrast: of the first measure, of the only pair, where none is named.

        Raises
        ------
        UsageError
            If a name is not known, or there are several and none is named.
        """
        return self.pairing.key(measure, system)

    def _called(self, pair: tuple[int, int]) -> str:
        return self.pairing.called(pair)

    def _queries_table(self, keys: list[Key], title: str, places: list[int] | None = None) -> Table:
        columns = self._per_query(keys, places)
        each = len(columns["query"]) // len(keys)
        prints = [self.scores.measures[m].fingerprint for _, m in keys for _ in range(each)]
        return Table(columns, title, {"fingerprint": prints})

    def _per_query(self, keys: list[Key], places: list[int] | None = None) -> dict[str, Any]:
        scores = self.scores
        asked = np.flatnonzero(self.pairing.asked) if places is None else places
        ids = [scores.queries[q] for q in asked]
        columns: dict[str, Any] = {"query": ids * len(keys)}
        if scores.texts:
            columns["text"] = [scores.texts.get(key) for key in ids] * len(keys)
        columns["system"] = [scores.systems[pair[1]] for pair, _ in keys for _ in ids]
        columns["baseline"] = [scores.systems[pair[0]] for pair, _ in keys for _ in ids]
        columns["measure"] = [scores.labels[m] for _, m in keys for _ in ids]
        parts = {
            "baseline value": [scores.values[pair[0], m] for pair, m in keys],
            "value": [scores.values[pair[1], m] for pair, m in keys],
            "difference": [self.pairing.difference(pair, m) for pair, m in keys],
        }
        columns |= {name: np.concatenate([v[asked] for v in values]) for name, values in parts.items()}
        if self.pairing.weights is not None:
            columns["weight"] = np.tile(self.pairing.weights[asked], len(keys))
        for name, labels in self.segments.labels([pair for pair, _ in keys], asked).items() if self.segment else ():
            columns["segment" if len(self.segment) == 1 else f"segment {name}"] = labels
        return columns

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the values per query as plain values, for JSON."""
        return {
            "baseline": self.baseline or None,
            "systems": list(self.systems),
            "convention": self.scores.setting.text,
            "decisions": {
                label: m.fingerprint for label, m in zip(self.scores.labels, self.scores.measures, strict=True)
            },
            "methods": self.methods.to_dict(),
            "rule": self.rule.to_dict(),
            "verdicts": {name: found.to_dict() | {"sentence": found.sentence} for name, found in self.verdict.items()},
            "means": json.loads(self.means.to_json()),
            "differences": json.loads(self.differences.to_json()),
            "one_sided": self.one_sided,
            "weight_0": list(self.pairing.weightless),
            **({"segments": self.segments.to_dict()} if self.segment else {}),
            "ledger": self.ledger.to_dict(),
        }

    @functools.cached_property
    def one_sided(self) -> dict[str, dict[str, list[str]]]:
        """By pair, the judged queries that only one of its systems returned results for."""
        found = {}
        for pair in self.pairing.pairs:
            first, second = self.pairing.one_sided(pair)
            names = [self.systems[s] for s in pair]
            if first or second:
                found[self._called(pair)] = {f"{names[0]} only": list(first), f"{names[1]} only": list(second)}
        return found

    def to_json(self, per_query: bool = False) -> str:
        """Return everything as JSON in full precision, with the values per query if asked for."""
        whole = self.to_dict()
        if per_query:
            whole["per_query"] = json.loads(self.per_query.to_json())
        return json.dumps(whole, ensure_ascii=False, indent=2)

    def to_markdown(self) -> str:
        """Return a page for a pull request: verdicts, differences, the queries that lose most with their rank moves."""
        from idealrank.report.markdown import comparison_markdown

        return comparison_markdown(self)

    def to_junit(self) -> str:
        """Return JUnit XML, a suite a pair of systems, a case a measure: DON'T fails, CAN'T TELL is skipped."""
        from idealrank.report.junit import comparison_junit

        return comparison_junit(self)

    def to_latex(self) -> str:
        """Return a table as papers print it: the best in bold, letters for systems it is significantly better than."""
        from idealrank.report.latex import comparison_latex

        return comparison_latex(self)

    def __repr__(self) -> str:
        from idealrank.report.comparison import render_comparison

        return render_comparison(self)

    def _repr_html_(self) -> str:
        from idealrank.report.comparison import comparison_html

        return comparison_html(self)


def _refuse_count(n: Any) -> None:
    if not isinstance(n, int) or n < 1:
        raise UsageError(f"n={n!r}: how many is a whole number from 1 up.")


def _table(rows: list[dict[str, Any]], title: str, measures: list[int], scores: Scores) -> Table:
    columns: dict[str, Any] = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        columns[name] = np.array(values) if isinstance(values[0], (int, float)) else values
    return Table(columns, title, {"fingerprint": [scores.measures[m].fingerprint for m in measures]})
