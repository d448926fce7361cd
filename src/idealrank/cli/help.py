"""Commands whose help has options by topic and examples as they are typed."""

import contextlib
import os
import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.interruption import end_on_interrupt
from idealrank.errors import NoColumnError, UsageError, closest

if TYPE_CHECKING:
    from pathlib import Path

Body = Callable[..., None]
Decorator = Callable[[Body], Body]


class Option(click.Option):
    """An option under a heading of its own in the help.

    Attributes
    ----------
    expert
        Whether few people need it: --help only lists it, --help-all says what it does.
    """

    def __init__(self, *args: Any, topic: str = "", expert: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.topic = topic
        self.expert = expert


def option(*names: str, topic: str = "", **settings: Any) -> Decorator:
    """Add an option under a heading."""
    return click.option(*names, cls=Option, topic=topic, **settings)


def add_parameters(*decorators: Decorator) -> Decorator:
    """Add parameters, in the order they are given."""

    def decorate(command: Body) -> Body:
        for decorator in reversed(decorators):  # the last decorator applied comes first in the help
            command = decorator(command)
        return command

    return decorate


DEFAULTS = "idealrank.defaults"
"""Where the context of a call keeps what was taken from the project's file."""

WORDS = "idealrank.words"
"""Where the context of a call keeps what was typed after the name of the command."""

WHOLE_HELP = "idealrank.help"
"""Where the context of a call keeps that the help explains the options for experts, too."""

ENDINGS = {".json": "json", ".csv": "csv", ".tsv": "tsv"}
"""The forms a command writes, by the ending of the file."""

TEXT_ENDINGS = {".md": "markdown", ".tex": "latex"}
"""The same of a table for a text, which few commands write."""


class ExampleCommand(click.Command):
    """A command with examples, and options grouped by topic.

    Attributes
    ----------
    writes
        The forms it writes, by the ending of the file.
    reads
        Whether it reads files, which may take a while; else it needs nothing but what it says.
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str] = (),
        writes: Mapping[str, str] = ENDINGS,
        reads: bool = True,
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self.examples = examples
        self.writes = writes
        self.reads = reads

    def make_parser(self, ctx: click.Context) -> Any:
        """Make the parser; an option of one value that comes twice is refused, not the last one taken."""
        parser: Any = super().make_parser(ctx)
        parse_args_of_click = parser.parse_args

        def parse_args(args: list[str]) -> Any:
            # Only the parser knows what was typed, in order: click then keeps one value per option, the last.
            values, rest, order = parse_args_of_click(args)
            _refuse_repeated([parameter for parameter in order if isinstance(parameter, click.Option)], ctx)
            return values, rest, order

        parser.parse_args = parse_args
        return parser

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a call; of an option there is not, say which one does that here."""
        words = ctx.meta[WORDS] = list(args)  # click takes words out of args as it reads them
        try:
            return super().parse_args(ctx, args)
        except (click.NoSuchOption, click.BadOptionUsage) as error:
            raise click.UsageError(explain_option_error(error, words, self, ctx), ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a name or a column that is wrong is told with the defaults a project fixed."""
        try:
            with end_on_interrupt() if self.reads else contextlib.nullcontext():
                return super().invoke(ctx)
        except (UsageError, NoColumnError) as error:
            project = ctx.meta.get(DEFAULTS)
            if project and (line := project.mentioned_in(error.typed).line):
                raise type(error)(*f"{error.typed} Defaults were taken from {line}.".split("\n")) from None
            raise

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Return --help alone: -h asks for the short help."""
        return ["--help"]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters with -h, --help and --help-all last."""
        params = super().get_params(ctx)
        if not self.add_help_option:
            return params
        whole = [HELP_ALL] if any(_is_expert(each) for each in params) else []
        return [*params[:-1], SHORT_HELP, params[-1], *whole]  # click puts --help last

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write usage, what it does, examples, and all options."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        write_examples(self.examples, formatter)
        self.format_options(ctx, formatter)

    def short_help_text(self, ctx: click.Context) -> str:
        """Return the help that fits a screen: usage, a sentence, examples, as many of the usual options as fit."""
        records = {p.opts[0]: p.get_help_record(ctx) for p in self.get_params(ctx) if isinstance(p, click.Option)}
        usual = [record for flag in USUAL_OPTIONS if (record := records.get(flag)) is not None]
        options = min(len(usual), SHORT_HELP_OPTIONS)
        while (text := self._short_help(ctx, usual[:options])).count("\n") >= SCREEN and options > 1:
            options -= 1
        return text

    def _short_help(self, ctx: click.Context, usual: list[tuple[str, str]]) -> str:
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text((self.help or "").partition("\n")[0])
        whole = [each for each in self.examples if len(each) + 2 <= formatter.width] or self.examples[:1]
        write_examples(whole[:SHORT_HELP_EXAMPLES], formatter)
        if usual:
            with formatter.section("Options"):
                formatter.write_dl(usual, col_max=34)
        formatter.write_paragraph()
        formatter.write(f"All options: {ctx.command_path} --help\n")
        return formatter.getvalue().rstrip("\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, one list per topic; of those for experts the names alone, unless --help-all asks."""
        topics: dict[str, list[tuple[str, str]]] = {}
        listed: dict[str, list[str]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None or not isinstance(parameter, click.Option):
                continue
            topic = getattr(parameter, "topic", "")
            if _is_expert(parameter) and not ctx.meta.get(WHOLE_HELP):
                listed.setdefault(topic, []).append(parameter.opts[0])
            else:
                topics.setdefault(topic, []).append(record)
        others = topics.pop("", [])
        for topic, records in topics.items():
            with formatter.section(topic):
                formatter.write_dl(records, col_max=34)
        if listed:
            with formatter.section(f"More options, explained by {ctx.command_path} --help-all"):
                for topic, flags in listed.items():
                    # A flag that breaks at its hyphens cannot be searched for or copied.
                    text = textwrap.fill(
                        f"{topic}: {', '.join(flags)}",
                        formatter.width,
                        initial_indent="  ",
                        subsequent_indent="    ",
                        break_on_hyphens=False,
                    )
                    formatter.write(f"{text}\n")
        with formatter.section("Other options"):
            formatter.write_dl(others, col_max=34)


def _is_expert(parameter: click.Parameter) -> bool:
    """Say whether a parameter is an option for experts that a help may show."""
    return isinstance(parameter, Option) and parameter.expert and not parameter.hidden


SCREEN = 23
"""Lines of the short help, at most: a screen of 24 with the line below for what is typed next."""

SHORT_HELP_OPTIONS = 10
"""Options that the short help shows, at most."""

SHORT_HELP_EXAMPLES = 3
"""Examples that the short help shows, at most: the first that fit the screen."""

USUAL_OPTIONS = (
    *(
        "--fail-if",
        "--min",
        "--max-unjudged",
        "-m",
        "--query",
        "-k",
        "-p",
        "--departures",
        "--baseline",
        "--format",
        "-o",
        "--margin",
    ),
    *("--as", "--per-query", "--worst", "--by", "--losses", "--to-judge", "--documents", "--title", "--junit"),
    *("--fix", "--exclude", "-v", "-q", "--queries-table", "--segments"),
)
"""The options people use: what a command has of them, the first first, is its short help."""


def _print_short_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Write the short help, where it is asked for."""
    if value and not ctx.resilient_parsing:
        from idealrank.display.terminal import print_text

        print_text(ctx.command.short_help_text(ctx))  # type: ignore[attr-defined]  # only a Command has this option
        ctx.exit()


SHORT_HELP = click.Option(
    ["-h"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_short_help,
    help="Show the short help and exit.",
)


def _print_whole_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Write the help with every option explained, where it is asked for."""
    if value and not ctx.resilient_parsing:
        from idealrank.display.terminal import print_text

        ctx.meta[WHOLE_HELP] = True
        print_text(ctx.get_help())
        ctx.exit()


HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_whole_help,
    help="Explain every option and exit.",
)


def _refuse_repeated(options: list[click.Option], ctx: click.Context) -> None:
    """Refuse a value given twice, and two flags that set the same."""
    first: dict[str, click.Option] = {}
    for option in options:
        before = first.setdefault(str(option.name), option)
        if before is not option:
            raise click.UsageError(f"{before.opts[0]} and {option.opts[0]} exclude each other. Leave one out.", ctx)
        if options.count(option) > 1 and not (option.multiple or option.is_flag):
            raise click.UsageError(f"{option.opts[-1]} is given twice. Give it once: it takes one value.", ctx)


def write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    """Write examples as they are typed."""
    with formatter.section("Examples"):
        for line in examples:
            formatter.write(f"  {line}\n")


# Options that are not there, or lack their value: what to type.


_MEASURE = "Name the measures with -m, once for each: -m nDCG@10 -m RR."
_FORM = "Choose the form with --format, or by the ending of -o FILE."
_PAGE = "A page is written by idealrank report JUDGMENTS RESULTS… -o report.html."
_EACH = "Show one line per query with --per-query."
_FOREIGN_OPTIONS = {
    "--output-format": _FORM,
    "--metric": _MEASURE,
    "--metrics": _MEASURE,
    "--measures": _MEASURE,
    "--qrels": "Give the judgments first, without a flag.",
    "--judgments": "Give the judgments first, without a flag.",
    "--run": "Give the results after the judgments, without a flag.",
    "--results": "Give the results after the judgments, without a flag.",
    "--alpha": "Give the confidence of the intervals: --level 0.95.",
    "--confidence": "Give the confidence of the intervals: --level 0.95.",
    "--html": _PAGE,
    "--per-topic": _EACH,
    "--by-query": _EACH,
}
"""What other tools call an option, and what to type here."""

_CUTOFFS = ("-k", "--k", "--at", "--depth", "--top-k", "--top")
_ALIKE = 0.7
"""How alike a flag must be to be proposed, from 0 to 1."""


def explain_option_error(
    error: click.NoSuchOption | click.BadOptionUsage, words: Sequence[str], command: click.Command, ctx: click.Context
) -> str:
    """Say what is wrong with an option, and what to type."""
    if not isinstance(error, click.NoSuchOption):
        return _explain_missing_value(error, command, ctx)
    name, flags = error.option_name, _flags(command, ctx)
    return f"No such option {name!r}.{_foreign_option_advice(name, words, flags) or _closest_flag(name, flags)}"


def _flags(command: click.Command, ctx: click.Context) -> list[str]:
    options = [p for p in command.get_params(ctx) if isinstance(p, click.Option) and not p.hidden]
    return [flag for option in options for flag in option.opts]


def _foreign_option_advice(name: str, words: Sequence[str], flags: Sequence[str]) -> str:
    """Say what to type in the place of what other tools call it; "" where the command has no such thing."""
    if name in _CUTOFFS and "-m" in flags:
        return f" The cutoff is part of the measure: -m nDCG@{_number_after(name, words)}."
    text = _FOREIGN_OPTIONS.get(name, "")
    there = all(word.strip(".,:") in flags for word in text.split() if word.startswith("-"))
    return f" {text}" if text and there else ""


def _number_after(name: str, words: Sequence[str]) -> str:
    """Return the number that was typed behind an option, or 10."""
    joined = " ".join(words).replace("=", " ").replace("-k", "-k ").split()  # also --at=5 and -k5
    behind = joined[joined.index(name) + 1 :] if name in joined else []
    return behind[0] if behind and behind[0].isdecimal() else "10"


def _closest_flag(name: str, flags: Sequence[str]) -> str:
    """Propose the flag that looks most alike, if one does."""
    import difflib

    word = closest(name, flags)
    # Letters in another order are a slip of the fingers, however unlike the flags look.
    alike = difflib.SequenceMatcher(None, name, word).ratio() >= _ALIKE or sorted(name) == sorted(word)
    return f" Did you mean {word}?" if word and alike else ""


def _explain_missing_value(error: click.BadOptionUsage, command: click.Command, ctx: click.Context) -> str:
    for option in command.get_params(ctx):
        if isinstance(option, click.Option) and error.option_name in option.opts and not option.is_flag:
            return f"{error.option_name} needs a value: {error.option_name} {option.make_metavar(ctx)}. {option.help}"
    return error.format_message()


# Commands to type: broken at their arguments with `\` where the screen is narrow, so they can be copied.


_WORD = r"(?:'[^']*'|\"[^\"]*\"|\S)+"


def wrap_command(command: str, width: int, indent: int = 2) -> list[str]:
    r"""Break a command at its arguments; an option stays with its value.

    Examples
    --------
    >>> wrap_command("idealrank compare judgments.csv a.csv b.csv -m nDCG@10", 36)
    ['  idealrank compare judgments.csv \\', '    a.csv b.csv -m nDCG@10']
    """
    lines = [" " * indent]
    for part in _join_option_values(re.findall(_WORD, command)):
        if lines[-1].strip() and len(lines[-1]) + len(part) + 3 > width:
            lines[-1] += "\\"
            lines.append(" " * (indent + 2))
        lines[-1] += f"{part} "
    return [line.rstrip(" ") for line in lines]


def _join_option_values(words: list[str]) -> list[str]:
    """Join options with their values."""
    parts: list[str] = []
    for word in words:
        joined = parts and parts[-1].startswith("-") and " " not in parts[-1] and not word.startswith("-")
        parts = [*parts[:-1], f"{parts[-1]} {word}"] if joined else [*parts, word]
    return parts


def program_name() -> str:
    """Return how this program is called from here: by its name if that finds it, else by its path."""
    from pathlib import Path

    called = Path(sys.argv[0])
    if not (called.stem == "idealrank" and called.exists()):
        return f"{_shortest_path(Path(sys.executable))} -m idealrank"
    return _shortest_path(called)


def _shortest_path(file: "Path") -> str:
    """Return the name of a program where PATH finds it, else its path: from here where it is below, else the whole."""
    import shlex
    import shutil

    path = os.path.abspath(file)
    found = shutil.which(file.name)
    if found is not None and os.path.abspath(found) == path:
        return file.name
    near = os.path.relpath(path)
    return shlex.quote(path if near.startswith(os.pardir) else near)
