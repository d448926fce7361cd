"""idealrank explain."""

from typing import Any

import click

from idealrank.cli.evaluation_summary import default_lines
from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.inputs import name_queries_table
from idealrank.cli.options import input_options, measure_option, output_options
from idealrank.cli.output import format_by_ending, is_for_people, screen_width, show, to_delimited, verbose, write_text
from idealrank.errors import UsageError

_EXAMPLES = (
    "idealrank explain qrels.txt run.txt -m nDCG@10 --query 301",
    'idealrank explain judgments.csv results.csv -m AP --query "red shoes" --json',
    "idealrank explain judgments.csv bm25.csv hybrid.csv --system hybrid --query q14",
)


@click.command("explain", cls=ExampleCommand, examples=_EXAMPLES)
@measure_option(default="nDCG@10", show_default=True, help="The measure.")
@option(
    "--query", metavar="ID|TEXT", topic="Measures", help="The query, by id or by its whole text; letter case counts."
)
@output_options
@input_options
def explain_command(
    measure: str, query: str | None, form: str | None, output: str | None, quiet: bool, **options: Any
) -> None:
    """Show the arithmetic behind one value: the results, their shares, the ideal list beside them.

    One file alone may contain both; - is standard input. TSV and CSV contain the table of results, JSON everything.
    """
    from idealrank.cli.inputs import evaluate_arguments

    call, project = evaluate_arguments(options, [measure])
    from idealrank.display.text import paragraphs
    from idealrank.evaluation.evaluate import explain

    try:
        explanation = explain(measure=measure, query=query, **call)
    except UsageError as error:
        raise UsageError(name_queries_table(error.typed, options["judgments"])) from None
    if is_for_people(form, output):
        width = screen_width()
        blocks = paragraphs(explanation.shown(), width)
        last = blocks[-1] if verbose() else [f"Convention {explanation.answers.setting}. All choices: --verbose"]
        show(blocks[: -2 if quiet else -1], [] if quiet else [*default_lines(project.line, width), *last])
        return
    form = form or format_by_ending(output)
    write_text(
        explanation.to_json() + "\n" if form == "json" else to_delimited(explanation.steps, form, output), output
    )
