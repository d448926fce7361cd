"""What a user may write with every public name: read by type checkers in strict mode, never run."""

from pathlib import Path

import idealrank as ir

judgments: dict[str, dict[str, int]] = {"q1": {"a": 3, "b": 1}}
results = {"bm25": {"q1": {"a": 2.0}}, "hybrid": {"q1": {"b": 2.0}}}

# Evaluate, and look at it.
scores: ir.Scores = ir.evaluate(judgments, results, ["nDCG@10", ir.measure("RR")], gain="exp2", ties="average")
mean: float = scores["nDCG@10", "bm25"]
also: float = scores.mean("RR", "bm25")
ledger: ir.Ledger = scores.ledger
print(ledger.line, ledger.notes, ledger.warnings, ledger.queries, ledger.exceptions, ledger.per_measure, ledger.judged)
table: ir.Table = scores.means
for row in table:
    print(row["measure"], row)
for row in scores.worst(5, "nDCG@10", "bm25").head(3).filter(query="q1"):
    print(row)
print(
    table.columns, table["measure"], len(table), table.to_dict(), table.to_csv(), table.to_json(), table.to_markdown()
)
print(scores.best(3), scores.describe(by="segment"), scores.per_query, scores.to_dict()["means"], scores.to_json())
print(scores.measures, scores.systems, scores.queries, scores.values.shape, scores.setting, scores.lost_value())
explanation: ir.Explanation = scores.explain("nDCG@10", "q1", "bm25")
print(explanation.steps, explanation.ideal, explanation.score, explanation.notes, explanation.query)
print(scores.steps("nDCG@10", "q1", "bm25")["contribution"], ir.thresholds(scores, "RR"))
again = ir.explain(judgments, results, "RR", query="q1", system="bm25", unjudged="filter")
flavors: ir.Flavors = ir.flavors(judgments, results["bm25"], k=10)
for name, meaning in flavors.meanings.items():
    print(name, meaning, flavors[name]["q1"], flavors[name, "bm25"], flavors.table, flavors.means)

# Compare, and decide.
comparison: ir.Comparison = ir.compare(scores, test="wilcoxon", rule="not_worse", margin=0.01)
verdict = comparison.verdict
print(verdict.outcome, verdict.sentence, verdict["hybrid"].reason, list(verdict))
contrast = comparison["nDCG@10"]
print(contrast.p, contrast.corrected.low, contrast.difference, comparison.differences["difference"])
print(comparison.losses(3), comparison.wins(3), comparison.to_judge(3), comparison.lost_value(3), comparison.means)
print(comparison.to_dict()["verdicts"], comparison.to_json(), comparison.to_junit(), comparison.to_latex())
changes: ir.Changes = comparison.changes("q1")
for change in changes:
    print(change)
    match change:
        case ir.Entered() | ir.Left() | ir.Kept():
            print(change.doc)
        case ir.MovedUp() | ir.MovedDown():
            print(change.doc)
        case _:
            pass
robustness: ir.Robustness = comparison.robustness
print(robustness, comparison.scores, comparison.holes, comparison.segments, comparison.tuning, comparison.ledger)
rule: ir.Rule = comparison.rule
methods: ir.Methods = comparison.methods
again = ir.compare(judgments, results, ["nDCG@10"], rule=rule, methods=methods)
tuning: ir.Tuning | None = comparison.tuning
kinds: tuple[type[ir.Change], ...] = (ir.Entered, ir.Left)
next_labels: ir.LabelNext = ir.label_next(judgments, results, "nDCG@10", order="random", rows=20, seed=1)
print(next_labels.rows["doc"], next_labels.left, next_labels.certain, next_labels.likely, next_labels.error_measured)
outcome: ir.Gate = ir.gate(judgments, results["hybrid"], results["bm25"], fail_if="nDCG@10 drops 0.01")
print(outcome.passed, outcome.to_json(), outcome.to_markdown(), outcome.to_junit(), outcome.to_dict())
ir.bless(scores, "base.json")
baseline: ir.Baseline = ir.read_baseline("base.json")
scores.save("monday.scores")
monday: ir.Scores = ir.read_scores("monday.scores")
print(baseline.system, baseline.mean("nDCG@10"), ir.gate(judgments, baseline, results["bm25"], tolerance=0.02).passed)
history: ir.History = ir.history({"2026-11-01": results, "2026-11-08": results}, judgments=judgments)
print(history.table, history.to_json(), history.to_markdown())
board: ir.Leaderboard = ir.leaderboard(scores)
print(board.sentence, board.best, board.table["best rank"], board.to_latex(), comparison.leaderboard.to_csv())
shared: ir.Table = ir.overlap(results["bm25"], results["hybrid"])
correlation: ir.RankCorrelation = ir.rank_correlation(scores)
overlap: ir.RankOverlap = ir.rbo(["a", "b"], ["b", "a"])
print(correlation, overlap)

