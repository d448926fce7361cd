"""The engines, one a file: to add one, add its file, and its kinds below."""

from __future__ import annotations

from importlib import import_module

from idealrank.engines.address import Address, Kind, parse_address
from idealrank.engines.engine import Engine, SearchOptions

KINDS = {
    "opensearch": Kind("elasticsearch", "+http://HOST:9200/INDEX?template=FILE", ("template", "id", "sign")),
    "elasticsearch": Kind("elasticsearch", "+http://HOST:9200/INDEX?template=FILE", ("template", "id", "sign")),
    "solr": Kind("solr", "+http://HOST:8983/solr/COLLECTION?template=FILE", ("template", "id", "sign")),
    "vespa": Kind("vespa", "+http://HOST:8080?template=FILE", ("template", "id", "sign")),
    "postgresql": Kind("postgresql", "://HOST/DATABASE?template=FILE", ("template",), web=False),
    "http": Kind(
        "json_service",
        "+https://HOST/PATH?q={{query}}&hits=PATH&id=NAME",
        ("template", "hits", "id", "score", "took", "sign"),
    ),
    "sqlite": Kind("sqlite", ":DOCUMENTS", ("template", "columns", "tokenize"), web=False),
    "python": Kind("function", ":MODULE:FUNCTION", (), web=False),
}
"""The first words of addresses."""


def address_of(text: str) -> Address:
    """Return an address taken apart.

    Raises
    ------
    UsageError
        If it is no address of an engine.
    """
    return parse_address(text, KINDS)


def engine_at(address: Address, wishes: SearchOptions) -> Engine:
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
