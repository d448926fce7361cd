"""A command line goes in, calls of the library and what they print come out. It may import every room."""

import importlib
import sys
from typing import Any, NoReturn

import click

from idealrank.cli.help import SHORT_HELP, write_examples
from idealrank.cli.interruption import EXIT_INTERRUPTED, MESSAGE_INTERRUPTED
from idealrank.errors import DataError, IdealrankError

COMMANDS = {
    "demo": "Compare two searches of an example shop: a first look.",
    "peek": "Show what is in files, and how they would be joined.",
    "evaluate": "Score results against judgments.",
    "compare": "Compare systems: ship, don't, about the same, or can't tell.",
    "leaderboard": "Rank many systems, with the ranks that each can have.",
    "gate": "Check that new results meet conditions, as a build does.",
    "history": "Follow a measure over dates, and say what made it change.",
    "report": "Write a self-contained HTML report to read and share.",
    "studio": "Open a local page: flip decisions, grade, see the verdict move.",
    "explain": "Show the arithmetic behind one value.",
    "flavors": "Compute DCG and NDCG under every ideal, side by side.",
    "overlap": "Compare the documents of two systems, without judgments.",
    "agreement": "Measure how far raters agree, and what that does to a verdict.",
    "combine": "Make one grade of several ratings, by what raters are worth.",
    "sample": "Draw queries at random for people to judge, with the proof.",
    "clicks": "Make judgments of clicks, with how sure each is.",
    "pool": "List what to judge where nobody has judged anything yet.",
    "judge": "Ask a language model for grades; a failure is never a 0.",
    "label-next": "Say what to label next, and whether labelling may stop.",
    "doctor": "Find what is wrong with judgments and results, and mend it.",
    "plot": "Draw a plot for a paper or a page.",
    "replay": "Ask search engines every query, and keep the results.",
    "convert": "Write judgments or results in another format.",
    "measures": "List the measures, or describe one.",
    "reconcile": "Say which decisions make two numbers differ.",
    "identify": "Find the convention behind a printed number.",
    "conventions": "List the conventions, or describe one.",
    "schema": "Print the JSON Schema of an output, or list the schemas.",
    "trec_eval": "Drop-in trec_eval: same flags, identical output.",
}
"""The one list of commands; each is the function NAME_command of a module of its own, imported when called.

In the names of both - is _.
"""

EXIT_USAGE, EXIT_DATA, EXIT_FAULT = 2, 3, 70
EXIT_CODES = {
    0: "done or passed",
    1: "gate failed, or doctor found what moves a mean",
    EXIT_USAGE: "usage: an unknown name, or a value that is not allowed",
    EXIT_DATA: "bad data",
    4: "can't tell (gate, label-next)",
    EXIT_FAULT: "a fault of idealrank, or too little memory",
    EXIT_INTERRUPTED: "interrupted (Ctrl-C)",
}
"""What a command ends with; trec_eval ends with the codes of trec_eval.

1 is for findings alone, so that a build can tell a failed gate from a gate that did not work. 70 is EX_SOFTWARE of
BSD's sysexits.h.
"""

_EXAMPLES = (
    "idealrank peek judgments.csv bm25.csv",
    "idealrank evaluate qrels.txt bm25.run -m nDCG@10 -m RR",
    "idealrank compare judgments.csv bm25.csv hybrid.csv",
    "idealrank report judgments.csv bm25.csv hybrid.csv -o report.html",
    'idealrank explain judgments.csv bm25.csv -m nDCG@10 --query "red shoes"',
)


