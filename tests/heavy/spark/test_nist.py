"""Real runs of TREC-COVID round 1 through Spark: the means that NIST published."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from idealrank.distributed import spark
from tests.amounts import part
from tests.oracles.test_nist import FOLDER, HALF_A_DIGIT, NAMES, RUNS

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the TREC-COVID runs are not beside the repository")


def read(session: Any, text: str, names: str) -> Any:
    """Return a DataFrame of the fields of lines, all of them text."""
    rows = [tuple(line.split()) for line in text.splitlines()]
    return session.createDataFrame(rows, ", ".join(f"{name} string" for name in names.split()))


@pytest.mark.parametrize("run", part(RUNS, 0))
def test_published_means(session: Any, run: str) -> None:
    """Means over all 30 topics are NIST's to four decimals, of columns that are all text."""
    published = json.loads((FOLDER / "nist.json").read_text(encoding="utf-8"))[run]
    with gzip.open(FOLDER / "runs" / f"{run}.gz", "rt", encoding="utf-8") as file:
        results = read(session, file.read(), "topic q0 docno rank score tag").drop("q0", "rank")
    judgments = read(session, (FOLDER / "qrels.txt").read_text(encoding="utf-8"), "topic round docno rel")
    convention = "trec_eval-9.0.8, no_results=0"
    scores = spark.evaluate(judgments, results, list(NAMES.values()), convention=convention).scores()
    found = [scores[label] for label in scores.labels]
    assert found == pytest.approx([published[name] for name in NAMES], abs=HALF_A_DIGIT)
