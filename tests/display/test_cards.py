"""Cards of a notebook: what they say first, what they fold away, what an error shows."""

from __future__ import annotations

import functools
import linecache
import re

import pytest

import idealrank as ir
from tests.comparison.pairs import shop
from tests.display.face import Face, card_text, face


def test_a_comparison_is_a_card() -> None:
    """What to do is the first thing, in a frame of its own and in larger letters; the reason follows in it."""
    found = shop()
    (style, card), *_ = re.findall(r'<div style="(border[^"]*)">(.*?)</div>', found._repr_html_())
    assert found._repr_html_().startswith(f'<div style="{style}">')
    assert re.findall(r'<b style="font-size:130%">(.*?)</b>', card) == ["hybrid: CAN&#x27;T TELL"]
    assert Face(card).text == f"{card_text(found)}−0.035 to +0.117worse0better"


@pytest.mark.parametrize(
    ("gained", "lost", "outcome", "colour"),
    [
        (60, 0, "SHIP", "#0d8ea6"),
        (0, 60, "DON'T", "#c96a1e"),
        (0, 0, "ABOUT THE SAME", "#7a838e"),
        (9, 8, "CAN'T TELL", "#a87a00"),
    ],
)
def test_an_outcome_has_a_colour_and_its_interval(gained: int, lost: int, outcome: str, colour: str) -> None:
    """The edge is green-blue, orange, grey or yellow; the line below reaches from end to end of the interval.

    No change is in the middle of 320, and the end farther from it 12 before the edge: 148 away.
    """
    queries = [f"q{i:02}" for i in range(64)]
    first, second = {"d": 2.0, "x": 1.0}, {"d": 1.0, "x": 2.0}
    old = {q: second if i < 32 or i < gained else first for i, q in enumerate(queries)}
    new = {q: first if i < gained else second if i >= 64 - lost else old[q] for i, q in enumerate(queries)}
    old |= dict.fromkeys(queries[64 - lost :], first)
    found = ir.compare({q: {"d": 1, "x": 0} for q in queries}, {"old": old, "new": new}, ["RR"])
    card = next(each for each in found._repr_html_().split("</div>") if "<b" in each and "warning" not in each)
    assert found.verdict.outcome == outcome
    assert f"border-left:.4em solid {colour};" in card
    low, difference, high = (found.differences[name][0] for name in ("corrected low", "difference", "corrected high"))
    scale = 148 / max(abs(low), abs(high)) if high - low else 0
    ends = [f"{160 + scale * end:.1f}" for end in (low, high)]
    assert re.findall(r'd="M([\d.]+) 26H([\d.]+)" stroke="#', card) == [tuple(ends)]
    assert f'<circle cx="{160 + scale * difference:.1f}"' in card


def test_less_is_better_is_drawn_to_the_right() -> None:
    """Where less is better, a fall is drawn on the side that is called better; the ends keep their signs.

    Before, 2 of 4 documents without relevance are returned; after, 1 of 4 by every fourth query, none by the others.
    """
    judgments = {f"q{i:02}": {"d": 1, "x": 0, "y": 0, "z": 0, "w": 0} for i in range(40)}
    old = {q: {"x": 3.0, "y": 2.0, "d": 1.0} for q in judgments}
    new = {q: {"d": 3.0} if i % 4 else {"x": 2.0, "d": 1.0} for i, q in enumerate(judgments)}
    found = ir.compare(judgments, {"old": old, "new": new}, ["Fallout"])
    ((left, right),) = re.findall(r'd="M([\d.]+) 26H([\d.]+)" stroke="#', found._repr_html_())
    assert found["Fallout"].difference == 1 / 16 - 1 / 2
    assert 160 < float(left) < float(right) == 308
    assert re.search(r"−0\.47\d to −0\.40\d", face(found).text)


def test_a_verdict_alone_is_a_card() -> None:
    """The verdict of a comparison is its card, without the drawing of the interval."""
    found = shop()
    for verdict in (found.verdict, found.verdict["hybrid"]):
        assert face(verdict).text == card_text(found)
        assert "solid #a87a00" in verdict._repr_html_()


