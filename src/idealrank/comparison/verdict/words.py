"""The words of a verdict: what it says to people, rendered once from its reasons and its evidence."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from idealrank.arrays import EQUAL
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import GUARDS
from idealrank.comparison.unjudged.evidence import UnjudgedEvidence
from idealrank.comparison.verdict.assumptions import assumption_text, unknown_change
from idealrank.comparison.verdict.failed_searches import FailedSearches
from idealrank.comparison.verdict.reasons import (
    Reason,
    ReasonKind,
    SharedReason,
    Step,
    but,
    judging_step,
    open_step,
    reduce,
)
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Outcome, Rule, broken_guard, gains_of
from idealrank.display.document import Described
from idealrank.display.numbers import amount, decimals, either_way, fine_digits, percent, span_amount
from idealrank.errors import listed, plural
from idealrank.evaluation.summary import mostly_unjudged
from idealrank.statistics.intervals import Interval

if TYPE_CHECKING:
    from idealrank.comparison.calibrated import CalibratedDifference
    from idealrank.comparison.conditions import ConditionResult
    from idealrank.comparison.latency import LatencyChange
    from idealrank.comparison.tuning import Tuning


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a verdict on one system against another is made from, and what its words name.

    Attributes
    ----------
    contrasts
        One per measure, the deciding one first.
    rule
        What is decided by.
    unjudged
        What the unjudged documents may contain.
    failed
        What the failed searches could change; None where there are none.
    unjudged_share
        The share of what both returned, down to the cutoff of the deciding measure, that nobody judged.
    measured
        Whether any query has a value of the deciding measure that was computed.
    identical
        Whether both systems returned the same lists.
    relevant_only
        Whether the judgments name nothing that is not relevant, as a golden set does: it may be complete.
    complete
        Whether they are assumed to be.
    calibrated
        The difference by a judge that is calibrated on people; None without one.
    tuning
        How the system was chosen, on other queries; None where nothing was held out.
    latency
        How much longer searches take, at the quantile that is named; None where that is not known.
    different_times
        Why the times of both systems cannot be compared; "" where they can.
    limits
        Limits of latency, with what is held against them.
    """

    contrasts: Sequence[Contrast]
    rule: Rule
    unjudged: UnjudgedEvidence
    failed: FailedSearches | None
    unjudged_share: float
    measured: bool
    identical: bool
    relevant_only: bool
    complete: bool
    calibrated: CalibratedDifference | None
    tuning: Tuning | None
    latency: LatencyChange | None
    different_times: str
    limits: Sequence[ConditionResult]

    @property
    def same(self) -> bool:
        """Whether no query differs under any measure."""
        return all(contrast.same for contrast in self.contrasts)

    @property
    def certain(self) -> bool:
        """Whether no query differs and no grade of a hole can change that, so that the holes have nothing to say."""
        return self.same and self.unjudged.fixed

    def doubt_unjudged(self, plain: Outcome) -> Reason | None:
        """Return why the holes speak against an outcome; None where they do not."""
        unjudged, rule = self.unjudged, self.rule
        if plain == CANT_TELL or unjudged.none:
            return None
        count = unjudged.first.count
        if rule.holes == "worst_case":
            why = f"the unjudged results could turn this {plain}"
            return None if unjudged.stands else but("unjudged", why, count=count)
        again, why = rule.outcome(unjudged.estimated, gains_of(self.contrasts)[1])
        why = f"with estimated grades of the unjudged results, {why}"
        return None if again == plain else but("unjudged", why, count=count, estimated=again)

    def lacks_judgments(self, plain: Outcome, *, shape: bool) -> bool:
        """Whether so much was never judged that judging is what is missing.

        Where the holes would not speak against the rule, and only the number of queries does (`shape`), it is queries
        that are missing, however little was judged.
        """
        much = self.measured and bool(mostly_unjudged(self.unjudged_share))
        return much and not (shape and self.doubt_unjudged(plain) is None)


