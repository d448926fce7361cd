"""How far the verdict is: whether more grades can change it, and how many it may still take."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from idealrank.comparison.verdict.rule import CANT_TELL
from idealrank.errors import IdealrankError, plural
from idealrank.labels.label_next import LabelNext
from idealrank.studio.project import Look, StudioProject


@dataclass(frozen=True)
class Distance:
    """How far the verdict is.

    Attributes
    ----------
    kind
        certain, likely or open.
    outcome
        What it is, or most likely will be; "" where that is not known.
    words
        What it means for whoever grades, in a sentence or two.
    why
        What the sentence rests on; "" where it says all.
    """

    kind: str
    outcome: str
    words: str
    why: str


class Countdown:
    """Says how far the verdict is; one at a time, as it draws all missing labels many times.

    Parameters
    ----------
    project
        Whose verdict it is.
    """

    def __init__(self, project: StudioProject) -> None:
        self.project = project
        self._lock = threading.Lock()

    def distance(self, look: Look) -> Distance:
        """Return how far the verdict of a look is now."""
        with self._lock:
            try:
                return distance_of(self.project.label_next(look))
            except IdealrankError as error:  # a measure without labels by document, or too little is graded
                return Distance("open", "", "How far the verdict is cannot be told yet.", str(error))


def distance_of(found: LabelNext) -> Distance:
    """Return how far a verdict is by what is missing.

    The rule's error was measured by looking after every 5 % of the labels. Whoever looks after each grade looks more
    often, and has more chances to stop too early: the rule's own sentence with that error stands beside the word.
    """
    sentence = dict(found.lines)["stop?"]
    left = f"{plural(found.left, 'result')} {'has' if found.left == 1 else 'have'} no grade"
    if found.certain and not found.left:
        return Distance("certain", found.outcome or "", "Every result in the first ranks has a grade.", "")
    if found.certain:
        words = f"No remaining label can change it, whatever it is up to {found.top:g}; {left}."
        return Distance("certain", found.outcome or "", words, "")
    if found.likely:
        queries = ", more queries can" if found.outcome == CANT_TELL else ""
        words = f"More grades will hardly change it{queries}; {left}."
        return Distance("likely", found.outcome or "", words, sentence)
    return Distance("open", found.likelihood.outcome, f"{sentence.removeprefix('Not yet: ')} {left}.", "")
