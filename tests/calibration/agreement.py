"""How often the intervals of coefficients of agreement contain the truth: python -m tests.calibration.agreement.

Two raters grade ten documents a query from 0 to 3. Queries differ in how relevant their documents are, and in how hard
they are to grade. The truth is what 4,000 queries give. It takes a minute.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from idealrank.labels.agreement import agreement

QUERIES, DOCUMENTS, RUNS, DRAWS = (5, 10, 20, 40), 10, 600, 500
COEFFICIENTS = ("alpha", "kappa", "ac")


def ratings(rng: np.random.Generator, queries: int) -> dict[str, Any]:
    """Draw a table of ratings."""
    of_query, hard = rng.normal(0, 0.6, queries), rng.gamma(2, 0.5, queries)
    size = queries * DOCUMENTS
    true = np.repeat(of_query, DOCUMENTS) + rng.normal(0, 1, size)
    noise = [rng.normal(0, 1, size) * np.repeat(hard, DOCUMENTS) * 0.6 for _ in range(2)]
    query = np.repeat([f"q{i}" for i in range(queries)], DOCUMENTS).tolist()
    return {
        "query": query * 2,
        "doc": [f"d{i}" for i in range(size)] * 2,
        "grade": np.concatenate([np.digitize(true + each, [-0.3, 0.6, 1.3]) for each in noise]).tolist(),
        "rater": ["ana"] * size + ["ben"] * size,
    }


def main() -> None:
    """Print the share of intervals of 95 % that contain the truth."""
    true = agreement(ratings(np.random.default_rng(99), 4000), draws=10)
    for queries in QUERIES:
        drawn = (ratings(np.random.default_rng([seed, queries]), queries) for seed in range(RUNS))
        intervals = [agreement(table, draws=DRAWS).intervals for table in drawn]
        shares = {
            name: np.mean([of[name][0] <= true[name] <= of[name][1] for of in intervals]) for name in COEFFICIENTS
        }
        print(f"{queries} queries: " + ", ".join(f"{name} {share:.1%}" for name, share in shares.items()))


if __name__ == "__main__":
    main()
