"""The descriptions of the preference measures: one sentence for what several of them share; without NumPy."""

import textwrap

RETURNED, IMPLIED, ALL = 1, 2, 3
"""How many kinds of preferences count: between two returned documents, also with one returned, also with none."""

_OTHERS = {
    ALL: "A returned document comes before one that was not; a preference between two that were not is not fulfilled.",
    IMPLIED: "A returned document comes before one that was not; preferences between two that were not do not count.",
    RETURNED: "Preferences with a document that was not returned do not count.",
}
_OF = {ALL: "", IMPLIED: " with a returned document", RETURNED: " between returned documents"}
_PAIRS = {ALL: "the pairs of documents", IMPLIED: "the pairs of documents with a returned one",
          RETURNED: "the pairs of returned documents"}  # fmt: skip
_UNJUDGED = "A result without a judgment does not count."
_PREFERRED = "A group prefers the document with the higher grade of two"
_FULFILLED = f"{_PREFERRED}, and the preference is fulfilled if that document comes first."
_ALONE = "The document with the higher grade of two is preferred, and the preference is fulfilled if it comes first."

# What is true of all of them.
_GROUPS = (
    "A judgment group is a subtopic or a user if the judgments name any; else the query is one group. Preferences "
    "by subgroups (trec_eval ``-R prefs``) are not read. The promises below hold for one group: if several contradict "
    "each other, no order fulfils them all."
)
_EXAMPLE = """\
Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``{name}``.

Examples
--------
>>> import idealrank as ir
{world}
>>> round(ir.evaluate(judgments, results, ["{name}"])["{name}"], 4)
{value}"""
_QUERY = """\
>>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
>>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)"""
_USERS = """\
>>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
>>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
>>> results = {"q": {"A": 2.0, "B": 1.0}}"""


def _said(name: str, value: float, *paragraphs: str, world: str = _QUERY) -> str:
    """Build a docstring: a first line, paragraphs, source and example."""
    first, *rest = paragraphs
    wrapped = [textwrap.fill(text, 106) for text in (*rest, _GROUPS)]
    return "\n\n".join([first, *wrapped, _EXAMPLE.format(name=name, world=world, value=value)])


def simple(name: str, kinds: int, value: float) -> str:
    """Describe a count over all groups together."""
    first = f"Preferences fulfilled / preferences{_OF[kinds]}, over all judgment groups together."
    return _said(name, value, first, f"{_ALONE} {_OTHERS[kinds]} {_UNJUDGED}")


def paired(name: str, kinds: int, value: float) -> str:
    """Describe a mean over pairs of documents."""
    first = f"Mean over {_PAIRS[kinds]} of preferences fulfilled / preferences between the two."
    rest = f"Pairs in which no group prefers either document do not count. {_PREFERRED}. {_OTHERS[kinds]} {_UNJUDGED}"
    return _said(name, value, first, rest, world=_USERS)


def averaged(name: str, kinds: int, value: float) -> str:
    """Describe a mean over judgment groups."""
    first = f"Mean over the judgment groups of preferences fulfilled / preferences{_OF[kinds]}."
    rest = f"A group without a preference counts 0; 0/0 if no group has one. {_PREFERRED}. {_OTHERS[kinds]}"
    return _said(name, value, first, f"{rest} {_UNJUDGED}", world=_USERS)


def balanced(name: str, kinds: int, value: float) -> str:
    """Describe a mean over groups with equal numbers of relevant and other documents."""
    ending, last = ("_ret", "") if kinds == RETURNED else ("", ", those not returned last")
    first = f"prefs_avgjg{ending}, each group with equal numbers of relevant and non-relevant documents."
    rest = (
        "Here a grade above 0 is relevant, and a query is 0/0 if one of its groups has no preference left. "
        f"If a group has more other documents than relevant ones, only that many count, the first ones{last}; the "
        "lowest grade is then also compared with itself, as in trec_eval. If it has fewer, documents that were not "
        "returned are added, each worse than every relevant one."
    )
    return _said(name, value, first, rest, f"{_OTHERS[kinds]} {_UNJUDGED}")


def counted(name: str, kinds: int, value: float) -> str:
    """Describe a number of preferences fulfilled."""
    which = ("between returned documents that are " if kinds == RETURNED else "") + "fulfilled"
    others = "" if kinds == RETURNED else "A returned document comes before one that was not returned. "
    first = f"Number of preferences {which}; the line for all queries is the sum."
    rest = f"{_FULFILLED} {others}{_UNJUDGED}"
    return _said(name, value, first, rest)


def held(name: str, kinds: int, value: float) -> str:
    """Describe the number of all preferences."""
    del kinds
    each = "pairs of documents of different grades in a judgment group"
    return _said(name, value, f"Number of preferences: {each}; the line for all queries is the sum.")
