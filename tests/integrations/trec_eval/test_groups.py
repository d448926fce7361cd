"""Judgments in groups (-R prefs, qrels_prefs, qrels_jg), as trec_eval 9.0.8 and 10.0 answer them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integrations.trec_eval.calls import GROUPS, RUN, Said, call


def said(folder: Path, form: str, judgments: str, run: str, *words: str) -> Said:
    """Write the files and call."""
    (folder / "q").write_text(judgments)
    (folder / "r").write_text(run)
    return call("-R", form, *words, folder / "q", folder / "r")


def values(found: Said) -> dict[str, str]:
    """Return what is printed for all topics, by measure."""
    assert found.code == 0, found.err
    return {name: value for name, topic, value in found.lines if topic == "all"}


def test_counted_by_hand(tmp_path: Path) -> None:
    """A > B > C and A > D > C; B, D and A come back in this order, C does not: 5 preferences, 2 and none fulfilled."""
    judgments = "1 g s A 3\n1 g s B 2\n1 g s D 2\n1 g s C 1\n"
    found = values(said(tmp_path, "prefs", judgments, "1 Q0 B 1 3 r\n1 Q0 D 2 2 r\n1 Q0 A 3 1 r\n", "-m", "all_prefs"))
    assert found["prefs_num_prefs_poss"] == "5"
    assert found["prefs_num_prefs_ful"] == "3"
    assert found["prefs_num_prefs_ful_ret"] == "0"
    assert found["prefs_simp"] == found["prefs_pair"] == found["prefs_avgjg_imp"] == "0.6000"
    assert found["prefs_simp_ret"] == "0.0000"


def test_what_follows_is_preferred(tmp_path: Path) -> None:
    """A > B in one subgroup and B > C in another make A > C; without subgroups nothing follows."""
    run = "1 Q0 A 1 2 r\n1 Q0 C 2 1 r\n"
    both = "1 g s A 2\n1 g s B 1\n1 g t B 2\n1 g t C 1\n"
    assert values(said(tmp_path, "prefs", both, run, "-m", "all_prefs"))["prefs_num_prefs_poss"] == "3"
    groups = both.replace("1 g t", "1 h t")
    assert values(said(tmp_path, "prefs", groups, run, "-m", "all_prefs"))["prefs_num_prefs_poss"] == "2"


def test_ties(tmp_path: Path) -> None:
    """Of equal scores the smaller id stands first for preferences, and the greater one for the averages over groups."""
    judgments, run = "1 g A 1\n1 g B 0\n", "1 Q0 A 1 1 r\n1 Q0 B 2 1 r\n"
    assert values(said(tmp_path, "qrels_prefs", judgments, run, "-m", "prefs_simp")) == {"prefs_simp": "1.0000"}
    assert values(said(tmp_path, "qrels_jg", judgments, run, "-m", "map_avgjg")) == {"map_avgjg": "0.5000"}


def test_precision_of_levels(tmp_path: Path) -> None:
    """9.0.8 holds levels as float, and 10.0 as double."""
    judgments, run = "1 g A 1.00000001\n1 g B 1\n", "1 Q0 A 1 2 r\n1 Q0 B 2 1 r\n"
    words = ("-m", "prefs_num_prefs_poss")
    assert values(said(tmp_path, "qrels_prefs", judgments, run, *words)) == {"prefs_num_prefs_poss": "0"}
    words = ("--compat", "10.0", *words)
    assert values(said(tmp_path, "qrels_prefs", judgments, run, *words)) == {"prefs_num_prefs_poss": "1"}


@pytest.mark.parametrize(
    ("form", "judgments", "measure", "code"),
    [
        ("prefs", "1 g s A 1\n1 g s A 2\n", "prefs_simp", 4),
        ("prefs", "1 g s A 1\n1 g s A 2\n", "num_q", 0),
        ("prefs", "1 g s A 1\n1 g s A 1\n", "prefs_simp", 0),
        ("prefs", "1 g s A 1\n1 g s B 0\n1 g t B 1\n1 g t A 0\n", "prefs_simp", 4),
        ("prefs", "1 g s A 2\n1 g s B 1\n1 g t B 2\n1 g t A 1\n", "prefs_simp", 134),
        ("prefs", "1 g A 1\n", "prefs_simp", 2),
        ("qrels_prefs", "1 g s A 1\n", "prefs_simp", 2),
        ("qrels_jg", "1 g A 1\n1 g A 1\n", "map_avgjg", 2),
        ("qrels_jg", "1 g A 1\n1 h A 1\n", "map_avgjg", 0),
        ("qrels_jg", "2 g A 1\n", "map_avgjg", 7),
    ],
)
def test_files(tmp_path: Path, form: str, judgments: str, measure: str, code: int) -> None:
    """Judgments are refused where trec_eval refuses them; where it aborts, the code is what a shell sees of that."""
    found = said(tmp_path, form, judgments, "1 Q0 A 1 2 r\n", "-m", measure)
    assert found.code == code, found.err
    assert bool(found.err) == bool(code)


def test_comments(tmp_path: Path) -> None:
    """10.0 passes over a comment, but not over a second one behind it, nor over one that begins with a blank."""
    for comment, code in (("# c\n", 0), ("# c\n# c\n", 2), (" # c\n", 2)):
        words = ("--compat", "10.0", "-m", "map_avgjg")
        assert said(tmp_path, "qrels_jg", f"{comment}1 g A 1\n", "1 Q0 A 1 2 r\n", *words).code == code


@pytest.mark.parametrize(
    ("levels", "said_of_them"), [("-1 -2", "reads past its documents"), ("nan 1", "depends on how it sorts")]
)
def test_faults(tmp_path: Path, levels: str, said_of_them: str) -> None:
    """Where trec_eval's number depends on memory or on its sort, standard error says so."""
    one, other = levels.split()
    found = said(tmp_path, "qrels_prefs", f"1 g A {one}\n1 g B {other}\n", "1 Q0 A 1 2 r\n", "-m", "all_prefs")
    assert found.code == 0
    assert said_of_them in found.err


def test_a_group_is_the_topic() -> None:
    """One group a topic makes the averages over groups those of -R qrels, and all else counts as there."""
    one = Path(GROUPS).read_text().splitlines()
    kept = "\n".join(line for line in one if "user0" in line)
    for flags in ((), ("-J",), ("-l2",), ("-M3",), ("-c",)):
        words = ("-q", *flags, "-m")
        grouped = call_with(kept, "qrels_jg", *words, "map_avgjg")
        plain = call_with(kept, "qrels", *words, "map")
        assert grouped.out.replace(b"map_avgjg", b"map      ") == plain.out


def call_with(judgments: str, form: str, *words: str) -> Said:
    """Call with judgments given as text and the golden run."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "q")
        path.write_text(judgments + "\n")
        return call("-R", form, *words, path, RUN)
