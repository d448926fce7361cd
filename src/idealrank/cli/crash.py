"""Reports of errors that nobody foresaw: one line, and a file to send."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterable, Iterator

_SECRET = re.compile(r"pass|secret|token|key\b|auth|cookie|credential|header", re.I)
_IN_ADDRESS = re.compile(r"(?<=://)[^/@\s'\"]+(?=@)|(?<=[?&])([^=&\s'\"]+)=[^&\s'\"]+")


def report_crash(error: BaseException) -> str:
    """Write a report of an error, and return the line to say about it."""
    if isinstance(error, MemoryError):
        return (
            "idealrank: not enough memory for this. Give the process more, evaluate large files in parts "
            "(--memory 2GB), or fewer queries or systems at once."
        )
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    try:
        file = _write_report(error)
    except OSError as reason:
        where = f"No report could be written ({reason.strerror or reason}); run it again with TMPDIR=FOLDER"
    else:
        where = f"The report is {file}: versions, arguments and the place in the program. Read it, and send it"
    return f"idealrank: this is a fault of idealrank, not of your data ({_hide_secrets(what)}). {where}."


def _write_report(error: BaseException) -> str:
    import tempfile

    handle, name = tempfile.mkstemp(prefix="idealrank-crash-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.writelines(f"{line}\n" for line in _report_lines(error))
    return name


def _report_lines(error: BaseException) -> Iterator[str]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    def version_of(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "unknown"

    python, system = platform.python_version(), platform.platform()
    yield f"idealrank {version_of('idealrank')}, Python {python}, NumPy {version_of('numpy')}, {system}"
    yield f"arguments: {' '.join(map(repr, without_secrets(sys.argv[1:])))}"
    yield ""
    yield _hide_secrets("".join(traceback.format_exception(error)).rstrip())


def without_secrets(words: Iterable[str]) -> list[str]:
    """Return arguments without what may be a secret: passwords in addresses, and the values of options named so.

    Examples
    --------
    >>> without_secrets(["--header", "X-Api: 1", "--token=abc", "http://me:pw@host/x?key=1", "a.csv"])
    ['--header', '…', '--token=…', 'http://…@host/x?key=…', 'a.csv']
    """
    kept: list[str] = []
    hide = False
    for word in words:
        name, equals, _ = word.partition("=")
        secret = name.startswith("-") and _SECRET.search(name) is not None
        if hide:
            kept.append("…")
        else:
            kept.append(f"{name}=…" if secret and equals else _hide_secrets(word))
        hide = secret and not equals and not hide
    return kept


def _hide_secrets(text: str) -> str:
    return _IN_ADDRESS.sub(lambda found: f"{found[1]}=…" if found[1] else "…", text)
