"""What each decision contributes to the gap between two numbers: Shapley values, and the documents behind them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple, TypedDict

import numpy as np

from idealrank.arrays import EQUAL, Floats, Ints, Mask, differ
from idealrank.decisions.decisions import questions
from idealrank.display.document import Described
from idealrank.display.numbers import decimal, signed
from idealrank.display.schema import Is, Named, OrNull
from idealrank.display.table import Table, fingerprint_columns
from idealrank.errors import DataError, UsageError, listed
from idealrank.evaluation.joins import SystemUnderTest
from idealrank.judged_lists.join import SystemLists
from idealrank.measures.definition import Measure

MOST = 12
"""Most players for which every combination is computed, 4,096 of them; more are joined by stage."""

LEFT_OUT = 1e300
"""Stands for a query left out, when looking for the greatest share."""

Player = tuple[str, ...]
"""Decisions that are changed together."""

Coalition = tuple[Player, ...]
"""Players in order, whose decisions have the second measure's answers."""


SharesJson = TypedDict(
    "SharesJson",
    {
        "decision": Annotated[list[str], "The decision, or several that are changed together."],
        "from": Annotated[list[str], "The answer under the first setting."],
        "to": Annotated[list[str], "The answer under the second."],
        "share": Annotated[list[float], "Its share of the gap: the mean effect over all orders of changing answers."],
        "first": Annotated[list[float | None], "Its effect if it is changed first; null if it cannot be computed."],
        "last": Annotated[list[float | None], "Its effect if it is changed last; null if it cannot be computed."],
    },
)

ChangedQueriesJson = TypedDict(
    "ChangedQueriesJson",
    {
        "query": Annotated[list[str], "Id of the query."],
        "before": Annotated[list[float | None], "Value under the first setting; null if it is left out."],
        "after": Annotated[list[float | None], "Value under the second; null if it is left out."],
        "most by": Annotated[list[str], "The decision with the largest effect."],
        "documents": Annotated[list[str], "The documents it concerns."],
    },
)


@dataclass(frozen=True, eq=False)
class Reconciliation(Described):
    """Why two numbers differ.

    The gap between them, and each decision's share of it.

    Attributes
    ----------
    measure, other
        The measure under the first setting and under the second.
    before, after
        Their means.
    shares
        One row per decision: its answers, its share (the Shapley value: the mean over all orders of
        changing the answers), and its effect if changed first, and if last. The shares sum to the gap.
    queries
        One row per query whose value differs: both values, the decision with the greatest share, and the
        tied, unjudged or missing documents it concerns.
    refused
        Combinations of answers that cannot be computed; the decisions in one are changed together.
    source
        The source of the second number, if that is a table and not a convention.
    """

    measure: Measure
    other: Measure
    before: Annotated[float, OrNull(), "Mean under the first; null if every query is left out."]
    after: Annotated[float, OrNull(), "Mean under the second; null if every query is left out."]
    shares: Annotated[Table, Is(SharesJson), "The decisions that make the gap."]
    queries: Annotated[Table, Is(ChangedQueriesJson), "The queries whose value differs."]
    refused: Annotated[tuple[str, ...], "Combinations of answers that cannot be computed."] = ()
    source: Annotated[str, "Where the second number comes from, if not from a convention; else empty."] = ""

    def __post_init__(self) -> None:
        prints = fingerprint_columns({"before": self.measure.fingerprint, "after": self.other.fingerprint})
        for name in ("shares", "queries"):
            object.__setattr__(self, name, getattr(self, name).with_fingerprints(prints))

    @property
    def gap(self) -> Annotated[float, OrNull(), "After minus before; null if one of them is missing."]:
        """After minus before."""
        return self.after - self.before

    @property
    def text(self) -> str:
        """The gap and its parts in one line."""
        parts = [f"{row['decision']} {signed(row['share'])}" for row in self.shares]
        made = f": {', '.join(parts)}" if parts else ": nothing visible in this data"
        of = f" ({self.source})" if self.source else ""
        return f"{self.measure.name} {decimal(self.before)} → {decimal(self.after)}{of}{made}"

    @property
    def _measure(
        self,
    ) -> Annotated[
        str, Named("measure"), "The measure under the first setting: its answer to every decision it reads."
    ]:
        return self.measure.fingerprint

    @property
    def _other(self) -> Annotated[str, Named("other"), "The measure under the second."]:
        return self.other.fingerprint

    def __repr__(self) -> str:
        parts = [self.text, repr(self.shares)]
        parts += [repr(self.queries)] if len(self.queries) else []
        return "\n\n".join([*parts, *self.refused])


class Cause(NamedTuple):
    """The decision that changes a query's value most, and through which documents."""

    decision: str
    documents: str = ""


