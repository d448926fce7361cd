"""What an evaluation found in its tables: the facts of the ledger."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from idealrank.data.duplicates import COMBINING
from idealrank.data.formats.messages import quoted
from idealrank.data.selection import not_among
from idealrank.decisions import answer_text
from idealrank.errors import listed, plural
from idealrank.evaluation.counts.judgment_counts import JudgmentCounts
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.evaluation.ledger.entries import Fact
from idealrank.evaluation.ledger.replay_facts import replay_facts
from idealrank.evaluation.ledger.result_facts import result_facts
from idealrank.evaluation.ledger.unit_facts import merged_judgments
from idealrank.evaluation.values import Values
from idealrank.judged_lists.near_spellings import near
from idealrank.measures import Measure


def facts(
    scores: Values,
    judged: JudgmentCounts,
    returned: Sequence[ResultCounts],
    low: Iterable[str],
    near_ids: Sequence[Iterable[str]],
) -> Iterator[Fact]:
    """Yield what was found.

    Parameters
    ----------
    low
        Texts about grades that reach no level.
    near_ids
        For each system, sentences about ids that differ only in spelling.
    """
    yield from _judgment_facts(scores, judged)
    yield from _low_facts(scores, judged, low)
    yield from _weightless(scores)
    yield from replay_facts(scores, returned)
    for s, (counts, sentences) in enumerate(zip(returned, near_ids, strict=True)):
        yield from result_facts(scores, s, counts, sentences)


def _low_facts(scores: Values, judged: JudgmentCounts, low: Iterable[str]) -> Iterator[Fact]:
    """Say how many grades reach no level; warn where grades end at 1, and nobody said from which on is relevant."""
    doubt = judged.highest <= 1 and "relevant_from" not in scores.setting.overrides
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


def _judgment_facts(scores: Values, judged: JudgmentCounts) -> Iterator[Fact]:
    yield from _top_grades(scores, judged)
    yield from _doubts(scores, judged)
    if not judged.graded and judged.columns and not judged.named_relevant:
        text = f"{judged.name}: no column of grades, so each row counts as relevant (grade 1)"
        yield Fact("", f"{text}; if some are not, give the judgments with their grades", warns=True)
    if judged.one_query:
        yield Fact("", f"{judged.name}: no query column; all rows are one query, 'q'")
    if judged.several:
        many = plural(judged.several, "judged document")
        yield Fact("", f"{many} under several subtopics: as a grade of the query, the highest of its grades counts")
    yield from _row_facts(scores, judged)
    if judged.merged:
        yield Fact("", merged_judgments(judged.merged, judged.units, scores.setting.decisions))
    if names := judged.differing:
        many = "1 query id has differing texts" if len(names) == 1 else f"{len(names)} query ids have differing texts"
        yield Fact("", f"{many} ({listed(names)}); joined by id alone", names)
    yield from _asked_twice(scores)
    yield from _asked(scores)


def _asked(scores: Values) -> Iterator[Fact]:
    """Name the queries asked for that are nowhere, and those that the table of queries lacks."""
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


def _doubts(scores: Values, judged: JudgmentCounts) -> Iterator[Fact]:
    """Warn of results that may have been given as judgments, or judgments as results."""
    if judged.fractional or judged.ranked:
        sign = "fractions" if judged.fractional else "ranks"
        text = f"{judged.name}: {sign}, and the score is read as the grade; are these results? Judgments come first"
        yield Fact("", text, warns=True)
    if judged.inflated and (inflated := _knowing_all(scores)):
        text = (
            f"{judged.name}: judgments and results in one table, and every judged document was returned: "
            f"{listed(inflated)} cannot know what was missed and may be too high; give all judgments first, "
            "results second"
        )
        yield Fact("", text, warns=True)
    if judged.score_graded:
        text = f"{judged.name}: given as the results too, and their score is the grade; results come second"
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


def _row_facts(scores: Values, judged: JudgmentCounts) -> Iterator[Fact]:
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


def _asked_twice(scores: Values) -> Iterator[Fact]:
    """Warn of judged queries that are the same question but for letter case and spaces: each counts by itself."""
    texts = scores.parts.texts if scores.parts else scores.meetings[0].judgments.texts[0]
    if not texts and not any(" " in query for query in scores.queries):
        return  # ids, not questions
    alike: dict[str, list[str]] = {}
    for query in scores.queries:
        alike.setdefault(" ".join(texts.get(query, query).casefold().split()), []).append(query)
    twice = [names for names in alike.values() if len(names) > 1]
    if twice:
        queries = tuple(name for names in twice for name in names)
        text = f"the same question but for letter case or spaces, judged as different queries: {listed(queries)}"
        yield Fact("", f"{text}; keep one of each", queries, warns=True)


def _every_query(scores: Values) -> Iterator[str]:
    others = (scores.unjudged_queries(s, everything=True) for s in range(len(scores.systems)))
    return itertools.chain(scores.queries, *others)


def _lacking(scores: Values) -> tuple[str, ...]:
    attributed = set(_attributed(scores))
    return tuple(query for query in itertools.compress(scores.queries, scores.in_scope) if query not in attributed)


def _attributed(scores: Values) -> Iterable[str]:
    """Return the queries that the queries table has a row for."""
    return dict.fromkeys(key for column in scores.table.attributes.values() for key in column)
