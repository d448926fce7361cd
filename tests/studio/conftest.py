"""Projects in a file and in a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from idealrank.studio.store import Store
from tests.heavy.engines.conftest import postgresql, session_folder

__all__ = ["postgresql", "session_folder"]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.heavy)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The place of an empty project: a file, and a database of its own on a server."""
    if request.param == "sqlite":
        yield str(tmp_path / "project.db")
        return
    server = sa.make_url(request.getfixturevalue("postgresql")).set(drivername="postgresql+psycopg")
    name = f"studio_{abs(hash(tmp_path)):x}"
    admin = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield server.set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    """A project."""
    opened = Store(where)
    yield opened
    opened.close()
