"""What a terminal shows of a comparison: the verdict, one table, what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.cli.evaluation_summary import alias_note, ledger_notes
from idealrank.cli.output import (
    BLUE,
    NO_NOTES,
    NO_WIDTH,
    ORANGE,
    Notes,
    is_for_people,
    print_error,
    screen_width,
    sentence_notes,
    show,
    to_json_text,
    verbose,
    warn,
    warn_unknown,
    warning_lines,
    write,
    write_table,
)
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.findings import MOST_VERDICTS
from idealrank.comparison.leaderboard import Leaderboard, bars, leaderboard_columns, leaderboard_notes, without_results
from idealrank.comparison.pairing import SHOWN
from idealrank.comparison.text import (
    compared_queries_text,
    conclusion_blocks,
    evidence_lines,
    has_own_means,
    paired_note,
    people_alone_note,
    settings_blocks,
)
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SHIP
from idealrank.comparison.verdict.verdict import Verdict
from idealrank.conventions.project import Project
from idealrank.display.blocks import GAP, TextColumn, draw, fits, label_lines, wrap
from idealrank.display.names import cut_middle, cut_names
from idealrank.display.numbers import change_text, decimal, percent, span_text
from idealrank.display.table import Table
from idealrank.display.text import lines, paragraphs
from idealrank.errors import UsageError, listed, plural, visible
from idealrank.evaluation.summary import no_judgments_notes, no_results_notes

# What compare writes: one view in the form asked for, or the verdict with its evidence.


def write_view(
    comparison: Comparison, view: str, count: Any, form: str | None, output: str | None, quiet: bool
) -> None:
    """Write one view: queries, documents, flavours or segments."""
    if view == "per_query":
        table = comparison.per_query
        write(table, lambda: comparison.to_json(per_query=True), form, output)
        return
    if view == "by_segment":
        _write_segments(comparison, form, output, quiet)
        return
    if view == "robustness":
        _write_robustness(comparison, form, output, quiet)
        return
    if view == "changes":
        _write_changes(comparison, count, form, output)
        return
    if view == "latency":
        write(comparison.latency, comparison.latency.to_json, form, output)
        return
    if view == "lost_value":
        table = comparison.lost_value(count)
        write(table, table.to_json, form, output)
        # Frequencies belong to the queries, so one system tells for all; without a count its table has every query.
        warn_unknown(comparison.lost_value(system=next(iter(comparison.verdict))))
        return
    if view in ("grid", "tuning"):
        table = _require_grid(comparison) if view == "grid" else _require_tuning(comparison)
        write(table, table.to_json, form, output)
        return
    tables = [getattr(comparison, view)(count, system=name) for name in comparison.verdict]
    table = _concatenate_tables(tables)
    write(table, table.to_json, form, output, brief=tables_by_system(comparison, tables, screen_width()))


def _require_grid(comparison: Comparison) -> Table:
    if comparison.grid is None:
        raise UsageError(
            f"--grid: no two systems are settings of one template: {listed(comparison.systems)}. "
            "Name their files by their settings, as 'query boost=1.csv' and 'query boost=2.csv'."
        )
    return comparison.grid


def _require_tuning(comparison: Comparison) -> Table:
    if comparison.tuning is None:
        raise UsageError("--tuning shows what the best system was chosen by. Add --hold-out 0.5.")
    return comparison.tuning.means


def _write_segments(comparison: Comparison, form: str | None, output: str | None, quiet: bool) -> None:
    segments = comparison.segments
    if is_for_people(form, output):
        show(paragraphs(segments.grid if quiet else segments.shown(), screen_width()))
        return
    write_table(segments.table, lambda: to_json_text(segments.to_dict()), form, output)
    if not quiet and form != "json":
        print_error(sentence_notes(lines(segments.account(), NO_WIDTH)))


def _write_robustness(comparison: Comparison, form: str | None, output: str | None, quiet: bool) -> None:
    flavours = comparison.robustness
    sentences = [f"{pair}: {flavours.sentence(pair)}" for pair in flavours.pairs]
    sentences += [f"not computed: {text}" for text in flavours.refused]
    notes = NO_NOTES if quiet or form == "json" else sentence_notes(sentences)
    write(flavours.table, lambda: to_json_text(flavours.to_dict()), form, output, notes)


def _write_changes(comparison: Comparison, query: str, form: str | None, output: str | None) -> None:
    changes = [comparison.changes(query, system=name) for name in comparison.verdict]
    headings = [each.heading for each in changes]
    footnotes = [each.footnote for each in changes if each.footnote]
    as_json = [each.to_dict() for each in changes]
    whole = to_json_text(as_json[0] if len(as_json) == 1 else as_json)
    table = changes[0].table if len(changes) == 1 else _concatenate_tables([each.table for each in changes])
    notes = Notes(lambda width: wrap(footnotes, width), [*headings, *footnotes])
    brief = {heading: each.table for heading, each in zip(headings, changes, strict=True)}
    write(table, lambda: whole, form, output, NO_NOTES if form == "json" else notes, brief)


def _concatenate_tables(tables: list[Table]) -> Table:
    first = tables[0]
    arrays = {name: np.concatenate([table.array(name) for table in tables]) for name in first.columns}
    columns = {name: values if first.numeric(name) else values.tolist() for name, values in arrays.items()}
    fingerprints = [text for table in tables for text in _row_fingerprints(table)]
    return Table(columns, first.title, {"fingerprint": fingerprints})


def _row_fingerprints(table: Table) -> list[str]:
    stated = table.stated["fingerprint"]
    return [stated] * len(table) if isinstance(stated, str) else list(stated)


def write_comparison(
    comparison: Comparison, project: Project, form: str | None, output: str | None, quiet: bool, *, by_name: bool
) -> None:
    """Write the differences, and say the verdict with its evidence; on a terminal the verdict comes first.

    `by_name`: of two systems the first by name is the baseline, which is said.
    """
    baseline_note = ""
    # Of three systems or more without --baseline all pairs are compared: there is no one baseline to name.
    if by_name and not comparison.many and len(comparison.verdict) == 1:
        baseline_note = f"{comparison.baseline} (first by name); --baseline NAME changes it"
    if is_for_people(form, output):
        _show_comparison(comparison, project, quiet, baseline_note)
        return
    write_table(comparison.differences, comparison.to_json, form, output)
    if form == "json":
        return
    if quiet:
        warn(comparison.warnings)
    else:
        print_error(_comparison_notes(comparison, project, baseline_note))


def _show_comparison(comparison: Comparison, project: Project, quiet: bool, baseline_note: str) -> None:
    """Show the verdict with its numbers on a terminal, in brief or with all evidence."""
    width = screen_width()
    if verbose():
        everything = [evidence_lines(comparison), *comparison.scores.account()]
        below = [] if quiet else [*_baseline_lines(baseline_note), *lines(everything, width)]
        show([*paragraphs(conclusion_blocks(comparison), width), below])
        return
    blocks = [(ORANGE, warning_lines(comparison.warnings, width)), *verdict_blocks(comparison, width)]
    below = draw_numbers(comparison, width)
    if not quiet:
        below = [*below, *closing_lines(comparison, project.line, width, baseline_note)]
    # `show` leaves out an empty block, so its colour has to go with it.
    show([block for _, block in blocks], below, [colour for colour, block in blocks if block])


def _baseline_lines(baseline_note: str) -> list[str]:
    return [f"{'baseline':<10} {baseline_note}"] if baseline_note else []


def _comparison_notes(comparison: Comparison, project: Project, baseline_note: str) -> Notes:
    """Return what is said beside the differences: the verdicts; with --verbose all evidence."""
    verdicts = list(comparison.verdict.values())
    if comparison.many:
        sentences = [comparison.leaderboard.sentence]
    else:
        sentences = [line for verdict in verdicts for line in (_headline(verdict, comparison), *verdict.summary)]
    account = comparison.scores.account()
    notes = ledger_notes(
        comparison.scores,
        account,
        project.line,
        warned=comparison.warnings,
        sentences=[*sentences, *_baseline_lines(baseline_note)],
    )

    def below(width: int) -> list[str]:
        words = [line for _, block in verdict_blocks(comparison, width) for line in block]
        calibrated = [block for each in comparison.calibration.values() for block in each.shown()]
        evidence = lines([*calibrated, evidence_lines(comparison)], width)
        alone = wrap(people_alone_note(comparison), width)
        return [*words, *_baseline_lines(baseline_note), *alone, *evidence, *notes.below(width)]

    return notes._replace(below=below)


COLOURS = {SHIP: BLUE, DONT: ORANGE}
"""The colour of an outcome; the others have none."""

PAIRS = 10
"""Pairs of systems that are shown before it is said how many more there are."""


def verdict_blocks(comparison: Comparison, width: int) -> list[tuple[str, list[str]]]:
    """Return colour and lines of each verdict; of more than a few the headlines alone, as one block without colour."""
    if comparison.many:
        return [("", leaderboard_summary(comparison.leaderboard, width))]
    every = list(comparison.verdict.values())
    if len(every) <= MOST_VERDICTS:
        blocks = [wrap([_headline(verdict, comparison), *verdict_sentences(verdict)], width) for verdict in every]
        return list(zip([COLOURS.get(verdict.outcome, "") for verdict in every], blocks, strict=True))
    more = [f"{plural(len(every) - PAIRS, 'more pair')}: --verbose"] if len(every) > PAIRS else []
    return [("", ["Verdicts", *wrap([_headline(v, comparison) for v in every[:PAIRS]], width), *more])]


def _headline(verdict: Verdict, comparison: Comparison) -> str:
    """Write the headline; where all pairs are compared, with what it is compared with."""
    pair = _pair_label(verdict.system, verdict.baseline, comparison)
    return verdict.headline if comparison.baseline else f"{pair}: {verdict.headline}"


SHORT_NAME = 22
"""Columns of a name beside another, which stands in every line that is about the two."""


def _pair_label(system: str, baseline: str, comparison: Comparison) -> str:
    """Return the system; where all pairs are compared, what it is compared with, too, both cut if they are long."""
    if comparison.baseline:
        return system
    short = dict(zip(comparison.systems, cut_names(comparison.systems, SHORT_NAME), strict=True))
    return f"{short[system]} vs {short[baseline]}"


def verdict_sentences(verdict: Verdict) -> list[str]:
    """Return the summary, and the sentences without which it would say too much."""
    parts = [verdict.assumption, verdict.failed]
    parts = [verdict.reason, *parts] if verdict.refers_to_reason else parts
    return [*verdict.summary, *(f"{part}." for part in parts if part)]


def draw_numbers(comparison: Comparison, width: int) -> list[str]:
    """Draw the table of the measures, the settings a system was chosen by, and the segments if --segments was given."""
    segments = paragraphs(comparison.segments.shown(), width) if comparison.segment else []
    table = board_lines(comparison.leaderboard, width) if comparison.many else _draw_measures(comparison, width)
    calibrated = [paragraphs(each.shown_in_brief(), width) for each in comparison.calibration.values()]
    below = wrap(people_alone_note(comparison), width)
    table = [*below, "", *table] if below else table
    every = [block for blocks in calibrated for block in blocks]
    return _join_paragraphs([*every, table, *paragraphs(settings_blocks(comparison), width), *segments])


def closing_lines(comparison: Comparison, origin: str, width: int, baseline_note: str = "") -> list[str]:
    """Say what to do next, which system is the baseline where its name decided that, and where the rest is."""
    named = wrap([f"Baseline: {baseline_note}"] if baseline_note else [], width)
    last = [*named, *_last_lines(comparison, origin, width)]
    return ["", *_join_paragraphs([_next_step_lines(comparison, width), last])]


def _join_paragraphs(parts: Iterable[list[str]]) -> list[str]:
    """Join paragraphs, a blank line between."""
    return [line for part in parts if part for line in ("", *part)][1:]


def _draw_measures(comparison: Comparison, width: int) -> list[str]:
    """Draw both means, the change, its interval, and how many queries are better and worse; one row per measure.

    Of several systems: measure by measure, without those that are only shown.
    """
    one, every = len(comparison.verdict) == 1, list(comparison.contrasts.values())
    shown, below = every, []
    if not one:
        labels = comparison.scores.labels
        deciding = [contrast for contrast in every if contrast.role != SHOWN]
        shown = sorted(deciding, key=lambda contrast: labels.index(contrast.measure))[: 2 * PAIRS]
        roles = zip(labels, comparison.pairing.roles, strict=True)
        below.append("; ".join(f"{label} {role}" for label, role in roles if role != SHOWN) + ".")
    if len(shown) < len(every):
        below.append(f"{plural(len(every) - len(shown), 'more row')}: --verbose")
    columns, renamed = _fit_columns(comparison, shown, one, width)
    return [*draw(columns, width), *below, *wrap([*renamed, *_means_note(comparison)], width)]


def _means_note(comparison: Comparison) -> list[str]:
    """Say which queries the means are over, where those of each system alone are others."""
    text = f"Means over {compared_queries_text(comparison)}; over all queries of each system: --verbose"
    return [text] if has_own_means(comparison) else []


def _fit_columns(
    comparison: Comparison, shown: Sequence[Contrast], one: bool, width: int
) -> tuple[list[TextColumn], list[str]]:
    """Return the columns; where two names are too long, the means are called by role, and a line says whose they are.

    Where that makes them no narrower, the names stay.
    """
    columns = _measure_columns(comparison, shown, one)
    measure, before, after, *others = columns
    renamed = [measure, replace(before, name="baseline"), replace(after, name="mean"), *others]
    if not one or fits(columns, width) or sum(c.wide for c in renamed) >= sum(c.wide for c in columns):
        return columns, []
    return renamed, [f"Baseline: {before.name}."]


def _measure_columns(comparison: Comparison, shown: Sequence[Contrast], one: bool) -> list[TextColumn]:
    pairs = [_pair_label(c.system, c.baseline, comparison) for c in shown]
    before = TextColumn(shown[0].baseline, [decimal(c.baseline_mean) for c in shown], numeric=True)
    level = percent(shown[0].corrected.level)
    roles = [c.role for c in shown]
    return [
        TextColumn("measure", [c.measure for c in shown], numeric=False),
        before if one else TextColumn("system", pairs, numeric=False),
        TextColumn(shown[0].system if one else "mean", [decimal(c.mean) for c in shown], numeric=True),
        TextColumn("change", [change_text(c.difference, c.direction) for c in shown], numeric=True),
        TextColumn(f"{level} interval", [span_text(c.corrected.low, c.corrected.high) for c in shown], numeric=True),
        TextColumn("better/worse", [f"{c.wins}/{c.losses}" for c in shown], numeric=True),
        *([TextColumn("role", roles, numeric=False)] if one and len(set(roles)) > 1 else []),
    ]


def _next_step_lines(comparison: Comparison, width: int) -> list[str]:
    """Say what to do next: step by step for one system, in a line for each of several."""
    every = list(comparison.verdict.values())
    if len(every) == 1:
        title = "What would settle it:" if every[0].outcome == CANT_TELL else "Next:"
        steps = [line for i, step in enumerate(every[0].steps, 1) for line in label_lines(f"{i}.", step, width, 3)]
        return [title, *steps] if steps else []
    if comparison.many:
        return leaderboard_notes_text(comparison.leaderboard, width)
    if len(every) > MOST_VERDICTS:
        return ["What would settle each: --verbose"]
    steps = [f"{_pair_label(v.system, v.baseline, comparison)}: {' '.join(v.steps)}" for v in every if v.steps]
    return wrap(steps, width)


def _last_lines(comparison: Comparison, origin: str, width: int) -> list[str]:
    """Say queries without results, the convention, how many are paired, and how to see everything."""
    source = f" Defaults: {origin}." if origin else ""
    paired = paired_note(comparison, range(len(comparison.scores.labels)), comparison.pairing.pairs)
    named = f"Convention {comparison.scores.setting.text}; {paired}.{source}{alias_note(comparison.scores)}"
    text = f"{named} All evidence, choices and the ledger: --verbose"
    above_board = comparison.many and without_results(comparison.leaderboard)
    nothing = [] if above_board else [f"{each}." for each in no_results_notes(comparison.scores)]
    return wrap([*nothing, text], width)


# What a terminal shows of a leaderboard: the sentence, the board as wide as there is room, what is to be known.


ROWS = 20
"""Systems that are shown before it is said how many more there are."""

BAR, LONGEST_BAR = 12, 40
"""Least and greatest width of the bars: where there is room for no 12, there are none."""

KEPT = 4
"""Columns that are always shown: ranks, system, mean, group."""

SHORTEST_NAME = 24
"""Columns that a name has at least."""


def board_lines(board: Leaderboard, width: int, rows: int = ROWS) -> list[str]:
    """Draw the first systems: ranks, name, mean and group; where there is room bars, intervals and other columns."""
    columns = [_visible_column(column) for column in leaderboard_columns(board, rows)]
    kept, others = columns[:KEPT], columns[KEPT:]
    names = kept[1]
    beside = sum(column.wide + len(GAP) for column in kept if column is not names) + len(GAP) + BAR
    kept[1] = replace(names, cells=cut_names(names.cells, max(width - beside, SHORTEST_NAME)))
    columns = [*kept, *others]
    room = width - sum(column.wide for column in kept) - KEPT * len(GAP)
    if room >= BAR:
        # The bars take all the room that is left: beside every other column where all fit, else before the others.
        narrow = fits([*columns, bars(board, rows, BAR)], width)
        taken = sum(column.wide + len(GAP) for column in others) if narrow else 0
        kept = [*kept, bars(board, rows, min(room - taken, LONGEST_BAR))]
    for column in others:
        kept = [*kept, column] if fits([*kept, column], width) else kept
    more = len(board.systems) - rows
    systems = [f"{plural(more, 'more system')}: --verbose"] if more > 0 else []
    return [*draw(kept, width), *systems, *wrap(_no_room_note([c.name for c in others if c not in kept]), width)]


def _no_room_note(names: list[str]) -> list[str]:
    return [f"Not shown for lack of room: {listed(names)}."] if names else []


def _visible_column(column: TextColumn) -> TextColumn:
    return TextColumn(visible(column.name), list(map(visible, column.cells)), column.numeric)


def leaderboard_summary(board: Leaderboard, width: int) -> list[str]:
    """Say the sentence, which systems have no results for some queries, and which queries nobody judged; folded."""
    aside = filter(None, [without_results(board), *no_judgments_notes(board.scores)])
    return wrap(map(visible, [board.sentence, board.lead, *(f"{text}." for text in aside)]), width)


def leaderboard_notes_text(board: Leaderboard, width: int) -> list[str]:
    """Say what the ranks are, over which queries, and what they do not include."""
    return wrap(map(visible, leaderboard_notes(board)), width)


# Queries of a comparison as a terminal shows them: a table per system, ids and texts cut to fit.


_IN_HEADING = ("system", "baseline", "measure")
"""Columns that the heading says."""

_NARROWEST = 8
"""Width below which no id is cut: less of it would be no help in finding it."""


def tables_by_system(comparison: Comparison, tables: list[Table], width: int) -> dict[str, Table]:
    """Return each system's table by its heading, without the columns that the heading says, cut to the width."""
    brief = {}
    for verdict, table in zip(comparison.verdict.values(), tables, strict=True):
        heading = f"{verdict.system} instead of {verdict.baseline}, {comparison.scores.labels[0]}"
        columns = [name for name in table.columns if name not in _IN_HEADING]
        brief[heading] = _cut_to_width(table[columns], width)
    return brief


def _cut_to_width(table: Table, width: int) -> Table:
    """Shorten ids and texts in the middle, the widest first, until all fit the width."""
    columns = table.grid().columns
    room = width - sum(column.wide + 2 for column in columns if column.numeric)
    wide = {column.name: column.wide for column in columns if not column.numeric}
    while sum(wide.values()) + 2 * (len(wide) - 1) > room and max(wide.values()) > _NARROWEST:
        wide[max(wide, key=lambda name: wide[name])] -= 1
    cut = {name: [cell and cut_middle(cell, wide[name]) for cell in table[name]] for name in wide}
    return Table({name: cut[name] if name in cut else table.array(name) for name in table.columns}, table.title)
