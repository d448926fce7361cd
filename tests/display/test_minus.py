"""A number below 0 has a real minus sign in text for people, and a hyphen in CSV and JSON."""

import idealrank as ir
from idealrank.display.table import Table

SIGN = "\N{MINUS SIGN}"


def test_text_has_a_minus_sign_and_data_a_hyphen() -> None:
    """Fractions and whole numbers, in text, Markdown and HTML; a hyphen in a name stays."""
    table = Table({"query": ["q-1"], "difference": [-0.5], "move": [-2]})
    assert repr(table).splitlines()[-1].split() == ["q-1", f"{SIGN}0.5000", f"{SIGN}2"]
    assert f"{SIGN}0.5000" in table.to_markdown()
    assert f"{SIGN}0.5000" in table._repr_html_()
    assert table.to_csv().splitlines()[1] == "q-1,-0.5,-2"
    assert '"difference": -0.5' in table.to_json()


def test_a_comparison_has_one_sign() -> None:
    """Neither the sentences nor the tables of a comparison that goes down have a hyphen before a digit."""
    judged = {f"q{i}": {"d": 1} for i in range(8)}
    first, second = {"d": 2.0, "x": 1.0}, {"x": 2.0, "d": 1.0}
    runs = {"old": dict.fromkeys(judged, first), "new": {q: second if q != "q0" else first for q in judged}}
    found = ir.compare(judged, runs, ["RR"], correction="none")
    assert f"{SIGN}0.4375" in repr(found)
    assert " -0" not in repr(found)
    assert " -0" not in found.to_markdown()