class Attribution:
    """Shares the gap between two measures among the decisions that cause it.

    The players are the decisions in which two measures differ; a coalition has the second measure's answers.
    """

    def __init__(self, ground: SystemUnderTest, one: Measure, two: Measure) -> None:
        self.ground, self.one, self.two = ground, one, two
        self._refusals: dict[str, str] = {}
        self.players = self._join_players([(name,) for name in _differing_decisions(one, two)])

    def reconciliation(self) -> Reconciliation:
        """Compute every combination, and each player's share of the gap."""
        means = {coalition: self._mean(coalition) for coalition in self._coalitions()}
        shares = {player: _shapley(player, self.players, lambda c: means[c]) for player in self.players}
        values = {coalition: self._values(coalition) for coalition in means}
        moving = [p for p in self.players if self._moves_any(p, values) or abs(shares[p]) > EQUAL]
        moving.sort(key=lambda player: -abs(shares[player]))
        return Reconciliation(
            measure=self.one,
            other=self.two,
            before=means[()],
            after=means[self.players],
            shares=shares_table(self._share_row(player, shares[player], means) for player in moving),
            queries=self._queries_table(moving, values),
            refused=tuple(f"{what}: {why}" for what, why in self._refusals.items()),
        )

    def players_in(self, chosen: Sequence[Player]) -> Coalition:
        """A coalition: its players in order."""
        return tuple(player for player in self.players if player in chosen)

    def _coalitions(self) -> list[Coalition]:
        sizes = range(len(self.players) + 1)
        return [c for size in sizes for c in itertools.combinations(self.players, size)]

    def _measure_under(self, coalition: Sequence[Player]) -> Measure:
        names = {name for player in coalition for name in player}
        base = self.two if "measure" in names else self.one
        answers = {n: getattr(self.two.decisions if n in names else self.one.decisions, n) for n in questions()}
        return replace(base, decisions=self.one.decisions.but(**answers), base=self.one.base)

    def _values(self, coalition: Sequence[Player]) -> Floats:
        return self.ground.values(self._measure_under(coalition))

    def _mean(self, coalition: Sequence[Player]) -> float:
        return self.ground.mean(self._measure_under(coalition))

    def _join_players(self, players: list[Player]) -> Coalition:
        """Join players until no coalition is refused, and there are few enough."""
        players = _group_by_stage(players) if len(players) > MOST else players
        while True:
            self.players = tuple(players)
            clash = next((c for c in self._coalitions() if self._is_refused(c)), None)
            if clash is None:
                return tuple(players)
            if len(players) <= 1 or len(clash) in (0, len(players)):
                self._mean(clash)  # one of the two numbers itself: its refusal is the answer
            inside = [player for player in players if player in clash]
            outside = [player for player in players if player not in clash]
            joined = tuple(itertools.chain(inside[-1], outside[0]))
            players = [p for p in players if p not in (inside[-1], outside[0])] + [joined]

    def _is_refused(self, coalition: Sequence[Player]) -> bool:
        try:
            self._mean(coalition)
        except (DataError, UsageError) as refusal:
            what = ", ".join(name for player in coalition for name in player) or "neither"
            self._refusals.setdefault(
                f"{what} cannot be computed if only this changes to the second's answer", str(refusal)
            )
            return True
        return False

    def _moves_any(self, player: Player, values: Mapping[Coalition, Floats]) -> bool:
        """Whether a player changes any value in any coalition."""
        without = [coalition for coalition in values if player not in coalition]
        pairs = ((values[c], values[self.players_in([*c, player])]) for c in without)
        return any(differ(a, b).any() for a, b in pairs)

    def _share_row(self, player: Player, share: float, means: Mapping[Coalition, float]) -> dict[str, Any]:
        """One row of the shares."""
        rest = self.players_in([other for other in self.players if other != player])
        return {
            "decision": " + ".join(player),
            "from": " ".join(_answer_text(self.one, name) for name in player),
            "to": " ".join(_answer_text(self.two, name) for name in player),
            "share": share,
            "first": means[(player,)] - means[()],
            "last": means[self.players] - means[rest],
        }

    def _queries_table(self, moving: list[Player], values: Mapping[Coalition, Floats]) -> Table:
        before, after = values[()], values[self.players]
        differs = np.flatnonzero(differ(before, after))
        names = self.ground.queries(self.one)
        # A query that is left out has no value, but its effect must be compared: leaving it out outweighs every value.
        each = [_shapley(p, self.players, lambda c: np.nan_to_num(values[c][differs], nan=LEFT_OUT)) for p in moving]
        most = [moving[int(place)] for place in np.argmax(np.abs(np.array(each)), axis=0)] if len(differs) else []
        causes = [self._find_cause(int(q), player) for q, player in zip(differs, most, strict=True)]
        return queries_table(names, before, after, differs, causes)

    def _find_cause(self, query: int, player: Player) -> Cause:
        joined = self.ground.lists_for(self.one, "dense")
        return Cause(" + ".join(player), documents_behind(joined, query, player, self.one.cutoff))


