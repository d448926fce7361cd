"""The engines, one a file: to add one, add its file, and its kinds below."""

from __future__ import annotations

from importlib import import_module

from idealrank.engines.address import Address, Kind, parsed
from idealrank.engines.engine import Engine, Wishes

KINDS = {
    "opensearch": Kind("elasticsearch", ("template",)),
    "elasticsearch": Kind("elasticsearch", ("template",)),
    "solr": Kind("solr", ("template",)),
    "vespa": Kind("vespa", ("template",)),
    "postgresql": Kind("postgresql", ("template",), web=False),
    "http": Kind("other", ("template", "hits", "id", "score", "took")),
    "sqlite": Kind("sqlite", ("template", "columns", "tokenize"), web=False),
    "python": Kind("function", (), web=False),
}
"""The first words of addresses."""


def address_of(text: str) -> Address:
    """Return an address taken apart.

    Raises
    ------
    UsageError
        If it is no address of an engine.
    """
    return parsed(text, KINDS)


def engine_at(address: Address, wishes: Wishes) -> Engine:
    """Return the engine at an address.

    Raises
    ------
    UsageError
        If its template or one of its options cannot be used.
    DataError
        If a file of it cannot be read.
    """
    made: Engine = import_module(f"{__name__}.{KINDS[address.kind].module}").engine(address, wishes)
    return made
