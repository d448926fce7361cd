"""A comparison as text on a terminal or in a notebook: verdict, means, differences, evidence, grid of settings."""

import math
from collections.abc import Iterator, Mapping, Sequence

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.findings import MOST_VERDICTS, ComparisonData
from idealrank.comparison.latency import changes_grid
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.settings_grid import BEST, MAY_BE, setting_columns
from idealrank.comparison.tables import differences_table, means_table
from idealrank.comparison.verdict.verdict import Verdict
from idealrank.display.blocks import Block, Folded, Grid, Lines, Mark, Small, TextColumn
from idealrank.display.numbers import decimal, difference_column, number_text, p_text, span_amount, span_text
from idealrank.display.table import Table
from idealrank.errors import listed, plural
from idealrank.evaluation.latency import unit_doubts
from idealrank.evaluation.mean_tables import counts_of_queries, footnote

MOST_PAIRS = 40
"""Pairs of systems that are listed; of the others only the number is given."""


def comparison_blocks(findings: ComparisonData) -> list[Block]:
    """Return the verdict, the means, the differences, and the notes below every number."""
    return [*conclusion_blocks(findings), Folded([evidence_lines(findings), *findings.scores.account()])]


def conclusion_blocks(findings: ComparisonData) -> list[Block]:
    """Return the verdict, the means, the differences, latency, the grid, and the segments, where they are known."""
    segments = findings.segments.shown() if findings.segment else []
    numbers: list[Block] = [_means_grid(findings), _differences_grid(findings), _footnotes(findings)]
    first = findings.leaderboard.shown()[:1] if findings.many else [_verdict_lines(findings)]
    warnings = [("warning", text) for text in findings.warnings]
    warned: list[Block] = [Lines(warnings, indent=11, leads=True)] if warnings else []
    calibrated = [block for each in findings.calibration.values() for block in each.shown()]
    return [*warned, *first, *calibrated, *numbers, *latency_grids(findings), *settings_blocks(findings), *segments]


def people_alone_note(findings: ComparisonData) -> list[str]:
    """Say that means and differences are people's, where the verdict is by a judge calibrated on them; else nothing."""
    if not findings.calibration:
        return []
    many = max(contrast.queries for contrast in findings.contrasts.values())
    return [f"Below: people alone, the plain mean of the {plural(many, 'sampled query')}; no estimate for all queries."]


def settings_blocks(findings: ComparisonData) -> list[Block]:
    """Return the means by setting, and those that a system was chosen by where they are not all on the grid."""
    grid, tuning = findings.grid, findings.tuning
    shown: list[Block] = [] if grid is None else [settings_matrix(findings, grid)]
    on_grid = tuning is None or (grid is not None and len(grid) == len(tuning.systems))
    return shown if tuning is None or on_grid else [*shown, tuning.grid]


def latency_grids(findings: ComparisonData) -> list[Grid]:
    """Return the changes of latency; nothing where the results do not say how long searches took."""
    every = [change for changes in findings.latency_changes.values() for change in changes]
    return [changes_grid(every[: 3 * MOST_PAIRS], baselines=not findings.baseline)] if every else []


def _verdict_lines(findings: ComparisonData) -> Lines:
    """Say the outcome, the headline and the summary of each system, as the page of a report does."""
    rows = [(system_label(v.system, v.baseline, findings), v.words) for v in findings.verdict.values()]
    indent = min(max(len(label) for label, _ in rows) + 2, 40)
    more = len(rows) - MOST_PAIRS
    rest = [(f"{plural(more, 'more pair')}: see the differences", "")] if more > 0 else []
    marks = [_mark(v) for v in list(findings.verdict.values())[:MOST_PAIRS]]
    return Lines([*rows[:MOST_PAIRS], *rest], "verdict", indent, leads=True, marks=marks)


