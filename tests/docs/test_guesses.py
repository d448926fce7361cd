"""What people try who know pandas, ranx, pytrec_eval, ir_measures or scikit-learn, and have read no page of ours.

Each guess works, and what it should say is true; or its error names the call that does it. 64 queries have one
relevant document each, "d"; `bm25` returns it second (RR 1/2), `hybrid` first in all queries but q63 (RR 127/128).
"""

from __future__ import annotations

import itertools
import math
import os
import pickle
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import idealrank as ir

J = {f"q{i}": {"d": 1, "x": 0} for i in range(64)}
A = {f"q{i}": {"x": 2.0, "d": 1.0} for i in range(64)}
B = {**{f"q{i}": {"d": 2.0, "x": 1.0} for i in range(63)}, "q63": A["q63"]}
SECOND = 1 / math.log2(3)
"""The nDCG of the only relevant document at rank 2."""

WORKS = (
    # reading and evaluating
    'ir.evaluate(J, A)["nDCG@10"] == SECOND',
    'ir.evaluate(J, A, "nDCG@10")["ndcg@10"] == SECOND',
    'ir.evaluate(J, A, "ndcg")["nDCG"] == SECOND',
    'ir.evaluate(J, A, "MRR")["mrr"] == 0.5',
    'ir.evaluate(J, A, "mrr@10")["RR@10"] == 0.5',
    'ir.evaluate(J, A, "map")["AP"] == 0.5',
    'ir.evaluate(J, A, "recall@10")["R@10"] == 1',
    'ir.evaluate(J, A, "precision@1")["P@1"] == 0',
    'ir.evaluate(J, A, "NDCG@10,MRR").systems == ("results",)',
    'len(ir.evaluate(J, A, "NDCG@10,MRR").means) == 2',
    'len(ir.evaluate(J, A, "NDCG@10, MRR, P@1,5").means) == 4',
    'len(ir.evaluate(J, A, ["ndcg@5", "ndcg@10"]).means) == 2',
    'ir.evaluate(J, A, "ndcg_cut_10")["nDCG@10"] == SECOND',
    'ir.evaluate(J, A, "recip_rank")["RR"] == 0.5',
    'ir.evaluate(J, A, {"nDCG@10"})["nDCG@10"] == SECOND',
    'ir.evaluate(J, A, ("P@1",))["P@1"] == 0',
    'ir.evaluate(judgments=J, results=A)["RR"] == 0.5',
    'ir.evaluate("qrels.txt", "bm25.run", "RR")["RR"] == 0.5',
    'ir.evaluate(Path("qrels.txt"), Path("bm25.run"), "RR")["RR"] == 0.5',
    'ir.evaluate(frame(J, "grade"), frame(A, "score"), "RR")["RR"] == 0.5',
    'ir.evaluate(pl.DataFrame(frame(J, "grade")), pl.DataFrame(frame(A, "score")), "RR")["RR"] == 0.5',
    'ir.evaluate(J, A, "RR", gain="exp2", ties="average")["RR"] == 0.5',
    'ir.evaluate(J, A, "RR", no_results=0)["RR"] == 0.5',
    'ir.evaluate(J, A, convention="sklearn").setting.text == "sklearn"',
    'ir.evaluate(J, A, convention="TREC_EVAL-10.0")["nDCG@10"] == SECOND',
    'ir.evaluate(ir.read_judgments(J), ir.read_results(A))["RR"] == 0.5',
    'ir.evaluate(J, {"bm25": A, "hybrid": B})["RR"] == {"bm25": 0.5, "hybrid": 0.9921875}',
    'ir.evaluate(J, [A, B])["RR"] == {"results 1": 0.5, "results 2": 0.9921875}',
    'ir.evaluate(J, ["bm25.run", "hybrid.run"])["RR"]["hybrid"] == 0.9921875',
    # scores
    'scores["RR"]["hybrid"] == 0.9921875',
    'scores["rr", "hybrid"] == 0.9921875',
    'scores.mean("RR", "bm25") == 0.5',
    'scores.mean("RR", system="bm25") == 0.5',
    'scores.to_pandas()["bm25"].tolist() == [SECOND, 0.5]',
    'scores.means.to_pandas().set_index("measure").loc["RR", "bm25"] == 0.5',
    'scores.per_query.to_pandas().groupby("system")["RR"].mean()["bm25"] == 0.5',
    'scores.per_query.to_polars().height == 128',
    'scores.per_query.to_arrow().num_rows == 128',
    'scores.per_query.to_csv().startswith("query,")',
    'scores.per_query.head(3)["query"] == ["q0", "q1", "q2"]',
    'len(scores.per_query.head()) == 5',
    'scores.per_query.tail(1)["query"] == ["q63"]',
    'len(scores.per_query[:5]) == 5',
    'scores.per_query[0]["query"] == "q0"',
    'scores.per_query[-1]["RR"] == 0.5',
    'scores.per_query[::64]["system"] == ["bm25", "hybrid"]',
    'scores.per_query.filter(system="hybrid", query="q63")["RR"] == [0.5]',
    'len(scores.per_query.filter(lambda row: row["RR"] < 1)) == 65',
    'len(scores.per_query) == 128 and scores.per_query.columns[0] == "query"',
    'np.mean(scores.per_query["RR"]) == (0.5 + 0.9921875) / 2',
    'pd.DataFrame(scores.means)["bm25"].tolist() == [SECOND, 0.5]',
    'pl.DataFrame(scores.means)["bm25"].to_list() == [SECOND, 0.5]',
    '[row["measure"] for row in scores.means] == ["nDCG@10", "RR"]',
    'scores.describe().filter(measure="RR", system="bm25")["mean"] == [0.5]',
    'scores.worst(3, system="hybrid")["query"][0] == "q63"',
    'scores.worst(n=1, measure="RR", system="hybrid")["RR"] == [0.5]',
    'scores.best(1, "RR", "hybrid")["RR"] == [1]',
    'scores.explain("q1", system="bm25").score == SECOND',
    'scores.explain("RR", "q1", "bm25").score == 0.5',
    'scores.explain(query="q1", system="bm25").score == SECOND',
    'scores.systems == ("bm25", "hybrid") and scores.queries[0] == "q0"',
    'scores.to_dict()["means"]["bm25"]["RR"] == 0.5',
    '"nDCG@10" in scores.to_json() and "nDCG@10" in scores.to_markdown()',
    '"0.5000" in str(scores) and "0.5000" in repr(scores)',
    'pickle.loads(pickle.dumps(scores.means))["bm25"] == scores.means["bm25"]',
    'dict(scores)["RR"] == {"bm25": 0.5, "hybrid": 0.9921875}',
    'list(ir.evaluate(J, A, "RR,P@1")) == ["RR", "P@1"]',
    'dict(ir.evaluate(J, A, "RR,P@1")) == {"RR": 0.5, "P@1": 0}',
    '[(name, mean) for name, mean in ir.evaluate(J, A, "RR").items()] == [("RR", 0.5)]',
    'scores.per_query[["query", "RR"]].columns == ["query", "RR"]',
    'scores.per_query.shape == (128, 4)',
    'len(scores) == 2 and len(ir.evaluate(J, A, "RR")) == 1',
    'float(ir.evaluate(J, A, "RR")) == 0.5 and ir.evaluate(J, A, "RR").mean() == 0.5',
    'format(float(ir.evaluate(J, A, "RR")), ".2f") == "0.50"',
    # explaining
    'ir.explain(J, A, "nDCG@10", "q1").score == SECOND',
    'ir.explain(J, A, "RR", query="q1").score == 0.5',
    'ir.explain(J, A, query="q1").steps.to_pandas()["rank"].tolist() == [1, 2]',
    # comparing
    'ir.compare(J, {"bm25": A, "hybrid": B})["RR"].wins == 63',
    'ir.compare(J, [A, B], "RR")["RR"].difference == 0.4921875',
    'ir.compare(scores, baseline="hybrid")["RR"].losses == 63',
    'ir.compare(ir.evaluate(J, {"bm25": A, "hybrid": B}, "RR"), test="wilcoxon").methods.test == "wilcoxon"',
    'comparison["RR"].p < 0.05 and comparison["RR"].difference == 0.4921875',
    '[round(end, 3) for end in comparison["RR"].corrected] == [0.477, 0.508]',
    '(lambda low, high: low < 0.4921875 < high)(*comparison["RR"].interval)',
    'ir.report(J, [A, B]).comparison.verdict == "SHIP"',
    'comparison["nDCG@10"].mean > comparison["nDCG@10"].baseline_mean',
    'comparison.verdict.outcome == "SHIP"',
    'comparison.verdict == "SHIP" and comparison.verdict != "DON\'T"',
    'str(comparison.verdict).startswith("hybrid instead of bm25: SHIP")',
    'comparison.verdict["hybrid"].outcome == "SHIP"',
    'comparison.summary()["hybrid"].outcome == "SHIP"',
    'comparison.differences.to_pandas()["wins"].tolist() == [63, 63]',
    'comparison.to_pandas()["wins"].tolist() == [63, 63]',
    'comparison.wins(3)["query"] == ["q0", "q1", "q10"]',
    'len(comparison.losses()) == 0',
    'comparison.per_query.filter(measure="RR")["difference"][-1] == 0' ,
    'comparison.to_latex().startswith("%") or "tabular" in comparison.to_latex()',
    'comparison.means.filter(system="bm25", measure="RR")["mean"] == [0.5]',
    '"SHIP" in comparison._repr_html_()[:300]',
    # showing
    'isinstance(ir.plot(scores), matplotlib.figure.Figure)',
    'isinstance(ir.plot(comparison), matplotlib.figure.Figure)',
    'isinstance(ir.plot(scores, "distribution", measure="RR"), matplotlib.figure.Figure)',
    'isinstance(ir.plots.means(scores), matplotlib.figure.Figure)',
    'ir.report(scores).to_html().startswith("<!doctype html>")',
    'ir.report(comparison).save("report.html").read_text("utf-8").startswith("<!doctype html>")',
    'ir.report(scores, title="Mine").save("report.md").read_text("utf-8").startswith("# Mine")',
    'ir.report(comparison).save(Path("report.json")).stat().st_size > 1000',
    # looking around
    'ir.measures()["measure"][0] == "nDCG@k"',
    'ir.measures("mrr").columns[0] == "RR"',
    '"sklearn" in ir.conventions()["name"]',
    '"average" in ir.conventions("sklearn")["answer"]',
    'ir.CONVENTIONS["sklearn"].tool == "scikit-learn" and "sklearn" in ir.CONVENTIONS',
    'str(ir.measure("ndcg@10")) == "nDCG@10" and ir.measure("nDCG@10").cutoff == 10',
    'ir.Decisions().but(gain="exp2") == ir.Decisions(gain="exp2")',
    'repr(ir.Decisions(gain="exp2")) == "Decisions(gain=\'exp2\')"',
    'ir.__version__[0].isdigit()',
    'ir.flavors(J, A, k=10)["DCG-z@10"]["q1"] == SECOND',
    'ir.rbo(["a", "b"], ["a", "b"]).extrapolated == 1',
    'ir.gate(J, A, B, fail_if="RR drops 0.01").passed',
    'ir.identify(J, A, {"RR": 0.5}, departures=0).classes',
)  # fmt: skip

