"""Files larger than memory: divided into buckets, where `--memory` or an estimate says that they do not fit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.column_names import ColumnNames, column_names
from idealrank.cli.help import added, option
from idealrank.cli.loading import Reader, defaults_of, keep_inputs, only_of, queries_and_segments
from idealrank.cli.options import decision_answers
from idealrank.cli.queries_table import take_queries_table
from idealrank.conventions.project import Project
from idealrank.errors import UsageError

if TYPE_CHECKING:
    from idealrank.evaluation.scores import Scores

SMALL = 100_000_000
"""Bytes of files that are not worth an estimate."""

SHARE = 0.8
"""How much of the free memory is used."""

_TOPIC = "Files larger than memory"

memory_options = added(
    option(
        "--memory",
        metavar="SIZE",
        topic=_TOPIC,
        help="Use about so much memory, as 4GB: larger files are divided by query, and evaluated part by part, with "
        "the same numbers; those that are not grouped by query are copied into temporary files. Without: when an "
        "estimate says that they do not fit.",
    ),
    option(
        "--temporary", metavar="DIR", topic=_TOPIC, type=click.Path(), help="Where the temporary files go [TMPDIR]."
    ),
)


def scores_in_parts(options: dict[str, Any], measures: Sequence[str]) -> tuple[Scores, Project, list[str]] | None:
    """Evaluate files that do not fit in memory part by part; None if they fit.

    The third is the names of the segments in the tables of segments.

    Raises
    ------
    UsageError
        If files that have to be divided cannot be.
    """
    memory, folder = options.pop("memory", None), options.pop("temporary", None)
    buckets = _buckets(options, memory)
    if buckets == 1:
        return None
    _refuse_views_of_lists()
    from idealrank.display.progress import working
    from idealrank.distributed.files import evaluate_files

    project = defaults_of(options, measures)
    names = column_names(options, project.columns)
    keep_inputs(options)
    take_queries_table(options, names)
    reader = Reader(names)
    queries, segments = queries_and_segments(reader, options)
    weights = reader.weights(options.get("weights"), queries)
    with working("evaluating") as bar:
        scores = evaluate_files(
            _files(options, names), list(measures or project.measures) or None, buckets=buckets, folder=folder,
            told=_told, working=bar, queries=queries, weights=weights, **_asked(options, project),
        )  # fmt: skip
    return scores, project, segments


def _refuse_views_of_lists() -> None:
    """Refuse a view of the lists of all queries before anything is read."""
    for name, value in click.get_current_context().params.items():
        if value and name in _OF_LISTS:
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{flag} needs the lists of all queries at once, and these files are evaluated in parts. Leave it out, "
                "allow more memory (--memory 64GB), or take some queries: --queries q7,q12, without --memory."
            )


_OF_LISTS = frozenset({"reading", "to_judge", "lost_value"})


def _buckets(options: dict[str, Any], memory: str | None) -> int:
    """Return how many buckets make the files fit; 1 if they fit as they are."""
    from idealrank.distributed.buckets.sizes import available_memory, files_in, memory_size, number_of_buckets

    limit = None if memory is None else memory_size(memory)
    if not options["results"] or "-" in (options["judgments"], *options["results"]):
        if limit is None:
            return 1
        raise UsageError("--memory: give files of judgments and of results; standard input cannot be divided.")
    files = files_in([options["judgments"], *_systems(options)])
    if limit is None:
        large = sum(map(os.path.getsize, filter(os.path.isfile, files))) > SMALL
        return number_of_buckets(files, int(SHARE * available_memory())) if large else 1
    return number_of_buckets(files, limit)


def _systems(options: dict[str, Any]) -> list[str]:
    """Return the files of results, one per system; a folder or a pattern may be several."""
    from idealrank.data.formats.reader import systems_in

    return [file for name in options["results"] for file in systems_in(name)]


def _files(options: dict[str, Any], names: ColumnNames) -> Any:
    from idealrank.distributed.files import Files

    if names.files:
        file = next(iter(names.files))
        raise UsageError(f"{file}: columns of single files cannot be named where files are divided. Name those of all.")
    return Files(options["judgments"], _systems(options), names.judgments, names.results)


def _asked(options: dict[str, Any], project: Project) -> dict[str, Any]:
    return {
        "convention": options.get("convention") or project.convention or "idealrank-1",
        **decision_answers(options), "only": only_of(options.get("only")),
        "exclude": options.get("exclude"), "system": options.get("system") or None,
    }  # fmt: skip


@contextlib.contextmanager
def _told(step: str, counter: Any) -> Iterator[None]:
    """Show how far a step is."""
    from idealrank.display.progress import watching

    with watching(step, counter):
        yield
