"""What an evaluation found in its tables: the facts of the ledger."""

import itertools
import math
from collections.abc import Iterable, Iterator

import numpy as np

from idealrank._core import Pool
from idealrank.data.duplicates import COMBINING
from idealrank.data.failures import first_error
from idealrank.data.formats.messages import quoted
from idealrank.data.results import Results
from idealrank.data.selection import not_among
from idealrank.decisions import Decisions, answer_text
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.entries import Fact
from idealrank.evaluation.ledger.replay_facts import replay_facts
from idealrank.evaluation.ledger.row_order import rows_as_they_stand
from idealrank.evaluation.ledger.search_facts import search_facts
from idealrank.evaluation.ledger.unit_facts import merged_judgments, rolled_up
from idealrank.evaluation.values import Values
from idealrank.judged_lists.judged_spans import JudgedSpans
from idealrank.judged_lists.meeting import Met
from idealrank.judged_lists.near_ids import near, near_misses
from idealrank.judged_lists.spans import hits_in_words
from idealrank.judged_lists.units import judged_parts
from idealrank.measures import Measure


def facts(scores: Values, low: Iterable[str], conflicts: list[int]) -> Iterator[Fact]:
    """Yield what was found; `low` are the texts about grades that reach no level, `conflicts` counts of queries."""
    yield from _judgment_facts(scores)
    yield from _low_facts(scores, low)
    yield from _weightless(scores)
    yield from replay_facts(scores)
    for s, disagreeing in enumerate(conflicts):
        yield from _system_facts(scores, s, disagreeing)


def _low_facts(scores: Values, low: Iterable[str]) -> Iterator[Fact]:
    """Say how many grades reach no level; warn where grades end at 1, and nobody said from which on is relevant."""
    doubt = float(scores.met[0].pool.grade.max()) <= 1 and "relevant_from" not in scores.setting.overrides
    hint = "; no grade is above 1: relevant_from=positive counts every grade above 0 as relevant"
    for text in low:
        warns = doubt and text.endswith("(relevant_from=1)")
        yield Fact("", text + hint if warns else text, warns=warns)


def _weightless(scores: Values) -> Iterator[Fact]:
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
            yield Fact(system, f"no mean of {listed(lacking)}: the weights of its queries are all 0", warns=True)


def row_counts(met: Met) -> dict[str, int]:
    """Count the rows that are no plain results, by what they are."""
    run, trec = met.parts, met.results.source.frame.format == "trec-run"
    # A TREC run without a score is refused, and its rank column is not read where the score counts.
    scored, ranked = met.results.score is not None and not trec, reads_ranks(met)
    return {
        "placeholder rows": run.placeholders,
        "duplicates dropped": run.dropped,
        "results without a score": run.missing_scores if scored else 0,
        "results without a rank": run.missing_ranks if ranked else 0,
        "queries with repeated ranks": run.rank_repeats if ranked else 0,
        "queries with gaps in the ranks": run.rank_gaps if ranked else 0,
    }


def reads_ranks(met: Met) -> bool:
    """Whether the rank column says anything: that of a TREC run does only where results are ordered by it."""
    return met.results.rank is not None and (met.order == "rank" or met.results.source.frame.format != "trec-run")


_WORDS = {
    "placeholder rows": ("row", "without a document: no results"),
    "duplicates dropped": ("duplicate result", "dropped"),
    "results without a score": ("result", "without a score"),
    "results without a rank": ("result", "without a rank"),
    "queries with repeated ranks": ("query", "with repeated ranks"),
    "queries with gaps in the ranks": ("query", "with gaps in the ranks"),
}
"""Counts that are facts by themselves, in words; the others are said where they move a mean."""


