"""Ids that almost match: whether results and judgments share ids, and which would match if they were spelled alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from idealrank.data.formats.folders import ANSWERS_NOTE
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.nested_plan import NUMBERED
from idealrank.data.ids import id_text
from idealrank.data.queries import Queries
from idealrank.errors import DataError, StrangersError, either, option, plural, quoted_option
from idealrank.judged_lists.join import SystemLists

MOST = 5000
"""Most ids on either side that are compared by spelling."""

_DOCUMENTS = 500
"""Number of documents that are searched for ids that contain one another."""

_ENDS = r"(?<=.)[-_.:#/]"
"""Characters that may separate a document's id from the rest of a passage id."""


class SpellingMatch(NamedTuple):
    """Ids of results that differ from judged ones only in spelling: how many, an example, and how they differ."""

    many: int
    theirs: str
    ours: str
    by: str
    of: int = 0
    """Number compared, if not all were."""

    @property
    def text(self) -> str:
        """The example in words."""
        return f"{quoted(self.theirs)} returned, {quoted(self.ours)} judged"


def near_queries(joined: SystemLists) -> SpellingMatch | None:
    """Compare the queries only returned with those only judged; by their texts, where the tables met by texts."""
    theirs, empty = joined.unjudged_queries[:MOST], np.flatnonzero(joined.judged.returned == 0)[:MOST]
    if not theirs or not len(empty):
        return None
    queries = joined.queries
    texts = joined.results.texts[0] if _is_joined_by_text(joined) else {}
    return match_spellings([texts.get(query, query) for query in theirs], [queries[q] for q in empty])


def _is_joined_by_text(joined: SystemLists) -> bool:
    """Whether results with ids of queries met judgments with their texts."""
    return joined.results.source.joined_by_text


def near_misses(joined: SystemLists) -> Iterator[str]:
    """Yield a sentence on the queries and on the documents that differ only in spelling."""
    if (queries := near_queries(joined)) is not None:
        yield queries_in_words(queries, "query text" if _is_joined_by_text(joined) else "query id")
    yield from documents_in_words(match_documents(unmatched_documents(joined)))
    if joined.run.results and not int(joined.judged.hit_start[-1]):
        yield nothing_judged(joined, joined.run.results)


def queries_in_words(queries: SpellingMatch, noun: str = "query id") -> str:
    """Say which queries differ only in spelling."""
    ids = plural(queries.many, noun)
    return f"{ids} equal in results and judgments except for {queries.by} ({queries.text}); not joined"


def nothing_judged(joined: SystemLists, results: int) -> str:
    """Say that none of so many results is judged, and what ids look like on either side."""
    unmatched = _first_documents(joined)
    theirs, ours = _describe_id(unmatched.theirs), _describe_id(unmatched.ours)
    ids = f"document ids look like {theirs}, and in {joined.judgments.name} like {ours}"
    return f"nothing returned is judged ({plural(results, 'result')}): {ids}"


def _first_documents(joined: SystemLists) -> SpellingMatch:
    """Return the first document of either side, which do not look alike."""
    judged = joined.pool.docs(np.zeros(min(1, len(joined.pool.grade)), np.int64))
    return SpellingMatch(0, joined.first_result if joined.run.results else "", _first_id(judged), "")


def refuse_strangers(joined: SystemLists, queries: Queries | None = None) -> None:
    """Refuse results if nothing in them is judged; a single query may well have returned only unjudged documents.

    Parameters
    ----------
    queries
        The table of queries, which may have both names of a query and was not joined.

    Raises
    ------
    DataError
        The message shows how ids look on either side.
    """
    if joined.run.results == 0:
        return
    if int(joined.judged.hit_start[-1]):  # of spans every chunk is a hit: `spans_between` compares their documents
        _refuse_lists_in_cells(joined)
        return
    common = int((joined.judged.returned > 0).sum())
    if common == 0:
        raise strange_queries(joined, joined.run.queries, joined.queries, near_queries(joined), queries)
    alike = match_documents(unmatched_documents(joined))
    if common == joined.size == 1 and alike is None:
        return
    raise strange_documents(joined, joined.run.results, alike)


def strange_queries(
    joined: SystemLists,
    returned: Sequence[str],
    judged: Sequence[str],
    alike: SpellingMatch | None,
    queries: Queries | None = None,
) -> StrangersError:
    """Build the error for results of queries none of which is judged."""
    seen = alike or SpellingMatch(0, _first_id(returned), _first_id(judged), "")
    way = "" if queries is None else _join_way(queries, frozenset(returned), frozenset(judged))
    return _strangers_error(joined, len(returned), "query", seen, way)


