"""Z-scores: values in standard deviations from a mean, both from a file (-Z)."""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats
from idealrank.integrations.trec_eval.columns import Column
from idealrank.integrations.trec_eval.numbers import decimal
from idealrank.integrations.trec_eval.stop import ZSCORES, Stop
from idealrank.integrations.trec_eval.topics import Values

MISSING = -1000000.0
"""The text printed for a topic and a measure missing from the file."""


class Entry(NamedTuple):
    """A line of the file."""

    topic: bytes
    name: bytes
    mean: float
    deviation: float


def read_zscores(path: str) -> list[Entry]:
    """Read lines of topic, printed name, mean and standard deviation, and sort them by the first two.

    Raises
    ------
    Stop
        If the file cannot be read; trec_eval then exits with code 255.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        raise Stop(ZSCORES, f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if not data:
        raise Stop(ZSCORES, f"{path}: empty. Give lines of topic, measure, mean, standard deviation.")
    entries: list[Entry] = []
    for place, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        fields = line.split()
        if len(fields) != 4:
            problem = f"{path}, line {place}: {len(fields)} fields, not 4: topic, measure, mean, standard deviation."
            raise Stop(ZSCORES, problem)
        mean, deviation = (decimal(field.decode("latin-1")) for field in fields[2:])
        entries.append(Entry(fields[0], fields[1], mean, deviation))
    return sorted(entries, key=lambda entry: entry[:2])


def as_zscores(values: Values, columns: list[Column], table: list[Entry]) -> Values:
    """Return the values as z-scores."""
    return values._replace(
        columns=[
            _converted(each, column, values.topics, table) for column, each in zip(columns, values.columns, strict=True)
        ]
    )


def _converted(scores: Floats, column: Column, topics: list[bytes], table: list[Entry]) -> Floats:
    name = column.name.encode("utf-8", "surrogateescape")
    references = [_looked_up(table, topic, name) for topic in topics]
    mean, deviation = np.array(references).reshape(-1, 2).T
    same = np.where(scores == mean, 0.0, MISSING)
    scaled = np.where(deviation == 0, same, (scores - mean) / np.where(deviation == 0, 1.0, deviation))
    return np.where(np.isnan(mean), MISSING, scaled)


def _looked_up(table: list[Entry], topic: bytes, name: bytes) -> tuple[float, float]:
    """Halve the lines of a topic as trec_eval does, including the line after them, which is the next topic's."""
    first, behind = (end(table, topic, key=lambda entry: entry.topic) for end in (bisect_left, bisect_right))
    low, high = 0, behind - first
    while first < behind and low <= high:
        middle = (low + high) // 2
        entry = table[first + middle] if first + middle < len(table) else None
        if entry is None or name < entry.name:
            high = middle - 1
        elif name > entry.name:
            low = middle + 1
        else:
            return entry.mean, entry.deviation
    return np.nan, np.nan
