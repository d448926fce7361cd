"""Code written for pytrec_eval, run with both."""

from __future__ import annotations

import math

import pytest
import pytrec_eval as theirs

import idealrank as ir
from idealrank.integrations import pytrec_eval as ours
from tests.amounts import tried
from tests.oracles.conftest import Compare
from tests.oracles.data import random_data

CALLS: list[set[str]] = [
    set(theirs.supported_measures),
    {"official"},
    {"set", "all_trec"},
    {"ndcg_cut.3", "ndcg_cut_7", "P_7,8", "iprec_at_recall.0.25", "success_2"},
    {"set_F.2", "set_P"},
    {"map"},
    {"ndcg_cut", "ndcg_cut.1,4", "ndcg_cut_20,4", "ndcg_cut_15", "recall.1000", "P"},
    {"11pt_avg.0.1,0.5"},
]


@pytest.mark.parametrize("only_judged", [False, True])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("measures", CALLS, ids=lambda found: sorted(found)[0])
def test_relevance_evaluator(measures: set[str], level: int, only_judged: bool, compare: Compare) -> None:
    """The same call gives the same queries, the same keys and the same values."""
    data = random_data(61, (0, 1, 2, 3))
    arguments = (data.judgments, measures, level, only_judged)
    wanted = theirs.RelevanceEvaluator(*arguments).evaluate(data.results)
    found = ours.RelevanceEvaluator(*arguments).evaluate(data.results)
    assert [(q, set(row)) for q, row in found.items()] == [(q, set(row)) for q, row in wanted.items()]
    for key in next(iter(wanted.values())):
        if only_judged and key.startswith(("iprec", "11pt", "infAP")):
            continue  # not a number where no judged document came back: a fault of trec_eval -J
        compare(
            "pytrec-eval-terrier",
            {query: row[key] for query, row in found.items()},
            {query: row[key] for query, row in wanted.items()},
            f"{key} from {level}",
        )


UNDEFINED = ("iprec", "11pt")
"""0/0 of an empty list in trec_eval, and not a number there."""


@pytest.mark.parametrize("measures", [{"all_trec"}, {"utility.1,2,3,4", "P.3"}, set()], ids=["all", "weights", "none"])
def test_a_query_without_results(measures: set[str], compare: Compare) -> None:
    """A judged query with an empty dict of scores is evaluated as an empty list, whatever its judgments."""
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2, "b": 1}, "q3": {}, "q4": {"c": 0}}
    run: dict[str, dict[str, float]] = {"q2": {"a": 1.0}, "q9": {"a": 1.0}, "q4": {}, "q3": {"a": 1.0}, "q1": {}}
    wanted = theirs.RelevanceEvaluator(qrels, measures).evaluate(run)
    found = ours.RelevanceEvaluator(qrels, measures).evaluate(run)
    assert [(q, set(row)) for q, row in found.items()] == [(q, set(row)) for q, row in wanted.items()]
    for key in found["q1"]:
        if not key.startswith((*UNDEFINED, "runid")):
            theirs_of, ours_of = ({query: row[key] for query, row in rows.items()} for rows in (wanted, found))
            compare("pytrec-eval-terrier", ours_of, theirs_of, f"{key} of an empty list")


@pytest.mark.parametrize("seed", range(tried(4)))
def test_infap_of_judged_results_only(seed: int, compare: Compare) -> None:
    """A grade below zero is no judgment where only judged results are left: of infAP, too."""
    data = random_data(seed, (0, -1, 1, 2))
    wanted, found = (
        m.RelevanceEvaluator(data.judgments, {"infAP"}, judged_docs_only_flag=True).evaluate(data.results)
        for m in (theirs, ours)
    )
    direct = ir.evaluate(data.judgments, data.results, ["infAP"], convention="pytrec_eval", unjudged="filter")
    told = {query: row["infAP"] for query, row in wanted.items() if not math.isnan(row["infAP"])}
    values = dict(zip(direct.queries, direct.values[0, 0].tolist(), strict=True))
    assert len(told) > 20
    compare("pytrec-eval-terrier", {q: found[q]["infAP"] for q in told}, told, f"infAP, drop-in, seed {seed}")
    compare("pytrec-eval-terrier", {q: values[q] for q in told}, told, f"infAP unjudged=filter, seed {seed}")


