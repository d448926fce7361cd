"""What an evaluation found in one system's results: facts of the ledger."""

from collections.abc import Iterable, Iterator

from idealrank.data.failures import first_error
from idealrank.errors import listed, plural
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.evaluation.ledger.entries import Fact
from idealrank.evaluation.ledger.rank_doubts import rank_doubts
from idealrank.evaluation.ledger.score_doubts import score_doubts
from idealrank.evaluation.ledger.search_facts import search_facts
from idealrank.evaluation.ledger.unit_facts import rolled_up
from idealrank.evaluation.values import Values
from idealrank.judged_lists.spans import hits_in_words

_WORDS = {
    "placeholder rows": ("row", "without a document: no results"),
    "duplicates dropped": ("duplicate result", "dropped"),
    "results without a score": ("result", "without a score"),
    "results without a rank": ("result", "without a rank"),
    "queries with repeated ranks": ("query", "with repeated ranks"),
    "queries with gaps in the ranks": ("query", "with gaps in the ranks"),
}
"""Counts that are facts by themselves, in words; the others are said where they move a mean."""


def result_facts(scores: Values, s: int, counts: ResultCounts, near_ids: Iterable[str]) -> Iterator[Fact]:
    """Yield what was found in one system's results.

    Parameters
    ----------
    near_ids
        Sentences about ids that differ only in spelling.
    """
    system, decisions = scores.systems[s], scores.setting.decisions
    if counts.excluded:
        yield Fact("", f"{plural(counts.excluded, 'result')} of {counts.name} left out: on the list to exclude")
    if nameless := counts.nameless:
        rows = plural(sum(nameless.values()), "row")
        text = f"{rows} without a document dropped from queries that returned others ({listed(list(nameless))})"
        yield Fact(system, text, tuple(nameless), warns=True)
    if counts.pooled and counts.systems > 1:
        yield Fact(system, _as_one_run(counts, decisions.systems))
    if counts.merged:
        yield Fact(system, rolled_up(counts.kept, counts.merged, decisions))
    yield from search_facts(scores, s, counts.searches)
    if counts.chunks:
        yield Fact(system, hits_in_words(counts.chunks, decisions))
    yield from _row_facts(system, counts)
    yield from _failed(scores, s, counts)
    if counts.judged_only:
        yield Fact(system, f"{plural(counts.judged_only, 'row')} without rank and score: judgments only")
    if counts.reads_ranks and counts.order != "given" and counts.lowest_rank == 0:
        yield Fact(system, "ranks start at 0")
    for doubt in rank_doubts(system, counts.ranks, counts.order, counts.columns, scores.setting.overrides):
        if doubt.kind != "gapped":  # gaps are common in some files: `compare` warns where only one of two has them
            yield Fact("", f"{doubt.text}. {doubt.advice}", doubt.queries, warns=True)
    for doubt in score_doubts(system, counts.scores, counts.columns, scores.setting.overrides):
        if doubt.kind != "level scores":  # sets have no order: `compare` warns where it moves the measure
            yield Fact("", f"{doubt.text}. {doubt.advice}", doubt.queries, warns=True)
    yield from rows_as_they_stand(scores, s, counts)
    if counts.one_query:
        yield Fact(system, "no query column; all rows are one query, 'q'")
    yield from (Fact(system, text, warns=True) for text in near_ids)
    if counts.conflicting:
        queries = plural(counts.conflicting, "query")
        yield Fact(system, f"rank and score disagree in {queries}; ordered by {counts.order}")


def _row_facts(system: str, counts: ResultCounts) -> Iterator[Fact]:
    """Count the rows that are no plain results."""
    for name, (noun, rest) in _WORDS.items():
        many = counts.rows.get(name, 0)
        many -= sum(counts.nameless.values()) if name == "placeholder rows" else 0
        if many:
            last = ", placed last" if name == f"results without a {counts.order}" else ""
            yield Fact(system, f"{plural(many, noun)} {rest}{last}")


_FATES = {"skip": ("is left out", "are left out"), "0": ("counts 0", "count 0")}
"""What becomes of one query whose search failed, and of several."""


def _failed(scores: Values, s: int, counts: ResultCounts) -> Iterator[Fact]:
    """Warn of the queries asked for whose search failed, and count what came back for them."""
    queries = counts.failed
    if queries:
        them = "it" if len(queries) == 1 else "them"
        more = f"; {plural(counts.aside, 'result')} that came back for {them} set aside" if counts.aside else ""
        failed = first_error({query: counts.errors[query] for query in queries})
        fate = _FATES[scores.setting.decisions.failed][len(queries) > 1]
        text = f"the search failed for {plural(len(queries), 'query')}, which {fate}: {failed}{more}"
        yield Fact(scores.systems[s], text, queries, warns=True)


def _as_one_run(counts: ResultCounts, systems: str) -> str:
    """Say how many systems or tags were read as one run, and why."""
    tags = f"{counts.systems} {'tags' if counts.form else 'systems'}"
    if systems != "auto":
        return f"{tags} read as one run (systems={systems})"
    return f"{tags}, never two in one query: read as one run; systems=separate makes a system of each"


def rows_as_they_stand(scores: Values, s: int, counts: ResultCounts) -> Iterator[Fact]:
    """Say of a system that its rows are ranked as they stand, because they have neither ranks nor scores."""
    if counts.order == "given" and scores.setting.decisions.order_by == "auto":
        yield _unranked(counts, scores.systems[s])


def _unranked(counts: ResultCounts, system: str) -> Fact:
    if counts.shared:
        return Fact(system, "no results given, no rank and no score: the judgments' rows are the results", (), True)
    if counts.format == "dicts":  # of a system that returned nothing
        return Fact(system, "no rank and no score: ordered as in the table")
    text = (
        f"{counts.name}: no column of scores or ranks, so results are ranked in the order of the rows. If a column "
        "contains the score, name it: score=… in Python, --score-col on the command line"
    )
    return Fact("", text, warns=True)
