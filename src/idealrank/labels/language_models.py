"""Language models that are asked for grades: a chat endpoint over HTTP, or a function, asked as engines are."""

from __future__ import annotations

import inspect
import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from idealrank.engines.credentials import credentials, expand_variables, refuse_password, refuse_secrets_in_address
from idealrank.engines.engine import Engine, SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.http import JSON_TYPE, Client, Request, parse_json
from idealrank.errors import UsageError, either, option, visible_lines

OPENAI = "https://api.openai.com/v1"
"""Where models are asked if nothing else is said: neither an address nor OPENAI_BASE_URL."""

_KEY = "OPENAI_API_KEY"
_COMPLETIONS = "/chat/completions"
_NO_SCHEMA = re.compile(r"response_format|json_schema|grammar", re.IGNORECASE)
_FILTERED = re.compile(r'"content_filter"|"content_policy_violation"')


@dataclass(frozen=True)
class Completion:
    """What a model answered.

    Attributes
    ----------
    text
        What it says; "" for nothing.
    refusal
        Why it does not answer, in its words; "" if it did.
    cut
        Whether its answer ended at the most tokens it may have.
    tokens_in, tokens_out, tokens_cached
        Tokens read, written, and read from the server's cache; None if the server does not say.
    """

    text: str
    refusal: str = ""
    cut: bool = False
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None


def read_completion(raw: str) -> Completion:
    """Read the answer of a chat endpoint.

    Source: OpenAI, API reference, "The chat completion object".

    Raises
    ------
    SearchError
        If it is none.

    Examples
    --------
    >>> read_completion('{"choices": [{"message": {"content": "Hi"}}], "usage": {"prompt_tokens": 7}}')
    Completion(text='Hi', refusal='', cut=False, tokens_in=7, tokens_out=None, tokens_cached=None)
    """
    document = parse_json(raw)
    try:
        choice = document["choices"][0]
        message = choice["message"]
        text = _content(message.get("content"))
        refusal, end = message.get("refusal") or "", choice.get("finish_reason")
        usage = document.get("usage") or {}
        details = usage.get("prompt_tokens_details") or {}
        counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"), details.get("cached_tokens"))
    except (TypeError, LookupError, AttributeError):
        raise SearchError("an answer of another form: no choices with a message", raw=raw) from None
    if end == "content_filter" and not refusal:
        refusal = "stopped by the content filter"
    return Completion(text, str(refusal), end == "length", *map(_count, counts))


