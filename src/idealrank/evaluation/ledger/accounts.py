"""Draws up the ledger of an evaluation: the two accounts, the facts, what would move a mean."""

from collections.abc import Iterator

import numpy as np

from idealrank.data.ids import codes, there
from idealrank.data.results import Results
from idealrank.data.units import AS_RETURNED
from idealrank.decisions import Decisions, answer_text
from idealrank.errors import DataError, option, plural
from idealrank.evaluation.ledger.entries import COMPUTED, LEFT_OUT, Columns, MeasureAccount, Move, SystemAccount
from idealrank.evaluation.ledger.facts import facts, row_counts
from idealrank.evaluation.ledger.ledger import Ledger
from idealrank.evaluation.ledger.sensitivity import NOTABLE, flipped, moves, unjudged_results
from idealrank.evaluation.mean_intervals import unjudged_in_mean
from idealrank.evaluation.scoring import State
from idealrank.evaluation.values import Values
from idealrank.measures import Measure

PRINTED = 0.00005
"""A difference that shows in four decimals."""


def keep_account(scores: Values) -> Ledger:
    """Draw up the ledger.

    Raises
    ------
    DataError
        If rank and score run in opposite directions and nothing says which counts.
    """
    every = range(len(scores.systems))
    low, conflicts = list(_low_grades(scores)), [_conflicts(scores, s) for s in every]
    return Ledger(
        judged=len(scores.queries),
        systems=tuple(_system_account(scores, s) for s in every),
        measures=tuple(_measure_account(scores, s, m) for s in every for m in range(len(scores.measures))),
        facts=tuple(facts(scores, [text for text, _ in low], conflicts)),
        moves=tuple(_moves(scores, low, conflicts)),
        words={label: _words(measure.decisions) for label, measure in zip(scores.labels, scores.measures, strict=True)},
        ids=scores.queries,
        returned=np.array([met.judged.returned > 0 for met in scores.met]),
        states=scores.states,
        unjudged=tuple(scores.unjudged_queries(s, everything=True) for s in every),
        tables=_tables(scores),
        fingerprints=scores.fingerprints,
    )


def _tables(scores: Values) -> tuple[Columns, ...]:
    table = scores.meetings[0].judgments
    tables = [Columns(table.name, table.columns, table.form, grades=_grades(scores), what=table.source.read_as)]
    for meeting in scores.meetings:
        orders: dict[str, list[str]] = {}
        for label, measure in zip(scores.labels, scores.measures, strict=True):
            orders.setdefault(meeting.results.order(measure.decisions.order_by), []).append(label)
        each = ", ".join(f"{order} ({' '.join(labels)})" for order, labels in orders.items())
        results = meeting.results
        order = each if len(orders) > 1 else next(iter(orders), "")
        columns = Columns(results.name, results.columns, results.form, order, what=results.source.read_as)
        tables += [columns] if columns not in tables else []
    return tuple(tables)


def _grades(scores: Values) -> str:
    """Say from where to where the grades go, or that there is no column of grades."""
    table = scores.meetings[0].judgments
    if not table.grades:
        rows = table.ratings.size - np.isnan(table.ratings).sum()
        which = f"each of the {rows:,} rows" if rows > 1 else "the row"
        return f"no grade column: {which} counts as grade 1"
    grades = scores.met[0].pool.grade
    low, high = answer_text(float(grades.min())), answer_text(float(grades.max()))
    labels = ", ".join(f"{label}={answer_text(worth)}" for label, worth in (table.scale or {}).items())
    every = f"grades {low} to {high}" if low != high else f"every grade {low}"
    return f"{every} ({labels})" if labels else every


Low = list[tuple[str, list[Measure]]]
"""Counts of grades that do not reach a level, with the measures that read it."""


def _moves(scores: Values, low: Low, conflicts: list[int]) -> Iterator[Move]:
    for s, disagreeing in enumerate(conflicts):
        yield from _level_moves(scores, s, low)
        yield from _order_moves(scores, s, disagreeing)
        yield from moves(scores, s)


def _system_account(scores: Values, s: int) -> SystemAccount:
    met, in_scope = scores.met[s], scores.in_scope
    returned, failed = met.judged.returned, met.failed
    unjudged = scores.unjudged_queries(s)
    empty = (returned == 0) & ~failed & in_scope
    never = empty & ~met.judged.listed if met.results.column("step") is not None else np.zeros_like(empty)
    left_out = int((~in_scope).sum()) + len(scores.unjudged_queries(s, everything=True)) - len(unjudged)
    return SystemAccount(
        system=scores.systems[s],
        judged_and_returned=int(((returned > 0) & in_scope).sum()),
        judged_nothing_returned=tuple(scores.queries[q] for q in np.flatnonzero(empty & ~never)),
        returned_not_judged=unjudged,
        left_out=left_out,
        results=met.run.results,
        counts=_counts(scores, s),
        failed=tuple(scores.queries[q] for q in np.flatnonzero(failed & in_scope)),
        never_asked=tuple(scores.queries[q] for q in np.flatnonzero(never)),
    )


