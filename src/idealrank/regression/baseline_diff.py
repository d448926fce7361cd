"""What differs between two baselines: queries, judgments, decisions, collection, lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from idealrank.display.numbers import decimal
from idealrank.errors import listed, plural
from idealrank.regression.baseline import Baseline, BaselineQuery
from idealrank.regression.list_hashes import shared

FEWEST = 10
"""Documents seen on either side, at least, before nothing in common means another collection."""

GROWN = 0.1
"""By how much of it an index may grow or shrink before it is another collection."""


@dataclass(frozen=True)
class Differences:
    """What differs from a baseline; each part is empty where nothing does.

    Attributes
    ----------
    decisions
        Sentences: a measure that is not there, or a decision with both answers.
    judgments
        The queries of both whose judgments differ, each with how.
    weights
        The queries of both with other weights.
    gone, added
        Queries of the baseline that are not judged any more or not asked for, and those it does not have.
    corpus
        Why it is another collection; "" if nothing says so.
    notes
        What may be part of a change, and refuses nothing.
    lists
        The queries of both whose lists differ.
    emptied
        Those of them that had results and return nothing now, each with how it counts.
    both
        How many queries both have.
    """

    decisions: tuple[str, ...]
    judgments: tuple[tuple[str, str], ...]
    weights: tuple[str, ...]
    gone: tuple[str, ...]
    added: tuple[str, ...]
    corpus: str
    notes: tuple[str, ...]
    lists: tuple[str, ...]
    emptied: tuple[tuple[str, str], ...]
    both: int

    @property
    def refusals(self) -> list[str]:
        """Say why values cannot be compared; nothing where they can."""
        judged = [f"{query}: {how}" for query, how in self.judgments]
        other = f"The judgments of {plural(len(judged), 'query')} changed ({listed(judged, between='; ')})."
        gone = (
            f"{plural(len(self.gone), 'query')} of the baseline not judged now, or not asked for: {listed(self.gone)}."
        )
        weights = f"The weights of {plural(len(self.weights), 'query')} changed: {listed(self.weights)}."
        sentences = ((self.judgments, other), (self.gone, gone), (self.weights, weights))
        return [*self.decisions, *(text for names, text in sentences if names), *([self.corpus] if self.corpus else [])]

    @property
    def account(self) -> list[str]:
        """Say what changed and refuses nothing: no results, lists, queries that are not guarded yet, the index.

        Or that no list did: who expects a change has tested other results than those that changed.
        """
        every = "the one list is" if self.both == 1 else f"all {self.both:,} lists are"
        same = [] if self.lists or not self.both else [f"{every} the same"]
        return [*self._account("not in the baseline, so not guarded"), *same]

    @property
    def blessed(self) -> list[str]:
        """Say everything that changed, of a baseline that takes the place of the other."""
        changed = [*self.refusals, *self._account("added")] or ["the same lists and judgments as before"]
        return [text.rstrip(".") for text in changed]

    def _account(self, new: str) -> list[str]:
        added = f"{plural(len(self.added), 'query')} {new}: {listed(self.added)}"
        emptied = [f"{query} ({how})" for query, how in self.emptied]
        none = f"{plural(len(emptied), 'query')} with results before and none now: {listed(emptied)}"
        others = [query for query in self.lists if query not in dict(self.emptied)]
        lists = f"results changed in {plural(len(others), 'query')}: {listed(others)}"
        sentences = ((emptied, none), (others, lists), (self.added, added))
        return [*(text for names, text in sentences if names), *self.notes]


def differences(before: Baseline, after: Baseline) -> Differences:
    """Compare two baselines, under the measures of the second."""
    both = [query for query in before.queries if query in after.queries]
    pairs = [(query, before.queries[query], after.queries[query]) for query in both]
    return Differences(
        decisions=tuple(_decision_changes(before, after)),
        judgments=tuple((q, _judgment_changes(old, new)) for q, old, new in pairs if old.judgments != new.judgments),
        weights=tuple(q for q, old, new in pairs if old.weight != new.weight),
        gone=tuple(query for query in before.queries if query not in after.queries),
        added=tuple(query for query in after.queries if query not in before.queries),
        corpus=_why_another_corpus(before, after),
        notes=tuple(_notes(before, after)),
        lists=tuple(q for q, old, new in pairs if old.list != new.list),
        emptied=tuple((q, _how_it_counts(new)) for q, old, new in pairs if now_empty(old, new)),
        both=len(both),
    )


def now_empty(old: BaselineQuery, new: BaselineQuery) -> bool:
    """Whether a query had results and returns nothing now, though its search did not fail."""
    return bool(old.results) and not new.results and not new.failed


def _how_it_counts(row: BaselineQuery) -> str:
    """Say how a query without results counts."""
    values = sorted({value for value in row.values.values() if value is not None})
    return f"scored {', '.join(f'{value:.4g}' for value in values)}" if values else "left out"


def _decision_changes(before: Baseline, after: Baseline) -> Iterator[str]:
    for name, fingerprint in after.measures.items():
        if name not in before.measures:
            yield f"The baseline has no values of {name}, only of {', '.join(before.measures)}."
        elif before.measures[name] != fingerprint:
            yield f"{name} was computed with other decisions: {answers_changed(before, after, name)}."
    read = any(after.measure(name).reads_top for name in after.measures)
    if read and before.max_grade != after.max_grade:
        yield f"The highest grade is {after.max_grade:g}, and was {before.max_grade:g}."


def answers_changed(before: Baseline, after: Baseline, name: str) -> str:
    """Say which decisions of a measure have another answer, from what to what."""
    old, new = before.measure(name).decisions, after.measure(name).decisions
    named = [each for each in new.departures(old) if f"{each}={new.text(each)}" in after.measures[name]]
    return ", ".join(f"{each} was {old.text(each)} and is {new.text(each)}" for each in named) or "its parameters"


def _judgment_changes(old: BaselineQuery, new: BaselineQuery) -> str:
    """Say how judgments changed, as far as counts tell: how many there are, and how many more of each grade."""
    moves = {grade: new.grades.get(grade, 0) - old.grades.get(grade, 0) for grade in {**old.grades, **new.grades}}
    more = [f"{abs(by)} {'more' if by > 0 else 'fewer'} of grade {grade}" for grade, by in moves.items() if by]
    many = f"{old.judged} → {new.judged} judged" if old.judged != new.judged else f"{new.judged} judged as before"
    return f"{many}, {' and '.join(more) or 'as many of each grade, for other documents'}"


def _why_another_corpus(before: Baseline, after: Baseline) -> str:
    """Say why it is another collection: no document in common, or an index of another size."""
    old, new = before.corpus, after.corpus
    if min(old.seen, new.seen) >= FEWEST and not shared(old.sketch, new.sketch):
        return (
            f"It seems to be another collection: none of the {plural(new.seen, 'document')} returned now "
            f"is among the {old.seen:,} that were returned then."
        )
    if old.documents and new.documents and abs(new.documents - old.documents) > GROWN * old.documents:
        return f"It is another collection: the index has {new.documents:,} documents, and had {old.documents:,}."
    return ""


def _notes(before: Baseline, after: Baseline) -> Iterator[str]:
    old, new = before.corpus, after.corpus
    if old.documents and new.documents and old.documents != new.documents:
        grown = f"the index has {new.documents:,} documents, and had {old.documents:,}"
        yield f"{grown}: part of a change may be due to that"
    if old.index and new.index and old.index != new.index:
        yield f"the index is {new.index}, and was {old.index}"
    if before.version != after.version:
        yield f"the baseline is from idealrank {before.version}, and this is {after.version}"
    if before.unjudged != after.unjudged:
        yield f"{plural(after.unjudged, 'query')} with results but no judgments, and {before.unjudged} then"


def means_changed(before: Baseline, after: Baseline, names: Sequence[str]) -> list[tuple[str, str]]:
    """Say how the means moved, measure by measure."""
    return [
        (name, f"{decimal(before.mean(name))} → {decimal(after.mean(name))}" if name in before.measures else "new")
        for name in names
    ]
