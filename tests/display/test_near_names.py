"""A name that is not there is answered with what is meant by it: by alias, by spelling, by the words in it."""

import pytest

import idealrank as ir


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("evaluate_run", "Did you mean evaluate?"),
        ("gate_check", "Did you mean gate?"),
        ("report_html", "Did you mean report?"),
        ("read_judgements", "Did you mean read_judgments?"),
        ("qrel", "Use ir.read_judgments('qrels.txt')."),
        ("mean_average_precision", "Use ir.evaluate(judgments, results)['AP']."),
        ("err", "Use ir.evaluate(judgments, results, ['ERR@10'])."),
        ("ndcg_cut_20", "Use ir.evaluate(judgments, results, ['nDCG@20'])."),
    ],
)
def test_near_names(name: str, said: str) -> None:
    """A measure's name in any library gives the call, and a longer name what it contains."""
    with pytest.raises(AttributeError) as refused:
        getattr(ir, name)
    assert str(refused.value) == f"idealrank has no {name!r}. {said}"


def test_nothing_like_it_is_not_guessed() -> None:
    """Where nothing is like the name, the message proposes nothing."""
    with pytest.raises(AttributeError) as refused:
        ir.qqq  # noqa: B018 - that asking for it raises
    assert str(refused.value) == "idealrank has no 'qqq'."
