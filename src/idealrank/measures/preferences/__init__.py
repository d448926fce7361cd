"""Measures of preferences: which pairs of documents are in the order of their grades."""

import functools
import math
from collections.abc import Callable
from typing import Any

from idealrank.measures.common import SHARE
from idealrank.measures.definition import Definition
from idealrank.measures.preferences import words
from idealrank.measures.preferences.words import ALL, IMPLIED, RETURNED

# With several judgment groups a document's grade does not say what each of them prefers, so no range is computed.
_READS = ("negative", "no_relevant")
_SHARE = SHARE._replace(at_ideal="1", undefined="no pair judged", depth="all", tie_range="none", in_pairs=True)
_BALANCED = _SHARE._replace(at_ideal="best", average="none")
_COUNT = _SHARE._replace(highest=math.inf, at_ideal="best", undefined="never")
_POSSIBLE = _COUNT._replace(at_ideal="none", depth="nothing", direction="count")

_OF = {
    ALL: ("", "of the preferences", "no pair judged"),
    IMPLIED: ("_imp", "of the preferences with a returned document", "no pair with a result"),
    RETURNED: ("_ret", "of the preferences between returned documents", "no pair of judged results"),
}
_MEANS = {
    "simp": (words.simple, "", {ALL: 0.375, IMPLIED: 0.4286, RETURNED: 0.6667}),
    "pair": (words.paired, ", averaged over the pairs", {ALL: 0.7, IMPLIED: 0.875, RETURNED: 0.5}),
    "avgjg": (words.averaged, ", averaged over the judgment groups", {ALL: 0.4, IMPLIED: 0.5, RETURNED: 0.5}),
}
"""How fulfilled preferences are averaged; the value in the example of each measure."""


def _define(
    name: str, title: str, said: Callable[[str, int, float], str], kinds: int, example: float, **others: Any
) -> Definition:
    return Definition(
        name=f"prefs_{name}",
        title=title,
        module="preferences.fulfilment",
        function=said.__name__,
        given={"kinds": kinds},
        said=functools.partial(said, f"prefs_{name}", kinds, example),
        holes=("does not count", "do not count"),
        **others,
    )


def _share(kind: str, kinds: int) -> Definition:
    (ending, preferences, undefined), (said, mean, examples) = _OF[kinds], _MEANS[kind]
    title, properties = f"The share {preferences} that the results fulfil{mean}", _SHARE._replace(undefined=undefined)
    return _define(f"{kind}{ending}", title, said, kinds, examples[kinds], reads=_READS, properties=properties)


def _balanced(kinds: int, undefined: str, example: float) -> Definition:
    ending, properties = _OF[kinds][0], _BALANCED._replace(undefined=undefined)
    title = f"prefs_avgjg{ending} with equal numbers of relevant and non-relevant documents"
    name = f"avgjg_Rnonrel{ending}"
    return _define(name, title, words.balanced, kinds, example, reads=_READS, properties=properties)


_count = functools.partial(_define, reads=("negative",), total="sum")
_COUNTED = "Number of preferences that the results fulfil"
_RETURNED = "Number of preferences between returned documents that the results fulfil"

DEFINITIONS = (
    *(_share(kind, kinds) for kinds in _OF for kind in _MEANS),
    _balanced(ALL, "nothing of worth", 0.45),
    _balanced(RETURNED, "nothing of worth returned", 0.5714),
    _count("num_prefs_poss", "Number of preferences judged", words.held, ALL, 8.0, properties=_POSSIBLE),
    _count("num_prefs_ful", _COUNTED, words.counted, IMPLIED, 3.0, properties=_COUNT),
    _count("num_prefs_ful_ret", _RETURNED, words.counted, RETURNED, 2.0, properties=_COUNT),
)
