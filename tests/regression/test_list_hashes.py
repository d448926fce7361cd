"""Hashes of lists and judgments, over random tables."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.regression.baseline import baseline_of
from idealrank.regression.list_hashes import SKETCH, hashed, shared, sketch_of

IDS = st.text("abé検/\\\"'| #", min_size=1, max_size=4).map(str.strip).filter(bool)
LISTS = st.lists(IDS, min_size=1, max_size=6, unique=True)
WORLDS = st.dictionaries(IDS, LISTS, min_size=1, max_size=5)


def rows_of(lists: dict[str, list[str]]) -> dict[str, list[Any]]:
    """Return lists as the columns of a table."""
    rows = [(query, doc, place) for query, docs in lists.items() for place, doc in enumerate(docs, 1)]
    return {name: list(values) for name, values in zip(("query", "doc", "rank"), zip(*rows, strict=True), strict=True)}


def made(lists: dict[str, list[str]], judgments: Any = None, **options: Any) -> Any:
    """Return the baseline of lists, whose first document is relevant where nothing else is said."""
    return baseline_of(
        ir.evaluate(judgments or {q: {docs[0]: 1} for q, docs in lists.items()}, rows_of(lists), "RR", **options)
    )


def hashes(baseline: Any, name: str) -> dict[str, str]:
    """Return the hash of every query."""
    return {query: getattr(row, name) for query, row in baseline.queries.items()}


@given(WORLDS, st.randoms())
def test_the_order_of_rows_moves_nothing(lists: dict[str, list[str]], draw: random.Random) -> None:
    """Rows in any order give the same bytes, as ranks say the order."""
    rows = rows_of(lists)
    order = draw.sample(range(len(rows["query"])), len(rows["query"]))
    mixed = {name: [values[i] for i in order] for name, values in rows.items()}
    judgments = {q: {docs[0]: 1} for q, docs in lists.items()}
    backwards = dict(reversed(judgments.items()))
    first = baseline_of(ir.evaluate(judgments, rows, "RR")).text()
    assert baseline_of(ir.evaluate(backwards, mixed, "RR")).text() == first


@given(WORLDS, st.data())
def test_a_changed_list_moves_its_hash_and_only_its_own(lists: dict[str, list[str]], data: st.DataObject) -> None:
    """A document more, less, or elsewhere moves the hash of its query, and no other; judgments stay."""
    query = data.draw(st.sampled_from(sorted(lists)))
    other = data.draw(LISTS.filter(lambda docs: docs != lists[query]))
    judgments = {q: {docs[0]: 1} for q, docs in lists.items()}
    judgments = {q: {**grades, "\N{SNOWMAN}": 1} for q, grades in judgments.items()}
    lists = {q: ["\N{SNOWMAN}", *docs] for q, docs in lists.items()}
    before = made(lists, judgments)
    after = made(lists | {query: ["\N{SNOWMAN}", *other]}, judgments)
    moved = [q for q, each in hashes(before, "list").items() if hashes(after, "list")[q] != each]
    assert moved == [query]
    assert hashes(before, "judgments") == hashes(after, "judgments")


@given(WORLDS, st.data())
def test_a_changed_grade_moves_its_hash_and_only_its_own(lists: dict[str, list[str]], data: st.DataObject) -> None:
    """Another grade moves the hash of its query's judgments, and no other; lists stay."""
    judgments = {q: dict.fromkeys(docs, 1) for q, docs in lists.items()}
    query = data.draw(st.sampled_from(sorted(lists)))
    doc = data.draw(st.sampled_from(lists[query]))
    before, after = made(lists, judgments), made(lists, judgments | {query: judgments[query] | {doc: 2}})
    moved = [q for q, each in hashes(before, "judgments").items() if hashes(after, "judgments")[q] != each]
    assert moved == [query]
    assert hashes(before, "list") == hashes(after, "list")


def test_scores_count_only_where_ties_read_them() -> None:
    """Other scores in the same order are the same list; where ties are averaged, equal scores are another one."""
    apart = {"q": {"a": 2.0, "b": 1.0}}
    higher = {"q": {"a": 20.0, "b": 1.0}}
    equal = {"q": {"b": 2.0, "a": 2.0}}  # docid_desc: b before a
    turned = {"q": {"b": 2.0, "a": 1.0}}

    def hashed(results: Any, **options: Any) -> str:
        return baseline_of(ir.evaluate({"q": {"a": 1}}, results, "RR", **options)).queries["q"].list

    assert hashed(apart) == hashed(higher)
    assert hashed(equal) == hashed(turned) != hashed(apart)
    assert hashed(equal, ties="average") != hashed(turned, ties="average")


@pytest.mark.heavy
@pytest.mark.parametrize("threads", ["1", "4"])
def test_the_number_of_threads_moves_nothing(tmp_path: Path, threads: str) -> None:
    """One thread and four write the same bytes."""
    code = (
        "import idealrank as ir, sys\n"
        "shop = 'examples/shop/'\n"
        "ir.bless(ir.evaluate(shop + 'judgments.csv', shop + 'bm25.csv', ['nDCG@10', 'AP']), sys.argv[1])\n"
    )
    env = {**os.environ, "RAYON_NUM_THREADS": threads, "PYTHONHASHSEED": threads}
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "b.json")], check=True, env=env, cwd=root)
    shop = root / "examples" / "shop"
    scores = ir.evaluate(str(shop / "judgments.csv"), str(shop / "bm25.csv"), ["nDCG@10", "AP"])
    assert (tmp_path / "b.json").read_text("utf-8") == baseline_of(scores).text()


def test_a_sketch_tells_the_share_in_common() -> None:
    """Of small sets it is exact; of 20,000 ids that share a half of either, it is within four standard errors."""
    assert shared(sketch_of(hashed("abcd")), sketch_of(hashed("cdef"))) == pytest.approx(2 / 6)
    first, second = range(20_000), range(10_000, 30_000)
    found = shared(sketch_of(hashed(map(str, first))), sketch_of(hashed(map(str, second))))
    expected = 1 / 3
    assert found == pytest.approx(expected, abs=4 * (expected * (1 - expected) / SKETCH) ** 0.5)
    assert shared(sketch_of(hashed(map(str, first))), sketch_of(hashed(f"x{i}" for i in first))) == 0
