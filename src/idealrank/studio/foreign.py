"""What a project may do, which anybody may have written: whom it may ask, what goes there, how its parts may look.

A project file and a folder of results with records of replays are data. All that a studio does because they say so is
allowed here, and nothing else.
"""

from __future__ import annotations

import ipaddress
import math
import re
import socket
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from idealrank.engines.adapters import address_of
from idealrank.engines.address import Address
from idealrank.errors import DataError, IdealrankError, UsageError, either, listed

# Names.

LONGEST_SYSTEM = 200
"""Characters of a system's name."""

LONGEST_FILE = 255
"""Bytes of a file's name, as file systems keep them."""


def refuse_system_name(name: str) -> None:
    """Refuse what no system is called.

    Raises
    ------
    UsageError
        If it is longer than `LONGEST_SYSTEM`, or a character is not visible.
    """
    if len(name) > LONGEST_SYSTEM or not name.isprintable():
        shown = f"{name[:40]}…" if len(name) > 40 else name
        raise UsageError(
            f"A system is called {shown!r}: a name has at most {LONGEST_SYSTEM} characters, all of them visible. Name "
            "it otherwise."
        )


def refuse_file_name(name: str) -> None:
    """Refuse a name under which no file can be kept.

    Raises
    ------
    UsageError
        If it is longer than `LONGEST_FILE`.
    """
    size = len(name.encode("utf-8", "surrogatepass"))
    if size > LONGEST_FILE:
        raise UsageError(f"The name of the file has {size:,} bytes; {LONGEST_FILE} is the most. Rename it.")


# Engines that are asked again.

_WEB = ("opensearch", "elasticsearch", "solr", "vespa", "http")
"""Kinds of engines that the page asks, over the web and in no other way."""

_DATABASE_OPTIONS = ("sslmode", "connect_timeout", "application_name")
"""Of an address of PostgreSQL: others name files, services and further hosts."""

_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
_USER_AND_HOST = re.compile(rf"(?:[A-Za-z0-9._-]+@)?{_HOST.pattern}")
_VARIABLE = re.compile(r"\$\{(\w+)\}")

_COUNTS = {"concurrency": (1, 256), "retries": (0, 100), "batch": (1, 10_000)}
_TIMES = {"rate": 1e6, "timeout": 3600.0}
_TLS = ("verified", "unverified")

_LONGEST_ADDRESS = 4000
_LONGEST_TEMPLATE = 1 << 20


@dataclass(frozen=True)
class Replayable:
    """A system that came from a replay, and whether it can be asked again.

    Attributes
    ----------
    system
        Its name.
    address
        Of the engine, taken apart; None if it is refused.
    template
        The text of its template; "" for the engine's own.
    settings, k
        What filled the template, and how many results were kept.
    limits
        How politely it is asked.
    secrets
        Whether the studio's owner allowed that variables, passwords and signatures go to this host.
    refused
        Why it is not asked; "" if it is.
    """

    system: str
    address: Address | None = None
    template: str = ""
    settings: Mapping[str, Any] | None = None
    k: int = 50
    limits: Mapping[str, Any] | None = None
    secrets: bool = False
    refused: str = ""

    @property
    def origin(self) -> str:
        """Where the engine is: its scheme, host and port; "" for the project's own documents."""
        return "" if self.address is None or self.address.kind == "sqlite" else origin_of(self.address)

    @property
    def variables(self) -> list[str]:
        """The variables of the environment that its address names."""
        return [] if self.address is None else list(dict.fromkeys(_VARIABLE.findall(self.address.url)))


def origin_of(address: Address) -> str:
    """Return scheme, host and port of an address, as the owner of a studio allows them."""
    url = urlsplit(address.url if address.kind != "postgresql" else f"postgresql:{address.url}")
    return f"{url.scheme}://{url.netloc.rpartition('@')[2]}".lower()


def replayable(system: str, record: Any, secrets_to: Collection[str] = ()) -> Replayable:
    """Return what a record of a replay makes of a system: how it is asked again, or why it is not.

    Parameters
    ----------
    record
        As it stands in the project, whoever wrote it.
    secrets_to
        The origins to which the owner of the studio sends secrets.
    """
    try:
        return _replayable(system, record, secrets_to)
    except IdealrankError as error:
        return Replayable(system, refused=str(error))


