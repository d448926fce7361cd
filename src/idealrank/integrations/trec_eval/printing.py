"""The printed lines: name, topic and value separated by tabs, by topic and for all."""

import math
from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Floats
from idealrank.evaluation.means import LOWEST_IN_LOG
from idealrank.integrations.trec_eval.arguments import Arguments
from idealrank.integrations.trec_eval.columns import Column
from idealrank.integrations.trec_eval.topics import Values

BLOCK = 1 << 12
"""Number of topics whose lines are built at a time."""


def topic_lines(values: Values, columns: list[Column], zscores: bool) -> Iterator[bytes]:
    """Yield the lines of each topic, many topics at a time."""
    shown = [place for place, column in enumerate(columns) if column.entry.shown != "all"]
    template = b"".join(_template(columns[place], zscores) for place in shown)
    strings = next((at for at, place in enumerate(shown) if columns[place].measure == "relstring"), None)
    nan = np.flatnonzero(np.isnan([values.columns[place] for place in shown]).any(axis=0)) if shown else ()
    for first in range(0, len(values.topics) if shown else 0, BLOCK):
        rows = np.array([values.columns[place][first : first + BLOCK] for place in shown]).T.tolist()
        if strings is not None:
            for row, text in zip(rows, values.strings[first : first + BLOCK], strict=True):
                row[strings] = text
        topics = values.topics[first : first + BLOCK]
        lines = [
            template.replace(b"\0", topic.replace(b"%", b"%%")) % tuple(row)
            for topic, row in zip(topics, rows, strict=True)
        ]
        for place in nan:
            if first <= place < first + BLOCK:
                lines[place - first] = _as_c(lines[place - first])
        yield b"".join(lines)


def summary_lines(values: Values, columns: list[Column], arguments: Arguments, runid: bytes) -> bytes:
    """Return the lines for all topics."""
    lines = []
    for column, each in zip(columns, values.columns, strict=True):
        if column.entry.shown == "topic":
            continue
        line = _template(column, arguments.zscores is not None).replace(b"\0", b"all")
        lines.append(_as_c(line % (runid if column.measure == "runid" else _total(column, each, values, arguments))))
    return b"".join(lines)


def _template(column: Column, zscores: bool) -> bytes:
    """Return the line of a column, with a null byte as the topic."""
    name = column.name.encode("utf-8", "surrogateescape").ljust(22).replace(b"%", b"%%")
    if column.measure == "runid":
        return name + b"\t\0\t%b\n"
    if column.measure == "relstring":
        return name + b"\t\0\t'%b'\n"
    if zscores:
        return b"Z" + name + b"\t\0\t%6.4f\n"
    return name + (b"\t\0\t%d\n" if column.entry.whole else b"\t\0\t%6.4f\n")


def _as_c(lines: bytes) -> bytes:
    """Write NaN as C does if it comes from 0/0."""
    return lines.replace(b"\t   nan\n", b"\t  -nan\n")


def _total(column: Column, column_values: Floats, values: Values, arguments: Arguments) -> float:
    """Add the values in the order of the topics, and divide as -c says."""
    complete = "c" in arguments.flags
    many = values.judged if complete else len(values.topics)
    if column.measure == "num_q":
        return many
    if column.measure == "num_rel" and complete:
        return values.positive
    total = float(np.cumsum(column_values)[-1])
    if column.entry.whole:
        return total
    if column.entry.shown == "all":
        return math.exp((total + (many - len(values.topics)) * math.log(LOWEST_IN_LOG)) / many)
    return total / many
