"""What new results are held against: another system, or the values in a baseline's file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from idealrank.comparison.changes import MOVE_LEGEND, losses_grid, losses_with_moves
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.conditions import FAILED, NONE_MISSING, PASSED, Condition, ConditionResult
from idealrank.comparison.contrasts import Contrast, Methods, contrasts, gain_interval
from idealrank.comparison.exports import WORST, evidence_rows
from idealrank.comparison.pairing import DECIDES, GUARDS, SHOWN, Key, Pairing, Role
from idealrank.comparison.verdict.reasons import Reason, takes_back
from idealrank.comparison.verdict.suspect_results import ENOUGH, counted
from idealrank.data.formats.head import is_saved_scores
from idealrank.display.blocks import Grid, TextColumn
from idealrank.display.numbers import decimal
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, either, listed, named, option, plural
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import QueryState
from idealrank.measures.definition import Measure
from idealrank.regression.baseline import Baseline, baseline_of
from idealrank.regression.baseline_diff import Differences, differences
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import Sample, make_sample

TOLERANCE = 0.01
"""What a measure may lose where nobody says so: in its own units, or as a share where its values may exceed 1."""

ListChange = Literal["search failed", "same list", "list changed", "no results"]
"""What became of the list of a query that lost."""


@dataclass(frozen=True, eq=False)
class SystemReference:
    """Another system, whose lists are here: what moved in them is known.

    Attributes
    ----------
    comparison
        The newcomer against that system, under the measures that may not drop.
    differences
        What changed since that system was saved; None where its results were given.
    """

    comparison: Comparison
    differences: Differences | None = None
    why = "moves"
    """The column that says why a query lost."""
    legend = MOVE_LEGEND

    @property
    def pairing(self) -> Pairing:
        """Both values of every query."""
        return self.comparison.pairing

    def contrast(self, measure: str | Measure) -> Contrast:
        """Return the difference under one of the measures that may not drop."""
        return self.comparison.contrasts[Key(self.pairing.pairs[0], self.pairing.scores.place_of(measure))]

    @property
    def failed(self) -> Sequence[str]:
        """The queries whose search failed in either system."""
        failed = self.comparison.failed[self.pairing.pairs[0]]
        return () if failed is None else failed.every

    def doubt(self, drop: Condition, contrast: Contrast, finding: ConditionResult) -> Reason | None:
        """Return that nobody can tell, where a pass may be owed to odd results or to what nobody judged."""
        if finding.outcome == FAILED:
            return None
        # What chance alone leaves open passes, too, so odd results are asked about there as well.
        if odd := self._suspect(drop, contrast) or self._left_out(drop, contrast):
            return odd
        if finding.outcome != PASSED:
            return None
        if not drop.holds(self._estimated(contrast).low, contrast.baseline_mean):
            return takes_back("unjudged", "with estimated grades for the holes it may drop that far")
        return None

    def _suspect(self, drop: Condition, contrast: Contrast) -> Reason | None:
        """Return why no drop may be due to queries with odd results; None where they do not matter."""
        pairing, pair = self.pairing, self.pairing.pairs[0]
        # Lost results lower the values of a system: those of the newcomer do not explain that it passes.
        newcomer = pairing.scores.systems[pair.system]
        found = [each for each in self.comparison.suspicions[pair] if not (each.lowers and each.system == newcomer)]
        if not any(each.queries.any() for each in found):
            return None
        key = pairing.key(contrast.measure)
        odd = np.logical_or.reduce([each.queries for each in found])
        rest = np.flatnonzero(pairing.paired(*key) & ~odd)
        queries = tuple(itertools.compress(pairing.scores.queries, odd))
        if len(rest) < ENOUGH * contrast.queries:
            why = "but too few queries are left without those whose results are odd"
            return takes_back("odd results", why, queries=queries)
        weights = pairing.weights_of(rest)
        before = make_sample(pairing.scores.values[pair.baseline, key.measure][rest], weights).mean
        gain = make_sample(pairing.difference(*key)[rest], weights)
        if not self._turns(drop, contrast, before, gain):
            return None
        without = plural(len(queries), "query")
        why = f"but it drops by {decimal(-gain.mean)} without the {without} with odd results"
        return takes_back("odd results", why, queries=queries)

    def _left_out(self, drop: Condition, contrast: Contrast) -> Reason | None:
        """Return by how much it drops with the queries that lost results leave out; None where it does not.

        Those of the newcomer alone: that a baseline lacks some can only have hidden a gain.
        """
        pairing, pair = self.pairing, self.pairing.pairs[0]
        newcomer = pairing.scores.systems[pair.system]
        for each in self.comparison.suspicions[pair]:
            if each.left_out is None or each.system != newcomer:
                continue
            before, after, weights = counted(pairing, pairing.key(contrast.measure), each.left_out)
            gain = make_sample(after - before, weights)
            if self._turns(drop, contrast, make_sample(before, weights).mean, gain):
                queries = tuple(itertools.compress(pairing.scores.queries, each.left_out))
                many = plural(len(queries), "query")
                why = f"but it drops by {decimal(-gain.mean)} if the {many} left out counted"
                return takes_back("odd results", why, queries=queries)
        return None

    def _turns(self, drop: Condition, contrast: Contrast, before: float, gain: Sample) -> bool:
        """Whether a drop is reached by other differences: surely, if it is by those of all queries, but by chance."""
        if drop.holds(gain.mean, before):
            return False
        return gain_interval(contrast, gain).high < 0 or drop.holds(contrast.difference, contrast.baseline_mean)

    def _estimated(self, contrast: Contrast) -> Interval:
        """Return the interval of the difference with hole grades as estimated."""
        m = self.pairing.scores.place_of(contrast.measure)
        read = [place for place, role in enumerate(self.pairing.roles) if role != SHOWN]
        unjudged = self.comparison.holes[self.pairing.pairs[0]]
        return unjudged.estimated[read.index(m)] if unjudged.estimated and m in read else contrast.corrected

    def missing(self) -> Iterator[ConditionResult]:
        """Yield nothing: queries of one system alone are odd results, of which the comparison warns."""
        yield from ()

    def losses(self, measure: str | None = None, n: int | None = None) -> Table:
        """Return the queries that lose most, n at most, with the documents that moved."""
        return losses_with_moves(self.comparison, len(self.pairing.scores.queries) if n is None else n, measure)

    def grids(self) -> list[Grid]:
        """Return the queries that lose most under the first measure."""
        losses = self.losses(n=WORST)
        return [losses_grid(losses)] if len(losses) else []

    def account(self) -> list[tuple[str, str]]:
        """Say what it was decided with: the methods, the pairs, the decisions and the ledger."""
        changed = [] if self.differences is None else self.differences.account
        return [*((f"change {i}", text) for i, text in enumerate(changed, 1)), *evidence_rows(self.comparison)]

    def to_dict(self) -> dict[str, Any]:
        """Return what a gate's JSON has besides the conditions."""
        changes = {} if self.differences is None else {"changes": self.differences.account}
        worst = self.losses(n=WORST).rows(fingerprints=True)
        return {"worst": worst, "comparison": self.comparison.to_dict(), **changes}


