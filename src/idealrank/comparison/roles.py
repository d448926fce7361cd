"""Roles: which measure decides, which ones guard, and which are only shown beside them."""

from collections.abc import Mapping

from idealrank.evaluation.measure_names import measures_under
from idealrank.evaluation.scores import Scores

DECIDES, GUARDS, SHOWN = "decides", "guards", "shown"


def roles(scores: Scores, tolerance: float | Mapping[str, float]) -> tuple[str, ...]:
    """Return the role of each measure: the first decides, those that were named guard, the others are shown.

    The measures that `evaluate` computes where none is named guard only where they have a tolerance. Counts, which
    are neither good nor bad, never do.
    """
    prints = [measure.fingerprint for measure in scores.measures]
    unnamed = prints == [measure.fingerprint for measure in measures_under(scores.setting, None)]
    tolerated = tolerance if isinstance(tolerance, Mapping) else scores.labels if tolerance else ()
    counts = [measure.definition.properties.direction == "count" for measure in scores.measures]
    rest = zip(scores.labels[1:], counts[1:], strict=True)
    return DECIDES, *(SHOWN if count or (unnamed and label not in tolerated) else GUARDS for label, count in rest)
