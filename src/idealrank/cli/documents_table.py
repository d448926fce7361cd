"""A documents table that was given to --documents, and the column that segments are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import Decorator, option

if TYPE_CHECKING:
    from idealrank.data.documents import Documents


def by_document_option(topic: str, text: str) -> Decorator:
    """Add --by-document."""
    return option("--by-document", metavar="COLUMN", topic=topic, help=text)


def documents_of(options: dict[str, Any]) -> Documents | None:
    """Read the documents; a name of the id column that is given for every table need not be in this one.

    Raises
    ------
    UsageError
        If a column is named and there is no table.
    """
    file, column = options["documents"], options["by_document"]
    if file is None and column is not None:
        raise click.UsageError(f"--by-document {column}: a column of which table? Give --documents FILE.")
    if file is None:
        return None
    from idealrank.cli.column_names import column_names
    from idealrank.conventions.project import project_defaults
    from idealrank.data.documents import read_documents
    from idealrank.data.formats.reader import read_frame
    from idealrank.data.roles import has

    names, table = column_names(options, project_defaults().columns), read_frame(file, "documents")
    named = names.documents if "doc" not in names.everywhere or has(table.frame.names, names.documents) else ""
    duplicates = options.get("duplicates") or "error"
    return read_documents(table, doc=named or None, duplicates=duplicates, column=column)
