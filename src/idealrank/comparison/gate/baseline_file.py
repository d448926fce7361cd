"""A baseline kept in a file: the value of every query under every measure, and the decisions behind them."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from idealrank.errors import DataError
from idealrank.evaluation.scores import Scores

FORM = "idealrank baseline 1"


@dataclass(frozen=True)
class Kept:
    """Values of one system.

    Attributes
    ----------
    fingerprints
        What each measure means, by its name.
    values
        By measure, the value of every query that has one.
    """

    fingerprints: Mapping[str, str]
    values: Mapping[str, Mapping[str, float]]

    def text(self) -> str:
        """Write the file: JSON, one line per query, by id."""
        queries = sorted({query for by_query in self.values.values() for query in by_query})
        rows = {q: {name: by_query[q] for name, by_query in self.values.items() if q in by_query} for q in queries}
        lines = ",\n".join(f"    {_json(query)}: {_json(row)}" for query, row in rows.items())
        prints = json.dumps(dict(self.fingerprints), ensure_ascii=False, indent=4).replace("\n}", "\n  }")
        return f'{{\n  "form": "{FORM}",\n  "measures": {prints},\n  "queries": {{\n{lines}\n  }}\n}}\n'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def kept_of(scores: Scores) -> Kept:
    """Return what is kept of the scores of one system."""
    values = {
        label: {q: float(v) for q, v in zip(scores.queries, scores.values[0, m], strict=True) if not math.isnan(v)}
        for m, label in enumerate(scores.labels)
    }
    return Kept({label: m.fingerprint for label, m in zip(scores.labels, scores.measures, strict=True)}, values)


def read_kept(path: Path) -> Kept:
    """Read the file.

    Raises
    ------
    DataError
        If it is no baseline.
    """
    try:
        whole = json.loads(path.read_text("utf-8"))
        if whole["form"] != FORM:
            raise ValueError(f"its form is {whole['form']!r}, not {FORM!r}")
        rows = {query: dict(row) for query, row in whole["queries"].items()}
        names = dict(whole["measures"])
        values = {name: {query: float(row[name]) for query, row in rows.items() if name in row} for name in names}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: not a baseline: {error}. Write it anew with --relevance-update.") from None
    return Kept(names, values)
