"""How the numbers here were made: ``python -m tests.golden.spans.made BASE_EVALUATION.PY`` writes the files again.

The argument is chunking_evaluation/evaluation_framework/base_evaluation.py of brandonstarxel/chunking_evaluation at the
commit d451fc4 (version 0.1.0). It is run unchanged on made-up spans and chunks. Only what it imports and does not use
here is replaced: chromadb, and its helpers for embeddings.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
TOOL = "chunking_evaluation 0.1.0 at d451fc4"
NAMES = ("CharIoU", "CharR", "CharP")
"""What the code returns, in this order."""

Span = tuple[str, int, int]


def spans(rng: random.Random, doc: str) -> Iterator[Span]:
    """Draw judged spans that do not overlap each other."""
    at = 0
    for _ in range(rng.randint(1, 4)):
        begin = at + rng.randint(0, 120)
        at = begin + rng.randint(1, 150)
        yield doc, begin, at


def chunks(rng: random.Random, docs: list[str]) -> Iterator[Span]:
    """Draw chunks of all documents, which overlap."""
    for _ in range(8):
        begin = rng.randrange(0, 600, 50)
        yield rng.choice(docs), begin, begin + rng.choice((50, 100, 200))


def loaded(path: str) -> Any:
    """Import the code of the tool, with stubs for what is not used."""
    helpers = {"rigorous_document_search": None, "get_openai_embedding_function": None}
    unused = ("chromadb", "chromadb.utils", "chromadb.utils.embedding_functions", "chunking_evaluation")
    for name in (*unused, "chunking_evaluation.utils"):
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = []
        vars(sys.modules[name]).update(helpers)
    spec = importlib.util.spec_from_file_location("base_evaluation", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(tool: Any, judged: dict[str, list[Span]], found: dict[str, list[Span]], k: int) -> Iterator[str]:
    """Return the lines of values at k, as the tool's own method computes them."""
    import pandas as pd

    def named(all_: list[Span]) -> list[dict[str, Any]]:
        return [{"corpus_id": doc, "start_index": a, "end_index": b, "content": ""} for doc, a, b in all_]

    rows = [{"question": q, "references": named(own), "corpus_id": own[0][0]} for q, own in judged.items()]
    evaluation = tool.BaseEvaluation.__new__(tool.BaseEvaluation)
    evaluation.questions_df = pd.DataFrame(rows)
    scores = evaluation._scores_from_dataset_and_retrievals([named(found[q]) for q in judged], [k] * len(judged))
    for name, values in zip(NAMES, scores, strict=True):
        yield from (f"{TOOL}\t{name}@{k}\t{q}\t{value!r}\t15" for q, value in zip(judged, values, strict=True))


def main(path: str) -> None:
    """Write judgments, chunks and values."""
    rng, docs = random.Random(7), ["d1", "d2"]
    judged = {f"q{n}": list(spans(rng, docs[n % 2])) for n in range(12)}
    found = {q: list(dict.fromkeys(chunks(rng, docs))) for q in judged}
    tool = loaded(path)
    lines = [line for k in (1, 3, 5) for line in printed(tool, judged, found, k)]
    rows = [f"{q},{doc},{a},{b},1" for q, own in judged.items() for doc, a, b in own]
    ranks = [f"{q},{n},{doc},{a},{b}" for q, own in found.items() for n, (doc, a, b) in enumerate(own, 1)]
    for name, head, content in (
        ("judgments.csv", "query,doc,start_index,end_index,grade", rows),
        ("chunks.csv", "query,rank,doc,start_index,end_index", ranks),
        ("values.tsv", "tool\tmeasure\tquery\tvalue\tdigits", lines),
    ):
        (HERE / name).write_text("\n".join([head, *content]) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
