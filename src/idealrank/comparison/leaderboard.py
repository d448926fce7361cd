"""Leaderboard: many systems, best first, with the ranks each can have and those that cannot be told from the best."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from idealrank.arrays import EQUAL, Floats, Mask
from idealrank.comparison.contrasts import Contrast, Methods, SharedMethods
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.types import LEADERBOARD_ROW
from idealrank.comparison.verdict.assumptions import MANY, not_shown
from idealrank.comparison.verdict.suspect_results import by_system, warnings_of
from idealrank.display.blocks import Block, Folded, Grid, Lines, Small, TextColumn
from idealrank.display.columns import ConventionText, Fingerprints
from idealrank.display.document import Described, Shown
from idealrank.display.latex import booktabs, escape_latex
from idealrank.display.numbers import amount, decimal, decimals, distinct_amount, number_text, percent, span_text
from idealrank.display.schema import Named
from idealrank.display.table import Table
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.ledger import MeanShift, SharedLedger
from idealrank.evaluation.ledger.oddities import Oddity
from idealrank.evaluation.ledger.sensitivity import unjudged_share
from idealrank.evaluation.mean_tables import footnote
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.summary import MUCH, fate_text, query_fates
from idealrank.evaluation.values import difference_bounds, value_bounds
from idealrank.statistics.all_pairs import AllPairs, all_pairs, differences_from, group_letters, rank_intervals
from idealrank.statistics.draws import Progress
from idealrank.statistics.sample import LEAST_DEGREES

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Shown, Described):
    """Many systems, best first, with the ranks that each can have.

    Attributes
    ----------
    scores
        The evaluation behind it.
    methods
        How the intervals were made.
    table
        One row per system: ``rank``; the ``best rank`` and ``worst rank`` it can have, all ranks together at the level;
        ``mean`` with its own interval, ``low`` to ``high``; the means of the other measures; the share of the results
        that is ``unjudged``; the ``difference`` from the first system with its simultaneous interval, ``corrected
        low`` to ``corrected high``; and ``doubted``, from how many systems it counts as not told apart although the
        simultaneous interval of the difference leaves out 0, because a few queries could undo the difference; and
        ``group``, letters of which two systems share one if, and only if, they cannot be told apart (None for more
        than 100 systems, and where 52 letters do not suffice).
    queries
        Number of queries that every system has a value for: means and ranks are over these.
    left_out
        Queries that some systems have a value for, and others none.
    neighbours_apart
        Of how many systems that follow each other it is known which is better.
    differences
        The differences of all pairs with their intervals, in the order of `systems`.
    better
        (S, S) whether the row's system is surely better than the column's, in the order of `systems`.
    suspicious
        What is odd about the results of a system beside those of another, once for each system.
    """

    scores: Scores
    methods: SharedMethods
    table: Annotated[
        Table,
        Named("systems"),
        LEADERBOARD_ROW,
        "A row per system; the means of further measures are under their names.",
    ]
    queries: Annotated[int, "Number of queries that every system has a value for: means and ranks are over these."]
    left_out: Annotated[tuple[str, ...], "Queries that some systems have a value for, and others none."]
    neighbours_apart: Annotated[int, "Of how many systems that follow each other it is known which is better."]
    differences: AllPairs
    better: Mask
    suspicious: tuple[Oddity, ...] = ()

    _instead = (
        dict.fromkeys(("summary", "verdict", "winner"), "leaderboard.sentence")
        | dict.fromkeys(("groups", "group", "letters"), "leaderboard.table['group']")
        | dict.fromkeys(("rank", "ranks", "ranking", "rows"), "leaderboard.table")
        | dict.fromkeys(("top", "head"), "leaderboard.table[:5]")
        | dict.fromkeys(("df", "to_df", "to_frame", "to_dataframe", "dataframe"), "leaderboard.to_pandas()")
        | {
            "plot": "ir.plot(leaderboard)",
            "means": "leaderboard.scores.means",
            "per_query": "leaderboard.scores.per_query",
            "sort_values": "leaderboard.to_pandas().sort_values('mean')",
        }
    )

    @property
    def warnings(self) -> Annotated[tuple[str, ...], "What is odd about the results, to be read before the ranks."]:
        """What is to be said before any rank: what is odd about the results, then what the ledger warns of."""
        return warnings_of(self.suspicious, self.scores.ledger.warnings)

    @property
    def measure(self) -> Annotated[str, "The measure that ranks."]:
        """The measure that ranks."""
        return self.scores.labels[0]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.table["system"])

    @property
    def doubted_pairs(
        self,
    ) -> Annotated[
        int, "Pairs whose interval leaves out 0, but which count as not told apart: a few queries could undo it."
    ]:
        """Number of pairs whose simultaneous interval leaves out 0, but which count as not told apart."""
        return int(sum(self.table["doubted"])) // 2

    @property
    def best(self) -> Annotated[tuple[str, ...], "The systems that no other is surely better than."]:
        """The systems that no other is surely better than: those that can have rank 1."""
        rows = zip(self.table["system"], self.table["best rank"], strict=True)
        return tuple(system for system, rank in rows if rank == 1)

    @property
    def sentence(self) -> Annotated[str, "Who is ahead, who cannot be told from it, and how many are worse."]:
        """Who is ahead, who cannot be told from it, and how many are worse."""
        tied = self.table["rank"].count(1)
        beaten = np.logical_or.reduce(self.better[:tied])
        others = [system for system, is_beaten in zip(self.systems[tied:], beaten[tied:], strict=True) if not is_beaten]
        worse = len(self.systems) - tied - len(others)
        it = "it" if tied == 1 else "them"
        alike = f"{_named(others)} cannot be told from {it}"
        if not worse and others:
            none = f"none of the {len(others)} other systems can be told from {it}"
            return f"{self._ahead(tied)}, but {none if len(others) > NAMED else alike}."
        parts = [self._ahead(tied), *([alike] if others else []), *([_worse(worse)] if worse else [])]
        return f"{'; '.join(parts)}."

    def _ahead(self, tied: int) -> str:
        first, second = self.table[0], self.table[1]
        size = abs(first["mean"] - second["mean"])
        digits = 3 if tied > 1 else max(3, decimals(size))
        mean, behind = amount(first["mean"], digits), distinct_amount(second["mean"], first["mean"], digits)
        if tied > 1:
            return f"{_named(list(self.systems[:tied]))} lead with the same {self.measure} ({mean})"
        by = amount(size, digits)
        return f"{first['system']} is ahead by {by} ({self.measure} {mean}, then {second['system']} {behind})"

    @property
    def lead(self) -> str:
        """How far the first is ahead of the second, with the corrected interval of that difference."""
        second = self.table[1]
        low, high = sorted((-second["corrected low"], -second["corrected high"]))
        if not math.isfinite(low + high):
            return ""
        text = f"First against second: {number_text(-second['difference'], '+.4f')} {self.measure}"
        held = "simultaneous interval" if self.methods.together else "interval"
        return f"{text} ({percent(self.methods.level)} {held} {span_text(low, high)})."

    @property
    def method(self) -> str:
        """What the rank intervals are, and by which method."""
        if self.queries < 2:
            return f"{plural(self.queries, 'query')} cannot tell systems apart, so no rank is certain"
        level = percent(self.methods.level)
        held = (
            f"all true ranks are in these intervals with {level} confidence" if self.methods.together else _ONE_BY_ONE
        )
        how = _METHODS.get(self.methods.correction, f"the corrected intervals of all pairs ({self.methods.correction})")
        return f"{held[0].upper()}{held[1:]}: a rank counts the systems that are surely better, by {how}"

    def shown(self) -> list[Block]:
        """Return the sentence, the board, and the notes below every number."""
        grid = Grid(leaderboard_columns(self), self.sentence, stated=self.table.stated)
        notes = Lines([("" if i else "ranks", text) for i, text in enumerate(leaderboard_notes(self))])
        warnings = [("warning", text) for text in self.warnings]
        warned: list[Block] = [Lines(warnings, indent=11, leads=True)] if warnings else []
        return [*warned, grid, Small(footnote(self.scores)), Folded([notes, *self.scores.account()])]

    def to_pandas(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame."""
        return self.table.to_pandas()

    def to_csv(self, separator: str = ",") -> str:
        """Return the table as delimited text, as `Table.to_csv`."""
        return self.table.to_csv(separator)

    @property
    def _notes(
        self,
    ) -> Annotated[list[str], Named("notes"), "What the ranks are, over which queries, and what they do not include."]:
        return leaderboard_notes(self)

    @property
    def _convention(self) -> Annotated[ConventionText, Named("convention")]:
        return self.scores.setting.text

    @property
    def _decisions(self) -> Annotated[Fingerprints, Named("decisions")]:
        return self.scores.fingerprints

    @property
    def _ledger(self) -> Annotated[SharedLedger, Named("ledger")]:
        return self.scores.ledger

    def to_latex(self) -> str:
        """Return a table as papers print it: ranks, means with intervals, in bold those that may be the best."""
        return leaderboard_latex(self)


