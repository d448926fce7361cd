"""The named settings: every convention, with and without its known faults, as far as the data allows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from idealrank.conventions import CONVENTIONS, parse_convention
from idealrank.errors import DataError, NoColumnError, UsageError
from idealrank.evaluation.measure_names import measures_under
from idealrank.evaluation.one_system import OneSystem
from idealrank.measures import Measure, parse

MeasuresBySetting = dict[str, tuple[Measure, ...]]
"""The requested measures under each setting, by its text."""


def named_settings(ground: OneSystem, names: Sequence[str], fixed: Mapping[str, Any]) -> MeasuresBySetting:
    """Return the measures under each convention that has them all and can be computed on the data.

    If a convention orders by a column that is missing from the results, they are ordered by an existing one: the
    tool itself must have been given other data.

    Parameters
    ----------
    names
        The measures.
    fixed
        Answers that apply to each.

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
    # Settings for which the data had to be read differently come last.
    return dict(sorted(settings.items(), key=lambda one: one[0].endswith(", order_by=auto")))


def _ways(ground: OneSystem, fixed: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the answers a setting may need on this data: none, one system at a time, an existing order."""
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
    """The measures as a setting defines them; None if it does not support them all."""
    try:
        return tuple(measures_under(parse_convention(setting, dict(fixed)), [name])[0] for name in names)
    except (UsageError, DataError):
        return None


def meaning(name: str) -> Measure | UsageError:
    """Return the measure a name means, or the error if it means none."""
    try:
        return parse(name)[0]
    except UsageError as refusal:
        return refusal


def most_frequent(refusals: Sequence[UsageError | DataError]) -> UsageError | DataError:
    """Return the error that most settings gave where none can be computed, the first of these.

    Examples
    --------
    >>> most_frequent([UsageError("a"), DataError("b"), DataError("b")])
    DataError('b')
    """
    often, _ = Counter(map(str, refusals)).most_common(1)[0]
    return next(refusal for refusal in refusals if str(refusal) == often)


def _refusal(names: Sequence[str], fixed: Mapping[str, Any]) -> UsageError:
    """Say why no convention has all measures."""
    for name in names:
        lacking = meaning(name)
        if isinstance(lacking, UsageError) and all(
            _measures(convention, [name], fixed) is None for convention in CONVENTIONS
        ):
            return lacking
    return UsageError(f"No convention computes {' and '.join(names)} on this data. Ask for one at a time.")
