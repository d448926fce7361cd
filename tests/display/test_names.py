"""Long names, cut: start and end stay, and no two become one."""

import random

import pytest

from idealrank.display.blocks import text_width
from idealrank.display.names import cut_middle, cut_names

TWENTY = [f"search_service_experiment_{i:02}_with_rerank_{'minilm' if i % 2 else 'bge'}" for i in range(20)]
"""Names whose difference is neither at the start nor at the end."""


@pytest.mark.parametrize("width", [24, 30, 40])
def test_names_that_differ_in_the_middle_stay_apart(width: int) -> None:
    """The cut goes where it keeps the names apart: the number stays."""
    cut = cut_names(TWENTY, width)
    assert len(set(cut)) == 20
    assert max(map(len, cut)) <= width
    assert all(short[0] == name[0] and short[-1] == name[-1] for short, name in zip(cut, TWENTY, strict=True))
    assert all(f"{i:02}_with" in short for i, short in enumerate(cut)), "the number is what tells them apart"


def test_names_that_fit_are_whole() -> None:
    """Nothing is cut that fits."""
    assert cut_names(["bm25", "hybrid"], 6) == ["bm25", "hybrid"]
    assert cut_names([], 6) == []


def test_where_no_cut_keeps_them_apart_they_become_wider() -> None:
    """Telling two names apart goes before the width."""
    # All three pairs must differ in what is left, so only the end may go: 8 columns are too few for that.
    names = ["a" + "x" * 20 + "z", "a" + "x" * 10 + "y" + "x" * 9 + "z", "b" + "x" * 20 + "z"]
    cut = cut_names(names, 8)
    assert len(set(cut)) == 3
    assert max(map(len, cut)) > 8


def test_a_wide_letter_takes_two_columns() -> None:
    """The width is that of the terminal, not the number of letters."""
    assert cut_middle("検索エンジンの実験", 9) == "検索…実験"
    assert all(text_width(cut_middle("検索a" * 9, width)) <= width for width in range(3, 40))


@pytest.mark.parametrize("seed", range(20))
def test_random_names_never_become_one(seed: int) -> None:
    """Each name begins and ends as what is shown of it, and all stay apart."""
    pick = random.Random(seed)
    names = list({"".join(pick.choices("ab", k=pick.randint(1, 30))) for _ in range(30)})
    cut = cut_names(names, 8)
    assert len(set(cut)) == len(names)
    for name, short in zip(names, cut, strict=True):
        start, dots, end = short.partition("…")
        assert name.startswith(start)
        assert name.endswith(end)
        assert dots or short == name
