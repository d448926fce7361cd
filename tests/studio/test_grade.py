"""Grading: what is asked next of whom, what is saved, what is refused; and nothing confirmed is lost."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from idealrank.studio.asking import WINDOW, Asking
from idealrank.studio.project import StudioProject
from idealrank.studio.store import Store
from tests.studio.client import Client, serving
from tests.studio.worlds import SHOP, shop_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[StudioProject]:
    """The shop, of which no pair is asked twice."""
    made = shop_project(str(tmp_path / "shop.db"))
    made.store["overlap"] = 0
    yield made
    made.close()


@pytest.fixture
def address(project: StudioProject) -> Iterator[str]:
    """A studio that serves it."""
    with serving(project) as found:
        yield found


def test_nobody_grades_without_a_name(address: str, project: StudioProject) -> None:
    """The queue leads to the door and back; the name is kept for a year; a grade without a name is not saved."""
    stranger = Client(address)
    asked = stranger.get("/grade?measure=P%405")
    assert (asked.status, asked.headers["location"]) == (303, "/door?back=%2Fgrade%3Fmeasure%3DP%25405")
    entered = stranger.post("/door", {"name": "  Ana  Ñ ", "back": "/grade?measure=P%405"})
    assert (entered.status, entered.headers["location"]) == (303, "/grade?measure=P%405")
    cookie = entered.headers["set-cookie"]
    assert cookie.startswith("rater=Ana%20%C3%91;")
    assert all(words in cookie for words in ("HttpOnly", "Max-Age=31536000", "SameSite=strict"))
    form = Client(address, "Ana Ñ").get("/grade").fields
    assert Client(address, "resolved").get("/dispute?q=q01&doc=x").headers["location"].startswith("/door")
    refused = stranger.post("/rate", {**form, "grade": "1"}, part="json")
    assert refused.status == 401
    assert refused.json["door"].startswith("/door?back=%2Fgrade")
    assert project.store.ratings() == []
    assert Client(address, "Ana Ñ").grade("1").status == 200
    assert [one.rater for one in project.store.ratings()] == ["Ana Ñ"]


@pytest.mark.parametrize(
    "back", ["https://evil.test/", "//evil.test", r"/\evil.test", "evil", "/\r\nX: y", "javascript:1"]
)
def test_the_door_leads_nowhere_else(address: str, back: str) -> None:
    """A way back that is no path of the studio is its first screen."""
    assert Client(address).post("/door", {"name": "ana", "back": back}).headers["location"] == "/"


@pytest.mark.parametrize("name", ["", "resolved", "Resolved", "a" * 61, "a\u202eb"])
def test_a_name_that_nobody_can_have(address: str, name: str) -> None:
    """It is refused at the door with a sentence, and as a cookie that somebody made."""
    assert Client(address).post("/door", {"name": name, "back": "/"}).status == 400
    assert Client(address, name).get("/grade").status == 303


def test_the_order_is_that_of_label_next(project: StudioProject) -> None:
    """Within windows it is shuffled, the same for all raters and after a restart; across them it is by weight."""
    look = project.look()
    rows = project.label_next(look, 0).rows.rows()
    best = [(row["query"], row["doc"]) for row in rows]
    asking = Asking(project)
    order = asking._order(look).pairs
    assert order != tuple(best)
    assert [set(order[at : at + WINDOW]) for at in range(0, len(order), WINDOW)] == [
        set(best[at : at + WINDOW]) for at in range(0, len(best), WINDOW)
    ]
    assert Asking(project)._order(look).pairs == order
    project.store["blind"] = False
    assert Asking(project)._order(look).pairs == tuple(best)


def test_a_page_of_the_queue_is_blind(address: str, project: StudioProject) -> None:
    """It names no system beside the bar's, and no rank; where the project is not blind it does."""
    client = Client(address, "ana")
    assert "rank 1" not in client.get("/grade").text
    assert "did not return it" not in client.get("/grade").text
    project.store["blind"] = False
    assert re.search(r"rank \d", client.get("/grade").text)