# A leaderboard in LaTeX: ranks, means with intervals, the systems that may be the best in bold.


def leaderboard_latex(board: Leaderboard) -> str:
    """Write a table: one row per system, best first; the rules are those of the package booktabs."""
    others = board.scores.labels[1:]
    head = ["ranks", "system", rf"\multicolumn{{2}}{{c}}{{{escape_latex(board.measure)}}}", *map(escape_latex, others)]
    return booktabs(_caption(board), f"clrl{'r' * len(others)}", " & ".join(head), _rows(board))


def _rows(board: Leaderboard) -> list[str]:
    """Write the rows, a rule below the systems that may be the best."""
    rows = [_row(row, board.scores.labels[1:]) for row in board.table]
    best = sum(rank == 1 for rank in board.table["best rank"])
    below = [r"\midrule"] if best < len(rows) and all(rank == 1 for rank in board.table["best rank"][:best]) else []
    return [*rows[:best], *below, *rows[best:]]


def _row(row: dict[str, Any], others: tuple[str, ...]) -> str:
    first, last = row["best rank"], row["worst rank"]
    ranks = str(first) if first == last else f"{first}--{last}"
    name = rf"\textbf{{{escape_latex(row['system'])}}}" if first == 1 else escape_latex(row["system"])
    span = "--" if math.isnan(row["low"] + row["high"]) else f"[{_number(row['low'])}, {_number(row['high'])}]"
    cells = [ranks, name, _number(row["mean"]), span, *(_number(row[label]) for label in others)]
    return rf"{' & '.join(cells)} \\"


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "--"
    return f"{value:.4f}" if value >= 0 else f"$-${-value:.4f}"


