"""What a search function may return for a result: an id, a pair, or an object that plainly has an id."""

import math
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import idealrank as ir
from idealrank.engines.hits import hit


class Named:
    """An object that prints, and has no id."""

    def __repr__(self) -> str:
        return "<Document d1>"


class Found(NamedTuple):
    """A row of three, the id and the score called by their names."""

    score: float
    title: str
    id: str


class Row(NamedTuple):
    """A row of three in which no name is that of an id."""

    key: str
    similarity: float
    title: str


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("d1", ("d1", None)),
        (7, (7, None)),
        (np.int64(7), (7, None)),
        (("d1", 0.5), ("d1", 0.5)),
        ({"id": "d1", "score": 2}, ("d1", 2.0)),
        ({"doc_id": 7}, (7, None)),
        ({"page_content": "…", "metadata": {"id": "d1"}}, ("d1", None)),
        (SimpleNamespace(id="d1", score=0.25), ("d1", 0.25)),
        (SimpleNamespace(id=None, page_content="…", metadata={"doc_id": "d1"}), ("d1", None)),
        (SimpleNamespace(node=SimpleNamespace(node_id="n1"), score=0.5), ("n1", 0.5)),
        ((SimpleNamespace(id="d1"), 0.5), ("d1", 0.5)),
        (("d1", 0.5, {"title": "Shoes"}), ("d1", 0.5)),
        (["d1", None, "a", "b"], ("d1", None)),
        (Found(0.5, "Shoes", "d1"), ("d1", 0.5)),
        (Row("d1", 0.5, "Shoes"), ("d1", 0.5)),
    ],
)
def test_what_has_an_id(item: Any, expected: tuple[Any, float | None]) -> None:
    """Ids, pairs, dicts and objects as search libraries return them."""
    assert hit(item) == expected


@pytest.mark.parametrize(
    ("item", "kind"),
    [(Named(), "a Named"), (None, "None"), ({"text": "x"}, "a dict"), (True, "a bool"), (b"d", "a byte")],
)
def test_what_has_none(item: Any, kind: str) -> None:
    """An object's repr is no id: a replay stops at once and names the type."""
    with pytest.raises(ir.DataError, match=f"returned {kind}.* without an id that is text or a whole number"):
        ir.replay(["q"], lambda text: [item])


FORMS: dict[str, Any] = {
    "dict of dicts": {"q": {Named(): 1.0, "d": 0.5}},
    "bool in a dict": {"q": {True: 1.0, "d": 0.5}},
    "tuple in a dict": {"q": {("a", 1): 1.0, "d": 0.5}},
    "None in a dict": {"q": {None: 1.0, "d": 0.5}},
    "query of a dict": {Named(): {"d": 1.0}},
    "columns": {"query": ["q", "q"], "doc": [Named(), "d"], "rank": [1, 2]},
    "rows": [{"query": "q", "doc": "d", "rank": 1}, {"query": "q", "doc": Named(), "rank": 2}],
}


@pytest.mark.parametrize("form", FORMS)
def test_objects_in_tables(form: str) -> None:
    """No reader of objects takes what is no text and no number for an id; it says where, and what it is."""
    with pytest.raises(ir.DataError, match=r"results.*(is a (Named|bool|tuple), which is neither|doc id is missing)"):
        ir.evaluate({"q": {"d": 1}}, FORMS[form], ["RR"])


def test_objects_elsewhere_are_left_alone() -> None:
    """Only ids are looked at: a column nobody reads may hold anything."""
    rows = {"query": ["q"], "doc": ["d"], "rank": [1], "raw": [Named()]}
    assert ir.evaluate({"q": {"d": 1}}, rows, ["RR"])["RR"] == 1


def test_a_dict_of_scores_goes_by_score() -> None:
    """{id: score} is ranked by score, as a dict of dicts is; equal scores stay as they are."""
    found = ir.replay(["q"], lambda text: {"d1": 0.5, "d2": 0.9, "d3": 0.9})
    assert ir.evaluate({"q": {"d2": 1}}, found, ["RR"])["RR"] == 1
    assert ir.evaluate({"q": {"d3": 1}}, found, ["RR"])["RR"] == 1 / 2


def test_the_query_is_named() -> None:
    """What is refused says for which query."""
    with pytest.raises(ir.DataError, match="query 'hats', rank 1: the search function returned None"):
        ir.replay(["shoes", "hats"], lambda text: ["d1"] if text == "shoes" else [None])


@pytest.mark.parametrize(
    ("answer", "rank"),
    [
        ([("d1", 1.0), ("d2", math.nan)], 2),
        ([("d1", 1.0), ("d2", np.float32("-inf"))], 2),
        ([{"id": "d2", "score": math.inf}], 1),
        ({"d1": 0.5, "d2": math.nan, "d3": 0.7}, 1),
        ({"d1": 0.5, "d2": math.inf}, 1),
    ],
)
def test_scores_that_are_no_numbers(answer: Any, rank: int) -> None:
    """A score that is NaN or infinite puts nothing in order: query, rank and document are named."""
    said = rf"^query 'q7', rank {rank}: document 'd2' has the score -?(nan|inf), which is not finite\. Return"
    with pytest.raises(ir.DataError, match=said):
        ir.replay({"q7": "shoes"}, lambda text: answer, k=2)


def test_a_title_is_no_score() -> None:
    """What stands second is the score: a row with a title there is refused, the search has not failed."""
    with pytest.raises(ir.DataError, match=r"^query 'q', rank 1: document 'd1' has the score 'Shoes', which is not a"):
        ir.replay(["q"], lambda text: [("d1", "Shoes", 0.5)])


def test_an_error_with_half_a_character() -> None:
    """What an error says is kept as text that can be stored, whatever bytes it quotes."""

    def search(text: str) -> list[str]:
        raise ValueError("bad byte \udcff")

    found = ir.replay(["a"], search)
    assert found.failed("") == {"a": "ValueError: bad byte \\udcff"}
