"""What a notebook shows: read as a notebook reads it, numbers equal, hostile text text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from scipy import stats

import idealrank as ir
from idealrank.display.html import GROUND, INK
from idealrank.display.numbers import change_text
from idealrank.display.palette import ON_ANY_GROUND
from tests.comparison.pairs import shop
from tests.comparison.worlds import one_relevant, random_world, reciprocal
from tests.display.face import card_text, contrast, face


def test_scores_of_one_system() -> None:
    """One row a measure: the mean to four decimals as in `means`, with Student's interval of the values, up to 1."""
    scores = ir.evaluate(one_relevant(4), reciprocal({"q000": 1, "q001": 2, "q002": 4, "q003": 2}), ["RR", "P@5"])
    head, *rows = face(scores).tables[0]
    span = stats.ttest_1samp([1, 0.5, 0.25, 0.5], 0).confidence_interval(0.95)
    assert head == ["measure", "mean (95% interval)"]
    assert rows[0] == ["RR", f"0.5625 ({span.low:.4f} to 1.0000)"]
    assert span.high > 1
    assert [row[1].split()[0] for row in rows] == [f"{mean:.4f}" for mean in scores.means["mean"]]


@pytest.mark.parametrize("systems", [2, 20])
def test_scores_of_several_systems(systems: int) -> None:
    """Every mean of `means` stands in the cell of its measure and system; what there is more of goes down."""
    judgments, runs = random_world(1, queries=10, systems=systems)
    scores = ir.evaluate(judgments, runs, ["nDCG@10", "RR", "AP"])
    head, *rows = face(scores).tables[0]
    found = {(row[0], name): cell.split()[0] for row in rows for name, cell in zip(head[1:], row[1:], strict=True)}
    for row in scores.means:
        for system in runs:
            key = (row["measure"], system) if systems == 2 else (system, row["measure"])
            assert found[key] == f"{row[system]:.4f}"
    assert len(rows) == max(systems, 3)


def test_the_footnote_of_scores() -> None:
    """Under the numbers stand the convention and how many queries are in the mean; where they differ, which."""
    judgments = {key: {"d": 1} for key in "abcd"}
    runs = {"full": {key: {"d": 1.0} for key in "abcd"}, "part": {key: {"d": 1.0} for key in "abc"}}
    said = face(ir.evaluate(judgments, runs, ["RR"], no_results="skip")).text
    assert "RR under idealrank-1, no_results=skip; full 4, part 3 of 4 queries" in said
    assert (
        "RR under trec_eval-9.0.8; 3 of 4 queries"
        in face(ir.evaluate(judgments, runs["part"], ["RR"], convention="trec_eval-9.0.8")).text
    )


def test_a_comparison() -> None:
    """The verdict comes first, then the means, then the differences with sign and glyph and their intervals."""
    found = shop()
    page = face(found)
    assert page.text.startswith(card_text(found))
    means, differences = page.tables[:2]
    rows = {row[0]: dict(zip(differences[0], row, strict=True)) for row in differences[1:]}
    for row in found.differences:
        mine = rows[row["measure"]]
        assert mine["difference"] == f"▲ {row['difference']:+.4f}"
        assert mine["interval"] == f"{row['corrected low']:+.4f} to {row['corrected high']:+.4f}".replace("-", "−")
        assert (int(mine["wins"]), int(mine["losses"])) == (row["wins"], row["losses"])
    assert [row[3] for row in means[1:]] == [f"{mean:.4f}" for mean in found.means["mean"]]
    assert "nDCG@10, RR under idealrank-1; 41 of 41 queries; differences: 41 of 41 queries paired" in page.text
    assert found.rule.level == 0.95
    assert "student_t interval at 95%" in page.text


@pytest.mark.parametrize(
    ("difference", "direction", "written"),
    [
        (0.04113, "higher", "▲ +0.0411"),
        (-0.0123, "higher", "▼ −0.0123"),
        (0.0, "higher", "= 0.0000"),
        (-1e-13, "higher", "= 0.0000"),
        (0.00001, "higher", "▲ +0.0000"),
        (-0.5, "lower", "▲ −0.5000"),
        (0.5, "lower", "▼ +0.5000"),
        (2.0, "count", "▲ +2.0000"),
        (float("nan"), "higher", "–"),
    ],
)
def test_differences_have_sign_and_glyph(difference: float, direction: str, written: str) -> None:
    """▲ is a gain, ▼ a loss, = no difference: to within what rounding makes, and by what is better."""
    assert change_text(difference, direction) == written


