"""A pair of systems in a plot: its name, its queries in order, what they gain, and in which colours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import Key
from idealrank.reports.plots.picture import EQUAL, GAIN, LOSS, called


class PairedDifferences(NamedTuple):
    """The paired queries, the greatest gain first, equal ones by id: their places, differences and gains."""

    places: Ints
    values: Floats
    gains: Floats


def differences_of(comparison: Comparison, key: Key) -> PairedDifferences:
    """Return the differences of the paired queries; a gain is a difference above 0, or below where less is better."""
    by_id = comparison.pairing.by_id
    paired = by_id[comparison.pairing.paired(*key)[by_id]]
    values: Floats = comparison.pairing.difference(*key)[paired]
    gains = -values if comparison.contrasts[key].direction == "lower" else values
    order = np.argsort(-gains, kind="stable")
    return PairedDifferences(paired[order], values[order], gains[order])


def tally(contrast: Contrast, in_full: bool = True) -> str:
    """Write how many queries are better, equal and worse, higher and lower of a count; without words where small."""
    more, less = ("higher", "lower") if contrast.direction == "count" else ("better", "worse")
    wins, ties, losses = (f" {more}", " equal", f" {less}") if in_full else ("", "", "")
    return f"▲ {contrast.wins}{wins}  = {contrast.ties}{ties}  ▼ {contrast.losses}{losses}"


def colours(contrast: Contrast) -> tuple[str, str]:
    """Return the colours of gains and losses; a count is neither good nor bad."""
    return (EQUAL, EQUAL) if contrast.direction == "count" else (GAIN, LOSS)


def pair_name(comparison: Comparison, key: Key) -> str:
    """Return what is compared with what, as a label."""
    baseline, system = (comparison.systems[place] for place in key[0])
    return f"{called(system)} vs {called(baseline)}"
