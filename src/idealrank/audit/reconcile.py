"""reconcile: what causes the difference between two numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Unpack

import numpy as np

from idealrank.arrays import EQUAL, Floats, Mask, differ
from idealrank.audit.attribution import Attribution, Cause, Reconciliation, queries_table, shares_table
from idealrank.audit.candidate_settings import NearbySettings
from idealrank.audit.printed_values import Printed, ScoreTable, match_printed, read_score_table
from idealrank.conventions import CONVENTIONS
from idealrank.data.formats.folders import suggest_file
from idealrank.decisions.answers import DecisionAnswers
from idealrank.decisions.decisions import naming, refuse_unknown
from idealrank.errors import DataError, UsageError, listed, some
from idealrank.evaluation.joins import SystemUnderTest
from idealrank.measures.definition import Measure


@naming(DecisionAnswers)
def reconcile(
    judgments: Any,
    results: Any,
    measure: str,
    convention: str,
    other: Any,
    *,
    system: str | None = None,
    **decisions: Unpack[DecisionAnswers],
) -> Reconciliation:
    """Say what causes the difference between a measure under two conventions, or between two tables.

    Parameters
    ----------
    judgments
        A path, a dataframe, or ``{query: {document: grade}}``.
    results
        A path, a dataframe, or ``{query: {document: score}}``.
    system
        The system that is meant, where the results are of several.
    measure
        One measure, by a name both conventions know.
    convention
        The convention of the first number, with overrides if need be: ``"trec_eval-9.0.8, no_results=0"``.
    other
        The source of the second number: another convention; other results, under the same convention;
        or values of queries that somebody computed: ``{query: value}``, `Scores`, a table or file with a
        query column and one called after the measure, or the output of ``trec_eval -q``. A convention's
        name takes precedence over a file with the same name.
    **decisions
        Answers that apply to both.

    Raises
    ------
    UsageError
        If a convention does not support the measure, or `other` is neither a convention nor a table.

    Examples
    --------
    >>> import idealrank as ir
    >>> qrels, run = {"q": {"a": 3, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    >>> found = ir.reconcile(qrels, run, "nDCG@10", "idealrank-1", "idealrank-1, gain=exp2")
    >>> found.text
    'nDCG@10 0.7967 → 0.7098: gain −0.0869'
    """
    refuse_unknown(decisions, ("system",))
    if not isinstance(convention, str):
        raise UsageError(
            f"Give the first convention as text, then what it is compared with; got {type(convention).__name__}."
        )
    ground = SystemUnderTest(judgments, results, system)
    one = ground.measure(convention, measure, decisions)
    if isinstance(other, str) and not names_file(other):
        return Attribution(ground, one, ground.measure(other, measure, decisions)).reconciliation()
    if (table := read_score_table(other, measure, ground.judged_queries)) is not None:
        return reconcile_values(ground, one, table, measure, decisions)
    return reconcile_results(ground, one, SystemUnderTest(ground.judgments, other))


def names_file(other: str) -> bool:
    """Whether a text names a file; a convention's name takes precedence, and a missing file is refused."""
    if CONVENTIONS.find_name(other) is not None or "=" in other:
        return False
    if other == "-" or os.path.isfile(other):
        return True
    if os.path.splitext(other)[1].lower() in _ENDINGS or os.sep in other:
        raise UsageError(f"{other}: neither a convention nor an existing file.{suggest_file(other)}")
    return False


_ENDINGS = {".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".arrow", ".run", ".gz", ".zst"}
"""Of names that are files."""

# A number compared with values, or with other results.


UNEXPLAINED = "not explained"
"""Listed among the decisions for values that no setting near a convention gives."""

ABSENT = "not in the table"
"""Stands for queries that count but have no value in the table."""

DIGITS = "printed digits"
"""Stands for the precision lost in printing."""


class _Theirs(NamedTuple):
    """The values of a table with judged queries: `places` says which, `numbers` is (Q,) with NaN for none."""

    table: ScoreTable
    judged: list[Printed]
    places: list[int]
    numbers: Floats

    @property
    def has_value(self) -> Mask:
        """(Q,) whether the table has a value."""
        valued: Mask = ~np.isnan(self.numbers)
        return valued

    def agrees_with(self, values: Floats) -> Mask:
        """(Q,) whether values equal those of the table, as printed; False if it has none."""
        equal = np.zeros(len(values), np.bool_)
        equal[self.places] = match_printed(values[self.places], self.judged)
        return equal

    def fit(self, values: Floats, mean: float) -> tuple[int, bool, bool]:
        """How well a setting fits: the number of values it gives; whether it gives the mean and leaves out the rest."""
        summary = self.table.summary
        return (
            int(self.agrees_with(values).sum()),
            summary is not None and summary.matches(mean),
            bool(np.isnan(values[~self.has_value]).all()),
        )


def reconcile_values(
    ground: SystemUnderTest, one: Measure, table: ScoreTable, name: str, fixed: Mapping[str, Any]
) -> Reconciliation:
    """Explain values of queries by the setting that gives most of them; the rest stays unexplained.

    Parameters
    ----------
    one, name
        The measure under its convention, and its name in the call.
    table
        The values; those of queries without judgments are named and left out.
    fixed
        Answers that apply to every setting.

    Raises
    ------
    DataError
        If no query of the table is judged.
    """
    queries, values = ground.queries(one), ground.values(one)
    theirs = _align_table(table, queries)
    best, setting = _best_fit(ground, theirs, one, name, fixed)
    explained, under = Attribution(ground, one, best).reconciliation(), ground.values(best)
    fits, counted = theirs.agrees_with(under), theirs.has_value & ~np.isnan(under)
    after = float(np.nanmean(theirs.numbers))
    covered = float(under[counted].mean()) if counted.any() else after
    rest = {ABSENT: covered - explained.after, DIGITS if fits[theirs.has_value].all() else UNEXPLAINED: after - covered}
    causes = {row["query"]: Cause(row["most by"], row["documents"]) for row in explained.queries}
    differs = np.flatnonzero(~theirs.agrees_with(values) & ~(np.isnan(values) & ~theirs.has_value))
    absent = ~theirs.has_value & ~np.isnan(under)
    unexplained = Cause(UNEXPLAINED)
    by = [
        Cause(ABSENT) if absent[q] else causes.get(queries[q], unexplained) if fits[q] or not theirs.has_value[q]
        else unexplained for q in differs
    ]  # fmt: skip
    strangers = [value.query for value in table.values if value.query not in set(queries)]
    note = f"{table.name} has values for queries without judgments, which are left out: {some(strangers)}"
    return replace(
        explained,
        after=after,
        shares=shares_table([*explained.shares, *_share_rows(rest)]),
        queries=queries_table(queries, values, theirs.numbers, differs, by),
        refused=(*explained.refused, *([note] if strangers else []), *([table.id_column] if table.id_column else [])),
        source=f"{table.name}: {int(fits.sum())} of {len(theirs.judged)} values as under {setting}",
    )


def _align_table(table: ScoreTable, queries: list[str]) -> _Theirs:
    at = {query: place for place, query in enumerate(queries)}
    judged = [one for one in table.values if one.query in at]
    if not judged:
        raise DataError(
            f"{table.name}: none of its queries is judged ({some([one.query for one in table.values])}; judged are "
            f"{some(queries)}). Give values of the same queries."
        )
    places, numbers = [at[one.query] for one in judged], np.full(len(queries), np.nan)
    numbers[places] = [float(one.text) for one in judged]
    return _Theirs(table, judged, places, numbers)


def _best_fit(
    ground: SystemUnderTest, theirs: _Theirs, one: Measure, name: str, fixed: Mapping[str, Any]
) -> tuple[Measure, str]:
    """Find the setting that gives most of the table, over half; among equals the convention given, or the nearest."""
    near = NearbySettings(ground, [name], fixed)
    best, words, most = one, "the convention given", theirs.fit(ground.values(one), ground.mean(one))
    for (code,), setting in near.within(1):
        try:
            measure = near.measure(code)
            fit = theirs.fit(ground.values(measure), ground.mean(measure))
        except (UsageError, DataError):
            continue
        if fit > most and fit[0] > len(theirs.judged) / 2:
            best, words, most = measure, near.text(setting), fit
    return best, words


def reconcile_results(ground: SystemUnderTest, one: Measure, other: SystemUnderTest) -> Reconciliation:
    """Attribute the difference between two results, under one convention, to queries and documents.

    The rows are the queries that only one of them counts (`queries`), those with different documents within
    the cutoff (`documents`), those with the same documents in another order (`order`), and those that differ
    only beyond it, if the ideal list contains everything returned (`beyond the cutoff`).
    """
    before, after = ground.values(one), other.values(one)
    differs = np.flatnonzero(differ(before, after))
    by = [_describe_move(ground, other, one, int(q)) for q in differs]
    start, end = ground.mean(one), other.mean(one)
    both = ~np.isnan(before) & ~np.isnan(after)
    parts: dict[str, float] = {}
    if one.decisions.average == "arithmetic" and one.definition.total == "mean" and not one.decisions.rounding:
        for q, (kind, _) in zip(differs, by, strict=True):
            if both[q]:
                parts[kind] = parts.get(kind, 0.0) + float(after[q] - before[q]) / int(both.sum())
    rest = end - start - sum(parts.values())
    if not parts or not both.all():
        parts["queries"] = parts.get("queries", 0.0) + rest
    return Reconciliation(
        measure=one,
        other=one,
        before=start,
        after=end,
        shares=shares_table(_share_rows(dict(sorted(parts.items(), key=lambda part: -abs(part[1]))))),
        queries=queries_table(ground.queries(one), before, after, differs, by),
        source=other.results.name,
    )


def _describe_move(ground: SystemUnderTest, other: SystemUnderTest, one: Measure, query: int) -> Cause:
    """Say whether the documents of a query differ, or their order, and name them."""
    ours, theirs = (_top_documents(side, one, query) for side in (ground, other))
    if not ours or not theirs:
        return Cause("queries", f"results in the {'second' if theirs else 'first'} only")
    if set(ours) == set(theirs):
        apart = [doc for doc, now in zip(ours, theirs, strict=True) if doc != now]
        return Cause("order", f"moved {listed(apart, between=' ')}") if apart else Cause("beyond the cutoff")
    entered, left = [d for d in theirs if d not in set(ours)], [d for d in ours if d not in set(theirs)]
    parts = [
        *([f"entered {listed(entered, between=' ')}"] if entered else []),
        *([f"left {listed(left, between=' ')}"] if left else []),
    ]
    return Cause("documents", "; ".join(parts))


def _top_documents(ground: SystemUnderTest, one: Measure, query: int) -> list[str]:
    joined = ground.lists_for(one, "dense")
    rank, _, _, row, _, _ = joined.judged.hits(query, query + 1)
    within = rank <= one.cutoff if one.cutoff else np.ones(len(rank), np.bool_)
    return joined.run.docs(row[within][np.argsort(rank[within], kind="stable")])


def _share_rows(parts: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return a row for each part of a gap that is not a decision."""
    return [
        {"decision": what, "from": "", "to": "", "share": share, "first": share, "last": share}
        for what, share in parts.items()
        if abs(share) > EQUAL
    ]
