"""What people try on a comparison and is not there, with the call that does it; and what only other rooms read."""

INSTEAD = {
    "plot": "ir.plot(comparison)",
    "report": "ir.report(comparison)",
    "to_html": "ir.report(comparison).to_html()",
    "to_mlflow": "ir.to_mlflow(comparison)",
    "to_wandb": "ir.to_wandb(comparison)",
    "save": "ir.report(comparison).save('report.html')",
    "explain": "comparison.scores.explain('nDCG@10', 'q1', 'bm25')",
    "worst": "comparison.losses()",
    "best": "comparison.wins()",
    "gains": "comparison.wins()",
    "head": "comparison.differences.head()",
    "filter": "comparison.per_query.filter(…)",
    "significant": "comparison.verdict",
    "ci": "comparison['nDCG@10'].corrected",
    "pvalue": "comparison['nDCG@10'].p",
    "p_value": "comparison['nDCG@10'].p",
    "p_values": "comparison.differences['corrected p']",
    "pvalues": "comparison.differences['corrected p']",
    "results": "comparison.differences",
    "table": "comparison.differences",
    "winner": "comparison.verdict",
    "outcome": "comparison.verdict.outcome",
    "to_csv": "comparison.differences.to_csv() or comparison.per_query.to_csv()",
    **dict.fromkeys(("to_dataframe", "to_df", "df", "dataframe"), "comparison.to_pandas()"),
    **dict.fromkeys(("ndcg", "nDCG", "NDCG"), "comparison['nDCG@10']"),
    "to_table": "comparison.to_latex()",
}
"""What to call, by the name people try."""

OF_A_CONTRAST = {
    **dict.fromkeys(("p_value", "pvalue"), "contrast.p"),
    **dict.fromkeys(("ci", "confidence_interval"), "contrast.corrected"),
    **dict.fromkeys(("delta", "diff", "change"), "contrast.difference"),
    **dict.fromkeys(("significant", "verdict", "outcome"), "comparison.verdict"),
    "effect_size": "contrast.effect",
}
"""The same of the contrast of a comparison under one measure."""

INTERNAL = frozenset(
    {"contrasts", "key", "latency_changes", "refuse_untimed", "pairing", "segment", "shown", "unjudged"}
)
"""Attributes of a comparison that completion leaves out."""
