"""The page of conventions."""

from __future__ import annotations

from collections.abc import Iterator

from docstrings import anchor, cell

from idealrank.conventions import CONVENTIONS, Convention, Fault
from idealrank.decisions import questions


def conventions_page() -> str:
    """The table of conventions and decisions, and each convention with its sources."""
    default, *_ = CONVENTIONS
    return "\n".join(
        [
            "# Conventions",
            "",
            "A convention is a named, versioned set of [decisions](decisions.md): a tool's answers. Take one with",
            '`convention="trec_eval-9.0.8"` or `--as trec_eval-9.0.8`, with overrides after a comma:',
            '`"trec_eval-9.0.8, no_results=0"`. A tool whose numbers differ between versions has one convention per',
            "version. A convention refuses measures that its tool does not compute. Known faults of a tool are listed",
            'under its name and not reproduced; `"trec_eval-9.0.8, faults=on"` reproduces those that answers can',
            "express. Anything a tool does by design, however odd, is in its answers. Answers that differ from the",
            f"default, `{default}`, are bold; † marks answers that differ for some measures.",
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
        yield from ("", "| decision | answer | source |", "|---|---|---|")
    for name in convention.answers:
        text = cell(convention.decisions.text(name))
        yield f"| [`{name}`](decisions.md#{anchor(name)}) | `{text}` | {cell(convention.sources[name])} |"
    lines = [f"- With `faults=on`: {_fault(fault)}" for fault in convention.switched]
    lines += [f"- Not reproduced here: {fault}" for fault in convention.faults]
    alike: dict[str, list[str]] = {}
    for measure, answers in convention.by_measure.items():
        seen = convention.sources_by_measure[measure]
        said = "; ".join(f"`{name}={answer}` ({seen[name]})" for name, answer in answers.items())
        alike.setdefault(said, []).append(measure)
    lines += [f"- {', '.join(names)} differ{'s'[len(names) > 1 :]}: {said}" for said, names in alike.items()]
    if convention.names:
        lines.append("- names: " + ", ".join(f"`{theirs}` is `{ours}`" for theirs, ours in convention.names.items()))
    known = "all" if convention.measures is None else ", ".join(sorted(convention.measures))
    yield from ("", *lines, f"- measures: {known}")
