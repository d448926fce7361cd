"""Files and folders of a history, and its command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import SHOP, on_terminal, plain, run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with results of three dates, given out of order, and judgments."""
    (tmp_path / "results").mkdir()
    for date, system in (("2026-11-15", "hybrid"), ("2026-11-01", "bm25"), ("2026-11-08", "bm25")):
        shutil.copy(SHOP / f"{system}.csv", tmp_path / "results" / f"{date}.csv")
    shutil.copy(SHOP / "judgments.csv", tmp_path)
    return tmp_path


ASKED = ("-m", "nDCG@10", "--judgments", "judgments.csv")


def test_a_file_per_date(folder: Path) -> None:
    """Dates are in order whatever the order of files; unchanged lists change nothing."""
    files = [f"results/2026-11-{day}.csv" for day in ("15", "01", "08")]
    for words in (files, ["results"]):
        rows = json.loads(run("history", *words, *ASKED, "--json", cwd=folder).out)["history"]
        assert [row["date"] for row in rows] == ["2026-11-01", "2026-11-08", "2026-11-15"]
        assert [round(row["mean"], 4) for row in rows] == [0.7300, 0.7300, 0.7712]
        assert [row["why"] for row in rows] == ["", "nothing", "results changed in 41 queries (no results: q28)"]


def test_judgments_beside(folder: Path) -> None:
    """A folder per date has its own judgments and systems; files may have judgments with their date in the name."""
    for date in ("2026-11-01", "2026-11-08"):
        (folder / "nightly" / date).mkdir(parents=True)
        for name in ("bm25.csv", "hybrid.csv", "judgments.csv"):
            shutil.copy(SHOP / name, folder / "nightly" / date)
        shutil.copy(SHOP / "judgments.csv", folder / "results" / f"qrels-{date}.csv")
    found = run("history", "nightly", "--json", cwd=folder)
    rows = json.loads(found.out)["history"]
    assert [(row["system"], row["date"]) for row in rows] == [
        ("bm25", "2026-11-01"), ("bm25", "2026-11-08"), ("hybrid", "2026-11-01"), ("hybrid", "2026-11-08"),
    ]  # fmt: skip
    (folder / "results" / "2026-11-15.csv").unlink()
    assert len(json.loads(run("history", "results", "--json", cwd=folder).out)["history"]) == 2


def test_systems_by_their_names_without_dates(folder: Path) -> None:
    """bm25_DATE and hybrid_DATE are two systems over dates, not four."""
    (folder / "flat").mkdir()
    for date in ("20261101", "20261108"):
        for system in ("bm25", "hybrid"):
            shutil.copy(SHOP / f"{system}.csv", folder / "flat" / f"{system}_{date}.csv")
    rows = json.loads(run("history", "flat", *ASKED, "--json", cwd=folder).out)["history"]
    assert [row["system"] for row in rows] == ["bm25", "bm25", "hybrid", "hybrid"]
    assert [row["why"] for row in rows] == ["", "nothing", "", "nothing"]


def test_baselines_are_a_history(folder: Path) -> None:
    """Blessed files need no judgments and no results; their dates are in their names, or those of their results."""
    (folder / "eval").mkdir()
    for date in ("2026-11-08", "2026-11-15"):
        words = (f"results/{date}.csv", "--baseline", f"eval/{date[-2:]}.json", "-m", "nDCG@10", "--bless")
        assert run("gate", "judgments.csv", *words, cwd=folder).code == 0
    rows = json.loads(run("history", "eval", "--json", cwd=folder).out)["history"]
    assert [(row["date"], row["why"]) for row in rows] == [
        ("2026-11-08", ""),
        ("2026-11-15", "results changed in 41 queries (no results: q28)"),
    ]


