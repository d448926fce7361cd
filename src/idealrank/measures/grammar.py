"""How measures are written: nDCG@10, P(rel=2)@5, nDCG(gain=exp2)@5,10, ndcg_cut_10, recall_at_10, NDCG-fg@10."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from idealrank.decisions.decisions import DEFAULT, Decisions, questions
from idealrank.decisions.question import parse_answers
from idealrank.errors import LARGEST_CUTOFF, UnknownMeasureError, UsageError, closest, not_allowed, unknown
from idealrank.measures.definition import SHORT_NAMES, Definition, Measure

_MEASURE = re.compile(
    r"""\s*(?P<name>\d*[A-Za-zα][A-Za-z0-9 -]*?(?:_[A-Za-z][A-Za-z0-9]*)*)
        \s*(?:\((?P<round>.*)\)|\[(?P<square>.*)\])?
        \s*(?:(?P<sign>[@_.])\s*(?P<cutoff>.+?))?\s*$""",
    re.VERBOSE,
)
_TOOLS = re.compile(r"(?i)^\s*(?:(?:cosine|cos_sim|dot|dot_score|euclidean|manhattan|max)[_-](?=[a-z]))?")
"""The similarity that sentence-transformers and MTEB write before a measure."""
_AT = re.compile(r"_at_(?=\d)")
_FLAVOR = r"(?i)(?P<name>n?dcg)-(?P<unjudged>[zf])(?P<ideal>[lgrm]?)"
_IDEALS = {"l": "local", "g": "global", "r": "returned", "m": "max"}


def by_name(definitions: Iterable[Definition]) -> dict[str, Definition]:
    """Definitions by each of their names, and by the same names in lower case.

    Raises
    ------
    ValueError
        If two measures share a name, ignoring case.
    """
    by_spelling: dict[str, Definition] = {}
    owners: dict[str, str] = {}
    for definition in definitions:
        for name in (definition.name, *definition.aliases, *definition.carried):
            owner = owners.setdefault(name.lower(), definition.name)
            if owner != definition.name or by_spelling.get(name, definition) is not definition:
                raise ValueError(f"Two measures are called {name!r}: {owner} and {definition.name}. Rename one.")
            by_spelling[name] = definition
    return {name.lower(): definition for name, definition in by_spelling.items()} | by_spelling


def parse_with(definitions: Mapping[str, Definition], text: str, base: Decisions = DEFAULT) -> list[Measure]:
    """Read one measure string; several cutoffs (``nDCG@5,10``) give several measures.

    Parameters
    ----------
    definitions
        Definitions by name and alias.
    text
        The string: a name, decisions or parameters in brackets, cutoffs.
    base
        The decisions of the call; those in the string take precedence.

    Raises
    ------
    UsageError
        If the name, a decision or the cutoff is unknown; the message gives the nearest spelling.

    Examples
    --------
    >>> from idealrank.measures import parse
    >>> [m.name for m in parse("ndcg_cut_5,10")]
    ['nDCG@5', 'nDCG@10']
    >>> [m.name for name in ("ndcg_at_10", "cosine_accuracy@1") for m in parse(name)]
    ['nDCG@10', 'Success@1']
    >>> parse("P(rel=2)@5")[0].decisions.relevant_from
    2.0
    """
    form = _MEASURE.match(_AT.sub("@", _TOOLS.sub("", text)))
    if form is None:
        raise UsageError(f"{text!r} is not a measure. Write a name and a cutoff, such as nDCG@10 or P(rel=2)@5.")
    inside = parse_answers(form["round"] or form["square"] or "")
    name, inside, cutoff = read_squared_beta(form["name"], inside, form["sign"], form["cutoff"])
    name, inside = switch_measure(name, inside)
    definition, carried = _find_definition(definitions, name, cutoff or "")
    if form["sign"] == "." and (cutoff or "").isdigit() and any(p.name == "p" for p in definition.parameters):
        p, k = f"{definition.name}(p=0.{cutoff})", f"{definition.name}@{cutoff}"  # rbp.95 of ranx is p
        raise UsageError(f"{text!r}: .{cutoff} may be the persistence or the cutoff. Write {p} or {k}.")
    answers = {**carried, **_read_answers(inside, definition)}
    parameters = {p.name: answers.pop(p.name) for p in definition.parameters if p.name in answers}
    measure = Measure(definition, None, (), base.but(**answers), base, text.strip())
    if (behind := definition.at_parameter) is not None and cutoff is not None:
        each = [parameters | {behind.name: value} for value in cutoff.split(",")]
        return [replace(measure, parameters=_read_parameters(definition, one)) for one in each]
    measure = replace(measure, parameters=_read_parameters(definition, parameters))
    return [replace(measure, cutoff=k) for k in _read_cutoffs(cutoff, definition)]


def _find_definition(
    definitions: Mapping[str, Definition], name: str, cutoff: str
) -> tuple[Definition, dict[str, str]]:
    if "-" in name and (flavor := re.fullmatch(_FLAVOR, name)) is not None:
        return _find_flavor(definitions, flavor)
    definition = definitions.get(name.lower())
    if definition is None:
        meant = _find_near(definitions, name, cutoff)
        hint = f" Did you mean {meant}?" if meant else _list_known(definitions)
        raise UnknownMeasureError(f"No measure called {name!r}.{hint}", meant)
    carried = {name_carried.lower(): answers for name_carried, answers in definition.carried.items()}
    return definition, dict(carried.get(name.lower(), {}))


def _find_near(definitions: Mapping[str, Definition], name: str, cutoff: str) -> str:
    """Return nDCG@10 for ndgc@10 and for ndcg10; an empty string where no name is near."""
    words = re.fullmatch(r"\s*([A-Za-z]+)(?:\s+at)?\s+(\d+)\s*", name)  # precision at 5
    if words is not None:
        name, cutoff = words[1], words[2]
    name = "_".join(name.split())  # mean reciprocal rank
    stem = name.rstrip("0123456789").rstrip("_-")
    known = definitions.get(stem.lower()) if stem != name else None
    joined = definitions.get(re.sub(r"[-_]", "", name).lower())  # R-prec
    word = known.name if known else joined.name if joined else closest(name, _suggestible_names(definitions))
    meant = definitions.get(word.lower())
    if meant is None:
        return ""
    behind = cutoff or (name[len(stem) :].strip("_-") if known else "")
    cut = behind and (meant.cutoff == "optional" or meant.at_parameter is not None)
    return f"{word}{f'@{behind}' if cut else ''}"


def _suggestible_names(definitions: Mapping[str, Definition]) -> list[str]:
    """Names to suggest: our own first, then aliases, except single letters, which are close to anything short."""
    own = {definition.name for definition in definitions.values()}
    return [*own, *(name for name in definitions if len(name) > 1)]


def _list_known(definitions: Mapping[str, Definition]) -> str:
    return f" Known: {', '.join(sorted({d.name for d in definitions.values()}))}."


def _find_flavor(definitions: Mapping[str, Definition], flavor: re.Match[str]) -> tuple[Definition, dict[str, str]]:
    carried = {"unjudged": {"z": "zero", "f": "filter"}[flavor["unjudged"].lower()]}
    normalised = flavor["name"].lower() == "ndcg"
    if normalised != bool(flavor["ideal"]):
        raise UsageError(
            f"{flavor[0]!r} is not a flavour. Write DCG-z, DCG-f, or NDCG-zg, which may also end in l, r or m."
        )
    if normalised:
        carried["ideal"] = _IDEALS[flavor["ideal"].lower()]
    return definitions["nDCG" if normalised else "DCG"], carried


def _read_answers(parameters: Mapping[str, str], definition: Definition) -> dict[str, str]:
    answers = translate_parameters(parameters)
    allowed = (*questions(), *(parameter.name for parameter in definition.parameters))
    for name in answers:
        if name not in allowed:
            raise unknown(f"decision or parameter of {definition.name}", name, allowed)
        if name in questions() and name not in definition.decisions:
            raise UsageError(
                f"{name} does not change {definition.name}: it reads {', '.join(definition.reads) or 'none'}."
            )
    return answers


def _read_cutoffs(text: str | None, definition: Definition) -> list[int | None]:
    if text is None:
        return [None]
    cutoffs: list[int | None] = []
    for part in text.split(","):
        word = part.strip()
        # Ranks are counted in 64 bits; int() itself refuses thousands of digits.
        digits = word.lstrip("0") if word.isdecimal() and word.isascii() else ""
        if not digits or len(digits) > 19 or int(digits) > LARGEST_CUTOFF:
            allowed = f"to {LARGEST_CUTOFF:,}" if digits else "up"
            raise UsageError(
                f"{definition.name}@{text}: the cutoff k is a whole number from 1 {allowed}, not {word!r}."
            )
        cutoffs.append(int(digits))
    return cutoffs


def _read_parameters(definition: Definition, texts: Mapping[str, str]) -> tuple[tuple[str, float], ...]:
    """Read a definition's own parameters; missing ones take their default."""
    return tuple((p.name, p.read(texts[p.name]) if p.name in texts else p.default) for p in definition.parameters)


