"""The decisions in which two measures differ, as players whose shares sum to the gap."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.arrays import SAME, Floats, differ
from idealrank.audit.documents import documents_behind
from idealrank.audit.reconciliation import Cause, Reconciliation, queries_table, shares_table
from idealrank.decisions import questions
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError
from idealrank.evaluation.one_system import OneSystem
from idealrank.measures import Measure

MOST = 12
"""Most players for which every combination is computed; more are joined by stage."""

LEFT_OUT = 1e300
"""Stands for a query left out, when looking for the greatest share."""

Player = tuple[str, ...]
"""Decisions that are changed together."""

Coalition = tuple[Player, ...]
"""Players in order, whose decisions have the second measure's answers."""


class Attribution:
    """Shares the gap between two measures among the decisions that cause it.

    The players are the decisions in which two measures differ; a coalition has the second measure's answers.
    """

    def __init__(self, ground: OneSystem, one: Measure, two: Measure) -> None:
        self.ground, self.one, self.two = ground, one, two
        self._refusals: dict[str, str] = {}
        self.players = self._joined([(name,) for name in _differing(one, two)])

    def reconciliation(self) -> Reconciliation:
        """Compute every combination, and each player's share of the gap."""
        means = {coalition: self._mean(coalition) for coalition in self._coalitions()}
        shares = {player: _shapley(player, self.players, lambda c: means[c]) for player in self.players}
        values = {coalition: self._values(coalition) for coalition in means}
        moving = [p for p in self.players if self._moves(p, values) or abs(shares[p]) > SAME]
        moving.sort(key=lambda player: -abs(shares[player]))
        return Reconciliation(
            measure=self.one,
            other=self.two,
            before=means[()],
            after=means[self.players],
            shares=shares_table(self._share(player, shares[player], means) for player in moving),
            queries=self._queries(moving, values),
            refused=tuple(f"{what}: {why}" for what, why in self._refusals.items()),
        )

    def players_in(self, chosen: Sequence[Player]) -> Coalition:
        """A coalition: its players in order."""
        return tuple(player for player in self.players if player in chosen)

    def _coalitions(self) -> list[Coalition]:
        sizes = range(len(self.players) + 1)
        return [c for size in sizes for c in itertools.combinations(self.players, size)]

    def _under(self, coalition: Sequence[Player]) -> Measure:
        names = {name for player in coalition for name in player}
        base = self.two if "measure" in names else self.one
        answers = {n: getattr(self.two.decisions if n in names else self.one.decisions, n) for n in questions()}
        return replace(base, decisions=self.one.decisions.but(**answers), base=self.one.base)

    def _values(self, coalition: Sequence[Player]) -> Floats:
        return self.ground.values(self._under(coalition))

    def _mean(self, coalition: Sequence[Player]) -> float:
        return self.ground.mean(self._under(coalition))

    def _joined(self, players: list[Player]) -> Coalition:
        """Join players until no coalition is refused, and there are few enough."""
        players = _by_stage(players) if len(players) > MOST else players
        while True:
            self.players = tuple(players)
            clash = next((c for c in self._coalitions() if self._refused(c)), None)
            if clash is None:
                return tuple(players)
            if len(players) <= 1 or len(clash) in (0, len(players)):
                self._mean(clash)  # one of the two numbers itself: its refusal is the answer
            inside = [player for player in players if player in clash]
            outside = [player for player in players if player not in clash]
            joined = tuple(itertools.chain(inside[-1], outside[0]))
            players = [p for p in players if p not in (inside[-1], outside[0])] + [joined]

    def _refused(self, coalition: Sequence[Player]) -> bool:
        try:
            self._mean(coalition)
        except (DataError, UsageError) as refusal:
            what = ", ".join(name for player in coalition for name in player) or "neither"
            self._refusals.setdefault(
                f"{what} cannot be computed if only this changes to the second's answer", str(refusal)
            )
            return True
        return False

    def _moves(self, player: Player, values: Mapping[Coalition, Floats]) -> bool:
        """Whether a player changes any value in any coalition."""
        without = [coalition for coalition in values if player not in coalition]
        pairs = ((values[c], values[self.players_in([*c, player])]) for c in without)
        return any(differ(a, b).any() for a, b in pairs)

    def _share(self, player: Player, share: float, means: Mapping[Coalition, float]) -> dict[str, Any]:
        """One row of the shares."""
        rest = self.players_in([other for other in self.players if other != player])
        return {
            "decision": " + ".join(player),
            "from": " ".join(_answer(self.one, name) for name in player),
            "to": " ".join(_answer(self.two, name) for name in player),
            "share": share,
            "first": means[(player,)] - means[()],
            "last": means[self.players] - means[rest],
        }

    def _queries(self, moving: list[Player], values: Mapping[Coalition, Floats]) -> Table:
        before, after = values[()], values[self.players]
        differs = np.flatnonzero(differ(before, after))
        names = self.ground.queries(self.one)
        # Being left out or not outweighs every value.
        each = [_shapley(p, self.players, lambda c: np.nan_to_num(values[c][differs], nan=LEFT_OUT)) for p in moving]
        most = [moving[int(place)] for place in np.argmax(np.abs(np.array(each)), axis=0)] if len(differs) else []
        causes = [self._cause(int(q), player) for q, player in zip(differs, most, strict=True)]
        return queries_table(names, before, after, differs, causes)

    def _cause(self, query: int, player: Player) -> Cause:
        met = self.ground.met_for(self.one, "dense")
        return Cause(" + ".join(player), documents_behind(met, query, player, self.one.cutoff))


def _differing(one: Measure, two: Measure) -> list[str]:
    """Name the decisions in which two measures differ and that at least one reads."""
    read = {*one.definition.decisions, *two.definition.decisions}
    fields = [n for n in questions() if n in read and getattr(one.decisions, n) != getattr(two.decisions, n)]
    other = (one.definition.name, one.cutoff, one.parameters) != (two.definition.name, two.cutoff, two.parameters)
    return [*(["measure"] if other else []), *fields]


def _answer(measure: Measure, name: str) -> str:
    if name != "measure":
        return measure.decisions.text(name)
    inside = ", ".join(f"{key}={value:g}" for key, value in measure.parameters)
    cutoff = "" if measure.cutoff is None else f"@{measure.cutoff}"
    return f"{measure.definition.name}{f'({inside})' if inside else ''}{cutoff}"


def _by_stage(players: list[Player]) -> list[Player]:
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
    return sum(terms) if terms and isinstance(terms[0], np.ndarray) else math.fsum(terms)
