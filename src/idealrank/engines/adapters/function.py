"""Functions: a search function of Python, as an object or as python:module:function."""

from __future__ import annotations

import inspect
import os
import sys
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from idealrank.engines.address import Address
from idealrank.engines.engine import Engine, SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.hits import hits_of, select_fields
from idealrank.errors import DataError, UsageError, visible_lines

Search = Callable[..., Iterable[Any]]


class Function(Engine):
    """A search function, called with the text of a query.

    It is also given ``k``, each setting and each column of the queries that its signature names. A function is called
    for one query after the other; a coroutine function (``async def``) for as many at the same time as were asked for.
    """

    kind = "python"

    def __init__(self, search: Search, name: str, wishes: SearchOptions) -> None:
        self._search, self.address, self._wishes = search, name, wishes
        call = getattr(search, "__call__", None)  # noqa: B004 - an object whose call is a coroutine function
        self.alone = not (inspect.iscoroutinefunction(search) or inspect.iscoroutinefunction(call))
        self._named = _named_parameters(search)

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the function cannot be called without."""
        return frozenset({"query", *(name for name, needed in self._named.items() if needed)})

    @property
    def takes(self) -> frozenset[str]:
        """Names of the values that its signature names, beside the text."""
        return frozenset({"query", *self._named})

    def describe_request(self, values: Values) -> str:
        """Return the call for a query."""
        more = "".join(f", {name}={value!r}" for name, value in self._arguments(values).items())
        return f"{self.address.rpartition(':')[2]}({values['query']!r}{more})"

    def _arguments(self, values: Values) -> dict[str, Any]:
        return {name: values[name] for name in self._named if name in values}

    async def ask(self, values: Values) -> SearchHits:
        """Call the function."""
        begin = time.perf_counter()
        try:
            answer = self._search(values["query"], **self._arguments(values))
            if inspect.isawaitable(answer):
                answer = await (_refuse_awaitable(answer) if self.alone else answer)
            return self._read_answer(answer, values["k"], begin)
        except (DataError, SearchError):
            raise
        except Exception as error:  # a user's function may raise anything; the query is counted as failed
            message = visible_lines(f"{type(error).__name__}: {error}")
            raise SearchError(message, latency=(time.perf_counter() - begin) * 1000) from None

    def _read_answer(self, answer: Any, k: int, begin: float) -> SearchHits:
        hits, items = hits_of(answer, k)
        latency, fields = (time.perf_counter() - begin) * 1000, self._wishes.fields
        documents = (
            {key: select_fields(item, fields) for (key, _), item in zip(hits, items, strict=True)} if fields else {}
        )
        return SearchHits(hits, documents, latency)


def engine(address: Address, wishes: SearchOptions) -> Function:
    """Return the function at an address.

    Raises
    ------
    UsageError
        If there is no such module or function.
    """
    return Function(load_function(address.url, address.text), address.text, wishes)


def load_function(path: str, address: str) -> Callable[..., Any]:
    """Return the function at ``module:function``.

    Raises
    ------
    UsageError
        If there is none; the message has the address.
    """
    module, colon, name = path.partition(":")
    if not colon or not name:
        raise UsageError(f"{address}: which function? Write python:module:function.")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        function: Callable[..., Any] = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{address}: {error}. Write python:module:function.") from None
    if not callable(function):
        raise UsageError(f"{address}: {name} is no function.")
    return function


async def _refuse_awaitable(answer: Any) -> Any:
    """Refuse what must be waited for, of a function that does not say so."""
    if inspect.iscoroutine(answer):
        answer.close()
    raise DataError("the search function returned something to be awaited. Define it with async def.")


def _named_parameters(search: Search) -> dict[str, bool]:
    """Return the names of a function's parameters after the first, and whether each must be given."""
    try:
        parameters = list(inspect.signature(search).parameters.values())[1:]
    except (TypeError, ValueError):  # a function of C that does not say
        return {}
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {each.name: each.default is inspect.Parameter.empty for each in parameters if each.kind in plain}
