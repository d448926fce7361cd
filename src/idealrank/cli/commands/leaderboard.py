"""idealrank leaderboard."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.evaluation_summary import ledger_notes
from idealrank.cli.help import ENDINGS, TEXT_ENDINGS, ExampleCommand, add_parameters, option
from idealrank.cli.options import FORMS, input_options_of_systems, measure_option, output_options_of
from idealrank.cli.output import (
    ORANGE,
    is_for_people,
    print_error,
    screen_width,
    show,
    verbose,
    warn,
    warning_lines,
    write_table,
    write_text,
)

if TYPE_CHECKING:
    from idealrank.comparison.leaderboard import Leaderboard
    from idealrank.conventions.project import Project

_EXAMPLES = (
    "idealrank leaderboard qrels.txt runs/ -m nDCG@10",
    "idealrank leaderboard qrels.txt runs/ -m AP -m P@10 -o board.tex",
    "idealrank leaderboard qrels/test.tsv predictions/ --as mteb -m nDCG@10",
    "idealrank leaderboard judgments.csv a.csv b.csv c.csv --markdown",
)
_HOW = "How to rank"
_METHODS = add_parameters(
    option("--level", type=float, default=0.95, metavar="X", topic=_HOW, help="Confidence of the intervals [0.95]."),
    option("--draws", type=int, default=10_000, metavar="N", topic=_HOW, help="Number of resamples [10000]."),
    option("--seed", type=int, default=0, metavar="N", topic=_HOW, help="Random seed [0]."),
)


@click.command("leaderboard", cls=ExampleCommand, examples=_EXAMPLES, writes={**ENDINGS, **TEXT_ENDINGS})
@measure_option(multiple=True, help="The first ranks; the means of the others are shown. May be repeated.")
@_METHODS
@output_options_of((*FORMS, *TEXT_ENDINGS.values()))
@input_options_of_systems
def leaderboard_command(
    measure: tuple[str, ...], form: str | None, output: str | None, quiet: bool, **options: Any
) -> None:
    """Rank many systems: means with intervals, the ranks each can have, and who cannot be told from the best.

    RESULTS are files, a folder of them, or one table with a system column. All rank intervals hold together, at
    95%: a system's best rank is 1 + the number of systems that are surely better. Without -m: nDCG@10.
    """
    board, project = _rank_systems(options, measure)
    form = form or TEXT_ENDINGS.get(os.path.splitext(output or "")[1].lower())
    if form in TEXT_ENDINGS.values():
        write_text(board.to_markdown() if form == "markdown" else board.to_latex(), output)
        warn(board.warnings)
        return
    if is_for_people(form, output):
        _show_leaderboard(board, project, quiet)
        return
    write_table(board.table, board.to_json, form, output)
    _print_leaderboard_notes(board, project, quiet or form == "json")


def _rank_systems(options: dict[str, Any], measure: tuple[str, ...]) -> tuple[Leaderboard, Project]:
    from idealrank.cli.inputs import evaluate_inputs
    from idealrank.comparison.compare import leaderboard
    from idealrank.display.terminal import progress_bar

    methods = {name: options.pop(name) for name in ("level", "draws", "seed")}
    scores, _, project = evaluate_inputs(options, measure or ("nDCG@10",))
    with progress_bar("resampling") as progress:
        return leaderboard(scores, progress=progress, **methods), project


def _show_leaderboard(board: Leaderboard, project: Project, quiet: bool) -> None:
    """Show the sentence and the board, with --verbose all of it."""
    from idealrank.cli.comparison_summary import board_lines, leaderboard_notes_text, leaderboard_summary
    from idealrank.cli.evaluation_summary import summary_lines

    width = screen_width()
    below = board_lines(board, width, len(board.systems)) if verbose() else board_lines(board, width)
    if not quiet:
        below += ["", *leaderboard_notes_text(board, width)]
        if verbose():
            scores = board.scores
            below += ledger_notes(scores, scores.account(), project.line).below(width)
        else:
            below += summary_lines(board.scores, project.line, width, choices=False, already_shown=board.warnings)
    warned = warning_lines(board.warnings, width)
    show([warned, leaderboard_summary(board, width)], below, [ORANGE] if warned else [])


def _print_leaderboard_notes(board: Leaderboard, project: Project, quiet: bool) -> None:
    """Print the warnings, the sentence, and under which decisions, on standard error."""
    from idealrank.cli.comparison_summary import leaderboard_notes_text, leaderboard_summary

    if quiet:
        warn(board.warnings)
        return

    def below(width: int) -> list[str]:
        return [*leaderboard_summary(board, width), *leaderboard_notes_text(board, width), *notes.below(width)]

    notes = ledger_notes(
        board.scores, board.scores.account(), project.line, warned=board.warnings, sentences=[board.sentence]
    )
    print_error(notes._replace(below=below))
