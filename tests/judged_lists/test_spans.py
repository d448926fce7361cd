"""Chunks meet judged spans: what each chunk hits, what is credited, and which ranks are taken."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import idealrank as ir
from idealrank.data.read import read_judgments, read_results
from idealrank.decisions import Decisions
from idealrank.judged_lists.join import Join as Meeting, SystemLists as Met
from tests.amounts import tried

Columns = dict[str, list[Any]]

SPANS: Columns = {"query": ["q", "q"], "doc": ["d", "d"], "begin": [10, 40], "end": [20, 50], "grade": [1, 2]}
"""Two spans of ten characters in one document."""


def chunks(*offsets: tuple[int, int], doc: str = "d") -> Columns:
    """Return chunks of one document in order of rank."""
    begin, end = map(list, zip(*offsets, strict=True))
    many = len(offsets)
    return {"query": ["q"] * many, "doc": [doc] * many, "begin": begin, "end": end, "rank": list(range(1, many + 1))}


def joined(judgments: Columns, results: Columns, **answers: Any) -> Met:
    """Bring spans and chunks together."""
    tables = read_judgments(judgments), read_results(results)
    return Meeting(*tables, tables[1].systems[0]).lists(Decisions(unit="spans", **answers))


def listed(found: Met, query: int = 0) -> list[tuple[int, str | None]]:
    """Return rank and span of every hit of a query; None for a chunk that brings none."""
    rank, _, entry, *_ = found.judged.hits(query, query + 1)
    names = [found.pool.docs(np.array([e]))[0] if e >= 0 else None for e in entry]
    return list(zip(rank.tolist(), names, strict=True))


@pytest.mark.parametrize(
    ("overlap", "chunk", "hits"),
    [
        ("any", (19, 40), True),  # character 19 is in both
        ("any", (20, 40), False),  # 20 is the first one after the span
        ("any", (0, 10), False),  # 10 is the first one of the span, and after the chunk
        ("span(0.5)", (15, 100), True),  # 15 to 19: five of ten
        ("span(0.5)", (16, 100), False),
        ("span(1)", (10, 20), True),
        ("span(1)", (11, 30), False),
        ("chunk(0.5)", (5, 15), True),  # five of its ten
        ("chunk(0.5)", (4, 15), False),  # five of eleven
        ("chunk(1)", (12, 13), True),
        ("iou(0.5)", (10, 30), True),  # ten of twenty
        ("iou(0.5)", (10, 31), False),  # ten of twenty-one
        ("iou(1)", (10, 20), True),
    ],
)
def test_when_a_chunk_hits(overlap: str, chunk: tuple[int, int], hits: bool) -> None:
    """A chunk hits the span from 10 to 20 by its share of characters, of the span, of the chunk or of both."""
    judged = {name: values[:1] for name, values in SPANS.items()}
    assert listed(joined(judged, chunks(chunk), overlap=overlap)) == [(1, "d[10:20]" if hits else None)]


@pytest.mark.parametrize("overlap", ["span(0)", "iou(.0)", "chunk(1.5)", "span(2)", "span"])
def test_a_share_is_above_0_and_up_to_1(overlap: str) -> None:
    """A share of nothing would let every chunk hit, one above 1 none."""
    with pytest.raises(ir.UsageError, match="a number above 0 and up to 1"):
        Decisions(overlap=overlap)


def test_another_document_is_no_hit() -> None:
    """A chunk with the offsets of a span hits nothing in another document, or for another query."""
    both = {name: values + chunks((10, 20), doc="e")[name] for name, values in chunks((60, 70)).items()}
    assert listed(joined(SPANS, both | {"rank": [1, 2]} | {"doc": ["d", "e"]})) == [(1, None), (2, None)]


def test_a_span_is_credited_once() -> None:
    """Of three chunks over the first span, the first earns it; the others take no rank, or keep theirs."""
    found = chunks((0, 15), (12, 18), (60, 70), (15, 45))
    assert listed(joined(SPANS, found)) == [(1, "d[10:20]"), (2, None), (3, "d[40:50]")]
    assert joined(SPANS, found).judged.returned.tolist() == [3]
    kept = joined(SPANS, found, counts="returned")
    assert listed(kept) == [(1, "d[10:20]"), (2, None), (3, None), (4, "d[40:50]")]
    assert kept.judged.returned.tolist() == [4]


def test_a_chunk_that_hits_two() -> None:
    """The spans that one chunk hits take a rank each in the order of the text, or share the chunk's rank."""
    found = chunks((60, 70), (15, 45), (45, 60))
    assert listed(joined(SPANS, found)) == [(1, None), (2, "d[10:20]"), (3, "d[40:50]")]
    kept = joined(SPANS, found, counts="returned")
    assert listed(kept) == [(1, None), (2, "d[10:20]"), (2, "d[40:50]"), (3, None)]
    assert [kept.judged.judged_within(k).tolist() for k in (1, 2, None)] == [[1], [2], [3]]
    assert kept.judged.returned.tolist() == [3]


