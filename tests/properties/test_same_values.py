"""What must not matter: threads, the order of rows, names and types of ids. And explain tells what evaluate gave."""

from __future__ import annotations

import itertools
import math
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import idealrank as ir
from idealrank.conventions import CONVENTIONS
from idealrank.measures import DEFINITIONS, parse
from idealrank.measures.steps import apply_rounding
from tests.amounts import tried
from tests.properties.ranked import Ranked, at_random, ranked
from tests.properties.tables import TELLING, Tables, rising, scattered, table
from tests.properties.test_relations import fixed

NAMES = [name for d in DEFINITIONS for name in ([d.name, f"{d.name}@3"] if d.cutoff == "optional" else [d.name])]


def _judged(queries: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
    return tuple(query for query in queries if query.pool and query.grades)


UNTIED = _judged(at_random(60, 9, seed=11, shortest=1))
TIES = _judged(at_random(60, 9, seed=12, shortest=1, tied=True))


def _values(tables: Tables, names: Sequence[str] = TELLING, **decisions: Any) -> dict[str, list[float]]:
    """Values by query."""
    scores = ir.evaluate(*tables, names, **decisions)
    return dict(zip(scores.queries, scores.values[0].T.tolist(), strict=True))


def _tied_tables() -> Tables:
    return table(TIES, scattered, rank=lambda row: row.span, score=lambda row: -row.span)


# ---------------------------------------------------------------- rows


@pytest.mark.parametrize("order_by", ["auto", "rank", "score"])
@pytest.mark.parametrize("ties", ["docid_desc", "docid_asc", "average", "best", "worst"])
def test_row_order_does_not_matter(order_by: str, ties: str) -> None:
    """The values are the same to the last bit when the rows of both tables are shuffled."""
    tables = _tied_tables()
    plain = _values(tables, order_by=order_by, ties=ties)
    for seed in range(3):
        assert _values(tables.shuffled(random.Random(seed)), order_by=order_by, ties=ties) == plain


@pytest.mark.parametrize("choice", [{"order_by": "given"}, {"ties": "given"}], ids=str)
def test_row_order_matters_where_asked_for(choice: dict[str, str]) -> None:
    """Under order_by=given and ties=given shuffled rows give other values: the test above would notice."""
    tables = _tied_tables()
    assert _values(tables.shuffled(random.Random(0)), **choice) != _values(tables, **choice)


def test_row_order_of_trec_files_does_not_matter(tmp_path: Path) -> None:
    """The values are the same to the last bit when the lines of both TREC files are shuffled."""
    found = []
    for seed in range(3):
        qrels, run = _trec_files(tmp_path, _tied_tables().shuffled(random.Random(seed)))
        scores = ir.evaluate(qrels, run, TELLING)
        found.append(dict(zip(scores.queries, scores.values[0].T.tolist(), strict=True)))
    assert found[0] == found[1] == found[2]


def _trec_files(folder: Path, tables: Tables) -> tuple[Path, Path]:
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    judged = [row for row in zip(*tables.judgments.values(), strict=True) if row[2] is not None]
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in judged), "utf-8")
    rows = zip(*(tables.results[name] for name in ("query_id", "doc_id", "score")), strict=True)
    run.write_text("".join(f"{q} Q0 {d} 0 {s} run\n" for q, d, s in rows), "utf-8")
    return qrels, run


# ---------------------------------------------------------------- ids


@pytest.mark.parametrize("seed", range(3))
def test_names_of_ids_do_not_matter(seed: int) -> None:
    """Without ties the values stay the same, to the last bit, when all ids are renamed consistently."""
    tables = table(UNTIED, scattered, score=lambda row: -row.place)
    renamed = {}
    for name in ("query_id", "doc_id"):
        old = sorted({*tables.judgments[name], *tables.results[name]})
        new = random.Random(seed).sample([f"{word}{n}" for n in range(len(old)) for word in ("é", "Z", "9")], len(old))
        renamed[name] = dict(zip(old, new, strict=True))
    other = tables.with_ids(renamed["query_id"].__getitem__, renamed["doc_id"].__getitem__)
    assert _values(other) == {renamed["query_id"][key]: value for key, value in _values(tables).items()}


TYPES: dict[str, Callable[[str], Any]] = {"text": str, "int": int, "whole float": float}


@pytest.mark.parametrize("types", list(itertools.product(TYPES, repeat=4)), ids="-".join)
def test_types_of_ids_do_not_matter(types: tuple[str, str, str, str]) -> None:
    """The values are the same whether query and document ids are text, int or whole floats, in either table."""
    tables = table(UNTIED[:20], rising, score=lambda row: -row.place)
    query, doc, other_query, other_doc = (TYPES[name] for name in types)
    mixed = Tables(tables.with_ids(query, doc).judgments, tables.with_ids(other_query, other_doc).results)
    assert _values(mixed, ["nDCG", "Judged@3"]) == _values(tables, ["nDCG", "Judged@3"])


@pytest.mark.parametrize("kind", ["text", "int", "whole float"])
def test_types_of_ids_do_not_matter_to_ties(kind: str) -> None:
    """Ties are settled by the ids as text, whatever type they come in: "900" stands above "1000"."""
    ids = ["900", "1000", "10", "9", "100"]
    judgments = {"query_id": ["1"] * 5, "doc_id": ids, "grade": [4, 3, 2, 1, 0]}
    results = {"query_id": ["1"] * 5, "doc_id": [TYPES[kind](key) for key in ids], "score": [1.0] * 5}
    score = ir.evaluate(judgments, results, ["nDCG"]).values[0, 0, 0]
    order = [judgments["grade"][ids.index(key)] for key in sorted(ids, reverse=True)]
    gains = [g / np.log2(rank + 1) for rank, g in enumerate(order, 1)]
    best = [g / np.log2(rank + 1) for rank, g in enumerate(sorted(order, reverse=True), 1)]
    assert score == pytest.approx(sum(gains) / sum(best), abs=1e-12)


