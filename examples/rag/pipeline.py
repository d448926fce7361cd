"""Three retrieval pipelines over a small corpus, and the judgments of fifty questions about it.

``python examples/rag/pipeline.py`` writes the files of this folder anew, or into the folder that is named. It needs
scikit-learn, and neither a network nor a model. What is written by hand is the corpus and ``questions.csv``: for each
question, the sentences that answer it.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer

HERE = Path(__file__).parent
CORPUS = {path.stem: path.read_text("utf-8") for path in sorted((HERE / "corpus").glob("*.txt"))}
PROMPT = 3000
"""How many characters of passages the answering model is given: about 750 tokens of English."""


@dataclass
class Document:
    """A retrieved passage, with the fields that LangChain's Document has."""

    id: str
    page_content: str
    metadata: dict[str, Any]
    score: float = 0.0


def split(text: str, size: int) -> Iterator[tuple[int, str]]:
    """Yield passages of at most `size` characters and where each begins, cut at the widest break there is."""
    begin = 0
    while begin < len(text):
        end = len(text)
        if end - begin > size:
            found = (text.rfind(mark, begin + size // 2, begin + size) for mark in ("\n\n", ". ", " "))
            end = next((place + 1 for place in found if place > 0), begin + size)
        passage = text[begin:end]
        start = begin + len(passage) - len(passage.lstrip())
        if passage.strip():
            yield start, passage.strip()
        begin = end


class Retriever:
    """Passages of a corpus in the order of their likeness to a question, by the cosine of TF-IDF vectors."""

    def __init__(self, size: int, **vectors: Any) -> None:
        self.documents = [
            Document(f"{source}-{number}", passage, {"source": source, "start_index": start})
            for source, text in CORPUS.items()
            for number, (start, passage) in enumerate(split(text, size), 1)
        ]
        self.k = PROMPT // size
        self.vectorizer = TfidfVectorizer(sublinear_tf=True, **vectors)
        self.vectors = self.vectorizer.fit_transform(document.page_content for document in self.documents)

    def __call__(self, question: str) -> list[Document]:
        """Return as many passages as the prompt has room for, the best first."""
        likeness = (self.vectors @ self.vectorizer.transform([question]).T).toarray()[:, 0].round(4)
        best = sorted(range(len(self.documents)), key=lambda place: -likeness[place])[: self.k]
        return [Document(**asdict(self.documents[place]) | {"score": float(likeness[place])}) for place in best]


def pipelines() -> dict[str, Retriever]:
    """Return the pipelines by name: small or large passages, compared by words or by pieces of words."""
    return {
        "large": Retriever(750, stop_words="english"),
        "small": Retriever(250, stop_words="english"),
        "letters": Retriever(250, analyzer="char_wb", ngram_range=(3, 5)),
    }


def judgments(rows: Iterable[dict[str, str]]) -> Iterator[tuple[Any, ...]]:
    """Yield the judged spans: each sentence that answers a question, and where it is in its document."""
    yield "question", "source", "begin", "end", "grade", "quote"
    for row in rows:
        begin = CORPUS[row["source"]].index(row["quote"])
        yield row["question"], row["source"], begin, begin + len(row["quote"]), row["grade"], row["quote"]


def main(folder: Path) -> None:
    """Write the judgments, the kind of each question, and what each pipeline retrieved."""
    with open(HERE / "questions.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = {row["question"]: row["kind"] for row in rows}
    tables = {"judgments.csv": judgments(rows), "kinds.csv": [("question", "kind"), *kinds.items()]}
    for name, table in tables.items():
        with open(folder / name, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(table)
    for name, retrieve in pipelines().items():
        with open(folder / f"{name}.jsonl", "w", encoding="utf-8", newline="\n") as file:
            for question in kinds:
                row = {"question": question, "documents": [asdict(document) for document in retrieve(question)]}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