def _judgment_facts(scores: Values) -> Iterator[Fact]:
    met, decisions = scores.met[0], scores.setting.decisions
    table = judged_parts(met.judgments, decisions)
    yield from _top_grades(scores)
    yield from _doubts(scores)
    if table.one_query:
        yield Fact("", f"{table.name}: no query column; all rows are one query, 'q'")
    dropped = table.dropped(decisions.raters, decisions.duplicates)
    subtopics = table.subtopics(decisions.raters, decisions.duplicates)
    if subtopics is not None and subtopics.several:
        many = plural(subtopics.several, "judged document")
        yield Fact("", f"{many} under several subtopics: as a grade of the query, the highest of its grades counts")
    parts = table.pool(decisions.raters, decisions.duplicates)
    yield from _row_facts(parts, table.missing_ratings(), dropped, decisions)
    if merged := len(parts.grade) - len(met.pool.grade):
        yield Fact("", merged_judgments(merged, len(met.pool.grade), decisions))
    yield from _text_facts(scores)
    yield from _asked_twice(scores)
    if unknown := not_among(scores.only, _every_query(scores)):
        yield Fact(
            "",
            f"{plural(len(unknown), 'query')} asked for, but neither judged nor returned: {listed(unknown)}",
            unknown,
            warns=True,
        )
    if scores.table.name and (lacking := _lacking(scores)):
        many = plural(len(lacking), "judged query")
        alike = near(_attributed(scores), lacking)
        hint = (
            f"; ids differ by {alike.by} ({quoted(alike.theirs)} there, {quoted(alike.ours)} judged)" if alike else ""
        )
        text = f"{many} not in {scores.table.name}: {listed(lacking)}{hint}"
        yield Fact("", text, lacking, warns=alike is not None)


def _doubts(scores: Values) -> Iterator[Fact]:
    """Warn of results that may have been given as judgments, or judgments as results."""
    table = scores.meetings[0].judgments
    if sign := table.like_results:
        text = f"{table.name}: {sign}, and the score is read as the grade; are these results? Judgments come first"
        yield Fact("", text, warns=True)
    every = [meeting.results for meeting in scores.meetings]
    if any(r.source is table.source and not r.judged_only for r in every) and (inflated := _knowing_all(scores)):
        text = (
            f"{table.name}: judgments and results in one table, and every judged document was returned: "
            f"{listed(inflated)} cannot know what was missed and may be too high; give all judgments first, "
            "results second"
        )
        yield Fact("", text, warns=True)
    if any(r.source is table.source and not r.shared and r.roles.find("score") in table.grades for r in every):
        text = f"{table.name}: given as the results too, and their score is the grade; results come second"
        yield Fact("", text, warns=True)


def _knowing_all(scores: Values) -> list[str]:
    """Name the measures that ask what there was to be found, returned or not."""
    named = zip(scores.labels, scores.measures, strict=True)
    return [label for label, measure in named if _asks_for_all(measure)]


def _asks_for_all(measure: Measure) -> bool:
    reads, decisions = measure.definition.reads, measure.decisions
    if "ideal" in reads:
        return decisions.ideal == "global"
    return "recall_denominator" in reads or ("ap_denominator" in reads and decisions.ap_denominator != "hits")


def _row_facts(pool: Pool, missing_ratings: int, dropped: int, decisions: Decisions) -> Iterator[Fact]:
    ungraded = tuple(pool.ungraded_queries)
    if pool.ungraded:
        yield Fact("", f"{plural(pool.ungraded, 'judgment row')} without a grade: unjudged")
    if ungraded:
        yield Fact(
            "", f"{plural(len(ungraded), 'query')} with rows but no grade: not judged ({listed(ungraded)})", ungraded
        )
    if dropped:
        became = "combined with others" if decisions.duplicates in COMBINING else "dropped"
        yield Fact("", f"{plural(dropped, 'duplicate judgment')} {became} (duplicates={decisions.duplicates})")
    if missing_ratings:
        yield Fact(
            "", f"{plural(missing_ratings, 'rating')} missing; the grade is the {decisions.raters} of those present"
        )
    if below := int((pool.grade < 0).sum()):
        yield Fact("", f"{plural(below, 'grade')} below zero (negative={decisions.negative})")


def _top_grades(scores: Values) -> Iterator[Fact]:
    """Say what the top of the scale is, for each measure that reads it: a convention may declare one for some."""
    tops: dict[str, list[str]] = {}
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        if measure.reads_top:
            top = scores.meetings[0].met(measure.decisions).max_grade
            highest = measure.decisions.max_grade == "highest"
            origin = "the highest in the judgments" if highest else "as declared"
            tops.setdefault(f"max_grade {answer_text(top)}, {origin}", []).append(label)
    for text, labels in tops.items():
        yield Fact("", text if len(tops) == 1 else f"{listed(labels)}: {text}")


def _asked_twice(scores: Values) -> Iterator[Fact]:
    """Warn of judged queries that are the same question but for letter case and spaces: each counts by itself."""
    texts, _ = scores.meetings[0].judgments.texts
    alike: dict[str, list[str]] = {}
    for query in scores.queries:
        alike.setdefault(" ".join(texts.get(query, query).casefold().split()), []).append(query)
    twice = [names for names in alike.values() if len(names) > 1]
    if twice:
        queries = tuple(name for names in twice for name in names)
        text = f"the same question but for letter case or spaces, judged as different queries: {listed(queries)}"
        yield Fact("", f"{text}; keep one of each", queries, warns=True)


