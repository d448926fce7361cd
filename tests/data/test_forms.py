"""The same data in every form gives the same numbers."""

from __future__ import annotations

import io
import os
import pickle
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.data.forms import FILES, JUDGMENTS, MEASURES, NDCG, PRECISION, PRINTED, RESULTS, TREC, trec_lines
from tests.data.objects import OBJECTS, USED_UP

FORMS = {**FILES, **OBJECTS}
PLAIN = {
    name: FORMS["dict of lists"](rows, name, Path()) for name, rows in (("judgments", JUDGMENTS), ("results", RESULTS))
}


def check(judgments: Any, results: Any) -> ir.Scores:
    """Evaluate and compare with the closed forms and with what the notebook prints."""
    scores = ir.evaluate(judgments, results, MEASURES)
    assert scores.queries == list(NDCG)
    ndcg, precision = (dict(zip(scores.queries, row, strict=True)) for row in scores.values[0].tolist())
    assert ndcg == pytest.approx(NDCG, abs=1e-12)
    assert ndcg == pytest.approx(PRINTED, abs=5e-7)
    assert precision == pytest.approx(PRECISION, abs=1e-12)
    return scores


@pytest.mark.parametrize("form", FORMS)
def test_judgments_and_results_in_one_form(form: str, tmp_path: Path) -> None:
    """Both tables in the same form, without a column argument, give the numbers of the notebook."""
    check(FORMS[form](JUDGMENTS, "judgments", tmp_path), FORMS[form](RESULTS, "results", tmp_path))


@pytest.mark.parametrize("form", FORMS)
def test_forms_mix(form: str, tmp_path: Path) -> None:
    """Either table may have any form, whatever the other's is."""
    check(FORMS[form](JUDGMENTS, "judgments", tmp_path), PLAIN["results"])
    check(PLAIN["judgments"], FORMS[form](RESULTS, "results", tmp_path))


@pytest.mark.parametrize("ending", ["", ".xyz", ".csv", ".parquet", ".gz"])
def test_endings_are_not_believed(ending: str, tmp_path: Path) -> None:
    """What a file is, its first bytes say; its name may say anything."""
    for form in ("TREC gz", "CSV", "Parquet"):
        path = Path(FILES[form](JUDGMENTS, "judgments", tmp_path))
        check(path.rename(tmp_path / f"file{ending}"), PLAIN["results"])


@pytest.mark.parametrize("how", TREC)
def test_standard_input(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash is standard input, in any form a file may have."""
    given = io.TextIOWrapper(io.BytesIO(TREC[how](trec_lines(RESULTS, "results"))))
    monkeypatch.setattr(sys, "stdin", given)
    check(PLAIN["judgments"], "-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipe_is_read_once(tmp_path: Path) -> None:
    """A pipe, as a shell hands over with <(zcat run.gz), loses nothing to the look at its first bytes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = TREC["gz"](trec_lines(RESULTS, "results"))
    writer = threading.Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    check(PLAIN["judgments"], str(pipe))
    writer.join()


@pytest.mark.parametrize("form", [name for name in OBJECTS if name not in USED_UP])
def test_input_is_not_changed(form: str, tmp_path: Path) -> None:
    """What comes in is left as it was, and can be handed over again."""
    judgments, results = OBJECTS[form](JUDGMENTS, "judgments", tmp_path), OBJECTS[form](RESULTS, "results", tmp_path)
    before = pickle.dumps(judgments) if form.startswith(("pandas", "polars", "pyarrow", "dict", "list")) else b""
    check(judgments, results)
    check(judgments, results)
    assert not before or pickle.dumps(judgments) == before


def test_read_once_used_often(tmp_path: Path) -> None:
    """Tables that were read can be handed over again and again, also where their source is used up."""
    judgments = ir.read_judgments(FORMS["rows in a generator"](JUDGMENTS, "judgments", tmp_path))
    results = ir.read_results(FORMS["reader"](RESULTS, "results", tmp_path))
    for _ in range(2):
        check(judgments, results)
    assert ir.read_judgments(judgments) is judgments
    assert ir.read_results(results) is results
