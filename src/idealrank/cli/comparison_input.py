"""From the options of a call to a comparison: what compare, report and plot share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.conventions.project import Project
    from idealrank.evaluation.scores import Scores

OWN: dict[str, Any] = {
    "baseline": None, "margin": 0.0, "rule": "better", "tolerance": 0.0, "level": 0.95, "holes": "estimate",
    "unseen": 0, "test": "t", "interval": "student_t", "correction": None, "draws": 10_000, "seed": 0,
}  # fmt: skip
"""The options that only a comparison reads, and what they are where nothing is said."""


def evaluated(given: dict[str, Any], measures: tuple[str, ...]) -> tuple[Scores, list[str], Project]:
    """Read the files and evaluate; return the names of the segments asked for, too."""
    from idealrank.cli.loading import call_of

    asked = given.get("segments") or ()
    segments = [name for name in asked if not os.path.isfile(name)]
    for name in segments:
        if os.sep in name or os.path.splitext(name)[1]:
            raise click.UsageError(f"--segments {name}: no such file. Give a file, or the name of a column.")
    given["segment_tables"] = [name for name in asked if os.path.isfile(name)]
    call, project = call_of(given, measures)
    segments = call.pop("segments") + segments
    from idealrank.evaluation.evaluate import evaluate

    return evaluate(measures=list(measures or project.measures) or None, **call), segments, project


def compared(scores: Scores, segments: list[str], given: dict[str, Any]) -> Comparison:
    """Compare the systems under the options given; long work says beforehand how long it takes, and shows a bar."""
    from idealrank.comparison.compare import compare, paired
    from idealrank.comparison.contrasts import expected_seconds
    from idealrank.display.progress import expect, working

    asked = {name: given.get(name, nothing) for name, nothing in OWN.items()}
    pairing = paired(scores, asked["baseline"])
    expect(expected_seconds(pairing, asked["correction"] or pairing.correction, asked["draws"]))
    with working() as progress:
        return compare(scores, segments=segments, progress=progress, **asked)