def _join_way(queries: Queries, returned: Collection[str], judged: Collection[str]) -> str:
    """Say how a table of queries is joined that has the names of both sides in two columns; "" where it has not."""
    for table in queries.tables:
        columns = {name: set(map(id_text, queries.attributes[name].values())) for name in table.columns}
        columns[table.key] = {*queries.ids, *columns.get(table.key, ())}
        theirs, ours = (_most_shared(columns, names) for names in (returned, judged))
        if theirs and ours and theirs != ours:
            typed = f"{quoted_option('query-col', f'queries:{theirs}')} {quoted_option('text-col', f'queries:{ours}')}"
            way = either(f"rename {theirs} to query_id and {ours} to query", typed)
            return f"{table.name} has both, in {theirs} and {ours}, but was read by {table.key}: {way}"
    return ""


def _most_shared(columns: Mapping[str, Collection[str]], names: Collection[str]) -> str:
    """Return the column with most of some names; "" where none has one."""
    counts = {column: len(set(names) & set(values)) for column, values in columns.items()}
    best = max(counts, key=lambda column: counts[column], default="")
    return best if counts.get(best) else ""


def strange_documents(joined: SystemLists, results: int, alike: SpellingMatch | None) -> StrangersError:
    """Build the error for results of judged queries, none of which is judged itself."""
    return _strangers_error(joined, results, "result", alike or _first_documents(joined))


def _strangers_error(
    joined: SystemLists, count: int, noun: str, seen: SpellingMatch, way_to_join: str = ""
) -> StrangersError:
    there, here = joined.results.name, joined.judgments.name
    if len(joined.results.systems) > 1 and not joined.pooled:
        there += f" of system {joined.system!r}"
    many = f"None of the {count} {plural(2, noun)[2:]}" if count > 1 else f"The one {noun}"
    nothing = {"query": ("has judgments", "has no judgments"), "result": ("is judged", "is not judged")}[noun]
    ids = "query ids" if noun == "query" else "document ids"
    way = "Use the same ids, or name the columns"
    if seen.by:
        why = f"{ids} differ by {seen.by}: {quoted(seen.theirs)} there and {quoted(seen.ours)} in {here}"
        way = "Use the same ids: idealrank doctor, with these files and --fix FOLDER, writes copies that have them"
    elif noun == "query" and NUMBERED in joined.results.source.notes:
        ours = _describe_id(seen.ours)
        why = f"query ids there are positions of responses (1, 2, …), and in {here} they look like {ours}"
        table = either("queries=…", "--queries-table FILE")
        way = f"Give a table of the queries in that order, with columns id (1, 2, …) and query: {table}"
    elif noun == "result" and (part := _find_containing(joined)) is not None:
        why = f"{ids} contain one another: {quoted(part.theirs)} there and {quoted(part.ours)} in {here}"
        way = _unit_way(part)
    elif noun == "result" and (cell := _find_cell_of_ids(joined)) is not None:
        why, way = cell.why, cell.way
    else:
        why = f"{ids} look like {_describe_id(seen.theirs)} there and like {_describe_id(seen.ours)} in {here}"
        if noun == "query" and ANSWERS_NOTE in joined.results.source.notes:
            why += f"; {quoted(seen.theirs)} is the name of a file in {joined.results.name}"
            way = "Call the files as the queries are; one file {query: answer} may have ids that no name of a file can"
        way = way_to_join or way
    return StrangersError(f"{many} in {there} {nothing[0 if count > 1 else 1]}: {why}. {way}.")


def _unit_way(part: SpellingMatch) -> str:
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


class _CellOfIds(NamedTuple):
    """A document of a table whose id is several between blanks, and what to call their column."""

    table: str
    text: str
    name: str

    @property
    def why(self) -> str:
        return f"{quoted(self.text)} in {self.table} has several ids, one of which is in the other table"

    @property
    def way(self) -> str:
        return f"Call the column {self.name}, and each of its cells is read as a list"


_SEVERAL = r"[^\s,;]*\d[^\s,;]*(?:\s+[^\s,;]*\d[^\s,;]*)+"
"""Ids between blanks: each has a digit, as the words of a title do not."""


def _refuse_lists_in_cells(joined: SystemLists) -> None:
    """Refuse a table most of whose documents are several ids: only its cells of a single id meet the other table.

    Raises
    ------
    DataError
        The message says what to call the column.
    """
    cell = _find_cell_of_ids(joined)
    if cell is None:
        return
    several = re.compile(_SEVERAL)
    many = [
        sum(several.fullmatch(text) is not None for text in ids) / max(len(ids), 1)
        for ids in (_returned_documents(joined), _judged_documents(joined))
    ]
    if max(many) > 0.5 and min(many) == 0:
        raise DataError(f"Most documents of {cell.table} are lists: {cell.why}. {cell.way}.")


