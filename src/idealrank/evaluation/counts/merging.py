"""Counts of parts of an evaluation, put together: each field of a dataclass says how, as Annotated[type, rule]."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")


def _added(counts: Sequence[Mapping[Any, Any]]) -> dict[Any, Any]:
    """Add counts by key; those that are pairs, part by part."""
    total: dict[Any, Any] = {}
    for key, count in itertools.chain.from_iterable(one.items() for one in counts):
        before = total.get(key)
        if before is None:
            total[key] = count
        else:
            total[key] = (
                tuple(map(sum, zip(before, count, strict=True))) if isinstance(count, tuple) else before + count
            )
    return total


def _united(dicts: Sequence[Mapping[Any, Any]]) -> dict[Any, Any]:
    """Put dicts together; the first value of a key counts."""
    whole: dict[Any, Any] = {}
    for one in dicts:
        for key, value in one.items():
            whole.setdefault(key, value)
    return whole


RULES: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": sum,
    "least": min,
    "most": max,
    "any": any,
    "first": lambda values: next((value for value in values if value), values[0]),
    "fullest": lambda values: max(values, key=len),
    "joined": lambda values: tuple(itertools.chain.from_iterable(values)),
    "added": _added,
    "united": _united,
}
"""How the values of a field are put together: ``first`` is the first that says anything, ``fullest`` the longest."""


def merged(parts: Sequence[T]) -> T:
    """Put the counts of several parts together, in the order of the parts."""
    kind: Any = type(parts[0])
    whole: T = kind(**{name: RULES[rule]([getattr(part, name) for part in parts]) for name, rule in _rules(kind)})
    return whole


@functools.cache
def _rules(kind: Any) -> list[tuple[str, str]]:
    """Return the rule of each field, which its annotation names."""
    return [(name, hint.__metadata__[0]) for name, hint in get_type_hints(kind, include_extras=True).items()]


def _counts(values: Sequence[Any]) -> Any:
    """Merge counts that some parts may lack."""
    there = [value for value in values if value is not None]
    return merged(there) if there else None


def _chained(dicts: Sequence[Mapping[Any, tuple[Any, ...]]]) -> dict[Any, tuple[Any, ...]]:
    """Put tuples together by key."""
    whole: dict[Any, tuple[Any, ...]] = {}
    for key, values in itertools.chain.from_iterable(one.items() for one in dicts):
        whole[key] = whole.get(key, ()) + values
    return whole


def _nested(dicts: Sequence[Mapping[Any, Mapping[Any, Any]]]) -> dict[Any, Any]:
    """Put dicts of dicts together."""
    return {key: _united([one[key] for one in dicts]) for key in dicts[0]}


def _said(dicts: Sequence[Mapping[Any, str]]) -> dict[Any, str]:
    """Return by key the first text that says anything."""
    return {key: next((one[key] for one in dicts if one[key]), "") for key in dicts[0]}


RULES |= {"merged": _counts, "chained": _chained, "nested": _nested, "said": _said}
