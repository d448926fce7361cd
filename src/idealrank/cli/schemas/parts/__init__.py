"""The common parts of schemas, each written once: what a schema names by `part` is bundled with it."""

from __future__ import annotations

from idealrank.cli.schemas.forms import Schema
from idealrank.cli.schemas.parts.comparison import COMPARISON, LATENCY_CHANGES
from idealrank.cli.schemas.parts.evaluation import EVALUATION, LATENCY
from idealrank.cli.schemas.parts.ledger import LEDGER
from idealrank.cli.schemas.parts.segments import SEGMENTS
from idealrank.cli.schemas.parts.verdicts import FAILED, HOLE_EVIDENCE, METHODS, RULE, VERDICT

PARTS: dict[str, Schema] = {
    "comparison": COMPARISON,
    "evaluation": EVALUATION,
    "failed": FAILED,
    "holes": HOLE_EVIDENCE,
    "latency": LATENCY,
    "latency_changes": LATENCY_CHANGES,
    "ledger": LEDGER,
    "methods": METHODS,
    "rule": RULE,
    "segments": SEGMENTS,
    "verdict": VERDICT,
}
"""What `$defs` is made of."""
