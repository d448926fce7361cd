"""The command overlap: its table, what is said beside it, and its flags."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import idealrank as ir
from tests.cli.terminal import run, tsv


def test_overlap(folder: Path) -> None:
    """`overlap` has every query with the sets; the mean is talk; flags shape the lists."""
    found = run("overlap", "up.run", "other.run", "--csv", cwd=folder)
    rows = {row["query"]: row for row in csv.DictReader(io.StringIO(found.out))}
    assert rows["q1"]["jaccard"] == "0.25"
    assert rows["q1"]["union"] == "d1 d2 d3 d4"
    assert rows["q9"]["note"] == "only up returned anything"
    assert found.err.startswith("mean Jaccard")
    whole = json.loads(run("overlap", "up.run", "other.run", "-k", 1, "--json", cwd=folder).out)
    assert whole[0]["up"] == ["d1"]
    assert run("overlap", "up.run", "other.run", "-q", cwd=folder).err == ""
    assert run("overlap", "up.run", "other.run", "--ties", "average", cwd=folder).code == 2
    (folder / "both.run").write_text((folder / "up.run").read_text() + (folder / "other.run").read_text())
    assert run("overlap", "both.run", "--csv", cwd=folder).out == found.out


def test_overlap_says_how_it_was_read(folder: Path) -> None:
    """The columns taken, the order and the answers stand beside the overlap; ids spelt otherwise are warned of."""
    (folder / "a.csv").write_text("query_id,doc_id,rank\nq1,D1,1\n")
    (folder / "b.csv").write_text("query_id,doc_id,score\nq1,d1,1\n")
    found = tsv("overlap", "a.csv", "b.csv", cwd=folder)
    assert "decisions  duplicates=error unit=as_returned order_by=auto rank_gaps=close ties=docid_desc " in found.err
    assert "a.csv: query=query_id doc=doc_id rank=rank, ordered by rank; b.csv: " in found.err
    warning = "warning    document ids differ by letter case ('D1' in a, 'd1' in b); taken as different in 1 query"
    assert tsv("overlap", "a.csv", "b.csv", "-q", cwd=folder).err.splitlines() == [warning]


def test_overlap_by_rank(folder: Path) -> None:
    """-p and --rbo-ties reach rank-biased overlap, and are said; what is not allowed is refused as it was typed."""
    found = run("overlap", "up.run", "other.run", "-p", 0.5, "--rbo-ties", "w", "--json", cwd=folder)
    expected = ir.overlap(folder / "up.run", folder / "other.run", p=0.5, rbo_ties="w")
    assert [row["rbo"] for row in json.loads(found.out)] == expected["rbo"]
    assert "p=0.5 rbo_ties=w" in found.err
    refused = tsv("overlap", "up.run", "other.run", "-p", 1, cwd=folder)
    assert (refused.code, "-p 1.0: the persistence" in refused.err) == (2, True)
