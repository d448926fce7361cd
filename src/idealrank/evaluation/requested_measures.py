"""Measures as they are asked for, each under the decisions a convention has for it."""

import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from idealrank.conventions import Setting
from idealrank.conventions.convention import Convention
from idealrank.data.results import Results
from idealrank.decisions.question import split_outside
from idealrank.errors import UsageError, either
from idealrank.measures import DEFAULT_MEASURES, parse
from idealrank.measures.definition import Measure
from idealrank.measures.grammar import is_ir_measures_object, measure_text


def measures_under(setting: Setting, measures: Sequence[str | Measure] | str | None) -> tuple[Measure, ...]:
    """Read the measures asked for, each under the decisions the convention has for it.

    Raises
    ------
    UsageError
        If a name is not known, or the convention does not support the measure.
    """
    if isinstance(measures, (Mapping, Results)) or _is_table(measures):
        raise _results_error(f"A {type(measures).__name__}")
    if measures is None:
        measures = [name for name in DEFAULT_MEASURES if _is_supported(setting, name)]
    single = isinstance(measures, (str, Measure)) or is_ir_measures_object(measures)
    names: list[Any] = [measures] if single else list(measures)
    if not names:
        raise UsageError("No measures asked for. Give at least one, as nDCG@10.")
    every = [
        m
        for name in names
        for m in ([name] if isinstance(name, Measure) else _parse_names(setting, measure_text(name)))
    ]
    # The same measure by two names, such as map and AP, is computed once, under the name that was given first.
    once: dict[str, Measure] = {}
    for measure in every:
        once.setdefault(measure.fingerprint, measure)
    return tuple(once.values())


def _is_table(measures: Any) -> bool:
    if measures is None or isinstance(measures, (str, Measure, list, tuple)):
        return False
    from idealrank.data.formats.objects import is_table

    return is_table(measures)


def _is_supported(setting: Setting, name: str) -> bool:
    supported = setting.convention.measures
    return supported is None or parse(setting.our_name(name))[0].definition.name in supported


def _results_error(what: str) -> UsageError:
    given = either("{'bm25': first, 'hybrid': second}", "JUDGMENTS FIRST SECOND")
    return UsageError(f"{what} was given for the measures, and is no measure. Give all systems together: {given}.")


def _parse_names(setting: Setting, text: str) -> list[Measure]:
    """Read one name, or several between commas."""
    try:
        return [measure for name in _split_names(text) for measure in _parse_name(setting, name)]
    except UsageError:
        if os.path.exists(text):
            raise _results_error(text) from None  # a second file of results, where the measures belong
        raise


def _split_names(text: str) -> list[str]:
    """Split names at commas; a cutoff after a comma belongs to the name before, as in nDCG@5,10."""
    names: list[str] = []
    for part in split_outside(text):
        if names and not part.strip()[:1].isalpha():
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names if len(names) > 1 else [text]


def _parse_name(setting: Setting, text: str) -> tuple[Measure, ...]:
    try:
        return _parse_once(setting.convention, tuple(setting.overrides.items()), text)
    except TypeError:  # an answer that is a table, such as a unit for each document, is no key
        return _parse_under(setting, text)


@functools.lru_cache(maxsize=1000)
def _parse_once(convention: Convention, overrides: tuple[tuple[str, Any], ...], text: str) -> tuple[Measure, ...]:
    """Read a name once: who calls a measure in a loop asks for the same few, whose names and fingerprints are kept."""
    return _parse_under(Setting(convention, dict(overrides)), text)


def _parse_under(setting: Setting, text: str) -> tuple[Measure, ...]:
    base = setting.decisions
    ours = setting.our_name(text)
    measures: list[Measure] = []
    # Parsed twice: only the parsed name says which measure it is, and so which decisions the convention has for it.
    for measure in parse(ours, base):
        for_it = setting.convention.for_measure(measure.definition.name, base, setting.overrides)
        measures += [replace(m, typed=text.strip()) for m in parse(ours, for_it) if m.cutoff == measure.cutoff]
    return tuple(measures)