SPELT: list[tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]] = [
    ({"q": {"1": 1}}, {"q": {"1.0": 1.0}}),
    ({"q": {"1": 1, "1.0": 0}}, {"q": {"1.0": 1.0, "1": 0.5}}),
    ({"1": {"a": 1}, "1.0": {"b": 1}}, {"1.0": {"a": 2.0, "b": 1.0}, "1": {"a": 1.0}, "01": {"a": 1.0}}),
    ({"q": {"007": 1, "7": 0, "7e0": 2}}, {"q": {"7": 3.0, "7.0": 2.0, "7e0": 1.0, "007": 0.5}}),
]


@pytest.mark.parametrize(("qrels", "run"), SPELT)
def test_ids_are_texts(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], compare: Compare) -> None:
    """Ids that are numbers spelt in two ways are two ids, of queries and of documents."""
    wanted, found = (m.RelevanceEvaluator(qrels, {"map", "num_ret"}).evaluate(run) for m in (theirs, ours))
    assert list(found) == list(wanted)
    for key in ("map", "num_ret"):
        theirs_of, ours_of = ({query: row[key] for query, row in rows.items()} for rows in (wanted, found))
        compare("pytrec-eval-terrier", ours_of, theirs_of, f"{key} of ids as they are spelt")


def test_infinite_scores(compare: Compare) -> None:
    """Infinite scores stand first and last, tied with what is beyond float32."""
    inf = float("inf")
    qrels = {query: {"a": 1, "b": 0, "c": 2} for query in "pqrs"}
    run = {
        "p": {"a": -inf, "b": 1.0, "x": 0.0}, "q": {"b": inf, "a": 1.0}, "r": {"a": inf, "b": inf, "c": 1e300},
        "s": {"b": -1e38, "c": -1e300, "a": -inf},
    }  # fmt: skip
    for key, call in (("map", "map"), ("ndcg_cut_1", "ndcg_cut.1"), ("recip_rank", "recip_rank")):
        wanted, found = (m.RelevanceEvaluator(qrels, {call}).evaluate(run) for m in (theirs, ours))
        theirs_of, ours_of = ({query: row[key] for query, row in rows.items()} for rows in (wanted, found))
        compare("pytrec-eval-terrier", ours_of, theirs_of, f"{key} of infinite scores")
    with pytest.raises(ValueError, match="missing or NaN"):
        ours.RelevanceEvaluator(qrels, {"map"}).evaluate({"p": {"a": float("nan")}})


def test_empty_calls() -> None:
    """No run, no judgments or no measures: as much as there is to say, and no error."""
    qrels, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {}}
    for judged, measures, scores in (
        (qrels, {"map"}, {}), (qrels, set(), run), ({}, {"map"}, run), ({}, set(), {}), ({"q1": {}}, {"map"}, run),
    ):  # fmt: skip
        wanted = theirs.RelevanceEvaluator(judged, measures).evaluate(scores)
        assert ours.RelevanceEvaluator(judged, measures).evaluate(scores) == wanted


def test_the_same_again() -> None:
    """An evaluator answers the same however often it is asked."""
    evaluator = ours.RelevanceEvaluator({"q": {"a": 0, "b": 1, "c": 0}}, {"ndcg_cut.1,2,3,1000"})
    run = {"q": {"a": 1.0, "b": 0.0, "c": 1.5}}
    assert evaluator.evaluate(run) == evaluator.evaluate(run)
    assert evaluator.evaluate(run)["q"]["ndcg_cut_3"] == 0.5


def test_what_is_around_it() -> None:
    """The names, the parsers and the mean are there, and do the same."""
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == {name: set(found) for name, found in theirs.supported_nicknames.items()}
    run, qrels = ["q Q0 a 1 2.5 s", "q Q0 b 2 1 s"], ["q 0 a 1", "q 0 b 0"]
    assert ours.parse_run(run) == theirs.parse_run(run)
    assert ours.parse_qrel(qrels) == theirs.parse_qrel(qrels)
    for name in ("map", "num_ret", "gm_map"):
        assert ours.compute_aggregated_measure(name, [0.5, 1.0]) == theirs.compute_aggregated_measure(name, [0.5, 1.0])
    assert ours.RelevanceEvaluator({"q": {"a": 1}}, {"map"}).evaluate({}) == {}


def test_fractional_grades_are_taken() -> None:
    """Where pytrec_eval wants whole numbers, a half is a half here."""
    found = ours.RelevanceEvaluator({"q": {"a": 0.5, "b": 1}}, {"ndcg"}).evaluate({"q": {"a": 2.0, "b": 1.0}})
    assert 0 < found["q"]["ndcg"] < 1


def test_an_unknown_measure_is_a_value_error() -> None:
    """As there, with the nearest name."""
    with pytest.raises(ValueError, match="Did you mean map"):
        ours.RelevanceEvaluator({"q": {"a": 1}}, {"mapp"})