_FIRST = frozenset({
    "interval", "guardrail", "no difference", "nothing measured", "judge", "shape", "unjudged", "complete", "failed",
})  # fmt: skip
"""What the rule, the unjudged results and the failed searches say; whatever else is looked at is looked at later."""

_OWN = _FIRST | {"odd results", "tuning", "latency"}
"""What has words of its own; anything else is said by its clause."""

IN_REASON_ALONE = ("shape", "unjudged", "failed")
"""What speaks against an outcome without a word in headline or summary, so that the reason has to be read."""


@dataclass(frozen=True, repr=False)
class Words(Described):
    """What a verdict says, from its reasons and its evidence; `Verdict` says what these are."""

    system: Annotated[str, "The system that is new."]
    baseline: Annotated[str, "The system it would replace."]
    reasons: Annotated[tuple[SharedReason, ...], "Why the outcome is what it is."]
    evidence: Evidence = field(compare=False)

    @functools.cached_property
    def outcome(self) -> Annotated[Outcome, "What to do with the system: it follows from the reasons."]:
        """``SHIP``, ``DON'T``, ``ABOUT THE SAME`` or ``CAN'T TELL``, as the reasons make it."""
        return reduce(self.reasons)

    @functools.cached_property
    def doubts(self) -> tuple[Reason, ...]:
        """The reasons that made an outcome CAN'T TELL or DON'T, the last one last."""
        return tuple(each for each in self.reasons if each.effect in ("takes back", "refuses"))

    @functools.cached_property
    def _first_reasons(self) -> tuple[Reason, ...]:
        """What was said before anything odd, the tuning or latency was looked at."""
        return tuple(each for each in self.reasons if each.kind in _FIRST)

    @functools.cached_property
    def _first_outcome(self) -> Outcome:
        return reduce(self._first_reasons)

    @property
    def _overruled(self) -> str:
        """The kind of what overruled the first outcome, of the last of it; "" where that stands."""
        return self.doubts[-1].kind if self.doubts and self.doubts[-1].kind not in _FIRST else ""

    def _doubt(self, kind: ReasonKind) -> Reason | None:
        """Return what overruled an outcome of a kind, whatever came later; None for nothing."""
        return next((each for each in self.doubts if each.kind == kind), None)

    def _texts(self, kind: ReasonKind) -> list[str]:
        """Return what is noted of a kind."""
        return [each.text for each in self.reasons if each.kind == kind and each.effect == "noted"]

    @functools.cached_property
    def _decides(self) -> Reason:
        """What the rule says."""
        return next(each for each in self.reasons if each.effect == "decides")

    @property
    def _believed(self) -> str:
        """The outcome of the rule, where the shape of the differences does not speak against it."""
        return CANT_TELL if self._doubt("shape") else self._decides.outcome

    @functools.cached_property
    def _lacks_judgments(self) -> bool:
        if self.evidence.calibrated is None:
            shape = self._doubt("shape") is not None
            return self.evidence.lacks_judgments(reduce([self._decides]), shape=shape)
        step = open_step(self._first_reasons)
        return bool(self.unjudged) and step is not None and step.kind == "judge results"

    @functools.cached_property
    def headline(self) -> Annotated[str, "The outcome as advice, in one line."]:
        """The outcome as advice, in one line."""
        of, outcome = self.evidence, self.outcome
        if self._overruled == "odd results":
            return f"Check {_whose(self.doubts[-1])} before you decide"
        if self._overruled == "tuning":
            return f"Keep {self.baseline}: no other system beat it"
        plainly = _HEADLINES[outcome].format(system=self.system, baseline=self.baseline)
        if self._overruled:
            return plainly
        if self._doubt("nothing measured"):
            return NOTHING
        if outcome == CANT_TELL and self._lacks_judgments:
            plainly = f"Too little was judged to tell whether {self.system} is better"
        if of.calibrated is not None:
            return f"{plainly}, {of.calibrated.judged_by}"
        if outcome == DONT and (broken := broken_guard(of.contrasts, of.rule)) is not None:
            moves = [f"{c.measure} {amount(c.difference, 3, sign=True)}" for c in (of.contrasts[0], broken)]
            plainly = f"{self.system}: {broken.measure} breaks its limit ({', '.join(moves)})"
        return plainly + ("" if of.certain else _condition(self._believed, outcome, of.unjudged))

    @functools.cached_property
    def summary(self) -> Annotated[tuple[str, ...], "Sentences for everybody: what changed, and how sure that is."]:
        """Sentences for everybody: what changed, how sure that is, and how latency changes, where it is known."""
        of, odd = self.evidence, self._doubt("odd results")
        sentences = self._first_summary
        if odd is not None:
            sentences = (sentences[0], f"That may be because of {_whose(odd)}: {odd.facts['clause']}.")
        later = [f"But {each.facts['clause']}." for each in self.doubts if each.kind not in _OWN]
        later += [f"{self.tuning}."] if self.tuning else []
        later += [f"{of.latency.sentence}."] if of.latency else []
        later += [f"{of.different_times[0].upper()}{of.different_times[1:]}."] if of.different_times else []
        later += [f"The {each.found}." for each in of.limits if each.state != "kept"]
        return (*sentences, *later)

    @property
    def _first_summary(self) -> tuple[str, ...]:
        """What changed and how sure that is, in two sentences; and if most was never judged, what that can change."""
        of, outcome, mostly = self.evidence, self._first_outcome, self.unjudged
        if self._doubt("nothing measured"):
            return _no_value_note(of.contrasts[0])
        if of.calibrated is not None:
            return of.calibrated.summary
        certainty = _certainty_sentence(of.contrasts, outcome, of.rule)
        sentences = (f"{_change_sentence(of.contrasts[0])}.", f"{certainty}.")
        if not mostly:
            return sentences
        doubt = f"{mostly}, so these numbers may be far off."
        if outcome == CANT_TELL:
            alone = f"{mostly}, but judging alone would not settle it."
            return (doubt, *sentences) if self._lacks_judgments else (*sentences, alone)
        return (*sentences, f"{mostly}, but that cannot change this verdict." if of.unjudged.stands else doubt)

    @functools.cached_property
    def reason(self) -> Annotated[str, "Which interval decided, and what it contains."]:
        """Which interval decided, and what it contains."""
        if self._overruled == "tuning":
            return self.doubts[-1].text
        first = "; ".join(each.text for each in self._first_reasons if each.effect != "noted" and each.text)
        return ", ".join([first, *(each.text for each in self.doubts if each.kind not in _OWN - {"odd results"})])

    @functools.cached_property
    def assumption(
        self,
    ) -> Annotated[
        str,
        "That judgments are assumed to be complete, if they are; what SHIP rests on if queries are few or differences "
        "skewed; with a judge calibrated on people, also what "
        "people or the judge left unjudged; else empty.",
    ]:
        """That the judgments are assumed to be complete, where they are, and what a SHIP rests on; else "".

        A SHIP rests on something where queries are few or differences skewed. With a judge that is calibrated on
        people, whatever the outcome, also what people or the judge left unjudged.
        """
        of, outcome, complete = self.evidence, self.outcome, "".join(self._texts("complete"))
        if self._overruled:
            return complete
        if of.calibrated is not None:
            return of.calibrated.assumption(outcome, of.contrasts[0], of.rule)
        rests_on = assumption_text(of.contrasts[0], of.rule) if outcome == SHIP else ""
        return ". ".join(filter(None, (complete, rests_on)))

    @functools.cached_property
    def unjudged(
        self,
    ) -> Annotated[str, "How much of what came back was never judged, if it is more than a fifth; else empty."]:
        """How much of what came back was never judged, where that is more than a fifth; else ""."""
        return mostly_unjudged(self.evidence.unjudged_share)

    @functools.cached_property
    def holes(self) -> Annotated[str, "What the unjudged documents could change; empty if there are none."]:
        """What the unjudged documents could change; "" where there are none."""
        of = self.evidence
        if of.certain or of.calibrated is not None or self._overruled == "tuning":
            return ""
        if self._overruled:  # how labels could change the outcome that no longer stands is not said
            return movement_text(of.unjudged)
        return _unjudged_text(self._believed, self.outcome, of.unjudged)

    @functools.cached_property
    def failed(self) -> Annotated[str, "Which searches failed, and what they could change; empty if none did."]:
        """Which queries' search failed, and what they could change; "" where none did."""
        of = self.evidence.failed
        overruled = self._doubt("odd results") is not None or self._overruled == "latency"
        return of.text(CANT_TELL if overruled else self._first_outcome) if of else ""

    @functools.cached_property
    def steps(self) -> Annotated[tuple[str, ...], "What to do next, most important first."]:
        """What to do next, first things first."""
        if not self._overruled:
            return self._first_steps
        if self._overruled == "tuning":
            return (f"Keep {self.baseline}, or try other settings.",)
        if self._overruled == "latency" and self.outcome == DONT:
            broken = dict.fromkeys(each.about.of for each in self.evidence.limits if each.state == "broken")
            return (f"Make {self.system} faster, or allow a higher {listed(broken)}.",)
        step = self.doubts[-1].settle
        return tuple(f"{each}." for each in (step.parts if step and step.parts else [self.settle]))

    @property
    def _first_steps(self) -> tuple[str, ...]:
        """What to do where the first outcome stands; lists of losses are those of the deciding measure, the first."""
        of, outcome, first, judge = self.evidence, self.outcome, self.evidence.contrasts[0], self.evidence.calibrated
        judging = None if of.certain or of.unjudged.none else unjudged_step(of.unjudged)
        if outcome == CANT_TELL:
            if judge is not None:
                judging = judge.judging_step(of.unjudged) if judge.unjudged.results else None
            step = open_step(self._first_reasons)
            also = judging if step is None or step.kind not in ("judge results", "search again") else None
            steps = [f"{each.short}." for each in (step, also) if each is not None]
            steps += [IF_COMPLETE] if self._lacks_judgments and of.relevant_only and judge is None else []
            if of.tuning is not None and step is not None and step.kind == "judge queries":
                steps.append(f"{of.tuning.in_all}.")
            return tuple(steps)
        if outcome == DONT and judge is None:
            if (broken := broken_guard(of.contrasts, of.rule)) is not None:
                return _allowing(broken)
            if 0 <= first.gain.high < of.rule.bar:
                worth = f"ship it only if less than {of.rule.bar:g} is worth it"
                return (f"The change is not surely a loss, but too small a gain: {worth}.",)
        if outcome == SHIP and not first.losses:
            losing = [contrast.measure for contrast in of.contrasts if contrast.losses]
            return (_without_losses(first.measure, losing, judging if judge is None else None),)
        return (f"{_NEXT_STEPS[outcome]}.",)

    @functools.cached_property
    def settle(self) -> Annotated[str, "What would settle it; empty if it is settled."]:
        """What would settle it: more queries, or which labels; "" where it is settled."""
        if self._overruled == "tuning":  # more queries would not change that
            return ""
        steps = [(each.kind, each.settle.text) for each in self.reasons if each.settle is not None]
        plain = dict.fromkeys(text for kind, text in steps if kind != "tuning")
        return ". ".join(["; ".join(plain), *(text for kind, text in steps if kind == "tuning")])

    @functools.cached_property
    def rule(self) -> Annotated[str, "The rule, in words."]:
        """The rule, in words."""
        of, (_, names) = self.evidence, gains_of(self.evidence.contrasts)
        text = of.rule.text(names) if of.calibrated is None else of.calibrated.rule_text(of.rule, names)
        if not of.limits:
            return text
        limits = listed([each.condition for each in of.limits])
        return f"{text}; DON'T if an interval wholly breaks {limits}, CAN'T TELL if unknown times could"

    @property
    def tuning(
        self,
    ) -> Annotated[str, "What the system was the best of on other queries; empty if it was not chosen so."]:
        """What it was the best of, on other queries, and how much of its gain there vanished; "" if not chosen so."""
        return "".join(self._texts("tuning"))

    @functools.cached_property
    def latency(self) -> Annotated[str, "How much longer searches take; empty if it is not known."]:
        """How much longer searches take, in a clause; "" where the results do not say."""
        limits = [each for each in self.evidence.limits if each.state != "kept"]
        not_kept = (f"but {each.found}" if each.state == "broken" else each.found for each in limits)
        return "; ".join([*self._texts("latency"), *not_kept])

    @property
    def warnings(
        self,
    ) -> Annotated[tuple[str, ...], "What is odd about the results of either system; read it before the verdict."]:
        """What is odd about the results of either system, to be read before the verdict."""
        weights = (f"The weights of the queries decide: {text}" for text in self._texts("weights"))
        return tuple(f"{text}." for text in (*self._texts("odd results"), *weights))

    @property
    def refers_to_reason(self) -> bool:
        """Whether the summary says that a gain or a loss is not certain, for which the reason has to be read."""
        facts, plain = self._decides.facts, self._decides.kind in ("interval", "no difference")
        uncertain = plain and bool(self.doubts) and not facts["low"] <= facts["bar"] <= facts["high"]
        return uncertain and self.doubts[-1].kind in IN_REASON_ALONE

    @property
    def why_undecided(self) -> str:
        """Why nobody can tell, in a few words; "" where the verdict tells, or the interval says why."""
        first, rule, share = self.evidence.contrasts[0], self.evidence.rule, self.evidence.unjudged_share
        if self.outcome != CANT_TELL:
            return ""
        if not self.doubts:
            return "" if first.gain.low <= rule.bar <= first.gain.high else "guardrails or too few queries"
        words: dict[ReasonKind, str] = {
            "shape": f"{plural(first.queries, 'query')} are too few",
            "unjudged": f"{percent(round(share, 2))} unjudged" if share else "unjudged results",
            "failed": "searches failed",
            "nothing measured": "nothing was measured",
            "latency": "latency",
        }
        return words.get(self.doubts[-1].kind, "doubtful results")

    @property
    def sentence(self) -> Annotated[str, "The outcome with all its reasons, in words."]:
        """The outcome with its reason and latency, what it rests on, what could change it, and what would settle it."""
        reason = "; ".join(filter(None, (self.reason, self.latency)))
        first = (self.unjudged, f"{self.outcome}: {reason}", self.tuning)
        parts = [*first, self.assumption, self.holes, self.failed, self.settle]
        warned = f"Warning: {' '.join(self.warnings)} " if self.warnings else ""
        return warned + " ".join(f"{part}." for part in parts if part)

    @property
    def words(self) -> str:
        """The outcome, the headline and the summary: what the card of a report says."""
        return " ".join((f"{self.outcome}: {self.headline}.", *self.summary))