def test_each_is_asked_once(address: str, project: StudioProject) -> None:
    """Two raters in turn are asked every pair, and none twice; at the end the page says so."""
    asking, look, seen = Asking(project), project.look(), []
    shown = {rater: asking.next(rater, look).pair for rater in ("ana", "ben")}
    left = project.label_next(look, 0).left
    while any(shown.values()):
        for rater, pair in shown.items():
            if pair is not None:
                project.store.rate(rater, *pair, 1.0, token=str(len(seen)))
                seen.append(pair)
                shown[rater] = asking.next(rater, look).pair
    assert len(seen) == len(set(seen)) == left == 109
    assert "Nothing is left to grade" in Client(address, "ana").get("/grade").text


def test_every_nth_is_asked_of_two(project: StudioProject) -> None:
    """About a third of the pairs at overlap 3, of two raters and not of a third; a reload does not move the page."""
    project.store["overlap"] = 3
    asking, look = Asking(project), project.look()
    asked: Counter[tuple[str, str]] = Counter()
    for rater in ("ana", "ben", "cleo"):
        while (pair := asking.next(rater, look).pair) is not None:
            assert asking.next(rater, look).pair == pair
            project.store.rate(rater, *pair, 1.0, token=f"{rater} {pair}")
            asked[pair] += 1
    assert set(asked.values()) == {1, 2}
    assert 20 <= sum(many == 2 for many in asked.values()) <= 55
    assert not [one for one in project.store.ratings() if one.rater == "cleo"]


def test_later_comes_back_at_the_end_and_cannot_tell_does_not(address: str, project: StudioProject) -> None:
    """Of two put off the first returns first; what nobody could tell is asked of others after all else."""
    ana = Client(address, "ana")
    first = ana.get("/grade").fields
    ana.post("/rate", {**first, "state": "later"})
    second = ana.get("/grade").fields
    ana.post("/rate", {**second, "state": "later"})
    third = ana.get("/grade").fields
    ana.post("/rate", {**third, "state": "cannot tell", "comment": "in Finnish"})
    while not _is_same(form := ana.get("/grade").fields, first):
        assert not _is_same(form, second)
        ana.post("/rate", {**form, "grade": "0"})
    assert form["seen"] != ""
    ana.post("/rate", {**form, "state": "later"})  # once more: the other is first now
    for expected in (second, first):
        last = ana.get("/grade").fields
        assert _is_same(last, expected)
        ana.post("/rate", {**last, "grade": "0"})
    assert "q" not in ana.get("/grade").fields
    ben = Client(address, "ben").get("/grade").fields
    assert _is_same(ben, third)


def _is_same(one: dict[str, str], other: dict[str, str]) -> bool:
    return (one["q"], one["doc"]) == (other["q"], other["doc"])


def test_undo_shows_the_pair_again(address: str, project: StudioProject) -> None:
    """With script and without; somebody else's last grade stays; with nothing to undo it says so."""
    ana, ben = Client(address, "ana"), Client(address, "ben")
    form = ana.get("/grade").fields
    ana.post("/rate", {**form, "grade": "2"})
    ben.grade("3")
    undone = ana.post("/undo", {"back": form["back"]}, part="json").json
    assert (undone["undone"]["doc"], undone["undone"]["grade"]) == (form["doc"], 2.0)
    assert f'name="doc" value="{form["doc"]}"' in undone["next"]["html"]
    assert [one.rater for one in project.store.ratings()] == ["ben"]
    ana.post("/rate", {**ana.get("/grade").fields, "grade": "2"})
    plain = ana.post("/undo", {"back": form["back"]})
    assert plain.status == 303
    assert ana.get(plain.headers["location"]).fields["doc"] == form["doc"]
    assert ana.post("/undo", {"back": form["back"]}, part="json").json["undone"] is None