def _mark(verdict: Verdict) -> Mark:
    """Return the colour of an outcome, and the interval that decided it, turned so that better is on the right."""
    first = verdict.evidence.contrasts[0]
    gain = first.gain
    # Where a judge decides that is calibrated on people, the contrast is people's alone: the words say the rest.
    if verdict.evidence.calibrated or not math.isfinite(gain.low + gain.high):
        return Mark(verdict.colour)
    change = -first.difference if first.direction == "lower" else first.difference
    ends = span_amount(first.corrected.low, first.corrected.high, sign=True)
    sides = ("less", "more") if first.direction == "count" else ("worse", "better")
    return Mark(verdict.colour, (gain.low, change, gain.high), ends, sides)


def system_label(system: str, baseline: str, findings: ComparisonData) -> str:
    """Return the system, and where all pairs are compared what it is compared with."""
    return system if findings.baseline else f"{system} vs {baseline}"


def _means_grid(findings: ComparisonData) -> Grid:
    rows = list(means_table(findings))
    columns = [
        TextColumn("measure", [row["measure"] for row in rows], numeric=False),
        TextColumn("system", [row["system"] for row in rows], numeric=False),
        TextColumn("queries", [str(row["queries"]) for row in rows], numeric=True),
        TextColumn("mean", [decimal(row["mean"]) for row in rows], numeric=True),
        TextColumn("interval", [span_text(row["low"], row["high"], sign="") for row in rows], numeric=True),
    ]
    over = f"Means over all queries of each system; the differences below are over {compared_queries_text(findings)}."
    note = over if has_own_means(findings) else ""
    return Grid(columns, " ".join(people_alone_note(findings)), note=note, rest="comparison.means.to_pandas()")


def has_own_means(findings: ComparisonData) -> bool:
    """Whether a system's mean is over other queries than its difference."""
    return any(contrast.unpaired for contrast in findings.contrasts.values())


def compared_queries_text(findings: ComparisonData) -> str:
    """Say which queries the difference of two systems is over."""
    return f"the queries that {'both' if findings.baseline else 'all'} systems have a value for"


def _differences_grid(findings: ComparisonData) -> Grid:
    most = MOST_PAIRS * len(findings.scores.measures)
    contrasts = list(findings.contrasts.values())
    columns = difference_columns(findings, contrasts[:most])
    more, rest = max(len(contrasts) - most, 0), "comparison.differences.to_pandas()"
    return Grid(columns, more=more, stated=differences_table(findings).stated, rest=rest)


def difference_columns(findings: ComparisonData, contrasts: list[Contrast]) -> list[TextColumn]:
    """Write the evidence as columns of text; intervals are the corrected ones, p is beside its corrected one."""
    several, corrected = not findings.baseline, findings.methods.correction != "none"
    return [
        TextColumn("measure", [c.measure for c in contrasts], numeric=False),
        *([TextColumn("role", [c.role for c in contrasts], numeric=False)] if findings.pairing.roles[1:] else []),
        TextColumn("system", [c.system for c in contrasts], numeric=False),
        *([TextColumn("baseline", [c.baseline for c in contrasts], numeric=False)] if several else []),
        difference_column([c.difference for c in contrasts], [c.direction for c in contrasts]),
        TextColumn("interval", [span_text(c.corrected.low, c.corrected.high) for c in contrasts], numeric=True),
        TextColumn("uncorrected p" if corrected else "p", [p_text(c.test.p) for c in contrasts], numeric=True),
        *([TextColumn("corrected p", [p_text(c.p) for c in contrasts], numeric=True)] if corrected else []),
        TextColumn("effect", [number_text(c.effect, "+.2f") for c in contrasts], numeric=True),
        TextColumn("wins", [str(c.wins) for c in contrasts], numeric=True),
        TextColumn("ties", [str(c.ties) for c in contrasts], numeric=True),
        TextColumn("losses", [str(c.losses) for c in contrasts], numeric=True),
        TextColumn("detectable", [decimal(c.detectable) for c in contrasts], numeric=True),
        *_unjudged_columns(findings, contrasts),
    ]