NAMES_THE_CALL = {
    "ir.compare(J, A, B)": "Give all systems together: {'bm25': first, 'hybrid': second}",
    'ir.compare("qrels.txt", "bm25.run", "hybrid.run")': "Give all systems together",
    'ir.evaluate(J, A, metrics=["nDCG@10"])': "measures=['nDCG@10', 'P@5']",
    "ir.evaluate(qrels=J, run=A, judgments=J)": "judgments are the first argument",
    "ir.evaluate(J, A, k=10)": "as in measures=['nDCG@10']",
    "ir.evaluate(J, A, cutoff=5)": "as in measures=['nDCG@5']",
    'ir.evaluate(J, A, "RR", return_mean=False)': "scores.per_query",
    'ir.compare(J, runs=[A, B], metrics=["ndcg@10"])': "results are the second argument",
    "ir.compare(J, [A, B], max_p=0.01)": "level=0.95",
    "ir.compare(J, [A, B], rel_lvl=2)": "relevant_from=1",
    "ir.evaluate(J, A, qrels=J)": "judgments are the first argument",
    'scores["q1"]': "explain('nDCG@10', 'q1')",
    'scores["hybrid"]': "as ['nDCG@10', 'hybrid']",
    'comparison["hybrid"]': "as ['nDCG@10', 'hybrid']",
    'scores.worst("RR")': "measure='RR'",
    "scores.iloc[0]": "scores.per_query.to_pandas()",
    "scores.losses()": "ir.compare(scores).losses()",
    'scores.per_query.groupby("system")': "table.to_pandas().groupby(",
    "scores.per_query()": "leave out the parentheses, as in scores.per_query. A column is table['RR']",
    "comparison.differences()": "leave out the parentheses",
    "comparison.verdict()": "leave out the parentheses, as in comparison.verdict.outcome",
    "scores.per_query.RR": "Use table['RR']",
    "scores.per_query.df": "Use table.to_pandas()",
    "float(scores)": "Name the measure: scores.mean('nDCG@10')",
    "scores.mean()": "Name the measure",
    "scores.std()": "Use scores.describe()",
    'scores.by("segment")': "Use scores.describe(by='segment')",
    "scores.show()": "Use str(scores)",
    "comparison.show()": "Use str(comparison)",
    "comparison.ship": "Use comparison.verdict",
    "comparison.decision": "Use comparison.verdict",
    "bool(comparison)": "Ask for its outcome: comparison.verdict == 'SHIP'",
    "bool(comparison.verdict)": "Ask for its outcome",
    'bool(comparison.verdict["hybrid"])': "Ask for its outcome",
    'comparison["RR"].corrected.lower': "Use interval.low",
    'comparison["RR"].corrected.max': "Use interval.high",
    "ir.evaluate(qrels=J, run=A)": "judgments are the first argument",
    "ir.compare(qrels=J, runs=[A, B])": "judgments are the first argument",
    "ir.evaluate(y_true=J, y_score=A)": "judgments are the first argument",
    "ir.evaluate([3, 0, 1], [0.5, 0.2, 0.1])": "ir.from_grades([3, 0, 1])",
    "ir.evaluate([[3, 0]], [[0.5, 0.2]])": "ir.from_grades([3, 0, 1])",
    "ir.compare(scores, alpha=0.05)": "level=0.95",
    'ir.compare(scores, stat_test="student")': "test='t'",
    'ir.report(scores, "x.html")': "ir.report(scores).save('report.html')",
    'ir.explain(scores, "q1")': "scores.explain('nDCG@10', 'q1')",
    'ir.plot(comparison, kind="differences")': "ir.plot(x, 'differences')",
    'scores.means("RR")': "leave out the parentheses",
    "comparison.verdict.ship": "verdict.outcome",
    "comparison.significant": "comparison.verdict",
    'comparison["RR"].pvalue': "contrast.p",
    'comparison["RR"].ci': "contrast.corrected",
    'ir.explain(J, A, "RR", "q1").to_pandas()': "explanation.steps.to_pandas()",
    'ir.gate(J, A, B, minimum="RR>=0.1").exit_code': "gate.code",
    "ir.plot(J)": "ir.evaluate(judgments, results)",
    "ir.plots.bar(scores)": "Known: curve",
    'ir.Measure("nDCG@10")': "ir.measure('nDCG@10')",
    'ir.evaluate(J, A, convention="scikit-learn")': "Did you mean sklearn?",
    'ir.evaluate(J, A, gain="exponential")': "Allowed: linear, whole, exp2",
    'ir.evaluate(J, A, "ndgc@10")': "Did you mean nDCG",
    'ir.compare(J, [A, B], test="ttest")': "Allowed: t, wilcoxon",
    "scores.compare()": "ir.compare(scores)",
    "scores.plot()": "ir.plot(scores)",
    "scores.report()": "ir.report(scores)",
    'scores.save("x.html")': "ir.report(scores).save('report.html')",
    "scores.head()": "scores.per_query.head()",
    'scores.mean("RR")': "Name one, as system='bm25'",
    'scores.per_query["ndcg"]': "Did you mean nDCG@10",
    'scores.per_query.sort_values("RR")': "table.to_pandas().sort_values(",
    "comparison.plot()": "ir.plot(comparison)",
    "comparison.p_value": "comparison['nDCG@10'].p",
    'ir.report(scores).save("report.pdf")': ".html, .md, .json",
    'ir.report(scores).write("x.html")': "report.save('report.html')",
    "ir.Qrels(J)": "ir.read_judgments(",
    "ir.Run(A)": "ir.read_results(",
    "ir.ndcg(J, A)": "['nDCG@10']",
    "ir.ndcg_score(J, A, k=10)": "['nDCG@10']",
    "ir.RelevanceEvaluator(J, {'ndcg'})": "idealrank.integrations.pytrec_eval",
    "ir.metrics()": "ir.measures()",
    "ir.evalute(J, A)": "Did you mean evaluate?",
    'ir.plot(scores, "histogram")': "Known: curve",
}


