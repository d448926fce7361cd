"""The verdict in words a product manager understands."""

import math
from collections.abc import Sequence

from idealrank.arrays import SAME
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.rule import CANT_TELL, DONT, SHIP, Rule
from idealrank.comparison.verdict import Verdict
from idealrank.errors import plural

_ADVICE = {
    SHIP: "Replace {baseline} by {system}.",
    DONT: "Keep {baseline}.",
    CANT_TELL: "These queries and judgments do not tell whether {system} is better than {baseline}.",
}


def in_words(verdict: Verdict, contrasts: Sequence[Contrast], rule: Rule, measured: bool = True) -> str:
    """Say what to do, what users would notice, how sure that is, and what else decided.

    Parameters
    ----------
    contrasts
        One a measure, the deciding one first.
    measured
        Whether any query has a value of the deciding measure that was computed.
    """
    first = contrasts[0]
    if not measured:
        return (
            f"Nothing was measured: no query has a computed value of {first.measure}, as where no judged document is "
            "relevant. Are grades and ids those of these results?"
        )
    advice = _ADVICE[verdict.outcome].format(system=verdict.system, baseline=verdict.baseline)
    counts = (
        f"Of {plural(first.queries, 'query')}, {first.wins} got better, {first.losses} got worse and "
        f"{first.ties} stayed the same."
    )
    return " ".join(filter(None, (advice, counts, _sure(first), _but(verdict, contrasts, rule))))


def _sure(contrast: Contrast) -> str:
    low, high = contrast.gain.low, contrast.gain.high
    if contrast.same:
        return f"No value of {contrast.measure} differs."
    if high - low <= SAME:
        turned = "improves" if low > 0 else "gets worse"
        return f"{contrast.measure} {turned} by the same {abs(low):.4f} in every query."
    if not math.isfinite(low + high):
        return "So few queries differ that the size of the change cannot be told."
    name = contrast.measure
    if low > 0:
        text = f"On average {name} improves; the improvement lies between {low:.4f} and {high:.4f}"
    elif high < 0:
        text = f"On average {name} gets worse; the loss lies between {-high:.4f} and {-low:.4f}"
    else:
        text = f"The average {name} may have lost up to {0 - low:.4f} or gained up to {high:.4f}"
    return f"{text} ({contrast.gain.level:.0%} confidence)."


def _but(verdict: Verdict, contrasts: Sequence[Contrast], rule: Rule) -> str:
    """Say what the change in the deciding measure alone does not explain."""
    first = contrasts[0].gain
    broken = [c for c in contrasts[1:] if c.direction != "count" and c.gain.high < -rule.tolerated(c.measure)]
    if verdict.outcome == DONT and broken and first.high >= rule.bar:
        names = " and ".join(contrast.measure for contrast in broken)
        return f"But {names} {'gets' if len(broken) == 1 else 'get'} worse by more than is allowed."
    if verdict.outcome == CANT_TELL and verdict.settle.startswith("Search again"):
        return "But some searches failed, and what they would have returned could change that: search again."
    if verdict.outcome == CANT_TELL and verdict.settle.startswith("Judge"):
        return "But results that nobody judged could change that: judge them first."
    if verdict.outcome == SHIP and first.low <= 0:
        return f"A loss of up to {rule.margin:g} is allowed."
    if verdict.outcome != SHIP and rule.bar > 0 and first.low > 0:
        sure = "less" if verdict.outcome == DONT else "not surely more"
        return f"That is {sure} than the margin of {rule.margin:g}."
    return ""
