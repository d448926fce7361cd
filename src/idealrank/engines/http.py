"""HTTP: one request and its whole answer, within a time and a size, from the host that was named and no other."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from idealrank.engines.engine import Failed, Wishes
from idealrank.engines.waiting import retry_after
from idealrank.errors import UsageError, option, visible_lines

if TYPE_CHECKING:
    import aiohttp

LARGEST = 256 << 20
"""Bytes of the largest answer that is read."""

_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
_HOPELESS = frozenset({401, 403, 404, 407})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_HOPS = 3
_SAID = 300


@dataclass(frozen=True)
class Request:
    """A request: method, address, headers of its own, body."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Answer:
    """An answer: its text, and the milliseconds from the first request to its end."""

    text: str
    latency: float


class Client:
    """Connections to one host.

    Parameters
    ----------
    headers
        Sent with every request.
    host
        The host's name. Another machine's is reached through the proxy of the environment, if it names one.
    signed
        Returns further headers for a request that is about to be sent, such as its signature.
    """

    def __init__(
        self, wishes: Wishes, headers: Mapping[str, str], host: str, signed: Callable[[Request], Mapping[str, str]]
    ) -> None:
        self._wishes, self._headers, self._here, self._signed = wishes, headers, host in _HERE, signed
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Make the session; connections are made when they are needed, and kept."""
        aiohttp = _library()
        connector = aiohttp.TCPConnector(limit=0, ssl=_tls(self._wishes.tls))
        trace = aiohttp.TraceConfig()
        trace.on_connection_create_end.append(_connected)
        trace.on_connection_reuseconn.append(_reused)
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=self._wishes.timeout),
            headers={"User-Agent": "idealrank", **self._headers},
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=not self._here,
            trace_configs=[trace],
        )

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    async def send(self, request: Request) -> Answer:
        """Send a request and read its whole answer.

        Raises
        ------
        Failed
            If there is no whole answer in time, it redirects to another host, or its status is not 200 to 299.
        """
        on = SimpleNamespace(connected=False, reused=False)
        try:
            return await self._sent(request, on)
        except _StaleError:
            return await self._sent(request, on)

    async def _sent(self, request: Request, on: SimpleNamespace) -> Answer:
        """Send a request and go where it is redirected to.

        Parameters
        ----------
        on
            What is known of the connection: whether there is one, and whether it was used before.

        Raises
        ------
        _StaleError
            If a connection that was kept had been closed in the meantime; once.
        """
        aiohttp = _library()
        url, begin, first = request.url, time.perf_counter(), not on.connected
        try:
            for _ in range(_HOPS + 1):
                answer, there = await self._once(request, url, begin, on)
                if not there:
                    return answer
                url = _same_host(url, there)
        except TimeoutError:
            raise Failed(_no_answer(self._wishes.timeout, url, on.connected)) from None
        except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorSSLError) as error:
            way = (
                "There is no TLS: write +http:// for +https://"
                if "WRONG_VERSION" in str(error)
                else f"To trust it: {option('tls', 'FILE')}, or {option('tls', 'unverified')}"
            )
            raise Failed(f"{_words(error)}. {way}", hopeless=True) from None
        except (aiohttp.ClientError, OSError) as error:
            nobody = isinstance(error, aiohttp.ClientConnectorError)
            closed = isinstance(error, (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError)) and not nobody
            if closed and on.reused and first:
                raise _StaleError from None
            cut_off = isinstance(error, aiohttp.ServerDisconnectedError) and not on.reused
            way = _TLS_THERE if cut_off and urlsplit(url).scheme == "http" else ""
            raise Failed(_words(error) + way, again=True, hopeless=nobody) from None
        raise Failed(f"redirected more than {_HOPS} times")

    async def _once(self, request: Request, url: str, begin: float, on: SimpleNamespace) -> tuple[Answer, str]:
        """Return an answer, and where it redirects to; "" for nowhere."""
        import yarl

        assert self._session is not None, "the client was not opened"
        async with self._session.request(
            request.method,
            yarl.URL(url, encoded=True),
            data=request.body or None,
            headers={**request.headers, **self._signed(replace(request, url=url))},
            allow_redirects=False,
            trace_request_ctx=on,
        ) as response:
            body = await _whole(response)
            latency = (time.perf_counter() - begin) * 1000
            text = _decoded(body, response.charset)
            if response.status in _REDIRECTS and "Location" in response.headers:
                return Answer(text, latency), response.headers["Location"]
            if not 200 <= response.status < 300:
                raise _refused(response, text)
            return Answer(text, latency), ""


class _StaleError(Exception):
    """A connection that was kept from an earlier request had been closed by the server without a word."""


_TLS_THERE = ". If there is TLS: write +https:// for +http://"


async def _connected(session: Any, context: Any, parameters: Any) -> None:
    """Note that a new connection was made for a request."""
    context.trace_request_ctx.connected, context.trace_request_ctx.reused = True, False


async def _reused(session: Any, context: Any, parameters: Any) -> None:
    """Note that a request is sent on a connection that was used before."""
    context.trace_request_ctx.connected = context.trace_request_ctx.reused = True


def _no_answer(seconds: float, url: str, connected: bool) -> str:
    """Say that time was up; and of TLS that never came about, what to try."""
    if not connected and urlsplit(url).scheme == "https":
        return f"no connection within {seconds:g} s. If there is no TLS: write +http:// for +https://"
    return f"no whole answer within {seconds:g} s"


def _library() -> Any:
    try:
        import aiohttp
    except ImportError:
        raise UsageError("Engines over HTTP need aiohttp. Install it: pip install aiohttp.") from None
    return aiohttp


def _tls(answer: str) -> Any:
    """Return how certificates are checked."""
    import ssl

    if answer == "verified":
        return True
    if answer == "unverified":
        return False
    try:
        return ssl.create_default_context(cafile=answer)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(
            f"tls={answer}: no certificates can be read from there: {error}. Give verified, unverified, or a file of "
            "certificates in PEM."
        ) from None


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    parts, size = [], 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise Failed(f"an answer of more than {LARGEST >> 20} MB")
    return b"".join(parts)


def _decoded(body: bytes, charset: str | None) -> str:
    """Return an answer as text: UTF-8, or as its header says."""
    try:
        return body.decode(charset or "utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        said = charset or "no charset, so UTF-8"
        raise Failed(f"the answer's header says {said}, and it is not: {error}") from None


def _refused(response: aiohttp.ClientResponse, text: str) -> Failed:
    status = response.status
    after = retry_after(response.headers.get("Retry-After", ""))
    said = visible_lines(" ".join(_reason(text).split()))
    said = said if len(said) <= _SAID else f"{said[:_SAID]}…"
    reason = f" {response.reason}" if response.reason else ""
    message = f"HTTP {status}{reason}" + (f": {said}" if said else "")
    return Failed(message, again=status in _AGAIN, after=after, hopeless=status in _HOPELESS, raw=text, status=status)


def _reason(text: str) -> str:
    """Return what an answer gives as the reason of an error, as Elasticsearch and Solr do; else the whole of it.

    Examples
    --------
    >>> _reason('{"error": {"root_cause": [{"reason": "no such index"}]}}'), _reason("Bad gateway")
    ('no such index', 'Bad gateway')
    """
    with contextlib.suppress(ValueError, TypeError, KeyError, IndexError):
        error = json.loads(text)["error"]
        if isinstance(error, str):
            return error
        cause = error.get("root_cause") or [error]
        return str(cause[0].get("reason") or error.get("reason") or error["msg"])
    return text


def _same_host(url: str, there: str) -> str:
    """Return where a redirect leads; a Failed if that is another host."""
    try:
        target = urljoin(url, there)
        here, other = urlsplit(url), urlsplit(target)
        _ = other.port
    except ValueError:
        raise Failed(f"redirects to {visible_lines(there)}, which is no address", hopeless=True) from None
    if (here.scheme, here.netloc) != (other.scheme, other.netloc):
        place = f"{other.scheme}://{other.hostname}" + (f":{other.port}" if other.port else "")
        raise Failed(
            f"redirects to {place}, which is not followed. If it is the engine, give its address", hopeless=True
        )
    return target


def _words(error: BaseException) -> str:
    """Return what a library says, or else which of its errors it is."""
    if isinstance(error, _library().ClientPayloadError):
        coded = isinstance(error.__cause__ or error.__context__, _library().http_exceptions.ContentEncodingError)
        return "the answer is not compressed as its header says" if coded else "the answer was cut off before its end"
    said = " ".join(str(error).split()).replace(" ssl:default", "")
    return visible_lines(said) or type(error).__name__
