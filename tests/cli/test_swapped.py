"""Files given in the wrong order or written over are noticed."""

from pathlib import Path

import pytest

import idealrank as ir
from idealrank.cli import main
from tests.cli.terminal import run

SHOP = Path(__file__).parents[2] / "examples" / "shop"


def test_results_given_as_judgments_are_refused() -> None:
    """Scores without grades as judgments, with grades without an order as results, are refused: they are swapped."""
    with pytest.raises(ir.DataError, match=r"Judgments come first, then results: evaluate\(judgments, results\)"):
        ir.evaluate(SHOP / "bm25.csv", SHOP / "judgments.csv", ["nDCG@10"])
    found = run("evaluate", str(SHOP / "bm25.csv"), str(SHOP / "judgments.csv"), cwd=SHOP)
    assert (found.code, found.out) == (3, "")
    assert "idealrank evaluate JUDGMENTS RESULTS" in found.err


def test_an_input_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An output that is also an input is refused, and the input stays as it was."""
    judgments = tmp_path / "judgments.csv"
    judgments.write_bytes((SHOP / "judgments.csv").read_bytes())
    call = ["idealrank", "evaluate", str(judgments), str(SHOP / "bm25.csv"), "-o", str(judgments)]
    monkeypatch.setattr("sys.argv", call)
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "also an input of this call" in capsys.readouterr().err
    assert judgments.read_bytes() == (SHOP / "judgments.csv").read_bytes()
