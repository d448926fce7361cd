"""What was rolled up to units, in words of the ledger."""

from idealrank.decisions import Decisions
from idealrank.errors import plural


def merged_judgments(merged: int, units: int, decisions: Decisions) -> str:
    """Say how many judgments of parts became others' of the same unit."""
    combined = f", combined by {decisions.raters}" if decisions.unit_grade == "raters" else ""
    how = f"(unit_grade={decisions.unit_grade}{combined})"
    return f"{plural(merged, 'judgment')} merged with others of the same unit; {plural(units, 'unit')} judged {how}"


def rolled_up(kept: int, merged: int, decisions: Decisions) -> str:
    """Say how many results are parts of units that stand elsewhere, and what becomes of them; `kept` units are left."""
    repeat = "repeats a unit" if merged == 1 else "repeat a unit"
    keeps, takes = ("keeps its rank", "takes") if merged == 1 else ("keep their ranks", "take")
    fate = f"{keeps} and {'earns' if merged == 1 else 'earn'} nothing"
    fate = fate if decisions.counts == "returned" else f"{takes} no rank"
    how = f"roll_up={decisions.text('roll_up')}, counts={decisions.counts}"
    return f"{plural(merged + kept, 'result')} of {plural(kept, 'unit')}: {merged} {repeat} and {fate} ({how})"