def test_without_dates_the_order_is_that_given(folder: Path) -> None:
    """Files without dates stay in the order of the call, and a note says so."""
    shutil.move(folder / "results" / "2026-11-15.csv", folder / "results" / "new.csv")
    files = ("results/new.csv", "results/2026-11-01.csv")
    found = run("history", *files, *ASKED, "--json", cwd=folder)
    whole = json.loads(found.out)
    assert [row["name"] for row in whole["history"]] == list(files)
    assert whole["note"].startswith(
        "In the order given: no date in the name of 1 file, nor beside it (results/new.csv)"
    )


def test_the_terminal(folder: Path) -> None:
    """A line per date with a bar: the lowest mean has the lowest bar, the highest the highest."""
    found = on_terminal("history", "results", *ASKED, cwd=folder, columns=80)
    lines = plain(found.out).splitlines()
    assert found.code == 0
    assert lines[0] == "nDCG@10"
    assert [line[:13].split() for line in lines if line.startswith("2026")] == [
        ["2026-11-01", "▁"], ["2026-11-08", "▁"], ["2026-11-15", "█"],
    ]  # fmt: skip
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("ending", "begins"), [pytest.param("svg", b"<?xml", marks=pytest.mark.heavy), ("md", b"### nDCG@10")]
)
def test_what_it_writes(folder: Path, ending: str, begins: bytes) -> None:
    """The ending of -o chooses a plot or Markdown; the same input gives the same bytes."""
    for name in ("a", "b"):
        assert run("history", "results", *ASKED, "-o", f"{name}.{ending}", cwd=folder).code == 0
    assert (folder / f"a.{ending}").read_bytes().startswith(begins)
    assert (folder / f"a.{ending}").read_bytes() == (folder / f"b.{ending}").read_bytes()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("results", "-m", "nDCG@10"), 3, "no judgments for it. Give --judgments FILE"),
        (("nowhere.csv", *ASKED), 3, "nowhere.csv: no such file"),
        (("judgments.csv",), 3, "no results here"),
        (("results", "-m", "NDGC", "--judgments", "judgments.csv"), 2, "Did you mean nDCG"),
        (("results", *ASKED, "-o", "x.xlsx"), 2, "xlsx is not written"),
        ((), 2, "Missing argument 'RESULTS...'"),
    ],
)
def test_what_is_refused(folder: Path, words: tuple[str, ...], code: int, said: str) -> None:
    """A call that cannot be answered is told in a line."""
    found = run("history", *words, cwd=folder)
    assert (found.code, "Traceback" in found.err) == (code, False)
    assert said in found.err


def test_a_baseline_without_the_measure(folder: Path) -> None:
    """A baseline has only the values it was blessed with."""
    assert (
        run(
            "gate", "judgments.csv", "results/2026-11-01.csv", "--baseline", "b.json", "-m", "RR", "--bless", cwd=folder
        ).code
        == 0
    )
    found = run("history", "b.json", "-m", "AP", cwd=folder)
    assert (found.code, "no values of AP in this baseline, only of RR" in found.err) == (2, True)


def test_baselines_show_every_measure_they_share(folder: Path) -> None:
    """Files of nDCG@10, AP and RR, and of AP, nDCG@10 and P@5, share two; RR and P@5 are named, nothing is silent."""
    for date, third in (("2026-11-08", "RR"), ("2026-11-15", "P@5")):
        words = ("--baseline", f"eval/{date}.json", "-m", "nDCG@10", "-m", "AP", "-m", third, "--bless")
        assert run("gate", "judgments.csv", f"results/{date}.csv", *words, cwd=folder).code == 0
    found = run("history", "eval", "--json", cwd=folder)
    whole = json.loads(found.out)
    assert list(dict.fromkeys(row["measure"] for row in whole["history"])) == ["nDCG@10", "AP"]
    assert whole["omitted"] == ["RR", "P@5"]
    shown = plain(on_terminal("history", "eval", cwd=folder, columns=100).out)
    assert "not in every baseline, so not shown: RR, P@5" in shown