@dataclass(frozen=True, eq=False)
class BaselineReference:
    """The values that a baseline's file keeps: of lists and judgments only hashes are known.

    Attributes
    ----------
    name, baseline, now
        The baseline's file, what it contains, and the same of the scores.
    differences
        What differs between the two.
    pairing, contrasts
        Both values of each query side by side under the measures that may not drop, and their differences.
    """

    name: str
    baseline: Baseline
    now: Baseline
    differences: Differences
    pairing: Pairing
    contrasts: tuple[Contrast, ...]
    why = legend = "list"

    def contrast(self, measure: str | Measure) -> Contrast:
        """Return the difference under one of the measures that may not drop."""
        return self.contrasts[self.pairing.scores.place_of(measure)]

    @property
    def failed(self) -> Sequence[str]:
        """The queries whose search failed now."""
        return self.pairing.failed_queries(1)

    def doubt(self, drop: Condition, contrast: Contrast, finding: ConditionResult) -> Reason | None:
        """Return None: of the baseline's lists and judgments only hashes are known, neither odd results nor holes."""
        return None

    def missing(self) -> Iterator[ConditionResult]:
        """Fail on a query that had a value and is left out of the mean now, unless its search failed."""
        now = {query: row for query, row in self.now.queries.items() if not row.failed}
        lost = sorted(
            {
                query
                for label in self.pairing.scores.labels
                for query in self.baseline.values(label)
                if query in now and now[query].values[label] is None
            }
        )
        if lost:
            sentence = f"{plural(len(lost), 'query')} with a value in the baseline and none now: {listed(lost)}"
            yield ConditionResult(NONE_MISSING, "broken", float(len(lost)), 0.0, sentence)

    def losses(self, measure: str | None = None, n: int | None = None) -> Table:
        """Return the queries below the baseline, n at most, the largest loss first, with what became of their lists."""
        scores = self.pairing.scores
        m = scores.place_of(measure)
        places, gains, _ = self.pairing.paired_differences(Key(self.pairing.pairs[0], m))
        order = sorted(np.flatnonzero(gains < 0), key=lambda i: (gains[i], scores.queries[places[i]]))[:n]
        queries = [scores.queries[places[i]] for i in order]
        before, after = scores.values[:, m, places[order]]
        columns: dict[str, Any] = {"query": queries, "measure": [scores.labels[m]] * len(order)}
        if scores.texts:
            columns["text"] = [scores.texts.get(query) for query in queries]
        columns |= {"baseline value": before, "value": after, "difference": gains[order]}
        return Table(columns | {"list": [self._list_change(query) for query in queries]}, "regressed", {})

    def _list_change(self, query: str) -> ListChange:
        was, now = self.baseline.queries[query], self.now.queries[query]
        if now.failed:
            return "search failed"
        if was.list == now.list:
            return "same list"
        return "list changed" if now.results else "no results"

    def grids(self) -> list[Grid]:
        """Return every query below the baseline, a grid for each measure under which one is."""
        tables = [self.losses(label) for label in self.pairing.scores.labels]
        return [_regressed_grid(table) for table in tables if len(table)]

    def account(self) -> list[tuple[str, str]]:
        """Say what it was decided with: the baseline, what changed since, and the decisions."""
        dated = f"{', ' if self.baseline.date else ''}{self.baseline.date}"
        rows = [("baseline", f"{self.name} ({self.baseline.system}{dated})")]
        rows += [(f"change {i}", text) for i, text in enumerate(self.differences.account, 1)]
        return [*rows, ("decisions", self.pairing.scores.answers.line)]

    def to_dict(self) -> dict[str, Any]:
        """Return what a gate's JSON has besides the conditions."""
        facts = {"system": self.baseline.system, "date": self.baseline.date, "idealrank": self.baseline.version}
        return {
            "baseline": {"file": self.name, **facts},
            "changes": self.differences.account,
            "regressed": [row for label in self.pairing.scores.labels for row in self.losses(label).rows()],
        }


