"""Folders and patterns of files that are one thing: BEIR's, parts of a table, answers, several systems."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from idealrank._core import BadInput, Frame, from_columns, stacked
from idealrank.data.formats.head import DetectedFormat
from idealrank.data.formats.messages import TAR, quoted
from idealrank.data.formats.nested_plan import AFTER_FILE, is_after_file
from idealrank.data.formats.source import Source
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, listed, plural

_QRELS, _CANDIDATES = "qrels", "candidates.jsonl"
_PREFERRED = ("test.tsv", "test.tsv.gz")
_ENDINGS = ("", ".gz", ".zst")


def is_beir(path: str) -> bool:
    """Whether a path is a folder with judgments beside queries: BEIR's ``qrels``, or Sease's ``candidates.jsonl``."""
    return os.path.isdir(os.path.join(path, _QRELS)) or os.path.isfile(os.path.join(path, _CANDIDATES))


def read_beir(path: str, read: Callable[[str], Source]) -> Source:
    """Read a BEIR folder: the judgments of its test split, or of its only one, its queries and its documents.

    Source: beir-cellar/beir 2.0, GenericDataLoader: ``qrels/{split}.tsv``, ``queries.jsonl``, ``corpus.jsonl``;
    SeaseLtd/llm-search-quality-evaluation, MtebWriter: ``candidates.jsonl`` beside the same.

    Parameters
    ----------
    read
        Reads one of its files.

    Raises
    ------
    DataError
        If it contains several splits but no test split.
    """
    split = _judgment_file(path)
    judgments = read(os.path.join(path, split))
    readers: dict[str, Callable[[], Frame]] = {"judgments": lambda: judgments.frame}
    for kind, name in (("queries", "queries.jsonl"), ("documents", "corpus.jsonl")):
        file = _find_file(path, name)
        if file is not None:
            readers[kind] = lambda file=file: read(file).frame  # type: ignore[misc]
    # All else stays as it was read: of a file without a line of names, which column is the grade.
    return replace(
        judgments,
        what=", ".join(filter(None, ("a BEIR folder", judgments.what))),
        tables=_LazyTables(readers),
        notes=(*judgments.notes, f"split {os.path.basename(split).partition('.')[0]}"),
    )


class _LazyTables(Mapping[str, Frame]):
    """Tables that are read the first time each is needed."""

    def __init__(self, readers: Mapping[str, Callable[[], Frame]]) -> None:
        self._readers, self._read = readers, dict[str, Frame]()

    def __getitem__(self, kind: str) -> Frame:
        if kind not in self._read:
            self._read[kind] = self._readers[kind]()
        return self._read[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


def _judgment_file(path: str) -> str:
    if not os.path.isdir(os.path.join(path, _QRELS)):
        return _CANDIDATES
    files = sorted(name for name in os.listdir(os.path.join(path, _QRELS)) if not name.startswith("."))
    chosen = next((name for name in _PREFERRED if name in files), None)
    if chosen is None and len(files) != 1:
        what = f"several splits ({listed(files)}) but no test.tsv" if files else "no split"
        raise DataError(f"{path}: a BEIR folder with {what}. Give one of its files: {path}/{_QRELS}/….")
    return os.path.join(_QRELS, chosen or files[0])


def _find_file(path: str, name: str) -> str | None:
    files = (os.path.join(path, name + ending) for ending in _ENDINGS)
    return next((file for file in files if os.path.isfile(file)), None)


# Folders of answers: one file for each query, which are together the results of one system.


ANSWERS_NOTE = "one file per query, each named after its file"
"""The note of results whose queries are called as the files of a folder."""


def is_answers(path: str, detect: Callable[[str], DetectedFormat]) -> bool:
    """Whether a path is a folder of several files, each the answer to one query, no two to the same.

    Parameters
    ----------
    detect
        Recognizes the form of a file.
    """
    if not os.path.isdir(path):
        return False
    queries = set()
    try:
        files = files_of(path)
        for file in files:
            if not (query := _answered_query(detect(file))):
                return False
            queries.add(query)
    except (DataError, BadInput, OSError):
        return False
    return 1 < len(files) == len(queries)


def refuse_answers_as_systems(sources: Sequence[Source]) -> None:
    """Refuse files of which most answer one query, no two the same, as systems: they are one system's, or unnamed.

    Raises
    ------
    DataError
        If they are such files.
    """
    answers = [source for source in sources if source.answers]
    if not 1 < len(answers) == len({source.answers for source in answers}) or 2 * len(answers) <= len(sources):
        return
    empty = [source.name for source in sources if not source.answers]
    left_out = (
        f" First leave out {listed(empty)}: no results are found there, and a query without a file counts as one "
        "without results."
    )
    unnamed = any(is_after_file(note) for source in sources for note in source.notes)
    which = "the answer to one query, which it does not name, so the query is called after the file," if unnamed else (
        "the answer to another query,"
    )  # fmt: skip
    folders = {os.path.dirname(source.name) or "." for source in sources}
    raise DataError(
        f"{answers[0].name} and {plural(len(answers) - 1, 'more file')}: each is {which} and each file would be a "
        "system with one query. If they are the answers of one system, give the folder that contains nothing else: "
        f'{listed(sorted(folders))}. If they are several systems, say which query each answers: {{"QUERY": ANSWER}}.'
        f"{left_out if empty else ''}"
    )


def _answered_query(detected: DetectedFormat) -> str:
    """Say which query a file answers; "" if it does not answer just one."""
    return detected.plan.query if detected.plan is not None else ""


def read_answers(path: str, read: Callable[[str], Source]) -> Source:
    """Read a folder of answers as one table.

    Parameters
    ----------
    read
        Reads one of its files.
    """
    from idealrank.data.formats.objects import frame_of_columns

    sources = [_with_query(read(file).table_of("results")) for file in files_of(path)]
    every = [(name, source.frame.column(at)) for source in sources for at, name in enumerate(source.frame.names)]
    filled = dict.fromkeys(name for name, column in every if column.missing < len(column))
    # An answer without results does not show what others call a document: its own name for one is not a second column.
    found = any(fold(name) in _DOCUMENTS for name in filled)
    names = [*(filled if found else dict.fromkeys(name for name, _ in every))]
    columns = [[value for source in sources for value in _column_or_missing(source, name)] for name in names]
    unnamed = any(is_after_file(note) for source in sources for note in source.notes)
    frame = frame_of_columns(names, columns, path)
    places = [source.place(row) for source in sources for row in range(source.frame.rows)]
    return replace(
        sources[0], name=path, frame=frame, tables={"results": frame}, row_places={"results": places},
        notes=(ANSWERS_NOTE if unnamed else "one file per query",), origin=None,
    )  # fmt: skip


_DOCUMENTS = frozenset({"id"}).union(*ALIASES["doc"])


def _with_query(answer: Source) -> Source:
    """Return an answer with a column of the query that it is called after, if none of its columns names one."""
    names = answer.frame.names
    if any(fold(name) in tier for name in names for role in ("query", "text") for tier in ALIASES[role]):
        return answer
    columns = [[answer.answers] * answer.frame.rows, *map(answer.frame.column, range(len(names)))]
    frame = from_columns(["query_id", *names], columns)
    return replace(answer, frame=frame, notes=(*answer.notes, f"{AFTER_FILE}{answer.answers!r}"))


def _column_or_missing(source: Source, name: str) -> list[Any]:
    names = source.frame.names
    return source.frame.column(names.index(name)).to_list(None) if name in names else [None] * source.frame.rows


# Folders that are one table: the parts that Spark, DuckDB, polars or Dask write, and hive partitions.
#
# A folder is one table if its files are numbered parts, if the job that wrote it left its marks, or if a folder in it
# is called like a column and its value, as in ``day=2026-11-20``. Any other folder contains a file per system.


_PART = r"(?i)part[-_.]?\d+\b.*"
"""A numbered part, as ``part-00000-….snappy.parquet`` of Spark and ``part.0.parquet`` of Dask."""

_NUMBERED = r"(?i)(?:data[-_.]?|file[-_.]?|chunk[-_.]?)?\d+(?:[-_]\d+)*\.(?:\w+\.)?parquet"
"""A numbered part in Parquet, as ``data_0.parquet`` of DuckDB and ``000000000000.parquet`` of BigQuery."""

_MARKS = r"(?s)_SUCCESS|_committed_.*|_started_.*|_metadata|_common_metadata"
"""Files that the job which wrote a table leaves in its folder."""

_PARTITION = r"(?s)([^=/]+)=(.*)"
_MISSING = "__HIVE_DEFAULT_PARTITION__"
_WILD = frozenset("*?[")
"""What makes a path a pattern of files."""


@dataclass(frozen=True)
class PartFile:
    """A file of a table, and the columns that the names of its folders give."""

    path: str
    partition: tuple[tuple[str, str | None], ...] = ()


def is_dataset(path: str) -> bool:
    """Whether a path is a folder, or a quoted pattern of files, that is one table.

    Raises
    ------
    DataError
        If it is a Delta or an Iceberg table.
    """
    if os.path.isdir(path):
        refuse_lakes(path)
        return _is_table(path, sorted(os.listdir(path)))
    return len(files := matching_files(path)) > 1 and _are_parts(list(map(os.path.basename, files)))


def _is_table(folder: str, names: Sequence[str]) -> bool:
    if any(re.fullmatch(_MARKS, name) for name in names):
        return True
    names = [name for name in names if not _is_hidden(name)]
    if any(re.fullmatch(_PARTITION, name) and os.path.isdir(os.path.join(folder, name)) for name in names):
        return True
    return _are_parts([name for name in names if os.path.isfile(os.path.join(folder, name))])


def _are_parts(names: Sequence[str]) -> bool:
    return bool(names) and any(all(re.fullmatch(pattern, name) for name in names) for pattern in (_PART, _NUMBERED))


def refuse_lakes(folder: str) -> None:
    """Refuse tables whose folder also contains files of earlier versions.

    Raises
    ------
    DataError
        If it is a Delta or an Iceberg table; the message says how to read it.
    """
    import glob

    if os.path.isdir(os.path.join(folder, "_delta_log")):
        what, way = "a Delta table", f"deltalake.DeltaTable({folder!r}).to_pyarrow_table()"
    elif glob.glob(os.path.join(glob.escape(folder), "metadata", "*.metadata.json")):
        what, way = "an Iceberg table", "pyiceberg's table.scan().to_arrow()"
    else:
        return
    raise DataError(
        f"{folder}: {what}, whose files include rows of earlier versions, so they are not read one by one. Read the "
        f"table in Python and pass it: {way}; or give the Spark DataFrame to idealrank.distributed.spark."
    )


def matching_files(path: str) -> list[str]:
    """Return the files that a pattern such as ``results/*.parquet`` matches; none if a file has that very name."""
    if _WILD.isdisjoint(path) or os.path.lexists(path):
        return []
    import glob

    return [file for file in sorted(glob.glob(path, recursive=True)) if os.path.isfile(file)]


def folder_of(path: str) -> str:
    """Return the folder that a pattern of files looks into; any other path is returned as it is."""
    if matching_files(path):
        while not _WILD.isdisjoint(path):
            path = os.path.dirname(path)
    return path


def parts_at(path: str) -> list[PartFile]:
    """Return the parts of a path that is one table, or else the file that it is."""
    return parts_of(path) if is_dataset(path) or matching_files(path) else [PartFile(path)]


def list_files(paths: Sequence[str]) -> list[str]:
    """Return the files of paths, some of which may be folders of parts, or patterns."""
    return [part.path for path in paths for part in parts_at(path)]


def parts_of(path: str) -> list[PartFile]:
    """Return the files of a table in the order of their names, and the columns that their folders give.

    Raises
    ------
    DataError
        If there is none, or some are in folders that name other columns.
    """
    parts = [PartFile(file, _partition_of(folder_of(path), file)) for file in matching_files(path)] or list(
        _parts_within(path, ())
    )
    if not parts:
        raise DataError(f"{path}: this folder contains no rows, only the marks of the job that wrote it. Run it again.")
    for part in parts:
        if [name for name, _ in part.partition] != [name for name, _ in parts[0].partition]:
            raise DataError(
                f"{part.path}: this folder is not partitioned like that of {parts[0].path}. All files of a table must "
                "be in folders of the same names, such as system=…/day=…. Move the file, or give one of the folders."
            )
    return parts


def _partition_of(folder: str, file: str) -> tuple[tuple[str, str | None], ...]:
    """Return the columns that the folders between a folder and a file give."""
    between = os.path.dirname(os.path.relpath(file, folder or ".")).split(os.sep)
    return tuple(itertools.chain.from_iterable(map(_partition_column, between)))


def _parts_within(folder: str, partition: tuple[tuple[str, str | None], ...]) -> Iterator[PartFile]:
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if _is_hidden(name):
            continue
        if os.path.isdir(path):
            yield from _parts_within(path, (*partition, *_partition_column(name)))
        elif os.path.getsize(path):
            yield PartFile(path, partition)


def _is_hidden(name: str) -> bool:
    """Whether Spark passes over a file: it is a mark or a checksum."""
    return name.startswith((".", "_")) and "=" not in name


def _partition_column(name: str) -> Iterator[tuple[str, str | None]]:
    from urllib.parse import unquote

    if found := re.fullmatch(_PARTITION, name):
        yield unquote(found[1]), None if found[2] == _MISSING else unquote(found[2])


def read_dataset(path: str, read: Callable[[str], Source]) -> Source:
    """Read a folder of parts as one table.

    Parameters
    ----------
    read
        Reads one of its files.

    Raises
    ------
    DataError
        If a part has other columns than the first, or values that do not go with those of the others.
    """
    parts = parts_of(path)
    return stack_parts(path, parts, [read(part.path) for part in parts])


def stack_parts(name: str, parts: Sequence[PartFile], sources: Sequence[Source], many: int = 0) -> Source:
    """Return one table of the rows of several parts, each of which knows where its rows are.

    Parameters
    ----------
    many
        How many parts the table has, if these are some of them.
    """
    try:
        frame = stacked([source.frame for source in sources], [part.partition for part in parts])
    except BadInput as bad:
        raise _stacking_error(bad, sources) from None
    starts = [0, *itertools.accumulate(source.frame.rows for source in sources)]

    def whence(row: int) -> str:
        from bisect import bisect_right

        place = bisect_right(starts, row) - 1
        return f"({sources[place].place(row - starts[place])})"

    keys = ", ".join(key for key, _ in parts[0].partition)
    note = f"one table of {plural(many or len(parts), 'part')}" + (f", columns by folder: {keys}" if keys else "")
    return Source(
        name,
        frame,
        notes=(note,),
        headerless_form=sources[0].headerless_form,
        locate_row=whence,
        is_part=any(source.is_part for source in sources),
    )


def refuse_other_columns(columns: Mapping[str, Sequence[str]]) -> None:
    """Refuse parts without a column of the first.

    Parameters
    ----------
    columns
        By path of a part, the names of its columns.

    Raises
    ------
    DataError
        With the part and the column.
    """
    first = next(iter(columns))
    for path, names in columns.items():
        for name in columns[first]:
            if name not in names:
                raise _missing_column(path, name, first)


def _missing_column(part: str, column: str, first: str) -> DataError:
    return DataError(
        f"{part}: no column {column!r}, which {first} has. All parts of a table must have the same columns. Write the "
        "part again, or read the table in Python and pass it."
    )


def _stacking_error(bad: BadInput, sources: Sequence[Source]) -> DataError:
    kind, place, column, _, detail = bad.args
    if kind == "no_column":
        return _missing_column(sources[place].name, column, sources[0].name)
    return DataError(
        f"{sources[place].name}: the values of {column!r} are of another type than in other parts ({detail}), and "
        "do not go together. Write the part again with the type of the others."
    )


# Files in a folder of results that cannot be read: which way out there is.


@contextmanager
def explain_stray_file(folders: Iterable[str]) -> Iterator[None]:
    """Add to the error of a file in one of these folders how to read the others."""
    try:
        yield
    except DataError as error:
        for folder in folders:
            # The message begins with the file; where a.csv and "a.csv old" both fit, the longer one is meant.
            found = [file for file in files_of(folder) if str(error).startswith((f"{file}:", f"{file} "))]
            if found:
                way = _advice(folder, max(found, key=len))
                error.args, error.typed = (f"{error}{way}",), f"{error.typed}{way}"
                break
        raise


def _advice(folder: str, stray: str) -> str:
    """Say to remove the file, or which pattern leaves it out."""
    import fnmatch

    others = [file for file in files_of(folder) if file != stray]
    pattern = _common_pattern(folder, others)
    if not pattern or fnmatch.fnmatch(stray, pattern):
        return f" If it is not meant as results, remove it from {folder}." if others else ""
    return f" If it is not meant as results, remove it from {folder}, or give the files: {pattern}."


def _common_pattern(folder: str, files: list[str]) -> str:
    """Return a pattern for most files: by a common name, or a common ending; "" if they have neither."""
    from collections import Counter

    names = Counter(map(os.path.basename, files)).most_common(1)
    endings = Counter(os.path.splitext(file)[1] for file in files).most_common(1)
    depths = {os.path.relpath(file, folder).count(os.sep) for file in files}
    # No files have no depth: without this, there would be no ending to look at.
    if len(depths) != 1 or not endings[0][0]:
        return ""
    name = names[0][0] if names[0][1] > 1 else f"*{endings[0][0]}"
    return os.path.join(folder, *["*"] * depths.pop(), name)


# Paths of files: what exists, and what was probably meant.


def path_or_content(path: str) -> str | bytes:
    """Return the path of a file, or the content of a pipe, which can only be read once.

    Raises
    ------
    DataError
        If there is no file, or it cannot be read.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISDIR(mode):
            return path if stat.S_ISREG(mode) else _read_pipe(path)
    except FileNotFoundError:
        raise _no_such_file(path) from None
    except DataError:
        raise
    except (OSError, ValueError) as error:  # a ValueError if no file can have this name
        raise DataError(f"{quoted(path)}: cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    raise DataError(f"{path}: this is a folder. Give a file with judgments or results.")


def refuse_endless(path: str) -> None:
    """Refuse a device that can be read for ever, such as /dev/zero; a terminal ends, and /dev/null is empty.

    Raises
    ------
    DataError
        If it is one.
    """
    if stat.S_ISCHR(os.stat(path).st_mode) and not os.path.samefile(path, os.devnull):
        with open(path, "rb") as device:
            if not device.isatty():
                raise DataError(f"{path}: a device, which has no end. Give a file, or a pipe.")


def _read_pipe(path: str) -> bytes:
    refuse_endless(path)
    with open(path, "rb") as pipe:
        return pipe.read()


def _no_such_file(path: str) -> DataError:
    file, _, part = path.rpartition("#")
    if part and os.path.isfile(file):
        tar = ".tar" in file or file.endswith(".tgz")
        return DataError(f"{file}: {TAR}" if tar else f"{path}: no such file, and {file} is no archive. Give {file}.")
    folder = os.path.dirname(path)
    if not os.path.isdir(folder or "."):
        return DataError(f"{path}: no such file; the folder {folder} does not exist either. Check the path.")
    return DataError(f"{path}: no such file.{suggest_file(path) or ' Check the path.'}")


def suggest_file(path: str) -> str:
    """Return " Did you mean …?" for the file with the closest name in the same folder, or an empty string."""
    import difflib  # only if something is misspelt

    if os.path.isdir(path):
        return " It is a folder."
    folder, name = os.path.split(path)
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    close = difflib.get_close_matches(name, names, n=1)
    return f" Did you mean {os.path.join(folder, close[0])}?" if close else ""


def files_of(name: str, is_whole: Callable[[str], bool] = lambda folder: False) -> list[str]:
    """Return the files of a folder by name, without hidden ones; anything else is returned as it is.

    A folder of folders, such as one per system, has the files of these, however deep.

    Parameters
    ----------
    is_whole
        Whether a folder in it is one thing, and returned in the place of its files.

    Raises
    ------
    DataError
        If the folder contains no file.
    """
    if not os.path.isdir(name):
        return [name]
    paths = [os.path.join(name, file) for file in sorted(os.listdir(name)) if not file.startswith(".")]
    files = [path for path in paths if os.path.isfile(path)] or _files_within(paths, is_whole)
    if not files:
        raise DataError(f"{name}: this folder contains no files. Give one file of results per system.")
    return files


def _files_within(folders: list[str], is_whole: Callable[[str], bool]) -> list[str]:
    """Return the files of the folders that contain any."""
    found = []
    for folder in folders:
        with contextlib.suppress(DataError):
            found += [folder] if is_whole(folder) else files_of(folder, is_whole)
    return found
