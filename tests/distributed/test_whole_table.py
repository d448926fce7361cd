"""What only a whole table shows: every bucket of a file is read as the whole of it is read at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed.files import Files, evaluate_files
from idealrank.errors import DataError, StrangersError, UsageError
from tests.distributed.same import assert_same

QUERIES = range(30)
MEASURES = ["nDCG@5", "RR"]


def _judgments(folder: Path, more: str = "", cell: str = "") -> Path:
    rows = [f"q{q},d{d},{(q + d) % 3}{cell.format(q=q)}" for q in QUERIES for d in range(5)]
    return _written(folder / "judgments.csv", f"query_id,doc_id,grade{more}", rows)


def _written(path: Path, header: str, rows: list[str]) -> Path:
    path.write_text("\n".join(filter(None, [header, *rows])) + "\n")
    return path


def _both(judgments: Path, results: Path, **options: Any) -> ir.Scores:
    found = evaluate_files(Files(str(judgments), [str(results)]), MEASURES, buckets=7, **options)
    assert_same(found, ir.evaluate(judgments, results, MEASURES, **options))
    return found


def _refused(judgments: Path, results: Path) -> str:
    """Return the message with which files are refused, at once as in parts."""
    with pytest.raises(DataError) as whole:
        ir.evaluate(judgments, results, MEASURES)
    with pytest.raises(DataError) as parts:
        evaluate_files(Files(str(judgments), [str(results)]), MEASURES, buckets=7)
    assert str(parts.value) == str(whole.value)
    return str(whole.value)


def test_a_third_column_without_a_name(tmp_path: Path) -> None:
    """Numbers without a name are scores, even in a bucket whose queries all happen to count 1, 2, 3."""
    rows = [f"q{q},d{(d * 3 + q) % 5},{0.5 - d if q == 3 else d + 1}" for q in QUERIES for d in range(4)]
    _both(_judgments(tmp_path), _written(tmp_path / "results.csv", "", rows))


@pytest.mark.parametrize("header", ["rank,score", "score,rank"])
def test_ranks_in_some_queries_and_scores_in_others(header: str, tmp_path: Path) -> None:
    """A column that is empty in one bucket is not empty in the table."""
    rows = [f"q{q},d{d},{d + 1 if q % 2 else ''},{'' if q % 2 else d / 8}" for q in QUERIES for d in range(4)]
    _both(_judgments(tmp_path), _written(tmp_path / "results.csv", f"query_id,doc_id,{header}", rows))


@pytest.mark.parametrize("answer", ["keep", "close"])
def test_ranks_from_zero_in_some_queries(answer: str, tmp_path: Path) -> None:
    """Ranks are counted from 0 in every bucket if they are in one of them, system by system."""
    rows = [f"q{q},d{(d + q) % 5},{2 * d + (q != 4)},a" for q in QUERIES for d in range(3)]
    rows += [f"q{q},d{(d + q) % 4},{2 * d + 1},b" for q in QUERIES for d in range(3)]
    results = _written(tmp_path / "results.csv", "query_id,doc_id,rank,system", rows)
    for systems in ("separate", "pooled"):
        _both(_judgments(tmp_path), results, rank_gaps=answer, systems=systems, duplicates="first")


def test_segments_beside_the_judgments(tmp_path: Path) -> None:
    """A column of segments, or of frequencies, in the table of the judgments belongs to the queries."""
    results = _written(tmp_path / "results.csv", "query_id,doc_id,score", [f"q{q},d{q % 5},1" for q in QUERIES])
    found = _both(_judgments(tmp_path, ",segment,frequency", ",s{q},{q}"), results, weights="frequency")
    assert set(found.table.attributes) == {"segment", "frequency"}


def test_a_segment_that_differs_within_a_query(tmp_path: Path) -> None:
    """A column with several values for one query belongs to no query, in whichever bucket it differs."""
    rows = [f"q{q},d{d},1,{'odd' if (q, d) == (3, 1) else 'even'}" for q in QUERIES for d in range(2)]
    judgments = _written(tmp_path / "j.csv", "query_id,doc_id,grade,segment", rows)
    results = _written(tmp_path / "results.csv", "query_id,doc_id,score", [f"q{q},d0,1" for q in QUERIES])
    assert not _both(judgments, results).table.attributes


def test_queries_without_a_grade_in_order(tmp_path: Path) -> None:
    """Queries with rows and no grade are named in one order, whichever buckets they are in."""
    rows = [f"q{q},d{q % 3},{'' if q % 4 else 1}" for q in QUERIES]
    results = _written(tmp_path / "results.csv", "query_id,doc_id,score", [f"q{q},d{q % 3},1" for q in QUERIES])
    _both(_written(tmp_path / "j.csv", "query_id,doc_id,grade", rows), results)


def test_swapped_files(tmp_path: Path) -> None:
    """Judgments without grades are refused with results that have grades and no order."""
    rows = [f"q{q},d{q % 5}" for q in QUERIES]
    assert "Judgments come first" in _refused(
        _written(tmp_path / "r.csv", "query_id,doc_id", rows), _judgments(tmp_path)
    )


def test_other_queries(tmp_path: Path) -> None:
    """Where no query is judged, the message counts all of them and names the first of either side."""
    rows = [f"topic {q},d{q % 5},1" for q in QUERIES]
    results = _written(tmp_path / "results.csv", "query_id,doc_id,score", rows)
    assert "None of the 30 queries" in _refused(_judgments(tmp_path), results)


def test_other_documents(tmp_path: Path) -> None:
    """Where no document is judged, the message counts all of them."""
    results = _written(tmp_path / "results.csv", "query_id,doc_id,score", [f"q{q},x{q % 5},1" for q in QUERIES])
    assert "None of the 30 results" in _refused(_judgments(tmp_path), results)


def test_a_system_that_was_never_run(tmp_path: Path) -> None:
    """A system whose only rows are failed searches was never run, even if other queries are judged."""
    results = _written(tmp_path / "results.csv", "query_id,doc_id,score,status", ["q3,,,timeout"])
    assert "It was never run" in _refused(_judgments(tmp_path), results)


def test_queries_by_text(tmp_path: Path) -> None:
    """Queries that meet only by their texts are refused with the way to name the column, which then gives the same."""
    judgments = _written(
        tmp_path / "j.csv", "query,doc_id,grade", [f"shoes {q},d{d},{(q + d) % 3}" for q in QUERIES for d in range(3)]
    )
    rows = [f"q{q},shoes {q},d{d},{9 - d}" for q in QUERIES for d in range(4)]
    results = _written(tmp_path / "results.csv", "query_id,query,doc_id,score", rows)
    with pytest.raises(StrangersError, match="judged only by their texts"):
        evaluate_files(Files(str(judgments), [str(results)]), MEASURES, buckets=7)
    named = Files(str(judgments), [str(results)], result_columns={"query": "query"})
    found = evaluate_files(named, MEASURES, buckets=7)
    assert found.values.tobytes() == ir.evaluate(judgments, results, MEASURES).values.tobytes()


def test_results_without_a_system(tmp_path: Path) -> None:
    """Results that name no system are refused in a table that names one, in whichever bucket they are."""
    rows = [f"q{q},d{q % 5},1,{'' if q == 7 else 'bm25'}" for q in QUERIES]
    results = _written(tmp_path / "results.csv", "query_id,doc_id,score,system", rows)
    assert "line 9: the system is missing, and the table has 1 system: bm25." in _refused(_judgments(tmp_path), results)
    nobody = [row.replace("bm25", "") for row in rows]
    _both(_judgments(tmp_path), _written(tmp_path / "nobody.csv", "query_id,doc_id,score,system", nobody))


def test_subtopics_in_a_bucket_without_judgments(tmp_path: Path) -> None:
    """Measures by subtopic are computed where most buckets have no judged query, and their last bits are the same."""
    topics = ["b", "a", "d", "c", "e"]
    rows = [f"q{q},d{d},{topics[(q + d) % 5]},{(q + d) % 3 / 2}" for q in (3, 8) for d in range(7)]
    judgments = _written(tmp_path / "j.csv", "query_id,doc_id,subtopic,grade", rows)
    results = [f"q{q},d{(d * 2 + q) % 9},{9 - d}" for q in QUERIES for d in range(6)]
    results_file = _written(tmp_path / "results.csv", "query_id,doc_id,score", results)
    names = ["alpha_nDCG@5", "ERR_IA@5", "AP_IA", "nNRBP"]
    found = evaluate_files(Files(str(judgments), [str(results_file)]), names, buckets=7)
    assert_same(found, ir.evaluate(judgments, results_file, names))


def test_nothing_judged_in_the_first_bucket(tmp_path: Path) -> None:
    """One judged query whose results are all unjudged is said, wherever the query is."""
    for query in ("q0", "q29"):
        judgments = _written(tmp_path / "j.csv", "query_id,doc_id,grade", [f"{query},x,1"])
        results = _written(tmp_path / "r.csv", "query_id,doc_id,score", [f"q{q},d{q % 3},1" for q in QUERIES])
        found = evaluate_files(Files(str(judgments), [str(results)]), MEASURES, buckets=7)
        assert found["RR"] == 0
        assert "nothing returned is judged (30 results): document ids look like" in " ".join(found.ledger.notes)


@pytest.mark.heavy
def test_a_part_without_rows(tmp_path: Path) -> None:
    """A folder may contain a part without rows, and a part with a column that says nothing."""
    import polars as pl

    folder = tmp_path / "results"
    folder.mkdir()
    rows = pl.DataFrame([{"query_id": f"q{q}", "doc_id": f"d{q % 5}", "score": 1.0} for q in QUERIES])
    for number, part in enumerate((rows[:10], rows[10:10], rows[10:].with_columns(note=pl.lit("x")))):
        part.write_parquet(folder / f"part-{number}.parquet")
    _both(_judgments(tmp_path), folder)


def test_judgments_without_rows(tmp_path: Path) -> None:
    """Judgments without rows, no results and a number of buckets that is none are refused."""
    results = _written(tmp_path / "r.csv", "query_id,doc_id,score", ["q1,d1,1"])
    judgments = _written(tmp_path / "j.csv", "query_id,doc_id,grade", [])
    with pytest.raises(DataError, match="there are columns but no rows"):
        evaluate_files(Files(str(judgments), [str(results)]), MEASURES, buckets=3)
    for files, buckets in ((Files(str(results), []), 2), (Files(str(results), [str(results)]), 0)):
        with pytest.raises(UsageError, match="give"):
            evaluate_files(files, MEASURES, buckets=buckets)


def test_a_part_that_came_later(tmp_path: Path) -> None:
    """Lists are not taken from files that came into a folder after the evaluation."""
    folder = tmp_path / "results"
    folder.mkdir()
    for part in range(2):
        _written(folder / f"part-0000{part}.csv", "query_id,doc_id,score", [f"q{q},d0,1" for q in QUERIES[part::2]])
    found = evaluate_files(Files(str(_judgments(tmp_path)), [str(folder)]), MEASURES, buckets=3)
    _written(folder / "part-00002.csv", "query_id,doc_id,score", ["q3,d1,9"])
    with pytest.raises(DataError, match=r"part-00002.csv: this file .* is new"):
        found.explain("nDCG@5", "q3")
