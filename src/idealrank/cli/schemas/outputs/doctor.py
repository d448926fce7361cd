"""What `doctor` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import by, count, flag, many, maybe, number, record, record_of, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.doctor.finding import SHOWN, MeanShiftByMend

_SHIFT = record_of(
    MeanShiftByMend,
    "A mean as it is, and after the mend.",
    {
        "measure": text("Name of the measure."),
        "system": text("Name of the system."),
        "before": maybe(number("The mean as it is; null if evaluate refuses, or every query is left out.")),
        "after": maybe(number("The mean after the mend; null if evaluate refuses, or every query is left out.")),
    },
)
_FINDING = record(
    "Something that is wrong with the data, or may be.",
    {
        "name": text("What is found, as the list of findings calls it."),
        "text": text("What is wrong, as a sentence."),
        "count": count("How many rows, queries or systems it concerns."),
        "system": text("The one system it concerns; empty for all."),
        "examples": texts("Examples, each with its file and line.") | {"maxItems": SHOWN},
        "remedy": text("The flag or command that mends it, or what to do."),
        "answers": by("Answers to decisions that mend it, by decision.", text("The answer.")),
        "shifts": many("The means as they are and after the mend; empty if nothing mends it.", _SHIFT),
    },
)
_DIAGNOSIS = record(
    "What is wrong with judgments and results.",
    {
        "moves": flag("Whether a finding moves a mean by more than --by, or evaluate refuses the files."),
        "by": number("How far a mean may move.", 0),
        "refused": maybe(text("Why evaluate refuses the files; null if it does not.")),
        "findings": many("The findings.", _FINDING),
    },
)

OUTPUTS = (Output("doctor", "What is wrong with judgments and results, and what mends it", _DIAGNOSIS),)
