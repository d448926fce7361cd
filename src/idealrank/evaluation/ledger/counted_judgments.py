"""Counts in the judgments what the ledger says of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from idealrank.data.judgments import Judgments
from idealrank.data.roles import says_relevant
from idealrank.evaluation.counts.judgment_counts import JudgmentCounts
from idealrank.evaluation.values import Values
from idealrank.judged_lists.units import judged_parts
from idealrank.measures import Measure


def judgment_counts(scores: Values) -> JudgmentCounts:
    """Count what the ledger says of the judgments."""
    met, decisions = scores.met[0], scores.setting.decisions
    whole, table = met.judgments, judged_parts(met.judgments, decisions)
    subtopics = table.subtopics(decisions.raters, decisions.duplicates)
    parts = table.pool(decisions.raters, decisions.duplicates)
    return JudgmentCounts(
        name=whole.name, columns=whole.columns, form=whole.form, read_as=whole.source.read_as,
        scale=dict(whole.scale or {}), graded=bool(whole.grades), named_relevant=_named_relevant(whole),
        rated=0 if whole.grades else int(whole.ratings.size - np.isnan(whole.ratings).sum()),
        lowest=float(met.pool.grade.min(initial=math.inf)), highest=float(met.pool.grade.max(initial=-math.inf)),
        below_zero=int((parts.grade < 0).sum()), low=dict(_low(scores)), tops=dict(_tops(scores)),
        ungraded=parts.ungraded, ungraded_queries=tuple(parts.ungraded_queries), one_query=table.one_query,
        dropped=table.dropped(decisions.raters, decisions.duplicates),
        several=0 if subtopics is None else subtopics.several, missing_ratings=table.missing_ratings(),
        merged=len(parts.grade) - len(met.pool.grade), units=len(met.pool.grade),
        fractional=whole.like_results == "fractions", ranked=whole.like_results == "ranks",
        differing=tuple(sorted(_differing(scores))), **_shared(scores),
    )  # fmt: skip


def _named_relevant(table: Judgments) -> bool:
    """Whether the documents are those of a list or a column that says by its name that they are relevant."""
    return table.source.part("judgments") is not None or says_relevant(table.roles.names[table.doc])


def reads_level(measure: Measure) -> float | None:
    """Return the level above 0 from which a measure counts a grade as relevant; None where it has none."""
    level = measure.decisions.relevant_from
    if "relevant_from" not in measure.definition.reads or isinstance(level, str) or level <= 0:
        return None
    return float(level)


def _low(scores: Values) -> Iterator[tuple[tuple[str, float], int]]:
    """Yield, by measure and level, how many grades above 0 do not reach it."""
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        if (level := reads_level(measure)) is not None:
            grades = scores.meetings[0].met(measure.decisions).pool.grade
            if count := int(((grades > 0) & (grades < level)).sum()):
                yield (label, level), count


def _tops(scores: Values) -> Iterator[tuple[str, float]]:
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        if measure.reads_top:
            yield label, scores.meetings[0].met(measure.decisions).max_grade


def _shared(scores: Values) -> dict[str, bool]:
    """Say whether results come from the table of the judgments, so that measures cannot know what was missed."""
    table = scores.meetings[0].judgments
    mine = [each for each in (meeting.results for meeting in scores.meetings) if each.source is table.source]
    return {
        "inflated": any(not each.judged_only for each in mine),
        "score_graded": any(not each.shared and each.roles.find("score") in table.grades for each in mine),
    }


def _differing(scores: Values) -> set[str]:
    """Return the ids of queries that have several texts."""
    ours, odd = scores.meetings[0].judgments.texts
    differing = set(odd)
    for texts, odd in (meeting.results.texts for meeting in scores.meetings):
        differing |= odd | {key for key, text in texts.items() if ours.get(key, text) != text}
    return differing
