"""The queries that gain and lose most fit a terminal of 80 columns: one table, whatever the ids and texts."""

import os
from pathlib import Path

import pytest

from tests.cli.terminal import SHOP, on_terminal, plain

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")

BOTH = ("judgments.csv", "bm25.csv", "hybrid.csv", "-m", "nDCG@10")


@pytest.mark.parametrize("view", ["--losses", "--wins", "--to-judge"])
def test_a_view_of_queries_is_one_table(view: str) -> None:
    """The heading says systems and measure, and each of three rows is one line of at most 80 columns."""
    lines = plain(on_terminal("compare", *BOTH, view, 3, "--queries-table", "queries.csv", cwd=SHOP).out).splitlines()
    assert lines[0] == "hybrid instead of bm25, nDCG@10"
    assert len(lines) == 6
    assert max(map(len, lines)) <= 80


def test_long_ids_and_texts_lose_their_middle(tmp_path: Path) -> None:
    """Ids of 36 letters and texts of 200 are cut in the middle, so that both ends can be read."""
    name, text = "3f2b8c1e-aaaa-bbbb-cccc-0123456789ab", "waterproof " * 18 + "jacket"
    (tmp_path / "j.csv").write_text(f"query_id,doc,grade\n{name},a,1\nq2,a,1\n")
    for system, (first, second) in (("old", "ab"), ("new", "xa")):
        rows = "".join(f"{query},{first},1\n{query},{second},2\n" for query in (name, "q2"))
        (tmp_path / f"{system}.csv").write_text(f"query_id,doc,rank\n{rows}")
    (tmp_path / "q.csv").write_text(f"query_id,query\n{name},{text}\nq2,short\n")
    asked = ("compare", "j.csv", "old.csv", "new.csv", "-m", "RR", "--losses", 2, "--queries-table", "q.csv")
    said = on_terminal(*asked, cwd=tmp_path)
    assert not said.err
    lines = plain(said.out).splitlines()
    assert len(lines) == 5, lines
    assert max(map(len, lines)) <= 80
    query = lines[3].split()[0]
    before, after = query.split("…")
    assert name.startswith(before)
    assert name.endswith(after)
    assert "cket" in lines[3]
    assert lines[3].count("…") == 2
