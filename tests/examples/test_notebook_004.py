"""What moves P@5 and nDCG@5: the numbers of notebook 004."""

from __future__ import annotations

import pytest

import idealrank as ir
from tests.examples.running import CASES, Ran, check_rows, expected, per_query, taught


@pytest.fixture
def ran() -> Ran:
    """The lesson, run."""
    return taught("lesson-what-moves-a-number")


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
    stand_in = {"query": [0, 0, 1, 2], "docid": ["doc_2", "doc_1", "doc_5", ""], "rank": [0, 1, 0, -1]}
    with_row = ir.evaluate(ran["three"], stand_in, ran["measures"])
    for scores in (ran["missing"], with_row):
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


@pytest.fixture(scope="module")
def grid() -> ir.Scores:
    """Four queries under four measures at three cutoffs, as the notebook's own code computes them."""
    docs = ["doc_1", "doc_2", "doc_3"]
    judgments = {
        "QUERY_KEY": [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3,
        "DOC_KEY": docs * 4,
        "SCORE": [3, 2, 1, 10, 9, 8] + [3, 2, 1] * 2,
    }
    results = {
        "QUERY_KEY": [0, 0, 0, 0, 0, 1, 1, 2, 2, 3],
        "DOC_KEY": ["doc_2", "doc_1", "doc_10", "doc_11", "doc_12", "doc_2", "doc_1", "doc_2", "doc_1", "doc_3"],
        "RANK": [1, 2, 3, 4, 5, 1, 2, 1, 2, 1],
    }
    return ir.evaluate(judgments, results, ["P@5,10,50", "R@5,10,50", "MRR@5,10,50", "nDCG@5,10,50"])


@pytest.mark.parametrize("measure", [f"{name}@{k}" for name in ("P", "R", "MRR", "nDCG") for k in (5, 10, 50)])
def test_grid(grid: ir.Scores, measure: str) -> None:
    """Four measures at three cutoffs, one row a query."""
    name = measure.replace("MRR", "RR")
    assert per_query(grid, name) == expected(f"s004-18-{measure}")


def test_grid_has_the_order_asked_for(grid: ir.Scores) -> None:
    """P, R, RR, nDCG, each at 5, 10, 50: a column each."""
    assert [str(measure) for measure in grid.measures] == [
        f"{name}@{k}" for name in ("P", "R", "RR", "nDCG") for k in (5, 10, 50)
    ]
    assert len(grid.per_query) == 4


@pytest.mark.parametrize(("last", "identity"), [("D", "s004-15"), ("doc_3", "s004-16")])
def test_deeper_ideal(ran: Ran, last: str, identity: str) -> None:
    """With six judged, the ideal at 10 is deeper than at 5, and nDCG@10 is lower."""
    six = ran["qrel"]([f"doc_{n}" for n in range(1, 7)], [3, 2, 1, 3, 2, 1])
    scores = ir.evaluate(six, ran["run"](["doc_1", "A", "B", "C", last]), ["nDCG@5,10"])
    assert scores["nDCG@5"] == expected(f"{identity}-ndcg5")
    assert scores["nDCG@10"] == expected(f"{identity}-ndcg10")


def test_ranges(grid: ir.Scores) -> None:
    """Groups go by query key."""
    table = [row for row in grid.describe(by=["0..1", "2..3"]) if row["measure"] == "nDCG@5"]
    assert [(row["group"], row["count"]) for row in table] == [("0..1", 2), ("2..3", 2)]
    assert table[0]["mean"] == pytest.approx((0.8174935137996165 + 0.777975983841851) / 2, abs=1e-12)
