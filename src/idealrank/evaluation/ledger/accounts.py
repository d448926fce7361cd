"""Draws up the ledger of an evaluation: the two accounts, what was found, what would move a mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import Mask
from idealrank.decisions import answer_text
from idealrank.errors import DataError, option, plural
from idealrank.evaluation.ledger.facts import facts, row_counts
from idealrank.evaluation.ledger.ledger import (
    COMPUTED,
    LEFT_OUT,
    Columns,
    Ledger,
    MeasureAccount,
    Move,
    SystemAccount,
)
from idealrank.evaluation.ledger.sensitivity import NOTABLE, flipped, moves, unjudged_results
from idealrank.evaluation.scoring import State
from idealrank.measures import Measure

if TYPE_CHECKING:
    from idealrank.decisions import Decisions
    from idealrank.evaluation.scores import Scores

PRINTED = 0.00005
"""A difference that shows in four decimals."""


def keep_account(scores: Scores, keep: Mask) -> Ledger:
    """Draw up the ledger; `keep` says which judged queries (Q,) were asked for.

    Raises
    ------
    DataError
        If rank and score run in opposite directions and nothing says which counts.
    """
    every = range(len(scores.systems))
    low, conflicts = list(_low_grades(scores)), [_conflicts(scores, s) for s in every]
    return Ledger(
        len(scores.queries),
        tuple(_system_account(scores, s, keep) for s in every),
        tuple(_measure_account(scores, s, m) for s in every for m in range(len(scores.measures))),
        tuple(facts(scores, keep, [text for text, _ in low], conflicts)),
        tuple(_moves(scores, keep, low, conflicts)),
        {label: _words(measure.decisions) for label, measure in zip(scores.labels, scores.measures, strict=True)},
        scores.queries,
        np.array([scores.meetings[s].met(scores.setting.decisions).judged.returned > 0 for s in every]),
        scores.states,
        tuple(scores.unjudged_queries(s, everything=True) for s in every),
        _tables(scores),
        scores.fingerprints,
    )


def _tables(scores: Scores) -> tuple[Columns, ...]:
    table = scores.meetings[0].judgments
    found = [Columns(table.name, table.columns, table.form)]
    for meeting in scores.meetings:
        orders: dict[str, list[str]] = {}
        for label, measure in zip(scores.labels, scores.measures, strict=True):
            orders.setdefault(meeting.results.order(measure.decisions.order_by), []).append(label)
        each = ", ".join(f"{order} ({' '.join(labels)})" for order, labels in orders.items())
        results = meeting.results
        order = each if len(orders) > 1 else next(iter(orders), "")
        columns = Columns(results.name, results.columns, results.form, order)
        found += [columns] if columns not in found else []
    return tuple(found)


Low = list[tuple[str, list[Measure]]]
"""Counts of grades that do not reach a level, with the measures that read it."""


def _moves(scores: Scores, keep: Mask, low: Low, conflicts: list[int]) -> Iterator[Move]:
    for s, disagreeing in enumerate(conflicts):
        yield from _level_moves(scores, s, low)
        yield from _order_moves(scores, s, disagreeing, keep)
        yield from moves(scores, s, keep)


def _system_account(scores: Scores, s: int, keep: Mask) -> SystemAccount:
    met = scores.meetings[s].met(scores.setting.decisions)
    returned = met.judged.returned
    empty = tuple(scores.queries[q] for q in np.flatnonzero((returned == 0) & keep))
    unjudged = scores.unjudged_queries(s)
    left_out = int((~keep).sum()) + len(scores.unjudged_queries(s, everything=True)) - len(unjudged)
    counts = _counts(scores, s, keep)
    both = int(((returned > 0) & keep).sum())
    return SystemAccount(scores.systems[s], both, empty, unjudged, left_out, met.run.results, counts)


def _counts(scores: Scores, s: int, keep: Mask) -> dict[str, int]:
    decisions = scores.setting.decisions
    met = scores.meetings[s].met(decisions)
    cutoffs = sorted({m.cutoff for m in scores.measures if m.cutoff and "unjudged" in m.definition.reads})
    counts = {
        "unjudged results": unjudged_results(scores, s, keep, decisions),
        **{f"holes in the top {k}": unjudged_results(scores, s, keep, decisions, k) for k in cutoffs},
        "tied results": int(met.judged.tied[keep].sum()),
        "queries with ties": int((met.judged.tied[keep] > 0).sum()),
        **row_counts(met, scores.meetings[s].results),
    }
    return {name: count for name, count in counts.items() if count}


def _measure_account(scores: Scores, s: int, m: int) -> MeasureAccount:
    counts = np.bincount(scores.states[s, m], minlength=len(State))
    measure = scores.measures[m]
    added = len(scores.unjudged_queries(s)) if measure.decisions.no_judgments == "0" else 0
    states = {state.name.lower(): int(counts[state]) for state in State}
    return MeasureAccount(scores.systems[s], scores.labels[m], **states, added_no_judgments=added)


def _words(decisions: Decisions) -> tuple[str, ...]:
    """Name the states of `State`, by code, and last that of a query without judgments."""
    relevant = f"no_relevant={decisions.no_relevant}"
    words = {
        State.COMPUTED: COMPUTED,
        State.FILLED_NO_RESULTS: "no_results=0",
        State.SKIPPED_NO_RESULTS: "no_results=skip",
        State.FILLED_NO_RELEVANT: relevant,
        State.SKIPPED_NO_RELEVANT: relevant,
        State.LEFT_OUT: LEFT_OUT,
    }
    return (*(words[state] for state in State), f"no_judgments={decisions.no_judgments}")


def _conflicts(scores: Scores, s: int) -> int:
    """Count the queries in which rank and score disagree; refuse a table in which they run against each other."""
    meeting = scores.meetings[s]
    if meeting.results.rank is None or meeting.results.score is None:
        return 0
    conflict, _ = meeting.met(scores.setting.decisions).run.order_conflict()
    opposite = int((conflict == 2).sum())
    automatic = scores.setting.decisions.order_by == "auto" and meeting.results.source.frame.format != "trec-run"
    if automatic and opposite > len(conflict) / 2:
        raise DataError(
            f"{meeting.results.name}: rank and score run in opposite directions in {opposite} "
            f"of {len(conflict)} queries (does a lower score mean better here?). "
            f"Say which counts: {option('order_by', 'rank')} or {option('order_by', 'score')}."
        )
    return int((conflict > 0).sum())


def _order_moves(scores: Scores, s: int, conflicts: int, keep: Mask) -> Iterator[Move]:
    """Yield the means under the other order: where rank and score disagree, or ranks decide between equal scores."""
    results = scores.meetings[s].results
    if results.rank is None or results.score is None:
        return
    if conflicts:
        cause, least = f"rank and score disagree in {plural(conflicts, 'query')}", PRINTED
    elif results.source.frame.format != "trec-run" and (tied := _tied(scores, s, keep)):
        cause, least = tied, NOTABLE
    else:
        return
    for order, other in (("rank", "score"), ("score", "rank")):
        measures = [m for m in scores.measures if results.order(m.decisions.order_by) == order]
        yield from flipped(scores, s, "order_by", other, cause, measures, least)


def _tied(scores: Scores, s: int, keep: Mask) -> str:
    """Say how many results one order leaves tied, which the other may not; "" for none."""
    decisions, meeting = scores.setting.decisions, scores.meetings[s]
    for order in ("score", "rank"):
        tied = int(meeting.met(decisions.but(order_by=order)).judged.tied[keep].sum())
        if tied:
            return f"{plural(tied, 'result')} tied by {order}"
    return ""


def _low_grades(scores: Scores) -> Iterator[tuple[str, list[Measure]]]:
    """Yield each count of grades above 0 that do not reach a level, with the measures that read the level."""
    measures: dict[str, list[Measure]] = {}
    for measure in scores.measures:
        level = measure.decisions.relevant_from
        if "relevant_from" not in measure.definition.reads or isinstance(level, str) or level <= 0:
            continue
        grades = scores.meetings[0].met(measure.decisions).pool.grade
        if count := int(((grades > 0) & (grades < level)).sum()):
            measures.setdefault(
                f"{plural(count, 'grade')} above 0 below relevant_from={answer_text(level)}", []
            ).append(measure)
    yield from measures.items()


def _level_moves(scores: Scores, s: int, low: Low) -> Iterator[Move]:
    for cause, measures in low:
        yield from flipped(scores, s, "relevant_from", "positive", cause, measures, least=PRINTED)
