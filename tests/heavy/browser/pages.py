"""Small pages made by hand: what a report must not do, and what a helper has to see."""

from __future__ import annotations


def page(body: str, head: str = "") -> str:
    """Return a page without a fault, but for what is put into it."""
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>{head}<main>{body}</main></html>'


def busy(milliseconds: int) -> str:
    """Return a statement of JavaScript that takes so long."""
    return f"for (const until = performance.now() + {milliseconds}; performance.now() < until;);"


def button(statement: str) -> str:
    """Return a button that runs a statement."""
    script = f"document.querySelector('button').onclick = () => {{{statement}}}"
    return f"<h1>A page</h1><button>Go</button><script>{script}</script>"


def policy(sources: str) -> str:
    """Return a content security policy."""
    return f'<meta http-equiv="Content-Security-Policy" content="{sources}">'
