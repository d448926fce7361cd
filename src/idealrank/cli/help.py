"""Commands whose help has options by topic and examples as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

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


class Command(click.Command):
    """A command with examples, and options grouped by topic."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = examples

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


def write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    """Write examples as they are typed."""
    with formatter.section("Examples"):
        for line in examples:
            formatter.write(f"  {line}\n")
