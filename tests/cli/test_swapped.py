"""Files given in the wrong order or written over are noticed."""

from pathlib import Path

import pytest

import idealrank as ir
from idealrank.cli import main

SHOP = Path(__file__).parents[2] / "examples" / "shop"


def test_results_given_as_judgments_are_doubted() -> None:
    """A first table that ranks and has a score but no grade is asked whether it is the results."""
    notes = ir.evaluate(SHOP / "bm25.csv", SHOP / "judgments.csv", ["nDCG@10"]).ledger.notes
    assert any("are these results?" in note for note in notes)
    assert "no rank and no score: ordered as the rows stand" in notes


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
