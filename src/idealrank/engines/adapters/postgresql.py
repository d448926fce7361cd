"""PostgreSQL: a statement in SQL, full-text search or vectors.

Source: psycopg 3 documentation, "Passing parameters to SQL queries", "Asynchronous operations"; libpq, "Connection
URIs" (passwords: PGPASSWORD, ~/.pgpass).
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from idealrank.engines.address import Address
from idealrank.engines.engine import Engine, SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.hits import hits_of_rows
from idealrank.engines.templates import compile_sql
from idealrank.errors import UsageError, visible_lines


class Postgresql(Engine):
    """A database with a template in SQL."""

    kind = "postgresql"

    def __init__(self, address: Address, wishes: SearchOptions) -> None:
        self.address, self._wishes = address.text, wishes
        self._uri = f"postgresql:{address.url}"
        template = address.template()
        self.template, self.origin = template.text, template.origin
        self._statement = compile_sql(template, {}, lambda name: f"%({name})s", lambda text: text.replace("%", "%%"))
        self._free: asyncio.LifoQueue[Any] = asyncio.LifoQueue()

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the template needs."""
        return frozenset(place.name for _, place in self._statement.bound)

    def describe_request(self, values: Values) -> str:
        """Return the statement and its parameters."""
        bound = self._statement.parameters(values)
        return "\n".join([self._statement.text.rstrip(), *(f"%({name})s = {value!r}" for name, value in bound.items())])

    async def about(self) -> dict[str, Any]:
        """Return the server's version and the database."""
        _, rows = await self._fetch_rows("SELECT current_setting('server_version'), current_database()", {})
        return {"engine": "postgresql", "version": rows[0][0], "index": rows[0][1], "documents": None}

    async def ask(self, values: Values) -> SearchHits:
        """Run the statement for a query."""
        begin = time.perf_counter()
        try:
            async with asyncio.timeout(self._wishes.timeout):
                names, rows = await self._fetch_rows(self._statement.text, self._statement.parameters(values))
        except TimeoutError:
            raise SearchError(f"no whole answer within {self._wishes.timeout:g} s") from None
        latency = (time.perf_counter() - begin) * 1000
        found = hits_of_rows(names, rows, self._wishes.fields)
        return replace(found, latency=latency)

    async def _fetch_rows(self, statement: str, parameters: dict[str, Any]) -> tuple[list[str], list[Any]]:
        psycopg = _import_psycopg()
        connection = await self._get_connection()
        try:
            cursor = await connection.execute(statement, parameters)
            if cursor.description is None:
                raise SearchError("the statement returns no rows: write a SELECT", hopeless=True)
            rows = await cursor.fetchall()
        except psycopg.OperationalError as error:
            await connection.close()
            raise SearchError(_error_text(error), again=True) from None
        except psycopg.Error as error:
            self._free.put_nowait(connection)
            raise SearchError(_error_text(error)) from None
        except BaseException:
            await connection.close()
            raise
        self._free.put_nowait(connection)
        return [column.name for column in cursor.description], rows

    async def _get_connection(self) -> Any:
        """Return a connection that is free, or a new one."""
        if not self._free.empty():
            return self._free.get_nowait()
        psycopg = _import_psycopg()
        try:
            return await psycopg.AsyncConnection.connect(
                self._uri,
                autocommit=True,
                connect_timeout=max(2, int(self._wishes.timeout)),
                **self._connection_options(),
            )
        except psycopg.ProgrammingError as error:
            raise UsageError(f"{self.address}: {_error_text(error)}.") from None
        except psycopg.OperationalError as error:
            raise SearchError(
                _error_text(error), again="refused" in str(error) or "starting up" in str(error)
            ) from None

    def _connection_options(self) -> dict[str, str]:
        """Return what a connection is told beside the address: it only reads."""
        own = dict(parse_qsl(urlsplit(self._uri).query)).get("options", "")
        return {"options": f"{own} -c default_transaction_read_only=on".strip()}

    async def close(self) -> None:
        """Close the connections."""
        while not self._free.empty():
            await self._free.get_nowait().close()


def engine(address: Address, wishes: SearchOptions) -> Postgresql:
    """Return the database at an address."""
    return Postgresql(address, wishes)


def _import_psycopg() -> Any:
    try:
        import psycopg
    except ImportError:
        raise UsageError('PostgreSQL needs psycopg. Install it: pip install "psycopg[binary]".') from None
    return psycopg


def _error_text(error: Exception) -> str:
    return visible_lines(" ".join(str(error).split()))
