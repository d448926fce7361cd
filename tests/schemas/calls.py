"""A call, or several, for each schema: the words of the command line that print it."""

from __future__ import annotations

ONE = ("judgments.csv", "a.csv", "-m", "nDCG@10", "-m", "RR")
TWO = ("judgments.csv", "a.csv", "b.csv", "-m", "nDCG@10", "-m", "RR")
WEIGHTS = ("--weight", "judgments.csv=2", "--weight", "rated.csv=1")
SWEEP = ("judgments.csv", "runs", "-m", "RR", "--baseline", "q boost=1")
TABLE = ("--queries-table", "queries.csv")
LOSING = (*TABLE, "--lost-value", "5")
READING = ("evaluate", "judgments.csv", "a.csv", "b.csv", "-m", "GradedRBP(p=0.5)", "-m", "RR", "--reading")
KEPT = ("gate", "judgments.csv", "a.csv", "--failed", "0", "--baseline")
BLESSED = ("-m", "nDCG@10", "-m", "RR", "--bless")
DATED = ("--judgments", "judgments.csv", "-m", "nDCG@10", "-m", "RR")
GATE = ("--fail-if", "nDCG@10 drops 0.01", "--min", "RR>=0.1", "--max-unjudged", "0.5", "--min", "latency_p95<=+10%")

CALLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "peek": (("peek", "judgments.csv", "a.csv", "queries.csv"), ("peek", "base.json")),
    "evaluate": (("evaluate", *ONE), ("evaluate", *TWO, *TABLE, "--weights", "frequency")),
    "evaluate-per-query": (("evaluate", *TWO, "--per-query"),),
    "evaluate-describe": (("evaluate", *ONE, "--describe"), ("evaluate", *TWO, "--describe")),
    "evaluate-by": (("evaluate", *TWO, *TABLE, "--by", "segment"),),
    "evaluate-worst": (("evaluate", *ONE, *TABLE, "--worst", "3"),),
    "evaluate-best": (("evaluate", *TWO, "--best", "3"),),
    "evaluate-lost-value": (("evaluate", *TWO, *LOSING),),
    "evaluate-by-document": (("evaluate", *TWO, "--documents", "documents.csv", "--by-document", "type"),),
    "evaluate-tie-range": (("evaluate", *TWO, "--tie-range"),),
    "evaluate-reading": (READING,),
    "evaluate-latency": (("evaluate", *TWO, "--latency"),),
    "evaluate-ledger": (("evaluate", *TWO, "--ledger"),),
    "compare": (
        ("compare", *TWO),
        ("compare", *TWO, *TABLE, "--weights", "frequency", "--segments", "segment", "--tolerance", "RR=0.5"),
        ("compare", *SWEEP, "--hold-out", "0.5"),
        ("compare", "judgments.csv", "runs", "-m", "RR"),
    ),
    "compare-per-query": (("compare", *TWO, *TABLE, "--segments", "segment", "--segments", "length", "--per-query"),),
    "compare-wins": (("compare", *TWO, *TABLE, "--segments", "segment", "--weights", "frequency", "--wins", "3"),),
    "compare-losses": (("compare", *TWO, "--losses", "3"),),
    "compare-to-judge": (("compare", *TWO, *TABLE, "--to-judge", "5"),),
    "compare-changes": (("compare", *TWO, "--changes", "q01"), ("compare", *SWEEP, "--changes", "q01")),
    "compare-latency": (("compare", *TWO, "--latency"),),
    "compare-robustness": (("compare", *TWO, "--robustness"), ("compare", *SWEEP, "--robustness")),
    "compare-lost-value": (("compare", *TWO, *LOSING),),
    "compare-grid": (("compare", *SWEEP, "--grid"), ("compare", "judgments.csv", "runs", "-m", "RR", "--grid")),
    "compare-tuning": (("compare", *SWEEP, "--hold-out", "0.5", "--tuning"),),
    "compare-by-segment": (("compare", *TWO, *TABLE, "--segments", "segment", "--by-segment"),),
    "leaderboard": (
        ("leaderboard", *TWO),
        ("leaderboard", *TWO, *TABLE, "--weights", "frequency"),
        ("leaderboard", "judgments.csv", "runs", "-m", "RR"),
    ),
    "studio": (("studio", *TWO[:3], "--db", "schema.db", "--rescore"),),
    "history": (
        ("history", "nightly", *DATED),
        ("history", "a.csv", "b.csv", *DATED),
        ("history", "base.json", "2026-11-02.json", "-m", "RR"),
        ("history", "systems", *DATED),
    ),
    "gate": (
        ("gate", "judgments.csv", "a.csv", "b.csv", *GATE),
        ("gate", "judgments.csv", "b.csv", "--min", "RR>=0.9"),
    ),
    "gate-baseline": (
        (*KEPT, "base.json"),
        (*KEPT, "base.json", *TABLE, "--min", "RR>=0.1", "--max-unjudged", "0.5", "--strict"),
    ),
    "gate-baseline-bless": ((*KEPT, "new/base.json", *BLESSED), (*KEPT, "2026-11-02.json", *BLESSED)),
    "report": (("report", *TWO, *TABLE, "--documents", "documents.csv"), ("report", *ONE), ("report", *SWEEP)),
    "explain": (
        ("explain", "judgments.csv", "a.csv", "-m", "nDCG@10", "--query", "q01"),
        ("explain", "judgments.csv", "a.csv", "-m", "RR", "--query", "q06"),
        ("explain", "judgments.csv", "a.csv", "-m", "AP", "--query", "q01", "--ties", "average"),
    ),
    "flavors": (("flavors", "judgments.csv", "a.csv", "-k", "10"), ("flavors", "judgments.csv", "a.csv", "b.csv")),
    "flavors-per-query": (("flavors", "judgments.csv", "a.csv", "b.csv", "--per-query"),),
    "overlap": (("overlap", "a.csv", "b.csv"),),
    "agreement": (
        ("agreement", "judgments.csv", "rated.csv"),
        ("agreement", "judgments.csv", "rated.csv", "--results", "a.csv", "--results", "b.csv"),
    ),
    "combine": (
        ("combine", "judgments.csv", "rated.csv", "--copies", "keep"),
        ("combine", "judgments.csv", "rated.csv", "--rule", "weighted", *WEIGHTS),
    ),
    "sample": (("sample", "queries.csv", "-n", "2", "--changed", "a.csv", "b.csv"),),
    "pool": (("pool", "a.csv", "b.csv"), ("pool", "a.csv", "b.csv", "-k", "1", "--queries-table", "queries.csv")),
    "clicks": (
        ("clicks", "clicks.csv", "--minimum", "1"),
        ("clicks", "clicks.csv", "--minimum", "1", "--model", "sdbn"),
    ),
    "label-next": (
        ("label-next", *TWO[:5], *TABLE, "--documents", "documents.csv"),
        ("label-next", *TWO[:3], "-m", "AP@10", "--order", "random"),
    ),
    "doctor": (("doctor", "judgments.csv", "a.csv"),),
    "measures": (("measures",),),
    "measures-name": (("measures", "nDCG"),),
    "reconcile": (("reconcile", "judgments.csv", "a.csv", "-m", "nDCG@10", "idealrank-1", "sklearn"),),
    "identify": (("identify", "judgments.csv", "a.csv", "nDCG@10=0.5"),),
    "conventions": (("conventions",),),
    "conventions-name": (("conventions", "trec_eval-9.0.8, no_results=0"), ("conventions", "sklearn")),
    "conventions-judgments-results": (("conventions", "judgments.csv", "a.csv", "-m", "nDCG@10"),),
    "judge": (
        ("judge", "pairs.csv", "--model", "m", "--base-url", "python:grader:grade", "-o", "g.jsonl", "--twice", "50%"),
    ),
    "replay": (("replay", "queries.csv", "sqlite:documents.csv", "-o", "replayed"),),
}

WRITES: dict[str, tuple[tuple[str, ...], str]] = {
    "baseline": ((*KEPT, "written/base.json", *TABLE, "--weights", "frequency", *BLESSED), "written/base.json"),
    "replay-record": (("replay", "queries.csv", "sqlite:documents.csv", "-o", "asked"), "asked/replay/documents.json"),
}
"""A call for each schema of a file, and the file that it writes."""