def _unjudged_columns(findings: ComparisonData, contrasts: list[Contrast]) -> list[TextColumn]:
    """Write how many holes there are, and what they allow the difference to be; nothing where there are none."""
    by_contrast = {contrast: findings.holes[pair].ranges[m] for (pair, m), contrast in findings.contrasts.items()}
    ranges = [by_contrast[contrast] for contrast in contrasts]
    if not any(each.count for each in ranges):
        return []
    ends = [span_text(each.low, each.high) + ("" if each.exact else " *") for each in ranges]
    return [
        TextColumn("holes", [str(each.count) for each in ranges], numeric=True),
        TextColumn("lowest to highest", ends, numeric=True),
    ]


def _footnotes(findings: ComparisonData) -> Small:
    measures, pairs = range(len(findings.scores.labels)), findings.pairing.pairs
    return Small(f"{footnote(findings.scores)}; differences: {paired_note(findings, measures, pairs)}")


def evidence_lines(findings: ComparisonData) -> Lines:
    """Say the verdicts with their reasons, the rule, the methods, the holes, and which queries could not be paired."""
    rows = [("" if i else "verdict", str(verdict)) for i, verdict in enumerate(findings.verdict.values())]
    rows += [("rule", next(iter(findings.verdict.values())).rule), ("methods", findings.methods.text)]
    rows += [] if findings.tuning is None else [("tuning", findings.tuning.text)]
    rows += [("" if i else "holes", text) for i, text in enumerate(_unjudged_notes(findings))]
    rows += [("" if i else "pairing", text) for i, text in enumerate(pairing_notes(findings))]
    rows += [("" if i else "latency", text) for i, text in enumerate(unit_doubts(findings.scores))]
    return Lines(rows, "evidence")


def _unjudged_notes(findings: ComparisonData) -> list[str]:
    """Say which holes there are under each measure, and how sharp the bounds are; * marks an enclosure."""
    measures: dict[str, list[str]] = {}
    for m, label in enumerate(findings.scores.labels):
        ranges = [effect.ranges[m] for effect in findings.holes.values()]
        most, cutoff = max(each.count for each in ranges), findings.scores.measures[m].cutoff
        if most:
            where = f"top {cutoff}" if cutoff else "lists"
            note = f"{plural(most, 'unjudged document')} in the {where} of the compared systems; any other counts as "
            note += "grade 0; " + "; ".join(dict.fromkeys(each.why for each in ranges if each.count))
            scores = findings.scores
            why = findings.unjudged.facts[m].why_no_rates(scores.measures[m])
            note += f"; not estimated, as {why}" if why else ""
            measures.setdefault(note, []).append(label)
    return [f"{', '.join(labels)}: {note}" for note, labels in measures.items()]


def pairing_notes(findings: ComparisonData) -> list[str]:
    """Say which queries only one system answered, and which could not be paired."""
    weightless = findings.pairing.weightless
    many = f"{plural(len(weightless), 'query')} of weight 0, in no mean and no test ({listed(weightless)})"
    unpaired = [
        f"{contrast.measure}, {contrast.system}: {plural(len(contrast.unpaired), 'query')} without a value on "
        f"both sides ({listed(contrast.unpaired)})"
        for contrast in findings.contrasts.values()
        if contrast.unpaired
    ]
    return [*([many] if weightless else []), *_one_sided_notes(findings), *unpaired, *_unchanged_notes(findings)]


def _unchanged_notes(findings: ComparisonData) -> Iterator[str]:
    """Say in how many queries nothing changed: nobody needs to judge them for this comparison."""
    if len(findings.pairing.pairs) > MOST_VERDICTS:
        return
    cutoff = findings.scores.measures[0].cutoff
    what = f"same first {cutoff} results" if cutoff else "same results"
    for pair, queries in findings.unchanged.items():
        if queries:
            names = " and ".join(findings.scores.systems[place] for place in pair)
            many = f"{plural(len(queries), 'query')} of {int(findings.scores.in_scope.sum()):,}"
            yield f"{names} return the {what} for {many}: these differ by exactly 0 and need no more judgments"


def _one_sided_notes(findings: ComparisonData) -> Iterator[str]:
    only_pair = findings.baseline and len(findings.systems) == 2
    for pair, sides in findings.one_sided.items():
        yield f"{'' if only_pair else f'{pair}: '}{one_sided_text(sides)}"


