"""Quepid's scorers, as in the scripts of its repository."""

from idealrank.conventions.convention import Convention

_ANSWERS = {
    "ties": "given",
    "gain": "exp2",
    "ideal_depth": "all",
    "negative": "keep",
    "relevant_from": "positive",
    "short_list": "returned",
}
_SOURCES = {
    "ties": "the engine's order",
    "gain": "db/scorers/ndcg@10.js:28-31",
    "ideal_depth": "db/scorers/ndcg@10.js:28-31: the ideal is not cut at 10",
    "negative": "db/scorers/ndcg@10.js: ratings are taken as they are",
    "relevant_from": "db/scorers/p@10.js: a rating above 0",
    "short_list": "db/scorers/p@10.js: divided by the documents shown",
}
_FAULTS = (
    "Its DCG@10 and CG@10 are NaN for a list with an unrated document (db/scorers/dcg@10.js:6, cg@10.js:5); these "
    "scorers are not supported here.",
    "AP@10 is NaN for a query without a rating above 0 (db/scorers/ap@10.js), and so is the mean; here it is 0.",
    "nDCG@10 also divides by an ideal below zero; here that is 0.",
)

_RUN = "Taken from the tool's source code; its scorers were run, the application was not."

CONVENTIONS = (
    Convention(
        name="quepid",
        tool="Quepid",
        version="8.6.0",
        about="Its nightly runs: queries without results count 0. The ideal of nDCG@10 contains all ratings, not just "
        f"ten. {_RUN}",
        answers={**_ANSWERS, "no_judgments": "0"},
        sources={**_SOURCES, "no_judgments": "fetch_service.rb: every query of the case is scored and counts"},
        faults=_FAULTS,
        measures=frozenset({"P", "AP", "nDCG"}),
    ),
    Convention(
        name="quepid-browser",
        tool="Quepid",
        version="8.6.0",
        about=f"A case in the browser: queries without results are left out of the mean. {_RUN}",
        answers={**_ANSWERS, "no_results": "skip"},
        sources={**_SOURCES, "no_results": "queriesSvc.scoreAll skips ZSR"},
        faults=_FAULTS,
        measures=frozenset({"P", "AP", "nDCG"}),
    ),
)
