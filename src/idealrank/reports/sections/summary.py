"""The front of a report: what to do, why, what would settle it, and which systems are ahead."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

from idealrank.comparison.compare import leaderboard
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.leaderboard import LONG, NAMED, Leaderboard
from idealrank.comparison.pairing import GUARDS
from idealrank.comparison.types import DifferenceRow, MeanRow
from idealrank.comparison.verdict.rule import Outcome
from idealrank.comparison.verdict.words import IN_REASON_ALONE
from idealrank.display.numbers import amount
from idealrank.errors import DataError, IncomparableError, listed, plural
from idealrank.evaluation.scores import Scores
from idealrank.reports.types import (
    Check,
    Compared,
    LedgerPart,
    MeasureEntry,
    Summary,
    UnjudgedPart,
    VerdictEntry,
    decided,
)

LARGE = 0.05
"""Differences as large as this are said with two decimals, others with three."""

LEAST = 3
"""From so many systems on they have ranks."""


class _Reported(Protocol):
    """What a report is about."""

    @property
    def scores(self) -> Scores: ...
    @property
    def comparison(self) -> Comparison | None: ...


def leaderboard_of(of: _Reported) -> Leaderboard | None:
    """Return the leaderboard of the systems; None with a baseline, of two, and where they cannot be compared."""
    scores, comparison = of.scores, of.comparison
    if len(scores.systems) < LEAST or (comparison is not None and comparison.baseline):
        return None
    if comparison is not None:
        return comparison.leaderboard
    try:
        return leaderboard(scores)
    except (DataError, IncomparableError):
        return None


def summary(
    measure: MeasureEntry,
    means: Sequence[MeanRow],
    compared: Compared | None,
    baseline: str | None,
    checks: list[Check],
    board: Leaderboard | None = None,
) -> Summary:
    """Return the headline, two sentences, and the steps that follow.

    Parameters
    ----------
    measure
        The deciding one.
    means
        One row per measure and system.
    compared
        What the comparison says; None without one.
    baseline
        The system all others are compared with; None where there is none.
    board
        The ranks of several systems without a baseline; None where there are none.
    """
    means = [row for row in means if row["measure"] == measure["label"]]
    rows = [] if compared is None else [r for r in compared["differences"] if r["measure"] == measure["label"]]
    if board is not None:
        ranks = {row["system"]: [row["best rank"], row["worst rank"]] for row in board.table}
        return {**_leaderboard_front(board, compared), "order": list(board.systems), "ranks": ranks, "checks": checks}
    order = order_systems(measure, means, rows, baseline)
    front = _choose_front(measure, {row["system"]: row for row in means}, compared, rows, order, baseline)
    return {**front, "order": order, "checks": checks}


def _choose_front(
    measure: MeasureEntry,
    means: Mapping[str, MeanRow],
    compared: Compared | None,
    rows: Sequence[DifferenceRow],
    order: Sequence[str],
    baseline: str | None,
) -> Summary:
    if compared is not None and len(compared["verdicts"]) == 1:
        return _verdict_front(compared["verdicts"][0])
    if compared is not None and baseline is not None:
        return _baseline_front(measure, compared["verdicts"], rows, order, baseline)
    return _single_front(measure, means[order[0]]) if len(order) == 1 else _uncompared_front(measure, means, order)


def order_systems(
    measure: MeasureEntry, means: Sequence[MeanRow], rows: Sequence[DifferenceRow], baseline: str | None
) -> list[str]:
    """Return the systems, best first: by difference from the baseline, or by mean; those without a number last."""
    value = {row["system"]: row["mean"] for row in means}
    if rows and baseline is not None:
        value = {row["system"]: decided(row)[0] for row in rows} | {baseline: 0.0}
    sign = 1 if measure["direction"] == "lower" else -1
    return sorted(value, key=lambda system: _sort_key(value[system], sign))


def _sort_key(value: float | None, sign: int) -> tuple[bool, float]:
    return value is None, 0.0 if value is None else sign * value


def _make_summary(
    outcome: Outcome | Literal[""], headline: str, sentences: Sequence[str], steps: Sequence[str], pair: Sequence[str]
) -> Summary:
    return {
        "warnings": [], "outcome": outcome, "headline": headline, "sentences": list(sentences), "notes": [],
        "steps": list(steps), "pair": list(pair), "order": [], "ranks": {}, "checks": [],
    }  # fmt: skip


def _verdict_front(verdict: VerdictEntry) -> Summary:
    pair = [verdict["baseline"], verdict["system"]]
    entry = _make_summary(verdict["outcome"], verdict["headline"], verdict["summary"], verdict["steps"], pair)
    return {**entry, "notes": _verdict_notes(verdict)}


def _verdict_notes(verdict: VerdictEntry) -> list[str]:
    """Say why the outcome is doubted, what it rests on, and what failed searches could change."""
    doubts = [each for each in verdict["reasons"] if each["effect"] == "takes back" and each["kind"] in IN_REASON_ALONE]
    doubt = doubts[-1]["facts"]["clause"] if doubts and verdict["outcome"] == "CAN'T TELL" else ""
    return [f"{note[0].upper()}{note[1:]}." for note in (doubt, verdict["assumption"], verdict["failed"]) if note]


def _baseline_front(
    measure: MeasureEntry,
    verdicts: Sequence[VerdictEntry],
    rows: Sequence[DifferenceRow],
    order: Sequence[str],
    baseline: str,
) -> Summary:
    """Say which system is ahead of the baseline, if any."""
    by_system = {verdict["system"]: verdict for verdict in verdicts}
    ships = [system for system in order if system in by_system and by_system[system]["outcome"] == "SHIP"]
    lead = (ships or [system for system in order if system != baseline])[0]
    row = next(row for row in rows if row["system"] == lead)
    gain = (decided(row)[0] or 0.0) * (-1 if measure["direction"] == "lower" else 1)
    effect = "is ahead" if gain > 0 else "loses no more than is allowed"
    by_judge = row.get("calibrated") is not None  # whose means would be those of people alone
    lead_line = by_system[lead]["headline"] if by_judge else f"{lead} {effect}: {_change_text(row)}"
    headline = lead_line if ships else _none_ahead(verdicts, baseline)
    first = by_system[lead]["summary"][0] if by_judge else _scores_sentence(measure, row)
    sentences = [first, f"{_count_outcomes(verdicts, baseline, gain > 0)}."]
    return {**_verdict_front(by_system[lead]), "headline": headline, "sentences": sentences}


def _none_ahead(verdicts: Sequence[VerdictEntry], baseline: str) -> str:
    outcomes = {verdict["outcome"] for verdict in verdicts}
    if outcomes == {"DON'T"}:
        return f"Keep {baseline}: no other system is worth shipping"
    if outcomes == {"ABOUT THE SAME"}:
        return f"All systems are about the same as {baseline}"
    return f"No system is clearly better than {baseline}"


def _count_outcomes(verdicts: Sequence[VerdictEntry], baseline: str, gains: bool) -> str:
    """Count the systems by what is known of them."""
    outcomes = [verdict["outcome"] for verdict in verdicts]
    ships = "better than {}" if gains else "good enough to replace {}"
    words: dict[Outcome, str] = {"SHIP": ships, "ABOUT THE SAME": "about the same as {}", "DON'T": "worse or no better"}
    counts = {word: outcomes.count(outcome) for outcome, word in words.items()}
    counts |= {"undecided": outcomes.count("CAN'T TELL")}
    counted = [f"{number} {_are(number)} {text.format(baseline)}" for text, number in counts.items() if number]
    return f"Of {plural(len(outcomes), 'other system')}, {', '.join(counted)}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _leaderboard_front(board: Leaderboard, compared: Compared | None) -> Summary:
    """Say which system is ahead of all others, if any; one that fails a guardrail or the margin is not."""
    lead, *others = board.systems
    better = {(lead, system) for system in others if system not in board.best and lead in board.best}
    clear = better if compared is None else better & {(a, b) for a, b in compared["ahead"]}
    doubted = [system for system in others if (lead, system) in better - clear]
    sentences = [board.sentence]
    for sentence, kinds in _HELD_BACK:
        held = [system for system in doubted if compared is not None and _held_by(compared, {lead, system}, kinds)]
        doubted = [system for system in doubted if system not in held]
        sentences += [sentence.format(lead=lead, them=_name_few(held))] * bool(held)
    if doubted:
        by_rule = compared is not None and _has_margin_or_guard(compared)
        why = "The margin or a guardrail keeps it" if by_rule else "Its own interval keeps it"
        sentences.append(f"{why} from being clearly better than {_name_few(doubted)}.")
    ahead = len(clear) == len(others)
    headline = f"{lead} is ahead of every other system" if ahead else f"{lead} leads, but not clearly"
    outcome: Outcome | Literal[""] = "" if compared is None else "SHIP" if ahead else "CAN'T TELL"
    return _make_summary(outcome, headline, sentences, [], [others[0], lead])


_HELD_BACK = (
    ("But too little was judged to be sure that {lead} is better than {them}.", ("unjudged",)),
    ("Odd results or failed searches keep it from being clearly better than {them}.", ("odd results", "failed")),
    ("The shape of the differences keeps it from being clearly better than {them}.", ("shape",)),
    ("A limit of latency keeps it from being clearly better than {them}.", ("latency",)),
)
"""What is said where a system that leads is not called better than another, by the kinds of reasons."""


def _held_by(compared: Compared, pair: set[str], kinds: Collection[str]) -> bool:
    """Return whether a verdict on two systems was taken back, or refused, for one of some kinds of reasons."""
    found = [each for each in compared["verdicts"] if {each["system"], each["baseline"]} == pair]
    reasons = [reason for each in found for reason in each["reasons"]]
    return any(reason["kind"] in kinds and reason["effect"] in ("takes back", "refuses") for reason in reasons)


def _has_margin_or_guard(compared: Compared) -> bool:
    return compared["bar"] != 0 or any(row["role"] == GUARDS for row in compared["differences"])


def _name_few(systems: Sequence[str]) -> str:
    return systems[0] if len(systems) == 1 else plural(len(systems), "other system")


def _scores_sentence(measure: MeasureEntry, row: DifferenceRow) -> str:
    ends = [row["baseline mean"], row["mean"]]
    before, after = ("–" if end is None else _amount_text(end, row) for end in ends)
    return f"{row['system']} scores {after} on {measure['label']}, {row['baseline']} {before}: {_change_text(row)}."


def _change_text(row: DifferenceRow) -> str:
    difference, low, high = decided(row)
    if difference is None:
        return "no difference known"
    if low is None or high is None:
        return _amount_text(difference, row, True)
    return f"{_amount_text(difference, row, True)} ({_amount_text(low, row, True)} to {_amount_text(high, row, True)})"


def _amount_text(value: float, row: DifferenceRow, sign: bool = False) -> str:
    """Write a number with as many decimals as a difference deserves."""
    digits = 2 if abs(decided(row)[0] or 0.0) >= LARGE else 3
    return amount(value, digits, sign=sign)


def _single_front(measure: MeasureEntry, row: MeanRow) -> Summary:
    """Say how good one system is."""
    system, label, mean = row["system"], measure["label"], row["mean"]
    if mean is None:
        return _make_summary("", f"{system} has no value of {label}", [], [], [system])
    share = measure["fingerprint"].startswith("nDCG@") or measure["fingerprint"].startswith("nDCG[")
    headline = (
        f"{system} answers {mean:.0%} as well as a perfect ranking could ({label})"
        if share and measure["over"].endswith("mean") and "geometric" not in measure["over"]
        else f"{system} scores {_three_decimals(mean)} on {label}"
    )
    sentences = [f"The {measure['over']} {label} of {plural(row['queries'], 'query')} is {_three_decimals(mean)}."]
    if row["low"] is not None and row["high"] is not None:
        sentences.append(
            f"For other queries like these it could be {_three_decimals(row['low'])} to {_three_decimals(row['high'])}."
        )
    return _make_summary("", headline, sentences, [], [system])


def _uncompared_front(measure: MeasureEntry, means: Mapping[str, MeanRow], order: Sequence[str]) -> Summary:
    """Say which system has the best mean where nothing is compared."""
    lead, label = order[0], measure["label"]
    scores = [f"{system} {_three_decimals(means[system]['mean'])}" for system in order[:3]]
    best = "highest" if measure["direction"] != "lower" else "lowest"
    sentences = [
        f"{measure['over'].capitalize()} {label}: {', '.join(scores)}.",
        "The systems are not compared, so the order may be chance.",
    ]
    return _make_summary("", f"{lead} has the {best} {label}", sentences, [], order[:1])


def _three_decimals(value: float | None) -> str:
    return "–" if value is None else amount(value, 3)


# Checks.


FEW_QUERIES = 25
"""Fewer queries tell little."""
UNJUDGED = 0.2
"""A larger share of unjudged results in the top is a warning."""
EMPTY = 0.05
"""A larger share of queries without results is a warning; a failed search always is."""

Rows = Sequence[MeanRow] | Sequence[DifferenceRow]


def checks(ledger: LedgerPart, part: UnjudgedPart, rows: Rows, compared: Compared | None, setting: str) -> list[Check]:
    """Return each check in a few words, and whether it is a warning; `rows` are the differences, else the means."""
    return [
        *_query_check(ledger, rows),
        *_unchanged_check(compared),
        *_empty_checks(ledger),
        *_unjudged_check(part),
        {"text": setting, "warns": False},
    ]


def _query_check(ledger: LedgerPart, rows: Rows) -> Iterator[Check]:
    """Say how many queries the first measure counts; of several systems the fewest and the most."""
    judged, label = ledger["judged_queries"], ledger["measures"][0]["measure"]
    counts = [row["queries"] for row in rows if row["measure"] == label]
    fewest, most = min(counts), max(counts)
    few, partly = fewest < FEW_QUERIES, fewest < judged
    start = "only " if few else "" if partly else "all "
    span = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    whole = f"{span} of {plural(judged, 'query')} counted" if partly else f"{plural(fewest, 'query')} counted"
    yield {"text": f"{start}{whole}", "warns": few}


def _unchanged_check(compared: Compared | None) -> Iterator[Check]:
    """Say how many queries did not change between two systems; of several pairs, the method says it by pair."""
    if compared is not None and len(compared["unchanged"]) == 1:
        (many,) = compared["unchanged"].values()
        if many:
            yield {"text": f"{plural(many, 'query')} did not change", "warns": False}


def _empty_checks(ledger: LedgerPart) -> Iterator[Check]:
    for key, words in _ABSENT.items():
        each = {account["system"]: _absent_queries(account, key) for account in ledger["systems"]}
        most = max(map(len, each.values())) / max(ledger["judged_queries"], 1)
        if most:
            yield {"text": f"{words} {_name_by_query(each)}", "warns": key == "failed" or most > EMPTY}


def _absent_queries(account: dict[str, Any], key: str) -> list[str]:
    absent: dict[str, list[str]] = {
        "judged_nothing_returned": account["judged_nothing_returned"],
        "never_asked": account["never_asked"],
        "failed": account["failed"],
    }
    return absent[key]


_ABSENT = {"judged_nothing_returned": "no results for", "never_asked": "no search for", "failed": "search failed for"}
"""Queries without results, in words."""


def _name_by_query(found: Mapping[str, Sequence[str]]) -> str:
    """Name the queries where they are few, else count them; and in brackets the systems that have none for them."""
    lacking: dict[str, list[str]] = {}
    for system, queries in found.items():
        for query in queries:
            lacking.setdefault(query, []).append(system)
    alike: dict[tuple[str, ...], list[str]] = {}
    for query, systems in lacking.items():
        alike.setdefault(tuple(systems), []).append(query)
    return listed(
        (
            f"{listed(queries) if len(queries) <= NAMED else plural(len(queries), 'query')} "
            f"({_name_or_count(systems, len(found))})"
            for systems, queries in alike.items()
        ),
        NAMED,
    )


def _name_or_count(systems: Sequence[str], of: int) -> str:
    """Name one system, count several."""
    if len(systems) == 1:
        return systems[0]
    if len(systems) == of:
        return "both systems" if of == 2 else f"all {of} systems"
    return f"{len(systems)} of {of} systems"


def _unjudged_check(part: UnjudgedPart) -> Iterator[Check]:
    shares = {
        system: count / part["shown"][system] for system, count in part["unjudged"].items() if part["shown"][system]
    }
    if not shares:
        return
    worst = max(shares, key=shares.__getitem__)
    if not shares[worst]:
        yield {"text": f"every result in the top {part['depth']} was judged", "warns": False}
        return
    named_shares = {worst: shares[worst]} if len(shares) > NAMED or len(" ".join(shares)) > LONG else shares
    most = "up to " if len(shares) > len(named_shares) else ""
    named = ", ".join(f"{most}{share:.0%} of {system}" for system, share in named_shares.items())
    yield {"text": f"never judged in the top {part['depth']}: {named}", "warns": shares[worst] > UNJUDGED}
