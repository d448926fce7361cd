"""What of the page is readable without script: title, verdict, means."""

from __future__ import annotations

from html import escape
from typing import Any


def static(parts: dict[str, Any]) -> str:
    """Write the head of the page."""
    return f'<main id="report"><h1>{escape(parts["title"])}</h1></main>'
