"""The verdict for everybody: a headline, two sentences, and what to do next."""

import math
from collections.abc import Sequence

from idealrank.arrays import EQUAL
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import GUARDS
from idealrank.comparison.unjudged.evidence import HoleEvidence
from idealrank.comparison.verdict.assumptions import unknown_change
from idealrank.comparison.verdict.reasons import Step
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Rule
from idealrank.display.numbers import amount, decimals, either_way, fine_digits, percent, span_amount
from idealrank.errors import plural
from idealrank.statistics.intervals import Interval

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


def broken_guard(contrasts: Sequence[Contrast], rule: Rule) -> Contrast | None:
    """Return the first guardrail that fails where the deciding measure does not; None where none alone decides."""
    if contrasts[0].gain.high < rule.bar:
        return None
    failing = (c for c in contrasts[1:] if c.role == GUARDS and c.gain.high < -rule.tolerated(c.measure))
    return next(failing, None)


def headline(first: Contrast, outcome: str, mostly: str, broken: Contrast | None = None) -> str:
    """Write the outcome as advice; of a guardrail that alone speaks against a system, that it breaks its limit."""
    if outcome == DONT and broken is not None:
        moves = [f"{c.measure} {amount(c.difference, 3, sign=True)}" for c in (first, broken)]
        return f"{first.system}: {broken.measure} breaks its limit ({', '.join(moves)})"
    if outcome == CANT_TELL and mostly:
        return f"Too little was judged to tell whether {first.system} is better"
    return _HEADLINES[outcome].format(system=first.system, baseline=first.baseline)


def summary_sentences(
    contrasts: Sequence[Contrast], outcome: str, rule: Rule, mostly: str, holes: HoleEvidence, *, unsettling: bool
) -> tuple[str, ...]:
    """Say in two sentences what changed and how sure that is; and if most was never judged, what that can change.

    Parameters
    ----------
    unsettling
        Whether what was never judged speaks against a verdict, rather than the number of queries alone.
    """
    sentences = (f"{_change_sentence(contrasts[0])}.", f"{_certainty_sentence(contrasts, outcome, rule)}.")
    if not mostly:
        return sentences
    doubt = f"{mostly}, so these numbers may be far off."
    if outcome == CANT_TELL:
        return (doubt, *sentences) if unsettling else (*sentences, f"{mostly}, but judging alone would not settle it.")
    return (*sentences, f"{mostly}, but that cannot change this verdict." if holes.stands else doubt)


def no_value_note(first: Contrast) -> tuple[str, ...]:
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


def next_steps(
    outcome: str,
    settle: Step | None,
    judging: Step | None,
    contrasts: Sequence[Contrast],
    short: float = 0.0,
    broken: Contrast | None = None,
) -> tuple[str, ...]:
    """Say what to do next, first things first; the lists of losses are those of the deciding measure, the first.

    Parameters
    ----------
    short
        The margin, where only that speaks against the system; else 0.
    broken
        The guardrail that alone speaks against the system.
    """
    if outcome == DONT and broken is not None:
        most = f"{math.ceil(-broken.gain.low * 1000) / 1000:g}"
        way = f"--tolerance {broken.measure}={most}, or tolerance={{{broken.measure!r}: {most}}} in Python"
        return (
            f"If the loss in {broken.measure} is meant, allow it: {way}.",
            f"Look at the queries that lose most on {broken.measure} to see why.",
        )
    if outcome == SHIP and not contrasts[0].losses:
        losing = [contrast.measure for contrast in contrasts if contrast.losses]
        if losing:
            return (
                f"No query loses on {contrasts[0].measure}. Before you ship, look at those that lose on {losing[0]}.",
            )
        return (_without_losses(judging),)
    if outcome == DONT and short:
        return (
            f"The change is not surely a loss, but too small a gain: ship it only if less than {short:g} is worth it.",
        )
    if outcome != CANT_TELL:
        return (f"{_NEXT_STEPS[outcome]}.",)
    also = judging if settle is None or settle.kind not in ("judge results", "search again") else None
    return tuple(f"{step.short}." for step in (settle, also) if step is not None)


def _without_losses(judging: Step | None) -> str:
    """Say what is left to do where no query loses."""
    if judging is not None:
        return f"No query loses. {judging.short} to know how large the gain is."
    return "No query loses. Look at the queries that gain most to see why."
