"""reconcile against other results, and against values that somebody else computed."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from tests.amounts import tried
from tests.oracles.data import random_data

QRELS = {"a": {"x": 3, "y": 1, "z": 0}, "b": {"x": 1, "y": 2}, "c": {"z": 1}}
RUN = {"a": {"y": 3.0, "u": 2.0, "x": 1.0}, "b": {"x": 2.0, "y": 2.0}}
OTHER = {"a": {"x": 3.0, "u": 2.0, "y": 1.0}, "b": {"x": 2.0, "v": 1.0}, "c": {"z": 1.0}}


def values(convention: str, digits: int = 3, **answers: str) -> dict[str, str]:
    """The values of nDCG@10 as a tool under a convention would print them."""
    found = ir.evaluate(QRELS, RUN, ["nDCG@10"], convention=convention, **answers)
    kept = zip(found.queries, found.values[0, 0].tolist(), strict=True)
    return {query: f"{value:.{digits}f}" for query, value in kept if not math.isnan(value)}


def test_values_are_explained_by_the_setting_that_gives_them() -> None:
    """Values made under gain=exp2 are laid to the gain; what their digits lost is said."""
    theirs = values("idealrank-1", gain="exp2")
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", theirs)
    assert found.shares["decision"] == ["gain", "printed digits"]
    assert "values: 3 of 3 values as under idealrank-1, gain=exp2" in found.text
    assert found.after == pytest.approx(sum(map(float, theirs.values())) / 3, abs=1e-15)
    assert math.fsum(found.shares["share"]) == pytest.approx(found.gap, abs=1e-12)
    assert (found.queries["query"], found.queries["most by"]) == (["a"], ["gain"])


def test_what_no_setting_gives_is_left_over() -> None:
    """A value nothing near a convention gives is not explained, and names its query; a stranger is named."""
    theirs = values("trec_eval-9.0.8") | {"a": "0.1111", "zz": "1"}
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "trec_eval-9.0.8", theirs)
    assert found.shares["decision"] == ["not explained"]
    assert dict(zip(found.queries["query"], found.queries["most by"], strict=True)) == {"a": "not explained"}
    assert found.refused == ("values has values for queries without judgments, which are left out: 'zz'",)
    assert found.after == pytest.approx((0.1111 + float(theirs["b"])) / 2)


def test_a_query_the_table_lacks_is_left_out_there() -> None:
    """Where the table has no value for a query without results, no_results=skip explains it."""
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", values("trec_eval-10.0", 12))
    assert found.shares["decision"][0] == "no_results"
    assert found.queries["query"] == ["c"]


@pytest.mark.parametrize("seed", range(tried(10)))
def test_parts_sum_to_the_gap(seed: int) -> None:
    """Against values and against results, on random data, the shares sum to the gap."""
    rng, data = random.Random(seed), random_data(seed, (0, 1, 2, 3), queries=12, depth=10)
    theirs = {query: f"{rng.random():.3f}" for query in data.judgments}
    other = random_data(seed, (0, 1, 2, 3), queries=12, depth=10).results
    changed = {q: {d: rng.random() for d in docs} for q, docs in other.items() if rng.random() < 0.8}
    for second in (theirs, changed):
        found = ir.reconcile(*data, "nDCG@5", "trec_eval-10.0", second)
        assert math.fsum(found.shares["share"]) == pytest.approx(found.gap, abs=1e-12)


def test_other_results() -> None:
    """The difference between two results is laid to queries one lacks, other documents, and their order."""
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", OTHER)
    means = [ir.evaluate(QRELS, results, ["nDCG@10"])["nDCG@10"] for results in (RUN, OTHER)]
    assert [found.before, found.after] == means
    assert set(found.shares["decision"]) == {"queries", "documents", "order"}
    rows = {row["query"]: (row["most by"], row["documents"]) for row in found.queries}
    assert rows == {
        "a": ("order", "moved y x"),
        "b": ("documents", "entered v; left y"),
        "c": ("queries", "results in the second only"),
    }


def test_the_same_results_differ_in_nothing() -> None:
    """Results against themselves have no gap and no row."""
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", RUN)
    assert (found.gap, len(found.shares), len(found.queries)) == (0.0, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "runid all x\nndcg_cut_10 a 0.2\nndcg_cut_10\tb\t0.3\nP_5 a 1\nndcg_cut_10 all .25\n",
        "query,P@5,nDCG@10\na,1,0.2\nb,,0.3\n",
        "query\tndcg_cut_10\na\t0.2\nb\t0.3\nmean\t0.25\n",
    ],
)
def test_files_of_values(tmp_path: Path, text: str) -> None:
    """What trec_eval -q printed and tables with a column of the measure are read, their summary left out."""
    file = tmp_path / "theirs.txt"
    file.write_text(text)
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", str(file))
    assert found.after == pytest.approx(0.25)
    assert found.source.startswith(str(file))
    same = ir.identify(QRELS, RUN, {"nDCG@10": file}, departures=0)
    assert [(one.query, one.text) for one in same.printed if one.query] == [("a", "0.2"), ("b", "0.3")]
    assert [float(one.text) for one in same.printed if not one.query] == ([0.25] if "25" in text else [])


def test_scores_are_values() -> None:
    """Scores of another evaluation are taken as they are."""
    theirs = ir.evaluate(QRELS, RUN, ["nDCG@10", "P@5"], gain="exp2")
    assert ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", theirs).shares["decision"] == ["gain"]


def test_a_table_of_some_queries() -> None:
    """Values of some queries are compared with these; what the other queries make of the mean is told apart."""
    some = {"b": values("idealrank-1", 12)["b"]}
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", some)
    assert found.shares["decision"] == ["not in the table"]
    assert "1 of 1 values as under the convention given" in found.text
    assert found.queries["most by"] == ["not in the table"] * 2


def test_values_that_no_setting_gives_invent_no_decision() -> None:
    """Where no setting gives more than half of the values, as with percentages, nothing is laid to a decision."""
    theirs = {query: str(float(value) * 100) for query, value in values("trec_eval-9.0.8", 12).items()}
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "trec_eval-9.0.8", theirs)
    assert found.shares["decision"] == ["not explained"]


@pytest.mark.parametrize(
    "theirs",
    [
        {"query": ["a", "b"], "nDCG@10": ["0.2", "0.3"], "nDCG@5": [1, 1]},
        pd.DataFrame({"query": ["a", "b"], "nDCG@5": [1, 1], "ndcg_cut_10": [0.2, 0.3]}),
        pd.Series({"a": 0.2, "b": 0.3}),
        {"a": 0.2, "b": 0.3, "Average": 9, "amean": 9, "c": "NaN"},
    ],
)
def test_forms_of_values(theirs: Any) -> None:
    """Columns, a frame, a series and a dict of values are read alike: another cutoff is another measure."""
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", theirs)
    assert (found.after, found.refused) == (pytest.approx(0.25), ())


def test_documents_stand_within_the_cutoff() -> None:
    """What entered or left beyond the cutoff is not named, and the shares are means over the queries of both."""
    qrels = {"a": {"x": 2, "y": 1}, "b": {"x": 1}, "c": {"x": 1}}
    run = {"a": {"x": 3.0, "y": 2.0, "old": 1.0}, "b": {"x": 1.0}}
    other = {"a": {"y": 3.0, "x": 2.0, "new": 1.0}, "b": {"x": 1.0}, "c": {"x": 1.0}}
    found = ir.reconcile(qrels, run, "nDCG@2", "trec_eval-10.0", other)
    assert next(iter(found.queries))["documents"] == "moved x y"
    shares = dict(zip(found.shares["decision"], found.shares["share"], strict=True))
    value = (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))
    assert shares["order"] == pytest.approx((value - 1) / 2, abs=1e-15)
    assert shares["queries"] == pytest.approx(found.gap - shares["order"], abs=1e-15)


def test_what_differs_behind_the_cutoff() -> None:
    """The same first result under an ideal of all that was returned: the tails make the difference."""
    qrels, run = {"q": {"a": 1, "b": 3}}, {"q": {"a": 2.0, "u": 1.0}}
    found = ir.reconcile(qrels, run, "nDCG@1", "lightgbm", {"q": {"a": 2.0, "b": 1.0}})
    assert found.shares["decision"] == ["beyond the cutoff"]
    assert found.gap == pytest.approx(1 / 7 - 1)


@pytest.mark.parametrize("measure", ["NumRelRet", "nDCG(rounding=mean,floor,1)@10"])
def test_what_is_no_plain_mean_is_one_part(measure: str) -> None:
    """A sum, and a mean that is rounded, are not split by queries."""
    found = ir.reconcile(QRELS, RUN, measure, "idealrank-1", OTHER | {"c": {"z": 2.0, "x": 1.0}, "a": {"x": 3.0}})
    assert found.shares["decision"] == ["queries"]
    assert found.shares["share"] == pytest.approx([found.gap])


def test_a_convention_goes_before_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file called as a convention is not read; a path that names no file is said to be none."""
    monkeypatch.chdir(tmp_path)
    Path("sklearn").write_text("query,nDCG@10\na,0.2\n")
    assert ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", "sklearn").source == ""
    assert ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", "./sklearn").after == 0.2
    with pytest.raises(ir.UsageError, match=r"theirs\.csv: neither a convention nor an existing file"):
        ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", "theirs.csv")
    Path("folder").mkdir()
    with pytest.raises(
        ir.UsageError, match=r"folder: neither a number, such as 0\.437, nor an existing file\. It is a folder\."
    ):
        ir.identify(QRELS, RUN, {"nDCG@10": "folder"})
    Path("latin.txt").write_bytes("ndcg_cut_10 a 0.2\n\nndcg_cut_10 caf\u00e9 0.3\n".encode("latin-1"))
    with pytest.raises(ir.DataError, match=r"latin\.txt line 3: not UTF-8"):
        ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", "latin.txt")
    Path("short.txt").write_text("ndcg_cut_10 a 0.2\nndcg_cut_10 0.3\n")
    with pytest.raises(ir.DataError, match=r"short\.txt"):
        ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", "short.txt")
    with pytest.raises(ir.UsageError, match="Give the first convention as text, then what it is compared with"):
        ir.reconcile(QRELS, RUN, "nDCG@10", {"a": 0.2}, "idealrank-1")  # type: ignore[arg-type]


