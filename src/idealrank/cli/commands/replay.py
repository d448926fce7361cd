"""idealrank replay."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from idealrank.cli.help import ExampleCommand, add_parameters, option
from idealrank.cli.options import column_options, form_options
from idealrank.cli.output import sentence_notes, write
from idealrank.display.terminal import give, say
from idealrank.errors import DataError, UsageError, plural, some, visible_lines

if TYPE_CHECKING:
    from idealrank.engines.engine import SearchOptions
    from idealrank.engines.run import ReplayCounts, ReplayRun

_EXAMPLES = (
    "idealrank replay queries.csv sqlite:products.csv -o results",
    "idealrank replay queries.csv 'opensearch+http://localhost:9200/products?template=bm25.json' -k 50 -o results",
    "idealrank replay queries.csv 'sqlite:products.csv?template=bm25.sql' --set boost=1,2,4 -j judgments.csv",
    "idealrank replay queries.csv 'solr+https://search.shop.test/solr/books?template=edismax.params' --show",
)
_WHAT, _HOW, _OUT, _WHO = "What is asked", "Load on the engine", "Output", "Who asks"
_SPLIT = 20
"""Queries from which half of them are held out to test the best of many settings."""

_FOLDER = "Folder for a table of results per system. [results]"
_OPTIONS = add_parameters(
    option("-k", type=int, default=50, metavar="N", topic=_WHAT, help="Results per query. [50]"),
    option(
        "--set",
        "chosen",
        multiple=True,
        metavar="NAME=VALUES",
        topic=_WHAT,
        help="Fill {{NAME}} in the templates: --set boost=1,2,4 makes three systems; several make every combination.",
    ),
    option("--settings", metavar="FILE", type=click.Path(), topic=_WHAT, help="A table of settings: a system per row."),
    option("--fields", default="", metavar="NAMES", topic=_WHAT, help="Fields of the documents to keep: title,price."),
    option(
        "--explain",
        is_flag=True,
        topic=_WHAT,
        help="Keep how each score came about, as the engine explains it; slower.",
    ),
    option("--repeat", type=int, default=1, metavar="N", topic=_WHAT, help="Ask every query N times. [1]"),
    option("--show", is_flag=True, topic=_WHAT, help="Print the first request of each system, and send nothing."),
    option("--concurrency", type=int, default=4, metavar="N", topic=_HOW, help="Requests at the same time. [4]"),
    option("--rate", type=float, metavar="N", topic=_HOW, help="Requests per second at most."),
    option("--timeout", type=float, default=30.0, metavar="SECONDS", topic=_HOW, help="Time for a request. [30]"),
    option("--retries", type=int, default=3, metavar="N", topic=_HOW, help="Further tries of a refused request. [3]"),
    option("--stop-after", type=int, default=10, metavar="N", topic=_HOW, help="Stop after N failures in a row. [10]"),
    option("--batch", type=int, default=1, metavar="N", topic=_HOW, help="Queries per request (_msearch). [1]"),
    option("-o", "--output", default="results", metavar="FOLDER", type=click.Path(), topic=_OUT, help=_FOLDER),
    form_options(_OUT, content="Write the account for people, or as data. [table]"),
    option("-q", "--quiet", is_flag=True, topic=_OUT, help="Write the account only; what failed is still said."),
    option("--raw", is_flag=True, topic=_OUT, help="Keep the answers as they came, too."),
    option("--anew", is_flag=True, topic=_OUT, help="Start over where an earlier run was interrupted."),
    option("-j", "--judgments", metavar="FILE", type=click.Path(), topic=_OUT, help="Go on to the verdict with these."),
    option(
        "--header",
        "headers",
        multiple=True,
        metavar="'NAME: VALUE'",
        topic=_WHO,
        help="Send a header; ${NAME} stands for a variable of the environment: 'Authorization: ApiKey ${KEY}'.",
    ),
    option("--user", default="", metavar="'NAME:${PASSWORD}'", topic=_WHO, help="A name and a password; or ~/.netrc."),
    option(
        "--tls", default="verified", metavar="verified|unverified|FILE", topic=_WHO, help="Certificates. [verified]"
    ),
)


@click.command("replay", cls=ExampleCommand, examples=_EXAMPLES)
@click.argument("queries", type=click.Path(allow_dash=True))
@click.argument("engines", nargs=-1, required=True, metavar="ENGINE…")
@_OPTIONS
@add_parameters(*column_options(("query", "text")))
@click.pass_context
def replay_command(ctx: click.Context, /, queries: str, engines: tuple[str, ...], show: bool, **options: Any) -> None:
    """Ask one or several engines every query, and keep their results and how long they took.

    ENGINE is an address: opensearch+http://HOST:9200/INDEX?template=FILE, elasticsearch+…, solr+…/solr/COLLECTION…,
    vespa+…, postgresql://…?template=FILE, http+… for any other, python:module:function, or sqlite:documents.csv, which
    is built in. NAME= before it names the system; without it, the template does. Templates are requests in the
    engine's own language with {{query}}, {{k}}, {{any column of the queries}} and {{any setting}}.

    An interrupted run goes on where it stopped when the same command is given again.
    """
    run = _make_run(queries, engines, options)
    if show:
        run.check()
        give("\n".join(f"{name}\n{_escape_request(request)}\n" for name, request in run.first_requests()))
        return
    files = _ask_and_write(run, options)
    if options["judgments"]:
        _evaluate_results(ctx, options["judgments"], files, run)


def _escape_request(request: str) -> str:
    return "\n".join(visible_lines(line) for line in request.split("\n"))


def _make_run(queries: str, engines: Sequence[str], options: dict[str, Any]) -> ReplayRun:
    from idealrank.engines.queries import read_replay_queries
    from idealrank.engines.replay import refuse_timeout
    from idealrank.engines.run import ReplayRun
    from idealrank.engines.scheduler import Limits
    from idealrank.engines.systems import make_systems
    from idealrank.errors import refuse_count, refuse_cutoff

    refuse_cutoff(options["k"])
    refuse_count("repeat", options["repeat"])
    refuse_timeout(options["timeout"])
    spared = {name: options[name] for name in ("concurrency", "rate", "retries", "stop_after", "batch")}
    wishes = _search_options(options)
    systems = make_systems(engines, "", wishes, _read_settings_options(options))
    query, text = (_queries_column(options[name]) for name in ("query_col", "text_col"))
    questions = read_replay_queries(queries, query, text)
    return ReplayRun(systems, questions, wishes, Limits(**spared), options["repeat"], options["raw"], options["anew"])


def _search_options(options: dict[str, Any]) -> SearchOptions:
    from idealrank.engines.engine import SearchOptions

    fields = tuple(name.strip() for name in options["fields"].split(",") if name.strip())
    headers = dict(_parse_header(text) for text in options["headers"])
    who = (headers, options["user"], options["tls"])
    return SearchOptions(options["k"], fields, options["timeout"], *who, options["explain"])


def _parse_header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise UsageError(f"--header {text.strip()}: not a header. Write 'NAME: VALUE'.")
    return name.strip(), value.strip()


def _read_settings_options(options: dict[str, Any]) -> list[dict[str, Any]]:
    from idealrank.engines.systems import grid, parse_values, read_settings

    if options["settings"] and options["chosen"]:
        raise UsageError("--set and --settings both say which settings to try. Give one of them.")
    if options["settings"]:
        return read_settings(options["settings"])
    chosen = [text.partition("=") for text in options["chosen"]]
    wrong = next((name for name, equals, values in chosen if not (name.strip() and equals and values)), None)
    if wrong is not None:
        raise UsageError(f"--set {wrong}: give its values: --set {wrong or 'NAME'}=1,2,4.")
    return grid({name.strip(): parse_values(values) for name, _, values in chosen}) if chosen else []


def _queries_column(chosen: Sequence[str]) -> str | None:
    return chosen[-1].removeprefix("queries:") if chosen else None


def _ask_and_write(run: ReplayRun, options: dict[str, Any]) -> list[Path]:
    """Ask, write, and print what came back; return the files of results."""
    from idealrank.engines.replay_files import file_name, make_folders

    folder = Path(options["output"])
    beside = make_folders(folder)
    try:
        with run.ask(beside, None) as every:
            more = run.fetch_judged(every, beside, options["judgments"])
            counts = run.write(folder, beside, every, more.documents)
            before = sum(answers.journal.before for answers in every)
            names = [answers.system.name for answers in every]
            files = [folder / f"{file_name(name)}.csv" for name in names]
            _print_counts(counts, names, files, run, before, more.text, options)
    except KeyboardInterrupt:
        say(f"What was answered is kept in {beside}: the same command goes on from there.")
        raise
    return files


def _print_counts(
    counts: Sequence[ReplayCounts],
    names: Sequence[str],
    files: Sequence[Path],
    run: ReplayRun,
    before: int,
    fetched: str,
    options: dict[str, Any],
) -> None:
    """Print what came back from each system, and what is not as it should be."""
    from idealrank.engines.run import accounts

    if not counts:
        return
    _refuse_failures(counts, names)
    table = accounts(account.row(name) for account, name in zip(counts, names, strict=True))
    folder = Path(options["output"])
    sentences = _run_notes(counts, names, run, before)
    if fetched:
        sentences.append(fetched)
    if not options["quiet"]:
        sentences += _files_written(files, folder, run)
        if not options["judgments"]:  # else the command goes on to the verdict itself
            sentences += _next_steps(files, folder, run)
    brief = {"": table[[name for name in table.columns if "p99" not in name]]}
    write(table, table.to_json, options["form"], None, sentence_notes(sentences), brief)


def _refuse_failures(counts: Sequence[ReplayCounts], names: Sequence[str]) -> None:
    """Refuse to go on where every search of a system failed."""
    for account, name in zip(counts, names, strict=True):
        if len(account.failed) == sum(account.counts.values()):
            query, error = account.failed[0]
            raise DataError(f"{name}: every search failed, as {query}: {error}. Mend it and ask again.")


def _run_notes(counts: Sequence[ReplayCounts], names: Sequence[str], run: ReplayRun, before: int) -> list[str]:
    """Say what is not as it should be: what failed, what changed between identical calls, what was not asked."""
    lines = [line for account, name in zip(counts, names, strict=True) for line in _system_notes(account, name, run)]
    questions = run.questions
    if questions.without_text:
        many = plural(len(questions.without_text), "query")
        lines.append(f"{many} without a text not asked: {some(questions.without_text)}.")
    if questions.repeated:
        lines.append(f"{plural(questions.repeated, 'line')} of {questions.name} repeat another: asked once.")
    if questions.rows:
        many = plural(len(questions.keys) + len(questions.without_text), "query")
        lines.append(f"{questions.name}: {plural(questions.rows, 'row')} of {many}: each is asked once.")
    if before:
        lines.append(f"{plural(before, 'answer')} of an earlier run kept; --anew asks everything again.")
    return lines


def _system_notes(account: ReplayCounts, name: str, run: ReplayRun) -> Iterator[str]:
    """Yield what is odd about the answers of one system."""
    calls, queries = f"{run.repeat} calls", plural(len(run.questions.keys), "query")
    if account.failed:
        query, error = account.failed[0]
        them = "it" if len(account.failed) == 1 else "them"
        many = plural(len(account.failed), "query")
        yield f"{name}: {many} failed, as {query}: {error}. The same command asks {them} again."
    if account.retried:
        many = plural(len(account.retried), "query")
        yield f"{name}: {many} answered only when asked again: {some(account.retried)}. Times are of the last try."
    if account.lost:
        many = plural(len(account.lost), "query")
        yield f"{name}: some of the {calls} failed for {many}: {some(account.lost)}. The same command asks them again."
    if account.counts["empty"] == len(run.questions.keys):
        yield f"{name}: no query found anything. Does the template name fields that are there?"
    yield from (f"{name}: {note}{'' if note.endswith('?') else '.'}" for note in account.notes)
    if run.repeat > 1:
        changed = f": {some(account.changed)}" if account.changed else ""
        differ = f"for {len(account.changed)} of {queries}{changed}"
        yield f"{name}: lists differ between {run.repeat} identical calls {differ}."


def _files_written(files: Sequence[Path], folder: Path, run: ReplayRun) -> list[str]:
    shown = f"{', '.join(map(str, files[:3]))}{f' and {len(files) - 3} more' if len(files) > 3 else ''}"
    lines = [f"Written: {shown}; what was asked: {folder / 'replay'}."]
    if run.wishes.fields:
        lines.append(f"Documents: {folder / 'replay' / 'documents.csv'}; a report on these results shows them.")
    if run.wishes.explain:
        lines.append(f"How each score came about: {folder / 'replay'}/*.explain.jsonl.")
    return lines


def _next_steps(files: Sequence[Path], folder: Path, run: ReplayRun) -> list[str]:
    """Say what to type next, without judgments and with some."""
    several = " ".join(shlex.quote(str(file)) for file in files) if len(files) <= 3 else f"{folder}/*.csv"
    texts = f" --documents {folder / 'replay' / 'documents.csv'}" if run.wishes.fields else ""
    grade, measure = ("studio", "compare") if len(files) > 1 else ("pool", "evaluate")
    return [
        f"Next, without judgments: idealrank {grade} {several}{texts}{' -o pool.csv' if grade == 'pool' else ''}",
        f"Next, with judgments: idealrank {measure} JUDGMENTS {several}",
    ]


def _evaluate_results(ctx: click.Context, judgments: str, files: Sequence[Path], run: ReplayRun) -> None:
    """Go on with the evaluation of one system, or the comparison of several with the first.

    The best of many settings is chosen on a half of the queries and tested on the other.
    """
    words = ["compare" if len(files) > 1 else "evaluate", judgments, *map(str, files)]
    if len(files) > 1:
        words += ["--baseline", run.systems[0].name]
    if len(files) > 2 and len(run.questions.keys) >= _SPLIT and any(system.settings for system in run.systems):
        words += ["--hold-out", "0.5"]
    say(f"Now: {shlex.join(['idealrank', *words])}")
    give("\n")
    sys.stdout.flush()
    ctx.find_root().command.main(words, prog_name="idealrank", standalone_mode=False)