def test_baselines_that_share_no_measure(tmp_path: Path) -> None:
    """Nothing can be followed over a baseline of RR and one of AP."""
    for name in ("RR", "AP"):
        ir.bless(ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, name), tmp_path / f"{name}.json")
    with pytest.raises(ir.UsageError, match=r"No measure is in all of these 2 baselines, only (AP, RR|RR, AP) in some"):
        ir.history(tmp_path)


def test_a_few_queries_are_named() -> None:
    """Of four queries, p returns nothing any more (1 → 0), so the mean falls by 1/4; then q alone moves (1 → 1/2)."""
    full = {query: {"a": 2.0, "b": 1.0} for query in "pqrs"}
    less = {query: docs for query, docs in full.items() if query != "p"}
    moved = less | {"q": {"b": 2.0, "a": 1.0}}
    weeks = {"2026-W41": full, "2026-W42": less, "2026-W43": moved}
    found = ir.history(weeks, judgments={query: {"a": 1} for query in "pqrs"}, measures="RR")
    assert [row["why"] for row in found.table] == [
        "",
        "results changed in 1 query (no results: p)",
        "results changed in 1 query (q)",
    ]


def test_many_queries_are_counted() -> None:
    """Four queries that changed are too many to name; of two that return nothing now, both are."""
    full = {query: {"a": 2.0, "b": 1.0} for query in "pqrs"}
    turned = {query: {"b": 2.0, "a": 1.0} for query in "pqrs"}
    weeks = {"2026-W41": full, "2026-W42": turned, "2026-W43": {query: turned[query] for query in "rs"}}
    found = ir.history(weeks, judgments={query: {"a": 1} for query in "pqrs"}, measures="RR")
    assert [row["why"] for row in found.table] == [
        "",
        "results changed in 4 queries",
        "results changed in 2 queries (no results: p, q)",
    ]


def test_one_system_by_any_name(folder: Path) -> None:
    """Where each date has one file, it is one system, though its results were called otherwise."""
    for name in ("bm25", "hybrid"):
        shutil.copy(SHOP / f"{name}.csv", folder)
    rows = json.loads(run("history", "bm25.csv", "hybrid.csv", *ASKED, "--json", cwd=folder).out)["history"]
    assert [row.get("system") for row in rows] == [None, None]
    assert rows[1]["why"] == "results changed in 41 queries (no results: q28)"


def test_rows_ranked_as_they_stand_are_said() -> None:
    """Results that are a table of queries and documents alone have their order from the rows: a history prints it."""
    rows = {"query": ["q", "q"], "doc": ["a", "b"]}
    found = ir.history({"2026-11-01": rows}, judgments={"q": {"a": 1}})
    assert found.to_dict()["unranked"] == list(found.unranked) != []
    said = " ".join(str(found).split())
    assert "ranked in the order of the rows" in said or "ordered as in the table" in said


@pytest.mark.parametrize("flag", ["--queries-table", "--queries"])
def test_a_table_of_queries(folder: Path, flag: str) -> None:
    """Results with texts meet judgments with ids by a table of queries, as in evaluate: RR is 1/2, then 1."""
    (folder / "queries.csv").write_text("id,query\nq1,red shoes\n")
    (folder / "j.csv").write_text("query_id,doc_id,grade\nq1,a,1\n")
    for day, (first, second) in (("01", "xa"), ("02", "ax")):
        (folder / f"2026-12-{day}.csv").write_text(f"query,doc_id,rank\nred shoes,{first},1\nred shoes,{second},2\n")
    words = ("2026-12-01.csv", "2026-12-02.csv", "-m", "RR", "--judgments", "j.csv", flag, "queries.csv", "--json")
    rows = json.loads(run("history", *words, cwd=folder).out)["history"]
    assert [(row["mean"], row["why"]) for row in rows] == [(0.5, ""), (1.0, "results changed in 1 query (q1)")]
