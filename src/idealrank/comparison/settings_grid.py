"""Systems that are settings of one system: the grid of these settings, their means, and which is the best."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.comparison.contrasts import Contrast, Methods
from idealrank.comparison.pairing import Key, Pair, Pairing, unpaired_error
from idealrank.comparison.types import GRID_ROW
from idealrank.display.table import Table
from idealrank.evaluation.values import value_bounds
from idealrank.statistics.all_pairs import randomised_tukey
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import make_sample

BEST, MAY_BE, WORSE = "best", "may be best", ""
"""The standing of a point: the best mean, one that cannot be told from it, or one that can."""

Contrasts = Mapping[Key, Contrast]


def grid_table(pairing: Pairing, by_key: Contrasts, methods: Methods) -> Table | None:
    """Return one row per point, in the order of the settings; None where no systems are points of a grid."""
    settings = parse_settings(pairing.scores.systems)
    if settings is None:
        return None
    places = [settings.places[i] for i in settings.order]
    best = best_system(pairing, places)
    beside = standing_columns(pairing, by_key, places, methods) | {
        "standing": _mark_best(pairing, places, best, methods)
    }
    columns: dict[str, Any] = {"system": [pairing.scores.systems[s] for s in places]}
    for name, values in settings.values.items():
        column = f"{name} (setting)" if name in beside or name == "system" else name
        columns[column] = [values[i] for i in settings.order]
    columns |= beside
    return Table(columns, "grid", {"fingerprint": ", ".join(pairing.scores.fingerprints.values())}, GRID_ROW)


def _mark_best(pairing: Pairing, places: Sequence[int], best: int, methods: Methods) -> list[str]:
    """Say which points the randomised Tukey test of all pairs of points does not tell from the best."""
    values = pairing.scores.values[list(places), 0][:, pairing.by_id]
    whole = ~np.isnan(values).any(axis=0)
    weights = pairing.weights_of(pairing.by_id[whole])
    if not whole.any() or (weights is not None and not weights.any()):
        return [BEST if s == best else MAY_BE for s in places]
    test = randomised_tukey(values[:, whole], weights, draws=methods.draws, seed=methods.seed, level=methods.level)
    gaps = np.abs(test.difference[list(places).index(best)])
    return [
        BEST if s == best else MAY_BE if gap <= test.half_width else WORSE for s, gap in zip(places, gaps, strict=True)
    ]


def setting_columns(table: Table) -> list[str]:
    """Return the columns of a grid that are settings."""
    names = parse_settings(table["system"])
    return table.columns[1 : 1 + len(names.values)] if names else []


def best_system(pairing: Pairing, places: Sequence[int]) -> int:
    """Return the system with the best mean of the deciding measure: the baseline where it is as good, else the first.

    Against a baseline, means are those over the queries that both have a value for. Where only the other system's
    search failed, it counts with the worst value there is, so that failures help nobody to be chosen.
    """
    sign = -1.0 if pairing.scores.measures[0].definition.properties.direction == "lower" else 1.0
    heights = {s: sign * (_at_worst(pairing, s) if pairing.baseline else _weighted_mean(pairing, s, 0)) for s in places}
    highest = max(heights.values())
    best = [s for s in places if heights[s] >= highest - EQUAL]
    return next((s for s in best if pairing.scores.systems[s] == pairing.baseline), best[0])


def _at_worst(pairing: Pairing, s: int) -> float:
    """Return the difference of a system from the baseline, with the worst value where its search failed alone."""
    base = pairing.scores.systems.index(pairing.baseline)
    lower = pairing.scores.measures[0].definition.properties.direction == "lower"
    worst = value_bounds(pairing.scores, 0)[lower]
    before, after = pairing.scores.values[base, 0], pairing.scores.values[s, 0]
    failed = pairing.chosen & pairing.scores.unanswered[s, 0] & ~np.isnan(before)
    if not failed.any() or not np.isfinite(worst):
        return difference_from_baseline(pairing, s)
    changes = np.where(failed, worst, after) - before
    keep = np.flatnonzero(~np.isnan(changes) & (True if pairing.weights is None else pairing.weights > 0))
    return make_sample(changes[keep], pairing.weights_of(keep)).mean


def difference_from_baseline(pairing: Pairing, s: int) -> float:
    """Return the difference of a system from the baseline under the deciding measure.

    Raises
    ------
    DataError
        If no query pairs.
    """
    pair = Pair(pairing.scores.systems.index(pairing.baseline), s)
    _, differences, weights = pairing.paired_differences(Key(pair, 0))
    if not len(differences):
        raise unpaired_error(pairing.baseline, pairing.scores.systems[s], pairing.scores.labels[0])
    return make_sample(differences, weights).mean


def _weighted_mean(pairing: Pairing, s: int, m: int) -> float:
    values, weights = _counted_values(pairing, s, m)
    return make_sample(values, weights).mean


def _counted_values(pairing: Pairing, s: int, m: int) -> Any:
    """Return the values of a system's queries, and their weights."""
    values = pairing.scores.values[s, m]
    keep = np.flatnonzero(~np.isnan(values) & (True if pairing.weights is None else pairing.weights > 0))
    return values[keep], pairing.weights_of(keep)


