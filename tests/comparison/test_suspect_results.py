"""Damaged results buy no verdict, and healthy ones that look alike raise no alarm.

The worlds are worked out by hand: a copy of a system with part of its results lost can only be worse by the loss.
"""

from __future__ import annotations

import csv
import math
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.cli.comparison_summary import leaderboard_summary as board_said
from idealrank.comparison.pairing import DECIDES, Pairing
from idealrank.comparison.verdict import suspect_results
from idealrank.evaluation.ledger import oddities
from idealrank.evaluation.ledger.oddities import Oddity
from idealrank.evaluation.ledger.sensitivity import values_under

N = 40
QUERIES = [f"q{i:02}" for i in range(N)]
JUDGED = {query: {f"d{i}": 1 if i % 3 == 1 else 0 for i in range(1, 11)} for query in QUERIES}
Row = dict[str, Any]


def rows(**change: Any) -> list[Row]:
    """Return ten results per query, the relevant ones at ranks 1, 4, 7 and 10."""
    return [
        {"query": query, "doc": f"d{rank}", "rank": rank, "score": 10.0 - rank} | change
        for query in QUERIES
        for rank in range(1, 11)
    ]


def scored(score: Callable[[int], float]) -> list[Row]:
    """Return ten results per query that are ordered by a score of their rank."""
    return [{"query": row["query"], "doc": row["doc"], "score": score(row["rank"])} for row in rows()]


def compared(damaged: list[Row], measure: str = "nDCG@10", **options: Any) -> ir.Comparison:
    """Compare whole results with damaged ones as their baseline."""
    return ir.compare(JUDGED, {"old": damaged, "new": rows()}, [measure], **options)


COPIED = "old and new gave the same lists for all 40 queries."

