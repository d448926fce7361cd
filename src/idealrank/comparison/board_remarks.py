"""What is to be said of single systems of a leaderboard: doubted pairs, equal values, ties, queries without results."""

from collections.abc import Iterator

from idealrank.comparison.board import NAMED, Board
from idealrank.errors import listed, plural
from idealrank.evaluation.in_brief import fate
from idealrank.evaluation.ledger.entries import Move


def remarks(board: Board) -> list[str]:
    """Say which pairs are doubted, which systems have the same values, and whose place hangs on ties or order."""
    return [*_doubted(board), *_same(board), *_orders(board)]


def without_results(board: Board) -> str:
    """Say which systems have no results for how many queries, and how these are scored; "" for none."""
    accounts = board.scores.ledger.systems
    nothing = {account.system: (*account.judged_nothing_returned, *account.never_asked) for account in accounts}
    texts = []
    for system, queries in nothing.items():
        value = fate(board.scores, {name: queries if name == system else () for name in nothing})
        if queries and value != "left out":
            texts.append(f"{system}: {plural(len(queries), 'query')} without results, {value}")
    more = [f"{len(texts) - NAMED} more systems likewise"] if len(texts) > NAMED + 1 else []
    return "; ".join([*texts[:NAMED], *more] if more else texts)


def _doubted(board: Board) -> Iterator[str]:
    if count := board.doubted_pairs:
        interval, counts = ("interval leaves", "counts") if count == 1 else ("intervals leave", "count")
        yield (
            f"{plural(count, 'pair')} whose {interval} out 0 {counts} as not told apart, because a few queries could "
            "undo the difference."
        )


def _same(board: Board) -> Iterator[str]:
    alike: dict[bytes, list[str]] = {}
    for values, system in zip(board.scores.values[:, 0], board.scores.systems, strict=True):
        alike.setdefault(values.tobytes(), []).append(system)
    for systems in alike.values():
        if len(systems) > 1:
            yield f"The same {board.measure} in every query: {listed(systems)}."


def _orders(board: Board) -> Iterator[str]:
    """Say of the system whose place moves most under another order of its results, and how many others move."""
    ordered = sorted(_moves(board), key=lambda of: (of[0].decision == "order_by", abs(of[2] - of[1])))
    moved: dict[str, tuple[Move, float, float]] = {}
    for found in ordered:
        moved.pop(found[0].system, None)
        moved[found[0].system] = found
    if moved:
        system, (move, mean, other) = list(moved.items())[-1]
        answer = f"{move.decision}={move.answer}"
        more = f"; {plural(len(moved) - 1, 'other system')} could move, too" if len(moved) > 1 else ""
        yield f"{system}: {move.cause}; {answer} would give {other:.4f} for {mean:.4f}, another place{more}."


def _moves(board: Board) -> Iterator[tuple[Move, float, float]]:
    """Yield the moves of order and ties that take a system past another, with both means."""
    means = dict(zip(board.table["system"], board.table["mean"], strict=True))
    for move in board.scores.ledger.moves:
        for measure, mean, other in move.means if move.decision in ("order_by", "ties") else ():
            others = [value for system, value in means.items() if system != move.system]
            passed = any((value - mean) * (value - other) < 0 for value in others)
            if measure == board.scores.measures[0].name and passed:
                yield move, mean, other
