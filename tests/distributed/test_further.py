"""What goes on from scores that were computed in parts: tables, segments, comparisons, gates; and what cannot."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import idealrank as ir
from idealrank.distributed.plan import EvaluationPlan as Plan, PlannedTable as Table
from idealrank.errors import DataError, StrangersError, UsageError
from tests.distributed.in_memory import assert_same, evaluated_in_parts
from tests.properties.ranked import at_random
from tests.properties.tables import scattered, table

MEASURES = ["nDCG@3", "AP", "RR"]


def _two_systems() -> tuple[pa.Table, pa.Table]:
    tables = table(at_random(60, 8, seed=3, shortest=1), scattered, score=lambda row: -float(row.span))
    rng = random.Random(1)
    other = tables.results | {"score": [score + 4 * rng.random() for score in tables.results["score"]]}
    systems = [{**each, "system": [name] * len(each["score"])} for name, each in (("a", tables.results), ("b", other))]
    return pa.table(tables.judgments), pa.concat_tables(map(pa.table, systems))


def _both(judgments: pa.Table, results: pa.Table, **given: Any) -> tuple[ir.Scores, ir.Scores]:
    """Return the scores in parts, and those at once."""
    local = {name: value for name, value in given.items() if name in ("queries", "weights")}
    rest = {name: value for name, value in given.items() if name not in local}
    plan = Plan.of(MEASURES, rest | {"weights": "given"} if "weights" in given else rest)
    return evaluated_in_parts(plan, judgments, [results], 7, **local), ir.evaluate(
        judgments, results, MEASURES, **given
    )


def _ranked(queries: list[str], docs: list[str | None], **columns: list[Any]) -> pa.Table:
    table = {"query_id": queries, "doc_id": pa.array(docs, pa.string()), "rank": [1] * len(queries)}
    return pa.table(table | columns)


def _judged(queries: list[str], docs: list[str]) -> pa.Table:
    return pa.table({"query_id": queries, "doc_id": docs, "grade": [1] * len(queries)})


def test_several_systems() -> None:
    """Systems in one table are the same in parts, in their order, each with its ledger."""
    assert_same(*_both(*_two_systems()))


def test_one_system_of_several() -> None:
    """One system of a table is evaluated alone."""
    assert_same(*_both(*_two_systems(), system="b"))


@pytest.mark.parametrize("only", ["103..120", ["101", "115", "nowhere"]], ids=str)
def test_some_queries(only: Any) -> None:
    """Only the queries asked for count, and one that is nowhere is named."""
    assert_same(*_both(*_two_systems(), only=only))


def test_excluded_results() -> None:
    """Results on a list to exclude are left out, and counted."""
    judgments, results = _two_systems()
    query, doc = (results.column(name)[0].as_py() for name in ("query_id", "doc_id"))
    assert_same(*_both(judgments, results, exclude={query: {doc: 1}}))


def test_weights_and_attributes() -> None:
    """Weights and attributes of queries are those of all queries; those without a row are named."""
    judgments, results = _two_systems()
    queries = {"query_id": [str(100 + n) for n in range(60)], "frequency": [n % 7 for n in range(60)]}
    queries["segment"] = [["head", "tail"][n % 2] for n in range(60)]
    ours, theirs = _both(judgments, results, queries=queries, weights="frequency")
    assert_same(ours, theirs)
    assert repr(ours.describe("segment")) == repr(theirs.describe("segment"))


def test_failed_searches() -> None:
    """Queries whose search failed are left out and named, with the error."""
    results = _ranked(["1", "2", "3"], ["a", None, "a"], status=["ok", "timeout", "ok"])
    assert_same(*_both(_judged(["1", "2", "3"], ["a"] * 3), results))


def test_a_system_that_failed_everywhere_is_refused() -> None:
    """A system whose every search failed was never run."""
    results = _ranked(["1", "2"], [None, None], status=["timeout"] * 2)
    with pytest.raises(DataError, match="never run"):
        evaluated_in_parts(Plan(MEASURES), _judged(["1", "2"], ["a", "a"]), [results], 2)


def test_ids_that_differ_in_spelling() -> None:
    """Ids that differ only in letter case are told, as when all rows are together."""
    assert_same(*_both(_judged(["q1", "q2", "q3"], ["a", "B", "C"]), _ranked(["q1", "q2", "Q3"], ["a", "b", "C"])))


@pytest.mark.parametrize(("queries", "docs"), [(["1", "2"], ["x", "y"]), (["8", "9"], ["a", "b"])])
def test_strangers_are_refused(queries: list[str], docs: list[str | None]) -> None:
    """Results of which nothing is judged are refused, with what the ids look like."""
    judgments, results = _judged(["1", "2"], ["a", "b"]), _ranked(queries, docs)
    with pytest.raises(StrangersError) as whole:
        ir.evaluate(judgments, results)
    with pytest.raises(StrangersError) as parts:
        evaluated_in_parts(Plan(), judgments, [results], 3)
    assert str(parts.value) == str(whole.value)


def test_rank_against_score_is_refused() -> None:
    """A table in which scores run against ranks in most queries is refused, counting all parts."""
    both = {"rank": [1, 2, 1, 2], "score": [1.0, 2.0, 1.0, 2.0]}
    results = pa.table({"query_id": ["1", "1", "2", "2"], "doc_id": ["a", "b"] * 2} | both)
    with pytest.raises(DataError, match="opposite directions in 2 of 2"):
        evaluated_in_parts(Plan(), _judged(["1", "2"], ["a", "b"]), [results], 2)


def test_latency() -> None:
    """Quantiles of latencies are over all queries."""
    results = _ranked(["1", "2", "3"], ["a"] * 3, latency_ms=[3.0, 9.0, 27.0])
    ours, theirs = _both(_judged(["1", "2", "3"], ["a"] * 3), results)
    assert_same(ours, theirs)
    assert list(ours.latency) == list(theirs.latency)


def test_single_queries() -> None:
    """A query is explained from its rows alone, with the steps that it has among the others."""
    ours, theirs = _both(*_two_systems())
    for system in "ab":
        assert str(ours.explain("AP", "101", system)) == str(theirs.explain("AP", "101", system))
        assert str(ours.steps("nDCG@3", "117", system)) == str(theirs.steps("nDCG@3", "117", system))


def test_comparisons() -> None:
    """A comparison of scores in parts is that of scores at once, to the last byte."""
    ours, theirs = (ir.compare(scores, baseline="a") for scores in _both(*_two_systems()))
    assert ours.to_json(per_query=True) == theirs.to_json(per_query=True)
    assert str(ours) == str(theirs)
    assert ours.to_markdown() == theirs.to_markdown()
    assert repr(ours.losses(3)) == repr(theirs.losses(3))
    assert repr(ours.to_judge(20)) == repr(theirs.to_judge(20))
    assert str(ours.changes("101")) == str(theirs.changes("101"))


def _one_better(unjudged: int) -> tuple[pa.Table, pa.Table]:
    """Return 400 queries in which b has the relevant document first and a second; so many have another, unjudged."""
    queries = [str(query) for query in range(400)]
    judged = pa.table(
        {"query_id": queries * 2, "doc_id": ["good"] * 400 + ["bad"] * 400, "grade": [1] * 400 + [0] * 400}
    )
    other = ["new" if int(query) < unjudged else "bad" for query in queries]
    systems = [
        {"query_id": queries * 2, "doc_id": [*docs[0], *docs[1]], "rank": [1] * 400 + [2] * 400, "system": [name] * 800}
        for name, docs in (("a", (other, ["good"] * 400)), ("b", (["good"] * 400, other)))
    ]
    return judged, pa.concat_tables(map(pa.table, systems))


@pytest.mark.parametrize("unjudged", [0, 2, 100, 300])
@pytest.mark.parametrize("baseline", ["a", "b"])
def test_verdicts_with_holes(unjudged: int, baseline: str) -> None:
    """Verdicts, how many results turn them, and how often these may be relevant are those of scores at once."""
    ours, theirs = (ir.compare(scores, baseline=baseline) for scores in _both(*_one_better(unjudged)))
    assert ours.to_json() == theirs.to_json()
    assert str(ours) == str(theirs)
    (evidence,) = ours.holes.values()
    assert evidence.ranges[0].count == unjudged
    assert evidence.estimated
    assert ours.verdict.outcome == {"a": "SHIP", "b": "DON'T"}[baseline]


def test_tie_ranges() -> None:
    """The ranges over the orders of tied results are those of the whole, computed in one more pass over the parts."""
    judgments, results = _two_systems()
    rounded = pc.round(pc.divide(results.column("score"), 4.0))
    ours, theirs = _both(judgments, results.set_column(results.column_names.index("score"), "score", rounded))
    assert repr(ours.tie_ranges) == repr(theirs.tie_ranges)
    assert repr(ours.tie_range("AP", "b")) == repr(theirs.tie_range("AP", "b"))
    assert ours.tie_ranges["lowest"][0] < ours.tie_ranges["highest"][0]


def test_hold_out() -> None:
    """The system that is best on some queries is tested on the others as it is of scores at once."""
    judgments, results = _two_systems()
    first = results.filter(pc.equal(results.column("system"), "a"))
    third = first.set_column(first.column_names.index("system"), "system", pa.array(["c"] * len(first)))
    scores = _both(judgments, pa.concat_tables([results, third]))
    ours, theirs = (ir.compare(each, baseline="c", hold_out=0.5) for each in scores)
    assert ours.tuning is not None
    assert theirs.tuning is not None
    assert ours.tuning.to_dict() == theirs.tuning.to_dict()
    assert (ours["AP"].gain, ours["AP"].p) == (theirs["AP"].gain, theirs["AP"].p)
    assert [each.system for each in ours.ledger.systems] == ["c", ours.tuning.tested]
    assert str(ours.changes("117")) == str(theirs.changes("117"))


@pytest.mark.parametrize("only", [None, "101..140"])
def test_baselines(only: Any, tmp_path: Path) -> None:
    """A baseline has the hashes of all lists and judgments, and the sketch of the documents, to the last byte."""
    judgments, results = _two_systems()
    ours, theirs = _both(judgments, results, system="b", only=only)
    files = [tmp_path / "ours.json", tmp_path / "theirs.json"]
    for scores, file in zip((ours, theirs), files, strict=True):
        ir.bless(scores, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_gates_with_a_baseline(tmp_path: Path) -> None:
    """Scores in parts are checked against a baseline's file like the tables: the same findings, the same refusals."""
    judgments, results = _two_systems()
    ours, theirs = _both(judgments, results, system="b")
    file = tmp_path / "base.json"
    ir.bless(_both(judgments, results, system="a")[1], file)
    found, whole = (ir.gate(scores, file, tolerance=0.5) for scores in (ours, theirs))
    table = results.filter(pc.equal(results.column("system"), "b")).drop(["system"])
    direct = ir.gate(judgments, file, table, tolerance=0.5, systems="separate")
    assert [each.sentence for each in found.findings] == [each.sentence for each in direct.findings]
    assert found.to_json() == whole.to_json()
    grade = judgments.column("grade").to_pylist()
    other = judgments.set_column(2, "grade", [[3 if g == 0 else g for g in grade]])
    with pytest.raises(DataError, match=r"judgments of .* changed"):
        ir.gate(_both(other, results, system="b")[0], file)


