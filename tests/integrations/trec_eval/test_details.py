"""Small things trec_eval does, each with what the tool itself printed (9.0.8 and 10.0, built from their tags)."""

from __future__ import annotations

from pathlib import Path

import pytest

from idealrank.integrations.trec_eval.arguments import atol
from tests.integrations.trec_eval.calls import COVERED, RUN, Said, call

THREE = "1 0 a 1\n1 0 b 0\n1 0 c 2\n"
TWO = "1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n"


def said(folder: Path, judgments: str, run: str, *words: str) -> Said:
    """Write the files and call."""
    (folder / "q").write_text(judgments)
    (folder / "r").write_text(run)
    return call(*words, folder / "q", folder / "r")


def test_ideal_of_the_topic_before(tmp_path: Path) -> None:
    """10.0 prints as ideal_dcg of a topic whose grades are all below 0 that of the topic before, and averages it."""
    judgments = "1 0 a 2\n1 0 b 1\n2 0 a -1\n2 0 b -2\n3 0 c 1\n"
    run = "1 Q0 b 1 3 r\n2 Q0 a 1 2 r\n3 Q0 x 1 2 r\n"
    found = said(tmp_path, judgments, run, "--compat", "10.0", "-q", "-m", "ideal_dcg")
    assert [line[1:] for line in found.lines] == [["1", "2.6309"], ["2", "2.6309"], ["3", "1.0000"], ["all", "2.0873"]]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("-m dcg.1=3 -m ndcg", ["dcg_1=3", "ndcg_1=3"]),
        ("-m dcg.1=3 -m ndcg.2=9", ["dcg_1=3", "ndcg_2=9"]),
        ("-m dcg.1=3 -m ideal_dcg.2=9", ["dcg_1=3", "ideal_dcg_2=9"]),
    ],
)
def test_names_of_shared_gains(words: str, names: list[str]) -> None:
    """10.0 prints the gains of dcg in the names of ideal_dcg and ndcg only where they have none of their own."""
    assert [line[0] for line in call("--compat", "10.0", *words.split(), COVERED, RUN).lines] == names


@pytest.mark.parametrize(
    ("measure", "old", "new"),
    [("ndcg.x=5,1=2", "0.8623", "0.3869"), ("G.x=5,1=2", "0.7778", "0.2500"), ("ndcg_rel.x=5", "0.9107", "0.2398")],
)
def test_gain_of_no_grade(tmp_path: Path, measure: str, old: str, new: str) -> None:
    """9.0.8 reads a gain of what is no number as that of grade 0; 10.0 passes over it."""
    for compat, value in (("9.0.8", old), ("10.0", new)):
        assert said(tmp_path, THREE, TWO, "--compat", compat, "-m", measure).lines[0][2] == value


@pytest.mark.parametrize(
    ("lines", "value"), [(("0.5 0.25", "0.0 1.0"), "1.0000"), (("0.5 0.25", "0.0 1.0", "0 0.1", "0 0.01"), "10.0000")]
)
def test_zscores_given_twice(tmp_path: Path, lines: tuple[str, ...], value: str) -> None:
    """Of several lines for one topic and measure the one behind their middle counts: the value is 1."""
    (tmp_path / "z").write_text("".join(f"1 map {line}\n" for line in lines))
    found = said(tmp_path, "1 0 a 1\n", "1 Q0 a 1 3 r\n", "-q", "-n", "-m", "map", "-Z", str(tmp_path / "z"))
    assert found.lines == [["Zmap", "1", value]]


def test_zscores_of_the_next_topic(tmp_path: Path) -> None:
    """The first line of the next topic counts where a topic has none for the measure: trec_eval looks one too far."""
    (tmp_path / "z").write_text("1 map 0.5 0.25\n2 recip_rank 0 0.5\n")
    words = ("-q", "-n", "-m", "recip_rank", "-Z", str(tmp_path / "z"))
    found = said(tmp_path, "1 0 a 1\n2 0 a 1\n", "1 Q0 a 1 3 r\n2 Q0 a 1 3 r\n", *words)
    assert found.lines == [["Zrecip_rank", "1", "2.0000"], ["Zrecip_rank", "2", "2.0000"]]


@pytest.mark.parametrize(("compat", "value"), [("9.0.8", "1363636363636363.5000"), ("10.0", "1883116883116883.2500")])
def test_order_of_the_sum(tmp_path: Path, compat: str, value: str) -> None:
    """11pt_avg adds its levels from the last to the first; z-scores of a tiny deviation show the last bit."""
    (tmp_path / "z").write_text("1 11pt_avg 0.5 1e-16\n")
    run = "".join(f"1 Q0 {doc} 1 {90 - place} r\n" for place, doc in enumerate("axyzbuc"))
    words = ("--compat", compat, "-q", "-n", "-m", "11pt_avg", "-Z", str(tmp_path / "z"))
    assert said(tmp_path, "1 0 a 1\n1 0 b 1\n1 0 c 1\n", run, *words).lines == [["Z11pt_avg", "1", value]]


