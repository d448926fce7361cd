"""Write what follows from the definitions: pages, and modules that tell type checkers and editors of them.

python docs/generate.py           write them
python docs/generate.py --check   fail if one of them is stale
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from docstrings import anchor, cell, code, docstring, members, signature
from modules import answers_module, face_stub, methods_module

import idealrank as ir
from idealrank.cli import COMMANDS, group
from idealrank.conventions import CONVENTIONS, Convention, Fault
from idealrank.data.roles import ALIASES
from idealrank.decisions import DEFAULT, questions
from idealrank.measures import DEFAULT_MEASURES, DEFINITIONS, Definition

DOCS = Path(__file__).parent
ROOT = DOCS.parent
HOUSE = ROOT / "src" / "idealrank"
NOTICE = "<!-- Written by docs/generate.py from the definitions: change those, then run it again. -->\n\n"
HELP_COLUMNS = 100


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


def decisions_page() -> str:
    """Every decision: question, stage, answers, who answers so."""
    return "\n".join(
        [
            "# Decisions",
            "",
            "Every question that changes a number is one field of `idealrank.Decisions`. Answer it",
            "",
            '- for a call: `ir.evaluate(…, gain="exp2")`, `idealrank evaluate … --gain exp2`;',
            "- for one measure: `nDCG(gain=exp2, ideal=local)@10`, `P(rel=2)@5` (`rel` is `relevant_from`);",
            '- by a [convention](conventions.md), with overrides: `--as "trec_eval-9.0.8, no_results=0"`.',
            "",
            "The answer in the string of a measure wins over that of the call, and that over the convention's.",
            "The [stage](how-it-works.md#stages) says where the answer acts. In brackets: who answers so.",
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
        yield "Acts on every measure."


def conventions_page() -> str:
    """The matrix of conventions and decisions, and each convention with its sources."""
    default, *_ = CONVENTIONS
    return "\n".join(
        [
            "# Conventions",
            "",
            "A convention is a named, versioned set of [decisions](decisions.md): a tool's answers. Take one with",
            '`convention="trec_eval-9.0.8"` or `--as trec_eval-9.0.8`, with overrides after a comma:',
            '`"trec_eval-9.0.8, no_results=0"`. A tool whose number differs between versions has one convention a',
            "version. Where a tool supports few measures, asking for another is refused. Known faults of a tool stand",
            'under its name. They are left out; `"trec_eval-9.0.8, faults=on"` does those that answers can say.',
            "What a tool does by design, however odd, is in its answers. Answers that differ from",
            f"`{default}`, the default, are bold; † marks one that differs for some measures.",
            "",
            "| convention | " + " | ".join(f"[`{name}`](decisions.md#{anchor(name)})" for name in questions()) + " |",
            "|---|" + "---|" * len(questions()),
            *(
                f"| [{convention.name}](#{anchor(convention.name)}) | "
                + " | ".join(_answered(convention, name) for name in questions())
                + " |"
                for convention in CONVENTIONS.values()
            ),
            *(line for convention in CONVENTIONS.values() for line in _convention(convention)),
            "",
        ]
    )


def _answered(convention: Convention, name: str) -> str:
    text = convention.decisions.text(name)
    apart = "†" if any(name in answers for answers in convention.by_measure.values()) else ""
    return (f"**{cell(text)}**" if name in convention.decisions.departures() else cell(text)) + apart


def _fault(fault: Fault) -> str:
    said = ", ".join(f"`{name}={answer}`" for name, answer in fault.answers.items())
    return f"{fault.what} {said} ({fault.seen})."


def _convention(convention: Convention) -> Iterator[str]:
    yield from ("", f"## {convention.name}", "", f"{convention.tool} {convention.version}. {convention.about}")
    if convention.answers:
        yield from ("", "| decision | answer | seen in |", "|---|---|---|")
    for name in convention.answers:
        text = cell(convention.decisions.text(name))
        yield f"| [`{name}`](decisions.md#{anchor(name)}) | `{text}` | {cell(convention.sources[name])} |"
    lines = [f"- With `faults=on`: {_fault(fault)}" for fault in convention.switched]
    lines += [f"- Not done here: {fault}" for fault in convention.faults]
    alike: dict[str, list[str]] = {}
    for measure, answers in convention.by_measure.items():
        seen = convention.sources_by_measure[measure]
        said = "; ".join(f"`{name}={answer}` ({seen[name]})" for name, answer in answers.items())
        alike.setdefault(said, []).append(measure)
    lines += [f"- {', '.join(names)} differ{'s'[len(names) > 1 :]}: {said}" for said, names in alike.items()]
    if convention.names:
        lines.append("- names: " + ", ".join(f"`{theirs}` is `{ours}`" for theirs, ours in convention.names.items()))
    known = "every one" if convention.measures is None else ", ".join(sorted(convention.measures))
    yield from ("", *lines, f"- measures: {known}")


def cli_page() -> str:
    """The help of every command, as the command prints it."""
    lines = [
        "# Command line",
        "",
        "`idealrank COMMAND …`. Data goes to standard output, talk to standard error: a table on a terminal, TSV",
        "when piped, `--json` and `--csv` in full precision, `-o FILE` written whole or not at all. `-` is standard",
        "input. Files over 100 MB show progress on a terminal. CSV, JSON and every `-o FILE` state the fingerprint of",
        "each measure: in CSV a last column, in the first row where it holds for all rows. What is merely piped is the",
        "table a terminal shows, without them.",
        "",
        "Exit codes: 0 done, 2 usage (an unknown name, an answer that is not allowed), 3 bad data, 130 interrupted",
        "(Ctrl-C). An error is one line on standard error that says where, what is wrong, what is allowed and what to",
        "do next.",
        "",
        "A project fixes its defaults once, in `pyproject.toml`; what was taken from there is printed with the number:",
        "",
        "```toml",
        "[tool.idealrank]",
        'convention = "trec_eval-9.0.8, no_results=0"',
        'measures = ["nDCG@10", "P@5"]',
        'columns = {query = "judgments:QUERY_KEY", grade = ["Ann", "Ben"]}',
        "```",
        "",
        "A column is named as its option takes it: `judgments:`, `results:` or `queries:` before the name mean that",
        "table alone, and a list is the option given several times.",
        "",
        "## idealrank",
        "",
        "```text",
        _help(group, "idealrank"),
        "```",
    ]
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        lines += ["", f"## idealrank {name}", "", "```text", _help(command, f"idealrank {name}"), "```"]
    return "\n".join([*lines, ""])


def _help(command: click.Command, name: str) -> str:
    context = click.Context(command, info_name=name, terminal_width=HELP_COLUMNS, max_content_width=HELP_COLUMNS)
    context.help_option_names = ["-h", "--help"]
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


def python_page() -> str:
    """Every public name with its docstring."""
    lines = [
        "# Python",
        "",
        "`import idealrank as ir`. Judgments, results, measures and a query may be positional, all else is a keyword.",
        "Values are frozen, inputs are never changed, and importing the package imports no dataframe library.",
        "",
        ", ".join(f"[`{name}`](#{anchor(name)})" for name in sorted(ir.__all__, key=str.lower)),
    ]
    for name in sorted(ir.__all__, key=lambda name: (inspect.isclass(getattr(ir, name)), name.lower())):
        value = getattr(ir, name)
        lines += ["", f"## {name}", "", *_public(name, getattr(value, name) if _called(value) else value)]
    return "\n".join([*lines, ""])


def _called(value: Any) -> bool:
    """Whether this is a package that is called like a function, and stands for it."""
    return inspect.ismodule(value) and callable(value)


_CONSTANTS = {
    "CONVENTIONS": "Every [convention](conventions.md) by name: a dict of [`Convention`](#convention).",
    "DEFINITIONS": "Every kind of [measure](measures.md), in the order in which `idealrank measures` lists them.",
}


def _public(name: str, value: Any) -> Iterator[str]:
    if name in _CONSTANTS:
        yield _CONSTANTS[name]
        return
    if inspect.isfunction(value):
        yield from ("```text", f"{name}{signature(value)}", "```", "")
    yield from docstring(inspect.getdoc(value) or "")
    if inspect.ismodule(value):
        for function in value.__all__:
            yield from ("", f"### {name}.{function}", "", *_public(f"{name}.{function}", getattr(value, function)))
    if inspect.isclass(value) and (rows := list(members(value))):
        yield from ("", "| member | |", "|---|---|", *rows)


def aliases_table() -> str:
    """The accepted column names of every role."""
    lines = ["| role | names, the first group that fits wins |", "|---|---|"]
    for role, tiers in ALIASES.items():
        groups = ["; ".join(", ".join(f"`{name}`" for name in sorted(tier)) for tier in tiers)]
        lines.append(f"| {role} | {''.join(groups)} |")
    return "\n".join(lines)


def behaviours_table() -> str:
    """Every behaviour of the notebooks with the test that shows it."""
    lines = ["| id | here | shown by |", "|---|---|---|"]
    for row in (DOCS / "behaviours.tsv").read_text("utf-8").splitlines()[1:]:
        identity, said, test = row.split("\t")
        shown = ", ".join(f"`{one.removeprefix('tests/')}`" for one in test.split()) if "::" in test else test
        lines.append(f"| {identity} | {cell(said)} | {shown} |")
    return "\n".join(lines)


def rooms_table() -> str:
    """Every room, from the top down, with the rooms in it and the sentence it begins with."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    rooms = [room for floor in settings["contracts"][0]["layers"] for room in floor.split(" | ")]
    lines = ["| room | what enters, what leaves |", "|---|---|"]
    for room in rooms:
        files = sorted((HOUSE / room).rglob("__init__.py")) or [HOUSE / f"{room}.py"]
        lines += [f"| {_room(file)} | {cell(_begins(file))} |" for file in files]
    return "\n".join(lines)


