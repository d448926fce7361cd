"""LaTeX as papers print it: systems by measures, the best in bold, superscript letters, a legend."""

import math

import numpy as np

from idealrank.arrays import SAME, Floats
from idealrank.comparison.findings import Findings
from idealrank.comparison.pairing import Key, Pair
from idealrank.display.latex import booktabs, escaped
from idealrank.display.table import Table
from idealrank.errors import plural
from idealrank.statistics.catalogue import CORRECTIONS, TESTS


def comparison_latex(findings: Findings, means: Table) -> str:
    """Write a table: one row per system, one column per measure; the rules are those of the package booktabs.

    Parameters
    ----------
    means
        Of every system under every measure, as `Comparison.means` has them.
    """
    labels, systems = findings.scores.labels, findings.systems
    numbers = means.array("mean").reshape(len(systems), len(labels))
    head = " & ".join(["", "system", *map(escaped, labels)])
    rows = [_row(findings, numbers, s) for s in range(len(systems))]
    return booktabs(_legend(findings), f"cl{'r' * len(labels)}", head, rows)


def _row(findings: Findings, means: Floats, s: int) -> str:
    cells = [_cell(findings, s, m, means[:, m]) for m in range(len(findings.scores.labels))]
    return rf"{letter(s)} & {escaped(findings.systems[s])} & {' & '.join(cells)} \\"


def _cell(findings: Findings, s: int, m: int, means: Floats) -> str:
    mean = float(means[s])
    if math.isnan(mean):
        return "--"
    shown = f"{mean:.4f}" if mean >= 0 else f"$-${-mean:.4f}"
    shown = rf"\textbf{{{shown}}}" if _best(findings, m, mean, means) else shown
    beaten = [letter(other) for other in range(len(findings.systems)) if _better(findings, s, other, m)]
    between = "" if len(findings.systems) <= len(_ALPHABET) else ","
    return shown + (rf"$^{{\mathrm{{{between.join(beaten)}}}}}$" if beaten else "")


def _best(findings: Findings, m: int, mean: float, means: Floats) -> bool:
    """Whether no system has a better mean; of counts none is the best."""
    direction = findings.scores.measures[m].definition.properties.direction
    if direction == "count":
        return False
    return bool(abs(mean - (np.nanmin(means) if direction == "lower" else np.nanmax(means))) <= SAME)


def _better(findings: Findings, s: int, other: int, m: int) -> bool:
    """Whether a system was tested against another, and is significantly better after the correction."""
    pair = Pair(other, s) if (other, s) in findings.pairing.pairs else Pair(s, other)
    contrast = findings.contrasts.get(Key(pair, m))
    if contrast is None or contrast.direction == "count" or not contrast.p <= 1 - findings.methods.level + SAME:
        return False
    return contrast.improvement > 0 if pair.system == s else contrast.improvement < 0


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


def _legend(findings: Findings) -> str:
    methods, systems = findings.methods, findings.systems
    alpha = f"{1 - methods.level:.6g}"
    correction = CORRECTIONS[methods.correction]
    test = correction.test or TESTS[methods.test].title
    counts = sorted({contrast.queries for contrast in findings.contrasts.values()})
    queries = plural(counts[0], "query") if len(counts) == 1 else f"{counts[0]} to {counts[-1]} queries"
    against = f" Tested against {letter(systems.index(findings.baseline))} only." if findings.baseline else ""
    corrected = "not corrected for the number of tests"
    if methods.correction != "none":
        corrected = f"corrected by {escaped(correction.title)}"
    means = "Means" if findings.pairing.weights is None else "Weighted means"
    return (
        f"{means} over the queries; the best of each measure in bold. A superscript letter names a system that is "
        f"significantly worse: two-sided {test}, $p \\leq {alpha}$, {corrected}, {queries}, "
        f"seed {methods.seed}.{against}"
    )
