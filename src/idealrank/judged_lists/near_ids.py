"""Whether results and judgments share ids, and ids that would match if spelled alike."""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from idealrank.data.formats.messages import quoted
from idealrank.data.formats.shapes.query import NUMBERED
from idealrank.data.query_texts import Renamed
from idealrank.errors import StrangersError, either, option, plural
from idealrank.judged_lists.meeting import Met
from idealrank.judged_lists.near_documents import documents_in_words, near_documents
from idealrank.judged_lists.near_spellings import Near, near

MOST = 5000
"""Most ids on either side that are compared by spelling."""

_DOCUMENTS = 500
"""Number of documents that are searched for ids that contain one another."""

_ENDS = re.compile(r"(?<=.)[-_.:#/]")
"""Characters that may separate a document's id from the rest of a passage id."""


def near_queries(met: Met) -> Near | None:
    """Compare the queries only returned with those only judged; by their texts, where the tables met by texts."""
    theirs, empty = met.unjudged_queries[:MOST], np.flatnonzero(met.judged.returned == 0)[:MOST]
    if not theirs or not len(empty):
        return None
    queries = met.queries
    texts = met.results.texts[0] if _by_text(met) else {}
    return near([texts.get(query, query) for query in theirs], [queries[q] for q in empty])


def _by_text(met: Met) -> bool:
    """Whether results with ids of queries met judgments with their texts."""
    return isinstance(met.results.source, Renamed)


def near_misses(met: Met) -> Iterator[str]:
    """Yield a sentence on the queries and on the documents that differ only in spelling."""
    if (queries := near_queries(met)) is not None:
        yield queries_in_words(queries, "query text" if _by_text(met) else "query id")
    yield from documents_in_words(near_documents(met))
    if met.run.results and not int(met.judged.hit_start[-1]):
        yield nothing_judged(met, met.run.results)


def queries_in_words(queries: Near, noun: str = "query id") -> str:
    """Say which queries differ only in spelling."""
    ids = plural(queries.many, noun)
    return f"{ids} equal in results and judgments except for {queries.by} ({queries.text}); not joined"


def nothing_judged(met: Met, results: int) -> str:
    """Say that none of so many results is judged, and what ids look like on either side."""
    apart = _first_documents(met)
    ids = f"document ids look like {_looks(apart.theirs)}, and in {met.judgments.name} like {_looks(apart.ours)}"
    return f"nothing returned is judged ({plural(results, 'result')}): {ids}"


def _first_documents(met: Met) -> Near:
    """Return the first document of either side, which do not look alike."""
    judged = met.pool.docs(np.zeros(min(1, len(met.pool.grade)), np.int64))
    return Near(0, met.first_result if met.run.results else "", _first(judged), "")


def refuse_strangers(met: Met) -> None:
    """Refuse results if nothing in them is judged; a single query may well have returned only unjudged documents.

    Raises
    ------
    DataError
        The message shows how ids look on either side.
    """
    if met.run.results == 0 or int(met.judged.hit_start[-1]):
        return  # of spans every chunk is a hit: `spans_between` compares their documents
    common = int((met.judged.returned > 0).sum())
    if common == 0:
        raise strange_queries(met, met.run.queries, met.queries, near_queries(met))
    alike = near_documents(met)
    if common == met.size == 1 and alike is None:
        return
    raise strange_documents(met, met.run.results, alike)


def strange_queries(met: Met, returned: Sequence[str], judged: Sequence[str], alike: Near | None) -> StrangersError:
    """Build the error for results of queries none of which is judged."""
    return _strangers(met, len(returned), "query", alike or Near(0, _first(returned), _first(judged), ""))


def strange_documents(met: Met, results: int, alike: Near | None) -> StrangersError:
    """Build the error for results of judged queries, none of which is judged itself."""
    return _strangers(met, results, "result", alike or _first_documents(met))


def _strangers(met: Met, count: int, noun: str, seen: Near) -> StrangersError:
    there, here = met.results.name, met.judgments.name
    if len(met.results.systems) > 1 and not met.pooled:
        there += f" of system {met.system!r}"
    many = f"None of the {count} {plural(2, noun)[2:]}" if count > 1 else f"The one {noun}"
    nothing = {"query": ("has judgments", "has no judgments"), "result": ("is judged", "is not judged")}[noun]
    ids = "query ids" if noun == "query" else "document ids"
    way = "Use the same ids, or name the columns"
    if seen.by:
        why = f"{ids} differ by {seen.by}: {quoted(seen.theirs)} there and {quoted(seen.ours)} in {here}"
    elif noun == "query" and NUMBERED in met.results.source.notes:
        why = f"query ids there are positions of responses (1, 2, …), and in {here} they look like {_looks(seen.ours)}"
        table = either("queries=…", "--queries-table FILE")
        way = f"Give a table of the queries in that order, with columns id (1, 2, …) and query: {table}"
    elif noun == "result" and (part := _holding(met)) is not None:
        why = f"{ids} contain one another: {quoted(part.theirs)} there and {quoted(part.ours)} in {here}"
        way = _unit_way(part)
    else:
        why = f"{ids} look like {_looks(seen.theirs)} there and like {_looks(seen.ours)} in {here}"
    return StrangersError(f"{many} in {there} {nothing[0 if count > 1 else 1]}: {why}. {way}.")


def _unit_way(part: Near) -> str:
    """Say how to score parts by what they are parts of."""
    if not part.theirs.startswith(part.ours):
        return "Use the same ids, or name the columns"
    rest = part.theirs[len(part.ours) :]
    sign = rest[: len(rest) - len(rest.lstrip("#_-/:.|"))] or rest[0]
    pieces = part.ours.count(sign)
    rule = f"before({sign})" if part.theirs.rpartition(sign)[0] == part.ours else _first_pieces(sign, pieces)
    return f"If results are parts of what is judged, say so: {option('unit', rule)}; else use the same ids"


def _first_pieces(sign: str, pieces: int) -> str:
    """Return the rule for ids of which so many pieces and one more, between signs, are the unit."""
    other, end = f"[^{re.escape(sign[0])}]+", re.escape(sign)
    return f"match(^({other}{f'(?:{end}{other}){{{pieces}}}' if pieces else ''}){end}.*$)"


def _holding(met: Met) -> Near | None:
    """Find a document of the results whose id begins with a judged id, or vice versa, as with passages."""
    theirs, ours = met.run.docs(np.arange(min(met.run.results, _DOCUMENTS))), _some_judged(met)
    mine = set(ours)
    for text in theirs:
        for end in _ENDS.finditer(text):
            if text[: end.start()] in mine:
                return Near(1, text, text[: end.start()], "")
    returned = set(theirs)
    for text in ours:
        for end in _ENDS.finditer(text):
            if text[: end.start()] in returned:
                return Near(1, text[: end.start()], text, "")
    return None


def _some_judged(met: Met) -> list[str]:
    return met.pool.docs(np.arange(min(len(met.pool.grade), MOST)))


def _first(ids: Iterable[str]) -> str:
    return next(iter(ids), "")


def _looks(key: str) -> str:
    return f"{key} (a number)" if re.fullmatch(r"-?(0|[1-9]\d*)", key) else f"{quoted(key)} (text)"
