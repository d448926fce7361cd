"""Comparison: what comparing systems returns; values per query first, evidence from them, the verdict last."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.comparison.changes import Changes, query_changes
from idealrank.comparison.contrast import Contrast
from idealrank.comparison.contrasts import Key
from idealrank.comparison.deciding import verdict
from idealrank.comparison.holes import Holes
from idealrank.comparison.holes.evidence import HoleEvidence
from idealrank.comparison.holes.to_judge import to_judge
from idealrank.comparison.lost_value import lost_value
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.robustness import Robustness, robustness
from idealrank.comparison.rule import Rule
from idealrank.comparison.segments.segments import Segments
from idealrank.comparison.tables import differences_table, means_table, query_table
from idealrank.comparison.verdict import Verdicts
from idealrank.display.table import Table
from idealrank.errors import UsageError
from idealrank.evaluation.scores import Scores

if TYPE_CHECKING:
    from idealrank.evaluation.ledger.ledger import Ledger


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
        """One row a system and measure: queries, mean, its interval, lowest and highest the holes allow."""
        return means_table(self)

    @functools.cached_property
    def differences(self) -> Table:
        """One row a pair of systems and measure: both means, the difference, intervals, p, wins, holes, verdict."""
        return differences_table(self)

    @property
    def per_query(self) -> Table:
        """One row a query, pair and measure: both values, their difference, overlap of the lists, weight, segment."""
        return query_table(self, list(self.contrasts), "per query")

    def changes(self, query: object = None, measure: str | None = None, system: str | None = None) -> Changes:
        """Return what became of each document of one query: see `idealrank.comparison.changes.query_changes`."""
        return query_changes(self, query, measure, system)

    @functools.cached_property
    def robustness(self) -> Robustness:
        """The same comparison under every flavour of the deciding measure: which decisions the verdict depends on."""
        return robustness(self)

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
        paired = np.where(self.pairing.paired(*key), self.pairing.difference(*key), np.nan)
        d = sign * direction * paired[order]
        chosen = np.argsort(d, kind="stable")  # NaN last
        places = [int(order[i]) for i in chosen if d[i] < 0][:n]
        return query_table(self, [key], "queries", places)

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
            "holes": {self.pairing.called(pair): found.to_dict() for pair, found in self.holes.items()},
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
                found[self.pairing.called(pair)] = {f"{names[0]} alone": list(first), f"{names[1]} alone": list(second)}
        return found

    def to_json(self, per_query: bool = False) -> str:
        """Return everything as JSON in full precision, with the values per query if asked for."""
        whole = self.to_dict()
        if per_query:
            whole["per_query"] = json.loads(self.per_query.to_json())
        return json.dumps(whole, ensure_ascii=False, indent=2)

    def to_markdown(self) -> str:
        """Return a page for a pull request: verdicts, differences, the queries that lose most with their rank moves."""
        from idealrank.display.markdown import comparison_markdown

        return comparison_markdown(self)

    def to_junit(self) -> str:
        """Return JUnit XML, a suite a pair of systems, a case a measure: DON'T fails, CAN'T TELL is skipped."""
        from idealrank.display.junit import comparison_junit

        return comparison_junit(self)

    def to_latex(self) -> str:
        """Return a table as papers print it: the best in bold, letters for systems it is significantly better than."""
        from idealrank.comparison.latex import comparison_latex

        return comparison_latex(self)

    def __repr__(self) -> str:
        from idealrank.comparison.shown import render_comparison

        return render_comparison(self)

    def _repr_html_(self) -> str:
        from idealrank.comparison.shown_html import comparison_html

        return comparison_html(self)


def _refuse_count(n: Any) -> None:
    if not isinstance(n, int) or n < 1:
        raise UsageError(f"n={n!r}: how many is a whole number from 1 up.")
