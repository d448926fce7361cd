"""What the peer scripts share: their command line and the file of per-query values."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

NAMES = ("nDCG@10", "AP", "RR", "P@10", "R@100")


def arguments(description: str) -> argparse.Namespace:
    """QRELS RUN [--per-query FILE]; the file is asked for outside the timed runs only."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("qrels")
    parser.add_argument("run")
    parser.add_argument("--per-query", metavar="FILE", help="also write query, measure and value to FILE")
    return parser.parse_args()


def write_values(path: str, rows: Iterable[tuple[str, str, float]]) -> None:
    """Write per-query values with all their digits."""
    with open(path, "w", encoding="utf-8") as file:
        for query, measure, value in rows:
            file.write(f"{query}\t{measure}\t{float(value)!r}\n")
