"""Measures of preferences: which pairs of documents stand in the order of their grades."""

import math

from idealrank.measures.common import SHARE
from idealrank.measures.definition import Definition
from idealrank.measures.properties import Properties

_READS = ("negative", "no_relevant")
_HOLES = ("plays no part", "play no part")

# With several judgment groups the grade of a document does not say what each of them prefers: no range is computed.
_SHARE = SHARE._replace(at_ideal="1", undefined="no pair judged", depth="all", tie_range="none", in_pairs=True)
_OF = {
    "": ("of the preferences", "no pair judged"),
    "_imp": ("of the preferences with a returned document", "no pair with a result"),
    "_ret": ("of the preferences between returned documents", "no pair of judged results"),
}
_MEANS = {"simp": "", "pair": ", averaged over the pairs", "avgjg": ", averaged over the judgment groups"}


def _share(kind: str, ending: str) -> Definition:
    preferences, undefined = _OF[ending]
    return Definition(
        name=f"prefs_{kind}{ending}",
        title=f"The share {preferences} that the results fulfil{_MEANS[kind]}",
        module="preferences.prefs",
        function=f"{kind}{ending}",
        reads=_READS,
        cutoff="none",
        properties=_SHARE._replace(undefined=undefined),
        holes=_HOLES,
    )


def _balanced(ending: str, undefined: str) -> Definition:
    return Definition(
        name=f"prefs_avgjg_Rnonrel{ending}",
        title=f"prefs_avgjg{ending} with as many documents that are not relevant as are",
        module="preferences.prefs",
        function=f"avgjg_rnonrel{ending}",
        reads=_READS,
        cutoff="none",
        properties=_SHARE._replace(at_ideal="best", undefined=undefined, average="none"),
        holes=_HOLES,
    )


_COUNT = _SHARE._replace(highest=math.inf, at_ideal="best", undefined="never")


def _count(name: str, title: str, properties: Properties = _COUNT) -> Definition:
    return Definition(
        name=f"prefs_num_prefs_{name}",
        title=title,
        module="preferences.prefs",
        function=f"num_prefs_{name}",
        reads=("negative",),
        cutoff="none",
        properties=properties,
        total="sum",
        holes=_HOLES,
    )


DEFINITIONS = (
    *(_share(kind, ending) for ending in _OF for kind in _MEANS),
    _balanced("", "nothing of worth"),
    _balanced("_ret", "nothing of worth returned"),
    _count(
        "poss", "Number of preferences judged", _COUNT._replace(at_ideal="none", depth="nothing", direction="count")
    ),
    _count("ful", "Number of preferences that the results fulfil"),
    _count("ful_ret", "Number of preferences between returned documents that the results fulfil"),
)
