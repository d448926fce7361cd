"""What latency adds to a verdict: a clause, and where a limit was asked for and is surely broken, DON'T."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.headline import headline
from idealrank.comparison.latency import LatencyChange
from idealrank.comparison.latency_limits import Evidence, LatencyLimit
from idealrank.comparison.rule import DONT, SAME, SHIP
from idealrank.comparison.verdict import Verdict
from idealrank.display.amounts import percent
from idealrank.errors import NoColumnError, listed, plural

Checked = Sequence[tuple[LatencyLimit, Evidence]]
"""Limits with what is held against them."""

SHOWN = "p95"
"""The quantile that a verdict names."""


def with_latency(verdict: Verdict, first: Contrast, changes: Sequence[LatencyChange], checked: Checked) -> Verdict:
    """Add to a verdict how latency changes.

    Latency never decides alone. A limit that its interval breaks as a whole turns SHIP and ABOUT THE SAME into DON'T;
    one that is not surely broken is only named, as is one that cannot be told.

    Parameters
    ----------
    first
        The evidence under the measure that decides.
    changes
        The changes of latency; none: nothing is known.
    """
    shown = next((change for change in changes if change.quantile == SHOWN), None)
    broken = [_broken(limit, found) for limit, found in checked if limit.surely_broken(found.interval)]
    unsure = [_unsure(limit, found) for limit, found in checked if not _told(limit, found)]
    clauses = [*([shown.clause] if shown else []), *(f"but {text}" for text in broken), *unsure]
    said = [f"{shown.sentence}."] if shown else []
    said += [f"The {text}." for text in (*broken, *unsure)]
    told = replace(verdict, latency="; ".join(clauses), summary=(*verdict.summary, *said), rule=_rule(verdict, checked))
    if not broken or verdict.outcome not in (SHIP, SAME):
        return told
    advice = headline(first, DONT, verdict.unjudged)
    steps_now = (f"Make {first.system} faster, or allow a higher {listed([limit.name for limit, _ in checked])}.",)
    holes = verdict.holes.partition("; ")[0]  # what follows is how labels could change an outcome that no longer stands
    return replace(told, outcome=DONT, headline=advice, steps=steps_now, settle="", assumption="", holes=holes)


def _told(limit: LatencyLimit, found: Evidence) -> bool:
    return limit.surely_broken(found.interval) or limit.surely_holds(found.interval)


def _broken(limit: LatencyLimit, found: Evidence) -> str:
    change = "grows by" if limit.relative else "is"
    sure = f"({percent(found.interval.level)} interval)"
    return f"{limit.called} {change} {limit.span(found.interval)} {sure}, more than the {limit.bound} allowed"


def _unsure(limit: LatencyLimit, found: Evidence) -> str:
    within = "within" if limit.holds(found.value) else "beyond"
    value, many = limit.written(found.value), plural(found.queries, "query")
    return f"{limit.called} is {within} {limit.bound} ({value}), but {many} cannot say that for sure"


def _rule(verdict: Verdict, checked: Checked) -> str:
    limits = listed([str(limit) for limit, _ in checked])
    return f"{verdict.rule}; DON'T if an interval wholly breaks {limits}" if limits else verdict.rule


def refuse_untimed(checked: Checked, system: str) -> None:
    """Refuse a limit of what no table of results says.

    Raises
    ------
    NoColumnError
        With the column to add.
    """
    for limit, found in checked:
        if not found.queries:
            column = {"latency": "latency_ms (the wall time)", "took": "took_ms (the engine's own time)"}[limit.clock]
            whose = (
                f"the results of {system} and of the baseline do" if limit.relative else f"the results of {system} do"
            )
            raise NoColumnError(f"{limit}: {whose} not say how long a search took. Add a column such as {column}.")
