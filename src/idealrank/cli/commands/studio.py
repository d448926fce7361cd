"""idealrank studio."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.comparison_options import segments_option
from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.options import (
    ROLES,
    column_names,
    column_options,
    convention_option,
    decision_answers,
    decision_options,
    measure_option,
    output_options,
    weights_option,
)
from idealrank.cli.output import write_table
from idealrank.conventions.project import project_defaults
from idealrank.decisions.decisions import questions
from idealrank.display.terminal import one_line, print_text, say
from idealrank.errors import DataError, UsageError, plural

if TYPE_CHECKING:
    from idealrank.studio.project import StudioProject

_TOPIC = "Where it listens"
_EXAMPLES = (
    "idealrank studio judgments.csv old.csv new.csv",
    "idealrank studio judgments.csv old.csv new.csv --queries-table queries.csv --documents products.csv",
    "idealrank studio old.csv new.csv --queries-table queries.csv --documents products.csv",
    "idealrank studio results/",
    "idealrank studio judgments.studio.db",
    "idealrank studio judgments.csv old.csv new.csv --db postgresql://team@db.example/relevance",
    "idealrank studio judgments.studio.db --rescore",
)
_HOST = (
    "Listen at this name or address. One that other machines can reach demands a token, which is part of the address "
    "printed. [127.0.0.1]"
)
_DB = "Keep the project here: a file, or postgresql://…. [JUDGMENTS.studio.db in this folder; FOLDER/studio.db]"
_SECRETS = (
    "Let systems that are asked again send variables of the environment, passwords and signatures to this engine, such "
    "as https://search.example:9200. May be given again. [to none]"
)
_RESCORE = "Score every comparison that was looked at again, by the labels of today; say which verdicts flipped."
_DATABASE_ENDINGS = (".db", ".sqlite", ".sqlite3")


@click.command("studio", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("files", nargs=-1, type=click.Path(), metavar="[JUDGMENTS] RESULTS… | FOLDER | PROJECT")
@measure_option(help="The measure that decides. [nDCG@10]")
@add_parameters(
    option("--queries-table", metavar="FILE", type=click.Path(), topic="Tables", help="Texts of queries."),
    segments_option("Tables"),
    weights_option("Tables"),
    option("--documents", metavar="FILE", type=click.Path(), topic="Tables", help="Titles of documents."),
    option("--db", metavar="FILE|URL", topic="Tables", help=_DB),
    option("--host", default="127.0.0.1", metavar="HOST", topic=_TOPIC, help=_HOST),
    option("--port", type=click.IntRange(0, 65535), metavar="N", topic=_TOPIC, help="Listen at this port. [8765]"),
    option("--token", metavar="TEXT", topic=_TOPIC, help="The token. [a new one, if needed]"),
    option("--secrets-to", metavar="URL", multiple=True, topic=_TOPIC, help=_SECRETS),
    option("--no-browser", is_flag=True, topic=_TOPIC, help="Print the address, and open no browser."),
    option("--rescore", is_flag=True, topic="Instead of the page", help=_RESCORE),
)
@output_options
@add_parameters(*column_options(ROLES), convention_option, *decision_options(questions()))
def studio_command(
    files: tuple[str, ...], measure: str | None, db: str | None,
    host: str, port: int | None, token: str | None, secrets_to: tuple[str, ...], no_browser: bool, rescore: bool,
    form: str | None, output: str | None, quiet: bool, **options: Any,
) -> None:  # fmt: skip
    """Open a comparison as a local page: flip a decision, read queries, grade results, and see the verdict move.

    Without JUDGMENTS, the page asks for the first grades: results that nobody has judged are enough to begin. Grades
    and everything else are kept in one file, the project; your own files are only read. Give the same command again to
    go on, or the project alone. FOLDER: its judgments, results, queries and documents are found.
    """
    from idealrank.studio.running import LOOPBACK, new_token, refuse_missing_parts

    refuse_missing_parts()
    where, given = _inputs(files, db, options)
    options |= {name: file for name, file in given.items() if not options.get(name)}
    project = _open(where, measure, options)
    try:
        if rescore:
            _rescore(project, form, output, quiet)
        else:
            needed = token or ("" if host in LOOPBACK else new_token())
            _serve(project, host, port, needed, secrets_to, no_browser, quiet)
    finally:
        project.close()


def _inputs(files: tuple[str, ...], db: str | None, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return where the project is, and the tables to read into it, as options."""
    nothing: dict[str, Any] = {"judgments": None, "results": ()}
    if len(files) == 1 and os.path.isdir(files[0]):
        return db or str(Path(files[0], "studio.db")), nothing | _tables_in(files[0], options)
    if len(files) == 1 and (files[0].endswith(_DATABASE_ENDINGS) or "://" in files[0]):
        if db:
            raise UsageError(f"--db {db}: {files[0]} is a project already. Give one of them.")
        if "://" not in files[0] and not os.path.isfile(files[0]):
            raise DataError(f"{files[0]}: no such project. To make one: idealrank studio JUDGMENTS RESULTS…")
        return files[0], nothing
    if not files:
        if not db:
            raise UsageError("The studio of what? Give JUDGMENTS and RESULTS, a FOLDER, or a PROJECT (FILE.db).")
        return db, nothing
    first, *others = files
    own: dict[str, Any] = {"judgments": first, "results": tuple(others)}
    if _kinds(first, options) == ("results",):
        if judged := next((file for file in others if _kinds(file, options) == ("judgments",)), None):
            raise UsageError(f"{judged}: contains judgments. Give them first, or leave them out to begin without.")
        own = {"judgments": None, "results": files}
    return db or f"{Path(first).stem}.studio.db", own