def test_how_the_numbers_were_made_is_folded_away() -> None:
    """Decisions, ledger and fingerprints are in one place at the end that opens; numbers and footnotes are not."""
    found = shop()
    explanation = found.scores.explain("nDCG@10", "q01", "bm25")
    flavors = ir.flavors(*ir.from_grades([3, None, 1]), k=3)
    for value in (found, found.scores, explanation, flavors, found.scores.per_query):
        shown, *folded = value._repr_html_().split("<details>")
        assert len(folded) == 1
        assert folded[0].endswith("</details>")
        assert Face(f"<details>{folded[0]}").text.startswith("How these numbers were made")
        for word in ("decisions", "ledger", "nDCG[", "fingerprints"):
            assert word not in Face(shown).text
    assert "nDCG[" in folded[0]


def test_a_warning_is_not_folded_away() -> None:
    """What the ledger warns of is under the means, in sight: the search for r failed."""
    scores = ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"])
    assert scores.ledger.warnings == ()
    failed = [{"query": "r", "doc": None, "score": None, "error": "timeout"}]
    rows = [{"query": "q", "doc": "d", "score": 1.0, "error": None}, *failed]
    warned = ir.evaluate({"q": {"d": 1}, "r": {"d": 1}}, rows, ["RR"])
    (warning,) = warned.ledger.warnings
    assert warning in Face(warned._repr_html_().split("<details>")[0]).text


def test_a_report_is_a_card() -> None:
    """A report shows its title, what to do, and how to write the whole of it; of scores alone the means."""
    found = shop()
    page = face(ir.report(found, title="Week 47"))
    assert page.text.startswith(f"Week 47{card_text(found)}")
    assert page.tables == []
    assert "report.save('report.html')" in page.text
    assert len(face(ir.report(found.scores)).tables) == 1


CELL = """def mine(scores):
    return scores["nope"]

mine(scores)
"""


def test_a_notebook_shows_the_callers_line() -> None:
    """The last line before this package, and the message: no frame of ours."""
    linecache.cache["<cell>"] = (len(CELL), None, CELL.splitlines(keepends=True), "<cell>")
    scores = ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"])
    with pytest.raises(ir.UsageError) as refused:
        exec(compile(CELL, "<cell>", "exec"), {"scores": scores})
    assert len(refused.traceback) > 4
    said = f"{type(refused.value).__name__}: {refused.value}"
    assert refused.value._render_traceback_() == ['line 2: return scores["nope"]', said]


def test_a_notebook_shows_the_line_behind_a_lazy_value() -> None:
    """The same where Python's own code calls ours, as for a value that is computed when it is asked for."""
    with pytest.raises(ir.UsageError) as refused:
        functools.reduce(lambda _, name: ir.measure(name), ["RR", "nope"])
    shown = refused.value._render_traceback_()
    assert shown[0].startswith("line ")
    assert "functools.reduce(lambda" in shown[0]


def test_reprs_are_short_and_show_values() -> None:
    """The reprs of small values are one line with their numbers and answers."""
    found = shop()
    contrast = found["nDCG@10"]
    low, high = f"−{-contrast.corrected.low:.4f}", f"{contrast.corrected.high:+.4f}"
    said = f"nDCG@10 of hybrid instead of bm25: +0.0411 ({low} to {high}, corrected p {contrast.p:.4f})"
    assert repr(contrast) == f"Contrast({said})"
    assert repr(ir.measure("ndcg@10")).startswith("Measure('nDCG@10': Normalised discounted cumulative gain")
    assert repr(ir.CONVENTIONS["sklearn"]) == (
        "Convention('sklearn': order_by=score, ties=average, ideal=returned, negative=keep, no_results=skip)"
    )
    assert repr(ir.CONVENTIONS).startswith("Conventions(idealrank-1, trec_eval-9.0.8, ")
    assert repr(ir.Decisions()) == "Decisions()"
    assert eval(repr(ir.Decisions(gain="exp2", unjudged=1)), {"Decisions": ir.Decisions}) == ir.Decisions(
        gain="exp2", unjudged=1
    )
