"""Defaults of a project: the table [tool.idealrank] of the nearest pyproject.toml."""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from idealrank.errors import UsageError, nearest

_KINDS: dict[str, tuple[type, str]] = {
    "convention": (str, "text, such as 'sklearn'"),
    "measures": (list, "a list of names, such as ['nDCG@10']"),
    "columns": (dict, "a table of names, such as {query = 'QUERY_KEY'}"),
}
_KEYS = tuple(_KINDS)
_COLUMNS = ("query", "doc", "grade", "rank", "score", "system", "text", "rater", "subtopic")


class Project(NamedTuple):
    """The settings a project fixes once for all its evaluations.

    Attributes
    ----------
    convention, measures, columns
        Defaults for `evaluate` and the column options; None or empty where not set.
    path
        The file they were read from, "" if none.
    """

    convention: str | None = None
    measures: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    path: str = ""

    @property
    def line(self) -> str:
        """What was read from the file, as one line; empty if nothing was."""
        parts = [f"convention={self.convention}"] if self.convention else []
        parts += [f"measures={','.join(self.measures)}"] if self.measures else []
        parts += [f"columns.{role}={name}" for role, name in self.columns]
        return f"{self.path} [tool.idealrank]: {' '.join(parts)}" if parts else ""

    def mentioned_in(self, message: str) -> Project:
        """Return the settings a message may be about: the convention, measures and columns it names."""

        def occurs(*words: str) -> bool:
            return any(re.search(rf"(?<!\w){re.escape(word).replace('_', '[-_]')}(?!\w)", message) for word in words)

        fixed = self.convention or ""
        convention = self.convention if occurs(fixed.split(",")[0] or "\0", *re.findall(r"(\w+)\s*=", fixed)) else None
        measures = tuple(name for name in self.measures if occurs(re.split("[@(]", name)[0]))
        return self._replace(
            convention=convention, measures=measures, columns=tuple(pair for pair in self.columns if occurs(pair[1]))
        )


def project_defaults(folder: str | os.PathLike[str] = ".") -> Project:
    r"""Read the defaults of the project a folder belongs to: the nearest pyproject.toml with the table.

    Parameters
    ----------
    folder
        Where to start looking; the folders above it follow.

    Raises
    ------
    UsageError
        If the table contains an unknown key or a value of the wrong type.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "pyproject.toml").write_text('[tool.idealrank]\nconvention = "trec_eval-10.0"')
    ...     project_defaults(folder).convention
    'trec_eval-10.0'
    """
    place, below = os.path.realpath(folder), ""
    while place != below:
        file = os.path.join(place, "pyproject.toml")
        if os.path.isfile(file) and (table := _read_table(file)) is not None:
            return _check_table(table, _shorten(file))
        place, below = os.path.dirname(place), place
    return Project()


_MENTIONED = rb"""(?m)^\s*\[\s*["']?tool["']?\s*(\.\s*["']?idealrank|\])"""
"""The header of the table; without it the file need not be parsed."""


def _read_table(file: str) -> dict[str, Any] | None:
    with open(file, "rb") as opened:
        text = opened.read()
    if re.search(_MENTIONED, text) is None:
        return None
    # Most files do not mention the table, and the parser would be loaded for every command.
    import tomllib

    try:
        table: dict[str, Any] | None = tomllib.loads(text.decode()).get("tool", {}).get("idealrank")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: invalid TOML: {error}.") from None
    return table


def _shorten(file: str) -> str:
    """Name a file relative to the user's folder."""
    folder, name = os.path.split(file)
    return name if folder == os.getcwd() else file


def _check_table(table: dict[str, Any], path: str) -> Project:
    for key in table:
        if key not in _KEYS:
            raise UsageError(
                f"{path} [tool.idealrank]: unknown key {key!r}.{nearest(key, _KEYS)} Allowed: {', '.join(_KEYS)}."
            )
    for key, (kind, what) in _KINDS.items():
        if not isinstance(table.get(key, kind()), kind):
            raise UsageError(f"{path} [tool.idealrank]: {key} = {table[key]!r} is not {what}.")
    measures, columns = table.get("measures", []), table.get("columns", {})
    for role in columns:
        if role not in _COLUMNS:
            raise UsageError(
                f"{path} [tool.idealrank]: no column role {role!r}.{nearest(role, _COLUMNS)} "
                f"Allowed: {', '.join(_COLUMNS)}."
            )
    return Project(table.get("convention"), tuple(map(str, measures)), _column_pairs(columns), path)


def _column_pairs(columns: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return role and name of each column; a role with a list of names appears once per name."""
    names = {role: name if isinstance(name, list) else [name] for role, name in columns.items()}
    return tuple((role, str(name)) for role, several in names.items() for name in several)
