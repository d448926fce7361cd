"""Commands whose help has options by topic and examples as they are typed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from idealrank.errors import NoColumnError, UsageError

Body = Callable[..., None]
Decorator = Callable[[Body], Body]


class Option(click.Option):
    """An option that stands under a heading of its own in the help."""

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


VERBOSE = "idealrank.verbose"
"""Where the context of a call keeps whether everything is asked for."""


ENDINGS = {".json": "json", ".csv": "csv", ".tsv": "tsv"}
"""The forms a command writes, by the ending of the file."""


class Command(click.Command):
    """A command with examples, and options grouped by topic.

    Attributes
    ----------
    writes
        The forms it writes, by the ending of the file.
    """

    def __init__(
        self, *args: Any, examples: Sequence[str] = (), writes: Mapping[str, str] = ENDINGS, **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self.examples = examples
        self.writes = writes

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

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a name or a column that is wrong is told with the defaults a project fixed."""
        try:
            return super().invoke(ctx)
        except (UsageError, NoColumnError) as error:
            project = ctx.meta.get(DEFAULTS)
            if project and (line := project.named_in(error.typed).line):
                raise type(error)(f"{error.typed} Defaults were taken from {line}.") from None
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, one list a topic."""
        topics: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                topics.setdefault(getattr(parameter, "topic", ""), []).append(record)
        others = topics.pop("", [])
        for topic, records in (*topics.items(), ("Other options", others)):
            with formatter.section(topic):
                formatter.write_dl(records, col_max=34)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples last, where they are seen."""
        write_examples(self.examples, formatter)


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
