"""Ids of results that would be judged if they were written as in the judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from idealrank.arrays import Kept
from idealrank.data.results import Results
from idealrank.doctor.finding import Finding, of_mends
from idealrank.doctor.findings.duplicates import repeated
from idealrank.doctor.ids import Alike, alike_prefixed, alike_spelt, documents_of, queries_of
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.mend import Mend, query_column
from idealrank.errors import plural

Matched = Callable[[Iterable[str], Iterable[str]], Alike]


def spellings(inputs: Inputs) -> Iterator[Finding]:
    """Ids of results equal judged ids except for letter case, spaces, leading zeros, URL encoding or Unicode form."""
    yield from _renamed(inputs, "ids spelled differently", alike_spelt)


def prefixes(inputs: Inputs) -> Iterator[Finding]:
    """Ids of results have a common prefix that judged ids lack, or lack one that judged ids have."""
    yield from _renamed(inputs, "ids with a prefix", alike_prefixed)


def texts(inputs: Inputs) -> Iterator[Finding]:
    """One side uses the text of a query as its id, and the other side an id."""
    for results in inputs.results:
        text = f"of {results.name} would have judgments if text and id of the query were joined"
        mend = Mend(results, _renamed_queries(results, _by_text(inputs, results)))
        yield from of_mends("text used as id", "result", text, [mend])


def _renamed(inputs: Inputs, name: str, matched: Matched) -> Iterator[Finding]:
    for results in inputs.results:
        queries = matched(queries_of(results).names, queries_of(inputs.judgments).names)
        documents = matched(documents_of(results).names, documents_of(inputs.judgments).names)
        ids = _renamed_documents(inputs, results, queries, documents)
        cells = {**_renamed_queries(results, queries.ours), **({results.doc: ids} if ids else {})}
        causes = " or ".join(dict.fromkeys(each.by for each, new in ((queries, queries.ours), (documents, ids)) if new))
        mend = _once_each(Mend(results, cells))
        text = f"of {results.name} would be judged if ids did not differ by {causes}"
        if mend.dropped:
            text += (
                f"; {plural(len(mend.dropped), 'row')} would then repeat a document, and a mended copy keeps the first"
            )
        yield from of_mends(name, "result", text, [mend])


def _once_each(mend: Mend) -> Mend:
    """Leave out the rows whose document comes twice only after the mend."""
    if not mend.cells:
        return mend
    renamed = replace(mend.table, source=mend.copied(), kept=Kept())
    return replace(mend, dropped=np.setdiff1d(repeated(renamed), repeated(mend.table)).tolist())


def _renamed_queries(results: Results, ours: Mapping[str, str]) -> dict[int, dict[int, str]]:
    ids, column = queries_of(results), query_column(results)
    if column is None or not ours:
        return {}
    rows = np.flatnonzero(np.isin(ids.code, [i for i, name in enumerate(ids.names) if name in ours]))
    return {column: {row: ours[ids.at(row)] for row in rows.tolist()}}


def _renamed_documents(inputs: Inputs, results: Results, queries: Alike, documents: Alike) -> dict[int, str]:
    """Rename the documents that are then judged for their query, or that it returned under the judged id, too."""
    if not documents.ours:
        return {}
    query, doc = queries_of(results), documents_of(results)
    rows = np.flatnonzero(np.isin(doc.code, [i for i, name in enumerate(doc.names) if name in documents.ours]))
    judged = _pairs(inputs)
    returned = {(query.at(row), doc.at(row)) for row in range(len(doc.code))}
    return {
        row: new
        for row in rows.tolist()
        if (queries.ours.get(key := query.at(row), key), new := documents.ours[doc.at(row)]) in judged
        or (key, new) in returned
    }


def _pairs(inputs: Inputs) -> set[tuple[str, str]]:
    query, doc = queries_of(inputs.judgments), documents_of(inputs.judgments)
    return {(query.at(row), doc.at(row)) for row in range(len(doc.code))}


def _by_text(inputs: Inputs, results: Results) -> dict[str, str]:
    """Return the judged id of each query of the results that is the text of one, or has one as its text."""
    judged, theirs = set(queries_of(inputs.judgments).names), queries_of(results).names
    column = inputs.queries.attributes.get(inputs.queries.text, {})
    texts = {str(text): key for key, text in {**column, **inputs.judgments.texts[0]}.items() if key in judged}
    own = {**column, **results.texts[0]}
    missing = [key for key in theirs if key not in judged]
    found = {key: texts[key] for key in missing if key in texts}
    return found | {key: str(own[key]) for key in missing if str(own.get(key)) in judged}
