"""The verdict: ship, don't, about the same, or can't tell; with the reason, what could change it, what settles it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from idealrank.comparison.verdict.assumptions import assumption_doubt, doubt_settled, more_queries
from idealrank.comparison.verdict.reasons import Reason, ReasonKind, Step, but, noted, takes_back
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Outcome, broken_guard, gains_of
from idealrank.comparison.verdict.words import NOTHING, Evidence, Words, movement_text, unjudged_step
from idealrank.decisions.fields import ASSUMES_COMPLETE
from idealrank.display.document import no_attribute
from idealrank.errors import UsageError, unknown
from idealrank.evaluation.summary import mostly_unjudged

if TYPE_CHECKING:
    from idealrank.comparison.calibrated import CalibratedDifference


class Verdict(Words):
    """What to do with a system, and why.

    Attributes
    ----------
    system, baseline
        The newcomer, and what it would replace.
    reasons
        Why the outcome is what it is, as data; it follows from them alone.
    evidence
        What they were found in, and what the words name.
    """

    @property
    def colour(self) -> str:
        """The name of the outcome's colour in the palette."""
        return {SHIP: "gain", DONT: "loss", SAME: "same", CANT_TELL: "unsure"}[self.outcome]

    def __bool__(self) -> bool:
        """Refuse to be a condition: a verdict would be true whatever it is."""
        raise UsageError(_NOT_A_CONDITION)

    def __repr__(self) -> str:
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


def decide(evidence: Evidence) -> list[Reason]:
    """Return what the rule says of one system against another, what speaks against that, and what could change it."""
    failed = evidence.failed
    reasons = _by_people(evidence) if evidence.calibrated is None else _by_judge(evidence, evidence.calibrated)
    if failed:
        reasons.append(noted("failed", failed.text(CANT_TELL), queries=failed.every, low=failed.low, high=failed.high))
    if evidence.complete:
        reasons.append(noted("complete", f"{ASSUMES_COMPLETE} (unjudged=complete)"))
    return reasons


def _by_people(evidence: Evidence) -> list[Reason]:
    """Return what the rule says by the judgments, and what the shape, the holes and failed searches do to that."""
    first, rule, failed, unjudged = evidence.contrasts[0], evidence.rule, evidence.failed, evidence.unjudged
    plain, why = rule.outcome(*gains_of(evidence.contrasts), evidence.same)
    shape = assumption_doubt(plain, first, rule, identical=evidence.identical)
    doubt = but("shape", shape, count=first.queries, doubted=plain) if shape else None
    if doubt is None and not evidence.certain:
        doubt = evidence.doubt_unjudged(plain)
    if failed and doubt is None and plain != CANT_TELL:
        doubt = failed.against(plain)
    reasons = [_decides(evidence, plain, why), *([doubt] if doubt else [])]
    if not evidence.measured:
        reasons = [replace(reasons[0], text=""), takes_back("nothing measured", NOTHING, measure=first.measure)]
    # Of the reason that it answers, which is the last.
    reasons[-1] = replace(reasons[-1], settle=_open_step(evidence, plain, doubt))
    if not evidence.certain and (text := movement_text(unjudged)):
        low, high = unjudged.first.low, unjudged.first.high
        reasons.append(
            noted("unjudged", text, count=unjudged.first.count, low=low, high=high, share=evidence.unjudged_share)
        )
    return reasons


def _decides(evidence: Evidence, plain: Outcome, text: str) -> Reason:
    """Return what the rule alone says as a reason: by the interval of the deciding measure, or by a guardrail."""
    first, rule, broken = evidence.contrasts[0], evidence.rule, broken_guard(evidence.contrasts, evidence.rule)
    of = broken if broken is not None and plain == DONT and not evidence.same else first
    kind: ReasonKind = "no difference" if evidence.same else "interval" if of is first else "guardrail"
    facts = {"measure": of.measure, "low": of.gain.low, "high": of.gain.high, "level": of.gain.level, "bar": rule.bar}
    return Reason(kind, "decides", plain, text, facts)


def _open_step(evidence: Evidence, plain: Outcome, doubt: Reason | None) -> Step | None:
    """Return what would settle an outcome; None where it is settled."""
    unjudged, first, rule = evidence.unjudged, evidence.contrasts[0], evidence.rule
    shape = doubt is not None and doubt.kind == "shape"
    if doubt is not None and doubt.kind == "failed":
        return doubt.settle
    if not evidence.measured:
        return Step("check", "Check that grades and ids belong to these results")
    if doubt is None and plain != CANT_TELL:
        return None
    if (doubt is not None and not shape) or (evidence.lacks_judgments(plain, shape=shape) and not unjudged.none):
        return unjudged_step(unjudged)
    return doubt_settled(first, rule, plain) if shape else more_queries(first, rule)


def _by_judge(evidence: Evidence, judge: CalibratedDifference) -> list[Reason]:
    """Return the same by the calibrated difference in the place of that by people alone.

    Guardrails are read by people alone, from the sampled queries. The same must hold whatever the grades of the
    results that people left unjudged there, and of guardrails with their estimated grades.
    """
    first, rule, failed = evidence.contrasts[0], evidence.rule, evidence.failed
    gains, names = gains_of(evidence.contrasts)
    plain, why = rule.outcome([judge.gain, *gains[1:]], names)
    facts = {"measure": judge.measure, "low": judge.gain.low, "high": judge.gain.high, "level": judge.level}
    decides = Reason("judge", "decides", plain, f"{why}, {judge.judged_by}", facts | {"judge": judge.judge})
    judging = judge.judging_step(evidence.unjudged)
    if plain == CANT_TELL:
        lacking = mostly_unjudged(evidence.unjudged_share) and judge.unjudged.results
        return [replace(decides, settle=judging if lacking else judge.more_people)]
    if failed and (doubt := failed.against(plain)):
        return [decides, doubt]
    again, why = rule.outcome([judge.worst_gain, *evidence.unjudged.estimated[1:]], names)
    if again != plain:
        why = f"with the worst grades of the unjudged results of sampled queries, {why}"
        return [decides, but("unjudged", why, judging, count=judge.unjudged.results, worst=again)]
    shape = judge.doubt_shape(plain, rule, first)
    doubts = [but("shape", shape, judge.more_people, count=first.queries, doubted=plain)] if shape else []
    return [decides, *doubts]
