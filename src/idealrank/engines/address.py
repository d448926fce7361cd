"""The address of an engine, NAME=KIND+URL?template=FILE, and its parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from idealrank.engines.credentials import refuse_password, refuse_secrets_in_address
from idealrank.engines.templates import Template
from idealrank.errors import DataError, UsageError

_NAMED = re.compile(r"([^=/?:+]+)=([a-z]+(?:\+https?)?:.*)", re.DOTALL)
_KIND = re.compile(r"([a-z]+)(?:\+(https?))?:(.*)", re.DOTALL)


class Kind(NamedTuple):
    """A kind of engine.

    Attributes
    ----------
    module
        The file that makes it.
    example
        What follows the first word in an address of it.
    options
        The parameters of its addresses that are for idealrank.
    web
        Whether it is at http:// or https://.
    """

    module: str
    example: str
    options: tuple[str, ...]
    web: bool = True


@dataclass(frozen=True)
class Address:
    """An address of an engine.

    Attributes
    ----------
    text
        As it was given, without the name.
    name
        The name that was given to the system; "" for none.
    kind
        The first word: opensearch, solr, sqlite, …
    url
        The rest without the options: ``http://host/path?query``, or what follows the colon.
    options
        The parameters that are for idealrank and not for the engine.
    secrets
        Whether variables of the environment, passwords and the proxies of the environment are for it.
    """

    text: str
    name: str
    kind: str
    url: str
    options: Mapping[str, str]
    secrets: bool = True

    @property
    def host(self) -> str:
        """The host's name; "" if there is none."""
        return urlsplit(self.url).hostname or ""

    @property
    def folder(self) -> str:
        """The path, without slashes around it: the index, the collection."""
        return urlsplit(self.url).path.strip("/")

    def template(self, default: str = "") -> Template:
        """Return the template of the options, or the engine's own.

        Raises
        ------
        DataError
            If the file cannot be read.
        UsageError
            If there is none, and the engine has none of its own.
        """
        file = self.options.get("template", "")
        if not file:
            if not default:
                raise UsageError(f"{self.text}: which query? Name a template: {self.text}?template=FILE.")
            return Template(self.system, default)
        try:
            text = Path(file).read_text(encoding="utf-8-sig")
        except OSError as error:
            why = f"the template cannot be read: {error.strerror}. Name a file: ?template=FILE"
            raise DataError(f"{file}: {why}.") from None
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise DataError(f"{file} line {line}: the template is not UTF-8. Write it anew in UTF-8.") from None
        return Template(self.system, text, file)

    @property
    def system(self) -> str:
        """The system's name: the one that was given, else that of the template, the index or the function."""
        if self.name:
            return self.name
        if self.host and "template" not in self.options:
            return self.folder.rpartition("/")[2] or self.kind
        last = self.options.get("template", "") or self.url
        return Path(last.rpartition(":")[2]).stem or self.kind


def parse_address(text: str, kinds: Mapping[str, Kind]) -> Address:
    """Return an address taken apart.

    Raises
    ------
    UsageError
        If the kind is not known, or the address contains a password.
    """
    named = _NAMED.fullmatch(text)
    name, rest = (named[1].strip(), named[2]) if named else ("", text)
    found = _KIND.fullmatch(rest)
    kind = found[1] if found else ""
    if found is None or kind not in kinds or kinds[kind].web != bool(found[2]):
        raise UsageError(_unknown_address(text, kinds))
    url = f"{found[2]}:{found[3]}" if found[2] else found[3]
    parts = _split_url(url if found[2] else f"{kind}:{found[3]}", rest)
    refuse_password(rest, parts.password)
    whole, _, asked = url.partition("?")
    pairs = parse_qsl(asked, keep_blank_values=True)
    refuse_secrets_in_address(pairs)
    options = {key: value for key, value in pairs if key in kinds[kind].options}
    others = urlencode([pair for pair in pairs if pair[0] not in kinds[kind].options], safe="{}$", quote_via=quote)
    return Address(rest, name, kind, whole + (f"?{others}" if others else ""), options)


def _split_url(url: str, text: str) -> SplitResult:
    """Return the parts of a URL; its port is looked at, since it is a number or the URL is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise UsageError(f"{text}: not the address of an engine: {error}.") from None
    return parts


def _unknown_address(text: str, kinds: Mapping[str, Kind]) -> str:
    """Say what an address looks like, and what this one may be meant for."""
    if re.match(r"https?://", text):
        web = [name for name, kind in kinds.items() if kind.web]
        return f"{text}: which engine is there? Say it: {', '.join(f'{name}+{text}' for name in web)}."
    known = ", ".join(f"{name}{kind.example}" for name, kind in kinds.items())
    return f"{text}: not the address of an engine. Known: {known}."
