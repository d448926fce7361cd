"""trectools, also behind Hugging Face's evaluate/trec_eval, against the convention trectools."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pandas
import pytest
from pandas.core.groupby import DataFrameGroupBy
from trectools import TrecEval, TrecQrel, TrecRun

import idealrank as ir
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data, values

pytestmark = pytest.mark.filterwarnings("ignore::pandas.errors.PandasChangeWarning")  # written for pandas 1 and 2

SCALES = {"graded": (0, 1, 2, 3), "fractional": (0, 0.25, 1, 2.5)}
METHODS = {"P": "get_precision", "R": "get_recall", "AP": "get_map", "RR": "get_reciprocal_rank", "nDCG": "get_ndcg"}
CUTOFFS = (1, 3, 5, 10, 1000)


@pytest.fixture(autouse=True)
def _apply_with_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give groupby.apply the grouping column again, as pandas did before 3: get_rprec needs it."""

    def apply(groups: Any, function: Any) -> pandas.DataFrame:
        pieces = []
        for key in dict.fromkeys(groups.obj["query"]):
            piece = groups.obj[groups.obj["query"] == key]
            object.__setattr__(piece, "name", key)
            pieces.append(function(piece))
        return pandas.concat(pieces)

    monkeypatch.setattr(DataFrameGroupBy, "apply", apply)


def shuffled_rows(data: Data, seed: int) -> list[tuple[str, str, int, float]]:
    """Return the results as rows in no order, ranks counted in the order of the rows."""
    rows = [(query, doc, score) for query, docs in data.results.items() for doc, score in docs.items()]
    random.Random(seed).shuffle(rows)
    seen: dict[str, int] = {}
    numbered = []
    for query, doc, score in rows:
        seen[query] = seen.get(query, 0) + 1
        numbered.append((query, doc, seen[query], score))
    return numbered


def tool_and_table(data: Data, seed: int) -> tuple[TrecEval, dict[str, list[Any]]]:
    """Return trectools on the data, and the same rows for our side."""
    rows = shuffled_rows(data, seed)
    run, qrels = TrecRun(), TrecQrel()
    run.run_data = pandas.DataFrame(
        [(q, "Q0", d, r, s, "system") for q, d, r, s in rows],
        columns=["query", "q0", "docid", "rank", "score", "system"],
    )
    qrels.qrels_data = pandas.DataFrame(
        [(q, "0", d, g) for q, docs in data.judgments.items() for d, g in docs.items()],
        columns=["query", "q0", "docid", "rel"],
    )
    names = ("query", "docid", "rank", "score")
    return TrecEval(run, qrels), dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def by_query(frame: Any, queries: list[str]) -> dict[str, float]:
    """Return a frame's values by query; a query it lacks, or has no number for, adds 0 to its sum."""
    column = frame.iloc[:, 0].to_dict()
    found = {query: float(column.get(query, 0.0)) for query in queries}
    return {query: 0.0 if math.isnan(value) else value for query, value in found.items()}


def runs(seeds: range) -> list[Any]:
    """Return every seed with every scale."""
    return [pytest.param(seed, SCALES[scale], id=f"{scale}-{seed}") for scale in SCALES for seed in seeds]


@pytest.mark.parametrize(("seed", "scale"), runs(range(1100, 1100 + tried(3))))
def test_measures_with_cutoff(seed: int, scale: tuple[float, ...], compare: Compare) -> None:
    """P, R, AP and RR go by score, nDCG by the order of the rows; any grade above 0 is relevant."""
    data = random_data(seed, scale, queries=25, depth=30)
    tool, table = tool_and_table(data, seed)
    for measure, method in METHODS.items():
        names = [f"{measure}@{k}" for k in CUTOFFS]
        scores = ir.evaluate(data.judgments, table, names, convention="trectools")
        for place, k in enumerate(CUTOFFS):
            oracle = by_query(getattr(tool, method)(depth=k, per_query=True), data.both())
            compare("trectools", values(scores, place), oracle, names[place])
            mean = float(getattr(tool, method)(depth=k))
            compare("trectools", {"mean": scores[names[place]]}, {"mean": mean}, f"mean {names[place]}")


