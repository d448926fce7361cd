"""The parts of a small report's value: ``python -m tests.reports.sections.approve`` writes what was approved anew.

Numbers are rounded to ten digits, which every machine agrees on; `program`, the version, is left out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.approving import write
from tests.reports.worlds import garden

APPROVED = Path(__file__).with_name("approved")


def parts() -> dict[str, str]:
    """Return the parts of the garden's report as JSON, by name."""
    found = garden().to_dict()
    return {
        name: json.dumps(_rounded(part), ensure_ascii=False, indent=1) + "\n"
        for name, part in found.items()
        if name != "program"
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value


if __name__ == "__main__":
    write(APPROVED, "json", parts())
