"""Every frame of every source notebook goes in with no column argument."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import idealrank as ir
from tests.golden.tables import read_cases

CASES = {case["id"]: case for case in read_cases()}
Case = dict[str, Any]
TEXTS = {"1": "blue shoes", "2": "red shoes"}
QUERY_IDS = {"disagreement": 1, "adhesive": 2, "boots": 3, "camera": 4, "door": 5, "extension cord": 6,
             "frying pan": 7, "control": 8, "test": 9, "nDCG A": 10, "nDCG B": 11}  # fmt: skip
DISAGREEMENT = {"doc1": [2, 2, 3], "doc2": [3, 3, 2], "doc3": [0, 0, 2], "doc4": [1, 1, 0]}


def cases(notebook: str, *kinds: str) -> Any:
    """Run a test on every case of a notebook that has both tables and a number."""
    chosen = [c for c in CASES.values() if c["id"].startswith(f"s{notebook}") and c["kind"] in kinds]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in chosen])


def evaluated(judgments: Any, results: Any, case: Case) -> ir.Scores:
    """Evaluate frames as a case says, without naming a column."""
    convention = case.get("convention", "idealrank-1")
    return ir.evaluate(judgments, results, [case["measure"]], convention=convention, **case.get("decisions", {}))


def check(scores: ir.Scores, case: Case) -> None:
    """Compare with the number the notebook prints: a mean, or one a query."""
    if case["kind"] == "mean":
        assert scores[case["measure"]] == pytest.approx(case["expected"], abs=case["tolerance"])
    else:
        found = dict(zip(scores.queries, scores.values[0, 0].tolist(), strict=True))
        assert found == pytest.approx(case["expected"], abs=case["tolerance"])


def ints(ids: list[str]) -> list[int]:
    """Return ids as the notebooks have them: numbers."""
    return [int(key) for key in ids]


def labels_000(case: Case) -> pd.DataFrame:
    """Notebook 000, In [1]: query_id, query, grade, doc_id; ids are numbers."""
    rows = case["judgments"]
    texts = [TEXTS[query] for query in rows["query"]]
    columns = {"query_id": ints(rows["query"]), "query": texts, "grade": rows["grade"], "doc_id": ints(rows["doc"])}
    return pd.DataFrame(columns)


def results_000(case: Case) -> pd.DataFrame:
    """Notebook 000, In [2]: query_id, rank, query, doc_id."""
    rows = case["results"]
    texts = [TEXTS[query] for query in rows["query"]]
    columns = {"query_id": ints(rows["query"]), "rank": rows["rank"], "query": texts, "doc_id": ints(rows["doc"])}
    return pd.DataFrame(columns)


def labelled_000() -> pd.DataFrame:
    """Notebook 000, In [3] and [4]: results with their grades, gains and discounts."""
    case = CASES["s000-04"]
    frame = results_000(case).merge(labels_000(case), how="left", on=["query_id", "query", "doc_id"])
    frame["gain"] = (2 ** frame["grade"]) - 1
    frame["discount"] = 1 / np.log(frame["rank"] + 1)
    frame["discounted_gain"] = frame["gain"] * frame["discount"]
    return frame


@cases("000", "per_query")
def test_labels_and_results_of_000(case: Case) -> None:
    """Numeric ids beside the query text: the id is the key, the text an attribute."""
    scores = evaluated(labels_000(case), results_000(case), case)
    check(scores, case)
    assert scores.per_query["text"] == [TEXTS[query] for query in scores.queries]
    as_text = (frame.astype({"query_id": str, "doc_id": str}) for frame in (labels_000(case), results_000(case)))
    check(evaluated(*as_text, case), case)


DCG_000 = {"gain": "exp2", "discount": "ln"}


def test_labelled_results_of_000() -> None:
    """The joined frames of In [3] to [6] are judgments and results at once; a missing grade is unjudged."""
    labelled = labelled_000()
    for frame in (labelled[["query_id", "rank", "query", "doc_id", "grade"]], labelled,
                  labelled.fillna({"discounted_gain": 0})):  # fmt: skip
        scores = ir.evaluate(frame, measures=["DCG"], **DCG_000)
        assert scores.values[0, 0].tolist() == pytest.approx([1.314800, 1.784061], abs=1e-6)
        assert any("1 judgment row without a grade: unjudged" in note for note in scores.ledger.notes)


def test_filtered_and_ideal_frames_of_000() -> None:
    """The frames of In [7] to [18] go in with their row labels, gaps in the ranks and ideal columns."""
    kept = labelled_000().dropna(subset="discounted_gain")
    renumbered = kept.assign(rank=kept.groupby("query_id").cumcount() + 1)
    best = renumbered.sort_values(["query_id", "grade"], ascending=[True, False])
    ideal = renumbered.assign(ideal_rank=1, ideal_discount=1.0, ideal_discounted_gain=1.0)
    for frame in (kept, renumbered, best, ideal):
        scores = ir.evaluate(frame, measures=["DCG"], **DCG_000)
        assert scores.values[0, 0].tolist() == pytest.approx([1.314800, 1.924048], abs=1e-6)
    assert any("1 query with gaps" in note for note in ir.evaluate(kept, measures=["DCG"]).ledger.notes)


def test_ideal_labels_of_000() -> None:
    """The labels with ideal ranks and gains of In [15] are judgments as they were; their gain is no grade."""
    case = CASES["s000-13"]
    labels = labels_000(case).sort_values(["query_id", "grade"], ascending=[True, False])
    labels["ideal_rank"] = labels.groupby("query_id").cumcount() + 1
    labels["gain"] = (2 ** labels["grade"]) - 1
    check(evaluated(labels, results_000(case), case), case)


def test_two_result_frames_of_000() -> None:
    """The frames of In [2] and [24] are two systems, compared document by document."""
    systems = CASES["s000-21"]["systems"]
    frames = [results_000({"results": rows | {"rank": list(range(len(rows["doc"])))}}) for rows in systems.values()]
    assert ir.overlap(*frames)["jaccard"] == pytest.approx([1 / 3, 1.0])


def raw_001(case: Case) -> pd.DataFrame:
    """Notebook 001, In [75]: queryid, query, document, position and three ratings, in one row."""
    rows, grades = case["results"], dict(zip(case["judgments"]["doc"], case["judgments"]["grade"], strict=True))
    # control and test rank the same documents; the grade of a document is the same under both
    ratings = [DISAGREEMENT.get(doc, [grades[doc]] * 3) for doc in rows["doc"]]
    columns = {"queryid": [QUERY_IDS[query] for query in rows["query"]], "query": rows["query"],
               "document": rows["doc"], "position": rows["rank"]}  # fmt: skip
    return pd.DataFrame(columns | {f"rating_{n + 1}": [row[n] for row in ratings] for n in range(3)})


def test_raw_ratings_of_001(tmp_path: Path) -> None:
    """One wide table of ratings is judgments and results: the grade is the median, the number id the key."""
    case = CASES["s001-08"]
    raw = raw_001(case)
    scores = ir.evaluate(raw, measures=["DCG"], gain="exp2")
    found = dict(zip(scores.per_query["text"], scores.per_query["DCG"], strict=True))
    assert found == pytest.approx(case["expected"] | {"frying pan": 17.931244}, abs=1e-6)
    assert scores.queries == [str(number) for number in range(1, 12)]
    raw.to_csv(tmp_path / "raw.csv", index=False)
    assert (
        ir.evaluate(str(tmp_path / "raw.csv"), measures=["DCG"], gain="exp2").values.tolist() == scores.values.tolist()
    )


def test_grade_beside_ratings_of_001() -> None:
    """A frame with a relevance column beside the ratings (In [40]) is judged by the relevance."""
    raw = raw_001(CASES["s001-08"])
    verbose = raw.assign(relevance=raw[["rating_1", "rating_2", "rating_3"]].median(axis=1).astype(int))
    doubled = verbose.assign(relevance=verbose["relevance"] * 2)
    one, two = (ir.evaluate(frame, measures=["CG"])["CG"] for frame in (verbose, doubled))
    assert two == 2 * one


@cases("001", "per_query", "worst", "better")
def test_frames_of_001(case: Case) -> None:
    """Query, document, position and relevance, then gain, discount, DCG and ideal rank: the text is the key."""
    rows, grades = case["results"], dict(zip(case["judgments"]["doc"], case["judgments"]["grade"], strict=True))
    frame = pd.DataFrame({"query": rows["query"], "document": rows["doc"], "position": rows["rank"],
                          "relevance": [grades[doc] for doc in rows["doc"]]})  # fmt: skip
    wide = frame.assign(gain=2 ** frame["relevance"] - 1, discount=np.log2(frame["position"] + 1))
    wide = wide.assign(dg=wide["gain"] / wide["discount"], dcg=0.0, ideal_rank=1, cg=1)
    for table in (frame, wide, wide.sort_values("dcg")):
        scores = evaluated(table, None, case)
        found = dict(zip(scores.queries, scores.values[0, 0].tolist(), strict=True))
        assert {query: found[query] for query in case["expected"]} == pytest.approx(
            case["expected"], abs=case["tolerance"]
        )


@cases("002", "per_query")
def test_frames_of_002(case: Case) -> None:
    """Documents, relevance and order without a query column are one query; columns of measures do no harm."""
    grades = dict(zip(case["judgments"]["doc"], case["judgments"]["grade"], strict=True))
    docs, orders = case["results"]["doc"], case["results"]["rank"]
    results = pd.DataFrame({"documents": docs, "relevance": [grades[doc] for doc in docs], "order": orders})
    results["log2(i+1)"] = np.log2(results["order"] + 1)
    results["dcg"] = results["relevance"] / results["log2(i+1)"]
    results["DCG"] = results["dcg"].round(3)
    longer = pd.DataFrame({"documents": list(grades), "relevance": list(grades.values()),
                           "order": [*range(1, len(grades)), len(grades) + 1]})  # fmt: skip
    check(evaluated(longer, results, case), case)
    if len(grades) == len(docs):
        scores = evaluated(results, None, case)
        check(scores, case)
        assert any("no query column; all rows are one query" in note for note in scores.ledger.notes)


@cases("003", "per_query")
def test_lists_of_003(case: Case) -> None:
    """A list of documents and a dict of grades, or grades, scores and group ids, are judgments and results."""
    rows = list(zip(*(case["judgments"][name] for name in ("query", "doc", "grade")), strict=True))
    for query, value in case["expected"].items():
        grades = {doc: grade for key, doc, grade in rows if key == query}
        ranking = [d for key, d in zip(case["results"]["query"], case["results"]["doc"], strict=True) if key == query]
        y = [grades[doc] for doc in ranking]
        y_hat, group_id = [len(y) - place for place in range(len(y))], [query] * len(y)
        one = {**case, "expected": {query: value}}
        check(evaluated(*ir.from_ranking(ranking, grades, query=query), one), one)
        check(evaluated(*ir.from_grades(y, query=query), one), one)
        by_score = {**one, "decisions": {**case.get("decisions", {}), "order_by": "score"}}
        check(evaluated(*ir.from_groups(y, y_hat, group_id), by_score), by_score)


def qrel_004(case: Case) -> dict[str, list[Any]]:
    """Notebook 004, In [1]: query, q0, docid, rel; the query is a number."""
    rows = case["judgments"]
    q0 = ["q0"] * len(rows["doc"])
    return {"query": ints(rows["query"]), "q0": q0, "docid": rows["doc"], "rel": rows["grade"]}


def run_004(case: Case) -> dict[str, list[Any]]:
    """Notebook 004, In [1]: query, q0, docid, rank, score, system."""
    rows = case["results"]
    system = ["test"] * len(rows["doc"])
    found = {"query": ints(rows["query"]), "q0": ["q0"] * len(system), "docid": rows["doc"], "rank": rows["rank"]}
    return found | {"score": rows.get("score", [0] * len(system)), "system": system}


@cases("004", "mean")
def test_trec_dicts_of_004(case: Case) -> None:
    """TREC's columns as a dict of lists, query as a number, under the notebook's tool."""
    qrel, run = qrel_004(case), run_004(case)
    check(evaluated(qrel, run, case), case)
    check(evaluated(pd.DataFrame(qrel), pd.DataFrame(run), case), case)


@cases("004", "per_query")
def test_frames_of_004(case: Case, tmp_path: Path) -> None:
    """QUERY_KEY, DOC_KEY, RANK, ENGINE and SCORE: SCORE is the grade in one file, the engine's score in the other."""
    judged, returned = case["judgments"], case["results"]
    qrels = pd.DataFrame({"QUERY_KEY": ints(["0" if q == "q" else q for q in judged["query"]]),
                          "DOC_KEY": judged["doc"], "SCORE": judged["grade"]})  # fmt: skip
    results = pd.DataFrame({"QUERY_KEY": ints(["0" if q == "q" else q for q in returned["query"]]),
                            "DOC_KEY": returned["doc"], "RANK": returned["rank"]})  # fmt: skip
    asked = {**case, "expected": {"0" if q == "q" else q: value for q, value in case["expected"].items()}}
    check(evaluated(qrels, results, asked), asked)
    for name, frame in (("qrel.csv", qrels), ("results.csv", results.assign(SCORE=-results["RANK"]))):
        frame.assign(ENGINE="SOLR").assign(RANK=frame.get("RANK", 1)).to_csv(tmp_path / name, sep="|", index=False)
    check(evaluated(str(tmp_path / "qrel.csv"), str(tmp_path / "results.csv"), asked), asked)


