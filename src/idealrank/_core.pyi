"""The compiled core: reads judgments and results, groups them by query, joins, orders and ranks them."""

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

class BadInput(Exception):  # noqa: N818
    """Bad text: ``args`` are (kind, line, column, value, detail); line is 1-based, 0 = unknown.

    Kinds: empty, too_few_fields (detail "4 of 6"), not_a_number, not_finite, not_utf8,
    line_too_long (over 1 MiB), truncated, corrupt, ragged (detail "7 of 5"), stray_quote, duplicate_header,
    binary, nul (in a text of JSON), blank_in_id (tabs separate the fields, and one holds a blank),
    too_many_rows (beyond 32 bits).
    """

    args: tuple[str, int, str, str, str]

class BadRow(Exception):  # noqa: N818
    """A bad row: ``args`` are (kind, row, column, value, detail, other_row); rows are 0-based, other_row may be -1.

    Kinds: not_a_number, not_finite, not_exact (an integer no float64 holds), fractional_id,
    rounded_id (a float beyond 2^53), single_id (one of 32 bits beyond 2^24), bool_id, missing_id,
    duplicate (value = document, detail = query, other_row = the first's row).
    """

    args: tuple[str, int, str, str, str, int]

@final
class Progress:
    """Bytes read so far and bytes in all; safe to look at from another thread."""

    def __init__(self) -> None: ...
    @property
    def done(self) -> int:
        """Bytes of the source read so far (compressed bytes of a compressed source)."""
    @property
    def total(self) -> int:
        """Bytes in the source; 0 until it is open."""