def test_bad_tables_are_refused() -> None:
    """Values that are no numbers, of no judged query, or of nothing are refused in words."""
    for theirs, said in (
        ({"a": "x"}, "nDCG@10 of query 'a' is 'x', not a number"),
        ({"zz": 1.0}, "none of its queries is judged"),
        ({"all": 1.0}, "no value of nDCG@10 for any query"),
    ):
        with pytest.raises(ir.DataError, match=said):
            ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", theirs)
    columns = {"query": ["a"], "ndgc": [0.1]}
    with pytest.raises(ir.DataError, match="no column called nDCG@10 and no documents"):
        ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", columns)
    with pytest.raises(ir.DataError, match="appears a second time"):
        ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", {"query": ["a", "a"], "nDCG@10": [0.1, 0.2]})


@pytest.mark.parametrize("name", ["Thema", "nr"])
def test_ids_under_another_name(tmp_path: Path, name: str) -> None:
    """The one column that holds ids of judged queries is taken, whatever it is called, and that is said."""
    theirs = values("idealrank-1", gain="exp2")
    rows = "".join(f"{query},{n},{value}\n" for n, (query, value) in enumerate(theirs.items()))
    (tmp_path / "theirs.csv").write_text(f"{name},place,nDCG@10\n{rows}all,,0.5\n")
    path = str(tmp_path / "theirs.csv")
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", path)
    assert "3 of 3 values as under idealrank-1, gain=exp2" in found.text
    assert found.refused == (f"{path}: query={name}",)
    named = ir.identify(QRELS, RUN, {"nDCG@10": path}, departures=0)
    assert named.id_columns == found.refused
    assert named.id_columns[0] in repr(named)


def test_no_column_of_ids(tmp_path: Path) -> None:
    """Where no column holds ids of judged queries, or two do, the columns are named."""
    path = tmp_path / "theirs.csv"
    for text, said in (
        (
            "Thema,nDCG@10\nx,0.1\ny,0.2\n",
            "no query column, and no column with ids of judged queries .*Found: Thema, nDCG@10",
        ),
        ("one,two,nDCG@10\na,b,0.1\nb,a,0.2\n", "'one', 'two' each contain ids of judged queries. Name the right"),
    ):
        path.write_text(text)
        with pytest.raises(ir.DataError, match=said):
            ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", str(path))
