"""Call the stand-in within this process, with its output caught."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from idealrank.integrations.trec_eval import run

GOLDEN = Path(__file__).parents[2] / "golden" / "trec_eval"
QRELS, COVERED, RUN = (str(GOLDEN / name) for name in ("qrels.txt", "qrels.covered.txt", "run.ties.txt"))
PREFS, GROUPS = (str(GOLDEN / name) for name in ("prefs.txt", "groups.txt"))


class Said(NamedTuple):
    """The exit code, and what was printed."""

    code: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[list[str]]:
        """The fields of each printed line, blanks behind names left out."""
        return [[field.strip() for field in line.split("\t")] for line in self.out.decode().splitlines()]


def call(*words: object) -> Said:
    """Run with these words."""
    out, err = io.BytesIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="utf-8", write_through=True))
        patch.setattr(sys, "stderr", err)
        code = run([str(word) for word in words])
        sys.stdout.flush()
        return Said(code, out.getvalue(), err.getvalue())
