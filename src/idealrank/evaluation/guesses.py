"""What people try on scores and is not there, with the call that does it; and what only other rooms read."""

INSTEAD = {
    "compare": "ir.compare(scores)",
    "plot": "ir.plot(scores)",
    "report": "ir.report(scores)",
    "to_html": "ir.report(scores).to_html()",
    "to_mlflow": "ir.to_mlflow(scores)",
    "to_wandb": "ir.to_wandb(scores)",
    "save": "ir.report(scores).save('report.html')",
    "summary": "scores.describe()",
    "head": "scores.per_query.head()",
    "filter": "scores.per_query.filter(…)",
    "scores": "scores.per_query",
    "results": "scores.per_query",
    "mean_scores": "scores.means",
    "to_csv": "scores.means.to_csv() or scores.per_query.to_csv()",
    "to_polars": "scores.means.to_polars() or scores.per_query.to_polars()",
    **dict.fromkeys(("to_dataframe", "to_df", "df", "dataframe"), "scores.to_pandas()"),
    **dict.fromkeys(("ndcg", "nDCG", "NDCG"), "scores['nDCG@10']"),
    **dict.fromkeys(("map", "MAP", "AP"), "scores['AP']"),
    **dict.fromkeys(("mrr", "MRR", "RR"), "scores['RR']"),
    "help": "help(ir.Scores)",
    "to_latex": "ir.compare(scores).to_latex()",
    "query": "scores.per_query.filter(query='q1')",
    "get": "scores['nDCG@10']",
    **dict.fromkeys(("shape", "columns", "iloc", "loc"), "scores.per_query.to_pandas()"),
    "sort_values": "scores.worst()",
    "losses": "ir.compare(scores).losses()",
    "wins": "ir.compare(scores).wins()",
    "verdict": "ir.compare(scores).verdict",
}
"""What to call, by the name people try."""

INTERNAL = frozenset(
    {"account", "all_means", "average", "from_values", "in_scope", "labels", "meetings", "met", "met_for"}
    | {"of_systems", "place_of", "shown", "states", "system_place", "system_places", "unjudged_queries"}
)
"""Attributes of scores that completion leaves out."""
