"""The core's errors in words: where, what is wrong, what is allowed, what to do next; and `quoted` values in any."""

from __future__ import annotations

import re
from collections.abc import Iterable

from idealrank._core import Column, from_columns
from idealrank.data.roles import ALIASES, KNOWN, fold
from idealrank.errors import DataError, either, option, plural

QUOTED = 60
"""Values are quoted up to this many characters."""

READABLE = "Readable: TREC text, CSV, TSV, JSONL, Parquet, Arrow, Excel; also in gz, zst, bz2, xz, lz4 or zip."
JSONL = "Give one JSON object per line."
TAR = "a tar archive. Unpack it and give the files in it."
EMPTY = "empty. Give at least one judgment or result."
TREC_FIELDS = (
    "A TREC line is 'query 0 document grade' (judgments) or 'query Q0 document rank score system' (results); "
    "other text needs a first line that names its columns."
)
PREFERENCES = (
    "Only idealrank trec_eval -R prefs reads preferences with subgroups. If the fields mean something else, add a "
    "first line that names the columns, such as: query, subtopic, doc and grade."
)
SECOND_FIELD = f"If the second field is a subtopic: {option('subtopic', 'iteration', 'subtopic-col')}."

_JSON_WAYS = {
    "half a character": "A \\ud… escape must have its other half beside it: write both, or remove it.",
    "hex escape": "A \\ud… escape must have its other half beside it: write both, or remove it.",
    "occurs twice": "Rename one of the two, or remove it.",
}
_TEXT = {
    "empty": EMPTY,
    "not_utf8": "not UTF-8 text. Save the file as UTF-8. A spreadsheet offers it as a type of its own, such as CSV "
    "UTF-8; its plain CSV is often Windows-1252.",
    "line_too_long": "longer than 1 MiB, the longest a line may be. Is this the right file?",
    "truncated": "the compressed data ends early. Copy or compress the file again.",
    "trailing": "there are other bytes after the end of the compressed data. Copy or compress the file again.",
    "bomb": "a small file that unpacks to more than 32 MiB and 40 times its size, so reading it was stopped. Unpack "
    "it first if it is meant, or write the table as CSV.",
    "corrupt": "cannot be decoded. Check the file, or create it again.",
    "left_out": "a Parquet or Arrow file, or one packed by zstd. This build of idealrank, that of `make demo`, reads "
    "none. Install the whole one in idealrank's folder: pip install .",
    "binary": f"binary data. {READABLE}",
    "cell_too_long": "a text longer than 16 MiB. Is this the right file?",
    "too_deep": "lists and objects lie more than 10,000 deep in each other.",
    "too_many_rows": "more than 4,294,967,295 rows. Split the file.",
}


def quoted(value: str) -> str:
    """Quote a value of the input, on one line and shortened.

    Examples
    --------
    >>> quoted("abc")
    "'abc'"
    """
    return repr(value if len(value) <= QUOTED else value[:QUOTED] + "…")


def with_article(name: str) -> str:
    """Name a type with its article.

    Examples
    --------
    >>> with_article("Document"), with_article("object")
    ('a Document', 'an object')
    """
    if name == "NoneType":
        return "None"
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


CELLS = (
    "not_a_number", "not_finite", "not_exact", "not_flat", "fractional_id", "rounded_id", "single_id", "bool_id",
    "foreign_id", "missing_id",
)  # fmt: skip


