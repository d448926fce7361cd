"""LaTeX: a table with the rules of booktabs, and what escapes texts from the data."""

import re
from collections.abc import Sequence

from idealrank.errors import visible


def booktabs(caption: str, columns: str, head: str, rows: Sequence[str]) -> str:
    """Write a table; caption, head and rows are LaTeX already.

    Parameters
    ----------
    columns
        How each is set, as ``clr``.
    """
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "`": r"\textasciigrave{}",
}  # fmt: skip
_SIGNS = re.compile("|".join(map(re.escape, _SPECIAL)))


def escape_latex(text: str) -> str:
    r"""Escape what LaTeX would read as something else; hyphens stay hyphens; one line.

    Examples
    --------
    >>> print(escape_latex("bm25_v2 & 50%"), escape_latex("a--b"))
    bm25\_v2 \& 50\% a-{}-b
    """
    line = _SIGNS.sub(lambda sign: _SPECIAL[sign[0]], visible(" ".join(text.split())))
    return re.sub("-(?=-)", "-{}", line)