_ABS = escape_latex("|t|")


def _caption(board: Leaderboard) -> str:
    ranks = escape_latex(f"{board.method[0].lower()}{board.method[1:]}").replace(_ABS, "$|t|$")
    bold = "in bold, systems that no other is surely better than"
    facts = [*remarks(board), f"{nothing}." if (nothing := without_results(board)) else ""]
    return " ".join([_means(board, ranks, bold), *(escape_latex(fact) for fact in facts if fact)])


def _means(board: Leaderboard, ranks: str, bold: str) -> str:
    means = "Means" if board.scores.weights is None else "Weighted means"
    level = rf"{100 * board.methods.level:.6g}\%"
    return (
        f"{means} over {plural(board.queries, 'query')} with {level} intervals; convention "
        f"{escape_latex(board.scores.setting.text)}. Ranks: {ranks}, seed {board.methods.seed}; {bold}."
    )


# A leaderboard as columns of text, as bars, and what is to be known of it.


def leaderboard_columns(board: Leaderboard, rows: int | None = None) -> list[TextColumn]:
    """Return the board as columns of text, the most needed first.

    Parameters
    ----------
    rows
        Only so many first rows; None: all.
    """
    table = board.table if rows is None else board.table[:rows]
    level, others = percent(board.methods.level), board.scores.labels[1:]
    spans = [span_text(row["low"], row["high"], sign="") for row in table]
    behind = [span_text(row["corrected low"], row["corrected high"]) for row in table]
    return [
        TextColumn("ranks", ranks_text(table["best rank"], table["worst rank"]), numeric=True),
        TextColumn("system", table["system"], numeric=False),
        TextColumn(board.measure, [decimal(mean) for mean in table["mean"]], numeric=True),
        TextColumn("group", [letters or "–" for letters in table["group"]], numeric=False, whole=True),
        TextColumn(f"{level} interval", spans, numeric=True),
        *(TextColumn(label, [decimal(mean) for mean in table[label]], numeric=True) for label in others),
        TextColumn("behind", ["", *(number_text(x, "+.4f") for x in table["difference"][1:])], numeric=True),
        TextColumn("simultaneous" if board.methods.together else "its interval", ["", *behind[1:]], numeric=True),
    ]


