"""What `identify` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import by, count, flag, many, record, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.parts.evaluation import DECISIONS
from idealrank.cli.schemas.rows import VALUE

_CLASS = record(
    "Settings that are equal on every query.",
    {
        "settings": texts("The settings, nearest to a named convention first."),
        "departures": count("How many decisions of the first differ from a named convention."),
        "values": by("The mean under it, by measure.", VALUE),
        "fingerprints": DECISIONS,
    },
)
_IDENTIFICATION = record(
    "The settings that give printed numbers.",
    {
        "printed": by("The numbers as printed, by measure.", text("The number, as text: its digits count.")),
        "identified": flag("Whether exactly one class gives the numbers."),
        "classes": many("The classes of settings that give the numbers, nearest first.", _CLASS),
        "tried": count("How many different settings were tried."),
        "between": text("A query that tells the first two classes apart; empty if there are not two."),
    },
)

OUTPUTS = (Output("identify", "The conventions behind printed numbers", _IDENTIFICATION),)
