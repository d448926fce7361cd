"""HTTP: one request and its whole answer within a time and a size; signed for AWS where asked."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit, urlunsplit

from idealrank.engines.address import Address
from idealrank.engines.credentials import credentials, expand_variables
from idealrank.engines.engine import Engine, SearchError, SearchHits, SearchOptions, Values, retry_after
from idealrank.engines.hits import check_hits, select_fields
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
_LONGEST_DETAIL = 300


@dataclass(frozen=True)
class Request:
    """A request: method, address, headers of its own, body."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class HttpResponse:
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
        self, wishes: SearchOptions, headers: Mapping[str, str], host: str, sign: Callable[[Request], Mapping[str, str]]
    ) -> None:
        self._wishes, self._headers, self._here, self._sign = wishes, headers, host in _HERE, sign
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Make the session; connections are made when they are needed, and kept."""
        aiohttp = _import_aiohttp()
        # No limit of its own: the scheduler says how many requests are sent at a time.
        connector = aiohttp.TCPConnector(limit=0, ssl=_tls_context(self._wishes.tls))
        trace = aiohttp.TraceConfig()
        trace.on_connection_create_end.append(_note_new_connection)
        trace.on_connection_reuseconn.append(_note_reused_connection)
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=self._wishes.timeout),
            headers={"User-Agent": "idealrank", **self._headers},
            cookie_jar=aiohttp.DummyCookieJar(),
            # The proxies of the environment, but not for this machine; its netrc comes along.
            trust_env=self._wishes.secrets and not self._here,
            trace_configs=[trace],
        )

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    async def send(self, request: Request) -> HttpResponse:
        """Send a request and read its whole answer.

        Raises
        ------
        SearchError
            If there is no whole answer in time, it redirects to another host, or its status is not 200 to 299.
        """
        on = SimpleNamespace(connected=False, reused=False)
        try:
            return await self._follow_redirects(request, on)
        except _StaleError:
            return await self._follow_redirects(request, on)

    async def _follow_redirects(self, request: Request, on: SimpleNamespace) -> HttpResponse:
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
        aiohttp = _import_aiohttp()
        url, begin, first = request.url, time.perf_counter(), not on.connected
        try:
            for _ in range(_HOPS + 1):
                answer, there = await self._send_once(request, url, begin, on)
                if not there:
                    return answer
                url = _same_host(url, there)
        except TimeoutError:
            raise SearchError(_timeout_message(self._wishes.timeout, url, on.connected), timed_out=True) from None
        except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorSSLError) as error:
            way = (
                "There is no TLS: write +http:// for +https://"
                if "WRONG_VERSION" in str(error)
                else f"To trust it: {option('tls', 'FILE')}, or {option('tls', 'unverified')}"
            )
            raise SearchError(f"{_error_text(error)}. {way}", hopeless=True) from None
        except (aiohttp.ClientError, OSError) as error:
            nobody = isinstance(error, aiohttp.ClientConnectorError)
            closed = isinstance(error, (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError)) and not nobody
            if closed and on.reused and first:
                raise _StaleError from None
            cut_off = isinstance(error, aiohttp.ServerDisconnectedError) and not on.reused
            way = _TLS_THERE if cut_off and urlsplit(url).scheme == "http" else ""
            raise SearchError(_error_text(error) + way, again=True, hopeless=nobody) from None
        raise SearchError(f"redirected more than {_HOPS} times")

    async def _send_once(
        self, request: Request, url: str, begin: float, on: SimpleNamespace
    ) -> tuple[HttpResponse, str]:
        """Return an answer, and where it redirects to; "" for nowhere."""
        import yarl

        assert self._session is not None, "the client was not opened"
        async with self._session.request(
            request.method,
            yarl.URL(url, encoded=True),  # else aiohttp would encode what is encoded already
            data=request.body or None,
            headers={**request.headers, **self._sign(replace(request, url=url))},
            allow_redirects=False,
            trace_request_ctx=on,
        ) as response:
            body = await _read_body(response)
            latency = (time.perf_counter() - begin) * 1000
            text = _decode(body, response.charset)
            if response.status in _REDIRECTS and "Location" in response.headers:
                return HttpResponse(text, latency), response.headers["Location"]
            if not 200 <= response.status < 300:
                raise _status_error(response, text)
            return HttpResponse(text, latency), ""


class _StaleError(Exception):
    """A connection that was kept from an earlier request had been closed by the server without a word."""


_TLS_THERE = ". If there is TLS: write +https:// for +http://"


async def _note_new_connection(session: Any, context: Any, parameters: Any) -> None:
    """Note that a new connection was made for a request."""
    context.trace_request_ctx.connected, context.trace_request_ctx.reused = True, False


async def _note_reused_connection(session: Any, context: Any, parameters: Any) -> None:
    """Note that a request is sent on a connection that was used before."""
    context.trace_request_ctx.connected = context.trace_request_ctx.reused = True


def _timeout_message(seconds: float, url: str, connected: bool) -> str:
    """Say that time was up; and of TLS that never came about, what to try."""
    if not connected and urlsplit(url).scheme == "https":
        return f"no connection within {seconds:g} s. If there is no TLS: write +http:// for +https://"
    return f"no whole answer within {seconds:g} s"


def _import_aiohttp() -> Any:
    try:
        import aiohttp
    except ImportError:
        raise UsageError("Engines over HTTP need aiohttp. Install it: pip install aiohttp.") from None
    return aiohttp


def _tls_context(answer: str) -> Any:
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


async def _read_body(response: aiohttp.ClientResponse) -> bytes:
    parts, size = [], 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise SearchError(f"an answer of more than {LARGEST >> 20} MB")
    return b"".join(parts)


def _decode(body: bytes, charset: str | None) -> str:
    """Return an answer as text: UTF-8, or as its header says."""
    try:
        return body.decode(charset or "utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        encoding = charset or "no charset, so UTF-8"
        raise SearchError(f"the answer's header says {encoding}, and it is not: {error}") from None


def _status_error(response: aiohttp.ClientResponse, text: str) -> SearchError:
    status = response.status
    after = retry_after(response.headers.get("Retry-After", ""))
    detail = visible_lines(" ".join(_error_reason(text).split()))
    detail = detail if len(detail) <= _LONGEST_DETAIL else f"{detail[:_LONGEST_DETAIL]}…"
    reason = f" {response.reason}" if response.reason else ""
    message = f"HTTP {status}{reason}" + (f": {detail}" if detail else "")
    return SearchError(
        message, again=status in _AGAIN, after=after, hopeless=status in _HOPELESS, raw=text, status=status
    )


def _error_reason(text: str) -> str:
    """Return what an answer gives as the reason of an error, as engines and models do; else the whole of it.

    Examples
    --------
    >>> _error_reason('{"error": {"root_cause": [{"reason": "no such index"}]}}'), _error_reason("Bad gateway")
    ('no such index', 'Bad gateway')
    """
    with contextlib.suppress(ValueError, TypeError, KeyError, IndexError):
        error = json.loads(text)["error"]
        if isinstance(error, str):
            return error
        cause = error.get("root_cause") or [error]
        return str(cause[0].get("reason") or error.get("reason") or error.get("message") or error["msg"])
    return text


def _same_host(url: str, there: str) -> str:
    """Return where a redirect leads; a SearchError if that is another host."""
    try:
        target = urljoin(url, there)
        here, other = urlsplit(url), urlsplit(target)
        _ = other.port
    except ValueError:
        raise SearchError(f"redirects to {visible_lines(there)}, which is no address", hopeless=True) from None
    if (here.scheme, here.netloc) != (other.scheme, other.netloc):
        place = f"{other.scheme}://{other.hostname}" + (f":{other.port}" if other.port else "")
        raise SearchError(
            f"redirects to {place}, which is not followed. If it is the engine, give its address", hopeless=True
        )
    return target


def _error_text(error: BaseException) -> str:
    """Return what a library says, or else which of its errors it is."""
    if isinstance(error, _import_aiohttp().ClientPayloadError):
        coded = isinstance(error.__cause__ or error.__context__, _import_aiohttp().http_exceptions.ContentEncodingError)
        return "the answer is not compressed as its header says" if coded else "the answer was cut off before its end"
    text = " ".join(str(error).split()).replace(" ssl:default", "")
    return visible_lines(text) or type(error).__name__


# Services.


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

    def __init__(self, address: Address, wishes: SearchOptions) -> None:
        self.kind, self.address, self.wishes = address.kind, address.text, wishes
        self.url = expand_variables(address.url) if wishes.secrets else address.url
        self.key = address.options.get("id", "")
        asked = address.options.get("sign", "")
        self._signer = Signer(asked, address.host) if asked else None
        own = any(name.lower() == "authorization" for name in wishes.headers)
        if self._signer and (wishes.user or own):
            raise UsageError(
                f"{address.text}: sign={asked} and {'a user' if wishes.user else 'a header'} both say who asks."
            )
        looked_up = wishes.secrets and not asked
        self._asks = credentials(
            wishes.headers, wishes.user, address.host if looked_up else "", address.url if wishes.secrets else ""
        )
        self._client = Client(wishes, self._asks.headers, address.host, self._signature_headers)

    @abstractmethod
    def request(self, values: Values) -> Request:
        """Return the request for a query."""

    @abstractmethod
    def parse_hits(self, document: Any) -> SearchHits:
        """Return what an answer contains.

        Raises
        ------
        SearchError
            If it is an answer to another question, an error, or only a part of an answer.
        """

    def _signature_headers(self, request: Request) -> Mapping[str, str]:
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

    async def ask(self, values: Values) -> SearchHits:
        """Send the request for a query and read its answer."""
        answer = await self._client.send(self.request(values))
        return self._read_answer(parse_json(answer.text), answer)

    def _read_answer(self, document: Any, answer: HttpResponse) -> SearchHits:
        try:
            found = check_hits(self.parse_hits(document))
        except SearchError as error:
            error.raw = answer.text
            raise
        except (TypeError, ValueError, AttributeError, LookupError) as error:
            raise SearchError(visible_lines(f"an answer of another form: {error}"), raw=answer.text) from None
        return replace(found, latency=answer.latency, raw=answer.text)

    def hits(self, items: Iterable[Any], read: Callable[[Any], tuple[Any, float | None, Any]]) -> SearchHits:
        """Return hits with the fields that were asked for.

        Parameters
        ----------
        read
            Returns the id, the score and the fields of one.

        Raises
        ------
        SearchError
            If one has no id.
        """
        every = [read(item) for item in items]
        if any(key is None for key, _, _ in every):
            raise SearchError(
                f"a document without {self.key or 'an id'}. Say which field it is: ?id=NAME", hopeless=True
            )
        fields = self.wishes.fields
        documents = {key: select_fields(source or {}, fields) for key, _, source in every} if fields else {}
        return SearchHits([(key, score) for key, score, _ in every], documents)

    async def fetch_json(self, path: str) -> Any:
        """Return the JSON at a path below the address; {} if there is none to be had.

        Raises
        ------
        SearchError
            If the engine does not answer, or lets nobody in.
        """
        try:
            return parse_json((await self._client.send(Request("GET", path, {}))).text)
        except SearchError as error:
            if error.status in (None, 401):
                raise
            return {}

    def describe_request(self, values: Values) -> str:
        """Return the request for a query as text, without anything secret."""
        request = self.request(values)
        signed = {"Authorization": self._signer.shown} if self._signer else {}
        headers = {**self._asks.shown, **signed, **request.headers}
        lines = [f"{request.method} {request.url}", *(f"{name}: {value}" for name, value in headers.items())]
        body = request.body.decode()
        return self.without_secrets("\n".join([*lines, *(["", body] if body else [])]))

    @property
    def secrets(self) -> frozenset[str]:
        """Passwords, tokens and keys, which must not be seen."""
        return self._asks.secrets | (self._signer.secrets if self._signer else frozenset())

    def root(self, path: str) -> str:
        """Return the address of a path on this host."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc, path, "", ""))

    def below(self, path: str) -> str:
        """Return the address of a path below this one."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/{path}", parts.query, ""))


def parse_json(text: str) -> Any:
    """Return a text as JSON.

    Raises
    ------
    SearchError
        If it is none.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        begin = visible_lines(" ".join(text[:_SHOWN].split()))
        raise SearchError(f"the answer is not JSON ({error}): {begin}", raw=text) from None