def frame(table: dict[str, dict[str, float]], value: str) -> pd.DataFrame:
    """Return a dict of dicts as a dataframe of three columns."""
    rows = [(query, doc, number) for query, docs in table.items() for doc, number in docs.items()]
    return pd.DataFrame(rows, columns=["query", "doc", value])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names of the guesses; the files are in the folder `world["folder"]`."""
    folder = tmp_path_factory.mktemp("guesses")
    qrels = [f"{query} 0 {doc} {grade}\n" for query, docs in J.items() for doc, grade in docs.items()]
    (folder / "qrels.txt").write_text("".join(qrels))
    for name, run in (("bm25", A), ("hybrid", B)):
        rows = [f"{q} Q0 {doc} 1 {score} {name}\n" for q, docs in run.items() for doc, score in docs.items()]
        (folder / f"{name}.run").write_text("".join(rows))
    scores = ir.evaluate(J, {"bm25": A, "hybrid": B}, ["nDCG@10", "RR"])
    libraries = {"np": np, "pd": pd, "pickle": pickle}
    return {**globals(), **libraries, "scores": scores, "comparison": ir.compare(scores), "folder": folder}


@pytest.fixture
def guess(world: dict[str, Any]) -> Iterator[Any]:
    """What evaluates a guess in the folder of the files."""
    before = Path.cwd()
    os.chdir(world["folder"])
    yield lambda text: eval(text, dict(world))
    os.chdir(before)


def needs(text: str) -> bool:
    """Whether a guess needs a library that the first ring does not install."""
    return re.search(r"\bpl\.|to_polars|to_arrow|\bplots?\b", text) is not None


def refused(texts: Iterable[str], guess: Any) -> list[str]:
    """Return the guesses that do not work."""
    return [text for text in texts if not guess(text)]


def test_a_guess_works(guess: Any) -> None:
    """What people write is understood, and gives what the arithmetic of the docstring above says."""
    assert refused(itertools.filterfalse(needs, WORKS), guess) == []


@pytest.mark.heavy
def test_a_guess_of_a_picture_or_another_table_works(world: dict[str, Any], guess: Any) -> None:
    """So does what makes pictures, and what makes the tables of polars and Arrow."""
    import matplotlib.figure
    import polars

    world |= {"pl": polars, "matplotlib": matplotlib}
    assert refused(filter(needs, WORKS), guess) == []


def check_told(texts: Iterable[str], guess: Any) -> None:
    """See that each is refused in one line that says how."""
    for text in texts:
        with pytest.raises((ir.IdealrankError, AttributeError)) as error:
            guess(text)
        assert NAMES_THE_CALL[text] in str(error.value), text
        assert "\n" not in str(error.value), text


def test_a_guess_is_told_the_call(guess: Any) -> None:
    """What is said otherwise here is refused in one line that says how."""
    check_told(itertools.filterfalse(needs, NAMES_THE_CALL), guess)


@pytest.mark.heavy
def test_a_guess_of_a_picture_is_told_the_call(guess: Any) -> None:
    """So is a picture that is asked for otherwise."""
    check_told(filter(needs, NAMES_THE_CALL), guess)
