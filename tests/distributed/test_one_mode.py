"""A comparison and a report in parts are those of files at once, to the last byte."""

from __future__ import annotations

import functools
import json
import random
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed.files import Files as Files, evaluate_files
from idealrank.evaluation.ledger.counting import unjudged_within
from idealrank.reports.sections.charts import curve
from tests.amounts import costly
from tests.distributed.same import assert_same

SHOP = Path(__file__).parents[2] / "examples" / "shop"
RUNS = [str(SHOP / "bm25.csv"), str(SHOP / "hybrid.csv")]
MEASURES = ["nDCG@10", "RR", "AP@5", "AP", "ERR@10", "P@5"]
TREC = Path(__file__).parents[3] / "shared" / "data" / "trec-covid-round1"


def _everything(scores: ir.Scores, **given: Any) -> list[str]:
    """Return all that a comparison and its report say."""
    found = ir.compare(scores, **given)
    texts = [found.to_json(per_query=True), str(found), found.to_markdown(), found.to_junit()]
    texts += [repr(found.to_judge(30, system=name)) for name in found.verdict]
    # How far raters agree is said of files at once: all ratings are needed for it.
    return [*texts, json.dumps({name: part for name, part in ir.report(found).to_dict().items() if name != "grades"})]


@functools.cache
def _shop(buckets: int | None) -> ir.Scores:
    """Return the shop's scores, in buckets or at once."""
    judgments = str(SHOP / "judgments.csv")
    given: dict[str, Any] = {"queries": str(SHOP / "queries.csv"), "weights": "frequency"}
    if buckets is None:
        return ir.evaluate(judgments, RUNS, MEASURES, **given)
    return evaluate_files(Files(judgments, RUNS), MEASURES, buckets=buckets, **given)


@pytest.mark.parametrize(
    "given",
    [{}, {"baseline": "hybrid", "holes": "worst_case"}, {"unseen": 2, "margin": 0.02, "segments": "segment"}],
    ids=str,
)
def test_shop(given: dict[str, Any]) -> None:
    """Verdicts, columns and JSON are the same where a tenth of the results are unjudged."""
    whole = _everything(_shop(None), **given)
    assert _everything(_shop(7), **given) == whole


def _ranked_three(folder: Path, seed: int = 8) -> list[str]:
    """Return files of judgments and three systems: with ties, times, failed searches and queries nobody judged."""
    rng, files = random.Random(seed), []
    for name in ("a", "b", "c"):
        rows = []
        for q in range(64):
            if name == "b" and q % 13 == 4:
                rows.append(f"q{q},,,,timeout,9")
                continue
            docs = rng.sample(range(9), 5)
            scores = sorted((rng.randrange(4) / 2 for _ in docs), reverse=True)
            pairs = enumerate(zip(docs, scores, strict=True), 1)
            rows += [f"q{q},d{doc},{rank},{score},ok,{q + len(name)}" for rank, (doc, score) in pairs]
        file = folder / f"{name}.csv"
        file.write_text("\n".join(["query_id,doc_id,rank,score,status,latency_ms", *rows]) + "\n")
        files.append(str(file))
    judgments = folder / "judgments.csv"
    lines = [f"q{q},d{d},{rng.randrange(4)}" for q in range(60) for d in range(7)]
    judgments.write_text("\n".join(["query_id,doc_id,grade", *lines]) + "\n")
    return [str(judgments), *files]


@pytest.mark.parametrize("seed", range(costly(6)))
def test_worlds_in_any_number_of_parts(seed: int, tmp_path: Path) -> None:
    """In 1, 7 or 64 parts, ties, failed searches and results nobody judged lead to the same numbers and verdict."""
    judgments, *files = _ranked_three(tmp_path, seed)
    whole = ir.evaluate(judgments, files, ["nDCG@5", "RR"])
    expected = ir.compare(whole, baseline="b", draws=500).to_json(per_query=True)
    for buckets in (1, 7, 64):
        parts = evaluate_files(Files(judgments, files), ["nDCG@5", "RR"], buckets=buckets)
        assert_same(parts, whole)
        assert ir.compare(parts, baseline="b", draws=500).to_json(per_query=True) == expected