def test_segments_have_glyphs() -> None:
    """The table of segments has one row a segment, its difference with sign and glyph."""
    found = shop(segments="segment", measures=["nDCG@10"]).segments
    head, *rows = face(found).tables[0]
    place = head.index("difference")
    expected = [f"{'▲' if row.difference > 0 else '▼'} {row.difference:+.4f}".replace("-", "−") for row in found.rows]
    assert [row[place] for row in rows] == expected


def test_an_explanation() -> None:
    """The value first, then the steps with the ideal, and which of how many queries it is of."""
    scores = ir.evaluate({"q": {"a": 2, "b": 1}, "r": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}, ["DCG@5"], gain="exp2")
    page = face(scores.explain("DCG@5", "q"))
    assert page.text.startswith(f"query q, results: DCG@5 = {scores.of('DCG@5')[0]:.4f}")
    steps = page.tables[0]
    assert [row[steps[0].index("doc")] for row in steps[1:]] == ["b", "a"]
    assert "DCG@5 under idealrank-1, gain=exp2; 1 of 2 queries" in page.text


def test_a_long_explanation_is_cut() -> None:
    """Of a thousand results those that count are shown, sixty at most, and the others are counted."""
    run = {"q": {f"d{i:04}": 1000.0 - i for i in range(1000)}}
    page = face(ir.explain({"q": {"d0899": 1, "d0000": 0}}, run, "AP", query="q"))
    assert len(page.tables[0]) == 61
    assert "… 840 more rows: explanation.steps.to_pandas()" in page.text
    assert "100 more results contribute nothing" in page.text


def test_flavors() -> None:
    """Each flavour's mean stands beside its meaning, and under them how many queries are in them."""
    flavors = ir.flavors(*ir.from_grades([3, None, 1]), k=10)
    page = face(flavors)
    assert {row[0]: row[1] for row in page.tables[0][1:]} == {
        row["flavor"]: f"{row['mean']:.4f}" for row in flavors.means
    }
    assert "means under idealrank-1; 1 of 1 query" in page.text


HOSTILE = (
    "<script>alert(1)</script>",
    "a\"b'c&amp;d",
    "line\nline",
    "\u05d0\u05d1\u202e<b>",
    "</td></table>",
    "--><!--",
    "\x1b[31mred",
)
SHOWN = tuple(name.replace("\u202e", r"\u202e").replace("\x1b", r"\x1b") for name in HOSTILE)
"""The same names as a face shows them: what would act where it is copied to is text."""


GROUNDS_OF_NOTEBOOKS = ("#ffffff", "#111111", "#1e1e1e", "#212121", "#383838")
"""Light; dark in JupyterLab 4 and 3, VS Code, and Colab."""


def faces() -> list[Any]:
    """Return all that has a face, with hostile ids of queries, documents and systems."""
    judgments = {query: {doc: 1 + i % 2 for i, doc in enumerate(HOSTILE)} for query in HOSTILE}
    run = {query: {doc: float(i) for i, doc in enumerate(HOSTILE)} for query in HOSTILE}
    turned = {query: {doc: -value for doc, value in docs.items()} for query, docs in run.items()}
    scores = ir.evaluate(judgments, dict(zip(HOSTILE[:3:2], (run, turned), strict=True)), ["nDCG@10", "RR"])
    two = ir.evaluate(judgments, {HOSTILE[3]: run, HOSTILE[4]: turned}, ["nDCG@10"])
    explained = [scores.explain("nDCG@10", query, HOSTILE[0]) for query in HOSTILE]
    comparisons = [ir.compare(each, draws=100) for each in (scores, two)]
    return [scores, two, *comparisons, *explained, ir.flavors(judgments, {HOSTILE[3]: run}, k=3), scores.per_query]


def test_hostile_text_is_text() -> None:
    """Whatever ids hold, only tags of this program open, none has a handler, ids are read back, no sign acts."""
    allowed = {"table", "thead", "tbody", "tr", "th", "td", "p", "b", "bdi", "div", "small", "details", "summary"}
    for value in faces():
        page = face(value)
        assert {tag for tag, _ in page.tags} <= allowed | {"ul", "li"} | {"svg", "path", "circle", "text"}
        words = [tag for tag in page.tags if tag[0] not in ("svg", "path", "circle", "text")]
        assert {name for _, attributes in words for name in attributes} <= {"style", "align"}
        assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
        assert not re.search("[\x1b\x9b\u202a-\u202e\u2066-\u2069]", value._repr_html_())
    (scores, two, *_), names = faces(), {cell for row in face(faces()[-1]).tables[0] for cell in row}
    assert set(SHOWN) <= names
    assert face(scores).tables[0][0][1:] == list(SHOWN[:3:2])
    assert face(two).tables[0][1][0] == SHOWN[3]


