"""The settings that have a name: every convention, with its known faults too, as the data can be read under it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from idealrank.conventions import CONVENTIONS, parse_convention
from idealrank.errors import DataError, NoColumnError, UsageError
from idealrank.evaluation.measure_names import measures_under
from idealrank.evaluation.one_system import OneSystem
from idealrank.measures import Measure, parse

MeasuresBySetting = dict[str, tuple[Measure, ...]]
"""The measures asked for, under each setting by its text."""


def named_settings(ground: OneSystem, names: Sequence[str], fixed: Mapping[str, Any]) -> MeasuresBySetting:
    """Return what the measures are under each convention that has them all, on data it can be computed on.

    Where a convention orders by a column the results lack, they are ordered by what there is: the tool
    itself was given something else there.

    Parameters
    ----------
    names
        The measures.
    fixed
        Answers that hold under each.

    Raises
    ------
    UsageError
        If no convention has them.
    """
    settings: MeasuresBySetting = {}
    for convention in CONVENTIONS.values():
        for text in (convention.name, *([f"{convention.name}, faults=on"] if convention.switched else [])):
            for needed in _ways(ground, fixed):
                measures = _measures(text, names, {**fixed, **needed})
                if measures is not None and _computable(ground, measures):
                    settings[", ".join([text, *(f"{n}={a}" for n, a in needed.items())])] = measures
                    break
    if not settings:
        raise _refusal(names, fixed)
    # What the data had to be read otherwise for comes last.
    return dict(sorted(settings.items(), key=lambda one: one[0].endswith(", order_by=auto")))


def _ways(ground: OneSystem, fixed: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the answers a setting may need on this data: none, a system apart, the order there is."""
    apart = [{}, {"systems": "separate"}] if ground.apart and "systems" not in fixed else [{}]
    order = [{}] if "order_by" in fixed else [{}, {"order_by": "auto"}]
    yield from (one | other for other in order for one in apart)


def _computable(ground: OneSystem, measures: Sequence[Measure]) -> bool:
    try:
        for measure in measures:
            ground.results.order(measure.decisions.order_by)
    except NoColumnError:
        return False
    return all(ground.is_readable(measure.decisions) for measure in measures)


def _measures(setting: str, names: Sequence[str], fixed: Mapping[str, Any]) -> tuple[Measure, ...] | None:
    """The measures as a setting means them; None if it does not support them all."""
    try:
        return tuple(measures_under(parse_convention(setting, dict(fixed)), [name])[0] for name in names)
    except (UsageError, DataError):
        return None


def meaning(name: str) -> Measure | UsageError:
    """Return what a name means by itself, or why it means nothing."""
    try:
        return parse(name)[0]
    except UsageError as refusal:
        return refusal


def _refusal(names: Sequence[str], fixed: Mapping[str, Any]) -> UsageError:
    """Say why no convention has all measures."""
    for name in names:
        lacking = meaning(name)
        if isinstance(lacking, UsageError) and all(
            _measures(convention, [name], fixed) is None for convention in CONVENTIONS
        ):
            return lacking
    return UsageError(f"No convention answers {' and '.join(names)} on this data. Ask for one at a time.")