def ranks_text(best: Sequence[int], worst: Sequence[int]) -> list[str]:
    """Write the ranks that each system can have.

    Examples
    --------
    >>> ranks_text([1, 3], [2, 3])
    ['1–2', '3']
    """
    return [str(a) if a == b else f"{a}–{b}" for a, b in zip(best, worst, strict=True)]


def bars(board: Leaderboard, rows: int, width: int) -> TextColumn:
    """Draw the interval of each mean as a bar on one axis, the mean as a dot."""
    table = board.table[:rows]
    ends = np.array([table.array(name) for name in ("low", "mean", "high")])
    low, high = float(np.nanmin(ends)), float(np.nanmax(ends))
    places = np.round((ends - low) / ((high - low) or 1.0) * (width - 1))
    drawn = [_bar([int(x) for x in three], width) if np.isfinite(three).all() else "" for three in places.T]
    return TextColumn(_axis(low, high, width), drawn, numeric=False, whole=True)


def _bar(places: Sequence[int], width: int) -> str:
    low, mean, high = places
    line = [" "] * width
    line[low : high + 1] = "─" * (high + 1 - low)
    line[mean] = "●"
    return "".join(line)


def _axis(low: float, high: float, width: int) -> str:
    left, right = number_text(low, ".2f"), number_text(high, ".2f")
    return f"{left}{' ' * max(width - len(left) - len(right), 1)}{right}"


def leaderboard_notes(board: Leaderboard) -> list[str]:
    """Say what the ranks are, over which queries, and what they do not include."""
    scores, systems = board.scores, len(board.systems)
    neighbours = f"{board.neighbours_apart:,} of {plural(systems - 1, 'pair')} of neighbours can be told apart"
    notes = [f"{board.method}; {neighbours}.", *remarks(board)]
    if board.table[0]["group"]:
        notes.insert(1, "Two systems share a letter under `group` if, and only if, they cannot be told apart.")
    if board.left_out:
        count = f"{len(board.left_out):,} left out ({listed(board.left_out)})"
        notes.append(f"Means and ranks are over the {plural(board.queries, 'query')} of all systems; {count}.")
    share = unjudged_share(scores, range(systems), scores.measures[0].cutoff or 10)
    if share > MUCH:
        judged = percent(round(share, 2))
        notes.append(f"Ranks do not include what judging the unjudged results ({judged}) could change.")
    if 1 < board.queries < MANY:
        few = f"with fewer than {MANY}, skewed values of many systems make the confidence lower"
        notes.append(f"{plural(board.queries, 'query')}: {few}.")
    return notes


# What is to be said of single systems of a leaderboard: doubted pairs, equal values, ties, queries without results.


def remarks(board: Leaderboard) -> list[str]:
    """Say which pairs are doubted, which systems have the same values, and whose place hangs on ties or order."""
    return [*_doubted_pairs(board), *_same(board), *_orders(board)]


def without_results(board: Leaderboard) -> str:
    """Say which systems have no results for how many queries, and how these are scored; "" for none."""
    accounts = board.scores.ledger.systems
    nothing = {account.system: (*account.judged_nothing_returned, *account.never_asked) for account in accounts}
    alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
    fates = query_fates(board.scores, nothing)
    for system, queries in nothing.items():
        value = fate_text(fates[system])
        if queries and value != "left out":
            alike.setdefault((tuple(queries), value), []).append(system)
    texts = []
    for (queries, value), systems in alike.items():
        who = _named(systems) if len(systems) <= NAMED else f"{len(systems)} systems"
        each = f" each ({listed(queries)})" if len(systems) > 1 else ""
        texts.append(f"{who}: {plural(len(queries), 'query')} without results{each}, {value}")
    rest = sum(len(systems) for systems in list(alike.values())[NAMED:])
    more = [f"{rest} more systems likewise"] if len(texts) > NAMED + 1 else []
    return "; ".join([*texts[:NAMED], *more] if more else texts)


