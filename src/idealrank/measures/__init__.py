"""Judged lists go in, the steps of a score come out: one file per family, and the only list of them here.

It may import judged_lists and the rooms below it.
"""

from __future__ import annotations

import copyreg
import functools
import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from idealrank.display.rooms import make_callable
from idealrank.errors import UsageError
from idealrank.measures.definition import Definition, Family, Measure, Parameter, Properties
from idealrank.measures.grammar import by_name, measure_text, parse_with

if TYPE_CHECKING:
    from idealrank.display.table import Table

__all__ = [
    "DEFAULT_MEASURES",
    "DEFINITIONS",
    "Definition",
    "Measure",
    "Parameter",
    "Properties",
    "measure",
    "measures",
    "parse",
]

DEFAULT_MEASURES = ("nDCG@10", "P@10", "R@100", "RR", "AP")

_FAMILIES = ("graded", "binary", "counts", "trec", "preferences", "user_models", "learning", "diversity", "spans")
"""The modules of the families, in the order in which tables and pages list them."""

if TYPE_CHECKING:
    FAMILIES: tuple[Family, ...]
    DEFINITIONS: tuple[Definition, ...]


def __getattr__(name: str) -> Any:
    # Every family is imported when somebody asks for all of them: a measure that is named needs its own alone.
    if name == "FAMILIES":
        return _load_families()
    if name == "DEFINITIONS":
        return _load_definitions()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@functools.cache
def _load_definitions() -> tuple[Definition, ...]:
    return tuple(definition for family in _load_families() for definition in family.definitions)


@functools.cache
def _load_families() -> tuple[Family, ...]:
    return tuple(map(_load_family, _FAMILIES))


def _load_family(module: str) -> Family:
    family: Family = importlib.import_module(f"{__name__}.{module}").FAMILY
    return family


class _Names(Mapping[str, Definition]):
    """Every measure by each of its names; families are imported one by one, until one of them knows a name."""

    def __getitem__(self, name: str) -> Definition:
        for module in _FAMILIES:
            if name in (definitions := _load_names(module)):
                return definitions[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(by_name(_load_definitions()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@functools.cache
def _load_names(module: str) -> dict[str, Definition]:
    return by_name(_load_family(module).definitions)


_BY_NAME = _Names()


def measure(text: str) -> Measure:
    """Read one measure: a name such as ``nDCG@10``, or a fingerprint, which states every decision.

    Parameters
    ----------
    text
        The name with one cutoff, or the fingerprint.

    Raises
    ------
    UsageError
        If the measure is unknown, or several cutoffs make it several measures.

    Examples
    --------
    >>> one = measure("nDCG(gain=exp2)@10")
    >>> measure(one.fingerprint).fingerprint == one.fingerprint
    True
    """
    measures = parse(measure_text(text))
    if len(measures) != 1:
        raise UsageError(f"{text!r} is {len(measures)} measures. Give one cutoff.")
    return measures[0]


parse = functools.partial(parse_with, _BY_NAME)
"""Read measure names; see `idealrank.measures.grammar.parse_with`."""


def measures(name: str | None = None) -> Table:
    """List the measures, or describe one: the decisions it reads, what it promises, its other names.

    Parameters
    ----------
    name
        Any name of a measure, such as ``nDCG`` or ``mrr@10``; None: all.

    Raises
    ------
    UsageError
        If the name is not known.

    Examples
    --------
    >>> import idealrank as ir
    >>> ir.measures()["measure"][:3]
    ['nDCG@k', 'DCG@k', 'CG@k']
    >>> ir.measures("mrr")["says"][0]
    'Reciprocal rank of the first relevant result'
    """
    from idealrank.display.table import Table

    if name is None:
        listed = _load_definitions()
        return Table({"measure": [d.written for d in listed], "title": [d.title for d in listed]}, "measures")
    definition = parse(measure_text(name))[0].definition
    facts = {"title": definition.title, "formula": definition.documentation.splitlines()[0], **definition.facts}
    return Table({definition.name: list(facts), "says": [text.replace("`", "") for text in facts.values()]})


make_callable(__name__, measures)


def _reduce_by_name(definition: Definition) -> tuple[Callable[[str], Definition], tuple[str]]:
    return _definition_named, (definition.name,)


def _definition_named(name: str) -> Definition:
    return _BY_NAME[name]


# Definitions are pickled by name: their functions cannot be, and executors of Spark have the same definitions anyway.
copyreg.pickle(Definition, _reduce_by_name)
