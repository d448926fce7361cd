"""What is refused, on the driver and on executors, and in which words."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed import spark
from idealrank.distributed.spark.tables import find_executor_error
from tests.heavy.spark.conftest import Frames
from tests.heavy.spark.worlds import JUDGED, RETURNED, Rows, judged, returned

Tables = Callable[[Rows, Rows], tuple[Any, Any]]


@pytest.mark.parametrize("decision", ["ties=given", "order_by=given", "duplicates=last"])
def test_order_of_rows(tables: Tables, decision: str) -> None:
    """A decision that reads the order of rows is refused with both ways out, even if a convention says so."""
    with pytest.raises(ir.UsageError, match=rf"{decision} reads the order of rows.*row_number='…'.*Or choose"):
        spark.evaluate(*tables(judged(), returned()), ["AP"], convention=f"idealrank-1, {decision}")


def test_neither_ranks_nor_scores(frame: Frames) -> None:
    """Results without ranks and scores would be in the order of their rows, which Spark does not keep."""
    theirs = frame(("query_id", "doc_id"), [("1", "d1")])
    with pytest.raises(ir.UsageError, match="order_by=auto reads the order of rows"):
        spark.evaluate(frame(JUDGED, judged()), theirs, ["AP"])


def test_no_column(frame: Frames) -> None:
    """A missing column is refused with the columns found, and with how Spark renames one."""
    theirs = frame(("query_id", "score"), [("1", 0.5)])
    with pytest.raises(ir.DataError, match=r"results: no doc column. Found: query_id, score.*withColumnRenamed"):
        spark.evaluate(frame(JUDGED, judged()), theirs, ["AP"])


def test_no_row_number(tables: Tables) -> None:
    """A column of row numbers that is not there is refused with the columns found."""
    with pytest.raises(ir.DataError, match=r"judgments: no column called 'no' for the row number. Found: query_id"):
        spark.evaluate(*tables(judged(), returned()), ["AP"], row_number="no")


def test_not_of_spark() -> None:
    """A table that is not Spark's is refused with the function that takes it."""
    with pytest.raises(ir.UsageError, match=r"judgments: a dict is not a DataFrame of Spark.*ir.evaluate takes"):
        spark.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["AP"])


@pytest.mark.parametrize("action", [lambda found: found.scores(), spark.worst], ids=["scores", "worst"])
def test_refused_by_an_executor(frame: Frames, action: Callable[[Any], Any]) -> None:
    """A document twice in a query is found by an executor, and refused here in the words of the local path."""
    theirs = [*returned(), ("7", "d3", 0.25, "a"), ("7", "d3", 0.75, "a")]
    found = spark.evaluate(frame(JUDGED, judged()), frame(RETURNED, theirs), ["AP"])
    with pytest.raises(
        ir.DataError, match=r"results query '7': document 'd3' is returned a second time for query '7'\. Remove one"
    ) as caught:
        action(found)
    assert "Traceback" not in str(caught.value)


def test_judgments_that_contradict(frame: Frames) -> None:
    """Judgments that contradict each other are refused by the executor that has the query."""
    ours = [*judged(), ("7", "dd", 1), ("7", "dd", 2)]
    found = spark.evaluate(frame(JUDGED, ours), frame(RETURNED, returned()), ["AP"])
    with pytest.raises(ir.DataError, match="document 'dd' is judged a second time for query '7'"):
        found.scores()


def test_no_system(frame: Frames) -> None:
    """A row without a system beside two that are named is refused with its query, wherever its rows lie."""
    theirs = [*returned(), ("7", "new", 0.5, None)]
    found = spark.evaluate(frame(JUDGED, judged()), frame(RETURNED, theirs).repartition(7), ["AP"])
    with pytest.raises(ir.DataError, match=r"results query '7': the system is missing, and the table has 2 systems"):
        found.scores()


@pytest.mark.parametrize(
    ("row", "said"),
    [(("7", None, 1), "judgments query '7': the doc id is missing"), ((None, "d", 1), "judgments row without a query")],
)
def test_missing_ids(frame: Frames, row: tuple[Any, ...], said: str) -> None:
    """A row without an id is refused with its query, or as one without a query."""
    found = spark.evaluate(frame(JUDGED, [*judged(), row]), frame(RETURNED, returned()), ["AP"])
    with pytest.raises(ir.DataError, match=said):
        found.scores()


def test_without_the_library_on_executors() -> None:
    """An executor without the library, or what it needs, is said with what to do."""
    said = "Job aborted.\nModuleNotFoundError: No module named 'idealrank'\n\tat org.apache.spark"
    assert "executors of Spark do not have idealrank. Install it there" in str(find_executor_error(said))
    assert find_executor_error("java.lang.OutOfMemoryError") is None


def test_another_version_on_executors() -> None:
    """Executors that cannot unpickle a task, as Spark 4.0 reported it, are said to have another version."""
    said = "AttributeError: Can't get attribute 'large_query' on <module 'idealrank.distributed.spark.tasks' from '/opt"
    assert "executors of Spark have another version of idealrank than the driver" in str(find_executor_error(said))


def test_pyspark_is_not_imported() -> None:
    """Neither the library nor this door imports PySpark or PyArrow before it is called."""
    code = (
        "import sys, idealrank.distributed.spark; "
        "print(sorted({'pyspark', 'pyarrow', 'pandas', 'pysail'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_pyspark_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PySpark, the message says what to install."""
    from idealrank.distributed.spark.tables import functions

    monkeypatch.setitem(sys.modules, "pyspark.sql.functions", None)
    with pytest.raises(ir.UsageError, match=r"PySpark is not installed. Install it: pip install 'idealrank\[spark\]'"):
        functions(object())