# Show, keep, send on.
report: ir.Report = ir.report(comparison, title="Shoes")
saved: Path = report.save("report.html")
print(report.to_html(), report.to_dict()["summary"], report.to_markdown(), report.summary["headline"], report.ledger)
figure = ir.plot(comparison)
ir.plots.means(scores)
ir.plots.differences(comparison)
run_ids: list[str] = [ir.to_mlflow(scores), ir.to_wandb(comparison)]

# Labels: clicks as a rater, one grade of several ratings.
clicked: ir.Clicks = ir.clicks("log.csv", model="pbm", minimum=100, session="visit")
attention: ir.Table = clicked.positions
print(clicked.table.to_csv(), attention, clicked.judgments, clicked.notes)
combined: ir.Combined = ir.combine("ratings.csv", "weighted", weights={"ana": 2, "ben": 1})
print(combined.table, combined.raters, combined.judgments)

# Read, recognise, write.
read: ir.Judgments = ir.read_judgments("judgments.csv", query="q", doc="d", grade="g")
found: ir.Results = ir.read_results("bm25.run")
written: ir.Written = found.write("bm25.csv")
print(read.write("qrels.txt"), written)
peeked: ir.Peek = ir.peek("judgments.csv")
print(peeked.to_dict(), peeked.to_json())
pairs = (ir.from_grades([3, 0]), ir.from_groups([1, 0], [2.0, 1.0]), ir.from_ranking(["a"], {"a": 1}))
diagnosis: ir.Diagnosis = ir.doctor(judgments, results)
running: ir.RunningStudio = ir.studio(comparison)
print(running.address, running.stop())
findings: list[ir.Finding] = list(diagnosis.findings)
limits: ir.Limits = ir.Limits(concurrency=2)
replayed: ir.Replay = ir.replay("queries.csv", "sqlite:products.csv?template=all.sql", k=10, limits=limits)
print(replayed, findings)
graded: ir.ModelGrades = ir.judge(
    "pairs.csv", ask=lambda prompt: '{"grade": 1}', twice=0.05, prices=ir.Prices(1.0, 4.0)
)
by_model: ir.Judgments = graded.judgments
print(graded.counts, graded.cost, by_model)

# Raters, and what to judge.
agreed: ir.Agreement = ir.agreement({"ana": judgments, "ben": judgments}, scale="interval")
print(agreed["alpha"], agreed.by_pair, agreed.to_dict()["findings"])
drawn: ir.QuerySample = ir.sample("queries.csv", 50, strata="segment", changed=results)
pool: ir.Table = ir.pool([results], k=5)
sheet: ir.Table = ir.sheet(drawn, results, k=5)
print(
    drawn.drawn,
    len(sheet),
    len(pool),
    ir.compare(judgments, results, judge=judgments, sampled=drawn, target="these").calibration,
)

# Measures, conventions, decisions.
measure: ir.Measure = ir.measure("nDCG@10")
names = [str(each) for each in ir.measures()]
best: float = ir.ideal_dcg(k=10, max_grade=3)
convention: ir.Convention = ir.CONVENTIONS["sklearn"]
print(convention.answers, [each.name for each in ir.DEFINITIONS], list(ir.conventions()), ir.project_defaults())
decisions: ir.Decisions = measure.decisions
print(decisions.gain, measure.fingerprint, names)
identified: ir.Identification = ir.identify(judgments, results["bm25"], {"nDCG@10": 0.75})
reconciled: ir.Reconciliation = ir.reconcile(judgments, results["bm25"], "nDCG@10", "sklearn", "catboost")
print(identified.to_dict(), reconciled.to_dict(), ir.conventions_table(judgments, results["bm25"], "nDCG@10"))

try:
    ir.evaluate("missing.csv", "missing.run")
except (ir.DataError, ir.UsageError) as error:
    base: ir.IdealrankError = error
    print(base)