def _room(file: Path) -> str:
    """A link to a room; one within another is set back."""
    path = (file.parent if file.name == "__init__.py" else file).relative_to(HOUSE)
    name = f"`{path.as_posix()}{'' if path.suffix else '/'}`"
    return "&emsp;" * (len(path.parts) - 1) + f"[{name}](src/idealrank/{path.as_posix()})"


def _begins(file: Path) -> str:
    """The first sentence of a file."""
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return code(re.split(r"(?<=\.)\s", said, maxsplit=1)[0])


WHOLE = {
    "measures.md": measures_page,
    "decisions.md": decisions_page,
    "conventions.md": conventions_page,
    "cli.md": cli_page,
    "python.md": python_page,
}
"""Pages that are written from the first line to the last."""

MODULES = {
    HOUSE / "__init__.pyi": face_stub,
    HOUSE / "decisions" / "answers.py": answers_module,
    HOUSE / "statistics" / "names.py": methods_module,
}
"""Modules that are written from the first line to the last."""

PARTS = {
    DOCS / "inputs.md": ("aliases", aliases_table),
    DOCS / "notebooks.md": ("behaviours", behaviours_table),
    ROOT / "CONTRIBUTING.md": ("rooms", rooms_table),
}
"""Tables inside pages written by hand, between two comments."""


def pages() -> Iterator[tuple[Path, str]]:
    """Yield every page with the text it should have."""
    for name, page in WHOLE.items():
        yield DOCS / name, NOTICE + page()
    for path, module in MODULES.items():
        yield path, module()
    for path, (part, table) in PARTS.items():
        between = re.compile(rf"(<!-- {part}: [^\n]* -->\n).*?(<!-- end of {part} -->)", re.DOTALL)
        text, found = between.subn(lambda match, t=table: f"{match[1]}\n{t()}\n\n{match[2]}", path.read_text("utf-8"))
        assert found == 1, f"{path.name}: no comments around the {part}"
        yield path, text


def main(arguments: list[str]) -> int:
    """Write the pages, or say which are stale."""
    stale = [(path, text) for path, text in pages() if not path.is_file() or path.read_text("utf-8") != text]
    for path, text in stale:
        if "--check" not in arguments:
            path.write_text(text, "utf-8")
        print(f"{'stale: ' if '--check' in arguments else 'wrote '}{path.name}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
