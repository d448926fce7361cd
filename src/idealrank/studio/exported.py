"""The grades of a project as a file: in any format that `idealrank convert` writes."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from idealrank.conventions import parse_convention
from idealrank.data.writing.write import choose_writer, formats, with_texts, write
from idealrank.data.writing.writer import WriteOptions
from idealrank.studio.kept_files import pack_files
from idealrank.studio.project import JUDGMENTS, Look, StudioProject


class ExportedFile(NamedTuple):
    """A file to be saved: its name and its content; what the format had no place for."""

    name: str
    content: bytes
    notes: tuple[str, ...]


def export_formats() -> dict[str, str]:
    """Return the formats that judgments are written in, each with what it is."""
    return {name: writer.title for name, writer in formats(JUDGMENTS).items()}


def keeps_raters(format_name: str) -> bool:
    """Whether a format has a row for each rater."""
    return "rater" in choose_writer("", format_name, JUDGMENTS).supports


def export(project: StudioProject, look: Look, format_name: str, scale_grades: float = 1.0) -> ExportedFile:
    """Return what counts as the judgments: those that were read, and what was said here.

    A format with a place for raters has a row for each, others have one grade a pair, as the decision `raters` says.
    What is of several files is packed as one.

    Parameters
    ----------
    scale_grades
        What grades are multiplied with: a format of whole numbers has no place for a median of 1.5.

    Raises
    ------
    UsageError
        If there is no such format.
    DataError
        If it cannot contain the grades; the message says what to do.
    """
    writer, judgments = choose_writer("", format_name, JUDGMENTS), project.judgments()
    setting = parse_convention(project.convention, look.answers).decisions
    by_rater = "rater" in writer.supports
    rows = judgments.rows_to_write(None if by_rater else setting.raters, "error" if by_rater else setting.duplicates)
    rows = with_texts(rows, judgments, project.queries(), project.documents())
    name = f"{project_name(project)}-judgments"
    with tempfile.TemporaryDirectory(prefix="idealrank-") as folder:
        ending = "" if writer.endings[:1] in ((), ("/",)) else writer.endings[0]
        written = write(rows, Path(folder, f"{name}{ending}"), format_name, WriteOptions(scale_grades))
        path = Path(written.path)
        content = pack_files(path, filter(Path.is_file, path.rglob("*"))) if path.is_dir() else path.read_bytes()
        own = ending or (".json" if content[:1] in (b"{", b"[") else ".csv")
        return ExportedFile(f"{name}{'.zip' if path.is_dir() else own}", content, written.notes)


def project_name(project: StudioProject) -> str:
    """Return what a project is called, in letters that every file system takes: the file, or the database."""
    where = project.store.where.partition("?")[0].rstrip("/")
    return re.sub(r"[^A-Za-z0-9_-]+", "_", Path(where).stem).strip("_") or "project"
