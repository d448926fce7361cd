"""LaTeX as papers print it: systems by measures, the best in bold, superscript letters, a legend."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from idealrank.arrays import SAME
from idealrank.comparison.methods import CORRECTIONS
from idealrank.errors import plural

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison

_TESTS = {
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "randomisation": "paired randomisation test",
    "bootstrap": "paired bootstrap test",
}
_TOGETHER = {"max_t": "sign-flip test of the t statistic", "tukey": "permutation test of the largest difference"}
"""Corrections that are tests themselves, over all that is compared."""


def comparison_latex(comparison: Comparison) -> str:
    """Write a table: one row a system, one column a measure; the rules are those of the package booktabs."""
    labels, systems = comparison.scores.labels, comparison.systems
    head = " & ".join(["", "system", *map(escaped, labels)])
    rows = [_row(comparison, s) for s in range(len(systems))]
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_legend(comparison)}}}",
        rf"\begin{{tabular}}{{cl{'r' * len(labels)}}}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _row(comparison: Comparison, s: int) -> str:
    means, many = list(comparison.means), len(comparison.scores.labels)
    cells = [_cell(comparison, s, m, means[s * many + m]["mean"]) for m in range(many)]
    return rf"{letter(s)} & {escaped(comparison.systems[s])} & {' & '.join(cells)} \\"


def _cell(comparison: Comparison, s: int, m: int, mean: float) -> str:
    if math.isnan(mean):
        return "--"
    shown = f"{mean:.4f}" if mean >= 0 else f"$-${-mean:.4f}"
    shown = rf"\textbf{{{shown}}}" if _best(comparison, m, mean) else shown
    beaten = [letter(other) for other in range(len(comparison.systems)) if _better(comparison, s, other, m)]
    between = "" if len(comparison.systems) <= len(_ALPHABET) else ","
    return shown + (rf"$^{{\mathrm{{{between.join(beaten)}}}}}$" if beaten else "")


def _best(comparison: Comparison, m: int, mean: float) -> bool:
    """Whether no system has a better mean; of counts none is the best."""
    direction = comparison.scores.measures[m].definition.properties.direction
    if direction == "count":
        return False
    every: list[float] = [row["mean"] for row in list(comparison.means)[m :: len(comparison.scores.labels)]]
    known = [value for value in every if not math.isnan(value)]
    best = min(known) if direction == "lower" else max(known)
    return abs(mean - best) <= SAME


def _better(comparison: Comparison, s: int, other: int, m: int) -> bool:
    """Whether a system was tested against another, and is significantly better after the correction."""
    pair = (other, s) if (other, s) in comparison.pairing.pairs else (s, other)
    found = comparison.contrasts.get((pair, m))
    if found is None or found.direction == "count" or not found.p <= 1 - comparison.methods.level + SAME:
        return False
    gain = found.difference if found.direction == "higher" else -found.difference
    return bool(gain > 0 if pair[1] == s else gain < 0)


_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def letter(place: int) -> str:
    """Return the letter of a system: a to z, then aa, ab and on.

    Examples
    --------
    >>> letter(0), letter(25), letter(26), letter(27), letter(702)
    ('a', 'z', 'aa', 'ab', 'aaa')
    """
    text, place = "", place + 1
    while place:
        place, digit = divmod(place - 1, len(_ALPHABET))
        text = _ALPHABET[digit] + text
    return text


def _legend(comparison: Comparison) -> str:
    methods, systems = comparison.methods, comparison.systems
    alpha = f"{1 - methods.level:.6g}"
    test = _TOGETHER.get(methods.correction) or _TESTS[methods.test]
    counts = sorted({found.queries for found in comparison.contrasts.values()})
    queries = plural(counts[0], "query") if len(counts) == 1 else f"{counts[0]} to {counts[-1]} queries"
    against = f" Tested against {letter(systems.index(comparison.baseline))} only." if comparison.baseline else ""
    corrected = "not corrected for the number of tests"
    if methods.correction != "none":
        corrected = f"corrected by {escaped(CORRECTIONS[methods.correction])}"
    means = "Means" if comparison.pairing.weights is None else "Weighted means"
    return (
        f"{means} over the queries; the best of each measure in bold. A superscript letter names a system that is "
        f"significantly worse: two-sided {test}, $p \\leq {alpha}$, {corrected}, {queries}, "
        f"seed {methods.seed}.{against}"
    )


_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''",
}  # fmt: skip
_SIGNS = re.compile("|".join(map(re.escape, _SPECIAL)))


def escaped(text: str) -> str:
    r"""Escape what LaTeX would read as something else; hyphens stay hyphens; one line.

    Examples
    --------
    >>> print(escaped("bm25_v2 & 50%"), escaped("a--b"))
    bm25\_v2 \& 50\% a-{}-b
    """
    line = _SIGNS.sub(lambda sign: _SPECIAL[sign[0]], " ".join(text.split()))
    return re.sub("-(?=-)", "-{}", line)