def test_text_from_right_to_left_is_set_apart() -> None:
    """An id that runs from right to left stands in an element of its own, which turns nothing beside it."""
    html = faces()[-1]._repr_html_()
    for found in re.finditer("\u05d0", html):
        before = html[: found.start()]
        assert before.rfind("<bdi>") > before.rfind("</bdi>")
    heading = face(ir.explain({HOSTILE[3]: {"d": 1}}, {HOSTILE[3]: {"d": 1.0}}, "RR")).tags
    assert "bdi" in [tag for tag, _ in heading[:4]]


def test_it_is_read_in_light_and_dark() -> None:
    """Words have the colour of the notebook; of ours are only an edge, and a line, which can be seen on any ground.

    The ground of a table, which hides what scrolls below its first column, comes from the theme, as does its ink.
    """
    edges = set()
    for value in faces():
        for tag, attributes in face(value).tags:
            style = (attributes.get("style") or "").replace(f"background:{GROUND};color:{INK}", "")
            style = style.replace("background:inherit", "")
            edges |= set(re.findall("#[0-9a-f]{6}", f"{style} {attributes.get('stroke')} {attributes.get('fill')}"))
            style = re.sub("border-left:.4em solid #[0-9a-f]{6}", "", style)
            assert not re.search(r"color|background|#|rgb|url", style), (tag, style)
    assert edges == {"#a87a00"}
    assert min(contrast(each, ground) for each in ON_ANY_GROUND.values() for ground in GROUNDS_OF_NOTEBOOKS) >= 3


def test_the_text_of_a_query_is_text() -> None:
    """In the heading of an explanation the query's text stands beside its id, and makes no element."""
    for text, raw in zip(HOSTILE, SHOWN, strict=True):
        shown = raw.replace("\u202e", r"\u202e")
        table = {"query_id": ["q"], "query": [text]}
        scores = ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"], queries=table)
        page = face(scores.explain("RR", "q"))
        assert page.text.startswith(f"query q ({shown}), results: RR = 1.0000")
        assert not {tag for tag, _ in page.tags} & {"script", "img"}


def test_means_under_other_answers() -> None:
    """What other answers would make of a mean stands in a table of its own: of two queries one has no results.

    RR is 1/2 in the other, behind an unjudged result: (0 + 1/2) / 2; without the missing query 1/2, without the
    unjudged result (0 + 1) / 2.
    """
    scores = ir.evaluate({"q": {"d": 1}, "r": {"d": 1}}, {"q": {"x": 2.0, "d": 1.0}}, ["RR"])
    page = face(scores)
    assert "How much each choice matters (changes above 0.0005)" in page.text
    (head, *rows) = page.tables[-1]
    assert head == ["answer", "because", "RR"]
    assert {row[0]: row[2] for row in rows} == {"no_results=skip": "0.5000", "unjudged=filter": "0.5000"}
    assert "What the means would be" not in face(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"])).text


def test_means_under_other_answers_name_their_system() -> None:
    """Of two systems one has an unjudged result: the row bears its name, and its mean without it."""
    runs = {"plain": {"q": {"d": 1.0}}, "holed": {"q": {"x": 2.0, "d": 1.0}}}
    head, *rows = face(ir.evaluate({"q": {"d": 1}}, runs, ["RR"])).tables[-1]
    assert head == ["system", "answer", "because", "RR"]
    assert [(row[0], row[1], row[3]) for row in rows] == [("holed", "unjudged=filter", "1.0000")]


def test_a_long_table_says_how_to_see_the_rest() -> None:
    """Sixty rows are shown; the calls named below show the next, and all."""
    judgments = {f"q{i:03}": {"d": 1} for i in range(100)}
    table = ir.evaluate(judgments, {q: {"d": 1.0} for q in judgments}, ["RR"]).per_query
    page = face(table)
    assert len(page.tables[0]) == 1 + 60
    assert page.text.split("How these")[0].endswith(
        "… 40 more rows: table[60:100] shows the next, table.to_pandas() has all"
    )
    (rest,) = face(table[60:100]).tables
    assert [row[0] for row in rest[1:]] == [f"q{i:03}" for i in range(60, 100)]
    assert len(table.to_pandas()) == 100