# Measures as ir_measures writes them: judged_only=True, dcg='exp-log2', gains={1:3}, max_rel=3.

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


def is_ir_measures_object(measure: Any) -> bool:
    """Whether this is a measure object of ir_measures, by its shape: the package is not imported."""
    return isinstance(getattr(measure, "params", None), dict) and isinstance(getattr(measure, "NAME", None), str)


def measure_text(measure: Any) -> str:
    """Write a measure object of ir_measures as a measure string; text stays as it is.

    Raises
    ------
    UsageError
        If it is neither.

    Examples
    --------
    >>> import ir_measures
    >>> measure_text(ir_measures.P(rel=2) @ 5)
    'P(rel=2)@5'
    """
    if isinstance(measure, str):
        return measure
    if not is_ir_measures_object(measure):
        raise UsageError(f"{measure!r} is not a measure. Write a name and a cutoff, such as nDCG@10 or P(rel=2)@5.")
    parameters = dict(measure.params)
    behind = parameters.pop(measure.AT_PARAM, None)
    inside = ",".join(f"{name}={value!r}" for name, value in parameters.items())
    return f"{measure.NAME}{f'({inside})' if inside else ''}{'' if behind is None else f'@{behind}'}"


def translate_parameters(parameters: Mapping[str, str]) -> dict[str, str]:
    """Translate the parameters of ir_measures into decisions.

    Raises
    ------
    UsageError
        If a parameter has a value that is not allowed, or an answer is given twice, once in each spelling.

    Examples
    --------
    >>> translate_parameters({"judged_only": "True", "dcg": "'exp-log2'", "max_rel": "3"})
    {'unjudged': 'filter', 'gain': 'exp2', 'max_grade': '3'}
    """
    answers: dict[str, str] = {}
    for name, value in parameters.items():
        ours, _, answer = _translate(name, value).partition("=")
        if ours in answers:
            raise UsageError(f"{ours} is given twice: {answers[ours]} and {answer}, the second as {name}={value}.")
        if ours:
            answers[ours] = answer
    return answers


