"""Credentials: passwords and tokens from the environment or a netrc, and texts without them."""

from __future__ import annotations

import base64
import functools
import html.entities
import netrc
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idealrank.errors import UsageError, visible

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_SECRET = re.compile(r"authorization|cookie|key|token|secret|password|pwd", re.IGNORECASE)
_PARAMETER = re.compile(r"(?:.*[_\-.])?(?:apikey|key|token|secret|password|pwd)", re.IGNORECASE)
_LINE_END = re.compile(r"[\r\n\0]")
_HIDDEN = "***"
_AND = r"(?:&|\\+u0026)(?:amp;)?"
_BEGINS = r"&%+?\\\x80-\U0010ffff"
_LOST = r"[?\ufffd]{1,4}"
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


def hide(value: Any, secrets: Iterable[str]) -> Any:
    """Return a value of JSON with ``***`` in place of every secret in any of its texts, however it is spelled.

    Examples
    --------
    >>> hide({"error": "no such key: s3cret%2F", "tries": [1, "s3cret/"]}, ["s3cret/"])
    {'error': 'no such key: ***', 'tries': [1, '***']}
    """
    hidden = frozenset(secret for secret in secrets if len(secret) >= _SHORTEST)
    return _substitute(secrets_pattern(hidden), value) if hidden else value


def _substitute(pattern: re.Pattern[str], value: Any) -> Any:
    if isinstance(value, str):
        return pattern.sub(_HIDDEN, value)
    if isinstance(value, dict):
        return {_substitute(pattern, name): _substitute(pattern, each) for name, each in value.items()}
    return [_substitute(pattern, each) for each in value] if isinstance(value, (list, tuple)) else value


def credentials(headers: Mapping[str, str], user: str, host: str, address: str = "") -> Credentials:
    """Return the credentials for a host: of the headers given, of a user, or of the netrc.

    Raises
    ------
    UsageError
        If a secret is written out, or a variable is not set.
    """
    for name, value in headers.items():
        if _SECRET.search(name) and not _VARIABLE.search(value):
            raise _written_out_error(f"the header {name}", _advice(f"--header '{name}: ${{MY_SECRET}}'"))
    full = {name: expand_variables(value) for name, value in headers.items()}
    broken = next((name for name, value in full.items() if _LINE_END.search(f"{name}{value}")), None)
    if broken is not None:
        raise UsageError(f"The header {visible(broken)} contains the end of a line. Write each header on its own.")
    shown = dict(headers)
    pair = _name_and_password(user, host, headers)
    secrets = {
        expand_variables(found[0])
        for value in (*headers.values(), user, address)
        for found in _VARIABLE.finditer(value)
    }
    if pair:
        coded = base64.b64encode(":".join(pair).encode()).decode()
        full["Authorization"], shown["Authorization"] = f"Basic {coded}", f"Basic (of {pair[0]})"
        secrets |= {pair[1], coded, coded.rstrip("=")}
    return Credentials(full, shown, frozenset(secrets))


def _name_and_password(user: str, host: str, headers: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the name and the password; None if nobody says who is asking."""
    if user:
        name, colon, password = user.partition(":")
        if not colon or not _VARIABLE.fullmatch(password):
            raise _written_out_error("the password", _advice(f"--user '{name}:${{MY_PASSWORD}}'"))
        return expand_variables(name), expand_variables(password)
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


@functools.lru_cache(64)
def secrets_pattern(secrets: frozenset[str]) -> re.Pattern[str]:
    r"""Return the pattern of some secrets in every spelling in which an engine may repeat them.

    Each character may be escaped as in JSON, HTML or an address, or be the bytes of its UTF-8 read as Latin-1 or as
    Windows-1252, or have been replaced, if it is not of ASCII.

    Examples
    --------
    >>> found = secrets_pattern(frozenset({"a/b+Ö"}))
    >>> echoed = ["x a/b+Ö", r"a\/b\u002b\u00d6", "a%2fb%2B%c3%96", "a/b&#43;&Ouml;", "a/b+Ã–"]
    >>> [found.sub("***", text) for text in echoed]
    ['x ***', '***', '***', '***', '***']
    """
    every = sorted(secrets, key=len, reverse=True)
    firsts = "".join(re.escape(secret[0]) for secret in every)  # most places of a text are passed over by this alone
    return re.compile(
        f"(?=[{firsts}{_BEGINS}])(?:{'|'.join(''.join(map(_character_pattern, secret)) for secret in every)})"
    )


@functools.lru_cache(4096)
def _character_pattern(sign: str) -> str:
    """Return the pattern of a character in every spelling."""
    if sign.isascii():
        return f"(?:{'|'.join(_escaped_forms(sign))})"
    ways = _escaped_forms(sign)
    for coding in ("latin-1", "cp1252"):
        misread = sign.encode("utf-8", "surrogatepass").decode(coding, "replace")
        ways += ["".join(f"(?:{'|'.join(_escaped_forms(each))})" for each in misread)]
    return f"(?:{'|'.join([*ways, _LOST])})"


def _escaped_forms(sign: str) -> list[str]:
    """Return the patterns of a character: itself, and escaped."""
    units = sign.encode("utf-16-be", "surrogatepass")
    pairs = [units[place : place + 2].hex() for place in range(0, len(units), 2)]
    codings = {sign.encode(coding, "ignore") for coding in ("utf-8", "latin-1")} - {b""}
    percents = ["".join(f"%{_hex_pattern(f'{byte:02x}')}" for byte in coded) for coded in codings]
    number = ord(sign)
    return [
        *([rf"\\+{re.escape(sign)}"] if sign in "\"\\/'" else []),
        "".join(rf"\\+u{_hex_pattern(pair)}" for pair in pairs),
        *([rf"\\+x{_hex_pattern(f'{number:02x}')}"] if number < 256 else []),
        *percents,
        *(percent.replace("%", "%25") for percent in percents),
        *([r"\+"] if sign == " " else []),
        rf"{_AND}#0*{number};",
        rf"{_AND}#[xX]0*{_hex_pattern(f'{number:x}')};",
        *(f"{_AND}{name}" for name, value in html.entities.html5.items() if value == sign and name[-1] == ";"),
        re.escape(sign),  # last: it may be the beginning of the others
    ]


def _hex_pattern(digits: str) -> str:
    """Return the pattern of digits in either case."""
    return "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits)


def expand_variables(text: str) -> str:
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
        way = database if address.startswith("postgresql:") else _advice("--user 'NAME:${MY_PASSWORD}'")
        raise _written_out_error(f"the password in {hidden}", way)


def refuse_secrets_in_address(parameters: Sequence[tuple[str, str]]) -> None:
    """Refuse parameters of an address that are keys or tokens written out.

    Raises
    ------
    UsageError
        If there is one.
    """
    for name, value in parameters:
        if _PARAMETER.fullmatch(name) and value and "{" not in value:
            raise _written_out_error(f"the parameter {name}", f"{name}=${{MY_SECRET}}, in single quotes")


def _written_out_error(what: str, way: str) -> UsageError:
    return UsageError(f"{what[0].upper()}{what[1:]} is written out; it would stand in the shell's history. {way}")


def _advice(option: str) -> str:
    return (
        f"Keep it in a variable of the environment and write {option}, in single quotes; or keep a name and a password "
        "in ~/.netrc."
    )
