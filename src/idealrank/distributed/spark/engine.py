"""The engine behind the DataFrames: its functions, and the errors that come back from its executors."""

from __future__ import annotations

import re
from typing import Any

from idealrank import errors
from idealrank.errors import DataError, IdealrankError, UsageError

_OURS = re.compile(r"(?:^|[\s.(:'\"])((?:No)?(?:Column|Data|Usage|Strangers|Incomparable)Error): (.+)")
_ROW = re.compile(r"\brow \d")
_MISSING = re.compile(r"No module named '(idealrank|pyarrow|pandas)\b")


def functions() -> Any:
    """Return the functions of PySpark.

    Raises
    ------
    UsageError
        If PySpark is not installed.
    """
    try:
        from pyspark.sql import functions
    except ImportError:
        raise UsageError("PySpark is not installed. Install it: pip install 'idealrank[spark]'.") from None
    return functions


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
    >>> of_executor("Job aborted ... idealrank.errors.DataError: judgments row 3: the grade is missing.")
    DataError('judgments row 3: the grade is missing. Row numbers count within one bucket of queries.')
    """
    if (missing := _MISSING.search(text)) is not None:
        return UsageError(
            f"The executors of Spark do not have {missing[1]}. Install it there, in the same version as here: "
            "see docs/spark.md."
        )
    found = _OURS.search(text)
    if found is None:
        return None
    counted = " Row numbers count within one bucket of queries." if _ROW.search(found[2]) else ""
    return getattr(errors, found[1], DataError)(f"{found[2].strip()}{counted}")
