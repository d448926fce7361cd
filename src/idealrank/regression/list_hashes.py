"""Hashes of lists and judgments, query by query, and a sketch of the documents that were seen."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.ids import id_text
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.question import answer_text
from idealrank.judged_lists.join import SystemLists

if TYPE_CHECKING:
    from numpy.typing import NDArray

SKETCH = 128
"""Hashes in a sketch, at most: a share in common is known to about 4 points."""

_TIED = ("average", "best", "worst")
"""Answers to `ties` under which equal scores count, and not only the order that was made of them."""


def digest(value: object) -> str:
    """Return 16 hexadecimal digits for a value of JSON.

    Examples
    --------
    >>> digest(["d1", "d2"]), digest(["d2", "d1"])
    ('c2be536a86a1e417', 'ecf7c06ff0f5a2c3')
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def returned_documents(joined: SystemLists) -> list[list[str]]:
    """Return the documents of each judged query in their order, of lists in which every result is a hit."""
    lists, column = joined.lists, joined.results.source.ids(joined.results.doc)
    names = list(map(id_text, column.to_list(np.maximum(lists.row, 0)))) if len(lists.row) else []
    return [names[a:b] for a, b in _bounds(lists.hit_start)]


def list_hashes(joined: SystemLists, decisions: Decisions, documents: Sequence[Sequence[str]]) -> list[str]:
    """Return the hash of each list: its documents with their ranks, "" for an empty one.

    Equal scores count where `ties` reads them, and the places of chunks where judgments are spans.
    """
    lists = joined.lists
    columns = [lists.rank, *([lists.tie_first] if decisions.ties in _TIED else [])]
    columns += [] if joined.spans is None else list(joined.spans.chunks.at(np.maximum(lists.row, 0)))[1:]
    numbers = np.column_stack(columns).tolist()
    return [
        digest([[doc, *row] for doc, row in zip(docs, numbers[a:b], strict=True)]) if docs else ""
        for docs, (a, b) in zip(documents, _bounds(lists.hit_start), strict=True)
    ]


def judgment_rows(joined: SystemLists) -> list[list[list[Any]]]:
    """Return the judgments of each query, by id: document, grade, and its subtopics or its span."""
    pool = joined.pool
    docs = pool.docs(np.arange(len(pool.grade)))
    rows: list[list[Any]] = [[doc, answer_text(grade)] for doc, grade in zip(docs, pool.grade.tolist(), strict=True)]
    for row, more in zip(rows, _subtopics(joined, len(rows)), strict=True):
        row += more
    if joined.spans is not None:
        for row, begin, end in zip(rows, *(each.tolist() for each in joined.spans.judged[1:]), strict=True):
            row += [begin, end]
    return [sorted(rows[a:b], key=json.dumps) for a, b in _bounds(pool.start)]


def _subtopics(joined: SystemLists, many: int) -> Iterable[list[Any]]:
    """Return the grade under each subtopic, by its name, of every judgment."""
    subtopics = joined.subtopics()
    if subtopics is None:
        return ([] for _ in range(many))
    column = joined.judgments.source.ids(joined.judgments.roles.required("subtopic"))
    names = [id_text(name) for name in column.codes()[1].to_list()]
    return (
        sorted(
            [names[s], g] for s, g in zip(subtopics.subtopic[a:b].tolist(), subtopics.grade[a:b].tolist(), strict=True)
        )
        for a, b in _bounds(subtopics.start)
    )


def hashed(documents: Iterable[str]) -> NDArray[np.uint64]:
    """Return the hashes of different ids, in order; no two of many millions are alike."""
    return np.array(sorted(int(digest(doc), 16) for doc in set(documents)), np.uint64)


def sketch_of(hashes: NDArray[np.uint64]) -> tuple[str, ...]:
    """Return the lowest hashes of different ids: two sketches tell how many of both have in common.

    Source: bottom-k sketches, Broder (1997), On the resemblance and containment of documents.

    Parameters
    ----------
    hashes
        What `hashed` returned.
    """
    return tuple(f"{first:08x}" for first in np.unique(hashes >> np.uint64(32))[:SKETCH].tolist())


def shared(a: Sequence[str], b: Sequence[str]) -> float:
    """Estimate the share of documents that two sketches have in common, of those in either.

    Examples
    --------
    >>> ids = [f"d{i}" for i in range(20)]
    >>> first, mixed, last = (sketch_of(hashed(each)) for each in (ids[:10], ids[5:15], ids[10:]))
    >>> shared(first, mixed), shared(first, last)
    (0.3333333333333333, 0.0)
    """
    lowest = heapq.nsmallest(SKETCH, {*a, *b})
    return len({*a}.intersection(b).intersection(lowest)) / len(lowest) if lowest else 1.0


def _bounds(start: Ints) -> list[tuple[int, int]]:
    return list(zip(start[:-1].tolist(), start[1:].tolist(), strict=True))
