"""idealrank conventions."""

import json
from typing import Annotated, Any, NotRequired, TypedDict

import click

from idealrank.cli.help import ExampleCommand
from idealrank.cli.options import complete_conventions, measure_option, one_system_options, output_options
from idealrank.cli.output import (
    check_ending,
    format_by_ending,
    is_for_people,
    screen_width,
    sentence_notes,
    to_delimited,
    write,
    write_text,
)
from idealrank.conventions import Setting
from idealrank.conventions.convention import Convention
from idealrank.decisions import questions
from idealrank.display.schema import Also, Keywords
from idealrank.display.terminal import print_text

_EXAMPLES = (
    "idealrank conventions",
    "idealrank conventions trec_eval-9.0.8",
    "idealrank conventions qrels.txt run.txt -m nDCG@10",
    'idealrank conventions "trec_eval-9.0.8, no_results=0"',
)


_ANSWERS = {name: Annotated[str, question.asks] for name, question in questions().items()}


class ConventionEntry(TypedDict):
    """A convention."""

    name: Annotated[str, "Name of the convention, with the answers that differ from it."]
    tool: Annotated[str, "The tool."]
    version: Annotated[str, "The version that was compared."]
    about: Annotated[str, "What a reader needs to know."]


class AnswersByDecision(TypedDict):
    """Answers to decisions, by the name of the decision."""


class ConventionJson(ConventionEntry):
    """A convention."""

    decisions: Annotated[AnswersByDecision, Also(_ANSWERS), "The answer to every decision."]
    departures: Annotated[
        AnswersByDecision,
        Also({name: NotRequired[each] for name, each in _ANSWERS.items()}),
        "The answers that differ from idealrank-1.",
    ]
    sources: Annotated[dict[str, Annotated[str, "The source."]], "Where each answer was read or observed, by decision."]
    by_measure: Annotated[
        dict[str, Annotated[dict[str, Any], Keywords(propertyNames={"enum": list(_ANSWERS)}), "Answers by decision."]],
        "Answers that differ for some measures only, by measure.",
    ]
    measures: Annotated[list[str] | None, "The measures it was compared on; null for all."]
    names: Annotated[dict[str, Annotated[str, "The measure."]], "The tool's own names of measures, each with ours."]
    faults: Annotated[list[str], "What the tool does and idealrank does not."]


FAULTS_ON = {"faults=on": Annotated[list[str], "Known faults that idealrank reproduces with faults=on."]}
"""A key of a convention that is no name in Python."""


@click.command("conventions", cls=ExampleCommand, examples=_EXAMPLES, reads=False)
@measure_option(help="With two files: this measure under every convention (nDCG@10).")
@output_options
@one_system_options
@click.argument("name", required=False, shell_complete=complete_conventions)
@click.argument("results", required=False)
def conventions_command(
    name: str | None, results: str | None, measure: str | None, form: str | None, output: str | None, quiet: bool,
    **options: Any,
) -> None:  # fmt: skip
    """List the conventions, or describe one: what it answers to each decision, and where that was read.

    idealrank-1 is the default: it lists every decision with its answer. With JUDGMENTS and RESULTS in place
    of a NAME, and -m: the measure under every convention, side by side.
    """
    from idealrank.conventions import parse_convention

    if results is not None or measure is not None:
        _write_under_every_convention({**options, "judgments": name, "results": results}, measure, form, output, quiet)
        return
    _refuse_unread_options({**options, "--quiet": quiet})
    setting = None if name is None else parse_convention(name)
    if not is_for_people(form, output):
        _write_conventions(setting, form, output)
    elif setting is not None:
        _print_convention(setting)
    else:
        _list_conventions()


def _list_conventions() -> None:
    """List the conventions, each with what a reader needs to know beside its name."""
    from idealrank.conventions import CONVENTIONS
    from idealrank.display.blocks import label_lines

    wide = max(map(len, CONVENTIONS)) + 2
    lines = [line for c in CONVENTIONS.values() for line in label_lines(c.name, c.about, screen_width(), wide)]
    print_text("\n".join(lines))


