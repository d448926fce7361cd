"""Comparison: what comparing systems returns: the findings with their tables, changes, and ways to be read."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from idealrank.comparison.findings import ComparisonData
from idealrank.comparison.latency import changes_table
from idealrank.comparison.pairing import Pair
from idealrank.comparison.segments.segments import Segments
from idealrank.comparison.tables import differences_table, extreme_queries, means_table, query_table, weighted_loss
from idealrank.comparison.text import comparison_blocks
from idealrank.comparison.types import DIFFERENCE_ROW, MEAN_ROW, CalibrationJson, SharedLatencyChanges
from idealrank.comparison.unjudged.buckets import to_judge
from idealrank.comparison.unjudged.evidence import UnjudgedEvidence
from idealrank.comparison.verdict.failed_searches import FailedSearches
from idealrank.comparison.verdict.verdict import Verdicts
from idealrank.display.blocks import Block
from idealrank.display.columns import STATED, ConventionText, Fingerprints
from idealrank.display.document import Shown
from idealrank.display.schema import IfAny, Is, Named, Shared
from idealrank.display.table import Table
from idealrank.errors import UsageError, refuse_count

if TYPE_CHECKING:
    import pandas as pd

    from idealrank.comparison.changes import Changes
    from idealrank.comparison.robustness import Robustness

T = TypeVar("T")

INSTEAD = {
    **dict.fromkeys(("show", "display"), "str(comparison)"),
    "plot": "ir.plot(comparison)",
    "report": "ir.report(comparison)",
    "to_html": "ir.report(comparison).to_html()",
    "to_mlflow": "ir.to_mlflow(comparison)",
    "to_wandb": "ir.to_wandb(comparison)",
    "save": "ir.report(comparison).save('report.html')",
    "explain": "comparison.scores.explain('nDCG@10', 'q1', 'bm25')",
    "worst": "comparison.losses()",
    "best": "comparison.wins()",
    "gains": "comparison.wins()",
    "head": "comparison.differences.head()",
    "filter": "comparison.per_query.filter(…)",
    **dict.fromkeys(("significant", "ship", "decision", "conclusion"), "comparison.verdict"),
    "ci": "comparison['nDCG@10'].corrected",
    "pvalue": "comparison['nDCG@10'].p",
    "p_value": "comparison['nDCG@10'].p",
    "p_values": "comparison.differences['corrected p']",
    "pvalues": "comparison.differences['corrected p']",
    **dict.fromkeys(("results", "table", "diff", "delta", "deltas"), "comparison.differences"),
    "winner": "comparison.verdict",
    "outcome": "comparison.verdict.outcome",
    "to_csv": "comparison.differences.to_csv() or comparison.per_query.to_csv()",
    **dict.fromkeys(("to_dataframe", "to_df", "df", "dataframe", "to_frame"), "comparison.to_pandas()"),
    **dict.fromkeys(("ndcg", "nDCG", "NDCG"), "comparison['nDCG@10']"),
    "to_table": "comparison.to_latex()",
}
"""What to call, by the name people try."""

INTERNAL = frozenset({"contrasts", "key", "latency_changes", "pairing", "segment", "shown", "unjudged"})
"""Attributes of a comparison that completion leaves out."""


class Comparison(ComparisonData, Shown):  # noqa: D101 - that of its fields is its docstring
    _instead = INSTEAD
    _internal = INTERNAL

    def __bool__(self) -> bool:
        """Refuse to be a condition: a comparison would be true whatever it found."""
        raise UsageError("A comparison is neither true nor false. Ask for its outcome: comparison.verdict == 'SHIP'.")

    @functools.cached_property
    def means(self) -> Annotated[Table, MEAN_ROW.also(STATED), "A row per system and measure."]:
        """One row per system and measure: queries, mean, its interval, lowest and highest the holes allow.

        Each mean is over all queries that the system has a value for. The two means in `differences` are over the
        queries that both systems have a value for.
        """
        return means_table(self)

    @functools.cached_property
    def differences(self) -> Annotated[Table, DIFFERENCE_ROW.also(STATED), "A row per pair and measure."]:
        """One row per pair of systems and measure: both means, the difference, intervals, p, wins, holes, verdict."""
        return differences_table(self)

    @functools.cached_property
    def latency(self) -> Annotated[Table, Is(SharedLatencyChanges), IfAny()]:
        """One row per pair of systems, clock and quantile: how many milliseconds longer searches take than before.

        The clock is ``latency``, the wall time, or ``took``, the engine's own; the quantiles are p50, p95 and p99 over
        the ``queries`` that both systems have a time for, of those that either was ``asked``. ``low`` and ``high`` are
        the ends of the interval of the ``difference`` by the paired bootstrap, each by itself at the level of the
        comparison; ``percent`` and its ends are the same as a share of the baseline's quantile. Ends are infinite where
        fewer than two queries are expected beyond the quantile. No rows where the results do not say how long searches
        took.
        """
        return changes_table([change for changes in self.latency_changes.values() for change in changes])

    @property
    def per_query(self) -> Table:
        """One row per query, pair and measure: both values, their difference, overlap of the lists, weight, segment."""
        return query_table(self, list(self.contrasts), "per query")

    def changes(self, query: object = None, measure: str | None = None, system: str | None = None) -> Changes:
        """Return what happened to each document of one query: see `idealrank.comparison.changes.query_changes`."""
        from idealrank.comparison.changes import query_changes

        return query_changes(self, query, measure, system)

    @functools.cached_property
    def robustness(self) -> Robustness:
        """The same comparison under every flavour of the deciding measure: which decisions the verdict depends on."""
        from idealrank.comparison.robustness import robustness

        return robustness(self)

    def wins(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries that gain most, the greatest gain first; equal ones by query id."""
        return extreme_queries(self, n, self.key(measure, system), gain=True)

    def losses(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n queries that lose most, the greatest loss first; equal ones by query id."""
        return extreme_queries(self, n, self.key(measure, system), gain=False)

    def to_judge(self, n: int = 10, measure: str | None = None, system: str | None = None) -> Table:
        """Return the n unjudged documents whose label would move the difference most, with their ranks.

        Raises
        ------
        UsageError
            If the measure reads judgments by subtopic, or there are several systems and none is named.
        """
        refuse_count("n", n, "how many")
        key = self.key(measure, system)
        return to_judge(self.pairing, self.unjudged, key, n)

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
        pairs = self.pairing.pairs if system is None else (self.key(measure, system).pair,)
        return weighted_loss(self.pairing, pairs, 0 if measure is None else self.scores.place_of(measure), n)

    def summary(self) -> Verdicts:
        """Return what to do with each system, in a sentence: the verdict."""
        return self.verdict

    def to_pandas(self) -> pd.DataFrame:
        """Return the differences as a pandas DataFrame; the values are ``comparison.per_query.to_pandas()``."""
        return self.differences.to_pandas()

    @property
    def _baseline(
        self,
    ) -> Annotated[
        str | None, Named("baseline"), "The system all others are compared with; null if all pairs are compared."
    ]:
        return self.baseline or None

    @property
    def _convention(self) -> Annotated[ConventionText, Named("convention")]:
        return self.scores.setting.text

    @property
    def _decisions(self) -> Annotated[Fingerprints, Named("decisions")]:
        return self.scores.fingerprints

    @property
    def _weightless(self) -> Annotated[tuple[str, ...], Named("weight_0"), "Queries of weight 0, which count nowhere."]:
        return self.pairing.weightless

    @property
    def _holes(
        self,
    ) -> Annotated[
        dict[str, Annotated[UnjudgedEvidence, Shared("holes")]],
        Named("holes"),
        "What unjudged documents may change, by system or pair.",
    ]:
        return self._by_label(self.holes)

    @property
    def _failed(
        self,
    ) -> Annotated[
        dict[str, Annotated[FailedSearches, Shared("failed")]],
        Named("failed"),
        "What failed searches could change, by system or pair; empty if none failed.",
    ]:
        return self._by_label(self.failed)

    @property
    def _segments(self) -> Annotated[Segments | None, Named("segments"), Shared("segments"), IfAny()]:
        return self.segments if self.segment else None

    @property
    def _calibration(
        self,
    ) -> Annotated[
        dict[str, Any],
        Named("calibration"),
        IfAny(),
        Is(dict[str, CalibrationJson]),
        "By people, by a judge, and by both, by system or pair; with --judge.",
    ]:
        return self._by_label(self.calibration)

    def _by_label(self, found: Mapping[Pair, T | None]) -> dict[str, T]:
        return {self.pairing.pair_label(pair): each for pair, each in found.items() if each is not None}

    def to_json(self, per_query: bool = False) -> str:
        """Return everything as JSON in full precision, with the values per query if asked for."""
        whole = self.to_dict()
        if per_query:
            whole["per_query"] = self.per_query.rows(fingerprints=True)
        return json.dumps(whole, ensure_ascii=False, indent=2)

    def shown(self) -> list[Block]:
        """Return the verdict, the means, the differences, and the notes below every number."""
        return comparison_blocks(self)

    def to_markdown(self) -> str:
        """Return a page for a pull request: verdicts, differences, the queries that lose most with their rank moves."""
        from idealrank.comparison.exports import comparison_markdown

        return comparison_markdown(self)

    def to_junit(self) -> str:
        """Return JUnit XML, a suite per pair of systems, a case per measure: DON'T fails, CAN'T TELL is skipped."""
        from idealrank.comparison.exports import comparison_cases
        from idealrank.display.junit import junit

        return junit(comparison_cases(self))

    def to_latex(self) -> str:
        """Return a table as papers print it: the best in bold, letters for systems it is significantly better than."""
        from idealrank.comparison.exports import comparison_latex

        return comparison_latex(self, self.means)


SharedComparison = Annotated[Comparison, "Everything a comparison says.", Shared("comparison")]