LOST = set(QUERIES[:8])
DAMAGES = {
    "8 of 40 queries lost": (
        [row for row in rows() if row["query"] not in LOST],
        "old has no results for 8 of 40 queries that new has results for (q00, q01, q02 and 5 more).",
    ),
    "8 of 40 queries empty": (
        [row for row in rows() if row["query"] not in LOST] + [{"query": query, "doc": None} for query in sorted(LOST)],
        "old has no results for 8 of 40 queries that new has results for (q00, q01, q02 and 5 more).",
    ),
    "first rank lost": (
        [row for row in rows() if row["rank"] > 1],
        "old: the results of 40 of 40 queries begin at rank 2, so the first are missing.",
    ),
    "every third row lost": (
        [row for i, row in enumerate(rows()) if i % 3],
        "old: ranks are left out in 40 of 40 queries (q00, q01, q02 and 37 more), as if results were missing.",
    ),
    "top 3 kept": (
        [row for row in rows() if row["rank"] <= 3],
        "old has at most 3 results per query, where new has more; nDCG@10 reads 10.",
    ),
    "ranks all 0": (
        rows(rank=0),
        "old: the results of a query all have rank 0 in 40 of 40 queries, so the ranks do not say which comes first.",
    ),
    "headers swapped": (
        [row | {"rank": row["score"] + 0.5, "score": row["rank"]} for row in rows()],
        "old: ranks with fractions, such as 0.5, in 40 of 40 queries, as if the columns of ranks and scores were "
        "swapped.",
    ),
    "distances as scores": (
        [row for row in scored(lambda rank: rank / 10) if row["score"] < 1],
        "old: scores rise from the first result to the last in 40 of 40 queries, as distances and ranks do, and the "
        "highest counts as the best.",
    ),
    "scores all 1": (
        scored(lambda rank: 1.0),
        "old: the results of a query all have score 1 in 40 of 40 queries, so the scores do not say which comes first.",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_baseline(damage: str) -> None:
    """The undamaged copy of a damaged baseline is no SHIP, and the warning says why, above the verdict."""
    damaged, warning = DAMAGES[damage]
    found = compared(damaged)
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.warnings == (warning,)
    assert damage == "headers swapped" or found.verdict.headline == "Check the results of old before you decide"
    assert found.warnings[0] == warning
    text, markdown = repr(found), found.to_markdown()
    assert text.index(" ".join(warning.split()[:4])) < text.index("CAN'T TELL")
    assert markdown.index("Warning") < markdown.index("CAN'T TELL")
    page = ir.report(found).to_html()
    assert page.index('class="warnings"') < page.index("<h1>")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_newcomer(damage: str) -> None:
    """A damaged file of the new system condemns it no more than a damaged baseline praises it."""
    damaged, warning = DAMAGES[damage]
    found = ir.compare(JUDGED, {"whole": rows(), "old": damaged}, ["nDCG@10"])
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.warnings[0].startswith(warning[:20])


def test_answers_end_the_doubt() -> None:
    """Who says that nothing was found, or what orders the rows, or that gaps are meant, gets the verdict."""
    lost = compared(DAMAGES["8 of 40 queries lost"][0], no_results="0")
    assert (lost.verdict.outcome, lost.verdict.warnings) == ("SHIP", ())
    most = compared([row for row in rows() if row["query"] < "q12"], no_results="0")
    assert most.verdict.outcome == "SHIP"
    assert most.verdict.warnings[0].endswith("(q12, q13, q14 and 25 more), and each counts as 0.")
    gaps = compared(DAMAGES["first rank lost"][0], rank_gaps="close")
    assert (gaps.verdict.outcome, gaps.verdict.warnings) == ("SHIP", ())
    by_score = compared(DAMAGES["ranks all 0"][0], order_by="score")
    assert (by_score.verdict.outcome, by_score.verdict.warnings) == ("ABOUT THE SAME", (COPIED,))
    for damage in ("distances as scores", "scores all 1"):
        for order in ("given", "score"):
            said = compared(DAMAGES[damage][0], order_by=order).verdict.warnings
            assert {text for text in said if "equal scores whose order" not in text} <= {COPIED}
    assert compared(DAMAGES["scores all 1"][0], ties="average").verdict.warnings == ()
    cut = compared(DAMAGES["top 3 kept"][0], "nDCG@3")
    assert cut.verdict.outcome != "SHIP"
    assert cut.verdict.warnings == ()


def test_a_verdict_that_stands() -> None:
    """A gain in the queries that both answered stands without the others: the warning is all that is said."""
    worse = [row | {"rank": 11 - row["rank"], "score": row["rank"]} for row in rows() if row["query"] not in LOST]
    turned = {query: {f"d{i}": 1 if i in (1, 2, 4) else 0 for i in range(1, 11)} for query in QUERIES}
    found = ir.compare(turned, {"old": worse, "new": rows()}, ["nDCG@10"], order_by="rank")
    assert found.verdict.outcome == "SHIP"
    assert len(found.verdict.warnings) == 1


HEALTHY = {
    "1 of 40 queries without results": [row for row in rows() if row["query"] != "q07"],
    "nine results": [row for row in rows() if row["rank"] <= 9],
    "lists of various lengths": [row for row in rows() if row["rank"] <= random.Random(row["query"]).randint(1, 10)],
    "twenty results": rows()
    + [row | {"doc": f"x{row['rank']}", "rank": row["rank"] + 10, "score": -row["rank"]} for row in rows()],
    "ranks from 0": [row | {"rank": row["rank"] - 1} for row in rows()],
    "ranks that run on from query to query": [row | {"rank": i + 1} for i, row in enumerate(rows())],
    "tied ranks of a competition": [row | {"rank": 1 if row["rank"] == 2 else row["rank"]} for row in rows()],
    "distances beside ranks": [row | {"score": 1.0} for row in rows()],
    "two scores, the second higher": scored(lambda rank: float(rank > 1)),
    "sorted by document": sorted(scored(lambda rank: 10.0 - rank), key=lambda row: (row["query"], row["doc"])),
    "scores alone": [{name: row[name] for name in ("query", "doc", "score")} for row in rows()],
}


@pytest.mark.parametrize("kind", HEALTHY)
def test_no_alarm(kind: str) -> None:
    """What a healthy system may return is not doubted."""
    found = compared(HEALTHY[kind])
    assert (set(found.verdict.warnings) - {COPIED}, found.ledger.warnings) == (set(), ())


def test_a_set_has_no_order() -> None:
    """Equal scores are no doubt for a measure that does not read the order, nor is the order of a dict's entries."""
    sets = {query: {f"d{rank}": 1.0 for rank in range(1, 11)} for query in QUERIES}
    rising = {query: {f"d{rank}": -rank for rank in range(10, 0, -1)} for query in QUERIES}
    for old, measure in ((sets, "P@10"), (sets, "R@20"), (rising, "nDCG@10")):
        found = ir.compare(JUDGED, {"old": old, "new": rows()}, [measure])
        assert set(found.verdict.warnings) <= {COPIED}, measure
    assert len(ir.compare(JUDGED, {"old": sets, "new": rows()}, ["nDCG@10"]).verdict.warnings) == 1


def test_distances_warn_before_the_numbers() -> None:
    """The scores of one system alone are said to rise, too, above its means."""
    (warning,) = ir.evaluate(JUDGED, scored(float), ["nDCG@10"]).ledger.warnings
    assert warning.endswith(
        "If a lower score is better, order the results by their rows: --order-by given (order_by=given in Python). If "
        "a higher one is, say so: --order-by score (order_by=score in Python)"
    )


def test_ranks_that_scores_contradict() -> None:
    """Ranks in the order of scores as text buy no verdict until somebody says which counts; a late swap is no doubt."""
    texts = sorted(rows(), key=lambda row: (row["query"], str(row["score"] + 2)), reverse=True)
    place = Counter[str]()
    for row in texts:
        place[row["query"]] += 1
        row["rank"] = place[row["query"]]
    texts = [row | {"score": 12.0 - int(row["doc"][1:])} for row in texts]
    found = compared(texts)
    assert found.verdict.outcome == "CAN'T TELL"
    (warning,) = found.verdict.warnings
    assert re.fullmatch(
        r"old: rank and score disagree in 40 of 40 queries; the results are ordered by rank, and by score nDCG@10 "
        r"would be 0\.\d+\.",
        warning,
    )
    assert "--order-by rank" in found.verdict.steps[0]
    said = compared(texts, order_by="rank").verdict
    assert (said.outcome, said.warnings) == ("SHIP", ())
    late = [row | {"score": 0.5} if row["rank"] == 9 else row for row in rows()]
    assert compared(late).verdict.warnings == (COPIED,)


def test_ties_that_are_broken_for_one_system_alone() -> None:
    """ties=best gives a system whose results are all tied the best list: said, though somebody asked for it."""
    level = [{"query": row["query"], "doc": row["doc"], "score": 1.0} for row in rows()]
    found = ir.compare(JUDGED, {"old": rows(), "new": level}, ["nDCG@10"], ties="best")
    assert found.verdict.outcome == "SHIP"
    assert found.verdict.warnings == (
        "new: in 40 queries the order of tied results moves nDCG@10, and ties=best takes the one that is best for it; "
        "old has no such queries.",
    )
    both = ir.compare(JUDGED, {"old": level, "new": level}, ["nDCG@10"], ties="best")
    assert both.verdict.warnings == (COPIED,)


def test_queries_that_are_left_out_for_one_system() -> None:
    """A query that counts for nothing without results is one that the comparison does not see: said, though asked."""
    kept = [row for row in rows() if row["query"] not in LOST]
    for answer in ("skip", "skip_missing"):
        found = ir.compare(JUDGED, {"old": rows(), "new": kept}, ["nDCG@10"], no_results=answer)
        assert found.verdict.warnings == (
            "new has no results for 8 of 40 queries that old has results for (q00, q01, q02 and 5 more), and "
            f"no_results={answer} leaves them out of the comparison.",
        )


def test_lists_that_end_before_the_cutoff() -> None:
    """Eight results are too few for nDCG@10 where the other has ten, and a candidate a little worse is no SHIP."""
    cut = [row for row in rows() if row["rank"] <= 8]
    found = compared(cut)
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.warnings == ("old has at most 8 results per query, where new has more; nDCG@10 reads 10.",)


def test_one_list_is_no_pattern() -> None:
    """One query alone whose scores rise may be sorted in any way."""
    one = [row for row in scored(float) if row["query"] == "q00"]
    assert ir.evaluate(JUDGED, one, ["nDCG@10"]).ledger.warnings == ()
    two = [row for row in scored(float) if row["query"] <= "q01"]
    assert len(ir.evaluate(JUDGED, two, ["nDCG@10"]).ledger.warnings) == 1


def test_gaps_in_both() -> None:
    """Gaps that both files have are how they were made, not lost rows."""
    gaps = [row | {"rank": 2 * row["rank"] - 1} for row in rows()]
    found = ir.compare(JUDGED, {"old": gaps, "new": gaps}, ["nDCG@10"])
    assert found.verdict.warnings == (COPIED,)


def test_a_copy_of_the_baseline() -> None:
    """The same lists twice are said above the verdict and above the gate that they pass; one list that differs is not.

    Nor are lists that differ below the cutoff of the measure the same.
    """
    found = compared(rows())
    assert found.warnings == found.verdict.warnings == (COPIED,)
    assert repr(found).lower().index("warning") < repr(found).index("about the same")
    passed = ir.gate(JUDGED, rows(), rows(), fail_if="nDCG@10 drops 0.01")
    assert (passed.outcome, passed.code) == ("passed", 0)
    assert passed.warnings == ("baseline and results gave the same lists for all 40 queries.",)
    assert repr(passed).index("warning") < repr(passed).index("gate")
    swapped = [row | {"doc": {"d9": "d8", "d8": "d9"}.get(row["doc"], row["doc"])} for row in rows()[:10]]
    for measure in ("nDCG@10", "nDCG@5"):
        assert compared([*swapped, *rows()[10:]], measure).warnings == ()
    three = ir.compare(JUDGED, {"a": rows(), "b": [*swapped, *rows()[10:]], "c": rows()}, ["nDCG@10"])
    assert three.warnings == ("a and c gave the same lists for all 40 queries.",)


def test_a_gate_that_damage_lets_pass() -> None:
    """A drop that lost queries of the baseline hide is one that nobody can rule out; a copy of it passes."""
    low = set(QUERIES[:12])
    best = {query: {f"d{i}": 1 if i == 1 else 0 for i in range(1, 11)} for query in QUERIES}
    old = [row for row in rows() if row["query"] not in low]
    drops = [row | {"rank": 3 - row["rank"] if row["rank"] < 3 else row["rank"]}
             if row["query"] in QUERIES[12:20] else row for row in rows()]  # fmt: skip
    found = ir.gate(best, old, drops, fail_if="nDCG@10 drops 0.01")
    assert (found.outcome, found.code) == ("can't tell", 4)
    assert found.warnings == (
        "old has no results for 12 of 40 queries that new has results for (q00, q01, q02 and 9 more).".replace(
            "old", found.scores.systems[0]
        ).replace("new", found.scores.systems[1]),
    )
    assert repr(found).index("warning") < repr(found).index("gate")
    copied = ir.gate(best, old, rows(), fail_if="nDCG@10 drops 0.01")
    assert (copied.outcome, len(copied.warnings)) == ("passed", 1)


@pytest.mark.parametrize(("losses", "alpha"), [(12, None), (16, 0.05)])
def test_a_gate_that_passes_by_chance_asks_about_odd_results(losses: int, alpha: float | None) -> None:
    """Few queries make a condition that can't be told pass: not where the rest of the queries drops."""
    best = {query: {f"d{i}": 1 if i == 1 else 0 for i in range(1, 11)} for query in QUERIES}
    lost, worse = set(QUERIES[:5]), set(QUERIES[5 : 5 + losses])
    old = [row for row in rows() if row["query"] not in lost]
    new = [row | {"rank": 3 - row["rank"]} if row["query"] in worse and row["rank"] < 3 else row for row in rows()]
    found = ir.gate(best, old, new, fail_if="nDCG@10 drops 0.01", alpha=alpha, order_by="rank")
    assert (found.outcome, found.code) == ("can't tell", 4)
    assert "without the 5 queries with odd results" in found.findings[0].sentence
    whole = ir.gate(best, rows(), rows(), fail_if="nDCG@10 drops 0.01", alpha=alpha)
    assert whole.outcome == "passed"


def test_a_gate_that_queries_left_out_let_pass() -> None:
    """Results removed for the queries that the newcomer loses, and no_results=skip, let no drop pass."""
    judged = {f"q{i:03}": {"a": 1, "b": 0} for i in range(120)}
    win, lose = {"a": 2.0, "b": 1.0}, {"b": 2.0, "a": 1.0}
    good = {query: (lose if i % 3 == 0 else win) for i, query in enumerate(judged)}
    cut = {query: win for i, query in enumerate(judged) if i % 3 == 0}
    found = ir.gate(judged, good, cut, fail_if="RR drops 0.01", no_results="skip")
    assert (found.outcome, found.code) == ("can't tell", 4)
    # 40 gains of 1/2 and 80 losses of 1.
    assert "but it drops by 0.5000 if the 80 queries left out counted" in found.findings[0].sentence


def keyword_engine(share: float, fields: tuple[str, ...], **said: Any) -> list[Row]:
    """Search the shop for products that contain at least a share of a query's words; `said` is in every row."""
    products = list(csv.DictReader(Path("examples/shop/products.csv").read_text("utf-8").splitlines()))
    words = {p["product_id"]: set(re.findall(r"[a-z0-9]+", " ".join(p[f] for f in fields).lower())) for p in products}
    common = Counter(word for each in words.values() for word in each)
    found: list[Row] = []
    for row in csv.DictReader(Path("examples/shop/queries.csv").read_text("utf-8").splitlines()):
        asked = set(re.findall(r"[a-z0-9]+", row["query"].lower()))
        least = max(1, math.floor(share * len(asked)))
        scores = {
            doc: sum(math.log(1 + len(products) / common[word]) for word in each & asked)
            for doc, each in words.items()
            if len(each & asked) >= least
        }
        best = sorted(scores, key=lambda doc: (-scores[doc], doc))[:20] or [None]
        found += [{"query": row["query_id"], "doc": doc, "rank": i, **said} for i, doc in enumerate(best, 1)]
    return found


def test_a_keyword_engine_that_finds_nothing() -> None:
    """Half of the words must match: queries are empty in truth. Timed searches say so, and the verdict stands."""
    judged, shop = "examples/shop/judgments.csv", ("title", "category")
    found = {
        timed: ir.compare(
            judged, {"any": keyword_engine(0, shop, **said), "half": keyword_engine(0.5, shop, **said)}, ["nDCG@10"]
        ).verdict
        for timed, said in ((True, {"latency_ms": 2.0}), (False, {}))
    }
    assert (found[True].outcome, found[False].outcome) == ("DON'T", "CAN'T TELL")
    assert found[True].warnings[0].endswith("; by their times, it was asked and found nothing).")
    assert "went as the others, it would be ABOUT THE SAME" in found[False].reason


def test_fewer_queries_are_no_doubt() -> None:
    """The 32 others have 11 gains of 1/2 and 4 losses: as of 40 queries surely a gain, and only 32 are no sign of harm.

    t is 7 / √(15 − 49 / 32) · √(31 / 32) = 1.88 of 32 queries and √(40 / 32) times that, 2.10, of 40; 2.02 is needed.
    """
    best, second = ("good", "bad"), ("bad", "good")
    news = [best] * 19 + [second] * 21
    olds = [()] * 8 + [second] * 11 + [best] * 4 + [second] * 17
    new, old = (
        [{"query": q, "doc": doc, "rank": rank} for q, docs in zip(QUERIES, lists, strict=True)
         for rank, doc in enumerate(docs, 1)]
        for lists in (news, olds)
    )  # fmt: skip
    found = ir.compare({query: {"good": 1, "bad": 0} for query in QUERIES}, {"old": old, "new": new}, ["RR"])
    assert (found.verdict.outcome, len(found.verdict.warnings)) == ("SHIP", 1)


def test_a_gate_that_the_newcomer_passes_in_spite_of_losses() -> None:
    """Results that the newcomer lost can only have lowered it: they do not stop it from passing."""
    best = {query: {f"d{i}": 1 if i == 10 else 0 for i in range(1, 11)} for query in QUERIES}
    turned = [row | {"rank": 11 - row["rank"], "score": row["rank"]} for row in rows()]
    kept = [row for row in turned if row["query"] in QUERIES[21:]]
    found = ir.gate(best, rows(), kept, fail_if="nDCG@10 drops 0.01", order_by="rank")
    assert (found.outcome, len(found.warnings)) == ("passed", 1)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_leaderboard_warns(damage: str) -> None:
    """A damaged system is said above the board, once, however many systems it is odd beside."""
    damaged, warning = DAMAGES[damage]
    systems = {"old": damaged, "new": rows(), "newer": rows()}
    board = ir.leaderboard(JUDGED, systems, ["nDCG@10"])
    assert board.warnings == (warning,)
    assert board.to_dict()["warnings"] == [warning]
    for text in (repr(board), board.to_markdown()):
        assert text.lower().index("warning") < text.index(board.sentence.split(" (")[0])
    assert ir.leaderboard(JUDGED, {name: rows() for name in systems}, ["nDCG@10"]).warnings == ()


def test_a_leaderboard_says_which_queries_nobody_judged() -> None:
    """What no mean contains stands beside the sentence, above the board."""
    alien = [*rows(), {"query": "alien", "doc": "d1", "rank": 1, "score": 1.0}]
    board = ir.leaderboard(JUDGED, {"old": alien, "new": rows()}, ["nDCG@10"])
    assert board_said(board, 200)[-1] == "No judgments: alien (old), left out."


def test_judgments_without_grades() -> None:
    """A table of judgments without a column of grades is said before the numbers that it makes."""
    pairs = [{"query": query, "doc": "d1"} for query in QUERIES]
    scores = ir.evaluate(pairs, rows(), ["nDCG@10"])
    assert scores.ledger.warnings == (
        "judgments: no column of grades, so each row counts as relevant (grade 1); if some are not, give the judgments "
        "with their grades",
    )
    assert ir.evaluate(JUDGED, rows(), ["nDCG@10"]).ledger.warnings == ()


def test_ranks_in_a_dict() -> None:
    """Values of a dict that count its entries look like ranks, which would turn the list over; others are scores."""
    ranks = {f"q{i}": {"a": 1, "b": 2, "c": 3} for i in range(3)}
    judged = {query: {"a": 1} for query in ranks}
    found = ir.evaluate(judged, ranks, ["RR"])
    assert found["RR"] == pytest.approx(1 / 3)
    assert any(text.startswith("results: scores rise from the first result to") for text in found.ledger.warnings)
    for fine in ({"c": 3, "b": 2, "a": 1}, {"a": 0.1, "b": 0.2, "c": 0.3}, {"a": 1, "b": 3, "c": 7}):
        assert ir.evaluate(judged, dict.fromkeys(ranks, fine), ["RR"]).ledger.warnings == ()
    assert ir.evaluate(judged, ranks, ["RR"], order_by="score").ledger.warnings == ()


Grades = dict[str, dict[str, float]]

LEAKED: dict[str, Callable[[float, int], float]] = {
    "the grades": lambda grade, place: grade,
    "twice the grades and one": lambda grade, place: 2 * grade + 1,
    "the grades with noise": lambda grade, place: grade + place / 100,
}


@pytest.mark.parametrize("score", LEAKED.values(), ids=LEAKED)
@pytest.mark.parametrize("measure", ["nDCG@10", "DCG@10"])
def test_results_made_of_judgments_are_no_system(score: Callable[[float, int], float], measure: str) -> None:
    """Whatever their scores, lists that begin with all relevant documents in the best order are doubted."""
    leaked = {
        query: {doc: score(float(grade), place) for place, (doc, grade) in enumerate(docs.items())} | {"another": -1.0}
        for query, docs in JUDGED.items()
    }
    verdict = ir.compare(JUDGED, {"old": rows(), "new": leaked}, [measure], baseline="old").verdict
    assert verdict.outcome == "CAN'T TELL"
    assert verdict.warnings == (
        "new returned the relevant documents of all 40 queries first, in the order of their grades.",
    )
    assert verdict.steps == ("Check that the results of new are not the judgments, nor made from them.",)
    assert ir.gate(JUDGED, rows(), leaked, fail_if=f"{measure} drops 0.01").outcome == "can't tell"


def test_one_query_that_is_not_perfect_ends_the_doubt() -> None:
    """A system that is good for every query but one made its lists itself."""
    good = {query: {doc: float(grade) for doc, grade in docs.items()} for query, docs in JUDGED.items()}
    good["q00"] = {doc: -score for doc, score in good["q00"].items()}
    verdict = ir.compare(JUDGED, {"old": rows(), "new": good}, ["nDCG@10"], baseline="old").verdict
    assert (verdict.outcome, verdict.warnings) == ("SHIP", ())


def _reranked(noise: float, queries: int = 40) -> tuple[Grades, dict[str, Grades]]:
    """Return judgments, and two systems that find the same half of the documents: the new one sorts them by grade."""
    rng = random.Random(5)
    judged, old, new = {}, {}, {}
    for n in range(queries):
        grades = {f"d{i}": float((i * 7 + n) % 4) for i in range(20)}
        found = rng.sample(sorted(grades), 12)
        judged[f"q{n}"] = grades
        old[f"q{n}"] = {doc: grades[doc] + rng.gauss(0, 3) for doc in found}
        new[f"q{n}"] = {doc: 2 * grades[doc] + rng.gauss(0, noise) for doc in found}
    return judged, {"old": old, "new": new}


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_lists_in_the_order_of_grades_buy_nothing(noise: float) -> None:
    """Scores made of grades are doubted, in a comparison and a gate, though relevant documents are missing."""
    judged, systems = _reranked(noise)
    found = ir.compare(judged, systems, ["nDCG@10"], baseline="old").verdict
    assert (found.outcome, found.headline) == ("CAN'T TELL", "Check the results of new before you decide")
    assert found.warnings == ("new has its judged results in the order of their grades in 40 of 40 long lists.",)
    assert found.steps == ("Check that the results of new are not the judgments, nor made from them.",)
    gate = ir.gate(judged, systems["old"], systems["new"], fail_if="nDCG@10 drops 0.01")
    assert gate.outcome == "can't tell"
    assert gate.warnings


def test_a_part_of_the_lists_in_the_order_of_grades() -> None:
    """Two lists of three made of the grades are doubted, as the others are far from that order."""
    judged, systems = _reranked(0.0, 60)
    part = {q: (systems["new"] if i % 3 else systems["old"])[q] for i, q in enumerate(judged)}
    found = ir.compare(judged, {"old": systems["old"], "new": part}, ["nDCG@10"], baseline="old").verdict
    assert found.outcome == "CAN'T TELL"
    assert found.warnings == ("new has its judged results in the order of their grades in 40 of 60 long lists.",)


@pytest.mark.parametrize(("noise", "queries"), [(1.0, 40), (0.0, 9)])
def test_a_good_order_is_no_leak(noise: float, queries: int) -> None:
    """A system that sorts well and slips here and there is not doubted, nor one of which few lists can tell."""
    judged, systems = _reranked(noise, queries)
    assert ir.compare(judged, systems, ["nDCG@10"], baseline="old").verdict.warnings == ()


@pytest.mark.parametrize("seed", range(3))
def test_easy_queries_are_no_leak(seed: int) -> None:
    """Half of the queries are easy, and both systems sort them without a slip; the others are hard for both."""
    rng = random.Random(seed)
    judged, old, new = Grades(), Grades(), Grades()
    for n in range(60):
        grades = {f"d{i}": float((i * 7 + n) % 4) for i in range(12)}
        judged[f"q{n}"] = grades
        for system in (old, new):
            system[f"q{n}"] = {doc: (n % 2) * grade + rng.gauss(0, 0.15) for doc, grade in grades.items()}
    verdict = ir.compare(judged, {"old": old, "new": new}, ["nDCG@10"], baseline="old").verdict
    assert verdict.warnings == ()
    # One system alone that sorts half of all queries so is doubted.
    plain = {query: {doc: rng.gauss(0, 1) for doc in docs} for query, docs in judged.items()}
    alone = ir.compare(judged, {"old": plain, "new": new}, ["nDCG@10"], baseline="old").verdict
    assert "in the order of their grades in" in alone.warnings[0]


@pytest.mark.parametrize("whole", [0, 1, 5, 22, 35])
def test_lists_that_were_cut_for_many_queries(whole: int) -> None:
    """A control of which many lists end at three results is doubted, though the others are whole."""
    cut = [row for row in rows() if row["rank"] <= 3 or row["query"] in QUERIES[:whole]]
    found = ir.compare(JUDGED, {"old": cut, "new": rows()}, ["nDCG@10"], baseline="old").verdict
    assert found.outcome == "CAN'T TELL"
    most = f"in {40 - whole} of 40 lists" if whole else "at most"
    assert found.warnings[0].startswith(f"old has {most} 3 results per query, where new has more")
    # Of twenty whole lists a gate can tell that nothing drops.
    gate = ir.gate(JUDGED, cut, rows(), fail_if="nDCG@10 drops 0.01").outcome
    assert gate == ("can't tell" if whole < 20 else "passed")


def test_lists_that_end_early_at_various_lengths() -> None:
    """A search may find less, or somebody cut its lists: it is said beside a longer one, and decides nothing."""
    few = [row for row in rows() if row["rank"] <= 1 + int(row["query"][1:]) % 4]
    found = ir.compare(JUDGED, {"old": few, "new": rows()}, ["nDCG@10"], baseline="old").verdict
    assert found.outcome == "SHIP"
    assert found.warnings == ("old has 2.5 results per query on average, where new has more; nDCG@10 reads 10.",)


def test_judgments_upside_down() -> None:
    """Where 1 is the best grade, both systems seem to put the best last: a verdict would choose the worse one."""
    grades = {query: {f"d{i}": float(1 + (i > 3) + (i > 6)) for i in range(1, 11)} for query in QUERIES}
    rng = random.Random(3)
    systems = {
        name: {q: {d: -g + rng.gauss(0, noise) for d, g in of.items()} for q, of in grades.items()}
        for name, noise in (("old", 2.0), ("new", 0.4))
    }
    found = ir.compare(grades, systems, ["nDCG@10"], baseline="old").verdict
    assert found.outcome == "CAN'T TELL"
    assert found.headline == "Check the judgments before you decide"
    assert found.warnings[0].startswith("both systems put documents of low grades before those of high ones")
    assert "--grades" in found.steps[0]
    upright = {query: {doc: 4 - grade for doc, grade in of.items()} for query, of in grades.items()}
    assert ir.compare(upright, systems, ["nDCG@10"], baseline="old").verdict == "SHIP"
    # Two raters of three took 1 for the best.
    mixed = {query: (grades if n % 3 else upright)[query] for n, query in enumerate(QUERIES)}
    partly = ir.compare(mixed, systems, ["nDCG@10"], baseline="old").verdict
    assert partly.outcome == "CAN'T TELL"
    assert re.search(r"in \d\d of 40 queries \(q0", partly.warnings[0])


@pytest.mark.parametrize("turned", ["old", "new"])
@pytest.mark.parametrize("grades", [2, 4])
def test_one_system_in_the_order_of_its_distances(turned: str, grades: int) -> None:
    """A system that was turned round neither buys a SHIP for the other nor is condemned; the judgments are not blamed.

    Who says that its order is right gets the verdict.
    """
    rng = random.Random(8)
    judged = {query: {f"d{i}": int(rng.random() * grades) for i in range(14)} for query in QUERIES}
    systems = {
        name: {q: {d: way * (g + rng.gauss(0, 2 * grades / 3)) for d, g in of.items()} for q, of in judged.items()}
        for name, way in {"old": 1, "new": 1, turned: -1}.items()
    }
    found = ir.compare(judged, systems, ["nDCG@10"], baseline="old").verdict
    assert (found.outcome, found.headline) == ("CAN'T TELL", f"Check the results of {turned} before you decide")
    assert found.warnings == (
        f"{turned} has its results in an order that would be better from the end, in nearly every query.",
    )
    answered = ir.compare(judged, systems, ["nDCG@10"], baseline="old", order_by="score").verdict
    assert (answered.outcome, answered.warnings) == ("SHIP" if turned == "old" else "DON'T", ())


def test_a_part_of_the_lists_in_the_order_of_their_distances() -> None:
    """Three lists of four that were turned round are a doubt where the verdict hangs on them."""
    rng = random.Random(8)
    judged = {query: {f"d{i}": rng.randrange(4) for i in range(14)} for query in QUERIES}
    good, weak = (
        {q: {d: g + rng.gauss(0, noise) for d, g in of.items()} for q, of in judged.items()} for noise in (1.2, 3.0)
    )
    part = {
        q: {d: score if n % 4 == 0 else -score for d, score in of.items()} for n, (q, of) in enumerate(good.items())
    }
    found = ir.compare(judged, {"old": part, "new": weak}, ["nDCG@10"], baseline="old").verdict
    assert (found.outcome, found.headline) == ("CAN'T TELL", "Check the results of old before you decide")
    assert re.search(r"old has .* better from the end, in \d\d of 40 queries", found.warnings[0])
    assert ir.compare(judged, {"old": good, "new": weak}, ["nDCG@10"], baseline="old").verdict.warnings == ()


def test_a_grade_far_above_the_others() -> None:
    """One grade of 30 on a scale to 3 outweighs all else: the verdict on it is doubted, and the grade named."""
    grades = {query: {f"d{i}": float((i * 7 + n) % 4) for i in range(1, 11)} for n, query in enumerate(QUERIES)}
    old = {query: {doc: 10.0 - place for place, doc in enumerate(of)} for query, of in grades.items()}
    new = {query: dict(of) for query, of in old.items()} | {"q07": {"d9": 20.0, **old["q07"], "d1": 0.5}}
    odd = {query: dict(of) for query, of in grades.items()} | {"q07": {**grades["q07"], "d9": 30.0}}
    found = ir.compare(odd, {"old": old, "new": new}, ["DCG@10"], baseline="old").verdict
    assert found.warnings == ("the judgments have the grade 30 (q07), and no other above 3.",)


@pytest.mark.parametrize(("highest", "doubted"), [(400, False), (4000, True)])
def test_counts_have_long_tails(highest: int, doubted: bool) -> None:
    """Ten times the next is no slip among counts of clicks, a hundred times is one."""
    clicks = {query: {f"d{i}": float(n) if i == 4 else 0.0 for i in range(1, 11)} for n, query in enumerate(QUERIES)}
    clicks["q07"]["d1"] = float(highest)
    new = [row | {"rank": 11 - row["rank"], "score": row["rank"]} for row in rows()]
    found = ir.compare(clicks, {"old": rows(), "new": new}, ["nDCG@10"], baseline="old", order_by="rank").verdict
    assert any("have the grade" in text for text in found.warnings) == doubted


def test_equal_scores_in_the_order_of_the_rows() -> None:
    """Rows sorted by grade with equal scores buy nothing by ties=given."""
    judged = {query: {"z": 1, "a": 0, "b": 0, "c": 0} for query in QUERIES}
    old = {query: {"c": 4.0, "a": 3.0, "z": 2.0, "b": 1.0} for query in QUERIES}
    new = {query: {"z": 1.0, "a": 1.0, "b": 1.0, "c": 1.0} for query in QUERIES}
    verdict = ir.compare(judged, {"old": old, "new": new}, ["RR"], baseline="old", ties="given").verdict
    assert verdict.outcome == "CAN'T TELL"
    assert verdict.warnings[0].startswith("new has equal scores whose order moves RR in 40 queries")


def test_the_order_of_equal_scores_buys_no_verdict() -> None:
    """Z is found second, third or fourth: the ids choose the best order, 1/2; the mean of all is 13/36."""
    judged = {query: {"z": 1, "a": 0, "b": 0, "c": 0} for query in QUERIES}
    old = {query: {"c": 4.0, "a": 3.0, "z": 2.0, "b": 1.0} for query in QUERIES}
    new = {query: {"c": 2.0, "z": 1.0, "a": 1.0, "b": 1.0} for query in QUERIES}
    verdict = ir.compare(judged, {"old": old, "new": new}, ["RR"], baseline="old").verdict
    assert verdict.outcome == "CAN'T TELL"
    assert verdict.warnings == (
        "new has equal scores whose order moves RR in 40 queries: the difference is +0.1667, and +0.0278 as the mean "
        "over all orders.",
    )
    assert "ties=average" in verdict.steps[0]
    assert ir.gate(judged, old, new, fail_if="RR drops 0.01").outcome == "can't tell"
    for ties in ("docid_desc", "average"):
        named = ir.compare(judged, {"old": old, "new": new}, ["RR"], baseline="old", ties=ties).verdict
        assert named.warnings == ()


@pytest.mark.parametrize(("ask", "times"), [(ir.compare, 1), (ir.leaderboard, 0)])
def test_the_mean_over_all_orders_is_computed_once(
    ask: Callable[..., Any], times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all systems at once, in however many pairs they stand; not at all for a board, which compares no pair."""
    asked = list[int]()

    def counted(scores: Any, systems: Any) -> Any:
        asked.append(len(systems))
        return values_under(scores, systems)

    monkeypatch.setattr(suspect_results, "values_under", counted)
    systems = {name: scored(lambda rank, depth=depth: float(rank <= depth)) for depth, name in enumerate("abcd", 2)}
    found = ask(JUDGED, systems, ["nDCG@10"])
    assert found.to_dict()
    assert asked == [4] * times


def _every_pair(pairing: Pairing) -> list[tuple[str, int]]:
    """Return what a board says of its systems, as it would be found by looking at all pairs."""
    looked, kept = suspect_results._LookedUp(pairing), dict[tuple[str, str], Oddity]()
    for pair in pairing.pairs:
        for each in suspect_results._damaged(looked, pair):
            before = kept.get(each.cause)
            if before is None or each.count > before.count:
                kept[each.cause] = each
    return [(each.text, each.count) for each in kept.values()]


@pytest.mark.parametrize("options", [{}, {"ties": "best"}, {"no_results": "skip"}, {"rank_gaps": "close"}])
@pytest.mark.parametrize("seed", range(3))
def test_a_board_says_what_all_pairs_say(seed: int, options: dict[str, Any]) -> None:
    """In the same words and order, of systems damaged in every way and in any order."""
    lost = {
        f"{n} lost": [row for row in rows() if row["query"] not in set(QUERIES[first : first + n])]
        for n, first in ((6, 0), (9, 4), (20, 10))
    }
    swapped = {"disagree": [row | {"score": float(row["rank"] * 3 % 11)} for row in rows()]}
    short = {f"top {n}": [row for row in rows() if row["rank"] <= n] for n in (2, 5, 8)}
    tied = {"tied": scored(lambda rank: float(rank <= 5)), "judged": scored(lambda rank: float(rank % 3 == 1))}
    damaged = {name: of for name, (of, _) in DAMAGES.items()} | lost | swapped | short | tied | {"whole": rows()}
    names = list(damaged)
    random.Random(seed).shuffle(names)
    scores = ir.evaluate(JUDGED, {name: damaged[name] for name in names}, ["nDCG@10"], **options)
    pairing = Pairing(scores, "", (DECIDES,))
    found = [(each.text, each.count) for each in suspect_results.by_system(pairing)]
    assert found == _every_pair(pairing)
    assert len(found) > 10


def test_a_board_looks_at_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of a pair grows with the systems, not with their pairs."""
    made = Counter[str]()

    def counting(check: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*of: Any) -> Any:
            made[check.__name__] += 1
            return check(*of)

        return counted

    checks = tuple((counting(check), beside) for check, beside in suspect_results._OF_A_BOARD)
    monkeypatch.setattr(suspect_results, "_OF_A_BOARD", checks)
    ways = [rows(), *(damaged for damaged, _ in DAMAGES.values())]
    board = ir.leaderboard(JUDGED, {f"s{i}": ways[i % len(ways)] for i in range(60)}, ["nDCG@10"])
    assert len(board.suspicious) > 20
    assert max(made.values()) <= 2 * 60
    assert "pairs" not in vars(Pairing(board.scores, "", (DECIDES,)))


@pytest.mark.parametrize("lacks", ["new", "old"])
def test_queries_that_are_left_out_buy_no_verdict(lacks: str) -> None:
    """Results removed for the queries that a system loses, and no_results=skip: the verdict is not SHIP by that."""
    judged = {f"q{i:03}": {"a": 1, "b": 0} for i in range(120)}
    win, lose = {"a": 2.0, "b": 1.0}, {"b": 2.0, "a": 1.0}
    good = {query: (lose if i % 3 == 0 else win) for i, query in enumerate(judged)}
    bad = {query: (win if i % 3 == 0 else lose) for i, query in enumerate(judged)}
    cut = {query: found for query, found in bad.items() if found == win}
    systems = {"old": good, "new": cut} if lacks == "new" else {"old": cut, "new": good}
    verdict = ir.compare(judged, systems, ["RR"], no_results="skip").verdict["new"]
    assert verdict.outcome == "CAN'T TELL"
    assert "left out counted, it would be" in verdict.reason
    counted = ir.compare(judged, systems, ["RR"], no_results="0").verdict["new"]
    assert counted.outcome == ("DON'T" if lacks == "new" else "SHIP")


def test_weights_that_turn_a_verdict_are_named() -> None:
    """Next to no weight for the queries that a system loses: what it would be with equal weights stands above it."""
    judged = {f"q{i:03}": {"a": 1, "b": 0} for i in range(120)}
    win, lose = {"a": 2.0, "b": 1.0}, {"b": 2.0, "a": 1.0}
    old = {query: (lose if i % 2 == 0 else win) for i, query in enumerate(judged)}
    new = {query: (lose if i % 2 == 1 else win) for i, query in enumerate(judged)}
    light = {query: 0.001 if i % 2 else 1.0 + i % 3 / 10 for i, query in enumerate(judged)}
    verdict = ir.compare(judged, {"old": old, "new": new}, ["RR"], weights=light).verdict["new"]
    assert (verdict.outcome, verdict.warnings) == (
        "SHIP", ("The weights of the queries decide: with equal weights it would be CAN'T TELL.",),
    )  # fmt: skip
    # A gate says so, too, where a drop of all queries alike is sure; here two of three lose 1/2.
    worse = {query: (win if i % 3 == 0 else lose) for i, query in enumerate(judged)}
    lost = {query: 1.0 + i % 2 / 10 if i % 3 == 0 else 0.001 for i, query in enumerate(judged)}
    old_or_worse = {query: (lose if i % 3 == 0 else win) for i, query in enumerate(judged)}
    passed = ir.gate(judged, old_or_worse, worse, fail_if="RR drops 0.01", weights=lost)
    assert (passed.outcome, passed.warnings) == (
        "passed", ("The weights of the queries decide: with equal weights RR would drop by 0.1667.",),
    )  # fmt: skip
    near = {query: 1.0 + i % 3 / 10 for i, query in enumerate(judged)}
    better = dict.fromkeys(judged, win)
    assert ir.compare(judged, {"old": old, "new": better}, ["RR"], weights=near).verdict["new"].warnings == ()


def test_a_finding_is_read_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """One check is enough: the ledger warns of what it yields, the doctor lists it, verdicts and pages doubt it."""

    def named_alike(scores: Any, s: int) -> Any:
        if scores.systems[s] == "old":
            every = np.ones(len(scores.queries), np.bool_)
            yield Oddity("called old", "old", "old is called old", "Ask for its age", every)

    monkeypatch.setattr(oddities, "CHECKS", (*oddities.CHECKS, named_alike))
    systems = {"old": [row for row in rows() if row["rank"] != 1], "new": rows()}
    assert "old is called old. Ask for its age" in ir.evaluate(JUDGED, systems, ["nDCG@10"]).ledger.warnings
    assert ("old is called old", "Ask for its age.") in [
        (each.text, each.way) for each in ir.doctor(JUDGED, systems).findings
    ]
    found = ir.compare(JUDGED, systems, ["nDCG@10"], rank_gaps="close")
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.warnings == ("old is called old.",)
    assert "old is called old." in ir.report(found).to_html()
    assert "old is called old." in ir.leaderboard(JUDGED, systems, ["nDCG@10"]).warnings