def _find_cell_of_ids(joined: SystemLists) -> _CellOfIds | None:
    """Find an id that is several between blanks, one of them an id of the other table."""
    theirs, ours = _returned_documents(joined), _judged_documents(joined)
    if all(len("".join(texts).split(None, 1)) < 2 for texts in (theirs, ours)):
        return None  # as nearly always: no id has a blank
    for name, texts, others, called in (
        (joined.results.name, theirs, {*ours}, "retrieved_ids"),
        (joined.judgments.name, ours, {*theirs}, "relevant_ids"),
    ):
        for text in texts:
            if len(parts := text.split()) > 1 and not others.isdisjoint(parts):
                return _CellOfIds(name, text, called)
    return None


def _find_containing(joined: SystemLists) -> SpellingMatch | None:
    """Find a document of the results whose id begins with a judged id, or vice versa, as with passages."""
    theirs, ours = _returned_documents(joined), _judged_documents(joined)
    mine = set(ours)
    for text in theirs:
        for end in re.finditer(_ENDS, text):
            if text[: end.start()] in mine:
                return SpellingMatch(1, text, text[: end.start()], "")
    returned = set(theirs)
    for text in ours:
        for end in re.finditer(_ENDS, text):
            if text[: end.start()] in returned:
                return SpellingMatch(1, text[: end.start()], text, "")
    return None


def _returned_documents(joined: SystemLists) -> list[str]:
    return joined.run.docs(np.arange(min(joined.run.results, _DOCUMENTS)))


def _judged_documents(joined: SystemLists) -> list[str]:
    return joined.pool.docs(np.arange(min(len(joined.pool.grade), MOST)))


def _first_id(ids: Iterable[str]) -> str:
    return next(iter(ids), "")


def _describe_id(key: str) -> str:
    return f"{key} (a number)" if re.fullmatch(r"-?(0|[1-9]\d*)", key) else f"{quoted(key)} (text)"


# Documents, in the first queries that miss some.


FEW_QUERIES = 20
"""Queries whose documents are compared by spelling."""


class UnmatchedDocuments(NamedTuple):
    """The unjudged results of a query, and its judged documents that were not returned."""

    query: str
    theirs: list[str]
    ours: list[str]


def unmatched_documents(joined: SystemLists) -> list[UnmatchedDocuments]:
    """Return them of the first queries that have both, as many as are compared."""
    hits, returned, judged = np.diff(joined.judged.hit_start), joined.judged.returned, np.diff(joined.pool.start)
    both = np.flatnonzero((returned > hits) & (judged > hits))[:FEW_QUERIES]
    documents = np.cumsum((returned + judged - 2 * hits)[both])
    places = both[: 1 + int(np.searchsorted(documents, _DOCUMENTS))]
    names, every = joined.queries, joined.every_result_of(places) if len(places) else joined
    return [UnmatchedDocuments(names[q], *_missed_documents(every, q, _DOCUMENTS)) for q in places.tolist()]


def match_documents(found: Iterable[UnmatchedDocuments]) -> SpellingMatch | None:
    """Compare the documents of queries, of as many as are few enough."""
    pairs: list[tuple[str, str]] = []
    left, compared = _DOCUMENTS, 0
    for missed in found:
        theirs, ours = missed.theirs[: max(left, 0)], missed.ours[: max(left, 0)]
        pairs += pair_spellings(theirs, ours)
        left -= len(theirs) + len(ours)
        compared += len(theirs)
    near = summarize_matches(pairs)
    return near and near._replace(of=compared)


def _missed_documents(joined: SystemLists, query: int, most: int) -> tuple[list[str], list[str]]:
    """Return the unjudged results of a query, and its judged documents that were not returned."""
    _, _, entry, row, *_ = joined.judged.hits(query, query + 1)
    first, last = joined.pool.start[query : query + 2]
    missed = np.ones(last - first, np.bool_)
    missed[entry[entry >= 0] - first] = False
    return joined.run.docs(row[entry < 0][:most]), joined.pool.docs(first + np.flatnonzero(missed)[:most])


def documents_in_words(documents: SpellingMatch | None) -> Iterator[str]:
    """Say which documents differ only in spelling."""
    if documents is not None:
        ids, first = plural(documents.many, "document id"), plural(documents.of, "unjudged result")
        alike = f"{ids} equal in results and judgments except for {documents.by} ({documents.text})"
        yield f"{alike}, among the first {first} compared; not joined"


# Spellings.


_PAIRS = 500
"""Number of pairs examined for how they differ."""

_ZEROS = r"(?<!\d)0+(?=\d)"

_UUID_DIGITS = 32

_INVISIBLE = "[\u00ad\u200b-\u200f\u2060\ufeff]"
"""Byte order marks, as files that were joined contain, soft hyphens, and characters without a width."""

_WAY_TO = r"(?i)^https?://(www\.)?"


