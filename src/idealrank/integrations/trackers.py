"""What a tracker of experiments is given: values, decisions and counts under names it accepts, and the report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from idealrank.comparison.comparison import Comparison
from idealrank.errors import UsageError
from idealrank.evaluation.ledger.ledger import SystemAccount
from idealrank.evaluation.scores import Scores
from idealrank.reports.report import Report, report
from idealrank.reports.subject import Subject

REPORT = "idealrank-report"
"""What the report is called where it is kept."""

_DIFFERENCES = {"difference": "difference", "low": "corrected low", "high": "corrected high", "p": "corrected p"}


class Tracked(NamedTuple):
    """What a tracker is given; every key is a name that trackers accept.

    Attributes
    ----------
    metrics
        The mean of each measure, below its system where there are several; of a comparison with a baseline the
        differences, too. Those of all pairs are in the report alone: they would be more than anybody can look at.
    decisions
        The fingerprint of each measure: its own name with every decision.
    facts
        The version, the convention, what became of the queries, and the verdicts.
    page
        The report as HTML.
    """

    metrics: dict[str, float]
    decisions: dict[str, str]
    facts: dict[str, str | int]
    page: str


def collect(subject: Subject | Report) -> Tracked:
    """Collect what a tracker is given.

    Raises
    ------
    UsageError
        If two measures or two systems would have the same name there, or there is nothing to track.
    """
    made = subject if isinstance(subject, Report) else report(subject)
    scores, comparison = made.scores, made.comparison
    measures, systems = accepted_names("measures", scores.labels), accepted_names("systems", scores.systems)
    within = {s: f"{name}/" if len(systems) > 1 else "" for s, name in systems.items()}
    metrics = {f"{within[s]}{measures[m]}": scores.mean(m, s) for s in systems for m in measures}
    decisions = {measures[label]: text for label, text in scores.fingerprints.items()}
    facts: dict[str, str | int] = {"version": made.program, "convention": scores.setting.text}
    facts |= {"judged_queries": scores.ledger.judged, **dict(_counts(scores, within))}
    if comparison is not None and comparison.baseline:
        metrics |= _differences(comparison, measures, systems)
        facts |= {name: getattr(comparison.methods, name) for name in ("p_corrected_by", "interval_corrected_by")}
        facts |= {f"verdict/{accepted_name(called)}": each.outcome for called, each in comparison.verdict.items()}
    return Tracked(metrics, decisions, facts, made.to_html())


def _counts(scores: Scores, within: dict[str, str]) -> Iterator[tuple[str, int]]:
    for account in scores.ledger.systems:
        for name, count in _system_counts(account).items():
            yield f"{within[account.system]}{accepted_name(name)}", count


def _system_counts(account: SystemAccount) -> dict[str, int]:
    """Return every count of a system's account; where it names queries, how many."""
    own = {name: len(value) if isinstance(value, tuple) else value for name, value in account._asdict().items()}
    return {name: value for name, value in (own | dict(account.counts)).items() if isinstance(value, int)}


def _differences(comparison: Comparison, measures: dict[str, str], systems: dict[str, str]) -> dict[str, float]:
    """Return difference, ends of its interval and p, as the comparison states them, of each pair and measure."""
    return {
        f"{systems[row['system']]}_vs_{systems[row['baseline']]}/{measures[row['measure']]}_{name}": row[column]
        for row in comparison.differences
        for name, column in _DIFFERENCES.items()
        if row[column] is not None
    }


def accepted_name(text: str) -> str:
    """Return a name as every tracker accepts it: ``@`` is spelt out, and any other sign is an underscore.

    Examples
    --------
    >>> accepted_name("nDCG@10"), accepted_name("P(rel=2)@5"), accepted_name("RBP(p=0.8)"), accepted_name("bm25-k1")
    ('nDCG_at_10', 'P_rel_2_at_5', 'RBP_p_0_8', 'bm25_k1')
    """
    return re.sub(r"\W+", "_", text.replace("@", " at ")).strip("_") or "_"


def accepted_names(what: str, names: Iterable[str]) -> dict[str, str]:
    """Return the accepted name of each.

    Raises
    ------
    UsageError
        If two have the same one.
    """
    found: dict[str, str] = {}
    for name in names:
        spelt = accepted_name(name)
        if same := [other for other, taken in found.items() if taken == spelt]:
            raise UsageError(
                f"The {what} {same[0]!r} and {name!r} would both be {spelt!r}: trackers accept only letters, digits "
                f"and underscores. {_MENDS[what]}"
            )
        found[name] = spelt
    return found


_MENDS = {
    "measures": "Track them in two runs, one measure in each.",
    "systems": "Give the systems other names: ir.evaluate(judgments, {'first': results, 'second': results}).",
}
