"""What an evaluation found in its tables: the facts of the ledger."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from idealrank.data.duplicates import COMBINING
from idealrank.data.failures import list_failed
from idealrank.data.filters import missing_ids
from idealrank.data.formats.messages import quoted
from idealrank.data.latency_columns import STEMS
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.question import answer_text
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.counting import queries_without
from idealrank.evaluation.ledger.counts import JudgmentCounts, Nothing, ResultCounts, SearchCounts, TaskDocument
from idealrank.evaluation.ledger.ledger import Fact
from idealrank.evaluation.ledger.oddities import Oddity
from idealrank.evaluation.values import Values
from idealrank.judged_lists.near_ids import match_spellings
from idealrank.measures.definition import Measure


def facts(scores: Values, low: Iterable[str], odd: Sequence[Oddity]) -> Iterator[Fact]:
    """Yield what was found.

    Parameters
    ----------
    low
        Texts about grades that reach no level.
    odd
        What is odd about the judgments and about each system.
    """
    judged, returned = scores.counts.judged, scores.counts.returned
    yield from _judgment_facts(scores, judged)
    yield from _odd_facts(odd, "")
    yield from _low_grade_facts(scores, judged, low)
    yield from _weight_facts(scores)
    yield from replay_facts(scores, returned)
    for s, (counts, sentences) in enumerate(zip(returned, scores.counts.near_ids, strict=True)):
        yield from result_facts(scores, s, counts, sentences, odd)


def _odd_facts(odd: Sequence[Oddity], system: str) -> Iterator[Fact]:
    """Warn of what is odd by itself; what is odd only beside another system is said where the two are compared."""
    for each in odd:
        if each.system == system and each.warns:
            yield Fact("", each.sentence, tuple(each.named), warns=True, kind=each.kind)


def _low_grade_facts(scores: Values, judged: JudgmentCounts, low: Iterable[str]) -> Iterator[Fact]:
    """Say how many grades reach no level; warn if no grade is above 1 and nobody said from which one is relevant."""
    doubt = judged.highest <= 1 and "relevant_from" not in scores.setting.overrides
    hint = "; no grade is above 1: relevant_from=positive counts every grade above 0 as relevant"
    for text in low:
        warns = doubt and text.endswith("(relevant_from=1)")
        yield Fact("", text + hint if warns else text, warns=warns, kind="low grades")


def _weight_facts(scores: Values) -> Iterator[Fact]:
    """Say why there is no mean, if all queries that have a value weigh 0."""
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


def _judgment_facts(scores: Values, judged: JudgmentCounts) -> Iterator[Fact]:
    yield from (Fact("", f"{judged.name}: {text}", warns=True) for text in judged.warned)
    yield from _top_grades(scores, judged)
    yield from _swap_facts(scores, judged)
    if not judged.graded and judged.columns and not judged.named_relevant:
        text = f"{judged.name}: no column of grades, so each row counts as relevant (grade 1)"
        yield Fact("", f"{text}; if some are not, give the judgments with their grades", warns=True)
    if judged.one_query:
        yield Fact("", f"{judged.name}: no query column; all rows are one query, 'q'")
    if judged.several:
        many = plural(judged.several, "judged document")
        yield Fact("", f"{many} under several subtopics: as a grade of the query, the highest of its grades counts")
    yield from _judgment_row_facts(scores, judged)
    if judged.merged:
        yield Fact("", merged_judgments_text(judged.merged, judged.units, scores.setting.decisions))
    if names := judged.differing:
        many = "1 query id has differing texts" if len(names) == 1 else f"{len(names)} query ids have differing texts"
        yield Fact("", f"{many} ({listed(names)}); joined by id alone", names)
    yield from _repeated_question_facts(scores, judged)
    yield from _scope_facts(scores)


def _scope_facts(scores: Values) -> Iterator[Fact]:
    """Name the queries asked for that no table has, and judged ones that the table of queries lacks."""
    if unknown := missing_ids(scores.only, _all_queries(scores)):
        yield Fact(
            "",
            f"{plural(len(unknown), 'query')} asked for, but neither judged nor returned: {listed(unknown)}",
            unknown,
            warns=True,
        )
    if scores.table.name and (lacking := _queries_without_row(scores)):
        many = plural(len(lacking), "judged query")
        alike = match_spellings(_queries_with_row(scores), lacking)
        hint = (
            f"; ids differ by {alike.by} ({quoted(alike.theirs)} there, {quoted(alike.ours)} judged)" if alike else ""
        )
        text = f"{many} not in {scores.table.name}: {listed(lacking)}{hint}"
        yield Fact("", text, lacking, warns=alike is not None)


def _swap_facts(scores: Values, judged: JudgmentCounts) -> Iterator[Fact]:
    """Warn of results that may have been given as judgments, or judgments as results."""
    if judged.fractional or judged.ranked:
        sign = "fractions" if judged.fractional else "ranks"
        text = f"{judged.name}: {sign}, and the score is read as the grade; are these results? Judgments come first"
        yield Fact("", text, warns=True)
    if judged.inflated and (inflated := _measures_asking_for_all(scores)):
        text = (
            f"{judged.name}: judgments and results in one table, and every judged document was returned: "
            f"{listed(inflated)} cannot know what was missed and may be too high; give all judgments first, "
            "results second"
        )
        yield Fact("", text, warns=True, kind="all returned")
    if judged.score_graded:
        text = f"{judged.name}: given as the results too, and their score is the grade; results come second"
        yield Fact("", text, warns=True)


def _measures_asking_for_all(scores: Values) -> list[str]:
    """Name the measures that depend on documents that were not returned."""
    named = zip(scores.labels, scores.measures, strict=True)
    return [label for label, measure in named if _asks_for_all(measure)]


def _asks_for_all(measure: Measure) -> bool:
    reads, decisions = measure.definition.reads, measure.decisions
    if "ideal" in reads:
        return decisions.ideal == "global"
    return "recall_denominator" in reads or ("ap_denominator" in reads and decisions.ap_denominator != "hits")


def _judgment_row_facts(scores: Values, judged: JudgmentCounts) -> Iterator[Fact]:
    decisions, ungraded = scores.setting.decisions, judged.ungraded_queries
    if judged.ungraded:
        yield Fact("", f"{plural(judged.ungraded, 'judgment row')} without a grade: unjudged")
    if ungraded:
        yield Fact(
            "", f"{plural(len(ungraded), 'query')} with rows but no grade: not judged ({listed(ungraded)})", ungraded
        )
    if judged.dropped:
        became = "combined with others" if decisions.duplicates in COMBINING else "dropped"
        yield Fact("", f"{plural(judged.dropped, 'duplicate judgment')} {became} (duplicates={decisions.duplicates})")
    if missing := judged.missing_ratings:
        yield Fact("", f"{plural(missing, 'rating')} missing; the grade is the {decisions.raters} of those present")
    if judged.below_zero:
        yield Fact("", f"{plural(judged.below_zero, 'grade')} below zero (negative={decisions.negative})")


def _top_grades(scores: Values, judged: JudgmentCounts) -> Iterator[Fact]:
    """Say what the top of the scale is, for each measure that reads it: a convention may declare one for some."""
    tops: dict[str, list[str]] = {}
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        if measure.reads_top:
            highest = measure.decisions.max_grade == "highest"
            origin = "the highest in the judgments" if highest else "as declared"
            tops.setdefault(f"max_grade {answer_text(judged.tops[label])}, {origin}", []).append(label)
    for text, labels in tops.items():
        yield Fact("", text if len(tops) == 1 else f"{listed(labels)}: {text}")


def _repeated_question_facts(scores: Values, judged: JudgmentCounts) -> Iterator[Fact]:
    """Warn of judged queries that differ only in letter case and spaces: each counts by itself."""
    if not judged.texts and not any(" " in query for query in scores.queries):
        return  # without spaces these are ids, which may well differ in case only
    alike: dict[str, list[str]] = {}
    for query in scores.queries:
        alike.setdefault(" ".join(judged.texts.get(query, query).casefold().split()), []).append(query)
    twice = [names for names in alike.values() if len(names) > 1]
    if twice:
        queries = tuple(name for names in twice for name in names)
        text = f"the same question but for letter case or spaces, judged as different queries: {listed(queries)}"
        yield Fact("", f"{text}; keep one of each", queries, warns=True)


def _all_queries(scores: Values) -> Iterator[str]:
    others = (scores.unjudged_queries(s, everything=True) for s in range(len(scores.systems)))
    return itertools.chain(scores.queries, *others)


def _queries_without_row(scores: Values) -> tuple[str, ...]:
    attributed = set(_queries_with_row(scores))
    return tuple(query for query in itertools.compress(scores.queries, scores.in_scope) if query not in attributed)


def _queries_with_row(scores: Values) -> Iterable[str]:
    """Return the queries that the queries table has a row for."""
    return dict.fromkeys(key for column in scores.table.attributes.values() for key in column)


# Facts about replayed results: lists that are shorter than a measure looks, systems that were asked differently.


_REPLAY_SETTINGS = {"k": "results per query", "concurrency": "queries at a time"}
"""Settings of a replay that make the lists or times of two systems differ."""


def replay_facts(scores: Values, returned: Sequence[ResultCounts]) -> Iterator[Fact]:
    """Say where fewer results were asked for than a measure looks at; warn where systems were not asked alike."""
    records = {
        name: counts.record for name, counts in zip(scores.systems, returned, strict=True) if counts.record is not None
    }
    if not records:
        return
    from idealrank.engines.replay_record import describe_different_times
    from idealrank.evaluation.latency import search_times

    for s, name in enumerate(scores.systems):
        if name in records:
            yield from _cut_short_facts(scores, s, returned[s], int(records[name]["k"]))
            yield from (Fact(name, f"the replay said: {note}", warns=True) for note in records[name].get("notes") or ())
    timed = {
        name: records[name]
        for s, name in enumerate(scores.systems)
        if name in records and any(search_times(scores, s, clock) for clock in STEMS)
    }
    if len(timed) > 1 and (different_times := describe_different_times(timed)):
        yield Fact("", f"the systems were {different_times}", warns=True)
    for key, what in _REPLAY_SETTINGS.items():
        values = {name: record.get(key) for name, record in records.items()}
        if len(set(values.values())) > 1:
            each = listed([f"{value} ({name})" for name, value in values.items()])
            yield Fact("", f"the systems were not asked alike: {what}: {each}", warns=True)


def _cut_short_facts(scores: Values, s: int, counts: ResultCounts, k: int) -> Iterator[Fact]:
    """Say which measures look further down than as many results as were asked for, if a list has that many."""
    further = [label for label, m in zip(scores.labels, scores.measures, strict=True) if (m.cutoff or 0) > k]
    if further and counts.longest >= k:
        text = f"only {k} results were asked for: {listed(further)} cannot see more. Ask for more: replay -k"
        yield Fact(scores.systems[s], text)


# What an evaluation found in one system's results: facts of the ledger.


_ROW_WORDS = {
    "placeholder rows": ("row", "without a document: no results"),
    "duplicates dropped": ("duplicate result", "dropped"),
    "results without a score": ("result", "without a score"),
    "results without a rank": ("result", "without a rank"),
    "queries with repeated ranks": ("query", "with repeated ranks"),
    "queries with gaps in the ranks": ("query", "with gaps in the ranks"),
}
"""Counts that are facts by themselves, in words; others are mentioned if they move a mean."""


def result_facts(
    scores: Values, s: int, counts: ResultCounts, near_ids: Iterable[str], odd: Sequence[Oddity]
) -> Iterator[Fact]:
    """Yield what was found in one system's results.

    Parameters
    ----------
    near_ids
        Sentences about ids that differ only in spelling.
    odd
        What is odd about the results of all systems.
    """
    system, decisions = scores.systems[s], scores.setting.decisions
    yield from (Fact("", f"{counts.name}: {text}", warns=True) for text in counts.warned if not counts.shared)
    if counts.excluded:
        yield Fact("", f"{plural(counts.excluded, 'result')} of {counts.name} left out: on the list to exclude")
    if nameless := counts.nameless:
        rows = plural(sum(nameless.values()), "row")
        text = f"{rows} without a document dropped from queries that returned others ({listed(list(nameless))})"
        yield Fact(system, text, tuple(nameless), warns=True)
    if counts.pooled and counts.systems > 1:
        yield Fact(system, _one_run_text(counts, decisions.systems))
    if counts.merged:
        yield Fact(system, rolled_up_text(counts.kept, counts.merged, decisions))
    convention = scores.setting.convention
    tied = int((counts.tied > 0).sum())
    if convention.order_of_ties and tied and "ties" not in scores.setting.overrides:
        queries = plural(tied, "query")
        text = f"{queries} with equal scores, whose order in {convention.tool} is that of {convention.order_of_ties}"
        yield Fact(system, f"{text}: its own numbers may differ there", warns=True)
    yield from search_facts(scores, s, counts.searches)
    if counts.chunks:
        from idealrank.judged_lists.spans import hits_in_words

        yield Fact(system, hits_in_words(counts.chunks, decisions))
    yield from _result_row_facts(system, counts)
    yield from _failure_facts(scores, s, counts)
    if counts.judged_only:
        yield Fact(system, f"{plural(counts.judged_only, 'row')} without rank and score: judgments only")
    if counts.reads_ranks and counts.order != "given" and counts.lowest_rank == 0:
        yield Fact(system, "ranks start at 0")
    yield from _odd_facts(odd, system)
    yield from unranked_facts(scores, s, counts)
    if counts.one_query:
        yield Fact(system, "no query column; all rows are one query, 'q'")
    yield from (Fact(system, text, warns=True, kind="near ids") for text in near_ids)
    if counts.conflicting:
        queries = plural(counts.conflicting, "query")
        yield Fact(system, f"rank and score disagree in {queries}; ordered by {counts.order}")


def _result_row_facts(system: str, counts: ResultCounts) -> Iterator[Fact]:
    """Count the rows that are no plain results."""
    for name, (noun, rest) in _ROW_WORDS.items():
        many = counts.rows.get(name, 0)
        many -= sum(counts.nameless.values()) if name == "placeholder rows" else 0
        if many:
            last = ", placed last" if name == f"results without a {counts.order}" else ""
            yield Fact(system, f"{plural(many, noun)} {rest}{last}")


_FATES = {"skip": ("is left out", "are left out"), "0": ("counts 0", "count 0")}
"""What becomes of one query whose search failed, and of several."""


def _failure_facts(scores: Values, s: int, counts: ResultCounts) -> Iterator[Fact]:
    """Warn of the queries asked for whose search failed, and count what came back for them."""
    queries = queries_without(scores, counts, Nothing.FAILED)
    if queries:
        them = "it" if len(queries) == 1 else "them"
        more = f"; {plural(counts.aside, 'result')} that came back for {them} set aside" if counts.aside else ""
        failed = list_failed({query: counts.errors[query] for query in queries})
        fate = _FATES[scores.setting.decisions.failed][len(queries) > 1]
        text = f"the search failed for {plural(len(queries), 'query')}, which {fate}: {failed}{more}"
        yield Fact(scores.systems[s], text, queries, warns=True)


def _one_run_text(counts: ResultCounts, systems: str) -> str:
    """Say how many systems or tags were read as one run, and why."""
    tags = f"{counts.systems} {'tags' if counts.form else 'systems'}"
    if systems != "auto":
        return f"{tags} read as one run (systems={systems})"
    return f"{tags}, never two in one query: read as one run; systems=separate makes a system of each"


def unranked_facts(scores: Values, s: int, counts: ResultCounts) -> Iterator[Fact]:
    """Say that a system's results are ranked in the order of its rows, since they have neither ranks nor scores."""
    if counts.order == "given" and scores.setting.decisions.order_by == "auto":
        yield _unranked_fact(counts, scores.systems[s])


