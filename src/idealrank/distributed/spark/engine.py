"""The engine behind the DataFrames: its functions, and the errors that come back from its executors."""

from __future__ import annotations

import importlib
import re
from typing import Any

from idealrank import errors
from idealrank.errors import DataError, IdealrankError, UsageError

_OURS = re.compile(r"(?:^|[\s.(:'\"])((?:No)?(?:Column|Data|Usage|Strangers|Incomparable)Error): (.+)")
_MISSING = re.compile(r"No module named '(idealrank|pyarrow|pandas)\b")

_OTHER = re.compile(r"Can't get attribute '\w+' on <module 'idealrank\b")


def functions(frame: Any) -> Any:
    """Return the functions of PySpark for a DataFrame: a session of Spark Connect has its own.

    Raises
    ------
    UsageError
        If PySpark is not installed.
    """
    return _module(frame, "functions")


def window(frame: Any) -> Any:
    """Return the windows of PySpark for a DataFrame."""
    return _module(frame, "window").Window


def _module(frame: Any, name: str) -> Any:
    home = "pyspark.sql.connect" if ".connect." in type(frame).__module__ else "pyspark.sql"
    try:
        return importlib.import_module(f"{home}.{name}")
    except ImportError:
        raise UsageError("PySpark is not installed. Install it: pip install 'idealrank[spark]'.") from None


def collected(frame: Any) -> list[Any]:
    """Compute a small DataFrame and return its rows; what an executor refused is raised here as it was there.

    Raises
    ------
    DataError, UsageError
        What the data or the call was refused with; that an executor does not have what it needs.
    """
    try:
        rows: list[Any] = frame.collect()
    except Exception as error:  # each engine has its own; all others are passed on
        ours = of_executor(str(error))
        if ours is None:
            raise
        raise ours from None
    return rows


def of_executor(text: str) -> IdealrankError | None:
    """Return the error of this library in what an engine says of a failed task, or None.

    Examples
    --------
    >>> of_executor("Job aborted ... idealrank.errors.DataError: results query '7': the doc id is missing.")
    DataError("results query '7': the doc id is missing.")
    """
    if (missing := _MISSING.search(text)) is not None:
        return UsageError(
            f"The executors of Spark do not have {missing[1]}. Install it there, in the same version as here: "
            "see docs/spark.md."
        )
    if _OTHER.search(text) is not None:
        return UsageError(
            "The executors of Spark have another version of idealrank than the driver. Install the same version there: "
            "see docs/spark.md."
        )
    found = _OURS.search(text)
    if found is None:
        return None
    return getattr(errors, found[1], DataError)(found[2].strip())
