"""Values to compare, without results behind them, and the two engines of the example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import idealrank as ir
from idealrank.comparison.contrasts import Methods
from idealrank.comparison.pairing import Pairing, roles
from idealrank.comparison.segments.segments import Segments
from tests.docs.blocks import ROOT

SHOP = ROOT / "examples" / "shop"


def pairing(
    differences: Sequence[Sequence[float]],
    attributes: Mapping[str, Mapping[str, Any]] | None = None,
    weights: Sequence[float] | None = None,
) -> Pairing:
    """Pair a baseline of zeros with one system a row of differences; queries are called q000, q001 and so on."""
    d = np.array(differences, np.float64)
    names = [f"q{i:03}" for i in range(d.shape[1])]
    table = {"query_id": names} | {k: [v.get(name) for name in names] for k, v in (attributes or {}).items()}
    systems = ["base", *(f"s{i}" for i in range(len(d)))]
    row = {name: {"d": 1} for name in names}
    scores = ir.evaluate(
        row, dict.fromkeys(systems, row), ["RR"], queries=table if attributes else None,
        weights=None if weights is None else dict(zip(names, weights, strict=True)),
    )  # fmt: skip
    values = np.concatenate([np.zeros((1, d.shape[1])), d])[:, None, :]
    return Pairing(replace(scores, values=values), "base", roles(scores, 0.0))


def attribute(labels: Sequence[Any]) -> dict[str, Any]:
    """Return a label a query."""
    return {f"q{i:03}": label for i, label in enumerate(labels)}


def segments(*args: Any, names: tuple[str, ...] = (), methods: Methods | None = None, **rest: Any) -> Segments:
    """Return the segments of `pairing`."""
    return Segments(pairing(*args, **rest), methods or Methods(draws=200), names)


def shop(**options: Any) -> ir.Comparison:
    """Compare the two engines of the example."""
    engines = {name: str(SHOP / f"{name}.csv") for name in ("bm25", "hybrid")}
    measures = options.pop("measures", ["nDCG@10", "RR"])
    return ir.compare(
        str(SHOP / "judgments.csv"), engines, measures, queries=str(SHOP / "queries.csv"), draws=200, **options
    )