def _content(content: Any) -> str:
    """Return the text of a message, which may be in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content)
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


class ChatModel(Engine):
    """A language model behind an OpenAI-compatible chat endpoint.

    Parameters
    ----------
    model
        Its name.
    base_url
        The address up to ``/chat/completions``; "": OPENAI_BASE_URL, or OpenAI.
    params
        What is sent beside the messages.
    wishes
        Headers, time and certificates. The key of OPENAI_API_KEY is sent where no header says who asks.

    Raises
    ------
    UsageError
        If the address is none, or a secret is written out.
    """

    kind = "chat"

    def __init__(self, model: str, base_url: str, params: Mapping[str, Any], wishes: SearchOptions) -> None:
        self.model, self._params = model, params
        base = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            way = option("base_url", "http://localhost:8080/v1", "base-url")
            raise UsageError(f"{visible_lines(base)}: no address of a model. Write {way}.")
        refuse_password(base, parts.password)
        refuse_secrets_in_address(parse_qsl(parts.query))
        path = parts.path.rstrip("/").removesuffix(_COMPLETIONS) + _COMPLETIONS
        self.address = urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))
        self._url = expand_variables(self.address)
        headers = dict(wishes.headers)
        if not headers and os.environ.get(_KEY):
            headers["Authorization"] = f"Bearer ${{{_KEY}}}"
        self._asks = credentials(headers, wishes.user, parts.hostname, base)
        self._client = Client(wishes, self._asks.headers, parts.hostname, lambda request: {})

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that it is given."""
        return frozenset({"prompt"})

    def describe_request(self, values: Values) -> str:
        """Return the request for a pair as text, without the key."""
        request = self._request(values)
        headers = {**self._asks.shown, **request.headers}
        lines = [f"{request.method} {self.address}", *(f"{name}: {value}" for name, value in headers.items())]
        return self.without_secrets("\n".join([*lines, "", request.body.decode()]))

    def _request(self, values: Values) -> Request:
        # Parameters first and the prompt, which ends in query and document, last: what is the same stays in front.
        body = {"model": self.model, **self._params, "messages": [{"role": "user", "content": values["prompt"]}]}
        return Request("POST", self._url, JSON_TYPE, json.dumps(body, ensure_ascii=False).encode())

    async def open(self) -> None:
        """Connect."""
        await self._client.open()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def ask(self, values: Values) -> SearchHits:
        """Send a prompt; the completion is in what is returned as it came."""
        try:
            answer = await self._client.send(self._request(values))
        except SearchError as error:
            if error.status in (400, 403) and _FILTERED.search(error.raw):
                return SearchHits((), raw=refused(str(error)))
            if error.status in (400, 422, 501) and _NO_SCHEMA.search(error.raw):
                way = either("structured=False", "--no-schema")
                raise SearchError(
                    f"{error}. If the server knows no response_format: {way}", hopeless=True, status=error.status
                ) from None
            raise
        read_completion(answer.text)
        return SearchHits((), latency=answer.latency, raw=answer.text)

    @property
    def secrets(self) -> frozenset[str]:
        """Passwords, tokens and keys, which must not be seen."""
        return self._asks.secrets


def refused(why: str) -> str:
    """Return a completion that is a refusal."""
    return json.dumps({"choices": [{"message": {"content": None, "refusal": why}}]})


class AskedFunction(Engine):
    """A function from a prompt to an answer: a text, or a dict with grade and reason.

    A coroutine function (``async def``) is asked for as many at the same time as were asked for.
    """

    kind = "python"

    def __init__(self, ask: Callable[[str], Any]) -> None:
        self._ask = ask
        call = getattr(ask, "__call__", None)  # noqa: B004 - an object whose call is a coroutine function
        self.alone = not (inspect.iscoroutinefunction(ask) or inspect.iscoroutinefunction(call))

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that it is given."""
        return frozenset({"prompt"})

    def describe_request(self, values: Values) -> str:
        """Return the call for a pair."""
        return f"ask({values['prompt']!r})"

    async def ask(self, values: Values) -> SearchHits:
        """Call the function."""
        begin = time.perf_counter()
        try:
            answer = self._ask(values["prompt"])
            if not self.alone:
                answer = await answer
            text = answer if isinstance(answer, str) or answer is None else _as_json(answer)
        except SearchError:
            raise
        except Exception as error:  # a user's function may raise anything; the pair is counted as failed
            message = visible_lines(f"{type(error).__name__}: {error}")
            raise SearchError(message, timed_out=isinstance(error, TimeoutError)) from None
        raw = json.dumps({"choices": [{"message": {"content": text}}]})
        return SearchHits((), latency=(time.perf_counter() - begin) * 1000, raw=raw)


def _as_json(answer: Any) -> str:
    if inspect.iscoroutine(answer):
        answer.close()
        raise SearchError("the function returned something to be awaited. Define it with async def", hopeless=True)
    if not isinstance(answer, Mapping):
        raise SearchError(f"the function returned {type(answer).__name__}, not the text of an answer", hopeless=True)
    return json.dumps(answer)


def grade_schema(scale: Sequence[int]) -> dict[str, Any]:
    """Return the format of an answer with a grade of a scale, for servers that keep to one.

    Source: OpenAI, "Structured model outputs"; llama.cpp, tools/server/README.md.
    """
    properties = {"grade": {"type": "integer", "enum": list(scale)}, "reason": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "required": ["grade", "reason"]}
    form = {"name": "judgment", "strict": True, "schema": {**schema, "additionalProperties": False}}
    return {"type": "json_schema", "json_schema": form}
