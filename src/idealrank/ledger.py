"""The ledger: every query in exactly one state, and what would move a mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.averages import averaged
from idealrank.decisions import answer_text
from idealrank.errors import DataError, UsageError
from idealrank.lists import Mask
from idealrank.measures import Measure
from idealrank.scoring import State, scored
from idealrank.table import Table

if TYPE_CHECKING:
    from idealrank.scores import Scores

NOTABLE = 0.0005
"""A mean that moves by more than this under another answer is mentioned."""


@dataclass(frozen=True)
class SystemAccount:
    """One system's queries: each judged or returned query is in exactly one of the first three lists."""

    system: str
    judged_and_returned: int
    judged_nothing_returned: tuple[str, ...]
    returned_not_judged: tuple[str, ...]
    left_out: int
    results: int
    judged_results: int
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class MeasureAccount:
    """What became of the judged queries under one measure: the counts sum to them."""

    system: str
    measure: str
    computed: int
    filled_no_results: int
    skipped_no_results: int
    filled_no_relevant: int
    skipped_no_relevant: int
    left_out: int


@dataclass(frozen=True)
class Ledger:
    """The account of every query, with notes on what was found and what it changes."""

    judged: int
    systems: tuple[SystemAccount, ...]
    measures: tuple[MeasureAccount, ...]
    notes: tuple[str, ...]

    @property
    def line(self) -> str:
        """The account in one line."""
        parts = []
        for account in self.systems:
            found = [f"{account.judged_and_returned} judged and returned"]
            found += (
                [f"{len(account.judged_nothing_returned)} judged, nothing returned"]
                if account.judged_nothing_returned
                else []
            )
            found += [f"{len(account.returned_not_judged)} returned, not judged"] if account.returned_not_judged else []
            found += [f"{account.left_out} left out on request"] if account.left_out else []
            prefix = f"{account.system}: " if len(self.systems) > 1 else ""
            parts.append(prefix + ", ".join(found))
        return f"{self.judged} judged queries; " + "; ".join(parts)

    @property
    def queries(self) -> Table:
        """Name the queries that are not simply judged and returned, with their state."""
        rows = [
            (account.system, query, state)
            for account in self.systems
            for state, names in (
                ("judged, nothing returned", account.judged_nothing_returned),
                ("returned, not judged", account.returned_not_judged),
            )
            for query in names
        ]
        return Table({name: [row[i] for row in rows] for i, name in enumerate(("system", "query", "state"))}, "queries")

    @property
    def per_measure(self) -> Table:
        """The second account: one row a system and measure."""
        names = list(MeasureAccount.__dataclass_fields__)
        return Table({name: [getattr(row, name) for row in self.measures] for name in names}, "per measure")

    def to_dict(self) -> dict[str, Any]:
        """Return the accounts and notes as plain values."""
        return {
            "judged_queries": self.judged,
            "systems": [vars(account) for account in self.systems],
            "measures": [vars(account) for account in self.measures],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join([self.line, *(f"- {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        from idealrank.report.html import ledger_html

        return ledger_html(self)


def keep_account(scores: Scores, keep: Mask) -> Ledger:
    """Draw up the ledger of an evaluation."""
    systems = tuple(_system_account(scores, s, keep) for s in range(len(scores.systems)))
    measures = tuple(
        _measure_account(scores, s, m) for s in range(len(scores.systems)) for m in range(len(scores.measures))
    )
    notes = [
        *_judgment_notes(scores),
        *(note for s in range(len(scores.systems)) for note in _system_notes(scores, s, systems[s], keep)),
    ]
    return Ledger(len(scores.queries), systems, measures, tuple(dict.fromkeys(notes)))


def _system_account(scores: Scores, s: int, keep: Mask) -> SystemAccount:
    met, results = scores.meetings[s].met(scores.setting.decisions), scores.meetings[s].results
    returned = met.judged.returned
    empty = [scores.queries[q] for q in np.flatnonzero((returned == 0) & keep)]
    counts = {
        "placeholder rows": met.run.placeholders,
        "duplicates dropped": met.run.dropped,
        "tied results": int(met.judged.tied.sum()),
        "queries with ties": int((met.judged.tied > 0).sum()),
        "results without a score": met.run.missing_scores if results.score is not None else 0,
        "results without a rank": met.run.missing_ranks if results.rank is not None else 0,
        "queries with repeated ranks": met.run.rank_repeats,
        "queries with gaps in the ranks": met.run.rank_gaps,
    }
    unjudged = tuple(met.judged.unjudged_queries)
    return SystemAccount(
        scores.systems[s],
        int(((returned > 0) & keep).sum()),
        tuple(empty),
        unjudged,
        int((~keep).sum()),
        met.run.results,
        len(met.judged.rank) if met.lists.form == "sparse" else int((met.judged.entry >= 0).sum()),
        {name: count for name, count in counts.items() if count},
    )


def _measure_account(scores: Scores, s: int, m: int) -> MeasureAccount:
    counts = np.bincount(scores.states[s, m], minlength=6).tolist()
    return MeasureAccount(scores.systems[s], scores.measures[m].name, *counts)


def _judgment_notes(scores: Scores) -> list[str]:
    meeting = scores.meetings[0]
    decisions = scores.setting.decisions
    pool, table = meeting.met(decisions).pool, meeting.judgments
    notes = []
    if any(_reads_top_grade(measure) for measure in scores.measures):
        origin = "the highest in the judgments" if decisions.max_grade == "highest" else "as declared"
        notes.append(f"max_grade {answer_text(meeting.met(decisions).lists.max_grade)}, {origin}")
    if table.one_query:
        notes.append(f"{table.name}: no query column; all rows are one query, 'q'")
    for count, text in (
        (pool.ungraded, "judgment rows without a grade: unjudged"),
        (len(pool.ungraded_queries), "queries with rows but no grade: not judged"),
        (pool.dropped, f"duplicate judgments dropped (duplicates={decisions.duplicates})"),
        (table.missing_ratings(), f"ratings missing; the grade is the {decisions.raters} of those present"),
        (int((pool.grade < 0).sum()), f"grades below zero (negative={decisions.negative})"),
    ):
        if count:
            notes.append(f"{count} {text}")
    return notes + _level_notes(scores) + _text_notes(scores)


def _reads_top_grade(measure: Measure) -> bool:
    reads = measure.definition.reads
    return "max_grade" in reads and ("ideal" not in reads or measure.decisions.ideal == "max")


def _level_notes(scores: Scores) -> list[str]:
    low: dict[str, int] = {}
    affected: list[int] = []
    for m, measure in enumerate(scores.measures):
        level = measure.decisions.relevant_from
        if "relevant_from" not in measure.definition.reads or isinstance(level, str) or level <= 0:
            continue
        grades = scores.meetings[0].met(measure.decisions).pool.grade
        if count := int(((grades > 0) & (grades < level)).sum()):
            low[f"{plural(count, 'grade')} above 0 below relevant_from={answer_text(level)}"] = m
            affected.append(m)
    if not low:
        return []
    why = "; ".join(low)
    return [
        note
        for s in range(len(scores.systems))
        for note in _under(scores, s, affected, "relevant_from", "positive", why, always=True)
    ]


def _text_notes(scores: Scores) -> list[str]:
    differing: set[str] = set()
    ours, odd = scores.meetings[0].judgments.texts
    differing |= odd
    for meeting in scores.meetings:
        theirs, odd = meeting.results.texts
        differing |= odd | {key for key, text in theirs.items() if ours.get(key, text) != text}
    return [f"{len(differing)} query ids with differing texts; joined by id alone"] if differing else []


def _system_notes(scores: Scores, s: int, account: SystemAccount, keep: Mask) -> list[str]:
    meeting = scores.meetings[s]
    met = meeting.met(scores.setting.decisions)
    who = _who(scores, s)
    notes = [
        f"{who}{count} {name}"
        for name, count in account.counts.items()
        if name not in ("tied results", "queries with ties")
    ]
    if meeting.results.rank is not None and met.order != "given" and met.run.lowest_rank == 0:
        notes.append(f"{who}ranks start at 0")
    if meeting.results.one_query:
        notes.append(f"{who}no query column; all rows are one query, 'q'")
    notes += _order_notes(scores, s, met)
    return notes + _sensitivities(scores, s, account, met)


def _order_notes(scores: Scores, s: int, met: Any) -> list[str]:
    meeting = scores.meetings[s]
    if meeting.results.rank is None or meeting.results.score is None:
        return []
    conflict, _ = met.run.order_conflict()
    disagreeing, opposite = int((conflict > 0).sum()), int((conflict == 2).sum())
    if not disagreeing:
        return []
    automatic = scores.setting.decisions.order_by == "auto" and meeting.results.source.frame.format != "trec-run"
    if automatic and opposite > len(conflict) / 2:
        raise DataError(
            f"{meeting.results.name}: rank and score run in opposite directions in {opposite} "
            f"of {len(conflict)} queries (does a lower score mean better here?). "
            "Say which counts: order_by=rank or order_by=score."
        )
    other = "rank" if met.order == "score" else "score"
    why = f"rank and score disagree in {plural(disagreeing, 'query')}; ordered by {met.order}"
    return _under(scores, s, range(len(scores.measures)), "order_by", other, why, always=True)


def _sensitivities(scores: Scores, s: int, account: SystemAccount, met: Any) -> list[str]:
    """Say what the other answer to a missing query, a hole or a tie would do, where it moves a printed mean."""
    every = range(len(scores.measures))
    decisions = scores.setting.decisions
    notes: list[str] = []
    if (missing := len(account.judged_nothing_returned)) and decisions.no_results != "error":
        other = "skip" if decisions.no_results == "0" else "0"
        notes += _under(scores, s, every, "no_results", other, f"{plural(missing, 'query')} without results")
    if (holes := account.results - account.judged_results) and decisions.unjudged in ("zero", "filter"):
        other = "filter" if decisions.unjudged == "zero" else "zero"
        affected = [m for m in every if "unjudged" in scores.measures[m].definition.reads]
        notes += _under(scores, s, affected, "unjudged", other, f"{plural(holes, 'unjudged result')}")
    if tied := int(met.judged.tied.sum()) if met.order != "given" else 0:
        notes += _tie_note(scores, s, tied)
    return notes


def _tie_note(scores: Scores, s: int, tied: int) -> list[str]:
    ranges = []
    for m, measure in enumerate(scores.measures):
        mean = scores._means[s][m]
        low, high = (mean_under(scores, s, _with(measure, ties=ties)) for ties in ("worst", "best"))
        if low is not None and high is not None and max(mean - low, high - mean) > NOTABLE:
            ranges.append(f"{measure} {low:.4f} to {high:.4f}")
    who = _who(scores, s)
    return [f"{who}{plural(tied, 'tied result')}; ties=worst to ties=best: {', '.join(ranges)}"] if ranges else []


def _under(
    scores: Scores, s: int, affected: Iterable[int], name: str, answer: str, why: str, always: bool = False
) -> list[str]:
    moved = []
    for m in affected:
        measure, mean = scores.measures[m], scores._means[s][m]
        other = None if measure.definition.total == "sum" else mean_under(scores, s, _with(measure, **{name: answer}))
        if other is not None and (abs(other - mean) > NOTABLE or (always and other != mean)):
            moved.append(f"{measure} {mean:.4f} → {other:.4f}")
    said = f"; with {name}={answer}: {', '.join(moved)}" if moved else ""
    return [f"{_who(scores, s)}{why}{said}"] if moved or always else []


def _who(scores: Scores, s: int) -> str:
    return f"{scores.systems[s]}: " if len(scores.systems) > 1 else ""


def plural(count: int, noun: str) -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> plural(1, "query"), plural(2, "query"), plural(3, "tied result")
    ('1 query', '2 queries', '3 tied results')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def _with(measure: Measure, **answers: str) -> Measure:
    return replace(measure, decisions=measure.decisions.but(**answers))


def mean_under(scores: Scores, s: int, measure: Measure) -> float | None:
    """Return the mean a measure would have under other decisions; None where these are refused."""
    try:
        values, _ = scored(scores.meetings[s], measure)
    except (DataError, UsageError):
        return None
    values = np.where(scores.states[s, 0] == State.LEFT_OUT, np.nan, values)
    zeros = scores.added_zeros(s, measure)
    return averaged(values, measure.decisions, measure.definition.total, scores.weights, zeros)