@final
class Column:
    """A column of a frame, immutable: text, int, float or bool values, any of which may be missing."""

    @property
    def kind(self) -> Literal["text", "int", "float", "bool"]:
        """Type of the values."""
    @property
    def missing(self) -> int:
        """Number of missing values: nulls, None, NaN; in delimited text empty fields."""
    def __len__(self) -> int: ...
    def to_list(self, rows: NDArray[np.int64] | None = None) -> list[Any]:
        """The values at ``rows`` (default: all), None where missing."""
    def number(self, name: str, missing_words: bool = False) -> Column:
        """The column as floats; text is parsed, blanks around it allowed.

        With ``missing_words`` nan, null, na and none (any case) are missing values.
        Raises BadRow("not_a_number", row, name, text, "", -1).
        """
    def plain_ids(self) -> Column:
        """The column with every text that spells a whole float as that number: "12" for "12.0"."""
    def refuse_no_ids(self, name: str) -> None:
        """Raise BadRow for the first value that is true or false, or a float that is no id for certain."""
    def respelled(self) -> tuple[int, str, str] | None:
        """The ids that texts spell in several ways, as "1" and "1.0": how many, and two spellings of the first."""
    def before(self, separator: str) -> tuple[Column, int]:
        """Each id up to the last separator, whole where it has none; and how many ids have one."""
    def looked_up(self, keys: Column, values: Column, keep: bool) -> tuple[Column, int]:
        """The value of each id's key; else the id itself, if ``keep``, or nothing; and how many ids are keys."""
    def floats(self) -> NDArray[np.float64]:
        """The numbers of an int, float or bool column, NaN where missing; TypeError for text."""
    def distinct(self, limit: int) -> list[Any]:
        """The distinct values in the order they first occur, at most ``limit``; missing ones left out."""
    def codes(self) -> tuple[NDArray[np.int64], Column]:
        """(N,) a number for each row's value, the same for the same, -1 where missing; and the distinct values.

        The numbers count the distinct values in the order they first occur.
        """
    def among(self, others: Column) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(n,) the places of the ids that are among others, in order, and the first place of each there."""

    def ends(self, others: Column) -> tuple[str, str] | None:
        """Return the first and the last in order of the ids that are neither among others nor empty."""

    def odd(self) -> NDArray[np.int64]:
        """(n,) the places of the ids that are not of printable ASCII."""

    def spelled_as(self, spellings: Column) -> NDArray[np.int64]:
        """(n,) the places of the ids that have one of these spellings, or may have one after more of a look.

        Spellings are without capitals and leading zeros; ids of other than printable ASCII, with blanks, ``%`` or
        ``://``, need more of a look.
        """

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Frame:
    """A table as it was read: named columns of equal length."""

    @property
    def names(self) -> list[str]:
        """Names of the columns, in order."""
    @property
    def rows(self) -> int:
        """Number of rows."""
    @property
    def format(self) -> Literal["trec-qrels", "trec-run", "delimited", "jsonl", "parquet", "arrow", "object", "dicts"]:
        """What the table was read from."""
    @property
    def skipped(self) -> int:
        """Comment lines and blank lines that were passed over."""
    def column(self, index: int) -> Column:
        """The column at ``index``."""
    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """All columns as one Arrow stream."""
    def nested(self, index: int) -> int | None:
        """The first row whose value in the column is a list or an object; they are held as JSON text."""
    def line(self, row: int) -> int:
        """The 1-based line of the source on which ``row`` stands; 0 if the source has no lines."""

    def read_from(self, format: str) -> Frame:  # noqa: A002
        """The same table, as if it had been read from another format."""
    def padded(self, names: Sequence[str]) -> Frame:
        """The columns called ``names``, in this order; one that is not there has only missing values."""

@final
class Rows:
    """The rows of a file, each with the hash of its query and its place, read while somebody takes them.

    An Arrow stream: (query, row, c0, c1 …) of a table; of text (query, row, text), where a text has all records of one
    query that stand together, and its row is the line of the first.
    """

    @property
    def start(self) -> bytes:
        """The text above all records, of as many lines as the file has there."""
    def names(self) -> list[str]:
        """The keys of all objects, once the rows are read; of lines of fields some values of the second.

        Raises BadInput if the file cannot be read.
        """
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Splitter:
    """How the query of each row of a file is found."""

    @staticmethod
    def fields(above: int = 0) -> Splitter:
        """Lines of fields between white space, the first of which is the query."""
    @staticmethod
    def delimited(delimiter: str, place: int, above: int = 0, headed: bool = True) -> Splitter:
        """Delimited text whose field ``place`` is the query, with or without a header after ``above`` lines."""
    @staticmethod
    def objects(key: str) -> Splitter:
        """Lines of JSON objects whose value at ``key`` is the query."""
    @staticmethod
    def table(key: str) -> Splitter:
        """A Parquet or Arrow file whose column ``key`` is the query."""
    def rows(self, source: str | os.PathLike[str], progress: Progress | None = None) -> Rows:
        """The rows of a file."""

def query_hash(query: str) -> int:
    """The hash of a query, as rows have it."""

def natural_order(ids: list[str]) -> NDArray[np.int64]:
    """The order of ids: q9 before q10."""

_Source: TypeAlias = str | os.PathLike[str] | bytes

def read_trec(
    source: _Source, kind: Literal["qrels", "run"], progress: Progress | None = None, iteration: bool = False
) -> Frame:
    """Read TREC judgments (columns query, doc, grade) or results (query, doc, rank, score, system).

    Judgments also have the column iteration, where it is not the same in all lines; with ``iteration`` always.
    """

def read_delimited(source: _Source, delimiter: str, progress: Progress | None = None, above: int = 0) -> Frame:
    """Read delimited text with a header row; every column is text, an empty field is missing.

    ``above`` is the number of lines before the header, which are passed over.
    """

def read_jsonl(source: _Source, progress: Progress | None = None) -> Frame:
    """Read one JSON object a line; columns are the keys in the order they are first seen."""

_Wanted: TypeAlias = Sequence[tuple[str, Sequence[str], bool, Sequence[tuple[str, Sequence[str]]]]]

def read_json(
    source: _Source, plan: _Wanted, lined: bool = False, progress: Progress | None = None
) -> list[tuple[str, Frame]]:
    """Read the tables of a plan out of JSON documents, one per line if `lined`.

    A plan lists kinds of rows: (table, path, whether further plain values of a row are columns, [(column, path)]).
    Steps of a path are ``.name``, ``*`` and ``[]``; its end may be ``@key`` or ``@place``.
    """

def read_objects(
    plan: _Wanted, documents: list[Any], spell: Callable[[Any], str], lined: bool
) -> list[tuple[str, Frame, list[tuple[str, int, str]]]]:
    """Read the tables of a plan, as `read_json` does, out of Python objects: dicts, lists and plain values.

    ``spell`` writes a list or a dict that is a cell. If `lined`, the line of a row is the number of its document. With
    each table come the columns that contain objects of other types: name, the row of the first, and its type.
    """

def read_parquet(source: _Source) -> Frame:
    """Read a Parquet file."""

def read_arrow(source: _Source) -> Frame:
    """Read an Arrow IPC file or stream."""

def arrow_file(frame: Frame) -> bytes:
    """The columns of a table as the bytes of an Arrow file."""

def from_arrow(obj: object) -> Frame:
    """Take the columns of anything with ``__arrow_c_stream__`` or ``__arrow_c_array__``."""

def from_columns(names: list[str], values: list[Any]) -> Frame:
    """Make a frame from lists, tuples, NumPy arrays or other iterables of equal length."""

def from_dicts(mapping: object) -> Frame:
    """Make a frame with columns query, doc, value from ``{query: {doc: number}}``.

    An empty inner mapping becomes one row with a missing document.
    """

def is_numbers_by_document(data: object, numbers: list[type]) -> bool:
    """Whether it is ``{query: {document: number}}`` in plain dicts, not all empty, with numbers of these types."""

def sniff(source: _Source, size: int = 65536) -> bytes:
    """The first decompressed bytes of a source, at most ``size``."""

@final
class Pool:
    """Judgments grouped by query, the highest grade of each first."""

    def __init__(
        self, query: Column, doc: Column, grade: Column, duplicates: Literal["error", "first", "last", "max"]
    ) -> None: ...
    @property
    def queries(self) -> list[str]:
        """Every query with at least one grade, in natural order."""
    @property
    def start(self) -> NDArray[np.int64]:
        """(Q+1,) entries of query q are ``start[q]:start[q + 1]``."""
    @property
    def grade(self) -> NDArray[np.float64]:
        """(J,) grades, highest first within a query, then by document id (bytes, ascending)."""
    @property
    def row(self) -> NDArray[np.int64]:
        """(J,) row of each entry in its frame."""
    @property
    def ungraded(self) -> int:
        """Rows without a grade; they are left out."""
    @property
    def ungraded_queries(self) -> list[str]:
        """Queries that have rows but no grade at all."""
    @property
    def dropped(self) -> int:
        """Rows dropped as duplicates."""
    def docs(self, entries: NDArray[np.int64]) -> list[str]:
        """Document ids of pool entries."""

@final
class Run:
    """One system's results grouped by query."""

    def __init__(
        self,
        query: Column,
        doc: Column,
        score: Column | None,
        rank: Column | None,
        rows: NDArray[np.int64] | None,
        duplicates: Literal["error", "first", "last", "max", "keep"],
        from_zero: bool | None = None,
    ) -> None:
        """Group results; ``from_zero``: whether ranks start at 0 in the whole of which these are some queries."""
    def rolled(self, units: Column, roll_up: str, order_by: str, gaps: bool) -> tuple[Run, Run]:
        """The run with the results of each unit rolled up to one: ``first``, ``sum`` or ``mean(n)``.

        In the second run the others keep their ranks, and are results of nothing. With ``gaps``, ranks that are left
        out stay empty in the first, and those of the others do not.
        Raises BadRow("missing_unit", row, ...) if a result has no unit.
        """
    @property
    def merged(self) -> int:
        """Results that were rolled up into another of their unit."""
    @property
    def keeping_ranks(self) -> int:
        """Those of them that keep their ranks."""
    @property
    def queries(self) -> list[str]:
        """Every query, those with only placeholder rows included, in natural order."""
    @property
    def results(self) -> int:
        """Results, without placeholders and dropped duplicates."""
    @property
    def placeholders(self) -> int:
        """Rows without a document id: "no results" for their query."""
    @property
    def dropped(self) -> int:
        """Rows dropped as duplicates."""
    @property
    def missing_scores(self) -> int:
        """Results without a score."""
    @property
    def missing_ranks(self) -> int:
        """Results without a rank."""
    @property
    def lowest_rank(self) -> float:
        """The lowest rank, NaN if there is none."""
    @property
    def rank_repeats(self) -> int:
        """Queries in which a rank occurs twice."""
    @property
    def rank_gaps(self) -> int:
        """Queries in which a rank is left out (counted from 0 if the table's lowest rank is 0, else from 1)."""
    def docs(self, rows: NDArray[np.int64]) -> list[str]:
        """Document ids of rows of the frame."""
    def documents(self) -> Column:
        """Return the document ids of all rows of the frame."""

    def rows_of(self, query: int) -> NDArray[np.int64]:
        """Rows of a query (an index into ``queries``), in the order they were given."""
    def order_conflict(self) -> tuple[NDArray[np.int8], list[int]]:
        """How rank and score order each query: 0 alike, 1 differently, 2 in opposite directions; and how many of each.

        Opposite: every pair with different scores is reversed, and there is one. ValueError
        unless the run has both columns.
        """
    def score_sequence(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
        """How the scores of each query run from row to row; rows without one are passed over.

        How many are known; how often a score differs from the one before; how often it is lower, or, where there are
        ranks, the rank is; the first score; and whether they count the rows from 0 or from 1. ValueError without
        scores.
        """
    def rank_sequence(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
        """The ranks of each query: how many are known, the lowest, the highest; how many have a fraction, the lowest.

        The lowest is infinite where there is none, the highest negative infinite. ValueError without ranks.
        """
    def single_ties(self) -> bool:
        """Whether a query has scores that differ, and are the same in single precision."""

@final
class Judged:
    """Judged lists: per judged query the results that have a judgment (dense: all of them), by rank.

    Q is the number of the pool's queries, H the number of hits; arrays are read-only.
    """

    @property
    def returned(self) -> NDArray[np.int64]:
        """(Q,) results of each query; with gaps kept, its last rank."""
    @property
    def listed(self) -> NDArray[np.bool_]:
        """(Q,) whether the query occurs in the run, be it only as a placeholder."""
    @property
    def tied(self) -> NDArray[np.int64]:
        """(Q,) results of the query that share their key with another."""
    @property
    def hit_start(self) -> NDArray[np.int64]:
        """(Q+1,) hits of query q are ``hit_start[q]:hit_start[q + 1]``."""
    @property
    def tied_repeats(self) -> bool:
        """Whether a result of a unit that stands before is tied with another; in dense lists."""
    def repeated_within(self, depth: int | None = None) -> NDArray[np.int64]:
        """(Q,) results within a depth that are of a unit that stands before, and keep their ranks; in dense lists."""
    def hits(
        self, first: int, last: int
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
    ]:
        """Return the hits of queries ``first:last``, by query and rank.

        Returns
        -------
        (h,) each: 1-based rank among all results of its query; grade, NaN if unjudged; index of its
        judgment in the pool's arrays, -1 if unjudged; row in the run's frame; first and last rank of
        the span of equal keys it lies in.

        Raises
        ------
        IndexError
            If there are no such queries.
        """
    def judged_within(self, depth: int | None = None, below_zero: bool = True) -> NDArray[np.int64]:
        """(Q,) judged results within a depth (None: all); with or without those of a grade below zero."""
    @property
    def unjudged_queries(self) -> list[str]:
        """Queries of the run without judgments."""
    @property
    def unjudged_returned(self) -> NDArray[np.int64]:
        """Results of each query without judgments."""

def judge(
    pool: Pool,
    run: Run,
    order_by: Literal["score", "rank", "given"],
    ties: Literal["docid_desc", "docid_asc", "given"],
    score_precision: Literal["float64", "float32"],
    rank_gaps: Literal["close", "keep"],
    dense: bool,
    queries: NDArray[np.int64] | None = None,
) -> Judged:
    """Join a run to a pool and rank it; ``queries`` restricts to these judged queries (others then have nothing)."""

def exact_sum(values: NDArray[np.float64]) -> float:
    """Return the sum of (N,) numbers, rounded once, whatever their order.

    Raises
    ------
    ValueError
        If it is beyond the range of numbers.
    """

def signed_sums(signs: NDArray[np.uint64], numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """(rows, H) sums of (Q, H) numbers under each row of signs, the same whatever the threads and the rows.

    ``signs`` (rows, W) has a bit for each query, 1 for plus, in W = ⌈Q / 64⌉ numbers: those of queries 8g to 8g + 7 are
    byte g from the lowest byte on, the first query its highest bit. ValueError if W is another.
    """

def pair_sums(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None, least: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return sums over the differences of all pairs of (S, Q) values: those of later systems less each, in one row.

    The sums of weighted differences, of their squares, and of the weight times them, empty without weights. Differences
    up to ``least`` are 0, and queries are added in order. ValueError for another number of weights than queries.
    """

def largest_scaled(totals: NDArray[np.float64], scales: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each row of (rows, S) totals the largest absolute difference of two times the scale of the pair.

    ``scales`` are in the order of `pair_sums`; ValueError if there is not one for each pair.
    """

def merge_judgments(
    start: NDArray[np.int64],
    grade: NDArray[np.float64],
    entry: NDArray[np.int64],
    more_start: NDArray[np.int64],
    more_grade: NDArray[np.float64],
    more_entry: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the grades and entries of each query's judgments with those of further documents, highest grade first.

    Judgments have the highest grade first, and come before the others of the same grade, which stay as they are.

    Raises
    ------
    IndexError
        If a query reaches beyond its judgments or documents.
    """

def max_ratios(
    certain: NDArray[np.float64],
    weight: NDArray[np.float64],
    start: NDArray[np.int64],
    height: NDArray[np.float64],
    above: NDArray[np.int64],
    whole: NDArray[np.float64],
    ideal_sums: NDArray[np.float64],
    depth: NDArray[np.int64],
) -> NDArray[np.float64]:
    """(R,) the greatest of each ratio over all choices of grades; NaN if nothing ever stands below.

    ``whole`` (R,) is the sum of the heights; the others are the fields of a `Ratio`.
    """

def max_ap_differences(
    one: Any,
    other: Any,
    start: NDArray[np.int64],
    queries: NDArray[np.int64],
    relevant: NDArray[np.float64],
    unseen: int,
    most: float,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(R,) the greatest difference of AP of some queries over every choice of relevant holes, and whether it was found.

    ``one`` and ``other`` are `PrecisionLists`, ``start`` says where the holes of each query begin; ``relevant`` (R,) is
    R without holes, to which ``unseen`` may come that nobody returned. Of more choices than ``most`` none is tried, and
    NaN returned.
    """

def running_sums(values: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return (N,) the sum of each segment's values up to and with each; segment i is ``start[i]:start[i + 1]``.

    Raises
    ------
    IndexError
        If a segment reaches beyond the values.
    """

def end_when_interrupted(pipe: int, message: str, code: int, patience: int) -> None:
    """End the process when a byte comes through a pipe and the signal is not handled within so many milliseconds."""

def interruption_handled() -> None:
    """Say that a signal is handled: the process ends in its own time."""

def threads() -> int:
    """Return how many threads the core works with."""

def column_names(source: str | os.PathLike[str]) -> list[str]:
    """The columns of a Parquet or Arrow file, without reading rows."""

def parquet_size(source: str | os.PathLike[str]) -> tuple[int, int]:
    """The rows of a Parquet file, and their bytes when they are decompressed."""

def unpacked_ratio(source: str | os.PathLike[str], size: int = 1 << 22) -> float:
    """How many bytes a byte of a file becomes when it is decompressed, by the first ``size`` of them."""

def stacked(parts: Sequence[Frame], constants: Sequence[Sequence[tuple[str, str | None]]]) -> Frame:
    """One table of the rows of several, with columns of one value per part; columns are matched by name.

    Raises BadInput("no_column", part, name, "", "") or BadInput("column_type", part, name, "", "Int64 and Utf8"),
    where part is the place of the part from 0.
    """
