"""Services: engines over HTTP, whose answers are JSON."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from idealrank.engines.address import Address
from idealrank.engines.credentials import credentials, expanded
from idealrank.engines.engine import Engine, Failed, Found, Values, Wishes
from idealrank.engines.fields import kept
from idealrank.engines.hits import sound
from idealrank.engines.http import Answer, Client, Request
from idealrank.engines.signing import Signer
from idealrank.errors import UsageError, visible_lines

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
        asked = address.options.get("sign", "")
        self._signer = Signer(asked, address.host) if asked else None
        own = any(name.lower() == "authorization" for name in wishes.headers)
        if self._signer and (wishes.user or own):
            raise UsageError(
                f"{address.text}: sign={asked} and {'a user' if wishes.user else 'a header'} both say who asks."
            )
        self._asks = credentials(wishes.headers, wishes.user, "" if asked else address.host, address.url)
        self._client = Client(wishes, self._asks.headers, address.host, self._signed)

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

    def _signed(self, request: Request) -> Mapping[str, str]:
        """Return the headers that sign a request, where requests are signed."""
        return self._signer.headers(request) if self._signer else {}

    async def open(self) -> None:
        """Connect."""
        if self._signer:
            self._signer.open()
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
        return replace(found, latency=answer.latency, raw=answer.text)

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
            if error.status in (None, 401):
                raise
            return {}

    def shown(self, values: Values) -> str:
        """Return the request for a query as text, without anything secret."""
        request = self.request(values)
        signed = {"Authorization": self._signer.shown} if self._signer else {}
        headers = {**self._asks.shown, **signed, **request.headers}
        lines = [f"{request.method} {request.url}", *(f"{name}: {value}" for name, value in headers.items())]
        body = request.body.decode()
        return self.without_secrets("\n".join([*lines, *(["", body] if body else [])]))

    def without_secrets(self, text: str) -> str:
        """Return a text without passwords and tokens."""
        return self._asks.hidden(text, self._signer.secrets if self._signer else ())

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
