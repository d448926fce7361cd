"""The tables of this folder: the notebooks' cases and trec_eval's printouts, read as plain Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NOTEBOOKS = ("000", "001", "002", "003", "004")


def read_cases() -> list[dict[str, Any]]:
    """Return every case, its named data put in place of the name."""
    cases = []
    for notebook in NOTEBOOKS:
        document = json.loads((HERE / "seeds" / f"{notebook}.json").read_text(encoding="utf-8"))
        for case in document["cases"]:
            cases.append({**case, **columns_of(document["data"][case["data"]])} if "data" in case else case)
    return cases


def columns_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of one data set as dicts of columns."""
    found: dict[str, Any] = {name: columns(data[name]) for name in ("judgments", "results") if name in data}
    if "systems" in data:
        found["systems"] = {name: columns(rows) for name, rows in data["systems"].items()}
    return found


def columns(rows: list[list[Any]]) -> dict[str, list[Any]]:
    """Turn a header and rows into a dict of columns."""
    header, *body = rows
    return {name: [row[place] for row in body] for place, name in enumerate(header)}


def read_printout(name: str) -> dict[str, dict[str, str]]:
    """Return what a trec_eval version printed: measure to query to text; ``all`` is the summary line."""
    header, *lines = (HERE / "trec_eval" / name).read_text(encoding="utf-8").splitlines()
    measures = header.split("\t")[1:]
    printed: dict[str, dict[str, str]] = {measure: {} for measure in measures}
    for line in lines:
        query, *texts = line.split("\t")
        for measure, text in zip(measures, texts, strict=True):
            if text:
                printed[measure][query] = text
    return printed
