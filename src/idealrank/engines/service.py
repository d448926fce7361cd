"""Services: engines over HTTP, whose answers are JSON."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from idealrank.engines.address import Address
from idealrank.engines.credentials import credentials, expanded
from idealrank.engines.engine import Engine, Failed, Found, Values, Wishes
from idealrank.engines.http import Answer, Client, Request
from idealrank.errors import visible_lines

JSON_TYPE = {"Content-Type": "application/json"}
_SHOWN = 80


class Service(Engine):
    """An engine over HTTP.

    Parameters
    ----------
    address
        Its address.
    wishes
        What is asked of it.
    """

    def __init__(self, address: Address, wishes: Wishes) -> None:
        self.kind, self.address, self.wishes = address.kind, address.text, wishes
        self.url = expanded(address.url)
        self.key = address.options.get("id", "")
        self._asks = credentials(wishes.headers, wishes.user, address.host, address.url)
        self._client = Client(wishes, self._asks.headers, address.host)

    @abstractmethod
    def request(self, values: Values) -> Request:
        """Return the request for a query."""

    @abstractmethod
    def found(self, document: Any) -> Found:
        """Return what an answer contains.

        Raises
        ------
        Failed
            If it is an answer to another question, an error, or only a part of an answer.
        """

    async def open(self) -> None:
        """Connect."""
        await self._client.open()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def ask(self, values: Values) -> Found:
        """Send the request for a query and read its answer."""
        answer = await self._client.send(self.request(values))
        return self._found(read(answer.text), answer)

    def _found(self, document: Any, answer: Answer) -> Found:
        try:
            found = sound(self.found(document))
        except Failed as error:
            error.raw = answer.text
            raise
        except (TypeError, ValueError, AttributeError, LookupError) as error:
            raise Failed(visible_lines(f"an answer of another form: {error}"), raw=answer.text) from None
        return Found(found.hits, found.documents, answer.latency, found.took, answer.text)

    def hits(self, items: Iterable[Any], read: Callable[[Any], tuple[Any, float | None, Any]]) -> Found:
        """Return hits with the fields that were asked for.

        Parameters
        ----------
        read
            Returns the id, the score and the fields of one.

        Raises
        ------
        Failed
            If one has no id.
        """
        every = [read(item) for item in items]
        if any(key is None for key, _, _ in every):
            raise Failed(f"a document without {self.key or 'an id'}. Say which field it is: ?id=NAME", hopeless=True)
        fields = self.wishes.fields
        documents = {key: kept(source or {}, fields) for key, _, source in every} if fields else {}
        return Found([(key, score) for key, score, _ in every], documents)

    async def read(self, path: str) -> Any:
        """Return the JSON at a path below the address; {} if there is none to be had.

        Raises
        ------
        Failed
            If the engine does not answer, or lets nobody in.
        """
        try:
            return read((await self._client.send(Request("GET", path, {}))).text)
        except Failed as error:
            if (error.again and not str(error).startswith("HTTP")) or "HTTP 401" in str(error):
                raise
            return {}

    def shown(self, values: Values) -> str:
        """Return the request for a query as text, without anything secret."""
        request = self.request(values)
        headers = {**self._asks.shown, **request.headers}
        lines = [f"{request.method} {request.url}", *(f"{name}: {value}" for name, value in headers.items())]
        body = request.body.decode()
        return self.without_secrets("\n".join([*lines, *(["", body] if body else [])]))

    def without_secrets(self, text: str) -> str:
        """Return a text without passwords and tokens."""
        return self._asks.hidden(text)

    def root(self, path: str) -> str:
        """Return the address of a path on this host."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc, path, "", ""))

    def below(self, path: str) -> str:
        """Return the address of a path below this one."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/{path}", parts.query, ""))


def read(text: str) -> Any:
    """Return a text as JSON.

    Raises
    ------
    Failed
        If it is none.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        begin = visible_lines(" ".join(text[:_SHOWN].split()))
        raise Failed(f"the answer is not JSON ({error}): {begin}", raw=text) from None


def sound(found: Found) -> Found:
    """Return what was found, if its ids are texts or whole numbers, and its scores are finite.

    Raises
    ------
    Failed
        If one is not.
    """
    for rank, (key, score) in enumerate(found.hits, 1):
        if isinstance(key, bool) or not isinstance(key, (str, int)) or key == "":
            raise Failed(f"rank {rank}: the id {key!r} is neither a text nor a whole number")
        if score is not None and not math.isfinite(score):
            raise Failed(f"rank {rank}: document {key!r} has the score {score}, which is not finite")
    return found


def number(value: Any) -> float | None:
    """Return a number of an answer, None for anything else."""
    try:
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    except OverflowError:  # a whole number beyond any float
        return math.inf


def kept(source: Any, fields: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a document that were asked for; a path as brand.name looks inside."""
    return {name: value for name in fields if (value := at(source, name)) is not None}


def at(document: Any, path: str) -> Any:
    """Return what lies at a path of names and places, None if nothing does.

    Examples
    --------
    >>> at({"a": {"b": [1, 2]}}, "a.b.1"), at({"a.b": 3}, "a.b"), at([], "a")
    (2, 3, None)
    """
    if not path:
        return document
    if isinstance(document, dict) and path in document:
        return document[path]
    name, _, rest = path.partition(".")
    if isinstance(document, dict):
        return at(document[name], rest) if name in document else None
    if isinstance(document, list) and name.isdigit() and int(name) < len(document):
        return at(document[int(name)], rest)
    return None
