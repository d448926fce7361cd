"""The values behind a comparison, computed once: tables, text and plots read them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from idealrank.arrays import Cache
from idealrank.comparison.conditions import ConditionResult
from idealrank.comparison.contrasts import Contrast, SharedMethods
from idealrank.comparison.latency import (
    VERDICT_QUANTILE,
    LatencyChange,
    different_clocks,
    latency_changes,
    latency_reasons,
    separate_runs,
)
from idealrank.comparison.leaderboard import Leaderboard, board_of_contrasts, board_of_pairs
from idealrank.comparison.overlap import same_lists, same_lists_by_query
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.segments.segments import Segments
from idealrank.comparison.settings_grid import grid_table
from idealrank.comparison.tuning import Tuning, tuning_reasons
from idealrank.comparison.types import Grid, OneSided
from idealrank.comparison.unjudged.buckets import UnjudgedResults
from idealrank.comparison.unjudged.evidence import UnjudgedEvidence
from idealrank.comparison.verdict.failed_searches import FailedSearches, failed_searches
from idealrank.comparison.verdict.reasons import reduce
from idealrank.comparison.verdict.rule import DONT, SHIP, Rule, gains_of
from idealrank.comparison.verdict.suspect_results import suspicion_reasons, suspicions, warnings_of, weight_reasons
from idealrank.comparison.verdict.verdict import Verdict, Verdicts, decide
from idealrank.comparison.verdict.words import Evidence
from idealrank.display.document import Described
from idealrank.display.schema import IfAny, Is, Named, Shared
from idealrank.display.table import Table
from idealrank.evaluation.ledger.ledger import SharedLedger
from idealrank.evaluation.ledger.oddities import Oddity
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import QueryState

if TYPE_CHECKING:
    from idealrank.comparison.calibrated import CalibratedDifference

MOST_VERDICTS = 3
"""Pairs of systems that get a verdict each; more that are compared with each other get a leaderboard instead."""


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonData(Described):
    """Two or more systems, paired by query.

    Attributes
    ----------
    pairing
        The systems and their values by query.
    contrasts
        The evidence, by pair of systems and measure.
    unjudged
        The holes of all systems under each measure.
    holes
        What they may change, by pair of systems.
    methods, rule
        How it was tested, and what is decided by.
    limits
        What latencies say of each limit that guards, by pair of systems.
    segment
        The query attributes that `segments` goes by; empty: those that `Segments` finds by itself.
    tuning
        How the system was chosen, on other queries; None where nothing was held out.
    calibration
        The difference by a cheap judge calibrated on people, by pair of systems; none where no judge was given.
    """

    pairing: Pairing
    contrasts: dict[Key, Contrast]
    unjudged: UnjudgedResults
    holes: dict[Pair, UnjudgedEvidence]
    methods: SharedMethods
    rule: Annotated[Rule, Shared("rule")]
    limits: Mapping[Pair, Sequence[ConditionResult]]
    segment: tuple[str, ...] = ()
    tuning: Annotated[Tuning | None, IfAny()] = None
    calibration: Mapping[Pair, CalibratedDifference] = field(default_factory=dict)

    @property
    def scores(self) -> Scores:
        """The evaluation behind it."""
        return self.pairing.scores

    @property
    def ledger(self) -> SharedLedger:
        """What became of every query of every system."""
        return self.scores.ledger

    @property
    def systems(self) -> Annotated[tuple[str, ...], "The systems."]:
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
    def verdict(
        self,
    ) -> Annotated[
        Verdicts,
        Named("verdicts"),
        Is(dict[str, Annotated[Verdict, Shared("verdict")]]),
        "The verdict for each system, or pair as 'system vs baseline'.",
    ]:
        """What to do with each system, the reason, and what would settle it."""
        return Verdicts([self._decide(pair, self._of_pair(pair)) for pair in self.pairing.pairs])

    def _of_pair(self, pair: Pair) -> list[Contrast]:
        """Return the evidence of a pair of systems, a contrast per measure."""
        return [self.contrasts[Key(pair, m)] for m in range(len(self.scores.measures))]

    def _decide(self, pair: Pair, contrasts: Sequence[Contrast]) -> Verdict:
        changes = self.latency_changes[pair]
        different_times = different_clocks(self.scores, pair) or (separate_runs(self.scores, pair) if changes else "")
        named = next((each for each in changes if each.quantile == VERDICT_QUANTILE and not different_times), None)
        evidence = Evidence(
            contrasts, self.rule, self.holes[pair], self.failed[pair], self.unjudged_share(pair),
            measured=bool((self.scores.states[list(pair), 0] == QueryState.COMPUTED).any()),
            identical=all(each.same for each in contrasts) and same_lists(self.scores, pair),
            relevant_only=min(self.unjudged.facts[0].grades, default=0.0) > 0,
            complete=self.scores.measures[0].decisions.unjudged == "complete",
            calibrated=self.calibration.get(pair), tuning=self.tuning,
            latency=named, different_times=different_times, limits=self.limits[pair],
        )  # fmt: skip
        reasons = decide(evidence)
        of = (self.pairing, contrasts, pair, self.rule)
        reasons += suspicion_reasons(reduce(reasons), self.suspicions[pair], *of)
        reasons += weight_reasons(reduce(reasons), *of)
        if self.tuning is not None:
            reasons += tuning_reasons(reasons, self.tuning, contrasts[0], self.rule)
        reasons += latency_reasons(reduce(reasons), evidence.latency, different_times, evidence.limits)
        return Verdict(contrasts[0].system, contrasts[0].baseline, tuple(reasons), evidence)

    @functools.cached_property
    def unchanged(self) -> dict[Pair, tuple[str, ...]]:
        """The queries for which both systems return the same, as far as the deciding measure reads, by pair of systems.

        They differ by exactly 0, whatever the grades: judging more of their results changes nothing.
        """
        asked = dict(zip(self.scores.queries, self.scores.in_scope, strict=True))
        found = ((pair, same_lists_by_query(self.scores, pair)) for pair in self.pairing.pairs)
        return {pair: tuple(query for query, alike in same.items() if alike and asked[query]) for pair, same in found}

    @functools.cached_property
    def suspicions(self) -> dict[Pair, list[Oddity]]:
        """What is odd about the results, by pair of systems: rows that seem lost, ranks that can hardly be right."""
        return suspicions(self.pairing)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be said before any verdict: what is odd about the results, then what the ledger warns of."""
        return warnings_of((each for of in self.suspicions.values() for each in of), self.ledger.warnings)

    @functools.cached_property
    def latency_changes(self) -> dict[Pair, list[LatencyChange]]:
        """How much longer searches take, by pair of systems; nothing where the results do not say."""
        level, seed, kept = self.methods.level, self.methods.seed, Cache()
        return {pair: latency_changes(self.scores, pair, level, seed, kept) for pair in self.pairing.pairs}

    @functools.cached_property
    def ahead(self) -> list[tuple[str, str]]:
        """Which system is ahead of which: it gains, and SHIP would be said of it in the place of the other."""
        found = []
        for decided in self.verdict.values():
            gains, names = gains_of(decided.evidence.contrasts)
            turned = [gain.negated for gain in gains]
            if decided.outcome == SHIP and gains[0].low > 0:
                found.append((decided.system, decided.baseline))
            if decided.outcome == DONT and turned[0].low > 0 and self.rule.outcome(turned, names)[0] == SHIP:
                found.append((decided.baseline, decided.system))
        return found

    def unjudged_share(self, systems: Sequence[int]) -> float:
        """Return the share of what systems returned that nobody judged, in the top k of the deciding measure.

        In the top 10 where that has no cutoff.
        """
        return unjudged_share(self.scores, systems, self.scores.measures[0].cutoff or 10)

    @functools.cached_property
    def failed(self) -> dict[Pair, FailedSearches | None]:
        """What the queries whose search failed could change, by pair of systems; None where none failed."""
        pairs = self.pairing.pairs
        return {pair: failed_searches(self.pairing, self._of_pair(pair), pair, self.rule) for pair in pairs}

    @functools.cached_property
    def segments(self) -> Segments:
        """What changes in which segments of the queries, and the few that explain most of it."""
        return Segments(self.pairing, self.methods, self.segment)

    @functools.cached_property
    def grid(self) -> Annotated[Table | None, Is(Grid), IfAny()]:
        """One row per system named by its settings, as ``q boost=1 fuzziness=0``; None where no two systems are.

        Settings, the mean of each measure, and under the deciding one the interval of the mean, the difference from the
        baseline with its corrected interval and p, and whether the point is the ``best`` or ``may be best``: Tukey's
        randomised test of all pairs of points does not tell it from the best. With `hold_out`, all of it is about the
        tuning queries.
        """
        of = self if self.tuning is None else self.tuning
        return grid_table(of.pairing, of.contrasts, of.methods)

    @functools.cached_property
    def leaderboard(self) -> Leaderboard:
        """All systems, best first, with the ranks each can have by the simultaneous intervals of all pairs."""
        if self.baseline:  # which only some of the pairs were compared with
            return board_of_pairs(self.pairing, self.methods)
        return board_of_contrasts(self.pairing, self.contrasts, self.methods)

    @property
    def many(self) -> bool:
        """Whether so many systems are compared with each other that a leaderboard says it better than verdicts."""
        return not self.baseline and len(self.pairing.pairs) > MOST_VERDICTS

    def key(self, measure: str | None = None, system: str | None = None) -> Key:
        """Return the key of a contrast: of the first measure, of the only pair, where none is named.

        Raises
        ------
        UsageError
            If a name is not known, or there are several and none is named.
        """
        return self.pairing.key(measure, system)

    @functools.cached_property
    def one_sided(self) -> OneSided:
        """By pair, the judged queries that only one of its systems returned results for."""
        queries = {}
        for pair in self.pairing.pairs:
            first, second = self.pairing.one_sided(pair)
            if first or second:
                alone = [f"{self.systems[s]} alone" for s in pair]
                queries[self.pairing.pair_label(pair)] = {alone[0]: list(first), alone[1]: list(second)}
        return queries
