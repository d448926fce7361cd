"""Z-scores: values in standard deviations from a mean, both from a file (-Z)."""

from __future__ import annotations

import numpy as np

from idealrank.lists import Floats
from idealrank.trec_eval.columns import Column
from idealrank.trec_eval.numbers import decimal
from idealrank.trec_eval.stop import ZSCORES, Stop
from idealrank.trec_eval.topics import Values

MISSING = -1000000.0
"""What is printed of a topic and a measure the file says nothing of."""

Table = dict[tuple[bytes, bytes], tuple[float, float]]


def read_zscores(path: str) -> Table:
    """Read lines of topic, printed name, mean and standard deviation.

    Raises
    ------
    Stop
        If the file cannot be read; trec_eval then ends with exit code 255.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        raise Stop(ZSCORES, f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if not data:
        raise Stop(ZSCORES, f"{path}: empty. Give lines of topic, measure, mean, standard deviation.")
    found: Table = {}
    for place, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        fields = line.split()
        if len(fields) != 4:
            said = f"{path}, line {place}: {len(fields)} fields, not 4: topic, measure, mean, standard deviation."
            raise Stop(ZSCORES, said)
        mean, deviation = (decimal(field.decode("latin-1")) for field in fields[2:])
        found.setdefault((fields[0], fields[1]), (mean, deviation))
    return found


def as_zscores(values: Values, columns: list[Column], table: Table) -> Values:
    """Return the values as z-scores."""
    return values._replace(
        columns=[
            _converted(found, column, values.topics, table)
            for column, found in zip(columns, values.columns, strict=True)
        ]
    )


def _converted(found: Floats, column: Column, topics: list[bytes], table: Table) -> Floats:
    name = column.name.encode("utf-8", "surrogateescape")
    known = [table.get((topic, name)) for topic in topics]
    mean, deviation = np.array([entry or (np.nan, np.nan) for entry in known]).reshape(-1, 2).T
    same = np.where(found == mean, 0.0, MISSING)
    scaled = np.where(deviation == 0, same, (found - mean) / np.where(deviation == 0, 1.0, deviation))
    return np.where(np.isnan(mean), MISSING, scaled)
