"""What a report says of its grades: a cheap judge calibrated on people, how far raters agree, and by whom it holds."""

from __future__ import annotations

from typing import Any

from idealrank.comparison.comparison import Comparison
from idealrank.evaluation.scores import Scores
from idealrank.reports.types import CalibrationEntry, GradesPart, RatersPart

MOST_RATERS_WITH_VERDICTS = 10
"""Of more raters there is no verdict under each: it takes two comparisons a rater."""

MOST_VALUES = 20_000
"""Nor where raters times judged queries are more than that: a report is to be written in seconds."""


def grades(scores: Scores, comparison: Comparison | None) -> GradesPart | None:
    """Return where the grades come from; None where one person or nobody in particular gave them."""
    calibrations = [] if comparison is None else _calibrations(comparison)
    raters = _raters(scores, comparison)
    return {"calibrations": calibrations, "raters": raters} if calibrations or raters else None


def _calibrations(comparison: Comparison) -> list[CalibrationEntry]:
    return [
        {
            "baseline": each.baseline,
            "system": each.system,
            "direction": each.direction,
            "sentences": list(each.other_sentences),
            **each.to_dict(),
        }
        for each in comparison.calibration.values()
    ]


def _raters(scores: Scores, comparison: Comparison | None) -> RatersPart | None:
    """Return how far raters agree, and what each alone would say; None where there is one, or nobody is named."""
    if not scores.lists.in_memory or len(scores.joins[0].judgments.raters) < 2:
        return None
    from idealrank.labels.agreement import agreement
    from idealrank.labels.rater_verdicts import verdicts_sentence
    from idealrank.labels.ratings import read_ratings

    ratings = read_ratings(scores.joins[0].judgments)
    if len(ratings.raters) < 2:
        return None
    found = agreement(ratings, **_compared(scores, comparison, len(ratings.raters)))
    sentence = "" if found.verdicts is None else verdicts_sentence(found.verdicts)
    return {"headline": found.headline, "verdicts_sentence": sentence, "agreement": found.to_dict()}


def _compared(scores: Scores, comparison: Comparison | None, raters: int) -> dict[str, Any]:
    """Return the systems to be compared under each rater, as they were compared; nothing where that is not done.

    Weights, queries that were chosen and a judge are of the whole comparison, and of no rater.
    """
    if comparison is None or not comparison.baseline or comparison.tuning or comparison.calibration:
        return {}
    chosen = scores.weights is not None or not scores.in_scope.all()
    if chosen or raters > MOST_RATERS_WITH_VERDICTS or raters * len(scores.queries) > MOST_VALUES:
        return {}
    rule = comparison.rule
    return {
        "results": {system: each.results for system, each in zip(scores.systems, scores.joins, strict=True)},
        "measures": [scores.measures[0]],
        "convention": scores.setting.text,
        "baseline": comparison.baseline,
        "margin": rule.margin,
        "rule": rule.kind,
        "equivalence": rule.equivalence,
    }