def _whose(odd: Reason) -> str:
    """Name whose results are odd, or that the judgments are."""
    names = odd.facts["systems"]
    results = [f"the results of {listed(list(dict.fromkeys(filter(None, names))))}"] * any(names)
    return listed(results + ["the judgments"] * ("" in names), 2, " and ")


_HEADLINES = {
    SHIP: "Ship {system}",
    DONT: "Do not ship {system}",
    SAME: "{system} and {baseline} are about the same",
    CANT_TELL: "Not enough evidence to ship {system}",
}
NOTHING = "Nothing was measured"

_NEXT_STEPS = {
    SHIP: "Before you ship, check that none of the biggest losses matters to you",
    DONT: "Look at the queries that lose most to see why",
    SAME: "Choose by cost or speed: the difference in relevance is too small to matter",
}


def _no_value_note(first: Contrast) -> tuple[str, ...]:
    """Say that no query has a value that was computed."""
    return (
        f"Nothing was measured: no query has a computed value of {first.measure}, for instance because no judged "
        "document is relevant.",
        "Check that the grades and the ids belong to these results.",
    )


def _change_sentence(first: Contrast) -> str:
    means = (first.mean, first.baseline_mean)
    size = abs(first.difference)
    if size <= EQUAL:
        return f"{first.system} and {first.baseline} both average {amount(means[0], 2)} on {first.measure}"
    digits = max(3, fine_digits(size)) if size < 1 else decimals(size)
    higher = "higher" if first.difference > 0 else "lower"
    better = {"lower": ", where lower is better", "count": ""}.get(first.direction, "")
    after, before = (amount(mean, digits) for mean in means)
    by = amount(size, digits)
    text = f"{first.system} scores {by} {higher} than {first.baseline} on {first.measure}"
    return f"{text} ({after} against {before}){better}"


