"""The printed columns: each requested measure with its parameters, under its printed names."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from idealrank.integrations.trec_eval.arguments import Arguments
from idealrank.integrations.trec_eval.names import MEASURES, NICKNAMES, Entry
from idealrank.integrations.trec_eval.numbers import decimal, whole
from idealrank.integrations.trec_eval.stop import INPUT, Stop


class Column(NamedTuple):
    """One printed number per topic.

    Attributes
    ----------
    measure
        trec_eval's name of the measure.
    name
        The printed name.
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
    """Return the requested columns, in the order they are printed.

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
    measures = arguments.measures or frozenset(NICKNAMES["official"])
    parameters = dict(arguments.parameters)
    if arguments.compat != "9.0.8":
        _share(parameters, [measure for measure in _SHARING if measure in measures])
    columns = [
        column
        for measure, entry in MEASURES.items()
        if measure in measures
        for column in _columns(measure, entry, parameters.get(measure))
    ]
    if arguments.compat == "9.0.8":
        return columns
    last = next((column.pairs for column in reversed(columns) if column.measure in _SHARING), ())
    return [column._replace(pairs=last) if column.measure in _SHARING else column for column in columns]


_SHARING = ("dcg", "ideal_dcg", "ndcg")
"""Measures of 10.0 with one place for their gains: the last ones given count for all three."""


def _share(parameters: dict[str, str], measures: list[str]) -> None:
    """Print the gains of a measure in the name of the next one that has none."""
    for measure, following in itertools.pairwise(measures):
        if measure in parameters:
            parameters.setdefault(following, parameters[measure])


def _columns(measure: str, entry: Entry, typed: str | None) -> Iterator[Column]:
    if entry.kind == "plain":
        yield Column(measure, measure)
    elif entry.kind == "cuts":
        cuts = _distinct(measure, entry.default if typed is None else tuple(map(whole, typed.split(","))))
        for cut in cuts:
            yield Column(measure, f"{measure}_{cut:.0f}", (cut,))
    elif entry.kind == "shares":
        shares = _distinct(measure, entry.default if typed is None else tuple(map(decimal, typed.split(","))))
        for share in shares:
            yield Column(measure, f"{measure}_{share:3.2f}", (share,))
    else:
        name = measure if typed is None else f"{measure}_{typed}"
        if entry.kind == "pairs":
            yield Column(measure, name, (), () if typed is None else _pairs(measure, typed))
        else:
            yield Column(measure, name, entry.default if typed is None else tuple(map(decimal, typed.split(","))))


def _distinct(measure: str, values: tuple[float, ...]) -> list[float]:
    rising = sorted(values)
    if MEASURES[measure].kind == "cuts" and rising[0] <= 0:
        raise Stop(INPUT, f"-m {measure}: the cutoff {rising[0]:.0f} is not above 0.")
    for one, other in itertools.pairwise(rising):
        if one == other:
            raise Stop(INPUT, f"-m {measure}: {one:g} is given twice. Give each number once.")
    return rising


def _pairs(measure: str, typed: str) -> tuple[tuple[str, float], ...]:
    parts = typed.split(",")
    if not all(part.count("=") == 1 for part in parts):
        raise Stop(
            INPUT, f"-m {measure}.{typed}: not of the form name=number, as in {_EXAMPLES.get(measure, measure)}."
        )
    return tuple((name, decimal(value)) for name, _, value in (part.partition("=") for part in parts))


_EXAMPLES = {"rbp": "rbp.p=0.8", "rbp_resid": "rbp_resid.p=0.8", "ndcg": "ndcg.1=3,2=9"}