def bad_cell(place: str, kind: str, column: str, value: str) -> DataError:
    """Build the error for a single value: one of `CELLS`."""
    if kind == "not_a_number":
        return DataError(f"{place}: {column} {quoted(value)} is not a number. {_advise_number(column, value)}")
    if kind == "not_finite":
        return DataError(f"{place}: {column} {quoted(value)} is not finite. Give a finite number.")
    if kind == "not_exact":
        return DataError(f"{place}: {column} {quoted(value)} has more digits than a float64 can store. Round it.")
    if kind == "not_flat":
        return DataError(
            f"{place}: {column} {quoted(value)} is a list or an object. "
            "Give one text or number, with one row per document."
        )
    if kind == "fractional_id":
        what = column if fold(column).endswith("id") else f"{column} id"
        return DataError(f"{place}: {what} {value} is not a whole number. Ids must be text or whole numbers.")
    if kind == "rounded_id":
        return DataError(
            f"{place}: {column} is a float beyond 2^53, where different ids are the same number. "
            "Read the column as text or as whole numbers."
        )
    if kind == "single_id":
        return DataError(
            f"{place}: {column} is a float of 32 bits or fewer, and {value} beyond what it holds exactly, so different "
            "ids may have become the same number. Store ids as text or int64 where the table was made."
        )
    if kind == "bool_id":
        return DataError(
            f"{place}: {column} is {value}, which is no id. Ids must be text or whole numbers; an id that is called "
            f'so must be in quotes, as "{value}".'
        )
    if kind == "foreign_id":
        return DataError(
            f"{place}: the {column} id is {with_article(value)}, which is neither text nor a whole number. Give its "
            "id, as str(…) or the field that contains it."
        )
    return DataError(f"{place}: the {column} id is missing. Give every row one.")


_COMMA = r"\s*[-+]?\d*,\d+\s*"
NOTHING = r"(?i)\s*(n\.?/?a\.?|[-–—?.]+|nan|null|none|nil|unknown|unjudged|unrated|missing)\s*"
"""What is written where there is no number."""


def _advise_number(column: str, value: str) -> str:
    """Say what to write in the place of a text that is no number."""
    if fold(column) in ALIASES["grade"][0] and re.fullmatch(NOTHING, value):
        return "If nobody judged this document, leave the row out; in a table the cell may also be empty."
    if fold(column) not in KNOWN and re.fullmatch(NOTHING, value):  # of a name nobody knows: a score is never left out
        return "If there is none, leave the cell empty."
    if fold(column) in ALIASES["grade"][0] and re.fullmatch(r"[^\W\d]{3,}", value):
        scale = f"{value}="
        way = either(f"grades={scale!r}", f'--grades "{scale}"')
        return (
            f"It is a word among numbers. If it says that there is no grade, leave the cell empty or pass {way}; if it "
            "is a grade, say what every value is worth, the numbers too."
        )
    if re.fullmatch(GROUPED, value):
        return "It can be a decimal or thousands. Write decimals with a point, as in 2.5, and thousands without commas."
    if re.fullmatch(_COMMA, value):
        return "Write decimals with a point, as in 2.5."
    return "Give a number, such as 3 or 0.25."


def half_character(place: str, what: str, text: str) -> DataError:
    """Build the error for a text with a lone surrogate, which no file can store."""
    half = next(sign for sign in text if "\ud800" <= sign <= "\udfff")
    return DataError(
        f"{place}: {what} {quoted(text)} contains half a character ({half}), which text cannot store. Read the text "
        "again in its own encoding, or escape the half: text.encode('utf-8', 'backslashreplace').decode()."
    )