def _certainty_sentence(contrasts: Sequence[Contrast], outcome: str, rule: Rule) -> str:
    first = contrasts[0]
    gain, queries = first.gain, plural(first.queries, "query")
    if first.same:
        return f"Every query has the same value in both{_reservation(contrasts, outcome, rule)}"
    if not math.isfinite(gain.high - gain.low):
        return unknown_change(first)
    if gain.high - gain.low <= EQUAL:
        return f"All {queries} {'gain' if gain.low > 0 else 'lose'} the same{_reservation(contrasts, outcome, rule)}"
    confidence = f"({percent(gain.level)} confidence, {queries})"
    if outcome == SAME:
        size = max(-gain.low, gain.high)
        most = amount(size, max(decimals(rule.equivalence), fine_digits(size)))
        return f"They differ by no more than {most} {confidence}; up to {rule.equivalence:.2g} counts as no difference"
    if gain.low > 0:
        by = span_amount(gain.low, gain.high)
        return f"The true gain is probably {by} {confidence}{_reservation(contrasts, outcome, rule)}"
    if gain.high < 0:
        loss = span_amount(-gain.high, -gain.low)
        return f"The true loss is probably {loss} {confidence}{_reservation(contrasts, outcome, rule)}"
    worse, better = either_way(gain.low, gain.high)
    if outcome == CANT_TELL:
        return f"With {queries} that could be chance: plausible values run from {worse} to {better}"
    return f"The true change is between {worse} and {better} {confidence}{_reservation(contrasts, outcome, rule)}"


