"""The table of queries and the page of one, as a server answers them."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from idealrank.studio.project import StudioProject
from idealrank.studio.query_table import query_table
from idealrank.studio.store import Store
from tests.studio.client import Answer, Client, ask, serving
from tests.studio.worlds import shop_project


def get(address: str) -> str:
    """The text of a page."""
    answer = asked(address)
    assert answer.status == 200
    return answer.text


def refused(address: str) -> tuple[int, str]:
    """The status and the text of a page that says what is wrong."""
    answer = asked(address)
    return answer.status, answer.text


def asked(address: str) -> Answer:
    """What is answered at a whole address."""
    place = urllib.parse.urlsplit(address)
    return ask(address, "GET", f"{place.path}?{place.query}")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioProject]:
    """The shop as a project."""
    opened = shop_project(str(tmp_path_factory.mktemp("browse") / "shop.db"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def address(project: StudioProject) -> Iterator[str]:
    """A studio that serves it."""
    with serving(project) as found:
        yield found


def _ids(page: str) -> list[str]:
    return re.findall(r'<a href="/query\?[^"]*;q=([^"]*)"', page)


def test_windows_are_the_table_in_parts(project: StudioProject, address: str) -> None:
    """Rows asked for in windows of seven are those of the whole order, and say where they stand."""
    table = query_table(project, project.look())
    asked = f"{address}/queries/rows?sort=-query"
    parts = [get(f"{asked}&start={start}&count=7") for start in range(0, len(table) + 7, 7)]
    whole = get(f"{address}/queries?sort=-query")
    assert [query for part in parts for query in _ids(part)] == _ids(whole)
    assert len(_ids(whole)) == len(table)
    assert re.findall(r'id="row-(\d+)"', parts[1]) == [str(row) for row in range(7, 14)]


def test_a_query_knows_its_neighbours(address: str) -> None:
    """Before and after it in the order and the filter of the table, with its place; all keep the filter."""
    ids = _ids(get(f"{address}/queries?outcome=loss"))
    page = get(f"{address}/query?outcome=loss&q={ids[2]}")
    assert f"3 of {len(ids)}" in page
    for key, query in (("previous", ids[1]), ("next", ids[3])):
        (link,) = re.findall(rf'<a id="{key}" href="([^"]*)"', page)
        assert f"q={query}" in link
        assert "outcome=loss" in link
    assert "not among the filtered queries" in get(f"{address}/query?outcome=gain&q={ids[2]}")
    back = get(f"{address}/queries?outcome=loss&at={ids[2]}")
    assert re.findall(r'<tr id="row-(\d+)"[^>]*class="active"', back) == ["2"]


def test_what_is_not_there_is_a_sentence(address: str) -> None:
    """A query nobody judged, one nobody knows, a filter that keeps none, and addresses that somebody edited."""
    assert "Nobody judged “q42”" in get(f"{address}/query?q=q42")
    status, said = refused(f"{address}/query?q=%3Cb%3Eq%3C/b%3E")
    assert status == 404
    assert "There is no query “&lt;b&gt;q&lt;/b&gt;”" in said
    assert "No query is like this" in get(f"{address}/queries?find=zzz")
    assert "No query is among these" in get(f"{address}/query?find=zzz")
    for edited in ("queries?sort=colour", "queries?outcome=lost", "queries/rows?start=-1", "query?q=q01&depth=many"):
        status, said = refused(f"{address}/{edited}")
        assert status == 400
        assert "This did not work" in said


def test_names_of_strangers_stay_text(tmp_path: Path) -> None:
    """Ids, texts, titles, addresses and comments are text, whatever is in them."""
    bad, told = '"><script>x</script>', urllib.parse.quote('"><script>x</script>')
    project = StudioProject(Store(tmp_path / "p.db"))
    quoted = f'"{bad.replace(chr(34), chr(34) * 2)}"'
    (tmp_path / "j.csv").write_text(f"query,doc,grade,rater\n{quoted},{quoted},1,{quoted}\n{quoted},{quoted},2,b\n")
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"query,doc,rank\n{quoted},{quoted},1\n")
    (tmp_path / "q.csv").write_text(f"query_id,query,{quoted}\n{quoted},{quoted},{quoted}\n")
    (tmp_path / "d.csv").write_text(f"doc_id,title,url,image\n{quoted},{quoted},javascript:alert(1),javascript:x\n")
    for role, file in (("judgments", "j"), ("results", "a"), ("results", "b"), ("queries", "q"), ("documents", "d")):
        project.add(role, tmp_path / f"{file}.csv")
    project.store.rate("<i>ana</i>", bad, bad, 2.0, comment=bad, token="1")
    with serving(project) as address:
        for path in ("queries", f"query?q={told}", "queries?find=%3Cscript%3E"):
            page = Client(address, "<i>ana</i>").get(f"/{path}").text
            assert "<script>x" not in page
            assert "javascript:" not in page
            assert "<i>" not in page
    project.close()


def test_more_systems_are_compared_with_the_baseline(tmp_path: Path) -> None:
    """All systems are shown on request, each with its difference; the two best are offered; any two lists stand."""
    project = shop_project(str(tmp_path / "p.db"))
    project.add("results", Path("examples/shop/bm25.csv"), "again")
    with serving(project) as address:
        page = get(f"{address}/queries?all=1")
        assert "sort=value%3Aagain" in page
        assert "sort=change%3Aagain" in page
        assert "sort=value%3Aagain" not in get(f"{address}/queries")
        assert "Compare the two best" in get(f"{address}/queries?baseline=again&system=bm25")
        lists = get(f"{address}/query?q=q01&left=hybrid&right=again")
        assert re.findall(r'data-list="(\w*)"', lists) == ["hybrid", "again", ""]
        assert lists.count("<tr data-system=") == 3
    project.close()


def test_nobody_sees_anothers_grade_before_their_own(tmp_path: Path) -> None:
    """In the lists of a query a grade given here is hidden from other raters until they gave theirs."""
    project = shop_project(str(tmp_path / "shop.db"))
    project.store.rate("ann", "q14", "P1244", 3.0, comment="a fine pan", token="t1")
    with serving(project) as address:
        item = re.compile(r'<li[^>]*data-document="P1244".*?</li>', re.DOTALL)

        def seen(rater: str) -> str:
            return "".join(item.findall(Client(address, rater).get("/query?q=q14").text))

        assert 'data-level="4"' in seen("ann")
        assert 'data-level="4"' not in re.sub(r"<form.*?</form>", "", seen("bob"), flags=re.DOTALL)
        assert "give your grade to see it" in seen("bob")
        assert "contributions" not in Client(address, "bob").get("/query?q=q14").text
        project.store.rate("bob", "q14", "P1244", 1.0, token="t2")
        assert "ann 3" in seen("bob")
    project.close()


def test_what_is_finer_than_a_document_is_not_graded_here(tmp_path: Path) -> None:
    """A grade of a whole document would take the place of those by subtopic: it is refused, and nothing changes."""
    project = StudioProject(Store(str(tmp_path / "p.db")))
    (tmp_path / "j.csv").write_text("query,doc,subtopic,grade\nq,a,1,1\nq,a,2,0\nq,b,2,1\n")
    for system, docs in {"old": "ab", "new": "bac"}.items():
        rows = "".join(f"q,{doc},{rank}\n" for rank, doc in enumerate(docs, 1))
        (tmp_path / f"{system}.csv").write_text(f"query,doc,rank\n{rows}")
        project.add("results", tmp_path / f"{system}.csv")
    project.add("judgments", tmp_path / "j.csv")
    with serving(project) as address:
        form = {"q": "q", "doc": "c", "grade": "1", "token": "t", "seen": "", "back": "/"}
        answer = Client(address, "ann").post("/rate", form, part="json")
        assert answer.status == 422
        assert "subtopics" in answer.json["error"]
    assert project.store.ratings() == []
    project.close()