def test_a_stale_page_is_refused_and_shown_as_it_is_now(address: str, project: StudioProject) -> None:
    """Two tabs show a pair: the second is told, as a page and as JSON with the pair anew; the first grade stands."""
    ana = Client(address, "ana")
    one, other = ana.get("/grade").fields, ana.get("/grade").fields
    assert one["token"] != other["token"]
    assert ana.post("/rate", {**one, "grade": "2"}).status == 303
    stale = ana.post("/rate", {**other, "grade": "0"}, part="json")
    assert stale.status == 409
    assert "it is graded 2 now. Nothing was saved" in stale.json["error"]
    assert stale.json["now"]["grade"] == 2.0
    assert f'name="seen" value="{stale.json["now"]["id"]}"' in stale.json["next"]["html"]
    assert ana.post("/rate", {**other, "grade": "0"}).status == 409
    again = ana.post("/rate", {**one, "grade": "0"}, part="json")  # a page that Back showed again
    assert again.status == 409
    assert [rating.grade for rating in project.store.ratings()] == [2.0]


@pytest.mark.parametrize("between", [[], ["1"]])
def test_a_page_that_back_shows_after_undo_was_used(address: str, project: StudioProject, between: list[str]) -> None:
    """Its grade is not saved, whether the pair was graded anew or not; the answer leads to the pair by a new token."""
    ana = Client(address, "ana")
    form = ana.get("/grade").fields
    ana.post("/rate", {**form, "grade": "2"})
    again = ana.post("/undo", {"back": form["back"]}).headers["location"]
    for grade in between:
        ana.post("/rate", {**ana.get(again).fields, "grade": grade})
    for grade in ("2", "3"):
        answer = ana.post("/rate", {**form, "grade": grade}, part="json")
        assert answer.status == 409
        assert "This page was used since it was shown here" in answer.json["error"]
        plain = ana.post("/rate", {**form, "grade": grade})
        assert plain.status == 409
        assert "UNIQUE" not in answer.text + plain.text
    assert [one.grade for one in project.store.ratings()] == [float(grade) for grade in between]
    fresh = re.search(r'name="token" value="([^"]*)"', answer.json["next"]["html"])
    assert fresh is not None
    assert fresh[1] != form["token"]
    link = re.search(r'<a href="([^"]*)">The result as it is now', plain.text)
    assert link is not None
    page = ana.get(unescape(link[1]))
    assert page.fields["doc"] == form["doc"]
    assert ana.post("/rate", {**page.fields, "grade": "3"}).status == 303
    assert [one.grade for one in project.store.ratings()] == [3.0]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"grade": "7"}, "'7' is no grade of the scale. Give one of 0, 1, 2, 3."),
        ({"grade": "nan"}, "no grade of the scale"),
        ({"state": "perhaps"}, "'perhaps' is neither"),
        ({"grade": "1", "q": "q99"}, "No query called 'q99'"),
        ({"grade": "1", "token": ""}, "Load it again"),
        ({"grade": "1", "comment": "x" * 2001}, "at most 2,000 characters, not 2,001"),
        ({"grade": "1", "comment": "a\0b"}, "NUL"),
        ({"grade": "9" * 5000}, "no grade of the scale"),
    ],
)
def test_a_form_that_nobody_sent_so(address: str, project: StudioProject, form: dict[str, str], said: str) -> None:
    """Each is one sentence, and nothing is saved."""
    ana = Client(address, "ana")
    answer = ana.post("/rate", {**ana.get("/grade").fields, **form})
    assert answer.status == 400
    assert said.replace("'", "&#39;") in answer.text
    assert project.store.ratings() == []