def _reservation(contrasts: Sequence[Contrast], outcome: str, rule: Rule) -> str:
    """Say what speaks against a gain or a loss, or what allows it, if 0 is not all that counts."""
    gain, bar = contrasts[0].gain, rule.bar
    failing = [c for c in contrasts if c.role == GUARDS and c.gain.high < -rule.tolerated(c.measure)]
    if failing and gain.high >= bar:
        return f", but {failing[0].measure} gets worse by {span_amount(-failing[0].gain.high, -failing[0].gain.low)}"
    if outcome == CANT_TELL and gain.high < bar:
        return ", but that is not certain: see the reason"
    if gain.high < bar:
        return f", less than the {bar:g} that is worth shipping" if bar > 0 and gain.high > 0 else ""
    if gain.low > bar:
        return _bar_note(gain, outcome, rule)
    if outcome == CANT_TELL and bar:
        return f", which may be more or less than the {f'{bar:g} worth shipping' if bar > 0 else f'{-bar:g} allowed'}"
    return ""


def _bar_note(gain: Interval, outcome: str, rule: Rule) -> str:
    """Say that a gain above the bar is doubted, or that a loss is allowed."""
    if outcome == CANT_TELL:
        return ", but that is not certain: see the reason"
    return f", and a loss of up to {-rule.bar:g} is allowed" if gain.low < 0 else ""


