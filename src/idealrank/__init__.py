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
    from idealrank.audit.conventions_table import conventions_table
    from idealrank.audit.identification import Identification
    from idealrank.audit.identify import identify
    from idealrank.audit.reconcile import reconcile
    from idealrank.audit.reconciliation import Reconciliation
    from idealrank.comparison.changes import Change, Changes, Entered, Kept, Left, MovedDown, MovedUp
    from idealrank.comparison.compare import compare
    from idealrank.comparison.comparison import Comparison
    from idealrank.comparison.gate.gate import gate
    from idealrank.comparison.gate.outcome import Gate
    from idealrank.comparison.overlap import overlap
    from idealrank.comparison.robustness import Robustness
    from idealrank.comparison.rule import Rule
    from idealrank.comparison.system_ranking import RankCorrelation, rank_correlation
    from idealrank.conventions import CONVENTIONS, Convention
    from idealrank.conventions.project import project_defaults
    from idealrank.data.judgments import Judgments
    from idealrank.data.read import read_judgments, read_results
    from idealrank.data.results import Results
    from idealrank.data.shortcuts import from_grades, from_groups, from_ranking
    from idealrank.decisions import Decisions
    from idealrank.display.table import Table
    from idealrank.engines.replay import Replay, replay
    from idealrank.errors import DataError, IdealrankError, UsageError
    from idealrank.evaluation.evaluate import evaluate
    from idealrank.evaluation.explanation.explanation import Explanation, explain
    from idealrank.evaluation.flavors import Flavors, flavors
    from idealrank.evaluation.ledger.ledger import Ledger
    from idealrank.evaluation.scores import Scores
    from idealrank.measures import DEFINITIONS, Measure, measure
    from idealrank.measures.graded.best_dcg import ideal_dcg
    from idealrank.reports import plots
    from idealrank.reports.make import report
    from idealrank.reports.report import Report
    from idealrank.statistics.rank_biased_overlap import RankOverlap, rbo

_HOMES = {
    "measures.graded.best_dcg": ("ideal_dcg",),
    "data.shortcuts": ("from_grades", "from_groups", "from_ranking"),
    "comparison.changes": ("Change", "Changes", "Entered", "Kept", "Left", "MovedDown", "MovedUp"),
    "comparison.compare": ("compare",),
    "comparison.comparison": ("Comparison",),
    "statistics.rank_biased_overlap": ("RankOverlap", "rbo"),
    "comparison.robustness": ("Robustness",),
    "comparison.rule": ("Rule",),
    "comparison.system_ranking": ("RankCorrelation", "rank_correlation"),
    "conventions": ("CONVENTIONS", "Convention"),
    "decisions": ("Decisions",),
    "errors": ("DataError", "IdealrankError", "UsageError"),
    "evaluation.evaluate": ("evaluate",),
    "evaluation.explanation.explanation": ("Explanation", "explain"),
    "evaluation.flavors": ("Flavors", "flavors"),
    "comparison.gate.gate": ("gate",),
    "comparison.gate.outcome": ("Gate",),
    "audit.identification": ("Identification",),
    "audit.identify": ("identify",),
    "evaluation.ledger.ledger": ("Ledger",),
    "conventions.project": ("project_defaults",),
    "measures": ("DEFINITIONS", "Measure", "measure"),
    "comparison.overlap": ("overlap",),
    "audit.reconciliation": ("Reconciliation",),
    "audit.reconcile": ("reconcile",),
    "engines.replay": ("Replay", "replay"),
    "reports.make": ("report",),
    "reports.report": ("Report",),
    "evaluation.scores": ("Scores",),
    "audit.conventions_table": ("conventions_table",),
    "display.table": ("Table",),
    "data.judgments": ("Judgments",),
    "data.read": ("read_judgments", "read_results"),
    "data.results": ("Results",),
}
_MODULES = {"plots": "reports.plots"}
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
    "plots",
    "project_defaults",
    "rank_correlation",
    "rbo",
    "read_judgments",
    "read_results",
    "reconcile",
    "replay",
    "report",
]


def __getattr__(name: str) -> Any:
    # A submodule is never called like a public name: importing it would put the module in the name's place.
    # Names are imported when first used, so that `import idealrank` costs next to nothing.
    if name == "__version__":
        from importlib.metadata import version

        return version("idealrank")
    if name in _MODULES:
        value: Any = importlib.import_module(f"idealrank.{_MODULES[name]}")
    elif name in _HOME:
        value = getattr(importlib.import_module(f"idealrank.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'idealrank' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