def _doubted_pairs(board: Leaderboard) -> Iterator[str]:
    if count := board.doubted_pairs:
        interval, counts = ("interval leaves", "counts") if count == 1 else ("intervals leave", "count")
        yield (
            f"{plural(count, 'pair')} whose {interval} out 0 {counts} as not told apart, because a few queries could "
            "undo the difference."
        )


def _same(board: Leaderboard) -> Iterator[str]:
    alike: dict[bytes, list[str]] = {}
    for values, system in zip(board.scores.values[:, 0], board.scores.systems, strict=True):
        alike.setdefault(values.tobytes(), []).append(system)
    for systems in alike.values():
        if len(systems) > 1:
            yield f"The same {board.measure} in every query: {listed(systems)}."


def _orders(board: Leaderboard) -> Iterator[str]:
    """Say of the system whose place moves most under another order of its results, and how many others move."""
    ordered = sorted(_moves(board), key=lambda of: (of[0].decision == "order_by", abs(of[2] - of[1])))
    moved: dict[str, tuple[MeanShift, float, float]] = {}
    for found in ordered:
        moved.pop(found[0].system, None)
        moved[found[0].system] = found
    if moved:
        system, (move, mean, other) = list(moved.items())[-1]
        answer = f"{move.decision}={move.answer}"
        more = f"; {plural(len(moved) - 1, 'other system')} could move, too" if len(moved) > 1 else ""
        yield f"{system}: {move.cause}; {answer} would give {other:.4f} for {mean:.4f}, another place{more}."


def _moves(board: Leaderboard) -> Iterator[tuple[MeanShift, float, float]]:
    """Yield the moves of order and ties that take a system past another, with both means."""
    means = dict(zip(board.table["system"], board.table["mean"], strict=True))
    for move in board.scores.ledger.moves:
        for measure, mean, other in move.means if move.decision in ("order_by", "ties") else ():
            others = [value for system, value in means.items() if system != move.system]
            passed = any((value - mean) * (value - other) < 0 for value in others)
            if measure == board.scores.measures[0].name and passed:
                yield move, mean, other


# The board: many systems as plain values, best first, and the sentence that says who is ahead.


NAMED = 3
"""Systems of the best group that the sentence names; of more it says how many."""

LONG = 80
"""Letters of names in a sentence, at most."""

LETTERED = 100
"""Systems that are put into groups, at most: of more, the letters would be no help."""

_ONE_BY_ONE = "each comparison is right at the level by itself, not all ranks together"
_METHODS = {
    "max_t": "simultaneous intervals of all pairs (largest |t| under sign flips)",
    "tukey": "simultaneous intervals of all pairs (randomised Tukey HSD)",
}


def _named(systems: list[str]) -> str:
    """Name systems, the first few of many; of several with long names say how many: the table names them."""
    if len(systems) > 2 and sum(map(len, systems[: NAMED + 1])) > LONG:
        return f"{len(systems)} systems"
    if len(systems) > NAMED + 1:
        return f"{', '.join(systems[:NAMED])} and {len(systems) - NAMED} more"
    return " and ".join(filter(None, (", ".join(systems[:-1]), *systems[-1:])))


def _worse(count: int) -> str:
    return "the other system is worse" if count == 1 else f"the other {count:,} systems are worse"


# The board: means with intervals, and the ranks that the differences of all pairs leave open, best first.


def complete_values(pairing: Pairing) -> tuple[Floats, Floats | None]:
    """(S, n) values of the deciding measure of the queries every system has one for, and their weights above 0."""
    values, weights = pairing.complete(0)
    return (values, None) if weights is None else (values[:, weights > 0], weights[weights > 0])


def board_of_contrasts(pairing: Pairing, contrasts: Mapping[Key, Contrast], methods: Methods) -> Leaderboard:
    """Rank the systems of a comparison of all pairs by its corrected intervals."""
    systems = len(pairing.scores.systems)
    difference, half, error = (np.zeros((systems, systems)) for _ in range(3))
    ends = np.zeros((2, systems, systems))
    for (pair, m), contrast in contrasts.items():
        if m == 0:
            a, b = pair.system, pair.baseline
            difference[a, b], difference[b, a] = contrast.difference, -contrast.difference
            ends[:, a, b] = contrast.corrected.low, contrast.corrected.high
            ends[:, b, a] = -contrast.corrected.high, -contrast.corrected.low
            error[a, b] = error[b, a] = contrast.deviation / np.sqrt(contrast.queries)
            half[a, b] = half[b, a] = _towards_0(contrast)
    return rank_all_pairs(pairing, AllPairs(difference, half, error, methods.level), methods, ends)