def test_two_runs_of_004() -> None:
    """Two systems in one dict (In [6]), or as a list of two dicts (In [7]): one number for each."""
    qrel = {"query": [0, 0, 0], "q0": ["q0"] * 3, "docid": ["doc_1", "doc_2", "doc_3"], "rel": [3, 2, 1]}
    run = {"query": [0, 0, 0], "q0": ["q0"] * 3, "docid": ["doc_2", "doc_1", "doc_3"], "rank": [0, 1, 0],
           "score": [2, 1, 2], "system": ["sistema1", "sistema1", "sistema2"]}  # fmt: skip
    apart = [{name: values[:2] for name, values in run.items()}, {name: values[2:] for name, values in run.items()}]
    for runs in (run, pd.DataFrame(run), apart, list(map(pd.DataFrame, apart))):
        scores = ir.evaluate(qrel, runs, ["P@5", "nDCG@5"])
        assert scores.systems == ("sistema1", "sistema2")
        assert scores["P@5", "sistema1"], scores["P@5", "sistema2"] == (0.4, 0.2)
        assert scores["nDCG@5", "sistema1"] == pytest.approx(0.8174935137996165, abs=1e-12)
        assert scores["nDCG@5", "sistema2"] == pytest.approx(0.21000199575396408, abs=1e-12)


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        (pd.DataFrame({"query": ["adhesive"], "dcg": [0.0]}), "no doc or grade column. Found: query, dcg."),
        (pd.DataFrame({"QUERY_KEY": [0], "P@5": [0.4]}), "no doc or grade column. Found: QUERY_KEY, P@5."),
        (
            pd.DataFrame({"query_id": [1], "results1": [{5678, 1122}], "jaccard": [1 / 3]}).set_index("query_id"),
            "no doc or grade column. Found: query_id, results1, jaccard.",
        ),
    ],
)
def test_frames_that_hold_neither(frame: pd.DataFrame, found: str) -> None:
    """The notebooks' tables of measures and of sets are refused: with what was found and what to name."""
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(frame)
    assert str(refused.value) == f"judgments: {found} Name them: ir.read_judgments(table, doc='…', grade='…')."


def test_documents_without_results_of_004() -> None:
    """A row with an empty document and rank -1 (In [10]) says that its query got nothing."""
    case = CASES["s004-10-p5"]
    run = run_004(case)
    assert run["docid"][-1] == ""
    assert run["rank"][-1] == -1
    scores = ir.evaluate(qrel_004(case), run, ["P@5"])
    assert scores["P@5"] == pytest.approx(0.2)
    assert math.isclose(ir.evaluate(qrel_004(case), pd.DataFrame(run), ["P@5"])["P@5"], 0.2)
