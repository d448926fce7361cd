"""The provider registered with ir_measures, beside its own providers."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest
from ir_measures import Qrel, ScoredDoc, parse_measure

import idealrank as ir
from idealrank.integrations.ir_measures import provider
from tests.amounts import part
from tests.oracles.conftest import Compare
from tests.oracles.data import Data, random_data

GOLDEN = Path(__file__).parents[2] / "golden" / "ir_measures" / "values.tsv"
RELEVANT = (
    "P@5",
    "AP",
    "AP@5",
    "RR",
    "RR@5",
    "Rprec",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "Success@2",
    "IPrec@0.5",
    "R@9",
)
NAMES = [
    *RELEVANT,
    *(f"{name}(rel=2){at}{cutoff}" for name, at, cutoff in (one.partition("@") for one in RELEVANT)),
    *("P(judged_only=True)@5", "AP(judged_only=True,rel=2)@10", "RR(judged_only=True)", "SetF(judged_only=True)"),
    *("nDCG", "nDCG@10", "nDCG(judged_only=True)@10", "nDCG(dcg='log2')@5", "nDCG(gains={0:0,1:3,2:5})@10"),
    *("nDCG(gains={1:3})", "nDCG(gains={1:0,3:1})@7", "Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)", "SetRelP"),
    *("NumQ", "NumRel", "NumRet", "NumRelRet", "NumRet(rel=2)", "SetF(beta=2.0)", "SetF(beta=0.5,rel=2)"),
    *("Judged@1", "Judged@10", "Judged", "SetP(relative=True,rel=2)"),
]
"""Those whose providers are installed with it."""

IN_EVERY_FORM = part(NAMES, 0)
"""Rows are read before any measure is known: a choice of names tries every form."""


def rows(data: Data) -> tuple[list[Qrel], list[ScoredDoc]]:
    """Write data as ir_measures' named tuples."""
    qrels = [Qrel(q, doc, grade) for q, grades in data.judgments.items() for doc, grade in grades.items()]
    return qrels, [ScoredDoc(q, doc, score) for q, scores in data.results.items() for doc, score in scores.items()]


def forms(data: Data) -> Iterator[tuple[Any, Any]]:
    """Every form ir_measures takes judgments and runs in."""
    qrels, run = rows(data)
    yield data.judgments, data.results
    yield qrels, run
    yield iter(qrels), iter(run)
    yield pd.DataFrame(qrels), pd.DataFrame(run)


@pytest.mark.parametrize("name", NAMES)
def test_values(name: str, compare: Compare) -> None:
    """Every query has the value of its own providers, and so has the mean, whatever the form of the data."""
    measure = parse_measure(name)
    assert provider.supports(measure)
    for seed, scale in ((700, (0, 1, 2, 3)), (701, (-1, 0, 1, 2, 3))):
        data = random_data(seed, scale)
        wanted = {m.query_id: m.value for m in ir_measures.iter_calc([measure], data.judgments, data.results)}
        mean = ir_measures.calc_aggregate([measure], data.judgments, data.results)[measure]
        for judgments, run in forms(data) if name in IN_EVERY_FORM else [(data.judgments, data.results)]:
            evaluator = provider.evaluator([measure], judgments)
            found = {m.query_id: m.value for m in evaluator.iter_calc(run)}
            compare("ir-measures", found, wanted, name)
            assert evaluator.calc_aggregate(data.results)[measure] == pytest.approx(mean, abs=1e-12)


def test_ids_are_texts() -> None:
    """Ids that are numbers spelt in two ways are two ids, as for its own providers."""
    qrels, run = {"q": {"1": 1, "1.0": 0}, "2": {"a": 1}}, {"q": {"1.0": 2.0, "1": 1.0}, "2.0": {"a": 1.0}}
    measures = [parse_measure("AP"), parse_measure("P@1")]
    found, wanted = (
        sorted((m.query_id, str(m.measure), m.value) for m in source.iter_calc(measures, qrels, run))
        for source in (provider, ir_measures)
    )
    assert found == wanted


def test_by_gdeval(compare: Compare) -> None:
    """With exponential gains, and for ERR, it answers as gdeval.pl does, which prints five decimals."""
    data = random_data(702, queries=20)
    numbered = Data(*({str(int(q.split()[-1])): of for q, of in part.items()} for part in data))
    plain = Data(*({q: {d: v for d, v in of.items() if d.isascii()} for q, of in part.items()} for part in numbered))
    for name in ("nDCG(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@20", "ERR@3", "ERR@20"):
        measure = parse_measure(name)
        both = [source.iter_calc([measure], *plain) for source in (provider, ir_measures.gdeval)]
        found, wanted = ({m.query_id: m.value for m in metrics} for metrics in both)
        compare("ir-measures", found, wanted, name, 5.1e-6)


def test_compat(compare: Compare) -> None:
    """Compat, of scores above 0 without ties, which it orders in two ways."""
    data = random_data(704)
    run = {q: {doc: 1000.0 - place for place, doc in enumerate(docs)} for q, docs in data.results.items()}
    for name in ("Compat", "Compat(p=0.5)", "Compat(p=0.8,normalize=False)"):
        both = [source.iter_calc([parse_measure(name)], data.judgments, run) for source in (provider, ir_measures)]
        found, wanted = ({m.query_id: m.value for m in metrics} for metrics in both)
        compare("ir-measures", found, wanted, name)


