"""Credentials: passwords and tokens from the environment or a netrc, and texts without them."""

from __future__ import annotations

import base64
import json
import netrc
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from idealrank.errors import UsageError, visible

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_SECRET = re.compile(r"authorization|cookie|key|token|secret|password|pwd", re.IGNORECASE)
_PARAMETER = re.compile(r"(?:.*[_\-.])?(?:apikey|key|token|secret|password|pwd)", re.IGNORECASE)
_LINE_END = re.compile(r"[\r\n\0]")
_HIDDEN = "***"
_SHORTEST = 4
"""Characters of the shortest secret that is hidden: shorter ones are parts of ordinary words and numbers."""


@dataclass(frozen=True)
class Credentials:
    """The headers that say who is asking.

    Attributes
    ----------
    headers
        All headers, secrets included.
    shown
        The same with names of variables in the place of secrets.
    secrets
        What must not be seen.
    """

    headers: Mapping[str, str]
    shown: Mapping[str, str]
    secrets: frozenset[str]

    def hidden(self, text: str) -> str:
        """Return a text with ``***`` in the place of every secret."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, _HIDDEN)
        return text


def credentials(headers: Mapping[str, str], user: str, host: str, address: str = "") -> Credentials:
    """Return the credentials for a host: of the headers given, of a user, or of the netrc.

    Raises
    ------
    UsageError
        If a secret is written out, or a variable is not set.
    """
    for name, value in headers.items():
        if _SECRET.search(name) and not _VARIABLE.search(value):
            raise _written_out(f"the header {name}", _way(f"--header '{name}: ${{MY_SECRET}}'"))
    full = {name: expanded(value) for name, value in headers.items()}
    broken = next((name for name, value in full.items() if _LINE_END.search(f"{name}{value}")), None)
    if broken is not None:
        raise UsageError(f"The header {visible(broken)} contains the end of a line. Write each header on its own.")
    shown = dict(headers)
    pair = _pair(user, host, headers)
    secrets = {
        expanded(found[0]) for value in (*headers.values(), user, address) for found in _VARIABLE.finditer(value)
    }
    if pair:
        coded = base64.b64encode(":".join(pair).encode()).decode()
        full["Authorization"], shown["Authorization"] = f"Basic {coded}", f"Basic (of {pair[0]})"
        secrets |= {pair[1], coded}
    written = {quote(secret, safe="") for secret in secrets}
    written |= {json.dumps(secret, ensure_ascii=plain)[1:-1] for secret in secrets for plain in (True, False)}
    return Credentials(full, shown, frozenset(secret for secret in secrets | written if len(secret) >= _SHORTEST))


def expanded(text: str) -> str:
    """Return a text with the variables of the environment in the place of ``${NAME}``.

    Raises
    ------
    UsageError
        If a variable is not set.
    """

    def value(found: re.Match[str]) -> str:
        if not os.environ.get(found[1]):
            raise UsageError(f"The environment has no variable {found[1]}. Set it: export {found[1]}=…")
        return os.environ[found[1]]

    return _VARIABLE.sub(value, text)


def _pair(user: str, host: str, headers: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the name and the password; None if nobody says who is asking."""
    if user:
        name, colon, password = user.partition(":")
        if not colon or not _VARIABLE.fullmatch(password):
            raise _written_out("the password", _way(f"--user '{name}:${{MY_PASSWORD}}'"))
        return expanded(name), expanded(password)
    if any(name.lower() == "authorization" for name in headers):
        return None
    return _from_netrc(host)


def _from_netrc(host: str) -> tuple[str, str] | None:
    file = Path(os.environ.get("NETRC") or Path.home() / ".netrc")
    if not host or not file.is_file():
        return None
    try:
        found = netrc.netrc(str(file)).authenticators(host)
    except (netrc.NetrcParseError, OSError) as error:
        raise UsageError(f"{file}: cannot be read: {error}. Mend it, or name another: NETRC=FILE.") from None
    return None if found is None else (found[0], found[2] or "")


def refuse_password(address: str, password: str | None) -> None:
    """Refuse an address that contains a password.

    Raises
    ------
    UsageError
        If there is one.
    """
    if password:
        hidden = re.sub(r":[^:@/]*@", ":***@", address)
        database = "Keep it in the environment, export PGPASSWORD=…, or in ~/.pgpass."
        way = database if address.startswith("postgresql:") else _way("--user 'NAME:${MY_PASSWORD}'")
        raise _written_out(f"the password in {hidden}", way)


def refuse_written_out(parameters: Sequence[tuple[str, str]]) -> None:
    """Refuse parameters of an address that are keys or tokens written out.

    Raises
    ------
    UsageError
        If there is one.
    """
    for name, value in parameters:
        if _PARAMETER.fullmatch(name) and value and "{" not in value:
            raise _written_out(f"the parameter {name}", f"{name}=${{MY_SECRET}}, in single quotes")


def _written_out(what: str, way: str) -> UsageError:
    return UsageError(f"{what[0].upper()}{what[1:]} is written out; it would stand in the shell's history. {way}")


def _way(option: str) -> str:
    return (
        f"Keep it in a variable of the environment and write {option}, in single quotes; or keep a name and a password "
        "in ~/.netrc."
    )
