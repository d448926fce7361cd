"""What a project may do, which anybody may have written: whom it may ask, what goes there, what its rows may be.

A project file and a folder of results with records of replays are data: whom they name is asked only as allowed here,
and a row that is none of the studio's counts for nothing.
"""

from __future__ import annotations

import ipaddress
import json
import math
import re
import socket
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from idealrank.conventions import parse_convention
from idealrank.engines.adapters import address_of
from idealrank.engines.address import Address
from idealrank.errors import DataError, IdealrankError, UsageError, either, listed, visible
from idealrank.measures import measure
from idealrank.studio.kept_files import FOLDER, PATTERN
from idealrank.studio.scale import MOST_GRADES

# Names.

LONGEST_SYSTEM = 200
"""Characters of a system's name."""

LONGEST_FILE = 255
"""Bytes of a file's name, as file systems keep them."""


def refuse_file_name(name: str) -> None:
    """Refuse what no file of a table is called.

    Raises
    ------
    UsageError
        If it is longer than `LONGEST_FILE` bytes, or has control characters.
    """
    if not _is_file_name(name):
        raise UsageError(
            f"A file is called {_shown(name)!r}: a name has at most {LONGEST_FILE} bytes and no control character. "
            "Name it otherwise."
        )


def _is_file_name(name: str) -> bool:
    return _is_visible(name) and len(name.encode()) <= LONGEST_FILE and "/" not in name


def _shown(name: str) -> str:
    return f"{name[:40]}…" if len(name) > 40 else name


def refuse_system_name(name: str) -> None:
    """Refuse what no system is called.

    Raises
    ------
    UsageError
        If it is longer than `LONGEST_SYSTEM`, or has control characters.
    """
    if not _is_system_name(name):
        raise UsageError(
            f"A system is called {_shown(name)!r}: a name has at most {LONGEST_SYSTEM} characters, and no control "
            "character. Name it otherwise."
        )


def _is_system_name(name: str) -> bool:
    return len(name) <= LONGEST_SYSTEM and _is_visible(name)


def _is_visible(text: str) -> bool:
    """Whether a text has no control character, nothing that turns the direction of writing, and is Unicode."""
    return visible(text) == text and not any("\ud800" <= sign <= "\udfff" for sign in text)


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


# Contents.

_SHA256 = re.compile(r"[0-9a-f]{64}")


def is_sha256(text: object) -> bool:
    """Whether it is a SHA-256 as a project writes it: nothing else names a content."""
    return isinstance(text, str) and _SHA256.fullmatch(text) is not None


# Rows of its tables.

DAMAGED = object()
"""What stands in the place of JSON that is none."""

_NESTED = 200
"""Brackets of a JSON text up to which it can be written again without a look at how deep they are nested."""


def read_json(text: Any) -> Any:
    """Read a cell of JSON; `DAMAGED` if it is none, is nested too deep, or has a text that no page can show."""
    try:
        found = json.loads(text)
        if "\\ud" in (lowered := str(text).lower()) or lowered.count("[") + lowered.count("{") > _NESTED:
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return DAMAGED
    return found


def setting_trouble(name: str, value: Any) -> str:
    """Say why a setting cannot be used; "" if it can, or if there is none."""
    is_one, what = SETTINGS.get(name, (_is_anything, "setting"))
    if value is None or (value is not DAMAGED and is_one(value)):
        return ""
    return (
        f"The setting {name!r} of this project is damaged: it is no {what}. The usual one is used; save the settings "
        "anew at Project."
    )


def _is_anything(_: Any) -> bool:
    return True


_LONGEST_SPOKEN = 4000
"""Characters of a measure or a convention with its answers: a longer text takes seconds to be refused."""


def _is_measure(value: Any) -> bool:
    return _is_text(value) and len(value) <= _LONGEST_SPOKEN and _is_allowed(measure, value)


def _is_convention(value: Any) -> bool:
    return _is_text(value) and len(value) <= _LONGEST_SPOKEN and _is_allowed(parse_convention, value)


def _is_allowed(read: Callable[[str], Any], text: str) -> bool:
    try:
        read(text)
    except IdealrankError:
        return False
    return True


def _is_scale(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_GRADES
        and all(isinstance(one, list) and len(one) == 2 and _is_number(one[0]) and _is_text(one[1]) for one in value)
        and len({one[0] for one in value}) == len(value)
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_yes_or_no(value: Any) -> bool:
    return isinstance(value, bool)


def _is_every(value: Any) -> bool:
    return _is_count(value, 0, 10**9)


SETTINGS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "measure": (_is_measure, "measure"), "convention": (_is_convention, "convention"),
    "scale": (_is_scale, "list of grades with their words"), "overlap": (_is_every, "whole number from 0 on"),
    "guideline": (_is_text, "text"), "guideline_after": (_is_every, "whole number from 0 on"),
    "suggest": (_is_text, "name of a rater"), "shuffle": (_is_text, "text"),
    "confirm": (_is_yes_or_no, "yes or no"), "blind": (_is_yes_or_no, "yes or no"),
    "pictures": (_is_yes_or_no, "yes or no"), "weights": (_is_text, "name of a column"),
    "segments": (_is_names, "list of names of columns"),
}  # fmt: skip
"""What each setting is."""

