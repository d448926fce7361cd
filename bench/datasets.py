"""The benchmark's data sets as data: shapes, grades, seeds and where the files live."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

BENCH = Path(__file__).resolve().parent
DATA = BENCH / "data"
OUT = BENCH / "out"
VERSION = 1
"""Raise it when the generator writes other bytes, so that stale files are made anew."""


@dataclass(frozen=True)
class DataSet:
    """One pair of TREC text files."""

    name: str
    queries: int
    depth: int
    judged: float
    grades: tuple[int, ...]
    chances: tuple[float, ...]
    seed: int
    shuffled: bool = False
    hit_share: float = 0.5
    tie_share: float = 0.05

    @property
    def folder(self) -> Path:
        """The folder of this data set."""
        return DATA / self.name

    @property
    def qrels(self) -> Path:
        """The judgments, TREC text."""
        return self.folder / "qrels.txt"

    @property
    def run(self) -> Path:
        """The results, TREC text."""
        return self.folder / "run.txt"

    @property
    def manifest(self) -> Path:
        """What was written, to know whether it is still current."""
        return self.folder / "manifest.json"

    def stamp(self) -> dict:
        """What the files on disk must have been made from."""
        return json.loads(json.dumps({"version": VERSION, **asdict(self)}))

    def is_current(self) -> bool:
        """True when the files on disk were made from this very description."""
        if not (self.manifest.exists() and self.qrels.exists() and self.run.exists()):
            return False
        return json.loads(self.manifest.read_text())["made_from"] == self.stamp()


TREC = ((-1, 0, 1, 2, 3, 4), (0.05, 0.55, 0.18, 0.12, 0.06, 0.04))
GRADED = ((0, 1, 2, 3, 4), (0.45, 0.25, 0.15, 0.10, 0.05))
BINARY = ((1,), (1.0,))

DATASETS = {
    d.name: d
    for d in (
        DataSet("A", 50, 1_000, 1_500, *TREC, seed=101),
        DataSet("B", 6_980, 1_000, 1.07, *BINARY, seed=102),
        DataSet("B-shuffled", 6_980, 1_000, 1.07, *BINARY, seed=102, shuffled=True),
        DataSet("B-doubled", 13_960, 1_000, 1.07, *BINARY, seed=103),
        DataSet("C", 100_000, 100, 20, *GRADED, seed=104),
        DataSet("D", 1_000_000, 20, 10, *GRADED, seed=105),
    )
}