def standing_columns(pairing: Pairing, by_key: Contrasts, places: Sequence[int], methods: Methods) -> dict[str, Any]:
    """Return columns, one row per system: the mean of each measure, and of the deciding one all that sets them apart.

    `low` and `high` are the interval of the mean of the deciding measure; `difference`, `corrected low`, `corrected
    high` and `corrected p` are of its difference from the baseline.
    """
    labels = pairing.scores.labels
    columns: dict[str, Any] = {
        label: np.array([_weighted_mean(pairing, s, m) for s in places]) for m, label in enumerate(labels)
    }
    spans = [_mean_interval(pairing, s, methods) for s in places]
    columns |= {"low": np.array([each.low for each in spans]), "high": np.array([each.high for each in spans])}
    if not pairing.baseline:
        return columns
    by_system = {pair.system: contrast for (pair, m), contrast in by_key.items() if m == 0}
    rows = [_difference_cells(by_system.get(s)) for s in places]
    return columns | {name: np.array([row[name] for row in rows]) for name in rows[0]}


def _mean_interval(pairing: Pairing, s: int, methods: Methods) -> Interval:
    values, weights = _counted_values(pairing, s, 0)
    return methods.interval_of(values, weights, bounds=value_bounds(pairing.scores, 0))


def _difference_cells(of: Contrast | None) -> dict[str, float]:
    """Return the difference of a system from the baseline; NaN for the baseline itself."""
    names = ("difference", "corrected low", "corrected high", "corrected p")
    numbers = (np.nan,) * 4 if of is None else (of.difference, of.corrected.low, of.corrected.high, of.p)
    return dict(zip(names, numbers, strict=True))


TEMPLATE = "template"
"""What the name before the settings is called where several have the same settings."""

Value = int | float | str

_BLANK_BEFORE_SETTING = re.compile(r" (?=[^\s=]+=)")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.I)


class _Point(NamedTuple):
    """A system by its name: what stands before the settings, and their names and values."""

    template: str
    keys: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """The points of a grid.

    Attributes
    ----------
    places
        The systems that are points, by their places.
    values
        The value of each of them, by the name of the setting: numbers where all are.
    """

    places: tuple[int, ...]
    values: dict[str, tuple[Value, ...]]

    def values_of(self, name: str) -> list[Value]:
        """Return the values that a setting takes: numbers in their order, words as they come."""
        values = dict.fromkeys(self.values[name])
        return sorted(values) if self.numeric(name) else list(values)

    def numeric(self, name: str) -> bool:
        """Whether all values of a setting are numbers."""
        return not any(isinstance(value, str) for value in self.values[name])

    @property
    def order(self) -> list[int]:
        """The points in the order of their settings, the first setting first."""
        scales = {name: self.values_of(name) for name in self.values}
        keys = [[scales[name].index(each[i]) for name, each in self.values.items()] for i in range(len(self.places))]
        return sorted(range(len(self.places)), key=keys.__getitem__)


def parse_settings(names: Sequence[str]) -> Settings | None:
    """Read the names of systems; None where no two of them are points of a grid.

    Points have a name, then settings ``NAME=VALUE`` after blanks. Where several names have the same settings, the name
    is a setting, too. Of systems with different settings, those that most systems have are the grid.

    Examples
    --------
    >>> parse_settings(["old", "q boost=1 mode=or", "q boost=2 mode=or"])
    Settings(places=(1, 2), values={'boost': (1, 2), 'mode': ('or', 'or')})
    >>> parse_settings(["a boost=1", "a boost=2", "b boost=1", "b boost=2"]).values
    {'template': ('a', 'a', 'b', 'b'), 'boost': (1, 2, 1, 2)}
    >>> parse_settings(["bm25", "hybrid"])
    """
    points = {place: point for place, name in enumerate(names) if (point := _parse_point(name))}
    often = Counter((point.template, point.keys) for point in points.values())
    points = {place: point for place, point in points.items() if often[point.template, point.keys] > 1}
    if not points:
        return None
    (keys, _), *_ = Counter(point.keys for point in points.values()).most_common(1)
    points = {place: point for place, point in points.items() if point.keys == keys}
    values = {key: _parse_numbers([point.values[i] for point in points.values()]) for i, key in enumerate(keys)}
    templates = tuple(point.template for point in points.values())
    return Settings(tuple(points), {TEMPLATE: templates, **values} if len(set(templates)) > 1 else values)


def _parse_point(name: str) -> _Point | None:
    template, *pairs = _BLANK_BEFORE_SETTING.split(name)
    split = [pair.partition("=") for pair in pairs]
    keys = tuple(key for key, _, _ in split)
    if not pairs or "=" in template or len(set(keys)) < len(keys) or TEMPLATE in keys:
        return None
    return _Point(template, keys, tuple(value for _, _, value in split))


def _parse_numbers(texts: list[str]) -> tuple[Value, ...]:
    """Return numbers where all texts are, and different texts are different numbers; else the texts."""
    if not all(_NUMBER.fullmatch(text) and math.isfinite(float(text)) for text in texts):
        return tuple(texts)
    numbers = tuple(map(_parse_number, texts))
    return numbers if len(set(numbers)) == len(set(texts)) else tuple(texts)


def _parse_number(text: str) -> Value:
    return int(text) if text.lstrip("+-").isdigit() else float(text)
