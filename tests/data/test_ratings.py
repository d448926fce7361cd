"""One judgment in several columns or rows: by rater, by system, or both; with the results or without."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.data.roles import rater_of
from tests.data.test_columns import refusal

RATINGS = {("q1", "a"): [2, 2, 3], ("q1", "b"): [3, 3, 2], ("q2", "c"): [0, 1, 4]}
"""Ratings of Ana, Bo and Cy."""
RESULTS = {"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "c"], "rank": [1, 2, 1]}
BY_RULE = {
    "median": [2, 3, 1],
    "mean": [7 / 3, 8 / 3, 5 / 3],
    "max": [3, 3, 4],
    "min": [2, 2, 0],
    "majority": [2, 3, 0],
}
"""Grades of a, b and c under each answer; of equally frequent ratings the majority is the lowest."""


def wide(names: Iterable[str], ratings: dict[Any, list[Any]] = RATINGS) -> dict[str, list[Any]]:
    """Return one row a document, one column a rater."""
    table: dict[str, list[Any]] = {"query_id": [q for q, _ in ratings], "doc_id": [d for _, d in ratings]}
    return table | {name: [row[place] for row in ratings.values()] for place, name in enumerate(names)}


def long(ratings: dict[Any, list[Any]] = RATINGS, name: str = "rater") -> dict[str, list[Any]]:
    """Return one row a rating."""
    rows = [(q, d, r, g) for (q, d), row in ratings.items() for r, g in zip(("ana", "bo", "cy"), row, strict=True)]
    return dict(zip(("query_id", "doc_id", name, "grade"), map(list, zip(*rows, strict=True)), strict=True))


def grades(judgments: Any, results: Any = RESULTS, **decisions: Any) -> dict[str, float]:
    """Return the grade each document ends up with."""
    steps = ir.evaluate(judgments, results, ["CG"], **decisions).steps("CG")
    return dict(zip(steps["doc"], steps["grade"], strict=True))


@pytest.mark.parametrize(
    "names",
    [
        ("rating_1", "rating_2", "rating_3"),
        ("rating1", "rating2", "rating3"),
        ("Rating 1", "Rating 2", "Rating 3"),
        ("rater_ana", "rater_bo", "rater_cy"),
        ("rater 1", "rater 2", "rater 3"),
        ("Rater-Ana Smith", "Rater-Bo Lee", "Rater-Anonymous"),
    ],
)
def test_wide_tables(names: tuple[str, ...]) -> None:
    """rating_1 … and rater_… are the ratings of one row."""
    assert list(grades(wide(names)).values()) == BY_RULE["median"]


@pytest.mark.parametrize("name", ["rater", "rater_id", "judge", "annotator", "Assessor", "user_email"])
def test_long_tables(name: str) -> None:
    """A row a rating, with a column that names the rater, gives the same grades as the wide table."""
    assert list(grades(long(name=name)).values()) == BY_RULE["median"]


@pytest.mark.parametrize("rule", BY_RULE)
def test_one_grade_of_all_ratings(rule: str) -> None:
    """The decision raters makes one grade of the ratings, in a wide table and in a long one."""
    for table in (wide(("rating_1", "rating_2", "rating_3")), long()):
        assert list(grades(table, raters=rule).values()) == pytest.approx(BY_RULE[rule])


def test_given_rater_and_grade() -> None:
    """The rater column and the grade column may be named; a grade that is named wins over ratings."""
    named = ir.read_judgments(long(name="wer"), rater="wer")
    assert list(grades(named).values()) == BY_RULE["median"]
    second = ir.read_judgments(wide(("rating_1", "rating_2", "rating_3")), grade="rating_2")
    assert list(grades(second).values()) == [2, 3, 1]


MISSING = {("q1", "a"): [2, None, 3], ("q1", "b"): [3, 3, 2], ("q2", "c"): [None, None, None]}


@pytest.mark.parametrize("table", [wide(("rating_1", "rating_2", "rating_3"), MISSING), long(MISSING)])
def test_missing_ratings(table: dict[str, list[Any]]) -> None:
    """The grade is the median of the ratings there are, a half stays a half; a document without any is unjudged."""
    scores = ir.evaluate(table, RESULTS, ["CG"])
    steps = scores.steps("CG")
    found = dict(zip(steps["doc"], steps["grade"], strict=True))
    assert found == {"a": 2.5, "b": 3.0}
    assert any(note.startswith("1 rating missing") for note in scores.ledger.notes)


def twice(table: dict[str, list[Any]], row: int, grade: Any = None) -> dict[str, list[Any]]:
    """Add a row that repeats another, with the same or another grade."""
    more = {name: [*values, values[row]] for name, values in table.items()}
    if grade is not None:
        more["grade"][-1] = grade
    return more


def test_one_rater_twice() -> None:
    """A rater may rate a document once; both rows are named."""
    again = "judgments row 9: document 'a' is judged a second time for query 'q1', again with grade 3 (first: row 2)."
    otherwise = (
        "judgments row 9: document 'a' is judged a second time for query 'q1', with grade 0 after 3 (first: row 2)."
    )
    way = " Remove one, or choose: duplicates=first, last, max, mean, median or majority."
    assert refusal(lambda: grades(twice(long(), 2))) == again + way
    assert refusal(lambda: grades(twice(long(), 2, 0))) == otherwise + way


BOTH = {"query_id": ["q1", "q1", "q2", "q1", "q2"], "doc_id": ["a", "b", "c", "b", "c"], "rank": [1, 2, 1, 1, 1],
        "grade": [1, 3, 2, 3, 2], "system": ["one", "one", "one", "two", "two"]}  # fmt: skip
"""Two systems; b and c are returned by both, so their judgment stands twice."""


def test_judgment_repeated_for_each_system() -> None:
    """In a table of several systems a judgment stands once a system; that is no duplicate."""
    for judgments, results in ((BOTH, None), (BOTH, BOTH), ({k: v for k, v in BOTH.items() if k != "rank"}, BOTH)):
        scores = ir.evaluate(judgments, results, ["CG"])
        assert scores.systems == ("one", "two")
        assert scores.values[:, 0].tolist() == [[4.0, 2.0], [3.0, 2.0]]
        assert not any("duplicate" in note for note in scores.ledger.notes)


def test_judgment_that_differs_by_system() -> None:
    """A document has one grade, whoever returned it: another is refused with both rows."""
    conflict = {**BOTH, "grade": [1, 3, 2, 0, 2]}
    assert refusal(lambda: ir.evaluate(conflict, measures=["CG"])) == (
        "judgments row 3: document 'b' is judged a second time for query 'q1', with grade 0 after 3 (first: row 1). "
        "Remove one, or choose: duplicates=first, last, max, mean, median or majority."
    )
    assert ir.evaluate(conflict, measures=["CG"], duplicates="max").values[:, 0].tolist() == [[4.0, 2.0], [3.0, 2.0]]


def test_grade_stated_once_of_several_rows() -> None:
    """The grade may stand in the row of one system only; the others' rows take it over."""
    sparse = {**BOTH, "grade": [1, 3, None, None, 2]}
    assert ir.evaluate(sparse, measures=["CG"]).values[:, 0].tolist() == [[4.0, 2.0], [3.0, 2.0]]


