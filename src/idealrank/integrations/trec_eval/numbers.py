"""Numbers as C's atol and atof read them: the number at the beginning of a text, 0 if there is none."""

import re

_WHOLE = re.compile(r"\s*([+-]?)0*([0-9]{0,20})", re.ASCII)  # 20 digits are beyond 64 bits
_DECIMAL = re.compile(r"\s*([+-]?(?:inf(?:inity)?|nan|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?))", re.ASCII | re.I)
_HEX = re.compile(r"\s*([+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)", re.ASCII | re.I)
_MOST = (1 << 63) - 1


def whole(text: str) -> int:
    """Read a whole number.

    Examples
    --------
    >>> whole("1.7"), whole("-2x"), whole("x")
    (1, -2, 0)
    """
    match = next(_WHOLE.finditer(text))  # it fits any text
    return max(-_MOST - 1, min(int(match[1] + (match[2] or "0")), _MOST))


def decimal(text: str) -> float:
    """Read a number.

    Examples
    --------
    >>> decimal("2.5e1x"), decimal(".5"), decimal("x"), decimal("0x10")
    (25.0, 0.5, 0.0, 16.0)
    """
    try:
        if match := _HEX.match(text):
            return float.fromhex(match[1])
    except OverflowError:
        return float("inf")
    match = _DECIMAL.match(text)
    return float(match[1]) if match else 0.0
