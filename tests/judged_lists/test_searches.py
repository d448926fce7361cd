"""Several searches per query: one list of all, the last list, or each by itself."""

from __future__ import annotations

import random
from typing import Any

import pytest

import idealrank as ir
from tests.amounts import tried

JUDGMENTS = {"query": ["t1", "t1", "t1", "t2"], "doc": ["a", "b", "c", "d"], "grade": [1, 1, 0, 1]}
RESULTS: dict[str, list[Any]] = {
    "query": ["t1", "t1", "t1", "t1", "t1", "t2", "t2"],
    "step": [1, 1, 2, 2, 2, 1, 2],
    "rank": [1, 2, 1, 2, 3, 1, None],
    "doc": ["x", "a", "x", "b", "c", "y", None],
}
"""Task t1 finds x a, then x b c; task t2 finds y, then nothing."""


def values(steps: str, *measures: str, **more: Any) -> dict[str, dict[str, float]]:
    """Return the values of each query, by measure."""
    scores = ir.evaluate(JUDGMENTS, RESULTS | more, list(measures), steps=steps)
    return {name: dict(zip(scores.queries, scores.of(name).tolist(), strict=True)) for name in measures}


def test_one_list_of_all_steps() -> None:
    """By hand, t1 is x a b c: x is not there twice, b is third, and half of what is relevant is in the top 2."""
    found = values("union", "RR", "R@2", "R@3", "P@4", "NumRet", "AllRecall@3", "StepsToFirst", "StepsToAll")
    assert {name: of["t1"] for name, of in found.items()} == {
        "RR": 1 / 2, "R@2": 1 / 2, "R@3": 1, "P@4": 2 / 4, "NumRet": 4, "AllRecall@3": 1,
        "StepsToFirst": 1, "StepsToAll": 2,
    }  # fmt: skip
    assert (found["NumRet"]["t2"], found["StepsToFirst"]["t2"]) == (1, 11)


def test_the_last_list() -> None:
    """By hand, the last list of t1 is x b c, and that of t2 is empty."""
    found = values("last", "RR", "R", "NumRet", "StepsToFirst")
    assert {name: of["t1"] for name, of in found.items()} == {"RR": 1 / 2, "R": 1 / 2, "NumRet": 3, "StepsToFirst": 2}
    assert found["NumRet"]["t2"] == 0


def test_each_list_by_itself() -> None:
    """By hand: x a, x b c, y, and nothing, each against the judgments of its task; the mean counts each search."""
    found = values("each", "R", "NumRet")
    assert found == {
        "R": {"t1/1": 1 / 2, "t1/2": 1 / 2, "t2/1": 0, "t2/2": 0},
        "NumRet": {"t1/1": 2, "t1/2": 3, "t2/1": 1, "t2/2": 0},
    }
    assert ir.evaluate(JUDGMENTS, RESULTS, ["R"], steps="each")["R"] == 1 / 4


def test_a_weight_of_a_task_is_shared_by_its_searches() -> None:
    """With tasks of equal weight the mean is that of the tasks: two searches of 1/2 and 1/2, and three of 1, 0, 0."""
    judgments = {"t1": {"a": 1, "b": 1}, "t2": {"d": 1}}
    more = {"query": ["t1", "t1", "t2", "t2", "t2"], "step": [1, 2, 1, 2, 3], "doc": ["a", "b", "d", "y", "z"]}
    each = ir.evaluate(judgments, more | {"rank": [1] * 5}, ["R"], steps="each")
    assert each["R"] == pytest.approx((1 / 2 + 1 / 2 + 1 + 0 + 0) / 5)
    weighed = ir.evaluate(judgments, more | {"rank": [1] * 5}, ["R"], steps="each", weights={"t1": 1, "t2": 1})
    assert weighed["R"] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert each.describe("task")["mean"] == pytest.approx([1 / 2, 1 / 3])


def test_a_weight_is_shared_by_judged_searches() -> None:
    """Step 3 of t1 has no judgments, so steps 1 and 2 have half of its weight each: (1/2 + 1/2 * 0 + 1) / 2."""
    judgments = {"query": ["t1", "t1", "t2"], "doc": ["a", "b", "d"], "grade": [1, 1, 1], "step": [1, 2, None]}
    results = {"query": ["t1", "t1", "t1", "t2"], "step": [1, 2, 3, 1], "doc": ["a", "x", "b", "d"], "rank": [1] * 4}
    scores = ir.evaluate(judgments, results, ["R"], steps="each", weights={"t1": 1, "t2": 1})
    assert scores["R"] == pytest.approx((1 / 2 * 1 + 1 / 2 * 0 + 1) / 2)


def test_a_judgment_of_one_step_is_for_that_search() -> None:
    """Step 1 needs a, and step 2 needs b and z: each search finds what its own step needs, but for z."""
    judgments = {"query": ["t1"] * 3, "doc": ["a", "b", "z"], "grade": [1, 1, 1], "step": [1, 2, 2]}
    scores = ir.evaluate(judgments, RESULTS, ["R"], steps="each")
    assert dict(zip(scores.queries, scores.of("R"), strict=True)) == {"t1/1": 1, "t1/2": 1 / 2}


