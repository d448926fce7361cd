"""Files divided into buckets have the scores of files evaluated at once, to the last bit, and the same ledger."""

from __future__ import annotations

import gzip
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed.division import Partition, divide_files
from idealrank.distributed.files import Files, evaluate_files
from idealrank.errors import DataError
from tests.distributed.same import assert_same

SHOP = Path(__file__).parents[2] / "examples" / "shop"
MEASURES = ["nDCG@10", "AP", "RR", "Judged@5"]


def _same(
    judgments: Path, results: list[Path], buckets: int, names: list[str] = MEASURES, **decisions: Any
) -> ir.Scores:
    found = evaluate_files(Files(str(judgments), list(map(str, results))), names, buckets=buckets, **decisions)
    assert_same(found, ir.evaluate(judgments, results, names, **decisions))
    return found


def _trec(folder: Path, tag: str = "one") -> tuple[Path, Path]:
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    qrels.write_text("".join(f"q{q} 0 d{d} {(q * d) % 3}\n" for q in range(30) for d in range(4)))
    rows = [f"q{q} Q0 d{(d * 7 + q) % 9} {d} {9 - d // 2} {tag}\n" for q in range(2, 33) for d in range(6)]
    run.write_text("".join(rows))
    return qrels, run


def test_order_of_lines_counts_where_asked(tmp_path: Path) -> None:
    """Ties as given are broken by the lines of the file, which keep their order in every bucket."""
    _same(*_both(_trec(tmp_path)), 7, ties="given")


def test_order_by_score() -> None:
    """Ranks beside scores are passed over if asked, also where the first bucket has no results of a file."""
    _same(SHOP / "judgments.csv", [SHOP / "bm25.csv", SHOP / "hybrid.csv"], 64, order_by="score")


def _both(files: tuple[Path, Path]) -> tuple[Path, list[Path]]:
    return files[0], [files[1]]


def test_parts_with_other_columns(tmp_path: Path) -> None:
    """A part without a column of the first is refused, as when files are read at once."""
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "part-00000.csv").write_text("query_id,doc_id,score\nq1,d1,2.0\n")
    (folder / "part-00001.csv").write_text("query_id,doc_id\nq2,d1\n")
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\nq1,d1,1\nq2,d1,1\n")
    files = Files(str(tmp_path / "j.csv"), [str(folder)])
    for read in (
        lambda: evaluate_files(files, ["RR"], buckets=2),
        lambda: ir.evaluate(files.judgments, str(folder), ["RR"]),
    ):
        with pytest.raises(DataError, match=r"part-00001.csv: no column 'score'"):
            read()


def test_patterns_over_hive_folders(tmp_path: Path) -> None:
    """A pattern over folders that name columns gives the columns, at once and in parts."""
    for system, doc in (("A", "d1"), ("B", "d2")):
        folder = tmp_path / f"system={system}"
        folder.mkdir()
        (folder / "part-0.csv").write_text(f"query_id,doc_id,score\nq1,{doc},2.0\nq2,d1,1.0\n")
    judgments = tmp_path / "j.csv"
    judgments.write_text("query_id,doc_id,grade\nq1,d1,1\nq2,d1,1\n")
    pattern = str(tmp_path / "system=*" / "*.csv")
    whole = ir.evaluate(judgments, pattern, ["RR"])
    assert whole["RR"] == {"A": 1.0, "B": 0.5}
    assert evaluate_files(Files(str(judgments), [pattern]), ["RR"], buckets=2)["RR"] == whole["RR"]


def test_files_are_divided_once_per_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All passes of a comparison share one division; what was copied is removed after each call, and at an error."""
    judgments, queries = tmp_path / "j.csv", list(range(60))
    judgments.write_text("query_id,doc_id,grade\n" + "".join(f"q{q},d{q % 3},1\nq{q},e,0\n" for q in queries))
    files = []
    for name in ("a", "b"):
        random.Random(name).shuffle(queries)
        file = tmp_path / f"{name}.csv.gz"
        rows = "".join(f"q{q},d{(q + rank * (1 + len(files))) % 4},{rank}\n" for rank in (1, 2) for q in queries)
        file.write_bytes(gzip.compress(f"query_id,doc_id,rank\n{rows}".encode()))
        files.append(str(file))
    place = tmp_path / "temporary"
    place.mkdir()
    divided: list[int] = []

    def counting(*given: Any, **named: Any) -> AbstractContextManager[Partition]:
        divided.append(len(list(place.iterdir())))
        return divide_files(*given, **named)

    monkeypatch.setattr("idealrank.distributed.files.divide_files", counting)
    scores = evaluate_files(Files(str(judgments), files), ["RR", "P@1"], buckets=5, folder=str(place))
    assert len(divided) == 1
    found = ir.compare(scores)
    assert len(divided) == 2
    ir.report(found).to_json()
    assert len(divided) <= 4
    with pytest.raises(DataError, match="none of the judged documents"):
        scores.by_document("type", {"other": "page"})
    assert not any(divided), "nothing is left of the call before"
    assert list(place.iterdir()) == []
    with ExitStack() as keep:
        scores = evaluate_files(Files(str(judgments), files), ["RR"], buckets=5, folder=str(place), keep=keep)
        many = len(divided)
        ir.report(ir.compare(scores)).to_json()
        scores.explain("RR", "q3", "a")
        assert len(divided) == many
        (temporary,) = place.iterdir()
        assert not [each for each in temporary.iterdir() if each.is_dir()], "rows of single queries are not kept"
    assert list(place.iterdir()) == []


def test_a_division_is_shared_by_threads(tmp_path: Path) -> None:
    """Two threads that ask the same scores at once both get their answers."""
    qrels, run = _trec(tmp_path)
    scores = evaluate_files(Files(str(qrels), [str(run)]), MEASURES, buckets=3)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: repr(scores.steps("AP")), range(8)))
    assert len(set(found)) == 1