def _allowing(broken: Contrast) -> tuple[str, ...]:
    """Say how a loss is allowed, and where to look for its cause."""
    most = f"{math.ceil(-broken.gain.low * 1000) / 1000:g}"
    way = f"--tolerance {broken.measure}={most}, or tolerance={{{broken.measure!r}: {most}}} in Python"
    return (
        f"If the loss in {broken.measure} is meant, allow it: {way}.",
        f"Look at the queries that lose most on {broken.measure} to see why.",
    )


def _without_losses(measure: str, losing: Sequence[str], judging: Step | None) -> str:
    """Say what is left to do where no query loses under the deciding measure."""
    if losing:
        return f"No query loses on {measure}. Before you ship, look at those that lose on {losing[0]}."
    if judging is not None:
        return f"No query loses. {judging.short} to know how large the gain is."
    return "No query loses. Look at the queries that gain most to see why."


IF_COMPLETE = (
    "If all that is relevant was judged, as in a golden set, say so: --unjudged complete, or unjudged='complete' in "
    "Python."
)
"""The step that judgments of relevant documents alone leave open."""


def movement_text(unjudged: UnjudgedEvidence) -> str:
    """Say what the holes allow the deciding measure to be."""
    first = unjudged.ranges[0]
    if not first.count:
        return f"No result that {unjudged.measure} reads is unjudged" if not unjudged.none else ""
    if not first.known:
        return f"{plural(first.count, 'unjudged result')}: {first.why}"
    many = "the one unjudged result" if first.count == 1 else f"the {first.count:,} unjudged results"
    ends = span_amount(first.low, first.high, sign=True)
    text = f"Judging {many} could move the difference in {unjudged.measure} anywhere from {ends}"
    return text + ("" if first.exact else " (at most)")