def _differing_decisions(one: Measure, two: Measure) -> list[str]:
    """Name the decisions in which two measures differ and that at least one reads."""
    read = {*one.definition.decisions, *two.definition.decisions}
    fields = [n for n in questions() if n in read and getattr(one.decisions, n) != getattr(two.decisions, n)]
    other = (one.definition.name, one.cutoff, one.parameters) != (two.definition.name, two.cutoff, two.parameters)
    return [*(["measure"] if other else []), *fields]


def _answer_text(measure: Measure, name: str) -> str:
    if name != "measure":
        return measure.decisions.text(name)
    inside = ", ".join(f"{key}={value:g}" for key, value in measure.parameters)
    cutoff = "" if measure.cutoff is None else f"@{measure.cutoff}"
    return f"{measure.definition.name}{f'({inside})' if inside else ''}{cutoff}"


def _group_by_stage(players: list[Player]) -> list[Player]:
    stages: dict[str, list[str]] = {}
    for (name,) in players:
        stages.setdefault("measure" if name == "measure" else questions()[name].stage, []).append(name)
    return [tuple(names) for names in stages.values()]


def _shapley(player: Player, players: Coalition, worth: Callable[[Coalition], Any]) -> Any:
    """The mean over all orders of what a player adds to those before it (Shapley 1953)."""
    others, count = [other for other in players if other != player], len(players)
    terms = []
    for size in range(count):
        weight = math.factorial(size) * math.factorial(count - size - 1) / math.factorial(count)
        for before in itertools.combinations(others, size):
            together = tuple(p for p in players if p in before or p == player)
            terms.append(weight * (worth(together) - worth(tuple(before))))
    # Thousands of terms of both signs cancel: `fsum` keeps the shares adding up to the gap.
    return sum(terms) if terms and isinstance(terms[0], np.ndarray) else math.fsum(terms)


# The documents behind a decision.


_ORDER = frozenset({"ties", "score_precision", "order_by", "rank_gaps"})
_HOLES = frozenset({"unjudged", "negative", "short_list"})
_MISSED = frozenset({"ideal", "ideal_depth", "recall_denominator", "ap_denominator", "max_grade"})


def documents_behind(joined: SystemLists, query: int, decisions: Iterable[str], cutoff: int | None) -> str:
    """Name the tied, unjudged or missing documents of a query that the decisions concern; "" for none.

    Parameters
    ----------
    joined
        Dense lists that contain the query.
    cutoff
        Results that cannot be within it are left out.
    """
    names = set(decisions)
    rank, grade, entry, row, first, last = joined.judged.hits(query, query + 1)
    within = (first <= cutoff) if cutoff is not None else np.ones(len(rank), np.bool_)
    parts = []
    if names & _ORDER:
        parts.append(("tied", joined.run.docs(_rows_by_rank(row, within & (first != last), rank))))
    if names & _HOLES:
        parts.append(("unjudged", joined.run.docs(_rows_by_rank(row, within & ((entry < 0) | (grade < 0)), rank))))
    if names & _MISSED:
        parts.append(("missing", joined.pool.docs(_missed_documents(joined, query, entry))))
    return "; ".join(f"{what} {listed(docs, between=' ')}" for what, docs in parts if docs)


def _rows_by_rank(row: Ints, chosen: Mask, rank: Ints) -> Ints:
    order = np.argsort(rank[chosen], kind="stable")
    return row[chosen][order]


def _missed_documents(joined: SystemLists, query: int, entry: Ints) -> Ints:
    """The judged documents of a grade above 0 that were not returned, best first."""
    judged = np.arange(joined.pool.start[query], joined.pool.start[query + 1])
    judged = judged[joined.pool.grade[judged] > 0]
    return judged[~np.isin(judged, entry)]


def shares_table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Make the table `shares` from rows with its columns."""
    columns: dict[str, list[Any]] = {name: [] for name in ("decision", "from", "to", "share", "first", "last")}
    for row in rows:
        for name, values in columns.items():
            values.append(row[name])
    numbers = ("share", "first", "last")
    return Table({n: np.array(v, np.float64) if n in numbers else v for n, v in columns.items()}, "shares")


def queries_table(names: Sequence[str], before: Floats, after: Floats, differs: Ints, causes: Sequence[Cause]) -> Table:
    """Make the table `queries`: one row per query whose place is in `differs`, with its cause."""
    return Table(
        {
            "query": [names[q] for q in differs],
            "before": before[differs],
            "after": after[differs],
            "most by": [cause.decision for cause in causes],
            "documents": [cause.documents for cause in causes],
        },
        "queries",
    )
