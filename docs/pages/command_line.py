"""The page of the command line."""

from __future__ import annotations

import click

from idealrank.cli import COMMANDS, EXIT_CODES, group
from idealrank.cli.help import WHOLE_HELP

HELP_COLUMNS = 100


def cli_page() -> str:
    """The help of every command, as the command prints it."""
    lines = [
        "# Command line",
        "",
        "`idealrank COMMAND …` writes what people read to standard output: the answer in words, the table, the",
        "settings in a line; on a terminal as wide as it is, and in a pipe or a log with whole tables and without",
        "colour. Warnings and progress go to standard error. Programs ask for data in full precision:",
        "`--format tsv`, `csv` or `json` (`--csv` and `--json` for short), or `-o FILE` by its ending, which is",
        "written completely or not at all; standard error then has what was found and the settings, a line each.",
        "`-` is standard input.",
        "",
        "`--verbose` shows every choice, the full ledger and all evidence; JSON has them in any case. `-h` shows a",
        "help that fits on one screen, `--help` explains the usual options and lists the others, `--help-all` explains",
        "every option, as this page does.",
        "",
        "CSV, JSON and every `-o FILE` state the fingerprint of each measure; in CSV it is the last column, or only in",
        "the first row if it is the same for all rows. A CSV with a line per query has them with `--fingerprints`.",
        "Piped output is the terminal's table, without fingerprints.",
        "",
        "An error is one line on standard error that says where it is, what is wrong, what is allowed and what to do",
        "next. A command ends with one of these exit codes, and `trec_eval` with those of trec_eval:",
        "",
        "| exit code | meaning |",
        "|---|---|",
        *(f"| {code} | {words} |" for code, words in EXIT_CODES.items()),
        "",
        "A project sets its defaults once, in `pyproject.toml`; the settings taken from there are printed with the",
        "number:",
        "",
        "```toml",
        "[tool.idealrank]",
        'convention = "trec_eval-9.0.8, no_results=0"',
        'measures = ["nDCG@10", "P@5"]',
        'columns = {query = "judgments:QUERY_KEY", grade = ["Ann", "Ben"]}',
        "```",
        "",
        "Name columns as their options do: `judgments:`, `results:` or `queries:` before the name limits it to that",
        "table, and a list is like giving the option several times.",
        "",
        "## idealrank",
        "",
        "```text",
        _help(group, "idealrank"),
        "```",
    ]
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        lines += ["", f"## idealrank {name}", "", "```text", _help(command, f"idealrank {name}"), "```"]
    return "\n".join([*lines, ""])


def _help(command: click.Command, name: str) -> str:
    context = click.Context(command, info_name=name, terminal_width=HELP_COLUMNS, max_content_width=HELP_COLUMNS)
    context.help_option_names = ["-h", "--help"]
    context.meta[WHOLE_HELP] = True
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
