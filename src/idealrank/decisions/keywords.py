"""Keyword arguments that nothing is called by: what was probably meant."""

from collections.abc import Iterable

from idealrank.decisions import questions
from idealrank.errors import UsageError, unknown

_CUTOFF = "the cutoff stands in the measure's name, as measures=['nDCG@10']"
_CONVENTION = "a convention is asked for with convention='trec_eval-9.0.8'"
_MEASURES = "measures are asked for with measures=['nDCG@10', 'P@5']"
_JUDGMENTS, _RESULTS = "judgments are the first argument", "results are the second argument"
_WEIGHTS = "a table or a column of weights is given with weights=…"

_FAULTS = "known faults of a tool go beside its name, as convention='trec_eval-9.0.8, faults=on'"

MEANT = {
    **dict.fromkeys(("faults", "fault"), _FAULTS),
    **dict.fromkeys(("k", "ks", "at", "top_k"), _CUTOFF),
    **dict.fromkeys(("as_", "conv", "like", "tool"), _CONVENTION),
    **dict.fromkeys(("measure", "metric", "metrics"), _MEASURES),
    **dict.fromkeys(("qrels", "qrel", "judgements", "labels"), _JUDGMENTS),
    **dict.fromkeys(("run", "runs"), _RESULTS),
    **dict.fromkeys(("weight", "frequency", "frequencies"), _WEIGHTS),
}
"""What is meant by keywords people try."""

_COLUMNS = {
    **dict.fromkeys(("grade", "rater"), ("read_judgments",)),
    **dict.fromkeys(("rank", "score"), ("read_results",)),
    **dict.fromkeys(("query", "doc", "text", "system"), ("read_judgments", "read_results")),
}
"""Where the column of a role is named."""


def refuse_unknown(keywords: Iterable[str], own: Iterable[str]) -> None:
    """Refuse keywords that are no decision.

    Parameters
    ----------
    keywords
        The keywords that are left after the function's own.
    own
        The function's own, for the nearest spelling.

    Raises
    ------
    UsageError
        With what was probably meant.
    """
    for name in keywords:
        if name in questions():
            continue
        role = name.removesuffix("_col").removesuffix("_column")
        if role in _COLUMNS:
            ways = " and ".join(f"{reader}(table, {role}='…')" for reader in _COLUMNS[role])
            raise UsageError(
                f"No keyword called {name!r}: columns are named where a table is read. Pass on what {ways} "
                f"{'return' if ' and ' in ways else 'returns'}."
            )
        if name in MEANT:
            raise UsageError(f"No keyword called {name!r}: {MEANT[name]}.")
        raise unknown("keyword or decision", name, [*questions(), *own])