def test_the_same_digit_twice_where_the_project_asks_for_it(address: str, project: StudioProject) -> None:
    """Without script: the first press shows the pair again with its button marked, the second saves."""
    project.store["confirm"] = True
    ana = Client(address, "ana")
    once = ana.post("/rate", {**ana.get("/grade").fields, "grade": "2"})
    assert project.store.ratings() == []
    page = ana.get(once.headers["location"])
    assert "Press 2 once more" in page.text
    assert ana.post("/rate", {**page.fields, "grade": "2"}).status == 303
    assert [one.grade for one in project.store.ratings()] == [2.0]
    assert ana.post("/rate", {**ana.get("/grade").fields, "state": "later"}).status == 303
    assert [one.state for one in project.store.ratings()] == ["graded", "later"]


def test_what_is_shown_comes_escaped(tmp_path: Path) -> None:
    """The need, other fields and a safe address are shown; markup, other addresses and pictures are not."""
    project = _strange(tmp_path)
    with serving(project) as address:
        text = Client(address, "ana").get("/grade?q=q&doc=d2").text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
        assert "wants a &lt;b&gt;red&lt;/b&gt; one" in text
        assert '<a href="https://shop.test/d2" target="_blank" rel="noopener noreferrer">' in text
        assert "two\nlines" in text
        assert "<img" not in text
        assert 'href="javascript:' not in Client(address, "ana").get("/grade?q=q&doc=d3").text
        project.store["pictures"] = True
        assert '<img src="https://shop.test/d2.png"' in Client(address, "ana").get("/grade?q=q&doc=d2").text
    project.close()


def _strange(tmp_path: Path) -> StudioProject:
    tables = {
        "judgments.csv": "query_id,doc_id,grade\nq,d1,1\nq,d9,0\n",
        "a.csv": "query_id,doc_id,rank\nq,d1,1\nq,d2,2\n",
        "b.csv": "query_id,doc_id,rank\nq,d3,1\nq,d2,2\n",
        "queries.csv": "query_id,query,description\nq,shoe,wants a <b>red</b> one\n",
        "documents.csv": (
            'doc_id,title,text,url,image\nd2,<script>alert(1)</script>,"two\nlines",https://shop.test/d2,'
            "https://shop.test/d2.png\nd3,three,,javascript:alert(1),\n"
        ),
    }
    for name, text in tables.items():
        (tmp_path / name).write_text(text)
    project = StudioProject(Store(tmp_path / "strange.db"))
    roles = {"judgments": "judgments", "a": "results", "b": "results", "queries": "queries", "documents": "documents"}
    for name, role in roles.items():
        project.add(role, tmp_path / f"{name}.csv")
    return project


def test_grading_begins_without_judgments(tmp_path: Path) -> None:
    """The scale is asked once; then pairs of every query come, and the first grade makes a comparison."""
    project = StudioProject(Store(tmp_path / "new.db"))
    for system in ("bm25", "hybrid"):
        project.add("results", SHOP / f"{system}.csv")
    with serving(project) as address:
        ana = Client(address, "ana")
        assert ana.get("/grade").headers["location"] == "/grade/scale?back=%2Fgrade"
        assert ana.post("/grade/scale", {"scale": "0 no", "back": "/grade"}).status == 422
        assert ana.post("/grade/scale", {"scale": "0 no\n1 yes", "back": "/grade"}).headers["location"] == "/grade"
        page = ana.get("/grade")
        assert '<span class="word">yes</span>' in page.text
        asked = {(form := ana.get("/grade").fields)["q"]}
        for _ in range(30):
            assert ana.post("/rate", {**form, "grade": "1"}).status == 303
            form = ana.get("/grade").fields
            asked.add(form["q"])
        assert len(asked) > 15
        assert "cannot be told yet" not in ana.get("/part/countdown").text
        assert project.comparison(project.look()).verdict.outcome
    project.close()


