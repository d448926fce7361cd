"""How long the correction of a comparison will take, said before it begins."""

from __future__ import annotations

from idealrank.comparison.contrasts import differences
from idealrank.comparison.pairing import Pairing
from idealrank.statistics import max_t, tukey

SMALL = 2_000_000_000
"""Differences times draws up to which nobody waits."""


def expected_seconds(pairing: Pairing, correction: str, draws: int) -> float:
    """Return how long the correction will take here, from a few draws made and timed; 0 for a small job.

    Parameters
    ----------
    correction
        A key of `idealrank.comparison.methods.CORRECTIONS`; those that draw nothing take no time.
    """
    systems, measures, queries = pairing.scores.values.shape
    drawn = {"max_t": len(pairing.pairs) * measures, "tukey": 10 * systems * measures}.get(correction, 0)
    if drawn * queries * draws <= SMALL:
        return 0.0
    if correction == "max_t":
        keys = [(pair, m) for pair in pairing.pairs for m in range(measures)]
        return float(max_t.expected_seconds(differences(pairing, keys), draws=draws))
    return float(measures * tukey.expected_seconds(pairing.complete(0)[0], draws=draws))
