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
        "explain": wishes.explain,
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
        **{
            name: _safe(engine, about.get(name))
            for name in ("engine", "version", "index", "documents", "uuid", "index_version")
        },
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
        "begun": begun.isoformat(timespec="milliseconds"),
        "ended": now().isoformat(timespec="milliseconds"),
        "concurrency": 1 if engine.alone else limits.concurrency,
        "rate": limits.rate,
        "batch": limits.batch,
        "retries": limits.retries,
        "timeout": wishes.timeout,
        "tls": wishes.tls,
        **counts,
        "idealrank": version("idealrank"),
    }


IDENTITY = ("version", "index", "uuid", "documents", "index_version")
"""What tells one index, or one state of it, from another."""


def identity(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of the index of an engine, of what it says about itself."""
    return {name: about[name] for name in IDENTITY if about.get(name) is not None}


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, str]:
    """Return what differs between two states of an index, of what is known of both, in words.

    Examples
    --------
    >>> differences({"uuid": "a", "documents": 20000}, {"uuid": "a", "documents": 100, "version": "3.8"})
    {'documents': 'documents 20000 then, 100 now'}
    """
    both = {name: (before[name], now[name]) for name in IDENTITY if name in before and name in now}
    called = {"index_version": "version of the index"}
    return {name: f"{called.get(name, name)} {was} then, {is_} now" for name, (was, is_) in both.items() if was != is_}


def _safe(engine: Engine, said: Any) -> Any:
    """Return what an engine says about itself without anything secret, as in the name of its index."""
    return engine.without_secrets(said) if isinstance(said, str) else said


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)
