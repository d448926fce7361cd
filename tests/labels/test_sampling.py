"""A sample that a spreadsheet gave back, what it was drawn for, and the columns it keeps."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.data.query_sample import read_sample
from tests.cli.terminal import run

QUERIES = [f"q{i}" for i in range(12)]
OLD = {query: {"a": 2.0, "b": 1.0} for query in QUERIES}
NEW = {query: {"a": 2.0, "b": 1.0} if place < 4 else {"b": 2.0, "a": 1.0} for place, query in enumerate(QUERIES)}
THIRD = {query: {"b": 2.0, "a": 1.0} for query in QUERIES}


def written(tmp_path: Path, change: Any, delimiter: str = ",", **options: Any) -> Path:
    """Write a sample as a spreadsheet would give it back, each row changed by a function."""
    rows = ir.sample({"query": QUERIES, "kind": ["x", "y", "y"] * 4}, 6, strata="kind", seed=1, **options).table.rows()
    with open(tmp_path / "sample.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(list(rows[0]))
        writer.writerows(change(list(row.values())) for row in rows)
    return tmp_path / "sample.csv"


@pytest.mark.parametrize("delimiter", [";", ","])
def test_decimal_commas_of_a_spreadsheet_are_read(delimiter: str, tmp_path: Path) -> None:
    """A share with a comma is the share it was, also where commas separate the cells."""
    whole = ir.sample({"query": QUERIES}, 5, seed=1)
    rows = whole.table.rows()
    with open(tmp_path / "sample.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(list(rows[0]))
        writer.writerows((row | {"inclusion": f"{row['inclusion']}".replace(".", ",")}).values() for row in rows)
    assert set(read_sample(tmp_path / "sample.csv").drawn) == set(whole.drawn)


def test_blanks_beside_the_name_of_a_stratum_change_nothing(tmp_path: Path) -> None:
    """A stratum with a blank behind its name is the stratum it was."""
    file = written(tmp_path, lambda row: [*row[:2], f"{row[2]} " if row[0] in QUERIES[:5] else row[2], *row[3:]])
    assert set(read_sample(file).stratum) == {"x", "y"}
    assert set(ir.sample({"query": QUERIES, "kind": ["x", "x "] * 6}, 4, strata="kind").stratum) == {"x"}


def test_share_that_was_changed_is_still_refused(tmp_path: Path) -> None:
    """The check of the shares stays as it was."""
    file = written(tmp_path, lambda row: [*row[:3], "0,9", *row[4:]], ";")
    with pytest.raises(ir.DataError, match="with an inclusion that is not the share sampled of the stratum"):
        read_sample(file)


MANY = [f"q{i:02}" for i in range(60)]
BEFORE = {query: {"a": 2.0, "b": 1.0} for query in MANY}
AFTER = {query: {"a": 2.0, "b": 1.0} if place < 20 else {"b": 2.0, "a": 1.0} for place, query in enumerate(MANY)}
BOTH = {"before": BEFORE, "after": AFTER}


def drawn_rows() -> list[dict[str, Any]]:
    """Return the rows of a sample of 25 of 60 queries, 20 of which did not change."""
    return ir.sample({"query": MANY}, 25, changed=BOTH, k=2, seed=1).table.rows()


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return rows as columns."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def compared(rows: list[dict[str, Any]]) -> ir.Comparison:
    """Compare the two systems, with a judge of all queries."""
    judge = {query: {"a": place % 2, "b": place % 3} for place, query in enumerate(MANY)}
    people = {row["query"]: {"a": 1, "b": i % 2 * 2} for i, row in enumerate(rows) if row["sampled"] == "yes"}
    return ir.compare(people, BOTH, ["nDCG@2"], judge=judge, sampled=columns(rows))


def test_sample_whose_queries_were_swapped_is_refused() -> None:
    """The shares are right, but the seed draws others: by compare, and by the sheet for people."""
    assert compared(drawn_rows()).calibration
    rows = drawn_rows()
    first = next(row for row in rows if row["sampled"] == "yes")
    last = next(row for row in reversed(rows) if row["sampled"] == "no" and row["stratum"] == first["stratum"])
    first["sampled"], last["sampled"] = "no", "yes"
    said = rf"of the stratum 'all', the seed 1 draws '{first['query']}' and not '{last['query']}'\. Either others were "
    with pytest.raises(ir.DataError, match=said):
        compared(rows)
    with pytest.raises(ir.DataError, match=said):
        ir.sheet(columns(rows), BOTH, k=2)


def test_sample_without_its_unchanged_queries_is_refused() -> None:
    """They differ by 0, so without them the mean is larger than it is; no share shows that they are gone."""
    rows = [row for row in drawn_rows() if row["stratum"] != "unchanged"]
    with pytest.raises(ir.DataError, match=r"40 queries, but it was drawn from 60\. Each of these has a row"):
        compared(rows)


@pytest.mark.parametrize(("column", "value"), [("seed", "one"), ("drawn from", 13), ("seed", None), ("seed", -1)])
def test_rows_that_do_not_agree_on_the_draw_are_refused(column: str, value: Any) -> None:
    """One seed and one number of queries are said in each row."""
    rows = drawn_rows()
    rows[3][column] = value
    with pytest.raises(ir.DataError, match=f"the column {column} says .* has the same whole number in each row"):
        compared(rows)


def test_sample_that_does_not_say_how_it_was_drawn_is_compared() -> None:
    """Files of before had neither column: there is nothing to repeat."""
    rows = [{name: cell for name, cell in row.items() if name not in ("seed", "drawn from")} for row in drawn_rows()]
    assert compared(rows).calibration
    assert read_sample(columns(rows)).seed is None


def test_sample_in_strata_is_drawn_again_by_stratum(tmp_path: Path) -> None:
    """Whatever the order of its rows, and in a spreadsheet's form of numbers."""
    file = written(tmp_path, lambda row: row)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *reversed(lines[1:])]).replace(",1,12", ",1.0,12.0") + "\n")
    assert len(ir.sheet(file, {"old": OLD, "new": NEW}, k=2)) == 12