def test_ratings_and_systems_in_one_table() -> None:
    """A wide table of ratings of several systems: results by system, one grade a document."""
    table = {name: values for name, values in BOTH.items() if name != "grade"}
    table |= {"rating_1": [1, 3, 2, 3, 2], "rating_2": [2, 3, 0, 3, 0]}
    scores = ir.evaluate(table, measures=["CG"])
    assert scores.values[:, 0].tolist() == [[4.5, 1.0], [3.0, 1.0]]


def test_long_ratings_and_results_in_one_table() -> None:
    """A row a rating with the rank beside it: a result that stands once a rater is one result."""
    table = long() | {"position": [rank for rank in (2, 1, 1) for _ in range(3)]}
    scores = ir.evaluate(table, measures=["nDCG@1", "NumRet"])
    assert scores.values[0, 0].tolist() == [1.0, 1.0]
    assert scores["NumRet"] == 3
    conflict = {**table, "position": [2, 3, 2, 1, 1, 1, 1, 1, 1]}
    assert refusal(lambda: ir.evaluate(conflict)).startswith("judgments row 1: document 'a' is returned a second time")


def test_judged_documents_nobody_returned() -> None:
    """In one table for both, a row without a rank and a score is a judgment only."""
    table = {
        "query_id": ["q"] * 4,
        "doc_id": ["a", "b", "c", "d"],
        "rank": [1, 2, None, None],
        "grade": [1, None, 3, 2],
    }
    scores = ir.evaluate(table, measures=["nDCG@10", "NumRet", "NumRel"])
    assert (scores["NumRet"], scores["NumRel"]) == (2, 3)
    scored = {**table, "rank": [None] * 4, "score": [9.0, 8.0, None, None]}
    assert ir.evaluate(scored, measures=["nDCG@10"])["nDCG@10"] == scores["nDCG@10"]
    assert ir.read_results(ir.read_judgments(table)).judged_only == 2


