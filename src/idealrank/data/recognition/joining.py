"""How results meet judgments: which ids are in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from idealrank.data.queries import Queries
from idealrank.data.query_texts import joined_by_text
from idealrank.data.recognition.contents import Contents
from idealrank.data.recognition.recognized import Counted, Recognized, results_counted
from idealrank.display.amounts import percent
from idealrank.errors import listed, plural


class Joined(NamedTuple):
    """How a file of results meets a file of judgments.

    Attributes
    ----------
    judged_queries, returned_queries, queries_in_both
        Numbers of queries: with a grade, with a document in the results, and with both.
    unreturned, unjudged
        The judged queries for which nothing was returned, and the queries of the results that are not judged.
    judged_share
        The share of results of these queries that have a judgment.
    seen_share
        The share of returned documents that are judged for any query.
    example
        A query of the results and one of the judgments, if none is in both.
    notes
        How the queries were joined, if not by their ids.
    """

    judgments: str
    results: str
    judged_queries: int
    returned_queries: int
    queries_in_both: int
    unreturned: tuple[str, ...]
    unjudged: tuple[str, ...]
    judged_share: float | None
    seen_share: float | None
    example: tuple[str, str] | None
    notes: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The same in words."""
        if self.example is not None:
            theirs, ours = self.example
            return (
                f"no query of {self.results} is judged in {self.judgments}: the ids look like {theirs!r} there "
                f"and like {ours!r} here"
            )
        missing = f" (not {listed(self.unreturned)})" if self.unreturned else ""
        parts = [
            f"{self.results}: {self.queries_in_both} of {plural(self.judged_queries, 'judged query')} returned{missing}"
        ]
        if self.unjudged:
            parts.append(f"{plural(len(self.unjudged), 'query')} without judgments ({listed(self.unjudged)})")
        if self.judged_share is not None and self.seen_share is not None:
            parts.append(f"{percent(self.judged_share)} of the results of judged queries are judged")
            parts.append(f"{percent(self.seen_share)} of the returned documents are judged for some query")
        return "; ".join([*parts, *self.notes])


def joined(files: Sequence[Recognized]) -> Iterator[Joined]:
    """Yield how each file of results meets the first file of judgments."""
    first = next((file for file in files if file.judgments is not None), None)
    if first is None or first.judgments is None:
        return
    queries = next((file.contents.queries for file in files if file.contents.queries is not None), Queries())
    for file in files:
        if file.results is not None and file is not first:
            yield _joined(first.name, first.judgments, file.name, *_counted(first.contents, file, queries))


def _counted(judged: Contents, file: Recognized, queries: Queries) -> tuple[Counted, tuple[str, ...]]:
    """Return the results of a file with the queries as the judgments call them, and notes about that."""
    results = file.contents.results
    assert results is not None
    assert file.results is not None
    assert judged.judgments is not None
    (renamed,), _ = joined_by_text(judged.judgments, [results], queries)
    if renamed is results:
        return file.results, ()
    return results_counted(renamed.rows_to_write()), renamed.source.notes[len(results.source.notes) :]


def _joined(ours: str, judged: Counted, theirs: str, returned: Counted, notes: tuple[str, ...]) -> Joined:
    known, both = judged.answered, judged.answered & returned.answered
    example = None if known & returned.queries else (min(returned.queries, default=""), min(known, default=""))
    pairs = [pair for pair in returned.pairs if pair[0] in both]
    share = sum(pair in judged.pairs for pair in pairs) / len(pairs) if pairs else None
    graded = {doc for _, doc in judged.pairs}
    seen = len(returned.documents & graded) / len(returned.documents) if returned.documents else None
    counts = len(known), len(returned.answered), len(both)
    unreturned, unjudged = tuple(sorted(known - both)), tuple(sorted(returned.queries - known))
    return Joined(ours, theirs, *counts, unreturned, unjudged, share, seen, example, notes)
