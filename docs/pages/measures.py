"""The page of measures."""

from __future__ import annotations

from collections.abc import Iterator

from docstrings import anchor, docstring

from idealrank.measures import DEFAULT_MEASURES, DEFINITIONS, Definition


def measures_page() -> str:
    """Every measure: title, formula, decisions it reads, promises."""
    return "\n".join(
        [
            "# Measures",
            "",
            f"Without measures asked for: {', '.join(f'`{name}`' for name in DEFAULT_MEASURES)}.",
            "",
            "A measure is written `NAME(decision=answer, …)@k`: `nDCG@10`, `P(rel=2)@5`, `RBP(p=0.5)`,",
            "`nDCG(gain=exp2, ideal=local)@10`, several cutoffs as `nDCG@5,10`. Names are matched without case, and",
            "the names other tools use work too: `ndcg_cut_10`, `map`, `recip_rank`, `mrr@10`, `NDCG-fg@10`.",
            "`idealrank measures NAME` prints what stands here.",
            "",
            "Of results that are tied it says the exact average over all orders, the range from the lowest to the",
            "highest value (`--tie-range`), or none of both. A test compares each with every order of small lists.",
            "",
            "| measure | what it is | of ties |",
            "|---|---|---|",
            *(f"| [{d.written}](#{anchor(d.name)}) | {d.title} | {d.properties.ties} |" for d in DEFINITIONS),
            "",
            f"`ties=average` is exact, not sampled; it is refused {_refusals()},",
            "and for nDCG with `ideal=local` where there are too many ways to fill the cutoff, or where `no_relevant`",
            "is not 0 and decides in some orders only.",
            "",
            "A query that the system returned nothing for is answered by [`no_results`](decisions.md#no_results), one",
            "that is 0/0 by [`no_relevant`](decisions.md#no_relevant).",
            "",
            "A range holds under the default decisions. Grades below zero that are kept (`negative=keep`), or a gain",
            "table that goes below zero, take DCG and CG below 0 and nDCG out of 0 to 1; results without judgment that",
            "are given a grade (`unjudged=2`) take a share above 1.",
            "The property sweep of the tests checks every promise below.",
            *(line for definition in DEFINITIONS for line in _measure(definition)),
            "",
        ]
    )


def _refusals() -> str:
    """The answers that some measures are not averaged under."""
    refused: dict[str, list[str]] = {}
    for definition in DEFINITIONS:
        for answer in definition.properties.not_averaged:
            refused.setdefault(answer, []).append(definition.name)
    said = [f"for {' and '.join(names)} with `{answer}`" for answer, names in refused.items()]
    return ", ".join(said)


def _measure(definition: Definition) -> Iterator[str]:
    yield from ("", f"## {definition.name}", "", f"{definition.title}.", "")
    yield from docstring(definition.documentation)
    yield ""
    for what, said in _facts(definition).items():
        yield f"- {what}: {said}"


def _facts(definition: Definition) -> dict[str, str]:
    reads = ", ".join(f"[`{name}`](decisions.md#{anchor(name)})" for name in definition.reads)
    facts = definition.facts
    over = facts["over all queries"].replace("`average`", "[`average`](decisions.md#average)")
    return facts | {"over all queries": over} | ({"decisions it reads": reads} if reads else {})
