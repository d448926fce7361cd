"""Every command: its help with examples, its output piped and as JSON."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import click
import pytest

import idealrank as ir
from idealrank.cli import _EXAMPLES, COMMANDS, EXIT_CODES, group
from idealrank.conventions import CONVENTIONS
from idealrank.decisions import questions
from idealrank.measures import DEFINITIONS, Definition
from tests.cli.terminal import SHOP, run, tsv


def test_the_help_lists_the_commands() -> None:
    """The help of the program has every command with what it does, examples, completion and exit codes."""
    found = run("--help")
    assert found.code == 0
    for name, about in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(about)}$", found.out, re.MULTILINE)
    assert "Examples:\n  idealrank peek" in found.out
    assert "_IDEALRANK_COMPLETE=bash_source" in found.out
    page = (SHOP.parents[1] / "docs" / "cli.md").read_text("utf-8")
    for code, words in EXIT_CODES.items():
        assert re.search(rf"^  {code} +{re.escape(words)}$", found.out, re.MULTILINE)
        assert f"\n| {code} | {words} |\n" in page
    assert {0, 1, 2, 3, 4, 70, 130} == set(EXIT_CODES)
    assert found.out.index("Examples:") < found.out.index("Options:") < found.out.index("Commands:")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name: str) -> None:
    """Each command says what it does, and has examples that begin with its name before its options."""
    found = run(name, "--help")
    assert found.code == 0
    assert found.err == ""
    before, _, behind = found.out.partition("Examples:\n")
    examples, _, options = behind.partition("\n\n")
    assert len(examples.splitlines()) >= 2
    assert all(f"idealrank {name}" in line for line in examples.splitlines())
    assert max(map(len, [*before.splitlines(), *options.splitlines()])) <= 100
    assert name == "trec_eval" or "Output:" not in before


@pytest.mark.parametrize("name", ["evaluate", "explain"])
def test_every_decision_is_a_flag(name: str) -> None:
    """Every decision of the dataclass is a flag, with its answers, its question and the default's answer."""
    text = run(name, "--help-all").out
    for field, question in questions().items():
        if field == "weights":
            continue
        assert f"--{field.replace('_', '-')} " in text
        for answer in question.answers:
            assert answer in text
        assert question.asks.split("?")[0].split()[-1] in text


def test_flavors_has_the_flags_its_numbers_read() -> None:
    """`flavors` shows the decisions all flavours share; the others are refused in words (see the errors)."""
    from idealrank.cli.commands.flavors import SHARED
    from idealrank.evaluation import flavors

    assert SHARED == flavors.SHARED_DECISIONS
    text = run("flavors", "--help-all").out
    shown = {name for name in questions() if f"\n  --{name.replace('_', '-')} " in text}
    assert shown == set(SHARED)


def samples() -> list[tuple[str, str]]:
    """Return every answer to every decision, as it is typed."""
    found = []
    for field, question in questions().items():
        for answer in question.answers:
            typed = {"{grade: gain}": "{0:0, 1:1, 2:5, 3:9}", "log(b)": "log(2)", "STAGE,RULE,DIGITS": "query,round,2"}
            found.append((field, typed.get(answer, answer)))
        if question.number:
            found.append((field, "9"))
    return [(field, answer) for field, answer in found if field != "weights"]


