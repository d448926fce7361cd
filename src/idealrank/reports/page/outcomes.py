"""The outcomes of a comparison: the mark of each, and how it is written."""

from html import escape

MARKS = {
    "SHIP": ("ship", "✓"), "DON'T": ("dont", "✕"), "CAN'T TELL": ("cant-tell", "?"), "ABOUT THE SAME": ("same", "="),
}  # fmt: skip
"""The class and the mark of each."""


def outcome_class(outcome: str) -> str:
    """Return the class of an outcome; "" where there is none."""
    return MARKS[outcome][0] if outcome else ""


def outcome_mark(outcome: str) -> str:
    """Write the mark of an outcome."""
    word, glyph = MARKS[outcome]
    return f'<span class="mark" data-outcome="{word}" aria-hidden="true">{glyph}</span>'


def outcome_text(outcome: str) -> str:
    """Write an outcome with its mark."""
    return f'<span class="outcome">{outcome_mark(outcome)} {escape(outcome)}</span>'
