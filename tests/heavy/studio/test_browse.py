"""Browsing in a browser: many queries scroll, keys go everywhere, and a result is graded where it stands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from idealrank.studio.project import StudioProject
from idealrank.studio.query_table import Filter, query_table
from idealrank.studio.store import StaleError, Store
from tests.heavy.browser.axe import axe_in_both
from tests.heavy.studio.serving import serving

MANY = 3000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioProject]:
    """Thousands of queries, two systems."""
    folder = tmp_path_factory.mktemp("many")
    ids = [f"q{n}" for n in range(MANY)]
    grades = "".join(f"{q},d{n},{n % 3}\n" for q in ids for n in range(3))
    (folder / "j.csv").write_text(f"query,doc,grade\n{grades}")
    for turn, name in enumerate(("old", "new")):
        rows = (f"{q},d{(n + place * turn) % 5},{n + 1}\n" for place, q in enumerate(ids) for n in range(3))
        (folder / f"{name}.csv").write_text(f"query,doc,rank\n{''.join(rows)}")
    made = StudioProject(Store(folder / "many.db"))
    made.add("judgments", folder / "j.csv")
    for name in ("old", "new"):
        made.add("results", folder / f"{name}.csv")
    yield made
    made.close()


@pytest.fixture
def scrolled(browser: Browser, many: StudioProject) -> Iterator[Page]:
    """The table of very many queries."""
    with serving(many) as address:
        opened = browser.new_page(base_url=address)
        opened.goto("/queries")
        yield opened
        opened.close()


def _order(project: StudioProject, **asked: object) -> list[str]:
    table = query_table(project, project.look())
    return [table.scores.queries[q] for q in table.order(Filter(**asked))]  # type: ignore[arg-type]


def test_thousands_of_queries_scroll(scrolled: Page, many: StudioProject) -> None:
    """Keys go to the last row and back; only some rows are in the document, each where the order has it."""
    order = _order(many)
    table = scrolled.locator("#queries")
    table.focus()
    scrolled.keyboard.press("End")
    expect(scrolled.locator(f"#row-{MANY - 1}.active a")).to_contain_text(order[-1])
    assert scrolled.locator("#queries tbody tr[id]").count() <= 300
    for _ in range(3):
        scrolled.keyboard.press("PageUp")
    active = scrolled.locator("tr.active")
    row = int((active.get_attribute("id") or "").removeprefix("row-"))
    assert row < MANY - 10
    expect(active).to_contain_text(order[row])
    expect(active).to_be_in_viewport()
    scrolled.locator("#rows").evaluate("box => { box.scrollTop = 1500 * 40 }")
    expect(scrolled.locator("#row-1505 a")).to_contain_text(order[1505])
    scrolled.wait_for_url("**start=1500**")
    scrolled.reload()
    expect(scrolled.locator("#row-1505 a")).to_be_in_viewport()
    table.focus()
    scrolled.keyboard.press("Home")
    expect(scrolled.locator("#row-0 a")).to_contain_text(order[0])


def test_a_filter_follows_what_is_typed(scrolled: Page, many: StudioProject) -> None:
    """The table follows the letters, the address says it, Back and a reload show the same; Enter opens the one left."""
    scrolled.keyboard.press("/")
    scrolled.keyboard.type("q12")
    expect(scrolled.locator("#count")).to_have_text(f"{len(_order(many, find='q12'))} of 3,000 queries")
    assert "find=q12" in scrolled.url
    scrolled.get_by_role("link", name="query").first.click()
    expect(scrolled.locator("thead .name")).to_have_attribute("aria-sort", "ascending")
    expect(scrolled.locator("#row-1 a")).to_contain_text("q120")
    scrolled.go_back()
    expect(scrolled.locator("thead .change")).to_have_attribute("aria-sort", "ascending")
    scrolled.reload()
    expect(scrolled.locator("#filter")).to_have_value("q12")
    scrolled.locator("#filter").fill("q1234")
    scrolled.locator("#filter").press("Enter")
    scrolled.wait_for_url("**/query?**q=q1234**")


def test_grades_of_a_result_far_below_open_in_view(page: Page, address: str) -> None:
    """The grades of a result at the end of the window are seen without scrolling for them."""
    page.context.add_cookies([{"name": "rater", "value": "ana", "url": address}])
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/query?q=q14")
    grading = page.locator('.list[data-place="1"] .grading').nth(2)
    grading.locator("summary").evaluate("one => one.scrollIntoView({ block: 'end' })")
    grading.locator("summary").click()
    expect(grading.get_by_role("button", name="Later")).to_be_in_viewport(ratio=1)


def test_keys_open_a_query_and_go_on(page: Page, project: StudioProject) -> None:
    """Enter opens the row that is marked, j and k go on in its order, and the table is found again where it was."""
    losses = _order(project, outcome="loss")
    page.goto(f"/query?q={losses[0]}")
    expect(page.locator(".bar [aria-current]")).to_have_text("Queries")
    page.goto("/queries?outcome=loss")
    page.locator("#queries").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    for key, row in (("", 1), ("j", 2), ("k", 1), ("k", 0), ("k", 0), ("j", 1)):
        if key:
            page.keyboard.press(key)
        expect(page.locator(".query-facts .id")).to_have_text(losses[row])
        expect(page.locator("#lists li[tabindex='0']")).to_have_count(1)  # the script is there
    expect(page.locator(".place")).to_have_text(f"2 of {len(losses)}")
    page.get_by_role("link", name="← All queries").click()
    expect(page.locator("tr.active")).to_contain_text(losses[1])


# Grades: the room of grades has these addresses.


def _grading(project: StudioProject) -> list[Route]:
    async def rate(request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        said = {"grade": float(form["grade"])} if "grade" in form else {"state": form["state"]}
        try:
            saved = project.store.rate(
                "ana", form["q"], form["doc"], **said, comment=form["comment"], token=form["token"],
                seen=int(form["seen"]) if form["seen"] else None,
            )  # fmt: skip
        except StaleError as error:
            return JSONResponse({"error": str(error)}, 409)
        if request.headers.get("x-part") == "json":
            return JSONResponse({"saved": vars(saved)})
        return RedirectResponse(form["back"], 303)

    def undo(request: Request) -> Response:
        taken = project.store.undo("ana")
        return JSONResponse({"saved": None if taken is None else vars(taken)})

    return [Route("/rate", rate, methods=["POST"]), Route("/undo", undo, methods=["POST"])]


@pytest.fixture
def graded(browser: Browser, project: StudioProject, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page of a query, opened by somebody who said her name."""
    with serving(project, routes=_grading(project)) as address:
        context = browser.new_context(base_url=address, java_script_enabled=getattr(request, "param", True))
        context.add_cookies([{"name": "rater", "value": "ana", "url": address}])
        opened = context.new_page()
        opened.goto("/query?q=q01")
        yield opened
        context.close()


