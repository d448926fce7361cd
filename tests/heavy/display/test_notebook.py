"""What a kernel hands a notebook: run in one, read from its messages."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any
from unittest import mock

import nbformat
import pytest
from nbclient import NotebookClient

from tests.comparison.pairs import SHOP

FILES = f'"{SHOP}/judgments.csv", ["{SHOP}/bm25.csv", "{SHOP}/hybrid.csv"]'
CELLS = (
    f"import idealrank as ir\nir.report({FILES})",
    f"%matplotlib inline\ncomparison = ir.compare({FILES})\ncomparison",
    "ir.plot(comparison)",
    "from idealrank.display import terminal\nterminal.SOON = 0\n"
    "large = {f'q{i}': {'d': 1, 'x': 0} for i in range(9000)}\n"
    "both = {n: {q: {'d': 2.0, 'x': float(i % n)} for i, q in enumerate(large)} for n in (5, 9)}\n"
    "page = ir.report(large, both, 'RR').to_html()",
    "import time\nwith terminal.step_counter('judging', 40, 10) as step:\n"
    "    for i in range(30):\n        step()\n        time.sleep(0.02)",
    "with terminal.cell_bar('outer'), terminal.cell_bar('inner') as inner:\n    time.sleep(0.2)\ninner is None",
    "ir.evaluate(large, both, 'RR')",
)


@pytest.fixture(scope="module")
def ran() -> tuple[Any, list[dict[str, Any]]]:
    """The notebook with its outputs, and what was displayed on the way."""
    displayed = []

    class Client(NotebookClient):
        def process_message(self, msg: dict[str, Any], cell: Any, cell_index: int) -> Any:
            if msg["msg_type"] in ("display_data", "update_display_data"):
                displayed.append({"cell": cell_index, **msg["content"]["data"]})
            return super().process_message(msg, cell, cell_index)

    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    with mock.patch.dict(os.environ, {"JUPYTER_PLATFORM_DIRS": "1"}):
        Client(made, timeout=120, extra_arguments=["--IPKernelApp.log_level=ERROR"]).execute()
    return made, displayed


def outputs(ran: Any, cell: int) -> list[dict[str, Any]]:
    """Return the data of the outputs of a cell."""
    assert all(each.output_type != "stream" for each in ran[0].cells[cell].outputs), "printed"
    return [dict(each.data) for each in ran[0].cells[cell].outputs]


def test_a_report_and_a_comparison_are_html(ran: Any) -> None:
    """The last value of a cell is its card, with the outcome, the interval, and for a terminal the same words."""
    for cell in (0, 1):
        (shown,) = outputs(ran, cell)
        assert "hybrid: CAN&#x27;T TELL</b>" in shown["text/html"]
        assert "−0.035 to +0.117" in shown["text/html"]
        assert "CAN'T TELL: Not enough evidence to ship hybrid." in shown["text/plain"]


def test_a_plot_is_shown_once_and_fits(ran: Any) -> None:
    """Also where matplotlib draws below cells: one output, as wide as the cell, and no wider than it is drawn."""
    (shown,) = outputs(ran, 2)
    assert shown["text/html"].startswith("<img ")
    assert "width:100%;max-width:715px" in shown["text/html"]


def test_long_work_shows_one_bar_at_a_time(ran: Any) -> None:
    """Evaluating, resampling and the report show their bars one after the other; each is taken away."""
    shown = [each["text/plain"] for each in ran[1] if each["cell"] == 3]
    begun = [text.partition(":")[0] for text in shown]
    firsts = [begun.index(word) for word in ("evaluating", "resampling", "report")]
    assert firsts == sorted(firsts)
    bounding = "bounding what unjudged results could change"  # not always: it takes as long as a bar is drawn
    assert {"", *begun} - {bounding} == {"", "evaluating", "resampling", "report"}
    assert [shown[place - 1] for place in firsts[1:]] == ["", ""]
    assert [(each["text/html"], each["text/plain"]) for each in outputs(ran, 3)] == [("", "")] * 3


def test_steps_are_counted(ran: Any) -> None:
    """The bar of steps says how many of how many are done, those before among them, and fills."""
    shown = [each for each in ran[1] if each["cell"] == 4]
    counted = [each for each in shown if " of 40" in each["text/plain"]]
    done = [int(each["text/plain"].removeprefix("judging: ").split()[0]) for each in counted]
    assert done == sorted(done)
    assert 11 <= done[0] < done[-1] <= 40
    assert all(f'value="{many}" max="40"' in each["text/html"] for many, each in zip(done, counted, strict=True))
    assert shown[-1]["text/html"] == ""


def test_a_bar_within_a_bar_is_not_shown(ran: Any) -> None:
    """A call within another shows no second bar."""
    assert {each["text/plain"] for each in ran[1] if each["cell"] == 5} == {"outer", ""}
    assert outputs(ran, 5)[-1]["text/plain"] == "True"


def test_a_script_shows_and_imports_nothing() -> None:
    """Outside of a notebook nothing is shown, and IPython and rich are not imported."""
    code = (
        "import sys, idealrank as ir; from idealrank.display import terminal; terminal.SOON = 0\n"
        f"ir.report({FILES}).to_html(); print({{'IPython', 'rich'}} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("set()\n", "")
