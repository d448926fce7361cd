"""What build servers are told: annotations, the summary of a job, reports; ids of data cannot act on them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

import idealrank as ir
from tests.cli.terminal import SHOP, run

HOSTILE = "q\n::error::x|<script>alert(1)</script>]]>%0A::stop"
OLD, NEW = "old, a:b%25", "new\r::warning::y <img src=x> |"
SHOP_FILES = tuple(str(SHOP / name) for name in ("judgments.csv", "bm25.csv", "hybrid.csv"))


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a folder with judgments and two systems whose ids are hostile; the second finds everything later."""
    queries = [f"{HOSTILE} {i}" for i in range(30)]
    quoted = [query.replace('"', '""') for query in queries]
    (tmp_path / "j.csv").write_text("query,doc,grade\n" + "".join(f'"{query}",a,1\n' for query in quoted), newline="")
    rows = [f'"{query}",{doc},{rank},"{system}"\n' for query in quoted for system, order in ((OLD, "ab"), (NEW, "ba"))
            for rank, doc in enumerate(order, 1)]  # fmt: skip
    (tmp_path / "both.csv").write_text("query,doc,rank,system\n" + "".join(rows), newline="")
    alone = [f'"{query}",{doc},{rank}\n' for query in quoted for rank, doc in enumerate("ba", 1)]
    (tmp_path / "new.csv").write_text("query,doc,rank\n" + "".join(alone), newline="")
    return tmp_path


def commands(out: str) -> list[tuple[str, str, str]]:
    """Read the workflow commands of a log as the runner of GitHub does: level, title, message."""
    found = re.findall(r"^::(\w+) title=([^,:]*)::(.*)$", out, re.MULTILINE)
    assert len(found) == len(re.findall(r"^\s*::", out, re.MULTILINE)), out
    return [(level, unquote(title), unquote(message)) for level, title, message in found]


def test_github_is_told_the_verdict(tmp_path: Path) -> None:
    """One annotation says what the verdict says, and the Markdown of the comparison is the summary of the job."""
    summary = tmp_path / "summary.md"
    found = run("compare", *SHOP_FILES, "--annotate", "github", env={"GITHUB_STEP_SUMMARY": str(summary)}, cwd=tmp_path)
    theirs = ir.compare(SHOP_FILES[0], list(SHOP_FILES[1:]))
    verdict = theirs.verdict["hybrid"]
    assert commands(found.out) == [("warning", verdict.headline, " ".join(verdict.summary))]
    assert summary.read_text("utf-8") == theirs.to_markdown()
    data = run("compare", *SHOP_FILES, "--annotate", "github", "--format", "json", cwd=tmp_path)
    assert commands(data.err) == commands(found.out)
    assert json.loads(data.out)["verdicts"]


def test_hostile_ids_make_one_command_and_no_markup(hostile: Path) -> None:
    """An id with a line end, %, a colon, a bar and HTML stays text in the log, in Markdown and in JUnit."""
    env = {"GITHUB_STEP_SUMMARY": str(hostile / "summary.md")}
    words = ("--annotate", "github", "--junit", "c.xml", "--baseline", OLD, "-m", "RR")
    found = run("compare", "j.csv", "both.csv", *words, cwd=hostile, env=env)
    assert found.code == 0, found.err
    (command,) = commands(found.out)
    assert command[:2] == ("error", "Do not ship new\\r::warning::y <img src=x> |")
    text = (hostile / "summary.md").read_text("utf-8")
    assert "instead of old, a:b%25" in text
    tokens = [token for block in MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
              for token in [block, *(block.children or [])]]  # fmt: skip
    ours = {"<details>", "</details>", "<summary>", "</summary>"}
    raw = {tag for token in tokens if token.type.startswith("html_") for tag in re.findall("<[^>]*>", token.content)}
    assert raw <= ours
    assert not re.search(r"^::", text, re.MULTILINE)
    assert ET.fromstring((hostile / "c.xml").read_bytes()).tag == "testsuites"


@pytest.mark.parametrize("command", ["compare", "gate"])
def test_gitlab_and_jenkins_get_files(command: str, hostile: Path) -> None:
    """GitLab reads a report of Code Quality, Jenkins the native format of its Warnings plugin, without markup."""
    call: tuple[str, ...] = ("compare", "j.csv", "both.csv", "--baseline", OLD, "-m", "RR")
    if command == "gate":
        call = ("gate", "j.csv", "new.csv", "--min", "RR>=0.9")
    codes = {run(*call, "--annotate", server, cwd=hostile).code for server in ("gitlab", "jenkins")}
    assert codes == {1 if command == "gate" else 0}
    results = "new.csv" if command == "gate" else "both.csv"
    report = json.loads((hostile / "gl-code-quality-report.json").read_text("utf-8"))
    (issue,) = [each for each in report if each["severity"] != "minor"]
    assert issue["severity"] == "major"
    assert issue["location"] == {"path": results, "lines": {"begin": 1}}
    assert re.fullmatch("[0-9a-f]{64}", issue["fingerprint"])
    assert {"description", "check_name"} < issue.keys()
    entries = json.loads((hostile / "idealrank-issues.json").read_text("utf-8"))["issues"]
    (entry,) = [each for each in entries if each["severity"] != "NORMAL"]
    assert (entry["fileName"], entry["lineStart"], entry["severity"]) == (results, 1, "ERROR")
    assert not any("<" in each["message"] for each in entries)


