"""reconcile against other results, and against values that somebody else computed."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

import idealrank as ir
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
    assert "values: 3 of 3 queries as under idealrank-1, gain=exp2" in found.text
    assert found.after == pytest.approx(sum(map(float, theirs.values())) / 3, abs=1e-15)
    assert math.fsum(found.shares["share"]) == pytest.approx(found.gap, abs=1e-12)
    assert (found.queries["query"], found.queries["most by"]) == (["a"], ["gain"])


def test_what_no_setting_gives_is_left_over() -> None:
    """A value nothing near a convention gives is not explained, and names its query; a stranger is named."""
    theirs = values("trec_eval-9.0.8") | {"a": "0.1111", "zz": "1"}
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "trec_eval-9.0.8", theirs)
    assert found.shares["decision"] == ["not explained"]
    assert dict(zip(found.queries["query"], found.queries["most by"], strict=True)) == {"a": "not explained"}
    assert found.refused == ("values has values for queries without judgments: 'zz'",)


def test_a_query_the_table_lacks_is_left_out_there() -> None:
    """Where the table has no value for a query without results, no_results=skip explains it."""
    found = ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", values("trec_eval-10.0", 12))
    assert found.shares["decision"][0] == "no_results"
    assert found.queries["query"] == ["c"]


@pytest.mark.parametrize("seed", range(10))
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
    assert [(one.query, one.text) for one in same.printed] == [("a", "0.2"), ("b", "0.3")]


def test_scores_are_values() -> None:
    """Scores of another evaluation are taken as they are."""
    theirs = ir.evaluate(QRELS, RUN, ["nDCG@10", "P@5"], gain="exp2")
    assert ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", theirs).shares["decision"] == ["gain"]


def test_bad_tables_are_refused() -> None:
    """Values that are no numbers, of no judged query, or of nothing are refused in words."""
    for theirs, said in (
        ({"a": "x"}, "nDCG@10 of query 'a' is 'x', not a number"),
        ({"zz": 1.0}, "none of its queries is judged"),
        ({"all": 1.0}, "no value of nDCG@10 for any query"),
    ):
        with pytest.raises(ir.DataError, match=said):
            ir.reconcile(QRELS, RUN, "nDCG@10", "idealrank-1", theirs)