_UUID = r"(?im)^(?:urn:uuid:|\{)?([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})\}?$"


def _digits_of_uuids(text: str) -> str:
    """Return a text in which each line that is a UUID is its 32 digits, in the case they are written in."""
    return re.sub(_UUID, r"\1\3\4\5\6", text)


def forms_of_uuid(text: str) -> list[str]:
    """Return all forms of a UUID as the core folds them, which knows letters and zeros but no UUIDs; none of others.

    Examples
    --------
    >>> forms_of_uuid("ABCDEF01-ABCDEF01-ABCDEF01-ABCDEF01"), len(forms_of_uuid("F" * 32))
    ([], 6)
    """
    found = re.fullmatch(_UUID, text) if len(text) >= _UUID_DIGITS else None
    if found is None:
        return []
    bare = [between.join(found.group(1, 3, 4, 5, 6)).lower() for between in ("-", "")]
    return [re.sub(_ZEROS, "", form) for one in bare for form in (one, f"{{{one}}}", f"urn:uuid:{one}")]


def _address(text: str) -> str:
    """Return an address without what rarely makes it another page: its scheme, www, and a slash at its end."""
    return re.sub(_WAY_TO, "//", text).rstrip("/") if "://" in text else text


def _compatible(text: str) -> str:
    """Return a text in the Unicode form in which signs that mean the same are the same."""
    import unicodedata

    return unicodedata.normalize("NFKC", text)


def _unquoted(text: str) -> str:
    from urllib.parse import unquote

    return unquote(text)


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "URL encoding": lambda text: _unquoted(text) if "%" in text else text,
    "Unicode form": lambda text: text if text.isascii() else _compatible(text),
    "form of the address": _address,
    "dashes or braces of a UUID": lambda text: _digits_of_uuids(text) if len(text) >= _UUID_DIGITS else text,
    "letter case": str.lower,
    "invisible characters": lambda text: text if text.isascii() else re.sub(_INVISIBLE, "", text),
    "surrounding spaces": str.strip,
    "leading zeros": lambda text: re.sub(_ZEROS, "", text) if "0" in text else text,
}


def match_spellings(theirs: Iterable[str], ours: Collection[str]) -> SpellingMatch | None:
    """Find ids that differ only in how they are spelled, as in letter case, leading zeros or URL encoding.

    Examples
    --------
    >>> match_spellings(["Q1", "q7"], ["q1", "q2"])
    SpellingMatch(many=1, theirs='Q1', ours='q1', by='letter case', of=0)
    """
    return summarize_matches(pair_spellings(theirs, ours))


def pair_spellings(theirs: Iterable[str], ours: Collection[str]) -> list[tuple[str, str]]:
    """Pair ids with those of ours that are spelled otherwise, and are not there as they are."""
    mine = set(ours)
    known = dict(zip(fold_spellings(sorted(mine)), sorted(mine), strict=True))
    others = [text for text in theirs if text not in mine]
    return [(text, known[key]) for text, key in zip(others, fold_spellings(others), strict=True) if key in known]


def summarize_matches(pairs: list[tuple[str, str]]) -> SpellingMatch | None:
    """Count pairs of ids, and say how they differ."""
    if not pairs:
        return None
    causes = dict.fromkeys(name_differences(*pair) for pair in pairs[:_PAIRS])
    return SpellingMatch(len(pairs), *pairs[0], " or ".join(causes))


def fold_spelling(text: str, but: str = "") -> str:
    """Return an id in the spelling that all ids that differ only in spelling have in common.

    Parameters
    ----------
    but
        A difference that is left as it is.
    """
    for name, alike in _SPELLINGS.items():
        text = text if name == but else alike(text)
    return text


def fold_spellings(texts: Sequence[str]) -> list[str]:
    r"""Return `fold_spelling` of each id: of all in one text, where nothing in it needs more than letters and zeros.

    Examples
    --------
    >>> fold_spellings(["D007", "d10"]), fold_spellings(["D 07", "%41"])
    (['d7', 'd10'], ['d 7', 'a'])
    """
    together = "".join(texts)
    plain = together.isascii() and together.isprintable() and not any(part in together for part in ("%", "://", " "))
    if not plain or not texts:
        return list(map(fold_spelling, texts))
    # No id contains a line end, which is not printable, and none is taken away by the pattern of zeros.
    lines = _digits_of_uuids("\n".join(texts)) if max(map(len, texts)) >= _UUID_DIGITS else "\n".join(texts)
    return re.sub(_ZEROS, "", lines.lower()).split("\n")


def name_differences(theirs: str, ours: str) -> str:
    """Name the differences in spelling between two ids."""
    return " and ".join(name for name in _SPELLINGS if fold_spelling(theirs, but=name) != fold_spelling(ours, but=name))
