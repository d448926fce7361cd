"""How results meet judgments: which ids are in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from idealrank.data.recognition.recognized import Counted, Recognized
from idealrank.display.amounts import percent
from idealrank.errors import plural


class Joined(NamedTuple):
    """How a file of results meets a file of judgments.

    Attributes
    ----------
    judged_queries, returned_queries, queries_in_both
        Numbers of queries.
    judged_share
        The share of results of these queries that have a judgment.
    seen_share
        The share of returned documents that are judged for any query.
    example
        A query of the results and one of the judgments, if none is in both.
    """

    judgments: str
    results: str
    judged_queries: int
    returned_queries: int
    queries_in_both: int
    judged_share: float | None
    seen_share: float | None
    example: tuple[str, str] | None

    @property
    def line(self) -> str:
        """The same in words."""
        if self.example is not None:
            theirs, ours = self.example
            return (
                f"no query of {self.results} is judged in {self.judgments}: the ids look like {theirs!r} there "
                f"and like {ours!r} here"
            )
        parts = [f"{self.results}: {self.queries_in_both} of {plural(self.judged_queries, 'judged query')} returned"]
        if unjudged := self.returned_queries - self.queries_in_both:
            parts.append(f"{plural(unjudged, 'query')} without judgments")
        if self.judged_share is not None and self.seen_share is not None:
            parts.append(f"{percent(self.judged_share)} of their results are judged")
            parts.append(f"{percent(self.seen_share)} of the returned documents are judged for some query")
        return "; ".join(parts)


def joined(files: Sequence[Recognized]) -> Iterator[Joined]:
    """Yield how each file of results meets the first file of judgments."""
    first = next((file for file in files if file.judgments is not None), None)
    if first is None or first.judgments is None:
        return
    for file in files:
        if file.results is not None and file is not first:
            yield _joined(first.name, first.judgments, file.name, file.results)


def _joined(ours: str, judged: Counted, theirs: str, returned: Counted) -> Joined:
    both = judged.queries & returned.queries
    example = None if both else (min(returned.queries, default=""), min(judged.queries, default=""))
    pairs = [pair for pair in returned.pairs if pair[0] in both]
    share = sum(pair in judged.pairs for pair in pairs) / len(pairs) if pairs else None
    seen = len(returned.documents & judged.documents) / len(returned.documents) if returned.documents else None
    return Joined(ours, theirs, len(judged.queries), len(returned.queries), len(both), share, seen, example)
