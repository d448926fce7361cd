"""The verdict: ship, don't, about the same, or can't tell; with the reason, what could change it, what settles it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.unjudged.evidence import HoleEvidence
from idealrank.comparison.verdict.assumptions import assumption_doubt, assumption_text, doubt_settled, more_queries
from idealrank.comparison.verdict.failed_searches import FailedSearches
from idealrank.comparison.verdict.headline import (
    NOTHING,
    broken_guard,
    headline,
    mostly_unjudged,
    next_steps,
    no_value_note,
    summary_sentences,
)
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Outcome, Rule, gains_of
from idealrank.decisions.fields import ASSUMES_COMPLETE
from idealrank.display.document import no_attribute
from idealrank.display.numbers import plain_value, span_amount
from idealrank.errors import UsageError, listed, plural, unknown


@dataclass(frozen=True)
class Verdict:
    """What to do with one system in the place of another.

    Attributes
    ----------
    system, baseline
        The newcomer, and what it would replace.
    outcome
        ``SHIP``, ``DON'T``, ``ABOUT THE SAME`` or ``CAN'T TELL``.
    headline
        The outcome as advice, in one line.
    summary
        Sentences for everybody: what changed, how sure that is, and how latency changes, where it is known.
    reason
        Which interval decided, and what it contains.
    assumption
        That the judgments are assumed to be complete, where they are; what a SHIP rests on, where queries are few or
        differences skewed; with a judge that is calibrated on people,
        whatever the outcome, also what people or the judge left unjudged; else "".
    unjudged
        How much of what came back was never judged, where that is more than a fifth; else "".
    holes
        What the unjudged documents could change; "" where there are none.
    steps
        What to do next, first things first.
    settle
        What would settle it: more queries, or which labels; "" where it is settled.
    rule
        The rule, in words.
    failed
        Which queries' search failed, and what they could change; "" where none did.
    tuning
        What the system was the best of, on other queries, and how much of its gain there vanished; "" where it was not
        chosen so.
    latency
        How much longer searches take, in a clause; "" where the results do not say.
    warnings
        What is odd about the results of either system, to be read before the verdict.
    """

    system: str
    baseline: str
    outcome: Outcome
    headline: str
    summary: tuple[str, ...]
    reason: str
    assumption: str
    unjudged: str
    holes: str
    steps: tuple[str, ...]
    settle: str
    rule: str
    failed: str
    tuning: str = ""
    latency: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The outcome with its reason and latency, what it rests on, what could change it, and what would settle it."""
        reason = "; ".join(filter(None, (self.reason, self.latency)))
        first = (self.unjudged, f"{self.outcome}: {reason}", self.tuning)
        parts = [*first, self.assumption, self.holes, self.failed, self.settle]
        warned = f"Warning: {' '.join(self.warnings)} " if self.warnings else ""
        return warned + " ".join(f"{part}." for part in parts if part)

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values."""
        plain: dict[str, Any] = plain_value({name: getattr(self, name) for name in self.__dataclass_fields__})
        return plain

    @property
    def words(self) -> str:
        """The outcome, the headline and the summary: what the card of a report says."""
        return " ".join((f"{self.outcome}: {self.headline}.", *self.summary))

    @property
    def colour(self) -> str:
        """The name of the outcome's colour in the palette."""
        return {SHIP: "gain", DONT: "loss", SAME: "same", CANT_TELL: "unsure"}[self.outcome]

    def __bool__(self) -> bool:
        """Refuse to be a condition: a verdict would be true whatever it is."""
        raise UsageError(_NOT_A_CONDITION)

    def __str__(self) -> str:
        return f"{self.system} instead of {self.baseline}: {self.sentence}"

    def _repr_html_(self) -> str:
        return Verdicts([self])._repr_html_()


_NOT_A_CONDITION = "A verdict is neither true nor false. Ask for its outcome: comparison.verdict == 'SHIP'."