def _text_facts(scores: Values) -> Iterator[Fact]:
    ours, odd = scores.meetings[0].judgments.texts
    differing = set(odd)
    for meeting in scores.meetings:
        theirs, odd = meeting.results.texts
        differing |= odd | {key for key, text in theirs.items() if ours.get(key, text) != text}
    if names := tuple(sorted(differing)):
        many = "1 query id has differing texts" if len(names) == 1 else f"{len(names)} query ids have differing texts"
        yield Fact("", f"{many} ({listed(names)}); joined by id alone", names)


def _every_query(scores: Values) -> Iterator[str]:
    others = (scores.unjudged_queries(s, everything=True) for s in range(len(scores.systems)))
    return itertools.chain(scores.queries, *others)


def _lacking(scores: Values) -> tuple[str, ...]:
    attributed = set(_attributed(scores))
    return tuple(query for query in itertools.compress(scores.queries, scores.in_scope) if query not in attributed)


def _attributed(scores: Values) -> Iterable[str]:
    """Return the queries that the queries table has a row for."""
    return dict.fromkeys(key for column in scores.table.attributes.values() for key in column)


def _system_facts(scores: Values, s: int, conflicts: int) -> Iterator[Fact]:
    met, system = scores.met[s], scores.systems[s]
    results, counts = met.results, row_counts(met)
    if many := len(results.left_out):
        yield Fact("", f"{plural(many, 'result')} of {results.name} left out: on the list to exclude")
    if nameless := met.nameless:
        rows = plural(sum(nameless.values()), "row")
        text = f"{rows} without a document dropped from queries that returned others ({listed(list(nameless))})"
        yield Fact(system, text, tuple(nameless), warns=True)
        counts["placeholder rows"] -= sum(nameless.values())
    if met.pooled and len(results.systems) > 1:
        yield Fact(system, _as_one_run(results, scores.setting.decisions.systems))
    if merged := met.run.merged:
        yield Fact(system, rolled_up(met, merged, scores.setting.decisions))
    yield from search_facts(scores, s)
    if isinstance(met.judged, JudgedSpans):
        yield Fact(system, hits_in_words(met.judged, scores.setting.decisions))
    for name, (noun, rest) in _WORDS.items():
        if counts[name]:
            last = ", placed last" if name == f"results without a {met.order}" else ""
            yield Fact(system, f"{plural(counts[name], noun)} {rest}{last}")
    yield from _failed(scores, s)
    if only_judged := results.judged_only:
        yield Fact(system, f"{plural(only_judged, 'row')} without rank and score: judgments only")
    if reads_ranks(met) and met.order != "given" and met.parts.lowest_rank == 0:
        yield Fact(system, "ranks start at 0")
    yield from rows_as_they_stand(scores, s)
    if results.one_query:
        yield Fact(system, "no query column; all rows are one query, 'q'")
    yield from (Fact(system, text, warns=True) for text in near_misses(met))
    if conflicts:
        yield Fact(system, f"rank and score disagree in {plural(conflicts, 'query')}; ordered by {met.order}")


_FATES = {"skip": ("is left out", "are left out"), "0": ("counts 0", "count 0")}
"""What becomes of one query whose search failed, and of several."""


def _failed(scores: Values, s: int) -> Iterator[Fact]:
    """Warn of the queries asked for whose search failed, and count what came back for them."""
    met = scores.met[s]
    queries = list(itertools.compress(scores.queries, met.failed & scores.in_scope))
    if queries:
        aside = met.results.set_aside("" if met.pooled else met.system, queries)
        them = "it" if len(queries) == 1 else "them"
        more = f"; {plural(aside, 'result')} that came back for {them} set aside" if aside else ""
        failed = first_error({query: met.failures[query] for query in queries})
        fate = _FATES[scores.setting.decisions.failed][len(queries) > 1]
        text = f"the search failed for {plural(len(queries), 'query')}, which {fate}: {failed}{more}"
        yield Fact(scores.systems[s], text, tuple(queries), warns=True)


def _as_one_run(results: Results, systems: str) -> str:
    """Say how many systems or tags were read as one run, and why."""
    tags = f"{len(results.systems)} {'tags' if results.form else 'systems'}"
    if systems != "auto":
        return f"{tags} read as one run (systems={systems})"
    return f"{tags}, never two in one query: read as one run; systems=separate makes a system of each"
