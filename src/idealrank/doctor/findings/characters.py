"""Characters that no id has on purpose: a byte order mark, line ends, text decoded in the wrong encoding."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.doctor.finding import Finding, of_mends
from idealrank.doctor.ids import documents_of, queries_of
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.mend import Mend, query_column

_STRAY = re.compile("[\ufeff\u200b\x00-\x1f\x7f]+")


def characters(inputs: Inputs) -> Iterator[Finding]:
    """Ids contain a byte order mark, a line end, or text that was decoded in the wrong encoding (CafÃ© for Café)."""
    for table in inputs.tables:
        text = f"of {table.name} with characters of a wrong encoding, a byte order mark or a line end in an id"
        yield from of_mends("odd characters in ids", "row", text, [_cleaned(table)])


def _cleaned(table: Judgments | Results) -> Mend:
    cells = {}
    for column, ids in ((query_column(table), queries_of(table)), (table.doc, documents_of(table))):
        new = {i: clean for i, name in enumerate(ids.names) if (clean := cleaned(name)) != name}
        if column is not None and new:
            rows = np.flatnonzero(np.isin(ids.code, list(new)))
            cells[column] = {row: new[int(ids.code[row])] for row in rows.tolist()}
    return Mend(table, cells)


def cleaned(text: str) -> str:
    r"""Return an id without stray characters, and decoded as it was meant.

    Examples
    --------
    >>> cleaned("\ufeffq1"), cleaned("a\r\nb"), cleaned("CafÃ©"), cleaned("Café")
    ('q1', 'a b', 'Café', 'Café')
    """
    plain = text if text.isprintable() else _STRAY.sub(" ", text.replace("\ufeff", "").replace("\u200b", "")).strip()
    if plain.isascii():
        return plain
    try:
        return plain.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return plain
