"""Every flag, and every exit code, as trec_eval answers them (seen in 9.0.8 and 10.0)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from tests.amounts import tried
from tests.integrations.trec_eval.calls import COVERED, GROUPS, PREFS, QRELS, RUN, call

CODES = [
    ("-m zzz", 1), ("-m P.", 1), ("-l", 1), ("--nosum=3", 1), ("-y", 1), ("--compat 8", 1),
    ("-m P.0", 2), ("-m P.5,5", 2), ("-m ndcg.1", 2), ("-R zzz", 2), ("-T zzz", 2), ("-R prefs", 2),
    ("-R qrels_prefs -m map", 4), ("-R qrels_jg -m prefs", 4), ("-R qrels_jg -m P_avgjg.1,1", 2),
    ("-m utility.1,2", 4), ("-m all_prefs", 4), ("-m map_avgjg", 4), ("-D 0.nobody", 7), ("-Z /nowhere", 255),
]  # fmt: skip


@pytest.mark.parametrize(("words", "code"), CODES)
@pytest.mark.parametrize("compat", ["9.0.8", "10.0"])
def test_exit_code(words: str, code: int, compat: str) -> None:
    """A call that cannot be answered ends with trec_eval's code, says why in a line, and prints nothing."""
    found = call("--compat", compat, *words.split(), COVERED, RUN)
    if words != "--compat 8":
        assert (found.code, found.out) == (code, b"")
    assert found.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("-m P.5 -m P.10", ["P_5                   \tall\t0.1368"]),
        ("--meas=map", ["map                   \tall\t0.0766"]),
        ("-c -l3 -m num_rel", ["num_rel               \tall\t525"]),
        ("-l0 -m Rndcg", ["Rndcg                 \tall\t  -nan"]),
        ("-qD 0.101 -m map", ["map                   \t101\t0.0917", "map                   \tall\t0.0917"]),
        ("-qn -D 0.101 -m relstring", ["relstring             \t101\t'03----1---'"]),
        ("-qnJ -D 0.101 -m num_ret -m map", ["num_ret               \t101\t9", "map                   \t101\t0.2181"]),
        ("-M0 -m map -m 11pt_avg", ["map                   \tall\t0.0000", "11pt_avg              \tall\t  -nan"]),
        ("-o -N x -m runid -m num_q", ["runid                 \tall\tties", "num_q                 \tall\t38"]),
    ],
)
def test_flag(words: str, lines: list[str]) -> None:
    """The flags do what they do in trec_eval; of parameters given twice the first ones count."""
    found = call(*words.split(), COVERED, RUN)
    assert found.code == 0, found.err
    assert found.out.decode().splitlines() == lines


def test_topics_not_in_the_run() -> None:
    """Without -c 9.0.8 passes over them, and 10.0 stops at the first, after the lines of those before."""
    assert call("-m", "num_q", QRELS, RUN).out == b"num_q                 \tall\t38\n"
    found = call("--compat", "10.0", "-q", "-m", "num_ret", QRELS, RUN)
    assert found.code == 4
    assert [line[1] for line in found.lines] == [str(topic) for topic in range(101, 109)]
    assert "topic 109 is judged but missing from the run. Add -c" in found.err


def test_zscores(tmp_path: Path) -> None:
    """-Z prints distances from a mean in standard deviations, and -1000000 where the file says nothing."""
    (tmp_path / "z").write_text("101 map 0.0 0.5\n")
    found = call("-q", "-n", "-D0.101", "-m", "map", "-m", "P.5", "-Z", tmp_path / "z", COVERED, RUN)
    assert found.out == b"Zmap                   \t101\t0.1835\nZP_5                   \t101\t-1000000.0000\n"


@pytest.mark.parametrize(
    ("qrels", "run", "code"),
    [
        ("1 0 a 1.7\n", "1 Q0 a 1 2 r\n", 0),
        ("1 0 a\n", "1 Q0 a 1 2 r\n", 2),
        ("1 0 a 1 x\n", "1 Q0 a 1 2 r\n", 2),
        ("1 0 a 1\n\n", "1 Q0 a 1 2 r\n", 2),
        ("1 0 a 1\n", "1 Q0 a 1 2\n", 2),
        ("1 0 a 1\n", "\n1 Q0 a 1 nan r x\n", 0),
        ("", "1 Q0 a 1 2 r\n", 2),
        ("1 0 a 1\n", "", 2),
        ("1 0 a 1\n1 0 a 1\n", "1 Q0 a 1 2 r\n", 4),
        ("1 0 a 1\n", "1 Q0 a 1 2 r\n1 Q0 a 1 1 r\n", 4),
        ("1 0 a 1\n", "2 Q0 a 1 2 r\n", 7),
        ("1 0 a -1\n", "1 Q0 a 1 2 r\n", 4),
    ],
)
def test_files(tmp_path: Path, qrels: str, run: str, code: int) -> None:
    """Files are refused where trec_eval refuses them."""
    (tmp_path / "q").write_text(qrels)
    (tmp_path / "r").write_text(run)
    found = call("-m", "map", tmp_path / "q", tmp_path / "r")
    assert found.code == code, found.err
    assert bool(found.err) == bool(code)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--compat 10.0 -m rbp.p=0.8", "trec_eval 10.0 reads uninitialised memory"),
        ("-m ndcg.-1=0.5", "trec_eval gives it to unjudged results"),
        ("-m ndcg.1=0.2,2=0.5", "trec_eval mixes up their order"),
    ],
)
def test_faults(words: str, said: str) -> None:
    """Where trec_eval's number comes from a fault, another is printed, and standard error says so."""
    found = call(*words.split(), COVERED, RUN)
    assert found.code == 0
    assert said in found.err


