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
from tests.data.forms import FILES, JUDGMENTS, MEASURES, NDCG, PRECISION, PRINTED, RESULTS, TREC, Form, trec_lines
from tests.data.objects import OBJECTS, USED_UP

FORMS = {**FILES, **OBJECTS}
PICKLED = ("pandas", "polars", "pyarrow", "dict", "list")
"""What the names of forms begin with that are compared with what they were."""

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


def check_form(form: str, make: Form, folder: Path, used_up: bool) -> None:
    """Read either table in one form beside the other in a plain one, then both; they stay as they were."""
    judgments, results = make(JUDGMENTS, "judgments", folder), make(RESULTS, "results", folder)
    before = pickle.dumps((judgments, results)) if form.startswith(PICKLED) and not used_up else b""
    check(judgments, PLAIN["results"])
    check(PLAIN["judgments"], results)
    if used_up:
        check(make(JUDGMENTS, "judgments", folder), make(RESULTS, "results", folder))
    else:
        check(judgments, results)
    assert not before or pickle.dumps((judgments, results)) == before


@pytest.mark.parametrize("form", FORMS)
def test_either_table_in_any_form(form: str, tmp_path: Path) -> None:
    """Either table in any form, without a column argument, gives the numbers of the notebook, and is left as it was."""
    check_form(form, FORMS[form], tmp_path, form in USED_UP)


@pytest.mark.parametrize("ending", ["", ".xyz", ".csv", ".gz"])
def test_endings_are_not_believed(ending: str, tmp_path: Path) -> None:
    """What a file is, its first bytes say; its name may say anything."""
    for form in ("TREC gz", "CSV"):
        path = Path(FILES[form](JUDGMENTS, "judgments", tmp_path))
        check(path.rename(tmp_path / f"file{ending}"), PLAIN["results"])


@pytest.mark.parametrize("how", ["plain", "BOM", "gz"])
def test_standard_input(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash is standard input, recognised by its first bytes as a file is."""
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


def test_read_once_used_often(tmp_path: Path) -> None:
    """Tables that were read can be handed over again and again, also where their source is used up."""
    judgments = ir.read_judgments(FORMS["rows in a generator"](JUDGMENTS, "judgments", tmp_path))
    results = ir.read_results(FORMS["dict of iterators"](RESULTS, "results", tmp_path))
    for _ in range(2):
        check(judgments, results)
    assert ir.read_judgments(judgments) is judgments
    assert ir.read_results(results) is results
