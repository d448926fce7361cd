"""Moves: the means under other answers, as a grid."""

from collections.abc import Iterable, Sequence

from idealrank.display.blocks import Grid, Lines
from idealrank.display.grid import Column
from idealrank.evaluation.ledger.entries import Move

MOVED = "How much each choice matters (changes above 0.0005):"
"""Legend of the means under other answers."""


def moves_grid(moves: Sequence[Move], measures: Iterable[str], systems: int) -> Grid:
    """Return one row per answer, one column per measure, and why the answer matters; `systems` is their number."""
    answers = [f"{move.decision}={move.answer}" for move in moves]
    means = [{name: f"{other:.4f}" for name, _, other in move.means} for move in moves]
    columns = [
        *([_systems([move.system for move in moves])] if systems > 1 else []),
        Column("answer", answers, numeric=False, whole=True),
        Column("because", [move.cause for move in moves], numeric=False, whole=True, spare=True),
    ]
    moved = [name for name in measures if any(name in row for row in means)]
    columns += [Column(name, [row.get(name, "") for row in means], numeric=True) for name in moved]
    return Grid(columns, MOVED, instead=_reasons(moves, systems))


def _systems(names: list[str]) -> Column:
    """Name each system once in text, in every row on a page."""
    first = [name if i == 0 or names[i - 1] != name else "" for i, name in enumerate(names)]
    return Column("system", first, numeric=False, page=names)


def _reasons(moves: Sequence[Move], systems: int) -> Lines:
    """Say why each answer matters, one entry per answer."""
    causes: dict[str, dict[str, list[str]]] = {}
    for move in moves:
        causes.setdefault(f"{move.decision}={move.answer}", {}).setdefault(move.cause, []).append(move.system)
    rows = [
        (f"  {answer}", "; ".join(_by_system(cause, names, systems) for cause, names in reasons.items()))
        for answer, reasons in causes.items()
    ]
    return Lines(rows, "because", max(map(len, causes)) + 4)


def _by_system(cause: str, names: list[str], systems: int) -> str:
    return cause if len(names) == systems else f"{', '.join(names)}: {cause}"
