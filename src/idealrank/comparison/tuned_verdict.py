"""The verdict on a system that was chosen as the best of several, on queries it was not chosen by."""

from dataclasses import replace

from idealrank.arrays import SAME
from idealrank.comparison.advice import counts_queries
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.headline import NOTHING
from idealrank.comparison.rule import CANT_TELL, DONT, Rule
from idealrank.comparison.tuning import Tuning
from idealrank.comparison.verdict import Verdict
from idealrank.display.amounts import amount, count, decimals, fine, percent
from idealrank.errors import plural


def after_tuning(said: Verdict, tuning: Tuning, held: Contrast, rule: Rule) -> Verdict:
    """Say how the system was chosen; DON'T where none was better than the baseline on the tuning queries.

    Parameters
    ----------
    said
        The verdict on the held-out queries.
    held
        The difference under the deciding measure on the held-out queries.
    """
    if said.headline == NOTHING:
        return said
    text = tuning_text(tuning, held)
    said = replace(said, tuning=text, summary=(*said.summary, f"{text}."))
    if tuning.gain <= SAME and rule.kind == "better":
        return _kept(said, tuning)
    if said.outcome == CANT_TELL and counts_queries(said.settle):
        also = f"These are held-out queries: judge {_times(1 / tuning.hold_out)} times as many in all"
        return replace(said, settle=f"{said.settle}. {also}", steps=(*said.steps, f"{also}."))
    return said


def _kept(said: Verdict, tuning: Tuning) -> Verdict:
    """Say that no system beat the baseline."""
    return replace(
        said,
        outcome=DONT,
        headline=f"Keep {tuning.baseline}: no other system beat it",
        reason=f"no other system beat {tuning.baseline} on the {_tuning_queries(tuning)}",
        assumption="",
        holes="",
        settle="",
        steps=(f"Keep {tuning.baseline}, or try other settings.",),
    )


def tuning_text(tuning: Tuning, held: Contrast) -> str:
    """Say what the system was the best of, its gain there, and how much of that vanished on the held-out queries."""
    gain, many = tuning.gain, plural(len(tuning.systems), "system")
    if gain <= SAME:
        return _unbeaten(tuning)
    return (
        f"{tuning.tested} was the best of {many} on the {_tuning_queries(tuning)}, where it gained {_size(gain)}; "
        f"on {_held_out_queries(tuning, held)} {_left(gain, held.improvement)}"
    )


def _unbeaten(tuning: Tuning) -> str:
    """Say that no system beat the baseline, and which came closest."""
    change = "as good" if tuning.gain >= -SAME else f"{_size(tuning.gain)} worse"
    where, others = f"beat {tuning.baseline} on the {_tuning_queries(tuning)}", len(tuning.systems) - 1
    if others == 1:
        return f"{tuning.tested} did not {where} ({change} there)"
    return f"None of the {others:,} other systems {where}; {tuning.tested} came closest ({change} there)"


def _tuning_queries(tuning: Tuning) -> str:
    whole = len(tuning.queries)
    return f"{whole:,} tuning queries" if tuning.paired == whole else f"{tuning.paired:,} of {whole:,} tuning queries"


def _held_out_queries(tuning: Tuning, held: Contrast) -> str:
    whole = len(tuning.held_out)
    few = f"{held.queries:,} of the {whole:,}" if held.queries != whole else f"the {whole:,}"
    return f"{few} held-out queries"


def _left(before: float, after: float) -> str:
    """Say what is left of a gain on queries that it was not chosen by."""
    if after <= SAME:
        return "it gained nothing" if after >= -SAME else f"it lost {_size(after)}"
    gone = 1 - after / before
    rest = f"so {percent(round(gone, 2))} of the gain vanished" if gone > SAME else "so none of the gain vanished"
    return f"it gained {_size(after)}, {rest}"


def _size(change: float) -> str:
    size = abs(change)
    return amount(size, max(3, fine(size)) if size < 1 else decimals(size))


def _times(times: float) -> str:
    """Write how many times as many, to two digits."""
    return f"{times:.2g}" if times < 100 else count(times)
