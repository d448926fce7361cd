"""The shop: the numbers its README states come out."""

from __future__ import annotations

import re

import pytest

from tests.examples.running import FOLDER, Ran, run


@pytest.fixture
def ran() -> Ran:
    """The example, run."""
    return run("shop")


def stated(row: str) -> list[float]:
    """Return the numbers of a row in the README's table."""
    lines = (FOLDER / "shop" / "README.md").read_text("utf-8").splitlines()
    line = next(line for line in lines if line.startswith(f"| {row} |"))
    return [float(cell.strip().replace("−", "-")) for cell in line.split("|")[2:-1]]


def test_means(ran: Ran) -> None:
    """nDCG@10 of both engines, and their difference."""
    bm25, hybrid = (ran["scores"]["nDCG@10", name] for name in ("bm25", "hybrid"))
    assert [bm25, hybrid, hybrid - bm25] == pytest.approx(stated("all 41"), abs=5.1e-5)


def test_weighted(ran: Ran) -> None:
    """The same, weighted by frequency."""
    bm25, hybrid = (ran["weighted"]["nDCG@10", name] for name in ("bm25", "hybrid"))
    assert [bm25, hybrid, hybrid - bm25] == pytest.approx(stated("weighted by `frequency`"), abs=5.1e-5)


@pytest.mark.parametrize(("segment", "count"), [("category", 18), ("brand", 10), ("problem", 13)])
def test_segments(ran: Ran, segment: str, count: int) -> None:
    """The engine hybrid is better on categories and problems, worse on brands."""
    rows = {row["system"]: row for row in ran["segments"] if row["group"] == segment}
    assert {row["count"] for row in rows.values()} == {count}
    found = [rows["bm25"]["mean"], rows["hybrid"]["mean"], rows["hybrid"]["mean"] - rows["bm25"]["mean"]]
    assert found == pytest.approx(stated(f"{segment} ({count})"), abs=5.1e-5)


def test_worst(ran: Ran) -> None:
    """The query without any relevant product and the one that timed out come first."""
    assert ran["worst"]["query"][:2] == ["q18", "q28"]


def test_lost_value(ran: Ran) -> None:
    """Running shoes are asked most and lose most, though many queries score lower."""
    first = next(iter(ran["lost"]))
    assert (first["query"], first["frequency"]) == ("q01", 4820)
    assert first["lost"] == pytest.approx(4820 * (1 - first["nDCG@10"]), abs=1e-9)


def test_explained(ran: Ran) -> None:
    """The rows of the torch query add up to its score, and the hole in it is named."""
    why = ran["why"]
    assert (why.query, why.text) == ("q09", "torch")
    assert sum(why.steps["contribution"]) / why.normaliser == pytest.approx(why.score, abs=1e-12)
    assert any("1 of 6 results" in note for note in why.notes)


def test_ledger(ran: Ran) -> None:
    """Every oddity the README lists as a missing query is in the ledger, for the right engine."""
    rows = [
        (row["system"], row["query"])
        for row in ran["scores"].ledger.exceptions
        if row["state"] != "judged and returned"
    ]
    assert sorted(rows) == [("bm25", "q19"), ("bm25", "q42"), ("hybrid", "q28"), ("hybrid", "q42")]
    assert any("46 ratings missing" in note for note in ran["scores"].ledger.notes)


def test_flavors(ran: Ran) -> None:
    """The default nDCG@10 is the flavour zg."""
    means = {row["flavor"]: row["bm25"] for row in ran["flavors"].means}
    assert means["NDCG-zg@10"] == ran["scores"]["nDCG@10", "bm25"]


def test_overlap(ran: Ran) -> None:
    """A query that one engine did not answer shares nothing, and says so."""
    missed = next(row for row in ran["overlap"] if row["query"] == "q19")
    assert missed["jaccard"] == 0
    assert missed["note"]
    assert 0 < ran["mean_overlap"] < 1


def test_report(ran: Ran) -> None:
    """The page is of this comparison, under the title asked for, and holds no address to load from."""
    assert ran["comparison"].systems == ("bm25", "hybrid")
    assert "<h1>" in ran["page"]
    assert "bm25 or hybrid?" in ran["page"]
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", ran["page"])
