"""The board: many systems as plain values, best first, and the sentence that says who is ahead."""

from dataclasses import dataclass

from idealrank.comparison.methods import SIMULTANEOUS, Methods
from idealrank.comparison.suspect_results import Suspicion, warnings_of
from idealrank.display.amounts import amount, apart, decimals, percent
from idealrank.display.table import Table
from idealrank.errors import plural
from idealrank.evaluation.scores import Scores

NAMED = 3
"""Systems of the best group that the sentence names; of more it says how many."""


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """Many systems, best first.

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
        simultaneous interval of the difference leaves out 0, because a few queries could undo the difference.
    queries
        Number of queries that every system has a value for: means and ranks are over these.
    left_out
        Queries that some systems have a value for, and others none.
    neighbours_apart
        Of how many systems that follow each other it is known which is better.
    suspicious
        What is odd about the results of a system beside those of another, once for each system.
    """

    scores: Scores
    methods: Methods
    table: Table
    queries: int
    left_out: tuple[str, ...]
    neighbours_apart: int
    suspicious: tuple[Suspicion, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be said before any rank: what is odd about the results, then what the ledger warns of."""
        return warnings_of(self.suspicious, self.scores.ledger.warnings)

    @property
    def measure(self) -> str:
        """The measure that ranks."""
        return self.scores.labels[0]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first."""
        return tuple(self.table["system"])

    @property
    def doubted_pairs(self) -> int:
        """Number of pairs whose simultaneous interval leaves out 0, but which count as not told apart."""
        return int(sum(self.table["doubted"])) // 2

    @property
    def best(self) -> tuple[str, ...]:
        """The systems that no other is surely better than: those that can have rank 1."""
        rows = zip(self.table["system"], self.table["best rank"], strict=True)
        return tuple(system for system, rank in rows if rank == 1)

    @property
    def sentence(self) -> str:
        """Who is ahead, who cannot be told from it, and how many are worse."""
        tied = self.table["rank"].count(1)
        others = [system for system in self.best if system not in self.systems[:tied]]
        worse = len(self.systems) - len(self.best)
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
        mean, behind = amount(first["mean"], digits), apart(second["mean"], first["mean"], digits)
        if tied > 1:
            return f"{_named(list(self.systems[:tied]))} lead with the same {self.measure} ({mean})"
        by = amount(size, digits)
        return f"{first['system']} is ahead by {by} ({self.measure} {mean}, then {second['system']} {behind})"

    @property
    def method(self) -> str:
        """What the rank intervals are, and by which method."""
        if self.queries < 2:
            return f"{plural(self.queries, 'query')} cannot tell systems apart, so no rank is certain"
        level, together = percent(self.methods.level), self.methods.correction in (*SIMULTANEOUS, "holm")
        held = f"all true ranks are in these intervals with {level} confidence" if together else _ONE_BY_ONE
        how = _METHODS.get(self.methods.correction, f"the corrected intervals of all pairs ({self.methods.correction})")
        return f"{held[0].upper()}{held[1:]}: a rank counts the systems that are surely better, by {how}"


_ONE_BY_ONE = "each comparison is right at the level by itself, not all ranks together"
_METHODS = {
    "max_t": "simultaneous intervals of all pairs (largest |t| under sign flips)",
    "tukey": "simultaneous intervals of all pairs (randomised Tukey HSD)",
}


def _named(systems: list[str]) -> str:
    """Name systems, the first few of many."""
    if len(systems) > NAMED + 1:
        return f"{', '.join(systems[:NAMED])} and {len(systems) - NAMED} more"
    return " and ".join(filter(None, (", ".join(systems[:-1]), *systems[-1:])))


def _worse(count: int) -> str:
    return "the other system is worse" if count == 1 else f"the other {count:,} systems are worse"
