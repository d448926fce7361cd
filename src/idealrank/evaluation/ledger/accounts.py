"""Makes the ledger of an evaluation: its two accounts, the facts, and what would move a mean."""

import functools
from collections.abc import Sequence

import numpy as np

from idealrank.decisions.decisions import Decisions
from idealrank.decisions.question import answer_text
from idealrank.evaluation.ledger.counting import queries_without
from idealrank.evaluation.ledger.counts import JudgmentCounts, Nothing, ResultCounts
from idealrank.evaluation.ledger.facts import facts, unranked_facts
from idealrank.evaluation.ledger.ledger import (
    COMPUTED,
    LEFT_OUT,
    ColumnsRead,
    Fact,
    Ledger,
    MeanShift,
    MeasureAccount,
    SystemAccount,
)
from idealrank.evaluation.ledger.oddities import Oddity, find_odd
from idealrank.evaluation.ledger.sensitivity import (
    Under,
    alternatives_to_try,
    low_grades,
    mean_shifts,
    values_under,
    why_reordered,
)
from idealrank.evaluation.mean_tables import unjudged_in_mean
from idealrank.evaluation.scoring import QueryState
from idealrank.evaluation.values import Values


def make_ledger(
    scores: Values, under: Under | None = None, known: tuple[tuple[Oddity, ...], tuple[MeanShift, ...]] | None = None
) -> Ledger:
    """Make the ledger of values from what was counted in their tables.

    Parameters
    ----------
    under
        Returns the values under other answers; None: they are computed from the lists.
    known
        What is odd about the tables, and what would move a mean, where that was found before; None: it is found now.
    """
    every, judged, returned = range(len(scores.systems)), scores.counts.judged, scores.counts.returned
    blind = known is None and not scores.lists.at_hand
    odd, moves = known or (find_odd(scores), () if blind else _find_moves(scores, under))
    return Ledger(
        judged=len(scores.queries),
        systems=tuple(_system_account(scores, s, returned[s]) for s in every),
        measures=tuple(_measure_account(scores, s, m) for s in every for m in range(len(scores.measures))),
        facts=(*facts(scores, low_grades(scores, judged), odd), *([_BLIND] if blind else [])),
        moves=moves,
        words={label: _state_words(m.decisions) for label, m in zip(scores.labels, scores.measures, strict=True)},
        ids=scores.queries,
        returned=scores.returned,
        states=scores.states,
        unjudged=tuple(counts.unjudged for counts in returned),
        tables=_columns_read(scores, judged, returned),
        fingerprints=scores.fingerprints,
        unranked=tuple(fact for s in every for fact in unranked_facts(scores, s, returned[s])),
        found=tuple(returned),
        odd=odd,
    )


_BLIND = Fact("", "saved without lists, so it is not known what other answers would make of the means")


def _find_moves(scores: Values, under: Under | None) -> tuple[MeanShift, ...]:
    judged = scores.counts.judged
    tried = [
        list(alternatives_to_try(scores, s, counts, judged, why_reordered(counts)))
        for s, counts in enumerate(scores.counts.returned)
    ]
    return tuple(mean_shifts(scores, tried, under or functools.partial(values_under, scores)))


def _columns_read(scores: Values, judged: JudgmentCounts, returned: Sequence[ResultCounts]) -> tuple[ColumnsRead, ...]:
    tables = [ColumnsRead(judged.name, judged.columns, judged.form, grades=_grades_text(judged), what=judged.read_as)]
    for counts in returned:
        orders: dict[str, list[str]] = {}
        for label, measure in zip(scores.labels, scores.measures, strict=True):
            orders.setdefault(counts.orders[measure.decisions.order_by], []).append(label)
        each = ", ".join(f"{order} ({' '.join(labels)})" for order, labels in orders.items())
        order = each if len(orders) > 1 else next(iter(orders), "")
        columns = ColumnsRead(counts.name, counts.columns, counts.form, order, what=counts.read_as)
        tables += [columns] if columns not in tables else []
    return tuple(tables)


def _grades_text(judged: JudgmentCounts) -> str:
    """Say what the lowest and the highest grade are, or that there is no column of grades."""
    if not judged.graded:
        which = f"each of the {judged.rated:,} rows" if judged.rated > 1 else "the row"
        return f"no grade column: {which} counts as grade 1"
    low, high = answer_text(judged.lowest), answer_text(judged.highest)
    labels = ", ".join(f"{label}={answer_text(worth)}" for label, worth in judged.scale.items())
    every = f"grades {low} to {high}" if low != high else f"every grade {low}"
    return f"{every} ({labels})" if labels else every


def _system_account(scores: Values, s: int, counts: ResultCounts) -> SystemAccount:
    in_scope = scores.in_scope
    return SystemAccount(
        system=scores.systems[s],
        judged_and_returned=int(((counts.lengths > 0) & in_scope).sum()),
        judged_nothing_returned=queries_without(scores, counts, Nothing.EMPTY),
        returned_not_judged=counts.in_scope,
        left_out=int((~in_scope).sum()) + len(counts.unjudged) - len(counts.in_scope),
        results=counts.results,
        counts=_named_counts(counts),
        failed=queries_without(scores, counts, Nothing.FAILED),
        never_asked=queries_without(scores, counts, Nothing.NEVER_ASKED),
    )


def _named_counts(counts: ResultCounts) -> dict[str, int]:
    by_depth = {depth: int(unjudged.sum()) for depth, (unjudged, _) in counts.holes.items()}
    every = {
        "unjudged results": by_depth[None],
        **{f"holes in the top {depth}": by_depth[depth] for depth in counts.shown_depths},
        "tied results": int(counts.tied.sum()),
        "queries with ties": int((counts.tied > 0).sum()),
        **counts.rows,
    }
    return {name: count for name, count in every.items() if count}


def _measure_account(scores: Values, s: int, m: int) -> MeasureAccount:
    counts = np.bincount(scores.states[s, m], minlength=len(QueryState))
    states = {state.name.lower(): int(counts[state]) for state in QueryState}
    unjudged = unjudged_in_mean(scores, s, m)
    return MeasureAccount(scores.systems[s], scores.labels[m], **states, added_no_judgments=unjudged)


def _state_words(decisions: Decisions) -> tuple[str, ...]:
    """Name the states of `QueryState`, by code, and last that of a query without judgments."""
    relevant = f"no_relevant={decisions.no_relevant}"
    words = {
        QueryState.COMPUTED: COMPUTED,
        QueryState.FILLED_NO_RESULTS: "no_results=0",
        QueryState.SKIPPED_NO_RESULTS: f"no_results={decisions.no_results}",
        QueryState.FILLED_NO_RELEVANT: relevant,
        QueryState.SKIPPED_NO_RELEVANT: relevant,
        QueryState.LEFT_OUT: LEFT_OUT,
        QueryState.FILLED_FAILED: "failed=0",
        QueryState.SKIPPED_FAILED: "failed=skip",
    }
    return (*(words[state] for state in QueryState), f"no_judgments={decisions.no_judgments}")
