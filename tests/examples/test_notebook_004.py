"""What moves P@5 and nDCG@5: the numbers of notebook 004."""

from __future__ import annotations

import pytest

from tests.examples.running import CASES, Ran, check_rows, expected, per_query, run


@pytest.fixture
def ran() -> Ran:
    """The example, run."""
    return run("notebook_004")


@pytest.mark.parametrize(
    ("identity", "what"),
    [
        ("s004-01", "with an unjudged tail"),
        ("s004-02", "as judged"),
        ("s004-03", "grades 10, 9, 8"),
        ("s004-04", "grades 30, 20, 10"),
        ("s004-08b", "only doc_3"),
    ],
)
def test_one_query(ran: Ran, identity: str, what: str) -> None:
    """Tails and scale change nothing; a shift of the grades does."""
    p, ndcg = ran["tests"][what]
    assert (p, ndcg) == (expected(f"{identity}-p5"), expected(f"{identity}-ndcg5"))


def test_rank_against_score(ran: Ran) -> None:
    """Opposite ranks and scores are refused until one is chosen; by rank the notebook's number comes out."""
    assert "opposite directions" in ran["refusal"]
    assert ran["chosen"]["rank"] == (expected("s004-05-p5"), expected("s004-05-ndcg5"))
    assert ran["chosen"]["score"][1] > ran["chosen"]["rank"][1]


def test_systems(ran: Ran) -> None:
    """One table with two systems gives a number each; pooled, the number nobody wanted."""
    systems = ran["systems"]
    for system, values in CASES["s004-08-systems"]["expected"].items():
        assert systems["P@5", system] == pytest.approx(values["P@5"], abs=1e-12)
        assert systems["nDCG@5", system] == pytest.approx(values["NDCG@5"], abs=1e-12)
    assert ran["pooled"]["P@5"] == expected("s004-06-p5")
    assert ran["pooled"]["nDCG@5"] == expected("s004-06-ndcg5")


def test_missing_query(ran: Ran) -> None:
    """A judged query without results counts 0 with or without a stand-in row, and is named."""
    for scores in (ran["missing"], ran["with_row"]):
        assert scores["P@5"] == expected("s004-10-p5")
        assert scores["nDCG@5"] == expected("s004-10-ndcg5")
        assert scores.ledger.exceptions["query"] == ["2"]
    assert per_query(ran["missing"], "P@5") == pytest.approx(CASES["s004-09-wish-p5"]["per_query"])
    assert ran["left_out"]["P@5"] == expected("s004-09-p5")
    assert ran["left_out"]["nDCG@5"] == expected("s004-09-ndcg5")


def test_trace(ran: Ran) -> None:
    """Document, position and share, for the results and for the ideal, where A comes before E."""
    trace = ran["trace"]
    check_rows(trace.steps, "s004-12-trace")
    check_rows(trace.ideal, "s004-12-ideal")
    assert {"q": trace.score} == expected("s004-12-ndcg")


@pytest.mark.parametrize("measure", [f"{name}@{k}" for name in ("P", "R", "MRR", "nDCG") for k in (5, 10, 50)])
def test_grid(ran: Ran, measure: str) -> None:
    """Four measures at three cutoffs, one row a query."""
    name = measure.replace("MRR", "RR")
    assert per_query(ran["grid"], name) == expected(f"s004-18-{measure}")


def test_grid_has_the_order_asked_for(ran: Ran) -> None:
    """P, R, RR, nDCG, each at 5, 10, 50: a column each."""
    assert [str(measure) for measure in ran["grid"].measures] == [
        f"{name}@{k}" for name in ("P", "R", "RR", "nDCG") for k in (5, 10, 50)
    ]
    assert len(ran["grid"].per_query) == 4


@pytest.mark.parametrize(("name", "identity"), [("one_found", "s004-15"), ("two_found", "s004-16")])
def test_deeper_ideal(ran: Ran, name: str, identity: str) -> None:
    """With six judged, the ideal at 10 is deeper than at 5, and nDCG@10 is lower."""
    assert ran[name]["nDCG@5"] == expected(f"{identity}-ndcg5")
    assert ran[name]["nDCG@10"] == expected(f"{identity}-ndcg10")


def test_ranges(ran: Ran) -> None:
    """Groups go by query key."""
    table = [row for row in ran["by_range"] if row["measure"] == "nDCG@5"]
    assert [(row["group"], row["count"]) for row in table] == [("0..1", 2), ("2..3", 2)]
    assert table[0]["mean"] == pytest.approx((0.8174935137996165 + 0.777975983841851) / 2, abs=1e-12)