@pytest.mark.parametrize(("field", "answer"), samples())
def test_every_answer_is_taken(field: str, answer: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every answer to every decision gives the number the library gives, or is refused as the library refuses it."""
    if field == "relevant_from" and answer == "9":
        answer = "2"
    measure = "P@2" if field in ("relevant_from", "short_list") else "nDCG@2"
    files = [str(folder / "qrels.txt"), str(folder / "up.run")]
    words = ["evaluate", *files, "-m", measure, f"--{field.replace('_', '-')}", answer, "--json"]
    try:
        scores = ir.evaluate(*files, [measure], **{field: answer})
    except ir.IdealrankError as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            group.main(words, standalone_mode=False)
        return
    group.main(words, standalone_mode=False)
    assert list(json.loads(capsys.readouterr().out)["means"].values()) == [{measure: scores[measure]}]


def test_version() -> None:
    """--version says the name and the version."""
    assert run("--version").out.strip() == f"idealrank, version {ir.__version__}"


def test_measures() -> None:
    """`measures` lists every measure; with a name it gives formula, source, decisions and fingerprint."""
    listed = tsv("measures").lines
    assert listed == ["measure\ttitle", *(f"{d.written}\t{d.title}" for d in DEFINITIONS)]
    assert dict(line.split("\t") for line in tsv("measures", "mrr@10").lines)["direction"] == "higher is better"
    text = run("measures", "ndcg_cut_10").out
    assert text.startswith("nDCG@10: Normalised discounted cumulative gain")
    for part in ("Source: Järvelin", ">>> import idealrank", "also called", "ideal_depth", "fingerprint"):
        assert part in text
    whole = json.loads(run("measures", "--json").out)
    assert [row["name"] for row in whole] == [d.name for d in DEFINITIONS]
    one = json.loads(run("measures", "mrr@10", "--json").out)
    assert one["name"] == "RR"
    assert one["fingerprint"].startswith("RR[")


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.name)
def test_what_stands_on_the_page_is_printed(definition: Definition) -> None:
    """`measures NAME` says in words what stands on the page of measures, parameters with their range."""
    page = (Path(__file__).parents[2] / "docs" / "measures.md").read_text("utf-8")
    part = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", page.partition(f"\n## {definition.name}\n")[2].partition("\n## ")[0])
    facts = [line[2:].replace("`", "") for line in part.splitlines() if line.startswith("- ")]
    printed = " ".join(run("measures", definition.name).out.split())
    assert len(facts) >= 9
    assert [fact for fact in facts if fact not in printed] == []


def test_conventions() -> None:
    """`conventions` lists every convention; with a name it marks what departs, first, and says where it was read."""
    names = [line.split()[0] for line in run("conventions").lines if not line.startswith(" ")]
    assert names == list(CONVENTIONS)
    lines = run("conventions", "trec_eval-9.0.8, ties=average").lines
    assert lines[0] == "trec_eval-9.0.8, ties=average: trec_eval 9.0.8"
    marked = [line.split()[1] for line in lines if line.startswith("* ") and "=" in line.split()[1]]
    assert marked == [
        "order_by=score",
        "ties=average",
        "score_precision=float32",
        "recall_points=up",
        "no_results=skip",
        "systems=one_run",
    ]
    text = run("conventions", "trectools").out
    assert "nDCG      order_by=given, ties=given" in text
    assert all(f" {name}=" in run("conventions", "idealrank-1").out for name in questions())


def test_conventions_as_json() -> None:
    """JSON has every decision, what departs, the sources, the differences by measure, and the names."""
    whole = json.loads(run("conventions", "trec_eval-9.0.8, no_results=0", "--json").out)
    assert whole["departures"] == {
        "order_by": "score", "score_precision": "float32", "recall_points": "up", "systems": "one_run",
    }  # fmt: skip
    assert whole["decisions"].keys() == questions().keys()
    assert json.loads(run("conventions", "catboost", "--json").out)["names"]["PrecisionAt"] == "P"
    assert [row["name"] for row in json.loads(run("conventions", "--json").out)] == list(CONVENTIONS)


def test_conventions_as_csv(tmp_path: Path) -> None:
    """CSV and files hold the same as JSON: a row a convention, or a row a decision of one."""
    listed = json.loads(run("conventions", "--json").out)
    assert list(csv.DictReader(io.StringIO(run("conventions", "--csv").out))) == listed
    one = json.loads(run("conventions", "gdeval", "--json").out)
    rows = list(csv.DictReader(io.StringIO(run("conventions", "gdeval", "--csv").out)))
    assert {row["decision"]: row["answer"] for row in rows} == one["decisions"]
    departs = {row["decision"]: row["answer"] for row in rows if row["answer"] != row["idealrank-1"]}
    assert departs == one["departures"]
    assert {row["decision"]: row["source"] for row in rows if row["source"]} == one["sources"]
    run("conventions", "-o", "x.json", cwd=tmp_path)
    run("conventions", "gdeval", "-o", "x.tsv", cwd=tmp_path)
    assert json.loads((tmp_path / "x.json").read_text()) == listed
    assert len((tmp_path / "x.tsv").read_text().splitlines()) == 1 + len(rows)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_every_convention_is_described(name: str) -> None:
    """Each convention can be asked for by name, with its tool and version."""
    found = run("conventions", name)
    assert found.code == 0
    assert found.lines[0] == f"{name}: {CONVENTIONS[name].tool} {CONVENTIONS[name].version}"


def test_explain_as_text(folder: Path) -> None:
    """`explain` is text, also when piped, with the arithmetic; -q leaves out the decisions."""
    found = run("explain", "qrels.txt", "up.run", "--query", "q1", cwd=folder)
    assert found.lines[0] == "query q1, up: nDCG@10 = 0.7350"
    assert "contributions 3.5000 / 4.7619 = 0.7350" in found.lines
    assert found.lines[-1] == "Convention idealrank-1. All choices: --verbose"
    whole = run("explain", "qrels.txt", "up.run", "--query", "q1", "-v", cwd=folder)
    assert "decisions  idealrank-1" in whole.lines
    assert found.err == ""
    quiet = run("explain", "qrels.txt", "up.run", "--query", "q1", "-q", cwd=folder)
    assert "Convention" not in quiet.out
    assert "\x1b" not in found.out


def test_explain_as_data(folder: Path) -> None:
    """`explain --csv` is the table of results, --json everything, -o by the ending."""
    words = ("explain", "qrels.txt", "up.run", "--query", "q1", "-m", "AP")
    rows = list(csv.DictReader(io.StringIO(run(*words, "--csv", cwd=folder).out)))
    assert [row["doc"] for row in rows] == ["d1", "d2", "d3"]
    whole = json.loads(run(*words, "--json", cwd=folder).out)
    assert sum(float(row["contribution"]) for row in rows) == pytest.approx(whole["total"])
    for name, begin in (("out.json", "{"), ("out.csv", "rank,doc"), ("out.tsv", "rank\tdoc")):
        assert run(*words, "-o", name, cwd=folder).out == ""
        assert (folder / name).read_text().startswith(begin)


def test_flavors(folder: Path) -> None:
    """`flavors` has a row a flavour with its meaning, or --per-query a column a flavour."""
    rows = list(csv.DictReader(io.StringIO(run("flavors", "qrels.txt", "up.run", "-k", 10, "--csv", cwd=folder).out)))
    assert [row["flavor"] for row in rows][:3] == ["DCG-z@10", "DCG-f@10", "NDCG-zl@10"]
    expected = ir.flavors(folder / "qrels.txt", folder / "up.run", k=10)
    assert [float(row["mean"]) for row in rows] == expected.means["mean"]
    assert rows[-1]["meaning"] == expected.meanings["NDCG-fm@10"]
    per_query = run("flavors", "qrels.txt", "up.run", "--per-query", "--json", cwd=folder).out
    assert [row["query"] for row in json.loads(per_query)["flavors"]] == ["q1", "q2", "q3"]
    whole = json.loads(run("flavors", "qrels.txt", "up.run", "-k", 10, "--json", cwd=folder).out)
    assert whole["decisions"]["NDCG-fg@10"] == expected.scores.measures[8].fingerprint
    assert whole["flavors"][0]["mean"] == expected.means["mean"][0]
    assert {account["measure"] for account in whole["ledger"]["measures"]} >= {"DCG-z@10", "NDCG-fg@10"}
    assert run("flavors", "qrels.txt", "up.run", "-k", 0, cwd=folder).code == 2


def test_examples_of_the_help_can_be_typed() -> None:
    """Every example in a help text is a command with options that exist."""
    context = click.Context(group)
    found = list(_EXAMPLES)
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        found += command.examples  # type: ignore[attr-defined]
    for line in found:
        words = shlex.split(line.rpartition("| ")[2])
        assert words[0] == "idealrank"
        command = group.get_command(context, words[1])
        assert command is not None
        command.make_context(words[1], words[2:])
