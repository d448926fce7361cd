"""Ratings that the tools of agreement are given: raters × units, gaps, other scales; drawn from a seed."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
SCALES = ([0.0, 1.0], [0.0, 1.0, 2.0, 3.0], [0.0, 0.5, 1.0, 2.5], [1.0, 2.0, 3.0, 4.0, 5.0])


def tables(many: int = 24) -> list[Any]:
    """Return raters × units of grades, NaN where a rater gave none; no unit without a rating."""
    rng = np.random.default_rng(33)
    found = []
    for place in range(many):
        raters, units = int(rng.integers(2, 6)), int(rng.integers(6, 40))
        scale = SCALES[place % len(SCALES)]
        shared = rng.choice(scale, units)
        table = np.where(rng.random((raters, units)) < rng.random(), shared, rng.choice(scale, (raters, units)))
        table[rng.random(table.shape) < 0.25] = np.nan
        found.append(table[:, ~np.isnan(table).all(axis=0)])
    return found


def write(tool: str, package: str, rows: list[dict[str, Any]]) -> None:
    """Write what a tool said, with its version."""
    path = HERE / f"{tool}.json"
    path.write_text(json.dumps({"version": version(package), "rows": rows}, indent=0) + "\n")
    print(f"{tool} {version(package)}: {len(rows)} rows")