def one_sided_text(sides: Mapping[str, Sequence[str]]) -> str:
    """Say how many queries only one of two systems answered, and which."""
    answered = ((side, queries) for side, queries in sides.items() if queries)
    return "; ".join(f"{plural(len(some), 'query')} answered by {side} ({listed(some)})" for side, some in answered)


def paired_note(findings: ComparisonData, measures: Sequence[int], pairs: Sequence[Pair]) -> str:
    """Say how many of the judged queries are paired; where they differ, by measure and pair.

    Examples
    --------
    >>> import idealrank as ir
    >>> runs = {"old": {"q": {"a": 1.0}}, "new": {"q": {"a": 1.0}}}
    >>> comparison = ir.compare({"q": {"a": 1}, "r": {"a": 1}}, runs, ["RR"], no_results="skip")
    >>> paired_note(comparison, [0], comparison.pairing.pairs)
    '1 of 2 queries paired'
    """
    scores, label = findings.scores, findings.pairing.pair_label
    counts = {
        f"{scores.labels[m]} of {label(pair)}": findings.contrasts[Key(pair, m)].queries
        for m in measures
        for pair in pairs
    }
    return f"{counts_of_queries(counts, len(scores.queries))} paired"


# The grid as a compact table: of two settings a matrix of means, of others a line per point.


MARKS = {BEST: " *", MAY_BE: " ~"}
"""What is written after a mean, by the standing of its point; two blanks elsewhere, so that means align."""

MOST_POINTS = 20
"""Points of a grid that are listed; of the others only the number is given."""


def settings_matrix(findings: ComparisonData, grid: Table) -> Grid:
    """Return the means of the deciding measure on a grid, with the best and those that cannot be told from it marked.

    With three settings and more, the best comes first.
    """
    pairing = findings.pairing if findings.tuning is None else findings.tuning.pairing
    label = pairing.scores.labels[0]
    names = setting_columns(grid)
    columns = _matrix_columns(grid, label, names) if len(names) == 2 else _point_columns(grid, label, names, pairing)
    more = len(grid) - MOST_POINTS if len(names) != 2 and len(grid) > MOST_POINTS else 0
    where = "" if findings.tuning is None else f" on the {plural(len(findings.tuning.queries), 'tuning query')}"
    note = "* best mean; ~ cannot be told from the best (Tukey's randomised test of all pairs)"
    return Grid(columns, f"{label} by setting{where}", more, note)


def _matrix_columns(grid: Table, label: str, names: Sequence[str]) -> list[TextColumn]:
    """Return a row per value of the first setting, a column per value of the second."""
    down, across = (list(dict.fromkeys(grid[name])) for name in names)
    cells = {(row[names[0]], row[names[1]]): _mean_cell(row[label], row["standing"]) for row in grid}
    across = sorted(across) if grid.numeric(names[1]) else across
    columns = [
        TextColumn(f"{names[1]}={value}", [cells.get((first, value), "") for first in down], numeric=True)
        for value in across
    ]
    return [TextColumn(names[0], list(map(str, down)), numeric=grid.numeric(names[0])), *columns]


def _mean_cell(value: float, standing: str) -> str:
    return f"{decimal(value)}{MARKS.get(standing, '  ')}"


def _point_columns(grid: Table, label: str, names: Sequence[str], pairing: Pairing) -> list[TextColumn]:
    """Return a row per point: its settings, its mean, and its difference from the baseline."""
    rows = list(grid)
    if len(names) > 2:
        sign = 1 if pairing.scores.measures[0].definition.properties.direction == "lower" else -1
        rows.sort(key=lambda row: sign * row[label])
    rows = rows[:MOST_POINTS]
    columns = [TextColumn(name, [str(row[name]) for row in rows], numeric=grid.numeric(name)) for name in names]
    columns.append(TextColumn(label, [_mean_cell(row[label], row["standing"]) for row in rows], numeric=True))
    if "difference" in grid.columns:
        differences = [number_text(row["difference"], "+.4f") for row in rows]
        columns.append(TextColumn("difference", differences, numeric=True))
        columns.append(TextColumn("corrected p", [p_text(row["corrected p"]) for row in rows], numeric=True))
    return columns
