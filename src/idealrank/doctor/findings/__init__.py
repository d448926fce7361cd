"""The findings: each looks at what was read and yields what it finds, with what mends it.

To add one, write a generator that takes `Inputs` and whose docstring says in its first line what is wrong, and add it
to `FINDINGS`.
"""

from collections.abc import Callable, Iterator, Mapping

from idealrank.doctor.finding import Finding
from idealrank.doctor.findings.coverage import (
    closed_lists,
    corpus,
    excluded,
    no_relevant,
    odd,
    perfection,
    sources,
    unreturned,
    warnings,
)
from idealrank.doctor.findings.grades import fractions, lowest, outliers, queries, raters, steep
from idealrank.doctor.findings.ids import characters, duplicates, prefixes, spellings, texts
from idealrank.doctor.findings.rankings import constant, contradictions, depths, distances, from_zero, gaps, pools, ties
from idealrank.doctor.inputs import Inputs

FINDINGS: Mapping[str, Callable[[Inputs], Iterator[Finding]]] = {
    "odd characters in ids": characters,
    "text used as id": texts,
    "ids spelled differently": spellings,
    "ids with a prefix": prefixes,
    "judgments of another corpus": corpus,
    "duplicates": duplicates,
    "excluded documents": excluded,
    "a query's own document": sources,
    "scales mixed by rater": raters,
    "scales mixed by query": queries,
    "grades from 0 to 1": fractions,
    "lowest grade above 0": lowest,
    "a grade far above the others": outliers,
    "grades too high for their gain": steep,
    "judged queries without results": unreturned,
    "queries without relevant documents": no_relevant,
    "ranks from 0": from_zero,
    "gaps in the ranks": gaps,
    "ranks against scores": contradictions,
    "distances read as scores": distances,
    "constant scores": constant,
    "tied results": ties,
    "lists cut at different depths": depths,
    "one system judged more than another": pools,
    "perfect scores": perfection,
    "only the judged documents": closed_lists,
    "odd judgments or results": odd,
    "warning of the ledger": warnings,
}
"""Every finding by name; mended copies are made in this order."""
