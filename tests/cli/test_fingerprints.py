"""Every export says what its numbers are: the fingerprint of each measure, which reads back to the same numbers."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.display.table import Table
from tests.cli.terminal import run

QRELS = {"q1": {"a": 3, "b": 0, "c": 1, "d": 2, "e": 1}, "q2": {"a": 1, "b": 2}, "q3": {"a": 0, "b": 0}, "q4": {"a": 2}}
RUN = {
    "q1": {"b": 4.0, "x": 3.0, "a": 3.0, "c": 1.0, "d": 1.0},
    "q2": {"y": 2.0, "a": 1.0},
    "q3": {"a": 1.0},
    "q5": {"a": 1.0},
}
FINGERPRINT = re.compile(r"\w+\[[^\]]+\](?:@\d+)?")
MEASURES = ("-m", "nDCG@3", "-m", "AP", "-m", "P(rel=2)@2", "--as", "trec_eval-9.0.8, unjudged=filter")
FILES = ("qrels.txt", "ours.run")
Rows = list[dict[str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of judgments and results; the test runs in it."""
    monkeypatch.chdir(tmp_path)
    qrels = [f"{q} 0 {d} {g}\n" for q, docs in QRELS.items() for d, g in docs.items()]
    results = [f"{q} Q0 {d} 1 {s} ours\n" for q, docs in RUN.items() for d, s in docs.items()]
    (tmp_path / "qrels.txt").write_text("".join(qrels))
    (tmp_path / "ours.run").write_text("".join(results))
    (tmp_path / "theirs.run").write_text("q1 Q0 a 1 2 theirs\nq2 Q0 b 1 2 theirs\nq4 Q0 x 1 2 theirs\n")
    return tmp_path


def means(rows: Rows) -> None:
    """The mean in each row is that of its fingerprint."""
    column = "value" if "value" in rows[0] else "mean"
    for row in rows:
        assert bool(row["fingerprint"]) == bool(row[column])
        if row[column]:
            assert mean(row["fingerprint"]) == pytest.approx(float(row[column]), abs=1e-12)


def of_queries(rows: Rows) -> None:
    """The value of each query is that of the fingerprint of its column; it stands in the first row."""
    for label, text in columns(rows[0]):
        values = ir.evaluate(*FILES, [ir.measure(text)]).per_query
        known = dict(zip(values["query"], values[values.columns[-1]], strict=True))
        for row in rows:
            assert known[row["query"]] == pytest.approx(float(row[label] or "nan"), abs=1e-12, nan_ok=True)


def classes(rows: Rows) -> None:
    """The mean of each class is that of its fingerprint."""
    for row in rows:
        for label, text in columns(row):
            assert mean(text) == pytest.approx(float(row[label]), abs=1e-12)


def gap(rows: Rows) -> None:
    """The shares sum to the difference of the means of both fingerprints."""
    before, after = (text for _, text in columns(rows[0]))
    assert sum(float(row["share"]) for row in rows) == pytest.approx(mean(after) - mean(before), abs=1e-12)


def explained(rows: Rows) -> None:
    """The contributions are those the fingerprint explains the value with."""
    found = ir.explain(*FILES, ir.measure(rows[0]["fingerprint"]), query="q1")
    assert found.steps["contribution"] == [float(row["contribution"]) for row in rows]


def compared(rows: Rows) -> None:
    """The means of both systems are those of the fingerprint."""
    for row in rows:
        assert mean(row["fingerprint"]) == pytest.approx(float(row["baseline mean"]), abs=1e-12)


def pairs_of_queries(rows: Rows) -> None:
    """The value of each query in the baseline is that of the fingerprint of its row."""
    assert rows
    for row in rows:
        scores = ir.evaluate(*FILES, [ir.measure(row["fingerprint"])])
        known = dict(zip(scores.queries, scores.values[0, 0], strict=True))
        assert known[row["query"]] == pytest.approx(float(row["baseline value"] or "nan"), abs=1e-12, nan_ok=True)


