"""Which ids are worth a look: the core finds them, and Python makes texts of these alone."""

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank._core import Column, from_columns
from idealrank.doctor.findings.ids import clean_id
from idealrank.doctor.inputs import Ids, ids_of, match_prefix, match_spelling
from idealrank.judged_lists.near_ids import fold_spelling

NAMES = st.lists(st.text(st.sampled_from("aA01é% :/\n\ufeffÃ©"), max_size=6), max_size=8, unique=True)


def column(names: list[str]) -> Column:
    """Return names as a column."""
    return from_columns(["id"], [names]).column(0)


@given(NAMES, NAMES)
def test_ids_among_others(names: list[str], others: list[str]) -> None:
    """They are those of the list, each with its place there."""
    here, there = column(names).among(column(others))
    places = [place for place, name in enumerate(names) if name in others]
    assert (here.tolist(), there.tolist()) == (places, [others.index(names[place]) for place in places])


@given(NAMES, NAMES)
def test_the_first_and_the_last(names: list[str], others: list[str]) -> None:
    """They are the least and the greatest of those that are not among others."""
    left = [name for name in names if name and name not in others]
    assert column(names).ends(column(others)) == ((min(left), max(left)) if left else None)


@given(NAMES, NAMES)
def test_no_id_worth_a_look_is_passed_over(names: list[str], others: list[str]) -> None:
    """What is spelled like one of the others, or could be cleaned, is found."""
    folded = [fold_spelling(name) for name in others]
    found = column(names).spelled_as(column(folded)).tolist()
    assert {i for i, name in enumerate(names) if fold_spelling(name) in folded} <= set(found)
    odd = set(column(names).odd().tolist())
    assert {i for i, name in enumerate(names) if clean_id(name) != name} <= odd


@given(NAMES, NAMES)
def test_matches_are_those_of_the_texts(theirs: list[str], ours: list[str]) -> None:
    """Spellings and prefixes are found as by comparing all texts."""
    folded = [fold_spelling(name) for name in ours]
    spelled = {
        name: ours[folded.index(key)]
        for name in theirs
        if name and name not in ours and folded.count(key := fold_spelling(name)) == 1
    }
    assert match_spelling(ids_of(theirs), ids_of(ours)).ours == spelled
    found = match_prefix(ids_of(theirs), ids_of(ours))
    prefix = found.by.removeprefix("the prefix ")
    assert all(prefix + new == name or prefix + name == new for name, new in found.ours.items())
    assert all(name in theirs and name not in ours and new in ours for name, new in found.ours.items())


def test_prefixes_of_some_ids() -> None:
    """Ids that lack the prefix, and those that are judged as they are, stay out."""
    theirs = ids_of(["d:1", "d:2", "d:3", "d:9", "d:", "4"])
    assert match_prefix(theirs, ids_of(["1", "2", "3", "d:9"])).ours == {}  # "4" has no prefix
    theirs = ids_of(["d:1", "d:2", "d:3", "d:9"])
    assert match_prefix(theirs, ids_of(["1", "2", "3", "d:9"])).ours == {"d:1": "1", "d:2": "2", "d:3": "3"}


def test_no_text_for_every_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor makes texts of few documents of results, and holds some numbers a row."""
    many = 40_000
    judged, few, run = (tmp_path / name for name in ("judged", "few", "run"))
    judged.write_text("query1 0 document1 1\nquery2 0 document250 1\n")
    lines = [f"query{row // 100} Q0 document{row} 1 {100 - row % 100} s\n" for row in range(many)]
    few.write_text("".join(lines[:500]))
    run.write_text("".join(lines))
    del lines
    made: list[int] = []
    names = Ids.names.func
    whole = property(lambda ids: made.append(len(ids.distinct)) or names(ids))
    monkeypatch.setattr(Ids, "names", whole)
    ir.doctor(judged, few)  # what is imported for it
    tracemalloc.start()
    ir.doctor(judged, run)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert max(made) <= many // 100
    assert most < 240 * many, most / many
