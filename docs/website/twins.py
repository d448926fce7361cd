"""The staged pages go in; what language models read comes out: a list of the pages, and all of them in one."""

from __future__ import annotations

from pathlib import Path

from website.sections import SECTIONS, START

ABOUT = (
    "Offline relevance evaluation for search, recommendation and RAG: every choice named, every query accounted for."
)


def llms(source: Path) -> str:
    """List the pages, in the form of llmstxt.org: one line each, with a link to the Markdown."""
    lines = [f"# idealrank\n\n> {ABOUT}\n\n- [Start]({START}.md): what it is, and every page by section\n"]
    for section in SECTIONS:
        lines.append(f"\n## {section.title}\n\n{section.about}\n\n")
        lines += [f"- [{title(source, page)}]({page}.md): {said}\n" for page, said in section.pages.items()]
    return "".join(lines)


def llms_full(source: Path) -> str:
    """Join the pages in the order of the sections."""
    names = [START, *(page for section in SECTIONS for page in section.pages)]
    return "\n\n".join(f"<!-- {name}.md -->\n\n{(source / f'{name}.md').read_text('utf-8')}" for name in names)


def title(source: Path, page: str) -> str:
    """Return the heading of a page."""
    lines = (source / f"{page}.md").read_text("utf-8").splitlines()
    return next(line.removeprefix("# ") for line in lines if line.startswith("# "))
