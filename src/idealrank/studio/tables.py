"""The project page: its tables, and what is asked of raters."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from idealrank.conventions import parse_convention
from idealrank.errors import DataError, IdealrankError, NoColumnError, UsageError, unknown
from idealrank.measures import measure
from idealrank.studio.foreign import refuse_file_name
from idealrank.studio.frame import Frame, posted, whole_number
from idealrank.studio.grading import (
    BLIND,
    CONFIRM,
    GUIDELINE,
    OVERLAP,
    PICTURES,
    SCALE,
    SUGGEST,
    USUAL,
    keep_guideline,
    older_grades,
    setting,
)
from idealrank.studio.project import CONVENTION, DOCUMENTS, JUDGMENTS, MEASURE, QUERIES, RESULTS
from idealrank.studio.scale import read_scale

ROLES = (JUDGMENTS, RESULTS, QUERIES, DOCUMENTS)
_ENDINGS = (
    ".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".xlsx", ".ods", ".yaml", ".yml", ".qrels",
    ".qrel", ".run", ".trec", ".gz", ".zst", ".arrow", ".feather", ".svmlight",
)  # fmt: skip
"""Of a file that comes from a page only this is kept of its name."""


class ProjectPage:
    """What the project is made of, and how it is graded."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.project = frame, frame.project

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/project", self.show),
            Route("/project/tables", self.add, methods=["POST"]),
            Route("/project/remove", self.remove, methods=["POST"]),
            Route("/project/settings", self.save, methods=["POST"]),
        ]

    def show(self, request: Request) -> Response:
        """Show tables and settings."""
        look, read, trouble = None, None, ""
        scale: tuple[tuple[float, str], ...] = ()
        try:
            look = self.frame.look(request) if self.project.is_ready else None
            read, scale = self.project.ratings_read(), self.project.scale
        except IdealrankError as error:  # the one page where another file, or convention, can take the place of one
            again = " Add the file again, or leave it out." if isinstance(error, DataError) else ""
            trouble = f"{error}{again}"
        values: dict[str, Any] = {
            "tables": self.project.store.sources(), "roles": ROLES, "look": look, "trouble": trouble, "scale": scale,
            "raters_read": read.raters if read else (),
            "older": older_grades(self.project),
            "settings": {name: setting(self.project, name) for name in USUAL} | {PICTURES: self.frame.pictures()},
        }  # fmt: skip
        return self.frame.show(request, "project.html", values)

    async def add(self, request: Request) -> Response:
        """Read a file that was sent into the project."""
        async with request.form(max_files=1) as form:
            return await run_in_threadpool(self._add, form)

    def _add(self, form: FormData) -> Response:
        role, sent = str(form.get("role", "")), form.get("file")
        if role not in ROLES:
            raise UsageError(f"A table is one of {', '.join(ROLES)}, not {role!r}.")
        if not isinstance(sent, UploadFile) or not sent.filename:
            raise UsageError("No file was chosen. Choose one, and send it again.")
        with tempfile.TemporaryDirectory(prefix="idealrank-") as folder:
            refuse_file_name(os.path.basename(sent.filename.replace("\\", "/")))
            file = Path(folder, _safe_name(sent.filename))
            with file.open("wb") as out:
                while part := sent.file.read(1 << 20):
                    out.write(part)
            try:
                columns = _columns(role, str(form.get("columns", "")))
                self.project.add(role, file, str(form.get("name", "")).strip(), **columns)
            except NoColumnError as error:  # it says how to name a column in Python; here there is a field
                first = str(error).replace(f"{folder}{os.sep}", "").split(" Name it")[0]
                raise DataError(f"{first} Name it in the field for columns, as doc=ASIN, grade=stars.") from None
            except DataError as error:  # whoever sent the file knows it by its name alone
                raise DataError(str(error).replace(f"{folder}{os.sep}", "")) from None
        return RedirectResponse("/project", 303)

    async def remove(self, request: Request) -> Response:
        """Leave a table out."""
        form = await posted(request)
        await run_in_threadpool(self.project.store.remove, form.get("role", ""), form.get("name", ""))
        return RedirectResponse("/project", 303)

    async def save(self, request: Request) -> Response:
        """Keep the settings."""
        await run_in_threadpool(self._save, await posted(request))
        return RedirectResponse("/project", 303)

    def _save(self, form: dict[str, str]) -> None:
        given = {name: value.strip() for name, value in form.items()}
        convention = parse_convention(given.get("convention") or CONVENTION).text
        asked = given.get("measure") or MEASURE
        measure(asked)  # refuses what is none
        scale = read_scale(given.get("scale", ""))
        overlap = _asked_number(given.get("overlap", ""), "Every how many pairs are asked of a second rater")
        # Nothing is kept before all of it could be read.
        kept = {"convention": convention, "measure": asked, SCALE: scale, OVERLAP: overlap}
        kept |= {SUGGEST: given.get(SUGGEST, "")}
        kept |= {name: name in given for name in (CONFIRM, BLIND, PICTURES)}
        for name, value in kept.items():
            self.project.store[name] = value
        keep_guideline(self.project, given.get(GUIDELINE, ""))


def _asked_number(text: str, what: str) -> int | None:
    if not text:
        return None
    number = whole_number(text)
    if number is None:
        raise UsageError(f"{what}: {text!r} is no whole number. Give 0 for never, or 5 for every fifth.")
    return number


_COLUMNS = {
    JUDGMENTS: ("query", "doc", "grade", "rater"),
    RESULTS: ("query", "doc", "rank", "score", "system"),
    QUERIES: ("query", "text"),
    DOCUMENTS: ("doc",),
}
"""What a column of each table can be."""


def _columns(role: str, text: str) -> dict[str, str]:
    """Read names of columns as people write them: doc=Product ID, grade=stars.

    Raises
    ------
    UsageError
        If a word is none of these, or the table has no such column.
    """
    found = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, column = map(str.strip, part.partition("="))
        if name not in _COLUMNS[role]:
            raise unknown("column", name, _COLUMNS[role])
        found[name] = column
    return found


def _safe_name(name: str) -> str:
    """Keep of a name that a page sent what says how the file is read, and what it is called: never a path."""
    stem, *endings = os.path.basename(name.replace("\\", "/")).split(".")
    kept = [ending for ending in endings if f".{ending.lower()}" in _ENDINGS]
    rest = "_".join([stem, *(ending for ending in endings if ending not in kept)])
    plain = "".join(sign if sign.isalnum() or sign in "-_ " else "_" for sign in rest)[:80]
    return ".".join([plain or "table", *kept])
