"""Settings: names such as ``query boost=1 fuzziness=0`` go in, the points of a grid come out."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

TEMPLATE = "template"
"""What the name before the settings is called where several have the same settings."""

Value = int | float | str

_PAIR = re.compile(r" (?=[^\s=]+=)")
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

    def steps(self, name: str) -> list[Value]:
        """Return the values that a setting takes: numbers in their order, words as they come."""
        values = dict.fromkeys(self.values[name])
        return sorted(values) if self.numeric(name) else list(values)

    def numeric(self, name: str) -> bool:
        """Whether all values of a setting are numbers."""
        return not any(isinstance(value, str) for value in self.values[name])

    @property
    def order(self) -> list[int]:
        """The points in the order of their settings, the first setting first."""
        steps = {name: self.steps(name) for name in self.values}
        keys = [[steps[name].index(each[i]) for name, each in self.values.items()] for i in range(len(self.places))]
        return sorted(range(len(self.places)), key=keys.__getitem__)


def settings_of(names: Sequence[str]) -> Settings | None:
    """Read the names of systems; None where no two of them are points of a grid.

    Points have a name, then settings ``NAME=VALUE`` after blanks. Where several names have the same settings, the name
    is a setting, too. Of systems with different settings, those that most systems have are the grid.

    Examples
    --------
    >>> settings_of(["old", "q boost=1 mode=or", "q boost=2 mode=or"])
    Settings(places=(1, 2), values={'boost': (1, 2), 'mode': ('or', 'or')})
    >>> settings_of(["a boost=1", "a boost=2", "b boost=1", "b boost=2"]).values
    {'template': ('a', 'a', 'b', 'b'), 'boost': (1, 2, 1, 2)}
    >>> settings_of(["bm25", "hybrid"])
    """
    points = {place: point for place, name in enumerate(names) if (point := _point(name))}
    often = Counter((point.template, point.keys) for point in points.values())
    points = {place: point for place, point in points.items() if often[point.template, point.keys] > 1}
    if not points:
        return None
    (keys, _), *_ = Counter(point.keys for point in points.values()).most_common(1)
    points = {place: point for place, point in points.items() if point.keys == keys}
    values = {key: _numbers([point.values[i] for point in points.values()]) for i, key in enumerate(keys)}
    templates = tuple(point.template for point in points.values())
    return Settings(tuple(points), {TEMPLATE: templates, **values} if len(set(templates)) > 1 else values)


def _point(name: str) -> _Point | None:
    template, *pairs = _PAIR.split(name)
    split = [pair.partition("=") for pair in pairs]
    keys = tuple(key for key, _, _ in split)
    if not pairs or "=" in template or len(set(keys)) < len(keys) or TEMPLATE in keys:
        return None
    return _Point(template, keys, tuple(value for _, _, value in split))


def _numbers(texts: list[str]) -> tuple[Value, ...]:
    """Return numbers where all texts are, and different texts are different numbers; else the texts."""
    if not all(_NUMBER.fullmatch(text) and math.isfinite(float(text)) for text in texts):
        return tuple(texts)
    numbers = tuple(map(_number, texts))
    return numbers if len(set(numbers)) == len(set(texts)) else tuple(texts)


def _number(text: str) -> Value:
    return int(text) if text.lstrip("+-").isdigit() else float(text)
