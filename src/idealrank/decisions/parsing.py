"""Answers written as a list: gain=exp2, ideal=local."""

from idealrank.errors import UsageError


def parse_answers(text: str) -> dict[str, str]:
    """Read ``gain=exp2, ideal=local`` into a mapping; commas inside brackets do not separate.

    Raises
    ------
    UsageError
        If a part is not NAME=VALUE, or a name appears twice.

    Examples
    --------
    >>> parse_answers("gain={1: 1, 2: 3}, ap_denominator=min(R,k)")
    {'gain': '{1: 1, 2: 3}', 'ap_denominator': 'min(R,k)'}
    """
    answers: dict[str, str] = {}
    for part in split_outside(text):
        name, equals, value = part.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise UsageError(f"{part.strip()!r} is not NAME=VALUE, as in gain=exp2.")
        if name in answers:
            raise UsageError(f"{name} is given twice: {answers[name]} and {value}.")
        answers[name] = value
    return answers


def split_outside(text: str) -> list[str]:
    """Split at commas outside brackets, except those inside a rounding."""
    parts: list[str] = []
    depth, start = 0, 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return _rejoined([part for part in parts if part.strip()])


def _rejoined(parts: list[str]) -> list[str]:
    joined: list[str] = []
    for part in parts:
        if joined and "=" not in part and joined[-1].strip().startswith("rounding="):
            joined[-1] += "," + part
        else:
            joined.append(part)
    return joined
