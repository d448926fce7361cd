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
    from idealrank.audit.conventions_table import conventions_table as conventions_table
    from idealrank.audit.identification import Identification as Identification
    from idealrank.audit.identify import identify as identify
    from idealrank.audit.reconcile import reconcile as reconcile
    from idealrank.audit.reconciliation import Reconciliation as Reconciliation
    from idealrank.comparison.changes import (
        Change as Change,
        Changes as Changes,
        Entered as Entered,
        Kept as Kept,
        Left as Left,
        MovedDown as MovedDown,
        MovedUp as MovedUp,
    )
    from idealrank.comparison.compare import compare as compare
    from idealrank.comparison.comparison import Comparison as Comparison
    from idealrank.comparison.gate.gate import gate as gate
    from idealrank.comparison.gate.outcome import Gate as Gate
    from idealrank.comparison.overlap import overlap as overlap
    from idealrank.comparison.robustness import Robustness as Robustness
    from idealrank.comparison.rule import Rule as Rule
    from idealrank.comparison.system_ranking import (
        RankCorrelation as RankCorrelation,
        rank_correlation as rank_correlation,
    )
    from idealrank.conventions import CONVENTIONS as CONVENTIONS, Convention as Convention
    from idealrank.conventions.project import project_defaults as project_defaults
    from idealrank.data.judgments import Judgments as Judgments
    from idealrank.data.read import read_judgments as read_judgments, read_results as read_results
    from idealrank.data.results import Results as Results
    from idealrank.data.shortcuts import (
        from_grades as from_grades,
        from_groups as from_groups,
        from_ranking as from_ranking,
    )
    from idealrank.decisions import Decisions as Decisions
    from idealrank.display.table import Table as Table
    from idealrank.engines.replay import Replay as Replay, replay as replay
    from idealrank.errors import DataError as DataError, IdealrankError as IdealrankError, UsageError as UsageError
    from idealrank.evaluation.evaluate import evaluate as evaluate
    from idealrank.evaluation.explain import explain as explain
    from idealrank.evaluation.explanation.explanation import Explanation as Explanation
    from idealrank.evaluation.flavors import Flavors as Flavors, flavors as flavors
    from idealrank.evaluation.ledger.ledger import Ledger as Ledger
    from idealrank.evaluation.scores import Scores as Scores
    from idealrank.measures import DEFINITIONS as DEFINITIONS, Measure as Measure, measure as measure
    from idealrank.measures.graded.best_dcg import ideal_dcg as ideal_dcg
    from idealrank.reports import plots as plots
    from idealrank.reports.make import report as report
    from idealrank.reports.report import Report as Report
    from idealrank.statistics.rank_biased_overlap import RankOverlap as RankOverlap, rbo as rbo

_HOMES = {
    "audit.conventions_table": ("conventions_table",),
    "audit.identification": ("Identification",),
    "audit.identify": ("identify",),
    "audit.reconcile": ("reconcile",),
    "audit.reconciliation": ("Reconciliation",),
    "comparison.changes": ("Change", "Changes", "Entered", "Kept", "Left", "MovedDown", "MovedUp"),
    "comparison.compare": ("compare",),
    "comparison.comparison": ("Comparison",),
    "comparison.gate.gate": ("gate",),
    "comparison.gate.outcome": ("Gate",),
    "comparison.overlap": ("overlap",),
    "comparison.robustness": ("Robustness",),
    "comparison.rule": ("Rule",),
    "comparison.system_ranking": ("RankCorrelation", "rank_correlation"),
    "conventions": ("CONVENTIONS", "Convention"),
    "conventions.project": ("project_defaults",),
    "data.judgments": ("Judgments",),
    "data.read": ("read_judgments", "read_results"),
    "data.results": ("Results",),
    "data.shortcuts": ("from_grades", "from_groups", "from_ranking"),
    "decisions": ("Decisions",),
    "display.table": ("Table",),
    "engines.replay": ("Replay", "replay"),
    "errors": ("DataError", "IdealrankError", "UsageError"),
    "evaluation.evaluate": ("evaluate",),
    "evaluation.explain": ("explain",),
    "evaluation.explanation.explanation": ("Explanation",),
    "evaluation.flavors": ("Flavors", "flavors"),
    "evaluation.ledger.ledger": ("Ledger",),
    "evaluation.scores": ("Scores",),
    "measures": ("DEFINITIONS", "Measure", "measure"),
    "measures.graded.best_dcg": ("ideal_dcg",),
    "reports.make": ("report",),
    "reports.report": ("Report",),
    "statistics.rank_biased_overlap": ("RankOverlap", "rbo"),
}
_MODULES = {"plots": "reports.plots"}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME, *_MODULES])


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