def _counts(scores: Values, s: int) -> dict[str, int]:
    met, negative = scores.met[s], scores.setting.decisions.negative
    tied = met.judged.tied[scores.in_scope]
    cutoffs = sorted({m.cutoff for m in scores.measures if m.cutoff and "unjudged" in m.definition.reads})
    counts = {
        "unjudged results": unjudged_results(met, scores.in_scope, negative),
        **{f"holes in the top {k}": unjudged_results(met, scores.in_scope, negative, k) for k in cutoffs},
        "tied results": int(tied.sum()),
        "queries with ties": int((tied > 0).sum()),
        **row_counts(met),
    }
    return {name: count for name, count in counts.items() if count}


def _measure_account(scores: Values, s: int, m: int) -> MeasureAccount:
    counts = np.bincount(scores.states[s, m], minlength=len(State))
    states = {state.name.lower(): int(counts[state]) for state in State}
    unjudged = unjudged_in_mean(scores, s, m)
    return MeasureAccount(scores.systems[s], scores.labels[m], **states, added_no_judgments=unjudged)


def _words(decisions: Decisions) -> tuple[str, ...]:
    """Name the states of `State`, by code, and last that of a query without judgments."""
    relevant = f"no_relevant={decisions.no_relevant}"
    words = {
        State.COMPUTED: COMPUTED,
        State.FILLED_NO_RESULTS: "no_results=0",
        State.SKIPPED_NO_RESULTS: f"no_results={decisions.no_results}",
        State.FILLED_NO_RELEVANT: relevant,
        State.SKIPPED_NO_RELEVANT: relevant,
        State.LEFT_OUT: LEFT_OUT,
        State.FILLED_FAILED: "failed=0",
        State.SKIPPED_FAILED: "failed=skip",
    }
    return (*(words[state] for state in State), f"no_judgments={decisions.no_judgments}")


def _conflicts(scores: Values, s: int) -> int:
    """Count the queries in which rank and score disagree; refuse a table in which they run against each other."""
    meeting, decisions = scores.meetings[s], scores.setting.decisions
    by_own_scores = decisions.unit != AS_RETURNED and decisions.roll_up != "first"
    if meeting.results.rank is None or meeting.results.score is None or by_own_scores:
        return 0
    conflict, _ = scores.met[s].parts.order_conflict()
    opposite = int((conflict == 2).sum())
    automatic = decisions.order_by == "auto" and meeting.results.source.frame.format != "trec-run"
    if automatic and opposite > len(conflict) / 2:
        raise DataError(
            f"{meeting.results.name}: rank and score run in opposite directions in {opposite} "
            f"of {len(conflict)} queries (does a lower score mean better here?). "
            f"Say which counts: {option('order_by', 'rank')} or {option('order_by', 'score')}."
        )
    return int((conflict > 0).sum())


def _order_moves(scores: Values, s: int, conflicts: int) -> Iterator[Move]:
    """Yield the means under the other order: where rank and score disagree, or ranks decide between equal scores."""
    results = scores.meetings[s].results
    if results.rank is None or results.score is None:
        return
    if conflicts:
        cause, least = f"rank and score disagree in {plural(conflicts, 'query')}", PRINTED
    elif tied := _tied(scores, s):
        cause, least = tied, NOTABLE
    else:
        return
    for order, other in (("rank", "score"), ("score", "rank")):
        measures = [m for m in scores.measures if results.order(m.decisions.order_by) == order]
        if not measures or (other == "score" and scores.met[s].parts.missing_scores and _without_scores(results)):
            continue
        yield from flipped(scores, s, "order_by", other, cause, measures, least)


def _without_scores(results: Results) -> bool:
    """Whether a query has results, but no score for any, so that scores could not order it."""
    assert results.score is not None
    query = codes(results.keys.query)
    rows = np.flatnonzero(there(results.source.ids(results.doc), np.arange(len(query))))
    scored = rows[~np.isnan(results.score.floats()[rows])]
    return len(np.setdiff1d(query[rows], query[scored])) > 0


def _tied(scores: Values, s: int) -> str:
    """Say how many results one order leaves tied, which the other may not; "" for none."""
    decisions, meeting = scores.setting.decisions, scores.meetings[s]
    # The ranks of a TREC run are asked for only where its scores tie: it is not ordered by them.
    trec = meeting.results.source.frame.format == "trec-run" and meeting.results.order(decisions.order_by) == "score"
    for order in ("score",) if trec else ("score", "rank"):
        tied = int(meeting.met(decisions.but(order_by=order)).judged.tied[scores.in_scope].sum())
        if tied:
            return f"{plural(tied, 'result')} tied by {order}"
    return ""


def _low_grades(scores: Values) -> Iterator[tuple[str, list[Measure]]]:
    """Yield each count of grades above 0 that do not reach a level, with the measures that read the level."""
    measures: dict[str, list[Measure]] = {}
    for measure in scores.measures:
        level = measure.decisions.relevant_from
        if "relevant_from" not in measure.definition.reads or isinstance(level, str) or level <= 0:
            continue
        grades = scores.meetings[0].met(measure.decisions).pool.grade
        if count := int(((grades > 0) & (grades < level)).sum()):
            measures.setdefault(_low_text(count, answer_text(level)), []).append(measure)
    yield from measures.items()


def _low_text(count: int, level: str) -> str:
    lie, are = ("lies", "counts") if count == 1 else ("lie", "count")
    return f"{plural(count, 'grade')} {lie} between 0 and {level} and {are} as not relevant (relevant_from={level})"


def _level_moves(scores: Values, s: int, low: Low) -> Iterator[Move]:
    for cause, measures in low:
        yield from flipped(scores, s, "relevant_from", "positive", cause, measures, least=PRINTED)
