"""A number against values that somebody else computed, or against other results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.audit.documents import named
from idealrank.audit.nearby_settings import Neighbours
from idealrank.audit.printed_numbers import Printed, matching
from idealrank.audit.printed_tables import ScoreTable
from idealrank.audit.reconciliation import Reconciliation
from idealrank.audit.shapley import CLOSE, Game, difference
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, some
from idealrank.evaluation.one_system import OneSystem
from idealrank.measures import Measure

UNEXPLAINED = "not explained"
"""Stands among the decisions for what no setting near a convention gives."""

ABSENT = "not in the table"
"""Stands for queries that count and that the table has no value for."""

DIGITS = "printed digits"
"""Stands for what the values lost when they were printed."""


class _Theirs(NamedTuple):
    """The values of a table that has judged queries: `places` says which, `numbers` is (Q,) with NaN for none."""

    table: ScoreTable
    judged: list[Printed]
    places: list[int]
    numbers: Floats

    @property
    def known(self) -> Mask:
        """(Q,) whether the table has a value."""
        found: Mask = ~np.isnan(self.numbers)
        return found

    def given_by(self, values: Floats) -> Mask:
        """(Q,) whether values are those of the table, as they were printed; False where it has none."""
        found = np.zeros(len(values), np.bool_)
        found[self.places] = matching(values[self.places], self.judged)
        return found

    def fit(self, values: Floats, mean: float) -> tuple[int, bool, bool]:
        """How well a setting fits: values it gives; whether it gives the mean, and leaves out what has no value."""
        summary = self.table.summary
        return (
            int(self.given_by(values).sum()),
            summary is not None and summary.matches(mean),
            bool(np.isnan(values[~self.known]).all()),
        )


def against_values(
    ground: OneSystem, one: Measure, table: ScoreTable, name: str, given: Mapping[str, Any]
) -> Reconciliation:
    """Explain values of queries by the setting that gives most of them; what it does not give is left over.

    Parameters
    ----------
    one, name
        The measure under its convention, and what it was called.
    table
        The values; those of queries without judgments are named and left out.
    given
        Answers that hold under every setting.

    Raises
    ------
    DataError
        If no query of the table is judged.
    """
    queries, values = ground.queries(one), ground.values(one)
    theirs = _beside(table, queries)
    best, setting = _best_fit(ground, theirs, one, name, given)
    found, under = Game(ground, one, best).played(), ground.values(best)
    fits, counted = theirs.given_by(under), theirs.known & ~np.isnan(under)
    after = float(np.nanmean(theirs.numbers))
    covered = float(under[counted].mean()) if counted.any() else after
    rest = {ABSENT: covered - found.after, DIGITS if fits[theirs.known].all() else UNEXPLAINED: after - covered}
    known = {row["query"]: (row["most by"], row["documents"]) for row in found.queries}
    differs = np.flatnonzero(~theirs.given_by(values) & ~(np.isnan(values) & ~theirs.known))
    absent = ~theirs.known & ~np.isnan(under)
    by = [
        (ABSENT, "") if absent[q] else known.get(queries[q], (UNEXPLAINED, "")) if fits[q] or not theirs.known[q]
        else (UNEXPLAINED, "") for q in differs
    ]  # fmt: skip
    strangers = [value.query for value in table.values if value.query not in set(queries)]
    note = f"{table.name} has values for queries without judgments, which are left out: {some(strangers)}"
    return replace(
        found,
        after=after,
        shares=_shares([*found.shares, *(_share(why, part) for why, part in rest.items() if abs(part) > CLOSE)]),
        queries=difference(queries, values, theirs.numbers, differs, by),
        refused=(*found.refused, *([note] if strangers else []), *([table.found] if table.found else [])),
        source=f"{table.name}: {int(fits.sum())} of {len(theirs.judged)} values as under {setting}",
    )


def _beside(table: ScoreTable, queries: list[str]) -> _Theirs:
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
    ground: OneSystem, theirs: _Theirs, one: Measure, name: str, given: Mapping[str, Any]
) -> tuple[Measure, str]:
    """Find the setting that gives most of the table, more than half; of equals the convention given, or the nearest."""
    near = Neighbours(ground, [name], given)
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


def against_results(ground: OneSystem, one: Measure, other: OneSystem) -> Reconciliation:
    """Lay the difference between two results, under one convention, to the queries and documents that make it.

    The rows are the queries that only one of them counts (`queries`), those with other documents within
    the cutoff (`documents`), those with the same documents in another order (`order`), and those that differ
    behind it alone, where the ideal list is of all that was returned (`beyond the cutoff`).
    """
    before, after = ground.values(one), other.values(one)
    differs = np.flatnonzero(~np.isclose(before, after, rtol=CLOSE, atol=CLOSE, equal_nan=True))
    by = [_moved(ground, other, one, int(q)) for q in differs]
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
    rows = [
        _share(kind, share)
        for kind, share in sorted(parts.items(), key=lambda part: -abs(part[1]))
        if abs(share) > CLOSE
    ]
    queries = difference(ground.queries(one), before, after, differs, by)
    return Reconciliation(one, one, start, end, _shares(rows), queries, source=other.results.name)


def _moved(ground: OneSystem, other: OneSystem, one: Measure, query: int) -> tuple[str, str]:
    """Say whether the documents of a query differ, or their order, and name them."""
    ours, theirs = (_top(side, one, query) for side in (ground, other))
    if not ours or not theirs:
        return "queries", f"results in the {'second' if theirs else 'first'} only"
    if set(ours) == set(theirs):
        apart = [doc for doc, now in zip(ours, theirs, strict=True) if doc != now]
        return ("order", f"moved {named(apart)}") if apart else ("beyond the cutoff", "")
    entered, left = [d for d in theirs if d not in set(ours)], [d for d in ours if d not in set(theirs)]
    parts = [*([f"entered {named(entered)}"] if entered else []), *([f"left {named(left)}"] if left else [])]
    return "documents", "; ".join(parts)


def _top(ground: OneSystem, one: Measure, query: int) -> list[str]:
    met = ground.met_for(one, "dense")
    rank, _, _, row, _, _ = met.judged.hits(query, query + 1)
    within = rank <= one.cutoff if one.cutoff else np.ones(len(rank), np.bool_)
    return met.run.docs(row[within][np.argsort(rank[within], kind="stable")])


def _share(decision: str, share: float) -> dict[str, Any]:
    return {"decision": decision, "from": "", "to": "", "share": share, "first": share, "last": share}


def _shares(rows: list[dict[str, Any]]) -> Table:
    numbers = ("share", "first", "last")
    columns = {name: [row[name] for row in rows] for name in ("decision", "from", "to", *numbers)}
    return Table({n: np.array(v, np.float64) if n in numbers else v for n, v in columns.items()}, "shares")