class Verdicts(Mapping[str, Verdict]):
    """The verdicts of a comparison, by system; of all pairs, by ``"system vs baseline"``.

    Where there is one, its attributes can be asked for at once: ``comparison.verdict.outcome``.
    """

    system: str
    baseline: str
    outcome: Outcome
    headline: str
    summary: tuple[str, ...]
    reason: str
    assumption: str
    unjudged: str
    holes: str
    steps: tuple[str, ...]
    settle: str
    rule: str
    failed: str
    tuning: str
    latency: str
    warnings: tuple[str, ...]
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

        def __call__(self, *_: object, **__: object) -> NoReturn:
            """Refuse to be called: people write comparison.verdict() for comparison.verdict."""
            raise UsageError("A verdict is no function: leave out the parentheses, as in comparison.verdict.outcome.")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *Verdicts.__annotations__]

    def __bool__(self) -> bool:
        """Refuse to be a condition: verdicts would be true whatever they are."""
        raise UsageError(_NOT_A_CONDITION)

    def __repr__(self) -> str:
        return "\n".join(str(verdict) for verdict in self.values())

    def _repr_html_(self) -> str:
        from idealrank.display.blocks import Lines, Mark
        from idealrank.display.html import html

        rows = [(name, verdict.words) for name, verdict in self.items()]
        return html([Lines(rows, leads=True, marks=[Mark(verdict.colour) for verdict in self.values()])])


def decide(
    contrasts: Sequence[Contrast],
    rule: Rule,
    holes: HoleEvidence,
    failed: FailedSearches | None,
    unjudged: float,
    *,
    measured: bool,
    identical: bool,
    relevant_only: bool = False,
    complete: bool = False,
) -> Verdict:
    """Decide about one system against another.

    Parameters
    ----------
    contrasts
        One per measure, the deciding one first.
    holes
        What the unjudged documents may contain.
    failed
        What the failed searches could change; None where there are none.
    unjudged
        The share of what both returned, down to the cutoff of the deciding measure, that nobody judged.
    measured
        Whether any query has a value of the deciding measure that was computed.
    identical
        Whether both systems returned the same lists.
    relevant_only
        Whether the judgments name nothing that is not relevant, as a golden set does: it may be complete.
    complete
        Whether they are assumed to be.
    """
    first = contrasts[0]
    gains, names = gains_of(contrasts)
    same = all(c.same for c in contrasts)
    plain, reason = rule.outcome(gains, names, same)
    believed, doubt_of_shape = _doubt_shape(plain, first, rule, identical=identical)
    # Where no query differs and no grade of a hole can change that, the holes have nothing to say.
    certain = same and holes.fixed
    outcome, doubt = (believed, "") if certain else _doubt_holes(believed, rule, holes, names)
    end, why = failed.against(outcome) if failed and outcome != CANT_TELL else ("", "")
    if failed and end:
        outcome, doubt = CANT_TELL, f"but with the failed queries at their {end}, {why}"
    if not measured:
        outcome, reason, doubt_of_shape, doubt = CANT_TELL, NOTHING, "", ""
    mostly = mostly_unjudged(unjudged)
    # Where the holes would not speak against the rule, and only the number of queries does, it is queries that are
    # missing, however little was judged.
    unsettling = "" if doubt_of_shape and not _doubt_holes(plain, rule, holes, names)[1] else mostly
    if failed and end:
        settle = f"Search again for {listed(failed.every)}"
    elif measured and outcome == CANT_TELL:
        judging_settles = bool(doubt) or (bool(unsettling) and not holes.none)
        more = doubt_settled(first, rule, plain, doubt_of_shape) or more_queries(first, rule)
        settle = f"Judge {_which_results(holes)}" if judging_settles else more
    else:
        settle = "" if measured else "Check that grades and ids belong to these results"
    broken = broken_guard(contrasts, rule)
    if measured:
        condition = "" if certain else _condition(believed, outcome, holes)
        advice = headline(first, outcome, unsettling, broken) + condition
        summary = summary_sentences(contrasts, outcome, rule, mostly, holes, unsettling=bool(unsettling))
    else:
        advice, summary = NOTHING, no_value_note(first)
    too_small = rule.bar if 0 <= first.gain.high < rule.bar else 0.0
    rests_on = assumption_text(first, rule) if outcome == SHIP else ""
    steps = next_steps(outcome, settle, "" if certain else _judging_step(holes), contrasts, too_small, broken)
    if measured and outcome == CANT_TELL and unsettling and relevant_only:
        steps = (*steps, IF_COMPLETE)
    return Verdict(
        system=first.system,
        baseline=first.baseline,
        outcome=outcome,
        headline=advice,
        summary=summary,
        reason="; ".join(filter(None, (reason, doubt_of_shape, doubt))),
        assumption=". ".join(filter(None, (f"{ASSUMES_COMPLETE} (unjudged=complete)" if complete else "", rests_on))),
        unjudged=mostly,
        holes="" if certain else _holes_text(believed, outcome, holes),
        steps=steps,
        settle=settle,
        rule=rule.text(names),
        failed=failed.text(outcome) if failed else "",
    )


