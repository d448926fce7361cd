"""idealrank demo."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from idealrank.cli.help import ExampleCommand, program_name, wrap_command
from idealrank.errors import DataError, UsageError

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison

_FILES = ("judgments.csv", "queries.csv", "products.csv", "bm25.csv", "hybrid.csv", "all.sql", "any.sql")
"""What is taken from the example shop; `rust/build.rs` puts the same files into the wheel."""

_PACKAGE = Path(__file__).parents[2]
_PLACES = (_PACKAGE / "shop", _PACKAGE.parents[1] / "examples" / "shop")
"""Where the shop is: in the package, or in a checkout among the examples."""

_WIDTH = 80
"""Columns, at most."""

_MEASURES = ("nDCG@10", "RR")
_ENGINES = {"strict": "all.sql", "loose": "any.sql"}
_EXAMPLES = ("idealrank demo", "idealrank demo shop")
_OPENING = (
    "A made-up shop of 341 products. Its search was asked 42 queries in two ways:",
    "`strict` finds products with all words of the query, `loose` with any of them.",
)
_THEN = "What to type next; your own files go in the place of these:"


@click.command("demo", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("folder", default="idealrank-demo", type=click.Path(file_okay=False, path_type=Path))
def demo_command(folder: Path) -> None:
    """Compare two ways to search an example shop, and write a report: a first look, with files to go on with.

    FOLDER [idealrank-demo] gets the shop's queries, products and judgments, the two templates that ask the built-in
    engine, their results, and report.html. A folder with other files in it is left alone.
    """
    _copy_shop(folder)
    comparison = _compare_searches(folder)
    from idealrank.reports.report import report

    page = report(comparison, documents=folder / "products.csv").save(folder / "report.html")
    _show_demo(comparison, folder, page)


def _copy_shop(folder: Path) -> None:
    """Copy the shop into a folder that is new, empty, or of an earlier demo.

    Raises
    ------
    UsageError
        If there is anything else in it.
    """
    files = _shop()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The whole shop is in it: a demo of before, with its results and its report.
        ours = all(_is_same_file(file, folder / file.name) for file in files)
        if not ours and any(folder.iterdir()):
            raise UsageError(f"{folder} has other files in it. Name a new folder: idealrank demo FOLDER.")
        for file in files:
            shutil.copyfile(file, folder / file.name)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}. Name another folder.") from None


def _shop() -> list[Path]:
    for place in _PLACES:
        files = [place / name for name in _FILES]
        if all(file.is_file() for file in files):
            return files
    raise DataError(f"{_PLACES[0]}: the example shop is missing. Install idealrank again.")


def _is_same_file(file: Path, other: Path) -> bool:
    return other.is_file() and other.read_bytes() == file.read_bytes()


def _compare_searches(folder: Path) -> Comparison:
    """Ask the built-in engine every query in both ways, and compare the results."""
    from idealrank.comparison.compare import compare
    from idealrank.engines.replay import replay
    from idealrank.evaluation.evaluate import evaluate

    engines = [f"{name}=sqlite:{folder}/products.csv?template={folder}/{sql}" for name, sql in _ENGINES.items()]
    results = folder / "results"
    replay(folder / "queries.csv", engines, fields=("title", "category"), output=results, anew=True, progress=False)
    files = [results / f"{name}.csv" for name in _ENGINES]
    scores = evaluate(folder / "judgments.csv", files, _MEASURES, queries=folder / "queries.csv")
    return compare(scores)


def _show_demo(comparison: Comparison, folder: Path, page: Path) -> None:
    """Say what was compared, the verdict as `compare` shows it, where the report is, and what to type next."""
    from idealrank.cli.comparison_summary import draw_numbers, verdict_blocks
    from idealrank.cli.output import screen_width, show
    from idealrank.display import terminal
    from idealrank.display.blocks import wrap

    width = min(_WIDTH, screen_width())
    terminal.show([*wrap(_OPENING, width), ""])
    blocks = verdict_blocks(comparison, width)
    commands = [line for command in _next_commands(folder) for line in wrap_command(command, width)]
    report = wrap([f"Report: {page} (open it in a browser)"], width)
    below = [*draw_numbers(comparison, width), "", *report, "", *wrap([_THEN], width), *commands]
    show([block for _, block in blocks], below, [colour for colour, _ in blocks])


def _next_commands(folder: Path) -> list[str]:
    """Return the commands that come to the same numbers; the baseline is the file named first."""
    judgments = shlex.quote(str(folder / "judgments.csv"))
    strict, loose = (shlex.quote(str(folder / "results" / f"{name}.csv")) for name in _ENGINES)
    measures = " ".join(f"-m {measure}" for measure in _MEASURES)
    return [
        f"{program_name()} compare {judgments} {strict} {loose} {measures}",
        f"{program_name()} explain {judgments} {loose} -m {_MEASURES[0]} --query 'running shoes'",
    ]
