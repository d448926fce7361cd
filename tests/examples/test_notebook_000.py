"""Unjudged results and ideals: the numbers of notebook 000, intermediates included."""

from __future__ import annotations

import pytest

from tests.examples.running import CASES, Ran, check_rows, expected, per_query, taught


@pytest.fixture
def ran() -> Ran:
    """The lesson, run."""
    return taught("lesson-unjudged-and-ideals")


def test_results_meet_judgments(ran: Ran) -> None:
    """Results keep their rank and meet their grade; the unjudged one has none, and adds nothing."""
    for identity in ("s000-01", "s000-02", "s000-03"):
        check_rows(ran["steps_z"], identity)


def test_zero_and_filter(ran: Ran) -> None:
    """DCG-z keeps the unjudged result's place; DCG-f removes it and the ranks close up."""
    assert per_query(ran["scores"], str(ran["scores"].measures[0])) == expected("s000-04")
    assert per_query(ran["scores"], str(ran["scores"].measures[1])) == expected("s000-07")
    check_rows(ran["steps_f"], "s000-06")


def test_zero_and_filter_differ_for_one_query(ran: Ran) -> None:
    """Side by side: equal for blue shoes, 1.784061 and 1.924048 for red shoes."""
    table = ran["scores"].per_query
    zero, kept = (table[name] for name in table.columns[-2:])
    assert zero[0] == kept[0]
    assert (round(zero[1], 6), round(kept[1], 6)) == (1.784061, 1.924048)


def test_three_ideals(ran: Ran) -> None:
    """NDCG of the kept results against the local, the global and the max ideal."""
    assert ran["whole"]["NDCG-fl"] == expected("s000-10")
    assert ran["whole"]["NDCG-fg"] == expected("s000-13")
    assert ran["whole"]["NDCG-fm"] == expected("s000-16")


def test_max_is_not_always_the_most_pessimistic(ran: Ran) -> None:
    """Two deep, the max ideal of red shoes is beaten by the global one, four deep."""
    assert ran["whole"]["NDCG-fm"]["2"] > ran["whole"]["NDCG-fg"]["2"]
    assert ran["at_10"]["NDCG-fm@10"]["2"] < ran["at_10"]["NDCG-fg@10"]["2"]


def test_at_10(ran: Ran) -> None:
    """The max ideal at 10 has ten places, whatever was returned."""
    assert ran["best_at_10"] == expected("s000-17")
    assert ran["at_10"]["DCG-f@10"] == expected("s000-18")
    assert ran["at_10"]["NDCG-fm@10"] == expected("s000-19")


def test_explanation(ran: Ran) -> None:
    """The explanation holds the global ideal of red shoes, its value, and what exp2 does on this scale."""
    why = ran["why"]
    rows = [row for row in CASES["s000-11"]["expected"]["rows"] if row[0] == "2"]
    assert [why.ideal["doc"], why.ideal["rank"]] == [[row[1] for row in rows], [row[2] for row in rows]]
    assert why.ideal["contribution"] == pytest.approx([row[-1] for row in rows], abs=5.1e-7)
    assert why.normaliser == pytest.approx(CASES["s000-12"]["full"]["2"], abs=1e-12)
    assert why.total / why.normaliser == pytest.approx(why.score, abs=1e-12)
    assert any("nearly linear" in note for note in why.notes)
    assert any("removed" in note for note in why.notes)


def test_every_flavour_is_put_in_words(ran: Ran) -> None:
    """Each flavour says what becomes of unjudged results and what its ideal asks for."""
    meanings = ran["whole"].meanings
    assert set(meanings) == set(ran["whole"].names)
    assert "missed cost nothing" in meanings["NDCG-fr"]
    assert "known good documents were found" in meanings["NDCG-fg"]
    assert "collection" in meanings["NDCG-fm"]


def test_overlap(ran: Ran) -> None:
    """The sets of both results, what they share, and their Jaccard."""
    case, shared = CASES["s000-21"]["expected"], {row["query"]: row for row in ran["shared"]}
    for query, value in case["per_query"].items():
        assert shared[query]["jaccard"] == pytest.approx(value, abs=5.1e-7)
        assert sorted(shared[query]["intersection"]) == case["intersection"][query]
        assert sorted(shared[query]["union"]) == case["union"][query]
        assert sorted(shared[query]["a"]) == CASES["s000-20"]["expected"][query]
