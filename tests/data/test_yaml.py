"""YAML: golden sets as people write them, with ids that keep their text."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.cli.terminal import run
from tests.data.shapes.toy import JUDGMENTS, NDCG, POSITIVE, RESULTS

yaml = pytest.importorskip("yaml")

SHAPES: dict[str, Any] = {
    "{query: {document: grade}}": JUDGMENTS,
    "rows": [{"query_id": q, "doc_id": d, "grade": g} for q, docs in JUDGMENTS.items() for d, g in docs.items()],
    "ratings by query": {
        "queries": [
            {"query": q, "judgments": [{"doc": d, "grade": g} for d, g in docs.items()]}
            for q, docs in JUDGMENTS.items()
        ]
    },
    "MTEB": {"default": {"test": JUDGMENTS}},
}


@pytest.mark.parametrize("flow", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_is_read_as_in_json(shape: str, flow: bool, tmp_path: Path) -> None:
    """The same document gives the number calculated by hand as JSON and as YAML, whoever wrote it."""
    (tmp_path / "golden.yaml").write_text(yaml.safe_dump(SHAPES[shape], default_flow_style=flow))
    (tmp_path / "run.yml").write_text(yaml.safe_dump(RESULTS))
    for results in (RESULTS, tmp_path / "run.yml"):
        scores = ir.evaluate(tmp_path / "golden.yaml", results, ["nDCG@10"])
        assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_a_list_that_is_named(tmp_path: Path) -> None:
    """The list that a user names is read below a key of the whole, too, as in JSON and in Python."""
    cases = {"questions": [{"id": query, "evidence": list(docs)} for query, docs in JUDGMENTS.items()]}
    (tmp_path / "golden.yaml").write_text(yaml.safe_dump(cases))
    (tmp_path / "golden.json").write_text(json.dumps(cases))
    for source in (tmp_path / "golden.yaml", tmp_path / "golden.json", cases):
        read = ir.read_judgments(source, doc="evidence").rows_to_write()
        assert list(read.doc) == [doc for docs in JUDGMENTS.values() for doc in docs]


IDS = ["00123", "no", "yes", "on", "2024-01-01", "12", "017", "0x1F", "1_000", "1:30", "1.10", "1e5", "true", "d 1"]


def test_ids_keep_their_text(tmp_path: Path) -> None:
    """No id becomes a date, an octal number or a truth value: as key, in a list, and as a value, plain and quoted."""
    listed = "".join(f"    - {text}\n" for text in IDS)
    (tmp_path / "list.yaml").write_text(f"- question: what?\n  relevant_docs:\n{listed}")
    (tmp_path / "keys.yaml").write_text("q1:\n" + "".join(f"  {text}: 1\n" for text in IDS))
    rows = "".join(f"- {{query: no, doc: '{text}', grade: 1}}\n" for text in IDS)
    (tmp_path / "rows.yaml").write_text(rows)
    for name in ("list", "keys", "rows"):
        assert list(ir.read_judgments(tmp_path / f"{name}.yaml").rows_to_write().doc) == IDS
    plain = [text for text in IDS if text != "true"]  # a value true under a key is a truth value
    (tmp_path / "plain.yaml").write_text("".join(f"- {{query: no, doc: {text}, grade: 1}}\n" for text in plain))
    read = ir.read_judgments(tmp_path / "plain.yaml").rows_to_write()
    assert (list(read.doc), set(read.query)) == (plain, {"no"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- question: a\n  relevant_docs: [d1]\n  question: b\n", "line 3: the key 'question' occurs twice"),
        ("- question: !!python/name:os.system x\n", "line 1: the tag 'tag:yaml.org,2002:python/name:os.system'"),
        ("- a: &a {k: 1}\n- <<: *a\n  b: 1\n", r"line 2: a merged object \(<<\), which is not read"),
        ("- a: [b\n- c\n", "line 3: not YAML: "),
        ("a: &a [*a]\n", r"line 1: the alias \*a refers to nothing before it"),
        ("? [a]\n: 1\n", "line 1: a key that is not plain text"),
        ("a: " + "[" * 300 + "\n", "lie more than 200 deep"),
        (
            "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
            + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)),
            "line 7: more than 10,000,000 values, once its aliases are written out",
        ),
    ],
)
def test_what_is_refused(text: str, message: str, tmp_path: Path) -> None:
    """What would be lost, or is only meant for programs, is refused with its line; nothing is run or blown up."""
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(ir.DataError, match=message):
        ir.read_judgments(tmp_path / "x.yaml")


def test_a_fault_in_a_row_has_its_line(tmp_path: Path) -> None:
    """A grade that is no number is named by the line of its item."""
    rows = "- query: a\n  doc: d\n  grade: 1\n- query: b\n  doc: d\n  grade: high\n"
    (tmp_path / "x.yaml").write_text(f"# golden\n{rows}")
    with pytest.raises(ir.DataError, match=r"x\.yaml line 5: grade 'high' is not a number"):
        ir.evaluate(tmp_path / "x.yaml", RESULTS, ["RR"])


def test_documents_and_other_names(tmp_path: Path) -> None:
    """Documents separated by --- are rows, YAML is recognised without its ending, and on standard input."""
    text = "".join(f"---\nquery: {q}\nrelevant_docs: {json.dumps(docs)}\n" for q, docs in POSITIVE.items())
    (tmp_path / "golden.txt").write_text(text)
    assert ir.evaluate(tmp_path / "golden.txt", RESULTS, ["RR"])["RR"] == 1
    (tmp_path / "run.json").write_text(json.dumps(RESULTS))
    text = "".join(f"- query: {q}\n  relevant_docs: {json.dumps(docs)}\n" for q, docs in POSITIVE.items())
    shown = run("evaluate", "-", tmp_path / "run.json", "-m", "RR", "-o", tmp_path / "s.csv", stdin=text)
    assert shown.code == 0
    assert "1.0" in (tmp_path / "s.csv").read_text()


def test_without_pyyaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PyYAML the error says what to install."""
    real = builtins.__import__

    def importing(name: str, *args: Any, **more: Any) -> Any:
        if name == "yaml":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", importing)
    (tmp_path / "x.yaml").write_text("a: 1\n")
    with pytest.raises(
        ir.DataError, match=r"a YAML file\. Reading it needs PyYAML: pip install pyyaml\. Or convert it"
    ):
        ir.read_judgments(tmp_path / "x.yaml")
