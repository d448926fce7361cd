"""A comparison as other programs take it: Markdown, LaTeX, JUnit XML, JSON."""

import math
from collections.abc import Iterator

import numpy as np

from idealrank.arrays import EQUAL, Floats
from idealrank.comparison.changes import MOVE_LEGEND, losses_text, losses_with_moves
from idealrank.comparison.findings import ComparisonData
from idealrank.comparison.pairing import GUARDS, Key, Pair
from idealrank.comparison.text import difference_columns, latency_grids, pairing_notes, settings_blocks
from idealrank.comparison.verdict.rule import CANT_TELL, DONT
from idealrank.display.blocks import TextColumn
from idealrank.display.junit import JUnitCase
from idealrank.display.latex import booktabs, escape_latex
from idealrank.display.markdown import bullets, code, columns_markdown, escape, markdown, table_markdown
from idealrank.display.numbers import number_text
from idealrank.display.table import Table
from idealrank.errors import plural
from idealrank.evaluation.latency import unit_doubts
from idealrank.statistics.corrections import CORRECTIONS
from idealrank.statistics.paired_tests import TESTS

WORST = 10
"""Queries that lose most which are listed."""

MOST_PAIRS = 5
"""Pairs of systems whose queries are listed: a comment on a pull request is not read any further."""


def comparison_markdown(findings: ComparisonData) -> str:
    """Write the verdicts, the differences, the grid, and for each system the queries that lose most, with moves."""
    verdicts = findings.verdict
    sentences = (
        f"- **{escape(v.system)}** instead of {escape(v.baseline)}: {escape(v.sentence)}" for v in verdicts.values()
    )
    board = markdown(findings.leaderboard.shown()[:1]).rstrip() if findings.many else ""
    parts = [
        "## Comparison",
        *(f"> **Warning:** {escape(text)}" for text in findings.warnings),
        board or "\n".join(sentences),
    ]
    parts += [columns_markdown(difference_columns(findings, list(findings.contrasts.values())))]
    chosen = settings_blocks(findings)
    parts += [markdown(chosen).rstrip()] if chosen else []
    parts += [columns_markdown(grid.columns) for grid in latency_grids(findings)]
    for name in list(verdicts)[:MOST_PAIRS]:
        parts += losses_markdown(losses_with_moves(findings, WORST, system=name), findings, name)
    if len(verdicts) > MOST_PAIRS:
        parts.append(f"Queries of {plural(len(verdicts) - MOST_PAIRS, 'more pair')} are left out.")
    foot = [("rule", next(iter(verdicts.values())).rule), *evidence_rows(findings)]
    return "\n\n".join([*parts, bullets(foot)]) + "\n"


def losses_markdown(losses: Table, findings: ComparisonData, system: str) -> list[str]:
    """Write the queries that lose most, under a heading."""
    label = findings.scores.labels[0]
    if not len(losses):
        return [f"No query of {escape(system)} loses under {escape(label)}."]
    head = f"### {escape(system)}: {plural(len(losses), 'query')} that {'loses' if len(losses) == 1 else 'lose'} most"
    return [f"{head} under {escape(label)}", table_markdown(losses_columns(losses))]


def losses_columns(losses: Table, why: str = "moves", legend: str = MOVE_LEGEND) -> list[TextColumn]:
    """Return the columns of queries that lose, as Markdown; the last is why."""
    columns = [TextColumn("query", [code(query) for query in losses["query"]], numeric=False)]
    if "text" in losses.columns:
        columns.append(TextColumn("text", [code(text) if text else "" for text in losses["text"]], numeric=False))
    signs = {"baseline value": ".4f", "value": ".4f", "difference": "+.4f"}
    columns += [
        TextColumn(name, [number_text(x, sign) for x in losses[name]], numeric=True) for name, sign in signs.items()
    ]
    return [*columns, TextColumn(legend, [escape(text) for text in losses[why]], numeric=False)]


def evidence_rows(findings: ComparisonData) -> list[tuple[str, str]]:
    """Say the methods, the decisions, which queries could not be paired, and the ledger."""
    pairing = [(f"pairing {i}" if i > 1 else "pairing", text) for i, text in enumerate(pairing_notes(findings), 1)]
    methods = [("methods", findings.methods.text)]
    methods += [] if findings.tuning is None else [("tuning", findings.tuning.text)]
    methods += [("decisions", findings.scores.answers.line)]
    doubts = [(f"latency {i}" if i > 1 else "latency", text) for i, text in enumerate(unit_doubts(findings.scores), 1)]
    return [*methods, *pairing, *doubts, ("ledger", findings.ledger.line)]


