"""What to check before believing a number: queries counted, without results, unjudged results, the convention."""

from collections.abc import Iterator, Mapping, Sequence

from idealrank.errors import listed, plural
from idealrank.reports.parts.kinds import Account, Check, DifferenceRow, HolesPart, LedgerPart, MeanRow

FEW_QUERIES = 25
"""Fewer queries tell little."""
UNJUDGED = 0.2
"""A larger share of unjudged results in the top is a warning."""
EMPTY = 0.05
"""A larger share of queries without results is a warning; a failed search always is."""
_NAMED = 3

Rows = Sequence[MeanRow] | Sequence[DifferenceRow]


def checks(ledger: LedgerPart, holes: HolesPart, rows: Rows, setting: str) -> list[Check]:
    """Return each check in a few words, and whether it is a warning; `rows` are the differences, else the means."""
    return [*_queries(ledger, rows), *_empty(ledger), *_unjudged(holes), {"text": setting, "warns": False}]


def _queries(ledger: LedgerPart, rows: Rows) -> Iterator[Check]:
    """Say how many queries the first measure counts; of several systems the fewest and the most."""
    judged, label = ledger["judged_queries"], ledger["measures"][0]["measure"]
    counts = [row["queries"] for row in rows if row["measure"] == label]
    fewest, most = min(counts), max(counts)
    few, partly = fewest < FEW_QUERIES, fewest < judged
    start = "only " if few else "" if partly else "all "
    span = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    whole = f"{span} of {plural(judged, 'query')} counted" if partly else f"{plural(fewest, 'query')} counted"
    yield {"text": f"{start}{whole}", "warns": few}


def _empty(ledger: LedgerPart) -> Iterator[Check]:
    for key, words in _ABSENT.items():
        each = {account["system"]: _keys(account, key) for account in ledger["systems"]}
        found = {system: queries for system, queries in each.items() if queries}
        if found:
            most = max(map(len, found.values())) / max(ledger["judged_queries"], 1)
            yield {"text": f"{words} {_by_system(found)}", "warns": key == "failed" or most > EMPTY}


def _keys(account: Account, key: str) -> list[str]:
    absent: dict[str, list[str]] = {
        "judged_nothing_returned": account["judged_nothing_returned"],
        "never_asked": account["never_asked"],
        "failed": account["failed"],
    }
    return absent[key]


_ABSENT = {"judged_nothing_returned": "no results for", "never_asked": "no search for", "failed": "search failed for"}
"""Queries without results, in words."""


def _by_system(found: Mapping[str, Sequence[str]]) -> str:
    """Name the queries of each system where they are few, else count them."""
    return listed(
        (
            f"{listed(queries) if len(queries) <= _NAMED else plural(len(queries), 'query')} ({system})"
            for system, queries in found.items()
        ),
        _NAMED,
    )


def _unjudged(holes: HolesPart) -> Iterator[Check]:
    shares = {
        system: count / holes["shown"][system] for system, count in holes["unjudged"].items() if holes["shown"][system]
    }
    if not shares:
        return
    worst = max(shares, key=shares.__getitem__)
    if not shares[worst]:
        yield {"text": f"every result in the top {holes['depth']} was judged", "warns": False}
        return
    told = {worst: shares[worst]} if len(shares) > _NAMED else shares
    most = "up to " if len(shares) > len(told) else ""
    named = ", ".join(f"{most}{share:.0%} of {system}" for system, share in told.items())
    yield {"text": f"never judged in the top {holes['depth']}: {named}", "warns": shares[worst] > UNJUDGED}