_MAIN = {
    "First look": ("demo", "peek"),
    "Measure and decide": ("evaluate", "compare", "leaderboard"),
    "Share and guard": ("report", "studio", "gate"),
}
"""The commands that -h describes, in groups; it names the others."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module = importlib.import_module(f"idealrank.cli.commands.{name}")
        command: click.Command = getattr(module, f"{name}_command")
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS and not ctx.resilient_parsing:
            raise click.UsageError(_no_such_command(args), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        return [*params[:-1], SHORT_HELP, params[-1]]  # click puts --help last

    def short_help_text(self, ctx: click.Context) -> str:
        """Return the help that fits a screen: what it is, the commands people use, two examples."""
        from idealrank.display.blocks import wrap

        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        formatter.write("Measure search results, and see every choice behind the number.\n\n")
        wide = max(map(len, (name for names in _MAIN.values() for name in names))) + 4
        for heading, names in _MAIN.items():
            formatter.write(f"{heading}:\n")
            for name in names:
                formatter.write(f"{f'  {name}':<{wide}}{COMMANDS[name]}\n")
        others = ", ".join(name for name in COMMANDS if not any(name in names for names in _MAIN.values()))
        formatter.write("\n".join(wrap([f"More: {others}."], formatter.width)) + "\n\nExamples:\n")
        for example in _EXAMPLES[1:3]:
            formatter.write(f"  {example}\n")
        formatter.write("All: idealrank --help; one command: idealrank COMMAND -h\n")
        return formatter.getvalue().rstrip("\n")

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_usage(ctx, formatter)
        write_examples(_EXAMPLES, formatter)
        self.format_help_text(ctx, formatter)
        self.format_options(ctx, formatter)
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), words) for code, words in EXIT_CODES.items()])


_FOREIGN_COMMANDS = {
    "help": "idealrank --help; of one command: idealrank COMMAND -h",
    "version": "idealrank --version",
    "diff": "idealrank compare JUDGMENTS RESULTS RESULTS",
    "list": "idealrank measures, or idealrank conventions",
    "score": "idealrank evaluate JUDGMENTS RESULTS",
}
"""What people call a command that has another name here, and what to type."""


def _no_such_command(words: list[str]) -> str:
    """Say what to type in the place of a command that does not exist; files without a command are still files."""
    import os
    from itertools import takewhile
    from shlex import quote

    from idealrank.errors import unknown

    if words[0] in _FOREIGN_COMMANDS:
        return f"No command called {words[0]!r}. Type {_FOREIGN_COMMANDS[words[0]]}."
    files = list(takewhile(os.path.exists, words))
    if not files:
        return str(unknown("command", words[0], COMMANDS))
    command = {1: "peek", 2: "evaluate"}.get(len(files), "compare")
    kind = "a folder" if os.path.isdir(files[0]) else "a file"
    call = " ".join(["idealrank", command, *map(quote, files)])
    return f"{words[0]!r} is {kind}, and no command. The command comes first, as {call}."


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["--help"], "max_content_width": 100},
)
@click.version_option(package_name="idealrank", prog_name="idealrank")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Measure how good your search results are, and see every choice behind the number.

    Fix a convention, measures and column names for a project in its pyproject.toml: table [tool.idealrank].

    Tab completion: eval "$(_IDEALRANK_COMPLETE=bash_source idealrank)" (or zsh_source, fish_source).

    Without a command, idealrank looks into the files of the current folder, and says which command would come next.
    """
    if ctx.invoked_subcommand is None:
        from idealrank.cli.welcome import welcome

        welcome()


def main() -> NoReturn:
    """Run the command line; every error is one line and an exit code, never a traceback."""
    from idealrank.display.terminal import allow_any_encoding, flush, silence

    allow_any_encoding()
    try:
        code = _run_group()
        flush()
    except BrokenPipeError:
        code = 0  # the reader of a help text went away: nothing is left to say, not even at interpreter exit
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        _print_message(f"idealrank: output cannot be written: {error.strerror or error}.")
        code = EXIT_USAGE
    except BaseException as error:  # also the panics of the core, which are no Exception
        if isinstance(error, SystemExit | KeyboardInterrupt):
            raise
        from idealrank.cli.crash import report_crash

        _print_message(report_crash(error))
        code = EXIT_FAULT
    sys.exit(code)


def _run_group() -> int:
    stdout = sys.stdout
    try:
        code = group.main(prog_name="idealrank", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return EXIT_USAGE
    except click.ClickException as error:
        _print_message(f"idealrank: {_usage_message(error)}")
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        _print_message(MESSAGE_INTERRUPTED)
        return EXIT_INTERRUPTED
    except SystemExit as stop:
        if sys.stdout is not stdout:  # click's answer to a closed pipe: it wraps the stream, and ends with 1
            raise BrokenPipeError from None
        return stop.code if isinstance(stop.code, int) else 0
    except IdealrankError as error:
        _print_message(f"idealrank: {error.typed}")
        return EXIT_DATA if isinstance(error, DataError) else EXIT_USAGE
    return code if isinstance(code, int) else 0


def _usage_message(error: click.ClickException) -> str:
    """Say what is wrong with the words of a call, and where its help is."""
    message = " ".join(error.format_message().split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{message} See {context.command_path} --help." if context else message


def _print_message(text: str) -> None:
    """Print what is wrong on standard error; where that cannot be written, the exit code says it alone."""
    from idealrank.display.terminal import say, silence

    try:
        for line in text.split("\n"):
            say(line)
    except OSError:  # a full disk
        silence(sys.stderr)
