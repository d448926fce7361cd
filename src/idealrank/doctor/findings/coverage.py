"""Findings on what was judged and returned: another corpus, no results, perfect scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from idealrank._core import from_columns
from idealrank.arrays import Mask
from idealrank.data.filters import excluded_rows
from idealrank.doctor.finding import SHOWN, Finding, Mend, mend_findings
from idealrank.doctor.findings.grades import outliers
from idealrank.doctor.findings.rankings import distances, gaps
from idealrank.doctor.inputs import DEEP, Inputs, documents_of, queries_of, query_places, top_rows
from idealrank.errors import plural
from idealrank.evaluation.scoring import QueryState
from idealrank.judged_lists.join import SystemLists

# Another corpus.


MOST = 0.9
"""Share of documents that are not known to the other side, above which the sides are of different corpora."""

FEWEST_UNKNOWN = 10
"""Documents on either side, at least."""


def corpus(inputs: Inputs) -> Iterator[Finding]:
    """Over 90% of the top 10 were never judged for any query, and over 90% of judged documents never came back."""
    for joined in inputs.system_lists:
        judged, rows = set(joined.pool.docs(np.arange(len(joined.pool.row)))), top_rows(joined, DEEP)
        returned = joined.run.docs(np.array(rows, np.int64))
        unknown = np.array([doc not in judged for doc in returned])
        if min(len(rows), len(judged)) >= FEWEST_UNKNOWN and unknown.mean() > MOST:
            missed = _count_missed(joined, judged) / len(judged)
            if missed > MOST:
                yield _corpus_finding(joined, rows, returned, unknown, missed)


def _count_missed(joined: SystemLists, judged: set[str]) -> int:
    """Count the judged documents that came back for no query."""
    documents, known = joined.run.documents(), from_columns(["id"], [list(judged)]).column(0)
    is_known = np.zeros(len(documents), np.bool_)
    is_known[documents.among(known)[0]] = True
    each = (joined.run.rows_of(query) for query in range(len(joined.run.queries)))
    return len(judged.difference(joined.run.docs(np.concatenate([rows[is_known[rows]] for rows in each]))))


def _corpus_finding(joined: SystemLists, rows: list[int], returned: list[str], unknown: Mask, missed: float) -> Finding:
    lines = [f"{joined.results.source.place(row)}: {doc}" for row, doc in zip(rows, returned, strict=True)]
    return Finding(
        name="judgments of another corpus",
        text=f"{unknown.mean():.0%} of the {plural(len(rows), 'result')} in the top {DEEP} of {joined.system} were "
        f"never judged for any query, and {missed:.0%} of the judged documents were never returned",
        count=int(unknown.sum()),
        system=joined.system,
        examples=tuple(line for line, new in zip(lines, unknown, strict=True) if new)[:SHOWN],
        way="Check that judgments and results are of the same collection, and that their ids are of the same kind.",
    )


# The ledger.


_OWN: Mapping[str, Callable[[Inputs], Iterator[Finding]]] = {
    "rising scores": distances, "late": gaps, "far grade": outliers,
}  # fmt: skip
"""Kinds of oddities that a check here finds too, mostly: two findings of one fault would advise two things."""


def odd(inputs: Inputs) -> Iterator[Finding]:
    """Ranks, scores or grades can hardly be right: all the same, with fractions, swapped, or the first are missing."""
    for each in inputs.scores.ledger.odd if inputs.scores is not None else ():
        check = _OWN.get(each.kind)
        if each.warns and (check is None or not any(check(inputs))):
            yield Finding(
                name="odd judgments or results",
                text=each.text,
                count=max(1, len(each.named)),
                system=each.system,
                examples=tuple(each.named[:SHOWN]),
                way=f"{each.advice}.",
            )


_COVERED = {"near ids", "low grades", "all returned"}
"""Kinds of warnings of the ledger that have findings of their own here, beside oddities."""


def warnings(inputs: Inputs) -> Iterator[Finding]:
    """The ledger warns of something else, such as failed searches or results without an order."""
    if inputs.scores is None:
        return
    ledger = inputs.scores.ledger
    covered = _COVERED | {each.kind for each in ledger.odd}
    for fact in ledger.facts:
        if fact.warns and fact.kind not in covered:
            yield Finding(
                name="warning of the ledger",
                text=fact.text if not fact.system else f"{fact.system}: {fact.text}",
                count=max(1, len(fact.queries)),
                examples=fact.queries[:SHOWN],
                way="See idealrank evaluate --ledger.",
            )


def no_relevant(inputs: Inputs) -> Iterator[Finding]:
    """Queries have judgments but no relevant document, and count as 0 (no_relevant=0)."""
    scores = inputs.scores
    if scores is None:
        return
    filled = np.flatnonzero((scores.states == QueryState.FILLED_NO_RELEVANT).any(axis=(0, 1)))
    if len(filled):
        pool, table = inputs.system_lists[0].pool, inputs.judgments
        rows = [int(pool.row[pool.start[q]]) for q in filled[:SHOWN]]
        lines = [f"{table.source.place(row)}: query {scores.queries[q]}" for row, q in zip(rows, filled, strict=False)]
        text = f"{plural(len(filled), 'query')} without a relevant document, which no system can get right"
        answers = {"no_relevant": "skip"}
        yield Finding(
            name="queries without relevant documents",
            text=text,
            count=len(filled),
            examples=tuple(lines),
            answers=answers,
        )


# Too good to be true.


FEWEST_PERFECT = 2
"""Queries, at least; one alone may be so by chance, but not in a table of judgments and results."""


def perfection(inputs: Inputs) -> Iterator[Finding]:
    """Every measure is 1 for every query, as when the ranking was made from the judgments."""
    scores = inputs.scores
    if scores is None or len(scores.queries) < FEWEST_PERFECT:
        return
    for s, joined in enumerate(inputs.system_lists):
        if (scores.values[s] == 1).all():
            many = plural(len(scores.queries), "query")
            text = f"every measure of {joined.system} is 1 for all {many}: was it ranked by the grades?"
            yield _doubt_finding(joined, "perfect scores", text, "Check where the ranking comes from.")


def closed_lists(inputs: Inputs) -> Iterator[Finding]:
    """Exactly the judged documents were returned, so that the ideal and recall know of nothing that was missed."""
    for joined in inputs.system_lists:
        returned, hits, judged = joined.judged.returned, joined.judged.judged_within(), np.diff(joined.pool.start)
        answered = returned > 0
        least = 1 if joined.results.shared else FEWEST_PERFECT
        if answered.sum() >= least and ((returned == hits) & (returned == judged))[answered].all():
            many = plural(int(answered.sum()), "query")
            text = f"{joined.system} returned exactly the judged documents of {many}: the ideal knows of no other"
            way = "Give all judgments as the first file, and the results as the second."
            yield _doubt_finding(joined, "only the judged documents", text, way)


def _doubt_finding(joined: SystemLists, name: str, text: str, way: str) -> Finding:
    lists = np.flatnonzero(joined.judged.returned > 0).tolist()
    return Finding(
        name=name,
        text=text,
        count=len(lists),
        system=joined.system,
        examples=query_places(joined, lists, SHOWN),
        way=way,
    )


# Results that must not count.


SHARE_OF_SOURCES, FEWEST_SOURCES = 0.5, 3
"""Share of the queries that return the document of their own id, and their number, from which it is no chance."""


def sources(inputs: Inputs) -> Iterator[Finding]:
    """Half of the queries or more return the document of their own id, which a query made of a document does."""
    for results in inputs.results:
        query, doc = queries_of(results), documents_of(results)
        there, asked = doc.distinct.among(query.distinct)
        own = np.full(max(len(query.distinct), 1), -2)
        own[asked] = there
        rows = np.flatnonzero((own[query.code] == doc.code) & (query.code >= 0))
        if len(rows) >= max(FEWEST_SOURCES, SHARE_OF_SOURCES * len(query.distinct)):
            text = f"of {results.name} with the id of the query itself, as if the query was made of the document"
            yield from mend_findings("a query's own document", "result", text, [Mend(results, dropped=rows.tolist())])


def excluded(inputs: Inputs) -> Iterator[Finding]:
    """Results are on the list of --exclude: pairs of a query and a document that must not be counted."""
    if inputs.excluded is None:
        return
    for results in inputs.results:
        rows = excluded_rows(results, inputs.excluded).tolist()
        text = f"of {results.name} on the list to exclude ({inputs.excluded.name})"
        yield from mend_findings("excluded documents", "result", text, [Mend(results, dropped=rows)])


def unreturned(inputs: Inputs) -> Iterator[Finding]:
    """Judged queries are not in the results: no row says that nothing was found, or that the search failed."""
    for joined in inputs.system_lists:
        missing = np.flatnonzero(~(joined.judged.listed | joined.failed))
        if len(missing):
            rows = joined.pool.row[joined.pool.start[missing[:SHOWN]]].tolist()
            place = inputs.judgments.source.place
            yield Finding(
                name="judged queries without results",
                text=f"{plural(len(missing), 'judged query')} without results of {joined.system} "
                f"(no_results={inputs.decisions.no_results})",
                count=len(missing),
                system=joined.system,
                examples=tuple(
                    f"{place(row)}: query {joined.queries[q]}" for row, q in zip(rows, missing.tolist(), strict=False)
                ),
                way="Search for them and add their results; where nothing was found, a row without a document says so.",
            )
