"""The verdict: ship, don't, about the same, or can't tell; with the reason, what could change it, what settles it."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.unjudged.evidence import HoleEvidence
from idealrank.comparison.verdict.assumptions import assumption_doubt, assumption_text, doubt_settled, more_queries
from idealrank.comparison.verdict.failed_searches import FailedSearches
from idealrank.comparison.verdict.headline import (
    NOTHING,
    broken_guard,
    headline,
    next_steps,
    no_value_note,
    summary_sentences,
)
from idealrank.comparison.verdict.reasons import Reason, ReasonKind, Step, judging_step, noted, reduce, takes_back
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Outcome, Rule, gains_of
from idealrank.decisions.fields import ASSUMES_COMPLETE
from idealrank.display.document import no_attribute
from idealrank.display.numbers import plain_value, span_amount
from idealrank.errors import UsageError, plural, unknown
from idealrank.evaluation.summary import mostly_unjudged


@dataclass(frozen=True)
class Verdict:
    """What to do with one system in the place of another.

    Attributes
    ----------
    system, baseline
        The newcomer, and what it would replace.
    reasons
        Why the outcome is what it is, as data; it follows from them alone.
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
    reasons: tuple[Reason, ...]
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

    @functools.cached_property
    def outcome(self) -> Outcome:
        """``SHIP``, ``DON'T``, ``ABOUT THE SAME`` or ``CAN'T TELL``, as the reasons make it."""
        return reduce(self.reasons)

    @property
    def doubts(self) -> tuple[Reason, ...]:
        """The reasons that made an outcome CAN'T TELL or DON'T, the last one last."""
        return tuple(each for each in self.reasons if each.effect in ("takes back", "refuses"))

    @property
    def unsettled(self) -> tuple[str, str]:
        """What holes and failed searches could change, for an outcome that no longer stands."""
        told = {each.kind: each.text for each in self.reasons if each.effect == "noted"}
        return told.get("unjudged", "") if self.holes else "", told.get("failed", "") if self.failed else ""

    @property
    def completeness(self) -> str:
        """That the judgments are assumed to be complete, which holds whatever the outcome; "" where they are not."""
        return next((each.text for each in self.reasons if each.kind == "complete"), "")

    @property
    def refers_to_reason(self) -> bool:
        """Whether the summary says that a gain or a loss is not certain, for which the reason has to be read."""
        (decides,) = (each for each in self.reasons if each.effect == "decides")
        facts, doubts = decides.facts, self.doubts
        plain = decides.kind in ("interval", "no difference") and not facts["low"] <= facts["bar"] <= facts["high"]
        return plain and bool(doubts) and doubts[-1].kind in ("shape", "unjudged", "failed")

    @property
    def open_step(self) -> Step | None:
        """What would settle it, as data; None where it is settled."""
        return next((each.settle for each in reversed(self.reasons) if each.settle is not None), None)

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
        names = [name for name in self.__dataclass_fields__ if name != "reasons"]
        plain: dict[str, Any] = plain_value({name: getattr(self, name) for name in names})
        first = {"system": self.system, "baseline": self.baseline, "outcome": self.outcome}
        return {**first, **plain, "reasons": [each.to_dict() for each in self.reasons]}

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
    reasons: tuple[Reason, ...]
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
    plain, said = rule.outcome(gains, names, same)
    decides = rule_reason(plain, said, contrasts, rule, same=same)
    shape = _doubt_shape(plain, first, rule, identical=identical)
    believed = CANT_TELL if shape else plain
    # Where no query differs and no grade of a hole can change that, the holes have nothing to say.
    certain = same and holes.fixed
    doubt = None if certain else _doubt_holes(believed, rule, holes, names)
    if failed and doubt is None and believed != CANT_TELL and (end := failed.against(believed)[0]):
        doubt = failed.reason(end)
    doubts = [each for each in (shape, doubt) if each is not None]
    if not measured:
        decides, doubts = replace(decides, text=""), [takes_back("nothing measured", NOTHING, measure=first.measure)]
    outcome = reduce([decides, *doubts])
    mostly = mostly_unjudged(unjudged)
    # Where the holes would not speak against the rule, and only the number of queries does, it is queries that are
    # missing, however little was judged.
    unsettling = "" if measured and shape and _doubt_holes(plain, rule, holes, names) is None else mostly
    step = _open_step(outcome, doubt, first, rule, plain, holes, unsettling, shape=shape, measured=measured)
    broken = broken_guard(contrasts, rule)
    if measured:
        condition = "" if certain else _condition(believed, outcome, holes)
        advice = headline(first, outcome, unsettling, broken) + condition
        summary = summary_sentences(contrasts, outcome, rule, mostly, holes, unsettling=bool(unsettling))
    else:
        advice, summary = NOTHING, no_value_note(first)
    too_small = rule.bar if 0 <= first.gain.high < rule.bar else 0.0
    rests_on = assumption_text(first, rule) if outcome == SHIP else ""
    judging = None if certain or holes.none else _judging_step(holes)
    steps = next_steps(outcome, step, judging, contrasts, too_small, broken)
    if measured and outcome == CANT_TELL and unsettling and relevant_only:
        steps = (*steps, IF_COMPLETE)
    reasons = [decides, *doubts]
    if step is not None:  # of the reason that it answers
        reasons[-1] = replace(reasons[-1], settle=step)
    reasons += _noted(holes, failed, unjudged, certain=certain)
    if complete:
        reasons.append(noted("complete", f"{ASSUMES_COMPLETE} (unjudged=complete)"))
    return Verdict(
        system=first.system,
        baseline=first.baseline,
        reasons=tuple(reasons),
        headline=advice,
        summary=summary,
        reason="; ".join(filter(None, (decides.text, *(each.text for each in doubts)))),
        assumption=". ".join(
            [*(each.text for each in reasons if each.kind == "complete"), *([rests_on] * bool(rests_on))]
        ),
        unjudged=mostly,
        holes="" if certain else _holes_text(believed, outcome, holes),
        steps=steps,
        settle=step.text if step else "",
        rule=rule.text(names),
        failed=failed.text(outcome) if failed else "",
    )