# Signatures of AWS.

_HOST = re.compile(r"[\w.-]+\.([a-z]{2}(?:-[a-z]+)+-\d)\.(es|aoss)\.amazonaws\.com(?:\.cn)?", re.IGNORECASE)
_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-\d")
_SERVICE = re.compile(r"[a-z][a-z0-9-]*")
_SIGNED = ("content-type",)


class Signer:
    """Signs requests for a region and a service, with Signature Version 4, by the AWS library.

    Source: AWS General Reference, "Signature Version 4 signing process"; botocore, ``auth.SigV4Auth``, and its chain of
    credentials: the environment, ~/.aws, a role of the machine or the container.

    Parameters
    ----------
    asked
        The option ``sign`` of an address: ``aws``, ``aws:REGION`` or ``aws:REGION:SERVICE``.
    host
        The host, whose name says what the option does not.

    Raises
    ------
    UsageError
        If neither says the region, or the option is another.

    Examples
    --------
    >>> signer = Signer("aws", "search-shop-x1.eu-west-1.es.amazonaws.com")
    >>> signer.region, signer.service
    ('eu-west-1', 'es')
    """

    def __init__(self, asked: str, host: str) -> None:
        kind, *rest = asked.split(":")
        found = _HOST.fullmatch(host)
        self.region = rest[0] if rest else found[1].lower() if found else ""
        self.service = rest[1] if len(rest) > 1 else found[2].lower() if found else "es"
        known = _REGION.fullmatch(self.region) and _SERVICE.fullmatch(self.service)
        if kind != "aws" or len(rest) > 2 or not known:
            raise UsageError(
                f"sign={asked}: which region? Write sign=aws:REGION, or sign=aws:REGION:SERVICE, such as "
                "sign=aws:eu-west-1:es for OpenSearch Service and sign=aws:eu-west-1:aoss for OpenSearch Serverless."
            )
        self.secrets: set[str] = set()
        """What must not be seen; temporary keys are added as they come."""
        self._credentials: Any = None

    @property
    def shown(self) -> str:
        """The header Authorization as it may be shown."""
        return f"AWS4-HMAC-SHA256 (signed for {self.service} in {self.region})"

    def open(self) -> None:
        """Find the credentials.

        Raises
        ------
        UsageError
            If there are none, or the AWS library is not installed.
        """
        try:
            from botocore.exceptions import BotoCoreError
            from botocore.session import Session
        except ImportError:
            raise UsageError(
                "Signing requests for AWS needs botocore. Install it: pip install 'idealrank[aws]' (in a clone: pip "
                "install '.[aws]')."
            ) from None
        try:
            self._credentials = Session().get_credentials()
        except BotoCoreError as error:
            raise UsageError(f"The credentials for AWS cannot be read: {error}.") from None
        if self._credentials is None:
            raise UsageError(
                "There are no credentials for AWS. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile: "
                "export AWS_PROFILE=…"
            )
        self._current_credentials()

    def _current_credentials(self) -> Any:
        """Return the credentials of this moment; those of a role are renewed before they end."""
        now = self._credentials.get_frozen_credentials()
        self.secrets.update(filter(None, (now.secret_key, now.token)))
        return now

    def headers(self, request: Request) -> Mapping[str, str]:
        """Return the headers that sign a request as it is sent now."""
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest

        mine = {name: value for name, value in request.headers.items() if name.lower() in _SIGNED}
        # OpenSearch Serverless wants the hash of the body as a header, too.
        body = {"X-Amz-Content-SHA256": hashlib.sha256(request.body).hexdigest()}
        signed = AWSRequest(request.method, request.url, headers={**mine, **body}, data=request.body)
        SigV4Auth(self._current_credentials(), self.service, self.region).add_auth(signed)
        return {name: value for name, value in signed.headers.items() if name not in mine}
