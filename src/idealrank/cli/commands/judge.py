"""idealrank judge."""

from __future__ import annotations

import json
from typing import Any

import click

from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.inputs import pool_files
from idealrank.cli.options import column_options, form_options
from idealrank.cli.output import show_lines
from idealrank.display.terminal import give, say
from idealrank.errors import UsageError

_EXAMPLES = (
    "idealrank judge pairs.csv --model gpt-5-mini -o grades.jsonl",
    "idealrank judge pairs.csv --model qwen3 --base-url http://localhost:8080/v1 --twice 5% -o grades.jsonl",
    "idealrank judge a.csv b.csv --documents products.csv --guideline shop --model qwen3 -o grades.jsonl",
    "idealrank judge next.csv --documents documents.csv --model qwen3 --template ours.txt -o grades.jsonl",
)
_WHAT, _HOW, _OUT, _WHO = "What is asked", "Load on the server", "Output", "Who asks"
_BASE = "Address of an OpenAI-compatible server, or python:module:function. [OPENAI_BASE_URL, or OpenAI]"
_TEMPLATE = "The prompt: a text with {{query}} and {{document}}, or any column of PAIRS. [built in, grades 0 to 3]"
_GUIDELINE = "In place of a template: shop, answer, recommendation, or a file that says what each grade means."
_DEPTH = "Of RESULTS: down to which rank, at least the cutoff of the measure that is to decide. [10]"
_PARAM = "Send this, too, as --param max_completion_tokens=500; null leaves a name out: --param temperature=null."
_HEADER = "Send a header; ${NAME} stands for a variable of the environment: 'api-key: ${KEY}'."
_OPTIONS = add_parameters(
    option("--model", required=True, metavar="NAME", topic=_WHAT, help="The model."),
    option("--base-url", default="", metavar="URL", topic=_WHAT, help=_BASE),
    option("--template", metavar="FILE", type=click.Path(), topic=_WHAT, help=_TEMPLATE),
    option("--guideline", metavar="NAME|FILE", topic=_WHAT, help=_GUIDELINE),
    option("-k", type=click.IntRange(min=1), metavar="K", topic=_WHAT, help=_DEPTH),
    option("--scale", metavar="GRADES", topic=_WHAT, help="The grades allowed. [of the guideline, or 0,1,2,3]"),
    option("--documents", metavar="FILE", type=click.Path(), topic=_WHAT, help="A table of the documents' texts."),
    option("--queries-table", metavar="FILE", type=click.Path(), topic=_WHAT, help="A table of the queries' texts."),
    option("--twice", default="0", metavar="SHARE", topic=_WHAT, help="Ask this share a second time: 5%. [0]"),
    option(
        "--no-schema", is_flag=True, topic=_WHAT, help="Do not ask for answers of a fixed form: not all servers can."
    ),
    option("--param", "params", multiple=True, metavar="NAME=VALUE", topic=_WHAT, help=_PARAM),
    option("--concurrency", type=int, default=4, metavar="N", topic=_HOW, help="Requests at the same time. [4]"),
    option("--rate", type=float, metavar="N", topic=_HOW, help="Requests per second at most."),
    option("--timeout", type=float, default=60.0, metavar="SECONDS", topic=_HOW, help="Time for a request. [60]"),
    option("--retries", type=int, default=3, metavar="N", topic=_HOW, help="Further tries of a refused request. [3]"),
    option("--stop-after", type=int, default=10, metavar="N", topic=_HOW, help="Stop after N failures in a row. [10]"),
    option("-o", "--output", required=True, metavar="FILE", type=click.Path(), topic=_OUT, help="The file of grades."),
    option("--cache", metavar="FILE", type=click.Path(), topic=_OUT, help="The file of answers. [beside the grades]"),
    option("--anew", is_flag=True, topic=_OUT, help="Ask everything again."),
    option("--price-in", type=float, metavar="N", topic=_OUT, help="Price of a million input tokens."),
    option("--price-out", type=float, metavar="N", topic=_OUT, help="Price of a million output tokens."),
    form_options(_OUT, ("table", "json"), "Write the counts for people, or as JSON. [table]"),
    option("-q", "--quiet", is_flag=True, topic=_OUT, help="Say only what is not graded."),
    option("--header", "headers", multiple=True, metavar="'NAME: VALUE'", topic=_WHO, help=_HEADER),
    option("--tls", default="verified", metavar="CHECK", topic=_WHO, help="verified, unverified, or FILE. [verified]"),
)  # fmt: skip


