"""The file of a baseline, which `gate` and the pytest plugin compare with."""

from __future__ import annotations

from idealrank.cli.schemas.forms import Schema, by, count, number, record, record_of, text
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.parts.evaluation import CONVENTION, DECISIONS
from idealrank.cli.schemas.rows import VALUE
from idealrank.data.recognition.recognize import FORM
from idealrank.regression.baseline import VERSION, BaselineQuery, Corpus


def _hexadecimal(about: str, digits: int = 16, or_empty: bool = False) -> Schema:
    pattern = f"[0-9a-f]{{{digits}}}"
    return text(about) | {"pattern": f"^({pattern})?$" if or_empty else f"^{pattern}$"}


_KNOWN = record_of(
    BaselineQuery,
    "What is known of a query.",
    {
        "values": by("Its value under each measure.", VALUE),
        "results": count("How many results came back."),
        "list": _hexadecimal("Hash of the documents in their order; empty for an empty list.", or_empty=True),
        "grades": by("How many documents were judged with each grade.", count("How many.")),
        "judgments": _hexadecimal("Hash of the judged documents with their grades."),
    },
    {
        "weight": number("Its weight, if queries have weights.", 0),
        "failed": {"const": True, "description": "There if its search failed."},
    },
)
_CHECK = {"check": _hexadecimal("Checksum of the line, which shows that nobody edited it.", 8)}
_QUERY = _KNOWN | {"properties": _KNOWN["properties"] | _CHECK, "required": [*_KNOWN["required"], *_CHECK]}
_CORPUS = record_of(
    Corpus,
    "What is known of the collection that was searched.",
    {
        "seen": count("How many different documents the results for judged queries contain."),
        "sketch": text("The lowest hashes of their ids, separated by spaces."),
    },
    {
        "index": text("Name of the index, if a replay recorded it."),
        "documents": count("How many documents the index contains, if a replay recorded it."),
    },
)
_FIELDS = {
    "form": {"const": f"{FORM} {VERSION}", "description": "The form of the file, and its version."},
    "idealrank": text("Version of idealrank that computed the values."),
    "system": text("Name of the system."),
    "convention": CONVENTION,
    "measures": DECISIONS,
    "means": by("The mean of each measure.", VALUE),
    "max_grade": number("The highest grade on the scale."),
    "unjudged_queries": count("How many queries have results but no judgments."),
    "corpus": _CORPUS,
    "check": _hexadecimal("Checksum of what is above the queries, and of which queries there are."),
    "queries": by("The judged queries, by id.", _QUERY),
}
_BASELINE = record(
    "The accepted values of one system, query by query.",
    _FIELDS,
    {"date": text("The day of the results, if the name of their file or a replay says it.")},
)

OUTPUTS = (Output("baseline", "A baseline that gate --bless or the pytest plugin wrote", _BASELINE, of_file=True),)
