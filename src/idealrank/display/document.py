"""Shown: a value that says what it shows, and is drawn as text, HTML and Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NoReturn

from idealrank.display.attributes import no_attribute
from idealrank.display.blocks import Block
from idealrank.display.html import html
from idealrank.display.markdown import markdown
from idealrank.display.text import text


class Meant:
    """A value that completes to what a caller is meant to ask of it, and knows what is meant by what it does not have.

    Attributes
    ----------
    _instead
        What to call, by the name of an attribute that people expect and that is not here.
    _internal
        Attributes that other rooms read, and nobody else: completion leaves them out.
    """

    _instead: ClassVar[Mapping[str, str]] = {}
    _internal: ClassVar[frozenset[str]] = frozenset({"shown"})

    if not TYPE_CHECKING:  # a type checker is to find a misspelt attribute

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(type(self).__name__, name, self._instead, () if name.startswith("_") else dir(self))

    def __dir__(self) -> list[str]:
        public = (name for name in super().__dir__() if name[0] != "_" or name[:2] == "__")
        return [name for name in public if name not in self._internal]


class Shown(Meant):
    r"""A value that says what it shows; a new form to draw it in is one function over the blocks.

    Examples
    --------
    >>> from idealrank.display.blocks import Lines
    >>> class Greeting(Shown):
    ...     def shown(self) -> list[Block]:
    ...         return [Lines([("hello", "world")])]
    >>> Greeting(), Greeting().to_markdown()
    (hello      world, '- hello: world\n')
    """

    def shown(self) -> list[Block]:
        """Return what is shown, block by block."""
        raise NotImplementedError

    def to_markdown(self) -> str:
        """Return what is shown as Markdown."""
        return markdown(self.shown())

    def __repr__(self) -> str:
        return text(self.shown())

    def _repr_html_(self) -> str:
        return html(self.shown())
