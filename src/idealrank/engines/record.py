"""The record of a replay: what was asked of which engine, when and how; kept beside the results."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from idealrank.engines.asking import Limits
from idealrank.engines.engine import Engine, Wishes
from idealrank.engines.questions import Questions
from idealrank.engines.systems import System


def sha256(text: str) -> str:
    """Return the hash of a text, as other programs compute it."""
    return hashlib.sha256(text.encode()).hexdigest()


def asked(
    system: System, questions: Questions, wishes: Wishes, limits: Limits, repeat: int, raw: bool
) -> dict[str, Any]:
    """Return what tells one run from another: a journal goes on only with the same."""
    engine = system.engine
    return {
        "system": system.name,
        "engine": engine.without_secrets(engine.address),
        "template": sha256(engine.template) if engine.template else "",
        "settings": dict(system.settings),
        "queries": questions.hash(engine.takes),
        "documents": engine.content,
        "k": wishes.k,
        "fields": list(wishes.fields),
        "repeat": repeat,
        "batch": limits.batch,
        "concurrency": limits.concurrency,
        "raw": raw,
    }


def record(
    system: System,
    questions: Questions,
    wishes: Wishes,
    limits: Limits,
    about: Mapping[str, Any],
    counts: Mapping[str, Any],
    begun: datetime,
) -> dict[str, Any]:
    """Return all that is kept of a run, without anything secret."""
    from importlib.metadata import version

    engine = system.engine
    return {
        "system": system.name,
        "address": engine.without_secrets(engine.address),
        **{name: _safe(engine, about.get(name)) for name in ("engine", "version", "index", "documents")},
        "template": {"file": engine.origin, "sha256": sha256(engine.template), "text": engine.template},
        "settings": dict(system.settings),
        "queries": {
            "file": questions.name,
            "sha256": questions.sha256 or questions.hash(engine.takes),
            "count": len(questions.keys),
            "without_text": list(questions.without_text),
        },
        "k": wishes.k,
        "fields": list(wishes.fields),
        "begun": begun.isoformat(timespec="seconds"),
        "ended": now().isoformat(timespec="seconds"),
        "concurrency": 1 if engine.alone else limits.concurrency,
        "rate": limits.rate,
        "batch": limits.batch,
        "retries": limits.retries,
        "timeout": wishes.timeout,
        "tls": wishes.tls,
        **counts,
        "idealrank": version("idealrank"),
    }


def _safe(engine: Engine, said: Any) -> Any:
    """Return what an engine says about itself without anything secret, as in the name of its index."""
    return engine.without_secrets(said) if isinstance(said, str) else said


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)
