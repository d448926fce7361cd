"""Files larger than memory: divided into buckets on disk, where `--memory` or an estimate says that they do not fit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.column_names import ColumnNames, column_names
from idealrank.cli.help import added, option
from idealrank.cli.loading import Reader, defaults_of, keep_inputs, only_of
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
        help="Use about so much memory, as 4GB: larger files are divided by query into temporary files, and evaluated "
        "part by part, with the same numbers. Without: when an estimate says that they do not fit.",
    ),
    option(
        "--temporary", metavar="DIR", topic=_TOPIC, type=click.Path(), help="Where the temporary files go [TMPDIR]."
    ),
)


def scores_in_parts(options: dict[str, Any], measures: Sequence[str]) -> tuple[Scores, Project] | None:
    """Evaluate files that do not fit in memory part by part; None if they fit.

    Raises
    ------
    UsageError
        If files that have to be divided cannot be.
    """
    memory, folder = options.pop("memory"), options.pop("temporary")
    buckets = _buckets(options, memory)
    if buckets == 1:
        return None
    from idealrank.display.progress import working
    from idealrank.distributed.files import evaluate_files

    project = defaults_of(options, measures)
    names = column_names(options, project.columns)
    keep_inputs(options)
    take_queries_table(options, names)
    with working("evaluating") as bar:
        scores = evaluate_files(
            _files(options, names), list(measures or project.measures) or None, buckets=buckets, folder=folder,
            told=_told, working=bar, **_tables(options, names), **_asked(options, project),
        )  # fmt: skip
    return scores, project


def _buckets(options: dict[str, Any], memory: str | None) -> int:
    """Return how many buckets make the files fit; 1 if they fit as they are."""
    from idealrank.distributed.buckets.sizes import available_memory, files_in, memory_size, number_of_buckets

    limit = None if memory is None else memory_size(memory)
    files = [options["judgments"], *_results(options)]
    plain = len(files) > 1 and "-" not in files
    if limit is None:
        large = plain and sum(map(os.path.getsize, filter(os.path.isfile, files_in(files)))) > SMALL
        return number_of_buckets(files, int(SHARE * available_memory())) if large else 1
    if not plain:
        raise UsageError("--memory: give files of judgments and of results; standard input cannot be divided.")
    return number_of_buckets(files, limit)


def _files(options: dict[str, Any], names: ColumnNames) -> Any:
    from idealrank.distributed.files import Files

    if names.files:
        file = next(iter(names.files))
        raise UsageError(f"{file}: columns of single files cannot be named where files are divided. Name those of all.")
    return Files(options["judgments"], _results(options), names.judgments, names.results)


def _results(options: dict[str, Any]) -> list[str]:
    """Return the tables of results: a folder may contain one per system."""
    from idealrank.data.formats.reader import systems_in

    return [file for name in options["results"] for file in systems_in(name)]


def _tables(options: dict[str, Any], names: ColumnNames) -> dict[str, Any]:
    reader = Reader(names)
    queries = options.get("queries_table") and reader.queries(options["queries_table"])
    return {"queries": queries, "weights": reader.weights(options.get("weights"), queries)}


def _asked(options: dict[str, Any], project: Project) -> dict[str, Any]:
    return {
        "convention": options.get("convention") or project.convention or "idealrank-1",
        **decision_answers(options), "only": only_of(options.get("only")),
        "exclude": options.get("exclude"), "system": options.get("system") or None,
    }  # fmt: skip


@contextlib.contextmanager
def _told(name: str, counter: Any) -> Iterator[None]:
    """Show how far a file is divided."""
    from idealrank.display.progress import watching

    with watching(f"dividing {name}", counter):
        yield