def test_raters_columns_that_are_named() -> None:
    """A list of grade columns is one a rater; `rating_` with a name is a rater's column, with a date it is none."""
    table = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "Ann": [3, 0], "Ben": [1, 1]}
    run = {"q": {"a": 2.0, "b": 1.0}}
    read = ir.read_judgments(table, grade=["Ann", "Ben"])
    assert read.columns["grade"] == "Ann,Ben"
    assert ir.evaluate(read, run, ["DCG"], raters="mean")["DCG"] == pytest.approx(2 + 0.5 / np.log2(3))
    assert ir.read_judgments(table, grade=["Ben"]).columns["grade"] == "Ben"
    found = {"query_id": ["q"], "doc_id": ["a"], "Rating Anna": [3], "rating_Ben": [1], "rating_date": ["x"]}
    assert ir.read_judgments(found).columns["grade"] == "Rating Anna,rating_Ben"


def test_a_misspelt_column_keyword() -> None:
    """A keyword that names no role is refused with the nearest one."""
    with pytest.raises(ir.UsageError, match=r"No keyword called 'garde'\. Did you mean grade"):
        ir.read_judgments({"q": {"a": 1}}, garde="x")
    with pytest.raises(ir.UsageError, match=r"No keyword called 'scor'\. Did you mean score"):
        ir.read_results({"q": {"a": 1}}, scor="x")


RATER_OF = {
    # the word first, with and without something between it and a number
    "rating_1": "1", "rating12": "12", "Rater 2": "2", "rater-Ana Lee": "Ana Lee", "RATING.ÉVA": "ÉVA",
    "rating__ana": "ana", "rating - ana": "ana", "rating_second_rater": "second_rater", "rating_new": "new",
    "grade_ana": "ana", "Grade Bo": "Bo", "grade_second_rater": "second_rater", "grade_1": "1", "grade_max": "max",
    # the word last
    "ana_grade": "ana", "Bo Lee Grade": "Bo Lee", "1 grade": "1", "Max_grade": "Max", "final_grade": "final",
    # what the ratings are, or are about, or became
    "rating_mean": None, "rating__mean": None, "Rating Médiane": None, "rating_max": None, "rater_id": None,
    "rater_name": None, "rater-e-mail": None, "grade_date": None, "grade_original": None, "original_grade": None,
    "mean_grade": None, "mean_of_all_grade": None, "max_of_all_grade": None, "second_pass_grade": None,
    "grade_level": None, "relevance_grade": None,
    # other words
    "rating": None, "rater": None, "grade": None, "rating_": None, "_grade": None, "grade1": None, "ratings_ana": None,
    "ana_rating": None, "ana_rater": None, "upgrade": None, "ana grades": None, "narrating_ana": None, "": None,
}  # fmt: skip
"""Whose grades a column contains by its name."""


@pytest.mark.parametrize("column", RATER_OF)
def test_the_name_of_a_column_says_whose_grades_it_contains(column: str) -> None:
    """rating_, rater_ and grade_ before a name, and _grade behind one, unless it is what the grades are about."""
    assert rater_of(column) == RATER_OF[column]


@pytest.mark.parametrize("made", [
    "rating_median", "rating_std", "rating_agreement", "rating_confidence", "rating_ms", "rating_Anzahl",
    "rating_Mittelwert", "Rating Durchschnitt", "rating_Schnitt", "rating_Gesamt", "rating_Summe", "rating_moyenne",
    "rating_Médiane", "rating_promedio", "rating_media", "rating_totale", "rating_gemiddelde", "rating_aantal",
])  # fmt: skip
def test_what_was_made_of_ratings_is_no_rater(made: str) -> None:
    """A column that describes the ratings, or was computed from them, does not count as one more rater's."""
    table = wide(["rating_ana", "rating_bo", made])
    assert grades(table, raters="mean") == {"a": 2, "b": 3, "c": 0.5}
    assert f"no raters: {made}" in str(ir.evaluate(table, RESULTS).ledger)
    assert f"no raters: {made}" in str(ir.peek(table))


@pytest.mark.parametrize(
    "names",
    [
        ("rating_1", "rating_2", "rating_final"),
        ("Rater Ana", "Rater Bo", "Rater Gold"),
        ("ana_grade", "bo_grade", "final_grade"),
        ("grade_ana", "grade_bo", "grade_consensus"),
    ],
)
def test_a_final_grade_beside_ratings_is_asked_for(names: tuple[str, str, str]) -> None:
    """The grade that all raters' became may be the one that counts: it is not taken for one more rater's."""
    table = wide(names)
    with pytest.raises(ir.DataError, match=f"'{names[2]}' may be the grade that counts, or one more rater's beside"):
        ir.evaluate(table, RESULTS, ["CG"])
    assert grades(ir.read_judgments(table, grade=names[2])) == {"a": 3, "b": 2, "c": 4}
    assert grades(ir.read_judgments(table, grade=list(names))) == {"a": 2, "b": 3, "c": 1}