def test_columns_of_the_queries_are_kept(tmp_path: Path) -> None:
    """A text under a name of another language, and other columns, are in the file; those of documents are named."""
    table = {"query_id": QUERIES, "Anfrage": [f"Wort {q}" for q in QUERIES], "land": ["de"] * 12, "grade": [1] * 12}
    drawn = ir.sample(table, 5, seed=1)
    assert drawn.table["Anfrage"][0] == f"Wort {drawn.drawn[0]}"
    assert (drawn.table["land"][0], drawn.left_out) == ("de", ("grade",))
    with open(tmp_path / "queries.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([list(table), *zip(*table.values(), strict=True)])
    done = run("sample", "queries.csv", "-n", "5", "-o", "sample.csv", cwd=tmp_path)
    assert "The file leaves out columns that are not about queries: grade" in done.err
    assert len(read_sample(tmp_path / "sample.csv").drawn) == 5


def test_sample_says_what_it_was_drawn_for(tmp_path: Path) -> None:
    """The systems and the depth are in the file, and come back; without --changed there is nothing to say."""
    systems = {"old": OLD, "new": NEW}
    drawn = ir.sample(QUERIES_TABLE, 5, changed=systems, k=2, seed=1)
    assert set(drawn.table["drawn for"]) == {"old vs new, top 2"}
    (tmp_path / "sample.csv").write_text(drawn.table.to_csv(), encoding="utf-8")
    assert read_sample(tmp_path / "sample.csv").drawn_for == "old vs new, top 2"
    assert "drawn for" not in ir.sample(QUERIES_TABLE, 5).table.columns


def test_sample_for_other_systems_is_refused_with_the_cause() -> None:
    """Queries left out as unchanged that change between the systems compared: they are named, with what to do."""
    drawn = ir.sample(QUERIES_TABLE, 5, changed={"old": OLD, "new": NEW}, seed=1)
    drawn.refuse_other_lists(np.array([OLD[query] == NEW[query] for query in drawn.queries]), "old", "new")
    with pytest.raises(ir.DataError, match="drawn for old vs new, top 10, leaves out") as refused:
        drawn.refuse_other_lists(np.array([OLD[query] == THIRD[query] for query in drawn.queries]), "old", "third")
    assert "4 queries changed from old to third: 'q0', 'q1', 'q2', 'q3'." in str(refused.value)
    assert "--changed old third" in refused.value.typed


def test_systems_that_return_the_same_are_said_to() -> None:
    """Nobody is told to ask for 0 queries."""
    with pytest.raises(ir.UsageError, match="a and b return the same first 10 results for each of the 12 queries"):
        ir.sample(QUERIES_TABLE, 5, changed={"a": OLD, "b": OLD})
    with pytest.raises(ir.UsageError, match=r"8 queries changed\. Ask for 8 at most"):
        ir.sample(QUERIES_TABLE, 9, changed={"old": OLD, "new": NEW})


QUERIES_TABLE = {"query": QUERIES}


def test_a_sheet_has_what_both_systems_return_and_comes_back_as_judgments(tmp_path: Path) -> None:
    """Drawn queries alone, the first k of either system once, by document id; graded, they are people's judgments."""
    names = [f"q{i}" for i in range(30)]
    old = {q: {f"d{i:02}": 20.0 - i for i in range(12)} for q in names}
    new = {q: {f"d{(i + int(q[1:])) % 15:02}": 20.0 - i for i in range(12)} for q in names}
    for name, run_of in (("old", old), ("new", new)):
        rows = [f"{q},{d},{s}" for q, docs in run_of.items() for d, s in docs.items()]
        (tmp_path / f"{name}.csv").write_text("\n".join(["query,doc,score", *rows]) + "\n")
    (tmp_path / "queries.csv").write_text("query,text\n" + "".join(f"{q},text of {q}\n" for q in names))
    (tmp_path / "titles.csv").write_text("id,title\n" + "".join(f"d{i:02},title {i}\n" for i in range(14)))
    done = run("sample", "queries.csv", "-n", "8", "--changed", "old.csv", "new.csv", "-k", "5", "-o", "s.csv",
               "--sheet", "people.csv", "--documents", "titles.csv", cwd=tmp_path)  # fmt: skip
    assert done.code == 0, done.err
    drawn = ir.sample(tmp_path / "queries.csv", 8, changed=[tmp_path / "old.csv", tmp_path / "new.csv"], k=5)
    expected = [(q, d) for q in drawn.drawn for d in sorted({*list(old[q])[:5], *list(new[q])[:5]})]
    with (tmp_path / "people.csv").open(newline="") as file:
        rows_read = list(csv.DictReader(file))
    assert [(row["query"], row["doc"]) for row in rows_read] == expected
    assert f"people.csv: {len(expected)} results to judge" in done.err
    assert {row["grade"] for row in rows_read} == {""}
    assert {row["title"] for row in rows_read if row["doc"] == "d14"} <= {""}
    assert rows_read[0]["text"] == f"text of {rows_read[0]['query']}"
    (tmp_path / "people.csv").write_text(
        "query,text,doc,title,grade\n" + "".join(f"{q},,{d},,{int(d[1:]) % 4}\n" for q, d in expected)
    )
    assert ir.read_judgments(tmp_path / "people.csv").grades
    again = ir.sheet(tmp_path / "s.csv", [tmp_path / "old.csv", tmp_path / "new.csv"], k=5)
    assert list(zip(again["query"], again["doc"], strict=True)) == expected


def test_a_sheet_needs_systems(tmp_path: Path) -> None:
    """Of which results? And titles alone are for nothing."""
    (tmp_path / "q.csv").write_text("query,text\nq1,a\nq2,b\n")
    said = run("sample", "q.csv", "-n", "1", "--sheet", "people.csv", cwd=tmp_path)
    assert (said.code, "of which systems' results? Add --changed A B" in said.err) == (2, True)
    drawn = ir.sample({"query": ["q1", "q2", "q3"], "text": ["a", "b", "c"]}, 2)
    with pytest.raises(ir.DataError, match="neither system has results for a query that was drawn"):
        ir.sheet(drawn, [{"x": {"d": 1.0}}, {"x": {"d": 1.0}}])