def test_tasks_are_chosen_with_their_searches() -> None:
    """Under steps=each a task that is asked for means its searches; a search may be asked for, too."""
    chosen = ir.evaluate(JUDGMENTS, RESULTS, ["R"], steps="each", only=["t1"])
    assert list(chosen.per_query["query"]) == ["t1/1", "t1/2"]
    chosen = ir.evaluate(JUDGMENTS, RESULTS, ["R"], steps="each", only=["t2/1"])
    assert list(chosen.per_query["query"]) == ["t2/1"]


def test_steps_have_an_order_not_a_distance() -> None:
    """Steps 2, 5 and 30 are the first three searches, whatever the order of the rows."""
    results = {"query": ["t1"] * 3, "step": [30, 2, 5], "doc": ["b", "x", "a"], "rank": [1, 1, 1]}
    scores = ir.evaluate({"t1": {"a": 1, "b": 1}}, results, ["StepsToFirst", "StepsToAll", "RR"], steps="union")
    assert list(scores.values[0, :, 0]) == [2, 3, 1 / 2]


def test_several_lists_are_not_run_together() -> None:
    """Unless something says how to read them, the table is refused with the three ways out."""
    with pytest.raises(ir.DataError, match=r"2 queries have several steps \(t1, t2\).*steps=union.*steps=last.*each"):
        ir.evaluate(JUDGMENTS, RESULTS)


def test_one_search_per_query_needs_no_answer() -> None:
    """A column of steps that is the same throughout every query changes nothing, words as steps included."""
    plain = {"query": ["t1", "t1", "t2"], "doc": ["x", "a", "d"], "rank": [1, 2, 1]}
    for step in ([1, 1, 7], ["final", "final", "only"], [None, None, None]):
        assert ir.evaluate(JUDGMENTS, plain | {"step": step}, ["RR"])["RR"] == 3 / 4


def test_systems_with_other_searches_have_no_common_steps() -> None:
    """steps=each refuses them and says why; the union pairs their tasks, and one alone is scored."""
    both = {name: [*cells, *cells[:6]] for name, cells in RESULTS.items()} | {"system": ["A"] * 7 + ["B"] * 6}
    with pytest.raises(ir.DataError, match=r"different searches for query 't2': steps 1, 2 and 1\..*system=B"):
        ir.evaluate(JUDGMENTS, both, ["R"], steps="each")
    assert ir.evaluate(JUDGMENTS, both, ["R"], steps="each", system="A")["R"] == 1 / 4
    assert ir.evaluate(JUDGMENTS, both, ["NumRet"], steps="union")["NumRet"] == {"A": 5, "B": 5}


def test_chunks_of_several_searches() -> None:
    """Chunks are found again by their ids, and rolled up to documents where these were first seen: a b."""
    results = {
        "query": ["t"] * 4, "step": [1, 2, 2, 2], "rank": [1, 1, 2, 3], "chunk_id": ["a#1", "a#1", "a#2", "b#1"],
    }  # fmt: skip
    found = ir.evaluate(
        {"t": {"a": 1, "b": 1}}, results, ["NumRet", "R@2", "StepsToAll"], steps="union", unit="before(#)"
    )
    assert list(found.values[0, :, 0]) == [2, 1, 2]
    kept = ir.evaluate(
        {"t": {"a": 1, "b": 1}}, results, ["RR", "R@2"], steps="union", unit="before(#)", counts="returned"
    )
    assert list(kept.values[0, :, 0]) == [1, 1 / 2]
    score = {"score": [4.0, 3.0, 2.0, 1.0]}
    with pytest.raises(ir.DataError, match="scores, and those of several searches cannot be compared"):
        ir.evaluate({"t": {"a": 1}}, results | score, steps="union", unit="before(#)", roll_up="max")


def test_spans_found_by_several_searches() -> None:
    """Step 1 hits the first span and step 2 the second: each search finds half of them."""
    judged = {"query": ["t", "t"], "doc": ["d", "d"], "begin": [0, 100], "end": [50, 150], "grade": [1, 1]}
    chunks = {"query": ["t"] * 3, "step": [1, 1, 2], "rank": [1, 2, 1], "doc": ["d", "e", "d"]}
    chunks |= {"begin": [0, 0, 90], "end": [60, 10, 160]}
    for steps, wanted in (("union", [1]), ("last", [1 / 2]), ("each", [1 / 2, 1 / 2])):
        scores = ir.evaluate(judged, chunks, ["R", "StepsToAll"], unit="spans", steps=steps)
        assert scores.of("R").tolist() == wanted, steps
    assert ir.evaluate(judged, chunks, ["StepsToAll"], unit="spans", steps="union")["StepsToAll"] == 2


