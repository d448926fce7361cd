"""Markdown: blocks for a pull request or an issue, and what escapes their texts."""

import re
from collections.abc import Iterable, Sequence

from idealrank.display.blocks import Beside, Block, Grid, Heading, Lines, Plain, Points, Small, TextColumn, unfolded
from idealrank.errors import plural, visible


def markdown(blocks: Iterable[Block]) -> str:
    """Write blocks as Markdown, an empty line between them."""
    return "\n\n".join(filter(None, map(_written, unfolded(blocks)))) + "\n"


def _written(block: Plain) -> str:
    match block:
        case Heading():
            return f"### {plain(block.pattern.format(*block.names))}"
        case Lines():
            return _below(plain(block.title), bullets(block.rows))
        case Points():
            return _below(plain(block.title), "\n".join(f"- {plain(text)}" for text in block.texts))
        case Grid():
            return _grid(block)
        case Beside():
            return _below(_grid(block.left), _grid(block.right))
        case Small():
            return plain(block.text)


def _below(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def bullets(rows: Iterable[tuple[str, str]]) -> str:
    """Write texts with labels, a point each; a label that begins with a blank, or none, belongs to the one above."""
    return "\n".join(
        f"{'- ' if label[:1].strip() else '  - '}{plain(label)}{': ' if label else ''}{plain(text)}"
        for label, text in rows
    )


def _grid(grid: Grid) -> str:
    table = columns_markdown(grid.columns) if grid.columns else ""
    return _below(plain(grid.title), table, plural(grid.more, "more row") if grid.more else "", plain(grid.note))


def columns_markdown(columns: Sequence[TextColumn]) -> str:
    """Write columns of text as a table; their cells are taken as they are."""
    escaped = [TextColumn(plain(c.name), [plain(cell) for cell in c.cells], c.numeric) for c in columns]
    return columns_written(escaped)


def columns_written(columns: Sequence[TextColumn]) -> str:
    """Write columns whose cells are Markdown already as a table."""
    lines = [
        [column.name for column in columns],
        ["---:" if column.numeric else ":---" for column in columns],
        *(list(row) for row in zip(*(column.cells for column in columns), strict=True)),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$]|(?<!\w)_|_(?!\w)|^[#+-](?= )|(?<=^\d)[.)](?= )|^=(?==*$)|:(?=//)|(?<=\bwww)\.")
"""What Markdown reads as a style, HTML, a link, or at the beginning as a heading or a list."""

_CALLS = re.compile(r"(?<!\w)(?<!\)(?=@\d))[@#](?=\w)|(?<=\w)@(?=[\w-]+\.[a-zA-Z])")
"""A person or an issue that GitHub would call or refer to, and an address of mail; ``P(rel=2)@5`` is none."""


def plain(text: str) -> str:
    r"""Escape what Markdown would read as something else; one line.

    Examples
    --------
    >>> print(plain("a|b *c*\nmy_d"))
    a\|b \*c\* my_d
    >>> print(plain("https://a.test <b>"), plain("@all"))
    https\://a.test \<b\> @&#8203;all
    """
    line = _SPECIAL.sub(r"\\\g<0>", visible(" ".join(text.split())))
    return _CALLS.sub(lambda sign: f"{sign[0]}&#8203;", line)


def code(text: str) -> str:
    r"""Write an id as code, in more backticks than it has itself; a bar is escaped for the table.

    Examples
    --------
    >>> print(code("q1"), code("a`b"), code("a|b"))
    `q1` `` a`b `` `a\|b`
    """
    line = visible(" ".join(text.split()))
    longest = max(map(len, re.findall("`+", line)), default=0)
    space = " " if longest else ""
    mark = "`" * (longest + 1)
    return f"{mark}{space}{line.replace('|', chr(92) + '|')}{space}{mark}"
