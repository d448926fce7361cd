"""The page of measures."""

from __future__ import annotations

from collections.abc import Iterator

from docstrings import anchor, docstring

from idealrank.measures import DEFAULT_MEASURES, DEFINITIONS, Definition


def measures_page() -> str:
    """Every measure: title, formula, decisions it reads, properties."""
    return "\n".join(
        [
            "# Measures",
            "",
            f"The default measures are {', '.join(f'`{name}`' for name in DEFAULT_MEASURES)}.",
            "",
            "Write a measure as `NAME(decision=answer, …)@k`: `nDCG@10`, `P(rel=2)@5`, `RBP(p=0.5)`,",
            "`nDCG(gain=exp2, ideal=local)@10`, or with several cutoffs `nDCG@5,10`. Case does not matter, and other",
            "tools' names work too: `ndcg_cut_10`, `map`, `recip_rank`, `mrr@10`, `NDCG-fg@10`.",
            "`idealrank measures NAME` prints the same information.",
            "",
            "For tied results, a measure gives the exact average over all orders, the range from the lowest to the",
            "highest value (`--tie-range`), both, or neither. A test compares each with every order of small lists.",
            "",
            "| measure | what it is | for ties |",
            "|---|---|---|",
            *(f"| [{d.written}](#{anchor(d.name)}) | {d.title} | {d.properties.ties} |" for d in DEFINITIONS),
            "",
            f"`ties=average` is exact, not sampled; it is refused {_refusals()},",
            "and for nDCG with `ideal=local` if there are too many ways to fill the cutoff, or if `no_relevant` is not",
            "0 and applies in only some of the orders.",
            "",
            "[`no_results`](decisions.md#no_results) decides about queries that the system returned nothing for, and",
            "[`no_relevant`](decisions.md#no_relevant) about queries that are 0/0.",
            "",
            "Ranges are for the default decisions. If grades below zero are kept (`negative=keep`) or a gain table",
            "goes below zero, DCG and CG can be below 0 and nDCG outside 0 to 1; if unjudged results get a grade",
            "(`unjudged=2`), a share can exceed 1. Tests check every property below.",
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
