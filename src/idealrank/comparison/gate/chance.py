"""Chance: how often a threshold without alpha fails a build that changed nothing."""

import numpy as np

from idealrank.comparison.gate.finding import Finding
from idealrank.comparison.pairing import Pairing
from idealrank.errors import plural
from idealrank.statistics.sample import sampled


def chance_of_failing(pairing: Pairing, finding: Finding) -> float:
    """Return how often the mean difference reaches the limit of a drop, if nothing changed but chance.

    By Student's t: differences that vary as these do, of as many queries, with a mean of 0. NaN where nothing varies,
    as for one query.
    """
    from scipy.stats import t

    _, differences, weights = pairing.paired_differences(pairing.key(finding.measure))
    sample = sampled(differences, weights)
    return float(t.cdf(finding.limit / sample.error, sample.degrees)) if sample.error > 0 else np.nan


def chance_lines(pairing: Pairing, findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    """Say it of every drop, and what helps; nothing where it cannot be told, as where no query differs."""
    chances = {finding: chance_of_failing(pairing, finding) for finding in findings if finding.kind == "drop"}
    rows = [
        f"'{finding.condition}' fails {chance:.0%} of builds that change nothing, if differences vary as here "
        f"over {plural(len(pairing.paired_differences(pairing.key(finding.measure))[1]), 'query')}"
        for finding, chance in chances.items()
        if np.isfinite(chance)
    ]
    advice = (
        "With --alpha 0.05, or alpha=0.05 in Python, a drop fails only if its interval is wholly below 0: "
        f"in at most 5% of such builds{' for each measure' if len(chances) > 1 else ''}"
    )
    labels = ["by chance", *[""] * len(rows)]
    return list(zip(labels, [*rows, advice], strict=True)) if rows else []
