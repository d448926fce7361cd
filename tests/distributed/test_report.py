"""Reports of scores in parts: those of scores at once while all queries are shown, then of the queries that matter."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed.files import Files, evaluate_files
from idealrank.reports.report import Report
from idealrank.reports.sections import shown_queries

SHOP = Path(__file__).parents[2] / "examples" / "shop"
RUNS = [str(SHOP / "bm25.csv"), str(SHOP / "hybrid.csv")]
MEASURES = ["nDCG@10", "RR", "P@5"]


def _shop(results: list[str] = RUNS, **given: Any) -> ir.Scores:
    return evaluate_files(Files(str(SHOP / "judgments.csv"), results), MEASURES, buckets=7, **given)


def _whole(results: list[str] = RUNS, **given: Any) -> ir.Scores:
    return ir.evaluate(SHOP / "judgments.csv", results, MEASURES, **given)


def _same(ours: Report, theirs: Report) -> None:
    mine, whole = ours.to_dict(), theirs.to_dict()
    assert mine.pop("grades") is None  # type: ignore[misc] # all ratings are needed for it, and they are in parts
    whole.pop("grades")  # type: ignore[misc]
    for name in whole:
        assert json.dumps(mine[name]) == json.dumps(whole[name]), name  # type: ignore[literal-required]
    assert list(mine) == list(whole)


def test_of_one_system() -> None:
    """While all queries are shown, a report has every number of the report of scores at once, also what holes allow."""
    queries = str(SHOP / "queries.csv")
    mine, whole = ir.report(_shop(RUNS[:1], queries=queries)), ir.report(_whole(RUNS[:1], queries=queries))
    _same(mine, whole)


def test_failed_searches_and_queries_nobody_judged(tmp_path: Path) -> None:
    """Failed searches, queries without results and results of queries that nobody judged are told as ever."""
    judgments, results = tmp_path / "j.csv", tmp_path / "r.csv"
    judgments.write_text("query_id,doc_id,grade\n" + "".join(f"q{q},d{q % 3},1\n" for q in range(12)))
    rows = [f"q{q},d{d},{d + 1},ok\n" for q in range(3, 15) for d in range(3)]
    results.write_text("query_id,doc_id,rank,status\n" + "".join(rows) + "q1,,,timeout\n")
    found = evaluate_files(Files(str(judgments), [str(results)]), MEASURES, buckets=3)
    whole = ir.report(ir.evaluate(judgments, results, MEASURES))
    _same(ir.report(found), whole)
    assert whole.ledger["systems"][0]["failed"] == ["q1"]
    assert len(whole.ledger["systems"][0]["returned_not_judged"]) == 3


def _many(folder: Path, queries: int) -> tuple[Path, list[str]]:
    """Two systems; the second is worse in q7 and q8, better in q9, has nothing for q11, and differs nowhere else."""
    rng, judgments = random.Random(1), folder / "j.csv"
    judgments.write_text("query_id,doc_id,grade\n" + "".join(f"q{q},d1,1\n" for q in range(queries)))
    ranks = {q: rng.choice([1, 2]) for q in range(queries)}
    changed = ranks | {7: 9, 8: 8, 9: 1}
    files = []
    for name, each in (("before", ranks | {9: 3}), ("after", changed)):
        file = folder / f"{name}.csv"
        rows = (f"q{q},{'d1' if rank == place else f'x{place}'},{place}\n" for q, rank in each.items()
                if (name, q) != ("after", 11) for place in range(1, 10))  # fmt: skip
        file.write_text("query_id,doc_id,rank\n" + "".join(rows))
        files.append(str(file))
    return judgments, files


@pytest.mark.parametrize("parts", [True, False], ids=["in parts", "at once"])
def test_of_many_queries(parts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many queries, those that changed and those without results are shown; means and verdict are of all."""
    monkeypatch.setattr(shown_queries, "FETCHED" if parts else "AT_HAND", 10)
    judgments, files = _many(tmp_path, 60)
    found = (
        evaluate_files(Files(str(judgments), files), ["RR", "P@5"], buckets=5)
        if parts else ir.evaluate(judgments, files, ["RR", "P@5"])
    )  # fmt: skip
    report = ir.report(ir.compare(found, baseline="before"))
    whole = report.to_dict()
    ids = whole["queries"]["id"]
    assert len(ids) == 10
    assert {"q7", "q8", "q9", "q11"} <= set(ids)
    assert "10 of 60 queries are shown" in whole["queries"]["note"]
    place = ids.index("q7")
    assert whole["values"]["RR"]["after"][place] == 1 / 9
    lists = whole["lists"]["systems"]["after"]
    start, end = lists["start"][place : place + 2]
    documents = [whole["documents"]["id"][code] for code in lists["document"][start:end]]
    assert documents == [*(f"x{n}" for n in range(1, 9)), "d1"]
    share = whole["explanations"]["RR"]["systems"]["after"]
    assert share["contribution"][end - 1] == 1 / 9
    assert share["total"][place] == 1 / 9
    assert len(whole["lists"]["best"]["start"]) == len(share["total"]) + 1 == 11
    means = {(row["measure"], row["system"]): row["mean"] for row in whole["means"]}
    assert means["RR", "after"] == found["RR", "after"]
    assert whole["means"][0]["queries"] == 60
    # 60 queries of nine results each, of which one is judged
    assert whole["holes"]["shown"]["before"] == 540
    assert whole["holes"]["unjudged"] == {"before": 480, "after": 59 * 9 - 59}
    assert whole["curves"]["RR"]["systems"]["after"][-1] == whole["means"][1]["mean"]
    assert [row["query"] for row in whole["states"]] == ["q11"]
    assert "10 of 60 queries are shown" in report.to_markdown()
    assert "10 of 60 queries are shown" in report.to_html()


def test_lists_are_fetched_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lists of all queries that are shown are fetched at once."""
    judgments, files = _many(tmp_path, 60)
    found = evaluate_files(Files(str(judgments), files), ["RR"], buckets=5)
    assert not found.lists.in_memory
    asked: list[Any] = []
    fetch = type(found.lists).read
    monkeypatch.setattr(type(found.lists), "read", lambda self, ids: asked.append(ids) or fetch(self, ids))
    comparison = ir.compare(found, baseline="before")
    ir.report(comparison).to_html()
    comparison.changes("q7")
    assert [len(ids) for ids in asked] == [60]


def test_each_kind_has_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the queries are chosen by the measure that decides, the others by all measures in turns.

    RR is lowest in q2 and q1; then come q0 by RR, as all others have 1, and q5 by AP.
    """
    monkeypatch.setattr(shown_queries, "AT_HAND", 4)
    judged = {f"q{q}": {"d": 1, "e": 1} for q in range(9)}
    low = {"q1": {"x": 3.0, "d": 2.0}, "q2": {"x": 3.0, "y": 2.0, "d": 1.0}}
    returned = {f"q{q}": {"d": 3.0, "e": 2.0} for q in range(9)} | low | {"q5": {"d": 3.0, "x": 2.0, "e": 1.0}}
    scores = ir.evaluate(judged, returned, ["RR", "AP"])
    assert ir.report(scores).queries["id"] == ["q0", "q1", "q2", "q5"]