def test_a_guideline_says_which_grades_are_older(tmp_path: Path) -> None:
    """One is chosen and edited once, shown beside each result; a later one says how many grades the first one gave."""
    project = StudioProject(Store(tmp_path / "new.db"))
    for system in ("bm25", "hybrid"):
        project.add("results", SHOP / f"{system}.csv")
    with serving(project) as address:
        ana = Client(address, "ana")
        assert 'href="/grade"' in ana.get("/project").text  # the way to the first grade
        chosen = ana.get("/grade/scale?of=recommendation")
        assert "2 good:" in chosen.text
        first = "Would they buy it?\n\n1 yes: they would\n0 no: they would not"
        assert ana.post("/grade/scale", {"scale": first, "back": "/grade"}).status == 303
        page = ana.get("/grade")
        assert "Would they buy it?" in page.text
        assert '<span class="word">yes</span>' in page.text
        for _ in range(2):
            assert ana.post("/rate", {**ana.get("/grade").fields, "grade": "1"}).status == 303
        assert "older than this guideline" not in ana.get("/grade").text
        settings = {"measure": "nDCG@10", "scale": "1 yes\n0 no", "guideline": "Would they keep it?"}
        assert ana.post("/project/settings", settings).status == 303
        for path in ("/grade", "/project"):
            assert "2 grades are older than this guideline" in ana.get(path).text
    project.close()


def test_a_grade_of_the_scale_that_nobody_gave_yet_can_still_be_given(tmp_path: Path) -> None:
    """After a single grade of 0 nothing is certain: every other result may be a 1, or more."""
    project = StudioProject(Store(tmp_path / "new.db"))
    for system in ("bm25", "hybrid"):
        project.add("results", SHOP / f"{system}.csv")
    project.store["scale"] = [[0, "no"], [1, "partly"], [3, "yes"]]
    ana = Asking(project).next("ana", project.look()).pair
    assert ana is not None
    project.store.rate("ana", *ana, 0.0, token="first")
    found = project.label_next(project.look())
    assert (found.top, found.certain) == (3.0, False)
    assert project.label_next(project.look({"max_grade": "5"})).top == 5.0
    project.store["scale"] = [[0, "no"], [1, "yes"]]
    assert project.label_next(project.look()).top == 1.0
    project.close()


def test_a_suggestion_is_shown_where_the_project_allows_it(address: str, project: StudioProject) -> None:
    """Not by default; then with its rater and a warning. What only that rater graded is asked."""
    ana = Client(address, "ana")
    assert "suggests" not in ana.get("/grade?q=q01&doc=P1007").text
    project.store["suggest"] = "rater_2"
    page = ana.get("/grade?q=q01&doc=P1007")
    assert "rater_2</bdi> suggests <b>3</b>" in page.text
    assert "Suggestions bias" in page.text


def test_100_grades_from_ten_at_once(address: str, project: StudioProject) -> None:
    """None is lost, none is there twice, and each of the ten is told what was saved."""
    docs = [(row["query_id"], row["doc_id"]) for row in _pairs(100)]
    said: list[tuple[int, str, str, float]] = []

    def grade(place: int) -> None:
        client = Client(address, f"rater {place}")
        for number, (query, doc) in enumerate(docs[place::10]):
            form = {
                "q": query,
                "doc": doc,
                "grade": str(number % 4),
                "token": f"{place}-{number}",
                "seen": "",
                "back": "/",
            }
            answer = client.post("/rate", form, part="json")
            assert answer.status == 200, answer.text
            assert (
                client.post("/rate", form, part="json").json["saved"] == answer.json["saved"]
            )  # sent twice, as by a retry
            said.append((place, query, doc, float(number % 4)))

    threads = [threading.Thread(target=grade, args=(place,)) for place in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = [(int(one.rater.split()[1]), one.query, one.doc, one.grade) for one in project.store.ratings()]
    assert len(kept) == 100
    assert sorted(kept) == sorted(said)


def _pairs(many: int) -> list[dict[str, str]]:
    return [{"query_id": f"q{1 + place % 40:02}", "doc_id": f"d{place}"} for place in range(many)]