def _unranked_fact(counts: ResultCounts, system: str) -> Fact:
    if counts.shared:
        return Fact(system, "no results given, no rank and no score: the judgments' rows are the results", (), True)
    if counts.format == "dicts":  # of a system that returned nothing
        return Fact(system, "no rank and no score: ordered as in the table")
    text = (
        f"{counts.name}: no column of scores or ranks, so results are ranked in the order of the rows. If a column "
        "contains the score, name it: score=… in Python, --score-col on the command line"
    )
    return Fact("", text, warns=True)


# Facts about queries that were searched for several times: what was asked for, and what came back.


def search_facts(scores: Values, s: int, counts: SearchCounts | None) -> Iterator[Fact]:
    """Yield how many searches a system made, and which relevant documents these did not return."""
    if counts is None:
        return
    system = scores.systems[s]
    if counts.most > 1:
        yield Fact(system, _searches_text(scores, counts))
    if counts.missed:
        many = plural(len(counts.missed), "relevant document")
        text = f"{many} asked for and not returned: {_list_pairs(counts.missed)}"
        yield Fact(system, text, _tasks_of(counts.missed))
    if counts.never_asked:
        many = plural(len(counts.never_asked), "relevant document")
        text = f"{many} never asked for, without a search: {_list_pairs(counts.never_asked)}"
        yield Fact(system, text, _tasks_of(counts.never_asked))
    yield from _never_found_facts(scores, s, counts)


