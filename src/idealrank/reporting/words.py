"""The verdict in words a product manager understands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from idealrank.errors import plural

if TYPE_CHECKING:
    from idealrank.comparison.contrast import Contrast
    from idealrank.comparison.verdict import Verdict

_ADVICE = {
    "SHIP": "Replace {baseline} by {system}.",
    "DON'T": "Keep {baseline}.",
    "CAN'T TELL": "These queries and judgments do not tell whether {system} is better than {baseline}.",
}


def in_words(verdict: Verdict, contrast: Contrast) -> str:
    """Say what to do, what users would notice, and how sure that is.

    Parameters
    ----------
    contrast
        Of the measure that decides.
    """
    advice = _ADVICE[verdict.outcome].format(system=verdict.system, baseline=verdict.baseline)
    counts = (
        f"Of {plural(contrast.queries, 'query')}, {contrast.wins} got better, {contrast.losses} got worse and "
        f"{contrast.ties} stayed the same."
    )
    return f"{advice} {counts} {_sure(contrast)}"


def _sure(contrast: Contrast) -> str:
    low, high = contrast.gain.low, contrast.gain.high
    if not math.isfinite(low + high):
        return "So few queries differ that the size of the change cannot be told."
    name = contrast.measure
    if low > 0:
        said = f"On average {name} improves; the improvement lies between {low:.4f} and {high:.4f}"
    elif high < 0:
        said = f"On average {name} gets worse; the loss lies between {-high:.4f} and {-low:.4f}"
    else:
        said = f"The average {name} may have lost up to {-low:.4f} or gained up to {high:.4f}"
    return f"{said} ({contrast.gain.level:.0%} confidence)."
