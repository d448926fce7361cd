"""Unknown keyword arguments: what was probably meant."""

from collections.abc import Iterable

from idealrank.decisions import questions
from idealrank.errors import UsageError, unknown

_CUTOFF = "put the cutoff in the measure's name, as in measures=['nDCG@10']"
_CONVENTION = "choose a convention with convention='trec_eval-9.0.8'"
_MEASURES = "choose measures with measures=['nDCG@10', 'P@5']"
_JUDGMENTS, _RESULTS = "judgments are the first argument", "results are the second argument"
_WEIGHTS = "pass a table or a column of weights as weights=…"

_FAULTS = "turn a tool's known faults on beside its name, as in convention='trec_eval-9.0.8, faults=on'"

MEANT = {
    **dict.fromkeys(("faults", "fault"), _FAULTS),
    **dict.fromkeys(("k", "ks", "at", "top_k"), _CUTOFF),
    **dict.fromkeys(("as_", "conv", "like", "tool"), _CONVENTION),
    **dict.fromkeys(("measure", "metric", "metrics"), _MEASURES),
    **dict.fromkeys(("qrels", "qrel", "judgements", "labels"), _JUDGMENTS),
    **dict.fromkeys(("run", "runs"), _RESULTS),
    **dict.fromkeys(("weight", "frequency", "frequencies"), _WEIGHTS),
}
"""What people mean by keywords that do not exist."""

_COLUMNS = {
    **dict.fromkeys(("grade", "rater"), ("read_judgments",)),
    **dict.fromkeys(("rank", "score"), ("read_results",)),
    **dict.fromkeys(("query", "doc", "text", "system"), ("read_judgments", "read_results")),
}
"""The readers that take the column of each role."""


def refuse_unknown(keywords: Iterable[str], own: Iterable[str]) -> None:
    """Refuse keywords that are not decisions.

    Parameters
    ----------
    keywords
        The keywords that remain after the function's own.
    own
        The function's own, for the nearest spelling.

    Raises
    ------
    UsageError
        Says what was probably meant.
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