THREE = {"rating_Anna": [0, 1, 2, 3, 2, 1], "rating_Björn": [1, 1, 3, 3, 2, 2], "rating_Çelik": [2, 1, 3, 0, 2, 2]}
ROWS = {"query": ["q"] * 6, "doc": list("abcdef")}
LISTS = {"query": ["q"] * 6, "doc": list("abcdef"), "rank": [1, 2, 3, 4, 5, 6]}


@pytest.mark.parametrize(
    ("what", "values"),
    [("mean", [1, 1, 8 / 3, 2, 2, 5 / 3]), ("mean", [1, 1, 2.67, 2, 2, 1.67]), ("median", [1, 1, 2, 3, 2, 1])],
)
@pytest.mark.parametrize("place", [0, 3])
def test_an_average_of_the_others_is_no_rater(what: str, values: list[float], place: int) -> None:
    """A column that is the mean or the median of the others in every row is left out and named, however it is called.

    A rater who is always between the others is their median, too: it is the same which of the two is left out.
    """
    raters = THREE | ({"rating_Björn": values} if what == "median" else {})
    columns = list(raters.items())
    columns.insert(place, ("rating_Ø", values))
    scores = ir.evaluate(ROWS | dict(columns), LISTS, ["CG"], raters="mean")
    (said,) = [text for text in scores.ledger.warnings if "no rater" in text]
    assert f"is the {what} of the other raters' grades in every row" in said
    if what == "mean":
        assert said.startswith("judgments: 'rating_Ø' is")
    assert grades(ROWS | dict(columns), LISTS, raters=what) == grades(ROWS | raters, LISTS, raters=what)
    chosen = ir.read_judgments(ROWS | dict(columns), grade=[name for name, _ in columns])
    all_four = ir.evaluate(chosen, LISTS, ["CG"])
    assert not [text for text in all_four.ledger.warnings if "no rater" in text]


def test_raters_who_agree_are_no_averages() -> None:
    """Raters who agree everywhere, or differ in few rows, are each the average of the others, and still raters."""
    same = {name: [0, 1, 2, 3, 2, 1] for name in THREE}
    assert not ir.evaluate(ROWS | same, LISTS, ["CG"]).ledger.warnings
    few = THREE | {"rating_D": [1, 1, 3, 2, 2, 2]}
    assert not ir.evaluate(ROWS | few, LISTS, ["CG"]).ledger.warnings


def test_the_short_screen_names_the_raters() -> None:
    """The summary says how many raters were read, by the names of their columns or in a column of raters."""
    from idealrank.evaluation.summary import summary_sentences

    assert "3 raters: Anna, Björn, Çelik." in summary_sentences(ir.evaluate(ROWS | THREE, LISTS, ["CG"]))
    assert "3 raters: ana, bo, cy." in summary_sentences(ir.evaluate(long(), RESULTS, ["CG"]))
    numbered = wide(("rating_1", "rating_2", "rating_3"))
    assert "3 raters: rating_1, rating_2, rating_3." in summary_sentences(ir.evaluate(numbered, RESULTS, ["CG"]))
    assert not [
        text for text in summary_sentences(ir.evaluate(wide(("rating_1",)), RESULTS, ["CG"])) if "rater" in text
    ]


def test_a_column_of_raters_under_another_name_is_offered() -> None:
    """Where another column tells repeated pairs apart, it may name raters: offered before a longer query."""
    table = long(name="Bewerter")
    offered = "If Bewerter says who judged: rater='Bewerter'"
    said = refusal(lambda: ir.evaluate(table, RESULTS, ["CG"]))
    assert offered in said
    assert said.index(offered) < said.index("If Bewerter and query_id name the query together")
    assert list(grades(ir.read_judgments(table, rater="Bewerter")).values()) == BY_RULE["median"]
    twice_by_one = long(name="rater")
    twice_by_one["rater"] = ["ana"] * len(twice_by_one["grade"])
    twice_by_one["who"] = long()["rater"]
    assert "says who judged" not in refusal(lambda: ir.evaluate(twice_by_one, RESULTS, ["CG"]))


def test_who_judged_is_offered_beside_named_columns() -> None:
    """Whoever names the column of queries, as those with other headers must, is offered the column of judges, too."""
    table = {"Suche": ["q", "q"], "Artikel": ["d", "d"], "Note": [1, 0], "Bewerter": ["ann", "bo"]}
    named = {"query": "Suche", "doc": "Artikel", "grade": "Note"}
    said = refusal(lambda: ir.evaluate(ir.read_judgments(table, **named), RESULTS, ["CG"]))
    assert said.endswith("If Bewerter says who judged: rater='Bewerter'.")
    assert "name the query together" not in said
