"""What identify found: settings, in classes of what is equal on every query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.audit.nearby_settings import match_text
from idealrank.audit.printed_numbers import Printed
from idealrank.conventions import parse_convention
from idealrank.display.table import Table, fingerprint_columns
from idealrank.evaluation.measure_names import measures_under
from idealrank.measures import Measure

NAMED = 3
"""Settings of a class that are named in one line."""


class Match(NamedTuple):
    """A setting under which every printed number comes out.

    Attributes
    ----------
    convention, departures
        The named convention, and the decisions that depart from it.
    values
        What each measure asked for is under it: the mean.
    shift
        -1 or 1 where the cutoff is off by one, as by a loop that ends too early or too late.
    """

    convention: str
    departures: tuple[tuple[str, str], ...]
    values: tuple[float, ...]
    shift: int = 0

    @property
    def setting(self) -> str:
        """The setting as `parse_convention` reads it back."""
        return match_text(self.convention, self.departures, 0)

    @property
    def text(self) -> str:
        """The setting, and whether the cutoff is off by one."""
        return match_text(self.convention, self.departures, self.shift)

    @property
    def distance(self) -> int:
        """How many departures it is from a named convention."""
        return len(self.departures) + abs(self.shift)

    def measure(self, name: str, fixed: Mapping[str, Any]) -> Measure:
        """Return a measure as the setting means it, under the answers that were given for all settings."""
        measure = measures_under(parse_convention(self.setting, dict(fixed)), [name])[0]
        return replace(measure, cutoff=measure.cutoff + self.shift) if measure.cutoff else measure


@dataclass(frozen=True, eq=False)
class Identification:
    """The settings that give some printed numbers.

    Attributes
    ----------
    printed
        The numbers.
    classes
        Settings that are equal on every query stand together, the ones nearest to a named convention first.
    tried
        How many different settings were computed.
    between
        A query, and its values under the first two classes, that would tell them apart; "" where one is enough.
    fixed
        Answers that hold under every setting.
    id_columns
        Which columns were taken for ids of queries, where none is called so.
    """

    printed: tuple[Printed, ...]
    classes: tuple[tuple[Match, ...], ...]
    tried: int
    between: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    id_columns: tuple[str, ...] = ()

    @property
    def identified(self) -> bool:
        """Whether a single class, of all settings that were tried, gives the numbers."""
        return len(self.classes) == 1

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures asked for, each once."""
        return tuple(dict.fromkeys(one.measure for one in self.printed))

    @property
    def text(self) -> str:
        """The answer in one line."""
        if not self.classes:
            return (
                f"{self._sought}: no setting within reach of a convention gives this ({self.tried} tried){self._share}"
            )
        first = self.classes[0]
        more = f" and {len(first) - NAMED} more" if len(first) > NAMED else ""
        names = "; ".join(match.text for match in first[:NAMED]) + more
        if self.identified:
            return f"{self._sought}: identified, alone of {self.tried} settings tried: {names}"
        return f"{self._sought}: ambiguous, {len(self.classes)} classes of {self.tried} settings tried; nearest {names}"

    @property
    def _share(self) -> str:
        """A hint where a number may be a percentage."""
        large = [one for one in self.printed if 1.5 < float(one.text) <= 100]
        return f"; if {large[0].text} is in percent, give {float(large[0].text) / 100:g}" if large else ""

    @property
    def _sought(self) -> str:
        means = [f"{one.measure}={one.text}" for one in self.printed if not one.query]
        of_queries = len(self.printed) - len(means)
        return " ".join([*means, *([f"{of_queries} values of queries"] if of_queries else [])])

    @property
    def table(self) -> Table:
        """One row a class: the nearest setting, how many departures it has, how many settings are in it."""
        rows: dict[str, Any] = {
            "setting": [group[0].text for group in self.classes],
            "departures": np.array([group[0].distance for group in self.classes], np.int64),
            "alike": np.array([len(group) for group in self.classes], np.int64),
        }
        for place, measure in enumerate(self.measures):
            rows[measure] = np.array([group[0].values[place] for group in self.classes], np.float64)
        prints = [self.fingerprints(group[0]) for group in self.classes]
        stated = {name: [by[name] for by in prints] for name in self.measures}
        return Table(rows, "classes", fingerprint_columns(stated))

    def fingerprints(self, match: Match) -> dict[str, str]:
        """Return the fingerprint of each measure asked for, as a setting means it."""
        return {name: match.measure(name, self.fixed).fingerprint for name in self.measures}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "printed": {one.name: one.text for one in self.printed},
            "identified": self.identified,
            "classes": [
                {
                    "settings": [match.text for match in group],
                    "departures": group[0].distance,
                    "values": dict(zip(self.measures, group[0].values, strict=True)),
                    "fingerprints": self.fingerprints(group[0]),
                }
                for group in self.classes
            ],
            "tried": self.tried,
            "between": self.between,
        }

    def __repr__(self) -> str:
        parts = [self.text]
        parts += [repr(self.table)] if len(self.classes) > 1 else []
        return "\n\n".join([*parts, *([self.between] if self.between else []), *self.id_columns])