def _regressed_grid(table: Table) -> Grid:
    names = [name for name in ("query", "text", "baseline value", "value", "difference") if name in table.columns]
    grid = Table({name: table.array(name) for name in names}).grid(
        title=f"{plural(len(table), 'query')} below the baseline under {table['measure'][0]}"
    )
    return grid._replace(columns=[*grid.columns, TextColumn("list", table["list"], numeric=False, spare=True)])


Reference = SystemReference | BaselineReference
"""Either: conditions and a gate's outcome ask both the same questions."""


def refuse_changed(baseline: Baseline, now: Baseline) -> Differences:
    """Return what changed since a baseline was accepted.

    Raises
    ------
    DataError
        If the baseline is of other judgments, decisions, queries or documents: with everything that differs.
    """
    changed = differences(baseline, now)
    if changed.refusals:
        accept = either("ir.bless(scores, path)", "--bless")
        if is_saved_scores(baseline.file):
            accept = either("scores.save(path)", "idealrank evaluate JUDGMENTS RESULTS --save FILE")
        raise DataError(
            f"{baseline.file or 'the baseline'}: the baseline cannot be compared with these results.",
            *(f"  {text}" for text in changed.refusals),
            f"Give what the baseline was made from ({baseline.convention}), or accept the current values with "
            f"{accept}.",
        )
    return changed


def baseline_reference(baseline: Baseline, scores: Scores, methods: Methods) -> BaselineReference:
    """Put scores beside the values that a baseline keeps of the same measures, unless `refuse_changed` refuses."""
    now = baseline_of(scores)
    changed = refuse_changed(baseline, now)
    before = np.array([_kept_values(baseline, query, scores.labels) for query in scores.queries], np.float64).T
    left_out = np.where(np.isnan(before), QueryState.LEFT_OUT, QueryState.COMPUTED).astype(np.int8)
    names = ("baseline", scores.systems[0] if scores.systems[0] != "baseline" else "results")
    both = scores.select_systems(
        [0, 0], names, values=np.stack([before, scores.values[0]]), states=np.stack([left_out, scores.states[0]])
    )
    guards: list[Role] = [GUARDS] * (len(scores.measures) - 1)
    pairing = Pairing(both, names[0], (DECIDES, *guards))
    by_key = contrasts(pairing, methods)
    of_pair = tuple(by_key[Key(pairing.pairs[0], m)] for m in range(len(scores.measures)))
    name = baseline.file or "the baseline"
    return BaselineReference(name, baseline, now, changed, pairing, of_pair)


def _kept_values(baseline: Baseline, query: str, labels: Sequence[str]) -> list[float | None]:
    row = baseline.queries.get(query)
    return [None if row is None else row.values.get(label) for label in labels]


def default_drops(
    baseline: Baseline, named_already: Sequence[str], tolerance: float | Mapping[str, float] | None
) -> list[str]:
    """Return a condition for each measure of a baseline that has none: it may not lose its tolerance.

    Raises
    ------
    UsageError
        If a tolerance is negative, or names a measure that the baseline does not have.
    """
    tolerances = tolerance if isinstance(tolerance, Mapping) else {}
    for name in tolerances:
        if name not in baseline.measures:
            raise UsageError(
                f"{named('tolerance', name)}: the baseline has no such measure: {listed(baseline.measures)}."
            )
    every = tolerance if isinstance(tolerance, (int, float)) else None
    amounts = {name: tolerances.get(name, every) for name in baseline.measures if name not in named_already}
    return [f"{name} drops {_amount(baseline.measure(name), lost)}" for name, lost in amounts.items()]


def _amount(measure: Measure, tolerance: float | None) -> str:
    if tolerance is None:
        return f"{TOLERANCE:g}" if measure.definition.properties.highest <= 1 else f"{TOLERANCE:.0%}"
    if not tolerance >= 0:
        raise UsageError(f"{option('tolerance', str(tolerance))}: a measure may lose 0 or more.")
    return repr(float(tolerance))