def test_chunks_that_hit_nothing() -> None:
    """Such a chunk has grade 0 if its document has judged spans, since it was read; else it is unjudged."""
    other = {name: values + chunks((0, 9), doc="e")[name] for name, values in chunks((60, 70), (0, 30)).items()}
    found = other | {"rank": [1, 2, 3]}
    grades = joined(SPANS, found).judged.hits(0, 1)[1]
    np.testing.assert_array_equal(grades, [0, 1, np.nan])
    values = ir.evaluate(SPANS, found, ["Judged@3", "P(unjudged=filter)", "P"], unit="spans").means
    assert [row["mean"] for row in values.rows()] == [2 / 3, 1 / 2, 1 / 3]


def test_gaps_between_ranks() -> None:
    """With ``rank_gaps=keep`` a rank that is missing stays empty, however many ranks the chunks before it take."""
    found = chunks((15, 45), (60, 70)) | {"rank": [2, 4]}
    assert listed(joined(SPANS, found, rank_gaps="keep")) == [(2, "d[10:20]"), (3, "d[40:50]"), (5, None)]
    assert listed(joined(SPANS, found, rank_gaps="keep", counts="returned"))[-1] == (4, None)


def test_measures_by_hand() -> None:
    """Ranks 1 nothing, 2 grade 1, 3 grade 2: DCG = 1/log2(3) + 2/2, the ideal 2 + 1/log2(3)."""
    found = chunks((60, 70), (15, 45), (45, 60))
    scores = ir.evaluate(SPANS, found, ["P@2", "R@2", "RR", "nDCG@10", "AP"], unit="spans")
    dcg = 1 / np.log2(3) + 2 / 2
    assert scores["P@2"] == scores["R@2"] == scores["RR"] == 0.5
    assert scores["nDCG@10"] == pytest.approx(dcg / (2 + 1 / np.log2(3)), abs=1e-12)
    assert scores["AP"] == pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-12)


def test_several_spans_at_a_rank() -> None:
    """Under ``counts=returned`` recall and RR take two spans at rank 2; P@2 is refused, with what to use."""
    found = chunks((60, 70), (15, 45), (45, 60))
    scores = ir.evaluate(SPANS, found, ["R@1", "R@2", "RR", "Success@2", "NumRelRet"], unit="spans", counts="returned")
    assert [scores[name] for name in ("R@1", "R@2", "RR", "Success@2", "NumRelRet")] == [0, 1, 0.5, 1, 2]
    with pytest.raises(ir.UsageError, match=r"P@2 counts one result per rank.*Use counts=units"):
        ir.evaluate(SPANS, found, ["P@2"], unit="spans", counts="returned")
    apart = chunks((60, 70), (15, 25), (45, 60))
    assert ir.evaluate(SPANS, apart, ["P@2"], unit="spans", counts="returned")["P@2"] == 0.5


def test_a_chunk_split_in_two() -> None:
    """Recall of all results stays as it is under ``any`` when a chunk is split into two neighbours, both returned."""
    whole, split = chunks((0, 30), (35, 60)), chunks((0, 14), (14, 30), (35, 45), (45, 60))
    for counts in ("units", "returned"):
        recall = [ir.evaluate(SPANS, each, ["R"], unit="spans", counts=counts)["R"] for each in (whole, split)]
        assert recall == [1, 1]


