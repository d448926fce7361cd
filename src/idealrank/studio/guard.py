"""The guard of the studio: who may ask, and what a page may do."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable
from urllib.parse import parse_qsl, quote, unquote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN = "token"
"""The parameter, and the cookie, that holds the token of a studio other machines can reach."""
MOST_BYTES = 256 * 1024 * 1024
"""Of a request: what is larger is refused before it is read."""

Refuse = Callable[[Request, int, str], Response]
"""Makes the page that says what was wrong, and what to do."""


class Guard:
    """Lets through what comes from the studio's own pages, and refuses everything else.

    A page of another site can make this browser ask the studio: by its own name that suddenly points here (DNS
    rebinding; it shows in Host), by a form (CSRF; it shows in Origin), or as a picture, a script or a frame of its own
    (it shows in Sec-Fetch-Site). All are refused; a link from elsewhere that somebody follows is not.

    Parameters
    ----------
    hosts
        The names, with their port, under which the studio is reached; none: any, which needs a token.
    token
        What whoever asks must know; "" for a studio that only this machine can reach.
    pictures
        Says whether pictures of other hosts may be shown.
    """

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str], token: str, pictures: Callable[[], bool], refuse: Refuse
    ) -> None:
        self.app, self.hosts, self.token, self.pictures, self.refuse = app, frozenset(hosts), token, pictures, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        answer = self._refused(request) or self._entered(request)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._secure(MutableHeaders(scope=message))
            await send(message)

        await (answer or self.app)(scope, _limited(request, receive), guarded)

    def _refused(self, request: Request) -> Response | None:
        host, headers = request.headers.get("host", ""), request.headers
        if self.hosts and host.lower() not in self.hosts:
            what = f"The studio is not called {host!r}. Open the address that it printed when it started."
            return self.refuse(request, 421, what)
        is_foreign = _is_of_another_page(headers)
        if is_foreign if request.method in ("GET", "HEAD") else not _is_own(headers, host):
            what = "This request came from another page than the studio's own. Open the studio, and do it there."
            return self.refuse(request, 403, what)
        if int(headers.get("content-length") or 0) > MOST_BYTES:
            return self.refuse(request, 413, _too_large())
        return None

    def _entered(self, request: Request) -> Response | None:
        """Let in who knows the token: it is given once, and then kept in a cookie."""
        if not self.token or request.url.path.startswith("/assets/"):
            return None
        given = request.query_params.get(TOKEN)
        if given is not None and secrets.compare_digest(given.encode(), self.token.encode()):
            rest = urlencode([pair for pair in parse_qsl(request.url.query) if pair[0] != TOKEN])
            path = f"/{request.url.path.lstrip('/')}"  # a browser reads "//name" as another host
            answer = RedirectResponse(f"{path}{'?' if rest else ''}{rest}", 303)
            answer.set_cookie(TOKEN, quote(self.token, safe=""), httponly=True, samesite="strict")
            return answer
        # Not read by `SimpleCookie`: it stops at what it does not know, as at a cookie of another program of this host.
        cookie = request.cookies.get(TOKEN)
        if cookie is not None and secrets.compare_digest(unquote(cookie).encode(), self.token.encode()):
            return None
        return self.refuse(request, 401, "This studio asks for its token. Open the whole address that it printed.")

    def _secure(self, headers: MutableHeaders) -> None:
        images = "'self' data: https:" if self.pictures() else "'self' data:"
        headers["Content-Security-Policy"] = (
            f"default-src 'none'; script-src 'self'; style-src 'self'; img-src {images}; connect-src 'self'; "
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
        headers["X-Content-Type-Options"] = "nosniff"
        # Without any referrer, browsers would not say of a form that it is the studio's own.
        headers["Referrer-Policy"] = "same-origin"
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        headers.setdefault("Cache-Control", "no-store")


def _is_own(headers: Headers, host: str) -> bool:
    """Say whether a page of the studio sent this; browsers name the page's origin whenever they send a form."""
    origin = headers.get("origin", "")
    return origin.partition("://")[2] == host and origin.partition("://")[0] in ("http", "https")


def _is_of_another_page(headers: Headers) -> bool:
    """Say whether a page of another origin asked for this as a part of itself, or ahead of its time.

    Browsers say who asks; what says nothing is no browser, or an old one.
    """
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return False
    navigates = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return not navigates or _is_ahead(headers)


def is_opened(request: Request) -> bool:
    """Say whether somebody opened a page by this, or the studio's own script asks for a part of it.

    A picture of a document may be an address of the studio's own: nobody looks at the page that is there.
    """
    headers = request.headers
    wanted = headers.get("sec-fetch-dest", "document")
    by_script = wanted == "empty" and headers.get("sec-fetch-site") == "same-origin"
    return request.method == "GET" and (wanted == "document" or by_script) and not _is_ahead(headers)


def _is_ahead(headers: Headers) -> bool:
    """Say whether a browser fetches this before anybody asks for it."""
    return "prefetch" in headers.get("sec-purpose", headers.get("purpose", ""))


def _too_large() -> str:
    return f"The file is larger than {MOST_BYTES // 1024**2} MB, the most a page can send. Name it on the command line."


class TooLargeError(Exception):
    """A body was longer than it may be."""

    def __str__(self) -> str:
        return _too_large()


def _limited(request: Request, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """Count the bytes that come: a request need not say how many there are."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BYTES:
            raise TooLargeError
        return message

    return counted