# ---------------------------------------------------------------- threads

_PROGRAM = """
import sys
import idealrank as ir
scores = ir.evaluate(sys.argv[1], sys.argv[2], ["nDCG@10", "AP", "RR", "Bpref", "ERR@20", "P@10", "R@100", "NumRelRet"])
averaged = ir.evaluate(sys.argv[1], sys.argv[2], ["nDCG@10", "AP"], ties="average")
print(scores.queries, scores.values.tobytes().hex(), averaged.values.tobytes().hex(), scores.ledger, scores)
"""


def _large_files(folder: Path) -> tuple[Path, Path]:
    """A run of several blocks of text, its queries in pieces, with scores that need a double here and there."""
    rng = random.Random(4)
    run = [
        f"{q} Q0 D{d:06d} 0 {rng.choice((rng.random(), rng.randrange(64)))} run\n"
        for q in range(300)
        for d in range(300)
    ]
    rng.shuffle(run)
    qrels = [f"{q} 0 D{rng.randrange(400):06d} {rng.randrange(-1, 4)}\n" for q in range(320) for _ in range(30)]
    unique = {tuple(line.split()[:3]): line for line in qrels}
    (folder / "run.txt").write_text("".join(run), "utf-8")
    (folder / "qrels.txt").write_text("".join(unique.values()), "utf-8")
    return folder / "qrels.txt", folder / "run.txt"


@pytest.mark.heavy
def test_threads_do_not_matter(tmp_path: Path) -> None:
    """The values, the ledger and the printed means are the same bytes with 1, 2 and 8 threads."""
    files = [str(path) for path in _large_files(tmp_path)]
    printed = [
        subprocess.run(
            [sys.executable, "-c", _PROGRAM, *files],
            env={**os.environ, "RAYON_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "8")
    ]
    assert len(printed[0]) > 10_000
    assert printed[0] == printed[1] == printed[2]


# ---------------------------------------------------------------- explanations


def _check_explanations(tables: Tables, name: str, queries: Sequence[str], **options: Any) -> None:
    if parse(name)[0].definition.by_subtopic:
        tables = tables.by_subtopic()
    if parse(name)[0].definition.by_span:
        tables, options = tables.of_spans(), options | {"unit": "spans"}
    try:
        scores = ir.evaluate(*tables, [name], **options)
    except (ir.UsageError, ir.DataError) as refusal:
        if not re.match("ties=average(: the average of| is not computed for spans)", str(refusal)):
            raise
        return
    for query in queries:
        _check_explanation(scores, query)


def _check_explanation(scores: ir.Scores, query: str) -> None:
    explained = scores.explain(scores.measures[0].name, query)
    value = scores.values[0, 0, scores.queries.index(query)]
    assert explained.score == pytest.approx(value, abs=1e-12, nan_ok=True)
    if explained.unsplit or math.isnan(value):
        return
    table = explained.steps.to_dict()
    assert math.fsum(table["contribution"]) == pytest.approx(explained.total, abs=1e-12)
    assert table["running"][-1:] == pytest.approx([explained.total][: len(table["running"])], abs=1e-12)
    if explained.normaliser:
        share = np.array([explained.total / explained.normaliser])
        settled = apply_rounding(share, scores.measures[0].decisions.rounding, "query")
        assert settled[0] == pytest.approx(value, abs=1e-12)


def _supported(convention: str) -> list[str]:
    known = CONVENTIONS[convention].measures
    return [name for name in NAMES if known is None or name.split("@")[0] in known]


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_explain_tells_what_evaluate_gave(convention: str) -> None:
    """Under every convention explain's contributions / normaliser are the value of evaluate, within 1e-12."""
    tables = table(TIES[:12], scattered, rank=lambda row: row.span, score=lambda row: -row.span)
    tool = CONVENTIONS[convention]
    declared = (tool.decisions.max_grade, *(answers.get("max_grade") for answers in tool.by_measure.values()))
    top = {"max_grade": "highest"} if 1 in declared else {}
    for name in _supported(convention):
        _check_explanations(tables, name, ("100", "103", "105"), convention=convention, **top)


CHOICES: dict[str, list[Any]] = {
    "ties": ["docid_desc", "average"],
    "gain": ["linear", "exp2"],
    "unjudged": ["zero", "filter", 0.5],
    "negative": ["unjudged", "zero", "keep"],
    "ideal": ["global", "returned", "local", "max"],
    "relevant_from": [1, 2, "positive"],
    "cutoff": ["at_most_k", "below_k"],
}


@settings(fixed, max_examples=tried(60))
@given(
    st.data(),
    ranked(tied=True).filter(lambda query: query.pool and query.grades),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()}),
)
def test_explain_tells_what_evaluate_gave_whatever_was_decided(
    data: st.DataObject, query: Ranked, options: dict[str, Any]
) -> None:
    """On any list under any answers explain's contributions / normaliser are the value of evaluate, within 1e-12."""
    top = Ranked((3.0,), (), ())  # so that some grade reaches every level
    tables = table((query, top), scattered, score=lambda row: -row.span)
    _check_explanations(tables, data.draw(st.sampled_from(NAMES)), ["100"], **options)