def _said(project: StudioProject) -> list[tuple[str, float | None, str, str]]:
    return [(one.doc, one.grade, one.state, one.comment) for one in project.store.ratings("ana")]


def test_digits_grade_the_result_in_focus(graded: Page, project: StudioProject) -> None:
    """Arrows go to a result, a digit grades it: its chip changes in all lists, the value follows; u takes it back."""
    value = graded.locator("tr[data-system=bm25] b")
    before = value.inner_text()
    item = graded.locator('[data-list="bm25"] li').nth(6)
    doc = item.get_attribute("data-document") or ""
    graded.keyboard.press("ArrowDown")
    for _ in range(6):
        graded.keyboard.press("ArrowDown")
    expect(item).to_be_focused()
    graded.keyboard.press("3")
    expect(item.locator("summary .grade")).to_have_text("3grade 3, yours: 3")
    expect(value).not_to_have_text(before)
    expect(item).to_be_focused()
    expect(graded.locator("#verdict")).to_be_visible()
    assert _said(project) == [(doc, 3.0, "graded", "")]
    other = graded.locator(f'[data-list="hybrid"] li[data-document="{doc}"] summary .grade')
    expect(other).to_have_attribute("data-level", "4")
    graded.keyboard.press("0")
    graded.keyboard.press("1")  # at once: one is sent after the other
    expect(item.locator("summary .grade")).to_contain_text("yours: 1")
    assert _said(project) == [(doc, 1.0, "graded", "")]
    for _ in range(3):
        graded.keyboard.press("u")
    expect(value).to_have_text(before)
    expect(item.locator("summary .grade")).to_have_text("–unjudged")
    assert _said(project) == []


def test_a_chip_does_not_wait_for_the_server(graded: Page) -> None:
    """It shows the digit while the grade is on its way, in every list."""
    graded.route("**/rate", lambda route: None)
    item = graded.locator('[data-list="bm25"] li').nth(6)
    item.focus()
    graded.keyboard.press("2")
    doc = item.get_attribute("data-document")
    chips = graded.locator(f'#lists li[data-document="{doc}"] summary .grade')
    expect(chips).to_have_text(["2"] * chips.count())


def test_cannot_tell_has_a_comment_and_later_needs_none(graded: Page, project: StudioProject) -> None:
    """Both keys, by keyboard alone; the focus comes back to the result."""
    items = graded.locator('[data-list="hybrid"] li')
    items.nth(2).focus()
    graded.keyboard.press("c")
    graded.keyboard.type("3 of 5 shoes, u see")
    graded.keyboard.press("Enter")
    expect(items.nth(2).locator("summary .grade")).to_contain_text("yours: cannot tell")
    expect(items.nth(2)).to_be_focused()
    graded.keyboard.press("ArrowDown")
    graded.keyboard.press("s")
    expect(items.nth(3).locator("summary .grade")).to_contain_text("yours: later")
    docs = [items.nth(place).get_attribute("data-document") for place in (2, 3)]
    assert _said(project) == [(docs[0], None, "cannot tell", "3 of 5 shoes, u see"), (docs[1], None, "later", "")]


def test_who_has_no_name_is_asked_for_it(page: Page) -> None:
    """A digit leads to the door, which leads back to this query."""
    page.route("**/door?**", lambda route: route.fulfill(body="<h1>Who are you?</h1>", content_type="text/html"))
    page.goto("/query?q=q01&outcome=loss")
    page.locator("#lists li").first.focus()
    page.keyboard.press("2")
    page.wait_for_url("**/door?back=%2Fquery**q%3Dq01**")


@pytest.mark.parametrize("path", ["/queries", "/query?q=q01", "/query?q=q42"])
def test_browsing_has_no_grave_fault_for_screen_readers(page: Page, path: str) -> None:
    """Axe finds nothing serious, light or dark."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    assert axe_in_both(page) == []


@pytest.mark.parametrize("wide", [1440, 1024, 390])
def test_nothing_is_wider_than_the_window(page: Page, wide: int) -> None:
    """What is wide scrolls in a box of its own."""
    page.set_viewport_size({"width": wide, "height": 800})
    for path in ("/queries", "/query?q=q01"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= wide
