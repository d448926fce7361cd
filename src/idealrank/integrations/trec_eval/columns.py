"""The columns that are printed: each measure asked for with its parameters, under its printed names."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from idealrank.integrations.trec_eval.arguments import Arguments
from idealrank.integrations.trec_eval.names import MEASURES, NICKNAMES, Entry
from idealrank.integrations.trec_eval.numbers import decimal, whole
from idealrank.integrations.trec_eval.stop import INPUT, Stop


class Column(NamedTuple):
    """One printed number a topic.

    Attributes
    ----------
    measure
        trec_eval's name of the measure.
    name
        What is printed.
    values
        The parameter of a cut, all parameters in order, or none.
    pairs
        Parameters with a name, as (name, number).
    """

    measure: str
    name: str
    values: tuple[float, ...] = ()
    pairs: tuple[tuple[str, float], ...] = ()

    @property
    def entry(self) -> Entry:
        """The measure."""
        return MEASURES[self.measure]


def columns_of(arguments: Arguments) -> list[Column]:
    """Return the columns asked for, in the order they are printed.

    Raises
    ------
    Stop
        If the parameters of a measure cannot be used.

    Examples
    --------
    >>> from idealrank.integrations.trec_eval.arguments import read_arguments
    >>> [column.name for column in columns_of(read_arguments(["-m", "P.10,5", "-m", "set_F.2"]))]
    ['P_5', 'P_10', 'set_F_2']
    """
    asked = arguments.measures or frozenset(NICKNAMES["official"])
    given = dict(arguments.parameters)
    if arguments.compat != "9.0.8":
        _share(given, [measure for measure in _SHARING if measure in asked])
    found = [
        column
        for measure, entry in MEASURES.items()
        if measure in asked
        for column in _columns(measure, entry, given.get(measure))
    ]
    if arguments.compat == "9.0.8":
        return found
    last = next((column.pairs for column in reversed(found) if column.measure in _SHARING), ())
    return [column._replace(pairs=last) if column.measure in _SHARING else column for column in found]


_SHARING = ("dcg", "ideal_dcg", "ndcg")
"""Measures of 10.0 with one place for their gains: the last ones given count for all three."""


def _share(given: dict[str, str], asked: list[str]) -> None:
    """Print the gains of a measure in the name of the next one that has none."""
    for measure, following in itertools.pairwise(asked):
        if measure in given:
            given.setdefault(following, given[measure])


def _columns(measure: str, entry: Entry, given: str | None) -> Iterator[Column]:
    if entry.kind == "plain":
        yield Column(measure, measure)
    elif entry.kind == "cuts":
        cuts = _distinct(measure, entry.default if given is None else tuple(map(whole, given.split(","))))
        for cut in cuts:
            yield Column(measure, f"{measure}_{cut:.0f}", (cut,))
    elif entry.kind == "shares":
        shares = _distinct(measure, entry.default if given is None else tuple(map(decimal, given.split(","))))
        for share in shares:
            yield Column(measure, f"{measure}_{share:3.2f}", (share,))
    else:
        name = measure if given is None else f"{measure}_{given}"
        if entry.kind == "pairs":
            yield Column(measure, name, (), () if given is None else _pairs(measure, given))
        else:
            yield Column(measure, name, entry.default if given is None else tuple(map(decimal, given.split(","))))


def _distinct(measure: str, values: tuple[float, ...]) -> list[float]:
    rising = sorted(values)
    if MEASURES[measure].kind == "cuts" and rising[0] <= 0:
        raise Stop(INPUT, f"-m {measure}: the cutoff {rising[0]:.0f} is not above 0.")
    for one, other in itertools.pairwise(rising):
        if one == other:
            raise Stop(INPUT, f"-m {measure}: {one:g} comes twice. Give each number once.")
    return rising


def _pairs(measure: str, given: str) -> tuple[tuple[str, float], ...]:
    parts = given.split(",")
    if not all(part.count("=") == 1 for part in parts):
        raise Stop(
            INPUT, f"-m {measure}.{given}: not of the form name=number, as in {_EXAMPLES.get(measure, measure)}."
        )
    return tuple((name, decimal(value)) for name, _, value in (part.partition("=") for part in parts))


_EXAMPLES = {"rbp": "rbp.p=0.8", "rbp_resid": "rbp_resid.p=0.8", "ndcg": "ndcg.1=3,2=9"}
