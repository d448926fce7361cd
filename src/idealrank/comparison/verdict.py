"""The verdict: ship, don't, or can't tell, with the reason, what the holes say, and what would settle it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.failed_searches import FailedSearches
from idealrank.comparison.holes.evidence import HoleEvidence
from idealrank.comparison.rule import CANT_TELL, Outcome, Rule, gains_of
from idealrank.display.numbers import signed
from idealrank.errors import UsageError, listed, no_attribute, plural, some, unknown
from idealrank.statistics.power import queries_needed

MANY = 50
"""So many times the queries there are is more than anybody will judge."""

FEWEST = 6
"""Queries that must differ: all flips of five signs cannot reach 5 %."""


@dataclass(frozen=True)
class Verdict:
    """What to do with one system in the place of another.

    Attributes
    ----------
    system, baseline
        The newcomer, and what it would replace.
    outcome
        ``SHIP``, ``DON'T`` or ``CAN'T TELL``.
    reason
        Which interval decided, and where it lies.
    holes
        What the unjudged documents could change; "" where there are none.
    settle
        What would settle it: more queries, or which labels; "" where it is settled.
    rule
        The rule, in words.
    failed
        Which queries' search failed, and what they could change; "" where none did.
    """

    system: str
    baseline: str
    outcome: Outcome
    reason: str
    holes: str
    settle: str
    rule: str
    failed: str = ""

    @property
    def sentence(self) -> str:
        """The outcome with its reason, what the holes and the failed searches say, and what would settle it."""
        parts = [f"{self.outcome}: {self.reason}", self.holes, self.failed, self.settle]
        return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts if part)

    def to_dict(self) -> dict[str, str]:
        """Return the parts as plain text."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __str__(self) -> str:
        return f"{self.system} instead of {self.baseline}: {self.sentence}"