def _unjudged_text(plain: str, outcome: str, unjudged: UnjudgedEvidence) -> str:
    """Say what the holes allow the deciding measure to be, and whether that turns the verdict."""
    first, text = unjudged.ranges[0], movement_text(unjudged)
    if not first.count or not first.known:
        return text
    if outcome != CANT_TELL and unjudged.stands:
        return f"{text}; it is {plain} regardless"
    if outcome != CANT_TELL and unjudged.turning:
        one = unjudged.turning == 1
        enough = "one that is relevant is enough" if one else f"{unjudged.turning:,} that are relevant are enough"
        text += f"; {enough} to make it {unjudged.turned}"
    return text + _bearable_text(plain, outcome, unjudged)


BEARABLE, CLOSE = 4.0, 2.0
"""Where it takes unjudged results that are so many times as often relevant as judged ones, that is not worth a word.

Below the second, the headline says so: simulations in which the judgments of one system alone were missing said SHIP
wrongly, and each such verdict could bear less.
"""


def _bearable_text(plain: str, outcome: str, unjudged: UnjudgedEvidence) -> str:
    """Say how often relevant the results that only one returned may be, where that may decide; "" elsewhere."""
    often = unjudged.bearable
    # Below 0.05 one decimal would read "0.0 times as often".
    if often is None or not 0.05 <= often < BEARABLE:
        return ""
    which = f"those {_bearable(unjudged)} as judged results at their ranks"
    if outcome == plain and often > 1:
        return f". It is {plain} only if {which}"
    if outcome == CANT_TELL and plain in (SHIP, DONT) and often < 1:
        return f". It would be {plain} if {which}"
    return ""


def _condition(plain: str, outcome: str, unjudged: UnjudgedEvidence) -> str:
    """Say in the headline what a verdict on unjudged results hangs on, where little is enough to turn it."""
    if outcome != plain or outcome not in (SHIP, DONT) or unjudged.bearable is None or unjudged.bearable >= CLOSE:
        return ""
    return f", if unjudged results {_bearable(unjudged)} as judged ones"


def _bearable(unjudged: UnjudgedEvidence) -> str:
    return f"that only {unjudged.returned_by} returned are relevant less than {unjudged.bearable:.1f} times as often"


def unjudged_step(unjudged: UnjudgedEvidence) -> Step:
    """Return the step of judging the holes."""
    count = unjudged.first.count or max(each.count for each in unjudged.ranges)
    many = "the one unjudged result" if count == 1 else f"the {count:,} unjudged results"
    return judging_step(f"Judge {many}", unjudged.worst_queries[:3])
