"""The sections of the site: every page is in one of them, with the question it answers.

To add a page, add its line here; `make docs` then writes it into docs/index.md. The search finds a page by
its line too, so write it in the words of somebody who does not know the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

START = "index"
"""The page a newcomer sees first; it is in no section."""


@dataclass(frozen=True)
class Section:
    """A part of the site.

    Attributes
    ----------
    title
        What the navigation calls it.
    about
        Who it is for, in one sentence.
    pages
        The name of each page, without its ending, with what it answers.
    """

    title: str
    about: str
    pages: dict[str, str]


SECTIONS = (
    Section(
        "Learn",
        "You are new to idealrank, or to measuring search.",
        {
            "first-verdict": "Twenty minutes from a CSV file to a verdict: the first number, the worst queries, two "
            "engines, a report, a baseline.",
            "what-is-ndcg": "What is nDCG, really? Gain, discount and ideal on one query, and where two people get two "
            "numbers.",
            "lesson-ndcg-step-by-step": "CG, DCG, ideal DCG and nDCG of six results, first by hand.",
            "lesson-unjudged-and-ideals": "Unjudged results count zero or are left out, and four ideal lists.",
            "lesson-raters-to-worst-queries": "Several raters disagree: median, DCG, which query to fix first.",
            "lesson-one-ranking-three-libraries": "Why CatBoost, scikit-learn and your own code print different nDCG.",
            "lesson-what-moves-a-number": "Rank or score, scale of the grades, tails, missing queries: what changes "
            "P@5 and nDCG@5, and what does not.",
            "lesson-forty-hours-or-four": "People judge a sample, a language model the rest: how little labelling is "
            "enough for a verdict.",
            "lesson-a-shop-in-a-notebook": "An hour in a Jupyter notebook with two engines of a shop.",
            "lesson-rag": "Retrieval for RAG: two chunk sizes in the same prompt, judged spans, and a verdict.",
            "what-ndcg-cannot-tell": "Three examples show what an nDCG hides, and which measure to show beside it.",
            "notebooks": "Five notebooks that compute metrics by hand, redone in a few lines each.",
            "trec-covid": "Nine real systems compared on 30 queries: what can be said, and what can't.",
        },
    ),
    Section(
        "Do",
        "You have data, or a question.",
        {
            "from-elasticsearch": "Score saved responses and ratings of your engine, such as those of `_search` and "
            "`_rank_eval`.",
            "from-quepid": "Score an export of a Quepid case: its ratings and snapshots.",
            "from-beir": "Score runs on a benchmark: a BEIR folder, MTEB predictions, TREC qrels.",
            "from-rag": "Score the retrieval of a RAG pipeline: Ragas, LlamaIndex, LangSmith and others.",
            "from-a-ranker": "Score the predictions of LightGBM, XGBoost, CatBoost or scikit-learn.",
            "chunks": "Chunks come back, but documents, pages or spans of text are judged: choose what is counted.",
            "agents": "Score an agent that searches more than once per question.",
            "install": "Install it from a clone; what a wheel needs; what to do where Rust is missing.",
            "replay": "Send your queries to OpenSearch, Elasticsearch, Solr, Vespa or PostgreSQL and keep the results.",
            "tune-opensearch": "Tuning OpenSearch or Elasticsearch, step by step: from the first number to a better "
            "query.",
            "tune-solr": "Tuning Solr, step by step: from the first number to a decision.",
            "judge": "LLM as a judge: let a language model grade results, resumable, and never with a silent 0.",
            "doctor": "Find what is wrong with judgments and results, and how far each fault moves the number.",
            "compare": "Is version 2 better than version 1? Compare two systems or more, with significance and a "
            "verdict.",
            "agreement": "How far do raters agree? Kappa, Krippendorff's alpha, Gwet's AC, and what disagreement "
            "does to the verdict.",
            "cheap-judge": "Let a language model judge all queries, and people a sample: a verdict calibrated on "
            "people.",
            "label-next": "Which documents should people judge next, and when can they stop? Labels in the order "
            "in which they decide between two systems.",
            "gate": "Fail a build when relevance drops: on the command line, in GitHub Actions, in pytest.",
            "leaderboard": "Rank many systems: means, the ranks each can have, and which can be the best.",
            "history": "How has a measure moved over time, and did the lists change or the labels?",
            "report": "What each part of the HTML report says, and what the verdict means.",
            "studio": "Flip decisions, read queries and grade results on a local page, alone or as a team, and see the "
            "verdict move.",
            "clicks": "Turn a click log into judgments: UBI events, position bias, COEC, PBM and SDBN, with intervals.",
            "segments": "Which queries won and lost, by segment; weights for queries; value that was missed.",
            "overlap": "How much do two lists of results differ? Overlap and rank moves, without judgments too.",
            "latency": "Show p50, p95 and p99 of the response times beside the relevance, and set limits.",
            "which-number": "Why your nDCG differs from scikit-learn's, Elasticsearch's or a colleague's, and "
            "which setting it is.",
            "trec_eval": "Replace trec_eval or pytrec_eval by a drop-in with the same flags and output.",
            "integrations": "Keep your code for pytrec_eval, ir_measures, ranx or scikit-learn, and get numbers "
            "from idealrank.",
            "convert": "Export judgments or results in the format of another tool, such as TREC, BEIR or Quepid.",
            "large-files": "Evaluate files larger than memory: TREC, CSV, JSON lines or Parquet, part by part.",
            "spark": "Evaluate billions of rows where they lie: PySpark DataFrames on Spark, Databricks or Sail.",
            "plots": "Draw plots for a paper or a notebook.",
        },
    ),
    Section(
        "Understand",
        "You want to know what is behind a number.",
        {
            "why": "What goes wrong silently between judgments and a number.",
            "decisions": "Every choice that changes a number, such as ties (equal scores) and queries without "
            "results, with its options.",
            "holes": "What unjudged documents could do to a comparison, and which of them to judge first.",
            "statistics": "Significance tests, p values and confidence intervals, how right they are, and how many "
            "queries you need.",
            "how-it-works": "From files to scores: judged lists, steps, and the account of every query.",
        },
    ),
    Section(
        "Choose",
        "You have a tool already, or are choosing one.",
        {
            "versus": "Which tool for which task: ir_measures, ranx, Quepid, OpenSearch's workbench, Ragas and "
            "idealrank side by side.",
            "versus-ir_measures": "idealrank or ir_measures, pytrec_eval, trec_eval: the same task with both, and what "
            "each does better.",
            "versus-ranx": "idealrank or ranx: the same comparison with both, fusion, and what each does better.",
            "versus-quepid": "idealrank or Quepid: tuning as a team, snapshots, scorers, and what each does better.",
            "versus-opensearch": "idealrank or OpenSearch's Search Relevance Workbench: experiments, judgments, NDCG, "
            "and what each does better.",
            "versus-rag": "idealrank or Ragas, DeepEval, Phoenix: what their context precision and recall are here, "
            "and what each does better.",
        },
    ),
    Section(
        "Look up",
        "You know what you are looking for.",
        {
            "measures": "Every measure with its formula, its source and an example: nDCG, DCG, precision, "
            "recall, MRR, MAP and the others.",
            "conventions": "How trec_eval, scikit-learn, Elasticsearch and other tools compute, with the source "
            "of each fact.",
            "inputs": "What can be read: formats and columns of judgments, results, queries and documents.",
            "cli": "Every command with its options.",
            "python": "Every function and class.",
            "outputs": "What every command prints as JSON, with its JSON Schema.",
            "glossary": "What the words mean.",
        },
    ),
)


def unplaced(pages: Iterable[str]) -> list[str]:
    """Return the pages that are in no section; the start page needs none."""
    placed = {START, *(page for section in SECTIONS for page in section.pages)}
    return [page for page in pages if page not in placed]
