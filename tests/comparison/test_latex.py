"""LaTeX as papers print it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy import stats

import idealrank as ir
from idealrank.display.latex import escape_latex
from tests.regression.worlds import judged, ranked


def rows(text: str) -> list[list[str]]:
    """Return the cells of the table's body, after checking that everything that is opened is closed."""
    bare = re.sub(r"\\[\\{}%&_#$]", "", text)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    assert re.findall(r"\\begin\{(\w+)\}", text) == re.findall(r"\\end\{(\w+)\}", text)[::-1] == ["table", "tabular"]
    assert text.startswith("% \\usepackage{booktabs}\n")
    body = text.partition("\\midrule\n")[2].partition("\n\\bottomrule")[0].splitlines()
    assert all(line.endswith(r" \\") for line in body)
    found = [re.split(r"(?<!\\)&", line.removesuffix(r"\\")) for line in body]
    spec = re.search(r"\\begin\{tabular\}\{(\w+)\}", text)
    assert spec is not None
    assert {len(row) for row in found} == {len(spec[1])}
    return [[cell.strip() for cell in row] for row in found]


def systems(*ranks: int) -> dict[str, Any]:
    """Return systems that put the relevant document at these ranks, with a little noise of their own."""
    return {f"s{i}": ranked([rank + (q * (i + 3)) % 2 for q in range(24)]) for i, rank in enumerate(ranks)}


def test_all_pairs() -> None:
    """The best mean is bold, and letters name the systems that are significantly worse after the correction."""
    compared = ir.compare(judged(24), systems(9, 3, 1), ["RR", "ARP"], seed=3)
    text = compared.to_latex()
    found = rows(text)
    assert [row[:2] for row in found] == [["a", "s0"], ["b", "s1"], ["c", "s2"]]
    means = {(row["system"], row["measure"]): row["mean"] for row in compared.means}
    for m, label in enumerate(("RR", "ARP")):
        assert found[2][2 + m].startswith(rf"\textbf{{{means['s2', label]:.4f}}}$^{{\mathrm{{a")
        assert found[0][2 + m] == f"{means['s0', label]:.4f}"
    for contrast in compared.contrasts.values():
        better = contrast.system if (contrast.difference > 0) == (contrast.measure == "RR") else contrast.baseline
        worse = contrast.baseline if better == contrast.system else contrast.system
        cell = found[int(better[1])][2 + ["RR", "ARP"].index(contrast.measure)]
        letters = re.findall(r"mathrm\{(\w+)\}", cell)
        assert ("abc"[int(worse[1])] in "".join(letters)) == (contrast.p <= 0.05)
    assert r"$p \leq 0.05$, corrected by step-down max-\textbar{}t\textbar{} over sign flips" in text
    assert "24 queries, seed 3." in text
    assert "Tested against" not in text


def test_against_a_baseline() -> None:
    """Only what was tested has letters: those of the baseline, and in its own row those that it beats."""
    compared = ir.compare(judged(24), systems(3, 1, 9), ["RR"], baseline="s0")
    text = compared.to_latex()
    found = [row[2] for row in rows(text)]
    assert ["mathrm{c}" in found[0], "mathrm{a}" in found[1], "mathrm" in found[2]] == [True, True, False]
    assert "Tested against a only." in text
    assert r"max-\textbar{}t\textbar{}" in text


def test_letters_follow_p() -> None:
    """Exactly the differences with p of 0.05 or less, as SciPy has it, have a letter."""
    seen = []
    for seed in range(40):
        draw = np.random.default_rng(seed)
        one, two = draw.integers(1, 5, 20), draw.integers(1, 7, 20)
        p = stats.ttest_rel(1 / two, 1 / one).pvalue
        if 0.02 < p < 0.08:
            pair = {"one": ranked(one.tolist()), "two": ranked(two.tolist())}
            text = ir.compare(judged(20), pair, ["RR"], correction="none").to_latex()
            assert (r"$^{\mathrm{" in text) == (p <= 0.05)
            seen.append(p)
    assert min(seen) < 0.03 < max(p for p in seen if p <= 0.05) < 0.05 < max(seen)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"correction": "holm"}, "two-sided paired t test, $p \\leq 0.05$, corrected by Holm 1979"),
        ({"correction": "none", "test": "wilcoxon"}, "Wilcoxon signed-rank test, $p \\leq 0.05$, not corrected"),
        ({"correction": "bh", "test": "sign", "level": 0.99}, "sign test, $p \\leq 0.01$, corrected by false"),
    ],
)
def test_the_legend_names_test_level_and_correction(given: dict[str, Any], said: str) -> None:
    """The legend says how it was tested, at which level, and what was corrected for."""
    text = ir.compare(judged(24), systems(3, 1, 9), ["RR"], **given).to_latex()
    rows(text)
    assert said in text


def test_equal_means_are_both_best_and_counts_are_neither() -> None:
    """Two systems of one mean are both bold; a count is neither good nor bad, and nothing of it is marked."""
    same = ranked([1, 2, 1])
    found = rows(ir.compare(judged(3), {"a": same, "b": same}, ["RR"]).to_latex())
    assert [row[2].startswith(r"\textbf{0.8333}") for row in found] == [True, True]
    assert "mathrm" not in found[0][2] + found[1][2]


def test_names_of_any_kind() -> None:
    """Names with signs of LaTeX are printed as they are."""
    names = [r"a_b & 50% #1 {x} ~^\ $5", "run--2 <|>"]
    compared = ir.compare(judged(3), {names[0]: ranked([1, 1, 2]), names[1]: ranked([2, 1, 1])}, ["P(rel=1)@1"])
    found = rows(compared.to_latex())
    assert found[0][1] == r"a\_b \& 50\% \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{} \$5"
    assert found[1][1] == escape_latex(names[1]) == r"run-{}-2 \textless{}\textbar{}\textgreater{}"


def test_more_systems_than_letters() -> None:
    """Beyond 26 systems letters go on as aa, ab, and stand apart by commas."""
    many = {f"s{i:02}": ranked([1 + (i < 27)] * 8) for i in range(28)}
    found = rows(ir.compare(judged(8), many, ["RR"], baseline="s27", correction="none").to_latex())
    assert [row[0] for row in found][25:] == ["z", "aa", "ab"]
    assert "mathrm{a,b,c," in found[27][2]
    assert ",z,aa}" in found[27][2]
