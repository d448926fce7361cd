"""trec_eval's measures in the order it prints them, their parameters and its nicknames."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Kind = Literal["plain", "cuts", "shares", "numbers", "pairs"]
"""The text after the point: nothing, ranks, shares, numbers in order, or name=number."""

_CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


class Entry(NamedTuple):
    """A measure of trec_eval.

    Attributes
    ----------
    kind
        The kind of its parameters.
    default
        The parameters if none are given.
    whole
        Whether it is printed as a whole number, and summed.
    shown
        Whether lines are printed for each topic, for all of them, or both.
    only
        The only version that has it, or "".
    form
        The format of judgments it needs, if that is not qrels.
    """

    kind: Kind = "plain"
    default: tuple[float, ...] = ()
    whole: bool = False
    shown: Literal["both", "all", "topic"] = "both"
    only: str = ""
    form: str = "qrels"

    def there(self, compat: str) -> bool:
        """Whether a version has it."""
        return self.only in ("", compat)


_PREFS = Entry(form="prefs")
_PREFS_COUNT = Entry(form="prefs", whole=True)

MEASURES: Mapping[str, Entry] = {
    "runid": Entry(shown="all"),
    "num_q": Entry(whole=True, shown="all"),
    "num_ret": Entry(whole=True),
    "num_rel": Entry(whole=True),
    "num_rel_ret": Entry(whole=True),
    "map": Entry(),
    "gm_map": Entry(shown="all"),
    "Rprec": Entry(),
    "bpref": Entry(),
    "recip_rank": Entry(),
    "iprec_at_recall": Entry("shares", _TENTHS),
    "P": Entry("cuts", _CUTS),
    "relstring": Entry("numbers", (10.0,), shown="topic"),
    "recall": Entry("cuts", _CUTS),
    "infAP": Entry(),
    "gm_bpref": Entry(shown="all"),
    "Rprec_mult": Entry("shares", _FIFTHS),
    "utility": Entry("numbers", (1.0, -1.0, 0.0, 0.0)),
    "11pt_avg": Entry("numbers", _TENTHS),
    "binG": Entry(),
    "G": Entry("pairs"),
    "dcg": Entry("pairs", only="10.0"),
    "ideal_dcg": Entry("pairs", only="10.0"),
    "ndcg": Entry("pairs"),
    "ndcg_rel": Entry("pairs"),
    "Rndcg": Entry("pairs"),
    "ndcg_cut": Entry("cuts", _CUTS),
    "map_cut": Entry("cuts", _CUTS),
    "relative_P": Entry("cuts", _CUTS),
    "success": Entry("cuts", (1, 5, 10)),
    "set_P": Entry(),
    "set_relative_P": Entry(),
    "set_recall": Entry(),
    "set_map": Entry(),
    "set_F": Entry("numbers", (1.0,)),
    "num_nonrel_judged_ret": Entry(whole=True),
    "prefs_num_prefs_poss": _PREFS_COUNT,
    "prefs_num_prefs_ful": _PREFS_COUNT,
    "prefs_num_prefs_ful_ret": _PREFS_COUNT,
    "prefs_simp": _PREFS,
    "prefs_pair": _PREFS,
    "prefs_avgjg": _PREFS,
    "prefs_avgjg_Rnonrel": _PREFS,
    "prefs_simp_ret": _PREFS,
    "prefs_pair_ret": _PREFS,
    "prefs_avgjg_ret": _PREFS,
    "prefs_avgjg_Rnonrel_ret": _PREFS,
    "prefs_simp_imp": _PREFS,
    "prefs_pair_imp": _PREFS,
    "prefs_avgjg_imp": _PREFS,
    "map_avgjg": Entry(form="qrels_jg"),
    "P_avgjg": Entry("cuts", _CUTS, form="qrels_jg"),
    "Rprec_mult_avgjg": Entry("shares", _FIFTHS, form="qrels_jg"),
    "yaap": Entry(),
    "rbp": Entry("pairs", only="10.0"),
    "rbp_resid": Entry("pairs", only="10.0"),
    "unj": Entry("cuts", (5, 10, 20), only="10.0"),
}

_COUNTED = ("runid", "num_q")
_PREFS_OFFICIAL = (
    *_COUNTED, "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret",
    "prefs_simp", "prefs_pair", "prefs_avgjg",
)  # fmt: skip
_NOT_ALL = {"dcg", "ideal_dcg", "yaap"}

NICKNAMES: Mapping[str, tuple[str, ...]] = {
    "official": tuple(name for place, name in enumerate(MEASURES) if place < 12),
    "set": (
        *_COUNTED, "num_ret", "num_rel", "num_rel_ret", "utility",
        "set_P", "set_recall", "set_relative_P", "set_map", "set_F",
    ),
    "all_trec": tuple(name for name, entry in MEASURES.items() if entry.form == "qrels" and name not in _NOT_ALL),
    "all_prefs": (*_COUNTED, *(name for name, entry in MEASURES.items() if entry.form == "prefs")),
    "prefs": _PREFS_OFFICIAL,
    "qrels_jg": (*_COUNTED, "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}  # fmt: skip
"""Names for several measures; measures missing from a version are skipped."""
