"""A queries table that was given to --queries, or that is beside the judgments."""

import os
import shlex
from pathlib import Path
from typing import Any

from idealrank.cli.column_names import ColumnNames
from idealrank.errors import UsageError


def take_queries_table(options: dict[str, Any], names: ColumnNames) -> None:
    """Move a table that was given to --queries to --queries-table: it tells of queries and chooses none.

    Raises
    ------
    UsageError
        If --queries-table gives another.
    """
    file, other = options.get("only"), options.get("queries_table")
    if file is None or not os.path.isfile(file) or not _is_table(file, names):
        return
    if other is not None and not (os.path.exists(other) and os.path.samefile(file, other)):
        raise UsageError(
            f"--queries {file}: a table about queries, and --queries-table {other} is another. Give one of them; "
            "to choose queries, give a range, ids, or a file of ids."
        )
    options |= {"only": None, "queries_table": file}


def naming_table(message: str, judgments: str) -> str:
    """Name the queries table beside the judgments, in a message that asks for one."""
    beside = sorted(Path(judgments).parent.glob("queries.*"))
    file = shlex.quote(str(beside[0])) if beside else "FILE"
    return message.replace("--queries-table FILE", f"--queries-table {file}")


def _is_table(file: str, names: ColumnNames) -> bool:
    """Whether a file names columns: one of queries, and another."""
    from idealrank.data.formats.reader import columns_of
    from idealrank.data.roles import ALIASES, fold

    columns = {fold(name) for name in columns_of(file, "queries")}
    key_names = {"id"}.union(*ALIASES["query"], *ALIASES["text"])
    given = (table.get("query", ()) for table in (names.queries, names.judgments, names.results))
    named = [name for one in given for name in ([one] if isinstance(one, str) else one)]
    return len(columns) > 1 and not columns.isdisjoint({*key_names, *(fold(str(name)) for name in named if name)})
