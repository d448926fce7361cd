"""What `overlap` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import maybe, number, share, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.rows import columns, rows
from idealrank.comparison.overlap import NUMBERS, SETS

_ORDER = "of the documents that both returned, -1 to 1; null for fewer than two."
_NUMBERS = {
    "jaccard": share("Documents in both, as a share of the documents in either; null if both lists are empty."),
    "overlap": share("Documents in both, as a share of the longer list; null if both are empty."),
    "rbo": share("Rank-biased overlap, extrapolated; null if both are empty."),
    "rbo_low": share("Lower bound of rank-biased overlap; null if both are empty."),
    "rbo_high": share("Upper bound of rank-biased overlap; null if both are empty."),
    "churn": share("Share of the second list that the first does not contain; null if it is empty."),
    "rank_move": number("Mean number of ranks that shared documents move; null if there are none.", 0),
    "tau": number(f"Kendall's tau-b {_ORDER}", -1, 1),
    "tau_ap": number(f"AP correlation with ties {_ORDER}", -1, 1),
}
_SETS = {
    "intersection": texts("Ids of the documents that both returned."),
    "union": texts("Ids of the documents that one of them returned."),
    "note": text("What is odd about the query, as only one system returned anything; else empty."),
}
_ROWS = rows(
    "A row per query; the documents of each system are under its name.",
    {**columns("query"), **{name: maybe(_NUMBERS[name]) for name in NUMBERS}, **{name: _SETS[name] for name in SETS}},
    others=texts("Ids of the documents that the system returned."),
)

OUTPUTS = (Output("overlap", "What the lists of two systems share, by query", _ROWS),)
