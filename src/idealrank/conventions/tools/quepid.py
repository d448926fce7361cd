"""Quepid's scorers, as its scripts stand in the repository."""

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
    "Its DCG@10 and CG@10 of a list with an unrated document are no numbers (db/scorers/dcg@10.js:6, cg@10.js:5), nor "
    "is its AP@10 of a query without a rating above 0: these scorers are unsupported here.",
    "nDCG@10 divides by an ideal below zero, too; here that is 0.",
)

CONVENTIONS = (
    Convention(
        name="quepid",
        tool="Quepid",
        version="8.6.0",
        about="Its nightly runs: queries without results count 0. nDCG@10 divides by all ratings, however "
        "many. From source, not run.",
        answers={**_ANSWERS, "no_judgments": "0"},
        sources={**_SOURCES, "no_judgments": "fetch_service.rb: every query of the case is scored and divided by"},
        faults=_FAULTS,
        measures=frozenset({"P", "nDCG"}),
    ),
    Convention(
        name="quepid-browser",
        tool="Quepid",
        version="8.6.0",
        about="A case in the browser: queries without results are left out of the mean. From source, not run.",
        answers={**_ANSWERS, "no_results": "skip"},
        sources={**_SOURCES, "no_results": "queriesSvc.scoreAll skips ZSR"},
        faults=_FAULTS,
        measures=frozenset({"P", "nDCG"}),
    ),
)
