"""How large the page is."""

from __future__ import annotations

import random

import idealrank as ir
from idealrank.data.documents import Documents
from idealrank.reports.report import Report

LETTERS = "aaabcdeeefghiiklmnoooprrsstttuvw"


def test_a_thousand_queries_of_three_systems_fit_into_a_mail() -> None:
    """1,000 queries, 3 systems, 10 results with titles, five measures and segments: under 1.2 MB.

    The systems guess the grades, so their lists are as alike as those of real systems; titles are of random words,
    which pack worse than real ones.
    """
    rng = random.Random(7)
    words = ["".join(rng.choices(LETTERS, k=rng.randint(3, 9))) for _ in range(4000)]
    judgments: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"system {s}": {} for s in range(3)}
    titles: dict[str, str] = {}
    for query in (f"q{q:04d}" for q in range(1000)):
        pool = [f"D{rng.randrange(10**6):06d}" for _ in range(16)]
        titles |= {doc: " ".join(rng.choices(words, k=rng.randint(4, 9))) for doc in pool}
        grades = judgments[query] = {doc: rng.choice([0, 0, 1, 2, 3]) for doc in pool[:13]}
        for results in runs.values():
            guesses = {doc: rng.random() * grades.get(doc, 0) for doc in pool}
            results[query] = dict(sorted(guesses.items(), key=lambda guess: -guess[1])[:10])
    table = {
        "query_id": list(judgments),
        "query": [" ".join(rng.choices(words, k=3)) for _ in judgments],
        "segment": [rng.choice(["brand", "category", "problem"]) for _ in judgments],
        "frequency": [rng.randint(1, 5000) for _ in judgments],
    }
    comparison = ir.compare(judgments, runs, queries=table, baseline="system 0")
    page = Report(comparison.scores, comparison, titles=Documents(titles, {}, "titles")).to_html()
    assert len(page.encode()) < 1_200_000
