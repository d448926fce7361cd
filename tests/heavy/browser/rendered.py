"""What stands on a report's page, read from its elements; and keys pressed on it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

READY = "html[data-ready=true]"

_ROWS = """async (grid) => {
    const frame = () => new Promise(requestAnimationFrame);
    const keys = [...grid.querySelectorAll("[role=columnheader]")].map((head) => head.dataset.key);
    const found = new Map();
    grid.scrollTop = 0;
    for (;;) {
        await frame(); await frame();
        for (const row of grid.querySelectorAll("[role=row]:not([hidden])[data-query]")) {
            const cells = Object.fromEntries(keys.map((key, at) => [key, row.children[at].textContent]));
            found.set(Number(row.ariaRowIndex), [row.dataset.query, cells]);
        }
        if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) break;
        grid.scrollTop += grid.clientHeight / 2;
    }
    grid.scrollTop = 0;
    await frame(); await frame();
    return [...found].sort(([a], [b]) => a - b).map(([, row]) => row);
}"""
_OPEN = """key => {
    const link = document.querySelector("#grid [data-query] a")?.hash ?? "";
    location.hash = `#q=${encodeURIComponent(key)}${link.replace(/^[^&]*/, "")}`;
}"""
_FOCUSED = """() => {
    const { activeElement: at } = document;
    return at.id ? `#${at.id}` : at.hash ? `a${at.hash}` : at.tagName.toLowerCase();
}"""


def ready(page: Page) -> Page:
    """Wait until the page's script has begun its work."""
    page.wait_for_selector(READY, state="attached")
    return page


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def focused(page: Page) -> str:
    """Return what has the keyboard: ``#id``, else ``a#target`` of a link, else the element's name."""
    return str(page.evaluate(_FOCUSED))


def query_rows(page: Page) -> list[tuple[str, dict[str, str]]]:
    """Return id and cells by column of each row of the table of queries, in its order, by scrolling through it."""
    return [(key, cells) for key, cells in page.locator("#grid").evaluate(_ROWS)]


def cells(table: Locator) -> list[list[str]]:
    """Return the text of each cell of a table, its head first; a text below another follows after a line's end."""
    return [[text.strip() for text in row.locator("th, td").all_text_contents()] for row in table.locator("tr").all()]


def open_query(page: Page, key: str) -> Locator:
    """Open a query by its address, as the table links it, and return its section, when it is drawn."""
    page.evaluate(_OPEN, key)
    page.wait_for_function("key => document.querySelector('#query .id')?.textContent === key", arg=key)
    page.wait_for_selector("#query .arithmetic")
    return page.locator("#query")


def charts(page: Page) -> dict[str, Locator]:
    """Return the figures that are shown, by name, when each has been drawn."""
    page.wait_for_function("() => document.querySelectorAll('#charts figure:not([hidden])').length > 0")
    page.locator(".chart-more").evaluate("more => { more.open = true }")
    for figure in page.locator("#charts figure").all():
        if figure.is_visible():
            figure.scroll_into_view_if_needed()
            figure.locator(".chart-picture").wait_for(state="attached")
    shown = [figure for figure in page.locator("#charts figure").all() if figure.is_visible()]
    return {str(figure.get_attribute("data-chart")): figure for figure in shown}


def show_tab(page: Page, name: str) -> Locator:
    """Show a panel of the method and return it."""
    page.locator(f"#tab-{name}").press("Enter")
    return page.locator(f"#{name}")


def table_behind(figure: Locator) -> list[list[str | float]]:
    """Open the table behind a chart: the head, then rows of texts and, where there are any, full numbers."""
    if not figure.locator("details").evaluate("each => each.open"):
        figure.locator("summary").press("Enter")
    found: list[list[str | float]] = figure.locator(".chart-table table").evaluate(
        """table => [...table.rows].map((row) => [...row.cells].map((cell) =>
            cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value)))"""
    )
    return found
