"""Shown: a value that says what it shows, and is drawn as text, HTML and Markdown."""

from __future__ import annotations

from idealrank.display.blocks import Block
from idealrank.display.html import html
from idealrank.display.markdown import markdown
from idealrank.display.text import text


class Shown:
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
