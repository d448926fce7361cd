"""The public names, for type checkers and editors.

Written by docs/generate.py from __init__.py: change that, then run it again.
"""

from idealrank.audit.attribution import Reconciliation as Reconciliation
from idealrank.audit.conventions_table import conventions_table as conventions_table
from idealrank.audit.identify import Identification as Identification, identify as identify
from idealrank.audit.reconcile import reconcile as reconcile
from idealrank.comparison.changes import (
    Change as Change,
    Changes as Changes,
    Entered as Entered,
    Kept as Kept,
    Left as Left,
    MovedDown as MovedDown,
    MovedUp as MovedUp,
)
from idealrank.comparison.compare import compare as compare, leaderboard as leaderboard
from idealrank.comparison.comparison import Comparison as Comparison
from idealrank.comparison.contrasts import Methods as Methods
from idealrank.comparison.leaderboard import Leaderboard as Leaderboard
from idealrank.comparison.overlap import overlap as overlap
from idealrank.comparison.rank_correlation import (
    RankCorrelation as RankCorrelation,
    rank_correlation as rank_correlation,
)
from idealrank.comparison.robustness import Robustness as Robustness
from idealrank.comparison.tuning import Tuning as Tuning
from idealrank.comparison.verdict.rule import Rule as Rule
from idealrank.conventions import CONVENTIONS as CONVENTIONS, Convention as Convention, conventions as conventions
from idealrank.conventions.project import project_defaults as project_defaults
from idealrank.data.judgments import Judgments as Judgments
from idealrank.data.query_sample import QuerySample as QuerySample
from idealrank.data.read import read_judgments as read_judgments, read_results as read_results
from idealrank.data.recognition.peek import Peek as Peek, peek as peek
from idealrank.data.results import Results as Results
from idealrank.data.shortcuts import (
    from_grades as from_grades,
    from_groups as from_groups,
    from_ranking as from_ranking,
)
from idealrank.data.writing.writer import Written as Written
from idealrank.decisions import Decisions as Decisions
from idealrank.display.table import Table as Table
from idealrank.doctor import Diagnosis as Diagnosis, Finding as Finding, doctor as doctor
from idealrank.engines.replay import Replay as Replay, replay as replay
from idealrank.engines.scheduler import Limits as Limits
from idealrank.errors import DataError as DataError, IdealrankError as IdealrankError, UsageError as UsageError
from idealrank.evaluation.evaluate import evaluate as evaluate, explain as explain
from idealrank.evaluation.explanation import Explanation as Explanation
from idealrank.evaluation.flavors import Flavors as Flavors, flavors as flavors
from idealrank.evaluation.ledger.ledger import Ledger as Ledger
from idealrank.evaluation.scores import Scores as Scores, read_scores as read_scores
from idealrank.evaluation.thresholds import thresholds as thresholds
from idealrank.integrations.mlflow import to_mlflow as to_mlflow
from idealrank.integrations.wandb import to_wandb as to_wandb
from idealrank.labels.agreement import Agreement as Agreement, agreement as agreement
from idealrank.labels.clicks import Clicks as Clicks, clicks as clicks
from idealrank.labels.combine import Combined as Combined, combine as combine
from idealrank.labels.judge import ModelGrades as ModelGrades, Prices as Prices, judge as judge
from idealrank.labels.label_next import LabelNext as LabelNext, label_next as label_next
from idealrank.labels.pool import pool as pool
from idealrank.labels.sampling import sample as sample, sheet as sheet
from idealrank.measures import DEFINITIONS as DEFINITIONS, Measure as Measure, measure as measure, measures as measures
from idealrank.measures.graded import ideal_dcg as ideal_dcg
from idealrank.regression.baseline import Baseline as Baseline, read_baseline as read_baseline
from idealrank.regression.bless import bless as bless
from idealrank.regression.gate import gate as gate
from idealrank.regression.history import History as History, history as history
from idealrank.regression.outcome import Gate as Gate
from idealrank.reports import plots as plots
from idealrank.reports.plots.plot import plot as plot
from idealrank.reports.report import Report as Report, report as report
from idealrank.statistics.rank_overlap import RankOverlap as RankOverlap, rbo as rbo
from idealrank.studio import RunningStudio as RunningStudio, studio as studio

__version__: str