def _replayable(system: str, record: Any, secrets_to: Collection[str]) -> Replayable:
    if not isinstance(record, dict):
        raise _damaged(system, "it is no object")
    text, template = record.get("address"), record.get("template") or {}
    written = template.get("text") if isinstance(template, dict) else None
    settings = record.get("settings") or {}
    k: Any = record.get("k")
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST_ADDRESS:
        raise _damaged(system, "it has no address")
    if not isinstance(template, dict) or not isinstance(written or "", str) or len(written or "") > _LONGEST_TEMPLATE:
        raise _damaged(system, "its template is no text")
    if not isinstance(settings, dict) or not all(isinstance(one, str | int | float) for one in settings.values()):
        raise _damaged(system, "its settings are neither texts nor numbers")
    if not _is_count(k, 1, 10**9):
        raise _damaged(system, "k is no number of results")
    address = address_of(text)  # first taken apart: a name before it hides no kind
    allowed = origin_of(address) in {one.lower().rstrip("/") for one in secrets_to}
    found = Replayable(system, address, written or "", settings, k, _limits(system, record), allowed)
    _refuse_address(found)
    return found


def _damaged(system: str, what: str) -> DataError:
    return DataError(f"{system}: its record of a replay cannot be used, since {what}. Replay it anew.")


def _limits(system: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return how an engine was asked; it is asked as politely again."""
    found = {name: record[name] for name in (*_COUNTS, *_TIMES, "tls") if record.get(name) is not None}
    for name, value in found.items():
        if name in _COUNTS and not _is_count(value, *_COUNTS[name]):
            least, most = _COUNTS[name]
            raise _damaged(system, f"{name} is no whole number from {least} to {most:,}")
        if name in _TIMES and not (_is_number(value) and 0 < value <= _TIMES[name]):
            raise _damaged(system, f"{name} is no number above 0 up to {_TIMES[name]:,.0f}")
    if found.get("tls", "verified") not in _TLS:  # else it is a file of this machine
        raise _damaged(system, f"tls is neither {' nor '.join(_TLS)}")
    return found


def _refuse_address(asked: Replayable) -> None:
    """Refuse an address that the studio does not ask.

    Raises
    ------
    UsageError
        If it runs code, reads files, or is none of a host; if it asks for secrets that its owner did not allow.
    """
    address = asked.address
    assert address is not None
    if address.kind == "sqlite":
        return  # the project's own documents are read, whatever file it names
    if address.kind == "postgresql":
        _refuse_database(asked, address)
    elif address.kind not in _WEB:
        raise UsageError(
            f"{address.text}: the studio asks engines of the kinds {listed(_WEB, 9)} and sqlite alone, and runs no "
            "function that a project names. Use `idealrank replay`."
        )
    elif not address.url.isprintable() or "\\" in address.url or not _HOST.fullmatch(urlsplit(address.url).netloc):
        raise UsageError(f"{address.text}: not a plain address of a host. Use `idealrank replay`.")
    sent = [
        *(f"the variable {name}" for name in asked.variables),
        *(["a signature"] if "sign" in address.options else []),
    ]
    if sent and not asked.secrets:
        raise UsageError(
            f"{address.text}: this address asks for {listed(sent, 9)} of yours. A project may come from anybody, so "
            f"the studio sends no secret that you did not allow. {allow(asked.origin)}"
        )


def _refuse_database(asked: Replayable, address: Address) -> None:
    url = urlsplit(f"postgresql:{address.url}")
    names = [part.partition("=")[0] for part in url.query.split("&") if part]
    strange = next((name for name in names if name not in _DATABASE_OPTIONS), None)
    if strange is not None or not _USER_AND_HOST.fullmatch(url.netloc) or not address.url.isprintable():
        raise UsageError(f"{address.text}: not a plain address of a database. Use `idealrank replay`.")
    if not asked.secrets:
        raise UsageError(
            f"{address.text}: a database is asked with your password, and may do whatever the template says. "
            f"{allow(asked.origin)}"
        )


def allow(origin: str) -> str:
    """Say how the owner of a studio allows that secrets go to an engine."""
    way = either(f"secrets_to=[{origin!r}]", f"--secrets-to {origin}")
    return f"If you trust both, start the studio with {way}."


def refuse_inner_host(address: Address) -> None:
    """Refuse a host without an engine: the services by which a cloud tells a machine its own secrets.

    Raises
    ------
    UsageError
        If its name leads to a link-local address.
    """
    host = address.host
    with suppress(OSError, UnicodeError):  # whoever asks it says what is wrong with its name
        for *_, place in socket.getaddrinfo(host, None):
            found = ipaddress.ip_address(str(place[0]).partition("%")[0])
            inner = getattr(found, "ipv4_mapped", None) or found
            if inner.is_link_local or inner.is_multicast:
                raise UsageError(
                    f"{address.text}: {host} is {found}, an address of this machine's own network link, where no "
                    "engine is. Use `idealrank replay`."
                )


# Rows of a project.

_COLUMNS: Mapping[str, Collection[str]] = {
    "judgments": ("query", "doc", "grade", "rater", "subtopic", "step", "system", "text", "begin", "end"),
    "results": ("query", "doc", "rank", "score", "system", "step", "text", "begin", "end"),
    "queries": ("query", "text"),
    "documents": ("doc", "title"),
}
"""The roles of tables, and what a reader of each is told: the names of these columns, and nothing else."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_STATES = ("graded", "cannot tell", "later")

MOST_JSON = 1 << 24
"""Characters of a value in JSON."""


def is_sha256(text: object) -> bool:
    """Whether it is a SHA-256 as a project writes it: nothing else names a content."""
    return isinstance(text, str) and _SHA256.fullmatch(text) is not None


def source_fault(role: Any, name: Any, file: Any, sha256: Any, options: Any) -> str:
    """Return what is wrong with a row of a table that a project kept; "" for nothing."""
    if role not in _COLUMNS or not _is_text(name, 10_000):
        return "it is of no role that a table has"
    if not _is_text(file, LONGEST_FILE) or not file.isprintable() or "/" in file or "\\" in file or not file:
        return "it names no file"
    if not is_sha256(sha256):
        return "it names no content"
    columns = options.get("columns") if isinstance(options, dict) else None
    if not isinstance(columns, dict) or not all(
        column in _COLUMNS[role] and _is_column(names) for column, names in columns.items()
    ):
        return "it does not say how it was read"
    systems = options.get("systems", [])
    if not isinstance(systems, list) or not all(_is_text(one, 10_000) for one in systems):
        return "its systems have no names"
    if role == "results" and (not systems or len(set(systems)) < len(systems)):
        return "it names no systems"
    return ""


def setting_fault(name: str, value: Any) -> str:
    """Return what is wrong with a setting of a project; "" for nothing."""
    if value is None or name not in _SETTINGS:
        return ""
    is_right, what = _SETTINGS[name]
    return "" if is_right(value) else f"it is not {what}"


def _is_scale(value: Any) -> bool:
    rows = (
        isinstance(value, list) and len(value) <= 10 and all(isinstance(row, list) and len(row) == 2 for row in value)
    )
    return (
        rows
        and all(_is_number(grade) and _is_text(word, 10_000) for grade, word in value)
        and len({grade for grade, _ in value}) == len(value)
    )


def _is_measure(value: Any) -> bool:
    from idealrank.measures import measure

    return _is_accepted(measure, value)


def _is_convention(value: Any) -> bool:
    from idealrank.conventions import parse_convention

    return _is_accepted(parse_convention, value)


def _is_accepted(read: Callable[[str], object], value: Any) -> bool:
    try:
        return _is_text(value, 10_000) and read(value) is not None
    except IdealrankError:
        return False


_YES_OR_NO: tuple[Callable[[Any], bool], str] = (lambda value: isinstance(value, bool), "yes or no")
_SETTINGS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "measure": (_is_measure, "a measure"),
    "convention": (_is_convention, "a convention"),
    "scale": (_is_scale, "grades with their words"),
    "overlap": (lambda value: _is_count(value, 0, 10**9), "a number of pairs"),
    "guideline": (lambda value: _is_text(value, 1 << 20), "a text"),
    "suggest": (lambda value: _is_text(value, 10_000), "a rater's name"),
    "shuffle": (lambda value: _is_text(value, 10_000), "a seed"),
    "confirm": _YES_OR_NO,
    "blind": _YES_OR_NO,
    "pictures": _YES_OR_NO,
}
"""The settings that are read: what is right for each, and what it is called."""


