"""Real engines with the example shop inside, one of each per test session."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.heavy.engines.faulty import Faulty, faulty as running_faulty
from tests.heavy.engines.servers import AbsentError
from tests.heavy.engines.servers.catalogue import ENGINES
from tests.heavy.engines.servers.sharing import shared


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The folder of all processes of the session: that of xdist's, where it runs several."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if hasattr(request.config, "workerinput") else own


@contextlib.contextmanager
def running(name: str, session_folder: Path) -> Iterator[str]:
    """Give the address of an engine; without it the tests are skipped, and fail under CI=true."""
    folder = session_folder / name
    folder.mkdir(exist_ok=True)
    with contextlib.ExitStack() as stack:
        try:
            address = stack.enter_context(shared(folder, *ENGINES[name]))
        except AbsentError as error:
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"NOT TESTED: {name} ({error})")
        yield address


@pytest.fixture(scope="session")
def opensearch(session_folder: Path) -> Iterator[str]:
    """The address of OpenSearch; the index is ``products``."""
    with running("OpenSearch", session_folder) as address:
        yield address


@pytest.fixture(scope="session")
def elasticsearch(session_folder: Path) -> Iterator[str]:
    """The address of Elasticsearch; the index is ``products``."""
    with running("Elasticsearch", session_folder) as address:
        yield address


@pytest.fixture(scope="session")
def solr(session_folder: Path) -> Iterator[str]:
    """The address of Solr, which ends in ``/solr``; the core is ``products``."""
    with running("Solr", session_folder) as address:
        yield address


@pytest.fixture(scope="session")
def postgresql(session_folder: Path) -> Iterator[str]:
    """The address of PostgreSQL's database; the table is ``products``."""
    with running("PostgreSQL", session_folder) as address:
        yield address


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[Faulty]:
    """A server that fails as requests ask it to."""
    with running_faulty(tmp_path / "requests.log") as server:
        yield server