@pytest.mark.parametrize("ties", ["average", "best", "worst"])
def test_tied_chunks(ties: str) -> None:
    """Orders of tied chunks by the grades of spans are refused: which chunk earns a span would change with them."""
    found = {**chunks((0, 15), (12, 18)), "score": [1, 1]}
    del found["rank"]
    with pytest.raises(ir.DataError, match=rf"ties={ties} is not computed for spans, and 2 chunks are tied"):
        ir.evaluate(SPANS, found, ["R@1"], unit="spans", ties=ties)


@pytest.mark.parametrize("answer", [{"roll_up": "sum"}, {"unit_grade": "raters"}])
def test_answers_for_documents(answer: dict[str, str]) -> None:
    """Answers that roll chunks up to documents are refused where spans are judged."""
    with pytest.raises(ir.DataError, match="does not apply to unit=spans"):
        ir.evaluate(SPANS, chunks((0, 15)), ["R@1"], unit="spans", **answer)  # type: ignore[arg-type]  # two answers


class Span(NamedTuple):
    """A span as a set of characters."""

    query: str
    doc: str
    begin: int
    end: int

    @property
    def characters(self) -> set[int]:
        """Its characters."""
        return set(range(self.begin, self.end))

    def __str__(self) -> str:
        return f"{self.doc}[{self.begin}:{self.end}]"


def drawn(rng: random.Random, many: int) -> list[Span]:
    """Draw different spans of a few short documents, for two queries."""
    spans = []
    for _ in range(many):
        begin = rng.randrange(20)
        spans.append(Span(rng.choice("qr"), rng.choice("de"), begin, begin + rng.randint(1, 12)))
    return list(dict.fromkeys(spans))


def hits(chunk: Span, span: Span, rule: str, share: Fraction) -> bool:
    """Whether a chunk hits a span, over sets of characters."""
    a, b = chunk.characters, span.characters
    of = {"any": set[int](), "span": b, "chunk": a, "iou": a | b}[rule]
    return chunk[:2] == span[:2] and bool(a & b) and len(a & b) >= share * len(of)


def expected(
    found: list[Span], judged: list[Span], rule: str, share: Fraction, counts: str
) -> list[tuple[int, str | None]]:
    """Return rank and span of everything in one query's list."""
    credited: set[Span] = set()
    out: list[tuple[int, str | None]] = []
    rank = 0
    for chunk in found:
        joined = sorted((span for span in judged if hits(chunk, span, rule, share)), key=lambda span: span[2:])
        new = [span for span in joined if span not in credited]
        credited.update(new)
        if counts == "returned":
            rank += 1
            out += [(rank, str(span)) for span in new] or [(rank, None)]
        elif new or not joined:
            out += [(rank := rank + 1, str(span)) for span in new] or [(rank := rank + 1, None)]
    return out


def columns(spans: list[Span], **more: Any) -> Columns:
    """Return spans as a table."""
    return {name: [getattr(span, name) for span in spans] for name in Span._fields} | more


@pytest.mark.parametrize("rule", ["any", "span", "chunk", "iou"])
@pytest.mark.parametrize("counts", ["units", "returned"])
def test_against_sets_of_characters(rule: str, counts: str) -> None:
    """On random chunks and spans, hits and ranks are those found with sets of characters, one chunk after another."""
    rng = random.Random(f"{rule} {counts}")
    for _ in range(tried(32)):
        share = rng.choice(["0.1", "0.25", "0.3", "0.5", "0.7", "1"])
        judged, found = drawn(rng, 8), drawn(rng, 12)
        overlap = rule if rule == "any" else f"{rule}({share})"
        results = columns(found, rank=list(range(1, len(found) + 1)))
        if not {span.doc for span in judged} & {span.doc for span in found}:
            continue  # refused: test_other_documents
        lists = joined(columns(judged, grade=[1] * len(judged)), results, overlap=overlap, counts=counts)
        for place, query in enumerate(lists.queries):
            own = [span for span in found if span.query == query]
            wanted = expected(own, judged, rule, Fraction(share) if rule != "any" else Fraction(0), counts)
            assert listed(lists, place) == wanted, (overlap, judged, own)
            assert lists.judged.returned[place] == max((rank for rank, _ in wanted), default=0)