def _noted(holes: HoleEvidence, failed: FailedSearches | None, unjudged: float, *, certain: bool) -> Iterator[Reason]:
    """Yield what unjudged results and failed searches could change, whatever the outcome."""
    if not certain and (text := _movement_text(holes)):
        first = holes.first
        yield noted("unjudged", text, count=first.count, low=first.low, high=first.high, share=unjudged)
    if failed:
        yield noted("failed", failed.text(CANT_TELL), queries=failed.every, low=failed.low, high=failed.high)


def rule_reason(plain: Outcome, text: str, contrasts: Sequence[Contrast], rule: Rule, *, same: bool = False) -> Reason:
    """Return what the rule alone says as a reason: by the interval of the deciding measure, or by a guardrail."""
    first, broken = contrasts[0], broken_guard(contrasts, rule)
    kind: ReasonKind = "no difference" if same else "guardrail" if plain == DONT and broken is not None else "interval"
    of = broken if kind == "guardrail" and broken is not None else first
    facts = {"measure": of.measure, "low": of.gain.low, "high": of.gain.high, "level": of.gain.level, "bar": rule.bar}
    return Reason(kind, "decides", plain, text, facts)


def _open_step(
    outcome: Outcome,
    doubt: Reason | None,
    first: Contrast,
    rule: Rule,
    plain: Outcome,
    holes: HoleEvidence,
    unsettling: str,
    *,
    shape: Reason | None,
    measured: bool,
) -> Step | None:
    """Return what would settle an outcome; None where it is settled."""
    if doubt is not None and doubt.kind == "failed":
        return doubt.settle
    if not measured:
        return Step("check", "Check that grades and ids belong to these results")
    if outcome != CANT_TELL:
        return None
    if doubt is not None or (unsettling and not holes.none):
        return _judging_step(holes)
    return doubt_settled(first, rule, plain) if shape is not None else more_queries(first, rule)


IF_COMPLETE = (
    "If all that is relevant was judged, as in a golden set, say so: --unjudged complete, or unjudged='complete' in "
    "Python."
)
"""The step that judgments of relevant documents alone leave open."""


def _doubt_shape(plain: Outcome, first: Contrast, rule: Rule, *, identical: bool) -> Reason | None:
    """Return why the shape of the differences speaks against an outcome; None where it does not."""
    why = assumption_doubt(plain, first, rule, identical=identical)
    return takes_back("shape", why, count=first.queries, doubted=plain) if why else None


def _doubt_holes(plain: Outcome, rule: Rule, holes: HoleEvidence, names: Sequence[str]) -> Reason | None:
    """Return why the holes speak against an outcome; None where they do not."""
    if plain == CANT_TELL or holes.none:
        return None
    count = holes.first.count
    if rule.holes == "worst_case":
        why = f"but the unjudged results could turn this {plain}"
        return None if holes.stands else takes_back("unjudged", why, count=count)
    again, why = rule.outcome(holes.estimated, names)
    why = f"but with estimated grades of the unjudged results, {why}"
    return None if again == plain else takes_back("unjudged", why, count=count, estimated=again)


def _movement_text(holes: HoleEvidence) -> str:
    """Say what the holes allow the deciding measure to be."""
    first = holes.ranges[0]
    if not first.count:
        return f"No result that {holes.measure} reads is unjudged" if not holes.none else ""
    if not first.known:
        return f"{plural(first.count, 'unjudged result')}: {first.why}"
    many = "the one unjudged result" if first.count == 1 else f"the {first.count:,} unjudged results"
    ends = span_amount(first.low, first.high, sign=True)
    text = f"Judging {many} could move the difference in {holes.measure} anywhere from {ends}"
    return text + ("" if first.exact else " (at most)")


def _holes_text(plain: str, outcome: str, holes: HoleEvidence) -> str:
    """Say what the holes allow the deciding measure to be, and whether that turns the verdict."""
    first, text = holes.ranges[0], _movement_text(holes)
    if not first.count or not first.known:
        return text
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


def _judging_step(holes: HoleEvidence) -> Step:
    count = holes.first.count or max(each.count for each in holes.ranges)
    many = "the one unjudged result" if count == 1 else f"the {count:,} unjudged results"
    return judging_step(f"Judge {many}", holes.worst_queries[:3])