IF_COMPLETE = (
    "If all that is relevant was judged, as in a golden set, say so: --unjudged complete, or unjudged='complete' in "
    "Python."
)
"""The step that judgments of relevant documents alone leave open."""


def _doubt_shape(plain: Outcome, first: Contrast, rule: Rule, *, identical: bool) -> tuple[Outcome, str]:
    """Return CAN'T TELL in the place of an outcome that the shape of the differences speaks against, and why."""
    why = assumption_doubt(plain, first, rule, identical=identical)
    return (CANT_TELL, why) if why else (plain, "")


def _doubt_holes(plain: Outcome, rule: Rule, holes: HoleEvidence, names: Sequence[str]) -> tuple[Outcome, str]:
    """Return CAN'T TELL in the place of an outcome that the holes speak against, and why."""
    if plain == CANT_TELL or holes.none:
        return plain, ""
    if rule.holes == "worst_case":
        return (plain, "") if holes.stands else (CANT_TELL, f"but the unjudged results could turn this {plain}")
    again, why = rule.outcome(holes.estimated, names)
    return (plain, "") if again == plain else (CANT_TELL, f"but with estimated grades of the unjudged results, {why}")


def _holes_text(plain: str, outcome: str, holes: HoleEvidence) -> str:
    """Say what the holes allow the deciding measure to be, and whether that turns the verdict."""
    first = holes.ranges[0]
    if not first.count:
        return f"No result that {holes.measure} reads is unjudged" if not holes.none else ""
    if not first.known:
        return f"{plural(first.count, 'unjudged result')}: {first.why}"
    many = "the one unjudged result" if first.count == 1 else f"the {first.count:,} unjudged results"
    ends = span_amount(first.low, first.high, sign=True)
    text = f"Judging {many} could move the difference in {holes.measure} anywhere from {ends}"
    text += "" if first.exact else " (at most)"
    if outcome != CANT_TELL and holes.stands:
        return f"{text}; it is {plain} regardless"
    if outcome != CANT_TELL and holes.turning:
        one = holes.turning == 1
        enough = "one that is relevant is enough" if one else f"{holes.turning:,} that are relevant are enough"
        text += f"; {enough} to make it {holes.turned}"
    return text + _bearable_text(plain, outcome, holes)


BEARABLE, CLOSE = 4.0, 2.0
"""Where it takes unjudged results that are so many times as often relevant as judged ones, that is not worth a word.

Below the second, the headline says so: simulations in which the judgments of one system alone were missing said SHIP
wrongly, and each such verdict could bear less.
"""


def _bearable_text(plain: str, outcome: str, holes: HoleEvidence) -> str:
    """Say how often relevant the results that only one returned may be, where that may decide; "" elsewhere."""
    often = holes.bearable
    # Below 0.05 one decimal would read "0.0 times as often".
    if often is None or not 0.05 <= often < BEARABLE:
        return ""
    which = f"those {_bearable(holes)} as judged results at their ranks"
    if outcome == plain and often > 1:
        return f". It is {plain} only if {which}"
    if outcome == CANT_TELL and plain in (SHIP, DONT) and often < 1:
        return f". It would be {plain} if {which}"
    return ""


def _condition(plain: str, outcome: str, holes: HoleEvidence) -> str:
    """Say in the headline what a verdict on unjudged results hangs on, where little is enough to turn it."""
    if outcome != plain or outcome not in (SHIP, DONT) or holes.bearable is None or holes.bearable >= CLOSE:
        return ""
    return f", if unjudged results {_bearable(holes)} as judged ones"


def _bearable(holes: HoleEvidence) -> str:
    return f"that only {holes.returned_by} returned are relevant less than {holes.bearable:.1f} times as often"


def _which_results(holes: HoleEvidence) -> str:
    count = holes.first.count or max(each.count for each in holes.ranges)
    many = "the one unjudged result" if count == 1 else f"the {count:,} unjudged results"
    first = holes.worst_queries[:3]
    return f"{many}, beginning with {'query' if len(first) == 1 else 'queries'} {', '.join(first)}" if first else many


def _judging_step(holes: HoleEvidence) -> str:
    return "" if holes.none else f"Judge {_which_results(holes)}"
