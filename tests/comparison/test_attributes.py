"""Attributes: how queries are put into segments."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir
from idealrank.comparison.segments.attributes import Attribute, attributes, results_attribute as answered
from tests.comparison.pairs import attribute, segments, shop

D = [0.1, -0.2, 0.3, 0.05, 0.0, 0.2] * 10


def made(*names: str, **options: Any) -> dict[str, Attribute]:
    """Return the attributes of the shop by name."""
    scores = shop(**options).scores
    return {found.name: found for found in (*attributes(scores, names), *answered(scores, (0, 1), names))}


def test_what_is_there_makes_the_segments() -> None:
    """Without names: columns of few values, words and digits of the texts, traffic, and what returned nothing."""
    found = made()
    assert list(found) == ["segment", "length", "digit", "traffic", "results"]
    sizes = {name: {k: int(v.sum()) for k, v in each.segments.items()} for name, each in found.items()}
    assert sizes["segment"] == {"brand": 10, "category": 18, "problem": 13}
    assert sizes["length"] == {"1": 5, "2": 17, "3+": 19}
    assert sizes["digit"] == {"yes": 1, "no": 40}
    assert sizes["results"] == {"both": 39, "one": 2}
    assert all(sum(each.values()) == 41 for each in sizes.values())


def test_traffic() -> None:
    """Head, torso and tail are the queries that begin in the first, second and last third of all traffic.

    The frequencies of the 41 judged queries add up to 42,280. The first four have 15,800, more than a third, and the
    first three less; the first ten have 29,320, more than two thirds, and the first nine less.
    """
    segments = made("traffic")["traffic"].segments
    assert {name: int(mask.sum()) for name, mask in segments.items()} == {"head": 4, "torso": 6, "tail": 31}


def test_equal_frequencies_stay_together() -> None:
    """Queries asked equally often are in one band, also where a third ends between them."""
    found = segments([[0.1] * 6], {"frequency": attribute([5, 2, 2, 2, 2, 2])}, names=("traffic",))
    assert {row.name: row.queries for row in found.rows} == {"head": 1, "torso": 5}


def test_ids_of_several_words_are_texts() -> None:
    """Where no table has texts and queries are known by their words, the words are counted."""
    judgments = {key: {"d": 1} for key in ("red shoes", "hat", "size 10 boots")}
    found = ir.compare(judgments, {"a": judgments, "b": judgments}, ["RR"])
    assert {(row.attribute, row.name) for row in found.segments.rows} >= {("length", "1"), ("digit", "no")}
    ids = {f"q{i}": {"d": 1} for i in range(5)}
    nothing = ir.compare(ids, {"a": ids, "b": ids}, ["RR"]).segments
    assert (nothing.rows, len(nothing.table), nothing.made) == ((), 0, {})
    assert "none: nothing known about the queries tells them apart" in repr(nothing)


def test_columns_of_many_values_make_no_segments() -> None:
    """A column of numbers that differ, of one value, of texts or of frequencies is taken only if it is named."""
    columns = {"price": attribute([str(i) for i in range(60)]), "shop": attribute(["one"] * 60)}  # one each
    assert segments([D], columns | {"frequency": attribute(["3"] * 60)}).made == {}
    assert len(segments([D], columns, names=("price",)).rows) == 60


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("segmnet", "No query attribute called 'segmnet'. Did you mean segment?"),
        (["segment", "nosuch"], "No query attribute called 'nosuch'."),
    ],
)
def test_an_attribute_that_is_not_there(names: Any, said: str) -> None:
    """A name that is neither a column nor built in is refused with what is known, before anything is computed."""
    with pytest.raises(ir.UsageError) as refused:
        shop(segments=names)
    assert said in str(refused.value)


@pytest.mark.parametrize("name", ["length", "digit", "traffic"])
def test_an_attribute_that_cannot_be_made(name: str) -> None:
    """Segments by texts or traffic, where there are none, are refused with what to give."""
    ids = {f"q{i}": {"d": 1} for i in range(5)}
    with pytest.raises(ir.UsageError, match=f"Segments by {name} need"):
        ir.compare(ids, {"a": ids, "b": ids}, ["RR"], segments=name)


def test_frequencies_by_their_name_are_traffic() -> None:
    """The column of frequencies, asked for, is cut into head, torso and tail."""
    assert {row.attribute for row in shop(segments="frequency").segments.rows} == {"traffic"}


@pytest.mark.parametrize("name", ["length", "digit", "results", "Results"])
def test_a_column_goes_before_what_is_built_in(name: str) -> None:
    """A column of the queries table that is called like a built-in attribute is taken in its place, once."""
    kinds = {name: attribute(["x", "y"] * 30)}
    for names in ((), (name,)):
        found = segments([D], kinds, names=names)
        assert found.made == {name: f"column {name} of the queries table"}
        assert [row.name for row in found.rows] == ["x", "y"]


def test_thirds_begin_where_they_end() -> None:
    """A query before which exactly a third of the traffic lies, 4 of 12, begins the second band."""
    found = segments([[0.1] * 4], {"frequency": attribute([4, 3, 3, 2])}, names=("traffic",))
    assert {row.name: row.queries for row in found.rows} == {"head": 1, "torso": 2, "tail": 1}