def _write_under_every_convention(
    options: dict[str, Any], measure: str | None, form: str | None, output: str | None, quiet: bool
) -> None:
    from idealrank.cli.inputs import explain_inputs
    from idealrank.conventions.project import project_defaults

    if options["results"] is None:
        raise click.UsageError("-m needs two files: JUDGMENTS and RESULTS.")
    name = measure or next(iter(project_defaults().measures), "nDCG@10")
    call = explain_inputs(options, name)
    from idealrank.audit.conventions_table import conventions_table, spread

    table = conventions_table(call.pop("judgments"), call.pop("results"), name, **call)
    notes = [] if quiet else [f"{name}: {spread(table)}"]
    write(table, table.to_json, form, output, sentence_notes(notes))


def _refuse_unread_options(options: dict[str, Any]) -> None:
    """Refuse what only the comparison of two files reads."""
    for name, value in options.items():
        if value:
            flag = name if name.startswith("--") else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{flag} goes with two files: JUDGMENTS RESULTS -m MEASURE. Leave it out.")


def _write_conventions(setting: Setting | None, form: str | None, output: str | None) -> None:
    """Write the list of conventions, or the answers of one."""
    from idealrank.conventions import CONVENTIONS, conventions

    check_ending(form, output)
    names = ("name", "tool", "version", "about")
    form = form or format_by_ending(output)
    if form == "json":
        listed = [{name: getattr(c, name) for name in names} for c in CONVENTIONS.values()]
        write_text(json.dumps(_convention_json(setting) if setting else listed, indent=2) + "\n", output)
        return
    write_text(to_delimited(conventions(setting.text if setting else None), form, output), output)


def _convention_json(setting: Setting) -> dict[str, object]:
    decisions, convention = setting.decisions, setting.convention
    return {
        "name": setting.text,
        "tool": convention.tool,
        "version": convention.version,
        "about": convention.about,
        "decisions": {field: decisions.text(field) for field in questions()},
        "departures": decisions.departures(),
        "sources": dict(convention.sources),
        "by_measure": {measure: dict(own) for measure, own in convention.by_measure.items()},
        "measures": None if convention.measures is None else sorted(convention.measures),
        "names": dict(convention.names),
        "faults": list(convention.faults),
        "faults=on": [fault.what for fault in convention.switched],
    }


def _print_convention(setting: Setting) -> None:
    from idealrank.display.blocks import label_lines, wrap

    convention, decisions = setting.convention, setting.decisions
    departures = decisions.departures()
    about = "\n".join(wrap([convention.about], screen_width()))
    print_text(f"{setting.text}: {convention.tool} {convention.version}\n{about}\n")
    for field, answer in ((name, decisions.text(name)) for name in _departures_first(departures)):
        label = f"{'*' if field in departures else ' '} {field}={answer}"
        print_text("\n".join(label_lines(label, _decision_text(convention, field, answer), screen_width(), indent=29)))
    print_text(
        "\n* differs from idealrank-1" if departures else "\nOther conventions are described by their differences."
    )
    for line in _extra_lines(convention):
        print_text("\n".join(label_lines(*line, screen_width(), indent=10)))


def _departures_first(departures: dict[str, str]) -> list[str]:
    """Return the decisions, those that depart from `idealrank-1` first."""
    return sorted(questions(), key=lambda name: name not in departures)


def _decision_text(convention: Convention, field: str, answer: str) -> str:
    """Return what a decision asks, what the answer means, and where that was read."""
    question = questions()[field]
    meaning = question.answers.get(answer, "")
    source = f" [{convention.sources[field]}]" if field in convention.sources else ""
    return f"{question.asks} {meaning}{source}".strip()


def _extra_lines(convention: Convention) -> list[tuple[str, str]]:
    extras = [
        (m, ", ".join(f"{key}={value}" for key, value in own.items())) for m, own in convention.by_measure.items()
    ]
    if convention.measures is not None:
        extras.append(("measures", ", ".join(sorted(convention.measures))))
    if convention.names:
        extras.append(("names", ", ".join(f"{theirs} = {ours}" for theirs, ours in convention.names.items())))
    extras += [("faults=on", fault.what) for fault in convention.switched]
    return extras + [("not here", fault) for fault in convention.faults]