def rating_fault(rater: Any, query: Any, doc: Any, state: Any, grade: Any, comment: Any, at: Any) -> str:
    """Return what is wrong with a rating that a project kept; "" for nothing."""
    if not all(isinstance(text, str) for text in (rater, query, doc, comment, at)):
        return "it has no text where one belongs"
    if state not in _STATES:
        return "it neither grades nor says why not"
    if (state == "graded") != _is_number(grade) or (state != "graded" and grade is not None):
        return "its grade is no number"
    return ""


def look_fault(at: Any, used: Any, found: Any) -> str:
    """Return what is wrong with a comparison that a project remembered; "" for nothing."""
    if not isinstance(at, str) or not isinstance(used, dict) or not isinstance(found, dict):
        return "it is no comparison"
    if not all(_is_text(used.get(name), 10_000) for name in ("baseline", "system", "measure")):
        return "it does not say what was compared"
    if not _is_texts(used.get("answers")):
        return "it does not say under which answers"
    numbers = [found.get(name) for name in ("low", "high", "queries")]
    if not isinstance(found.get("difference"), int | float) or not all(
        isinstance(one, int | float | None) for one in numbers
    ):
        return "it has no difference"
    return "" if isinstance(found.get("outcome"), str | None) else "it has no outcome"


def _is_text(value: Any, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest


def _is_column(value: Any) -> bool:
    names = value if isinstance(value, list) else [value]
    return all(name is None or _is_text(name, 10_000) for name in names)


def _is_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(text, 10_000) for pair in value.items() for text in pair)


def _is_number(value: Any) -> bool:
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # a whole number larger than any float
        return False


def _is_count(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
