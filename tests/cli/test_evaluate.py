"""idealrank evaluate: forms of output, what to show, which queries and systems."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

import idealrank as ir
from tests.cli.terminal import rr_csv, run, tsv


def rows_of(text: str) -> list[list[str]]:
    """Read TSV."""
    return list(csv.reader(io.StringIO(text), delimiter="\t"))


def test_tsv_on_request(folder: Path) -> None:
    """TSV is in full precision with a header, a column per system; the talk is on standard error."""
    found = tsv("evaluate", "qrels.txt", "up.run", "other.run", "-m", "RR", "-m", "AP", cwd=folder)
    assert found.code == 0
    rows = rows_of(found.out)
    assert rows[0] == ["measure", "up", "other"]
    scores = ir.evaluate(folder / "qrels.txt", [folder / "up.run", folder / "other.run"], ["RR", "AP"])
    for name, *values in rows[1:]:
        assert [float(value) for value in values] == [scores[name, system] for system in ("up", "other")]
    assert found.err.splitlines()[-1] == "Convention idealrank-1. All choices and the full ledger: --verbose"


def test_the_talk_beside_data(folder: Path) -> None:
    """Beside data stand the settings in a line; -v adds decisions and ledger, -q leaves it out."""
    found = tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", cwd=folder)
    assert found.err == "Convention idealrank-1. All choices and the full ledger: --verbose\n"
    whole = tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", "-v", cwd=folder)
    assert whole.out == found.out
    for label in ("decisions  ", "ledger     ", "  tables   "):
        assert f"\n{label}" in f"\n{whole.err}"
    tables = "qrels.txt: TREC judgments, grades 1 to 3 up.run: TREC run, ordered by score"
    assert tables in " ".join(whole.err.split())
    assert tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", "-q", cwd=folder).err == ""


def test_csv_and_json(folder: Path) -> None:
    """--csv is the table, --json everything: means, fingerprints, ledger; then nothing is left to talk about."""
    found = run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--csv", cwd=folder)
    assert found.out == rr_csv("0.5")
    found = run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--json", cwd=folder)
    whole = json.loads(found.out)
    assert whole["means"] == {"up": {"RR": 0.5}}
    assert whole["decisions"]["RR"].startswith("RR[raters=median")
    assert whole["ledger"]["systems"][0]["judged_nothing_returned"] == ["q3"]
    assert found.err == ""


def test_per_query(folder: Path) -> None:
    """--per-query is one line a query; JSON has the values beside the means."""
    found = tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", "--per-query", cwd=folder)
    assert rows_of(found.out) == [["query", "RR"], ["q1", "1.0"], ["q2", "0.5"], ["q3", "0.0"]]
    found = run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--per-query", "--json", cwd=folder)
    assert json.loads(found.out)["per_query"]["up"] == {"q1": {"RR": 1.0}, "q2": {"RR": 0.5}, "q3": {"RR": 0.0}}


def test_a_query_left_out_is_empty(folder: Path) -> None:
    """A query without a value has an empty cell."""
    found = tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", "--per-query", "--no-results", "skip", cwd=folder)
    assert rows_of(found.out)[-1] == ["q3", ""]


def test_describe(folder: Path) -> None:
    """--describe is statistics; --by alone asks for them by attribute or by ranges."""
    found = tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", "--describe", cwd=folder)
    assert rows_of(found.out)[0] == ["measure", "count", "mean", "sd", "min", "25%", "50%", "75%", "max"]
    assert rows_of(found.out)[1][:4] == ["RR", "3", "0.5", "0.5"]
    found = tsv(
        "evaluate", "qrels.txt", "up.run", "-m", "RR", "--queries-table", "queries.csv", "--by", "segment", cwd=folder
    )
    assert [row[:4] for row in rows_of(found.out)[1:]] == [["head", "RR", "1", "1.0"], ["tail", "RR", "2", "0.25"]]
    (folder / "n.txt").write_text("1 0 d 1\n60 0 d 1\n")
    (folder / "n.run").write_text("1 Q0 d 1 1 n\n60 Q0 d 1 1 n\n")
    found = tsv("evaluate", "n.txt", "n.run", "-m", "RR", "--by", "1..50, 51..100", cwd=folder)
    assert [row[0] for row in rows_of(found.out)[1:]] == ["1..50", "51..100"]


def test_worst_best_and_lost_value(folder: Path) -> None:
    """--worst, --best and --lost-value list queries by the first measure."""

    def listed(*words: object) -> list[list[str]]:
        return rows_of(tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", *words, cwd=folder).out)

    assert listed("--worst", 2) == [["query", "RR"], ["q3", "0.0"], ["q2", "0.5"]]
    assert listed("--best", 1) == [["query", "RR"], ["q1", "1.0"]]
    lost = listed("--lost-value", "--weights", "queries.csv")
    assert lost[0] == ["query", "text", "frequency", "RR", "ideal", "lost"]
    assert lost[1] == ["q2", "blue shoes", "100.0", "0.5", "1.0", "50.0"]
    same = listed("--lost-value", "--queries-table", "queries.csv", "--weights", "frequency")
    assert same == lost


@pytest.mark.parametrize(
    ("words", "view"),
    [("--worst 2", "worst"), ("--best 1", "best"), ("--describe", "describe"), ("--lost-value", "lost_value")],
)
def test_every_view_as_json(words: str, view: str, folder: Path) -> None:
    """JSON of any view has the same rows, with the means, the decisions and the ledger, and no talk beside it."""
    call = ("evaluate", "qrels.txt", "up.run", "-m", "RR", "--weights", "queries.csv", *words.split())
    found = run(*call, "--json", cwd=folder)
    whole = json.loads(found.out)
    rows = rows_of(tsv(*call, cwd=folder).out)
    assert [list(map(str, row.values())) for row in whole[view]] == rows[1:]
    assert whole.keys() == {"convention", "decisions", "means", "ledger", view}
    assert found.err == ""


def test_worst_of_each_system(folder: Path) -> None:
    """Several systems list their own queries; --system keeps one."""
    found = tsv("evaluate", "qrels.txt", "up.run", "other.run", "-m", "RR", "--worst", 1, cwd=folder)
    assert rows_of(found.out) == [["query", "system", "RR"], ["q3", "up", "0.0"], ["q1", "other", "1.0"]]
    found = tsv("evaluate", "qrels.txt", "up.run", "other.run", "-m", "RR", "--system", "other", cwd=folder)
    assert rows_of(found.out) == [["measure", "mean"], ["RR", "1.0"]]


@pytest.mark.parametrize("how", ["q1,q2", "ids.txt", "1..2"])
def test_only_some_queries(how: str, folder: Path) -> None:
    """--queries takes ids, a file of ids, or a range."""
    (folder / "ids.txt").write_text("q1\nq2\n")
    names = ["qrels.txt", "up.run"]
    if how == "1..2":
        for name in names:
            (folder / name).write_text((folder / name).read_text().replace("q", ""))
    found = tsv("evaluate", *names, "-m", "RR", "--queries", how, "-v", cwd=folder)
    assert rows_of(found.out)[1] == ["RR", "0.75"]
    assert "1 left out on request" in found.err or "2 left out on request" in found.err


def test_ledger(folder: Path) -> None:
    """--ledger is every query with its states; JSON has the accounts, the moves and the fingerprints."""
    found = tsv("evaluate", "qrels.txt", "up.run", "-m", "RR", "--ledger", cwd=folder)
    assert rows_of(found.out) == [
        ["system", "query", "state", "RR"],
        ["up", "q1", "judged and returned", "computed"],
        ["up", "q2", "judged and returned", "computed"],
        ["up", "q3", "judged, nothing returned", "no_results=0"],
        ["up", "q9", "returned, not judged", "no_judgments=skip"],
    ]
    whole = json.loads(run("evaluate", "qrels.txt", "up.run", "-m", "RR", "--ledger", "--json", cwd=folder).out)
    assert whole["fingerprints"]["RR"].startswith("RR[")
    assert len(whole["queries"]) == 4
    assert whole["moves"][0]["means"] == [{"measure": "RR", "mean": 0.5, "other": 0.75}]


def test_one_table_holds_both(folder: Path) -> None:
    """A single file is judgments and results."""
    (folder / "both.csv").write_text(
        "queryid,query,document,position,rating_1,rating_2\n1,red,d1,1,0,2\n1,red,d2,2,3,3\n"
    )
    found = tsv("evaluate", "both.csv", "-m", "DCG", cwd=folder)
    assert float(rows_of(found.out)[1][1]) == pytest.approx(1 + 3 * 0.6309297535714574)


def test_standard_input(folder: Path) -> None:
    """- is standard input, on either side but not on both; compressed or not."""
    text = (folder / "up.run").read_text()
    assert run("evaluate", "qrels.txt", "-", "-m", "RR", "--csv", cwd=folder, stdin=text).out == rr_csv("0.5")
    qrels = (folder / "qrels.txt").read_text()
    assert run("evaluate", "-", "up.run", "-m", "RR", "--csv", cwd=folder, stdin=qrels).out == rr_csv("0.5")
    found = tsv("evaluate", "-", "-", cwd=folder, stdin=qrels)
    assert (found.code, found.out) == (2, "")
    assert "Standard input (-) can be read once" in found.err
    (folder / "up.run.gz").write_bytes(gzip.compress(text.encode()))
    assert rows_of(tsv("evaluate", "qrels.txt", "up.run.gz", "-m", "RR", cwd=folder).out)[1] == ["RR", "0.5"]


def test_conventions_with_overrides(folder: Path) -> None:
    """--as takes a convention with overrides; a flag wins over both."""
    words = ("evaluate", "qrels.txt", "up.run", "-m", "RR")
    assert tsv(*words, "--as", "trec_eval-9.0.8", cwd=folder).out.endswith("RR\t0.75\n")
    assert tsv(*words, "--as", "trec_eval-9.0.8, no_results=0", cwd=folder).out.endswith("RR\t0.5\n")
    found = tsv(*words, "--convention", "trec_eval-9.0.8, no_results=0", "--no-results", "skip", "-v", cwd=folder)
    assert found.out.endswith("RR\t0.75\n")
    assert "decisions  trec_eval-9.0.8, no_results=skip\n" in found.err


def test_the_shop() -> None:
    """The example shop gives the numbers its README states."""
    from tests.cli.terminal import SHOP

    found = tsv("evaluate", "judgments.csv", "bm25.csv", "hybrid.csv", "-m", "nDCG@10", "-v", cwd=SHOP)
    assert [round(float(value), 4) for value in rows_of(found.out)[1][1:]] == [0.73, 0.7712]
    assert "0.7353" in next(line for line in found.err.splitlines() if line.startswith("bm25    order_by=score"))
    words = ("--queries-table", "queries.csv", "--by", "segment", "-m", "nDCG@10")
    table = rows_of(tsv("evaluate", "judgments.csv", "bm25.csv", *words, cwd=SHOP).out)
    assert {row[0]: round(float(row[3]), 4) for row in table[1:]} == {
        "brand": 0.7318, "category": 0.7382, "problem": 0.7173,
    }  # fmt: skip
    words = ("--weights", "queries.csv", "-m", "nDCG@10")
    table = rows_of(tsv("evaluate", "judgments.csv", "bm25.csv", "hybrid.csv", *words, cwd=SHOP).out)
    assert [round(float(value), 4) for value in table[1][1:]] == [0.7788, 0.8138]


def test_one_file_that_ranks_nothing(folder: Path) -> None:
    """Judgments alone are no results: a file of results was forgotten. Rows as they stand are asked for."""
    (folder / "j.csv").write_text("query_id,doc_id,grade\nq1,a,1\nq1,b,0\n")
    found = tsv("evaluate", "j.csv", cwd=folder)
    assert (found.code, found.out, len(found.err.splitlines())) == (3, "", 1)
    assert "no results given, and this table has neither rank nor score" in found.err
    assert tsv("evaluate", "j.csv", "--order-by", "given", "-q", "-m", "RR", cwd=folder).lines == [
        "measure\tmean",
        "RR\t1.0",
    ]


def test_queries_without_a_frequency(folder: Path) -> None:
    """A query without a frequency is named, and does not stop the others."""
    (folder / "queries.csv").write_text("query_id,frequency\nq1,10\nq2,\nq3,4\n")
    found = tsv("evaluate", "qrels.txt", "up.run", "--queries-table", "queries.csv", "--lost-value", "2", cwd=folder)
    assert (found.code, len(found.lines)) == (0, 3)
    assert "warning    1 query without a frequency: q2" in found.err
