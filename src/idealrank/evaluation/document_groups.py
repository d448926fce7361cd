"""Groups of documents: each document is in one, by its value in a column of the documents table."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from idealrank.arrays import Ints, Kept, Mask
from idealrank.data.documents import Documents
from idealrank.data.formats.messages import quoted
from idealrank.data.ids import id_text
from idealrank.data.spans import spans_of
from idealrank.errors import DataError, either
from idealrank.evaluation.groups import NO_VALUE, natural
from idealrank.evaluation.values import Values
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.meeting import Met

MOST = 100
"""Most segments a column may make."""


@dataclass(frozen=True, eq=False)
class DocumentGroups:
    """Which group each document is in.

    Attributes
    ----------
    names
        The groups that judged documents are in, in the order they are shown.
    values
        ``{document: value}`` of the whole table; None where it has no value.
    judged, absent, empty
        Number of judged documents, of those that are not in the table, and of those without a value there.
    """

    names: tuple[str, ...]
    values: dict[str, str | None]
    judged: int
    absent: int
    empty: int
    kept: Kept = field(default_factory=Kept, repr=False)

    def of(self, docs: Sequence[str | None]) -> Ints:
        """Return the index of the group of each document; None is no document."""
        places = {name: place for place, name in enumerate(self.names)}
        return np.array([places[_name(self.values, doc)] for doc in docs], np.int64)

    def judgments(self, met: Met) -> Ints:
        """(J,) the group of every judged document, by its index in the pool."""
        return self.kept.once(met.pool, lambda: self.of(_judged(met)))

    def hits(self, met: Met, lists: JudgedLists) -> Ints:
        """(H,) the group of every hit; -1 of those without a grade."""
        judged, assumed = lists.entry >= 0, _assumed(lists)
        codes = np.full(len(lists.entry), -1)
        codes[judged] = self.judgments(met)[lists.entry[judged]]
        codes[assumed] = self.of(_named(met, lists.row[assumed]))
        return codes


def document_groups(scores: Values, documents: Documents, column: str) -> DocumentGroups:
    """Group the judged documents, and the results with an assumed grade, by a column of the documents table.

    Raises
    ------
    NoColumnError
        If there is no such column.
    DataError
        If a document has two values, no judged document is in the table, or there are more than 100 groups.
    """
    values = documents.column(column, scores.setting.decisions.duplicates)
    judged = dict.fromkeys(itertools.chain.from_iterable(map(_judged, _pools(scores))))
    _refuse_strangers(documents.name, list(values), list(judged))
    names = {_name(values, doc) for doc in itertools.chain(judged, _docs_assumed(scores))}
    _refuse_many(documents.name, column, len(names - {NO_VALUE}))
    absent = sum(doc not in values for doc in judged)
    empty = sum(_name(values, doc) == NO_VALUE for doc in judged) - absent
    return DocumentGroups(tuple(sorted(names, key=natural)), values, len(judged), absent, empty)


def _name(values: dict[str, str | None], doc: str | None) -> str:
    return values.get(doc or "") or NO_VALUE


def _pools(scores: Values) -> list[Met]:
    """Return a meeting per set of judgments that the measures see."""
    return list({id(met.pool): met for met in (scores.met_for(0, measure) for measure in scores.measures)}.values())


def _judged(met: Met) -> list[str]:
    names = met.pool.docs(np.arange(len(met.pool.grade)))
    return names if met.spans is None else [name.rpartition("[")[0] for name in names]


def _assumed(lists: JudgedLists) -> Mask:
    """(H,) which hits have a grade although nobody judged them: by `unjudged`."""
    return (lists.entry < 0) & ~np.isnan(lists.grade)


def _docs_assumed(scores: Values) -> Iterator[str | None]:
    for s, measure in itertools.product(range(len(scores.systems)), scores.measures):
        if isinstance(measure.on_lists.unjudged, float):
            met = scores.met_for(s, measure)
            lists = arranged(met.lists, measure.on_lists)
            yield from _named(met, lists.row[_assumed(lists)])


def _named(met: Met, rows: Ints) -> list[str | None]:
    """Name the document of each row of the results; None for a rank that was left out."""
    there = rows[rows >= 0]
    names = iter(met.run.docs(there) if met.spans is None else map(id_text, spans_of(met.results).docs.to_list(there)))
    return [next(names) if row >= 0 else None for row in rows.tolist()]


def _refuse_strangers(table: str, listed: Sequence[str], judged: Sequence[str]) -> None:
    if set(listed).isdisjoint(judged):
        there = f"like {quoted(listed[0])} there" if listed else "like nothing there"
        way = either("call the column of its ids doc_id", "name its column of ids: --doc-col documents:NAME")
        raise DataError(
            f"{table}: this table has none of the judged documents. Ids look {there}, and like {quoted(judged[0])} in "
            f"the judgments. Give a table with the same ids, or {way}."
        )


def _refuse_many(table: str, column: str, many: int) -> None:
    if many > MOST:
        raise DataError(
            f"{table}: the judged documents have {many} values in the column {column}, and segments are made of at "
            f"most {MOST}. Choose a column with fewer values, or add one: the year of a date, the site of an address."
        )
