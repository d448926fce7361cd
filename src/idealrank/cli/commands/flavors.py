"""idealrank flavors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.evaluation_summary import ledger_notes
from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.options import input_options_reading, output_options
from idealrank.cli.output import NO_NOTES, Notes, verbose, warn, write
from idealrank.decisions.decisions import questions

if TYPE_CHECKING:
    from idealrank.evaluation.flavors import Flavors

# Written out and not asked of nDCG, since measures load NumPy and help must not; a test compares.
_VALUES = ("gain", "discount", "cutoff", "negative", "ideal_depth", "max_grade", "no_relevant")
SHARED = tuple(
    name
    for name, question in questions().items()
    if (question.stage != "value" or name in _VALUES) and name not in ("ideal", "unjudged")
)
"""The decisions that all flavours read alike."""

_LETTERS = (
    "z counts an unjudged result as grade 0, f removes it; the ideal is l the top k re-sorted, r all returned, "
    "g all judged documents, m the top grade at every rank."
)
"""The letters of the names, as the help says them."""

_EXAMPLES = (
    "idealrank flavors judgments.csv results.csv -k 10",
    "idealrank flavors judgments.csv results.csv --gain exp2 --per-query --csv",
)


@click.command("flavors", cls=ExampleCommand, examples=_EXAMPLES)
@option("-k", type=click.IntRange(min=1), metavar="K", topic="Measures", help="The cutoff; without it the whole lists.")
@option("--per-query", is_flag=True, topic="Output", help="Show one line per query instead of the means.")
@output_options
@input_options_reading(SHARED)
def flavors_command(
    k: int | None, per_query: bool, form: str | None, output: str | None, quiet: bool, **options: Any
) -> None:
    """Compute DCG-z, DCG-f and NDCG under every ideal, with what each means.

    z counts an unjudged result as grade 0, f removes it. The ideal is l the top k re-sorted,
    r all returned, g all judged documents, m the top grade at every rank.
    So --ideal and --unjudged are answered in every way, and not taken. - is standard input.
    """
    from idealrank.cli.inputs import evaluate_arguments

    call, project = evaluate_arguments(options, ["nDCG"])
    from idealrank.evaluation.flavors import flavors

    values = flavors(k=k, **call)
    table = values.table if per_query else values.means
    notes = NO_NOTES
    if quiet and form != "json":
        warn(values.ledger)
    elif form != "json":
        notes = _flavors_notes(values, project.line)
    brief = None if per_query else {"": values.in_brief}
    write(table, lambda: values.to_json(per_query), form, output, notes, brief)


def _flavors_notes(values: Flavors, origin: str) -> Notes:
    whole = ledger_notes(values.scores, values.account(), origin)
    return whole if verbose() else whole._replace(below=lambda width: _brief_lines(values, origin, width))


def _brief_lines(values: Flavors, origin: str, width: int) -> list[str]:
    """Say what the letters mean, which queries count, and where the rest is."""
    from idealrank.cli.evaluation_summary import footer, query_notes
    from idealrank.display.blocks import wrap
    from idealrank.evaluation.summary import summary_sentences

    # Of the sentences only the first, on queries: unjudged results are what the letters z and f tell apart.
    sentences, scores = summary_sentences(values.scores)[:1], values.scores
    return [*wrap([_LETTERS], width), *query_notes(scores, sentences, width), *footer(scores, origin, width)]
