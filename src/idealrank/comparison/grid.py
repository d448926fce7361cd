"""The grid: systems that are named by their settings, with means, differences, and which of them may be the best."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.settings import settings_of
from idealrank.comparison.standings import Contrasts, best_of, standings
from idealrank.display.table import Table
from idealrank.statistics.tukey import randomised_tukey

BEST, MAY_BE, WORSE = "best", "may be best", ""
"""The standing of a point: the best mean, one that cannot be told from it, or one that can."""


def grid_table(pairing: Pairing, found: Contrasts, methods: Methods) -> Table | None:
    """Return one row per point, in the order of the settings; None where no systems are points of a grid."""
    settings = settings_of(pairing.scores.systems)
    if settings is None:
        return None
    places = [settings.places[i] for i in settings.order]
    best = best_of(pairing, places)
    beside = standings(pairing, found, places, methods) | {"standing": _standing(pairing, places, best, methods)}
    columns: dict[str, Any] = {"system": [pairing.scores.systems[s] for s in places]}
    for name, values in settings.values.items():
        called = f"{name} (setting)" if name in beside or name == "system" else name
        columns[called] = [values[i] for i in settings.order]
    columns |= beside
    return Table(columns, "grid", {"fingerprint": ", ".join(pairing.scores.fingerprints.values())})


def _standing(pairing: Pairing, places: Sequence[int], best: int, methods: Methods) -> list[str]:
    """Say which points the randomised Tukey test of all pairs of points does not tell from the best."""
    values = pairing.scores.values[list(places), 0][:, pairing.by_id]
    whole = ~np.isnan(values).any(axis=0)
    weights = None if pairing.weights is None else pairing.weights_of(pairing.by_id[whole])
    if not whole.any() or (weights is not None and not weights.any()):
        return [BEST if s == best else MAY_BE for s in places]
    test = randomised_tukey(values[:, whole], weights, draws=methods.draws, seed=methods.seed, level=methods.level)
    gaps = np.abs(test.difference[list(places).index(best)])
    return [
        BEST if s == best else MAY_BE if gap <= test.half_width else WORSE for s, gap in zip(places, gaps, strict=True)
    ]


def settings_in(table: Table) -> list[str]:
    """Return the columns of a grid that are settings."""
    names = settings_of(table["system"])
    return table.columns[1 : 1 + len(names.values)] if names else []
