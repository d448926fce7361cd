"""The holes in the page: how many there are, what they allow the means to be, and what to judge first."""

from html import escape

from idealrank.display.numbers import signed
from idealrank.reports.page.markup import count, fixed, minus, name, span, table
from idealrank.reports.parts.kinds import DocumentsPart, MeanRow, Parts


def holes(parts: Parts) -> str:
    """Write the holes."""
    depth = parts["holes"]["depth"]
    rows = [[name(system), count(number)] for system, number in parts["holes"]["unjudged"].items()]
    many = (
        table(["system", f"in the top {depth}"], rows, "Unjudged results by system") if rows else "<p>Not counted.</p>"
    )
    return f"<p>Results that nobody judged.</p><h4>How many</h4>{many}{_bounds(parts['means'])}{_to_judge(parts)}"


def _bounds(means: list[MeanRow]) -> str:
    rows = [
        [escape(row["measure"]), name(row["system"]), fixed(row["mean"]), span(row["lowest"], row["highest"])]
        for row in means
        if row["lowest"] is not None
    ]
    if not rows:
        return ""
    head = ["measure", "system", "mean", "lowest to highest"]
    return f"<h4>Range once everything is judged</h4>{table(head, rows, 'Means once everything is judged', 2)}"


def _to_judge(parts: Parts) -> str:
    titles = _titles(parts["documents"])
    rows = [
        [
            _called(row["query"], row.get("text")),
            _called(row["document"], titles.get(row["document"])),
            name(row["system"]),
            _rank(row["baseline rank"]),
            _rank(row["rank"]),
            minus(signed(row["move"])),
        ]
        for row in parts["holes"]["to_judge"]
    ]
    if not rows:
        return ""
    head = ["query", "document", "system", "rank in the baseline", "rank", "could move the difference by"]
    return f"<h4>Judge these first</h4>{table(head, rows, 'What to judge first', 3)}"


def _called(key: str, text: str | None) -> str:
    return f"{name(text)}<small>{name(key)}</small>" if text else name(key)


def _rank(rank: float | None) -> str:
    return "–" if rank is None else f"{rank:.0f}"


def _titles(documents: DocumentsPart) -> dict[str, str | None]:
    return dict(zip(documents["id"], documents["title"] or [], strict=False))
