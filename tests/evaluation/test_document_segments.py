"""Segments of documents: each number by hand, in plain Python, by other calls, and what must not change it."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import idealrank as ir
from idealrank.data.documents import read_documents
from idealrank.evaluation.document_segments import document_groups, document_sums
from idealrank.evaluation.query_tables import ideal_values
from idealrank.measures import DEFINITIONS
from tests.amounts import tried
from tests.evaluation import plain_segments as plain

LOG3 = 1 / math.log2(3)
JUDGED = {"q1": {"a": 1, "f": 1}, "q2": {"b": 1}, "q3": {"c": 0}}
RUN = {"q1": {"x": 2.0, "a": 1.0}, "q2": {"b": 1.0}, "q3": {"c": 1.0}}
TYPES = {"a": {"type": "page"}, "b": {"type": "page"}, "f": {"type": "pdf"}, "c": {"type": "mail"}}

ROWS = ("segment", "relevant", "queries", "not applicable", "mean", "recall", "share of score", "share of loss")


def rows(scores: ir.Scores, documents: Any = TYPES, column: str = "type") -> dict[str, dict[str, Any]]:
    """Return the rows by segment; a missing number is None."""
    return {row["segment"]: row for row in scores.by_document(column, documents).table.rows()}


def ranked(*docs: str) -> dict[str, float]:
    """Return documents with scores, the first the highest."""
    return {doc: -float(place) for place, doc in enumerate(docs)}


def test_by_hand() -> None:
    """Two pages, one pdf that is not returned, one mail that is not relevant.

    nDCG of q1 is 0.6309 / 1.6309, as its ideal list has two documents; the page and the pdf are equally good, so each
    earns half of the ideal there. q2 is 1, and q3 has nothing relevant. Pages lose 0.5 - 0.6309 / 1.6309, pdfs 0.5.
    Where only pages are relevant, q1 is 0.6309 / 1, so that their mean is (0.6309 + 1) / 2.
    """
    found = rows(ir.evaluate(JUDGED, RUN, ["nDCG"]))
    lost = [0.5 - LOG3 / (1 + LOG3), 0.5]
    expected = [
        ("mail", 0, 0, 3, None, None, 0.0, 0.0),
        ("page", 2, 2, 1, (LOG3 + 1) / 2, 1.0, 1.0, lost[0] / sum(lost)),
        ("pdf", 1, 1, 2, 0.0, 0.0, 0.0, lost[1] / sum(lost)),
    ]
    for segment, row in zip(expected, found.values(), strict=True):
        assert [row[name] for name in ROWS] == [each if each is None else pytest.approx(each) for each in segment]


def test_documents_without_a_type_are_a_segment() -> None:
    """Those that are not in the table, and those with an empty cell, are (none), and how many there are is said."""
    table = {"doc_id": ["a", "b", "z"], "type": ["page", "", "page"]}
    segments = ir.evaluate(JUDGED, RUN, ["R"]).by_document("type", table)
    assert [(row["segment"], row["relevant"], row["recall"]) for row in segments.table] == [
        ("page", 1, 1.0),
        ("(none)", 2, 0.5),
    ]
    assert segments.notes[1] == "(none): 2 of them not in the table, 1 without a value in it"


def test_queries_left_out_are_counted() -> None:
    """A query whose search failed has no value under failed=skip: the segment applies to it, but it is left out."""
    run = {"query": ["q1", "q2"], "doc": ["a", ""], "rank": [1, 1], "error": ["", "timeout"]}
    found = rows(ir.evaluate(JUDGED, run, ["R"], only=["q1", "q2"]))
    assert [found["page"][name] for name in ("queries", "not applicable", "left out", "relevant")] == [1, 0, 1, 1]
    assert [found["pdf"][name] for name in ("queries", "not applicable", "left out", "relevant")] == [1, 1, 0, 1]
    assert "left out" not in rows(ir.evaluate(JUDGED, RUN, ["R"]))["pdf"]


def test_queries_not_asked_for_count_nowhere() -> None:
    """With only=, the queries are those asked for."""
    found = rows(ir.evaluate(JUDGED, RUN, ["R"], only=["q1"]))
    assert [found["page"][name] for name in ("queries", "not applicable", "relevant")] == [1, 0, 1]


def test_results_of_other_segments_keep_their_ranks() -> None:
    """Under unjudged=filter, too, a pdf below a page is at rank 2 where only pdfs are relevant: RR is 1/2, not 1."""
    scores = ir.evaluate({"q": {"a": 1, "f": 1}}, {"q": ranked("a", "x", "f")}, ["RR"], unjudged="filter")
    assert rows(scores)["pdf"]["mean"] == 0.5


def test_weights_weigh_means_and_shares() -> None:
    """With weights 1 and 3, the mean of pages is (0.5 x 1 + 1 x 3) / 4, and R loses only 1 x 1/2 by the pdf."""
    judged = {"q1": {"a": 1, "f": 1}, "q2": {"b": 1, "f": 1}}
    run = {"q1": ranked("x", "a"), "q2": ranked("b", "f")}
    found = rows(ir.evaluate(judged, run, ["RR"], weights={"q1": 1, "q2": 3}))
    assert found["page"]["mean"] == pytest.approx((0.5 + 3) / 4)
    assert found["page"]["share of score"] == 1.0
    # The ideal earns 1/2 from either type in each query: 1 x (1/2 - 1/2) + 3 x (1/2 - 1), and 1/2 x 4, of 1/2 in all.
    assert [found[t]["share of loss"] for t in ("page", "pdf")] == pytest.approx([-3.0, 4.0])


@pytest.mark.parametrize("measure", plain.MEASURES)
def test_plain_python(measure: str) -> None:
    """Every number of small random worlds is that of a plain program, which tries every order of the ideal list."""
    adds, cutoff, graded = plain.MEASURES[measure]
    for seed in range(tried(24)):
        world = plain.world(seed)
        scores = ir.evaluate(world.judged, world.lists, [measure])
        earned, ideal = plain.earned(world, adds), plain.ideal(world, adds, graded)
        lost = {kind: ideal.get(kind, 0.0) - earned.get(kind, 0.0) for kind in ideal.keys() | earned.keys()}
        table = {"doc_id": list(world.types), "type": list(world.types.values())}
        found = rows(scores, table)
        assert found.keys() == {world.of(doc) for judged in world.judged.values() for doc in judged}
        for kind, row in found.items():
            assert (row["queries"], row["mean"]) == near(plain.mean_by_type(world, adds, kind))
            assert (row["relevant"], row["recall"]) == near(plain.recall_of_type(world, cutoff, kind))
            assert row["not applicable"] == len(world.judged) - row["queries"]
            assert row["share of score"] == share(earned, kind)
            assert row["share of loss"] == share(lost, kind)


def near(values: tuple[int, float | None]) -> tuple[Any, ...]:
    """Allow for rounding."""
    return tuple(value if value is None else pytest.approx(value, abs=1e-12) for value in values)


def share(sums: dict[str, float], kind: str) -> Any:
    """Return the share of a type; None where there is nothing to share."""
    whole = math.fsum(sums.values())
    return None if abs(whole) < 1e-12 else pytest.approx(sums.get(kind, 0.0) / whole, abs=1e-9)


BY_DOCUMENT = [d.name for d in DEFINITIONS if d.is_plain]


@pytest.mark.parametrize("measure", BY_DOCUMENT)
def test_the_mean_is_that_of_other_judgments(measure: str) -> None:
    """For every measure, the mean of a type is that of judgments in which the other types have grade 0."""
    world = plain.world(7)
    scores = ir.evaluate(world.judged, world.lists, [measure], max_grade=3)
    table = {"doc_id": list(world.types), "type": list(world.types.values())}
    for kind, row in rows(scores, table).items():
        only = {q: {d: g if world.of(d) == kind else 0 for d, g in each.items()} for q, each in world.judged.items()}
        applies = [query for query, each in only.items() if any(each.values())]
        if applies:
            lists = {query: world.lists[query] for query in applies}
            other = ir.evaluate({q: only[q] for q in applies}, lists, [measure], max_grade=3)
            expected = other.mean(measure)
            assert row["mean"] == (None if math.isnan(expected) else pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize("measure", BY_DOCUMENT)
@pytest.mark.parametrize("answers", [{}, {"ties": "average"}, {"unjudged": "0.5"}, {"rounding": "term,round,3"}])
def test_types_add_up_to_the_value(measure: str, answers: dict[str, str]) -> None:
    """What the types earn adds up to the value of the query, and in the ideal list to that of the ideal list."""
    world = plain.world(11)
    run = {query: {doc: float(-place // 2) for place, doc in enumerate(docs)} for query, docs in world.lists.items()}
    if "ties" in answers and ir.measure(measure).definition.properties.average != "exact":
        return
    scores = ir.evaluate(world.judged, run, [measure], **answers)
    table = {"doc_id": list(world.types), "type": list(world.types.values())}
    (sums,) = document_sums(scores, 0, document_groups(scores, read_documents(table, column="type"), "type"))
    if sums.earned is not None:
        assert sums.earned.sum(axis=1) == pytest.approx(scores.values[0, 0], abs=1e-12)
    if sums.ideal is not None:
        ideal = ideal_values(scores.joins[0].lists_for(scores.measures[0].on_lists), scores.measures[0])
        assert sums.ideal.sum(axis=1) == pytest.approx(ideal, abs=1e-12)


@pytest.mark.parametrize("measure", [d.name for d in DEFINITIONS if "relevant_from" in d.reads and d.is_plain])
def test_relevant_documents_are_equally_good(measure: str) -> None:
    """Measures that read `relevant_from` and no gain do not tell relevant documents of grades 1 and 3 apart."""
    if "gain" in ir.measure(measure).definition.reads:
        return
    world = plain.world(3)
    flat = {q: {d: float(g > 0) for d, g in each.items()} for q, each in world.judged.items()}
    values = [ir.evaluate(j, world.lists, [measure], max_grade=3).values for j in (world.judged, flat)]
    assert values[0] == pytest.approx(values[1], nan_ok=True)


def test_the_order_of_rows_does_not_matter() -> None:
    """Judgments, results and documents in another order give the same numbers."""
    world = plain.world(5)
    table = list(world.types.items())
    judged = [(q, d, g) for q, each in world.judged.items() for d, g in each.items()]
    draw = random.Random(0)

    def found() -> list[dict[str, Any]]:
        columns = {name: [row[i] for row in judged] for i, name in enumerate(("query", "doc", "grade"))}
        documents = {"doc_id": [doc for doc, _ in table], "type": [kind for _, kind in table]}
        scores = ir.evaluate(columns, world.lists, ["nDCG@3", "AP"])
        return scores.by_document("type", documents).table.rows()

    before = found()
    for _ in range(5):
        draw.shuffle(judged)
        draw.shuffle(table)
        for row, same in zip(found(), before, strict=True):
            assert {**row, **{name: near((row[name],))[0] for name in ROWS[4:]}} == same


@pytest.mark.parametrize("measure", ["nDCG@3", "P@3", "AP", "RR"])
def test_a_type_split_in_two_adds_up(measure: str) -> None:
    """If a type is split in two, counts of documents and shares of the halves add up to those of the whole."""
    for seed in range(tried(20)):
        world = plain.world(seed)
        scores = ir.evaluate(world.judged, world.lists, [measure])
        whole = rows(scores, {doc: {"type": kind} for doc, kind in world.types.items()})
        named = {doc: f"html {int(doc[1:]) % 2}" if kind == "html" else kind for doc, kind in world.types.items()}
        split = rows(scores, {doc: {"type": kind} for doc, kind in named.items()})
        parts = [split[name] for name in ("html 0", "html 1") if name in split]
        assert sum(part["relevant"] for part in parts) == whole["html"]["relevant"]
        for name in ("share of score", "share of loss"):
            if whole["html"][name] is not None:
                assert math.fsum(part[name] for part in parts) == pytest.approx(whole["html"][name], abs=1e-9)
            everything = [row[name] for row in split.values()]
            assert None in everything or math.fsum(everything) == pytest.approx(1, abs=1e-12)


def test_several_measures_and_systems() -> None:
    """There is a row per measure, system and segment; columns and fingerprints say which."""
    segments = ir.evaluate(JUDGED, {"one": RUN, "two": {"q1": {"f": 1.0}}}, ["R", "RR"]).by_document("type", TYPES)
    keys = [(row["measure"], row["system"], row["segment"]) for row in segments.table]
    assert keys == [(m, s, t) for m in ("R", "RR") for s in ("one", "two") for t in ("mail", "page", "pdf")]
    assert segments.table.filter(measure="R", system="two", segment="pdf")["recall"] == [1.0]
    assert [text.partition("[")[0] for text in segments.table.stated["fingerprint"]] == ["R"] * 6 + ["RR"] * 6


def test_measures_that_cannot_be_split_say_so() -> None:
    """Yaap is no sum over results, and has no shares; a count of results without a best list has no share of loss."""
    segments = ir.evaluate(JUDGED, RUN, ["yaap", "NumNonRelRet"]).by_document("type", TYPES)
    missing = {row["measure"]: (row["share of score"], row["share of loss"]) for row in segments.table.rows()}
    assert missing["yaap"] == (None, None)
    assert missing["NumNonRelRet"][1] is None
    assert "yaap: no shares, as it is no sum over results: it is the logarithm" in " ".join(segments.notes)
    assert "NumNonRelRet: no share of loss, as it has no ideal list" in segments.notes


def test_judgments_by_subtopic() -> None:
    """Measures that read judgments by subtopic have counts and shares of the score, but no mean."""
    judged = {"query": ["q", "q"], "subtopic": ["1", "2"], "doc": ["a", "f"], "grade": [1, 1]}
    segments = ir.evaluate(judged, {"q": ranked("a", "x", "f")}, ["StRecall@2"]).by_document("type", TYPES)
    assert [(row["segment"], row["queries"], row["recall"]) for row in segments.table] == [
        ("page", 1, 1.0),
        ("pdf", 1, 0.0),
    ]
    assert {row["mean"] for row in segments.table.rows()} == {None}
    assert "StRecall@2: no mean and no share of loss, as it reads judgments by subtopic" in segments.notes


def test_relevant_from_zero() -> None:
    """Where grade 0 is relevant, documents of the other types count as not relevant all the same."""
    scores = ir.evaluate({"q": {"a": 0, "f": 0}}, {"q": ranked("a", "f")}, ["P@2"], relevant_from=0)
    assert [row["mean"] for row in rows(scores).values()] == [0.5, 0.5]


def test_grades_below_zero_count_for_their_own_type() -> None:
    """Under negative=keep, a pdf of grade -1 at rank 1 takes nothing from the DCG of pages, which is 2 x 0.6309."""
    scores = ir.evaluate({"q": {"a": 2, "f": -1}}, {"q": ranked("f", "a")}, ["DCG"], negative="keep")
    found = rows(scores)
    assert found["page"]["mean"] == pytest.approx(2 * LOG3)
    assert [found[kind]["share of score"] for kind in ("page", "pdf")] == pytest.approx(
        [2 * LOG3 / (2 * LOG3 - 1), -1 / (2 * LOG3 - 1)]
    )
    assert (found["pdf"]["queries"], found["pdf"]["not applicable"]) == (0, 1)


def test_assumed_grades_belong_to_the_type_of_the_result() -> None:
    """Under unjudged=1, an unjudged pdf earns as much as the page; it is not among the relevant documents."""
    found = rows(ir.evaluate({"q": {"a": 1}}, {"q": ranked("f", "a")}, ["CG"], unjudged=1))
    assert [(row["relevant"], row["share of score"]) for row in found.values()] == [(1, 0.5), (0, 0.5)]


def test_tied_documents_are_in_every_order() -> None:
    """Under ties=average, one of a page and a pdf with equal scores is at rank 1: either has half of everything."""
    scores = ir.evaluate({"q": {"a": 1, "f": 1}}, {"q": {"a": 1.0, "f": 1.0}}, ["P@1"], ties="average")
    for row in rows(scores).values():
        assert [row[name] for name in ("mean", "recall", "share of score")] == [0.5, 0.5, 0.5]