def test_some_of_what_was_evaluated(tmp_path: Path) -> None:
    """A comparison on held-out queries, and a gate on some of the measures, are counted for these alone."""
    judgments, *files = _ranked_three(tmp_path)
    measures = ["nDCG@5", "P@3", "RR", "AP(rel=2)"]
    whole = ir.evaluate(judgments, files, measures, max_grade=3)
    expected = _everything(whole, baseline="b", hold_out=0.5)
    pair = ir.evaluate(judgments, files[:2], measures, max_grade=3)
    asked: list[dict[str, Any]] = [{"fail_if": "RR drops 0.01"}, {"fail_if": "P@3 drops 0.1", "minimum": "nDCG@5>=0.2"}]
    gates = [ir.gate(pair, **given) for given in asked]
    parts = evaluate_files(Files(judgments, files), measures, buckets=7, max_grade=3)
    assert parts.to_json(per_query=True) == whole.to_json(per_query=True)
    assert _everything(parts, baseline="b", hold_out=0.5) == expected
    found = ir.compare(parts, baseline="b", hold_out=0.5)
    assert found.tuning is not None
    tested = [files["abc".index(name)] for name in found.scores.systems]
    alone = ir.evaluate(judgments, tested, measures, max_grade=3, only=found.tuning.held_out)
    assert found.ledger.systems == alone.ledger.systems
    assert found.ledger.moves == alone.ledger.moves
    two = evaluate_files(Files(judgments, files[:2]), measures, buckets=7, max_grade=3)
    for given, gate in zip(asked, gates, strict=True):
        ours = ir.gate(two, **given)
        assert [ours.to_json(), str(ours), ours.to_markdown()] == [gate.to_json(), str(gate), gate.to_markdown()]
        alone = ir.evaluate(judgments, files[:2], [*gate.scores.labels], max_grade=3)
        for each in (ours, gate):
            assert each.scores.ledger.to_dict() == alone.ledger.to_dict()


def test_further_views() -> None:
    """Flavours, curves over k, readings, lost value and shares at any depth are the same."""
    judgments, queries, measures = str(SHOP / "judgments.csv"), str(SHOP / "queries.csv"), ["nDCG@10", "RBP", "RR"]
    whole = ir.evaluate(judgments, RUNS, measures, queries=queries)
    parts = evaluate_files(Files(judgments, RUNS), measures, buckets=7, queries=queries)
    for ask in (
        lambda scores: repr(ir.compare(scores, draws=500).robustness),
        lambda scores: repr(curve(scores)),
        lambda scores: repr(scores.readings),
        lambda scores: repr(scores.reading("RBP")),
        lambda scores: repr(scores.lost_value(7)),
        lambda scores: [unjudged_within(scores, s, depth) for s in (0, 1) for depth in (None, 3, 10)],
        lambda scores: [each.sentence for each in ir.gate(scores, max_unjudged=0.2).findings],
    ):
        assert ask(parts) == ask(whole)


def _worlds(folder: Path, better: float, queries: int = 48) -> tuple[str, list[str]]:
    """Return files of two systems, of which the second has the relevant document first more often; some unjudged."""
    rng, judgments = random.Random(3), folder / "judgments.csv"
    rows = [f"q{q},d{d},{int(d == 0)}" for q in range(queries) for d in range(5) if d == 0 or rng.random() < 0.8]
    judgments.write_text("\n".join(["query_id,doc_id,grade", *rows]) + "\n")
    files = []
    for name, chance in (("old", 0.1), ("new", better)):
        lists = []
        for q in range(queries):
            docs = [name, *(f"d{d}" for d in range(1, 4))] if q % 8 == 0 else [f"d{d}" for d in range(1, 5)]
            docs.insert(0 if rng.random() < chance else 3, "d0")
            lists += [f"q{q},{doc},{rank}" for rank, doc in enumerate(docs, 1)]
        file = folder / f"{name}.csv"
        file.write_text("\n".join(["query_id,doc_id,rank", *lists]) + "\n")
        files.append(str(file))
    return str(judgments), files


