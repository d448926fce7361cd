"""What latency adds to a verdict: a clause, and where a limit was asked for, DON'T or CAN'T TELL if it is not kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from idealrank.arrays import SAME as EQUAL
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.headline import headline
from idealrank.comparison.latency import LatencyChange
from idealrank.comparison.latency_limits import Evidence, LatencyLimit
from idealrank.comparison.pairing import Pair
from idealrank.comparison.rule import CANT_TELL, DONT, SAME, SHIP
from idealrank.comparison.search_times import SearchTimes
from idealrank.comparison.verdict import Verdict
from idealrank.data.latency_columns import STEMS
from idealrank.data.replayed import asked_apart
from idealrank.display.amounts import percent
from idealrank.errors import NoColumnError, listed
from idealrank.evaluation.latency import WHOSE, search_times, unread_columns
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.values import Values

SHOWN = "p95"
"""The quantile that a verdict names."""

State = Literal["kept", "open", "untold", "broken"]


@dataclass(frozen=True)
class Checked:
    """A limit with what is held against it.

    Attributes
    ----------
    state
        ``kept``: the interval is within the limit, ``broken``: it is beyond it, ``open``: neither; ``untold``: the
        quantile is beyond and has no interval, or queries without a time could make it come out otherwise.
    why
        What makes it untold, in a clause.
    """

    limit: LatencyLimit
    found: Evidence
    state: State
    why: str = ""


def checked(limit: LatencyLimit, times: SearchTimes, level: float, seed: int) -> Checked:
    """Return whether a limit is kept; untold where unknown times could break it, or make a broken one kept."""
    found = limit.evidence(times, level, seed)
    plain = Checked(limit, found, _state(limit, found), "" if found.bounded else found.unbounded)
    for end, filled in times.ends(limit.relative).items():
        there = limit.evidence(filled, level, seed)
        broken, holds = _state(limit, there) == "broken", limit.holds(there.value)
        if holds != limit.holds(found.value) or broken != (plain.state == "broken"):
            would = "keep it" if holds else "not surely break it" if plain.state == "broken" else "break it"
            why = f"{times.why(limit.relative)}; at their {end} they would {would}"
            return replace(plain, state="untold", why=why)
    return plain


def _state(limit: LatencyLimit, found: Evidence) -> State:
    if limit.surely_broken(found.interval):
        return "broken"
    if limit.surely_holds(found.interval):
        return "kept"
    return "open" if found.bounded or limit.holds(found.value) else "untold"


def with_latency(
    verdict: Verdict, first: Contrast, changes: Sequence[LatencyChange], limits: Sequence[Checked], apart: str = ""
) -> Verdict:
    """Add to a verdict how latency changes.

    Latency never decides alone. A limit that its interval breaks as a whole turns SHIP and ABOUT THE SAME into DON'T,
    an untold one into CAN'T TELL; an open one is only named.

    Parameters
    ----------
    first
        The evidence under the measure that decides.
    changes
        The changes of latency; none: nothing is known.
    apart
        Why the times of both systems cannot be compared; no change of them is then in the verdict.
    """
    shown = next((change for change in changes if change.quantile == SHOWN and not apart), None)
    said = [_said(each) for each in limits if each.state != "kept"]
    clauses = [*([shown.clause] if shown else []), *([apart] if apart else []), *said]
    sentences = [f"{shown.sentence}."] if shown else []
    sentences += [f"{apart[0].upper()}{apart[1:]}."] if apart else []
    sentences += [f"The {text.removeprefix('but ')}." for text in said]
    told = replace(
        verdict, latency="; ".join(clauses), summary=(*verdict.summary, *sentences), rule=_rule(verdict, limits)
    )
    return _stopped(told, first, limits) if verdict.outcome in (SHIP, SAME) else told


def _stopped(verdict: Verdict, first: Contrast, limits: Sequence[Checked]) -> Verdict:
    """Return DON'T where a limit is broken, CAN'T TELL where one is untold."""
    broken, untold = ([each for each in limits if each.state == state] for state in ("broken", "untold"))
    if not broken and not untold:
        return verdict
    holes = verdict.holes.partition("; ")[0]  # what follows is how labels could change an outcome that no longer stands
    failed = verdict.failed.partition(f"; it is {verdict.outcome} ")[0]
    stopped = replace(verdict, settle="", assumption="", holes=holes, failed=failed)
    if broken:
        names = listed(dict.fromkeys(each.limit.name for each in broken))
        steps = (f"Make {first.system} faster, or allow a higher {names}.",)
        return replace(stopped, outcome=DONT, headline=headline(first, DONT, verdict.unjudged), steps=steps)
    settle = "; ".join(dict.fromkeys(_settle(each) for each in untold))
    advice = headline(first, CANT_TELL, "")
    return replace(stopped, outcome=CANT_TELL, headline=advice, steps=(f"{settle}.",), settle=settle)


def _settle(untold: Checked) -> str:
    if untold.why != untold.found.unbounded:
        return "Search again for the queries without a time"
    if untold.found.from_zero:
        return "Set a limit in milliseconds"
    return f"Measure the {untold.limit.called} with more queries"


def _said(each: Checked) -> str:
    limit, found = each.limit, each.found
    if each.state == "broken":
        return f"but {limit.called} {_beyond(limit, found)}"
    value = limit.written(found.value)
    where = f"{limit.called} is {'within' if limit.holds(found.value) else 'beyond'} {limit.bound} ({value})"
    return f"{where}, but {each.why or f'{found.over} cannot say that for sure'}"


def _beyond(limit: LatencyLimit, found: Evidence) -> str:
    """Say how an interval is beyond a limit."""
    low, sure = found.interval.low, f"({percent(found.interval.level)} interval)"
    verb = "is" if not limit.relative else "grows by" if low > EQUAL else "changes by"
    text = f"{verb} {limit.span(found.interval)} {sure}"
    if limit.number >= 0 and low > limit.number + EQUAL:
        return f"{text}, more than the {limit.bound} allowed"
    return f"{text}, where {'at most' if limit.sign == '<=' else 'less than'} {limit.bound} is allowed"


def _rule(verdict: Verdict, limits: Sequence[Checked]) -> str:
    if not limits:
        return verdict.rule
    names = listed([str(each.limit) for each in limits])
    return f"{verdict.rule}; DON'T if an interval wholly breaks {names}, CAN'T TELL if unknown times could"


def clocks_apart(scores: Values, pair: Pair) -> str:
    """Say that two systems tell different clocks, so that no time is comparable; "" otherwise."""
    told = [[clock for clock in STEMS if search_times(scores, s, clock)] for s in pair]
    if not all(told) or {*told[0]} & {*told[1]}:
        return ""
    said = [f"{scores.systems[s]} says only {WHOSE[each[0]]}" for s, each in zip(pair, told, strict=True)]
    return f"no times are comparable: {' and '.join(said)}"


def times_apart(scores: Scores, pair: Pair) -> str:
    """Say that two systems were asked one after the other, so that caches and load may have differed; "" otherwise."""
    found = scores.ledger.found
    records = {scores.systems[s]: found[s].record for s in (pair.baseline, pair.system)}
    known = {name: record for name, record in records.items() if record is not None}
    return asked_apart(known) if len(known) > 1 else ""


def refuse_untimed(limit: LatencyLimit, found: Evidence, scores: Values, pair: Pair) -> None:
    """Refuse a limit of what no table of results says.

    Raises
    ------
    NoColumnError
        With the column to add.
    """
    if found.queries:
        return
    column = {"latency": "latency_ms (the wall time)", "took": "took_ms (the engine's own time)"}[limit.clock]
    system = scores.systems[pair.system]
    whose = f"the results of {system} and of the baseline do" if limit.relative else f"the results of {system} do"
    why = f"{limit}: {whose} not say how long a search took. Add a column such as {column}."
    apart = clocks_apart(scores, pair) if limit.relative else ""
    unread = unread_columns(scores, pair if limit.relative else (pair.system,), limit.clock)
    more = [f"{apart[0].upper()}{apart[1:]}." if apart else "", f"Not read: {unread}" if unread else ""]
    raise NoColumnError(" ".join(filter(None, (why, *more))))