def test_gates() -> None:
    """A gate on scores in parts passes and fails as one on scores at once, or on the tables."""
    judgments, results = _two_systems()
    ours, theirs = _both(judgments, results)
    found, whole = (ir.gate(scores, fail_if="AP drops 0.01", minimum="RR>=0.5") for scores in (ours, theirs))
    assert [one.sentence for one in found.findings] == [one.sentence for one in whole.findings]
    for level, outcome in ((0.1, "passed"), (0.99, "failed")):
        assert ir.gate(_both(judgments, results, system="b")[0], minimum=f"AP>={level}").outcome == outcome


@pytest.mark.parametrize("ties", ["average", "docid_desc"])
def test_steps_of_all_queries(ties: str) -> None:
    """The steps of all queries are gathered from the parts, with the tie columns that only some of these need."""
    judgments, results = _two_systems()
    index = results.column_names.index("score")
    only_one = [0.0 if query == "101" else score for query, score in _scores(results)]
    results = results.set_column(index, "score", pa.array(only_one, pa.float64()))
    ours, theirs = _both(judgments, results, ties=ties)
    for measure in MEASURES:
        tables = [scores.steps(measure, system="a") for scores in (ours, theirs)]
        assert tables[0].to_csv() == tables[1].to_csv()
        assert ("tie_first" in tables[0].columns) == (ties == "average")
        assert ours.steps(measure, "117", "a")["running"] == [
            row["running"] for row in tables[1] if row["query"] == "117"
        ]


