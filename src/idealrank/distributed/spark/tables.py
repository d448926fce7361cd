"""Tables of Spark: a DataFrame with its columns by role, and the number by which a query's rows come together."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from idealrank import errors
from idealrank._core import from_arrow
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.source import Source
from idealrank.data.ids import ONE_QUERY, Keyed
from idealrank.data.latency_columns import clock_columns
from idealrank.data.queries import OF_QUERIES
from idealrank.data.roles import KNOWN, Roles, fold
from idealrank.distributed.spark.tasks import SparkColumns, rows_in_order
from idealrank.errors import DataError, IdealrankError, NoColumnError, UsageError, listed

if TYPE_CHECKING:
    import pyarrow as pa

Frame: TypeAlias = Any
"""A DataFrame of PySpark, classic or Connect: PySpark is not imported for its type."""

_SAMPLE, _SHOWN = 100, 4
_KNOWN = OF_QUERIES | KNOWN
_NESTED = frozenset({"array", "map", "struct", "variant"})
_IDS = frozenset(
    {"string", "char", "varchar", "byte", "short", "integer", "long", "float", "double", "decimal", "date"}
)
"""Types whose text is the same on Spark as in the core."""

_WHOLE = r"^(0|-?[1-9][0-9]{0,14})\.0+$"
"""Text that spells a whole float: "12.0" is the id 12, as in the core (`rust/src/columns/ids.rs`)."""


@dataclass(frozen=True)
class SparkTable:
    """A DataFrame that was recognised.

    Attributes
    ----------
    frame
        The DataFrame with the columns that matter and nothing else.
    roles
        The column of each role; of the grade several, if there is one per rater.
    row_number
        The column that numbers the rows; "" if none does.
    """

    frame: Frame
    roles: Mapping[str, str | tuple[str, ...]]
    row_number: str = ""

    @property
    def columns(self) -> SparkColumns:
        """What tasks know of the columns."""
        return SparkColumns(tuple(self.frame.columns), self.row_number)

    @property
    def key(self) -> Any:
        """The query id as text, as a column: 12, "12" and 12.0 are the same."""
        name = self.roles.get("query")
        if not isinstance(name, str):
            return functions(self.frame).lit(ONE_QUERY)
        own = functions(self.frame)
        return own.coalesce(id_text(self.frame, name), own.lit(""))


def collect_queries(tables: Sequence[SparkTable], queries: Iterable[str]) -> list[pa.Table | None]:
    """Collect the rows of some queries, in the order of their numbers; None where a table has none."""
    wanted = list(queries)
    found = [(collect_arrow(table.frame.filter(table.key.isin(wanted))), table.row_number) for table in tables]
    return [rows_in_order(rows, number) for rows, number in found]


def recognise_table(
    frame: Frame, what: str, read: Callable[[Any], Keyed], row_number: str = "", units: Collection[str] = ()
) -> SparkTable:
    """Find the columns by name as `read_judgments` and `read_results` do; where names leave it open, by the first rows.

    Parameters
    ----------
    units
        Answers to the decision `unit`, which may be columns.

    Raises
    ------
    UsageError
        If it is not a DataFrame of Spark.
    NoColumnError
        If a column is missing or ambiguous.
    DataError
        If ids are of a type that is neither text nor a number.
    """
    if not hasattr(frame, "mapInArrow"):
        raise UsageError(
            f"{what}: a {type(frame).__name__} is not a DataFrame of Spark. Give one, such as spark.read.parquet(…); "
            "ir.evaluate takes everything else."
        )
    types = {field.name: field.dataType.typeName() for field in frame.schema.fields}
    flat = [name for name, kind in types.items() if kind not in _NESTED]
    try:
        _refuse_types(what, types)
        first = collect_arrow(frame.select(*_columns_of(frame, flat)).limit(_SAMPLE))
        roles = _find_roles(read(Source(what, from_arrow(first), locate_row=lambda row: _describe_row(first, row))))
    except NoColumnError as error:
        raise NoColumnError(f"{error} In Spark, rename a column first: df.withColumnRenamed('old', 'new').") from None
    named = {name for names in roles.values() for name in ([names] if isinstance(names, str) else names)}
    named |= {*clock_columns(flat).values(), row_number}
    known = _KNOWN.union(map(fold, units))
    kept = [name for name in flat if name in named or fold(name) in known]
    if row_number and row_number not in kept:
        raise NoColumnError(f"{what}: no column called {row_number!r} for the row number. Found: {', '.join(flat)}.")
    return SparkTable(frame.select(*_columns_of(frame, kept)), roles, row_number)


def _describe_row(rows: pa.Table, row: int) -> str:
    """Say which row it is by its first cells: rows of Spark have no numbers."""
    cells = [f"{name} {quoted(str(value))}" for name, value in rows.slice(row, 1).to_pylist()[0].items()]
    return f"row with {listed(cells[:_SHOWN])}"


def _refuse_types(what: str, types: Mapping[str, str]) -> None:
    """Refuse ids of a type whose text is not the same everywhere, before any row is read."""
    names = list(types)
    roles = Roles(what, names, {})
    for place in (roles.find("query"), roles.find("doc")):
        if place is not None and (kind := types[names[place]]) not in _IDS:
            way = f"explode('{names[place]}')" if kind == "array" else f"col('{names[place]}').cast('string')"
            raise DataError(
                f"{what}: the ids in {names[place]} are of the type {kind}. Ids must be text or whole numbers. Convert "
                f"them first: df.withColumn('{names[place]}', pyspark.sql.functions.{way})."
            )


def _find_roles(known: Keyed) -> dict[str, str | tuple[str, ...]]:
    names, found = known.roles.names, known.roles
    places = {role: found.find(role) for role in _ROLES_OF[type(known).__name__]}
    columns = known.columns  # type: ignore[attr-defined]  # judgments and results both have them
    roles: dict[str, str | tuple[str, ...]] = {role: columns[role] for role in ("query", "text") if role in columns}
    roles |= {role: names[place] for role, place in places.items() if place is not None}
    grades = tuple(names[place] for place in getattr(known, "grades", ()))
    return roles | ({"grade": grades if len(grades) > 1 else grades[0]} if grades else {})


_ROLES_OF = {
    "Judgments": ("doc", "rater", "subtopic", "step", "system"),
    "Results": ("doc", "rank", "score", "system", "step"),
}
"""Roles of the columns of each kind of table."""


def column(frame: Frame, name: str) -> Any:
    """Return a column of a DataFrame by its exact name, which may contain dots."""
    return functions(frame).col("`" + name.replace("`", "``") + "`")


def _columns_of(frame: Frame, names: Iterable[str]) -> list[Any]:
    return [column(frame, name) for name in names]


def id_text(frame: Frame, name: str) -> Any:
    """Return a column of ids as text, spelled as the core spells them."""
    own, kind, value = functions(frame), frame.schema[name].dataType.typeName(), column(frame, name)
    if kind == "decimal":  # the core refuses fractions
        return value.cast("decimal(38,0)").cast("string")
    if kind in ("float", "double"):  # the core refuses other floats
        exact = own.abs(value.cast("double")) < 2.0**53
        return own.when(exact, value.cast("long")).cast("string")
    return own.regexp_replace(value.cast("string"), _WHOLE, "$1")


def count_rows(*tables: SparkTable) -> int:
    """Count the rows of tables."""
    return sum(int(table.frame.count()) for table in tables)


def in_parts(parts: int, **tables: SparkTable) -> Any:
    """Group the rows of tables into parts of whole queries, by the hash of the query id; one shuffle.

    `cogroup` would hand out two tables, but Sail refuses ids that are missing there, and structs of some texts in
    groups: the columns of both tables stand side by side.

    Parameters
    ----------
    **tables
        ``judgment`` and ``result``: their columns are called so and by their places, and null in rows of the other.

    Raises
    ------
    UsageError
        If PySpark cannot hand out groups as Arrow.
    """
    own = functions(next(iter(tables.values())).frame)
    fields = {
        f"{side}{n}": (side, field) for side, table in tables.items() for n, field in enumerate(table.frame.schema)
    }
    rows = [
        table.frame.select(
            own.pmod(own.xxhash64(table.key), own.lit(parts)).alias("part"),
            own.lit(side).alias("side"),
            *[
                (column(table.frame, field.name) if of == side else own.lit(None).cast(field.dataType)).alias(name)
                for name, (of, field) in fields.items()
            ],
        )
        for side, table in tables.items()
    ]
    grouped = reduce(lambda one, other: one.unionByName(other), rows).groupBy("part")
    if not hasattr(grouped, "applyInArrow"):
        raise UsageError("PySpark 4.0 or later is needed: earlier ones cannot hand out the rows of a group as Arrow.")
    return grouped


# The engine behind the DataFrames: its functions, and the errors that come back from its executors.


_OUR_ERROR = re.compile(r"(?:^|[\s.(:'\"])((?:No)?(?:Column|Data|Usage|Strangers|Incomparable)Error): (.+)")
_MISSING_MODULE = re.compile(r"No module named '(idealrank|pyarrow|pandas)\b")

_OTHER_VERSION = re.compile(r"Can't get attribute '\w+' on <module 'idealrank\b")


def functions(frame: Any) -> Any:
    """Return the functions of PySpark for a DataFrame: a session of Spark Connect has its own.

    Raises
    ------
    UsageError
        If PySpark is not installed.
    """
    return _import_module(frame, "functions")


def window(frame: Any) -> Any:
    """Return the windows of PySpark for a DataFrame."""
    return _import_module(frame, "window").Window


def _import_module(frame: Any, name: str) -> Any:
    home = "pyspark.sql.connect" if ".connect." in type(frame).__module__ else "pyspark.sql"
    try:
        return importlib.import_module(f"{home}.{name}")
    except ImportError:
        raise UsageError("PySpark is not installed. Install it: pip install 'idealrank[spark]'.") from None


def collect(frame: Any) -> list[Any]:
    """Compute a small DataFrame and return its rows; what an executor refused is raised here as it was there.

    Raises
    ------
    DataError, UsageError
        What the data or the call was refused with; that an executor does not have what it needs.
    """
    rows: list[Any] = _computed(frame.collect)
    return rows


def collect_arrow(frame: Any) -> pa.Table:
    """Compute a small DataFrame and return its rows as Arrow, with the types that executors see."""
    return _computed(frame.toArrow)


def _computed(compute: Callable[[], Any]) -> Any:
    try:
        return compute()
    except Exception as error:  # each engine has its own; all others are passed on
        ours = find_executor_error(str(error))
        if ours is None:
            raise
        raise ours from None


def find_executor_error(text: str) -> IdealrankError | None:
    """Return the error of this library in what an engine says of a failed task, or None.

    Examples
    --------
    >>> find_executor_error("Job aborted ... idealrank.errors.DataError: results query '7': the doc id is missing.")
    DataError("results query '7': the doc id is missing.")
    """
    if (missing := _MISSING_MODULE.search(text)) is not None:
        return UsageError(
            f"The executors of Spark do not have {missing[1]}. Install it there, in the same version as here: "
            "see docs/spark.md."
        )
    if _OTHER_VERSION.search(text) is not None:
        return UsageError(
            "The executors of Spark have another version of idealrank than the driver. Install the same version there: "
            "see docs/spark.md."
        )
    found = _OUR_ERROR.search(text)
    if found is None:
        return None
    return getattr(errors, found[1], DataError)(found[2].strip())
