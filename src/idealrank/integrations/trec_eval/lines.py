"""The fields of each line, as trec_eval splits them."""

import itertools
from collections.abc import Iterator

from idealrank.integrations.trec_eval.stop import INPUT, NOTHING, Stop

FORMS = {
    "qrels": "topic, 0, document, grade",
    "qrels_jg": "topic, group, document, grade",
    "qrels_prefs": "topic, group, document, level",
    "prefs": "topic, group, subgroup, document, level",
    "run": "topic, Q0, document, rank, score, run",
}
"""The fields of a line, by format."""


def fields_of(data: bytes, form: str, name: str, compat: str) -> list[list[bytes]]:
    """Return the fields of each line that counts.

    Raises
    ------
    Stop
        If a line has too few fields, or a line of judgments too many.
    """
    rows: list[list[bytes]] = []
    wanted = FORMS[form].count(",") + 1
    lines = enumerate(data.removesuffix(b"\n").split(b"\n"), 1)
    commented = compat != "9.0.8"
    for place, line in _results(lines, commented) if form == "run" else _judged(lines, commented):
        fields = line.split()
        if len(fields) < wanted or (form != "run" and len(fields) > wanted):
            raise Stop(INPUT, f"{name}, line {place}: {len(fields)} fields, not {wanted}: {FORMS[form]}.")
        rows.append(fields)
    if not rows:
        raise Stop(NOTHING if form == "run" else INPUT, f"{name}: there are no lines of {FORMS[form]}.")
    return rows


def _results(lines: Iterator[tuple[int, bytes]], commented: bool) -> Iterator[tuple[int, bytes]]:
    """Skip blank lines and comments."""
    return ((place, line) for place, line in lines if line.strip() and not (commented and line.strip()[:1] == b"#"))


def _judged(lines: Iterator[tuple[int, bytes]], commented: bool) -> Iterator[tuple[int, bytes]]:
    """Skip comments; the line after a comment is read as it is, even if it is a comment, too."""
    for place, line in lines:
        if commented and line.startswith(b"#"):
            yield from itertools.islice(lines, 1)
        else:
            yield place, line