class Verdicts(Mapping[str, Verdict]):
    """The verdicts of a comparison, by system; of all pairs, by ``"system vs baseline"``.

    Where there is one, its attributes can be asked for at once: ``comparison.verdict.outcome``.
    """

    system: str
    baseline: str
    outcome: Outcome
    reason: str
    holes: str
    settle: str
    rule: str
    failed: str
    sentence: str

    def __init__(self, verdicts: list[Verdict]) -> None:
        baselines = {verdict.baseline for verdict in verdicts}
        self._by_name = {v.system if len(baselines) == 1 else f"{v.system} vs {v.baseline}": v for v in verdicts}

    def __getitem__(self, system: str) -> Verdict:
        if system not in self._by_name:
            raise unknown("verdict", system, self._by_name)
        return self._by_name[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __eq__(self, other: object) -> bool:
        """Compare with other verdicts; where there is one, with the word for its outcome: ``verdict == "SHIP"``."""
        return self.outcome == other if isinstance(other, str) else super().__eq__(other)

    __hash__ = None  # type: ignore[assignment] # as of every mapping

    if not TYPE_CHECKING:  # the annotations above say which attributes there are

        def __getattr__(self, name: str) -> Any:
            if name not in Verdicts.__annotations__:
                meant = dict.fromkeys(("ship", "winner", "decision", "result"), "verdict.outcome")
                raise no_attribute("Verdicts", name, meant, () if name.startswith("_") else Verdicts.__annotations__)
            if len(self) > 1:
                raise UsageError(
                    f"There are {len(self)} verdicts: {', '.join(self)}. Name one, as verdict[{next(iter(self))!r}]."
                )
            return getattr(next(iter(self.values())), name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *Verdicts.__annotations__]

    def __repr__(self) -> str:
        return "\n".join(str(verdict) for verdict in self.values())


def verdict(
    contrasts: Sequence[Contrast], rule: Rule, holes: HoleEvidence, failed: FailedSearches | None = None
) -> Verdict:
    """Decide about one system against another.

    Parameters
    ----------
    contrasts
        One a measure, the deciding one first.
    holes
        What the unjudged documents may hold.
    failed
        What the failed searches could change; None where there are none.
    """
    gains, names = gains_of(contrasts)
    same = all(c.same for c in contrasts)
    plain, reason = rule.outcome(gains, names, same)
    outcome, doubt = (plain, "") if same else _doubted(plain, rule, holes, names)
    settle = ""
    if outcome == CANT_TELL:
        settle = f"Judge {_which(holes)}" if doubt else more_queries(contrasts[0], rule)
    end, why = failed.against(outcome) if failed and outcome != CANT_TELL else ("", "")
    if failed and end:
        outcome, doubt = CANT_TELL, f"but with the failed queries at their {end}, {why}"
        settle = f"Search again for {listed(failed.every)}"
    return Verdict(
        system=contrasts[0].system,
        baseline=contrasts[0].baseline,
        outcome=outcome,
        reason="; ".join(filter(None, (reason, doubt))),
        holes="" if same else _holes_text(plain, outcome, holes),
        settle=settle,
        rule=rule.text(names),
        failed=failed.text(outcome) if failed else "",
    )


def _doubted(plain: Outcome, rule: Rule, holes: HoleEvidence, names: Sequence[str]) -> tuple[Outcome, str]:
    """Return the outcome when the holes have been asked, and what they say against it."""
    if plain == CANT_TELL or holes.none:
        return plain, ""
    if rule.holes == "worst_case":
        return (plain, "") if holes.stands else (CANT_TELL, f"but what the holes may hold could turn this {plain}")
    again, why = rule.outcome(holes.estimated, names)
    return (plain, "") if again == plain else (CANT_TELL, f"but with the grades of holes estimated, {why}")


def _holes_text(plain: str, outcome: str, holes: HoleEvidence) -> str:
    """Say what the holes allow the deciding measure to be, and whether that turns the verdict."""
    first = holes.ranges[0]
    if not first.count:
        return "The lists hold no holes of the deciding measure" if not holes.none else ""
    if not first.known:
        return f"{plural(first.count, 'hole')} in the lists: {first.why}"
    many = "the one hole holds" if first.count == 1 else f"the {first.count} holes hold"
    span = (
        f"The difference in {holes.measure} lies between {signed(first.low)} and {signed(first.high)} whatever {many}"
    )
    span += "" if first.exact else " (an enclosure)"
    if outcome == CANT_TELL:
        return span
    if holes.stands:
        return f"{span}; {plain} stands"
    return f"{span}; {_enough(holes.turning)} to make it {holes.turned}" if holes.turning else span


def _enough(turning: int) -> str:
    return "one relevant hole is enough" if turning == 1 else f"{turning} of them, if relevant, are enough"


def _which(holes: HoleEvidence) -> str:
    count = max(each.count for each in holes.ranges)
    many = "the one hole" if count == 1 else f"the {count} holes"
    return f"{many}, first of {some(holes.worst_queries, 3)}" if holes.worst_queries else many


def more_queries(first: Contrast, rule: Rule) -> str:
    """Say how many queries more would settle it, with power 0.8, if the difference stayed what it is."""
    differing = first.wins + first.losses
    if first.queries < FEWEST or not differing or not math.isfinite(first.wide):
        return f"At least {FEWEST} queries that differ are needed: so few say nothing about others"
    gap = abs(first.improvement - rule.bar)
    if gap == 0:
        return f"The gain lies on the bar itself ({rule.bar:g}): no number of queries settles that"
    needed = max(queries_needed(gap, first.deviation, first.alpha), FEWEST * first.queries / differing)
    stays = f"if the gain stays at {signed(first.improvement)} and varies as it does"
    if needed > MANY * first.queries:
        return f"It lies so close to {rule.bar:g} that {plural(math.ceil(needed), 'query')} would be needed, {stays}"
    more = max(1, math.ceil(needed) - first.queries)
    return f"About {plural(more, 'more query')} like these would settle it in four of five cases, {stays}"
