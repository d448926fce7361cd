"""A table as the frames of polars and pyarrow."""

from __future__ import annotations

import math

import numpy as np
import polars
import pyarrow

import idealrank as ir
from idealrank import Table


def test_polars_and_pyarrow() -> None:
    """Columns and values, missing ones too, are those of the table, by its methods and by the Arrow capsule."""
    columns = {"query": ["q1", None], "value": np.array([1 / 3, math.nan]), "docs": [("d1", "d2"), ()]}
    table = Table(columns)
    arrow, frame = table.to_arrow(), table.to_polars()
    assert isinstance(frame, polars.DataFrame)
    assert isinstance(arrow, pyarrow.Table)
    for found in (arrow, pyarrow.table(table), frame.to_arrow(), polars.DataFrame(table).to_arrow()):
        assert found.column_names == table.columns
        assert found["query"].to_pylist() == columns["query"]
        assert found["value"].to_pylist()[0] == 1 / 3
    assert arrow["docs"].to_pylist() == frame["docs"].to_list() == [["d1", "d2"], []]


def test_pyarrow_has_the_fingerprints() -> None:
    """What a table states of its measures is in the metadata of the schema."""
    scores = ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["nDCG@3", "AP"])
    metadata = str(scores.means.to_arrow().schema.metadata)
    assert all(measure.fingerprint in metadata for measure in scores.measures)