@click.command("judge", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="PAIRS | RESULTS…")
@_OPTIONS
@add_parameters(*column_options(("query", "text", "doc")))
def judge_command(files: tuple[str, ...], k: int | None, form: str | None, quiet: bool, **options: Any) -> None:
    """Ask a language model for the grade of each of PAIRS, a table of queries and documents with their texts.

    Of several files, or with -k, RESULTS of systems: the first K of all of them are graded, each pair once, as
    `idealrank pool` lists them.

    Any OpenAI-compatible server. The key is read from OPENAI_API_KEY, and never shown. An answer is graded, refused,
    unparsable, timed out or failed: what is not graded is a missing rating, never a grade of 0. Each answer is kept as
    it arrives: the same command goes on where it stopped, and asks again only what timed out or failed. The grades
    are read by every command, with the model as their rater: `idealrank agreement people.csv grades.jsonl`,
    `idealrank compare … --judge grades.jsonl`. Exit code 0: some pairs are graded, and the output counts the others.
    Exit code 3: nothing was graded, or the run stopped after failures in a row.
    """
    from idealrank.labels.judge import judge, refuse_ungraded

    pairs: Any = files[0]
    if len(files) > 1 or k is not None:
        pairs = pool_files(files, options, k=k, queries=options["queries_table"], documents=options["documents"])
        options |= dict.fromkeys(("queries_table", "documents", "query_col", "text_col", "doc_col"))
    columns = {role: _column(options.pop(f"{role}_col")) for role in ("query", "text", "doc")}
    options["headers"] = dict(map(_parse_header, options["headers"]))
    options["params"] = dict(map(_parse_param, options["params"]))
    options["scale"] = None if options["scale"] is None else _parse_scale(options["scale"])
    options["twice"] = _parse_share(options["twice"])
    options["queries"] = options.pop("queries_table")
    options["structured"] = not options.pop("no_schema")
    try:
        found = judge(pairs, columns=columns, **options)
    except KeyboardInterrupt:
        say("What was answered is kept: the same command goes on from there.")
        raise
    if form == "json":
        give(found.to_json() + "\n")
    elif not quiet or found.counts["graded"] < len(found.answers):
        show_lines(found.shown())
    refuse_ungraded(found)


def _column(chosen: Any) -> str | None:
    return chosen[-1].rpartition(":")[2] if chosen else None


def _parse_header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise UsageError(f"--header {text.strip()}: not a header. Write 'NAME: VALUE'.")
    return name.strip(), value.strip()


def _parse_param(text: str) -> tuple[str, Any]:
    """Return a parameter; its value is JSON where it can be read as such, else text."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"--param {text.strip()}: give its value: --param {name.strip() or 'NAME'}=VALUE.")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def _parse_scale(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(grade) for grade in text.split(","))
    except ValueError:
        raise UsageError(f"--scale {text}: not a scale. Give two or more whole numbers: --scale 0,1,2,3.") from None


def _parse_share(text: str) -> float:
    number, sign, rest = text.strip().partition("%")
    try:
        share = float(number) / (100 if sign else 1)
    except ValueError:
        share = -1.0
    if rest or not 0 <= share <= 1:
        raise UsageError(f"--twice {text}: not a share. Give one such as 5%.")
    return share
