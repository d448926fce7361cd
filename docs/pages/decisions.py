"""The page of decisions."""

from __future__ import annotations

from collections.abc import Iterator

from docstrings import anchor, cell

from idealrank.decisions import DEFAULT, questions
from idealrank.measures import DEFINITIONS


def decisions_page() -> str:
    """Every decision: question, stage, answers, and the tools that use them."""
    return "\n".join(
        [
            "# Decisions",
            "",
            "Every question whose answer changes a number is one field of `idealrank.Decisions`. You can answer it",
            "",
            '- for a call: `ir.evaluate(…, gain="exp2")`, `idealrank evaluate … --gain exp2`;',
            "- for one measure: `nDCG(gain=exp2, ideal=local)@10`, `P(rel=2)@5` (`rel` is `relevant_from`);",
            '- by a [convention](conventions.md), with overrides: `--as "trec_eval-9.0.8, no_results=0"`.',
            "",
            "The answer in a measure's string overrides the call's, and the call's overrides the convention's. The",
            "[stage](how-it-works.md#stages) says where the answer acts. Tools in brackets use that answer.",
            "",
            "| decision | question | default | stage |",
            "|---|---|---|---|",
            *(
                f"| [`{name}`](#{anchor(name)}) | {cell(question.asks)} | `{DEFAULT.text(name)}` | {question.stage} |"
                for name, question in questions().items()
            ),
            *(line for name in questions() for line in _decision(name)),
            "",
        ]
    )


def _decision(name: str) -> Iterator[str]:
    question = questions()[name]
    yield from ("", f"## {name}", "", f"{question.asks} Stage: {question.stage}. Default: `{DEFAULT.text(name)}`.", "")
    yield from ("| answer | meaning |", "|---|---|")
    for answer, meaning in question.answers.items():
        shown = f"**`{answer}`**" if answer == DEFAULT.text(name) else f"`{answer}`"
        yield f"| {cell(shown)} | {cell(meaning)} |"
    if question.number:
        shown = f"a number (**`{DEFAULT.text(name)}`**)" if DEFAULT.text(name) not in question.answers else "a number"
        yield f"| {shown} | {cell(question.number)} |"
    yield ""
    readers = [d.name for d in DEFINITIONS if name in d.reads]
    if question.stage == "value":
        yield f"Read by {', '.join(f'[{reader}](measures.md#{anchor(reader)})' for reader in readers)}."
    else:
        yield "Affects every measure."
