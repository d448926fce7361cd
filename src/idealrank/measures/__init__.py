"""The one list of measures. Adding one: its file, its definition in a family, its golden rows."""

from __future__ import annotations

import functools

from idealrank.measures.definition import Definition, Measure
from idealrank.measures.families import binary, counts, graded
from idealrank.measures.grammar import by_name, parse_with
from idealrank.measures.parameters import Parameter
from idealrank.measures.properties import Properties

__all__ = ["DEFAULT_MEASURES", "DEFINITIONS", "Definition", "Measure", "Parameter", "Properties", "parse"]

DEFAULT_MEASURES = ("nDCG@10", "P@10", "R@100", "RR", "AP")

DEFINITIONS: tuple[Definition, ...] = (*graded.DEFINITIONS, *binary.DEFINITIONS, *counts.DEFINITIONS)


parse = functools.partial(parse_with, by_name(DEFINITIONS))
"""Read measure names; see `idealrank.measures.grammar.parse_with`."""
