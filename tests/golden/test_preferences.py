"""trec_eval's printouts of preferences, both versions, per query and for all queries: judgment groups as subtopics."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir
from tests.golden.tables import read_printout

HERE = Path(__file__).parent / "trec_eval"
HALF_A_DIGIT = 0.00005 + 1e-9
LACKING = {"109", "110"}
"""Topics the run lacks; -c counts them."""


@pytest.mark.parametrize("version", ["9.0.8", "10.0"])
def test_printout(version: str) -> None:
    """Every measure of every query, and the line for all, equals the print of -c -R qrels_prefs to its four decimals.

    9.0.8 leaves the preferences of topics the run lacks out of prefs_num_prefs_poss for all.
    """
    printed = read_printout(f"{version}-qrels_prefs.tsv")
    measures = [name for name in printed if name.startswith("prefs_")]
    assert len(measures) == 14
    convention = f"trec_eval-{version}, no_results=0"
    judgments = ir.read_judgments(HERE / "groups.txt", subtopic="iteration")
    scores = ir.evaluate(judgments, HERE / "run.ties.txt", measures, convention=convention)
    for place, name in enumerate(measures):
        found = dict(zip(scores.queries, scores.values[0, place].tolist(), strict=True))
        assert set(printed[name]) - {"all"} >= set(found) - LACKING
        for query, text in printed[name].items():
            value = scores[name] if query == "all" else found[query]
            if (version, name, query) == ("9.0.8", "prefs_num_prefs_poss", "all"):
                value -= sum(found[query] for query in LACKING & set(found))
            assert abs(value - float(text)) <= HALF_A_DIGIT, f"{name} of {query}: {value} for {text}"