def _towards_0(of: Contrast) -> float:
    """Return how far the corrected interval reaches from the difference towards 0."""
    return of.difference - of.corrected.low if of.difference > 0 else of.corrected.high - of.difference


def board_of_pairs(pairing: Pairing, methods: Methods, progress: Progress | None = None) -> Leaderboard:
    """Rank the systems by the simultaneous intervals of all pairs."""
    how = {"draws": methods.draws, "seed": methods.seed}
    return rank_all_pairs(
        pairing, all_pairs(*complete_values(pairing), level=methods.level, progress=progress, **how), methods
    )


def rank_all_pairs(pairing: Pairing, found: AllPairs, methods: Methods, ends: Floats | None = None) -> Leaderboard:
    """Rank systems by the differences of all pairs.

    Parameters
    ----------
    ends
        (2, S, S) the low and the high end of each interval, where it reaches farther on one side of the difference.
    """
    scores = pairing.scores
    sign = -1.0 if scores.measures[0].definition.properties.direction == "lower" else 1.0
    values, weights = complete_values(pairing)
    upward = AllPairs(sign * found.difference, found.half_width, found.error, found.level)
    better = dominance(upward, sign * values, weights, difference_bounds(scores, 0)[1])
    ranks = 1 + (upward.difference < -EQUAL).sum(axis=1)
    order = np.array(sorted(range(len(ranks)), key=lambda s: (ranks[s], scores.systems[s])))
    doubted = (np.abs(found.difference) - found.half_width > 0) & ~(better | better.T)
    columns = _columns(pairing, methods, values, weights) | _behind(found, order[0], ends)
    columns["doubted"] = doubted.sum(axis=1)
    open_ranks = rank_intervals(better)
    distinguished = (better | better.T)[np.ix_(order, order)]
    first = {"rank": ranks, "best rank": open_ranks.best, "worst rank": open_ranks.worst}
    table = {"system": [scores.systems[s] for s in order]}
    table |= {name: column[order] for name, column in (first | columns).items()}
    letters = group_letters(distinguished) if len(distinguished) <= LETTERED else None
    table["group"] = letters or [None] * len(distinguished)
    neighbours = int(np.diagonal(distinguished, 1).sum())
    stated = {"fingerprint": ", ".join(scores.fingerprints.values())}
    drawn, odd, of = Table(table, "leaderboard", stated, LEADERBOARD_ROW), by_system(pairing), np.ix_(order, order)
    sorted_pairs = AllPairs(found.difference[of], found.half_width[of], found.error[of], found.level)
    return Leaderboard(
        scores, methods, drawn, values.shape[1], _left_out(pairing), neighbours, sorted_pairs, better[of], odd
    )


def _columns(pairing: Pairing, methods: Methods, values: Floats, weights: Floats | None) -> dict[str, Any]:
    """Return the mean of the deciding measure with its interval, the means of the others, and what is unjudged."""
    scores, bounds = pairing.scores, value_bounds(pairing.scores, 0)
    spans = [methods.interval_of(row, weights, bounds=bounds) for row in values]
    depth = scores.measures[0].cutoff or 10
    columns = {"mean": values.mean(axis=1) if weights is None else values @ weights / weights.sum()}
    columns |= {"low": np.array([one.low for one in spans]), "high": np.array([one.high for one in spans])}
    for m, label in enumerate(scores.labels[1:], 1):
        others, beside = pairing.complete(m)
        columns[label] = others.mean(axis=1) if beside is None else others @ beside / beside.sum()
    return columns | {"unjudged": np.array([unjudged_share(scores, [s], depth) for s in range(len(scores.systems))])}


def _behind(found: AllPairs, best: int, ends: Floats | None) -> dict[str, Floats]:
    """Return the difference of each system from the first, with the interval of that difference."""
    centre, half = found.difference[:, best], found.half_width[:, best]
    low, high = (centre - half, centre + half) if ends is None else ends[:, :, best]
    return {"difference": centre, "corrected low": low, "corrected high": high}


