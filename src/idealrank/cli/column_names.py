"""Column names that were given, sorted out: for every table, for one, or for one file of results."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from idealrank.cli.options import ONLY_JUDGMENTS, ONLY_RESULTS, ROLES
from idealrank.errors import UsageError

Names = dict[str, str | tuple[str, ...]]
"""The column of each role; several for the grade, one per rater, and for a query that they name together."""


class ColumnNames(NamedTuple):
    """The column names of a call: for each table, and the text wherever there is such a column.

    `everywhere` are the roles whose name was given for every table.
    """

    judgments: Names
    results: Names
    queries: Names
    text: str = ""
    everywhere: frozenset[str] = frozenset()
    documents: str = ""
    """The column of ids in a table of documents."""
    files: Mapping[str, Names] = {}
    """The columns of single files of results."""

    def of_results(self, file: str) -> Names:
        """Return the columns of a file of results."""
        return {**self.results, **self.files.get(file, {})}


TABLES = ("judgments", "results", "queries", "documents")
_QUERIES_ROLES, _DOCUMENTS_ROLES = ("query", "text"), ("doc",)


def column_names(options: dict[str, Any], project: tuple[tuple[str, str], ...]) -> ColumnNames:
    """Sort out which column names were given for which table; what is typed goes before what the project fixed."""
    files = tuple(options["results"]) if isinstance(options.get("results"), tuple) else ()
    by_table: dict[str, dict[str, list[str]]] = {table: {} for table in ("", *TABLES)}
    by_file: dict[str, dict[str, list[str]]] = {}
    typed = [(role, name) for role in ROLES for name in options.get(f"{role}_col") or ()]
    for source in (project, typed):
        for table, roles in sorted(_sorted_out(source, files).items()):
            if table in files:
                by_file[table] = roles
                continue
            for other in () if table else TABLES:
                by_table[other] = {role: names for role, names in by_table[other].items() if role not in roles}
            by_table[table] |= roles
    everywhere = {role: _the_one(role, names) for role, names in by_table.pop("").items()}
    tables = {
        table: {role: _the_one(role, names) for role, names in roles.items()} for table, roles in by_table.items()
    }
    shared = {table: {r: n for r, n in everywhere.items() if _is_shared(r, table)} for table in tables}
    judgments, results, queries, documents = ({**shared[table], **tables[table]} for table in TABLES)
    judgments |= {"grades": options["grades"]} if options.get("grades") else {}
    text = str(everywhere.get("text", ""))
    named = {file: {role: _the_one(role, names) for role, names in roles.items()} for file, roles in by_file.items()}
    return ColumnNames(judgments, results, queries, text, frozenset(everywhere), str(documents.get("doc", "")), named)


def _is_shared(role: str, table: str) -> bool:
    """Whether a name given for every table is that of this one; judgments need no steps where results have some."""
    return role in _roles_of(table) and role != "text" and (role, table) != ("step", "judgments")


def _sorted_out(names: Iterable[tuple[str, str]], files: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return the names by table ("": every table), or file of results, and role."""
    by_table: dict[str, dict[str, list[str]]] = {}
    for role, text in names:
        before, table = _owner(text, files)
        name = text[len(before) + 1 :] if table else text
        if table and role not in _roles_of(table):
            owner = _TABLE_NAMES.get(table, _TABLE_NAMES["results"])
            raise UsageError(f"--{role}-col {text}: {owner} no {role} column. Leave out {before}:.")
        by_table.setdefault(table, {}).setdefault(role, []).append(name)
    return by_table


def _owner(text: str, files: Sequence[str]) -> tuple[str, str]:
    """Return what precedes the name of a column, and the table or the file of results it means; "" for none.

    A file may be called by its path, by its name, or as its system is; one of these that two files have means none.
    """
    if ":" not in text:
        return "", ""
    from idealrank.data.systems import system_name

    called = [(name, file) for file in files for name in {file, os.path.basename(file), system_name(file)}]
    often = Counter(name for name, _ in called)
    owners = [(table, table) for table in TABLES] + [(name, file) for name, file in called if often[name] == 1]
    return max((one for one in owners if one[0] and text.startswith(f"{one[0]}:")), default=("", ""), key=_length)


def _length(owner: tuple[str, str]) -> int:
    return len(owner[0])


_TABLE_NAMES = {
    "judgments": "judgments have",
    "results": "results have",
    "queries": "a queries table has",
    "documents": "a documents table has",
}


def _roles_of(table: str) -> tuple[str, ...]:
    """Return the roles that the columns of a table may play."""
    if table in ("queries", "documents"):
        return _QUERIES_ROLES if table == "queries" else _DOCUMENTS_ROLES
    others = ONLY_RESULTS if table == "judgments" else ONLY_JUDGMENTS
    return tuple(role for role in ROLES if role not in others)


def _the_one(role: str, names: list[str]) -> str | tuple[str, ...]:
    """Return the name given; several ratings of one row, or parts of the query's name, are a tuple of names."""
    if role in ("grade", "query") and len(names) > 1:
        return tuple(names)
    if len(names) > 1:
        one_table = role in (*ONLY_JUDGMENTS, *ONLY_RESULTS)
        way = "" if one_table else ", or say which table has it: judgments:NAME, results:NAME"
        raise UsageError(f"--{role}-col is given twice ({names[0]}, {names[1]}). Give one name{way}.")
    return names[0]
