"""Commands whose help has options by topic and examples as they are typed."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from idealrank.cli.interruption import ended_when_interrupted
from idealrank.errors import NoColumnError, UsageError

Body = Callable[..., None]
Decorator = Callable[[Body], Body]


class Option(click.Option):
    """An option under a heading of its own in the help."""

    def __init__(self, *args: Any, topic: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.topic = topic


def option(*names: str, topic: str = "", **settings: Any) -> Decorator:
    """Add an option under a heading."""
    return click.option(*names, cls=Option, topic=topic, **settings)


def added(*decorators: Decorator) -> Decorator:
    """Add parameters, in the order they are given."""

    def decorate(command: Body) -> Body:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


DEFAULTS = "idealrank.defaults"
"""Where the context of a call keeps what was taken from the project's file."""


ENDINGS = {".json": "json", ".csv": "csv", ".tsv": "tsv"}
"""The forms a command writes, by the ending of the file."""


class Command(click.Command):
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
        plain = parser.parse_args

        def parse_args(args: list[str]) -> Any:
            parsed = plain(args)
            _refuse_repeated([parameter for parameter in parsed[2] if isinstance(parameter, click.Option)], ctx)
            return parsed

        parser.parse_args = parse_args
        return parser

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a call; of an option there is not, say which one does that here."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except (click.NoSuchOption, click.BadOptionUsage) as error:
            from idealrank.cli.mistakes import explained

            raise click.UsageError(explained(error, words, self, ctx), ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a name or a column that is wrong is told with the defaults a project fixed."""
        try:
            with ended_when_interrupted() if self.reads else contextlib.nullcontext():
                return super().invoke(ctx)
        except (UsageError, NoColumnError) as error:
            project = ctx.meta.get(DEFAULTS)
            if project and (line := project.named_in(error.typed).line):
                raise type(error)(*f"{error.typed} Defaults were taken from {line}.".split("\n")) from None
            raise

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Return what asks for the whole help; -h asks for the short one."""
        return ["--help"]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters with -h and --help last."""
        *own, long = super().get_params(ctx)
        return [*own, _SHORT, long] if self.add_help_option else [*own, long]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write usage, what it does, examples, and all options."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        write_examples(self.examples, formatter)
        self.format_options(ctx, formatter)

    def short_help_of(self, ctx: click.Context) -> str:
        """Return the help that fits a screen: usage, a sentence, examples, the options people use."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text((self.help or "").partition("\n")[0])
        write_examples(self.examples[:SHORTLY], formatter)
        records = {p.opts[0]: p.get_help_record(ctx) for p in self.get_params(ctx) if isinstance(p, click.Option)}
        usual = [record for flag in USUAL if (record := records.get(flag)) is not None]
        if usual:
            with formatter.section("Options"):
                formatter.write_dl(usual[:MANY], col_max=34)
        formatter.write_paragraph()
        formatter.write(f"All options: {ctx.command_path} --help\n")
        return formatter.getvalue().rstrip("\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, one list per topic."""
        topics: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                topics.setdefault(getattr(parameter, "topic", ""), []).append(record)
        others = topics.pop("", [])
        for topic, records in (*topics.items(), ("Other options", others)):
            with formatter.section(topic):
                formatter.write_dl(records, col_max=34)


MANY = 10
"""Options that the short help shows, at most."""

SHORTLY = 3
"""Examples that the short help shows, at most."""

USUAL = (
    *("--fail-if", "--min", "--max-unjudged", "-m", "--query", "-k", "-p", "--departures", "--baseline", "--margin"),
    *("--as", "--per-query", "--worst", "--by", "--losses", "--to-judge", "--documents", "--title", "--junit"),
    *("--fix", "--exclude", "--json", "-o", "-v", "--csv", "-q", "--queries-table", "--segments"),
)
"""The options people use: what a command has of them, the first first, is its short help."""


def _write_short(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Write the short help, where it is asked for."""
    if value and not ctx.resilient_parsing:
        from idealrank.display.terminal import print_text

        print_text(ctx.command.short_help_of(ctx))  # type: ignore[attr-defined]  # only a Command has this option
        ctx.exit()


_SHORT = click.Option(
    ["-h"], is_flag=True, is_eager=True, expose_value=False, callback=_write_short, help="Show the short help and exit."
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
