"""Rank-biased overlap against printed values, other programs and its own definition."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import idealrank as ir
from idealrank.statistics.rank_overlap import TIES
from tests.amounts import tried


def rbo(a: Any, b: Any, p: float = 0.9, ties: str = "a") -> Any:
    """Return the overlap of two rankings; the letters of a text are the documents of one."""
    return ir.rbo(*(list(each) if isinstance(each, str) else each for each in (a, b)), p, ties)


FAR = 3000
"""So deep that p^d changes no digit."""


def written(text: str) -> list[Any]:
    """Read a ranking as Corsi and Urbano write it: tied documents in brackets."""
    return [g[1:-1].split() if g.startswith("(") else g for g in re.findall(r"\([^)]*\)|\S+", text)]


PRINTED = """
red (blue green) yellow pink | (blue red) white (yellow black purple) green | .95
    a .6922853 .3310519 .8930692 .5620173
    w .7068257 .3429684 .9049857 .5620173
    b .7207131 .3509163 .9129336 .5620173
(i4 i7 i15) (i2 i11) i8 i18 | i4 i8 i17 i11 (i2 i3 i5 i7 i9 i13 i14) | .955836875418683
    w .601671359995661 .310498723372055 .820912519608734 .510413796236679
    a .584235464666522 .295503371358027 .805839323150565 .510335951792538
    b .632087129618464 .322093781902212 .833840285843908 .511746503941696
(i3 i5 i6 i8 i9) | (i1 i6) (i8 i10) i11 i2 (i3 i4) | .946588158477176
    w .481477824833812 .23269613702392 .802226864320287 .569530727296368
    a .456505385192971 .207870074991659 .77813269033093 .570262615339271
    b .482684075039396 .233899573241503 .804576609682389 .570677036440887
i1 (i15 i16) i10 i12 i2 i14 | i16 (i1 i10 i11 i15) i2 (i4 i5 i6) | .988786023528663
    w .691527178549045 .161742780873865 .967889887307834 .806147106433969
    a .7056986088397 .157852652669937 .964075955944718 .806223303274782
    b .718722074850857 .163365514575474 .96964641663531 .806280902059836
(i1 i9 i15 i17) i13 i4 i3 i2 | (i1 i17) i15 i9 i13 i4 (i2 i3) i14 | .959906916802432
    w .966438584453973 .512284507728805 .966438584453973 .454154076725168
    a .939211367148046 .485057290422878 .939211367148046 .454154076725168
    b .970894528910972 .516740452185804 .970894528910972 .454154076725168
"""
"""What the R program of Corsi and Urbano (SIGIR 2024) prints: extrapolated, lowest, highest, residual."""


def printed() -> list[Any]:
    """Yield two rankings, p, the reading of ties and the four numbers."""
    found: list[Any] = []
    for line in PRINTED.strip().splitlines():
        if "|" in line:
            a, b, p = line.split("|")
            continue
        ties, *numbers = line.split()
        found.append(pytest.param(written(a), written(b), float(p), ties, *map(float, numbers), id=f"{p}{ties}"))
    return found


@pytest.mark.parametrize(("a", "b", "p", "ties", "extrapolated", "low", "high", "residual"), printed())
def test_against_printed_values(
    a: Any, b: Any, p: float, ties: str, extrapolated: float, low: float, high: float, residual: float
) -> None:
    """All three readings of ties give what their authors' program prints, either way round."""
    digits = 5e-8 if p == 0.95 else 1e-12
    for found in (rbo(a, b, p, ties), rbo(b, a, p, ties)):
        assert (found.extrapolated, found.low, found.high, found.residual) == pytest.approx(
            (extrapolated, low, high, residual), abs=digits
        )


def test_the_example_of_the_paper() -> None:
    """Webber, Moffat and Zobel, figure 2: the agreement at each depth of <abcdefg> and <zcavwxy>."""
    agreement = [0, 0, 2 / 3, 2 / 4, 2 / 5, 2 / 6, 2 / 7]
    for depth in range(1, 8):
        p = 1 - 1e-9  # every depth weighs the same: the mean agreement, in the paper's last column
        found = rbo("abcdefg"[:depth], "zcavwxy"[:depth], p).seen
        assert found == pytest.approx(sum(agreement[:depth]) / depth, abs=1e-7)
    averages = [0, 0, 0.222, 0.292, 0.313, 0.317, 0.312]
    assert [sum(agreement[:d]) / d for d in range(1, 8)] == pytest.approx(averages, abs=6e-4)


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [("abc", "acb", 0.86), ("ab", "ba", 0.33), ("abcd", "ab", 0.92), ("abcde", "abcde", 1.0), ("abc", "def", 0.0)],
)
def test_as_opensearch_has_it(a: str, b: str, value: float) -> None:
    """`seen` is what OpenSearch's search relevance workbench calls rbo50: values of its own tests."""
    assert round(rbo(a, b, 0.5).seen, 2) == value


def test_as_other_programs_have_it() -> None:
    """The Scala library rankmeasures prints 0.828 for 1 2 3 4 5 and 2 3 4 1 5 at p = 0.9."""
    assert rbo("12345", "23415", 0.9).extrapolated == pytest.approx(0.828, abs=1e-12)


