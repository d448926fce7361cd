"""idealrank label-next."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.inputs import read_documents_option
from idealrank.cli.options import input_options_of_systems, measure_option, output_options
from idealrank.cli.output import is_for_people, print_error, refuse_inputs, sentence_notes, show_lines, write_table
from idealrank.errors import UsageError, plural

if TYPE_CHECKING:
    from idealrank.labels.label_next import LabelNext

_EXAMPLES = (
    "idealrank label-next judgments.csv bm25.csv hybrid.csv -m nDCG@10 -o next.csv",
    "idealrank label-next judgments.csv bm25.csv hybrid.csv --documents products.csv --rows 50 -o next.csv",
    "idealrank label-next judgments.csv bm25.csv hybrid.csv --order random --seed 1 -o next.csv",
    "idealrank label-next judgments.csv bm25.csv hybrid.csv --strict -q",
)
_TOPIC = "Documents to label"
_STOP = "When to stop"
_ORDER = (
    "weight: by how far the two lists disagree on the discount of a document; rank: the best rank first; pool: query "
    "by query; random. [weight]"
)
_CHOICE = add_parameters(
    option("--order", default="weight", metavar="weight|rank|pool|random", topic=_TOPIC, help=_ORDER),
    option("--rows", type=click.IntRange(min=1), default=100, metavar="N", topic=_TOPIC, help="How many. [100]"),
    option("--documents", metavar="FILE", topic=_TOPIC, type=click.Path(), help="Titles of documents: id and title."),
    option("--margin", type=float, default=0.0, metavar="X", topic=_STOP, help="The smallest gain worth shipping. [0]"),
    option(
        "--rule",
        default="better",
        metavar="better|not_worse",
        topic=_STOP,
        help="Ship what gains the margin, or what loses less than it. [better]",
    ),
    option(
        "--equivalence",
        type=float,
        metavar="X",
        topic=_STOP,
        help="Differences up to X are no difference. [range / 50]",
    ),
    option(
        "--level",
        type=float,
        default=0.95,
        metavar="X",
        topic=_STOP,
        help="Confidence of the interval, and the share of draws that must agree. [0.95]",
    ),
    option(
        "--draws",
        type=click.IntRange(min=0),
        default=200,
        metavar="N",
        topic=_STOP,
        help="How often missing labels are drawn; 0: never. [200]",
    ),
    option("--seed", type=click.IntRange(min=0), default=0, metavar="N", topic=_STOP, help="Random seed. [0]"),
    option(
        "--strict", is_flag=True, topic=_STOP, help="Exit with 4 if the outcome is neither certain nor likely as yet."
    ),
)


@click.command("label-next", cls=ExampleCommand, examples=_EXAMPLES)
@measure_option(help="The measure that decides. [nDCG@10]")
@_CHOICE
@output_options
@input_options_of_systems
def label_next_command(
    measure: str | None, order: Any, rows: int, documents: str | None, margin: float, rule: Any,
    equivalence: float | None, level: float, draws: int, seed: int, strict: bool, form: str | None, output: str | None,
    quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Say which documents to label next to decide between two systems, and whether labelling may stop.

    JUDGMENTS are all labels so far, in one file; RESULTS are two systems, the baseline first. The file that -o writes
    has an empty column `grade`. Fill it in, copy its rows to the end of JUDGMENTS, and run the command again. Certain:
    no missing label can change the outcome. Likely: nearly all draws of the missing labels come to it. -q: whether to
    stop, without the documents. CSV and TSV contain the documents, JSON everything.
    """
    from idealrank.cli.inputs import evaluate_arguments

    refuse_inputs(output, [options["judgments"], *options["results"], documents])
    _refuse_graded(output)
    call, project = evaluate_arguments(options, [measure] if measure else ())
    from idealrank.labels.label_next import label_next

    asked = measure or next(iter(project.measures), "nDCG@10")
    titles = read_documents_option({**options, "documents": documents, "by_document": None})
    found = label_next(
        measure=asked, order=order, rows=rows, documents=titles, margin=margin, rule=rule, equivalence=equivalence,
        level=level, draws=draws, seed=seed, **call,
    )  # fmt: skip
    _write(found, form, output, quiet)
    if strict and not found.likely:
        sys.exit(4)


def _refuse_graded(output: str | None) -> None:
    """Refuse to write over a list in which people filled in grades; one without any has nothing to lose."""
    if not output or not os.path.isfile(output):
        return
    import csv

    with open(output, encoding="utf-8-sig", errors="replace", newline="") as file:
        delimiter = max(",;\t", key=file.readline().count)  # a spreadsheet of another country writes semicolons
        file.seek(0)
        rows = csv.DictReader(file, delimiter=delimiter)
        graded = sum(bool((row.get("grade") or "").strip()) for row in rows)
    if graded:
        raise UsageError(
            f"-o {output}: people filled in {plural(graded, 'grade')} there. Copy its rows to the end of JUDGMENTS if "
            "that is not done yet, then remove it, or name another file."
        )


def _write(found: LabelNext, form: str | None, output: str | None, quiet: bool) -> None:
    if is_for_people(form, output):
        show_lines(found.shown()[:1] if quiet else found.shown())
        return
    write_table(found.rows, found.to_json, form, output)
    if not quiet and form != "json":
        print_error(sentence_notes([text for _, text in found.lines]))
