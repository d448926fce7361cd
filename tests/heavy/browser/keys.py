"""A reader who has keys alone: where they lead, and what is seen then."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.heavy.browser.rendered import focused, press, query_rows

ROW = """() => {
    const id = document.querySelector("#grid").getAttribute("aria-activedescendant");
    return document.getElementById(id)?.closest("[role=row]").dataset.query ?? "";
}"""
MOST = 60


def tab_to(page: Page, wanted: str, key: str = "Tab") -> int:
    """Press Tab until something has the keyboard; return how often."""
    for times in range(1, MOST):
        press(page, key)
        if focused(page) == wanted:
            return times
    raise AssertionError(f"{wanted} is not reached by {MOST} times {key}")


def in_view(page: Page, selector: str) -> bool:
    """Wait until the middle of an element is where a reader sees it, below the bar."""
    script = """selector => {
        const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
        const middle = (top + bottom) / 2;
        return middle > document.getElementById("bar").getBoundingClientRect().bottom && middle < innerHeight;
    }"""
    page.wait_for_function(script, arg=selector, timeout=3000)
    return True


def row(page: Page) -> str:
    """Return the query of the active row of the table; "" for the heading."""
    return str(page.evaluate(ROW))


def to_grid(page: Page) -> list[str]:
    """Go to the table by Tab; return its queries in order."""
    order = [key for key, _ in query_rows(page)]
    tab_to(page, "#grid")
    return order


def opened_query(page: Page) -> str:
    """Wait until the query of the address is drawn and return it."""
    page.wait_for_function(
        """() => {
            const asked = decodeURIComponent(location.hash.slice(3).split("&")[0]);
            return document.querySelector("#query .id")?.textContent === asked;
        }"""
    )
    return str(page.locator("#query .id").text_content())