def _searches_text(scores: Values, counts: SearchCounts) -> str:
    text = f"{counts.searches} searches for {plural(counts.tasks, 'query')}, at most {counts.most} each"
    if counts.by_search:
        return f"{text}; every search counts as a query of its own (steps=each)"
    return f"{text}; one list per query (steps={scores.setting.decisions.steps})"


def _list_pairs(pairs: Sequence[TaskDocument]) -> str:
    return listed(f"{doc} ({task})" for task, doc in pairs)


def _tasks_of(pairs: Sequence[TaskDocument]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(task for task, _ in pairs))


def _never_found_facts(scores: Values, s: int, counts: SearchCounts) -> Iterator[Fact]:
    """Count the queries that a number of searches counts as never found."""
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        queries = counts.never_found.get(label, ())
        if queries:
            most = dict(measure.parameters)["most"]
            many = f"{plural(len(queries), 'query')}, which {'counts' if len(queries) == 1 else 'count'}"
            text = f"{label}: not found within {answer_text(most)} searches for {many}"
            yield Fact(scores.systems[s], f"{text} {answer_text(most + 1)}: {listed(queries)}", queries)


# What was rolled up to units, in words of the ledger.


def merged_judgments_text(merged: int, units: int, decisions: Decisions) -> str:
    """Say how many judgments of parts became others' of the same unit."""
    combined = f", combined by {decisions.raters}" if decisions.unit_grade == "raters" else ""
    how = f"(unit_grade={decisions.unit_grade}{combined})"
    return f"{plural(merged, 'judgment')} merged with others of the same unit; {plural(units, 'unit')} judged {how}"


def rolled_up_text(kept: int, merged: int, decisions: Decisions) -> str:
    """Say how many results are parts of units that stand elsewhere, and what becomes of them; `kept` units are left."""
    repeat = "repeats a unit" if merged == 1 else "repeat a unit"
    keeps, takes = ("keeps its rank", "takes") if merged == 1 else ("keep their ranks", "take")
    fate = f"{keeps} and {'earns' if merged == 1 else 'earn'} nothing"
    fate = fate if decisions.counts == "returned" else f"{takes} no rank"
    how = f"roll_up={decisions.text('roll_up')}, counts={decisions.counts}"
    return f"{plural(merged + kept, 'result')} of {plural(kept, 'unit')}: {merged} {repeat} and {fate} ({how})"
