"""Holes: unjudged documents in the top of a compared list, and what they could make of a measure."""

from idealrank.comparison.holes.bounds import Bounds
from idealrank.comparison.holes.holes import Holes, holes

__all__ = ["Bounds", "Holes", "holes"]
