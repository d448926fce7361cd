"""The colours of everything that is drawn, on a light and on a dark ground: page, plots and notebook take them here.

Better is green-blue and worse is orange, also for eyes that see no red or green; grades have the hue of better.
"""

from typing import NamedTuple


class Colour(NamedTuple):
    """A colour on a light ground, and the same on a dark one."""

    light: str
    dark: str


GAIN = Colour("#00687a", "#5cc8d8")
LOSS = Colour("#a5470a", "#f0a468")
UNSURE = Colour("#8a6100", "#e3b341")
EQUAL = Colour("#59616b", "#a3acb7")
SERIES = (
    Colour("#6d3fc4", "#b79dff"),
    EQUAL,
    Colour("#a8235f", "#ff8fb6"),
    Colour("#0072b2", "#6db5e8"),
    Colour("#8a6d00", "#d9b84a"),
    Colour("#1c2024", "#e9ebee"),
    Colour("#00795a", "#4fd0a5"),
)
"""Lines of several systems: the one looked at, the baseline, then others."""
GRADES = (Colour("#dcecef", "#15323a"), Colour("#00525f", "#86dbe8"))
"""The lowest grade and the highest."""

ON_ANY_GROUND = {"gain": "#0d8ea6", "loss": "#c96a1e", "unsure": "#a87a00", "same": "#7a838e"}
"""The colours of edges and lines where nothing says whether the ground is light or dark, as in a notebook."""

_NAMED = {
    "gain": GAIN,
    "loss": LOSS,
    "unsure": UNSURE,
    "same": EQUAL,
    "system": SERIES[0],
    "baseline": SERIES[1],
    "third": SERIES[2],
    "fourth": SERIES[3],
    "grade-low": GRADES[0],
    "grade-high": GRADES[1],
}


def properties() -> str:
    """Return the colours as custom properties of a style sheet.

    Examples
    --------
    >>> properties().split("; ")[0]
    ':root { --gain: light-dark(#00687a, #5cc8d8)'
    """
    declared = "; ".join(f"--{name}: light-dark({each.light}, {each.dark})" for name, each in _NAMED.items())
    return f":root {{ {declared} }}"
