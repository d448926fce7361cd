"""The files the command line is tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

QRELS = "q1 0 d1 3\nq1 0 d3 1\nq1 0 d4 2\nq2 0 d1 1\nq3 0 d1 2\n"
RUN = "q1 Q0 d1 1 9 up\nq1 Q0 d2 2 8 up\nq1 Q0 d3 3 7 up\nq2 Q0 d7 1 2 up\nq2 Q0 d1 2 1 up\nq9 Q0 d1 1 1 up\n"
OTHER = "q1 Q0 d4 1 9 other\nq1 Q0 d1 2 8 other\nq2 Q0 d1 1 2 other\nq3 Q0 d1 1 2 other\n"
QUERIES = "query_id,query,segment,frequency\nq1,red shoes,head,10\nq2,blue shoes,tail,100\nq3,green shoes,tail,4\n"
FILES = {"qrels.txt": QRELS, "up.run": RUN, "other.run": OTHER, "queries.csv": QUERIES}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with judgments, the results of two systems, and queries."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path
