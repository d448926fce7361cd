"""What prints JSON, and its schema."""

from __future__ import annotations

from typing import NamedTuple

from idealrank.cli.schemas.forms import Schema


class Output(NamedTuple):
    """A form of JSON that a command prints, or a file contains.

    Attributes
    ----------
    call
        The words of the command that decide the form, as ``evaluate --per-query``; or the name of a file.
    title
        What it contains, in one line.
    schema
        Its schema; common parts are named by `part`.
    of_file
        Whether it is a file that is written beside others, not what a command prints.
    """

    call: str
    title: str
    schema: Schema
    of_file: bool = False

    @property
    def name(self) -> str:
        """The name of the schema: the words of the call, joined.

        Examples
        --------
        >>> Output("evaluate --per-query", "…", {}).name, Output("measures NAME", "…", {}).name
        ('evaluate-per-query', 'measures-name')
        """
        return "-".join(word.lstrip("-").lower() for word in self.call.removesuffix(".json").split())

    @property
    def command(self) -> str:
        """The command that prints or writes it."""
        return self.call.split()[0]

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that decide the form."""
        return tuple(word for word in self.call.split() if word.startswith("--"))