def _left_out(pairing: Pairing) -> tuple[str, ...]:
    """Return the queries that some systems have a value for, and others none."""
    return pairing.unpaired(Key(Pair(0, 1), 0))  # without a baseline a query pairs where all systems have a value


# Which of many systems are surely better than which: simultaneous intervals, and the doubts that verdicts have.


ROUNDING = 1e-24
"""Squares of differences below which they have no spread."""


def dominance(found: AllPairs, rows: Floats, weights: Floats | None, largest: float) -> Mask:
    """(S, S) whether the row's system surely has the higher mean than the column's.

    The interval of the difference is above 0, and neither of the two doubts applies by which a verdict becomes CAN'T
    TELL: see `idealrank.comparison.assumptions`.

    Parameters
    ----------
    found
        The differences of all pairs.
    rows, weights
        (S, Q) The values they are of, more is better, and (Q,) their weights.
    largest
        The largest difference there can be; infinite where the values have no bound.
    """
    from scipy.special import stdtrit

    above: Mask = np.asarray(found.difference - found.half_width > 0)
    each = np.ones(rows.shape[1]) if weights is None else weights
    degrees = max(each.sum() ** 2 / (each**2).sum() - 1, LEAST_DEGREES)
    alone = float(stdtrit(degrees, (1 + found.level) / 2))  # of differences without spread, as of `Contrast.wide`
    sides = np.any([above, above.T], axis=(0, 2))
    for i in np.flatnonzero(sides[:-1]).tolist():
        with np.errstate(divide="ignore", invalid="ignore"):
            wide = np.where(found.error[i] > 0, found.half_width[i] / found.error[i], alone)[i + 1 :]
        doubted = _is_doubted(differences_from(rows, i), weights, wide, largest)
        above[i, i + 1 :] &= ~doubted
        above[i + 1 :, i] &= ~doubted
    return above


def _is_doubted(d: Floats, weights: Floats | None, wide: Floats, largest: float) -> Mask:
    """(H,) whether the mean of the differences of each row is doubted to be on its side of 0."""
    each = np.ones(d.shape[1]) if weights is None else weights
    mean = d @ each / each.sum()
    gains = d * np.where(mean < 0, -1.0, 1.0)[:, None]
    effective = each.sum() ** 2 / (each**2).sum()
    tail = _t(gains, each) <= _skewed_end(wide, _skewness(gains, each, effective), effective)
    if not np.isfinite(largest):
        return np.asarray(tail)
    from scipy.special import stdtr

    missed = -np.expm1(np.log(stdtr(max(effective - 1, LEAST_DEGREES), -wide)) / effective)
    unseen = np.abs(mean) <= not_shown((np.abs(mean) - gains.min(axis=1)) / largest) * missed * largest
    return np.asarray(tail | unseen)


def _t(gains: Floats, weights: Floats) -> Floats:
    """(H,) the mean of each row in standard errors, as `Sample.t`; infinite without spread."""
    mean, queries = gains @ weights / weights.sum(), gains.shape[1]
    squares = ((weights * (gains - mean[:, None])) ** 2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean * weights.sum() / np.sqrt(squares * queries / (queries - 1))
    return np.asarray(np.where(squares <= ROUNDING, np.inf, t))


def _skewness(gains: Floats, weights: Floats, effective: float) -> Floats:
    """(H,) the skewness of each row, as `idealrank.statistics.skewness`; 0 without spread."""
    residuals = weights * (gains - (gains @ weights / weights.sum())[:, None])
    squares, queries = (residuals**2).sum(axis=1), gains.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        skew = np.sqrt(effective / queries) * (residuals**3).mean(axis=1) / (squares / queries) ** 1.5
    return np.asarray(np.where(squares <= ROUNDING, 0.0, skew))


def _skewed_end(critical: Floats, skew: Floats, n: float) -> Floats:
    """(H,) where each interval ends, in standard errors: `idealrank.statistics.skewness.skewed_end`."""
    a = skew / (6 * np.sqrt(n))
    w = critical - a
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(1 + a * w > 0, w / (1 + a * w) ** 2, np.inf))
