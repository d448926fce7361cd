"""MTEB: predictions, and judgments of the same form. Result files contain only means, so they are refused.

Source: embeddings-benchmark/mteb 1.x and 2.x, ``{task}_predictions.json`` and result files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idealrank.data.formats.plan import ANY, KEY, Plan, Rows
from idealrank.errors import DataError

_RESULTS = {"mteb_version", "mteb_dataset_name", "task_name"}
_META, _SPLITS = "mteb_model_meta", {"test", "dev", "validation", "train", "standard"}


def plan(document: Any, name: str) -> Plan | None:
    """Return where the rankings lie, None for documents of others.

    Raises
    ------
    DataError
        If these are results, which contain no rankings.
    """
    if not isinstance(document, Mapping):
        return None
    if _RESULTS & document.keys() and not _subsets(document):
        raise DataError(
            f"{name}: MTEB results, which contain means but no rankings. Give the task's predictions "
            "(save_predictions), with the judgments."
        )
    model, subsets = _model(document), _subsets(document)
    if len(subsets) == 1 and _META not in document:
        # Judgments and predictions are written alike, {subset: {split: {query: {document: number}}}}: what they are is
        # said by the place where they are given.
        return Plan(f"MTEB's {'.'.join(subsets[0])}", (_numbers(*subsets[0]),))
    found = tuple(_rankings(subset, split, model) for subset, split in subsets)
    return Plan("MTEB predictions", found, system=model if len(subsets) == 1 else "") if found else None


def _model(document: Mapping[str, Any]) -> str:
    """Return the name of the model, which mteb 2 writes; "" without."""
    meta = document.get(_META)
    return str(meta.get("model_name") or "") if isinstance(meta, Mapping) else ""


def _numbers(subset: str, split: str) -> Rows:
    queries = (f".{subset}", f".{split}", ANY)
    numbers = (*queries, ANY)
    return Rows("dicts", numbers, (("query_id", (*queries, KEY)), ("doc_id", (*numbers, KEY)), ("value", numbers)))


def _rankings(subset: str, split: str, model: str) -> Rows:
    queries = (f".{subset}", f".{split}", ANY)
    scores = (*queries, ANY)
    where = (("query_id", (*queries, KEY)), ("doc_id", (*scores, KEY)), ("score", scores))
    return Rows("results", scores, (*where, ("system", (f"={model} {subset}.{split}".replace("= ", "="),))))


def _subsets(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the subsets and splits of predictions: documents with scores by query under both.

    Splits have any name where the model is named, or beside one with a usual name.
    """
    found = [
        (subset, split)
        for subset, splits in document.items()
        if subset != _META and isinstance(splits, Mapping)
        for split, queries in splits.items()
        if _scored(queries)
    ]
    return found if _META in document or any(split in _SPLITS for _, split in found) else []


def _scored(queries: Any) -> bool:
    first = next(iter(queries.values()), None) if isinstance(queries, Mapping) else None
    return isinstance(first, Mapping) and all(isinstance(score, (int, float)) for score in first.values())
