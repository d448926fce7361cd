"""How ir_measures writes the decisions: judged_only=True, dcg='exp-log2', gains={1:3}, max_rel=3.

Its measure objects are recognised by their shape; the package is not imported.
"""

import math
from collections.abc import Mapping
from typing import Any

from idealrank.errors import UsageError, not_allowed
from idealrank.measures.definition import SHORT_NAMES

_WORDS = {
    "judged_only": {"True": "unjudged=filter", "False": "unjudged=zero"},
    "dcg": {"log2": "gain=linear", "exp-log2": "gain=exp2"},
    "min_rel": {"0": ""},
    "relative": {"False": ""},
    "normalize": {"True": ""},
}
"""Its parameters with few values and what each means here; nothing if that is the case anyway."""
_NAMES = {short: name for name, short in SHORT_NAMES.items()} | {"gains": "gain", "max_rel": "max_grade"}
_SWITCHES = {("setp", "relative", "True"): "SetRelP", ("compat", "normalize", "False"): "RBOToIdeal"}
"""Parameters that turn one measure into another."""


def is_object(measure: Any) -> bool:
    """Whether this is a measure object of ir_measures."""
    return isinstance(getattr(measure, "params", None), dict) and isinstance(getattr(measure, "NAME", None), str)


def written(measure: Any) -> str:
    """Write a measure object of ir_measures as a measure string; text stays as it is.

    Raises
    ------
    UsageError
        If it is neither.

    Examples
    --------
    >>> import ir_measures
    >>> written(ir_measures.P(rel=2) @ 5)
    'P(rel=2)@5'
    """
    if isinstance(measure, str):
        return measure
    if not is_object(measure):
        raise UsageError(f"{measure!r} is not a measure. Write a name and a cutoff, such as nDCG@10 or P(rel=2)@5.")
    parameters = dict(measure.params)
    behind = parameters.pop(measure.AT_PARAM, None)
    inside = ",".join(f"{name}={value!r}" for name, value in parameters.items())
    return f"{measure.NAME}{f'({inside})' if inside else ''}{'' if behind is None else f'@{behind}'}"


def plain_answers(parameters: Mapping[str, str]) -> dict[str, str]:
    """Translate the parameters of ir_measures into decisions.

    Raises
    ------
    UsageError
        If a parameter has a value that is not allowed, or an answer is given twice, once in each spelling.

    Examples
    --------
    >>> plain_answers({"judged_only": "True", "dcg": "'exp-log2'", "max_rel": "3"})
    {'unjudged': 'filter', 'gain': 'exp2', 'max_grade': '3'}
    """
    answers: dict[str, str] = {}
    for name, value in parameters.items():
        ours, _, answer = _plain(name, value).partition("=")
        if ours in answers:
            raise UsageError(f"{ours} is given twice: {answers[ours]} and {answer}, the second as {name}={value}.")
        if ours:
            answers[ours] = answer
    return answers


def _plain(name: str, value: str) -> str:
    words = _WORDS.get(name)
    if words is None:
        return f"{_NAMES.get(name, name)}={value}"
    word = value.strip("'\"")
    if word not in words:
        raise not_allowed(name, value, words)
    return words[word]


def switched(name: str, parameters: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the name and the parameters of the measure that a parameter turns one into, as in SetP(relative=True).

    NumRet(rel=1) is NumRelRet.

    Examples
    --------
    >>> switched("SetP", {"relative": "True", "rel": "2"})
    ('SetRelP', {'rel': '2'})
    """
    if name.lower() == "numret" and "rel" in parameters:
        return "NumRelRet", dict(parameters)
    for parameter, value in parameters.items():
        if (other := _SWITCHES.get((name.lower(), parameter, value))) is not None:
            return other, {key: word for key, word in parameters.items() if key != parameter}
    return name, dict(parameters)


def squared(
    name: str, parameters: Mapping[str, str], sign: str | None, behind: str | None
) -> tuple[str, dict[str, str], str | None]:
    """Return name, parameters and cutoff; trec_eval's set_F.x is F: its x, called beta by ir_measures, is beta squared.

    Raises
    ------
    UsageError
        If x is not a number above 0.

    Examples
    --------
    >>> squared("set_F", {}, ".", "4")
    ('F', {'beta': '2.0'}, None)
    >>> squared("set_F", {"rel": "2", "beta": "0.25"}, None, None)
    ('F', {'rel': '2', 'beta': '0.5'}, None)
    """
    in_brackets = "beta" in parameters
    if name.lower() != "set_f" or not (in_brackets or (behind is not None and sign != "@")):
        return name, dict(parameters), behind
    text = parameters["beta"] if in_brackets else behind
    try:
        x = float(text or "")
    except ValueError:
        x = math.nan
    if not 0 < x < math.inf:
        raise UsageError(f"set_F.{text}: {text!r} is not a number above 0. It is beta squared: set_F.4 is F(beta=2).")
    return "F", {**parameters, "beta": repr(math.sqrt(x))}, behind if in_brackets else None
