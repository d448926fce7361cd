"""Variants: the lists of an evaluation under other settings than were asked for, computed together.

A setting is a `Measure`: it has an answer to every decision, a cutoff and its parameters. Joined and ordered lists,
gains and ideals are kept with the lists, where every setting finds them; what else settings share is shared here. Those
that differ only in what fills and averages values share the values before, and one that differs so from a measure of
the scores takes these; another order of tied results is computed only for queries that have some.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.decisions.decisions import DEFAULT, questions
from idealrank.errors import DataError, UsageError
from idealrank.evaluation.buckets import BucketValues, map_bucket_values, query_order
from idealrank.evaluation.scoring import MeasureTask, Outcome, QueryState, States, apply_fills, compute, fills_empty
from idealrank.evaluation.values import Values
from idealrank.judged_lists.join import Join, SystemLists
from idealrank.measures.definition import Definition, Measure

Asked = tuple[int, Measure]
"""The place of a system among those of the scores, and a setting."""


class Variant(NamedTuple):
    """(Q,) values and states of a system under a setting; NaN where a query is left out."""

    values: Floats
    states: States


Found = Variant | DataError | UsageError
"""What a setting makes of a system, or why it makes nothing."""


def values_of(found: Found) -> Floats:
    """Return the values of a setting.

    Raises
    ------
    DataError, UsageError
        Why there are none.
    """
    if not isinstance(found, Variant):
        raise found
    return found.values


Refuse = Callable[[SystemLists, Measure], None]
"""Raises an error where a setting must not be computed on some lists."""


def variants(scores: Values, asked: Sequence[Asked], refuse: Refuse | None = None) -> list[Found]:
    """Return what each setting makes of a system, over the queries of the scores, or why there are no values.

    Parameters
    ----------
    asked
        Settings of one system that follow each other share what they can.
    refuse
        Refuses a setting on some lists; it is pickled where the lists are elsewhere.
    """
    if not asked:
        return []
    found = map_bucket_values(scores, partial(bucket_variants, asked=asked, refuse=refuse))
    order = query_order(scores, [queries for queries, _ in found])
    return [_join_buckets(each, order) for each in zip(*(made for _, made in found), strict=True)]


def means_under(scores: Values, settings: Sequence[Measure]) -> Floats:
    """(S, N) mean of each of some settings, which need not be among those of the scores, for each system.

    Raises
    ------
    DataError, UsageError
        Why one of them has no values.
    """
    asked = [(s, setting) for s in range(len(scores.systems)) for setting in settings]
    means = [scores.average(*one, values_of(found)) for one, found in zip(asked, variants(scores, asked), strict=True)]
    return np.array(means).reshape(len(scores.systems), -1)


def _join_buckets(found: Sequence[Found], order: Ints) -> Found:
    parts: list[Variant] = []
    for one in found:
        if not isinstance(one, Variant):
            return one
        parts.append(one)
    return Variant(*(np.concatenate(each)[order] for each in zip(*parts, strict=True)))


def bucket_variants(scores: BucketValues, asked: Sequence[Asked], refuse: Refuse | None = None) -> list[Found]:
    """Return what each setting makes of a system in a bucket: see `variants`."""
    found: list[Found] = []
    for s, of_system in itertools.groupby(asked, key=lambda one: one[0]):
        known = zip(scores.measures, map(Variant, scores.values[s], scores.states[s]), strict=True)
        found += list_variants(scores.joins[s], [setting for _, setting in of_system], dict(known), refuse)
    return found


def list_variants(
    join: Join,
    settings: Sequence[Measure],
    known: Mapping[Measure, Variant] | None = None,
    refuse: Refuse | None = None,
) -> list[Found]:
    """Return what each setting makes of one system's lists.

    Parameters
    ----------
    known
        What some settings made of them; a query that all of these leave out is left out.
    """
    known = known or {}
    before = {
        measure: np.where(found.states == QueryState.FILLED_NO_RELEVANT, np.nan, found.values)
        for measure, found in known.items()
    }
    left_out = [found.states == QueryState.LEFT_OUT for found in known.values()]
    nowhere = np.logical_and.reduce(left_out) if left_out else None
    unfilled = list_unfilled(join, settings, before)
    return [fill(*pair, nowhere, refuse) for pair in zip(unfilled, settings, strict=True)]


class Unfilled(NamedTuple):
    """(Q,) values before queries without a value are filled; what those without results have is not read."""

    joined: SystemLists
    values: Floats


def list_unfilled(
    join: Join, settings: Sequence[Measure], known: Mapping[Measure, Floats]
) -> list[Unfilled | DataError | UsageError]:
    """Return the values of one system's lists under each setting, before any is filled.

    Parameters
    ----------
    known
        The values under some settings, before any was filled.
    """
    before: dict[Any, Floats] = {_key(measure): values for measure, values in known.items()}
    in_another_order = {_key(measure, "ties"): values for measure, values in known.items()}
    keys = [_key(setting) for setting in settings]
    lists: list[SystemLists | DataError | UsageError] = []
    raw: dict[Any, Outcome] = {**before}
    tasks: dict[Any, MeasureTask] = {}
    for key, setting in zip(keys, settings, strict=True):
        try:
            lists.append(joined := join.lists_for(setting.on_lists))
        except (DataError, UsageError) as refusal:
            lists.append(refusal)
            continue
        if key not in raw and key not in tasks:
            in_order = bool(known) and _key(setting, "ties") in in_another_order
            tasks[key] = MeasureTask(joined, setting, in_order and not _divisor_moves(setting))
    for (key, task), values in zip(tasks.items(), compute(list(tasks.values())), strict=True):
        if task.tied_only and isinstance(values, np.ndarray):
            values = np.where(np.isnan(values), in_another_order[_key(task.measure, "ties")], values)
        raw[key] = values
    found: list[Unfilled | DataError | UsageError] = []
    for joined_or_refusal, key in zip(lists, keys, strict=True):
        if not isinstance(joined_or_refusal, SystemLists):
            found.append(joined_or_refusal)
        elif isinstance(values := raw[key], np.ndarray):
            found.append(Unfilled(joined_or_refusal, values))
        else:
            found.append(values)
    return found


def fill(
    unfilled: Unfilled | DataError | UsageError,
    setting: Measure,
    left_out: Mask | None = None,
    refuse: Refuse | None = None,
) -> Found:
    """Fill the queries without a value as a setting says."""
    if not isinstance(unfilled, Unfilled):
        return unfilled
    joined, values = unfilled
    try:
        if refuse is not None:
            refuse(joined, setting)
        values, states = apply_fills(joined, setting, values)
    except (DataError, UsageError) as refusal:
        return refusal
    if left_out is not None:
        values, states = np.where(left_out, np.nan, values), np.where(left_out, np.int8(QueryState.LEFT_OUT), states)
    return Variant(values, states)


def _key(setting: Measure, *more: str) -> Any:
    """Return what settings have in common whose values are the same before any is filled, but for more decisions."""
    free = _without_effect(setting.definition, setting.decisions.ties == "average")
    answers = vars(setting.decisions) | free | {name: getattr(DEFAULT, name) for name in more}
    return setting.definition, setting.cutoff, setting.parameters, *answers.values()


@functools.cache
def _without_effect(definition: Definition, averaged: bool) -> dict[str, Any]:
    """Return the decisions that do not change a measure's values before any is filled, with one answer to each."""
    names = {*questions()} - {*definition.decisions} | {"no_relevant", "no_judgments", "average", "weights"}
    names |= {"no_results", "failed"} if fills_empty(definition) else set()
    # An exact average over all orders may be refused because of the answer to `no_relevant`.
    names -= {"no_relevant"} if averaged else set()
    return {name: getattr(DEFAULT, name) for name in names}


def _divisor_moves(measure: Measure) -> bool:
    """Whether the order of tied results can change what the sum is divided by."""
    under, refused = measure.decisions, measure.definition.properties.not_averaged
    local = "ideal" in measure.definition.reads and under.ideal == "local"
    return local or any(under.text(name) == answer for name, _, answer in (row.partition("=") for row in refused))
