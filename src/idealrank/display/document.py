"""Shown: a value that says what it shows, and is drawn as text, HTML and Markdown."""

from __future__ import annotations

from idealrank.display.blocks import Block
from idealrank.display.html import html
from idealrank.display.markdown import markdown
from idealrank.display.text import text


class Shown:
    """A value that says what it shows."""

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
