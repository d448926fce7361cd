"""The file of a baseline: its options, and what --bless does."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.comparison_options import tolerances
from idealrank.cli.help import added, option
from idealrank.cli.options import measure_option
from idealrank.cli.output import as_json, show_lines, write_text
from idealrank.conventions.project import project_defaults
from idealrank.display.terminal import say
from idealrank.errors import DataError, UsageError

if TYPE_CHECKING:
    from idealrank.evaluation.scores import Scores

_BASELINE = "Baseline"

baseline_options = added(
    option(
        "--baseline",
        metavar="FILE",
        topic=_BASELINE,
        type=click.Path(),
        help="Compare with the values in this file; no measure in it may lose more than its tolerance.",
    ),
    option("--bless", is_flag=True, topic=_BASELINE, help="Accept the current values: write them to --baseline FILE."),
    measure_option(multiple=True, help="What to bless: a measure; may be repeated [those in the file; else nDCG@10]."),
    option(
        "--tolerance",
        multiple=True,
        metavar="X|MEASURE=X",
        topic=_BASELINE,
        callback=tolerances,
        help="What a measure may lose against --baseline FILE [0.01, or 1% of measures that may exceed 1].",
    ),
)


def refuse_lonely(options: dict[str, Any]) -> None:
    """Refuse options of a baseline's file without one, and a second file of results beside it."""
    if options["baseline"] is None:
        for name in ("bless", "tolerance", "measure"):
            if options[name] not in (None, False, ()):
                raise UsageError(f"--{name}: give the file of the baseline, too: --baseline FILE.")
    elif len(options["results"]) > 1:
        raise UsageError("--baseline FILE takes the place of the baseline's results: give one file of results.")


def bless_results(
    options: dict[str, Any], measures_of: Callable[[dict[str, Any]], list[str]], form: str | None, output: str | None
) -> None:
    """Write the baseline's file, and say what that changes."""
    from idealrank.comparison.baseline.bless import bless

    path, own = options.pop("baseline"), own_options(options)
    measures = [*own["measure"], *measures_of(own)] or _kept_measures(path)
    blessed = bless(_scores(options, measures), path)
    if form == "json":
        write_text(as_json(blessed.to_dict()) + "\n", output)
    else:
        show_lines(blessed.shown())


def _scores(options: dict[str, Any], measures: list[str]) -> Scores:
    """Evaluate, part by part if the files are too large."""
    from idealrank.cli.larger import scores_in_parts
    from idealrank.cli.loading import call_of

    wanted = measures or list(project_defaults().measures) or ["nDCG@10"]
    if (found := scores_in_parts(options, wanted)) is not None:
        return found[0]
    call, _ = call_of(options, measures)
    from idealrank.evaluation.evaluate import evaluate

    return evaluate(measures=wanted, **call)


def _kept_measures(path: str) -> list[str]:
    """Return the measures of the file there is, so that they stay guarded; none where there is none."""
    from idealrank.comparison.baseline.reading import read_baseline

    try:
        return list(read_baseline(path).measures) if os.path.exists(path) else []
    except DataError as error:
        say(f"warning    {error.typed} Name the measures with -m if they are not those you want.")
        return []


_OWN = ("fail_if", "minimum", "max_unjudged", "tolerance", "alpha", "strict", "looks", "seed", "measure", "bless")


def own_options(options: dict[str, Any]) -> dict[str, Any]:
    """Take out the options that are the gate's own."""
    return {name: options.pop(name) for name in _OWN}
