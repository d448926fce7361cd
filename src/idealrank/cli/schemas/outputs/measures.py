"""What `measures` prints."""

from __future__ import annotations

from typing import get_args

from idealrank.cli.schemas.forms import Schema, by, many, record, text, texts, word
from idealrank.cli.schemas.output import Output
from idealrank.measures.definition import DIRECTION, Cutoff, Properties

_PROMISES = {name.replace("_", " "): text(f"The promise '{name.replace('_', ' ')}'.") for name in Properties._fields}
_FACTS: dict[str, Schema] = {
    "name": text("Name of the measure."),
    "title": text("What it is, in one line."),
    "cutoff": word("Whether it takes a cutoff.", get_args(Cutoff)),
    "parameters": by(
        "The default of each parameter.",
        {"type": ["number", "string", "null"], "description": "The default; null if one must be given."},
    ),
    "reads": texts("The decisions it reads."),
    "also called": texts("Other names that are understood."),
    "properties": record(
        "What it promises, as text.", _PROMISES | {"direction": word("Whether more is better.", DIRECTION)}
    ),
}
_FINGERPRINT = {"fingerprint": text("The measure with its answer to every decision it reads.")}

OUTPUTS = (
    Output("measures", "All measures", many("The measures.", record("A measure.", _FACTS))),
    Output("measures NAME", "One measure", record("A measure.", {**_FACTS, **_FINGERPRINT})),
)