def defined(a: list[str], b: list[str], p: float) -> float:
    """RBO of two long rankings by its definition, equation 4; what both hold is counted on from depth to depth."""
    shared, terms = 0, []
    seen: tuple[set[str], set[str]] = (set(), set())
    for depth, (one, other) in enumerate(itertools.zip_longest(a, b), 1):
        for document, mine, theirs in ((one, *seen), (other, *seen[::-1])):
            if document is not None:
                mine.add(document)
                shared += document in theirs
        terms.append(p ** (depth - 1) * shared / depth)
    return (1 - p) * math.fsum(terms)


def test_the_definition_counted_on() -> None:
    """What is counted on from depth to depth is the number of documents both hold at each depth."""
    a, b = list("abcdefg"), list("zcavwxyb")
    whole = sum(0.9 ** (d - 1) * len(set(a[:d]) & set(b[:d])) / d for d in range(1, 9))
    assert defined(a, b, 0.9) == pytest.approx(0.1 * whole, abs=1e-15)


def orders(ranking: list[Any]) -> list[list[str]]:
    """Every order of the tied documents."""
    parts = [list(itertools.permutations(g)) if isinstance(g, list) else [(g,)] for g in ranking]
    return [list(itertools.chain(*chosen)) for chosen in itertools.product(*parts)]


@pytest.mark.parametrize(("a", "b"), [("x (y z) v", "(x z) w y v"), ("(a b c)", "c b a"), ("a (b c) d", "b")])
def test_ties_are_averaged_over_their_orders(a: str, b: str) -> None:
    """The lowest value with ties is the mean of the lowest over every order of the tied documents."""
    lowest = [rbo(x, y, 0.8).low for x in orders(written(a)) for y in orders(written(b))]
    assert rbo(written(a), written(b), 0.8).low == pytest.approx(math.fsum(lowest) / len(lowest), abs=1e-12)


RANKINGS = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=8)


@given(RANKINGS, RANKINGS, st.sampled_from([0.5, 0.8, 0.95]))
@settings(max_examples=tried(150), deadline=None)
def test_the_ends_are_reached(a: list[str], b: list[str], p: float) -> None:
    """Going on with strangers gives the lowest value, going on with all that is not shared yet the highest."""
    found = rbo(a, b, p)
    strangers = [[f"{side}{i}" for i in range(FAR)] for side in "12"]
    assert found.low == pytest.approx(defined(a + strangers[0], b + strangers[1], p), abs=1e-9)
    assert found.high == pytest.approx(defined(*filled(a, b), p), abs=1e-9)
    assert found.low - 1e-12 <= found.extrapolated <= found.high + 1e-12
    assert found.low >= -1e-12
    assert found.high <= 1 + 1e-12


def filled(a: list[str], b: list[str]) -> tuple[list[str], list[str]]:
    """Continue both with what the other has and they have not, as early as can be, then alike."""
    size = max(len(a), len(b))
    long = [*(a if len(a) == size else b)]
    short = [*(b if len(a) == size else a)]
    short += [doc for doc in long if doc not in short][: size - len(short)]
    missing = [doc for doc in short if doc not in long], [doc for doc in long if doc not in short]
    same = [f"s{i}" for i in range(FAR)]
    return long + missing[0] + same, short + missing[1] + same


@pytest.mark.parametrize("ties", TIES)
def test_a_ranking_with_itself(ties: str) -> None:
    """A ranking agrees with itself wholly; with ties it does under b and w, and under a less: their order is open."""
    assert rbo("abc", "abc", ties=ties).extrapolated == pytest.approx(1.0, abs=1e-12)
    tied = written("a (b c d) e")
    found = rbo(tied, tied, ties=ties).extrapolated
    assert found < 1 - 1e-3 if ties == "a" else found == pytest.approx(1.0, abs=1e-12)


def test_empty_rankings() -> None:
    """Two empty rankings are alike; an empty one shares nothing that is known; all could still come."""
    assert (rbo([], []).extrapolated, rbo([], []).low, rbo([], []).high) == (1.0, 0.0, 1.0)
    found = rbo(["a", "b"], [])
    assert (found.extrapolated, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(1.0)


@pytest.mark.parametrize("p", [0, 1, -0.5, 2, math.nan, "x"])
def test_a_persistence_that_is_none(p: Any) -> None:
    """A persistence lies between 0 and 1."""
    with pytest.raises(ir.UsageError, match="between 0 and 1"):
        rbo("a", "b", p)


def test_refused() -> None:
    """A document that stands twice in a ranking, and a reading of ties nobody knows, are refused by name."""
    with pytest.raises(ir.DataError, match="second ranking contains 'a' twice"):
        rbo("ab", ["a", {"c", "a"}])
    with pytest.raises(ir.UsageError, match=r"ties=c is not an answer\. Allowed: a, b, w"):
        rbo("ab", "ba", ties="c")


def test_a_text_is_no_ranking() -> None:
    """The name of a file is no ranking of its letters."""
    with pytest.raises(ir.UsageError, match=r"ir\.overlap"):
        ir.rbo("a.csv", ["d1"])