@pytest.mark.parametrize(
    ("levels", "possible"), [("-2 -3 -4", "3"), ("-3 -4 -5", "1"), ("-3 -4 -4", "0"), ("-3 -3 -3", "0")]
)
def test_highest_level_of_minus_three(tmp_path: Path, levels: str, possible: str) -> None:
    """Where the highest level of a group is -3, its lowest one makes no preferences."""
    judgments = "".join(f"1 g {doc} {level}\n" for doc, level in zip("ABC", levels.split(), strict=True))
    run = "1 Q0 A 1 3 r\n1 Q0 C 2 2 r\n1 Q0 B 3 1 r\n"
    found = said(tmp_path, judgments, run, "-R", "qrels_prefs", "-m", "prefs_num_prefs_poss")
    assert found.lines == [["prefs_num_prefs_poss", "all", possible]]


@pytest.mark.parametrize("measure", ["G", "ndcg_rel", "Rndcg"])
def test_gains_below_zero_are_said(measure: str) -> None:
    """trec_eval takes gains below 0 off these three; standard error says that they are not."""
    assert "gains below 0 count as 0; trec_eval subtracts them" in call("-m", f"{measure}.1=-3", COVERED, RUN).err


def test_help_of_a_version() -> None:
    """The help names dcg under 10.0, which has it, and not under 9.0.8, which has not."""
    for compat, there in (("9.0.8", False), ("10.0", True)):
        names = call("--compat", compat, "-h").out.decode().partition("Measures:\n")[2].partition("\n\n")[0]
        assert ("ideal_dcg" in names.replace(",", " ").split()) is there


@pytest.mark.parametrize(
    ("level", "value"),
    [("1".zfill(6000), "2"), ("9" * 23, "0"), ("-" + "9" * 23, "2"), ("9" * 6000, "0"), ("+2", "0"), ("x", "2")],
)
def test_long_numbers(tmp_path: Path, level: str, value: str) -> None:
    """Numbers of any length are read as C reads them: beyond 64 bits they are the greatest or the least there is."""
    judgments, run = "1 0 a 1\n1 0 b 1\n", "1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n"
    assert said(tmp_path, judgments, run, f"-l{level}", "-m", "num_rel_ret").lines[0][2] == value


@pytest.mark.parametrize("number", [2**63 - 1, 2**63 - 2, -(2**63), 10**18 + 1])
def test_longest_numbers(number: int) -> None:
    """A number of 64 bits keeps all its digits, with zeros before it as well."""
    assert (atol(str(number)), atol(str(number).replace("9", "009", 1))) == (number, number)
    assert (atol(str(2**63)), atol(str(-(2**63) - 1))) == (2**63 - 1, -(2**63))


@pytest.mark.parametrize("compat", ["9.0.8", "10.0"])
@pytest.mark.parametrize("end", ["\n", "", " \r\n"])
@pytest.mark.parametrize("grade", ["1e2", "1E+2", "1e-5", "1.5e1"])
def test_a_grade_with_an_exponent(tmp_path: Path, grade: str, end: str, compat: str) -> None:
    """C's atol reads the 1 before the exponent: with b of grade 2 first, the order is the ideal one."""
    judgments, run = f"q 0 b 2\nq 0 a {grade}{end}", "q Q0 b 1 2 r\nq Q0 a 2 1 r\n"
    assert said(tmp_path, judgments, run, "--compat", compat, "-m", "ndcg").lines == [["ndcg", "all", "1.0000"]]
    assert said(tmp_path, judgments, run, "-m", "num_rel", "-l2").lines == [["num_rel", "all", "1"]]


BELOW = "q 0 a 1\nq 0 b 0\nq 0 c -1\n", "q Q0 x 1 5 r\nq Q0 a 1 4 r\nq Q0 c 1 3 r\nq Q0 b 1 2 r\n"


@pytest.mark.parametrize("compat", ["9.0.8", "10.0"])
@pytest.mark.parametrize(
    ("level", "values"),
    [
        (-1, "2 1.3750 1.0000 1.0000 1.0000 0.6000 1.0000 0.5000"),
        (-2, "2 2.0000 1.0000 1.0000 1.0000 0.8000 1.0000 0.5000"),
    ],
)
def test_a_level_below_zero(tmp_path: Path, level: int, values: str, compat: str) -> None:
    """From -l-1 on a result without a judgment is relevant, from -l-2 on one with a grade below 0, too; not in R."""
    names = ("P.5", "map", "recip_rank", "num_rel_ret", "Rprec", "bpref", "success.1", "set_P")
    asked = [word for name in names for word in ("-m", name)]
    found = said(tmp_path, *BELOW, "--compat", compat, f"-l{level}", *asked)
    assert " ".join(line[2] for line in found.lines) == values
    assert not found.err


def test_a_level_below_zero_is_not_followed_everywhere(tmp_path: Path) -> None:
    """Where trec_eval mixes counts of judged and of all results, judged ones count here, and standard error says so."""
    found = said(tmp_path, *BELOW, "-l-1", "-m", "infAP")
    assert "only judged results count; below -l 0, trec_eval mixes them with all results." in found.err


def test_rbp_resid_to_the_last_digit(tmp_path: Path) -> None:
    """Its powers are repeated products: the mean of .91, .91, .919 and 1 is 0.93475, and 10.0 prints 0.9348."""
    judgments = "1 0 b 1\n2 0 b 1\n3 0 c 1\n4 0 z 1\n"
    run = "".join(f"{topic} Q0 {doc} 1 {-place} r\n" for topic in range(1, 5) for place, doc in enumerate("abcd"))
    found = said(tmp_path, judgments, run, "--compat", "10.0", "-q", "-m", "rbp_resid")
    assert [line[2] for line in found.lines] == ["0.9100", "0.9100", "0.9190", "1.0000", "0.9348"]