@pytest.mark.parametrize(("seed", "scale"), runs(range(1300, 1300 + tried(3))))
def test_ndcg_of_files(seed: int, scale: tuple[float, ...], compare: Compare, tmp_path: Path) -> None:
    """A run that trectools reads from a file is sorted by score and document: nDCG is then that of this order."""
    data = random_data(seed, scale, queries=25, depth=30)
    run, qrels = tmp_path / "run.txt", tmp_path / "qrels.txt"
    rows = ((q, "Q0", d, r, s, "system") for q, d, r, s in shuffled_rows(data, seed))
    grades = ((q, 0, d, g) for q, docs in data.judgments.items() for d, g in docs.items())
    for file, lines in ((run, rows), (qrels, grades)):
        file.write_text("".join(" ".join(str(field).replace(" ", "_") for field in line) + "\n" for line in lines))
    tool = TrecEval(TrecRun(str(run)), TrecQrel(str(qrels)))
    for k in CUTOFFS:
        scores = ir.evaluate(qrels, run, [f"nDCG@{k}"], convention="trectools, order_by=score, ties=docid_asc")
        oracle = by_query(tool.get_ndcg(depth=k, per_query=True), [q.replace(" ", "_") for q in data.both()])
        compare("trectools", values(scores), oracle, f"nDCG@{k} of files")


@pytest.mark.parametrize(("seed", "scale"), runs(range(1150, 1150 + tried(3))))
def test_rprec(seed: int, scale: tuple[float, ...], compare: Compare) -> None:
    """Rprec is the same; trectools fails on results for a query without judgments."""
    data = random_data(seed, scale, queries=25, depth=30)
    data = data.subset(data.both())
    tool, table = tool_and_table(data, seed)
    scores = ir.evaluate(data.judgments, table, ["Rprec"], convention="trectools")
    compare("trectools", values(scores), by_query(tool.get_rprec(per_query=True), data.both()), "Rprec")
    compare("trectools", {"mean": scores["Rprec"]}, {"mean": float(tool.get_rprec())}, "mean Rprec")


@pytest.mark.parametrize(("seed", "scale"), runs(range(1200, 1200 + tried(3))))
def test_bpref(seed: int, scale: tuple[float, ...], compare: Compare) -> None:
    """Bpref is the same where some judged document is not relevant; else trectools divides by zero."""
    data = random_data(seed, scale, queries=25, depth=30)
    lacking = [query for query, docs in data.judgments.items() if all(grade > 0 for grade in docs.values())]
    for query in lacking:
        data.judgments[query]["X not relevant"] = 0
    tool, table = tool_and_table(data, seed)
    scores = ir.evaluate(data.judgments, table, ["Bpref"], convention="trectools")
    compare("trectools", values(scores), by_query(tool.get_bpref(per_query=True), data.both()), "Bpref")
    compare("trectools", {"mean": scores["Bpref"]}, {"mean": float(tool.get_bpref())}, "mean Bpref")


@pytest.mark.parametrize(("seed", "scale"), runs(range(1350, 1350 + tried(3))))
def test_counts(seed: int, scale: tuple[float, ...], compare: Compare) -> None:
    """Returned, relevant, and relevant returned documents are counted alike, by query and in all."""
    data = random_data(seed, scale, queries=25, depth=30, missing=False)
    tool, table = tool_and_table(data, seed)
    for name, method in (
        ("NumRet", tool.get_retrieved_documents),
        ("NumRel", tool.get_relevant_documents),
        ("NumRelRet", tool.get_relevant_retrieved_documents),
    ):
        scores = ir.evaluate(data.judgments, table, [name], convention="trectools")
        found = method(per_query=True).to_dict()
        compare("trectools", values(scores), {query: float(found.get(query, 0)) for query in data.both()}, name)
        compare("trectools", {"sum": scores[name]}, {"sum": float(method())}, f"sum of {name}")


@pytest.mark.parametrize("seed", range(1250, 1250 + tried(3)))
def test_rbp_averaged_over_ties(seed: int, compare: Compare) -> None:
    """RBP with ties averaged is trectools', query by query, rows sorted by score."""
    data = random_data(seed, queries=25, depth=30, missing=False)
    found = values(
        ir.evaluate(
            data.judgments,
            data.results,
            ["RBP(p=0.8)"],
            order_by="score",
            ties="average",
            relevant_from="positive",
            no_results="skip",
        )
    )
    oracle: dict[str, float] = {}
    for query in data.results:
        ordered = dict(sorted(data.results[query].items(), key=lambda item: -item[1]))
        tool, _ = tool_and_table(Data(data.judgments, {query: ordered}), seed)
        tool.run.run_data = tool.run.run_data.sort_values("score", ascending=False, kind="stable")
        oracle |= by_query(tool.get_rbp(p=0.8, depth=1000, per_query=True)[0], [query])
    compare("trectools", found, oracle, "RBP")
