"""Scores of files that were evaluated in parts go to the files again for the lists of single queries."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.distributed.files import Files, evaluate_files
from idealrank.errors import DataError

SHOP = Path(__file__).parents[2] / "examples" / "shop"


def _csv(folder: Path) -> tuple[Path, Path]:
    """A record that spans two lines is the last of its file, another the last of its query."""
    judgments, results = folder / "j.csv", folder / "r.csv"
    grades = [f"q{q},d{d},{(q + d) % 3}\n" for q in range(12) for d in range(4)]
    rows = [f'q{q},d{d},{9 - d},"title\nof d{d}"\n' for q in range(12) for d in range(6)]
    judgments.write_text("query_id,doc_id,grade\n" + "".join(grades))
    results.write_text("query_id,doc_id,score,title\n" + "".join(rows).rstrip("\n"))
    return judgments, results


def _trec(folder: Path) -> tuple[Path, Path]:
    """The ranks of the run run against its scores, which count in TREC."""
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    qrels.write_text("".join(f"q{q} 0 d{d} {(q * d) % 3}\n" for q in range(12) for d in range(4)))
    rows = [f"q{q} Q0 d{d} {9 - d} {9 - d // 2} tag\n" for q in range(12) for d in range(6)]
    run.write_text("".join(rows))
    return qrels, run


def _packed(folder: Path) -> tuple[Path, Path]:
    qrels, run = _trec(folder)
    packed = folder / "run.txt.gz"
    with open(run, "rb") as plain, gzip.open(packed, "wb") as file:
        shutil.copyfileobj(plain, file)
    return qrels, packed


def _json_lines(folder: Path) -> tuple[Path, Path]:
    qrels, _ = _trec(folder)
    results = folder / "r.jsonl"
    rows = [f'{{"query": "q{q}", "doc": "d{d}", "score": {d}}}\n' for q in range(12) for d in range(6)]
    results.write_text("".join(rows))
    return qrels, results


def _parquet(folder: Path) -> tuple[Path, Path]:
    import polars as pl

    judgments, results = folder / "j.parquet", folder / "r.parquet"
    grades = [{"query_id": q, "doc_id": f"d{d}", "grade": (q + d) % 3} for q in range(12) for d in range(4)]
    rows = [{"query_id": q, "doc_id": f"d{d}", "score": float(d // 2)} for q in range(12) for d in range(6)]
    pl.DataFrame(grades).write_parquet(judgments)
    pl.DataFrame(rows).write_parquet(results)
    return judgments, results


def _parts(folder: Path) -> tuple[Path, Path]:
    """A folder of parts, in which the folders name the system."""
    judgments, results = _csv(folder)
    header, _, rest = results.read_text().partition("\n")
    lines = [f'{record}"' for record in rest.removesuffix('"').split('"\n')]  # records of two lines each
    for system, share in (("a", lines), ("b", lines[::2])):
        place = folder / "results" / f"system={system}"
        place.mkdir(parents=True)
        (place / "part-0.csv").write_text("\n".join([header, *share]))
    return judgments, folder / "results"


@pytest.mark.parametrize("made", [_csv, _trec, _packed, _json_lines, pytest.param(_parquet, marks=pytest.mark.heavy)])
def test_explanations(made: Callable[[Path], tuple[Path, Path]], tmp_path: Path) -> None:
    """Every query is explained as in an evaluation at once, from files of every form."""
    judgments, results = made(tmp_path)
    found = evaluate_files(Files(str(judgments), [str(results)]), ["nDCG@5", "AP"], buckets=2)
    whole = ir.evaluate(judgments, results, ["nDCG@5", "AP"])
    for query in whole.queries:
        assert str(found.explain("nDCG@5", query)) == str(whole.explain("nDCG@5", query))
    assert str(found.steps("AP", whole.queries[3])) == str(whole.steps("AP", whole.queries[3]))


def test_systems_in_folders(tmp_path: Path) -> None:
    """Systems that folders name are told apart, and a query that only one of them has too."""
    judgments, results = _parts(tmp_path)
    found = evaluate_files(Files(str(judgments), [str(results)]), ["AP"], buckets=2)
    whole = ir.evaluate(judgments, results, ["AP"])
    for system in "ab":
        assert str(found.explain("AP", "q3", system)) == str(whole.explain("AP", "q3", system))


def test_only_the_rows_of_the_query_are_kept() -> None:
    """The lists that are fetched have the queries asked for and no others."""
    found = evaluate_files(_shop(), ["AP"], buckets=3)
    assert not found.lists.in_memory
    joins = found.lists.fetch(["q05", "q11"])
    assert joins[0].judged_queries(found.setting.decisions) == ["q05", "q11"]


def _shop() -> Files:
    return Files(str(SHOP / "judgments.csv"), [str(SHOP / "bm25.csv"), str(SHOP / "hybrid.csv")])


def test_a_query_is_fetched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happened to the documents of a query needs the lists of both systems, which are read once."""
    found = evaluate_files(_shop(), ["AP"], buckets=3)
    assert not found.lists.in_memory
    asked: list[Any] = []
    fetch = type(found.lists).read
    monkeypatch.setattr(type(found.lists), "read", lambda self, ids: asked.append(ids) or fetch(self, ids))
    whole = ir.compare(SHOP / "judgments.csv", [SHOP / "bm25.csv", SHOP / "hybrid.csv"], ["AP"])
    assert str(ir.compare(found).changes("q05")) == str(whole.changes("q05"))
    found.explain("AP", "q05", "bm25")
    assert asked == [["q05"]]


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    """Lists are not taken from a file that is another by now, or gone."""
    judgments, results = _csv(tmp_path)
    found = evaluate_files(Files(str(judgments), [str(results)]), ["AP"], buckets=2)
    results.write_text(results.read_text() + "\nq1,d9,0.5,new\n")
    with pytest.raises(DataError, match=r"r\.csv: this file has changed since it was evaluated"):
        found.explain("AP", "q3")
    os.remove(results)
    with pytest.raises(DataError, match="Evaluate again"):
        found.explain("AP", "q3")


@pytest.mark.parametrize("made", [_csv, _parts], ids=["files", "a folder of parts"])
def test_relative_names(
    made: Callable[[Path], tuple[Path, Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files named from the working directory are the same files when they are looked at again; a new one is not."""
    names = [str(path.relative_to(tmp_path)) for path in made(tmp_path)]
    monkeypatch.chdir(tmp_path)
    found = evaluate_files(Files(names[0], names[1:]), ["AP"], buckets=2)
    whole = ir.evaluate(*names, ["AP"])
    system = whole.systems[0]
    assert str(found.explain("AP", "q3", system)) == str(whole.explain("AP", "q3", system))
    if made is _parts:
        Path(names[1], "system=a", "part-1.csv").write_text("query_id,doc_id,score,title\nq5,d9,0,new\n")
        with pytest.raises(DataError, match=r"part-1\.csv: this file has changed since it was evaluated, or is new"):
            found.explain("AP", "q5", system)


def test_nothing_is_left(tmp_path: Path) -> None:
    """The temporary files of a second look are removed as those of the first."""
    judgments, results = _csv(tmp_path)
    place = tmp_path / "temporary"
    place.mkdir()
    found = evaluate_files(Files(str(judgments), [str(results)]), ["AP"], buckets=2, folder=str(place))
    found.explain("AP", "q3")
    assert list(place.iterdir()) == []
