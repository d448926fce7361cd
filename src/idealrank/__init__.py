"""idealrank: offline relevance evaluation for search, recommendation and RAG.

From judgments and ranked results to numbers whose every decision is named.

>>> import idealrank as ir
>>> scores = ir.evaluate({"q": {"d1": 3, "d2": 1}}, {"q": {"d2": 2.0, "d1": 1.0}}, ["nDCG@10"])
>>> round(scores["nDCG@10"], 4)
0.7967
"""

import typing as _typing

_HOMES = {
    "audit.attribution": ("Reconciliation",),
    "audit.conventions_table": ("conventions_table",),
    "audit.identify": ("Identification", "identify"),
    "audit.reconcile": ("reconcile",),
    "comparison.changes": ("Change", "Changes", "Entered", "Kept", "Left", "MovedDown", "MovedUp"),
    "comparison.compare": ("compare", "leaderboard"),
    "comparison.comparison": ("Comparison",),
    "comparison.contrasts": ("Methods",),
    "comparison.leaderboard": ("Leaderboard",),
    "comparison.overlap": ("overlap",),
    "comparison.rank_correlation": ("RankCorrelation", "rank_correlation"),
    "comparison.robustness": ("Robustness",),
    "comparison.tuning": ("Tuning",),
    "comparison.verdict.rule": ("Rule",),
    "conventions": ("CONVENTIONS", "Convention", "conventions"),
    "conventions.project": ("project_defaults",),
    "data.judgments": ("Judgments",),
    "data.query_sample": ("QuerySample",),
    "data.read": ("read_judgments", "read_results"),
    "data.recognition.peek": ("Peek", "peek"),
    "data.results": ("Results",),
    "data.shortcuts": ("from_grades", "from_groups", "from_ranking"),
    "data.writing.writer": ("Written",),
    "decisions": ("Decisions",),
    "display.table": ("Table",),
    "doctor": ("Diagnosis", "Finding", "doctor"),
    "engines.replay": ("Replay", "replay"),
    "engines.scheduler": ("Limits",),
    "errors": ("DataError", "IdealrankError", "UsageError"),
    "evaluation.evaluate": ("evaluate", "explain"),
    "evaluation.explanation": ("Explanation",),
    "evaluation.flavors": ("Flavors", "flavors"),
    "evaluation.ledger.ledger": ("Ledger",),
    "evaluation.scores": ("Scores", "read_scores"),
    "evaluation.thresholds": ("thresholds",),
    "integrations.mlflow": ("to_mlflow",),
    "integrations.wandb": ("to_wandb",),
    "labels.agreement": ("Agreement", "agreement"),
    "labels.clicks": ("Clicks", "clicks"),
    "labels.combine": ("Combined", "combine"),
    "labels.judge": ("ModelGrades", "Prices", "judge"),
    "labels.label_next": ("LabelNext", "label_next"),
    "labels.pool": ("pool",),
    "labels.sampling": ("sample", "sheet"),
    "measures": ("DEFINITIONS", "Measure", "measure", "measures"),
    "measures.graded": ("ideal_dcg",),
    "regression.baseline": ("Baseline", "read_baseline"),
    "regression.bless": ("bless",),
    "regression.gate": ("gate",),
    "regression.history": ("History", "history"),
    "regression.outcome": ("Gate",),
    "reports": ("plots",),
    "reports.plots.plot": ("plot",),
    "reports.report": ("Report", "report"),
    "statistics.rank_overlap": ("RankOverlap", "rbo"),
    "studio": ("RunningStudio", "studio"),
}
_EVALUATE = "ir.evaluate(judgments, results)"
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)

_INSTEAD = {
    **dict.fromkeys(("Qrels", "load_qrels", "read_qrels", "read_trec_qrels"), "ir.read_judgments('qrels.txt')"),
    **dict.fromkeys(("Run", "load_run", "read_run", "read_runs", "read_trec_run"), "ir.read_results('bm25.run')"),
    **dict.fromkeys(("from_dict", "from_df", "from_pandas", "from_file", "load", "read"), _EVALUATE),
    **dict.fromkeys(("evaluator", "calc_aggregate", "score", "calculate", "iter_calc"), _EVALUATE),
    **dict.fromkeys(("ndcg", "nDCG", "NDCG", "ndcg_score", "dcg_score", "ndcg_at_k"), f"{_EVALUATE}['nDCG@10']"),
    **dict.fromkeys(("mrr", "MRR", "RR", "reciprocal_rank"), f"{_EVALUATE}['RR']"),
    **dict.fromkeys(("map", "MAP", "AP", "average_precision"), f"{_EVALUATE}['AP']"),
    **dict.fromkeys(("precision", "P", "precision_at_k"), f"{_EVALUATE}['P@10']"),
    **dict.fromkeys(("recall", "R", "recall_at_k"), f"{_EVALUATE}['R@100']"),
    **dict.fromkeys(("RelevanceEvaluator", "supported_measures"), "idealrank.integrations.pytrec_eval"),
    **dict.fromkeys(("metrics", "list_measures", "available_measures"), "ir.measures()"),
    **dict.fromkeys(("ttest", "ttest_rel", "significance", "compare_runs"), "ir.compare(judgments, [first, second])"),
    **dict.fromkeys(("to_html", "save_report", "html"), "ir.report(scores).save('report.html')"),
    **dict.fromkeys(("fuse", "fusion", "rrf"), "a few lines of your own: docs/compare.md fuses two rankings"),
    "help": "help(ir.evaluate), or `idealrank --help`",
    "parse_measure": "ir.measure('nDCG@10')",
}
"""What other libraries call it, and what to call here."""


def __getattr__(name: str) -> _typing.Any:
    # A submodule called like a public name takes the name's place when it is imported, so it is callable itself.
    # Names are imported when first used, so that `import idealrank` costs next to nothing.
    if name == "__version__":
        from importlib import metadata

        return metadata.version("idealrank")
    from importlib import import_module

    if name not in _HOME:
        from idealrank.display.document import no_attribute

        hidden = name.startswith("_")
        meant = _INSTEAD if hidden else {**_measure_called(name), **_INSTEAD}
        raise no_attribute("idealrank", name, meant, () if hidden else sorted(__all__, key=str.swapcase))
    home = import_module(f"idealrank.{_HOME[name]}")
    if name not in globals():  # importing a package called like it has put that here
        globals()[name] = getattr(home, name) if hasattr(home, name) else import_module(f"{home.__name__}.{name}")
    return globals()[name]


def _measure_called(name: str) -> dict[str, str]:
    """Return the call that computes a measure of this name; nothing where there is none."""
    from idealrank.errors import UsageError
    from idealrank.measures import parse

    try:
        found = parse(name)[0]
    except UsageError:
        return {}
    written = found.name if found.cutoff else found.definition.written.replace("@k", "@10")
    return {name: f"ir.evaluate(judgments, results, [{written!r}])"}


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