def _scores(results: pa.Table) -> list[tuple[str, float]]:
    return list(zip(map(str, results.column("query_id").to_pylist()), results.column("score").to_pylist(), strict=True))


@pytest.mark.parametrize("decisions", [{}, {"unjudged": 1.0}, {"weights": "n"}], ids=str)
def test_segments_of_documents(decisions: dict[str, Any]) -> None:
    """Segments of documents are summed over the parts."""
    judgments, results = _two_systems()
    names = sorted({*judgments.column("doc_id").to_pylist(), *results.column("doc_id").to_pylist()}, key=str)
    types = {str(name): ["page", "pdf", "note", None][place % 4] for place, name in enumerate(names)}
    if "weights" in decisions:
        decisions = decisions | {
            "queries": {"query_id": [str(100 + n) for n in range(60)], "n": [n % 5 + 1 for n in range(60)]}
        }
    ours, theirs = _both(judgments, results, **decisions)
    assert ours.by_document("type", types).to_dict() == theirs.by_document("type", types).to_dict()
    messages = []
    for scores in (ours, theirs):
        with pytest.raises(DataError) as refused:
            scores.by_document("type", {"elsewhere": "page"})
        messages.append(str(refused.value))
    assert messages[0] == messages[1]


def test_scores_side_by_side_are_refused() -> None:
    """Each of two evaluations divided its queries by itself: their systems are evaluated together."""
    judgments, results = _two_systems()
    scores = evaluated_in_parts(Plan(MEASURES, system="a"), judgments, [results], 3)
    with pytest.raises(UsageError, match="computed in parts"):
        ir.compare({"a": scores, "b": scores})


def test_tables_by_system() -> None:
    """Each system may have a table of its own, of which a part may have no rows."""
    judgments, results = _two_systems()
    apart = [results.filter(pc.equal(results.column("system"), name)).drop(["system"]) for name in "ab"]
    plan = Plan(MEASURES, tables=(Table("results a", "a"), Table("results b", "b")))
    whole = ir.evaluate(judgments, {"a": apart[0], "b": apart[1]}, MEASURES)
    assert_same(evaluated_in_parts(plan, judgments, apart, 64), whole)