def subtopics() -> tuple[list[Qrel], list[ScoredDoc]]:
    """Judgments by subtopic and a run with ties, a hole in either and queries without relevant documents."""
    rng = random.Random(5)
    qrels, run = [], []
    for query in map(str, range(12)):
        docs = [f"d{i}" for i in rng.sample(range(100), 12)]
        for subtopic in range(rng.choice([1, 2, 4])):
            judged = [*rng.sample(docs, 7), "x1"]
            top = 0 if query == "7" else 2
            qrels += [Qrel(query, doc, min(top, rng.choice([0, 0, 1, 2])), str(subtopic)) for doc in judged]
        levels = rng.choice([2, 1000])
        run += [ScoredDoc(query, doc, rng.randrange(levels) / 8) for doc in docs] if query != "4" else []
    return qrels, [*run, ScoredDoc("99", "d1", 1.0)]


def test_printed() -> None:
    """Measures of providers that are not installed with it: means that ir_measures 0.4.3 printed for the same data."""
    for line in GOLDEN.read_text("utf-8").splitlines()[1:]:
        name, by, value = line.split("\t")
        measure = parse_measure(name)
        data = subtopics() if by.startswith("pyndeval") else rows(random_data(703, queries=12))
        assert provider.supports(measure)
        assert provider.calc_aggregate([measure], *data)[measure] == pytest.approx(float(value), abs=1e-9), name


def test_not_supported() -> None:
    """What has another value here, or none, is left to other providers."""
    for name in ("INST(max_rel=3)", "RBP", "nDCG(gains={0:1})@3", "SDCG(max_rel=3,min_rel=1)@3"):
        assert not provider.supports(parse_measure(name)), name
    own = ir_measures.define_byquery(lambda qrels, run: 1.0, name="P")
    assert not provider.supports(own)
    with pytest.raises(ValueError, match="The provider idealrank does not compute"):
        provider.evaluator([parse_measure("INST(max_rel=3)")], {"q": {"a": 1}})


def test_edges() -> None:
    """Nothing returned, nothing in common and one document given twice are answered as its own providers do."""
    measure, judgments = parse_measure("AP"), {"q": {"a": 1}, "r": {"b": 0}}
    for run in (
        {},
        {"other": {"a": 1.0}},
        [ScoredDoc("q", "b", 2.0), ScoredDoc("q", "a", 1.0), ScoredDoc("q", "a", 3.0)],
    ):
        wanted = ir_measures.pytrec_eval.calc_aggregate([measure], judgments, run)
        assert provider.calc_aggregate([measure], judgments, run) == wanted
    assert provider.qrel_inputs([measure]) == ["query_id", "doc_id", "relevance"]
    assert provider.qrel_inputs([ir_measures.NRBP]) == ["query_id", "doc_id", "relevance", "iteration"]


def test_command_line(tmp_path: Path) -> None:
    """Once the module is imported, its program offers the provider, and prints what it prints without."""
    (tmp_path / "qrels").write_text("q 0 a 2\nq 0 b 1\nr 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 b 1 2.5 s\nq Q0 a 2 1.5 s\n")
    start = "import sys; from idealrank.integrations import ir_measures; from ir_measures.__main__ import main_cli; "
    for argv in ([], ["--provider", "idealrank"]):
        code = f"{start}sys.argv[1:] = {['qrels', 'run', 'nDCG@10 AP', '-q', *argv]!r}; main_cli()"
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert sorted(done.stdout.splitlines()) == [
            *("all\tAP\t0.5000", "all\tnDCG@10\t0.4299", "q\tAP\t1.0000", "q\tnDCG@10\t0.8597"),
            *("r\tAP\t0.0000", "r\tnDCG@10\t0.0000"),
        ]


def test_its_objects_are_measures() -> None:
    """Where a name is taken, its measure object is, too: in evaluate, and what is built on it."""
    data = ({"q": {"a": 2, "b": 1}}, {"q": {"b": 2.0, "c": 1.5, "a": 1.0}})
    for measure in map(
        parse_measure, ("nDCG@10", "P(rel=2)@2", "AP(judged_only=True)", "SDCG(max_rel=2)@3", "NumRelRet")
    ):
        (theirs,) = [m.value for m in provider.iter_calc([measure], *data)]
        scores = ir.evaluate(*data, measure)
        assert scores[measure] == ir.evaluate(*data, [measure, "RR"])[measure] == pytest.approx(theirs, abs=1e-12)
        assert ir.measure(measure) == scores.measures[0]
        assert ir.explain(*data, measure).score == scores[measure]
        assert ir.conventions_table(*data, measure, conventions=["ir_measures"])["value"][0] == pytest.approx(theirs)
        assert ir.reconcile(*data, measure, "ir_measures", "trec_eval-9.0.8").before == pytest.approx(theirs)
    with pytest.raises(ir.UsageError, match="5 is not a measure"):
        ir.evaluate(*data, [5])
