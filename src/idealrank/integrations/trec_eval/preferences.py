"""The preferences of a topic in trec_eval's order, with its stops and its faults."""

import itertools
from collections.abc import Iterable

import numpy as np

from idealrank.arrays import Ints
from idealrank.integrations.trec_eval.groups import Row
from idealrank.integrations.trec_eval.stop import ABORTED, CALCULATION, Stop
from idealrank.measures.preferences.groups import ContradictionError, Group, Levels, levels, partial

NO_LEVEL = -3.0
"""trec_eval's mark for no level yet: if the highest level is this, its lowest one is skipped."""


def groups_of(rows: Iterable[Row], place: dict[str, int], returned: int) -> list[Group]:
    """Return the groups of a topic in the order of their names.

    Parameters
    ----------
    rows
        Its judgments.
    place
        Place of each document.
    returned
        Number of returned documents.

    Raises
    ------
    Stop
        If the preferences of a group contradict each other.
    """
    ordered = sorted(rows, key=lambda row: (row.group, row.subgroup, -row.level, place[row.doc]))
    by_group = [list(members) for _, members in itertools.groupby(ordered, lambda row: row.group)]
    flat = [len({row.subgroup for row in members}) == 1 for members in by_group]
    kept = np.array(
        [place[r.doc] for members, one in zip(by_group, flat, strict=True) if one for r in members], np.int64
    )
    groups: list[Group] = []
    behind = 0
    for members, one in zip(by_group, flat, strict=True):
        try:
            groups.append(_flat(members, place, returned, kept[behind:]) if one else _nested(members, place, returned))
        except ContradictionError as reason:
            raise _stop(members, place, reason) from None
        behind += len(members) if one else 0
    return groups


def _flat(members: list[Row], place: dict[str, int], returned: int, kept: Ints) -> Levels:
    """Make a group of what trec_eval keeps from its first judgment on; after its last it reads on."""
    level = np.array([row.level for row in members])
    if level[0] == NO_LEVEL:
        level = level[level != level[-1]]
    return levels(kept[: len(level)], level, len(place), returned, kept[len(level) :])


def _nested(members: list[Row], place: dict[str, int], returned: int) -> Group:
    level = np.array([row.level for row in members])
    names = {name: number for number, name in enumerate(dict.fromkeys(row.subgroup for row in members))}
    places, subgroup = (
        np.array(numbers, np.int64)
        for numbers in zip(*((place[row.doc], names[row.subgroup]) for row in members), strict=True)
    )
    return partial(places, level, subgroup, len(place), returned)


def _stop(members: list[Row], place: dict[str, int], reason: ContradictionError) -> Stop:
    """Describe the contradiction; trec_eval aborts if preferences form a circle."""
    where = f"topic {members[0].topic}, group {members[0].group}"
    if reason.place < 0:
        return Stop(ABORTED, f"{where}: {reason.what} by its subgroups. Take one out.")
    doc = next(row.doc for row in members if place[row.doc] == reason.place)
    return Stop(CALCULATION, f"{where}: document {doc} {reason.what}. Give it one.")
