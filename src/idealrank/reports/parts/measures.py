"""The measures of a report: what each is called, what it promises, what it means."""

from idealrank.display.numbers import number
from idealrank.evaluation.mean_intervals import over
from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.kinds import MeasureEntry


def described(scores: Scores, m: int) -> MeasureEntry:
    """Describe the measure at a place among those of the scores.

    Examples
    --------
    >>> import idealrank as ir
    >>> entry = described(ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"]), 0)
    >>> entry["label"], entry["direction"], entry["lowest"], entry["highest"]
    ('RR', 'higher', 0.0, 1.0)
    """
    measure = scores.measures[m]
    promised = measure.definition.properties
    return {
        "label": scores.labels[m],
        "fingerprint": measure.fingerprint,
        "direction": promised.direction,
        "cutoff": measure.cutoff,
        "over": over(scores, m),
        "lowest": number(promised.lowest),
        "highest": number(promised.highest),
        "meaning": measure.definition.title,
    }