@pytest.mark.heavy
@pytest.mark.parametrize("start", [["-m", "idealrank", "trec_eval"], ["-m", "idealrank.integrations.trec_eval"]])
def test_processes(start: list[str]) -> None:
    """Both ways to start it print the same and end with the same code; 10.0 reads a run from standard input."""
    words = ["--compat", "10.0", "-m", "map", "-m", "num_q"]
    with open(RUN, "rb") as stdin:
        found = subprocess.run([sys.executable, *start, *words, COVERED, "-"], stdin=stdin, capture_output=True)
    assert found.stdout == call(*words, COVERED, RUN).out
    assert found.returncode == 0
    assert subprocess.run([sys.executable, *start, "-m", "zzz"], capture_output=True).returncode == 1


def test_help_and_version() -> None:
    """-h prints the flags and the formulas asked for, -v the version on standard error."""
    found = call("-h", "-m", "map")
    assert found.code == 0
    assert "map: Average precision" in found.out.decode()
    shown = call("-h", "-m", "prefs_avgjg_imp").out.decode()
    assert "  Mean over the judgment groups of preferences fulfilled / preferences with a returned document." in shown
    assert call("-v", "-y").err.endswith("instead of trec_eval 9.0.8\n")


FORMS = ["prefs", "qrels_prefs", "qrels_jg"]
WORDS = st.lists(
    st.one_of(
        st.sampled_from(["-m", "-q", "-c", "-l", "-J", "-M", "-Z", "-D", "-n", "--", "--compat", "10.0", QRELS, RUN]),
        st.sampled_from(["all_trec", "ndcg.-1=2", "utility.x,,,", "set_F.-1", "iprec_at_recall.-1,nan", "P.9e9"]),
        st.sampled_from(["-R", *FORMS, *(f"-R{form}" for form in FORMS), "all_prefs", "qrels_jg", "P_avgjg.2,x"]),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6),
    ),
    max_size=6,
)
CODES_KNOWN = (0, 1, 2, 4, 7, 134, 255)


@settings(max_examples=tried(100), deadline=None)
@given(WORDS, st.sampled_from([COVERED, GROUPS, PREFS]))
def test_any_words(words: list[str], judgments: str) -> None:
    """Whatever the words, there is an exit code of trec_eval, and what is wrong is one line."""
    found = call(*words, judgments, RUN)
    assert found.code in CODES_KNOWN
    assert bool(found.code) <= bool(found.err)


LINES = st.lists(
    st.lists(
        st.sampled_from(["1", "2", "g", "h", "a", "b", "c", "0", "3", "-3", "-4", "1e400", "nan", "#", "\xff", "x"]),
        min_size=3,
        max_size=6,
    ).map(" ".join),
    min_size=1,
    max_size=12,
)


@settings(max_examples=tried(150), deadline=None)
@given(st.sampled_from(FORMS), st.sampled_from(["9.0.8", "10.0"]), LINES, st.sampled_from(["", "-J", "-M1", "-c"]))
def test_any_groups(form: str, compat: str, lines: list[str], flag: str) -> None:
    """Whatever stands in judgments by group, there is an exit code of trec_eval, and no traceback."""
    with tempfile.TemporaryDirectory() as folder:
        judgments, run = Path(folder, "judgments"), Path(folder, "run")
        judgments.write_text("\n".join(f"{line} 1" for line in lines), "latin-1")
        run.write_text("1 Q0 a 1 2 r\n1 Q0 x 1 2 r\n1 Q0 b 1 1 r\n2 Q0 c 1 1 r\n")
        for measure in ("all_prefs", "qrels_jg"):
            words = ["--compat", compat, "-q", "-R", form, "-m", measure, judgments, run, *flag.split()]
            assert call(*words).code in CODES_KNOWN