def _translate(name: str, value: str) -> str:
    words = _WORDS.get(name)
    if words is None:
        return f"{_NAMES.get(name, name)}={value}"
    word = value.strip("'\"")
    if word not in words:
        raise not_allowed(name, value, words)
    return words[word]


def switch_measure(name: str, parameters: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the name and the parameters of the measure that a parameter turns one into, as in SetP(relative=True).

    NumRet(rel=1) is NumRelRet.

    Examples
    --------
    >>> switch_measure("SetP", {"relative": "True", "rel": "2"})
    ('SetRelP', {'rel': '2'})
    """
    if name.lower() == "numret" and "rel" in parameters:
        return "NumRelRet", dict(parameters)
    for parameter, value in parameters.items():
        if (other := _SWITCHES.get((name.lower(), parameter, value))) is not None:
            return other, {key: word for key, word in parameters.items() if key != parameter}
    return name, dict(parameters)


def read_squared_beta(
    name: str, parameters: Mapping[str, str], sign: str | None, behind: str | None
) -> tuple[str, dict[str, str], str | None]:
    """Return name, parameters and cutoff; trec_eval's set_F.x is F: its x, called beta by ir_measures, is beta squared.

    Raises
    ------
    UsageError
        If x is not a number above 0.

    Examples
    --------
    >>> read_squared_beta("set_F", {}, ".", "4")
    ('F', {'beta': '2.0'}, None)
    >>> read_squared_beta("set_F", {"rel": "2", "beta": "0.25"}, None, None)
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