def bad_input(source: str, kind: str, line: int, column: str, value: str, detail: str) -> DataError:
    """Build the error for a line or file that the core refuses."""
    place = f"{source} line {line}" if line else source
    if kind in CELLS:
        return bad_cell(place, kind, column, value)
    if kind == "too_few_fields":
        return DataError(f"{place}: {detail} fields in {quoted(value)}. {TREC_FIELDS}")
    if kind == "uneven_fields":
        fields, others, other = detail.split()
        return DataError(
            f"{place}: {plural(int(fields), 'field')}, but line {other} has {others}. Give every line the same number "
            "of fields, and use ids without whitespace."
        )
    if kind == "some_named":
        return DataError(
            f"{place}: no comment names the document of this line, but line {detail} names its own {quoted(value)}. "
            "Name the document of every line in its comment, or of none."
        )
    if kind == "not_learning":
        return DataError(
            f"{place}: {quoted(value)} is not a learning-to-rank line. Give every line a grade, qid:query and features."
        )
    if kind == "blank_in_id":
        return DataError(
            f"{place}: {quoted(value)} contains whitespace, which ends a field of TREC text. "
            "Use ids without whitespace, or a first line that names the columns."
        )
    if kind == "ragged":
        fields, _, wanted = detail.partition(" of ")
        if column == "unclosed":
            return DataError(f"{place}: a quote opens here and is not closed. Close it, or write a quote as two.")
        return DataError(
            f"{place}: {plural(int(fields), 'field')}, but the header has {wanted}. Give every line the same number, "
            "and quote fields that contain the separator."
        )
    if kind == "stray_quote":
        return DataError(
            f"{place}: a quote opens here and closes some lines further down, so the rows between would be one field. "
            'If the quote is part of a text, as in 27" tv, put the whole text in quotes and write its own as two: '
            '"27"" tv".'
        )
    if kind == "duplicate_header":
        way = "The first line must name the columns." if re.fullmatch(r"[-+\d.]+", value) else "Rename one."
        return DataError(f"{place}: two columns are called {quoted(value)}. {way}")
    if kind == "other_shape":
        return DataError(
            f"{place}: {detail} where the other documents have something else. Write all of them alike, or remove it."
        )
    if kind == "nul":
        return DataError(
            f"{place}: the text {quoted(value)} contains a NUL character (\\u0000 in JSON), which no id or name may "
            "contain. Remove it."
        )
    # Only JSON is decoded line by line, by a reader to which each line is the first.
    if kind == "corrupt" and (line or "occurs twice" in detail):
        problem = detail.replace(" at line 1 ", " at ")
        return DataError(
            f"{place}: {problem}. {next((way for sign, way in _JSON_WAYS.items() if sign in problem), JSONL)}"
        )
    extra = f" ({detail})" if detail else ""
    return DataError(f"{place}: {_TEXT.get(kind, kind + '.')}{extra}")


# Numbers with decimal commas, as European spreadsheets write them.


_DECIMAL = r"\s*[-+]?\d*,\d+([eE][-+]?\d+)?\s*"

_POINT = r"\s*[-+]?\d*\.\d"

GROUPED = r"\s*[-+]?[1-9]\d{0,2}(,\d{3})+\s*"
"""A number that may as well be a whole one with commas between thousands."""


def decimal_points(column: Column) -> Column | None:
    """Return a column of text with points for commas, if every number has at most one comma and none has a point.

    Examples
    --------
    >>> from idealrank._core import from_columns
    >>> decimal_points(from_columns(["score"], [["0,73", None, "2"]]).column(0)).to_list()
    ['0.73', None, '2']
    >>> decimal_points(from_columns(["score"], [["0,73", "0.5"]]).column(0)) is None
    True

    What may be thousands is left alone.

    >>> decimal_points(from_columns(["score"], [["1,234", "2"]]).column(0)) is None
    True
    """
    values = column.to_list()
    commas = [value for value in values if value and "," in value]
    points = any(value and re.match(_POINT, value) for value in values)
    if (
        points
        or not all(re.fullmatch(_DECIMAL, one) for one in commas)
        or all(re.fullmatch(GROUPED, one) for one in commas)
    ):
        return None
    return from_columns(["number"], [[value and value.replace(",", ".") for value in values]]).column(0)


_POINTED = r"\s*[-+]?[1-9]\d{0,2}\.\d{3}\s*"
_SMALL = r"\s*[-+]?\d{1,3}\s*"

DISTINCT = 1000
"""Values of a column that are looked at before all of them are."""


def may_be_thousands(values: Iterable[str | None]) -> bool:
    """Whether numbers with a point may be whole ones with points between thousands.

    That is, all of them have three digits behind it, one of which ends in 0, and whole numbers below 1000 are there.

    Examples
    --------
    >>> may_be_thousands(["1.200", "900", None, "1.050"])
    True
    >>> may_be_thousands(["1.200", "1.050"]), may_be_thousands(["1.213", "2", "1.057"]), may_be_thousands(["0.5", "1"])
    (False, False, False)
    """
    pointed, small = set[str](), False
    for value in values:
        if not value or not value.strip():
            continue
        if "." not in value:
            if not re.fullmatch(_SMALL, value):
                return False
            small = True
        elif re.fullmatch(_POINTED, value):
            pointed.add(value.strip())
        else:
            return False
    return small and len(pointed) > 1 and any(value.endswith("0") for value in pointed)