def named(rows: Rows) -> None:
    """Each column of states has its fingerprint in the first row."""
    assert [label for label, _ in columns(rows[0])] == ["nDCG@3", "AP", "P(rel=2)@2"]


def mean(fingerprint: str) -> float:
    """Return the mean of what a fingerprint states."""
    return next(iter(ir.evaluate(*FILES, [ir.measure(fingerprint)]).all_means[0]))


def columns(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the columns of measures with their fingerprints."""
    found = {name.removeprefix("fingerprint of "): text for name, text in row.items() if name.startswith("finger")}
    assert found
    assert all(found.values())
    yield from found.items()


EXPORTS = {
    "evaluate": (("evaluate", *MEASURES), means),
    "--per-query": (("evaluate", *MEASURES, "--per-query"), of_queries),
    "--describe": (("evaluate", *MEASURES, "--describe"), means),
    "--tie-range": (("evaluate", *MEASURES, "--tie-range"), means),
    "--reading": (("evaluate", "-m", "INST@3", "-m", "GradedRBP", "--reading"), means),
    "--worst": (("evaluate", *MEASURES, "--worst", 2), of_queries),
    "--best": (("evaluate", *MEASURES, "--best", 2), of_queries),
    "--lost-value": (("evaluate", *MEASURES, "--lost-value", 2, "--weights", "ones.csv"), of_queries),
    "--ledger": (("evaluate", *MEASURES, "--ledger"), named),
    "explain": (("explain", "-m", "nDCG@3", "--as", "sklearn", "--query", "q1"), explained),
    "flavors": (("flavors", "-k", 3, "--gain", "exp2"), means),
    "flavors --per-query": (("flavors", "-k", 3, "--gain", "exp2", "--per-query"), of_queries),
    "conventions": (("conventions", "-m", "nDCG@3"), means),
    "reconcile": (("reconcile", "-m", "nDCG@3", "trec_eval-9.0.8", "sklearn"), gap),
    "compare": (("compare", "theirs.run", "-m", "nDCG@3", "-m", "AP", "--unjudged", "filter"), compared),
    "compare --wins": (("compare", "theirs.run", "-m", "nDCG@3", "--wins", 5), pairs_of_queries),
    "compare --per-query": (("compare", "theirs.run", "-m", "AP", "-m", "RR", "--per-query"), pairs_of_queries),
    "identify": (("identify", "nDCG@3=0.2", "P@3=0.1", "--departures", 1), classes),
}


def exported(folder: Path, words: tuple[Any, ...], *form: str) -> str:
    """Run a command on the files; what else it reads stands behind them."""
    (folder / "ones.csv").write_text("query,weight\n" + "".join(f"{q},1\n" for q in QRELS))
    command, *rest = words
    behind = [word for word in rest[-2:] if command == "reconcile"]
    found = run(command, *FILES, *rest[: len(rest) - len(behind)], *behind, *form, cwd=folder)
    assert found.code == 0, found.err
    return found.out


@pytest.mark.parametrize("name", EXPORTS)
def test_exports(folder: Path, name: str) -> None:
    """CSV, a TSV file and JSON state the fingerprint of each measure, which gives the numbers that stand beside it."""
    words, check = EXPORTS[name]
    text = exported(folder, words, "--csv", "--fingerprints")
    check(list(csv.DictReader(io.StringIO(text))))
    asked = set(FINGERPRINT.findall(text))
    assert asked
    exported(folder, words, "-o", "out.tsv", "--fingerprints")
    assert set(FINGERPRINT.findall((folder / "out.tsv").read_text())) == asked
    stated = set(FINGERPRINT.findall(exported(folder, words, "--json")))
    assert asked <= stated
    assert all(ir.measure(text).fingerprint == text for text in stated)


def test_csv_by_query_is_narrow(folder: Path) -> None:
    """A CSV with a line per query has no columns of fingerprints unless they are asked for; other columns stay."""
    words, _ = EXPORTS["--per-query"]
    lines = exported(folder, words, "--csv").splitlines()
    assert lines[0] == "query,nDCG@3,AP,P(rel=2)@2"
    wide = list(csv.DictReader(io.StringIO(exported(folder, words, "--csv", "--fingerprints"))))
    narrow = list(csv.DictReader(lines))
    assert narrow == [{name: row[name] for name in narrow[0]} for row in wide]


def tables() -> Iterator[Table]:
    """Yield every table of measures the library returns."""
    scores = ir.evaluate(QRELS, RUN, ["nDCG@3", "AP"], convention="trec_eval-9.0.8", weights=dict.fromkeys(QRELS, 1.0))
    yield from (scores.means, scores.per_query, scores.describe(), scores.worst(1), scores.best(1), scores.tie_ranges)
    yield from (scores.tie_range(), scores.lost_value(), scores.steps("AP"), scores.ledger.queries)
    yield from (scores.ledger.per_measure, scores.ledger.exceptions)
    readers = ir.evaluate(QRELS, RUN, ["INST@3", "AP"])
    yield from (readers.readings, readers.reading("INST@3"))
    explanation, flavors = scores.explain("AP", "q1"), ir.flavors(QRELS, RUN, k=3)
    yield from (explanation.steps, explanation.ideal, flavors.means, flavors.table, flavors.ledger.queries)
    yield ir.conventions_table(QRELS, RUN, "nDCG@3")
    yield ir.identify(QRELS, RUN, {"nDCG@3": "0.2"}, departures=1, gain="linear").table
    found = ir.reconcile(QRELS, RUN, "nDCG@3", "trec_eval-9.0.8", "sklearn")
    yield from (found.shares, found.queries)
    found = ir.reconcile(QRELS, RUN, "nDCG@3", "trec_eval-9.0.8", {"q1": 0.5, "q2": 0.25})
    yield from (found.shares, found.queries)
    pair = ir.compare(QRELS, {"ours": RUN, "theirs": {"q1": {"a": 1.0}}}, ["nDCG@3", "AP"])
    yield from (pair.means, pair.differences, pair.per_query, pair.losses(2), pair.to_judge(), pair.segments.table)
    yield from (pair.changes("q1").table, pair.robustness.table)


def test_tables() -> None:
    """CSV, JSON, HTML and pandas have the fingerprints of a table; what is drawn for a terminal has none."""
    for table in tables():
        if not len(table):
            continue
        stated = set(FINGERPRINT.findall(table.to_csv()))
        assert stated, table.title
        assert all(ir.measure(text).fingerprint == text for text in stated)
        forms = [table.to_json(), str(table.to_pandas().attrs)]
        assert all(set(FINGERPRINT.findall(text)) == stated for text in forms), table.title
        assert set(FINGERPRINT.findall(table.take([0])._repr_html_())) <= stated
        assert not FINGERPRINT.search(repr(table))


def test_objects() -> None:
    """HTML of scores, explanations and flavours has the fingerprints; so have reconcile and identify as dicts."""
    scores, flavors = ir.evaluate(QRELS, RUN, ["nDCG@3", "AP"]), ir.flavors(QRELS, RUN)
    for page, measures in (
        (scores._repr_html_(), scores.measures),
        (scores.explain("AP", "q1")._repr_html_(), scores.measures[1:]),
        (flavors._repr_html_(), flavors.scores.measures),
    ):
        assert set(FINGERPRINT.findall(page)) == {measure.fingerprint for measure in measures}
    found = ir.identify(QRELS, RUN, {"nDCG@3": "0.2"}, departures=1).to_dict()
    assert all(list(group["fingerprints"]) == ["nDCG@3"] for group in found["classes"])
    between = json.dumps(ir.reconcile(QRELS, RUN, "nDCG@3", "trec_eval-9.0.8", "sklearn").to_dict())
    assert len(set(FINGERPRINT.findall(between))) == 2


def test_a_pipe(folder: Path) -> None:
    """What is merely piped is the table a terminal shows: its answers are said on standard error."""
    assert "fingerprint" not in exported(folder, ("evaluate", *MEASURES))
