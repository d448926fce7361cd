"""What the page shows of grades: the coefficients of agreement that people ask for, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.reports.page.markup import short, short_span

_COEFFICIENTS = ("alpha", "kappa", "ac")
"""Those that people ask for."""


def coefficients(agreement: Mapping[str, Any]) -> list[str]:
    """Say the coefficients that people ask for, each with its interval, and what to know of these."""
    from idealrank.labels.agreement import TITLES

    texts = [
        f"{TITLES[row['coefficient']]} {short(row['value'])} ({short_span(row['low'], row['high'], '')})"
        for row in agreement["coefficients"]
        if row["coefficient"] in _COEFFICIENTS and row["value"] is not None
    ]
    return [f"{text}." for text in ("; ".join(texts), agreement["interval_note"] if texts else "") if text]
