"""Tuning: how the best of several systems was chosen, on queries that the verdict does not use."""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from idealrank.arrays import EQUAL, Mask
from idealrank.comparison.contrasts import Contrast, Methods, contrasts
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.settings_grid import Contrasts, best_system, difference_from_baseline, standing_columns
from idealrank.comparison.types import TUNED_ROW
from idealrank.comparison.verdict.assumptions import FEWEST_CHANGED
from idealrank.comparison.verdict.reasons import Reason, Step, noted, open_step, reduce, refuses
from idealrank.comparison.verdict.rule import CANT_TELL, Rule
from idealrank.display.blocks import Block, Grid
from idealrank.display.document import Described, Shown
from idealrank.display.numbers import amount, count, decimals, fine_digits, percent
from idealrank.display.schema import OrNull, Share
from idealrank.display.table import Table
from idealrank.errors import DataError, UsageError, named, option, plural
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import QueryState


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(Shown, Described):
    """How the system was chosen on other queries.

    It was chosen on one part of the queries (tuning), to be tested on the other (held out).

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

    _internal = frozenset({"shown", "grid", "pairing", "contrasts", "test", "in_all"})

    pairing: Pairing
    test: Pairing
    methods: Methods
    hold_out: Annotated[Share, "Share of the queries that was held out."]

    @property
    def seed(self) -> Annotated[int, "Random seed of the split."]:
        """The seed of the hash by which queries are held out."""
        return self.methods.seed

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems there were to choose from."""
        return self.pairing.scores.systems

    @property
    def baseline(self) -> Annotated[str, "The baseline."]:
        """The system the others are compared with."""
        return self.pairing.baseline

    @property
    def best(self) -> Annotated[str, "The system with the best mean on the tuning queries."]:
        """The system with the best mean on the tuning queries; the baseline where no other is better."""
        return self.systems[best_system(self.pairing, range(len(self.systems)))]

    @property
    def tested(self) -> Annotated[str, "The system that is tested on the queries held out."]:
        """The system that is compared with the baseline on the held-out queries: the best of the others."""
        return next(name for name in self.test.scores.systems if name != self.baseline)

    @functools.cached_property
    def gain(self) -> Annotated[float, OrNull(), "Its gain on the tuning queries."]:
        """What that system gained over the baseline on the tuning queries, under the deciding measure."""
        change = difference_from_baseline(self.pairing, self.systems.index(self.tested))
        lower = self.pairing.scores.measures[0].definition.properties.direction == "lower"
        return -change if lower else change

    @functools.cached_property
    def paired(self) -> int:
        """The number of tuning queries that this gain is the mean of."""
        pair = Pair(self.systems.index(self.baseline), self.systems.index(self.tested))
        return len(self.pairing.paired_differences(Key(pair, 0))[0])

    @property
    def queries(self) -> Annotated[tuple[str, ...], "The queries the choice was made by."]:
        """The queries the choice was made by."""
        return _counted_queries(self.pairing)

    @property
    def held_out(self) -> Annotated[tuple[str, ...], "The queries it is tested on."]:
        """The queries the choice is tested on."""
        return _counted_queries(self.test)

    @property
    def in_all(self) -> str:
        """How many queries it takes to have more held-out ones, as a step."""
        return f"These are held-out queries: judge {_times_text(1 / self.hold_out)} times as many in all"

    @functools.cached_property
    def contrasts(self) -> Contrasts:
        """All systems against the baseline on the tuning queries, corrected for their number."""
        return contrasts(self.pairing, self.methods)

    @functools.cached_property
    def means(self) -> Annotated[Table, TUNED_ROW, "The means on the tuning queries, a row per system."]:
        """One row per system on the tuning queries: the mean of each measure, and its difference from the baseline.

        Intervals and p are corrected for all systems. `chosen` says which system was best.
        """
        columns: dict[str, Any] = {"system": list(self.systems)}
        columns |= standing_columns(self.pairing, self.contrasts, range(len(self.systems)), self.methods)
        columns["chosen"] = ["best" if name == self.best else "" for name in self.systems]
        return Table(
            columns, "tuning", {"fingerprint": ", ".join(self.pairing.scores.fingerprints.values())}, TUNED_ROW
        )

    @property
    def text(self) -> str:
        """How the queries were split, in one line."""
        return (
            f"{percent(self.hold_out)} of the queries held out by a hash of their ids (seed {self.seed}): "
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


def _counted_queries(pairing: Pairing) -> tuple[str, ...]:
    """Return the queries that were asked for, and have a weight."""
    return tuple(pairing.scores.queries[q] for q in np.flatnonzero(pairing.with_weight(pairing.chosen)))


def choose_best(pairing: Pairing, methods: Methods, hold_out: float) -> Tuning:
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
    among, every = pairing.with_weight(pairing.chosen), range(len(scores.systems))
    used = among & ~split_holdout(scores.queries, among, hold_out, methods.seed)
    tuning = Pairing(restrict_scores(scores, every, used), pairing.baseline, pairing.roles)
    systems = [scores.systems.index(pairing.baseline)]
    systems.append(best_system(tuning, [s for s in every if s not in systems]))
    rest = restrict_scores(scores, systems, pairing.chosen & ~used)  # with those of weight 0, which are named
    return Tuning(tuning, Pairing(rest, pairing.baseline, pairing.roles), methods, hold_out)


# Queries in two parts, by a hash of their ids: one to choose a system by, the other held out to test it on.


def split_holdout(ids: Sequence[str], among: Mask, share: float, seed: int) -> Mask:
    """(Q,) which of some queries are held out: those with the lowest hashes.

    Whether a query is held out depends on its id, the seed and the ids of the other queries alone: neither on the
    order of the rows nor on the systems. When queries are added, most of the others stay where they are.

    Parameters
    ----------
    among
        (Q,) the queries that are split; the others are in neither part.
    share
        The share of them that is held out.

    Raises
    ------
    UsageError
        If the share is not between 0 and 1.
    DataError
        If either part would have too few queries, with the number that is needed.
    """
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share < 1:
        raise UsageError(
            f"{option('hold_out', str(share))}: the share of the queries to test on is between 0 and 1, as 0.5."
        )
    order = sorted(np.flatnonzero(among).tolist(), key=lambda q: _hash_query(ids[q], seed))
    many = _held_out_count(len(order), share)
    _refuse_few(len(order), many, share)
    held = np.zeros(len(ids), np.bool_)
    held[order[:many]] = True
    return held


def _hash_query(query: str, seed: int) -> bytes:
    # Not hash(): Python salts it, so the split would differ from run to run. An id may contain lone surrogates.
    return hashlib.sha256(f"{seed} {query}".encode("utf-8", "surrogatepass")).digest()


def _held_out_count(queries: int, share: float) -> int:
    """Return how many of so many queries are held out, halves rounded up: round() takes 2.5 to 2 and 3.5 to 4."""
    return math.floor(queries * share + 0.5)


def _refuse_few(queries: int, held: int, share: float) -> None:
    if min(held, queries - held) >= FEWEST_CHANGED:
        return
    start = int(FEWEST_CHANGED / max(share, 1 - share))  # with fewer queries not even the larger part has enough
    enough = next(
        n for n in itertools.count(start) if FEWEST_CHANGED <= _held_out_count(n, share) <= n - FEWEST_CHANGED
    )
    raise DataError(
        f"{option('hold_out', f'{share:g}')}: {plural(queries, 'query')} would leave {queries - held} to choose by and "
        f"{held} to test on, and each part needs at least {FEWEST_CHANGED}. Judge at least {enough} queries, or "
        "leave it out: then all queries are used, and the comparison is corrected for the number of systems."
    )


def restrict_scores(scores: Scores, systems: Sequence[int], queries: Mask) -> Scores:
    """Return the scores of some systems on some queries; the other queries are left out, as if not asked for."""
    places = list(systems)
    ids = [query for query, kept in zip(scores.queries, queries, strict=True) if kept]
    return scores.select_systems(
        places,
        [scores.systems[s] for s in places],
        values=np.where(queries, scores.values[places], np.nan),
        states=np.where(queries, scores.states[places], np.int8(QueryState.LEFT_OUT)),
        only=ids,
    )


# The verdict on a system that was chosen as the best of several, on queries it was not chosen by.


def tuning_reasons(reasons: Sequence[Reason], tuning: Tuning, held: Contrast, rule: Rule) -> list[Reason]:
    """Return how the system was chosen; and DON'T where none was better than the baseline on the tuning queries.

    Parameters
    ----------
    reasons
        Those of the verdict on the held-out queries.
    held
        The difference under the deciding measure on the held-out queries.
    """
    if any(each.kind == "nothing measured" for each in reasons):
        return []
    step = open_step(reasons)
    asks = reduce(reasons) == CANT_TELL and step is not None and step.kind == "judge queries"
    more, text = Step("judge queries", tuning.in_all) if asks else None, tuning_text(tuning, held)
    facts: dict[str, Any] = {"gain": tuning.gain, "held_out": held.improvement, "systems": len(tuning.systems)}
    if tuning.gain > EQUAL or rule.kind != "better":
        return [noted("tuning", text, more, **facts)]
    why = f"no other system beat {tuning.baseline} on the {_tuning_queries(tuning)}"
    return [noted("tuning", text, **facts), refuses("tuning", why, baseline=tuning.baseline, gain=tuning.gain)]


def tuning_text(tuning: Tuning, held: Contrast) -> str:
    """Say what the system was the best of, its gain there, and how much of that vanished on the held-out queries."""
    gain, many = tuning.gain, plural(len(tuning.systems), "system")
    if gain <= EQUAL:
        return _unbeaten_text(tuning)
    return (
        f"{tuning.tested} was the best of {many} on the {_tuning_queries(tuning)}, where it gained {_size_text(gain)}; "
        f"on {_held_out_queries(tuning, held)} {_remaining_gain(gain, held.improvement)}"
    )


def _unbeaten_text(tuning: Tuning) -> str:
    """Say that no system beat the baseline, and which came closest."""
    change = "as good" if tuning.gain >= -EQUAL else f"{_size_text(tuning.gain)} worse"
    where, others = f"beat {tuning.baseline} on the {_tuning_queries(tuning)}", len(tuning.systems) - 1
    if others == 1:
        return f"{tuning.tested} did not {where} ({change} there)"
    return f"None of the {others:,} other systems {where}; {tuning.tested} came closest ({change} there)"


def _tuning_queries(tuning: Tuning) -> str:
    whole = len(tuning.queries)
    return f"{whole:,} tuning queries" if tuning.paired == whole else f"{tuning.paired:,} of {whole:,} tuning queries"


def _held_out_queries(tuning: Tuning, held: Contrast) -> str:
    whole = len(tuning.held_out)
    few = f"{held.queries:,} of the {whole:,}" if held.queries != whole else f"the {whole:,}"
    return f"{few} held-out queries"


def _remaining_gain(before: float, after: float) -> str:
    """Say what is left of a gain on queries that it was not chosen by."""
    if after <= EQUAL:
        return "it gained nothing" if after >= -EQUAL else f"it lost {_size_text(after)}"
    gone = 1 - after / before
    rest = f"so {percent(round(gone, 2))} of the gain vanished" if gone > EQUAL else "so none of the gain vanished"
    return f"it gained {_size_text(after)}, {rest}"


def _size_text(change: float) -> str:
    size = abs(change)
    return amount(size, max(3, fine_digits(size)) if size < 1 else decimals(size))


def _times_text(times: float) -> str:
    """Write how many times as many, to two digits."""
    return f"{times:.2g}" if times < 100 else count(times)
