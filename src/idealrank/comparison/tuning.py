"""Tuning: how the best of several systems was chosen, on queries that the verdict does not use."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank.arrays import Mask
from idealrank.comparison.contrasts import contrasts
from idealrank.comparison.hold_out import held_out, restricted
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.standings import Contrasts, best_of, difference, standings
from idealrank.display.amounts import percent
from idealrank.display.blocks import Block, Grid
from idealrank.display.document import Shown
from idealrank.display.numbers import number
from idealrank.display.table import Table
from idealrank.errors import UsageError, named, option, plural


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(Shown):
    """The part of the queries that a system was chosen by.

    Attributes
    ----------
    pairing
        All systems against the baseline, on the tuning queries only.
    test
        The system that was chosen against the baseline, on the held-out queries only.
    methods
        How differences are tested, on either part.
    hold_out
        The share of the queries that was held out.
    """

    _internal = frozenset({"shown", "grid", "pairing", "contrasts", "test"})

    pairing: Pairing
    test: Pairing
    methods: Methods
    hold_out: float

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems there were to choose from."""
        return self.pairing.scores.systems

    @property
    def baseline(self) -> str:
        """The system the others are compared with."""
        return self.pairing.baseline

    @property
    def best(self) -> str:
        """The system with the best mean on the tuning queries; the baseline where no other is better."""
        return self.systems[best_of(self.pairing, range(len(self.systems)))]

    @property
    def tested(self) -> str:
        """The system that is compared with the baseline on the held-out queries: the best of the others."""
        return next(name for name in self.test.scores.systems if name != self.baseline)

    @functools.cached_property
    def gain(self) -> float:
        """What that system gained over the baseline on the tuning queries, under the deciding measure."""
        change = difference(self.pairing, self.systems.index(self.tested))
        lower = self.pairing.scores.measures[0].definition.properties.direction == "lower"
        return -change if lower else change

    @functools.cached_property
    def paired(self) -> int:
        """The number of tuning queries that this gain is the mean of."""
        pair = Pair(self.systems.index(self.baseline), self.systems.index(self.tested))
        return len(self.pairing.paired_differences(Key(pair, 0))[0])

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries the choice was made by."""
        return _counted(self.pairing)

    @property
    def held_out(self) -> tuple[str, ...]:
        """The queries the choice is tested on."""
        return _counted(self.test)

    @functools.cached_property
    def contrasts(self) -> Contrasts:
        """All systems against the baseline on the tuning queries, corrected for their number."""
        return contrasts(self.pairing, self.methods)

    @functools.cached_property
    def means(self) -> Table:
        """One row per system on the tuning queries: the mean of each measure, and its difference from the baseline.

        Intervals and p are corrected for all systems. `chosen` says which system was best.
        """
        columns: dict[str, Any] = {"system": list(self.systems)}
        columns |= standings(self.pairing, self.contrasts, range(len(self.systems)), self.methods)
        columns["chosen"] = ["best" if name == self.best else "" for name in self.systems]
        return Table(columns, "tuning", {"fingerprint": ", ".join(self.pairing.scores.fingerprints.values())})

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "hold_out": self.hold_out,
            "seed": self.methods.seed,
            "baseline": self.baseline,
            "best": self.best,
            "tested": self.tested,
            "gain": number(self.gain),
            "queries": list(self.queries),
            "held_out": list(self.held_out),
            "means": self.means.rows(),
        }

    @property
    def text(self) -> str:
        """How the queries were split, in one line."""
        return (
            f"{percent(self.hold_out)} of the queries held out by a hash of their ids (seed {self.methods.seed}): "
            f"{len(self.queries):,} to choose one of {plural(len(self.systems), 'system')} by, "
            f"{len(self.held_out):,} to test it on; no other system was tested on these"
        )

    def shown(self) -> list[Block]:
        """Return the means on the tuning queries."""
        return [self.grid]

    @property
    def grid(self) -> Grid:
        """The means on the tuning queries as columns of text: the deciding measure, and the difference."""
        columns = ["system", self.pairing.scores.labels[0], "difference", "corrected p", "chosen"]
        return self.means[columns].grid(title=f"chosen on {plural(len(self.queries), 'tuning query')}")


def _counted(pairing: Pairing) -> tuple[str, ...]:
    """Return the queries that were asked for, and have a weight."""
    return tuple(pairing.scores.queries[q] for q in np.flatnonzero(_with_weight(pairing)))


def _with_weight(pairing: Pairing) -> Mask:
    return pairing.chosen if pairing.weights is None else pairing.chosen & (pairing.weights > 0)


def tuned(pairing: Pairing, methods: Methods, hold_out: float) -> Tuning:
    """Choose the best of several systems on one part of the queries.

    Raises
    ------
    UsageError
        If there is no baseline, or the share is not between 0 and 1.
    DataError
        If a part would have too few queries.
    """
    scores = pairing.scores
    if not pairing.baseline:
        raise UsageError(
            f"{option('hold_out', str(hold_out))} tests the best system against a baseline, on queries it was not "
            f"chosen by. Name the baseline, as {named('baseline', scores.systems[0])}."
        )
    among, every = _with_weight(pairing), range(len(scores.systems))
    used = among & ~held_out(scores.queries, among, hold_out, methods.seed)
    tuning = Pairing(restricted(scores, every, used), pairing.baseline, pairing.roles)
    systems = [scores.systems.index(pairing.baseline)]
    systems.append(best_of(tuning, [s for s in every if s not in systems]))
    rest = restricted(scores, systems, pairing.chosen & ~used)  # with those of weight 0, which are named
    return Tuning(tuning, Pairing(rest, pairing.baseline, pairing.roles), methods, hold_out)
