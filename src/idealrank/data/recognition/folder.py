"""What a folder contains that can be read here, and which command would come next."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from idealrank.data.formats.folders import files_of, is_answers, is_beir
from idealrank.data.formats.reader import detect_file
from idealrank.data.recognition.peek import SuggestedCommand, describe_contents, next_command, peek_by, preview_joins
from idealrank.data.recognition.recognize import BASELINE, KindColumns, Recognized

MANY = 40
"""Files that are looked into, at most."""

LARGE = 64 * 2**20
"""Bytes that are looked into, at most, of all files together."""

_ENDINGS = (
    *(
        "csv",
        "tsv",
        "tab",
        "txt",
        "json",
        "jsonl",
        "ndjson",
        "parquet",
        "arrow",
        "feather",
        "xlsx",
        "ods",
        "yaml",
        "yml",
    ),
    *("qrels", "qrel", "run", "trec", "res", "svm", "svmlight", "letor"),
)
_PACKED = ("gz", "zst", "bz2", "xz", "lz4")
_SETTINGS = (".yaml", ".yml")
_STARTS = ("qrels", "run.", "input.")


@dataclass(frozen=True, eq=False)
class Folder:
    """What a folder contains.

    Attributes
    ----------
    files
        What can be read; the judgments that most results meet first.
    others
        Files that look like tables, but are neither judgments, results, queries nor documents.
    unseen
        Files that were not looked into: too large, or too many.
    command
        The command that would come next; None if judgments, grades or results are missing.
    baselines
        Baselines of ``idealrank gate``.
    """

    files: tuple[Recognized, ...]
    others: tuple[str, ...]
    unseen: tuple[str, ...]
    command: SuggestedCommand | None
    baselines: tuple[str, ...] = ()

    def containing(self, kind: str) -> list[Recognized]:
        """Return the files with judgments, results, queries or documents."""
        return [file for file in self.files if _contains(file, kind)]


def look_into(folder: str = ".", columns: KindColumns | None = None) -> Folder:
    """Look into the files of a folder and of the folders in it; what is too large is named, not read.

    Parameters
    ----------
    columns
        The names that the project gives columns, by kind of table and role.

    Raises
    ------
    OSError
        If the folder cannot be read.
    """
    seen, unseen = _split_by_size(list(_candidates(folder)))
    found = [file for path in seen for file in peek_by([path], lambda _: columns or {}).files]
    kept = [file for file in found if file.contains == (BASELINE,)]
    known = [file for file in found if file not in kept and any(_contains(file, kind) for kind in file.contains)]
    files = _judgments_first(known)
    # Most YAML is settings, of which a project has many: only what can be read is named.
    others = tuple(file.name for file in found if file not in (*known, *kept) and not file.name.endswith(_SETTINGS))
    command = next_command(_name_by_folder(_drop_unrelated(files)))
    return Folder(tuple(files), others, tuple(unseen), command, tuple(file.name for file in kept))


def _split_by_size(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the paths to look into, and the others."""
    seen: list[str] = []
    left = LARGE
    for path in paths:
        size = 0 if os.path.isdir(path) else os.path.getsize(path)
        if size <= left and len(seen) < MANY:
            seen.append(path)
            left -= size
    return seen, [path for path in paths if path not in seen]


def describe_amount(file: Recognized) -> str:
    """Say how much a file contains, in a line."""
    counted = [(kind, one) for kind, one in (("judgments", file.judgments), ("results", file.results)) if one]
    return "; ".join(text for kind, one in counted for label, text in one.lines(kind) if label == kind) or "; ".join(
        text for _, text in describe_contents(file.contents)
    )


def _contains(file: Recognized, kind: str) -> bool:
    read = {"judgments": file.judgments, "results": file.results}
    return kind in file.contains and (read[kind] if kind in read else getattr(file.contents, kind)) is not None


def _candidates(folder: str) -> Iterator[str]:
    """Yield the files of a folder that may be read, then those of the folders in it; data sets as a whole."""
    entries = sorted((entry for entry in os.scandir(folder) if entry.name[0] not in "._"), key=lambda one: one.name)
    prefix = "" if folder == "." else folder
    yield from (os.path.join(prefix, entry.name) for entry in entries if entry.is_file() and _is_data_name(entry.name))
    for entry in entries:
        path = os.path.join(prefix, entry.name)
        if entry.is_dir() and os.access(path, os.R_OK) and not _leads_back(path, folder):
            yield from [path] if is_beir(path) or is_answers(path, detect_file) else _data_files(path)


def _leads_back(path: str, folder: str) -> bool:
    """Whether a path is a link to a folder that it is in."""
    inner = os.path.realpath(path)
    return os.path.commonpath([inner, os.path.realpath(folder)]) == inner


def _data_files(folder: str) -> list[str]:
    names = sorted(name for name in os.listdir(folder) if name[0] not in "._" and _is_data_name(name))
    return [path for name in names if os.path.isfile(path := os.path.join(folder, name))]


def _is_data_name(name: str) -> bool:
    """Whether the name of a file is that of a table; other files are not opened.

    Examples
    --------
    >>> [_is_data_name(name) for name in ("a.csv", "a.run.gz", "qrels.dl19-passage", "setup.py", "notes.txt.bak")]
    [True, True, True, False, False]
    """
    stem, _, ending = name.lower().rpartition(".")
    ending = stem.rpartition(".")[2] if ending in _PACKED else ending
    return ending in _ENDINGS or name.lower().startswith(_STARTS)


def _judgments_first(files: Sequence[Recognized]) -> list[Recognized]:
    """Order files: first the judgments that share most queries with results, then the rest as they are."""
    judged = [file for file in files if _contains(file, "judgments")]
    best = max(judged, key=lambda file: _count_shared(file, files), default=None)
    return sorted(files, key=lambda file: file is not best)


def _count_shared(judged: Recognized, files: Sequence[Recognized]) -> int:
    return sum(one.queries_in_both for one in preview_joins([judged, *(file for file in files if file is not judged)]))


def _drop_unrelated(files: Sequence[Recognized]) -> list[Recognized]:
    """Leave out results that share no query with the first judgments, and other judgments."""
    unrelated = {one.results for one in preview_joins(files) if not one.queries_in_both}
    return [file for place, file in enumerate(files) if not place or not (file.name in unrelated or file.judgments)]


def _name_by_folder(files: Sequence[Recognized]) -> list[Recognized]:
    """Name results by their folder, where it contains nothing else."""
    results = {file.name for file in files if file.contains == ("results",)}
    folders = {os.path.dirname(name) for name in results} - {""}
    whole = {folder for folder in folders if results.issuperset(files_of(folder))}
    return [replace(file, name=folder) if (folder := os.path.dirname(file.name)) in whole else file for file in files]