def _kinds(file: str, options: dict[str, Any]) -> tuple[str, ...]:
    """Return what a file contains, by its columns; nothing where that is not clear."""
    from idealrank.data.formats.reader import read_frame
    from idealrank.data.recognition.recognize import kinds_in

    names = column_names(options, project_defaults().columns)
    with contextlib.suppress(DataError):
        return kinds_in(read_frame(file, "judgments"), names.by_kind(""))
    return ()


def _tables_in(folder: str, options: dict[str, Any]) -> dict[str, Any]:
    """Find the tables of a folder: the judgments that most results meet, and one table of queries and documents."""
    from idealrank.data.recognition.folder import look_into

    found = look_into(folder, columns=column_names(options, project_defaults().columns).by_kind(""))
    paths = {kind: [one.name for one in found.containing(kind)] for kind in ("judgments", "results", *_OPTIONS)}
    if not paths["results"]:
        return {}
    judged = paths["judgments"][:1]
    results = tuple(path for path in paths["results"] if path not in judged)
    others = {_OPTIONS[kind]: paths[kind][0] for kind in _OPTIONS if paths[kind]}
    return {"judgments": judged[0] if judged else None, "results": results, **others}


_OPTIONS = {"queries": "queries_table", "documents": "documents"}
"""The options that name the further tables of a folder."""


def _open(where: str, measure: str | None, options: dict[str, Any]) -> StudioProject:
    """Open the project, and read into it what was given, as `report` reads it."""
    from idealrank.cli.inputs import OpenedTable, evaluate_arguments, read_documents_option, split_segments
    from idealrank.conventions import parse_convention
    from idealrank.display.terminal import progress_bar
    from idealrank.studio.project import CONVENTION, MEASURE, StudioProject
    from idealrank.studio.running import refuse_systems_alike
    from idealrank.studio.store import Store

    defaults, answers = project_defaults(), decision_answers(options)
    setting = parse_convention(options.get("convention") or defaults.convention or CONVENTION, answers)
    opened: list[OpenedTable] = []
    segments, weights = split_segments(options), options["weights"]
    call, _ = evaluate_arguments(options, [measure] if measure else (), opened)
    segments = call["segments"] + segments
    refuse_systems_alike([one.name for one in opened if one.role == "results"])
    read_documents_option({**options, "by_document": None}, "first", opened)
    is_new = "://" not in where and not os.path.exists(where)
    project = StudioProject(Store(where))
    try:
        # What was typed, or is of this folder, is the owner's.
        project.allow_units(setting.text, measure or next(iter(defaults.measures), MEASURE))
        for each in project.damage():
            say(one_line(each))
        with progress_bar("keeping tables"):
            for one in opened:
                project.add(one.role, one.file, one.name, one.table, **one.columns)
        if weights is not None:
            project.store["weights"] = None if os.path.exists(weights) else weights
        if segments:
            project.store["segments"] = segments
        asked = measure or next(iter(defaults.measures), None)
        if asked or (opened and project.store["measure"] is None):
            project.store["measure"] = asked or MEASURE
        if options.get("convention") or answers or (opened and project.store["convention"] is None):
            project.store["convention"] = setting.text
        if opened and project.is_ready:
            with progress_bar("evaluating"):
                project.refuse_what_cannot_be_shown()
    except BaseException:
        project.close()
        if is_new:
            Path(where).unlink(missing_ok=True)
        raise
    return project


def _serve(
    project: StudioProject, host: str, port: int | None, token: str, secrets_to: tuple[str, ...], no_browser: bool,
    quiet: bool,
) -> None:  # fmt: skip
    """Serve until the program is interrupted; the address is the one line of standard output."""
    from idealrank.studio.running import PORT, RunningStudio

    try:
        running = RunningStudio(project, host, PORT if port is None else port, token, secrets_to)
    except UsageError:
        if port is not None:
            raise
        running = RunningStudio(project, host, 0, token, secrets_to)  # another studio has the usual port
    print_text(running.address)
    if not quiet:
        many = plural(len(project.systems), "system")
        say(f"The studio of {many} is at this address. Grades are kept in {one_line(project.store.name)}.")
        say("To end it: Ctrl-C. What was graded stays.")
    sys.stdout.flush()
    if not no_browser:
        import webbrowser

        webbrowser.open(running.address)
    try:
        running.run()
    except KeyboardInterrupt:  # the way to end it, and no failure
        say("The studio has ended.")


def _rescore(project: StudioProject, form: str | None, output: str | None, quiet: bool) -> None:
    """Print past comparisons as they were and as they are now."""
    import json

    from idealrank.studio.rescoring import rescore, rescored_table

    rows = rescore(project)
    table = rescored_table(rows)
    write_table(table, lambda: json.dumps(table.rows(), ensure_ascii=False, indent=2), form, output)
    if not quiet:
        flipped = sum(row.is_flipped for row in rows)
        say(f"{plural(len(rows), 'comparison')}: {plural(flipped, 'verdict')} flipped.")
