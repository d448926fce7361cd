"""What `history` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import count, maybe, number, record, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.rows import columns, rows
from idealrank.regression.history import COUNTS, PARTS

_OF_CHANGE = {
    "change": "The mean minus that of the date before",
    "by lists": "The part of the change that lists made",
    "by labels": "The part of the change that judgments made",
    "by both": "The part of the change in queries whose list and judgments both changed",
    "by queries": "The part of the change that queries made that came or went",
}
_COUNTED = {
    "lists_changed": "Queries whose list changed.",
    "labels_changed": "Queries whose judgments changed.",
    "added": "Queries that came.",
    "removed": "Queries that went.",
}
_POINT = {
    **columns("measure"),
    "date": text("The date, as 2026-11-23, with a time or without, 2026-11, or 2026-W41; empty if it is not known."),
    "name": text("The file or folder it is from."),
    **columns("queries", "mean", "low", "high"),
    **{name: maybe(number(f"{_OF_CHANGE[name]}; null on the first date, or if it is not known.")) for name in PARTS},
    **{name: count(_COUNTED[name]) for name in COUNTS},
    "why": text("What changed, with its part in the change; empty on the first date."),
    **columns("fingerprint"),
}
_HISTORY = record(
    "Measures over dates.",
    {
        "history": rows("A row per measure, system and date, by date.", _POINT, columns("system")),
        "note": text("Why rows are in the order in which files were given; empty if all dates are known."),
        "omitted": texts("Measures that only some baselines have; they are not followed unless -m names them."),
        "unranked": texts("What is to be said of results that have their order from the rows of their tables."),
    },
)

OUTPUTS = (Output("history", "Measures over dates, and why they changed", _HISTORY),)