@pytest.mark.parametrize("better", [0.9, 0.25])
def test_unjudged_results(better: float, tmp_path: Path) -> None:
    """Where unjudged results matter, estimates, the number that turns a verdict and what is bearable are the same."""
    judgments, files = _worlds(tmp_path, better)
    whole = ir.evaluate(judgments, files, ["RR@5", "nDCG@5"])
    found = ir.compare(whole)
    (evidence,) = found.holes.values()
    assert evidence.estimated
    if better > 0.5:
        assert found.verdict.outcome == "SHIP"
        assert evidence.bearable is not None
    expected = _everything(whole)
    parts = evaluate_files(Files(judgments, files), ["RR@5", "nDCG@5"], buckets=7)
    assert _everything(parts) == expected


@pytest.mark.skipif(not TREC.exists(), reason="the TREC runs are not beside the repository")
def test_trec_covid() -> None:
    """The nine runs of TREC-COVID, of which many results are unjudged, have the same verdicts in parts as at once."""
    judgments, runs = str(TREC / "qrels.txt"), sorted(map(str, (TREC / "runs").iterdir()))
    whole = ir.evaluate(judgments, runs, ["nDCG@10"])
    parts = evaluate_files(Files(judgments, runs), ["nDCG@10"], buckets=7)
    for baseline in ("sab20.1.merged", "OHSU_RUN2"):
        ours, theirs = (ir.compare(scores, baseline=baseline, draws=1000) for scores in (parts, whole))
        assert "DON'T" in {verdict.outcome for verdict in theirs.verdict.values()}
        assert ours.to_json(per_query=True) == theirs.to_json(per_query=True)
        assert str(ours) == str(theirs)


QUERIES = 12
"""So few that one of seven buckets is empty, and some hold rows of one system only."""


def _table(folder: Path, rows: list[str]) -> tuple[str, list[str]]:
    judgments, results = folder / "j.csv", folder / "r.csv"
    judgments.write_text("query_id,doc_id,grade\n" + "".join(f"q{q},d{q % 3},1\n" for q in range(QUERIES)))
    results.write_text("query_id,doc_id,rank,system\n" + "".join(f"{row}\n" for row in rows))
    return str(judgments), [str(results)]


def _rows(q: int, system: str) -> list[str]:
    return [f"q{q},d{(d + len(system)) % 4},{d + 1},{system}" for d in range(3)]


def _shuffled(q: int) -> list[str]:
    return random.Random(q).sample(("b", "zeta", "alpha"), 3)


def _some(q: int) -> tuple[str, ...]:
    return ("zeta", "alpha")[q % 2 :]


ORDERS = {
    "one after the other": [row for name in ("zeta", "b", "alpha") for q in range(QUERIES) for row in _rows(q, name)],
    "by query": [row for q in range(QUERIES) for name in ("zeta", "b", "alpha") for row in _rows(q, name)],
    "in turns": [row for q in range(QUERIES) for name in _shuffled(q) for row in _rows(q, name)],
    "not in all queries": [row for q in range(QUERIES) for name in _some(q) for row in _rows(q, name)],
}  # fmt: skip


@pytest.mark.parametrize("order", ORDERS)
def test_systems_of_one_table(order: str, tmp_path: Path) -> None:
    """Systems of one table stand in the order in which its rows name them; of two, the first is the baseline."""
    rows = ORDERS[order]
    for lines in (rows, [row for row in rows if not row.endswith(",b")]):
        judgments, results = _table(tmp_path, lines)
        whole = ir.evaluate(judgments, results, ["RR", "P@2"])
        parts = evaluate_files(Files(judgments, results), ["RR", "P@2"], buckets=7)
        assert_same(parts, whole)
        baselines = [getattr(ir.compare(scores), "baseline", None) for scores in (parts, whole)]
        assert baselines[0] == baselines[1]


def test_systems_that_are_named(tmp_path: Path) -> None:
    """Systems that are asked for stand in the order in which they are named."""
    judgments, results = _table(tmp_path, ORDERS["in turns"])
    whole = ir.evaluate(judgments, results, ["RR"], system=["b", "zeta"])
    parts = evaluate_files(Files(judgments, results), ["RR"], buckets=7, system=["b", "zeta"])
    assert parts.systems == whole.systems == ("b", "zeta")
    assert _everything(parts) == _everything(whole)