def test_what_a_union_cannot_keep() -> None:
    """Ranks that were left out have no place in one list of several searches."""
    with pytest.raises(ir.DataError, match=r"rank_gaps=close, or steps=last"):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"], steps="union", rank_gaps="keep")


def test_one_measure_cannot_ask_for_each() -> None:
    """Every search as a query of its own concerns the whole evaluation; one list may be one measure's."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["R", "R(steps=last)"], steps="union")
    assert list(scores.values[0, :, 0]) == [1, 1 / 2]
    with pytest.raises(ir.UsageError, match="said for a whole evaluation"):
        ir.evaluate(JUDGMENTS, RESULTS, ["R(steps=each)"], steps="union")


Search = list[tuple[str, float]]
"""Documents with their scores."""


def tasks_at_random(rng: random.Random) -> dict[str, list[Search]]:
    """Return the searches of a few tasks: documents with scores, many of them equal; some return nothing."""
    return {
        f"t{task}": [
            [(doc, float(rng.randrange(3))) for doc in rng.sample("abcdefgh", rng.choice([0, 1, 3, 5]))]
            for _ in range(rng.randint(1, 4))
        ]
        for task in range(rng.randint(2, 4))
    }


def as_table(tasks: dict[str, list[Search]], rng: random.Random) -> dict[str, list[Any]]:
    """Return the rows in any order; a search that returned nothing is a row without a document."""
    rows: list[tuple[Any, ...]] = []
    for task, searches in tasks.items():
        for number, search in enumerate(searches):
            rows += [(task, 10 * number + 3, doc, score) for doc, score in search] or [
                (task, 10 * number + 3, None, None)
            ]
    rng.shuffle(rows)
    return dict(zip(("query", "step", "doc", "score"), map(list, zip(*rows, strict=True)), strict=True))


def ranked(search: Search) -> list[str]:
    """Return the documents as trec_eval orders them: by score, and by the greater id."""
    return sorted((doc for doc, _ in search), key=lambda doc: (dict(search)[doc], doc), reverse=True)


def united(searches: list[Search]) -> list[tuple[str, int]]:
    """Return each document with the number of the search that returned it first."""
    found: list[tuple[str, int]] = []
    for number, search in enumerate(searches, 1):
        found += [(doc, number) for doc in ranked(search) if doc not in dict(found)]
    return found


def expected(listed: list[tuple[str, int]], good: set[str], most: int) -> dict[str, float]:
    """Return the values of one list, counted from their definitions."""
    docs, when = [doc for doc, _ in listed], dict(listed)
    ranks = [rank for rank, doc in enumerate(docs, 1) if doc in good]
    hit = [when[doc] for doc in docs if doc in good]
    first, last = min(hit, default=99), max(hit) if good and good <= set(docs) else 99
    return {
        "RR": 1 / min(ranks) if ranks else 0.0,
        "R@3": len(good & set(docs[:3])) / len(good) if good else 0.0,
        "Success@2": float(bool(good & set(docs[:2]))),
        "AllRecall@4": float(bool(good) and good <= set(docs[:4])),
        "NumRet": len(docs),
        f"StepsToFirst(most={most})": first if first <= most else most + 1,
        f"StepsToAll(most={most})": last if last <= most else most + 1,
    }


@pytest.mark.parametrize("seed", range(tried(120)))
def test_small_worlds(seed: int) -> None:
    """In worlds of a few tasks, each reading gives every measure the value counted from its definition."""
    rng = random.Random(seed)
    tasks = tasks_at_random(rng)
    good = {task: set(rng.sample("abcdefghz", rng.randint(0, 3))) for task in tasks}
    grades = {task: {doc: int(doc in good[task]) for doc in "abcdefghz"} for task in tasks}
    results, most = as_table(tasks, rng), rng.randint(1, 3)
    whole = {task: united(searches) for task, searches in tasks.items()}
    final = {task: [(doc, len(searches)) for doc in ranked(searches[-1])] for task, searches in tasks.items()}
    if any(len(searches) > 1 for searches in tasks.values()):
        check(grades, results, "union", {task: expected(whole[task], good[task], most) for task in tasks})
        check(grades, results, "last", {task: expected(final[task], good[task], most) for task in tasks})
        alone = {
            f"{task}/{10 * number + 3}": expected([(doc, 1) for doc in ranked(search)], good[task], most)
            for task, searches in tasks.items()
            for number, search in enumerate(searches)
        }
        check(grades, results, "each", alone)


def check(grades: Any, results: Any, steps: str, wanted: dict[str, dict[str, float]]) -> None:
    """Compare every value of every query."""
    measures = list(next(iter(wanted.values())))
    scores = ir.evaluate(grades, results, measures, steps=steps, relevant_from=0.5)
    assert sorted(scores.queries) == sorted(wanted)
    for q, query in enumerate(scores.queries):
        assert dict(zip(measures, scores.values[0, :, q], strict=True)) == pytest.approx(wanted[query]), (steps, query)
