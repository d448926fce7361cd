"""Judgments in groups: preferences (-R prefs, qrels_prefs), and grades by user (-R qrels_jg)."""

from typing import NamedTuple

import numpy as np

from idealrank.integrations.trec_eval.lines import fields_of
from idealrank.integrations.trec_eval.numbers import decimal, whole
from idealrank.integrations.trec_eval.stop import INPUT, Stop


class Row(NamedTuple):
    """A judgment: its group and subgroup, a document, its level or grade."""

    topic: str
    group: str
    subgroup: str
    doc: str
    level: float


def read_groups(data: bytes, form: str, name: str, compat: str) -> list[Row]:
    """Read judgments in groups; each byte is a character, so any bytes make an id.

    Raises
    ------
    Stop
        If a line is malformed, or a document appears twice in a group of ``qrels_jg``.
    """
    lines = [[field.decode("latin-1") for field in fields] for fields in fields_of(data, form, name, compat)]
    levels = _levels([fields[-1] for fields in lines], form, compat)
    rows = [
        Row(topic, group, rest[0] if form == "prefs" else "", rest[-2], level)
        for (topic, group, *rest), level in zip(lines, levels, strict=True)
    ]
    if form == "qrels_jg":
        _refuse_twice(rows, name)
    return rows


def _levels(texts: list[str], form: str, compat: str) -> list[float]:
    if form == "qrels_jg":
        return [float(whole(text)) for text in texts]
    levels = [decimal(text) for text in texts]
    with np.errstate(over="ignore"):
        return list(np.array(levels, np.float32).tolist()) if compat == "9.0.8" else levels


def _refuse_twice(rows: list[Row], name: str) -> None:
    seen = set()
    for row in rows:
        key = (row.topic, row.group, row.doc)
        if key in seen:
            problem = (
                f"{name}: document {row.doc} appears twice in group {row.group} of topic {row.topic}. Give it once."
            )
            raise Stop(INPUT, problem)
        seen.add(key)
