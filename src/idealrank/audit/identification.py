"""What identify found: settings, in classes that are equal on every query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from idealrank.audit.nearby_settings import match_text
from idealrank.audit.printed_numbers import Printed
from idealrank.conventions import parse_convention
from idealrank.display.numbers import number
from idealrank.display.table import Table, fingerprint_columns
from idealrank.evaluation.measure_names import measures_under
from idealrank.measures import Measure

NAMED = 3
"""Number of a class's settings to name in one line."""


class Match(NamedTuple):
    """A setting that gives every printed number.

    Attributes
    ----------
    convention, departures
        The named convention, and the decisions that differ from it.
    values
        The mean of each requested measure under it.
    shift
        -1 or 1 if the cutoff is off by one, as in a loop that ends too early or too late.
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
        """The number of departures from a named convention."""
        return len(self.departures) + abs(self.shift)

    def measure(self, name: str, fixed: Mapping[str, Any]) -> Measure:
        """Return a measure as the setting defines it, under the answers given for all settings."""
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
        Settings that are equal on every query, grouped; the ones nearest to a named convention come first.
    tried
        Number of different settings computed.
    between
        A query, and its values under the first two classes, that would tell them apart; "" if there is one class.
    fixed
        Answers that apply to every setting.
    id_columns
        The columns taken as query ids, if none has such a name.
    """

    printed: tuple[Printed, ...]
    classes: tuple[tuple[Match, ...], ...]
    tried: int
    between: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    id_columns: tuple[str, ...] = ()

    @property
    def identified(self) -> bool:
        """Whether exactly one class of the settings tried gives the numbers."""
        return len(self.classes) == 1

    @property
    def measures(self) -> tuple[str, ...]:
        """The requested measures, without repeats."""
        return tuple(dict.fromkeys(one.measure for one in self.printed))

    @property
    def text(self) -> str:
        """The answer in one line."""
        if not self.classes:
            return f"{self._sought}: no setting near a convention gives this ({self.tried} tried){self._share}"
        first = self.classes[0]
        more = f" and {len(first) - NAMED} more" if len(first) > NAMED else ""
        names = "; ".join(match.text for match in first[:NAMED]) + more
        if self.identified:
            alike = " (equal on every query)" if len(first) > 1 else ""
            return f"{self._sought}: identified as {names}{alike}; no other of {self.tried} settings tried gives this"
        matches = f"{len(self.classes)} classes match of {self.tried} settings tried"
        return f"{self._sought}: ambiguous, {matches}; nearest: {names}"

    @property
    def _share(self) -> str:
        """A hint if a number may be a percentage."""
        large = [one for one in self.printed if 1.5 < float(one.text) <= 100]
        return f"; if {large[0].text} is in percent, give {float(large[0].text) / 100:g}" if large else ""

    @property
    def _sought(self) -> str:
        means = [f"{one.measure}={one.text}" for one in self.printed if not one.query]
        of_queries = len(self.printed) - len(means)
        return " ".join([*means, *([f"{of_queries} values of queries"] if of_queries else [])])

    @property
    def table(self) -> Table:
        """One row per class: the nearest setting, its number of departures, the number of settings in the class."""
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
        """Return the fingerprint of each requested measure, as a setting defines it."""
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
                    "values": dict(zip(self.measures, map(number, group[0].values), strict=True)),
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
