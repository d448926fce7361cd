"""Draws up the ledger of an evaluation: the two accounts, what was found, what would move a mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from idealrank.decisions import answer_text
from idealrank.errors import DataError, option, plural
from idealrank.ledger import (
    COMPUTED,
    LEFT_OUT,
    Columns,
    Fact,
    Ledger,
    MeasureAccount,
    Move,
    SystemAccount,
    named,
)
from idealrank.lists import Mask
from idealrank.matching import near, near_misses
from idealrank.measures import Measure
from idealrank.queries import not_among
from idealrank.read.messages import quoted
from idealrank.scoring import State
from idealrank.sensitivity import NOTABLE, flipped, moves, unjudged_results

if TYPE_CHECKING:
    from idealrank._core import Pool
    from idealrank.decisions import Decisions
    from idealrank.judge import Met
    from idealrank.scores import Scores
    from idealrank.tables import Results

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
        tuple(_facts(scores, keep, low, conflicts)),
        tuple(_moves(scores, keep, low, conflicts)),
        {label: _words(measure.decisions) for label, measure in zip(scores.labels, scores.measures, strict=True)},
        scores.queries,
        np.array([scores.meetings[s].met(scores.setting.decisions).judged.returned > 0 for s in every]),
        scores.states,
        tuple(scores.unjudged_queries(s, everything=True) for s in every),
        _tables(scores),
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


def _facts(scores: Scores, keep: Mask, low: Low, conflicts: list[int]) -> Iterator[Fact]:
    yield from _judgment_facts(scores, keep)
    yield from (Fact("", text) for text, _ in low)
    yield from _weightless(scores)
    for s, disagreeing in enumerate(conflicts):
        yield from _system_facts(scores, s, disagreeing)


def _weightless(scores: Scores) -> Iterator[Fact]:
    """Say why there is no mean, where the queries that have a value all weigh 0."""
    if scores.weights is None:
        return
    for s, system in enumerate(scores.systems):
        lacking = [
            label
            for m, label in enumerate(scores.labels)
            if math.isnan(scores.all_means[s][m]) and not np.isnan(scores.values[s, m]).all()
        ]
        if lacking:
            yield Fact(system, f"no mean of {named(lacking)}: the weights of its queries are all 0", warns=True)


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
        **_row_counts(met, scores.meetings[s].results),
    }
    return {name: count for name, count in counts.items() if count}


def _row_counts(met: Met, results: Results) -> dict[str, int]:
    run, trec = met.run, results.source.frame.format == "trec-run"
    # A TREC run without a score is refused, and its rank column is not read where the score counts.
    scored, ranked = results.score is not None and not trec, _reads_ranks(met, results)
    return {
        "placeholder rows": run.placeholders,
        "duplicates dropped": run.dropped,
        "results without a score": run.missing_scores if scored else 0,
        "results without a rank": run.missing_ranks if ranked else 0,
        "queries with repeated ranks": run.rank_repeats if ranked else 0,
        "queries with gaps in the ranks": run.rank_gaps if ranked else 0,
    }


def _reads_ranks(met: Met, results: Results) -> bool:
    return results.rank is not None and (met.order == "rank" or results.source.frame.format != "trec-run")


_SAID = {
    "placeholder rows": ("row", "without a document: no results"),
    "duplicates dropped": ("duplicate result", "dropped"),
    "results without a score": ("result", "without a score"),
    "results without a rank": ("result", "without a rank"),
    "queries with repeated ranks": ("query", "with repeated ranks"),
    "queries with gaps in the ranks": ("query", "with gaps in the ranks"),
}
"""Counts that are facts by themselves, in words; the others are said where they move a mean."""


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


def _judgment_facts(scores: Scores, keep: Mask) -> Iterator[Fact]:
    meeting, decisions = scores.meetings[0], scores.setting.decisions
    met, table = meeting.met(decisions), meeting.judgments
    if any(_reads_top_grade(measure) for measure in scores.measures):
        origin = "the highest in the judgments" if decisions.max_grade == "highest" else "as declared"
        yield Fact("", f"max_grade {answer_text(met.max_grade)}, {origin}")
    yield from _doubts(scores)
    if table.one_query:
        yield Fact("", f"{table.name}: no query column; all rows are one query, 'q'")
    dropped = table.dropped(decisions.raters, decisions.duplicates)
    subtopics = table.subtopics(decisions.raters, decisions.duplicates)
    if subtopics is not None and subtopics.several:
        many = plural(subtopics.several, "judged document")
        yield Fact("", f"{many} under several subtopics: as a grade of the query, the highest of its grades counts")
    yield from _row_facts(met.pool, table.missing_ratings(), dropped, decisions)
    yield from _text_facts(scores)
    if unknown := not_among(scores.only, _known(scores)):
        yield Fact(
            "",
            f"{plural(len(unknown), 'query')} asked for, but neither judged nor returned: {named(unknown)}",
            unknown,
            warns=True,
        )
    if scores.table.attributes and (lacking := _lacking(scores, keep)):
        many = plural(len(lacking), "judged query")
        alike = near(_attributed(scores), lacking)
        told = (
            f"; ids differ by {alike.by} ({quoted(alike.theirs)} there, {quoted(alike.ours)} judged)" if alike else ""
        )
        text = f"{many} not in {scores.table.name}: {named(lacking)}{told}"
        yield Fact("", text, lacking, warns=alike is not None)


def _doubts(scores: Scores) -> Iterator[Fact]:
    """Warn of results that may have been given as judgments, or judgments as results."""
    table = scores.meetings[0].judgments
    if sign := table.like_results:
        text = f"{table.name}: {sign}, and the score is read as the grade; are these results? Judgments come first"
        yield Fact("", text, warns=True)
    every = [meeting.results for meeting in scores.meetings]
    if any(r.source is table.source and not r.shared and r.roles.find("score") in table.grades for r in every):
        text = f"{table.name}: given as the results too, and their score is the grade; results come second"
        yield Fact("", text, warns=True)


def _row_facts(pool: Pool, missing_ratings: int, dropped: int, decisions: Decisions) -> Iterator[Fact]:
    ungraded = tuple(pool.ungraded_queries)
    if pool.ungraded:
        yield Fact("", f"{plural(pool.ungraded, 'judgment row')} without a grade: unjudged")
    if ungraded:
        yield Fact(
            "", f"{plural(len(ungraded), 'query')} with rows but no grade: not judged ({named(ungraded)})", ungraded
        )
    if dropped:
        yield Fact("", f"{plural(dropped, 'duplicate judgment')} dropped (duplicates={decisions.duplicates})")
    if missing_ratings:
        yield Fact(
            "", f"{plural(missing_ratings, 'rating')} missing; the grade is the {decisions.raters} of those present"
        )
    if below := int((pool.grade < 0).sum()):
        yield Fact("", f"{plural(below, 'grade')} below zero (negative={decisions.negative})")


def _reads_top_grade(measure: Measure) -> bool:
    reads = measure.definition.reads
    return "max_grade" in reads and ("ideal" not in reads or measure.decisions.ideal == "max")


def _text_facts(scores: Scores) -> Iterator[Fact]:
    ours, odd = scores.meetings[0].judgments.texts
    differing = set(odd)
    for meeting in scores.meetings:
        theirs, odd = meeting.results.texts
        differing |= odd | {key for key, text in theirs.items() if ours.get(key, text) != text}
    if names := tuple(sorted(differing)):
        many = "1 query id has differing texts" if len(names) == 1 else f"{len(names)} query ids have differing texts"
        yield Fact("", f"{many} ({named(names)}); joined by id alone", names)


def _known(scores: Scores) -> Iterator[str]:
    yield from scores.queries
    for s in range(len(scores.systems)):
        yield from scores.unjudged_queries(s, everything=True)


def _lacking(scores: Scores, keep: Mask) -> tuple[str, ...]:
    known = set(_attributed(scores))
    return tuple(query for query, kept in zip(scores.queries, keep, strict=True) if kept and query not in known)


def _attributed(scores: Scores) -> Iterable[str]:
    """Return the queries that the queries table has a row for."""
    return dict.fromkeys(key for column in scores.table.attributes.values() for key in column)


def _system_facts(scores: Scores, s: int, conflicts: int) -> Iterator[Fact]:
    meeting, system = scores.meetings[s], scores.systems[s]
    met = meeting.met(scores.setting.decisions)
    counts, nameless = _row_counts(met, meeting.results), meeting.nameless(scores.setting.decisions)
    if nameless:
        rows = plural(sum(nameless.values()), "row")
        text = f"{rows} without a document dropped from queries that returned others ({named(list(nameless))})"
        yield Fact(system, text, tuple(nameless), warns=True)
        counts["placeholder rows"] -= sum(nameless.values())
    for name, (noun, rest) in _SAID.items():
        if counts[name]:
            last = ", placed last" if name == f"results without a {met.order}" else ""
            yield Fact(system, f"{plural(counts[name], noun)} {rest}{last}")
    if failed := meeting.results.failed:
        yield Fact(system, f"{plural(len(failed), 'query')} failed in the replay ({named(failed)})", failed, warns=True)
    if only_judged := meeting.results.judged_only:
        yield Fact(system, f"{plural(only_judged, 'row')} without rank and score: judgments only")
    if _reads_ranks(met, meeting.results) and met.order != "given" and met.run.lowest_rank == 0:
        yield Fact(system, "ranks start at 0")
    if met.order == "given" and scores.setting.decisions.order_by == "auto":
        yield _rows_as_they_stand(meeting.results, system)
    if meeting.results.one_query:
        yield Fact(system, "no query column; all rows are one query, 'q'")
    yield from (Fact(system, text, warns=True) for text in near_misses(meeting, scores.setting.decisions))
    if conflicts:
        yield Fact(system, f"rank and score disagree in {plural(conflicts, 'query')}; ordered by {met.order}")


def _rows_as_they_stand(results: Results, system: str) -> Fact:
    if results.shared:
        return Fact(system, "no results given, no rank and no score: the judgments' rows are the results", warns=True)
    return Fact(system, "no rank and no score: ordered as the rows stand")


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
