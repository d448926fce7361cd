"""Results of several systems: files, a dict by name, a list, a system column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from tests.cli.terminal import run
from tests.data.test_columns import refusal

JUDGMENTS = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
GOOD = {"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "x", "c"], "rank": [1, 2, 1]}
BAD = {"query_id": ["q1", "q1", "q2"], "doc_id": ["x", "a", "c"], "rank": [1, 2, 1]}
RR = {"good": 1.0, "bad": 0.75}
"""RR of the two systems."""


def found(results: Any, **options: Any) -> dict[str, float]:
    """Return RR by system."""
    scores = ir.evaluate(JUDGMENTS, results, ["RR"], **options)
    return {system: scores["RR", system] for system in scores.systems}


def as_dicts(rows: dict[str, list[Any]]) -> dict[str, dict[str, float]]:
    """Return rows as {query: {doc: score}}."""
    nested: dict[str, dict[str, float]] = {}
    for query, doc, rank in zip(*rows.values(), strict=True):
        nested.setdefault(query, {})[doc] = -rank
    return nested


def written(rows: dict[str, list[Any]], path: Path) -> Path:
    """Write rows as CSV."""
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def test_several_files(tmp_path: Path) -> None:
    """Each file is a system, called after it without the endings of formats and compression."""
    good, bad = written(GOOD, tmp_path / "good.csv"), written(BAD, tmp_path / "bad.run.csv.gz")
    for files in ([good, bad], (str(good), str(bad))):
        assert found(files) == RR
    assert found({"good": good, "bad": str(bad)}) == RR


@pytest.mark.parametrize(
    "form", [dict, pd.DataFrame, as_dicts, ir.read_results, lambda rows: pd.DataFrame(rows).to_dict("records")]
)
def test_dict_by_name(form: Any) -> None:
    """A dict {name: results} names the systems, whatever form the results have."""
    assert found({"good": form(GOOD), "bad": form(BAD)}) == RR


@pytest.mark.parametrize("nothing", [{}, []])
def test_a_system_that_returned_nothing(nothing: Any) -> None:
    """An empty dict or list is a system without results; one alone, or none with results, is no input."""
    scores = ir.evaluate({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, "b": nothing}, ["RR"])
    assert (scores["RR", "a"], scores["RR", "b"]) == (1.0, 0.0)
    assert scores.ledger.systems[1].judged_nothing_returned == ("q",)
    assert scores.explain("RR", "q", "b").notes[0].startswith("The system returned nothing for this query")
    with pytest.raises(ir.DataError, match="results: empty"):
        ir.evaluate({"q": {"d": 1}}, nothing, ["RR"])


def test_system_column() -> None:
    """A system column makes several systems of one table; one of them may be chosen."""
    table = {name: [*GOOD[name], *BAD[name]] for name in GOOD} | {"ENGINE": ["good"] * 3 + ["bad"] * 3}
    assert found(table) == RR
    assert found(table, system="bad") == {"bad": 0.75}
    shuffled = pd.DataFrame(table).sample(frac=1, random_state=1)
    assert found(shuffled) == RR


def test_system_column_of_numbers() -> None:
    """Systems may be numbers; they are called as these are written."""
    table = {name: [*GOOD[name], *BAD[name]] for name in GOOD} | {"run": [1.0] * 3 + [2.0] * 3}
    assert found(table) == {"1": 1.0, "2": 0.75}


def test_names_in_a_list() -> None:
    """Systems in a list are called by their system column, else by their place."""
    tagged = [{**GOOD, "system": ["good"] * 3}, {**BAD, "system": ["bad"] * 3}]
    assert found(tagged) == RR
    assert found([pd.DataFrame(GOOD), BAD]) == {"results 1": 1.0, "results 2": 0.75}
    assert found([GOOD]) == {"results": 1.0}


def test_messages_name_the_system() -> None:
    """What is wrong with one of several results in memory says with which."""
    broken = {**BAD, "doc_id": ["x", "x", "c"]}
    assert refusal(lambda: found({"good": GOOD, "bad": broken})) == (
        "results bad row 1: document 'x' is returned a second time for query 'q1' (first: row 0). "
        "Remove one, or choose: duplicates=first, last or max. "
        "If rows are parts of documents, such as chunks: unit=doc_id."
    )


def test_a_folder_holds_one_system_a_file(tmp_path: Path) -> None:
    """A folder of runs is one system a file, by name; one without files is refused."""
    (tmp_path / "empty").mkdir()
    assert refusal(lambda: found(tmp_path / "empty")) == (
        f"{tmp_path / 'empty'}: this folder contains no files. Give one file of results per system."
    )
    written(GOOD, tmp_path / "good.csv")
    written(BAD, tmp_path / "bad.csv")
    assert list(found(tmp_path)) == ["bad", "good"]


def test_equal_names() -> None:
    """Two systems of one name are refused."""
    tagged = [{**GOOD, "system": ["good"] * 3}, {**BAD, "system": ["good"] * 3}]
    assert refusal(lambda: found(tagged)) == (
        "2 systems are called 'good' (in 'results'). Pass {name: results, …}, or evaluate one at a time."
    )
    assert refusal(lambda: found(tagged, system="good")).startswith("2 systems are called 'good'")
    assert list(found({"one": tagged[0], "two": tagged[1]})) == ["one", "two"]


def test_unknown_system() -> None:
    """A system that is not there is refused with those that are."""
    with pytest.raises(ir.UsageError) as refused:
        found({"good": GOOD, "bad": BAD}, system="worse")
    assert str(refused.value) == "No system called 'worse'. Found: good, bad."


def test_rows_without_a_system() -> None:
    """Among several systems a result must name its own; a row without a document need not."""
    table = {name: [*GOOD[name], *BAD[name]] for name in GOOD} | {"system": ["good"] * 3 + ["bad"] * 2 + [None]}
    assert refusal(lambda: found(table)) == (
        "results row 5: the system is missing, and the table has 2 systems: good, bad. Name the system in every row."
    )
    nothing = {**table, "doc_id": [*table["doc_id"][:5], None]}
    assert found(nothing) == {"good": 1.0, "bad": 0.25}


def test_pooled_on_request() -> None:
    """Several systems become one ranking only if that is asked for."""
    table = {
        "query_id": ["q1", "q1", "q2"],
        "doc_id": ["x", "a", "c"],
        "rank": [1, 2, 1],
        "system": ["one", "two", "one"],
    }
    assert found(table) == {"one": 0.5, "two": 0.5}
    assert list(found(table, systems="pooled").values()) == [0.75]


def test_a_system_of_which_nothing_is_judged() -> None:
    """Among several systems, one without a single judged result is refused by its name."""
    table = {"query_id": ["q1", "q1"], "doc_id": ["x", "a"], "rank": [1, 1], "system": ["one", "two"]}
    assert refusal(lambda: found(table)) == (
        "The one result in results of system 'one' is not judged: document ids look like 'x' (text) there "
        "and like 'a' (text) in judgments. Use the same ids, or name the columns."
    )


def test_pooled_rows_that_return_a_document_twice() -> None:
    """Where two systems of a pooled table return one document, the error says how to keep them apart."""
    table = {"query_id": ["q1", "q1"], "doc_id": ["a", "a"], "rank": [1, 2], "system": ["one", "two"]}
    with pytest.raises(ir.DataError, match=r"Or keep its 2 systems apart: systems=separate\.$"):
        found(table, systems="pooled")


def test_a_folder_per_model_names_the_models(tmp_path: Path) -> None:
    """Files of one name in folders of their own are called by the folder; with another file, by both."""
    for name, rows in (("m00", GOOD), ("m01", BAD)):
        (tmp_path / "runs" / name).mkdir(parents=True)
        written(rows, tmp_path / "runs" / name / "predictions.csv")
    assert found(tmp_path / "runs") == {"m00": 1.0, "m01": 0.75}
    files = [
        *(tmp_path / "runs" / name / "predictions.csv" for name in ("m00", "m01")),
        written(GOOD, tmp_path / "x.csv"),
    ]
    assert set(found(files)) == {"m00/predictions", "m01/predictions", "x"}


@pytest.mark.parametrize(("name", "text"), [("empty.csv", ""), ("params.json", '{"lr": 0.1}'), ("model.txt", "a b")])
def test_a_foreign_file_in_a_folder_is_named_with_two_ways_out(tmp_path: Path, name: str, text: str) -> None:
    """One file that cannot be read stops the folder, in Python and on the command line, which says what to do."""
    for model in ("m00", "m01"):
        (tmp_path / "runs" / model).mkdir(parents=True)
        written(GOOD, tmp_path / "runs" / model / "predictions.csv")
    (tmp_path / "runs" / "m01" / name).write_text(text, "utf-8")
    pd.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "grade": [1]}).to_csv(tmp_path / "judgments.csv", index=False)
    typed = run("evaluate", tmp_path / "judgments.csv", tmp_path / "runs").err
    for said in (refusal(lambda: found(tmp_path / "runs")), typed):
        assert f"m01/{name}" in said
        assert f"remove it from {tmp_path}/runs, or give the files: {tmp_path}/runs/*/predictions.csv." in said


def test_an_empty_file_among_runs_is_to_be_removed(tmp_path: Path) -> None:
    """Where no pattern leaves the file out, it is only to be removed; a folder of this file alone has no way out."""
    (tmp_path / "a.csv").write_text("", "utf-8")
    assert refusal(lambda: found(tmp_path)).endswith("Give at least one judgment or result.")
    written(GOOD, tmp_path / "b.csv")
    assert refusal(lambda: found(tmp_path)).endswith(f"If it is not meant as results, remove it from {tmp_path}.")