def comparison_cases(findings: ComparisonData) -> Iterator[JUnitCase]:
    """Yield a test suite per pair of systems: the verdict under the first measure, then each guardrail."""
    first, *others = findings.scores.labels
    for name, verdict in findings.verdict.items():
        ended = {DONT: "failure", CANT_TELL: "skipped"}.get(verdict.outcome, "")
        suite = f"{verdict.system} instead of {verdict.baseline}"
        losses = losses_text(losses_with_moves(findings, system=name))
        yield JUnitCase(suite, first, ended, verdict.sentence, losses)
        for label in others:
            contrast = findings[label, name]
            lost = findings.rule.failing(contrast.gain, label) if contrast.role == GUARDS else ""
            yield JUnitCase(suite, label, "failure" if lost else "", lost)


# LaTeX as papers print it: systems by measures, the best in bold, superscript letters, a legend.


def comparison_latex(findings: ComparisonData, means: Table) -> str:
    """Write a table: one row per system, one column per measure; the rules are those of the package booktabs.

    Parameters
    ----------
    means
        Of every system under every measure, as `Comparison.means` has them.
    """
    labels, systems = findings.scores.labels, findings.systems
    numbers = means.array("mean").reshape(len(systems), len(labels))
    head = " & ".join(["", "system", *map(escape_latex, labels)])
    rows = [_latex_row(findings, numbers, s) for s in range(len(systems))]
    return booktabs(_latex_legend(findings), f"cl{'r' * len(labels)}", head, rows)


def _latex_row(findings: ComparisonData, means: Floats, s: int) -> str:
    cells = [_latex_cell(findings, s, m, means[:, m]) for m in range(len(findings.scores.labels))]
    return rf"{letter(s)} & {escape_latex(findings.systems[s])} & {' & '.join(cells)} \\"


def _latex_cell(findings: ComparisonData, s: int, m: int, means: Floats) -> str:
    mean = float(means[s])
    if math.isnan(mean):
        return "--"
    shown = f"{mean:.4f}" if mean >= 0 else f"$-${-mean:.4f}"
    shown = rf"\textbf{{{shown}}}" if _is_best(findings, m, mean, means) else shown
    beaten = [letter(other) for other in range(len(findings.systems)) if _is_better(findings, s, other, m)]
    # From the 27th system on a name has two letters, and "ab" could be a and b.
    between = "" if len(findings.systems) <= len(_ALPHABET) else ","
    return shown + (rf"$^{{\mathrm{{{between.join(beaten)}}}}}$" if beaten else "")


def _is_best(findings: ComparisonData, m: int, mean: float, means: Floats) -> bool:
    """Whether no system has a better mean; of counts none is the best."""
    direction = findings.scores.measures[m].definition.properties.direction
    if direction == "count":
        return False
    return bool(abs(mean - (np.nanmin(means) if direction == "lower" else np.nanmax(means))) <= EQUAL)


def _is_better(findings: ComparisonData, s: int, other: int, m: int) -> bool:
    """Whether a system was tested against another, and is significantly better after the correction."""
    # Each pair was compared once, in one of its two directions.
    pair = Pair(other, s) if (other, s) in findings.pairing.pairs else Pair(s, other)
    contrast = findings.contrasts.get(Key(pair, m))
    if contrast is None or contrast.direction == "count" or not contrast.p <= 1 - findings.methods.level + EQUAL:
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


def _latex_legend(findings: ComparisonData) -> str:
    methods, systems = findings.methods, findings.systems
    alpha = f"{1 - methods.level:.6g}"
    correction = CORRECTIONS[methods.correction]
    test = correction.test or TESTS[methods.test].title
    counts = sorted({contrast.queries for contrast in findings.contrasts.values()})
    queries = plural(counts[0], "query") if len(counts) == 1 else f"{counts[0]} to {counts[-1]} queries"
    against = f" Tested against {letter(systems.index(findings.baseline))} only." if findings.baseline else ""
    corrected = "not corrected for the number of tests"
    if methods.correction != "none":
        corrected = f"corrected by {escape_latex(correction.title)}"
    means = "Means" if findings.pairing.weights is None else "Weighted means"
    return (
        f"{means} over the queries; the best of each measure in bold. A superscript letter names a system that is "
        f"significantly worse: two-sided {test}, $p \\leq {alpha}$, {corrected}, {queries}, "
        f"seed {methods.seed}.{against}"
    )