_POSITIONS = ("query", "doc", "step", "system", "text", "begin", "end")
_COLUMNS: Mapping[str, Collection[str]] = {
    "judgments": (*_POSITIONS, "grade", "rater", "subtopic", "grades"), "results": (*_POSITIONS, "rank", "score"),
    "queries": ("query", "text"), "documents": ("doc", "title"),
}  # fmt: skip
"""The names that say how a table is read, by its role: nothing else is told to its reader."""


def _is_part(part: Any) -> bool:
    """Whether a text names a part of a content that is kept: a sheet, or the files of a folder, and no other path."""
    if not isinstance(part, str) or part in ("", FOLDER, PATTERN):
        return isinstance(part, str)
    return part.startswith("#") and _is_visible(part) and ".." not in re.split(r"[/\\]", part[1:])


def source_trouble(role: Any, name: Any, file: Any, options: Any, taken: Collection[str]) -> str:
    """Say why a table of a project cannot be used; "" if it can.

    Parameters
    ----------
    taken
        The systems of the tables before it.
    """
    return next((what for what in _source_troubles(role, name, file, options, taken) if what), "")


def _source_troubles(role: Any, name: Any, file: Any, options: Any, taken: Collection[str]) -> Iterator[str]:
    yield "" if isinstance(role, str) and role in _COLUMNS else "it is of no known kind"
    yield "" if isinstance(options, dict) else "nothing says how it is read"
    part = options.get("part", "")
    whole = file.removesuffix(part) if isinstance(file, str) and _is_part(part) else file  # of a#b/c, the file is a
    yield "" if isinstance(name, str) and isinstance(whole, str) and _is_file_name(whole) else "it has no name"
    columns = options.get("columns", {})
    plain = isinstance(columns, dict) and all(
        key in _COLUMNS[role] and _names_columns(value) for key, value in columns.items()
    )
    yield "" if plain else "the names of its columns are none"
    yield "" if _is_part(part) else "what is read of it is no part of it"
    systems = options.get("systems", [name]) if role == "results" else []
    known = isinstance(systems, list) and all(isinstance(one, str) and _is_system_name(one) for one in systems)
    yield "" if known else "the names of its systems are none"
    yield "" if role != "results" or systems[:1] == [name] else "it is called otherwise than its first system"
    yield "" if len({*systems, *taken}) == len(systems) + len(taken) else "a system of it is in another table, too"


def _names_columns(value: Any) -> bool:
    if isinstance(value, dict):  # what labels are worth
        return all(one is None or _is_number(one) for one in value.values())
    return value is None or _is_text(value) or (isinstance(value, list) and all(map(_is_text, value)))


def is_rating(row: Any, states: Collection[str]) -> bool:
    """Whether a row of the ratings is one."""
    texts = (row.name, row.query, row.doc, row.state, row.comment, row.at)
    if not all(map(_is_text, texts)) or row.state not in states:
        return False
    return _is_number(row.grade) if row.state == "graded" else row.grade is None


def is_look(used: Any, found: Any) -> bool:
    """Whether what was looked at, and what was found, are what the studio remembers."""
    if not isinstance(used, dict) or not isinstance(found, dict):
        return False
    answers, difference = used.get("answers"), found.get("difference")
    return (
        all(_is_text(used.get(name)) for name in ("baseline", "system", "measure"))
        and isinstance(answers, dict)
        and all(map(_is_text, answers.values()))
        and (found.get("outcome") is None or _is_text(found["outcome"]))
        and difference is not None
        and (difference != difference or _is_number(difference))
    )


def refuse_units(unit: Any, allowed: Collection[str]) -> None:
    """Refuse an answer that reads a file of this machine or may run for ever, unless the studio's owner gave it.

    Raises
    ------
    UsageError
        If nobody did.
    """
    what = _WHAT_UNITS_DO.get(unit.partition("(")[0]) if isinstance(unit, str) and "(" in unit else None
    if what is not None and unit not in allowed:
        way = either(f"convention='… unit={unit}'", f"--unit {unit!r}")
        raise UsageError(
            f"unit={unit}: this {what}, which a project may not ask for, as anybody may have "
            f"written it. If you trust it, start the studio with {way}; else choose another convention at Project."
        )


_WHAT_UNITS_DO = {"map": "reads a file of your machine", "match": "is a pattern that may take for ever"}
"""What ways to tell units from ids do that needs the word of the studio's owner."""


def _is_number(value: Any) -> bool:
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # a whole number larger than any float
        return False


def _is_count(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
