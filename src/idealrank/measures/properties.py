"""What a measure promises: the words of the declaration, each with its meaning."""

from typing import Literal, NamedTuple

AT_IDEAL = {
    "1": "1, if nothing is missing",
    "best": "no other order of these results scores higher",
    "none": "nothing is promised",
}
UNDEFINED = {
    "no relevant": "no document is relevant",
    "ideal zero": "the ideal list is worth nothing, or less",
    "nothing of worth": "no judged document has a gain above 0",
    "nothing of worth or no relevant": "no judged document has a gain above 0, or none is relevant",
    "nothing returned": "there is nothing to divide by",
    "nothing returned, no relevant": "nothing is returned and no document is relevant",
    "no pair": "no two results have different grades",
    "no pair judged": "no two judged documents have different grades",
    "no pair with a result": "every result has the same grade as all other judged documents",
    "no pair of judged results": "no two judged results have different grades",
    "no pair of relevant and other": "no result is relevant, or all are",
    "nothing of worth returned": "no result has a gain above 0",
    "none judged non-relevant": "no document is judged non-relevant",
    "never": "never",
}
MONOTONE = {"always": "true", "global or max": "true under `ideal=global` and `ideal=max`", "no": "not true"}
TIE_RANGE = {"monotone": "exact wherever the measure is monotone", "none": "not computed"}
DEPTH = {"k": "the first k results", "R": "the first R results", "all": "all results", "nothing": "none"}
DIRECTION = {"higher": "higher is better", "lower": "lower is better", "count": "a count, neither good nor bad"}
AVERAGE = {"exact": "exact", "none": "refused"}
Cutoff = Literal["optional", "none"]
"""Whether a measure takes a cutoff."""


class Properties(NamedTuple):
    """What a measure promises; the property sweep tests every promise.

    Attributes
    ----------
    lowest, highest
        Range of a query's score under the default decisions.
    at_ideal
        Its value when the results are in the ideal order and complete: a key of `AT_IDEAL`.
    undefined
        When it is 0/0: a key of `UNDEFINED`.
    monotone
        Whether moving a better document up never lowers it: a key of `MONOTONE`.
    depth
        How deep it reads the results: a key of `DEPTH`.
    direction
        Whether more is better: a key of `DIRECTION`.
    tie_range
        Whether putting the worst, or the best, tied results first gives the ends of its range: a key of `TIE_RANGE`.
    average
        How ``ties=average`` is answered: a key of `AVERAGE`.
    not_averaged
        Answers under which ``ties=average`` is refused, such as ``short_list=judged``.
    in_pairs
        Whether it compares results in pairs, which need more than the good documents.
    """

    lowest: float
    highest: float
    at_ideal: str
    undefined: str
    monotone: str
    depth: str
    direction: str
    average: str = "exact"
    tie_range: str = "monotone"
    not_averaged: tuple[str, ...] = ()
    in_pairs: bool = False

    @property
    def has_best_list(self) -> bool:
        """Whether the good documents alone, best first, score highest: not if results are compared in pairs."""
        return self.direction == "higher" and not self.in_pairs

    @property
    def has_tie_range(self) -> bool:
        """Whether the range over the orders of tied results is computed."""
        return self.monotone != "no" and self.tie_range != "none"

    @property
    def ties(self) -> str:
        """What is computed for tied results: the exact average over their orders, the range, or none."""
        computed = [*(["exact average"] if self.average == "exact" else []), *(["range"] if self.has_tie_range else [])]
        return computed[0] + " only" if computed == ["range"] else " and ".join(computed) or "none"

    @property
    def meanings(self) -> dict[str, str]:
        """Every promise in words.

        Raises
        ------
        KeyError
            If a word of the declaration is unknown.
        """
        return {
            "range": "1" if self.lowest == self.highest else f"{self.lowest:g} to {self.highest:g}",
            "at the ideal order": AT_IDEAL[self.at_ideal],
            "0/0": UNDEFINED[self.undefined],
            "moving a better document up never lowers it": MONOTONE[self.monotone],
            "lowest and highest over the orders of ties": TIE_RANGE["monotone" if self.has_tie_range else "none"],
            "depth": DEPTH[self.depth],
            "direction": DIRECTION[self.direction],
            "`ties=average`": AVERAGE[self.average] + "".join(f"; refused with `{a}`" for a in self.not_averaged),
        }
