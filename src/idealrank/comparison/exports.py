"""A comparison as other programs take it: Markdown for a pull request, JUnit XML for a build server."""

from collections.abc import Iterable, Iterator

from idealrank.comparison.findings import Findings
from idealrank.comparison.moves import LEGEND, losses_text, losses_with_moves
from idealrank.comparison.roles import GUARDS
from idealrank.comparison.rule import CANT_TELL, DONT
from idealrank.comparison.shown import choice, difference_columns, latency_grids, notes
from idealrank.display.grid import Column
from idealrank.display.junit import Case
from idealrank.display.markdown import bullets, code, columns_markdown, columns_written, markdown, plain
from idealrank.display.numbers import number_text
from idealrank.display.table import Table
from idealrank.errors import plural
from idealrank.evaluation.latency import unit_doubts

WORST = 10
"""Queries shown that lose most."""

MOST_PAIRS = 5
"""Pairs of systems whose queries are shown."""


def comparison_markdown(findings: Findings) -> str:
    """Write the verdicts, the differences, the grid, and for each system the queries that lose most, with moves."""
    verdicts = findings.verdict
    sentences = (
        f"- **{plain(v.system)}** instead of {plain(v.baseline)}: {plain(v.sentence)}" for v in verdicts.values()
    )
    board = markdown(findings.leaderboard.shown()[:1]).rstrip() if findings.many else ""
    parts = [
        "## Comparison",
        *(f"> **Warning:** {plain(text)}" for text in findings.warnings),
        board or "\n".join(sentences),
    ]
    parts += [columns_markdown(difference_columns(findings, list(findings.contrasts.values())))]
    chosen = choice(findings)
    parts += [markdown(chosen).rstrip()] if chosen else []
    parts += [columns_markdown(grid.columns) for grid in latency_grids(findings)]
    for name in list(verdicts)[:MOST_PAIRS]:
        parts += losses_markdown(losses_with_moves(findings, WORST, system=name), findings, name)
    if len(verdicts) > MOST_PAIRS:
        parts.append(f"Queries of {plural(len(verdicts) - MOST_PAIRS, 'more pair')} are left out.")
    foot = [("rule", next(iter(verdicts.values())).rule), *evidence_rows(findings)]
    return "\n\n".join([*parts, bullets(foot)]) + "\n"


def losses_markdown(losses: Table, findings: Findings, system: str) -> list[str]:
    """Write the queries that lose most, under a heading."""
    label = findings.scores.labels[0]
    if not len(losses):
        return [f"No query of {plain(system)} loses under {plain(label)}."]
    columns = [Column("query", [code(query) for query in losses["query"]], numeric=False)]
    if "text" in losses.columns:
        columns.append(Column("text", [code(text) if text else "" for text in losses["text"]], numeric=False))
    signs = {"baseline value": ".4f", "value": ".4f", "difference": "+.4f"}
    columns += [
        Column(name, [number_text(x, sign) for x in losses[name]], numeric=True) for name, sign in signs.items()
    ]
    columns.append(Column(LEGEND, [plain(text) for text in losses["moves"]], numeric=False))
    head = f"### {plain(system)}: {plural(len(losses), 'query')} that {'loses' if len(losses) == 1 else 'lose'} most"
    return [f"{head} under {plain(label)}", columns_written(columns)]


def evidence_rows(findings: Findings) -> list[tuple[str, str]]:
    """Say the methods, the decisions, which queries could not be paired, and the ledger."""
    pairing = [(f"pairing {i}" if i > 1 else "pairing", text) for i, text in enumerate(notes(findings), 1)]
    methods = [("methods", findings.methods.text)]
    methods += [] if findings.tuning is None else [("tuning", findings.tuning.text)]
    methods += [("decisions", findings.scores.answers.line)]
    doubts = [(f"latency {i}" if i > 1 else "latency", text) for i, text in enumerate(unit_doubts(findings.scores), 1)]
    return [*methods, *pairing, *doubts, ("ledger", findings.ledger.line)]


def comparison_cases(findings: Findings) -> Iterator[Case]:
    """Yield a test suite a pair of systems: the verdict under the first measure, then each guardrail."""
    for name in findings.verdict:
        yield from _cases(findings, name)


def _cases(findings: Findings, name: str) -> Iterable[Case]:
    verdict = findings.verdict[name]
    ended = {DONT: "failure", CANT_TELL: "skipped"}.get(verdict.outcome, "")
    suite = f"{verdict.system} instead of {verdict.baseline}"
    first, *others = findings.scores.labels
    losses = losses_text(losses_with_moves(findings, system=name))
    yield Case(suite, first, ended, verdict.sentence, losses)
    for label in others:
        contrast = findings[label, name]
        lost = findings.rule.failing(contrast.gain, label) if contrast.role == GUARDS else ""
        yield Case(suite, label, "failure" if lost else "", lost)
