"""Facts about queries that were searched for several times: what was asked for, and what came back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idealrank.decisions import answer_text
from idealrank.errors import listed, plural
from idealrank.evaluation.counts.search_counts import Pair, SearchCounts
from idealrank.evaluation.ledger.entries import Fact
from idealrank.evaluation.values import Values


def search_facts(scores: Values, s: int, counts: SearchCounts | None) -> Iterator[Fact]:
    """Yield how many searches a system made, and which relevant documents these did not return."""
    if counts is None:
        return
    system = scores.systems[s]
    if counts.most > 1:
        yield Fact(system, _searches(scores, counts))
    if counts.missed:
        many = plural(len(counts.missed), "relevant document")
        text = f"{many} asked for and not returned: {_named(counts.missed)}"
        yield Fact(system, text, _tasks(counts.missed))
    if counts.never_asked:
        many = plural(len(counts.never_asked), "relevant document")
        text = f"{many} never asked for, without a search: {_named(counts.never_asked)}"
        yield Fact(system, text, _tasks(counts.never_asked))
    yield from _never_found(scores, s, counts)


def _searches(scores: Values, counts: SearchCounts) -> str:
    text = f"{counts.searches} searches for {plural(counts.tasks, 'query')}, at most {counts.most} each"
    if counts.apart:
        return f"{text}; every search counts as a query of its own (steps=each)"
    return f"{text}; one list per query (steps={scores.setting.decisions.steps})"


def _named(pairs: Sequence[Pair]) -> str:
    return listed(f"{doc} ({task})" for task, doc in pairs)


def _tasks(pairs: Sequence[Pair]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(task for task, _ in pairs))


def _never_found(scores: Values, s: int, counts: SearchCounts) -> Iterator[Fact]:
    """Count the queries that a number of searches counts as never found."""
    for label, measure in zip(scores.labels, scores.measures, strict=True):
        queries = counts.never_found.get(label, ())
        if queries:
            most = dict(measure.parameters)["most"]
            many = f"{plural(len(queries), 'query')}, which {'counts' if len(queries) == 1 else 'count'}"
            text = f"{label}: not found within {answer_text(most)} searches for {many}"
            yield Fact(scores.systems[s], f"{text} {answer_text(most + 1)}: {listed(queries)}", queries)
