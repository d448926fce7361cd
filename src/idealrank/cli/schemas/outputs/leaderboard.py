"""What `leaderboard` prints."""

from __future__ import annotations

from idealrank.cli.schemas.forms import count, maybe, number, part, record, share, text, texts
from idealrank.cli.schemas.output import Output
from idealrank.cli.schemas.parts.evaluation import CONVENTION, DECISIONS
from idealrank.cli.schemas.rows import VALUE, columns, rows

_SYSTEM = {
    **columns("system"),
    "rank": count("Rank by the mean; equal means share a rank.", 1),
    "best rank": count("The best rank it can have: 1 + the number of systems that are surely better.", 1),
    "worst rank": count("The worst rank it can have.", 1),
    **columns("mean", "low", "high"),
    "unjudged": maybe(share("Share of its first results that nobody judged; null if it has no results.")),
    "difference": number("Its mean minus that of the first system."),
    **columns("corrected low", "corrected high"),
    "doubted": count("From how many systems it counts as not told apart although the interval leaves out 0."),
    **columns("fingerprint"),
}
_LEADERBOARD = record(
    "Many systems, best first, with the ranks that each can have.",
    {
        "warnings": texts("What is odd about the results, to be read before the ranks."),
        "sentence": text("Who is ahead, who cannot be told from it, and how many are worse."),
        "best": texts("The systems that no other is surely better than."),
        "measure": text("The measure that ranks."),
        "convention": CONVENTION,
        "decisions": DECISIONS,
        "methods": part("methods"),
        "queries": count("Number of queries that every system has a value for: means and ranks are over these."),
        "left_out": texts("Queries that some systems have a value for, and others none."),
        "neighbours_apart": count("Of how many systems that follow each other it is known which is better."),
        "doubted_pairs": count(
            "Pairs whose interval leaves out 0, but which count as not told apart: a few queries could undo it."
        ),
        "systems": rows("A row per system; the means of further measures are under their names.", _SYSTEM, None, VALUE),
        "notes": texts("What the ranks are, over which queries, and what they do not include."),
        "ledger": part("ledger"),
    },
)

OUTPUTS = (Output("leaderboard", "Systems with the ranks that each can have", _LEADERBOARD),)