def test_a_finding_keeps_its_fingerprint(tmp_path: Path) -> None:
    """The same check has the same fingerprint whatever it finds, so that GitLab tells what is new; another differs."""
    prints = []
    checks = (("bm25", "RR>=0.99"), ("bm25", "RR>=0.98"), ("bm25", "RR>=0.99"), ("hybrid", "RR>=0.99"))
    for results, condition in checks:
        call = ("gate", SHOP_FILES[0], str(SHOP / f"{results}.csv"), "--min", condition)
        run(*call, "--annotate", "gitlab", cwd=tmp_path)
        report = json.loads((tmp_path / "gl-code-quality-report.json").read_text("utf-8"))
        (issue,) = [each for each in report if each["severity"] == "major"]
        prints.append(issue["fingerprint"])
    assert prints[0] == prints[2]
    assert len(set(prints)) == 3


def test_a_gate_that_cannot_compare_is_an_error(tmp_path: Path) -> None:
    """Bad data are an annotation, too, so that no build passes for want of one."""
    (tmp_path / "r.csv").write_text("query,doc,rank\nnobody,a,1\n")
    call = ("gate", SHOP_FILES[0], "r.csv", "--min", "RR>=0.5", "--annotate", "github")
    found = run(*call, cwd=tmp_path)
    assert found.code == 3
    ((level, title, message),) = commands(found.out)
    assert (level, title) == ("error", "Gate could not compare")
    assert message.split(".")[0] in found.err


@pytest.mark.parametrize("server", ["github", "gitlab", "jenkins"])
def test_a_comparison_of_bad_data_leaves_no_report_of_before(server: str, tmp_path: Path) -> None:
    """What was written by a good run is replaced by the refusal: an old verdict would pass for today's."""
    files = {"gitlab": "gl-code-quality-report.json", "jenkins": "idealrank-issues.json"}
    words = ("--annotate", server, "--junit", "j.xml", "--markdown", "m.md")
    assert run("compare", *SHOP_FILES, *words, cwd=tmp_path).code == 0
    (tmp_path / "bad.csv").write_text("query,doc,rank\nnobody,a,1\n")
    found = run("compare", SHOP_FILES[0], SHOP_FILES[1], "bad.csv", "--queries", "nobody", *words, cwd=tmp_path)
    assert found.code == 3
    assert "Nothing could be compared" in (tmp_path / "m.md").read_text("utf-8")
    assert 'errors="1"' in (tmp_path / "j.xml").read_text("utf-8")
    said = found.out if server == "github" else (tmp_path / files[server]).read_text("utf-8")
    assert "Nothing could be compared" in said
    assert "Not enough evidence" not in said


def test_findings_are_at_a_file_that_is_one(tmp_path: Path) -> None:
    """A server shows a file at a line: where results are a folder, it is that of the judgments."""
    (tmp_path / "runs").mkdir()
    for name in ("bm25", "hybrid"):
        (tmp_path / "runs" / f"{name}.csv").write_bytes((SHOP / f"{name}.csv").read_bytes())
    (tmp_path / "judgments.csv").write_bytes((SHOP / "judgments.csv").read_bytes())
    assert run("compare", "judgments.csv", "runs", "--annotate", "gitlab", cwd=tmp_path).code == 0
    found = json.loads((tmp_path / "gl-code-quality-report.json").read_text("utf-8"))
    assert {each["location"]["path"] for each in found} == {"judgments.csv"}


@pytest.mark.parametrize("flag", ["--junit", "--markdown"])
def test_a_report_on_standard_output_is_refused(flag: str, tmp_path: Path) -> None:
    """There the words are; and no file is called ``-``."""
    found = run("compare", *SHOP_FILES, flag, "-", cwd=tmp_path)
    assert (found.code, f"{flag} -: standard output has the table." in found.err) == (2, True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("flag", ["--junit", "--annotate"])
def test_blessing_reports_nothing(flag: str, tmp_path: Path) -> None:
    """A report that is asked for with --bless is refused instead of left out."""
    words = ("--baseline", "b.json", "--bless", "-m", "RR", flag, "github" if flag == "--annotate" else "j.xml")
    found = run("gate", *SHOP_FILES[:2], *words, cwd=tmp_path)
    assert (found.code, f"--bless and {flag}: there is no outcome" in found.err) == (2, True)


def test_a_gate_that_passes_is_a_notice(tmp_path: Path) -> None:
    """A passed gate is a notice with what was found."""
    found = run("gate", SHOP_FILES[0], SHOP_FILES[1], "--min", "RR>=0.5", "--annotate", "github", cwd=tmp_path)
    assert commands(found.out) == [("notice", "Gate passed (1 passed)", "RR is 0.8333 over 41 queries, >= 0.5")]
