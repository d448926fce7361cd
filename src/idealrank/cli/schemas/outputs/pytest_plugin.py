"""What the pytest plugin keeps of a run."""

from __future__ import annotations

from idealrank.cli.schemas.forms import by, number, record
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.parts.evaluation import DECISIONS
from idealrank.comparison.gate.baseline_file import FORM

_BASELINE = record(
    "The values that a test compares with.",
    {
        "form": {"const": FORM, "description": "The form of the file."},
        "measures": DECISIONS,
        "queries": by("The values of every query.", by("Its values, by measure.", number("The value."))),
    },
)

OUTPUTS = (Output("pytest-baseline", "What the pytest plugin keeps: the values of every query", _BASELINE, True),)
