"""idealrank: offline relevance evaluation for search, recommendation and RAG.

From judgments and ranked results to numbers whose every decision is named.

>>> import idealrank as ir
>>> scores = ir.evaluate({"q": {"d1": 3, "d2": 1}}, {"q": {"d2": 2.0, "d1": 1.0}}, ["nDCG@10"])
>>> round(scores["nDCG@10"], 4)
0.7967
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from idealrank.best_dcg import ideal_dcg
    from idealrank.build import from_grades, from_groups, from_ranking
    from idealrank.comparison.changes import Change, Changes, Entered, Kept, Left, MovedDown, MovedUp
    from idealrank.comparison.comparing import compare
    from idealrank.comparison.outcome import Comparison
    from idealrank.comparison.rankings.rank_overlap import RankOverlap, rbo
    from idealrank.comparison.rankings.system_ranking import RankCorrelation, rank_correlation
    from idealrank.comparison.robustness import Robustness
    from idealrank.comparison.rule import Rule
    from idealrank.conventions import CONVENTIONS, Convention
    from idealrank.decisions import Decisions
    from idealrank.errors import DataError, IdealrankError, UsageError
    from idealrank.evaluation import evaluate
    from idealrank.explanation import Explanation, explain
    from idealrank.flavor import Flavors, flavors
    from idealrank.gating.gating import gate
    from idealrank.gating.outcome import Gate
    from idealrank.identification import Identification
    from idealrank.identifying import identify
    from idealrank.ledger import Ledger
    from idealrank.measures import DEFINITIONS, Measure, measure
    from idealrank.overlaps import overlap
    from idealrank.project import project_defaults
    from idealrank.reconciliation import Reconciliation
    from idealrank.reconciling import reconcile
    from idealrank.replaying import Replay, replay
    from idealrank.reporting.report import Report
    from idealrank.scores import Scores
    from idealrank.side_by_side import conventions_table
    from idealrank.table import Table
    from idealrank.tables import Judgments, Results, read_judgments, read_results

__version__ = "0.1.0"

_HOMES = {
    "best_dcg": ("ideal_dcg",),
    "build": ("from_grades", "from_groups", "from_ranking"),
    "comparison.changes": ("Change", "Changes", "Entered", "Kept", "Left", "MovedDown", "MovedUp"),
    "comparison.comparing": ("compare",),
    "comparison.outcome": ("Comparison",),
    "comparison.rankings.rank_overlap": ("RankOverlap", "rbo"),
    "comparison.robustness": ("Robustness",),
    "comparison.rule": ("Rule",),
    "comparison.rankings.system_ranking": ("RankCorrelation", "rank_correlation"),
    "conventions": ("CONVENTIONS", "Convention"),
    "decisions": ("Decisions",),
    "errors": ("DataError", "IdealrankError", "UsageError"),
    "evaluation": ("evaluate",),
    "explanation": ("Explanation", "explain"),
    "flavor": ("Flavors", "flavors"),
    "gating.gating": ("gate",),
    "gating.outcome": ("Gate",),
    "identification": ("Identification",),
    "identifying": ("identify",),
    "ledger": ("Ledger",),
    "project": ("project_defaults",),
    "measures": ("DEFINITIONS", "Measure", "measure"),
    "overlaps": ("overlap",),
    "reconciliation": ("Reconciliation",),
    "reconciling": ("reconcile",),
    "replaying": ("Replay", "replay"),
    "reporting.report": ("Report",),
    "scores": ("Scores",),
    "side_by_side": ("conventions_table",),
    "table": ("Table",),
    "tables": ("Judgments", "Results", "read_judgments", "read_results"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CONVENTIONS",
    "DEFINITIONS",
    "Change",
    "Changes",
    "Comparison",
    "Convention",
    "DataError",
    "Decisions",
    "Entered",
    "Explanation",
    "Flavors",
    "Gate",
    "IdealrankError",
    "Identification",
    "Judgments",
    "Kept",
    "Ledger",
    "Left",
    "Measure",
    "MovedDown",
    "MovedUp",
    "RankCorrelation",
    "RankOverlap",
    "Reconciliation",
    "Replay",
    "Report",
    "Results",
    "Robustness",
    "Rule",
    "Scores",
    "Table",
    "UsageError",
    "compare",
    "conventions_table",
    "evaluate",
    "explain",
    "flavors",
    "from_grades",
    "from_groups",
    "from_ranking",
    "gate",
    "ideal_dcg",
    "identify",
    "measure",
    "overlap",
    "project_defaults",
    "rank_correlation",
    "rbo",
    "read_judgments",
    "read_results",
    "reconcile",
    "replay",
]


def __getattr__(name: str) -> Any:
    # A submodule is never called like a public name: importing it would put the module in the name's place.
    # Names are imported when first used, so that `import idealrank` costs next to nothing.
    if name not in _HOME:
        raise AttributeError(f"module 'idealrank' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"idealrank.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
