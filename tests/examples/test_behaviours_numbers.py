"""Behaviours of the notebooks that no printed number shows: what is computed, and what is said about it."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import idealrank as ir

SHOP = Path(__file__).parents[2] / "examples" / "shop"
FOUR = {"q": {"d1": 3, "d2": 2, "d3": 3, "d4": 0}}
ORDERED = {"q": {"d1": 4.0, "d2": 3.0, "d3": 2.0, "d4": 1.0}}


def one(measure: str, judgments: object, results: object, **options: object) -> float:
    """Return the mean of one measure."""
    return ir.evaluate(judgments, results, [measure], **options)[measure]


def command(*words: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    program = Path(sysconfig.get_path("scripts")) / "idealrank"
    return subprocess.run(
        [program, *words],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )


def test_unjudged_is_a_decision() -> None:
    """An unjudged document is worth nothing, removed, or worth a grade; it is no error."""
    data = ir.from_grades([2, None, 2])
    assert one("DCG", *data) == pytest.approx(3.0)
    assert one("DCG", *data, unjudged="filter") == pytest.approx(2 + 2 / math.log2(3))
    assert one("DCG", *data, unjudged=1) == pytest.approx(3 + 1 / math.log2(3))


def test_how_much_was_judged() -> None:
    """Judged@k stands beside the measure, per query."""
    scores = ir.evaluate(*ir.from_grades([2, None, 2, None]), ["nDCG@4", "Judged@4", "Judged@3"])
    assert scores.per_query.to_dict()["Judged@4"] == [0.5]
    assert scores["Judged@3"] == pytest.approx(2 / 3)


def test_discount_base() -> None:
    """The natural logarithm multiplies DCG by 1/ln 2 and leaves nDCG as it is."""
    assert one("DCG", FOUR, ORDERED, discount="ln") == pytest.approx(one("DCG", FOUR, ORDERED) / math.log(2))
    assert one("nDCG", FOUR, ORDERED, discount="ln") == pytest.approx(one("nDCG", FOUR, ORDERED), abs=1e-12)


def test_grade_0_gains_nothing() -> None:
    """Under either gain."""
    for gain in ("linear", "exp2"):
        assert one("CG", *ir.from_grades([0]), gain=gain) == 0


def test_printed_decisions_are_complete() -> None:
    """The printed text names gain, discount, ideal, its depth, ties, order and what becomes of missing queries."""
    scores = ir.evaluate(FOUR, ORDERED, ["nDCG@2,3"], gain="exp2")
    for text in (repr(scores), scores.decisions, scores.measures[0].fingerprint):
        for name in ("gain=exp2", "discount=log2", "ideal=global", "ideal_depth=cutoff", "ties=docid_desc"):
            assert name in text
        for name in ("order_by=auto", "no_results=0", "systems=auto", "unjudged=zero", "cutoff=at_most_k"):
            assert name in text
    assert [measure.fingerprint[-2:] for measure in scores.measures] == ["@2", "@3"]


def test_project_default(tmp_path: Path) -> None:
    """A convention fixed once in pyproject.toml is used, and printed as such."""
    (tmp_path / "pyproject.toml").write_text('[tool.idealrank]\nconvention = "catboost-exp"\nmeasures = ["DCG@2"]\n')
    (tmp_path / "j.csv").write_text("query,doc,grade\nq,a,2\n")
    (tmp_path / "r.csv").write_text("query,doc,score\nq,a,1\n")
    done = command("evaluate", "j.csv", "r.csv", "--format", "tsv", folder=tmp_path)
    assert done.stdout.splitlines()[1] == "DCG@2\t3.0"
    assert "catboost-exp" in done.stderr
    assert "pyproject.toml" in done.stderr


def test_depth_of_the_ideal() -> None:
    """Without a cutoff the global ideal holds all judged; cut at the number returned it is another number."""
    data = ir.from_grades([3, 2], also_judged=[3, 1])
    whole, cut = (ir.explain(*data, "nDCG", query="q", ideal_depth=depth) for depth in ("cutoff", "returned"))
    assert (len(whole.ideal), len(cut.ideal)) == (4, 2)
    assert whole.score < cut.score


def test_ideal_is_cut_by_depth_not_by_grade() -> None:
    """Seven documents of grade 2 and more, six returned: six places."""
    data = ir.from_grades([3, 2, 3, 0, 1, 2], also_judged=[3, 2, 2])
    assert ir.explain(*data, "nDCG@6", query="q").ideal["grade"] == [3, 3, 3, 2, 2, 2]


def test_top_of_the_scale_is_declared() -> None:
    """ideal=max measures against the declared top; another top gives another number, a lower one is refused."""
    judgments, results = {"q": {"a": 0.9}}, {"q": {"a": 1.0}}
    seen = one("nDCG@1", judgments, results, ideal="max")
    declared = one("nDCG@1", judgments, results, ideal="max", max_grade=1.0)
    assert (seen, declared) == (pytest.approx(1.0), pytest.approx(0.9))
    with pytest.raises(ir.DataError, match=r"0\.9 is above max_grade=0\.5"):
        one("nDCG@1", judgments, results, ideal="max", max_grade=0.5)


def test_perfect_top_10() -> None:
    """A perfect top 10 has nDCG@10 of 1; only the slip rank < k loses the tenth."""
    perfect = ir.from_grades([1] * 10)
    assert one("nDCG@10", *perfect) == pytest.approx(1, abs=1e-12)
    assert one("nDCG@10", *perfect, cutoff="below_k") < 1


@pytest.mark.parametrize("measure", ["nDCG@0", "P@-1", "P@2.5"])
def test_cutoff_below_1(measure: str) -> None:
    """The cutoff is a whole number from 1 up."""
    with pytest.raises(ir.UsageError):
        one(measure, FOUR, ORDERED)


def test_precision_without_a_cutoff() -> None:
    """P@k divides by k, P by what was returned."""
    scores = ir.evaluate(*ir.from_grades([1, 0]), ["P@5", "P"])
    assert (scores["P@5"], scores["P"]) == (0.2, 0.5)


def test_query_of_zeros() -> None:
    """Nothing relevant: 0, 1 or left out by decision, in the table and in the ledger either way."""
    judgments, results = {"z": {"a": 0}, "q": {"b": 1}}, {"z": {"a": 1.0}, "q": {"b": 1.0}}
    found = {}
    for answer in ("0", "1", "skip"):
        scores = ir.evaluate(judgments, results, ["nDCG", "DCG"], no_relevant=answer)
        found[answer] = scores["nDCG"]
        assert sorted(scores.per_query["query"]) == ["q", "z"]
        row = next(iter(scores.ledger.per_measure))
        assert row["filled_no_relevant"] + row["skipped_no_relevant"] == 1
    assert found == {"0": 0.5, "1": 1.0, "skip": 1.0}


def test_one_document() -> None:
    """A query with one document has a score."""
    assert one("nDCG", {"q": {"a": 2}}, {"q": {"a": 1.0}}) == 1


def test_tie_moves_a_relevant_document() -> None:
    """Three results tied at ranks 9 to 11: P@10 is 0.3 by rank and 0.2 by score, and the ledger names the tie."""
    docs = [f"d{n:02}" for n in range(1, 12)]
    scores_ = [20 - n for n in range(8)] + [5, 5, 5]
    results = {"query": ["14"] * 11, "doc": docs, "rank": list(range(1, 12)), "score": scores_}
    judgments = {"14": {"d01": 1, "d02": 1, "d09": 1}}
    assert one("P@10", judgments, results) == 0.3
    by_score = ir.evaluate(judgments, results, ["P@10"], order_by="score")
    assert by_score["P@10"] == 0.2
    assert any("3 tied results" in note and "ties=best: P@10 0.2000 → 0.3000" in note for note in by_score.ledger.notes)


def test_close_scores() -> None:
    """1.00000001 and 1.0 are two scores, unless they are asked to be compared as float."""
    judgments, results = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}
    assert one("P@1", judgments, results) == 1
    assert one("P@1", judgments, results, score_precision="float32") == 0


def test_dense_ranks_of_grades() -> None:
    """In the ideal list ties share a rank of their grade, beside the ordinal rank."""
    ideal = ir.explain(*ir.from_grades([0, 0, 0, 1]), "nDCG", query="q").ideal
    assert ideal["rank"] == [1, 2, 3, 4]
    assert ideal["grade_rank"] == [1, 2, 2, 2]


def test_rounding_is_the_same_above_and_below() -> None:
    """Rounded on request, numerator and ideal are rounded alike: a perfect list keeps 1."""
    assert one("nDCG", *ir.from_grades([3, 2, 1]), rounding="term,round,3") == 1


def test_groups_go_by_key() -> None:
    """Judgments in another order make the same groups."""
    forward = {str(n): {"d": n % 3} for n in range(1, 31)}
    backward = dict(reversed(forward.items()))
    run = {query: {"d": 1.0} for query in forward}
    tables = [
        ir.evaluate(judgments, run, ["CG"]).describe(by=["1..10", "11..20", "21..30"]).to_dict()
        for judgments in (forward, backward)
    ]
    assert tables[0] == tables[1]
    assert tables[0]["count"] == [10, 10, 10]


def test_two_groups_one_of_zeros() -> None:
    """Groups are queries; the mean takes the group of zeros as the convention says: 1 in CatBoost, 0 in sklearn."""
    data = ir.from_groups([1, 0, 0, 0], [2, 1, 2, 1], groups=["a", "a", "b", "b"])
    assert one("nDCG", *data, convention="catboost") == 1
    assert one("nDCG", *data, convention="sklearn") == 0.5


def test_two_tie_policies() -> None:
    """Two results tied, one relevant: worst first 0.6309 as in CatBoost, averaged 0.8155 as in scikit-learn."""
    data = ir.from_groups([1, 0], [1, 1])
    assert round(one("nDCG", *data, convention="catboost"), 4) == 0.6309
    assert round(one("nDCG", *data, convention="sklearn"), 4) == 0.8155
    assert one("nDCG", *ir.from_grades([1, 0])) == 1


def test_number_of_queries_is_printed() -> None:
    """With every mean stands how many queries were judged and how many the system answered."""
    scores = ir.evaluate({"a": {"d": 1}, "b": {"d": 1}}, {"a": {"d": 1.0}}, ["RR"])
    assert "2 judged queries" in repr(scores)
    assert "1 judged and returned" in repr(scores)


def test_four_decimals_shown_all_exported() -> None:
    """Sums like 0.30000000000000004 are shown with four decimals and exported whole."""
    judgments = {"a": {"d": 1, "e": 1}, "b": {"d": 1}}
    scores = ir.evaluate(judgments, {"a": {"d": 2.0, "e": 1.0}, "b": {"d": 1.0}}, ["P@5"])
    assert "0.3000\n" in repr(scores)
    assert repr(scores["P@5"]) in scores.means.to_csv()
    assert json.loads(scores.to_json())["means"]["results"]["P@5"] == scores["P@5"]


def test_lists_of_different_lengths() -> None:
    """NDCG of a short and of a long perfect list is 1, whatever their DCG."""
    short, long = (ir.from_grades([2] * n) for n in (2, 8))
    assert one("DCG", *short) < one("DCG", *long)
    assert one("nDCG", *short) == one("nDCG", *long) == 1


def test_best_queries_and_their_documents() -> None:
    """From the best query to its documents and grades."""
    scores = ir.evaluate(SHOP / "judgments.csv", SHOP / "hybrid.csv", ["nDCG@10"], queries=SHOP / "queries.csv")
    best = next(iter(scores.best(1)))
    assert best["nDCG@10"] == max(value for value in scores.per_query["nDCG@10"] if value is not None)
    why = scores.explain("nDCG@10", best["text"])
    assert why.query == best["query"]
    assert why.steps["doc"]


def test_command_and_library_agree() -> None:
    """The command prints what the library returns, and with -q nothing on standard error."""
    done = command("evaluate", SHOP / "judgments.csv", SHOP / "bm25.csv", "-m", "nDCG@10", "-q", "--format", "tsv")
    value = one("nDCG@10", SHOP / "judgments.csv", SHOP / "bm25.csv")
    assert done.stdout.splitlines()[1] == f"nDCG@10\t{value!r}"
    assert (done.stderr, done.returncode) == ("", 0)


ALONE = """
import sys, socket
socket.socket = None
import idealrank as ir
scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, [str(d.name) for d in ir.DEFINITIONS if d.is_plain])
print(repr(scores)[:7], scores.explain("nDCG", "q").score, sep="\\n")
others = {"pandas", "polars", "pyarrow", "sklearn", "catboost", "trectools", "pytrec_eval", "ir_measures", "ranx"}
assert not others & set(sys.modules), others & set(sys.modules)
"""


def test_nothing_else_is_imported_or_fetched() -> None:
    """Every measure works without a network and without any other tool, and standard error stays empty."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", ALONE], capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["measure", "1.0"], "")
