"""Findings on ids: odd characters, duplicates, and ids that would match if they were written alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from idealrank.arrays import Cache, Ints
from idealrank.data.duplicates import first_equal
from idealrank.data.ids import codes, number_pairs, pair_codes
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.spans import spans_of
from idealrank.data.units import units_of_results
from idealrank.decisions.fields import AS_RETURNED, SPANS
from idealrank.decisions.question import UnitMap
from idealrank.doctor.finding import Finding, Mend, mend_findings, query_column
from idealrank.doctor.inputs import Ids, Inputs, NearMatch, documents_of, match_prefix, match_spelling, queries_of
from idealrank.errors import plural

# Spellings and prefixes.


Matched = Callable[[Ids, Ids], NearMatch]


def spellings(inputs: Inputs) -> Iterator[Finding]:
    """Ids of results equal judged ids except for how they are spelled, as in letter case or leading zeros."""
    yield from _rename(inputs, "ids spelled differently", match_spelling)


def prefixes(inputs: Inputs) -> Iterator[Finding]:
    """Ids of results have a common prefix that judged ids lack, or lack one that judged ids have."""
    yield from _rename(inputs, "ids with a prefix", match_prefix)


def texts(inputs: Inputs) -> Iterator[Finding]:
    """One side uses the text of a query as its id, and the other side an id."""
    for results in inputs.results:
        text = f"of {results.name} would have judgments if text and id of the query were joined"
        mend = Mend(results, _rename_queries(results, _ids_by_text(inputs, results)))
        yield from mend_findings("text used as id", "result", text, [mend])


def _ids_by_text(inputs: Inputs, results: Results) -> dict[str, str]:
    """Return the judged id of each query of the results that is the text of one, or has one as its text."""
    judged, theirs = set(queries_of(inputs.judgments).names), queries_of(results).names
    column = inputs.queries.attributes.get(inputs.queries.text, {})
    texts = {str(text): key for key, text in {**column, **inputs.judgments.texts[0]}.items() if key in judged}
    own = {**column, **results.texts[0]}
    missing = [key for key in theirs if key not in judged]
    found = {key: texts[key] for key in missing if key in texts}
    return found | {key: str(own[key]) for key in missing if str(own.get(key)) in judged}


def _rename(inputs: Inputs, name: str, matched: Matched) -> Iterator[Finding]:
    for results in inputs.results:
        queries = matched(queries_of(results), queries_of(inputs.judgments))
        documents = matched(documents_of(results), documents_of(inputs.judgments))
        ids = _rename_documents(inputs, results, queries, documents)
        cells = {**_rename_queries(results, queries.ours), **({results.doc: ids} if ids else {})}
        causes = " or ".join(dict.fromkeys(each.by for each, new in ((queries, queries.ours), (documents, ids)) if new))
        mend = _drop_repeats(Mend(results, cells))
        text = f"of {results.name} would be judged if ids did not differ by {causes}"
        if mend.dropped:
            text += (
                f"; {plural(len(mend.dropped), 'row')} would then repeat a document, and a mended copy keeps the first"
            )
        yield from mend_findings(name, "result", text, [mend])


def _drop_repeats(mend: Mend) -> Mend:
    """Leave out the rows whose document comes twice only after the mend."""
    if not mend.cells:
        return mend
    renamed = replace(mend.table, source=mend.make_copy(), kept=Cache())
    return replace(mend, dropped=np.setdiff1d(repeated_rows(renamed), repeated_rows(mend.table)).tolist())


def _rename_queries(results: Results, ours: Mapping[str, str]) -> dict[int, dict[int, str]]:
    ids, column = queries_of(results), query_column(results)
    if column is None or not ours:
        return {}
    rows = np.flatnonzero(np.isin(ids.code, ids.places_of(ours)))
    return {column: {row: ours[ids.at(row)] for row in rows.tolist()}}


def _rename_documents(inputs: Inputs, results: Results, queries: NearMatch, documents: NearMatch) -> dict[int, str]:
    """Rename the documents that are then judged for their query, or that it returned under the judged id, too."""
    if not documents.ours:
        return {}
    query, doc = queries_of(results), documents_of(results)
    rows = np.flatnonzero(np.isin(doc.code, doc.places_of(documents.ours)))
    judged = _judged_pairs(inputs)
    returned = {(query.at(row), doc.at(row)) for row in range(len(doc.code))}
    return {
        row: new
        for row in rows.tolist()
        if (queries.ours.get(key := query.at(row), key), new := documents.ours[doc.at(row)]) in judged
        or (key, new) in returned
    }


def _judged_pairs(inputs: Inputs) -> set[tuple[str, str]]:
    query, doc = queries_of(inputs.judgments), documents_of(inputs.judgments)
    return {(query.at(row), doc.at(row)) for row in range(len(doc.code))}


# Duplicates.


def duplicates(inputs: Inputs) -> Iterator[Finding]:
    """A document is judged or returned twice for one query; mended copies keep the first row."""
    for table in inputs.tables:
        parts = _unit_parts(table, inputs.decisions.unit)
        if parts is not None:
            text = f"of {table.name} for a document that the query already has; a mended copy keeps the first"
            yield from mend_findings("duplicates", "row", text, [Mend(table, dropped=repeated_rows(parts).tolist())])


def _unit_parts(table: Judgments | Results, unit: str | UnitMap) -> Judgments | Results | None:
    """Return the table with the documents that must not repeat; None where rows of one document are parts of it."""
    if unit == SPANS:
        return spans_of(table).table
    if table.roles.suggest_spans():
        return None
    if unit == AS_RETURNED or isinstance(table, Judgments):
        return table
    found = units_of_results(table, unit)
    return None if found.unnamed else found.table


def repeated_rows(table: Judgments | Results) -> Ints:
    """Return the rows whose query, document, rater, subtopic, step and system came before."""
    query, document = queries_of(table).code, documents_of(table).code
    pairs = pair_codes(query, document)
    pairs.sort()
    if not (pairs[1:] == pairs[:-1]).any():
        return np.zeros(0, np.int64)  # as in nearly every run: no pair of a query and a document is there twice
    key = number_pairs(query, document)
    for role in ("rater", "subtopic") if isinstance(table, Judgments) else ("step",):
        key = _refine_key(key, table, role)
    if table.systems_column() is not None:
        key = _refine_key(key, table, "system")
    return np.flatnonzero(first_equal(key) != np.arange(len(key)))


def _refine_key(key: Ints, table: Judgments | Results, role: str) -> Ints:
    column = table.column(role)
    if column is None:
        return key
    code = codes(column) + 1
    finer: Ints = key * (code.max(initial=0) + 1) + code
    return finer


# Odd characters.


_STRAY = re.compile("[\ufeff\u200b\x00-\x1f\x7f]+")


def characters(inputs: Inputs) -> Iterator[Finding]:
    """Ids contain a byte order mark, a line end, or text that was decoded in the wrong encoding (CafÃ© for Café)."""
    for table in inputs.tables:
        text = f"of {table.name} with characters of a wrong encoding, a byte order mark or a line end in an id"
        yield from mend_findings("odd characters in ids", "row", text, [_clean_ids(table)])


def _clean_ids(table: Judgments | Results) -> Mend:
    cells = {}
    for column, ids in ((query_column(table), queries_of(table)), (table.doc, documents_of(table))):
        odd = ids.distinct.odd()  # no other contains anything to clean
        named = zip(odd.tolist(), ids.distinct.to_list(odd), strict=True)
        new = {i: clean for i, name in named if (clean := clean_id(name)) != name}
        if column is not None and new:
            rows = np.flatnonzero(np.isin(ids.code, list(new)))
            cells[column] = {row: new[int(ids.code[row])] for row in rows.tolist()}
    return Mend(table, cells)


def clean_id(text: str) -> str:
    r"""Return an id without stray characters, and decoded as it was meant.

    Examples
    --------
    >>> clean_id("\ufeffq1"), clean_id("a\r\nb"), clean_id("CafÃ©"), clean_id("Café")
    ('q1', 'a b', 'Café', 'Café')
    """
    plain = text if text.isprintable() else _STRAY.sub(" ", text.replace("\ufeff", "").replace("\u200b", "")).strip()
    if plain.isascii():
        return plain
    try:
        # UTF-8 read as Windows-1252 turns é into Ã©. If writing it so gives valid UTF-8, that is what it was.
        return plain.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return plain
