"""Files as pandas writes them by default, with row numbers in a column without a name."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pandas as pd
import pytest

import idealrank as ir
from tests.cli.terminal import run, tsv

JUDGED = pd.DataFrame({"query": ["red shoes"] * 4 + ["bag"] * 3, "doc": [*"abcdefg"], "grade": [0, 3, 0, 1, 0, 0, 2]})
RETURNED = pd.DataFrame({"query": JUDGED["query"], "doc": JUDGED["doc"], "score": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]})
RR = (1 / 2 + 1 / 3) / 2
"""b is second of red shoes, g third of bag."""


def written(folder: Path, form: str, **of_frames: object) -> tuple[Path, Path]:
    """Write both frames with their index, the results by score from last to first."""
    files = folder / f"judgments.{form}", folder / f"results.{form}"
    for frame, file in zip((JUDGED, RETURNED[::-1]), files, strict=True):
        frame = frame.rename(columns=of_frames)
        if form == "xlsx":
            frame.to_excel(file)
        else:
            frame.to_csv(file, sep="\t" if form == "tsv" else ",")
    return files


def mean(judgments: Path, results: Path) -> float:
    """Return the mean of RR that the command prints."""
    return float(tsv("evaluate", judgments, results, "-m", "RR").lines[1].split("\t")[1])


@pytest.mark.parametrize("form", ["csv", "tsv", "xlsx"])
@pytest.mark.parametrize("key", ["query", "question"])
def test_row_numbers_are_no_queries(form: str, key: str, tmp_path: Path) -> None:
    """The two queries count, whatever the rows' order, and not the seven row numbers."""
    judgments, results = written(tmp_path, form, query=key)
    assert mean(judgments, results) == RR
    assert "2 queries" in run("evaluate", judgments, results, "-m", "RR").out


def test_a_column_of_signs_is_no_name(tmp_path: Path) -> None:
    """A header of # or - alone names nothing either."""
    for sign in "#-_.":
        for file in written(tmp_path, "csv"):
            file.write_text(sign + file.read_text("utf-8"), "utf-8")
        assert mean(tmp_path / "judgments.csv", tmp_path / "results.csv") == RR, sign


def test_every_command_reads_them_alike(tmp_path: Path) -> None:
    """Convert writes the queries' texts as ids; gate judges the right mean; compare has two queries."""
    judgments, results = written(tmp_path, "csv")
    other = tmp_path / "other.csv"
    RETURNED.iloc[[1, 0, 2, 3, 6, 4, 5]].assign(score=[7, 6, 5, 4, 3, 2, 1]).to_csv(other)
    assert run("convert", judgments, tmp_path / "qrels.csv").code == 0
    assert "red shoes" in (tmp_path / "qrels.csv").read_text("utf-8").splitlines()[1]
    assert run("gate", judgments, results, "--min", "RR>=0.42").code == 1
    assert run("gate", judgments, results, "--min", "RR>=0.41").code == 0
    compared = json.loads(run("compare", judgments, results, other, "-m", "RR", "--json").out)
    assert (compared["differences"][0]["wins"], compared["differences"][0]["losses"]) == (2, 0)


def test_an_empty_name_is_refused(tmp_path: Path) -> None:
    """An empty name chooses no column: neither in Python nor on the command line."""
    judgments, results = written(tmp_path, "csv")
    with pytest.raises(ir.DataError, match="the name given for the query column is empty"):
        ir.read_judgments(judgments, query="")
    refused = run("evaluate", judgments, results, "--query-col", "")
    assert (refused.code, "the column's name is empty" in refused.err) == (2, True)


@pytest.mark.parametrize("baseline", [0, 1, True, "", ["a", "b"]])
def test_a_baseline_is_a_name(baseline: object) -> None:
    """A number, a list or an empty name is no baseline; not given is None alone."""
    runs = {name: {"q1": {doc: 1.0}} for name, doc in zip("abc", "xyz", strict=True)}
    with pytest.raises(ir.UsageError, match=r"is not the name of a system\. Name one: baseline=a\."):
        ir.compare({"q1": {"x": 1}}, runs, ["RR"], baseline=baseline)  # type: ignore[arg-type]


def test_no_column_is_chosen_by_default() -> None:
    """What chooses a column or a system is None where it is not given; the query of one ranking has an id, q."""
    chosen = {"query", "doc", "grade", "rank", "score", "system", "text", "baseline", "user", "step", "rater"}
    for name in ir.__all__:
        value = getattr(ir, name)
        if inspect.isfunction(value):
            for parameter in inspect.signature(value).parameters.values():
                if parameter.name in chosen and parameter.default is not inspect.Parameter.empty:
                    assert str(parameter.default) in ("None", "<not given>", "q"), f"{name}({parameter})"
