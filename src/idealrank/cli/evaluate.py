"""idealrank evaluate."""

from __future__ import annotations

from typing import Any

import click

from idealrank.cli.options import inputs, measure_option, output_options


@click.command("evaluate")
@measure_option
@click.option("--per-query", is_flag=True, help="One line a query instead of the means.")
@click.option("--describe", is_flag=True, help="Count, mean, sd and quartiles instead of the means.")
@click.option(
    "--by", metavar="ATTRIBUTE|1..50,51..100", help="With --describe: by a query attribute, or by ranges of ids."
)
@click.option("--worst", type=click.IntRange(min=1), metavar="N", help="The N queries with the lowest first measure.")
@click.option("--best", type=click.IntRange(min=1), metavar="N", help="The N queries with the highest first measure.")
@click.option("--lost-value", is_flag=True, help="Queries by frequency x (ideal - actual); needs --weights.")
@click.option("--ledger", "show_ledger", is_flag=True, help="What became of every query, in full.")
@inputs
@output_options
def command(measures: tuple[str, ...], form: str | None, output: str | None, quiet: bool, **given: Any) -> None:
    r"""Score RESULTS against JUDGMENTS; one file alone holds both; - is standard input.

    Without -m: nDCG@10, P@10, R@100, RR, AP. A table on a terminal, TSV when piped.

    \b
    Examples:
      idealrank evaluate qrels.txt run.txt
      idealrank evaluate qrels.txt bm25.run dense.run -m nDCG@10 -m 'P(rel=2)@5'
      idealrank evaluate judgments.csv results.csv --as sklearn --json
      idealrank evaluate qrels.txt run.txt --as "trec_eval-9.0.8, no_results=0" --per-query
      idealrank evaluate j.csv r.csv --queries-table queries.csv --describe --by segment
      zcat run.gz | idealrank evaluate qrels.txt - -m AP
    """
    from idealrank.cli.loading import call_of
    from idealrank.cli.output import write
    from idealrank.conventions import parse_convention
    from idealrank.evaluation import evaluate, measures_under

    call, project = call_of(given)
    asked = list(measures or project.measures) or None
    measures_under(parse_convention(call["convention"]), asked)
    scores = evaluate(measures=asked, **call)
    talk = [] if quiet else [
        *([f"defaults   {project.line}"] if project.line else []),
        f"decisions  {scores.decisions}",
        f"ledger     {scores.ledger.line}",
        *(f"           {note}" for note in scores.ledger.notes),
    ]  # fmt: skip
    table = _chosen(scores, given)
    write(
        table,
        lambda: scores.to_json(given["per_query"]) if table.title in ("means", "per query") else table.to_json(),
        form,
        output,
        talk,
    )


def _chosen(scores: Any, given: dict[str, Any]) -> Any:
    if given["show_ledger"]:
        return scores.ledger.per_measure
    if given["describe"] or given["by"]:
        by = given["by"]
        return scores.describe(by.split(",") if by and ".." in by else by)
    system = given["system"]
    if given["worst"]:
        return scores.worst(given["worst"], system=system)
    if given["best"]:
        return scores.best(given["best"], system=system)
    if given["lost_value"]:
        return scores.lost_value(system=system)
    return scores.per_query if given["per_query"] else scores.means
