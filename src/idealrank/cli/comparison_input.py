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
    "baseline": None, "margin": 0.0, "rule": "better", "tolerance": 0.0, "level": 0.95, "looks": 1,
    "equivalence": None, "holes": "estimate", "unseen": 0, "guardrails": (), "test": "t", "interval": "student_t",
    "correction": None, "draws": 10_000, "seed": 0, "hold_out": 0.0,
}  # fmt: skip
"""The options that only a comparison reads, and what they are where nothing is said."""


def evaluated(options: dict[str, Any], measures: tuple[str, ...]) -> tuple[Scores, list[str], Project]:
    """Read the files and evaluate, part by part if they are too large; return the names of the segments, too."""
    from idealrank.cli.larger import scores_in_parts
    from idealrank.cli.loading import call_of

    names = options.get("segments") or ()
    segments = [name for name in names if not os.path.isfile(name)]
    for name in segments:
        if os.sep in name or os.path.splitext(name)[1]:
            raise click.UsageError(f"--segments {name}: no such file. Give a file, or the name of a column.")
    options["segment_tables"] = [name for name in names if os.path.isfile(name)]
    if (found := scores_in_parts(options, measures)) is not None:
        scores, project, columns = found
        return scores, columns + segments, project
    call, project = call_of(options, measures)
    segments = call.pop("segments") + segments
    from idealrank.evaluation.evaluate import evaluate

    return evaluate(measures=list(measures or project.measures) or None, **call), segments, project


def baseline_by_name(options: dict[str, Any]) -> bool:
    """Whether a folder of results is read by name, and nothing says which of two is the baseline."""
    return any(map(os.path.isdir, options["results"])) and not (options["baseline"] or options["system"])


def compared(scores: Scores, segments: list[str], options: dict[str, Any]) -> Comparison:
    """Compare the systems under the options given; long work says beforehand how long it takes, and shows a bar."""
    from idealrank.comparison.compare import compare, paired
    from idealrank.comparison.contrasts import expected_seconds
    from idealrank.display.progress import expect, working

    own = {name: options.get(name, nothing) for name, nothing in OWN.items()}
    pairing = paired(scores, own["baseline"], own["tolerance"])
    expect(expected_seconds(pairing, own["correction"] or "max_t", own["draws"]))
    with working("resampling", "bounding what unjudged results could change") as progress:
        return compare(scores, segments=segments, progress=progress, **own)
